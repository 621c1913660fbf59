#include "src/run/checkpoint/source_read.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_image.h"
#include "kernels/engine/engine_port.h"
#include "src/run/checkpoint/progress_check.h"

static int set_damaged(const struct chunk_reader *reader, const char *what, struct failure *failure)
{
    return failure_set(failure, CHUNK_DAMAGED, "%s is damaged: %s", reader->path, what);
}

static int expect_count(const struct chunk_reader *reader, const char *name, uint64_t value, uint64_t least,
                        uint64_t most, struct failure *failure)
{
    char wrong[PROGRESS_WRONG_MAX];
    return progress_check_count(name, value, least, most, wrong) ? 0 : set_damaged(reader, wrong, failure);
}

/* ---- whose file it is ---- */

/* `*serial` as source_read_serial() gives it; the reader is then past it. */
static int open_source(const struct checkpoint_folder *folder, const char *name, size_t number,
                       const struct source_progress *run, struct chunk_reader *reader, char **path,
                       uint64_t *serial, struct failure *failure)
{
    struct source_about about;
    *serial = 0;
    TRY(checkpoint_open(folder, name, reader, path, failure));
    if (*path == NULL)
        return 0;
    TRY(chunk_expect(reader, "source", sizeof about, failure));
    memcpy(&about, reader->bytes, sizeof about);
    if (about.number != number)
        return 0;
    const uint64_t ledger = source_has_ledger(run);
    TRY(expect_count(reader, "serial number", about.serial, 1, SOURCE_SERIAL_MOST, failure));
    TRY(expect_count(reader, "number of energy ledgers", about.has_ledger, ledger, ledger, failure));
    *serial = about.serial;
    return 0;
}

int source_read_serial(const struct checkpoint_folder *folder, const char *name, size_t number,
                       const struct source_progress *run, uint64_t *serial, struct failure *failure)
{
    struct chunk_reader reader = {0};
    char *path = NULL;
    const int code = open_source(folder, name, number, run, &reader, &path, serial, failure);
    chunk_close(&reader);
    free(path);
    return code;
}

/* ---- progress and rows ---- */

static int read_progress(struct chunk_reader *reader, bool ended, const struct source_progress *run,
                         struct source_progress *out, struct failure *failure)
{
    char wrong[PROGRESS_WRONG_MAX];
    TRY(chunk_expect(reader, "progress", sizeof *out, failure));
    memcpy(out, reader->bytes, sizeof *out);
    progress_take_known(out, run);
    out->raw = NULL;
    return progress_check(out, run, ended, wrong) ? 0 : set_damaged(reader, wrong, failure);
}

/* `*absorbed` is the caller's. */
static int read_absorbed(struct chunk_reader *reader, const struct energy_ledger *ledger, double **absorbed,
                         struct failure *failure)
{
    const uint64_t bytes = ledger->samples * ledger->surfaces * sizeof **absorbed;
    TRY(chunk_expect(reader, "absorbed", bytes, failure));
    *absorbed = malloc((size_t)bytes + 1);
    if (*absorbed == NULL)
        return failure_memory(failure, bytes, "the energy ledger");
    memcpy(*absorbed, reader->bytes, (size_t)bytes);
    return 0;
}

static int read_row(struct chunk_reader *reader, uint64_t count, double *out, struct failure *failure)
{
    const uint64_t most = SOURCE_PIECE_BYTES / sizeof *out;
    for (uint64_t n = 0; n < count; n += most) {
        const uint64_t now = count - n < most ? count - n : most;
        TRY(chunk_expect(reader, "row", now * sizeof *out, failure));
        memcpy(out + n, reader->bytes, (size_t)now * sizeof *out);
    }
    return 0;
}

static int read_rows(struct chunk_reader *reader, struct source_progress *out, struct failure *failure)
{
    out->capacity = out->steps;
    if (out->rows == 0)
        return 0;
    out->raw = calloc(out->rows, (size_t)out->steps * sizeof *out->raw);
    if (out->raw == NULL)
        return failure_memory(failure, out->rows * out->steps * sizeof *out->raw,
                              "the responses of the receivers");
    for (size_t r = 0; r < out->rows; r++)
        TRY(read_row(reader, out->steps, out->raw + r * out->steps, failure));
    return 0;
}

/* ---- the field ---- */

static int read_form(struct chunk_reader *reader, const struct engine_image_form *form,
                     struct failure *failure)
{
    struct engine_image_form is;
    TRY(chunk_expect(reader, "form", sizeof is, failure));
    memcpy(&is, reader->bytes, sizeof is);
    TRY(expect_count(reader, "number of blocks", is.blocks, form->blocks, form->blocks, failure));
    TRY(expect_count(reader, "size of a real", is.real_bytes, form->real_bytes, form->real_bytes, failure));
    TRY(expect_count(reader, "number of states of a wall", is.planes, form->planes, form->planes, failure));
    TRY(expect_count(reader, "number of absorbed energies", is.absorbed, form->absorbed, form->absorbed,
                     failure));
    TRY(expect_count(reader, "number of values of membranes", is.port, form->port, form->port, failure));
    TRY(expect_count(reader, "number of levels of its field", is.levels, form->levels, form->levels,
                     failure));
    return expect_count(reader, "number of walls", is.walls, form->walls, form->walls, failure);
}

static int read_piece(struct chunk_reader *reader, struct engine *engine, struct engine_image *image,
                      uint32_t first, uint32_t *last, struct failure *failure)
{
    const struct engine_image_form form = engine_image_form(engine);
    uint64_t range[2];
    TRY(chunk_expect(reader, "blocks", UINT64_MAX, failure));
    if (reader->count < SOURCE_PIECE_HEAD)
        return set_damaged(reader, "a piece of its field has no blocks", failure);
    memcpy(range, reader->bytes, SOURCE_PIECE_HEAD);
    TRY(expect_count(reader, "first block of a piece", range[0], first, first, failure));
    TRY(expect_count(reader, "end of the blocks of a piece", range[1], (uint64_t)first + 1,
                     (uint64_t)form.blocks + 1, failure));
    *last = (uint32_t)range[1];
    const uint64_t bytes = engine_image_bytes(engine, first, *last);
    const char *reals = (const char *)reader->bytes + SOURCE_PIECE_HEAD;
    TRY(expect_count(reader, "size of a piece", reader->count - SOURCE_PIECE_HEAD, bytes, bytes, failure));
    return engine_image_set(image, first, *last, reals, failure);
}

static int read_port(struct chunk_reader *reader, struct engine *engine, uint64_t count,
                     struct failure *failure)
{
    double *const state = calloc((size_t)count + 1, sizeof *state);
    int code = state == NULL ? failure_memory(failure, count * sizeof *state, "the state of membranes")
                             : read_row(reader, count, state, failure);
    if (code == 0)
        engine_port_set_state(engine, state);
    free(state);
    return code;
}

static int read_image(struct chunk_reader *reader, struct engine *engine, uint64_t steps,
                      struct failure *failure)
{
    const struct engine_image_form form = engine_image_form(engine);
    struct engine_image *image = NULL;
    uint64_t engine_steps;
    TRY(read_form(reader, &form, failure));
    TRY(chunk_expect(reader, "sums", ((uint64_t)form.absorbed + 1) * sizeof(double), failure));
    const double *absorbed = (const double *)reader->bytes + 1;
    memcpy(&engine_steps, reader->bytes, sizeof engine_steps);
    TRY(expect_count(reader, "number of steps of the field", engine_steps, steps, steps, failure));
    engine_image_set_steps(engine, steps, absorbed);
    TRY(read_port(reader, engine, form.port, failure));
    TRY(engine_image_open(engine, true, &image, failure));
    int code = 0;
    for (uint32_t first = 1, last = 1; code == 0 && first <= form.blocks; first = last)
        code = read_piece(reader, engine, image, first, &last, failure);
    const int closed = engine_image_close(image, code == 0 ? failure : NULL);
    return code != 0 ? code : closed;
}

/* ---- all of it ---- */

int source_read(const struct checkpoint_folder *folder, const char *name, size_t number,
                struct source_progress *run, struct engine *engine, struct failure *failure)
{
    struct chunk_reader reader = {0};
    struct source_progress found = {0};
    double *absorbed = NULL;
    uint64_t serial = 0;
    char *path = NULL;
    int code = open_source(folder, name, number, run, &reader, &path, &serial, failure);
    if (code == 0 && serial == 0)
        code = failure_set(failure, CHUNK_DAMAGED, "%s is gone", name);
    if (code == 0)
        code = read_progress(&reader, engine == NULL, run, &found, failure);
    if (code == 0 && source_has_ledger(run))
        code = read_absorbed(&reader, &found.ledger, &absorbed, failure);
    if (code == 0)
        code = read_rows(&reader, &found, failure);
    if (code == 0 && engine != NULL)
        code = read_image(&reader, engine, found.steps, failure);
    if (code == 0)
        code = chunk_expect(&reader, "end", 0, failure);
    if (code == 0) {
        if (absorbed != NULL)
            memcpy(run->ledger.absorbed, absorbed,
                   found.ledger.samples * found.ledger.surfaces * sizeof *absorbed);
        free(run->raw);
        *run = found;
    } else {
        free(found.raw);
    }
    free(absorbed);
    chunk_close(&reader);
    free(path);
    return code;
}
