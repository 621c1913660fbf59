#include "src/run/film/film_pulse.h"

#include <math.h>
#include <stdlib.h>

#define PI       3.14159265358979323846
#define FARTHEST 5.0 /* of a: (1 - 2 a^2) exp(-a^2) is -7e-10 there */

int film_pulse_make(double rate, double fmax, struct response_drive *out, struct failure *failure)
{
    if (!(fmax > 0.0 && fmax < rate / 4.0))
        return failure_set(failure, FAILURE_INPUT,
                           "a pulse up to %.6g Hz cannot be driven at %.6g steps per second: fmax must be "
                           "below a quarter of that rate",
                           fmax, rate);
    const double step = PI * fmax / FILM_PULSE_PEAK / rate;
    struct response_drive pulse = {.lead = (size_t)ceil(FARTHEST / step)};
    pulse.count = 2 * pulse.lead + 1;
    pulse.sample = calloc(pulse.count, sizeof *pulse.sample);
    if (pulse.sample == NULL)
        return failure_memory(failure, pulse.count * sizeof *pulse.sample, "the pulse of a film");
    for (size_t n = 0; n < pulse.count; n++) {
        const double a = step * ((double)n - (double)pulse.lead);
        pulse.sample[n] = (1.0 - 2.0 * a * a) * exp(-a * a);
    }
    *out = pulse;
    return 0;
}
