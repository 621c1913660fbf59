/* A rigid wall is a mirror: the field before it is that of free air with a second source behind it, at the
 * same distance. On the lattice this holds without any error of the scheme, because the field of both sources
 * is even about the wall, half a spacing from the nodes, so that the difference over the cut link is 0. */
#include "tests/support/back_ends.h"
#include "tests/support/test_support.h"
#include "tests/support/walled_box.h"

#define TOLERANCE 1e-12 /* of the largest pressure */

static struct engine *make_engine(const struct walled_box *room, const struct engine_options *options,
                                  const double *admittance, size_t materials)
{
    const struct time_step step = time_step_of(1.0, 343.2, 0.0);
    return walled_box_engine(room, &step, admittance, materials, options);
}

static void add(struct engine *engine, const int64_t node[3], bool source)
{
    const struct stencil stencil = walled_box_stencil(node);
    MUST(source ? engine_add_source(engine, &stencil, &failure)
                : engine_add_receiver(engine, &stencil, &failure));
}

/* ---- one wall, air all around ---------------------------------------------------------------------------
 */

/* Waves move at most one cell a step, so that no bit of an echo of the other five walls is in the output. */
#if defined(__SANITIZE_ADDRESS__)
#define FREE_STEPS 80
#else
#define FREE_STEPS 160
#endif
#define BEFORE 4 /* nodes from the wall to the source, both counted */
#define REACH  9 /* the receivers are this near to the source, at most, along each axis */

/* Places before the wall, from the node at the wall that is nearest to the source: along the wall's normal,
 * then across. */
static const int64_t ear[][3] = {{0, 0, 0}, {1, 2, 0}, {BEFORE - 1, 0, 0}, {4, -3, 5}, {12, 9, -8}};
#define EARS (sizeof ear / sizeof *ear)

/* `low` and `high` nodes before and behind the source along `axis`, plenty along the others; receivers at
 * `away` from the source. Output is (count, FREE_STEPS). */
static void run_open(int axis, int64_t low, int64_t high, enum layout layout, const int64_t (*away)[3],
                     size_t count, double *output)
{
    const int64_t plenty = (FREE_STEPS + REACH) / 2 + 1;
    int64_t nodes[3], source[3];
    double drive[FREE_STEPS] = {1.0, -0.5, -0.25};
    for (int a = 0; a < 3; ++a) {
        source[a] = a == axis ? low : plenty;
        nodes[a] = a == axis ? low + high + 1 : 2 * plenty + 1;
    }
    struct walled_box *room = walled_box_make(nodes, walled_box_rigid);
    const struct engine_options options = {layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct engine *engine = make_engine(room, &options, NULL, 0);
    add(engine, source, true);
    for (size_t n = 0; n < count; ++n) {
        const int64_t node[3] = {source[0] + away[n][0], source[1] + away[n][1], source[2] + away[n][2]};
        add(engine, node, false);
    }
    engine_run(engine, FREE_STEPS, drive, output);
    engine_free(engine);
    walled_box_free(room);
}

Test(mirror_source, a_rigid_wall_is_free_air_with_a_mirrored_source)
{
    static double walled[EARS * FREE_STEPS], open[2 * EARS * FREE_STEPS];
    const int64_t plenty = FREE_STEPS / 2 + REACH;
    /* The wall stands across x before one layout and across z before the other; air is alike in all axes. */
    for (int layout = 0; layout < 2; ++layout) {
        const int axis = layout == 0 ? 0 : 2;
        int64_t away[2 * EARS][3];
        for (size_t e = 0; e < EARS; ++e)
            for (int a = 0; a < 3; ++a) {
                /* From the source, and from its image: BEFORE nodes behind the wall. */
                const int64_t across = ear[e][(a + 3 - axis) % 3];
                away[e][a] = a == axis ? ear[e][0] - (BEFORE - 1) : across;
                away[EARS + e][a] = a == axis ? ear[e][0] + BEFORE : across;
            }
        if (layout == 0)
            run_open(axis, plenty, plenty + 2 * BEFORE, LAYOUT_BLOCKS, (const int64_t(*)[3])away, 2 * EARS,
                     open);
        run_open(axis, BEFORE - 1, plenty, (enum layout)layout, (const int64_t(*)[3])away, EARS, walled);
        double largest = 0.0, moved = 0.0;
        for (size_t n = 0; n < EARS * FREE_STEPS; ++n) {
            largest = fmax(largest, fabs(walled[n]));
            moved = fmax(moved, fabs(open[EARS * FREE_STEPS + n]));
        }
        cr_assert(moved > 1e-2 * largest, "the mirrored source does not count: %g of %g", moved, largest);
        for (size_t n = 0; n < EARS * FREE_STEPS; ++n)
            cr_assert(test_near(walled[n], open[n] + open[EARS * FREE_STEPS + n], TOLERANCE * largest),
                      "layout %d, receiver %zu, step %zu: %.17g, two sources %.17g", layout, n / FREE_STEPS,
                      n % FREE_STEPS, walled[n], open[n] + open[EARS * FREE_STEPS + n]);
    }
}

/* ---- one wall, five others that absorb ------------------------------------------------------------------
 */

#define ROOM_STEPS      1000
#define REFERENCE_STEPS 200 /* it is slow */
#define PIECE           10

static const double absorbing[DIRECTIONS] = {0.02, 0.3, 1.0, 0.05, 2.0, 0.1};
static const int64_t half_nodes[3] = {9, 8, 11};

/* Half of a room of twice the length, its wall in direction `mirror` rigid; or the whole room, twice as long
 * that way, its two ends alike, with a second source. */
static struct walled_box *make_room(unsigned mirror, bool whole)
{
    int64_t nodes[3];
    uint16_t face[DIRECTIONS];
    memcpy(nodes, half_nodes, sizeof nodes);
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        face[d] = (uint16_t)d;
    face[mirror] = whole ? (uint16_t)(mirror ^ 1u) : VOXELS_NO_MATERIAL;
    if (whole)
        nodes[mirror / 2] *= 2;
    return walled_box_make(nodes, face);
}

/* A node of the half room in the whole one (a wall in the low direction moves all nodes up), or its image. */
static void place(unsigned mirror, bool image, const int64_t node[3], int64_t out[3])
{
    const unsigned axis = mirror / 2;
    const int64_t length = half_nodes[axis];
    const int64_t here = mirror & 1u ? node[axis] : node[axis] + length;
    memcpy(out, node, 3 * sizeof *out);
    out[axis] = image ? 2 * length - 1 - here : here;
}

Test(mirror_source, any_rigid_face_of_a_room_mirrors_the_room_and_all_in_it)
{
    const int64_t source[3] = {3, 6, 9}, receiver[3] = {7, 0, 2};
    uint64_t random = 3;
    for (unsigned mirror = 0; mirror < DIRECTIONS; ++mirror) {
        struct walled_box *half = make_room(mirror, false), *whole = make_room(mirror, true);
        struct back_ends all = {.mask = BACK_ENDS_ALL, .one_precision = true, .precision = PRECISION_DOUBLE};
        while (back_ends_next(&all)) {
            const struct engine_options options = all.options;
            struct engine *one = make_engine(half, &options, absorbing, DIRECTIONS);
            struct engine *two = make_engine(whole, &options, absorbing, DIRECTIONS);
            int64_t node[3];
            add(one, source, true);
            add(one, receiver, false);
            place(mirror, false, source, node);
            add(two, node, true);
            place(mirror, true, source, node);
            add(two, node, true);
            place(mirror, false, receiver, node);
            add(two, node, false);
            double largest = 0.0;
            const int steps = options.backend == BACKEND_REFERENCE ? REFERENCE_STEPS : ROOM_STEPS;
            for (int n = 0; n < steps; n += PIECE) {
                double drive[2][PIECE] = {{0.0}}, sampled[2][PIECE];
                for (int k = 0; k < PIECE && n < 100; ++k)
                    drive[0][k] = drive[1][k] = test_uniform(&random, -1.0, 1.0);
                engine_run(one, PIECE, drive[0], sampled[0]);
                engine_run(two, PIECE, drive[0], sampled[1]);
                for (int k = 0; k < PIECE; ++k) {
                    largest = fmax(largest, fabs(sampled[0][k]));
                    cr_assert(test_near(sampled[0][k], sampled[1][k], TOLERANCE * largest),
                              "face %u, %s, step %d: %.17g, mirrored %.17g", mirror, engine_description(one),
                              n + k, sampled[0][k], sampled[1][k]);
                }
            }
            cr_assert(largest > 1e-2);
            engine_free(one);
            engine_free(two);
        }
        walled_box_free(half);
        walled_box_free(whole);
    }
}
