/** Reads drums and strokes in YAML:
 *
 *   drums:
 *   - name: low                        # letters, digits, _ and -; D1, D2, .. without
 *     position: [4.2, 1.0, 0.85]       # the middle of the membrane [m]
 *     radius_m: 0.328
 *     frequency_hz: 110                # of the (1,1) mode in air, or tension_n_per_m: 3500
 *     density_kg_per_m2: 0.262
 *     kettle_m3: 0.14                  # 0: none
 *     loss_per_s: 1                    # 6.9 over the reverberation time of a mode in vacuum
 *     high_loss_m2_per_s: 0.002        # and of a mode of wavenumber q this times q^2 more
 *     stretch_n_per_m: 420000          # Y of membrane.h; 0: blows do not change the tension
 *   strikes:
 *   - {drum: low, time_s: 0, at: 0.7, angle_degrees: 0, force_n: 60, contact_s: 0.004}
 *
 * Positions, drums and times are required; the other values shown are defaults. `at` is a share of the
 * radius. */
#ifndef SRC_SCORE_H
#define SRC_SCORE_H

#include "kernels/drum/drum.h"
#include "src/base/options/option_types.h"

#define SCORE_DRUMS_MOST   64
#define SCORE_STRIKES_MOST 10000

struct score_drum {
    char name[OPTION_NAME_MAX];
    double position[3]; /* [m] */
    double radius, density, kettle, loss, high_loss, stretch;
    double frequency, tension; /* one of them; the other is 0 until score_tune() */
};

/** Start zeroed; owned: score_free(). */
struct score {
    size_t drums, strikes;
    struct score_drum *drum;
    struct drum_strike *strike; /* in order of time */
};

/** FAILURE_INPUT names file, line and key of a fault; FAILURE_CAPACITY. */
int score_read(const char *path, struct score *score, struct failure *failure);

/** One more drum with the defaults, struck once, `time` after the start. */
int score_add_drum(struct score *score, const struct option_place *place, double time,
                   struct failure *failure);

/** Complete a score after all drums are added: names that occur twice are refused, tensions follow from
 * frequencies and frequencies from tensions (drum_tuning.h). */
int score_tune(struct score *score, double air_density, double sound_speed, struct failure *failure);

/** The drum in its room; borrows its name. */
struct drum_site score_site(const struct score *score, size_t drum);

void score_free(struct score *score);

#endif
