#include "rooms/materials/wall_branches.h"

#include <float.h>
#include <math.h>

#include "rooms/materials/absorption.h"

#define PI 3.14159265358979323846

int wall_branches_check(const struct wall_branch *branch, size_t count, const char *material,
                        struct failure *failure)
{
    for (size_t m = 0; m < count; ++m) {
        const double value[3] = {branch[m].D, branch[m].E, branch[m].F};
        for (int k = 0; k < 3; ++k)
            if (!(isfinite(value[k]) && value[k] >= 0))
                return failure_set(
                    failure, FAILURE_INPUT,
                    "material \"%.200s\", branch %zu: %c is %g; it must be finite and at least 0, "
                    "or the wall would give out energy",
                    material, m + 1, "DEF"[k], value[k]);
        if (!(branch[m].E > 0))
            return failure_set(
                failure, FAILURE_INPUT,
                "material \"%.200s\", branch %zu: E is 0; a branch needs some resistance, or it never decays",
                material, m + 1);
        for (int k = 0; k < 3; ++k)
            if (!(value[k] <= WALL_BRANCH_MOST) || !(branch[m].E >= WALL_RESISTANCE_LEAST))
                return failure_set(failure, FAILURE_INPUT,
                                   "material \"%.200s\", branch %zu: D is %g, E is %g, F is %g; E must be at "
                                   "least %g and each at most %g, far beyond any real wall",
                                   material, m + 1, value[0], value[1], value[2], WALL_RESISTANCE_LEAST,
                                   WALL_BRANCH_MOST);
    }
    return 0;
}

struct wall_admittance wall_admittance_at(const struct wall_branch *branch, size_t count, double frequency)
{
    const double omega = 2 * PI * frequency;
    struct wall_admittance sum = {0};
    for (size_t m = 0; m < count; ++m) {
        const double e = branch[m].E, x = omega * branch[m].D - branch[m].F / omega;
        /* 1/(e + jx) without the squares, which overflow first */
        const double size = hypot(e, x);
        sum.g += e / size / size;
        sum.b -= x / size / size;
    }
    return sum;
}

#define SERIES_FROM  16.0 /* |Y|: the closed form has lost three digits, the series needs few terms */
#define SERIES_TERMS 16   /* 16^-16 is below the last bit */

/* I of the header over 1/|Y|^2, for |Y| > 16: with z = 1/Y, 1/|1 + m z|^2 is the sum over n of (-m)^n U_n,
 * U_n = Im z^(n+1) / Im z, which leaves the sum of (-1)^n U_n / (n + 3). */
static double soft_sum(double g, double b)
{
    const double size = hypot(g, b), re = g / size / size, square = 1 / size / size;
    double sum = 0, before = 0, u = 1;
    for (int n = 0; n < SERIES_TERMS; ++n) {
        sum += (n % 2 == 0 ? u : -u) / (double)(n + 3);
        const double next = 2 * re * u - square * before;
        before = u;
        u = next;
    }
    return sum;
}

/* atan(b / (g^2 + b^2 + g)) / b, finite as b goes to 0 */
static double angle_over_b(double g, double b)
{
    const double below = g * g + b * b + g, t = b / below;
    return t == 0 ? 1 / below : atan(t) / t / below;
}

double wall_absorption_diffuse(struct wall_admittance admittance)
{
    const double g = admittance.g, b = admittance.b;
    if (!(g > 0) || !isfinite(g) || !isfinite(b))
        return 0;
    if (b == 0)
        return absorption_from_admittance(g);
    if (g * g + b * b < DBL_MIN)
        return 8 * g; /* I is 1 to the last bit, and its logarithm overflows */
    if (g * g + b * b > SERIES_FROM * SERIES_FROM)
        return 8 * soft_sum(g, b) * (g / hypot(g, b)) / hypot(g, b); /* |Y|^2 may overflow */
    /* |1 + Y|^2 / |Y|^2 = 1 + (1 + 2 g) / |Y|^2; both differences may cancel only where I is near 1 */
    return 8 * g * (1 - g * log1p((1 + 2 * g) / (g * g + b * b)) + (g - b) * (g + b) * angle_over_b(g, b));
}

double wall_absorption_slope(struct wall_admittance admittance, struct wall_admittance *slope)
{
    const double g = admittance.g, b = admittance.b;
    const double near = g * g + b * b, far = near + 2 * g + 1; /* |Y|^2, |1 + Y|^2 */
    const double logarithm = log1p((1 + 2 * g) / near), angle = angle_over_b(g, b);
    const double difference = (g - b) * (g + b);
    const double integral = 1 - g * logarithm + difference * angle;
    const double integral_g = -logarithm - g * (2 * (1 + g) / far - 2 * g / near) + 2 * g * angle +
                              difference * (1 / far - 1 / near);
    /* d(angle)/db = (g/near - (1 + g)/far - angle)/b: an odd function of b that loses its digits near 0 */
    const double angle_b = fabs(b) > 1e-7 * g ? (g / near - (1 + g) / far - angle) / b : 0;
    const double integral_b = -g * (2 * b / far - 2 * b / near) - 2 * b * angle + difference * angle_b;
    *slope = (struct wall_admittance){8 * (integral + g * integral_g), 8 * g * integral_b};
    return 8 * g * integral;
}
