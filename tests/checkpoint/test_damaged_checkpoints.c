/* Every way that a checkpoint can be wrong: the run goes on from the one before, or begins anew, and gives
 * the bits of a run that was never interrupted. Numbers that cannot be of the run are refused and named,
 * whatever the sums say. */
#define _GNU_SOURCE /* nftw, mkdtemp */
#include "tests/checkpoint/kept_source.h"

#include <math.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "src/run/checkpoint/chunk_file.h"

#define HEAD     56
#define STOP     40 /* the newest checkpoint is of this step, the older one of the step before */
#define OWN_SUM  48
#define SUM      40
#define COUNT    32
#define NUMBER   24
#define CHUNKS   32
#define PAGE     4096
#define OLDER    "checkpoint.2"
#define NEWEST   "checkpoint.1"
#define SOURCE_0 "checkpoint.source-0"

struct chunk {
    size_t at, count;
    char tag[9];
};

struct kept_file {
    char *bytes;
    size_t count, chunks;
    struct chunk chunk[CHUNKS];
};

static struct given whole;
static struct kept_file newest, older;

/* ---- files ---- */

static struct kept_file read_file(const char *name)
{
    struct kept_file file = {0};
    struct stat status;
    cr_assert(eq(int, stat(name, &status), 0));
    file.count = (size_t)status.st_size;
    file.bytes = read_text(name);
    for (size_t at = 0; at < file.count; file.chunks++) {
        struct chunk *chunk = &file.chunk[file.chunks];
        uint64_t count;
        cr_assert(file.chunks < CHUNKS);
        memcpy(&count, file.bytes + at + COUNT, sizeof count);
        *chunk = (struct chunk){.at = at, .count = (size_t)count};
        memcpy(chunk->tag, file.bytes + at + 16, 8);
        at += HEAD + (count + 7) / 8 * 8;
    }
    return file;
}

static struct kept_file copy_file(const struct kept_file *file)
{
    struct kept_file copy = *file;
    copy.bytes = malloc(file->count);
    memcpy(copy.bytes, file->bytes, file->count);
    return copy;
}

/* Whatever stands at `name` makes room. */
static void put_bytes(const char *name, const char *bytes, size_t count)
{
    (void)remove(name);
    write_bytes(name, bytes, count);
}

static void put_file(const char *name, const struct kept_file *file)
{
    put_bytes(name, file->bytes, file->count);
}

static const struct chunk *chunk_of(const struct kept_file *file, const char *tag)
{
    for (size_t c = 0; c < file->chunks; c++)
        if (strcmp(file->chunk[c].tag, tag) == 0)
            return &file->chunk[c];
    cr_assert(false, "no chunk %s", tag);
    return NULL;
}

/* The sums are right again. */
static void seal(char *bytes, const struct chunk *chunk)
{
    char *head = bytes + chunk->at;
    uint64_t sum, count;
    memcpy(&count, head + COUNT, sizeof count);
    sum = chunk_sum(head + HEAD, count);
    memcpy(head + SUM, &sum, sizeof sum);
    sum = chunk_sum(head, OWN_SUM);
    memcpy(head + OWN_SUM, &sum, sizeof sum);
}

static void seal_all(struct kept_file *file)
{
    for (uint64_t c = 0; c < file->chunks; c++) {
        memcpy(file->bytes + file->chunk[c].at + NUMBER, &c, sizeof c);
        seal(file->bytes, &file->chunk[c]);
    }
}

/* ---- runs ---- */

static void begin(void)
{
    begin_source(13, 11, 10, 0.012);
    whole = run_source(NULL, 0, 0);
    cr_assert(whole.result.steps > STOP + 20, "%d", (int)whole.result.steps);
    struct source_keep keep = keeps(false);
    for (uint64_t at = STOP - 1; at <= STOP; at++) {
        struct given stopped = run_source(&keep, INFINITY, at);
        given_free(&stopped);
    }
    cr_assert(keep.saved == 2 && keep.serial == 2);
    older = read_file("checkpoint.1");
    newest = read_file("checkpoint.2");
    put_file(NEWEST, &newest);
    put_file(OLDER, &older);
    cr_assert(freopen("err", "w", stderr) != NULL);
}

static void end(void)
{
    given_free(&whole);
    free(newest.bytes);
    free(older.bytes);
    end_source();
}

/* Going on gives the same bits; the step that was gone on with, 1 for a new beginning. */
static uint64_t go_on(double apart)
{
    struct source_keep keep = keeps(false);
    (void)fflush(stderr);
    (void)ftruncate(fileno(stderr), 0);
    rewind(stderr);
    struct given rest = run_source(&keep, apart, 0);
    (void)fflush(stderr);
    expect_same(&whole, &rest);
    given_free(&rest);
    return first_step;
}

static void expect_older(const char *what, size_t at)
{
    const uint64_t from = go_on(INFINITY);
    cr_assert(from == STOP, "%s at %zu: goes on with step %d", what, at, (int)from);
}

static void expect_told(const char *words)
{
    char *text = read_text("err");
    cr_assert(strstr(text, words) != NULL, "\"%s\" is not told: %s", words, text);
}

TestSuite(damaged_checkpoints, .init = enter_folder, .fini = leave_folder, .timeout = 300);

/* ---- damaged ---- */

static void flip_and_go_on(size_t at)
{
    struct kept_file bad = copy_file(&newest);
    bad.bytes[at] = (char)(bad.bytes[at] ^ (1 << at % 8));
    put_file(NEWEST, &bad);
    expect_older("a flipped bit", at);
    free(bad.bytes);
}

/* In every field of every head, and in places of what follows. */
static void flip_everywhere(void)
{
    for (size_t c = 0; c < newest.chunks; c++) {
        const struct chunk *chunk = &newest.chunk[c];
        const size_t body = chunk->at + HEAD, apart = chunk->count / 5 + 1;
        for (size_t at = chunk->at + c % 8; at < body; at += 8)
            flip_and_go_on(at);
        for (size_t at = 0; at < chunk->count; at += apart)
            flip_and_go_on(body + at);
        if (chunk->count > 0)
            flip_and_go_on(body + chunk->count - 1);
    }
}

Test(damaged_checkpoints, a_flipped_bit_anywhere_makes_the_older_one_go_on)
{
    begin();
    cr_assert(eq(u64, go_on(INFINITY), STOP + 1));
    flip_everywhere();
    end();
}

Test(damaged_checkpoints, a_room_in_parts_goes_on_from_the_older_one_too)
{
    parts = 2;
    begin();
    const struct chunk *const blocks = chunk_of(&newest, "blocks");
    const size_t at[] = {chunk_of(&newest, "progress")->at + HEAD, chunk_of(&newest, "row")->at + HEAD,
                         blocks->at + HEAD + 9, blocks->at + HEAD + blocks->count - 1, newest.count - 1};
    for (size_t n = 0; n < sizeof at / sizeof *at; n++)
        flip_and_go_on(at[n]);
    end();
}

Test(damaged_checkpoints, one_that_is_cut_off_or_has_pages_of_zeros_makes_the_older_one_go_on)
{
    begin();
    for (size_t c = 0; c < newest.chunks; c++) {
        const struct chunk *chunk = &newest.chunk[c];
        const size_t at[] = {chunk->at, chunk->at + 30, chunk->at + HEAD,
                             chunk->at + HEAD + (chunk->count > 0 ? chunk->count - 1 : 0) / 2};
        for (size_t n = 0; n < sizeof at / sizeof *at && at[n] < newest.count; n++) {
            put_bytes(NEWEST, newest.bytes, at[n]);
            expect_older("cut off", at[n]);
            struct kept_file bad = copy_file(&newest);
            const size_t zeros = at[n] + PAGE < bad.count ? PAGE : bad.count - at[n];
            memset(bad.bytes + at[n], 0, zeros);
            put_file(NEWEST, &bad);
            if (memcmp(bad.bytes + at[n], newest.bytes + at[n], zeros) != 0)
                expect_older("zeros", at[n]);
            free(bad.bytes);
        }
    }
    struct kept_file bad = copy_file(&newest);
    memset(bad.bytes, 0, bad.count);
    put_file(NEWEST, &bad);
    expect_older("nothing but zeros", bad.count);
    free(bad.bytes);
    end();
}

/* The chunks of the newest in another order. */
static struct kept_file ordered(const size_t *order, size_t count)
{
    struct kept_file file = {.bytes = malloc(2 * newest.count)};
    for (size_t n = 0; n < count; n++) {
        const struct chunk *chunk = &newest.chunk[order[n]];
        const size_t bytes = HEAD + (chunk->count + 7) / 8 * 8;
        file.chunk[file.chunks] = *chunk;
        file.chunk[file.chunks++].at = file.count;
        memcpy(file.bytes + file.count, newest.bytes + chunk->at, bytes);
        file.count += bytes;
    }
    seal_all(&file);
    return file;
}

/* Each is whole, and all are numbered as they stand. Rows among each other look alike. */
Test(damaged_checkpoints, chunks_that_are_missing_doubled_or_swapped_make_the_older_one_go_on)
{
    enum { MISSING, DOUBLED, SWAPPED, WAYS };
    begin();
    for (size_t c = 1; c + 1 < newest.chunks; c++)
        for (int way = 0; way < WAYS; way++) {
            size_t order[CHUNKS], count = 0;
            for (size_t n = 0; n < newest.chunks; n++) {
                if (n != c || way != MISSING)
                    order[count++] = n;
                if (n == c && way == DOUBLED)
                    order[count++] = n;
            }
            if (way == SWAPPED) {
                order[c] = c - 1;
                order[c - 1] = c;
            }
            if (way == SWAPPED && strcmp(newest.chunk[c].tag, newest.chunk[c - 1].tag) == 0)
                continue;
            struct kept_file bad = ordered(order, count);
            put_file(NEWEST, &bad);
            expect_older("a chunk", c);
            free(bad.bytes);
        }
    end();
}

Test(damaged_checkpoints, where_both_are_damaged_the_run_begins_anew)
{
    begin();
    static const char *const damaged[] = {"run",  "source", "progress", "absorbed", "row",
                                          "form", "sums",   "blocks",   "end"};
    for (size_t d = 0; d < sizeof damaged / sizeof *damaged; d++) {
        struct kept_file one = copy_file(&newest), other = copy_file(&older);
        one.bytes[chunk_of(&newest, damaged[d])->at + HEAD - 1] ^= 4;
        other.bytes[chunk_of(&older, damaged[d])->at + HEAD - 1] ^= 4;
        put_file(NEWEST, &one);
        put_file(OLDER, &other);
        cr_assert(eq(u64, go_on(INFINITY), 1));
        expect_told("it is computed from its first step");
        free(one.bytes);
        free(other.bytes);
    }
    put_bytes(NEWEST, "", 0);
    put_bytes(OLDER, "", 0);
    cr_assert(eq(u64, go_on(0.0), 1));
    cr_assert(eq(u64, go_on(INFINITY), whole.result.steps), "new checkpoints take their places");
    end();
}

/* ---- forged: the sums are right ---- */

static void forge(const char *tag, size_t word, uint64_t value)
{
    struct kept_file bad = copy_file(&newest);
    const struct chunk *chunk = chunk_of(&bad, tag);
    const bool inside = (word + 1) * sizeof value <= chunk->count;
    cr_assert(inside, "%s %zu", tag, word);
    memcpy(bad.bytes + chunk->at + HEAD + word * sizeof value, &value, sizeof value);
    seal(bad.bytes, chunk);
    put_file(NEWEST, &bad);
    free(bad.bytes);
}

static uint64_t word_of(const char *tag, size_t word)
{
    uint64_t value;
    memcpy(&value, newest.bytes + chunk_of(&newest, tag)->at + HEAD + word * sizeof value, sizeof value);
    return value;
}

/* Word of a member of the progress. */
#define WORD(member) (offsetof(struct source_progress, member) / sizeof(uint64_t))

static const struct forged_count {
    const char *tag;
    size_t word;
    const char *name;
} count_of[] = {
    {"source", 1, "serial number"},
    {"source", 2, "number of energy ledgers"},
    {"progress", WORD(steps), "number of steps"},
    {"progress", WORD(lead), "number of steps before the emission"},
    {"progress", WORD(planned), "number of planned steps"},
    {"progress", WORD(limit), "greatest number of steps"},
    {"progress", WORD(look_apart), "number of steps between looks"},
    {"progress", WORD(health_step), "step of the last check of the field"},
    {"progress", WORD(energy_step), "step of the last energy"},
    {"progress", WORD(capped), "mark of a run that was stopped"},
    {"progress", WORD(rows), "number of rows"},
    {"progress", WORD(monitor.looks), "number of looks at the field"},
    {"progress", WORD(monitor.record.near), "step of a drift of the mean"},
    {"progress", WORD(monitor.last.step), "step of a look at the field"},
    {"progress", WORD(monitor.least.step), "step of a look at the field"},
    {"progress", WORD(monitor.span), "span of looks"},
    {"progress", WORD(ledger.surfaces), "number of surfaces"},
    {"progress", WORD(ledger.channels), "number of taps of the source"},
    {"progress", WORD(ledger.apart), "number of steps between samples"},
    {"progress", WORD(ledger.samples), "number of samples of the energy"},
    {"progress", WORD(ledger.steps), "number of steps of the energy"},
    {"progress", WORD(ledger.sample[0].step), "step of a sample of the energy"},
    {"form", 0, "number of blocks"},
    {"form", 1, "number of states of a wall"},
    {"form", 2, "number of walls"},
    {"sums", 0, "number of steps of the field"},
    {"blocks", 0, "first block of a piece"},
    {"blocks", 1, "end of the blocks of a piece"},
};

Test(damaged_checkpoints, a_forged_count_is_refused_and_named)
{
    static const uint64_t wrong[] = {UINT64_MAX, UINT64_C(1) << 61, UINT64_C(1) << 63, UINT64_C(1) << 32,
                                     (UINT64_C(1) << 60) + 1};
    begin();
    cr_assert(word_of("progress", WORD(monitor.looks)) > 0 && word_of("progress", WORD(ledger.samples)) > 1,
              "too little to forge");
    for (size_t c = 0; c < sizeof count_of / sizeof *count_of; c++)
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            const struct forged_count *one = &count_of[c];
            char told[200];
            /* Two numbers of 32 bits: the lower one may be what it was. */
            const bool half = strcmp(one->tag, "form") == 0;
            forge(one->tag, one->word, half ? wrong[w] ^ word_of("form", one->word) ^ 5 : wrong[w]);
            expect_older(one->name, w);
            (void)snprintf(told, sizeof told, NEWEST " is damaged: its %s is ", one->name);
            if (!half)
                expect_told(told);
        }
    static const size_t nothing[] = {
        WORD(steps),        WORD(planned),      WORD(look_apart),           WORD(monitor.span),
        WORD(ledger.apart), WORD(ledger.steps), WORD(ledger.sample[0].step)};
    for (size_t n = 0; n < sizeof nothing / sizeof *nothing; n++) {
        forge("progress", nothing[n], 0);
        expect_older("0", nothing[n]);
    }
    end();
}

/* ---- no files ---- */

static void put_folder(const char *name)
{
    cr_assert(eq(int, mkdir(name, 0777), 0));
}

static void put_pipe(const char *name)
{
    cr_assert(eq(int, mkfifo(name, 0666), 0));
}

static void put_link(const char *name)
{
    cr_assert(eq(int, symlink("outside/file", name), 0));
}

static void put_lost_link(const char *name)
{
    cr_assert(eq(int, symlink("outside/nothing", name), 0));
}

static void put_socket(const char *name)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)snprintf(at.sun_path, sizeof at.sun_path, "%s", name);
    cr_assert(descriptor >= 0 && bind(descriptor, (const struct sockaddr *)&at, sizeof at) == 0);
    (void)close(descriptor);
}

/* Nothing is read or written through them, and the run is kept in the other place where they stay. */
Test(damaged_checkpoints, what_is_no_file_is_told_and_passed_over)
{
    static void (*const put[])(const char *name) = {put_folder, put_pipe, put_link, put_lost_link,
                                                    put_socket};
    begin();
    cr_assert(eq(int, mkdir("outside", 0777), 0));
    put_file("outside/file", &newest);
    for (size_t n = 0; n < sizeof put / sizeof *put; n++) {
        cr_assert(eq(int, remove(NEWEST), 0));
        put[n](NEWEST);
        put_file(OLDER, &older);
        cr_assert(eq(u64, go_on(0.0), STOP), "way %zu", n);
        expect_told(NEWEST " is damaged: it is not a regular file");
        cr_assert(go_on(INFINITY) + 1 >= whole.result.steps, "no checkpoint is kept: way %zu", n);
        struct kept_file outside = read_file("outside/file");
        cr_assert(outside.count == newest.count && memcmp(outside.bytes, newest.bytes, newest.count) == 0);
        cr_assert(eq(sz, count_entries("outside", ""), 1));
        free(outside.bytes);
        cr_assert(eq(int, remove(OLDER), 0));
        put[n](OLDER);
        (void)remove(NEWEST);
        put[n](NEWEST);
        cr_assert(eq(u64, go_on(INFINITY), 1), "way %zu", n);
        cr_assert(eq(int, remove(OLDER), 0));
    }
    end();
}

/* ---- of a source that has ended ---- */

/* Is it found, as it was? If not, nothing of the run has changed. */
static bool find_ended(void)
{
    struct source_keep keep = keeps(false);
    struct source_progress found = {.lead = whole.result.lead,
                                    .planned = whole.result.steps,
                                    .limit = whole.result.steps,
                                    .look_apart = whole.result.look_apart,
                                    .rows = KEPT_ROWS};
    const struct field_record *record = &found.monitor.record;
    MUST(energy_ledger_make(KEPT_SPACING, ROOM_MATERIALS + 1, &found.ledger, &failure));
    source_keep_start(&keep, 0, INFINITY);
    MUST(source_keep_find_ended(&keep, &found, &failure));
    const bool is = found.steps > 0;
    if (is)
        cr_assert(memcmp(found.raw, whole.result.raw, KEPT_ROWS * (size_t)found.steps * sizeof(double)) ==
                      0 &&
                  memcmp(record, &whole.result.monitor.record, sizeof *record) == 0 &&
                  found.ledger.samples == whole.result.ledger.samples &&
                  memcmp(found.ledger.absorbed, whole.result.ledger.absorbed,
                         found.ledger.samples * found.ledger.surfaces * sizeof(double)) == 0 &&
                  found.ledger.injected == whole.result.ledger.injected);
    else
        cr_assert(found.raw == NULL && found.monitor.looks == 0 && record->energy_end == 0.0 &&
                  found.ledger.samples == 0 && found.ledger.steps == 0);
    source_progress_free(&found);
    return is;
}

Test(damaged_checkpoints, what_an_ended_source_gave_is_read_whole_or_not_at_all)
{
    begin();
    struct source_keep keep = keeps(false);
    source_keep_start(&keep, 0, INFINITY);
    source_keep_ended(&keep, &whole.result);
    free(newest.bytes);
    newest = read_file(SOURCE_0);
    cr_assert(find_ended());
    for (size_t c = 0; c < newest.chunks; c++)
        for (size_t at = newest.chunk[c].at + 3;
             at < newest.chunk[c].at + HEAD + newest.chunk[c].count && at < newest.count;
             at += 8 + newest.chunk[c].count / 7) {
            struct kept_file bad = copy_file(&newest);
            bad.bytes[at] ^= 16;
            put_file(SOURCE_0, &bad);
            cr_assert(not(find_ended()), "a flipped bit at %zu", at);
            put_bytes(SOURCE_0, newest.bytes, at);
            cr_assert(not(find_ended()), "cut off at %zu", at);
            free(bad.bytes);
        }
    static const uint64_t wrong[] = {0, 1, UINT64_MAX, UINT64_C(1) << 61, UINT64_C(1) << 63};
    for (size_t c = 0; c < sizeof count_of / sizeof *count_of; c++)
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            const struct forged_count *one = &count_of[c];
            if ((strcmp(one->tag, "progress") != 0 && strcmp(one->tag, "source") != 0) ||
                (wrong[w] <= 1 && one->word != WORD(steps) && one->word != WORD(planned)) ||
                word_of(one->tag, one->word) == wrong[w])
                continue;
            forge(one->tag, one->word, wrong[w]);
            cr_assert(eq(int, rename(NEWEST, SOURCE_0), 0));
            const bool is_found = find_ended();
            cr_assert(is_found == false, "%s %d", one->name, (int)w);
        }
    /* A checkpoint in its place, and it in the place of a checkpoint. */
    put_file(SOURCE_0, &older);
    cr_assert(not(find_ended()));
    put_file(NEWEST, &newest);
    put_file(OLDER, &older);
    expect_older("what an ended source gave", 0);
    end();
}
