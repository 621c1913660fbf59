/* Cut nodes: both schemes with conformal walls in rooms of chance and in turned boxes.
 *
 * What the engine does with links and plaquettes is held against K = sum alpha (u_i - u_j)^2 - 1/6 sum b (u00
 * - u10 - u01 + u11)^2 as it stands: over links and plaquettes of the room's graph, not over pairs of nodes.
 */
#include <math.h>

#include "blocks/cut_masses.h"
#include "blocks/field_hash.h"
#include "blocks/plaquettes.h"
#include "kernels/engine/engine_fill.h"
#include "tests/accuracy/wide_operator.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/support/lossy_room.h"

#define SCHEMES   2
#define MATERIALS 5
/* Shares .907 and .8 of the largest lambda^2. */
static const double usual_courant[SCHEMES] = {0.55, 0.77459666924148338};
static const double admittance[MATERIALS] = {0.0, 0.03, 0.5, 2.5, 0.2};

static struct cell_grids *cells_of(struct voxels *voxels, enum scheme scheme)
{
    const struct time_step step = time_step_for(scheme, 1.0, 340.0, usual_courant[scheme]);
    return cell_grids_at(voxels, &step);
}

static struct cell_grids *soup(enum scheme scheme, uint64_t seed)
{
    struct voxels voxels = cell_room_soup(seed, &cell_soup_usual);
    return cells_of(&voxels, scheme);
}

/* A box of so many spacings, turned at random. */
static struct cell_grids *turned_box(enum scheme scheme, uint64_t seed, double x, double y, double z)
{
    const double size[3] = {x, y, z};
    double centre[3], angle[3];
    struct cell_plane plane[6];
    for (int axis = 0; axis < 3; ++axis) {
        centre[axis] = test_uniform(&seed, -3.0, 3.0);
        angle[axis] = test_uniform(&seed, 0.0, 1.5);
    }
    cell_box_planes(centre, size, angle, MATERIALS, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    return cells_of(&voxels, scheme);
}

/* `walls` NULL: the admittances above, or hard walls. */
static struct engine *engine_in(const struct cell_grids *cells, const struct wall_materials *walls,
                                const struct engine_options *options)
{
    return engine_of(&cells->blocks, &cells->box, &cells->step, admittance, MATERIALS, walls, options);
}

/* ---- taps ---------------------------------------------------------------------------------------------- */

enum where { ANYWHERE, AT_WALLS, OFF_WALLS, CUT_OFF_WALLS };

static bool stands(const struct block_grid *grid, const int64_t node[3], enum where where)
{
    const uint64_t index = block_grid_index(grid, node);
    const block_id id = (block_id)(index / BLOCK_NODES);
    const unsigned slot = (unsigned)(index % BLOCK_NODES);
    if (index == UINT64_MAX || !block_is_air(grid, id, slot))
        return false;
    const struct tile_marks *marks = &grid->marks[grid->block[id].tile];
    const bool wall = marks->wall[slot >> 6] >> (slot & 63) & 1, cut = step_block_is_cut(grid, id, slot);
    return where == ANYWHERE || (where == AT_WALLS ? wall : !wall && (where == OFF_WALLS || cut));
}

/* A position near a node of that kind; near enough to stay joined to nodes of that kind where `lone`. */
static struct stencil tap(const struct cell_grids *cells, enum where where, bool lone, uint64_t *random)
{
    const struct block_grid *grid = &cells->blocks;
    struct stencil stencil;
    for (;;) {
        int64_t node[3];
        double position[3];
        for (int axis = 0; axis < 3; ++axis) {
            node[axis] =
                grid->air_low[axis] +
                (int64_t)(test_random(random) % (uint64_t)(grid->air_high[axis] - grid->air_low[axis] + 1));
            position[axis] = (double)node[axis] + (lone ? 0.0 : test_uniform(random, -0.5, 0.5));
        }
        if (!stands(grid, node, where))
            continue;
        for (int axis = 0; axis < 3; ++axis)
            position[axis] = grid->lattice.origin[axis] + grid->lattice.spacing * position[axis];
        MUST(stencil_make(grid, position, node, INTERPOLATION_CUBIC, &stencil, &failure));
        return stencil;
    }
}

/* ---- bits ---------------------------------------------------------------------------------------------- */

#define SOURCES   3
#define RECEIVERS 4
#define STEPS     37

struct trace {
    uint64_t hash, blocks;
    double output[RECEIVERS * STEPS], energy, absorbed;
};

/* Every value of every block, list nodes too. */
static uint64_t sum_of_blocks(const struct engine *engine)
{
    static double values[BLOCK_NODES];
    uint64_t sum = 0;
    for (uint32_t id = 1; id <= engine->room.blocks->blocks; ++id) {
        engine_read_block(engine, id, values);
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot)
            sum = field_mix(sum ^ field_bits_f64(values[slot]));
    }
    return sum;
}

static void run_trace(const struct cell_grids *cells, const struct wall_materials *walls,
                      const struct engine_options *options, struct trace *trace)
{
    struct engine *engine = engine_in(cells, walls, options);
    double drive[SOURCES * STEPS], absorbed[MATERIALS + 1] = {0};
    uint64_t random = 78;
    for (unsigned n = 0; n < SOURCES + RECEIVERS; ++n) {
        const struct stencil stencil = tap(cells,
                                           n % 3 == 0   ? AT_WALLS
                                           : n % 3 == 1 ? CUT_OFF_WALLS
                                                        : ANYWHERE,
                                           false, &random);
        MUST(n < SOURCES ? engine_add_source(engine, &stencil, &failure)
                         : engine_add_receiver(engine, &stencil, &failure));
    }
    for (size_t n = 0; n < SOURCES * STEPS; ++n)
        drive[n] = test_uniform(&random, -1.0, 1.0);
    engine_fill(engine, 5);
    engine_run(engine, STEPS, drive, trace->output);
    if (walls != NULL && walls->ledger)
        engine_absorbed(engine, absorbed);
    trace->hash = engine_hash(engine);
    trace->blocks = sum_of_blocks(engine);
    trace->energy = engine_energy(engine);
    trace->absorbed = 0.0;
    for (unsigned m = 0; m <= MATERIALS; ++m)
        trace->absorbed += absorbed[m];
    cr_assert(engine_health(engine).finite && engine_health(engine).largest > 1e-3);
    back_ends_sound(engine);

    engine_map(engine);
    for (uint64_t index = 0; index < engine->length; ++index)
        cr_assert(engine_is_air(engine, index) || (engine_value(engine, engine->u, index) == 0.0 &&
                                                   engine_value(engine, engine->u_old, index) == 0.0),
                  "%s: index %llu is not air, but has a pressure", engine_description(engine),
                  (unsigned long long)index);
    engine_free(engine);
}

static void compare_traces(const struct cell_grids *cells, const struct wall_materials *walls,
                           enum precision precision)
{
    static struct trace reference, other;
    const struct engine_options first = {LAYOUT_BLOCKS, precision, BACKEND_REFERENCE, SIMD_AUTO, 1};
    run_trace(cells, walls, &first, &reference);
    struct back_ends all = {.mask = BACK_ENDS_EVERY, .one_precision = true, .precision = precision};
    while (back_ends_next(&all)) {
        const struct engine_options *options = &all.options;
        run_trace(cells, walls, options, &other);
        cr_assert(memcmp(reference.output, other.output, sizeof other.output) == 0 &&
                      reference.hash == other.hash && reference.blocks == other.blocks,
                  "layout %d, precision %d, back end %d, width %d, %d threads", (int)options->layout,
                  (int)options->precision, (int)options->backend, (int)options->simd, options->threads);
        /* A device takes the weights of walls from rounded shares. */
        const double off =
            backend_is_device(options->backend) && precision == PRECISION_SINGLE ? 1e-5 : 1e-12;
        cr_assert(test_near(other.energy, reference.energy, off * reference.energy) &&
                  test_near(other.absorbed, reference.absorbed, off * reference.absorbed));
    }
}

TEST_SCHEMES(cut_nodes, layouts_back_ends_widths_and_threads_agree)
{
    for (int way = 0; way < 2; ++way) {
        const uint64_t seed = 21 + (uint64_t)way;
        struct cell_grids *cells = way ? turned_box(scheme, seed, 25.3, 17.8, 20.1) : soup(scheme, seed);
        cr_assert(way || (cells->blocks.list_nodes > 100 && cells->blocks.extra_links > 200));
        compare_traces(cells, NULL, (enum precision)way);
        cell_grids_free(cells);
    }
}

TEST_SCHEMES(cut_nodes, layouts_back_ends_widths_and_threads_agree_with_walls_of_branches)
{
    struct cell_grids *cells[2] = {soup(scheme, 25), turned_box(scheme, 26, 19.3, 14.8, 16.1)};
    struct wall_material material[MATERIALS];
    uint64_t random = 27;
    draw_materials(&random, cells[0]->step.period, MATERIALS, 6, material);
    for (int way = 0; way < 4; ++way) {
        const struct wall_materials walls = {MATERIALS, material, false, way & 1};
        compare_traces(cells[way >> 1], &walls, (enum precision)((way ^ way >> 1 ^ 1) & 1));
    }
    cell_grids_free(cells[0]);
    cell_grids_free(cells[1]);
}

/* ---- the room as a graph, from its grid --------------------------------------------------------------- */

/* sum(s g) by node. */
static double *wall_sums(const struct block_grid *grid)
{
    double *sum = calloc(((size_t)grid->blocks + 1) * BLOCK_NODES, sizeof *sum);
    cr_assert(sum != NULL);
    for (block_id id = 1; id <= grid->blocks; ++id)
        for (uint64_t w = grid->wall_first[id]; w < grid->wall_first[id + 1]; ++w)
            sum[(uint64_t)id * BLOCK_NODES + (grid->wall[w].slot & WALL_SLOT)] +=
                (double)grid->wall[w].weight * admittance[grid->wall[w].material];
    return sum;
}

static long double graph_energy(const struct wide_operator *graph, const double *now, const double *old,
                                double lambda2)
{
    long double moving = 0.0L, stretched = 0.0L;
    for (size_t n = 0; n < graph->nodes; ++n)
        moving += graph->mass[n] * ((long double)now[n] - old[n]) * ((long double)now[n] - old[n]);
    for (size_t e = 0; e < graph->links; ++e) {
        const size_t *const end = graph->link[e].end;
        stretched += graph->link[e].weight * ((long double)now[end[1]] - now[end[0]]) *
                     ((long double)old[end[1]] - old[end[0]]);
    }
    for (size_t p = 0; p < graph->plaquettes; ++p)
        stretched -= graph->plaquette[p].weight / 6.0L * wide_twist(&graph->plaquette[p], now) *
                     wide_twist(&graph->plaquette[p], old);
    return moving / (2.0L * lambda2) + 0.5L * stretched;
}

/* A field by index in the block arrays, of an engine in blocks. */
static void read_levels(const struct engine *engine, double *now, double *old)
{
    for (uint64_t n = 0; n < engine->length; ++n) {
        now[n] = engine_value(engine, engine->u, n);
        old[n] = engine_value(engine, engine->u_old, n);
    }
}

static uint64_t index_of(const struct cell_grids *cells, const int64_t node[3])
{
    return block_grid_index(&cells->blocks, node);
}

TEST_SCHEMES(cut_nodes, a_step_is_that_of_masses_on_a_graph_of_openings)
{
    struct cell_grids *cells = soup(scheme, 31);
    struct wide_operator graph = wide_operator_of(&cells->blocks);
    double *const wall = wall_sums(&cells->blocks);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_REFERENCE, SIMD_AUTO, 1};
    struct engine *engine = engine_in(cells, NULL, &options);
    double *now = calloc(graph.nodes, sizeof *now), *old = calloc(graph.nodes, sizeof *old),
           *pull = calloc(graph.nodes, sizeof *pull);
    const double lambda2 = cells->step.lambda2, lambda = cells->step.courant, drive = 0.7;
    uint64_t random = 32;
    const struct stencil source = tap(cells, AT_WALLS, false, &random);
    cr_assert(now && old && pull);
    MUST(engine_add_source(engine, &source, &failure));
    engine_fill(engine, 33);
    read_levels(engine, now, old);
    wide_operate(&graph, now, pull);
    for (unsigned k = 0; k < source.count; ++k) /* h = 1 */
        pull[index_of(cells, source.node[k])] -= source.weight[k] * drive;
    engine_run(engine, 1, &drive, NULL);
    for (uint64_t n = 0; n < graph.nodes; ++n) {
        const double mass = graph.mass[n], kappa = 0.5 * lambda * wall[n] / mass;
        const double next =
            now[n] + ((1.0 - kappa) * (now[n] - old[n]) - lambda2 / mass * pull[n]) / (1.0 + kappa);
        cr_assert(test_near(engine_value(engine, engine->u, n), next, 1e-13 * (1.0 + fabs(next) / mass)),
                  "block %llu slot %u: %.17g, not %.17g", (unsigned long long)(n / BLOCK_NODES),
                  (unsigned)(n % BLOCK_NODES), engine_value(engine, engine->u, n), next);
    }
    free(now);
    free(old);
    free(pull);
    engine_free(engine);
    wide_operator_free(&graph);
    free(wall);
    cell_grids_free(cells);
}

/* ---- energy -------------------------------------------------------------------------------------------- */

/* Largest |H + absorbed - work - H_0| over the steps, by the largest H, for walls of admittances. */
static double imbalance(const struct cell_grids *cells, bool rigid, const struct engine_options *options)
{
    enum { RUN = 200, DRIVEN = 60 };
    const double hard[MATERIALS] = {0};
    struct wide_operator graph = wide_operator_of(&cells->blocks);
    double *const wall = wall_sums(&cells->blocks);
    struct engine *engine = engine_of(&cells->blocks, &cells->box, &cells->step, rigid ? hard : admittance,
                                      MATERIALS, NULL, options);
    double *level[3];
    uint64_t random = 41;
    const struct stencil source = tap(cells, AT_WALLS, false, &random);
    for (int n = 0; n < 3; ++n) {
        level[n] = calloc(graph.nodes, sizeof *level[n]);
        cr_assert(level[n] != NULL);
    }
    MUST(engine_add_source(engine, &source, &failure));
    engine_fill(engine, 42);
    read_levels(engine, level[0], level[1]);
    const long double start = graph_energy(&graph, level[0], level[1], cells->step.lambda2);
    long double largest = start, spent = 0.0L, worst = 0.0L, lost = 0.0L;
    for (int n = 0; n < RUN; ++n) {
        const double drive = !rigid && n < DRIVEN ? test_uniform(&random, -30.0, 30.0) : 0.0;
        engine_run(engine, 1, &drive, NULL);
        double *free_level = level[2];
        level[2] = level[1];
        level[1] = level[0];
        level[0] = free_level;
        read_levels(engine, level[0], level[1]);
        for (uint64_t k = 0; !rigid && k < graph.nodes; ++k) {
            const long double moved = (long double)level[0][k] - level[2][k];
            lost += wall[k] * moved * moved / (4.0L * cells->step.courant);
        }
        for (unsigned k = 0; k < source.count; ++k) {
            const uint64_t at = index_of(cells, source.node[k]);
            spent += 0.5L * source.weight[k] * drive * (level[0][at] - level[2][at]);
        }
        const long double now = graph_energy(&graph, level[0], level[1], cells->step.lambda2);
        largest = fmaxl(largest, now);
        worst = fmaxl(worst, fabsl(now + lost - spent - start));
        cr_assert(test_near(engine_energy(engine), (double)now, 1e-12 * (double)largest),
                  "engine_energy %.15g, graph %.15g", engine_energy(engine), (double)now);
    }
    cr_assert(rigid || lost > 0.3L * largest, "the walls took nothing");
    for (int n = 0; n < 3; ++n)
        free(level[n]);
    engine_free(engine);
    wide_operator_free(&graph);
    free(wall);
    return (double)(worst / largest);
}

TEST_SCHEMES(cut_nodes, energy_is_kept_by_hard_walls_and_accounted_for_by_others)
{
    struct cell_grids *cells[2] = {soup(scheme, 43), turned_box(scheme, 44, 13.3, 9.8, 11.1)};
    for (int way = 0; way < 4; ++way) {
        const int precision = (way ^ way >> 1) & 1;
        const struct engine_options options = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_CPU,
                                               SIMD_AUTO, 2};
        const double off = imbalance(cells[way & 1], way >> 1, &options);
        cr_assert(off <= (precision ? 1e-13 : 2e-5), "way %d: %g", way, off);
    }
    cell_grids_free(cells[0]);
    cell_grids_free(cells[1]);
}

TEST_SCHEMES(cut_nodes, ledger_and_source_account_for_every_change_of_energy_with_walls_of_branches)
{
    enum { RUN = 200, DRIVEN = 60 };
    struct cell_grids *cells[2] = {soup(scheme, 45), turned_box(scheme, 46, 13.3, 9.8, 11.1)};
    struct wall_material material[MATERIALS];
    uint64_t random = 47;
    draw_materials(&random, cells[0]->step.period, MATERIALS, 6, material);
    const struct wall_materials walls = {MATERIALS, material, false, true};
    for (int way = 0; way < 2; ++way) {
        const struct cell_grids *room = cells[way];
        const struct engine_options options = {(enum layout)way, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
        struct engine *engine = engine_in(room, &walls, &options);
        /* What it pushes into walls at the very step is in no ledger, so it stands off them. */
        const struct stencil source = tap(room, CUT_OFF_WALLS, true, &random);
        double absorbed[MATERIALS + 1], largest, worst = 0.0, work = 0.0, taken = 0.0;
        cr_assert(source.count == 1);
        MUST(engine_add_source(engine, &source, &failure));
        engine_fill(engine, 48);
        const double start = largest = engine_energy(engine);
        for (int n = 0; n < RUN; ++n) {
            const double drive = n < DRIVEN ? test_uniform(&random, -30.0, 30.0) : 0.0;
            const double before = engine_get(engine, 1, source.node[0]);
            engine_run(engine, 1, &drive, NULL);
            work += 0.5 * drive * (engine_get(engine, 0, source.node[0]) - before);
            engine_absorbed(engine, absorbed);
            taken = 0.0;
            for (size_t m = 0; m <= MATERIALS; ++m)
                taken += absorbed[m];
            largest = fmax(largest, engine_energy(engine));
            worst = fmax(worst, fabs(engine_energy(engine) + taken - work - start));
            cr_assert(isfinite(engine_energy(engine)));
        }
        cr_assert(taken > 0.3 * largest && worst <= 1e-13 * largest, "way %d: taken %g, %g off", way,
                  taken / largest, worst / largest);
        engine_free(engine);
    }
    cell_grids_free(cells[0]);
    cell_grids_free(cells[1]);
}

/* ---- what the scheme promises -------------------------------------------------------------------------- */

TEST_SCHEMES(cut_nodes, a_constant_stays_as_it_is_bit_by_bit)
{
    struct cell_grids *cells = soup(scheme, 51);
    struct wall_material material[MATERIALS];
    uint64_t random = 52;
    draw_materials(&random, cells->step.period, MATERIALS, 6, material);
    const struct wall_materials walls = {MATERIALS, material, false, true};
    struct back_ends all = {.mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE};
    while (back_ends_next(&all)) {
        struct engine *engine = engine_in(cells, &walls, &all.options);
        engine_map(engine);
        for (uint64_t index = 0; index < engine->length; ++index)
            if (engine_is_air(engine, index)) {
                engine_put(engine, engine->u, index, 0.7);
                engine_put(engine, engine->u_old, index, 0.7);
            }
        const double value = all.options.precision == PRECISION_SINGLE ? (double)0.7f : 0.7;
        engine_run(engine, 100, NULL, NULL);
        engine_map(engine);
        for (uint64_t index = 0; index < engine->length; ++index)
            cr_assert(engine_value(engine, engine->u, index) == (engine_is_air(engine, index) ? value : 0.0),
                      "%s", engine_description(engine));
        engine_free(engine);
    }
    cell_grids_free(cells);
}

TEST_SCHEMES(cut_nodes, swapping_source_and_receiver_changes_nothing)
{
    enum { RUN = 300 };
    static double way[2][RUN];
    static const double drive[RUN] = {1.0, -1.0};
    double light[MATERIALS];
    struct cell_grids *cells = soup(scheme, 53);
    uint64_t random = 54;
    for (int m = 0; m < MATERIALS; ++m)
        light[m] = 0.02 * admittance[m];
    for (int trial = 0; trial < 3; ++trial) {
        const struct engine_options options = {(enum layout)(trial & 1), PRECISION_DOUBLE, BACKEND_CPU,
                                               SIMD_AUTO, 2};
        const struct stencil end[2] = {tap(cells, trial < 2 ? AT_WALLS : OFF_WALLS, false, &random),
                                       tap(cells, trial < 1 ? AT_WALLS : CUT_OFF_WALLS, false, &random)};
        double largest = 0.0;
        for (int n = 0; n < 2; ++n) {
            struct engine *engine =
                engine_of(&cells->blocks, &cells->box, &cells->step, light, MATERIALS, NULL, &options);
            MUST(engine_add_source(engine, &end[n], &failure));
            MUST(engine_add_receiver(engine, &end[1 - n], &failure));
            engine_run(engine, RUN, drive, way[n]);
            engine_free(engine);
        }
        for (int n = 0; n < RUN; ++n)
            largest = fmax(largest, fabs(way[0][n]));
        cr_assert(largest > 1e-7, "trial %d is silent", trial);
        for (int n = 0; n < RUN; ++n)
            cr_assert(test_near(way[0][n], way[1][n], 1e-12 * largest), "trial %d, sample %d: %.15g, %.15g",
                      trial, n, way[0][n], way[1][n]);
    }
    cell_grids_free(cells);
}

/* 1 / sin theta of cut_masses.h: how much more pressure than its energy shows a pair of cells may have. */
#define RINGING 16.1

/* Energy only falls, down to what rounding leaves of it, and nothing that rounding feeds grows. */
static void only_lose(struct cell_grids *cells, enum precision precision, uint64_t steps, double limit,
                      uint64_t seed)
{
    enum { LOOKS = 20 };
    struct wall_material material[MATERIALS];
    draw_materials(&seed, cells->step.period, MATERIALS, 4, material);
    const struct wall_materials walls = {MATERIALS, material, false, false};
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CPU, SIMD_AUTO, 1};
    const double rounding = precision == PRECISION_SINGLE ? 1e-6 : 1e-14;
    struct engine *engine = engine_in(cells, &walls, &options);
    engine_fill(engine, seed);
    /* At rest, so that the mean of no part of the room that is closed and hard moves. */
    for (uint64_t index = 0; index < engine->length; ++index)
        if (engine_is_air(engine, index))
            engine_put(engine, engine->u_old, index, engine_value(engine, engine->u, index));
    const double start = engine_energy(engine);
    double previous = start;
    for (int look = 0; look < LOOKS; ++look) {
        engine_run(engine, steps / LOOKS, NULL, NULL);
        const double energy = engine_energy(engine), loudest = engine_health(engine).largest;
        cr_assert(energy <= previous * (1.0 + rounding) + 1e-6 * rounding * start && loudest < limit,
                  "%llu steps: energy %g after %g, %g", (unsigned long long)engine_steps(engine),
                  energy / start, previous / start, loudest);
        previous = energy;
    }
    cr_assert(previous < 0.5 * start);
    engine_free(engine);
    cell_grids_free(cells);
}

#if defined(__SANITIZE_ADDRESS__)
#define LONG_RUN 5000
#else
#define LONG_RUN 200000
#endif

TEST_SCHEMES(cut_nodes, small_rooms_with_walls_drawn_at_random_only_lose_energy)
{
    for (uint64_t n = 0; n < 2; ++n)
        only_lose(turned_box(scheme, 61 + n, 4.3 + (double)n, 3.7, 5.9), (enum precision)(n & 1),
                  test_share(LONG_RUN), 30.0, 71 + n);
}

TEST_SCHEMES(cut_nodes, rooms_of_chance_only_lose_energy)
{
    const bool whole = test_share(10) == 10;
    for (uint64_t n = 0; n < (whole ? 20 : 2); ++n)
        only_lose(soup(scheme, 65 + n), (enum precision)(n & 1), whole ? LONG_RUN : 1200, 6.0 * RINGING,
                  75 + n);
}

/* Small cells in a row or a cube, all of them with the least mass. Opposite pressures beside one another hold
 * next to no energy, so energy does not see them grow. */
TEST_SCHEMES(cut_nodes, two_small_cells_by_themselves_do_not_grow_in_200000_steps)
{
    static const int64_t nodes[][3] = {{2, 1, 1}, {5, 1, 1}, {2, 2, 2}};
    for (int way = 0; way < 6; ++way) {
        const int64_t *const n = nodes[way >> 1];
        const double centre[3] = {(double)(n[0] - 1) / 2, (double)(n[1] - 1) / 2, (double)(n[2] - 1) / 2},
                     size[3] = {(double)n[0], (double)n[1], (double)n[2]};
        const struct engine_options options = {LAYOUT_BLOCKS, (enum precision)(way & 1), BACKEND_CPU,
                                               SIMD_AUTO, 1};
        const double hard[MATERIALS] = {0};
        double momentum = 0.0, mass = 0.0, moved[8];
        uint64_t random = 81 + (uint64_t)way, record = 0;
        struct cell_plane plane[6];
        cell_box_planes(centre, size, NULL, 1, plane);
        struct voxels voxels = cell_room_convex(plane, 6);
        for (size_t c = 0; c < voxels.cell_count; ++c)
            voxels.cell[c].volume = 0.02f;
        struct cell_grids *cells = cells_of(&voxels, scheme);
        struct engine *engine =
            engine_of(&cells->blocks, &cells->box, &cells->step, hard, MATERIALS, NULL, &options);
        cr_assert(cells->blocks.cuts == cells->blocks.air_nodes && cells->blocks.cuts <= 8);
        for (; record < cells->blocks.cuts; ++record) {
            moved[record] = test_uniform(&random, -1.0, 1.0);
            momentum += cut_mass(&cells->blocks, record) * moved[record];
            mass += cut_mass(&cells->blocks, record);
        }
        record = 0;
        for (uint64_t index = 0; index < engine->length; ++index)
            if (engine_is_air(engine, index))
                engine_put(engine, engine->u, index, moved[record++] - momentum / mass);
        const double start = engine_energy(engine);
        engine_run(engine, LONG_RUN, NULL, NULL);
        cr_assert(test_at_most(engine_health(engine).largest, 2.0 * RINGING));
        cr_assert(test_near(engine_energy(engine), start, (way & 1 ? 1e-9 : 1e-2) * start));
        engine_free(engine);
        cell_grids_free(cells);
    }
}

/* ---- the engine's own ---------------------------------------------------------------------------------- */

Test(cut_nodes, another_step_no_masses_and_inertance_are_refused)
{
    static const struct wall_material material[MATERIALS] = {{0}};
    static const struct wall_materials walls = {MATERIALS, material, true, false};
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct cell_grids *cells = turned_box(SCHEME_STANDARD, 81, 5.3, 4.8, 6.1),
                      *wide = turned_box(SCHEME_ISOTROPIC, 81, 5.3, 4.8, 6.1);
    const struct {
        const struct cell_grids *cells;
        const struct time_step step;
        const struct wall_materials *walls;
        const char *words;
    } bad[] = {{cells, time_step_of(1.0, 340.0, 0.5), NULL,
                "the masses of the grid's nodes are for lambda^2 = 0.302499771, and the step has 0.25"},
               {cells, wide->step, NULL, "the grid is for 7 points, and the step for 19"},
               {wide, cells->step, NULL, "the grid is for 19 points, and the step for 7"},
               {cells, cells->step, &walls, "inertance"},
               {wide, wide->step, &walls, "walls of the 19-point scheme have no half cell of air in front"}};
    struct engine *engine = NULL;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; ++n)
        MUST_FAIL(bad[n].walls != NULL ? engine_create_walls(&engine, &bad[n].cells->blocks, NULL,
                                                             &bad[n].step, bad[n].walls, &options, &failure)
                                       : engine_create(&engine, &bad[n].cells->blocks, NULL, &bad[n].step,
                                                       admittance, MATERIALS, &options, &failure),
                  FAILURE_INPUT, bad[n].words);
    cells->blocks.lambda2 = 0.0;
    MUST_FAIL(
        engine_create(&engine, &cells->blocks, NULL, &cells->step, admittance, MATERIALS, &options, &failure),
        FAILURE_INPUT, "no masses yet");
    cell_grids_free(cells);
    cell_grids_free(wide);
}

TEST_SCHEMES(cut_nodes, a_list_node_that_is_not_finite_is_found_in_its_voxel)
{
    struct cell_grids *cells = soup(scheme, 82);
    for (int layout = 0; layout < 2; ++layout) {
        const struct engine_options options = {(enum layout)layout, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO,
                                               1};
        struct engine *engine = engine_in(cells, NULL, &options);
        engine_put(engine, engine->u, engine_list_index(engine, 17), NAN);
        const struct engine_health health = engine_health(engine);
        cr_assert(not(health.finite));
        for (int axis = 0; axis < 3; ++axis)
            cr_assert(eq(i64, health.bad_node[axis], cells->blocks.list_voxel[17][axis]));
        engine_free(engine);
    }
    cell_grids_free(cells);
}

TEST_SCHEMES(cut_nodes, a_tap_touches_a_wall_where_its_node_has_one)
{
    struct cell_grids *cells = soup(scheme, 84);
    uint64_t random = 85;
    for (int n = 0; n < 50; ++n) {
        const struct stencil off = tap(cells, CUT_OFF_WALLS, true, &random),
                             at = tap(cells, AT_WALLS, true, &random);
        cr_assert(not(stencil_touches_wall(&cells->blocks, &off)));
        cr_assert(stencil_touches_wall(&cells->blocks, &at));
    }
    cell_grids_free(cells);
}

TEST_SCHEMES(cut_nodes, a_node_with_links_to_further_pieces_alone_is_air_for_sources)
{
    struct cell_grids *cells = soup(scheme, 83);
    const struct block_grid *grid = &cells->blocks;
    unsigned found = 0;
    for (uint64_t n = 0; n < grid->extra_nodes && found < 3; ++n) {
        const struct extra_node *extra = &grid->extra_node[n];
        const struct block *block = &grid->block[extra->block];
        int64_t node[3];
        if (extra->block >= block_list_first(grid) || grid->tile[block->tile][extra->slot] != 0)
            continue;
        block_node(block, extra->slot, node);
        const double position[3] = {grid->lattice.origin[0] + grid->lattice.spacing * (double)node[0],
                                    grid->lattice.origin[1] + grid->lattice.spacing * (double)node[1],
                                    grid->lattice.origin[2] + grid->lattice.spacing * (double)node[2]};
        struct stencil stencil;
        MUST(stencil_make(grid, position, node, INTERPOLATION_CUBIC, &stencil, &failure));
        cr_assert(stencil.count == 1 && stencil_touches_wall(grid, &stencil) == stands(grid, node, AT_WALLS));
        for (int layout = 0; layout < 2; ++layout) {
            const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU,
                                                   SIMD_AUTO, 1};
            struct engine *engine = engine_in(cells, NULL, &options);
            const double drive[4] = {1.0};
            MUST(engine_add_source(engine, &stencil, &failure));
            engine_run(engine, 4, drive, NULL);
            cr_assert(engine_get(engine, 0, node) != 0.0);
            engine_free(engine);
        }
        ++found;
    }
    cr_assert(found > 0);
    cell_grids_free(cells);
}
