#include "kernels/scheme/air_loss.h"

#include <math.h>

#include "kernels/scheme/scheme.h"

#define PI 3.14159265358979323846

bool air_loss_is_stable(const struct air_loss *loss)
{
    double sum = 0.0, most = 0.0;
    for (unsigned s = 0; s < loss->states; ++s) {
        if (!(loss->share[s] >= 0.0 && loss->follow[s] > 0.0))
            return false;
        sum += loss->share[s];
        most = fmax(most, loss->follow[s]);
    }
    return sum + most <= 2.0;
}

double air_loss_share(const struct air_loss *loss, double turn)
{
    const double half = sin(PI * turn), S = 4.0 * half * half;
    double lost = 0.0;
    for (unsigned s = 0; s < loss->states; ++s) {
        const double a = loss->follow[s], q = loss->share[s];
        lost += q / 2.0 * (1.0 - (a + q) / 2.0) * S / (a * a + (1.0 - a) * S);
    }
    return lost;
}

bool air_loss_add(struct air_loss *loss, double P, double Q)
{
    const double y = Q / P;
    if (!(P > 0.0 && y > -0.25) || loss->states == AIR_LOSS_STATES)
        return false;
    const double a = 2.0 / (1.0 + sqrt(1.0 + 4.0 * y)), g = a * a / P; /* y = (1 - a) / a^2 */
    const double root = (2.0 - a) * (2.0 - a) - 16.0 * g;
    if (!(root >= 0.0))
        return false;
    loss->follow[loss->states] = a;
    loss->share[loss->states++] = 8.0 * g / (2.0 - a + sqrt(root)); /* q of q^2 - (2 - a) q + 4 g = 0 */
    return true;
}

#if defined(__x86_64__) && defined(__GLIBC__)
#define EVERY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EVERY_WIDTH
#endif

/* A loop for each number of states, which reads no others. */
#define LOSE(name, real, suffix)                                                                             \
    EVERY_WIDTH static void name##_one(const struct air_loss *loss, real *restrict u, real *restrict u_new,  \
                                       real *restrict z, uint64_t count)                                     \
    {                                                                                                        \
        const real follow = (real)loss->follow[0], half = (real)(loss->share[0] / 2.0);                      \
        for (uint64_t n = 0; n < count; ++n) {                                                               \
            const real lost = scheme_air_##suffix(u_new[n] - u[n], half, follow, &z[n]);                     \
            u_new[n] -= lost;                                                                                \
            u[n] += lost;                                                                                    \
        }                                                                                                    \
    }                                                                                                        \
    EVERY_WIDTH static void name##_two(const struct air_loss *loss, real *restrict u, real *restrict u_new,  \
                                       real *restrict z0, real *restrict z1, uint64_t count)                 \
    {                                                                                                        \
        const real follow0 = (real)loss->follow[0], half0 = (real)(loss->share[0] / 2.0);                    \
        const real follow1 = (real)loss->follow[1], half1 = (real)(loss->share[1] / 2.0);                    \
        for (uint64_t n = 0; n < count; ++n) {                                                               \
            const real v = u_new[n] - u[n];                                                                  \
            const real lost = scheme_air_##suffix(v, half0, follow0, &z0[n]) +                               \
                              scheme_air_##suffix(v, half1, follow1, &z1[n]);                                \
            u_new[n] -= lost;                                                                                \
            u[n] += lost;                                                                                    \
        }                                                                                                    \
    }                                                                                                        \
    EVERY_WIDTH static void name##_three(const struct air_loss *loss, real *restrict u,                      \
                                         real *restrict u_new, real *restrict z0, real *restrict z1,         \
                                         real *restrict z2, uint64_t count)                                  \
    {                                                                                                        \
        const real follow0 = (real)loss->follow[0], half0 = (real)(loss->share[0] / 2.0);                    \
        const real follow1 = (real)loss->follow[1], half1 = (real)(loss->share[1] / 2.0);                    \
        const real follow2 = (real)loss->follow[2], half2 = (real)(loss->share[2] / 2.0);                    \
        for (uint64_t n = 0; n < count; ++n) {                                                               \
            const real v = u_new[n] - u[n];                                                                  \
            const real lost = scheme_air_##suffix(v, half0, follow0, &z0[n]) +                               \
                              scheme_air_##suffix(v, half1, follow1, &z1[n]) +                               \
                              scheme_air_##suffix(v, half2, follow2, &z2[n]);                                \
            u_new[n] -= lost;                                                                                \
            u[n] += lost;                                                                                    \
        }                                                                                                    \
    }
LOSE(lose_single, float, f32)
LOSE(lose_double, double, f64)

void air_loss_step(const struct air_loss *loss, enum precision precision, void *u, void *u_new,
                   void *const state[AIR_LOSS_STATES], uint64_t count)
{
    const bool single = precision == PRECISION_SINGLE;
    if (loss->states == 1)
        (single ? lose_single_one(loss, u, u_new, state[0], count)
                : lose_double_one(loss, u, u_new, state[0], count));
    else if (loss->states == 2)
        (single ? lose_single_two(loss, u, u_new, state[0], state[1], count)
                : lose_double_two(loss, u, u_new, state[0], state[1], count));
    else
        (single ? lose_single_three(loss, u, u_new, state[0], state[1], state[2], count)
                : lose_double_three(loss, u, u_new, state[0], state[1], state[2], count));
}
