#include "src/run/whole_ears.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/base/vector.h"

bool whole_ears_head(const struct room_setup *setup, size_t receiver, struct ray_head *out)
{
    const struct dummy_head *head = room_points_head_of(&setup->points, receiver);
    if (head == NULL)
        return false;
    const double *ear = head->ear[receiver - room_points_left_ear(&setup->points, head)];
    const double length = vector_distance(ear, head->position);
    *out = (struct ray_head){.radius = head->radius, .sound_speed = setup->model.sound_speed};
    vector_subtract(ear, head->position, out->ear);
    for (int axis = 0; axis < 3; axis++)
        out->ear[axis] /= length;
    return true;
}

/* What is heard of all directions of a bin, over what arrives. */
static double bin_share(const struct ray_energy *energy, size_t receiver, size_t bin, int octave,
                        const double (*heard)[RAY_OCTAVES])
{
    double sum = 0, whole = 0, even = 0;
    for (size_t c = 0; c < RAY_CELLS; c++) {
        const double from = ray_from_at(energy, receiver, bin, c, octave);
        sum += from * heard[c][octave];
        whole += from;
        even += heard[c][octave] / RAY_CELLS;
    }
    return whole > 0 ? sum / whole : even;
}

static void fill_sums(const struct ray_energy *energy, size_t receiver, const double (*heard)[RAY_OCTAVES],
                      int64_t *out)
{
    for (size_t b = 0; b < energy->bins; b++)
        for (int o = 0; o < RAY_OCTAVES; o++) {
            const double share = bin_share(energy, receiver, b, o, heard);
            for (size_t p = 0; p < RAY_PARTS; p++) {
                const size_t row = (p * energy->receivers + receiver) * energy->bins + b;
                out[(p * energy->bins + b) * RAY_OCTAVES + (size_t)o] =
                    llrint(share * (double)energy->sum[row * RAY_OCTAVES + (size_t)o]);
            }
        }
}

static void fill_direct(const struct ray_head *head, const struct ray_energy *energy, size_t receiver,
                        const double centre[3], const struct ray_emitter *emitter, double (*out)[RAY_OCTAVES])
{
    for (size_t e = 0; e < energy->emitters; e++) {
        double heard[RAY_OCTAVES], way[3];
        const double distance = vector_distance(emitter[e].position, centre);
        vector_subtract(emitter[e].position, centre, way);
        ray_head_energy(head, distance, vector_dot(way, head->ear) / distance, heard);
        for (int o = 0; o < RAY_OCTAVES; o++)
            out[e][o] = heard[o] * energy->direct[receiver * energy->emitters + e][o];
    }
}

int whole_ears_figures(const struct ray_head *head, const struct ray_energy *energy, size_t receiver,
                       const double centre[3], const struct ray_emitter *emitter, struct ray_figures *out,
                       struct failure *failure)
{
    double heard[RAY_CELLS][RAY_OCTAVES];
    struct ray_energy at_ear = {.receivers = 1,
                                .bins = energy->bins,
                                .bin = energy->bin,
                                .emitters = energy->emitters,
                                .rays = energy->rays,
                                .arrival = &energy->arrival[receiver * energy->emitters]};
    for (size_t c = 0; c < RAY_CELLS; c++) {
        double toward[3];
        ray_cell_middle(c, toward);
        ray_head_energy(head, RAY_HEAD_FAR, vector_dot(toward, head->ear), heard[c]);
    }
    at_ear.sum = malloc((RAY_PARTS * energy->bins * RAY_OCTAVES + 1) * sizeof *at_ear.sum);
    at_ear.direct = malloc((energy->emitters + 1) * sizeof *at_ear.direct);
    int code =
        at_ear.sum == NULL || at_ear.direct == NULL
            ? failure_memory(failure, RAY_PARTS * energy->bins * sizeof heard[0], "the energy at an ear")
            : 0;
    if (code == 0) {
        fill_sums(energy, receiver, (const double(*)[RAY_OCTAVES])heard, at_ear.sum);
        fill_direct(head, energy, receiver, centre, emitter, at_ear.direct);
        code = ray_figures_make(&at_ear, RAY_PARTS, 0, out, failure);
    }
    free(at_ear.sum);
    free(at_ear.direct);
    return code;
}
