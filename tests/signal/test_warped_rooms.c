/* Boxes stepped with the isotropic scheme, warped, against the sums of their continuous modes. */
#include <complex.h>

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "kernels/scheme/dispersion.h"
#include "src/response/signal/response.h"
#include "tests/support/outcome.h"
#include "tests/support/driven.h"
#include "tests/support/walled_box.h"

#define PI    3.14159265358979323846
#define SPEED 343.2

#define RECEIVERS 6
#define LENGTH    1400.0 /* of responses [h/c] */
#define EVERY     6      /* sample that is compared */

struct box {
    double fmax;
    struct time_step step;
    int64_t nodes[3], source[3], receiver[RECEIVERS][3];
    double admittance; /* of all walls in the run */
    int finer;         /* times as many nodes along each axis, and times as long */
    size_t steps;
    double *raw; /* (RECEIVERS, steps) */
};

static struct box box_at(enum scheme scheme, double points, int finer, double admittance)
{
    const double fmax = 1000;
    struct box box = {
        .fmax = fmax,
        .nodes = {24, 19, 16},
        .source = {4, 6, 13},
        .receiver = {{19, 13, 3}, {11, 2, 8}, {22, 17, 14}, {2, 11, 5}, {16, 9, 10}, {9, 15, 1}},
        .admittance = admittance,
        .finer = finer};
    const double h = SPEED / (points * fmax);
    MUST(time_step_choose(scheme, h, SPEED, 0, &box.step, &failure));
    for (int a = 0; a < 3; a++) {
        box.nodes[a] *= finer;
        box.source[a] *= finer;
        for (int r = 0; r < RECEIVERS; r++)
            box.receiver[r][a] *= finer;
    }
    box.steps = response_lead(&box.step, fmax) +
                (size_t)ceil(LENGTH * finer * h / SPEED * box.step.rate / response_share(&box.step, fmax));
    return box;
}

static void run_box(struct box *box)
{
    static const uint16_t walls[DIRECTIONS] = {0};
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct walled_box *room = walled_box_make(box->nodes, walls);
    struct response_drive made = {0};
    struct cut_masses masses;
    double *drive = calloc(box->steps, sizeof *drive);
    box->raw = calloc(RECEIVERS * box->steps, sizeof *box->raw);
    room->blocks.lattice.spacing = box->step.spacing;
    if (box->step.scheme == SCHEME_ISOTROPIC) {
        MUST(block_grid_widen(&room->blocks, &failure));
        MUST(cut_masses_make(&room->blocks, box->step.lambda2, &masses, &failure));
    }
    struct engine *engine = walled_box_engine(room, &box->step, &box->admittance, 1, &options);
    const struct stencil from = walled_box_stencil(box->source);
    MUST(engine_add_source(engine, &from, &failure));
    for (size_t r = 0; r < RECEIVERS; r++) {
        const struct stencil to = walled_box_stencil(box->receiver[r]);
        MUST(engine_add_receiver(engine, &to, &failure));
    }
    MUST(response_drive_make(&box->step, box->fmax, &made, &failure));
    for (size_t n = 0; n < made.count && n < box->steps; n++)
        drive[n] = made.sample[n];
    engine_run(engine, box->steps, drive, box->raw);
    response_drive_free(&made);
    engine_free(engine);
    walled_box_free(room);
    free(drive);
}

/* ---- the continuous room ---- */

/* Of a mode: half waves, wavenumbers of the continuous room and of the box's own nodes [1/h]. */
struct mode {
    int n[3];
    double kappa, discrete;
};

/* The wavenumber that a mode has after the warp, from the symbol of its own direction. */
static double discrete_kappa(const struct box *box, const int n[3])
{
    double a[3];
    for (int axis = 0; axis < 3; axis++)
        a[axis] = 4.0 * pow(sin(0.5 * PI * n[axis] / (double)box->nodes[axis]), 2.0);
    const double symbol = a[0] + a[1] + a[2] - (a[0] * a[1] + a[0] * a[2] + a[1] * a[2]) / 6.0;
    return dispersion_kappa(&box->step, 2.0 * asin(0.5 * box->step.courant * sqrt(symbol)));
}

/* The product of cos(n pi x / L) at both places, normalised. */
static double shape(const struct box *box, size_t receiver, const int n[3])
{
    double both = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double per_node = PI * n[axis] / (double)box->nodes[axis];
        both *= (n[axis] == 0 ? 1.0 : 2.0) * cos(per_node * ((double)box->source[axis] + 0.5)) *
                cos(per_node * ((double)box->receiver[receiver][axis] + 0.5));
    }
    return both;
}

/* Amplitudes fall by this [c/h]: each wall as often as sound of the mode meets it. After the warp a wall is
 * seen as what it is in the run over the stretch, times the mean of cos^2(k_d h / 2) that half a cell to the
 * outermost node makes. */
static double decay_of(const struct box *box, const struct mode *mode)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++)
        sum += (mode->n[axis] == 0 ? 1.0 : 2.0) / (double)box->nodes[axis];
    const double kappa = fmax(mode->kappa, 1e-3);
    const double seen = 0.5 * (1.0 + sin(kappa) / kappa) / dispersion_stretch(&box->step, kappa);
    return box->admittance * seen * sum;
}

static size_t list_modes(const struct box *box, struct mode **out)
{
    const double highest = 1.15 * dispersion_kappa_of(&box->step, box->fmax);
    size_t count = 0;
    struct mode *list = malloc((size_t)(box->nodes[0] * box->nodes[1] * box->nodes[2]) * sizeof *list);
    for (int x = 0; x < box->nodes[0]; x++)
        for (int y = 0; y < box->nodes[1]; y++)
            for (int z = 0; z < box->nodes[2]; z++) {
                struct mode mode = {.n = {x, y, z}};
                for (int axis = 0; axis < 3; axis++)
                    mode.kappa += pow(PI * mode.n[axis] / (double)box->nodes[axis], 2.0);
                mode.kappa = sqrt(mode.kappa);
                if (mode.kappa > highest)
                    continue;
                mode.discrete = discrete_kappa(box, mode.n);
                list[count++] = mode;
            }
    *out = list;
    return count;
}

/* The high-pass at a complex frequency [1/s]. */
static double complex high_pass(double complex s)
{
    double complex all = 1.0;
    for (int i = 0; i < 4; i++)
        all *= s / (s - response_band_pole(i));
    return all;
}

/* What 1 / (s^2 + 2 decay s + omega^2) sets off in the high-pass: its own modes are the same for all. */
static void add_high_pass(double strength, double omega, double decay, double complex own[4])
{
    for (int i = 0; i < 4; i++) {
        const double complex p = response_band_pole(i);
        double complex residue = p * p * p * p / (p * p + 2.0 * decay * p + omega * omega);
        for (int other = 0; other < 4; other++)
            residue /= other == i ? 1.0 : p - response_band_pole(other);
        own[i] += strength * residue;
    }
}

static void sum_modes(const struct box *box, size_t receiver, bool discrete, double *out, size_t samples)
{
    const double h = box->step.spacing;
    const double volume = (double)(box->nodes[0] * box->nodes[1] * box->nodes[2]) * h * h * h;
    double complex own[4] = {0};
    struct response_drive drive = {0};
    struct mode *mode;
    const size_t modes = list_modes(box, &mode);
    MUST(response_drive_make(&box->step, box->fmax, &drive, &failure));
    for (size_t m = 0; m < modes; m++) {
        const double kappa = discrete ? mode[m].discrete : mode[m].kappa, omega = kappa * SPEED / h;
        const double decay = decay_of(box, &mode[m]) * SPEED / h;
        const double low =
            omega > 0.0 ? response_band_drive(&drive, dispersion_theta(&box->step, fmin(kappa, 2.0))) : 1.0;
        const double strength = low * shape(box, receiver, mode[m].n);
        add_high_pass(strength, omega, decay, own);
        /* Both poles; where sound does not ring they are real, and that at 0 is silent. */
        const double complex turn = csqrt(omega * omega - decay * decay);
        for (int side = -1; side <= 1 && omega + decay > 0.0; side += 2) {
            const double complex pole = -decay + side * I * turn;
            const double complex residue = strength * high_pass(pole) / (2.0 * side * I * turn);
            for (size_t k = 0; residue != 0.0 && k < samples; k += EVERY)
                out[k] += creal(residue * cexp(pole * (double)k / RESPONSE_RATE));
        }
    }
    for (size_t k = 0; k < samples; k += EVERY) {
        for (int i = 0; i < 4; i++)
            out[k] += creal(own[i] * cexp(response_band_pole(i) * (double)k / RESPONSE_RATE));
        out[k] *= 4.0 * PI * SPEED * SPEED / volume / RESPONSE_RATE;
    }
    response_drive_free(&drive);
    free(mode);
}

/* Error in windows of time [h/c times box->finer] over all receivers, relative to the sound there. */
static void compare(const struct box *box, bool discrete, double error[3])
{
    static const double window[4] = {60, 260, 700, LENGTH};
    const struct response_chain chain = {.step = box->step, .fmax = box->fmax, .method = AIR_OFF};
    const double unit = box->finer * box->step.spacing / SPEED * RESPONSE_RATE;
    double difference[3] = {0}, square[3] = {0};
    for (size_t r = 0; r < RECEIVERS; r++) {
        float *made = NULL;
        size_t samples = 0;
        MUST(response_make(&chain, box->raw + r * box->steps, box->steps, 1.0, &made, &samples, &failure));
        double *wanted = calloc(samples + 1, sizeof *wanted);
        sum_modes(box, r, discrete, wanted, samples);
        cr_assert(samples >= (size_t)(LENGTH * unit));
        for (size_t k = 0; k < samples; k += EVERY)
            for (int w = 0; w < 3; w++)
                if ((double)k >= window[w] * unit && (double)k < window[w + 1] * unit) {
                    difference[w] += pow((double)made[k] - wanted[k], 2.0);
                    square[w] += wanted[k] * wanted[k];
                }
        free(wanted);
        free(made);
    }
    for (int w = 0; w < 3; w++)
        error[w] = sqrt(difference[w] / square[w]);
}

static void expect(const char *what, const struct box *box, bool discrete, const double most[3])
{
    double error[3];
    compare(box, discrete, error);
    (void)fprintf(stderr, "%s: %.3g %.3g %.3g %%\n", what, 100 * error[0], 100 * error[1], 100 * error[2]);
    for (int w = 0; w < 3; w++)
        cr_assert(error[w] <= most[w], "%s: %g", what, error[w]);
}

/* All that is left is that directions differ: with the wavenumber that the symbol gives each mode nothing is.
 */
Test(warped_rooms, a_rigid_box_sounds_as_the_sum_of_its_modes)
{
    static const double points[] = {4.0, 4.5, 5.0, 6.0, 7.0, 8.0};
    static const double most[6][3] = {{0.13, 0.4, 0.62},  {0.08, 0.24, 0.45},   {0.05, 0.13, 0.28},
                                      {0.015, 0.04, 0.1}, {0.007, 0.018, 0.05}, {0.004, 0.01, 0.03}};
    static const double exact[3] = {2e-3, 5e-4, 1e-2};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        struct box box = box_at(SCHEME_ISOTROPIC, points[p], 1, 0.0);
        char what[80];
        run_box(&box);
        (void)snprintf(what, sizeof what, "rigid box at %g points", points[p]);
        expect(what, &box, false, most[p]);
        (void)snprintf(what, sizeof what, "rigid box at %g points, wavenumbers of the symbol", points[p]);
        expect(what, &box, true, exact);
        free(box.raw);
    }
}

/* What the warp is for: the standard scheme in nearly the same room, in wavelengths, as the other at 5
 * points. */
Test(warped_rooms, the_standard_scheme_is_further_off_at_twice_the_points)
{
    static const double least[3] = {0.25, 0.5, 0.7};
    struct box box = box_at(SCHEME_STANDARD, 10.5, 2, 0.0);
    double error[3];
    run_box(&box);
    compare(&box, false, error);
    (void)fprintf(stderr, "rigid box, standard scheme at 10.5 points: %.3g %.3g %.3g %%\n", 100 * error[0],
                  100 * error[1], 100 * error[2]);
    for (int w = 0; w < 3; w++)
        cr_assert(error[w] >= least[w], "%g", error[w]);
    free(box.raw);
}

Test(warped_rooms, a_lossy_box_decays_as_its_modes_do)
{
    static const double most[3] = {0.04, 0.1, 0.2}, exact[3] = {0.02, 0.02, 0.03};
    struct box box = box_at(SCHEME_ISOTROPIC, 5.0, 1, 0.01);
    run_box(&box);
    expect("lossy box at 5 points", &box, false, most);
    expect("lossy box at 5 points, wavenumbers of the symbol", &box, true, exact);
    free(box.raw);
}
