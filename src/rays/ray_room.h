/** The rays of a room: from a source to all its places, until the noise is as small as asked for, and again
 * with half and with twice the scattering, since that is what is known least.
 */
#ifndef SRC_RAY_ROOM_H
#define SRC_RAY_ROOM_H

#include <stdio.h>

#include "geometry/voxel/clearance.h"
#include "src/rays/ray_figures.h"
#include "src/rays/ray_trace.h"
#include "src/setup/room_setup.h"

/** A place is detected in a sphere of this share of its distance to the nearest surface .. */
#define RAY_CLEARANCE 0.9
/** .. of at most this share of the cube root of the bounding box's volume, and of at most RAY_RADIUS_MAX. A
 * place so near to a surface that less than RAY_RADIUS_MIN is left has no results [m]. */
#define RAY_ROOM_SHARE 0.05
#define RAY_RADIUS_MAX 1.0
#define RAY_RADIUS_MIN 0.05

/** Gaps that would let out less are not worth a word. */
#define RAY_GAPS_LEAST 0.01

/** The largest sphere of a room; and that of a place, `tree` of mesh_whole(), 0 if it is too near [m]. */
double ray_radius_most(const struct room_model *model);
double ray_place_radius(const struct room_model *model, const struct clearance *tree,
                        const double position[3]);

#define RAY_DURATION_MAX 30.0  /* [s] */
#define RAY_BIN          0.002 /* [s] */

/** What all sources share. Owned: ray_room_free(); zeroed is empty. Borrows the setup. Must not be
 * moved. */
struct ray_room {
    const struct room_setup *setup;
    struct mesh mesh;        /* of the model, without dummy heads */
    uint32_t (*triangle)[3]; /* its own triangles then, owned; else NULL */
    struct ray_scene scene;
    struct ray_space space;         /* empty without a grid: then gaps are open */
    struct ray_wall *wall[3];       /* (material_count) each; scattering as given, half, twice */
    double air[RAY_OCTAVES];        /* loss of energy [1/m] */
    float (*air_mean)[RAY_OCTAVES]; /* as in ray_task; NULL without losses */
    size_t places;
    struct ray_receiver *place; /* radius 0: too near to a surface */
};

/** After room_setup_read(); after room_voxelise() rays see the gaps that its grid closes, and must be made
 * before the grid is thinned. FAILURE_CAPACITY for memory and in a build without Embree. O(triangles log
 * triangles). */
int ray_room_make(const struct room_setup *setup, const double (*position)[3], size_t places,
                  struct ray_room *out, struct failure *failure);
void ray_room_free(struct ray_room *room);

/** FAILURE_INPUT if one of the setup's receivers, the first places, is too near to a surface. */
int ray_room_refuse_near(const struct ray_room *room, struct failure *failure);

/** What radiates: the members of a group, or the source itself; its front must be placed. `out` is the
 * caller's (free). */
int ray_room_emitters(const struct ray_room *room, size_t source, struct ray_emitter **out, size_t *count,
                      struct failure *failure);

struct ray_room_settings {
    /* Largest noise (standard error) of G, as energy, and of T30, relative: rms over the octaves 125 Hz to 4
     * kHz, at the median place. */
    double noise;
    double duration;    /* of the histograms [s]; 0: until the slowest octave has fallen by 60 dB */
    double early;       /* after the direct sound, for which mirrored energy is kept by itself [s] */
    size_t directional; /* the first places, for which directions are kept */
    size_t speech;      /* the first places, for which the change of STI is found: 15 ms each */
    const char *label;  /* of the progress line */
    FILE *progress;     /* NULL: quiet */
};

/** Owned: ray_result_free(); zeroed is empty. */
struct ray_result {
    struct ray_energy energy;    /* with the scattering given */
    struct ray_figures *figures; /* (places); NaN where there is no result */
    struct ray_figures *noise;   /* (places) standard error for the number of rays */
    struct ray_figures *spread;  /* (places) largest change with half or twice the scattering,
                                     less what noise explains */
    struct ray_figures *chance;  /* (places) standard deviation by interference: ray_figures_interference() */
    struct ray_figures *error;   /* (places) error bar: ray_room_widen() */
    double *sti_spread;   /* (places) change of STI, all of rays, with half or twice the scattering; 0 beyond
                             `speech` */
    double noise_reached; /* as noise of the settings */
    double gaps;          /* share of the sound of 1 kHz that gaps which the grid closes would let out (-) */
    double seconds;
};

/** Bytes that ray_room_trace() will hold. Traces a few rays: some milliseconds. */
int ray_room_bytes(const struct ray_room *room, size_t source, const struct ray_room_settings *settings,
                   double *bytes, struct failure *failure);

/** Rays from source `source` of the setup, whose front must be placed; a group has the rays of its members.
 * FAILURE_INTERRUPTED; FAILURE_CAPACITY for memory. The variants get an eighth of the rays. Cost: about 1 us
 * for each reflection and thread; noise^-2. */
int ray_room_trace(const struct ray_room *room, size_t source, const struct ray_room_settings *settings,
                   struct ray_result *out, struct failure *failure);
void ray_result_free(struct ray_result *result);

/** Make error bars, within which nine of ten responses are: spread, and by 1.645 standard deviations the
 * noise and either the interference of a single response or what the rays were measured to differ by from
 * waves, if that is more. `join`: that difference, rms of the receivers [JND]; NULL: not measured, as after
 * ray_room_trace(). */
void ray_room_widen(const struct ray_room *room, const double join[PRESSURE_FIGURES],
                    struct ray_result *result);

#endif
