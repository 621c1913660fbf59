/* Hard, soft and transparent sources of one node on the 7-point grid (Schneider, Wagner, Broschat, J. Acoust.
 * Soc. Am. 103, 1998), s the source's node, g_r[n] the grid's own response at r to a 1 that is added to s at
 * step 0, in free field; g_s[0] = 1:
 *
 *   soft         u_s += q[n]                                      transept's
 *   hard         u_s  = f[n], whatever the scheme says
 *   transparent  u_s += q[n] with g_s * q = f                     a soft one whose own pressure is f
 *
 * (Schneider's sum f - I * f with the response I of a node that is held at 0 is this q.) Until something
 * comes back all three send the same wave. What comes back, of pressure w at s, goes through soft and
 * transparent ones as if they were not there. A hard one holds its node, so it sends q' with g_s * q' = -w,
 * which is what a pressure-release point does: for long waves a soft sphere of radius a = h / (4 pi 0.252731)
 * = 0.3149 h, the number being the lattice's own potential at the origin (Watson, 1939). In a room that moves
 * every mode, to first order by d(k^2) = 4 pi a phi(s)^2, phi normed over the room; exactly, the modes with a
 * node held at 0 are the roots of sum phi_n(s)^2 / (mu_n - mu) = 0, mu_n and phi_n those of -L without. */
#include "tests/support/outcome.h"
#include "tests/support/walled_box.h"

#define PI     3.14159265358979323846
#define WATSON 0.25273100985866303 /* of the cubic lattice, edges of 1 */

enum { STEPS = 110, FREE = STEPS + 1 }; /* nothing gets back from FREE / 2 nodes away in STEPS */

static const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};

enum kind { SOFT, HARD };

/* u at `ear` and at the source after each of STEPS steps. */
struct heard {
    double ear[STEPS], source[STEPS];
};

/* b = a * x, of what has begun at step 0, and x from b and a. */
static void convolve(const double *a, const double *x, double *b)
{
    for (int n = 0; n < STEPS; ++n) {
        b[n] = 0.0;
        for (int m = 0; m <= n; ++m)
            b[n] += a[m] * x[n - m];
    }
}
static void deconvolve(const double *a, const double *b, double *x)
{
    for (int n = 0; n < STEPS; ++n) {
        x[n] = b[n];
        for (int m = 1; m <= n; ++m)
            x[n] -= a[m] * x[n - m];
        x[n] /= a[0];
    }
}

/* A rigid box with the source and one ear; `drive` q of a soft source, f of a hard one. */
static struct heard run(const int64_t nodes[3], const int64_t source[3], const int64_t ear[3], enum kind kind,
                        const double *drive)
{
    static const double rigid = 0.0;
    const struct time_step step = time_step_of(1.0, 343.2, 0.0);
    struct walled_box *const room = walled_box_make(nodes, walled_box_rigid);
    struct engine *const engine = walled_box_engine(room, &step, &rigid, 1, &options);
    const struct stencil tap = walled_box_stencil(source);
    struct heard out;
    MUST(engine_add_source(engine, &tap, &failure));
    for (int n = 0; n < STEPS; ++n) {
        const double sample = kind == HARD ? 0.0 : drive[n] / step.lambda2;
        engine_run(engine, 1, &sample, NULL);
        if (kind == HARD)
            engine_set(engine, 0, source, drive[n]);
        out.ear[n] = engine_get(engine, 0, ear);
        out.source[n] = engine_get(engine, 0, source);
    }
    engine_free(engine);
    walled_box_free(room);
    return out;
}

/* The grid's own responses, at the source and `away` from it. */
static struct heard free_field(const int64_t away[3])
{
    static const int64_t nodes[3] = {FREE, FREE, FREE};
    const int64_t middle[3] = {FREE / 2, FREE / 2, FREE / 2};
    const int64_t ear[3] = {FREE / 2 + away[0], FREE / 2 + away[1], FREE / 2 + away[2]};
    const double impulse[STEPS] = {1.0};
    return run(nodes, middle, ear, SOFT, impulse);
}

/* A pulse of mean 0 with most of it around 12 points a wavelength. */
static void pulse(double f[STEPS])
{
    for (int n = 0; n < STEPS; ++n) {
        const double t = (n - 14.0) / 5.0;
        f[n] = n <= 28 ? t * exp(-t * t) : 0.0;
    }
}

static double largest(const double *x, int first, int past)
{
    double most = 0.0;
    for (int n = first; n < past; ++n)
        most = fmax(most, fabs(x[n]));
    return most;
}

/* The source is 20 nodes before a wall, all other walls are farther than sound comes and goes in STEPS: one
 * reflection, of an image 39 nodes behind (the wall is half a node beyond the last). */
Test(source_kinds, all_send_the_same_wave_and_a_hard_one_meets_what_returns_as_a_pressure_release_point)
{
    enum { BEFORE = 19, BACK = 2 * BEFORE + 1 };
    static const int64_t away[3] = {9, 2, 0};
    const int64_t nodes[3] = {BEFORE + STEPS, FREE, FREE}, source[3] = {BEFORE, FREE / 2, FREE / 2};
    const int64_t ear[3] = {BEFORE + away[0], FREE / 2 + away[1], FREE / 2};
    const struct heard grid = free_field(away);
    double f[STEPS], q[STEPS], wanted[STEPS], sent[STEPS], scattered[STEPS], returned[STEPS], found[STEPS];
    pulse(f);
    deconvolve(grid.source, f, q);
    convolve(grid.ear, q, wanted);
    const struct heard hard = run(nodes, source, ear, HARD, f), through = run(nodes, source, ear, SOFT, q);
    const double scale = largest(wanted, 0, STEPS);
    int first = 0; /* a difference at the ear */
    for (int n = 0; n < STEPS; ++n) {
        found[n] = hard.ear[n] - through.ear[n];
        first = first == 0 && fabs(found[n]) > 1e-9 * scale ? n : first;
        cr_assert(test_near(hard.source[n], f[n], 0.0));
        cr_assert(n >= BACK || test_near(through.source[n], f[n], 1e-13), "transparent: its own pressure");
        cr_assert(n >= BACK || test_near(hard.ear[n], wanted[n], 1e-13 * scale + 1e-15));
        returned[n] = f[n] - through.source[n];
    }
    cr_assert(first > BACK, "%d", first);
    deconvolve(grid.source, returned, sent);
    convolve(grid.ear, sent, scattered);
    for (int n = 0; n < STEPS; ++n)
        cr_assert(test_near(found[n], scattered[n], 1e-12), "step %d: %g, %g", n, found[n], scattered[n]);
    const double distance = sqrt((double)(away[0] * away[0] + away[1] * away[1]));
    (void)fprintf(
        stderr,
        "peaks: a wall's echo at the source %.4f; what a hard source scatters of it, %.1f nodes away, "
        "%.5f, %.1f dB; a point of radius 0.3149 h: %.1f dB\n",
        largest(returned, 0, STEPS), distance, largest(found, 0, STEPS),
        20.0 * log10(largest(found, 0, STEPS) / largest(returned, 0, STEPS)),
        20.0 * log10(1.0 / (4.0 * PI * WATSON * distance)));
}

/* ---- modes ---- */

enum { X = 20, Y = 16, Z = 12, NODES = X * Y * Z };
static const int64_t box[3] = {X, Y, Z};
static double cosines[3][X][X]; /* by axis, half waves, node; normed */
static double mu[NODES], weight[NODES];

/* Modes of the rigid box, and what each has at s. */
static void find_modes(const int64_t s[3])
{
    for (int d = 0; d < 3; ++d)
        for (int64_t q = 0; q < box[d]; ++q)
            for (int64_t i = 0; i < box[d]; ++i)
                cosines[d][q][i] = sqrt((q == 0 ? 1.0 : 2.0) / (double)box[d]) *
                                   cos(PI * (double)q * ((double)i + 0.5) / (double)box[d]);
    for (int n = 0; n < NODES; ++n) {
        const int q[3] = {n % X, n / X % Y, n / (X * Y)};
        mu[n] = 0.0;
        weight[n] = 1.0;
        for (int d = 0; d < 3; ++d) {
            mu[n] += 4.0 * pow(sin(0.5 * PI * q[d] / (double)box[d]), 2.0);
            weight[n] *= cosines[d][q[d]][s[d]];
        }
    }
}

/* The root above the mode `of`, which is the next that s has anything of. */
static double shifted(int of)
{
    double low = mu[of], high = 12.0;
    for (int n = 0; n < NODES; ++n)
        high = mu[n] > low && fabs(weight[n]) > 1e-9 ? fmin(high, mu[n]) : high;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (low + high);
        double sum = 0.0;
        for (int n = 0; n < NODES; ++n)
            sum += weight[n] * weight[n] / (mu[n] - middle);
        *(sum < 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* A mode with s held at 0, stepped with it held: it must only turn. */
static void check_mode(const int64_t s[3], double root)
{
    static const double rigid = 0.0;
    static double shape[NODES];
    const struct time_step step = time_step_of(1.0, 343.2, 0.0);
    const double turn = 2.0 * asin(0.5 * step.courant * sqrt(root));
    struct walled_box *const room = walled_box_make(box, walled_box_rigid);
    struct engine *const engine = walled_box_engine(room, &step, &rigid, 1, &options);
    double most = 0.0;
    for (int at = 0; at < NODES; ++at) {
        const int64_t node[3] = {at % X, at / X % Y, at / (X * Y)};
        shape[at] = 0.0;
        for (int n = 0; n < NODES; ++n)
            shape[at] += weight[n] / (mu[n] - root) * cosines[0][n % X][node[0]] *
                         cosines[1][n / X % Y][node[1]] * cosines[2][n / (X * Y)][node[2]];
        most = fmax(most, fabs(shape[at]));
        engine_set(engine, 0, node, shape[at]);
        engine_set(engine, 1, node, shape[at] * cos(turn));
    }
    for (int n = 1; n <= STEPS; ++n) {
        engine_run(engine, 1, NULL, NULL);
        engine_set(engine, 0, s, 0.0);
    }
    for (int at = 0; at < NODES; ++at) {
        const int64_t node[3] = {at % X, at / X % Y, at / (X * Y)};
        cr_assert(test_near(engine_get(engine, 0, node), shape[at] * cos(STEPS * turn), 1e-9 * most));
    }
    engine_free(engine);
    walled_box_free(room);
}

Test(source_kinds, a_hard_source_moves_the_modes_of_a_room_as_a_small_soft_sphere_would)
{
    static const int64_t s[3] = {3, 2, 4};
    static const int modes[] = {0, 1, X, X + 1};
    find_modes(s);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; ++m) {
        const int n = modes[m];
        const double root = shifted(n), moved = root - mu[n], sphere = weight[n] * weight[n] / WATSON;
        check_mode(s, root);
        (void)fprintf(stderr, "mode %d %d %d: k^2 %.6f moved by %.6f", n % X, n / X % Y, n / (X * Y), mu[n],
                      moved);
        if (n > 0)
            (void)fprintf(stderr, ", frequency by %.2f %%", 100.0 * (sqrt(root / mu[n]) - 1.0));
        (void)fprintf(stderr, "; a soft sphere's first order %.6f\n", sphere);
        cr_assert(test_near(moved, sphere, 0.1 * sphere), "%g, %g", moved, sphere);
    }
}
