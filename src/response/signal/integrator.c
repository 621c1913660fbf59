#include "src/response/signal/integrator.h"

#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

void integrator_make(double rate, struct integrator *out)
{
    *out = (struct integrator){.w = tan(PI * INTEGRATOR_CORNER / rate),
                               .damping = {2.0 * sin(PI / 8.0), 2.0 * sin(3.0 * PI / 8.0)}};
    for (int s = 0; s < 2; s++)
        out->share[s] = 1.0 / (1.0 + out->damping[s] * out->w + out->w * out->w);
}

/* With v = (1 - 1/z) / (1 + 1/z), one section is high = v^2 / (v^2 + damping w v + w^2) and band = high w /
 * v, got from the two trapezoidal integrators w / v whose equations are solved for the present sample
 * (Zavalishin, The Art of VA Filter Design, section 4.4). The running sum 1 / (1 - 1/z) is (1 + 1/v) / 2, so
 * the sum of `high` is (high + band / w) / 2: no pole at z = 1 is ever built. The trapezoidal rule is 1 / (2
 * v), and low is high w^2 / v^2, so that of the sum is (band / w + low / w^2) / 4. */
static void run_signal(struct integrator *integrator, bool twice, double *signal, size_t count)
{
    struct integrator one = *integrator;
    const double w = one.w;
    for (size_t n = 0; n < count; n++) {
        double high = signal[n], band = 0.0, low = 0.0;
        for (int s = 0; s < 2; s++) {
            high = (high - (one.damping[s] + w) * one.state[s][0] - one.state[s][1]) * one.share[s];
            band = w * high + one.state[s][0];
            low = w * band + one.state[s][1];
            one.state[s][0] = band + w * high;
            one.state[s][1] = low + w * band;
        }
        signal[n] = twice ? 0.25 * (band + low / w) / w : 0.5 * (high + band / w);
    }
    *integrator = one;
}

void integrator_run(struct integrator *integrator, double *signal, size_t count)
{
    run_signal(integrator, false, signal, count);
}

void integrator_run_twice(struct integrator *integrator, double *signal, size_t count)
{
    run_signal(integrator, true, signal, count);
}

void integrator_over_cosine(double *signal, size_t count)
{
    static const double side[2] = {-1.0 / 8.0 - 4.0 * 3.0 / 128.0, 3.0 / 128.0};
    const double middle = 1.0 + 2.0 / 8.0 + 6.0 * 3.0 / 128.0;
    double before[2] = {0.0, 0.0}; /* samples n - 1 and n - 2 as they were */
    for (size_t n = 0; n + 2 < count; n++) {
        const double now = signal[n];
        signal[n] =
            middle * now + side[0] * (before[0] + signal[n + 1]) + side[1] * (before[1] + signal[n + 2]);
        before[1] = before[0];
        before[0] = now;
    }
}
