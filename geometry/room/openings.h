/** Finds every opening of a room, and the one width that closes it.
 *
 * Cracks beside free edges of the model are found first, with their exact widths (edge_gaps.h), and closed.
 * room_gaps.h decides which of them are openings of the room once it has closed air. The grid finds the
 * others: each leak is closed before the next is searched. A leak wider than the grid's spacing is closed by
 * a plug, a narrower or long one by sealing the whole model (seal.h). Once the room is closed, other cracks
 * that the seal closed are listed as well, by their places. The model without plugs is then sealed with the
 * width of its widest opening to see if that is enough, on the finer grid too. Smaller openings are searched
 * on a finer grid (fine_leak.h), and cracks closed by the seal there are listed on a grid of half the
 * narrowest opening. */
#ifndef GEOMETRY_OPENINGS_H
#define GEOMETRY_OPENINGS_H

#include "geometry/room/voxeliser.h"

/** The widest seal tried [m]: the limit of `--seal`. Only the grid finds wider openings. */
#define OPENINGS_SEAL 0.5
/** Most openings listed. */
#define OPENINGS_MAX 60

struct openings {
    size_t count;
    struct voxel_leak *opening; /* (count) owned, widest first; without points if no path leads through */
    bool closed;                /* the room was closed at the end: there are no others on this grid .. */
    double finer;               /* .. nor on one of that spacing [m]; 0: no finer search was completed */
    bool ended;                 /* by the time or by Ctrl-C: there may be others */
    double rest;                /* a seal that closes all but the widest [m]; 0: none was needed */
    double seal_width;          /* closes all of them [m]; NaN: none up to OPENINGS_SEAL does */
};
void openings_free(struct openings *openings);

/** Requested spacing of the finer grid [m]. */
#define OPENINGS_FINER 0.005

/** A limit ends the search, not the command: openings found so far are returned. */
struct openings_limits {
    uint64_t memory_bytes; /* for the finer grid, whose spacing follows; 0: no such grid */
    double seconds; /* wall-clock time, and processor time if other programs run, after which no new search is
                       begun; 0: no limit */
    void (*progress)(void *context, double share); /* called now and then, 0 to 1; may be NULL */
    void *context;
};

/** Search from `source`. `options` as for voxelise(); cracks closed by its seal are not listed. `out`
 * untouched on failure: FAILURE_CAPACITY for memory. One voxelisation for each wide opening, and a few for
 * all cracks together. */
int openings_find(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *source,
                  const struct voxelise_options *options, const struct openings_limits *limits,
                  struct openings *out, struct failure *failure);

#endif
