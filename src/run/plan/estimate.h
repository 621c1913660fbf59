/** Predicts the bytes and time of a run, before anything large is allocated, and the highest fmax that fits.
 *
 * Before a grid exists its time step is that of room_courant_first().
 *
 * A grid that exists is counted exactly. Another spacing is predicted from one grid of the same room: air
 * nodes scale with the volume; blocks that are only partly air, walls and tiles with the surface. Time is
 * measured by stepping a piece of a grid of this room in blocks on this machine. A node of a box is assumed
 * to take as long. With request.plan.both_layouts (`compare`) bytes and time are those of blocks and box
 * together, over the requested steps, without hashing.
 *
 * On a CUDA device the pressures, the topology and the walls are there (bytes_device), and the host holds
 * only the data that they are made from. `compare` also holds a copy of the pressures, to start both layouts
 * alike.
 *
 * A room that ranks of MPI step (setup->hosts) is cut into as many parts (blocks/parts/part_count.h has the
 * bytes of a part). Rank 0 finds the air and packs it as one process does. It holds the grid of the whole
 * room while the parts are cut, one after the other. Then it holds that grid reduced by block_grid_thin(),
 * its own part and all responses. The others hold a part each. All must fit, on each host together.
 *
 *   estimate.c         memory and time of a grid, counted or predicted; the largest that fits
 *   estimate_ranks.c   memory of its ranks
 *   estimate_speed.c   how long a step takes
 *   estimate_survey.c  a coarse grid of the room, to predict from
 *   estimate_scaled.c  the same, of a grid that is too large to be counted
 *   run_disk.c         what it leaves on the disk
 *   estimate_choice.c  fmax and back end of a run, and the refusal of one that does not fit
 */
#ifndef SRC_ESTIMATE_H
#define SRC_ESTIMATE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "blocks/parts/part_count.h"
#include "src/run/plan/room_reverberation.h"
#include "src/setup/room_setup.h"

struct air_loss;

/* The time [s] of a speed measurement (at most two are made), and its memory [bytes]. */
#define ESTIMATE_SPEED_SECONDS 0.15
#define ESTIMATE_SPEED_BYTES   (UINT64_C(64) << 20)

/** The counts of a grid: exact, or scaled from a grid of another spacing. */
struct room_counts {
    double spacing;   /* [m] */
    double box[3];    /* nodes of the air's box */
    double cells;     /* volume of the air in cells, used for scaling */
    double air_nodes; /* including those behind open faces: .. */
    double layer;     /* .. these */
    double blocks, tiles, walls, wall_nodes, cuts, merged, sheets;
    double list_nodes, linked_nodes, extra_links; /* further pieces of air */
    double voxels_bytes;
    double fill;                   /* until the air is found and packed [s] */
    const struct block_grid *grid; /* the counted grid, borrowed; NULL: scaled */
};

/** Needs of one run, counted or predicted. Names of bytes as in run.json. */
struct room_needs {
    double fmax, spacing, rate;
    double air_nodes, stored_nodes, blocks, box_nodes, wall_nodes;
    double bytes_blocks, bytes_walls, bytes_box, bytes_ideal, bytes_seed_blocks;
    double bytes_fill;     /* while the air is found and packed */
    double bytes_peak;     /* on the host, of the whole run in the requested layout (or both), finding the air
                              included */
    double bytes_first;    /* of rank 0 once the air is found, and .. */
    double bytes_rank;     /* .. of the largest other rank; 0 in one process. bytes_peak is then rank 0's */
    double bytes_cpu;      /* bytes_peak if processors stepped the run */
    double bytes_device;   /* of device memory, of each of several devices; 0 without one */
    double bytes_disk;     /* of the run's files: run_disk.h */
    double bytes_rays;     /* of the rays that are joined to it, beside bytes_peak; 0: none are */
    double duration;       /* of responses; the likely one when automatic [s] */
    double first_duration; /* automatic: of the first piece [s] */
    double steps;          /* of one source */
    double updates;        /* of stored nodes (box: of nodes of the box) in the whole run, all sources */
    double seconds_steps;  /* of stepping, all sources, with losses of the air there; 0 without a measured
                              speed */
    double seconds_rays;   /* of rays, all sources; 0: none are joined, or they do not fit */
    double seconds; /* of the whole run on an idle machine: finding and packing the air, stepping with checks
                       of the field, rays, responses; 0 without a measured speed */
};

/** Bytes on the host, rays included. A refusal does not count these: a run that may leave rays out does, and
 * one that must not counts them exactly (src/run/whole_band.h). */
static inline double estimate_bytes_in_all(const struct room_needs *needs)
{
    return needs->bytes_peak + (needs->seconds_rays > 0 ? needs->bytes_rays : 0);
}

/** The speed of one back end. */
struct step_speed {
    /* Measured seconds of a step, by rising number of nodes. Small grids take longer per node, since
     * threads wait for one another. */
    int samples;
    struct speed_sample {
        double nodes, seconds;
    } sample[2];
    /* Rooms of more nodes than the caches hold step at the speed of memory. */
    double cached_nodes;
    double seconds_a_node_uncached; /* 0 when not measured */
};

struct room_estimate {
    bool known;                                     /* counts and reverberation are set */
    struct room_counts counts;                      /* of one grid of the room */
    struct statistical_reverberation reverberation; /* in all octaves, with the losses of --air */
    double surface;                                 /* that faces the air [m2] */
    double ray_radius;                              /* ray_cost_radius(), found once; 0: unknown */
    double available;                               /* available bytes on the host */
    const struct room_hosts *hosts;                 /* of the setup; NULL: automatic */
    enum backend backend;                           /* the back end of needs, speeds and limits */
    double device_available;           /* available bytes on the device; 0 if none was found or looked for */
    struct step_speed speed[BACKENDS]; /* by enum backend */
};

/** Bytes of a pressure in the run's precision. */
static inline double estimate_real_bytes(const struct room_setup *setup)
{
    return setup->request.engine.precision == PRECISION_DOUBLE ? 8 : 4;
}

/** Seconds of one step over so many nodes, cut nodes and wall entries. Linear between two samples, in
 * proportion beyond the larger one, at the speed of memory beyond the caches; 0 without a sample. */
double estimate_step_seconds(const struct room_estimate *estimate, double nodes, double cuts, double walls);
/** Seconds that losses of the air add to a step over so many stored nodes, on the average: by their traffic
 * beside the 3 reals of a node of a step, at the speed of memory. 0 where the caches hold the room with the
 * states: there none was seen (kernels/README.md). */
double estimate_air_seconds(const struct room_estimate *estimate, double nodes, const struct air_loss *loss);

/** Set counts and reverberation from setup->grid.packed, a grid of the room whose voxels took `voxels`
 * bytes, and all of it `seconds`. */
void estimate_count(const struct room_setup *setup, const struct block_grid *grid, uint64_t voxels,
                    double seconds, struct room_estimate *estimate);
void estimate_from_grid(const struct room_setup *setup, struct room_estimate *estimate);

/** Nodes of the bounding box on which positions are chosen and rooms without a frequency are checked: about a
 * second on two cores with conformal walls. Costs are predicted from a coarser grid, a third of that. */
#define ESTIMATE_SURVEY_NODES 6e6
#define ESTIMATE_SAMPLE_NODES 2e6

/** Octave edge if nothing determines the needs of a run [Hz]. Every command refuses a room without a
 * frequency on this grid, so that all name the same places, unless it is finer than the survey's. */
#define ESTIMATE_FMAX_UNKNOWN 355.0

/** room_voxelise() on a grid of about ESTIMATE_SURVEY_NODES nodes, or a finer one if only that resolves the
 * positions. The path of a leak is not searched for. */
int estimate_voxelise_survey(struct room_setup *setup, struct failure *failure);

/** Set counts and reverberation from such a grid, and add a speed sample if `with_speed`. For `auto` also
 * sample the device, if one exists and some fmax makes a run long enough. Positions that only a finer
 * grid resolves make it finer; otherwise they fail. Leaves lattice and time step of that grid in `setup`. */
int estimate_survey(struct room_setup *setup, bool with_speed, struct room_estimate *estimate,
                    struct failure *failure);

/** Number of threads for measuring and predicting: the requested or all available ones; 1 for the
 * reference, 0 for a device. */
int estimate_threads(const struct room_setup *setup, enum backend backend);

/** Add a sample: step the first blocks of `grid` for about ESTIMATE_SPEED_SECONDS in
 * ESTIMATE_SPEED_BYTES, with their walls; links that leave the piece go to the empty block. Half of the
 * time is for steps that begin with the pressures out of the caches; on a device that share follows from
 * its copy rate. On estimate->backend. FAILURE_OUTPUT if the device fails. */
int estimate_measure(const struct room_setup *setup, const struct block_grid *grid,
                     struct room_estimate *estimate, struct failure *failure);

/** Add samples for setup->grid.packed and, if that is small, for a larger grid of the room, so that times
 * at other fmax can be predicted. Counts and reverberation stay those of setup->grid.packed. */
int estimate_measure_room(struct room_setup *setup, struct room_estimate *estimate, struct failure *failure);

/** Needs of a run at `fmax` (spacing by the options); and of one on setup->grid.packed, counted. */
struct room_needs estimate_needs(const struct room_setup *setup, const struct room_estimate *estimate,
                                 double fmax);
struct room_needs estimate_needs_of_grid(const struct room_setup *setup, const struct room_grid *grid,
                                         const struct room_estimate *estimate);

/** The latter, or with request.plan.scaled_to the scaled needs of the finer grid. */
struct room_needs estimate_needs_of_run(const struct room_setup *setup, const struct room_estimate *estimate);

/** Bytes of a wall entry's state in an engine, in addition to the entry: share or q, states, loss. */
double estimate_kept_by_entry(const struct room_setup *setup);

/** Set bytes_first and bytes_rank of a room with these counts: predicted, or counted if its grid exists.
 * @param levels reals that are stored for each node, of pressure and of losses of the air
 * @param samples bytes of responses on rank 0 @param grid NULL: predicted */
void estimate_ranks(const struct room_setup *setup, const struct part_counts *whole,
                    const struct block_grid *grid, unsigned levels, double samples, struct room_needs *needs);

/** True if a run fits `share` of the available bytes on the host (on each host of ranks) and, if it uses
 * one, on the device. */
bool estimate_fits(const struct room_estimate *estimate, const struct room_needs *needs, double share);

/** Share of the available bytes that predictions may use, since they may err by some per cent; less the
 * bytes of one more layer of blocks along each axis. */
#define ESTIMATE_PREDICTED_SHARE 0.9

/** Highest fmax [Hz] at the options' points per wavelength, rounded down to three digits, whose run fits
 * `share` of the available bytes (0: any) and takes at most `seconds` (0: any); 0 if not even 20 Hz does. */
double estimate_highest_fmax(const struct room_setup *setup, const struct room_estimate *estimate,
                             double share, double seconds);

/** Duration of responses [s]: as requested, or of automatic ones these multiples of
 * room_reverberation_longest() for the first piece and for the likely end, where a straight decay has the
 * range of DECAY_RANGE_T30 at .75; longer by the longest delay of sources that sound together, within these
 * limits. Churches and a cross ended at .77 to 1.35, a sphere at 2.1. */
#define DURATION_FIRST   0.7
#define DURATION_LIKELY  0.9
#define DURATION_LONGEST 15.0
#define DURATION_LEAST   0.1

/** Highest octave_edge whose run fits memory and --budget, or 0. */
double estimate_octave_edge(const struct room_setup *setup, const struct room_estimate *estimate);

/** True if rays are joined to the waves of a run up to `fmax` [Hz], if they fit. */
bool estimate_joins_rays(const struct room_setup *setup, double fmax);

/** The octave above those of a run up to `fmax` [Hz], and the needs of the smallest run that holds it, whose
 * bytes_peak has those of rays. */
struct next_octave {
    double octave;           /* nominal frequency [Hz]; 0: none up to 8 kHz is missing */
    struct room_needs needs; /* at its upper edge */
};
struct next_octave estimate_next_octave(const struct room_setup *setup, const struct room_estimate *estimate,
                                        double fmax);

/** What the time of a run is for the edges of octaves, those first that take at most a day: "waves to 355 Hz
 * and rays: 1 min 2 s; to 710 Hz: 9 min 5 s". */
#define FMAX_CHOICE_WORDS 300
const char *estimate_choice_words(const struct room_setup *setup, const struct room_estimate *estimate,
                                  char text[FMAX_CHOICE_WORDS]);

/** "the next octave, 1000 Hz, needs fmax 1420 Hz: 2.1 GB and about 3.2 h", and whether it fits. Empty if
 * none is missing. The time has the assumptions of that of the run. */
#define NEXT_OCTAVE_WORDS 240
const char *estimate_next_words(const struct room_estimate *estimate, const struct next_octave *next,
                                char text[NEXT_OCTAVE_WORDS]);

/** True if setup->grid, of which only the lattice is needed, is too large to be made for a plan
 * (request.plan.counted). */
bool estimate_is_scaled(const struct room_setup *setup);

/** Choose fmax for `auto` and set the resolution, before the run's own air is found. FAILURE_CAPACITY if
 * the run cannot fit (not `strict`: if not even finding the air fits, except for a grid that is not
 * made). */
int estimate_choose_resolution(struct room_setup *setup, bool strict, struct room_estimate *estimate,
                               struct failure *failure);

/** Node updates of a run, about a second on two processors. A shorter run does not use a device, which
 * takes as long to start. */
#define ESTIMATE_SHORT_UPDATES 1e8

/** Choose setup->backend for `auto` from the needs on setup->grid.packed, and print the choice with its
 * reason. Processors step a run of less than about a second, since a device takes as long to start. Else a
 * device does if one exists and the run fits its memory, else processors. Takes counts from
 * setup->grid.packed; may look for a device. With another --backend only `estimate` is set. */
void estimate_choose_backend(struct room_setup *setup, struct room_estimate *estimate);

/** The fewest GPUs, of `most`, that hold a grid together, each with the free bytes of the first; 0: `most`
 * are too few. */
unsigned estimate_cards(const struct room_setup *setup, const struct room_estimate *estimate, unsigned most);

/** FAILURE_CAPACITY with the needed and available bytes, on the host or the device, and the highest fmax
 * that fits both, if `needs` do not fit one of them. */
int estimate_refuse_too_large(const struct room_setup *setup, const struct room_estimate *estimate,
                              const struct room_needs *needs, struct failure *failure);

/** FAILURE_CAPACITY with the bytes if the disk of `path` has less free space than the run's files take. */
int estimate_check_disk(const struct room_needs *needs, const char *path, struct failure *failure);

#endif
