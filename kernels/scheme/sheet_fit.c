#include "kernels/scheme/sheet_fit.h"

#include <math.h>
#include <string.h>

#include "kernels/scheme/dispersion.h"
#include "kernels/scheme/grid_wall.h"

#define PI           3.14159265358979323846
#define FULLNESS     0.7 /* most b at a sheet (blocks/plaquettes.h) */
#define SHARE_AT     0.7 /* of fmax: where b is taken */
#define FREQUENCIES  9
#define ANGLES       6
#define PARAMETERS   4
#define ROUNDS       400
#define LEAST_FACTOR 1.0005

double complex sheet_impedance(const struct sheet *sheet, double impedance, double frequency)
{
    const double complex inert = I * (2 * PI * frequency * sheet->mass);
    if (sheet->series)
        return (sheet->flow_resistance + inert) / impedance;
    if (!isfinite(sheet->mass))
        return sheet->flow_resistance / impedance;
    const double complex sum = sheet->flow_resistance + inert;
    return sum == 0 ? 0 : sheet->flow_resistance * inert / sum / impedance;
}

double complex sheet_passes(const struct sheet *sheet, const struct sheet_place *place, double frequency,
                            double angle)
{
    return 1 / (1 + sheet_impedance(sheet, place->impedance, frequency) * cos(angle) / 2);
}

static bool is_there(const struct sheet *sheet)
{
    const double nothing =
        sheet->series ? sheet->flow_resistance + sheet->mass : fmin(sheet->flow_resistance, sheet->mass);
    return nothing > 0;
}

double sheet_fit_share(const struct sheet *sheet, const struct sheet_place *place, double layers)
{
    if (place->step.scheme != SCHEME_ISOTROPIC || !is_there(sheet))
        return 1;
    const double frequency = SHARE_AT * place->fmax,
                 kappa = 2 * PI * frequency * place->step.spacing / place->step.sound_speed;
    const double complex z = layers * sheet_impedance(sheet, place->impedance, frequency) / (I * kappa);
    return fmin(fmax(creal(1 / (1 + z)), 0), 1 - 1.0 / 256);
}

static double complex drag_of(const struct sheet_law *law, double theta)
{
    const double complex s = 2 * I * tan(theta / 2);
    double complex z = law->mass + law->resistance / s;
    if (law->pores_resistance > 0 && law->pores_mass > 0)
        z += 1 / (1 / law->pores_mass + s / law->pores_resistance);
    return z;
}

/* For transverse wavenumbers along one axis, or (`both`) equal ones along two. */
static double complex passes(const struct sheet_law *law, double b, const struct sheet_place *place,
                             double frequency, double angle, bool both)
{
    const bool isotropic = place->step.scheme == SCHEME_ISOTROPIC;
    const double kappa = 2 * PI * frequency * place->step.spacing / place->step.sound_speed,
                 theta = dispersion_theta(&place->step, kappa),
                 half = kappa * sin(angle) / (both ? 2 * sqrt(2) : 2), one = 4 * sin(half) * sin(half);
    const double two = both ? one : 0, transverse = one + two, cross = isotropic ? 1.0 / 6 : 0;
    const double f = 4 * sin(theta / 2) * sin(theta / 2) / place->step.lambda2;
    /* f = a + one + two - cross (a one + a two + one two) */
    const double m = 1 - cross * transverse, a = (f - transverse + cross * one * two) / m,
                 k = 2 * asin(sqrt(fmin(fmax(a, 0), 4)) / 2);
    const double complex y = 1 / (1 + drag_of(law, theta)) - (isotropic ? b * transverse / 6 : 0),
                         own = m * I * sin(k / 2),
                         g = (own - y * cexp(I * k / 2)) / (own + y * cexp(-I * k / 2));
    return (1 - g) / 2;
}

double complex sheet_law_passes(const struct sheet_law *law, double share, const struct sheet_place *place,
                                double frequency, double angle)
{
    const double b = fmin(share, FULLNESS);
    return (passes(law, b, place, frequency, angle, false) + passes(law, b, place, frequency, angle, true)) /
           2;
}

/* ---- the search ---- */

struct search {
    const struct sheet_place *place;
    double share;
    double frequency[FREQUENCIES], angle[ANGLES];
    double complex wanted[FREQUENCIES][ANGLES];
};

static double measure_error(const struct search *search, const struct sheet_law *law, double *worst)
{
    double sum = 0;
    for (int f = 0; f < FREQUENCIES; f++)
        for (int n = 0; n < ANGLES; n++) {
            const double off = cabs(
                sheet_law_passes(law, search->share, search->place, search->frequency[f], search->angle[n]) -
                search->wanted[f][n]);
            sum += off * off;
            if (worst != NULL && off > *worst)
                *worst = off;
        }
    return sum / (FREQUENCIES * ANGLES);
}

static double *find_parameter(struct sheet_law *law, int n)
{
    double *const all[PARAMETERS] = {&law->resistance, &law->mass, &law->pores_resistance, &law->pores_mass};
    return all[n];
}

/* Multiply or divide one number at a time, by less and less, as long as that helps. Infinite numbers stay
 * infinite. */
static void improve_law(const struct search *search, struct sheet_law *law)
{
    double factor[PARAMETERS] = {2, 2, 2, 2}, best = measure_error(search, law, NULL);
    bool more = true;
    for (int round = 0; more && round < ROUNDS; round++) {
        more = false;
        for (int n = 0; n < PARAMETERS; n++) {
            const double before = *find_parameter(law, n);
            bool better = false;
            for (int down = 0; !better && down < 2 && isfinite(before) && before > 0; down++) {
                *find_parameter(law, n) = down ? before / factor[n] : before * factor[n];
                const double off = measure_error(search, law, NULL);
                better = off < best;
                best = better ? off : best;
            }
            if (!better)
                *find_parameter(law, n) = before;
            factor[n] = better ? 1 + 1.3 * (factor[n] - 1) : 1 + 0.5 * (factor[n] - 1);
            more = more || factor[n] > LEAST_FACTOR;
            factor[n] = fmax(factor[n], LEAST_FACTOR);
        }
    }
}

struct sheet_fit sheet_fit(const struct sheet *sheet, const struct sheet_place *place)
{
    struct search search = {.place = place, .share = sheet_fit_share(sheet, place, 1)};
    struct sheet_fit fit = {.law = sheet_law_of(sheet, place->impedance, &place->step)};
    for (int f = 0; f < FREQUENCIES; f++)
        search.frequency[f] = place->fmax * GRID_WALL_EDGE * (f + 0.5) / FREQUENCIES;
    for (int n = 0; n < ANGLES; n++)
        search.angle[n] = asin(sqrt((n + 0.5) / ANGLES)); /* cos sin d(angle) alike */
    for (int f = 0; f < FREQUENCIES; f++)
        for (int n = 0; n < ANGLES; n++)
            search.wanted[f][n] = sheet_passes(sheet, place, search.frequency[f], search.angle[n]);
    if (place->step.scheme == SCHEME_ISOTROPIC && is_there(sheet)) {
        /* Start above 0, since the search multiplies. */
        fit.law.resistance = fmax(fit.law.resistance, 1e-3);
        fit.law.mass = fmax(fit.law.mass, 1e-2);
        improve_law(&search, &fit.law);
    }
    fit.rms = sqrt(measure_error(&search, &fit.law, &fit.worst));
    return fit;
}
