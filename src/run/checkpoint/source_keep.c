#include "src/run/checkpoint/source_keep.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_image.h"
#include "kernels/engine/engine_port.h"
#include "src/base/table/number_text.h"
#include "src/base/progress_line.h"
#include "src/run/checkpoint/progress_check.h"
#include "src/run/checkpoint/source_read.h"
#include "src/base/options/messages.h"
#include "src/run/plan/estimate.h"

#define SHARE 0.01 /* of the time that checkpoints may take, unless --checkpoint sets their spacing */

/* ---- written ---- */

/* A checkpoint that is being written. It holds a copy of all but rows and image, so that a thread may write
 * it while steps continue. */
struct checkpoint_writing {
    const struct checkpoint_folder *folder; /* borrowed */
    char name[CHECKPOINT_NAME_MAX];
    struct source_about about;
    struct source_progress progress; /* its rows are borrowed */
    double *absorbed;                /* of its ledger, a copy; owned; NULL: no ledger */
    struct engine *engine;           /* borrowed; NULL: of a source that has ended */
    struct engine_image *image;      /* with an engine; owned */
    double *sums;                    /* steps, then absorbed energies; owned */
    double *port;                    /* state of a port; owned; NULL: none */
    bool copied, threaded;           /* the image is a copy; written by .. */
    pthread_t thread;
    double waited; /* by the steps [s] */
    atomic_bool ended;
    int code;
    struct failure failure;
    uint64_t bytes;
};

static int copy_progress(struct checkpoint_writing *writing, const struct source_progress *progress,
                         struct failure *failure)
{
    const struct energy_ledger *ledger = &progress->ledger;
    const size_t bytes = ledger->samples * ledger->surfaces * sizeof *writing->absorbed;
    writing->progress = *progress;
    if (!source_has_ledger(progress))
        return 0;
    writing->absorbed = malloc(bytes + 1);
    if (writing->absorbed == NULL)
        return failure_memory(failure, bytes, "a checkpoint");
    memcpy(writing->absorbed, ledger->absorbed, bytes);
    return 0;
}

static int copy_image(struct checkpoint_writing *writing, bool beside, struct failure *failure)
{
    struct engine *engine = writing->engine;
    const struct engine_image_form form = engine_image_form(engine);
    writing->sums = calloc((size_t)form.absorbed + 2, sizeof *writing->sums);
    writing->port = calloc((size_t)form.port + 1, sizeof *writing->port);
    if (writing->sums == NULL || writing->port == NULL)
        return failure_memory(failure, (form.absorbed + form.port) * sizeof *writing->sums, "a checkpoint");
    engine_port_get_state(engine, writing->port);
    const uint64_t steps = engine_image_get_steps(engine, writing->sums + 1);
    memcpy(writing->sums, &steps, sizeof steps);
    if (beside)
        TRY(engine_image_open_copy(engine, &writing->image, failure));
    writing->copied = writing->image != NULL;
    return writing->copied ? 0 : engine_image_open(engine, false, &writing->image, failure);
}

/* `engine` NULL: of a source that has ended. */
static int take_copy(const struct source_keep *keep, const struct source_progress *progress,
                     struct engine *engine, struct checkpoint_writing *out, struct failure *failure)
{
    out->folder = keep->folder;
    out->engine = engine;
    out->about = (struct source_about){
        .number = keep->number, .serial = keep->serial + 1, .has_ledger = source_has_ledger(progress)};
    TRY(copy_progress(out, progress, failure));
    return engine != NULL ? copy_image(out, keep->beside, failure) : 0;
}

static void free_writing(struct checkpoint_writing *writing)
{
    (void)engine_image_close(writing->image, NULL);
    free(writing->absorbed);
    free(writing->sums);
    free(writing->port);
    free(writing);
}

static int write_progress(struct chunk_writer *writer, const struct checkpoint_writing *writing,
                          struct failure *failure)
{
    static const struct source_progress blank;
    const struct energy_ledger *ledger = &writing->progress.ledger;
    struct source_progress progress = writing->progress;
    progress_take_known(&progress, &blank);
    TRY(chunk_write(writer, "progress", &progress, sizeof progress, failure));
    return writing->absorbed == NULL
               ? 0
               : chunk_write(writer, "absorbed", writing->absorbed,
                             ledger->samples * ledger->surfaces * sizeof *writing->absorbed, failure);
}

/* A row, or the state of a port. */
static int write_row(struct chunk_writer *writer, const double *value, uint64_t count,
                     struct failure *failure)
{
    const uint64_t most = SOURCE_PIECE_BYTES / sizeof *value;
    for (uint64_t n = 0; n < count; n += most)
        TRY(chunk_write(writer, "row", value + n, (count - n < most ? count - n : most) * sizeof *value,
                        failure));
    return 0;
}

static int write_rows(struct chunk_writer *writer, const struct source_progress *progress,
                      struct failure *failure)
{
    for (size_t r = 0; r < progress->rows; r++)
        TRY(write_row(writer, progress->raw + r * progress->capacity, progress->steps, failure));
    return 0;
}

/* As many blocks from `first` on as fit a piece, at least one. */
static uint32_t piece_end(const struct engine *engine, uint32_t first, uint32_t end)
{
    uint32_t last = first + 1;
    while (last < end && engine_image_bytes(engine, first, last + 1) <= SOURCE_PIECE_BYTES)
        last++;
    return last;
}

static uint64_t piece_most(const struct engine *engine, uint32_t end)
{
    uint64_t most = SOURCE_PIECE_BYTES;
    for (uint32_t block = 1; block < end; block++) {
        const uint64_t one = engine_image_bytes(engine, block, block + 1);
        most = one > most ? one : most;
    }
    return most;
}

static int write_pieces(struct chunk_writer *writer, struct engine *engine, struct engine_image *image,
                        struct failure *failure)
{
    const uint32_t end = engine_image_form(engine).blocks + 1;
    const uint64_t most = piece_most(engine, end) + SOURCE_PIECE_HEAD;
    char *piece = malloc((size_t)most);
    int code = piece == NULL ? failure_memory(failure, most, "a piece of a checkpoint") : 0;
    for (uint32_t first = 1, last; code == 0 && first < end; first = last) {
        last = piece_end(engine, first, end);
        memcpy(piece, (const uint64_t[]){first, last}, SOURCE_PIECE_HEAD);
        code = engine_image_get(image, first, last, piece + SOURCE_PIECE_HEAD, failure);
        if (code == 0)
            code = chunk_write(writer, "blocks", piece,
                               SOURCE_PIECE_HEAD + engine_image_bytes(engine, first, last), failure);
    }
    free(piece);
    return code;
}

static int write_image(struct chunk_writer *writer, const struct checkpoint_writing *writing,
                       struct failure *failure)
{
    const struct engine_image_form form = engine_image_form(writing->engine);
    TRY(chunk_write(writer, "form", &form, sizeof form, failure));
    TRY(chunk_write(writer, "sums", writing->sums, ((size_t)form.absorbed + 1) * sizeof *writing->sums,
                    failure));
    TRY(write_row(writer, writing->port, form.port, failure));
    return write_pieces(writer, writing->engine, writing->image, failure);
}

/* In the thread of the steps or in its own: it reads nothing that a step changes. */
static void *write_file(void *context)
{
    struct checkpoint_writing *writing = context;
    struct failure *failure = &writing->failure;
    struct whole_file file = {0};
    struct chunk_writer writer;
    int code = checkpoint_begin(writing->folder, writing->name, &file, &writer, failure);
    if (code == 0)
        code = chunk_write(&writer, "source", &writing->about, sizeof writing->about, failure);
    if (code == 0)
        code = write_progress(&writer, writing, failure);
    if (code == 0)
        code = write_rows(&writer, &writing->progress, failure);
    if (code == 0 && writing->engine != NULL)
        code = write_image(&writer, writing, failure);
    if (code == 0)
        code = chunk_write(&writer, "end", NULL, 0, failure);
    if (code == 0) {
        const long at = ftell(file.stream);
        writing->bytes = at > 0 ? (uint64_t)at : 0;
        code = whole_file_commit(&file, failure);
    }
    whole_file_abandon(&file);
    writing->code = code;
    writing->ended = true;
    return NULL;
}

static void print_warning(const struct failure *failure, const char *what)
{
    message_warning(stderr, "", "%s; %s", failure->sentence, what);
}

static void checkpoint_name(char name[CHECKPOINT_NAME_MAX], bool second)
{
    (void)snprintf(name, CHECKPOINT_NAME_MAX, "checkpoint.%d", second ? 2 : 1);
}

static void ended_name(char name[CHECKPOINT_NAME_MAX], size_t number)
{
    (void)snprintf(name, CHECKPOINT_NAME_MAX, "checkpoint.source-%zu", number);
}

static void count_lost(struct source_keep *keep, const struct failure *why)
{
    if (keep->failed++ == 0)
        print_warning(why, "the run continues without this checkpoint");
}

/* The stepper reports a lost engine. */
static void finish_writing(struct source_keep *keep, struct checkpoint_writing *writing)
{
    const double begin = progress_clock();
    if (writing->threaded)
        (void)pthread_join(writing->thread, NULL);
    writing->waited += progress_clock() - begin;
    keep->second = !keep->second; /* also after a failure: where one name cannot be had the other may */
    if (writing->code == 0) {
        keep->serial++;
        keep->saved++;
        keep->copied += writing->threaded;
        keep->bytes = writing->bytes;
        keep->seconds += writing->waited;
        keep->longest = fmax(keep->longest, writing->waited);
        if (!keep->spacing_asked)
            keep->keeper.apart = fmax(keep->keeper.apart, writing->waited / SHARE);
    } else if (engine_failed(writing->engine, NULL) == 0) {
        count_lost(keep, &writing->failure);
    }
    free_writing(writing);
}

static void settle_writing(struct source_keeper *keeper)
{
    struct source_keep *keep = keeper->context;
    struct checkpoint_writing *writing = keep->writing;
    keep->writing = NULL;
    if (writing != NULL)
        finish_writing(keep, writing);
}

static int save_progress(struct source_keeper *keeper, const struct source_progress *now,
                         struct engine *engine, struct failure *failure)
{
    struct source_keep *keep = keeper->context;
    settle_writing(keeper);
    const double begin = progress_clock();
    struct checkpoint_writing *writing = calloc(1, sizeof *writing);
    struct failure inner = {0};
    int code = writing == NULL ? failure_memory(&inner, sizeof *writing, "a checkpoint")
                               : take_copy(keep, now, engine, writing, &inner);
    if (code != 0) {
        if (writing != NULL)
            free_writing(writing);
        TRY(engine_failed(engine, failure));
        count_lost(keep, &inner);
        return 0;
    }
    checkpoint_name(writing->name, keep->second);
    writing->threaded = writing->copied && pthread_create(&writing->thread, NULL, write_file, writing) == 0;
    if (!writing->threaded)
        (void)write_file(writing);
    writing->waited = progress_clock() - begin;
    keep->writing = writing;
    if (!writing->threaded)
        settle_writing(keeper);
    return engine_failed(engine, failure);
}

static int save_last(struct source_keeper *keeper, const struct source_progress *now, struct engine *engine,
                     struct failure *failure)
{
    struct source_keep *keep = keeper->context;
    const bool at_work = keep->writing != NULL && !keep->writing->ended;
    const uint64_t saved = keep->saved;
    settle_writing(keeper);
    if (keep->discards || (at_work && keep->saved > saved))
        return engine_failed(engine, failure);
    return save_progress(keeper, now, engine, failure);
}

void source_keep_ended(struct source_keep *keep, const struct source_progress *progress)
{
    struct checkpoint_writing *writing = calloc(1, sizeof *writing);
    struct failure inner = {0};
    int code = writing == NULL ? failure_memory(&inner, sizeof *writing, "a checkpoint")
                               : take_copy(keep, progress, NULL, writing, &inner);
    if (code == 0) {
        ended_name(writing->name, keep->number);
        (void)write_file(writing);
        code = writing->code;
        inner = writing->failure;
    }
    if (code != 0)
        print_warning(&inner, "if the run is interrupted, this source will be computed again");
    if (writing != NULL)
        free_writing(writing);
}

double source_keep_bytes(const struct engine *engine, size_t rows, double steps)
{
    const struct engine_image_form form = engine_image_form(engine);
    return (double)engine_image_bytes(engine, 1, form.blocks + 1) +
           ((double)rows * steps + (double)form.port) * sizeof(double);
}

/* ---- read ---- */

/* Print the fault of a damaged file; false: it is another failure. */
static bool report_damage(const struct failure *inner, int code, const char *what)
{
    if (code == CHUNK_DAMAGED)
        print_warning(inner, what);
    return code == CHUNK_DAMAGED;
}

static int load_progress(struct source_keeper *keeper, struct source_progress *run, struct engine *engine,
                         struct failure *failure)
{
    struct source_keep *keep = keeper->context;
    uint64_t serial[2] = {0};
    struct failure inner = {0};
    char name[CHECKPOINT_NAME_MAX];
    size_t lost = 0;
    for (int f = 0; f < 2; f++) {
        checkpoint_name(name, f == 1);
        const int code = source_read_serial(keep->folder, name, keep->number, run, &serial[f], &inner);
        if (code != 0 && !report_damage(&inner, code, "the other checkpoint is tried"))
            return failure_forward(failure, &inner);
        lost += code != 0;
        keep->serial = serial[f] > keep->serial ? serial[f] : keep->serial;
    }
    for (int f = 0; f < 2; f++) {
        const bool second = (serial[1] > serial[0]) == (f == 0);
        if (serial[second] == 0)
            continue;
        checkpoint_name(name, second);
        const int code = source_read(keep->folder, name, keep->number, run, engine, &inner);
        if (code == 0) {
            keep->second = !second;
            room_say(keep->notices, "resumes at step %llu (%s)", (unsigned long long)run->steps, name);
            return 0;
        }
        engine_reset(engine);
        if (!report_damage(&inner, code, f == 0 ? "the one before is tried" : "there is no other"))
            return failure_forward(failure, &inner);
        lost++;
    }
    if (lost > 0)
        message_warning(stderr, "",
                        "no checkpoint of this source can be used: it is computed from its first step");
    return 0;
}

int source_keep_find_ended(struct source_keep *keep, struct source_progress *run, struct failure *failure)
{
    char name[CHECKPOINT_NAME_MAX];
    struct failure inner = {0};
    uint64_t serial;
    ended_name(name, keep->number);
    int code = source_read_serial(keep->folder, name, keep->number, run, &serial, &inner);
    if (code == 0 && serial > 0)
        code = source_read(keep->folder, name, keep->number, run, NULL, &inner);
    if (code == 0 && serial > 0)
        room_say(keep->notices, "source %zu was computed before (%s)", keep->number + 1, name);
    if (code == 0 || report_damage(&inner, code, "this source is computed again"))
        return 0;
    return failure_forward(failure, &inner);
}

void source_keep_start(struct source_keep *keep, size_t number, double apart)
{
    keep->number = number;
    keep->keeper =
        (struct source_keeper){.context = keep,
                               .apart = fmax(apart, keep->spacing_asked ? 0.0 : keep->longest / SHARE),
                               .save = save_progress,
                               .save_last = save_last,
                               .settle = settle_writing,
                               .load = load_progress};
}

void source_keep_report(const struct source_keep *keep)
{
    char bytes[32];
    if (keep->saved > 0)
        room_say(keep->notices, "%llu checkpoint%s of %s%s: the simulation paused for %.2g s each%s",
                 (unsigned long long)keep->saved, keep->saved == 1 ? "" : "s",
                 format_bytes((double)keep->bytes, bytes),
                 keep->copied > 0 ? ", written while steps went on" : "", keep->seconds / (double)keep->saved,
                 keep->keeper.apart * SHARE < keep->seconds / (double)keep->saved
                     ? ", more than 1 % of the time between two"
                     : "");
    if (keep->failed > 0)
        room_say(keep->notices, "%llu checkpoint%s could not be written", (unsigned long long)keep->failed,
                 keep->failed == 1 ? "" : "s");
}
