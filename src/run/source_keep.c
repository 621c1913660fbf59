#include "src/run/source_keep.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_image.h"
#include "src/base/progress_line.h"
#include "src/options/messages.h"
#include "src/plan/estimate.h"

#define PIECE_BYTES ((uint64_t)8 << 20)
#define SHARE       0.01 /* of the time, that checkpoints may take unless their spacing was asked for */

/* ---- the state, as words of 8 bytes; one walk over it for both directions ---- */

struct words {
    bool reading, sound;
    size_t count, next;
    double *word; /* (count); NULL: only counted */
};

static void word(struct words *words, void *value)
{
    if (words->word != NULL && words->next < words->count) {
        if (words->reading)
            memcpy(value, &words->word[words->next], sizeof *words->word);
        else
            memcpy(&words->word[words->next], value, sizeof *words->word);
    }
    words->next++;
}

static void count_word(struct words *words, size_t *value, size_t most)
{
    uint64_t wide = *value;
    word(words, &wide);
    if (wide > most)
        words->sound = false;
    else
        *value = (size_t)wide;
}

static void walk_record(struct words *words, struct field_record *record)
{
    word(words, &record->energy_start);
    word(words, &record->energy_end);
    word(words, &record->energy_rise);
    word(words, &record->mean_start);
    word(words, &record->mean_end);
    word(words, &record->mean_drift);
    word(words, &record->near);
    word(words, &record->near_share);
}

static void walk_look(struct words *words, struct field_look *look)
{
    word(words, &look->step);
    word(words, &look->energy);
    word(words, &look->mean);
    word(words, &look->mean_square);
}

/* What the room and the drive say is known again. */
static void walk_monitor(struct words *words, struct field_monitor *monitor)
{
    word(words, &monitor->looks);
    walk_record(words, &monitor->record);
    walk_look(words, &monitor->last);
    walk_look(words, &monitor->least);
    word(words, &monitor->variance);
    word(words, &monitor->bias);
    word(words, &monitor->loudest);
    word(words, &monitor->span);
    word(words, &monitor->early);
    word(words, &monitor->between);
    word(words, &monitor->recent);
}

static void walk_ledger(struct words *words, struct energy_ledger *ledger)
{
    word(words, &ledger->apart);
    count_word(words, &ledger->samples, LEDGER_SAMPLES);
    word(words, &ledger->steps);
    for (size_t c = 0; c < energy_ledger_channels(ledger);
         c++) { /* as many as the room asks for: known again */
        word(words, &ledger->pressure[c][0]);
        word(words, &ledger->pressure[c][1]);
        word(words, &ledger->drive[c]);
    }
    word(words, &ledger->injected);
    for (size_t n = 0; n < ledger->samples; n++) {
        word(words, &ledger->sample[n].step);
        word(words, &ledger->sample[n].injected);
        word(words, &ledger->sample[n].stored);
    }
    for (size_t n = 0; n < ledger->samples * ledger->surfaces; n++)
        word(words, &ledger->absorbed[n]);
}

static void walk_state(struct words *words, struct source_saved *saved)
{
    uint64_t capped = saved->capped;
    word(words, &saved->steps);
    word(words, &saved->lead);
    word(words, &saved->planned);
    word(words, &saved->look_apart);
    word(words, &saved->health_step);
    word(words, &saved->energy_step);
    word(words, &saved->energy);
    word(words, &saved->loudest);
    word(words, &saved->field_level);
    word(words, &saved->seconds);
    word(words, &saved->fall);
    word(words, &capped);
    saved->capped = capped != 0;
    walk_monitor(words, saved->monitor);
    if (saved->ledger != NULL)
        walk_ledger(words, saved->ledger);
    words->sound = words->sound && saved->steps <= saved->planned && saved->look_apart > 0 &&
                   (saved->ledger == NULL || saved->ledger->apart > 0);
}

/* ---- written ---- */

/* Which source a file is of, and what else it says of itself; then which rows. */
struct about {
    uint64_t number, serial, rows, has_ledger, surfaces;
};

/* A checkpoint at work: what it is of, as it was at its moment, and how it went. But for rows and image it
 * holds all of it, so that a thread may write it while the run goes on. */
struct checkpoint_writing {
    const struct checkpoint_folder *folder; /* borrowed */
    char name[CHECKPOINT_NAME_MAX];
    struct about about;
    struct words state;         /* owned */
    struct source_saved saved;  /* its rows; borrowed */
    struct engine *engine;      /* borrowed; NULL: of a source that has ended */
    struct engine_image *image; /* with an engine; owned */
    double *sums;               /* steps, then what was absorbed; owned */
    bool copied, threaded;      /* the image is a copy; written by .. */
    pthread_t thread;
    double waited; /* by the steps [s] */
    atomic_bool ended;
    int code;
    struct failure failure;
    uint64_t bytes;
};

static int take_state(struct checkpoint_writing *writing, const struct source_saved *saved,
                      struct failure *failure)
{
    struct source_saved copy = *saved;
    struct words *words = &writing->state;
    words->sound = true;
    walk_state(words, &copy);
    words->count = words->next;
    words->next = 0;
    words->word = calloc(words->count + 1, sizeof *words->word);
    if (words->word == NULL)
        return failure_memory(failure, words->count * sizeof *words->word, "a checkpoint");
    walk_state(words, &copy);
    return 0;
}

static int take_image(struct checkpoint_writing *writing, bool beside, struct failure *failure)
{
    struct engine *engine = writing->engine;
    const struct engine_image_form form = engine_image_form(engine);
    writing->sums = calloc((size_t)form.absorbed + 2, sizeof *writing->sums);
    if (writing->sums == NULL)
        return failure_memory(failure, form.absorbed * sizeof *writing->sums, "a checkpoint");
    const uint64_t steps = engine_image_get_steps(engine, writing->sums + 1);
    memcpy(writing->sums, &steps, sizeof steps);
    if (beside)
        TRY(engine_image_open_copy(engine, &writing->image, failure));
    writing->copied = writing->image != NULL;
    return writing->copied ? 0 : engine_image_open(engine, false, &writing->image, failure);
}

/* Of a source that has ended where `engine` is NULL. */
static int take(const struct source_keep *keep, const struct source_saved *saved, struct engine *engine,
                struct checkpoint_writing *out, struct failure *failure)
{
    out->folder = keep->folder;
    out->saved = *saved;
    out->engine = engine;
    out->about = (struct about){.number = keep->number,
                                .serial = keep->serial + 1,
                                .rows = saved->rows,
                                .has_ledger = saved->ledger != NULL,
                                .surfaces = saved->ledger != NULL ? saved->ledger->surfaces : 0};
    TRY(take_state(out, saved, failure));
    return engine != NULL ? take_image(out, keep->beside, failure) : 0;
}

static void release(struct checkpoint_writing *writing)
{
    (void)engine_image_close(writing->image, NULL);
    free(writing->state.word);
    free(writing->sums);
    free(writing);
}

/* Row by row, as long as they are, in pieces. */
static int write_rows(struct chunk_writer *writer, const struct source_saved *saved, struct failure *failure)
{
    const uint64_t most = PIECE_BYTES / sizeof *saved->raw;
    for (size_t r = 0; r < saved->rows; r++)
        for (uint64_t n = 0; n < saved->steps; n += most) {
            const uint64_t left = saved->steps - n, count = left < most ? left : most;
            TRY(chunk_write(writer, "row", saved->raw + r * saved->capacity + n, count * sizeof *saved->raw,
                            failure));
        }
    return 0;
}

/* As many blocks from `first` on as fit a piece, at least one. */
static uint32_t piece_end(const struct engine *engine, uint32_t first, uint32_t end)
{
    uint32_t last = first + 1;
    while (last < end && engine_image_bytes(engine, first, last + 1) <= PIECE_BYTES)
        last++;
    return last;
}

static uint64_t piece_most(const struct engine *engine, uint32_t end)
{
    uint64_t most = PIECE_BYTES;
    for (uint32_t block = 1; block < end; block++) {
        const uint64_t one = engine_image_bytes(engine, block, block + 1);
        most = one > most ? one : most;
    }
    return most;
}

/* Pieces: the first block of each and the one after the last, then what they hold. */
#define PIECE_HEAD (2 * sizeof(uint64_t))

static int write_pieces(struct chunk_writer *writer, struct engine *engine, struct engine_image *image,
                        struct failure *failure)
{
    const uint32_t end = engine_image_form(engine).blocks + 1;
    const uint64_t most = piece_most(engine, end) + PIECE_HEAD;
    char *piece = malloc((size_t)most);
    int code = piece == NULL ? failure_memory(failure, most, "a piece of a checkpoint") : 0;
    for (uint32_t first = 1, last; code == 0 && first < end; first = last) {
        last = piece_end(engine, first, end);
        memcpy(piece, (const uint64_t[]){first, last}, PIECE_HEAD);
        code = engine_image_get(image, first, last, piece + PIECE_HEAD, failure);
        if (code == 0)
            code = chunk_write(writer, "blocks", piece, PIECE_HEAD + engine_image_bytes(engine, first, last),
                               failure);
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
    return write_pieces(writer, writing->engine, writing->image, failure);
}

/* Touches nothing of the run that changes. */
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
        code = chunk_write(&writer, "state", writing->state.word,
                           writing->state.count * sizeof *writing->state.word, failure);
    if (code == 0)
        code = write_rows(&writer, &writing->saved, failure);
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

static void warn(const struct failure *failure, const char *what)
{
    message_warning(stderr, "", "%s; %s", failure->sentence, what);
}

static void checkpoint_name(char name[CHECKPOINT_NAME_MAX], uint64_t serial)
{
    (void)snprintf(name, CHECKPOINT_NAME_MAX, "checkpoint.%d", serial % 2 == 1 ? 1 : 2);
}

static void ended_name(char name[CHECKPOINT_NAME_MAX], size_t number)
{
    (void)snprintf(name, CHECKPOINT_NAME_MAX, "checkpoint.source-%zu", number);
}

static void lose(struct source_keep *keep, const struct failure *why)
{
    if (keep->failed++ == 0)
        warn(why, "the run goes on without this checkpoint");
}

/* The end of one; a lost engine is told by who steps it. */
static void finish(struct source_keep *keep, struct checkpoint_writing *writing)
{
    const double begin = progress_clock();
    if (writing->threaded)
        (void)pthread_join(writing->thread, NULL);
    writing->waited += progress_clock() - begin;
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
        lose(keep, &writing->failure);
    }
    release(writing);
}

static void settle(struct source_keeper *keeper)
{
    struct source_keep *keep = keeper->context;
    struct checkpoint_writing *writing = keep->writing;
    keep->writing = NULL;
    if (writing != NULL)
        finish(keep, writing);
}

static int save(struct source_keeper *keeper, const struct source_saved *now, struct engine *engine,
                struct failure *failure)
{
    struct source_keep *keep = keeper->context;
    settle(keeper);
    const double begin = progress_clock();
    struct checkpoint_writing *writing = calloc(1, sizeof *writing);
    struct failure inner = {0};
    int code = writing == NULL ? failure_memory(&inner, sizeof *writing, "a checkpoint")
                               : take(keep, now, engine, writing, &inner);
    if (code != 0) {
        if (writing != NULL)
            release(writing);
        TRY(engine_failed(engine, failure));
        lose(keep, &inner);
        return 0;
    }
    checkpoint_name(writing->name, writing->about.serial);
    writing->threaded = writing->copied && pthread_create(&writing->thread, NULL, write_file, writing) == 0;
    if (!writing->threaded)
        (void)write_file(writing);
    writing->waited = progress_clock() - begin;
    keep->writing = writing;
    if (!writing->threaded)
        settle(keeper);
    return engine_failed(engine, failure);
}

static int save_last(struct source_keeper *keeper, const struct source_saved *now, struct engine *engine,
                     struct failure *failure)
{
    struct source_keep *keep = keeper->context;
    const bool at_work = keep->writing != NULL && !keep->writing->ended;
    const uint64_t saved = keep->saved;
    settle(keeper);
    if (keep->discards || (at_work && keep->saved > saved))
        return engine_failed(engine, failure);
    return save(keeper, now, engine, failure);
}

void source_keep_ended(struct source_keep *keep, const struct source_saved *saved)
{
    struct checkpoint_writing *writing = calloc(1, sizeof *writing);
    struct failure inner = {0};
    int code = writing == NULL ? failure_memory(&inner, sizeof *writing, "a checkpoint")
                               : take(keep, saved, NULL, writing, &inner);
    if (code == 0) {
        ended_name(writing->name, keep->number);
        (void)write_file(writing);
        code = writing->code;
        inner = writing->failure;
    }
    if (code != 0)
        warn(&inner, "if the run is interrupted, this source will be computed again");
    if (writing != NULL)
        release(writing);
}

double source_keep_bytes(const struct engine *engine, size_t rows, double steps)
{
    return (double)engine_image_bytes(engine, 1, engine_image_form(engine).blocks + 1) +
           (double)rows * steps * sizeof(double);
}

/* ---- read ---- */

static int damaged(const struct chunk_reader *reader, struct failure *failure)
{
    return failure_set(failure, CHUNK_DAMAGED, "%s is damaged: what it says of itself does not fit",
                       reader->path);
}

/* The words of a state into `out`, whose monitor and ledger get theirs only where all is sound. */
static int read_state(struct chunk_reader *reader, struct source_saved *out, struct failure *failure)
{
    TRY(chunk_expect(reader, "state", UINT64_MAX, failure));
    struct field_monitor monitor = *out->monitor;
    struct energy_ledger ledger = {0};
    struct source_saved found = *out;
    found.monitor = &monitor;
    if (out->ledger != NULL) {
        const size_t sums = LEDGER_SAMPLES * out->ledger->surfaces;
        ledger = *out->ledger;
        ledger.absorbed = calloc(sums + 1, sizeof *ledger.absorbed);
        if (ledger.absorbed == NULL)
            return failure_memory(failure, sums * sizeof *ledger.absorbed, "the energy ledger");
        found.ledger = &ledger;
    }
    struct words words = {.reading = true,
                          .sound = true,
                          .count = (size_t)(reader->count / sizeof(double)),
                          .word = reader->bytes};
    walk_state(&words, &found);
    const bool sound = words.sound && words.next == words.count && found.lead == out->lead && found.steps > 0;
    if (sound && out->ledger != NULL) {
        memcpy(out->ledger->absorbed, ledger.absorbed,
               ledger.samples * ledger.surfaces * sizeof *ledger.absorbed);
        double *const own = out->ledger->absorbed, *const scratch = out->ledger->scratch;
        *out->ledger = ledger;
        out->ledger->absorbed = own;
        out->ledger->scratch = scratch;
    }
    free(ledger.absorbed);
    if (!sound)
        return damaged(reader, failure);
    *out->monitor = monitor;
    found.monitor = out->monitor;
    found.ledger = out->ledger;
    *out = found;
    return 0;
}

static int read_rows(struct chunk_reader *reader, struct source_saved *out, struct failure *failure)
{
    const uint64_t most = PIECE_BYTES / sizeof *out->raw;
    out->capacity = out->steps;
    out->raw = NULL;
    if (out->rows == 0)
        return 0;
    out->raw = malloc((size_t)(out->rows * out->steps + 1) * sizeof *out->raw);
    if (out->raw == NULL)
        return failure_memory(failure, out->rows * out->steps * sizeof *out->raw,
                              "the responses of the receivers");
    for (size_t r = 0; r < out->rows; r++)
        for (uint64_t n = 0; n < out->steps; n += most) {
            const uint64_t left = out->steps - n, bytes = (left < most ? left : most) * sizeof *out->raw;
            TRY(chunk_expect(reader, "row", bytes, failure));
            memcpy(out->raw + r * out->steps + n, reader->bytes, (size_t)bytes);
        }
    return 0;
}

/* All but the image. A checkpoint of another source counts as none: `*is_of` tells. */
static int read_head(struct chunk_reader *reader, const struct source_keep *keep, struct about *about,
                     bool *is_of, const struct source_saved *saved, struct failure *failure)
{
    TRY(chunk_expect(reader, "source", sizeof *about, failure));
    memcpy(about, reader->bytes, sizeof *about);
    *is_of = about->number == keep->number;
    if (about->rows != saved->rows || about->has_ledger != (saved->ledger != NULL) ||
        (saved->ledger != NULL && about->surfaces != saved->ledger->surfaces))
        return damaged(reader, failure);
    return 0;
}

static int read_pieces(struct chunk_reader *reader, struct engine *engine, struct engine_image *image,
                       struct failure *failure)
{
    const uint32_t end = engine_image_form(engine).blocks + 1;
    uint64_t range[2];
    for (uint32_t first = 1; first < end; first = (uint32_t)range[1]) {
        TRY(chunk_expect(reader, "blocks", UINT64_MAX, failure));
        if (reader->count < PIECE_HEAD)
            return damaged(reader, failure);
        memcpy(range, reader->bytes, PIECE_HEAD);
        if (range[0] != first || range[1] <= first || range[1] > end ||
            reader->count != PIECE_HEAD + engine_image_bytes(engine, first, (uint32_t)range[1]))
            return damaged(reader, failure);
        TRY(engine_image_set(image, first, (uint32_t)range[1], (const char *)reader->bytes + PIECE_HEAD,
                             failure));
    }
    return chunk_expect(reader, "end", 0, failure);
}

static int read_image(struct chunk_reader *reader, struct engine *engine, uint64_t steps,
                      struct failure *failure)
{
    const struct engine_image_form form = engine_image_form(engine);
    struct engine_image *image = NULL;
    uint64_t engine_steps;
    TRY(chunk_expect(reader, "form", sizeof form, failure));
    if (memcmp(reader->bytes, &form, sizeof form) != 0)
        return damaged(reader, failure);
    TRY(chunk_expect(reader, "sums", ((size_t)form.absorbed + 1) * sizeof(double), failure));
    memcpy(&engine_steps, reader->bytes, sizeof engine_steps);
    if (engine_steps != steps)
        return damaged(reader, failure);
    engine_image_set_steps(engine, steps, (const double *)reader->bytes + 1);
    TRY(engine_image_open(engine, true, &image, failure));
    int code = read_pieces(reader, engine, image, failure);
    const int closed = engine_image_close(image, code == 0 ? failure : NULL);
    return code != 0 ? code : closed;
}

/* The newest two, the newer first, as far as their heads can be read. */
struct candidate {
    char name[CHECKPOINT_NAME_MAX];
    uint64_t serial; /* 0: none, or not of this source */
    bool damaged;
};

static int look_at(struct source_keep *keep, const struct source_saved *saved, struct candidate *candidate,
                   struct failure *failure)
{
    struct chunk_reader reader;
    struct about about = {0};
    char *path;
    bool is_of = false;
    int code = checkpoint_open(keep->folder, candidate->name, &reader, &path, failure);
    if (code == 0 && path != NULL)
        code = read_head(&reader, keep, &about, &is_of, saved, failure);
    chunk_close(&reader);
    free(path);
    if (code == 0)
        candidate->serial = is_of ? about.serial : 0;
    candidate->damaged = code == CHUNK_DAMAGED;
    if (about.serial > keep->serial)
        keep->serial = about.serial;
    return code;
}

static int read_whole(struct source_keep *keep, const struct candidate *candidate, struct source_saved *out,
                      struct engine *engine, struct failure *failure)
{
    struct chunk_reader reader;
    struct about about;
    char *path;
    bool is_of;
    int code = checkpoint_open(keep->folder, candidate->name, &reader, &path, failure);
    if (code == 0 && path == NULL)
        code = failure_set(failure, CHUNK_DAMAGED, "%s is gone", candidate->name);
    if (code == 0)
        code = read_head(&reader, keep, &about, &is_of, out, failure);
    if (code == 0)
        code = read_state(&reader, out, failure);
    if (code == 0)
        code = read_rows(&reader, out, failure);
    if (code == 0)
        code = engine != NULL ? read_image(&reader, engine, out->steps, failure)
                              : chunk_expect(&reader, "end", 0, failure);
    if (code != 0) {
        free(out->raw);
        out->raw = NULL;
        out->steps = 0;
    }
    chunk_close(&reader);
    free(path);
    return code;
}

/* A file that cannot be used: what is wrong with it is printed, and another is tried. */
static bool told(const struct failure *inner, int code, const char *what)
{
    if (code == CHUNK_DAMAGED)
        warn(inner, what);
    return code == CHUNK_DAMAGED;
}

static int load(struct source_keeper *keeper, struct source_saved *out, struct engine *engine,
                struct failure *failure)
{
    struct source_keep *keep = keeper->context;
    const struct field_monitor monitor = *out->monitor;
    const struct energy_ledger ledger = out->ledger != NULL ? *out->ledger : (struct energy_ledger){0};
    const struct source_saved fresh = *out;
    struct candidate file[2] = {{.name = "checkpoint.1"}, {.name = "checkpoint.2"}};
    struct failure inner = {0};
    size_t lost = 0;
    for (int f = 0; f < 2; f++) {
        const int code = look_at(keep, out, &file[f], &inner);
        if (code != 0 && !told(&inner, code, "the other checkpoint is tried"))
            return failure_forward(failure, &inner);
        lost += code != 0;
    }
    const int newest = file[1].serial > file[0].serial;
    for (int f = 0; f < 2; f++) {
        const struct candidate *candidate = &file[f == 0 ? newest : 1 - newest];
        if (candidate->serial == 0)
            continue;
        const int code = read_whole(keep, candidate, out, engine, &inner);
        if (code == 0) {
            room_say(keep->notices, "goes on from step %llu (%s)", (unsigned long long)out->steps,
                     candidate->name);
            return 0;
        }
        *out = fresh;
        out->steps = 0;
        *out->monitor = monitor;
        if (out->ledger != NULL)
            *out->ledger = ledger; /* without samples: its array says nothing */
        engine_reset(engine);
        if (!told(&inner, code, f == 0 ? "the one before is tried" : "there is no other"))
            return failure_forward(failure, &inner);
        lost++;
    }
    if (lost > 0)
        message_warning(stderr, "",
                        "no checkpoint of this source can be used: it is computed from its first step");
    return 0;
}

int source_keep_find_ended(struct source_keep *keep, struct source_saved *out, struct failure *failure)
{
    struct candidate file = {0};
    struct failure inner = {0};
    const uint64_t serial = keep->serial;
    ended_name(file.name, keep->number);
    int code = look_at(keep, out, &file, &inner);
    keep->serial = serial; /* those of checkpoints are others */
    if (code == 0 && file.serial > 0)
        code = read_whole(keep, &file, out, NULL, &inner);
    if (code == 0 && out->steps > 0)
        room_say(keep->notices, "the source %zu was computed before (%s)", keep->number + 1, file.name);
    if (code == 0 || told(&inner, code, "this source is computed again"))
        return 0;
    return failure_forward(failure, &inner);
}

void source_keep_start(struct source_keep *keep, size_t number, double apart)
{
    keep->number = number;
    keep->keeper =
        (struct source_keeper){.context = keep,
                               .apart = fmax(apart, keep->spacing_asked ? 0.0 : keep->longest / SHARE),
                               .save = save,
                               .save_last = save_last,
                               .settle = settle,
                               .load = load};
}

void source_keep_report(const struct source_keep *keep)
{
    char bytes[32];
    if (keep->saved > 0)
        room_say(keep->notices, "%llu checkpoint%s of %s%s: the steps waited for %.2g s each%s",
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
