/** The places with responses of a room to one source. */
#ifndef SRC_WALK_FIELD_H
#define SRC_WALK_FIELD_H

#include <stddef.h>

struct mesh;

/** A place with a response; texts are borrowed. */
struct walk_station {
    const char *name;
    double position[3]; /* [m] */
    const char *path;   /* of the file */
    size_t channel;     /* of it, where the walk has one channel; of four the file has four */
    double front;       /* of four: the azimuth of its front [degrees] */
    double onset;       /* arrival of sound [s]; NaN: along the straight line */
};

struct walk_field {
    size_t stations;
    const struct walk_station *station; /* borrowed */
    const struct mesh *walls;           /* responses behind a wall are not used; borrowed; or NULL */
    double source[3];                   /* [m] */
    double sound_speed;                 /* [m/s] */
    double fmax;                        /* of the responses [Hz]; NaN: unknown */
    size_t channels;                    /* of the walk: 1, or AMBISONIC_CHANNELS */
};

#endif
