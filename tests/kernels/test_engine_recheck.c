/* Blocks of a room computed again: what is right is never doubted, and a flipped bit is found. */
#include <math.h>

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_recheck.h"
#include "kernels/engine/engine_walls.h"
#include "tests/support/back_ends.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_rooms.h"

#define COURANT 0.57

enum walls { PLAIN, BRANCHES, CONFORMAL };

/* A room of a scheme with walls of a kind, in both layouts. */
struct rechecked {
    struct lossy_room *room; /* NULL: conformal */
    struct block_grid blocks;
    struct box_grid box;
    struct time_step step;
    struct wall_material material[ROOM_MATERIALS + 1];
    struct wall_materials walls;
    bool branches;
};

static struct rechecked *make(enum scheme scheme, enum walls kind, uint64_t seed)
{
    struct rechecked *made = calloc(1, sizeof *made);
    cr_assert(made != NULL);
    made->branches = kind != PLAIN;
    made->walls = (struct wall_materials){.count = ROOM_MATERIALS + 1,
                                          .material = made->material,
                                          .inertance = kind == BRANCHES && scheme == SCHEME_STANDARD,
                                          .ledger = true};
    if (kind != CONFORMAL) {
        made->room = room_ragged(seed, 33, 29, 27, 0.1, 0.05, 17);
        if (scheme == SCHEME_ISOTROPIC) {
            struct lossy_room *wide = room_widened(made->room, 0.0);
            room_free(made->room);
            made->room = wide;
        }
        made->step = time_step_for(scheme, 1.0, 340.0, scheme == SCHEME_ISOTROPIC ? 0.0 : COURANT);
    } else {
        struct cut_masses masses;
        struct voxels voxels = cell_room_soup(seed, &cell_soup_usual);
        made->step = time_step_for(scheme, 1.0, 340.0, scheme == SCHEME_ISOTROPIC ? sqrt(0.6) : 0.55);
        MUST(block_grid_pack(&voxels, &made->blocks, &failure));
        if (scheme == SCHEME_ISOTROPIC)
            MUST(block_grid_widen(&made->blocks, &failure));
        MUST(cut_masses_make(&made->blocks, made->step.lambda2, &masses, &failure));
        MUST(box_grid_from_blocks(&made->blocks, &made->box, &failure));
        voxels_free(&voxels);
    }
    draw_materials(&seed, made->step.period, ROOM_MATERIALS + 1, 5, made->material);
    return made;
}

static void unmake(struct rechecked *made)
{
    if (made->room != NULL)
        room_free(made->room);
    block_grid_free(&made->blocks);
    box_grid_free(&made->box);
    free(made);
}

static struct engine *engine_in(const struct rechecked *made, const struct engine_options *options)
{
    const struct block_grid *blocks = made->room != NULL ? &made->room->blocks : &made->blocks;
    const struct box_grid *box = made->room != NULL ? &made->room->box : &made->box;
    static const double admittance[ROOM_MATERIALS + 1] = {0.0, 0.03, 0.5, 2.5, 0.2};
    struct engine *engine = engine_of(blocks, box, &made->step, admittance, ROOM_MATERIALS + 1,
                                      made->branches ? &made->walls : NULL, options);
    engine_fill(engine, 7);
    return engine;
}

/* ---- correct runs ---- */

static void claim_no_alarm(struct engine *engine, unsigned checks)
{
    for (unsigned n = 0; n < checks; ++n) {
        struct engine_recheck *check = engine_recheck_begin(engine);
        cr_assert(check != NULL);
        engine_run(engine, 1, NULL, NULL);
        cr_assert(engine_recheck_end(check, engine, &failure) == 0, "%s, check %u: %s",
                  engine_description(engine), n, failure.sentence);
        engine_run(engine, n % 4, NULL, NULL);
    }
    cr_assert(engine_health(engine).largest > 0.0);
}

TEST_SCHEMES(engine_recheck, a_sound_run_is_never_doubted)
{
    for (int kind = PLAIN; kind <= CONFORMAL; ++kind) {
        struct rechecked *made = make(scheme, (enum walls)kind, 31);
        struct back_ends all = {.mask = BACK_ENDS_ALL};
        while (back_ends_next(&all)) {
            all.options.threads = 1; /* whose number changes no bit: test_bits */
            struct engine *engine = engine_in(made, &all.options);
            claim_no_alarm(engine, all.options.backend == BACKEND_REFERENCE ? 10 : 40);
            engine_free(engine);
        }
        unmake(made);
    }
}

/* ---- one bit ---- */

static uint64_t place_of(const struct engine *engine, block_id id, unsigned slot)
{
    return engine->room.box != NULL ? box_grid_block_index(engine->room.box, engine->room.blocks, id, slot)
                                    : (uint64_t)id * BLOCK_NODES + slot;
}

static void flip(const struct engine *engine, void *array, uint64_t at, unsigned bit)
{
    const bool single = engine->real_bytes == sizeof(float);
    const unsigned which = single ? bit : bit + 29; /* about as much of the value */
    ((unsigned char *)array)[at * engine->real_bytes + which / 8] ^= (unsigned char)(1u << which % 8);
}

/* An air node of the blocks that are checked next or, where `beyond`, one beside them. */
static bool draw_node(const struct engine *engine, bool beyond, uint64_t *random, block_id *id,
                      unsigned *slot)
{
    const struct block_grid *grid = engine->room.blocks;
    block_id first;
    const uint32_t count = engine_recheck_range(engine, &first);
    for (unsigned tries = 0; tries < 20000; ++tries) {
        *id = first + (block_id)(test_random(random) % count);
        *slot = (unsigned)(test_random(random) % BLOCK_NODES);
        if (!block_is_air(grid, *id, *slot))
            continue;
        if (!beyond)
            return true;
        const unsigned links = grid->tile[grid->block[*id].tile][*slot];
        for (unsigned d = 0; d < DIRECTIONS; ++d) {
            bool leaves;
            const unsigned to = block_slot_beside(*slot, d, &leaves);
            const block_id other = grid->block[*id].neighbour[d];
            if (!leaves || !(links >> d & 1u) || (other >= first && other < first + count))
                continue;
            *id = other;
            *slot = to;
            return true;
        }
    }
    return false;
}

enum target { U, U_OLD, BESIDE, AFTER, STATE, TARGETS };

static bool flip_one(struct engine *engine, enum target target, uint64_t *random, unsigned bit)
{
    block_id id;
    unsigned slot;
    if (target != STATE) {
        if (!draw_node(engine, target == BESIDE, random, &id, &slot))
            return false;
        engine_map(engine);
        flip(engine, target == U_OLD ? engine->u_old : engine->u, place_of(engine, id, slot), bit);
        return true;
    }
    const struct block_grid *grid = engine->room.blocks;
    const uint32_t count = engine_recheck_range(engine, &id);
    const uint64_t begin = grid->wall_first[id], end = grid->wall_first[id + count];
    if (engine->room.walls == NULL || engine->device != NULL || begin == end)
        return false;
    uint64_t entry = begin + test_random(random) % (end - begin), first = 0;
    const unsigned row = step_wall_row(&engine->walls, grid->wall[entry].material);
    if (engine->terms[row].scheme.branches == 0 || (grid->wall[entry].slot & WALL_CONTINUES))
        return false;
    while (grid->wall_first[id + 1] <= entry)
        ++id;
    cr_assert(engine_wall_at(engine, place_of(engine, id, grid->wall[entry].slot), &first) > 0);
    flip(engine, engine->walls.state, first, bit);
    return true;
}

/* Each of many flips, of one bit of one value, ends in a sentence that names the step. */
static void claim_found(struct engine *engine, enum target target, unsigned *flips)
{
    uint64_t random = 99;
    for (unsigned n = 0; n < 8; ++n) {
        char words[64];
        struct engine_recheck *check = engine_recheck_begin(engine);
        bool flipped = target != AFTER && flip_one(engine, target, &random, 15 + n % 8);
        const uint64_t steps = engine_steps(engine);
        engine_run(engine, 1, NULL, NULL);
        if (target == AFTER) {
            engine->steps = steps; /* of which the blocks are */
            flipped = flip_one(engine, target, &random, 15 + n % 8);
            engine->steps = steps + 1;
        }
        (void)snprintf(words, sizeof words, "in step %llu, and the reference computes",
                       (unsigned long long)steps + 1);
        const int code = engine_recheck_end(check, engine, &failure);
        cr_assert(eq(int, code, flipped ? FAILURE_SIMULATION : 0), "%s, target %d, %u: %s",
                  engine_description(engine), (int)target, n, failure.sentence);
        if (flipped) {
            cr_assert(strstr(failure.sentence, words) != NULL &&
                          strstr(failure.sentence, "in block ") != NULL,
                      "%s", failure.sentence);
            ++*flips;
        }
        engine_fill(engine, 7 + n); /* whatever that did to the field */
        engine_run(engine, 1 + n, NULL, NULL);
    }
}

TEST_SCHEMES(engine_recheck, one_flipped_bit_is_found_and_named)
{
    unsigned flips[TARGETS] = {0};
    for (int kind = PLAIN; kind <= CONFORMAL; ++kind) {
        struct rechecked *made = make(scheme, (enum walls)kind, 32);
        struct back_ends all = {.mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE};
        while (back_ends_next(&all)) {
            all.options.threads = 1;
            struct engine *engine = engine_in(made, &all.options);
            for (int target = 0; target < TARGETS; ++target)
                claim_found(engine, (enum target)target, &flips[target]);
            engine_free(engine);
        }
        unmake(made);
    }
    for (int target = 0; target < TARGETS; ++target)
        cr_assert(gt(u32, flips[target], 20), "target %d was tried %u times", target, flips[target]);
}

/* ---- how often ---- */

Test(engine_recheck, looks_are_spaced_by_steps_alone)
{
    struct rechecked *made = make(SCHEME_STANDARD, PLAIN, 33);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct engine *engine = engine_in(made, &options);
    const uint64_t apart = engine_recheck_apart(engine);
    cr_assert(ge(u64, apart, 64));
    block_id first, again;
    (void)engine_recheck_range(engine, &first);
    engine_run(engine, 100, NULL, NULL);
    cr_assert(eq(u64, engine_recheck_apart(engine), apart));
    engine_reset(engine);
    (void)engine_recheck_range(engine, &again);
    cr_assert(eq(u32, first, again));
    /* And in 40 times as many looks as there are blocks, each is looked at. */
    const uint32_t blocks = engine->room.blocks->blocks;
    bool *seen = calloc((size_t)blocks + 1, sizeof *seen);
    for (engine->steps = 0; engine->steps < 40 * (uint64_t)blocks * apart; engine->steps += apart)
        for (uint32_t k = engine_recheck_range(engine, &first); k-- > 0;)
            seen[first + k] = true;
    for (uint32_t id = 1; id <= blocks; ++id)
        cr_assert(seen[id], "block %u of %u is never looked at", id, blocks);
    free(seen);
    engine_free(engine);
    unmake(made);
}
