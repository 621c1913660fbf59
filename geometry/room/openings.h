/** Every opening of a room, and the one width that closes it.
 *
 * Cracks beside free edges of the model are found first, with their exact widths (edge_gaps.h), and closed;
 * which of them are openings of the room is judged once it has closed air (room_gaps.h). The grid finds the
 * others. One leak is found after the other, and closed before the next is looked for: what is wider than the
 * grid's spacing by a plug of its own, what is narrower, or long, by sealing the whole model (seal.h). Once
 * the room is closed, other cracks that the seal has closed are listed as well, by their places; and the
 * model without plugs is sealed with what its widest opening needs, to see whether that is enough, on the
 * finer grid too. What the grid does not see is looked for on a finer one (fine_leak.h), and what the seal
 * closes there is listed too, on one of half the narrowest that a grid has found.
 */
#ifndef GEOMETRY_OPENINGS_H
#define GEOMETRY_OPENINGS_H

#include "geometry/room/voxeliser.h"

/** The widest seal that is tried [m]: what `--seal` takes. Wider openings are the grid's alone. */
#define OPENINGS_SEAL 0.5
/** Openings that are listed. */
#define OPENINGS_MAX 60

struct openings {
    size_t count;
    struct voxel_leak *opening; /* (count) owned, widest first; without points where no path leads through */
    bool closed;                /* the room was closed in the end: there are no others on this grid .. */
    double finer;               /* .. nor on one of that spacing [m]; 0: none was searched to its end */
    bool ended;                 /* by the time or by Ctrl-C: there may be others */
    double rest;                /* a seal that closes all but the widest [m]; 0: none was needed */
    double seal_width;          /* closes all of them [m]; NaN: none up to OPENINGS_SEAL does */
};
void openings_free(struct openings *openings);

/** The spacing that is wished for the finer grid [m]. */
#define OPENINGS_FINER 0.005

/** A limit ends the search and not the command: what was found until then is given back. */
struct openings_limits {
    uint64_t memory_bytes; /* what the finer grid may take; its spacing follows. 0: no such grid */
    double seconds; /* on the clock, and of work where others take the processors, after which nothing new
                       is begun; 0: any */
    void (*progress)(void *context, double share); /* called now and then, 0 to 1; may be NULL */
    void *context;
};

/** Look from `source`. `options` as for voxelise(); its seal is begun with, and what it closes is not listed.
 * `out` untouched on failure: FAILURE_CAPACITY for memory. One voxelisation for each opening that is wide,
 * and a few for all cracks together. */
int openings_find(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *source,
                  const struct voxelise_options *options, const struct openings_limits *limits,
                  struct openings *out, struct failure *failure);

#endif
