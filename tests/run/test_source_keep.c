/* Checkpoints that a thread writes while steps go on: of their moment, whole before the next one and before
 * the end, and none of the run's trouble when they cannot be written. Of processors, which are asked for a
 * copy here as a device is. fdopen(), which every file that is written begins with, is this file's own. */
#define _GNU_SOURCE /* RTLD_NEXT, nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#include "kernels/engine/engine_image.h"
#include "src/checkpoint/source_keep.h"
#include "src/run/source_run.h"
#include "tests/support/branch_materials.h"
#include "tests/support/link_grids.h"

#define SPACING  0.1
#define FMAX     300.0
#define DURATION 0.1
#define ROWS     2
#define MOST     4000 /* steps */

TestSuite(source_keep, .init = enter_folder, .fini = leave_folder);

/* ---- files that are slow, or not to be had ---- */

static struct {
    atomic_bool waits;  /* a file is opened when the run has made a step more */
    bool waits_on;      /* also when the run is interrupted */
    atomic_int refused; /* so many files to come are not */
    atomic_uint seen;   /* steps */
    atomic_uint gone_on;
} files;

FILE *fdopen(int descriptor, const char *mode)
{
    FILE *(*real)(int, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
    const unsigned begin = files.seen;
    if (mode[0] == 'r')
        return real(descriptor, mode);
    if (files.refused > 0) {
        files.refused--;
        errno = ENOSPC;
        return NULL;
    }
    /* Not for ever: where steps are slow the next checkpoint is due, and waits for this one. */
    for (int n = 0; n < 1000 && files.waits && files.seen == begin; n++)
        nanosleep(&(const struct timespec){.tv_nsec = 1000000}, NULL);
    files.gone_on += files.seen != begin;
    return real(descriptor, mode);
}

/* ---- a source ---- */

static struct lossy_room *room;
static struct time_step step;
static volatile sig_atomic_t interrupt;
static uint64_t stop, first_step; /* interrupted there; the first that was made */

/* After every step. */
static int see(void *context, const struct engine *engine, size_t index, struct failure *why)
{
    (void)context;
    (void)index;
    (void)why;
    files.seen++;
    if (first_step == 0)
        first_step = engine_steps(engine);
    if (engine_steps(engine) == stop) {
        files.waits = files.waits_on; /* no step will come */
        interrupt = 1;
    }
    return 0;
}

static struct engine *make_engine(void)
{
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 9;
    draw_materials(&random, step.period, ROOM_MATERIALS, 3, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, false, true};
    struct engine *engine =
        engine_of(&room->blocks, NULL, &step, NULL, ROOM_MATERIALS, &walls,
                  &(const struct engine_options){LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1});
    struct stencil tap = {.count = 1, .weight = {1.0}};
    for (int n = 0; n < ROWS + 1; n++) { /* the source's own receiver is the last */
        block_id id = n < ROWS ? (block_id)(2 + n) : 1;
        unsigned slot = 0;
        while (!block_is_air(&room->blocks, id, slot))
            slot++;
        block_node(&room->blocks.block[id], slot, tap.node[0]);
        MUST(engine_add_receiver(engine, &tap, &failure));
    }
    MUST(engine_add_source(engine, &tap, &failure));
    return engine;
}

struct given {
    struct source_run_result result;
    struct energy_ledger ledger;
    uint64_t hash;
};

/* Up to step `until`, or all of it for 0; `keep` NULL: without checkpoints. */
static struct given run(struct source_keep *keep, double apart, uint64_t until)
{
    static uint64_t every[MOST];
    static const struct lattice lattice = {.spacing = SPACING, .nodes = {99, 99, 99}};
    struct given given = {0};
    struct engine *engine = make_engine();
    for (size_t n = 0; n < MOST; n++)
        every[n] = n + 1;
    MUST(energy_ledger_make(SPACING, ROOM_MATERIALS + 1, &given.ledger, &failure));
    const struct source_run_snapshots snapshots = {.step = every, .count = MOST, .take = see};
    interrupt = 0;
    first_step = 0;
    stop = until;
    if (keep != NULL)
        source_keep_start(keep, 0, apart);
    MUST(source_run(engine, &lattice, 0, 1, ROWS,
                    &(const struct source_run_settings){.step = step,
                                                        .fmax = FMAX,
                                                        .duration = DURATION,
                                                        .ledger = &given.ledger,
                                                        .snapshots = &snapshots,
                                                        .keeper = keep != NULL ? &keep->keeper : NULL,
                                                        .interrupt = &interrupt},
                    &given.result, &failure));
    cr_assert(keep == NULL || keep->writing == NULL);
    cr_assert(eq(sz, count_entries(".", ".part"), 0));
    given.hash = engine_hash(engine);
    engine_free(engine);
    return given;
}

static void expect_same(const struct given *a, const struct given *b)
{
    cr_assert(eq(u64, a->result.steps, b->result.steps));
    cr_assert(a->hash == b->hash);
    cr_assert(memcmp(a->result.raw, b->result.raw, ROWS * (size_t)a->result.steps * sizeof(double)) == 0);
    cr_assert(a->ledger.samples > 2 && a->ledger.samples == b->ledger.samples);
    cr_assert(memcmp(a->ledger.absorbed, b->ledger.absorbed,
                     a->ledger.samples * a->ledger.surfaces * sizeof(double)) == 0);
    cr_assert(a->ledger.injected == b->ledger.injected);
}

static void release(struct given *given)
{
    free(given->result.raw);
    energy_ledger_free(&given->ledger);
}

static struct room_notices notices = {.quiet = true};
static struct checkpoint_folder kept_in;

static struct source_keep keeps(bool beside)
{
    return (struct source_keep){
        .folder = &kept_in, .notices = &notices, .spacing_asked = true, .beside = beside};
}

static void begin(void)
{
    room = room_ragged(13, 43, 41, 30, 0.1, 0.05, 17);
    step = time_step_for(SCHEME_STANDARD, SPACING, 340.0, 0.0);
    MUST(checkpoint_folder_start(&kept_in, ".", cJSON_CreateObject(), &failure));
}

static void end(void)
{
    checkpoint_folder_free(&kept_in);
    room_free(room);
}

/* ---- claims ---- */

Test(source_keep, steps_go_on_while_a_checkpoint_is_written_and_it_is_of_its_moment)
{
    begin();
    struct given whole = run(NULL, 0, 0);
    const uint64_t half = whole.result.steps / 2;
    struct source_keep keep = keeps(true);
    files.waits = true;
    struct given stopped = run(&keep, 0.03, half);
    cr_assert(stopped.result.interrupted && stopped.result.steps == half);
    cr_assert(keep.saved >= 2 && keep.copied == keep.saved && keep.failed == 0);
    cr_assert(files.gone_on >= 1, "steps waited for every file");

    /* The newest is of the state at the interrupt, or was being written then. */
    struct source_keep again = keeps(false);
    struct given rest = run(&again, INFINITY, 0);
    cr_assert(first_step > 1 && first_step <= half + 1, "goes on with step %llu",
              (unsigned long long)first_step);
    expect_same(&whole, &rest);
    release(&rest);

    /* And the one before, which was written while steps went on, is as good; where it was due at the
     * interrupt it is of the same step. */
    cr_assert(eq(int, unlink(keep.serial % 2 == 1 ? "checkpoint.1" : "checkpoint.2"), 0));
    again = keeps(true);
    rest = run(&again, INFINITY, 0);
    cr_assert(first_step > 1 && first_step <= half + 1, "goes on with step %llu",
              (unsigned long long)first_step);
    expect_same(&whole, &rest);
    release(&rest);
    release(&stopped);
    release(&whole);
    end();
}

Test(source_keep, what_is_being_written_when_a_run_is_interrupted_is_its_last_checkpoint)
{
    enum { STEPS = 3 };
    begin();
    struct given whole = run(NULL, 0, 0);
    struct source_keep keep = keeps(true);
    files.waits = files.waits_on = true;
    struct given stopped = run(&keep, 0.0, STEPS); /* one after every step */
    cr_assert(keep.failed == 0 && keep.saved == STEPS, "%llu checkpoints", (unsigned long long)keep.saved);
    files.waits = files.waits_on = false;
    struct source_keep again = keeps(false);
    struct given rest = run(&again, INFINITY, 0);
    cr_assert(first_step == STEPS + 1, "goes on with step %llu", (unsigned long long)first_step);
    expect_same(&whole, &rest);
    release(&rest);
    release(&stopped);
    release(&whole);
    end();
}

Test(source_keep, without_a_copy_steps_wait_as_ever)
{
    begin();
    struct source_keep keep = keeps(false);
    struct given stopped = run(&keep, 0.01, 100);
    cr_assert(keep.saved >= 1 && keep.copied == 0 && files.gone_on == 0);
    release(&stopped);
    end();
}

Test(source_keep, a_file_that_a_thread_cannot_write_costs_nothing_but_itself)
{
    begin();
    struct given whole = run(NULL, 0, 0);
    struct source_keep keep = keeps(true);
    files.refused = 2;
    struct given given = run(&keep, 0.02, 0);
    cr_assert(keep.failed == 2 && keep.saved >= 1, "%llu lost, %llu saved", (unsigned long long)keep.failed,
              (unsigned long long)keep.saved);
    cr_assert(keep.serial == keep.saved);
    expect_same(&whole, &given);
    release(&given);
    release(&whole);
    end();
}
