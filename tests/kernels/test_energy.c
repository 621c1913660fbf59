/* The discrete energy (Bilbao, Hamilton, Botts, Savioja 2016): what the walls take and the source gives is
 * all that changes it. The faces come from the room's own link bytes, node by node, not from the grids under
 * test. */
#include "blocks/cut_masses.h"
#include "kernels/scheme/scheme.h"
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

#define COURANT 0.57

struct field {
    double *now, *old, *before; /* steps n+1, n, n-1 by array place */
};

static void read_field(const struct lossy_room *room, const struct engine *engine, struct field *f)
{
    memcpy(f->before, f->old, room_size(room) * sizeof *f->before);
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        room_node(room, n, node);
        f->now[n] = room->link[n] ? engine_get(engine, 0, node) : 0.0;
        f->old[n] = room->link[n] ? engine_get(engine, 1, node) : 0.0;
    }
}

/* Of a node of air, by array place; 1 in rooms of the standard scheme [h^3]. */
static double mass_at(const struct lossy_room *room, size_t n)
{
    int64_t node[3];
    room_node(room, n, node);
    const uint64_t index = block_grid_index(&room->blocks, node);
    const block_id id = (block_id)(index / BLOCK_NODES);
    const unsigned slot = (unsigned)(index % BLOCK_NODES);
    if (room->link[n] == 0 || !room->blocks.has_records || !step_block_is_cut(&room->blocks, id, slot))
        return 1.0;
    return cut_mass(&room->blocks, block_cut_record(&room->blocks, id, slot));
}

/* The isotropic scheme's squares of four nodes with all four links uncut, each from its low corner. */
static long double plaquettes(const struct lossy_room *room, const struct field *f, size_t n)
{
    long double sum = 0.0L;
    for (int axis = 0; axis < 3; ++axis) {
        const int second = (axis + 1) % 3;
        const size_t p = room_stride(room, axis), q = room_stride(room, second);
        const unsigned along = 2u << (2 * axis), up = 2u << (2 * second);
        if ((room->link[n] & along) != 0 && (room->link[n] & up) != 0 && (room->link[n + p] & up) != 0 &&
            (room->link[n + q] & along) != 0)
            sum += ((long double)f->now[n] - f->now[n + p] - f->now[n + q] + f->now[n + p + q]) *
                   ((long double)f->old[n] - f->old[n + p] - f->old[n + q] + f->old[n + p + q]);
    }
    return sum;
}

static double energy(const struct lossy_room *room, const struct field *f, double lambda2)
{
    long double moving = 0.0L, stretched = 0.0L;
    for (size_t n = 0; n < room_size(room); ++n) {
        moving +=
            mass_at(room, n) * ((long double)f->now[n] - f->old[n]) * ((long double)f->now[n] - f->old[n]);
        if (room->blocks.isotropic)
            stretched -= plaquettes(room, f, n) / 6.0L;
        for (int axis = 0; axis < 3; ++axis)
            if (room->link[n] >> (2 * axis + 1) & 1) {
                const size_t next = n + room_stride(room, axis);
                stretched +=
                    ((long double)f->now[next] - f->now[n]) * ((long double)f->old[next] - f->old[n]);
            }
    }
    return (double)(moving / (2.0L * lambda2) + 0.5L * stretched);
}

/* What walls took in the last step: sum of s g (u+ - u-)^2 / (4 lambda). */
static double wall_loss(const struct lossy_room *room, const struct field *f, const double *wall_sum,
                        double lambda)
{
    long double loss = 0.0L;
    for (size_t n = 0; n < room_size(room); ++n)
        loss += (long double)wall_sum[n] * (f->now[n] - f->before[n]) * (f->now[n] - f->before[n]) /
                (4.0L * lambda);
    return (double)loss;
}

/* Largest |H - H_prev + loss - work| over the steps, and |H - H_0 + all losses - all work|, by the largest H.
 */
static void balance(enum scheme scheme, const struct engine_options *options, double *worst, double *drift)
{
    enum { STEPS = 400, DRIVEN = 60 };
    const double courant = scheme == SCHEME_ISOTROPIC ? exact_courant(scheme) : COURANT;
    struct lossy_room *room = room_for(scheme, room_ragged(31, 21, 14, 18, 0.12, 0.05, 9));
    struct engine *engine = room_engine(room, courant, options);
    const struct time_step step = room_step(room, courant);
    double *wall_sum = calloc(room_size(room), sizeof *wall_sum);
    struct field f = {calloc(room_size(room), sizeof(double)), calloc(room_size(room), sizeof(double)),
                      calloc(room_size(room), sizeof(double))};
    cr_assert(wall_sum && f.now && f.old && f.before);
    for (size_t n = 0; n < room_size(room); ++n)
        wall_sum[n] = room_wall_sum(room, n);

    /* The source stands at a wall that absorbs: there the injection is divided by 1 + kappa. */
    size_t at = 0;
    while (wall_sum[at] < 1.0)
        ++at;
    int64_t node[3];
    room_node(room, at, node);
    const struct stencil stencil = room_stencil(room, node, 0.3, 0.2, -0.25);
    MUST(engine_add_source(engine, &stencil, &failure));

    room_excite(room, engine, 8);
    read_field(room, engine, &f);
    uint64_t random = 4;
    double previous = energy(room, &f, step.lambda2), largest = previous;
    const double start = previous;
    long double spent = 0.0L;
    *worst = *drift = 0.0;
    for (int n = 0; n < STEPS; ++n) {
        const double drive = n < DRIVEN ? test_uniform(&random, -30.0, 30.0) : 0.0;
        engine_run(engine, 1, &drive, NULL);
        read_field(room, engine, &f);
        double work = 0.0;
        for (unsigned k = 0; k < stencil.count; ++k) {
            const size_t place =
                room_index(room, stencil.node[k][0] - room->low[0], stencil.node[k][1] - room->low[1],
                           stencil.node[k][2] - room->low[2]);
            /* (1 + kappa) f (u+ - u-) / (2 lambda2) with f = lambda2 / h w q / (1 + kappa), h = 1. */
            work += 0.5 * stencil.weight[k] * drive * (f.now[place] - f.before[place]);
        }
        const double loss = wall_loss(room, &f, wall_sum, step.courant), now = energy(room, &f, step.lambda2);
        cr_assert(test_near(engine_energy(engine), now, 1e-12 * fabs(largest)), "engine_energy %g, faces %g",
                  engine_energy(engine), now);
        spent += (long double)loss - work;
        largest = fmax(largest, now);
        /* fmax would let a NaN through. */
        cr_assert(isfinite(now));
        *worst = fmax(*worst, fabs(now - previous + loss - work));
        *drift = fmax(*drift, fabs((double)(now - start + spent)));
        previous = now;
    }
    cr_assert(previous < 0.5 * largest, "the walls took nothing");
    *worst /= largest;
    *drift /= largest;
    engine_free(engine);
    free(wall_sum);
    free(f.now);
    free(f.old);
    free(f.before);
    room_free(room);
}

TEST_SCHEMES(energy, walls_and_source_account_for_every_change)
{
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        const double limit = all.options.precision == PRECISION_SINGLE ? 1e-5 : 1e-13;
        double worst, drift;
        balance(scheme, &all.options, &worst, &drift);
        cr_assert(worst <= limit && drift <= limit, "layout %d, precision %d, backend %d: step %g, in all %g",
                  (int)all.options.layout, (int)all.options.precision, (int)all.options.backend, worst,
                  drift);
    }
}

TEST_SCHEMES(energy, a_rigid_ragged_room_keeps_its_energy_at_the_courant_limit)
{
    /* 20,000 steps with every wall rigid: nothing may be lost or gained. The isotropic scheme at its usual
     * number, which masses are lent for. */
    const double courant = scheme == SCHEME_ISOTROPIC ? exact_courant(scheme) : SCHEME_COURANT_LIMIT;
    struct lossy_room *room = room_for(scheme, room_ragged(32, 15, 12, 11, 0.15, 0.05, 9));
    room_harden(room);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = room_engine(room, courant, &options);
    room_excite(room, engine, 2);
    const double start = engine_energy(engine);
    cr_assert(start > 1.0);
    back_ends_run(engine, room_admittance, ROOM_MATERIALS, 20000, NULL, NULL);
    cr_assert(test_near(engine_energy(engine), start, 1e-12 * start), "%.17g became %.17g", start,
              engine_energy(engine));
    engine_free(engine);
    room_free(room);
}

/* Both sum the same values in double, each in its own order. A sum of n terms is off by n roundings of the
 * sum of their sizes at most, and a term by four: differences, product, factor. Sizes: (u - u_old)^2 <= 2 u^2
 * + 2 u_old^2; over a link |(a - b)(c - d)| <= a^2 + b^2 + c^2 + d^2, and a node has six. */
static double summing_error(const struct lossy_room *room, double lambda2, double mean_square)
{
    const double nodes = (double)room->blocks.air_nodes, terms = 4.0 * nodes;
    return 2.0 * (terms + 4.0) * 0x1p-53 * (1.0 / lambda2 + 3.0) * 2.0 * mean_square * nodes;
}

Test(energy, a_device_measures_what_the_processor_measures_and_walls_only_lower_it)
{
    struct lossy_room *room = room_ragged(33, 41, 35, 38, 0.1, 0.05, 25);
    const struct time_step step = time_step_of(1.0, 340.0, COURANT);
    struct back_ends all = {.mask = BACK_ENDS_DEVICE};
    while (back_ends_next(&all)) {
        struct engine_options options = all.options;
        struct engine *device = room_engine(room, COURANT, &options);
        options.backend = BACKEND_CPU;
        struct engine *host = room_engine(room, COURANT, &options);
        room_excite(room, device, 3);
        room_excite(room, host, 3);
        const double start = engine_energy(device);
        double previous = start, loudest = engine_health(host).mean_square;
        cr_assert(start > 1.0);
        for (int n = 0; n < 40; ++n) {
            engine_run(device, 1, NULL, NULL);
            engine_run(host, 1, NULL, NULL);
            const double found = engine_energy(device), expected = engine_energy(host);
            /* Of the louder of the two steps that the energy is made of, and of all before. */
            loudest = fmax(loudest, engine_health(host).mean_square);
            const double error = summing_error(room, step.lambda2, loudest);
            cr_assert(error < 1e-6 * start);
            cr_assert(test_near(found, expected, error), "%s, step %d: %.17g, on the processor %.17g",
                      engine_description(device), n, found, expected);
            /* What rounding of the pressures may add in a step is under 1e-6 of it in single precision. */
            cr_assert(found < previous + error + (options.precision == PRECISION_SINGLE ? 1e-6 * start : 0.0),
                      "%s, step %d: %.17g after %.17g", engine_description(device), n, found, previous);
            previous = found;
        }
        cr_assert(previous < 0.9 * start, "%s: the walls took nothing", engine_description(device));
        back_ends_sound(device);
        engine_free(device);
        engine_free(host);
    }
    room_free(room);
}
