/** A source that is stepped in a small room and kept in checkpoints of the folder in which the test stands:
 * what the tests of checkpoints share. Define _XOPEN_SOURCE 700 (nftw, mkdtemp) before including anything. */
#ifndef TESTS_KEPT_SOURCE_H
#define TESTS_KEPT_SOURCE_H

#include "tests/support/own_folder.h"

#include "kernels/engine/engine_image.h"
#include "kernels/parts/local_parts.h"
#include "src/run/checkpoint/source_keep.h"
#include "src/run/source_run.h"
#include "tests/support/branch_materials.h"
#include "tests/support/link_grids.h"

#define KEPT_SPACING 0.1
#define KEPT_FMAX    560.0
#define KEPT_ROWS    2
#define KEPT_MOST    4000 /* steps */

/* What drives it: they add up to 0. */
static double pulse[] = {0.1,  0.3,  0.6,  0.9,  1.0,  0.9,  0.6,  0.3,
                         -0.3, -0.6, -0.9, -1.0, -0.9, -0.6, -0.3, -0.1};
static const struct response_drive pulse_drive = {
    .lead = 8, .count = sizeof pulse / sizeof *pulse, .sample = pulse};

static struct lossy_room *room;
static struct time_step step;
static double duration;
static unsigned parts; /* 0: the room is one engine */
static volatile sig_atomic_t interrupt;
static uint64_t stop, first_step; /* interrupted there; the first that was made */
static void (*after_step)(bool stops);
static struct room_notices notices = {.quiet = true};
static struct checkpoint_folder kept_in;

static inline int see_step(void *context, const struct engine *engine, size_t index, struct failure *why)
{
    const bool stops = engine_steps(engine) == stop;
    (void)context;
    (void)index;
    (void)why;
    if (first_step == 0)
        first_step = engine_steps(engine);
    if (after_step != NULL)
        after_step(stops);
    interrupt = interrupt != 0 || stops;
    return 0;
}

static inline struct engine *make_engine(void)
{
    struct wall_material material[ROOM_MATERIALS];
    struct part_link link;
    uint64_t random = 9;
    draw_materials(&random, step.period, ROOM_MATERIALS, 3, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, false, true};
    const struct part_setup setup = {
        .options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, parts > 0 ? (int)parts : 1},
        .step = step,
        .materials = ROOM_MATERIALS,
        .walls = &walls};
    struct engine *engine = NULL;
    if (parts == 0) {
        engine = engine_of(&room->blocks, NULL, &step, NULL, ROOM_MATERIALS, &walls, &setup.options);
    } else {
        MUST(local_parts(parts, &link, &failure));
        MUST(engine_in_parts(&engine, &room->blocks, &setup, PARTITION_WALL_COST, &link, &failure));
    }
    struct stencil tap = {.count = 1, .weight = {1.0}};
    for (int n = 0; n < KEPT_ROWS + 1; n++) { /* the source's own receiver is the last */
        block_id id = n < KEPT_ROWS ? (block_id)(2 + n) : 1;
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
    int code;
    struct source_run_result result;
    struct energy_ledger ledger;
    uint64_t hash;
};

/* Up to step `until`, or all of it for 0; `keep` NULL: without checkpoints. */
static inline struct given run_source(struct source_keep *keep, double apart, uint64_t until)
{
    static uint64_t every[KEPT_MOST];
    static const struct lattice lattice = {.spacing = KEPT_SPACING, .nodes = {99, 99, 99}};
    const struct field_room field = {.lambda2 = step.lambda2,
                                     .spacing = KEPT_SPACING,
                                     .air_nodes = room->blocks.air_nodes,
                                     .mass = (double)room->blocks.air_nodes,
                                     .push = 1.0,
                                     .precision = PRECISION_SINGLE};
    struct given given = {0};
    struct engine *engine = make_engine();
    for (size_t n = 0; n < KEPT_MOST; n++)
        every[n] = n + 1;
    MUST(energy_ledger_make(KEPT_SPACING, ROOM_MATERIALS + 1, &given.ledger, &failure));
    const struct source_run_snapshots snapshots = {.step = every, .count = KEPT_MOST, .take = see_step};
    const struct source_run_settings settings = {.step = step,
                                                 .fmax = KEPT_FMAX,
                                                 .duration = duration,
                                                 .drive = &pulse_drive,
                                                 .room = &field,
                                                 .ledger = &given.ledger,
                                                 .snapshots = &snapshots,
                                                 .keeper = keep != NULL ? &keep->keeper : NULL,
                                                 .interrupt = &interrupt};
    interrupt = 0;
    first_step = 0;
    stop = until;
    if (keep != NULL)
        source_keep_start(keep, 0, apart);
    given.code = source_run(engine, &lattice, 0, 1, KEPT_ROWS, &settings, &given.result, &failure);
    cr_assert(keep == NULL || keep->writing == NULL);
    cr_assert(eq(sz, count_entries(".", ".part"), 0));
    given.hash = engine_hash(engine);
    engine_free(engine);
    return given;
}

static inline void expect_same(const struct given *a, const struct given *b)
{
    cr_assert(a->code == 0 && b->code == 0, "%s", failure.sentence);
    cr_assert(eq(u64, a->result.steps, b->result.steps));
    cr_assert(a->hash == b->hash);
    cr_assert(memcmp(a->result.raw, b->result.raw, KEPT_ROWS * (size_t)a->result.steps * sizeof(double)) ==
              0);
    cr_assert(a->ledger.samples > 2 && a->ledger.samples == b->ledger.samples);
    cr_assert(memcmp(a->ledger.absorbed, b->ledger.absorbed,
                     a->ledger.samples * a->ledger.surfaces * sizeof(double)) == 0);
    cr_assert(a->ledger.injected == b->ledger.injected);
    cr_assert(memcmp(&a->result.field, &b->result.field, sizeof a->result.field) == 0);
}

static inline void given_free(struct given *given)
{
    free(given->result.raw);
    energy_ledger_free(&given->ledger);
}

static inline struct source_keep keeps(bool beside)
{
    return (struct source_keep){
        .folder = &kept_in, .notices = &notices, .spacing_asked = true, .beside = beside};
}

static inline void begin_source(int64_t x, int64_t y, int64_t z, double seconds)
{
    room = room_ragged(13, x, y, z, 0.1, 0.05, 17);
    step = time_step_for(SCHEME_STANDARD, KEPT_SPACING, 340.0, 0.0);
    duration = seconds;
    MUST(checkpoint_folder_start(&kept_in, ".", cJSON_CreateObject(), &failure));
}

static inline void end_source(void)
{
    checkpoint_folder_free(&kept_in);
    room_free(room);
}

#endif
