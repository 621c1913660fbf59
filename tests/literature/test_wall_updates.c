/* Wall updates of the literature beside transept's: reflection of a plane wave by angle, g the specific
 * admittance, u_g what stands beyond the wall, u_i the node before the one at the wall.
 *
 *   forward    7 points, the wall half a node beyond the last, (u_g - u) / h = -(g/c) (u+ - u-) / 2T: Webb
 *              and Bilbao 2011; Saarelma's forward difference (MSc thesis, Aalto, 2013); transept's without
 *              inertance
 *   inertance  transept's, half a cell of air in series with the wall (wall_terms.h)
 *   centred    7 points, the wall through the last node, (u_g - u_i) / 2h = -(g/c) (u+ - u-) / 2T: Kowalczyk
 *              and van Walstijn 2008; Saarelma's centred difference
 *   IWB        the same with 27 points, weights 1/4, 1/8, 1/16, lambda <= 1, all nodes beyond the wall taken
 *              out at once, so that the step stays explicit: after Kowalczyk and van Walstijn, IEEE TASLP 19,
 *              2011, worked out here, since the paper was not at hand
 *
 * On a wave with the wavenumber k along the normal, times the spacing, W = g sin(omega T):
 *
 *   forward    R = (S - W e^{jk/2}) / (S + W e^{-jk/2}),  S = 2 lambda sin(k/2), at its wall
 *   inertance  the same with W = sin(omega T) / (1/g + j tan(omega T/2) / lambda)
 *   centred    R = (lambda sin k - W) / (lambda sin k + W)
 *   IWB        R = (lambda B sin k - W) / (lambda B sin k + W),  B the sum of the weights beyond the wall
 *              times what the transverse wave is there: (1 + cos k_y) (1 + cos k_z) / 4
 *
 * Each is stepped as it is written, on a transverse wave cos(k_y y), which a flat wall leaves as it is; the
 * engine in a duct that carries the same. */
#include "tests/accuracy/duct_waves.h"
#include "tests/support/outcome.h"
#include "tests/support/walled_box.h"

#define END_ADMITTANCE 0.25
#define TOLERANCE      1e-9

enum update { FORWARD, INERTANCE, CENTRED, IWB, UPDATES };
static const char *const update_name[UPDATES] = {"forward", "with inertance", "centred", "IWB"};

/* m half waves across n nodes, and theta such that there are 10.4 to 10.6 points a wavelength. */
static const struct angle {
    double degrees;
    int half_waves, nodes;
} angle[] = {{0, 0, 2}, {30, 2, 21}, {45, 2, 15}, {60, 1, 6}, {75, 2, 11}, {80, 3, 16}};
enum { ANGLES = sizeof angle / sizeof *angle };

static double transverse(int a)
{
    return PI * angle[a].half_waves / angle[a].nodes;
}
static double normal(int a)
{
    return a == 0 ? 2.0 * PI / 10.5 : transverse(a) / tan(angle[a].degrees * PI / 180.0);
}

/* ---- the literature's ---- */

struct scheme_of {
    double lambda, side[3]; /* weight of a node by how many axes it is off by, less one */
};

/* Weights 1 - 4a + 4b, a - 2b, b: 7 points a = b = 0, IWB a = 1/4, b = 1/16. */
static struct scheme_of scheme_for(enum update update)
{
    const struct scheme_of standard = {0.0, {1.0, 0.0, 0.0}}, wide = {0.999, {0.25, 0.125, 0.0625}};
    struct scheme_of scheme = update == IWB ? wide : standard;
    scheme.lambda = update == IWB ? wide.lambda : time_step_of(1.0, 343.2, 0.0).courant;
    return scheme;
}

/* Weights of the plane `x` off times what a transverse wave (ky, 0) is there. */
static double plane_weight(const struct scheme_of *scheme, int x, double ky)
{
    double sum = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
            const int off = abs(x) + abs(y) + abs(z);
            sum += off > 0 ? scheme->side[off - 1] * cos(ky * y) : 0.0;
        }
    return sum;
}

/* omega T of a wave, from the scheme's symbol. */
static double frequency(const struct scheme_of *scheme, double k, double ky)
{
    const double beside = plane_weight(scheme, 1, ky),
                 all = 2.0 * plane_weight(scheme, 1, 0.0) + plane_weight(scheme, 0, 0.0);
    const double f = all - plane_weight(scheme, 0, ky) - 2.0 * cos(k) * beside;
    return 2.0 * asin(0.5 * scheme->lambda * sqrt(f));
}

/* A step of all nodes. */
static void step_duct(const struct scheme_of *scheme, enum update update, double ky, const double g[2],
                      const double *u, double *old)
{
    const double lambda = scheme->lambda, lambda2 = lambda * lambda, beside = plane_weight(scheme, 1, ky);
    const double all = 2.0 * plane_weight(scheme, 1, 0.0) + plane_weight(scheme, 0, 0.0);
    const double own = plane_weight(scheme, 0, ky) - all;
    for (int i = 0; i < DUCT_LENGTH; ++i) {
        const int last = DUCT_LENGTH - 1;
        const bool at_wall = i == 0 || i == last;
        double loss = 0.0, sum = own * u[i];
        for (int by = -1; by <= 1; by += 2) {
            const bool beyond = i + by < 0 || i + by > last;
            /* Beyond the wall: the node itself, or the one before it. */
            sum += beside * u[!beyond ? i + by : update == FORWARD ? i : i - by];
        }
        if (at_wall)
            loss = g[i != 0] * lambda * (update == FORWARD ? 0.5 : 1.0);
        old[i] = (2.0 * u[i] - (1.0 - loss) * old[i] + lambda2 * sum) / (1.0 + loss);
    }
}

static double complex step_and_measure(enum update update, double g, int a)
{
    static double output[DUCT_LENGTH * DUCT_STEPS];
    const struct scheme_of scheme = scheme_for(update);
    const double ky = transverse(a), both[2] = {END_ADMITTANCE, g};
    double level[2][DUCT_LENGTH];
    for (int i = 0; i < DUCT_LENGTH; ++i)
        level[0][i] = level[1][i] = duct_start(i);
    for (int n = 0; n < DUCT_STEPS; ++n) {
        for (int i = 0; i < DUCT_LENGTH; ++i)
            output[i * DUCT_STEPS + n] = level[n & 1][i];
        step_duct(&scheme, update, ky, both, level[n & 1], level[~n & 1]);
    }
    duct_must_die(output);
    return duct_reflection(output, frequency(&scheme, normal(a), ky), normal(a),
                           update == FORWARD ? DUCT_LENGTH - 0.5 : DUCT_LENGTH - 1);
}

/* ---- transept's ---- */

static double complex engine_and_measure(bool inertance, double g, int a)
{
    static double output[DUCT_LENGTH * DUCT_STEPS];
    const struct time_step step = time_step_of(1.0, 343.2, 0.0);
    const struct scheme_of scheme = scheme_for(FORWARD);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    const struct wall_material material[2] = {{1, {{.E = 1.0 / END_ADMITTANCE}}}, {1, {{.E = 1.0 / g}}}};
    const struct wall_materials walls = {2, material, inertance, false};
    const int64_t nodes[3] = {DUCT_LENGTH, angle[a].nodes, 2};
    uint16_t face[DIRECTIONS];
    memcpy(face, walled_box_rigid, sizeof face);
    face[DIRECTION_XM] = 0;
    face[DIRECTION_XP] = 1;
    struct walled_box *const room = walled_box_make(nodes, face);
    struct engine *const engine = engine_of(&room->blocks, &room->box, &step, NULL, 2, &walls, &options);
    for (int64_t n = 0; n < nodes[0] * nodes[1] * nodes[2]; ++n) {
        const int64_t node[3] = {n % nodes[0], n / nodes[0] % nodes[1], n / nodes[0] / nodes[1]};
        const double value = duct_start(node[0]) * cos(transverse(a) * ((double)node[1] + 0.5));
        engine_set(engine, 0, node, value);
        engine_set(engine, 1, node, value);
    }
    for (int64_t i = 0; i < DUCT_LENGTH; ++i) {
        const struct stencil ear = walled_box_stencil((int64_t[3]){i, 0, 0});
        MUST(engine_add_receiver(engine, &ear, &failure));
    }
    engine_run(engine, DUCT_STEPS, NULL, output);
    engine_free(engine);
    walled_box_free(room);
    duct_must_die(output);
    return duct_reflection(output, frequency(&scheme, normal(a), transverse(a)), normal(a),
                           DUCT_LENGTH - 0.5);
}

/* ---- theory ---- */

static double complex theory(enum update update, double g, int a)
{
    const struct scheme_of scheme = scheme_for(update);
    const double k = normal(a), omega = frequency(&scheme, k, transverse(a)), lambda = scheme.lambda;
    double complex w = g * sin(omega);
    if (update == INERTANCE)
        w = sin(omega) / (1.0 / g + I * tan(0.5 * omega) / lambda);
    if (update == FORWARD || update == INERTANCE) {
        const double s = 2.0 * lambda * sin(0.5 * k);
        return (s - w * cexp(0.5 * I * k)) / (s + w * cexp(-0.5 * I * k));
    }
    const double s = lambda * plane_weight(&scheme, 1, transverse(a)) * sin(k);
    return (s - w) / (s + w);
}

Test(wall_updates, each_reflects_as_its_discrete_theory_says)
{
    static const double admittance[] = {0.1, 0.5, 1.0};
    double worst = 0.0;
    for (int a = 0; a < ANGLES; ++a) {
        for (int g = 0; g < 3; ++g)
            for (enum update u = 0; u < UPDATES; ++u)
                if (u != INERTANCE)
                    worst = fmax(worst,
                                 cabs(step_and_measure(u, admittance[g], a) - theory(u, admittance[g], a)));
        for (int inertance = 0; inertance < 2; ++inertance)
            worst = fmax(worst, cabs(engine_and_measure(inertance, 0.5, a) -
                                     theory(inertance ? INERTANCE : FORWARD, 0.5, a)));
    }
    (void)fprintf(stderr, "off discrete theory by %.1e at most\n", worst);
    cr_assert(worst < TOLERANCE);
}

/* |R - R of the continuum|, R = (cos theta - g) / (cos theta + g). */
Test(wall_updates, half_a_cell_of_air_takes_a_wall_to_within_twice_of_one_through_nodes)
{
    static const double admittance[] = {0.1, 0.5, 1.0};
    for (int g = 0; g < 3; ++g) {
        double most[UPDATES] = {0};
        for (int a = 0; a < ANGLES; ++a) {
            const double across = cos(angle[a].degrees * PI / 180.0);
            const double exact = (across - admittance[g]) / (across + admittance[g]);
            (void)fprintf(stderr, "g = %g, %2.0f degrees: R = %+.3f; off by", admittance[g], angle[a].degrees,
                          exact);
            for (enum update u = 0; u < UPDATES; ++u) {
                const double off = cabs(theory(u, admittance[g], a) - exact);
                most[u] = fmax(most[u], off);
                (void)fprintf(stderr, " %.3f %s%s", off, update_name[u], u + 1 < UPDATES ? "," : "\n");
            }
        }
        cr_assert(most[INERTANCE] < 2.1 * most[CENTRED], "%g, %g", most[INERTANCE], most[CENTRED]);
    }
}
