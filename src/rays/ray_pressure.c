#include "src/rays/ray_pressure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static double scattering_at(const struct ray_wall *wall, double frequency)
{
    const double at = 4 + log10(frequency / 1000) / 0.3; /* in octaves from the first */
    const int low = at > 0 ? (int)fmin(at, RAY_OCTAVES - 2) : 0;
    const double share = fmin(fmax(at - low, 0), 1);
    return (1 - share) * (double)wall->scattering[low] + share * (double)wall->scattering[low + 1];
}

int ray_pressure_make(const struct ray_law *law, const struct ray_wall *wall, size_t materials,
                      double sound_speed, const struct air_losses *air, const double *frequency,
                      size_t frequencies, struct ray_pressure *out, struct failure *failure)
{
    *out =
        (struct ray_pressure){.frequencies = frequencies, .frequency = frequency, .sound_speed = sound_speed};
    out->air = calloc(frequencies + 1, sizeof *out->air);
    out->value = calloc(materials * frequencies + 1, sizeof *out->value);
    out->kept = calloc(materials * frequencies + 1, sizeof *out->kept);
    out->is_sheet = calloc(materials + 1, sizeof *out->is_sheet);
    if (out->air == NULL || out->value == NULL || out->kept == NULL || out->is_sheet == NULL) {
        ray_pressure_free(out);
        return failure_memory(failure, materials * frequencies * 3 * sizeof(double), "the early sound");
    }
    for (size_t f = 0; f < frequencies; f++)
        out->air[f] = air != NULL ? air_losses_nepers(air, frequency[f]) : 0;
    for (size_t m = 0; m < materials; m++) {
        out->is_sheet[m] = law[m].sheet != NULL;
        for (size_t f = 0; f < frequencies; f++) {
            out->value[m * frequencies + f] = ray_law_at(&law[m], frequency[f]);
            out->kept[m * frequencies + f] = sqrt(1 - scattering_at(&wall[m], frequency[f]));
        }
    }
    return 0;
}

void ray_pressure_free(struct ray_pressure *pressure)
{
    free(pressure->air);
    free(pressure->value);
    free(pressure->kept);
    free(pressure->is_sheet);
    *pressure = (struct ray_pressure){0};
}

/* The share of the energy that a facet of its size reflects. */
static double size_share(const struct ray_surface *surface, double frequency)
{
    double share = 1;
    for (int i = 0; i < 2; i++)
        if (frequency < surface->limit[i])
            share *= frequency / surface->limit[i];
    return share;
}

void ray_path_pressure(const struct ray_pressure *pressure, const struct ray_images *images,
                       const struct ray_path *path, double complex *out)
{
    const size_t frequencies = pressure->frequencies;
    const struct ray_surface *surface = &images->surface[path->first];
#pragma omp parallel for
    for (size_t f = 0; f < frequencies; f++) {
        const double phase = 2 * PI * pressure->frequency[f] * path->length / pressure->sound_speed;
        double complex sum = exp(-pressure->air[f] * path->length) / path->length * cexp(-I * phase);
        for (uint32_t s = 0; s < path->surfaces; s++) {
            const size_t material = surface[s].material, at = material * frequencies + f;
            if (surface[s].transmitted)
                sum *= ray_law_transmitted(pressure->value[at], surface[s].cosine);
            else
                sum *=
                    sqrt(size_share(&surface[s], pressure->frequency[f])) * pressure->kept[at] *
                    ray_law_reflected(pressure->is_sheet[material], pressure->value[at], surface[s].cosine);
        }
        out[f] = sum;
    }
}

int ray_pressure_sum(const struct ray_pressure *pressure, const struct ray_images *images, size_t receiver,
                     const struct ray_weights *weights, double complex *out, struct failure *failure)
{
    const size_t frequencies = pressure->frequencies, channels = weights->channels;
    double complex *one = malloc((2 * frequencies + 1) * sizeof *one), *send = one + frequencies;
    double *receive = malloc((channels + 1) * sizeof *receive);
    if (one == NULL || receive == NULL) {
        free(one);
        free(receive);
        return failure_memory(failure, 2 * frequencies * sizeof *one, "the early sound");
    }
    for (size_t i = 0; i < channels * frequencies; i++)
        out[i] = 0;
    for (size_t p = images->first[receiver]; p < images->first[receiver + 1]; p++) {
        const struct ray_path *path = &images->path[p];
        ray_path_pressure(pressure, images, path, one);
        if (weights->send != NULL) {
            weights->send(weights->context, path->departure, send);
            for (size_t f = 0; f < frequencies; f++)
                one[f] *= send[f];
        }
        if (weights->hear != NULL) {
            weights->hear(weights->context, path, send);
            for (size_t f = 0; f < frequencies; f++)
                one[f] *= send[f];
        }
        for (size_t c = 0; c < channels; c++)
            receive[c] = 1;
        if (weights->receive != NULL)
            weights->receive(weights->context, path->arrival, receive);
        for (size_t c = 0; c < channels; c++)
            for (size_t f = 0; f < frequencies; f++)
                out[c * frequencies + f] += receive[c] * one[f];
    }
    free(one);
    free(receive);
    return 0;
}

void ray_path_energy(const struct ray_images *images, const struct ray_path *path,
                     const struct ray_wall *wall, const double air[RAY_OCTAVES], double out[RAY_OCTAVES])
{
    const struct ray_surface *surface = &images->surface[path->first];
    for (int o = 0; o < RAY_OCTAVES; o++)
        out[o] = exp(-air[o] * path->length) / (path->length * path->length);
    for (uint32_t s = 0; s < path->surfaces; s++) {
        const struct ray_wall *met = &wall[surface[s].material];
        float share[RAY_OCTAVES];
        if (surface[s].transmitted)
            ray_wall_transmitted(met, (float)surface[s].cosine, share);
        else
            ray_wall_reflected(met, (float)surface[s].cosine, share);
        for (int o = 0; o < RAY_OCTAVES; o++)
            out[o] *= (double)share[o] * (surface[s].transmitted
                                              ? 1
                                              : (1 - (double)met->scattering[o]) *
                                                    size_share(&surface[s], ray_octave_centre(o)));
    }
}

void ray_path_share(const struct ray_images *images, const struct ray_path *path, double out[RAY_OCTAVES])
{
    for (int o = 0; o < RAY_OCTAVES; o++) {
        out[o] = 1;
        for (uint32_t s = 0; s < path->surfaces; s++)
            out[o] *= size_share(&images->surface[path->first + s], ray_octave_centre(o));
    }
}

static bool is_reflected(const struct ray_images *images, const struct ray_path *path)
{
    bool reflected = false;
    for (uint32_t s = 0; s < path->surfaces; s++)
        reflected = reflected || !images->surface[path->first + s].transmitted;
    return reflected;
}

void ray_early_add(const struct ray_images *images, size_t receiver, const struct ray_wall *wall,
                   const double air[RAY_OCTAVES], const struct ray_early *early)
{
    for (size_t p = images->first[receiver]; p < images->first[receiver + 1]; p++) {
        const struct ray_path *path = &images->path[p];
        double energy[RAY_OCTAVES], share[RAY_OCTAVES];
        if (!is_reflected(images, path))
            continue;
        ray_path_energy(images, path, wall, air, energy);
        ray_path_share(images, path, share);
        const double middle = early->delay * early->sound_speed + path->length,
                     unit = early->bin * early->sound_speed;
        const size_t from = (size_t)fmax(0, (middle - early->radius) / unit),
                     to = (size_t)((middle + early->radius) / unit);
        for (size_t b = from; b <= to && b < early->bins; b++)
            for (size_t o = 0; o < RAY_OCTAVES; o++) {
                const double each = early->gain * early->gain * energy[o] / (double)(to - from + 1);
                early->carried[b * RAY_OCTAVES + o] += each;
                early->whole[b * RAY_OCTAVES + o] += share[o] > 0 ? each / share[o] : 0;
            }
    }
}
