#include "src/instruments/drum_tuning.h"

#include <math.h>

#define PI           3.14159265358979323846
#define TURNS        160  /* of Bessel's integral, whose sum converges faster than any power */
#define WAVES        4000 /* of the integrals over q */
#define KETTLE_MODES 12
#define REACH        100.0 /* q R up to which they go: |S|^2 q falls as q^-4 */

double bessel_j(int m, double x)
{
    double sum = 0;
    for (int n = 0; n < TURNS; n++) {
        const double turn = PI * (n + 0.5) / TURNS;
        sum += cos(m * turn - x * sin(turn));
    }
    return sum / TURNS;
}

static double slope(int m, double x)
{
    return m == 0 ? -bessel_j(1, x) : (bessel_j(m - 1, x) - bessel_j(m + 1, x)) / 2;
}

/* The n-th zero of `of` past `low`. */
static double zero_of(double of(int m, double x), int m, int n, double low)
{
    const double step = 0.05;
    for (; n > 0; low += step)
        n -= of(m, low) * of(m, low + step) < 0;
    low -= step;
    double high = low + step;
    for (int half = 0; half < 50; half++) {
        const double middle = (low + high) / 2;
        if (of(m, low) * of(m, middle) < 0)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

double bessel_zero(int m, int n)
{
    return zero_of(bessel_j, m, n, m > 0 ? m : 0.05);
}

/* |S|^2 of q R. */
static double shape(int m, double zero, double x)
{
    const double apart = x * x - zero * zero;
    if (fabs(apart) < 1e-4) /* J_m' (zero) / (2 zero) */
        return pow((bessel_j(m, zero + 1e-4) - bessel_j(m, zero - 1e-4)) / 2e-4 / (2 * zero), 2);
    return pow(bessel_j(m, x) / apart, 2);
}

double drum_air_mass(double radius, int m, int n, double frequency, const struct drum_air *air)
{
    /* In s = sqrt(q^2 - (omega/c)^2) the first integral is that of |S|^2 ds. */
    const double zero = bessel_zero(m, n), least = 2 * PI * frequency / air->sound_speed * radius,
                 step = REACH / WAVES;
    double loading = 0, all = 0;
    for (int wave = 0; wave < WAVES; wave++) {
        const double x = step * (wave + 0.5);
        loading += shape(m, zero, hypot(x, least));
        all += shape(m, zero, x) * x;
    }
    return air->density * radius * loading / all;
}

double drum_kettle_mass(double radius, double volume, int m, int n, double frequency,
                        const struct drum_air *air)
{
    const double zero = bessel_zero(m, n), wave = 2 * PI * frequency / air->sound_speed * radius,
                 depth = volume / (PI * radius * radius) / radius;
    double sum = 0, across = 0.02 + (m > 1 ? m - 1 : 0);
    for (int mode = m == 0 ? 0 : 1; mode <= KETTLE_MODES; mode++) {
        across = mode == 0 ? 0 : zero_of(slope, m, 1, across + 0.1);
        const double squared = across * across - wave * wave, g = sqrt(fabs(squared));
        const double share =
            4 * zero * zero / pow(across * across - zero * zero, 2) / (m == 0 ? 1 : 1 - pow(m / across, 2));
        sum += share / (squared > 0 ? g * tanh(g * depth) : -g * tan(g * depth));
    }
    return air->density * radius * sum;
}

/* Of both sides. */
static double load_of(const struct membrane_kind *kind, double volume, int m, int n, double frequency,
                      const struct drum_air *air)
{
    const double above = drum_air_mass(kind->radius, m, n, frequency, air);
    return above + (volume > 0 ? drum_kettle_mass(kind->radius, volume, m, n, frequency, air) : above);
}

double drum_tension(const struct membrane_kind *kind, double volume, double frequency,
                    const struct drum_air *air)
{
    const double q = bessel_zero(1, 1) / kind->radius, omega = 2 * PI * frequency;
    return pow(omega / q, 2) * (kind->density + load_of(kind, volume, 1, 1, frequency, air));
}

double drum_frequency(const struct membrane_kind *kind, double volume, int m, int n,
                      const struct drum_air *air)
{
    const double q = bessel_zero(m, n) / kind->radius;
    double frequency = q / (2 * PI) * sqrt(kind->tension / kind->density);
    for (int again = 0; again < 20 && air != NULL; again++) {
        const double mass = kind->density + load_of(kind, volume, m, n, frequency, air);
        frequency = (frequency + q / (2 * PI) * sqrt(kind->tension / fmax(mass, 0.1 * kind->density))) / 2;
    }
    return frequency;
}
