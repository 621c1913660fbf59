/** The grid of a room: its resolution, its lattice, and the air that was found on it, packed in blocks.
 *
 *   room_grid_resolution()  fmax or spacing -> time step and lattice
 *   room_voxelise()         lattice -> air: findings, blocks, masses, areas of walls, receiver grids
 * (room_voxelise.h)
 *
 * With conformal walls, and always in the isotropic scheme, the time step is settled when the grid is packed
 * (room_masses_settle()). Estimates before that, also those for fmax `auto`, use the first share that it
 * tries.
 */
#ifndef SRC_ROOM_GRID_H
#define SRC_ROOM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "blocks/cut_masses.h"
#include "blocks/wall_areas.h"
#include "blocks/wall_kinds.h"
#include "geometry/room/voxeliser.h"
#include "kernels/scheme/time_step.h"
#include "src/setup/receiver_grid.h"
#include "src/setup/room_model.h"

/** A space of the model that is larger than that of the run: room_space.h. */
struct larger_space {
    double volume;           /* about [m3]; 0: none */
    double position[3];      /* in it, well clear of walls [m] */
    bool open;               /* on the run's grid a path leads from it out of the model, through .. */
    double gap[3], gap_size; /* .. this narrowest place [m], so wide [m] */
};

/** Owned: room_grid_free(). */
struct room_grid {
    double fmax; /* [Hz] */
    bool fmax_automatic;
    double points_per_wavelength; /* at fmax, as used (-) */
    struct time_step step;
    struct lattice lattice;

    struct voxel_findings findings; /* seed_node per point */
    struct larger_space larger;     /* than the chosen one; zeroed: none */
    struct block_grid packed;
    uint64_t hash;            /* of the grid, kept from when it was whole; 0: ask block_grid_hash() */
    struct cut_masses masses; /* of its nodes; zeroed without conformal walls */
    struct wall_areas areas;  /* of the materials in the grid; of staircases brought to the mesh's */
    /* Isotropic scheme: the walls of this grid, which have the requested absorption once the response is
     * warped (room_walls.h). Else zeroed, and walls are the model's. */
    struct wall_kinds kinds;
    struct wall_material *wall; /* (kinds.count) owned */
    size_t receiver_grids;
    struct receiver_grid *receiver_grid; /* (receiver_grids) in this air */
    size_t grid_points;                  /* of all of them */
    uint64_t voxels_bytes;               /* that the voxels took before they were packed */
    double fill_seconds;                 /* voxelising and packing, on the wall */
};

/** block_grid_hash() of the grid, also of a thin one. */
uint64_t room_grid_hash(const struct room_grid *grid);

/** Free the findings on the lattice; resolution and lattice stay. */
void room_grid_clear(struct room_grid *grid);
void room_grid_free(struct room_grid *grid);

/** Spacing, time step and lattice for `fmax` [Hz] (with request->spacing: that spacing; 0 then means the
 * highest at the scheme's standard quality). FAILURE_INPUT if that spacing is too coarse for fmax. */
int room_grid_resolution(const struct room_request *request, const struct room_model *model, double fmax,
                         struct room_grid *out, struct failure *failure);

/** Another spacing over the same room, for any fmax: time step and lattice alone. */
int room_grid_spacing(const struct room_request *request, const struct room_model *model, double spacing,
                      struct room_grid *out, struct failure *failure);

/** The Courant number before there is a grid, as time_step_choose() takes it: the requested one, or that of
 * the first share tried with masses, or 0 for staircases of the standard scheme. */
double room_courant_first(const struct room_request *request);

/** True if nodes at walls get masses, which may shorten the time step. */
bool room_has_masses(const struct room_request *request);

/** Give the nodes of `packed` (lambda2 0) their masses, and its time step: the first of the shares of its
 * scheme's limit, with drums from DRUM_SHARE_MOST on, for which at most CUT_MASSES_ADDED_MOST of the volume
 * is added mass that no node can lend, else the last. FAILURE_CAPACITY for memory. */
int room_masses_settle(const struct grid_request *request, struct block_grid *packed, double sound_speed,
                       struct time_step *out, struct cut_masses *masses, struct failure *failure);

/** Volume of the cells of air, as a run steps them: its nodes, or with conformal walls what these leave of
 * them, the layer of an open scene apart, which has the other [h^3]. */
double room_cells(const struct block_grid *grid);
double room_layer_cells(const struct block_grid *grid, uint64_t *nodes);

/** Lattice of a spacing over the room. */
int room_lattice(const struct grid_request *request, const struct room_model *model, double spacing,
                 struct lattice *out, struct failure *failure);

/** Options of the voxeliser for a room; borrows from both. */
struct voxelise_options room_voxelise_options(const struct room_request *request,
                                              const struct room_model *model);

/** Spacing at which the model's bounding box has `nodes` nodes [m]. */
double room_spacing_of_nodes(const struct room_model *model, double nodes);

#endif
