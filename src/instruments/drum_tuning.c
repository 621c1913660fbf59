#include "src/instruments/drum_tuning.h"

#include <math.h>

#define PI    3.14159265358979323846
#define TURNS 160   /* of Bessel's integral, whose sum converges faster than any power */
#define WAVES 4000  /* of the integrals over q */
#define REACH 100.0 /* q R up to which they go: |S|^2 q falls as q^-4 */

double bessel_j(int m, double x)
{
    double sum = 0;
    for (int n = 0; n < TURNS; n++) {
        const double turn = PI * (n + 0.5) / TURNS;
        sum += cos(m * turn - x * sin(turn));
    }
    return sum / TURNS;
}

double bessel_zero(int m, int n)
{
    const double step = 0.05;
    double low = m > 0 ? m : step;
    for (; n > 0; low += step)
        n -= bessel_j(m, low) * bessel_j(m, low + step) < 0;
    low -= step;
    double high = low + step;
    for (int half = 0; half < 50; half++) {
        const double middle = (low + high) / 2;
        if (bessel_j(m, low) * bessel_j(m, middle) < 0)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

/* |S|^2 of q R. */
static double shape(int m, double zero, double x)
{
    const double apart = x * x - zero * zero;
    if (fabs(apart) < 1e-4) /* J_m' (zero) / (2 zero) */
        return pow((bessel_j(m, zero + 1e-4) - bessel_j(m, zero - 1e-4)) / 2e-4 / (2 * zero), 2);
    return pow(bessel_j(m, x) / apart, 2);
}

double drum_air_mass(double radius, int m, int n, double frequency, double air_density, double sound_speed)
{
    /* In s = sqrt(q^2 - (omega/c)^2) the first integral is that of |S|^2 ds. */
    const double zero = bessel_zero(m, n), least = 2 * PI * frequency / sound_speed * radius,
                 step = REACH / WAVES;
    double loading = 0, all = 0;
    for (int wave = 0; wave < WAVES; wave++) {
        const double x = step * (wave + 0.5);
        loading += shape(m, zero, hypot(x, least));
        all += shape(m, zero, x) * x;
    }
    return air_density * radius * loading / all;
}

double drum_tension(const struct membrane_kind *kind, double frequency, double air_density,
                    double sound_speed)
{
    const double q = bessel_zero(1, 1) / kind->radius, omega = 2 * PI * frequency;
    return pow(omega / q, 2) *
           (kind->density + 2 * drum_air_mass(kind->radius, 1, 1, frequency, air_density, sound_speed));
}

double drum_frequency(const struct membrane_kind *kind, int m, int n, double air_density, double sound_speed)
{
    const double q = bessel_zero(m, n) / kind->radius;
    double frequency = q / (2 * PI) * sqrt(kind->tension / kind->density);
    for (int again = 0; again < 20 && air_density > 0; again++) {
        const double mass = drum_air_mass(kind->radius, m, n, frequency, air_density, sound_speed);
        frequency = (frequency + q / (2 * PI) * sqrt(kind->tension / (kind->density + 2 * mass))) / 2;
    }
    return frequency;
}
