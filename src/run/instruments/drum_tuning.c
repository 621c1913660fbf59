#include "src/run/instruments/drum_tuning.h"

#include <math.h>

#define PI           3.14159265358979323846
#define TURNS        48   /* of Bessel's integral, whose sum converges faster than any power */
#define WAVES        160  /* of the integral over x */
#define REACH        40.0 /* x up to which it goes: S^2 falls as x^-5 */
#define STRIDE       0.4
#define KETTLE_MODES 8

double bessel_j(int m, double x)
{
    double sum = 0;
    for (int n = 0; n < TURNS; n++) {
        const double turn = PI * (n + 0.5) / TURNS;
        sum += cos(m * turn - x * sin(turn));
    }
    return sum / TURNS;
}

static double bessel_slope(int m, double x)
{
    return m == 0 ? -bessel_j(1, x) : (bessel_j(m - 1, x) - bessel_j(m + 1, x)) / 2;
}

/* The n-th zero of `of` past `low`; zeros of J_m and of its slope are more than STRIDE apart. */
static double find_zero(double of(int m, double x), int m, int n, double low)
{
    double at = of(m, low), step = STRIDE;
    for (double next; n > 0; at = next) {
        next = of(m, low + step);
        n -= at * next < 0;
        if (n == 0)
            break;
        low += step;
    }
    for (int half = 0; half < 45; half++) {
        step /= 2;
        const double middle = of(m, low + step);
        if (at * middle >= 0) {
            low += step;
            at = middle;
        }
    }
    return low;
}

double bessel_zero(int m, int n)
{
    return find_zero(bessel_j, m, n, m > 0 ? m : 0.05);
}

/* S^2. */
static double squared_shape(int m, double zero, double x)
{
    const double apart = x * x - zero * zero;
    if (fabs(apart) < 1e-4) /* J_m' (zero) / (2 zero) */
        return pow((bessel_j(m, zero + 1e-4) - bessel_j(m, zero - 1e-4)) / 2e-4 / (2 * zero), 2);
    return pow(bessel_j(m, x) / apart, 2);
}

/* m_air of one side in a baffle [kg/m2]. */
static double air_mass(double radius, int m, int n, double frequency, const struct drum_air *air)
{
    /* In s = sqrt(x^2 - (omega R/c)^2) the integral is that of S^2 ds. */
    const double zero = bessel_zero(m, n), least = 2 * PI * frequency / air->sound_speed * radius,
                 step = REACH / WAVES;
    double sum = 0;
    for (int wave = 0; wave < WAVES; wave++)
        sum += squared_shape(m, zero, hypot(step * (wave + 0.5), least));
    return air->density * radius * 2 * zero * zero * sum * step;
}

/* m_air of a kettle of `volume` [kg/m2]. */
static double kettle_mass(double radius, double volume, int m, int n, double frequency,
                          const struct drum_air *air)
{
    const double zero = bessel_zero(m, n), wave = 2 * PI * frequency / air->sound_speed * radius,
                 depth = volume / (PI * radius * radius) / radius;
    double sum = 0, across = 0.02 + (m > 1 ? m - 1 : 0);
    for (int mode = m == 0 ? 0 : 1; mode <= KETTLE_MODES; mode++) {
        across = mode == 0 ? 0 : find_zero(bessel_slope, m, 1, across + 0.1);
        const double squared = across * across - wave * wave, g = sqrt(fabs(squared));
        const double share =
            4 * zero * zero / pow(across * across - zero * zero, 2) / (m == 0 ? 1 : 1 - pow(m / across, 2));
        sum += share / (squared > 0 ? g * tanh(g * depth) : -g * tan(g * depth));
    }
    return air->density * radius * sum;
}

/* The load of both sides. */
static double load_of(const struct membrane_kind *kind, double volume, int m, int n, double frequency,
                      const struct drum_air *air)
{
    const double above = air_mass(kind->radius, m, n, frequency, air);
    return above + (volume > 0 ? kettle_mass(kind->radius, volume, m, n, frequency, air) : above);
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
    for (int again = 0; again < 12 && air != NULL; again++) {
        const double mass = kind->density + load_of(kind, volume, m, n, frequency, air);
        frequency = (frequency + q / (2 * PI) * sqrt(kind->tension / fmax(mass, 0.1 * kind->density))) / 2;
    }
    return frequency;
}
