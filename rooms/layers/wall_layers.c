#include "rooms/layers/wall_layers.h"

#include <math.h>

#include "rooms/layers/layer_media.h"

#define PI 3.14159265358979323846

static bool is_fluid(const struct wall_layer *layer)
{
    return layer->kind == LAYER_AIR || layer->kind == LAYER_POROUS;
}

static bool has_openings(const struct wall_layer *layer)
{
    return layer->kind == LAYER_HOLES || layer->kind == LAYER_SLITS;
}

/* The next fluid from layer `i` on, by `by` = 1 to the back, (size_t)-1 to the room. */
static struct layer_medium medium_beside(const struct wall_layers *layers, size_t i, size_t by,
                                         double frequency)
{
    const struct wall_layer air = {.kind = LAYER_AIR};
    for (i += by; i < layers->count; i += by)
        if (is_fluid(&layers->layer[i]))
            return layer_medium_of(&layers->layer[i], frequency);
    return layer_medium_of(&air, frequency);
}

/* A screen that touches a plate is passed only at its openings (T. J. Cox and P. D'Antonio, Acoustic
 * Absorbers and Diffusers, 3rd ed., 2016, section 7.2). */
static double share_at(const struct wall_layers *layers, size_t i)
{
    if (layers->layer[i].kind != LAYER_SCREEN)
        return 1;
    if (i > 0 && has_openings(&layers->layer[i - 1]))
        return layers->layer[i - 1].open_share;
    return i + 1 < layers->count && has_openings(&layers->layer[i + 1]) ? layers->layer[i + 1].open_share : 1;
}

static double complex admittance_before(const struct wall_layers *layers, size_t i, double complex behind,
                                        double frequency, double cosine)
{
    const struct wall_layer *layer = &layers->layer[i];
    const double sine = sqrt(1 - cosine * cosine);
    if (!is_fluid(layer)) {
        const struct layer_medium front = medium_beside(layers, i, (size_t)-1, frequency),
                                  back = medium_beside(layers, i, 1, frequency);
        const double complex thin = layer_thin_impedance(layer, &front, &back, frequency, sine);
        return behind / (1 + behind * thin / share_at(layers, i));
    }
    const struct layer_medium medium = layer_medium_of(layer, frequency);
    const double trace = 2 * PI * frequency / LAYER_SPEED * sine;
    const double complex across = csqrt(medium.wavenumber * medium.wavenumber - trace * trace);
    const double complex own = across / (medium.impedance * medium.wavenumber);
    const double complex turn = I * ctan(across * layer->thickness);
    return own * (behind + own * turn) / (own + behind * turn);
}

struct wall_admittance wall_layers_admittance(const struct wall_layers *layers, double frequency,
                                              double cosine)
{
    double complex y = layers->is_open ? cosine / LAYER_IMPEDANCE : 0;
    for (size_t i = layers->count; i-- > 0;)
        y = admittance_before(layers, i, y, frequency, cosine);
    return (struct wall_admittance){creal(y) * LAYER_IMPEDANCE, cimag(y) * LAYER_IMPEDANCE};
}

/* Share of a plane wave that is not reflected. */
static double absorption_at(struct wall_admittance y, double cosine)
{
    return 4 * y.g * cosine / ((cosine + y.g) * (cosine + y.g) + y.b * y.b);
}

static double absorption_diffuse(const struct wall_layers *layers, double frequency)
{
    enum { ANGLES = 96 };
    double sum = 0;
    for (int a = 0; a < ANGLES; a++) {
        const double cosine = (a + 0.5) / ANGLES;
        sum += 2 * cosine * absorption_at(wall_layers_admittance(layers, frequency, cosine), cosine);
    }
    return sum / ANGLES;
}

void wall_layers_absorption(const struct wall_layers *layers, struct layer_absorption *absorption)
{
    enum { PARTS = 24 };
    *absorption = (struct layer_absorption){0};
    for (int o = 0; o < FIT_OCTAVES; o++)
        for (int p = 0; p < PARTS; p++) {
            const double frequency = fit_centre(o) * pow(10, 0.3 * ((p + 0.5) / PARTS - 0.5));
            const struct wall_admittance y = wall_layers_admittance(layers, frequency, 1);
            absorption->normal[o] += absorption_at(y, 1) / PARTS;
            absorption->local[o] += wall_absorption_diffuse(y) / PARTS;
            absorption->diffuse[o] += absorption_diffuse(layers, frequency) / PARTS;
        }
}

bool wall_layers_mislead(const struct layer_absorption *absorption, int octave)
{
    return fabs(absorption->local[octave] - absorption->diffuse[octave]) > 0.05;
}

static struct wall_admittance admittance_at(const void *layers, double frequency)
{
    return wall_layers_admittance(layers, frequency, 1);
}

void wall_layers_fit(const struct wall_layers *layers, double top, struct layer_fit *fit)
{
    enum { POINTS = 400 };
    *fit = (struct layer_fit){0};
    branch_fit_admittance(admittance_at, layers, top, &fit->fit);
    for (int p = 0; p < POINTS; p++) {
        const double frequency = 20 * pow(top / 20, (p + 0.5) / POINTS);
        const struct wall_admittance is = wall_admittance_at(fit->fit.branch, fit->fit.count, frequency);
        const struct wall_admittance wanted = admittance_at(layers, frequency);
        /* R = (1 - Y) / (1 + Y) */
        const double apart = 2 * hypot(is.g - wanted.g, is.b - wanted.b) / hypot(1 + is.g, is.b) /
                             hypot(1 + wanted.g, wanted.b);
        fit->error += apart * apart / POINTS;
        if (apart > fit->largest) {
            fit->largest = apart;
            fit->largest_at = frequency;
        }
    }
    fit->error = sqrt(fit->error);
}
