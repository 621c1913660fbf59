#include "src/response/acoustics/statistical_reverberation.h"

#include <math.h>

void statistical_reverberation_make(double volume, const struct statistical_surface *surface, size_t count,
                                    size_t bands, const double *centre, const struct air *air, bool lossy,
                                    struct statistical_reverberation *out)
{
    struct air_losses losses;
    air_losses_make(air, &losses);
    const double scale = 24.0 * log(10.0) / losses.sound_speed * volume;
    *out = (struct statistical_reverberation){0};
    for (size_t b = 0; b < bands; b++) {
        double area = 0.0, absorbing = 0.0;
        for (size_t s = 0; s < count; s++) {
            area += surface[s].area;
            absorbing += surface[s].area * surface[s].absorption[b];
        }
        const double in_air = lossy ? 4.0 * volume * 2.0 * air_losses_nepers(&losses, centre[b]) : 0.0;
        const double mean = area > 0.0 ? fmin(absorbing / area, 1.0) : 0.0;
        out->sabine[b] = scale / (absorbing + in_air);
        out->eyring[b] = scale / (in_air - area * log1p(-mean));
    }
}

struct barron_energy barron_energy_at(double distance, double volume, double time, double sound_speed)
{
    const double pi = 3.14159265358979323846;
    const double reverberant = 1600.0 * pi * sound_speed * time / (24.0 * log(10.0) * volume) *
                               pow(10.0, -6.0 * distance / (sound_speed * time));
    const double late = reverberant * pow(10.0, -6.0 * 0.08 / time);
    return (struct barron_energy){100.0 / (distance * distance), reverberant - late, late};
}
