/** From options to a room ready to be stepped: mesh, surfaces, positions, lattice, air, blocks.
 *
 *   room_setup_read()        file -> mesh, walls (room_walls.h), sources and receivers; prints what it found
 *   room_setup_resolution()  fmax or spacing -> time step and lattice
 *   room_setup_fill()        voxelise and pack -> block_grid; writes the path of a leak
 *
 * Shared by every command that takes a ROOM. Facts go to standard error unless --quiet, warnings always.
 */
#ifndef SRC_ROOM_SETUP_H
#define SRC_ROOM_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "blocks/wall_areas.h"
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "kernels/engine/engine.h"
#include "kernels/scheme/time_step.h"
#include "rooms/materials/surfaces.h"
#include "src/options/options.h"
#include "src/setup/backend_choice.h"
#include "src/setup/receiver_grid.h"
#include "src/signal/air.h"

/** Points per wavelength that keep the phase error below 1 % in the worst direction (numerics.md section 7).
 */
#define ROOM_POINTS 10.5
/** Absorption at all frequencies that `plan` takes where none is known. */
#define ROOM_MISSING_ABSORPTION 0.1
/** Fewest points per wavelength at fmax: below them nothing of the band is right. */
#define ROOM_POINTS_LEAST 4.0

struct room_point {
    enum seed_kind kind;
    bool of_model;              /* a marker, not an option */
    char name[OPTION_NAME_MAX]; /* letters, digits, _ and -; unique among its kind */
    double position[3];         /* [m] */
};

/** A space of the model that is larger than the one that is taken: room_space.h. */
struct larger_space {
    double volume;           /* about [m3]; 0: there is none */
    double position[3];      /* in it, well clear of walls [m] */
    bool open;               /* on the run's grid a way leads from it out of the model, through .. */
    double gap[3], gap_size; /* .. this narrowest place [m], so wide [m] */
};

/** Everything is owned (room_setup_free()) but `options`, which must outlive it. Start zeroed. */
struct room_setup {
    const struct options *options;
    struct backend_choice backend;

    struct mesh mesh;
    struct mesh_import_facts facts;
    double low[3], high[3];          /* of the mesh [m] */
    uint64_t file_hash;              /* FNV-1a of the model file's bytes */
    uint64_t mesh_hash;              /* FNV-1a of vertices, triangles and material names as imported */
    uint64_t materials_hash;         /* of --materials; 0 without */
    struct surface_table table;      /* --absorption and --materials */
    struct material_library library; /* the program's */
    double *area;                    /* (material_count) [m2] */
    struct surface *surface;         /* (material_count): where from, absorption by octave, branches */
    struct wall_material *wall;      /* (material_count): those branches, as an engine takes them */
    size_t uncovered;                /* materials that got ROOM_MISSING_ABSORPTION */
    uint16_t
        *back_material; /* (material_count) what is behind every material, by --two-sided; NULL without */

    size_t sources, receivers;
    struct room_point *point; /* (sources + receivers), sources first */
    size_t receiver_grids;
    struct receiver_grid *receiver_grid; /* (receiver_grids) on setup->grid, whose air they stand in */
    size_t grid_points;                  /* of all of them */
    double floor_points,
        floor_most;          /* before they are laid out: of the floors of all of them, of the largest */
    bool source_is_cavity;   /* no source was given: point 0 stands in the largest enclosed cavity */
    bool place_receiver;     /* to be set after room_setup_read(): where there is no receiver, place one */
    bool receiver_is_placed; /* that happened: the last point stands in the air of the sources */
    double source_clearance, receiver_clearance; /* of those two from any surface [m] */
    bool find_ways;    /* to be set there: room_setup_fill() looks for ways out of an open or sealed room */
    bool both_layouts; /* to be set there: blocks and box are held at once, for --steps (`compare`) */
    bool any_space; /* to be set there: a space that looks like furniture is told and not refused (`plan`) */

    struct air air;
    double sound_speed; /* in it [m/s] */
    double fmax;        /* [Hz] */
    bool fmax_automatic;
    double points; /* per wavelength at fmax, as used (-) */
    struct time_step step;
    struct lattice lattice;

    struct voxel_findings findings; /* seed_node per point */
    struct larger_space larger;     /* than the one that is taken; zeroed: there is none */
    struct block_grid grid;
    struct wall_areas areas; /* of the materials in the grid, brought to the mesh's */
    uint64_t voxels_bytes;   /* that the voxels took before they were packed */
    double fill_seconds;     /* voxelising and packing */

    bool silent; /* warnings are kept and not printed: the caller tells them in its own words */
    size_t warning_count;
    char **warning; /* as printed */
};

/** Import, materials, positions. Missing absorption is FAILURE_INPUT when `strict`, else
 * ROOM_MISSING_ABSORPTION with a notice; missing sources and receivers are FAILURE_INPUT when `strict`.
 * FAILURE_CAPACITY, before anything is read, for --backend cuda without a device. Of `setup` only `silent` is
 * read. */
int room_setup_read(const struct options *options, bool strict, struct room_setup *setup,
                    struct failure *failure);

/** Spacing, time step and lattice for `fmax` [Hz] (with --spacing: that spacing; 0 then means what it carries
 * at ROOM_POINTS). FAILURE_INPUT where --spacing is too coarse for fmax. */
int room_setup_resolution(struct room_setup *setup, double fmax, struct failure *failure);

/** Lattice of another spacing over the same room, by the same options; changes nothing in `setup`. */
int room_setup_lattice(const struct room_setup *setup, double spacing, struct lattice *out,
                       struct failure *failure);

/** Voxelise and pack on setup->lattice. Without a source (and not strict) the largest enclosed cavity is
 * found first and gets one; with `place_receiver` a receiver is placed likewise in the air of the sources
 * (automatic_place.h). An earlier grid is replaced. That another space is larger is told; FAILURE_INPUT where
 * the one taken then looks like furniture (room_space.h). */
int room_setup_fill(struct room_setup *setup, struct failure *failure);

/** The same on another lattice, into `grid` (owned by the caller on success), without findings and without
 * writing the path of a leak. */
int room_setup_fill_on(struct room_setup *setup, const struct lattice *lattice, struct block_grid *grid,
                       uint64_t *voxels_bytes, struct failure *failure);

/** Resolve --two-sided into setup->back_material, with a material more in the mesh for every back that it
 * does not know; called by room_setup_read(). FAILURE_INPUT for a name that no surface has, no name behind,
 * or two. */
int room_two_sided(struct room_setup *setup, struct failure *failure);

/** A back has no triangles: add the areas of what it is behind to setup->area. */
void room_two_sided_areas(struct room_setup *setup);

/** Bring the areas of the materials in `grid` to those of the mesh that face air (wall_areas.h), or with
 * --walls first-order only measure them; called by room_setup_fill(). `out` is owned by the caller.
 * FAILURE_CAPACITY for memory. */
int room_rescale_areas(const struct room_setup *setup, struct block_grid *grid,
                       const struct voxel_findings *findings, struct wall_areas *out,
                       struct failure *failure);

/** Say which surfaces face air with a part or with both sides, and warn of those whose area the grid cannot
 * carry. */
void room_tell_areas(struct room_setup *setup);

/** Write the path of a leak as OBJ, turning `leak` to the units and axes of the model, where a modeller shows
 * both: to --leak, else leak.obj beside the model (leak-2.obj.. where another file has that name), else in
 * the current folder. `path` receives the name; false when it could not be written, with the reason in
 * `failure` unless no name was free. */
#define LEAK_PATH_MAX 1200
bool room_setup_write_leak(const struct room_setup *setup, struct voxel_leak *leak, char path[LEAK_PATH_MAX],
                           struct failure *failure);

/** The same, and say at the end of the failure's sentence where it was written, or why not. */
void room_setup_tell_leak(const struct room_setup *setup, struct voxel_leak *leak, struct failure *failure);

/** How the voxeliser is to be called for these options. */
struct voxelise_options room_voxelise_options(const struct room_setup *setup);

void room_setup_free(struct room_setup *setup);

/** The same room on a grid moved by half a cell in each axis, voxelised and packed, after room_setup_fill():
 * mesh, materials and points are borrowed from `setup`, the grid, its findings and warnings are its own and
 * freed by room_setup_shifted_free(), also after a failure. Prints nothing. Failures as room_setup_fill(). */
int room_setup_shifted(const struct room_setup *setup, struct room_setup *out, struct failure *failure);
void room_setup_shifted_free(struct room_setup *shifted);

/** Are the receiver grids that are asked for areas of this room, and how many points may they have at most?
 * Called by room_setup_read(). FAILURE_INPUT as receiver_area_make(). */
int room_receiver_grids_check(struct room_setup *setup, struct failure *failure);

/** Lay them out in the air of setup->grid and tell how many points each has; called by room_setup_fill().
 * Failures of receiver_grid_make(). */
int room_receiver_grids_make(struct room_setup *setup, struct failure *failure);

/** The same points on shifted->grid; called by room_setup_shifted(). */
int room_receiver_grids_move(const struct room_setup *setup, struct room_setup *shifted,
                             struct failure *failure);
void room_receiver_grids_free(struct room_setup *setup);

/** Points of all receiver grids, and bytes that responses of `duration` [s] of the largest of them take while
 * they are made. Before there is a grid every receiver grid counts with all points of its floor, of which
 * none has been left out yet. */
double room_grid_points_most(const struct room_setup *setup);
double room_maps_bytes(const struct room_setup *setup, double duration);

/** Has a run directional receivers (--ambisonics, and --head, which implies it), and how many receivers does
 * its engine have for their gradients? */
bool room_has_gradients(const struct room_setup *setup);
size_t room_gradient_receivers(const struct room_setup *setup);

/** The back end of setup->backend with --layout, --precision and --threads. Without --threads a room of few
 * nodes is stepped by one: waiting for one another would take threads longer than the work. */
struct engine_options room_engine_options(const struct room_setup *setup, double stored_nodes);
#define ROOM_NODES_PER_THREAD 32768.0

/** Print a warning ("transept: warning: ...") and keep it for the JSON output. */
__attribute__((format(printf, 2, 3))) void room_warn(struct room_setup *setup, const char *format, ...);

/** "1.5, 2.033, 1.2 m": a position to the millimetre, wherever the model stands. Into `text`, returned. */
#define ROOM_PLACE_MAX 96
const char *room_place(const double position[3], char text[ROOM_PLACE_MAX]);

/** Print a fact unless --quiet. */
__attribute__((format(printf, 2, 3))) void room_say(const struct room_setup *setup, const char *format, ...);

/** Sources and receivers from options and markers; called by room_setup_read(). */
int room_points_collect(struct room_setup *setup, bool strict, struct failure *failure);

/** FAILURE_INTERRUPTED when Ctrl-C was seen. */
int room_interrupted(struct failure *failure);

#endif
