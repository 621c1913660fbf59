/* Boxes whose discrete solution is known in closed form: rigid walls, lossy ones, walls of branches. */
#include "kernels/engine/engine_wall_entries.h"
#include "kernels/engine/engine_walls.h"
#include "tests/support/back_ends.h"
#include "tests/support/box_mode.h"
#include "tests/support/lossy_room.h"

/* Value at i of the DCT-II basis vector q of length n, of unit norm. */
static double basis(int q, int64_t i, int64_t n)
{
    return cos(PI * q * ((double)i + 0.5) / (double)n) * sqrt((q == 0 ? 1.0 : 2.0) / (double)n);
}

/* What a unit kick (u at step 1, nothing at step 0) at `from` makes at `to` at step n, by summing all modes.
 */
static double rigid_response(enum scheme scheme, const int64_t size[3], const int64_t from[3],
                             const int64_t to[3], double lambda2, double n)
{
    long double sum = 0.0L;
    for (int qz = 0; qz < size[2]; ++qz)
        for (int qy = 0; qy < size[1]; ++qy)
            for (int qx = 0; qx < size[0]; ++qx) {
                const int q[3] = {qx, qy, qz};
                double complex a[3];
                double shape = 1.0;
                for (int axis = 0; axis < 3; ++axis) {
                    const double half = sin(PI * q[axis] / (2.0 * (double)size[axis]));
                    shape *= basis(q[axis], from[axis], size[axis]) * basis(q[axis], to[axis], size[axis]);
                    a[axis] = 4.0 * half * half;
                }
                const double omega = 2.0 * asin(sqrt(lambda2 * creal(symbol(scheme, a)) / 4.0));
                sum += shape * (omega == 0.0 ? n : sin(n * omega) / sin(omega));
            }
    return (double)sum;
}

TEST_SCHEMES(modes, a_rigid_box_follows_the_exact_discrete_solution_for_20000_steps)
{
    enum { STEPS = 20000, CHECKED = 12 };
    const int64_t size[3] = {19, 11, 9}, low[3] = {5, 0, 2};
    const int64_t kick[3] = {1, 2, 3}, ear[2][3] = {{17, 9, 8}, {7, 8, 0}};
    struct lossy_room *room = room_for(scheme, room_box(size[0], size[1], size[2], low));
    const double rigid[ROOM_MATERIALS] = {0.0};
    const struct time_step step = time_step_for(scheme, 1.0, 340.0, exact_courant(scheme));
    for (int layout = 0; layout < 2; ++layout) {
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                               1};
        struct engine *engine =
            engine_of(&room->blocks, &room->box, &step, rigid, ROOM_MATERIALS, NULL, &options);
        const int64_t at[3] = {low[0] + kick[0], low[1] + kick[1], low[2] + kick[2]};
        engine_set(engine, 0, at, 1.0);
        double largest = 0.0;
        back_ends_run(engine, rigid, ROOM_MATERIALS, STEPS - CHECKED, NULL, NULL);
        for (int n = 0; n < CHECKED; ++n) {
            engine_run(engine, 1, NULL, NULL);
            for (int r = 0; r < 2; ++r) {
                const int64_t node[3] = {low[0] + ear[r][0], low[1] + ear[r][1], low[2] + ear[r][2]};
                const double exact = rigid_response(scheme, size, kick, ear[r], step.lambda2,
                                                    1.0 + (double)engine_steps(engine));
                const double found = engine_get(engine, 0, node);
                largest = fmax(largest, fabs(exact));
                cr_assert(test_near(found, exact, 1e-10), "layout %d, step %llu: %.15g, exact %.15g", layout,
                          (unsigned long long)engine_steps(engine), found, exact);
            }
        }
        cr_assert(largest > 1.0);
        engine_free(engine);
    }
    room_free(room);
}

static double complex mode_shape(const struct mode *mode, const int64_t place[3])
{
    double complex shape = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double from_middle = (double)place[axis] - 0.5 * ((double)lossy_size[axis] - 1.0);
        shape *=
            mode->q[axis] & 1 ? csin(mode->wave[axis] * from_middle) : ccos(mode->wave[axis] * from_middle);
    }
    return shape;
}

/* The real part of the mode turned by `turn`, in u and u_old. */
static void set_mode(struct engine *engine, const struct lossy_room *room, const struct mode *mode,
                     double complex turn)
{
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3], place[3];
        room_node(room, n, node);
        for (int axis = 0; axis < 3; ++axis)
            place[axis] = node[axis] - room->low[axis];
        const double complex value = turn * mode_shape(mode, place);
        engine_set(engine, 0, node, creal(value));
        engine_set(engine, 1, node, creal(value / mode->z));
    }
}

/* Amplitude of the mode in the field of two engines, one started with it and one with it a quarter turn on:
 * together u = real part + j imaginary part, projected onto the shape without losses. */
static double complex amplitude(const struct engine *real, const struct engine *imaginary,
                                const struct lossy_room *room, const struct mode *mode)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        double weight = 1.0;
        room_node(room, n, node);
        for (int axis = 0; axis < 3; ++axis)
            weight *= basis(mode->q[axis], node[axis] - room->low[axis], lossy_size[axis]);
        sum += weight * (engine_get(real, 0, node) + I * engine_get(imaginary, 0, node));
    }
    return sum;
}

/* Decay rate -ln|z| and frequency arg z over `steps` steps, and the whole field at the end, of two engines
 * that were started with the mode and with it a quarter turn on. */
static void follow_mode(const struct lossy_room *room, const struct mode *mode,
                        struct engine *const engine[2])
{
    const struct engine_options *const options = &engine[0]->options;
    const double complex before = amplitude(engine[0], engine[1], room, mode);
    for (int part = 0; part < 2; ++part) {
        engine_run(engine[part], (uint64_t)mode->steps, NULL, NULL);
        back_ends_sound(engine[part]);
    }
    const double complex factor = amplitude(engine[0], engine[1], room, mode) / before;

    const double rate = -log(cabs(factor)) / mode->steps, exact = -log(cabs(mode->z));
    cr_assert(exact > 1e-4 && exact * mode->steps > 0.5, "the mode decays by %g a step: no test", exact);
    cr_assert(test_near(rate, exact, 1e-9 * exact),
              "mode (%d,%d,%d), layout %d: decays by %.15g, exact %.15g", mode->q[0], mode->q[1], mode->q[2],
              (int)options->layout, rate, exact);
    const double complex whole = cexp(clog(mode->z) * (double)mode->steps);
    const double turned = carg(factor / whole) / mode->steps;
    cr_assert(test_near(turned, 0.0, 1e-9 * carg(mode->z)), "mode (%d,%d,%d), layout %d: turns %g too far",
              mode->q[0], mode->q[1], mode->q[2], (int)options->layout, turned);
    double worst = 0.0;
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3], place[3];
        room_node(room, n, node);
        for (int axis = 0; axis < 3; ++axis)
            place[axis] = node[axis] - room->low[axis];
        const double found = engine_get(engine[0], 0, node);
        cr_assert(isfinite(found));
        worst = fmax(worst, fabs(found - creal(whole * mode_shape(mode, place))));
    }
    cr_assert(worst <= 1e-9 * cabs(whole), "mode (%d,%d,%d), layout %d: off by %g of it after %d steps",
              mode->q[0], mode->q[1], mode->q[2], (int)options->layout, worst / cabs(whole), mode->steps);
}

static void check_mode(const struct lossy_room *room, const struct mode *mode, const struct time_step *step,
                       const struct engine_options *options)
{
    const double table[ROOM_MATERIALS] = {0.0, mode->g[0], mode->g[1], mode->g[2]};
    struct engine *engine[2];
    for (int part = 0; part < 2; ++part) {
        engine[part] = engine_of(&room->blocks, &room->box, step, table, ROOM_MATERIALS, NULL, options);
        set_mode(engine[part], room, mode, part == 0 ? 1.0 : -I);
    }
    follow_mode(room, mode, engine);
    engine_free(engine[0]);
    engine_free(engine[1]);
}

/* Decays of all modes in every back end; frees the room. */
static void check_decays(struct lossy_room *room, struct mode *mode, size_t modes,
                         const struct time_step *step)
{
    for (size_t m = 0; m < modes; ++m) {
        solve_mode(&mode[m], step->courant);
        struct back_ends all = {.mask = BACK_ENDS_ALL, .one_precision = true, .precision = PRECISION_DOUBLE};
        while (back_ends_next(&all))
            check_mode(room, &mode[m], step, &all.options);
    }
    room_free(room);
}

Test(modes, a_lossy_box_decays_as_the_exact_condition_says)
{
    struct mode mode[] = {
        {.q = {2, 2, 4}, .g = {0.03, 0.02, 0.01}, .steps = 1500},
        {.q = {1, 0, 3},
         .g = {0.03, 0.02, 0.01},
         .steps = 1500}, /* odd, and level along y but for its walls */
        {.q = {0, 1, 2}, .g = {0.0, 0.3, 0.15}, .steps = 150},
        {.q = {3, 2, 7}, .g = {0.3, 0.0, 0.5}, .steps = 60}, /* as thick curtains */
    };
    const int64_t low[3] = {0, 3, 6};
    struct lossy_room *room = room_box(lossy_size[0], lossy_size[1], lossy_size[2], low);
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    check_decays(room, mode, sizeof mode / sizeof *mode, &step);
}

Test(modes, a_lossy_box_of_the_isotropic_scheme_decays_as_the_exact_condition_says)
{
    /* One lossy pair of walls each, along every axis. */
    struct mode mode[] = {
        {.q = {2, 2, 4}, .g = {0.03, 0.0, 0.0}, .steps = 1500},
        {.q = {1, 3, 2}, .g = {0.0, 0.1, 0.0}, .steps = 400},
        {.q = {3, 2, 7}, .g = {0.0, 0.0, 0.5}, .steps = 60},
        {.q = {5, 4, 3}, .g = {0.3, 0.0, 0.0}, .steps = 100},
    };
    const int64_t low[3] = {0, 3, 6};
    struct lossy_room *room =
        room_for(SCHEME_ISOTROPIC, room_box(lossy_size[0], lossy_size[1], lossy_size[2], low));
    const struct time_step step =
        time_step_for(SCHEME_ISOTROPIC, 1.0, 340.0, exact_courant(SCHEME_ISOTROPIC));
    for (size_t m = 0; m < sizeof mode / sizeof *mode; ++m)
        mode[m].scheme = SCHEME_ISOTROPIC;
    check_decays(room, mode, sizeof mode / sizeof *mode, &step);
}

Test(modes, the_first_samples_of_a_source_are_the_lattice_green_function)
{
    /* In free air u[1] = lambda2/h at the source, u[2] its neighbours lambda2^2/h, and by hand at the source
     * u[2] = 2 u[1] + lambda2 (-6 u[1]). */
    const int64_t low[3] = {0, 0, 0}, node[3] = {9, 9, 9}, next[3] = {10, 9, 9};
    struct lossy_room *room = room_box(20, 20, 20, low);
    const struct stencil at = room_stencil(room, node, 0.0, 0.0, 0.0),
                         beside = room_stencil(room, next, 0.0, 0.0, 0.0);
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.5, &all.options);
        MUST(engine_add_source(engine, &at, &failure));
        MUST(engine_add_receiver(engine, &at, &failure));
        MUST(engine_add_receiver(engine, &beside, &failure));
        const double drive[4] = {1.0, 0.0, 0.0, 0.0};
        double sampled[2][4];
        engine_run(engine, 4, drive, sampled[0]);
        cr_assert(sampled[0][0] == 0.0 && sampled[0][1] == 0.25 &&
                      sampled[0][2] == 2.0 * 0.25 - 0.25 * 6.0 * 0.25,
                  "%s", engine_description(engine));
        cr_assert(sampled[1][0] == 0.0 && sampled[1][1] == 0.0 && sampled[1][2] == 0.25 * 0.25, "%s",
                  engine_description(engine));
        engine_free(engine);
    }
    room_free(room);
}

/* What the entry of a wall across `axis` holds before the step from u = `here` on, at a node of a mode. A
 * branch is 2 D' (zV - V) + (E + F'/2)(zV + V) + 2 F' g = q with g = V (z + 1) / (2 (z - 1)). Of what drives
 * the wall, (z - 1/z) u, the air of half a cell takes (zV - V) / lambda summed over the branches; q is the
 * rest. */
static void wall_states(const struct mode *mode, int axis, double complex here, double complex *v,
                        double complex *g)
{
    const struct wall_material *wall = &mode->wall[axis];
    const double period = mode->step->period;
    const double complex z = mode->z, spring = (1.0 + z) / (2.0 * (z - 1.0));
    double complex sum = 0.0;
    for (size_t m = 0; m < wall->branches; ++m) {
        const double mass = wall->branch[m].D / period, stiffness = wall->branch[m].F * period;
        v[m] = 1.0 / (2.0 * mass * (z - 1.0) + wall->branch[m].E * (z + 1.0) +
                      stiffness * (0.5 * (z + 1.0) + 2.0 * spring));
        sum += v[m];
    }
    const double complex air = mode->inertance ? (z - 1.0) * sum / mode->step->courant : 0.0;
    for (size_t m = 0; m < wall->branches; ++m) {
        v[m] *= (z - 1.0 / z) * here / (1.0 + air);
        g[m] = spring * v[m];
    }
}

/* Entry `entry` of the engine's layout, of material `material`, at a lattice node. */
static void set_entry(struct engine *engine, const struct lossy_room *room, const struct mode *mode,
                      uint64_t entry, uint16_t material, const int64_t node[3], double complex turn)
{
    double complex v[WALL_BRANCHES_MAX], g[WALL_BRANCHES_MAX];
    int64_t place[3];
    const int axis = material - 1;
    double *state = engine->walls.state;
    for (int d = 0; d < 3; ++d)
        place[d] = node[d] - room->low[d];
    wall_states(mode, axis, turn * mode_shape(mode, place), v, g);
    unsigned kept = 0; /* without inertance a branch of resistance alone has no state */
    for (size_t m = 0; m < mode->wall[axis].branches; ++m) {
        const struct wall_branch *branch = &mode->wall[axis].branch[m];
        if (!mode->inertance && branch->D == 0.0 && branch->F == 0.0)
            continue;
        state[kept * engine->walls.stride + entry] = creal(v[m]);
        state[(engine->walls.branches + kept) * engine->walls.stride + entry] = creal(g[m]);
        ++kept;
    }
}

static void set_walls(struct engine *engine, const struct lossy_room *room, const struct mode *mode,
                      double complex turn)
{
    int64_t node[3];
    for (size_t n = 0; room_air(room, &n, node); ++n) {
        uint64_t first = 0;
        const uint64_t index = engine->room.box != NULL ? box_grid_index(engine->room.box, node)
                                                        : block_grid_index(engine->room.blocks, node);
        const unsigned count = engine_wall_at(engine, index, &first);
        for (uint64_t w = first; w < first + count; ++w)
            set_entry(engine, room, mode, w, wall_material(engine, w), node, turn);
    }
}

/* Of resonance `turn` = omega T. */
static struct wall_branch resonance(const struct time_step *step, double turn, double resistance,
                                    double width)
{
    return (struct wall_branch){resistance * width / turn * step->period, resistance,
                                resistance * width * turn / step->period};
}

/* Of the mode in every back end of the host, a wall by axis. A device's walls cannot be set; its bits are
 * those of the others (test_bits.c). */
static void check_branches(const struct lossy_room *room, struct mode *mode, const struct time_step *step)
{
    struct wall_material material[ROOM_MATERIALS] = {{0}};
    memcpy(&material[1], mode->wall, 3 * sizeof *material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, mode->inertance, false};
    struct back_ends all = {
        .mask = BACK_ENDS_REFERENCE | BACK_ENDS_CPU, .one_precision = true, .precision = PRECISION_DOUBLE};
    mode->step = step;
    solve_mode(mode, step->courant);
    while (back_ends_next(&all)) {
        struct engine *engine[2];
        for (int part = 0; part < 2; ++part) {
            engine[part] = engine_of(&room->blocks, &room->box, step, NULL, 0, &walls, &all.options);
            set_mode(engine[part], room, mode, part == 0 ? 1.0 : -I);
            set_walls(engine[part], room, mode, part == 0 ? 1.0 : -I);
        }
        follow_mode(room, mode, engine);
        engine_free(engine[0]);
        engine_free(engine[1]);
    }
    (void)fprintf(stderr, "mode (%d,%d,%d), inertance %d: decays by %.3e a step\n", mode->q[0], mode->q[1],
                  mode->q[2], mode->inertance, -log(cabs(mode->z)));
}

Test(modes, a_box_with_walls_of_branches_decays_as_the_exact_condition_says)
{
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    const struct wall_material wall[3] = {
        {2, {resonance(&step, 0.9, 60.0, 0.5), {.E = 90.0}}},
        {3, {resonance(&step, 0.05, 80.0, 2.0), resonance(&step, 1.5, 70.0, 1.5), {.E = 200.0, .D = 0.03}}},
        {1, {resonance(&step, 0.7, 150.0, 0.4)}}};
    const struct wall_material heavy[3] = {
        {2, {resonance(&step, 0.9, 6.0, 0.5), {.E = 9.0}}}, {0}, {1, {resonance(&step, 1.3, 4.0, 1.0)}}};
    struct mode mode[] = {
        {.q = {2, 2, 4}, .g = {1.0, 1.0, 1.0}, .wall = wall, .steps = 1500},
        {.q = {1, 0, 3}, .g = {1.0, 1.0, 1.0}, .wall = wall, .steps = 1500},
        {.q = {3, 2, 7}, .g = {1.0, 1.0, 1.0}, .wall = heavy, .steps = 150},
    };
    const int64_t low[3] = {0, 3, 6};
    struct lossy_room *room = room_box(lossy_size[0], lossy_size[1], lossy_size[2], low);
    for (size_t m = 0; m < 2 * (sizeof mode / sizeof *mode); ++m) {
        mode[m / 2].inertance = m & 1;
        check_branches(room, &mode[m / 2], &step);
    }
    room_free(room);
}

Test(modes, a_box_of_the_isotropic_scheme_with_walls_of_branches_decays_as_the_exact_condition_says)
{
    const struct time_step step =
        time_step_for(SCHEME_ISOTROPIC, 1.0, 340.0, exact_courant(SCHEME_ISOTROPIC));
    const int64_t low[3] = {0, 3, 6};
    struct lossy_room *room =
        room_for(SCHEME_ISOTROPIC, room_box(lossy_size[0], lossy_size[1], lossy_size[2], low));
    for (int axis = 0; axis < 3; ++axis) {
        struct wall_material wall[3] = {{0}};
        wall[axis] = (struct wall_material){2, {resonance(&step, 0.9, 6.0, 0.5), {.E = 9.0}}};
        struct mode mode = {.scheme = SCHEME_ISOTROPIC, .q = {3, 2, 5}, .wall = wall, .steps = 200};
        mode.g[axis] = 1.0;
        check_branches(room, &mode, &step);
    }
    room_free(room);
}
