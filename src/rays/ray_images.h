/** Direct sound and image sources: the paths of early sound from a source to receivers.
 *
 * Specular rays find sequences of planes (ray_planes.h); each sequence is then tested exactly for each
 * receiver: the source is mirrored through its planes, the reflection points must lie on triangles of these
 * planes, and no wall may be between. A ray, and a path, passes a sheet as well as it is mirrored by it. A
 * sequence that no ray finds is missing: of N rays each covers 4 pi r^2 / N at the distance r. A facet that
 * is small beside the Fresnel zone reflects less (ray_patches.h); so do those of a curved surface, whose
 * reflection is then left to rays.
 *
 * The window starts at the distance of the source over the speed of sound, also where that path is blocked.
 * A result does not depend on the number of threads. O(rays x reflections x (log triangles + receivers) +
 * sequences x receivers).
 */
#ifndef SRC_RAY_IMAGES_H
#define SRC_RAY_IMAGES_H

#include "src/rays/ray_patches.h"
#include "src/rays/ray_trace.h"

/** Most reflections of a path. The window ends where a ray with so many could arrive. */
#define RAY_REFLECTIONS_MAX 64

/** Least and default number of sequences to keep, of at most 80 bytes each. */
#define RAY_SEQUENCES_LEAST 64
#define RAY_SEQUENCES       ((size_t)1 << 20)

struct ray_image_task {
    const struct ray_task *room; /* without its bins; of `wall` only is_sheet; receivers not at the source */
    const struct ray_planes *planes;
    const struct ray_patches *patches; /* of the planes; NULL: facets of any size reflect as planes do */
    size_t emitter;                    /* of the room, whose gain and delay are left to the caller */
    double window;                     /* [s] */
    uint64_t rays;
    size_t most; /* sequences to keep; if there are more, the window ends where the later half begins */
};

/** A surface that a path meets. */
struct ray_surface {
    uint16_t material; /* of the side that is hit */
    bool transmitted;  /* a sheet; else reflected */
    double cosine;     /* of the angle of incidence */
    double limit[2];   /* below which a reflection is less: of ray_patches.h, 0 without patches [Hz] */
};

struct ray_path {
    double length;       /* [m] */
    double departure[3]; /* unit, room axes: from the source */
    double arrival[3];   /* unit, room axes: from the receiver to the last image */
    size_t first;        /* its surfaces, from the receiver to the source */
    uint32_t surfaces;
};

/** Owned: ray_images_free(); zeroed is empty. */
struct ray_images {
    size_t receivers;
    size_t *first; /* (receivers + 1) paths of each, by length */
    struct ray_path *path;
    struct ray_surface *surface;
    double window;    /* that was reached: no sequence found within it was dropped [s] */
    size_t sequences; /* that were tested */
};

/** FAILURE_CAPACITY for memory. After `stop` of the task the result is not usable. */
int ray_images_make(const struct ray_image_task *task, struct ray_images *out, struct failure *failure);
void ray_images_free(struct ray_images *images);

#endif
