#include "src/acoustics/double_slope.h"

#include <math.h>
#include <string.h>

#define LEAST_WINDOWS 12
#define MOST_WINDOWS  240
#define UNKNOWNS      5 /* ln of level and fall of two decays, and of the floor */
#define ROUNDS        60
#define FEW_ROUNDS    8
#define SETTLED       1e-7
#define LEAST_RATIO   30.0 /* twice the logarithm of the likelihoods' ratio; chance alone: 5 on average */
#define LEAST_APART   1.5

/* Windows joined so that there are not too many of them. */
struct windows {
    size_t count, joined;
    double energy[MOST_WINDOWS];
    double freedom;
};

/* The logarithms of level, fall, level, fall, floor. */
struct model {
    bool two;
    double ln[UNKNOWNS];
};

static void join_windows(const double *energy, size_t count, double freedom, struct windows *out)
{
    out->joined = (count + MOST_WINDOWS - 1) / MOST_WINDOWS;
    out->count = count / out->joined;
    out->freedom = freedom * (double)out->joined;
    for (size_t i = 0; i < out->count; i++) {
        out->energy[i] = 0.0;
        for (size_t j = 0; j < out->joined; j++)
            out->energy[i] += energy[i * out->joined + j];
    }
}

/* The terms of a model: decays as they run, one window after the other. */
struct terms {
    double value[3], factor[2], fall[2];
    int decays;
};

static void terms_begin(const struct model *model, struct terms *terms)
{
    terms->decays = model->two ? 2 : 1;
    terms->value[2] = exp(model->ln[4]);
    for (int d = 0; d < terms->decays; d++) {
        terms->value[d] = exp(model->ln[2 * d]);
        terms->fall[d] = exp(model->ln[2 * d + 1]);
        terms->factor[d] = exp(-terms->fall[d]);
    }
    if (!model->two)
        terms->value[1] = terms->fall[1] = terms->factor[1] = 0.0;
}

static double terms_next(struct terms *terms)
{
    const double sum = terms->value[0] + terms->value[1] + terms->value[2];
    terms->value[0] *= terms->factor[0];
    terms->value[1] *= terms->factor[1];
    return sum;
}

/* -ln of the likelihood, for one degree of freedom and but for a constant. */
static double misfit_of(const struct windows *windows, const struct model *model)
{
    struct terms terms;
    double sum = 0.0;
    terms_begin(model, &terms);
    for (size_t i = 0; i < windows->count; i++) {
        const double expected = terms_next(&terms);
        sum += log(expected) + windows->energy[i] / expected;
    }
    return sum;
}

/* Mean square of the relative error. */
static double measure_scatter(const struct windows *windows, const struct model *model)
{
    struct terms terms;
    double sum = 0.0;
    terms_begin(model, &terms);
    for (size_t i = 0; i < windows->count; i++) {
        const double error = windows->energy[i] / terms_next(&terms) - 1.0;
        sum += error * error;
    }
    return sum / (double)(windows->count - UNKNOWNS);
}

/* Fisher's information and the gradient. */
static void derive_misfit(const struct windows *windows, const struct model *model,
                          double m[UNKNOWNS][UNKNOWNS], double gradient[UNKNOWNS])
{
    struct terms terms;
    terms_begin(model, &terms);
    memset(m, 0, UNKNOWNS * sizeof *m);
    memset(gradient, 0, UNKNOWNS * sizeof *gradient);
    for (size_t i = 0; i < windows->count; i++) {
        const double a = terms.value[0], b = terms.value[1], expected = terms_next(&terms);
        const double slope[UNKNOWNS] = {a / expected, -terms.fall[0] * (double)i * a / expected, b / expected,
                                        -terms.fall[1] * (double)i * b / expected, terms.value[2] / expected};
        const double error = windows->energy[i] / expected - 1.0;
        for (int r = 0; r < UNKNOWNS; r++) {
            for (int c = 0; c < UNKNOWNS; c++)
                m[r][c] += slope[r] * slope[c];
            gradient[r] += slope[r] * error;
        }
    }
}

/* One step of Levenberg and Marquardt; what the model does not have stays. */
static void solve_step(double m[UNKNOWNS][UNKNOWNS], const double gradient[UNKNOWNS], double damping,
                       double step[UNKNOWNS])
{
    double a[UNKNOWNS][UNKNOWNS + 1];
    for (int r = 0; r < UNKNOWNS; r++) {
        memcpy(a[r], m[r], UNKNOWNS * sizeof a[r][0]);
        a[r][r] += damping * m[r][r] + 1e-9;
        a[r][UNKNOWNS] = gradient[r];
    }
    for (int r = 0; r < UNKNOWNS; r++)
        for (int other = 0; other < UNKNOWNS; other++) {
            if (other == r)
                continue;
            const double share = a[other][r] / a[r][r];
            for (int c = r; c <= UNKNOWNS; c++)
                a[other][c] -= share * a[r][c];
        }
    for (int r = 0; r < UNKNOWNS; r++) {
        step[r] = a[r][UNKNOWNS] / a[r][r];
        step[r] = step[r] > 2.0 ? 2.0 : step[r] < -2.0 ? -2.0 : step[r];
    }
}

/* Down to the nearest least misfit; returns it. */
static double descend_misfit(const struct windows *windows, struct model *model, int rounds)
{
    double damping = 1e-2, least = misfit_of(windows, model);
    for (int round = 0; round < rounds && damping < 1e9; round++) {
        double m[UNKNOWNS][UNKNOWNS], gradient[UNKNOWNS], step[UNKNOWNS];
        derive_misfit(windows, model, m, gradient);
        for (; damping < 1e9; damping *= 8.0) {
            struct model next = *model;
            solve_step(m, gradient, damping, step);
            for (int p = 0; p < UNKNOWNS; p++)
                next.ln[p] += step[p];
            const double there = misfit_of(windows, &next);
            if (!(there <= least))
                continue;
            const double gain = least - there;
            *model = next;
            least = there;
            damping = damping > 1e-8 ? damping / 8.0 : damping;
            if (gain < SETTLED)
                return least;
            break;
        }
    }
    return least;
}

static double fit_one(const struct windows *windows, struct model *model)
{
    double energy = 0.0, moment = 0.0, last = 0.0;
    const size_t tenth = windows->count / 10 > 2 ? windows->count / 10 : 2;
    for (size_t i = 0; i < windows->count; i++) {
        energy += windows->energy[i];
        moment += windows->energy[i] * ((double)i + 0.5);
        last += i >= windows->count - tenth ? windows->energy[i] : 0.0;
    }
    const double fall = energy / moment;
    double least = INFINITY;
    for (int start = 0; start < 3; start++) {
        static const double floor[] = {0.5, 1e-2, 1e-4};
        struct model found = {
            .ln = {log(energy * fall), log(fall), -700.0, 0.0, log(floor[start] * last / (double)tenth)}};
        const double there = descend_misfit(windows, &found, ROUNDS);
        if (there < least) {
            least = there;
            *model = found;
        }
    }
    return least;
}

/* From several knees on the one decay. */
static double fit_two(const struct windows *windows, const struct model *one, struct model *model)
{
    static const double early[] = {1.3, 2.5, 5.0}, late[] = {0.8, 0.4, 0.15}, knee[] = {2.0, 4.5};
    double least = INFINITY;
    for (int e = 0; e < 3; e++)
        for (int l = 0; l < 3; l++)
            for (int k = 0; k < 2; k++) {
                struct model found = {.two = true};
                memcpy(found.ln, one->ln, sizeof found.ln);
                const double fall = exp(one->ln[1]), time = knee[k] / (fall * early[e]);
                found.ln[1] += log(early[e]);
                found.ln[3] = one->ln[1] + log(late[l]);
                found.ln[2] = one->ln[0] - knee[k] + fall * late[l] * time;
                const double there = descend_misfit(windows, &found, FEW_ROUNDS);
                if (there < least) {
                    least = there;
                    *model = found;
                }
            }
    return descend_misfit(windows, model, ROUNDS);
}

void double_slope_fit(const double *energy, size_t count, double freedom, struct double_slope_fit *out)
{
    *out = (struct double_slope_fit){0};
    struct windows windows;
    struct model one, two;
    if (count < LEAST_WINDOWS)
        return;
    join_windows(energy, count, freedom, &windows);
    for (size_t i = 0; i < windows.count; i++)
        if (!(windows.energy[i] > 0.0))
            return;
    const double single = fit_one(&windows, &one), pair = fit_two(&windows, &one, &two);
    const double chance = fmax(measure_scatter(&windows, &two), 1.0 / windows.freedom);
    out->ratio = 2.0 * (single - pair) / chance;
    const int first = two.ln[1] > two.ln[3] ? 0 : 1;
    for (int d = 0; d < 2; d++) {
        const int from = d == 0 ? first : 1 - first;
        out->fall[d] = exp(two.ln[2 * from + 1]) / (double)windows.joined;
        /* The first window of those joined holds this share of their energy. */
        out->level[d] =
            exp(two.ln[2 * from]) * -expm1(-out->fall[d]) / -expm1(-out->fall[d] * (double)windows.joined);
    }
    out->found = out->ratio > LEAST_RATIO && out->fall[0] > LEAST_APART * out->fall[1];
}
