/** Responses of the whole band: waves up to fmax, rays above (src/rays/ray_join.h).
 *
 * Of each source rays are traced to all receivers and points of receiver grids. Their direct sound and early
 * images are joined in phase; the other energy becomes random sound. Figures of the octaves that the waves
 * hold whole are those of the waves; those above are of the energy along rays, without the chance of one
 * random sound.
 */
#ifndef SRC_WHOLE_BAND_H
#define SRC_WHOLE_BAND_H

#include "src/rays/ray_images.h"
#include "src/rays/ray_join.h"
#include "src/rays/ray_room.h"
#include "src/response/acoustics/speech_transmission.h"
#include "src/run/grid_parts.h"
#include "src/run_folder/run_model.h"

#define WHOLE_BAND_HIGHEST 22387.0 /* upper edge of the octave of 16 kHz [Hz] */
#define WHOLE_BAND_EARLY   0.02    /* of images after the direct sound [s] */

/** The rays of one source. */
struct whole_source {
    struct ray_result rays;
    struct ray_images *images; /* (emitters) */
    struct ray_emitter *emitter;
    size_t emitters;
    struct ray_join_difference *difference; /* (receivers) in the octave of the join */
    struct ray_join_check check;
    double correction[RAY_OCTAVES]; /* added to the level of rays [dB] */
};

/** Owned: whole_band_free(). Borrows the run. */
struct whole_band {
    const struct grid_run *run;
    struct ray_room room;
    struct ray_planes planes;
    struct ray_law *law;         /* (materials) */
    int octave;                  /* of the join: ray_join_octave() */
    struct whole_source *source; /* (sources); zeroed before it is traced */
};

/** For a placed run without an engine. FAILURE_INPUT if rays cannot be joined to it: a receiver is too near
 * to a surface, fmax is below that of the lowest octave, there are dummy heads or a second grid.
 * FAILURE_CAPACITY without Embree, and if rays do not fit the available memory beside the waves. */
int whole_band_make(const struct grid_run *run, const struct room_estimate *estimate, struct whole_band **out,
                    struct failure *failure);
void whole_band_free(struct whole_band *whole);

/** Trace the rays of a source. FAILURE_INTERRUPTED. */
int whole_band_trace(struct whole_band *whole, size_t source, struct failure *failure);

/** False before that, and after Ctrl-C in it. */
bool whole_band_is_traced(const struct whole_band *whole, size_t source);

/** Free what of a source only its responses and the figures of points need, once they are made. */
void whole_band_finish(struct whole_band *whole, size_t source);

/** Compare them with the waves of all receivers of the source, whose pairs have their figures, and correct
 * their level. */
int whole_band_settle(struct whole_band *whole, size_t source, struct failure *failure);

/** The response of a receiver: `out` (count, channels) from `wave` (count, channels) of the run. Channels: 1,
 * or the 4 of ambisonic_response.h with the front at the azimuth `front` [degrees], of which the first is
 * the response of 1 but for rounding. */
int whole_band_response(const struct whole_band *whole, size_t source, size_t receiver, size_t channels,
                        double front, const float *wave, size_t count, float *out, struct failure *failure);

/** Add to the figures of the waves those of the octaves above. */
void whole_band_figures(const struct whole_band *whole, size_t source, size_t receiver,
                        struct acoustic_figures *figures, struct speech_transmission *speech);

/** The same for the points of a receiver grid, of which the first is number `first` of all grids: `figures`
 * (points). A point nearer to a surface than a sphere of rays can be has none. */
void whole_band_map_figures(const struct whole_band *whole, size_t source, size_t first, size_t points,
                            struct acoustic_figures *figures);

/** Fill the model, whose calibration is filled: rays of all sources that were traced, and what is theirs of
 * each response. False without memory. */
bool whole_band_record(const struct whole_band *whole, struct run_model *model);
bool whole_band_record_response(const struct whole_band *whole, size_t source, size_t receiver,
                                struct record_response *response);

/** Warn of sources whose rays do not fit their waves. */
void whole_band_warn(const struct whole_band *whole, size_t source, struct room_notices *notices);

#endif
