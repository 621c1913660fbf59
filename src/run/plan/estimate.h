/** What a run would take: bytes and time, before anything large is allocated, and the highest fmax that fits.
 *
 * Before a grid exists its time step is that of room_courant_first().
 *
 * A grid that exists is counted exactly. Another spacing is predicted from one grid of the same room by what
 * scales with the volume (air nodes) and what scales with the surface (blocks that are only partly air,
 * walls, tiles). Time comes from stepping a piece of a grid of this room in blocks on this machine; a node of
 * a box is taken to last as long. With request.plan.both_layouts (`compare`) bytes and time are those of
 * blocks and box together, over the steps that are asked for, and hashing is left out.
 *
 * On a CUDA device the pressures, the topology and the walls lie there (bytes_device), and the host holds
 * only what it made them from; `compare` holds a copy of the pressures besides, to start both layouts alike.
 *
 * A room that ranks of MPI step (setup->hosts) is cut into as many parts (blocks/parts/part_count.h has the
 * bytes of a part). Rank 0 finds the air and packs it as one process does, then holds the grid of the whole
 * room while the parts are cut, one after the other, and from then on what block_grid_thin() leaves of it,
 * its own part and all responses. The others hold a part each. All must fit, on each host together.
 *
 *   estimate.c         what a grid takes, counted or predicted; what fits
 *   estimate_ranks.c   what its ranks take
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

/* What measuring the speed takes, twice at most, and holds [s], [bytes]. */
#define ESTIMATE_SPEED_SECONDS 0.15
#define ESTIMATE_SPEED_BYTES   (UINT64_C(64) << 20)

/** What a grid consists of: counted, or scaled from a grid of another spacing. */
struct room_counts {
    double spacing;   /* [m] */
    double box[3];    /* nodes of the air's box */
    double cells;     /* volume of the air in cells; to scale by */
    double air_nodes; /* with those behind open faces: .. */
    double layer;     /* .. these */
    double blocks, tiles, walls, wall_nodes, cuts, merged, sheets;
    double list_nodes, linked_nodes, extra_links; /* further pieces of air */
    double voxels_bytes;
    double fill;                   /* until the air is found and packed [s] */
    const struct block_grid *grid; /* that was counted, borrowed; NULL: scaled */
};

/** What one run would take, counted or predicted. Bytes as run.json names them. */
struct room_needs {
    double fmax, spacing, rate;
    double air_nodes, stored_nodes, blocks, box_nodes, wall_nodes;
    double bytes_blocks, bytes_walls, bytes_box, bytes_ideal, bytes_seed_blocks;
    double bytes_fill;    /* while the air is found and packed */
    double bytes_peak;    /* on the host, of the whole run in the layout that is asked for (or both), filling
                             included */
    double bytes_first;   /* of rank 0 once the air is found, and .. */
    double bytes_rank;    /* .. of the one of the others that takes most; 0 in one process. bytes_peak is rank
                             0's then */
    double bytes_cpu;     /* bytes_peak if the processors stepped it */
    double bytes_device;  /* of the device's memory, of each of several; 0 where none is used */
    double bytes_disk;    /* of the files that the run leaves: run_disk.h */
    double duration;      /* of the first piece when automatic [s] */
    double steps;         /* of one source */
    double updates;       /* of stored nodes (box: of nodes of the box) in the whole run, all sources */
    double seconds_steps; /* of stepping, all sources; 0 when no speed was measured */
    double seconds; /* of the whole run: until the air is found and packed, stepping with the looks at the
                       field, responses; 0 when no speed was measured. On a machine that does nothing else */
};

/** How fast one back end steps. */
struct step_speed {
    /* Measured seconds of a step, by rising number of nodes. Small grids take longer a node: the threads wait
     * for one another. */
    int samples;
    struct speed_sample {
        double nodes, seconds;
    } sample[2];
    /* Rooms of more nodes than the caches hold step at the speed of memory. */
    double cached_nodes;
    double seconds_a_node_uncached; /* 0 when not measured */
};

struct room_estimate {
    bool known;                                     /* counts and reverberation are filled in */
    struct room_counts counts;                      /* of one grid of the room */
    struct statistical_reverberation reverberation; /* in all octaves, with the losses of --air */
    double available;                               /* bytes that can be had now on the host */
    const struct room_hosts *hosts;                 /* of the setup; NULL: not asked */
    enum backend backend;                           /* that needs, speeds and limits are those of */
    double device_available; /* bytes that can be had on the device; 0 where none was looked for or found */
    struct step_speed speed[3]; /* by enum backend */
};

/** Bytes of a pressure in the run's precision. */
static inline double estimate_real_bytes(const struct room_setup *setup)
{
    return setup->request.engine.precision == PRECISION_DOUBLE ? 8 : 4;
}

/** Seconds of one step over so many nodes, cut nodes and wall entries: between two samples linear, beyond the
 * larger one in proportion, past what the caches hold at the speed of memory; 0 without a sample. */
double estimate_step_seconds(const struct room_estimate *estimate, double nodes, double cuts, double walls);

/** Counts and reverberation from a grid of the room whose voxels took `voxels` bytes, and all of it
 * `seconds`; from setup->grid.packed. */
void estimate_count(const struct room_setup *setup, const struct block_grid *grid, uint64_t voxels,
                    double seconds, struct room_estimate *estimate);
void estimate_from_grid(const struct room_setup *setup, struct room_estimate *estimate);

/** Nodes of the bounding box on which positions are chosen and rooms without a frequency are checked: about a
 * second on two cores with conformal walls. Costs are predicted from a coarser grid, a third of that. */
#define ESTIMATE_SURVEY_NODES 6e6
#define ESTIMATE_SAMPLE_NODES 2e6

/** Where nothing determines what a run would take: this octave edge [Hz]. A room that is refused without a
 * frequency is refused on that grid by every command, so that all name the same places, unless it is finer
 * than the survey's. */
#define ESTIMATE_FMAX_UNKNOWN 355.0

/** A grid of the room that voxelises in a fraction of a second, owned by the caller on success. Leaves its
 * lattice and time step in `setup`. Failures of room_voxelise_survey(). */
int estimate_survey_grid(struct room_setup *setup, struct block_grid *grid, uint64_t *voxels,
                         struct failure *failure);

/** Counts and reverberation from such a grid, and a speed sample if `with_speed`; for `auto` also one on the
 * device, where there is one and some fmax makes a run long enough. Positions that only a finer grid resolves
 * make it finer; then their failure is the function's. Leaves lattice and time step of that grid in `setup`.
 */
int estimate_survey(struct room_setup *setup, bool with_speed, struct room_estimate *estimate,
                    struct failure *failure);

/** Threads that steps are measured and predicted on: those asked for, or all that can be had; of the
 * reference one, of a device 0. */
int estimate_threads(const struct room_setup *setup, enum backend backend);

/** Step the first blocks of `grid` for about ESTIMATE_SPEED_SECONDS in ESTIMATE_SPEED_BYTES and add a sample:
 * of its walls too, links that leave the piece joined to the empty block. Half of the time goes to steps that
 * begin with the pressures out of the caches; on a device that share is derived from the rate at which it
 * copies. Of estimate->backend. FAILURE_OUTPUT when the device fails.
 */
int estimate_measure(const struct room_setup *setup, const struct block_grid *grid,
                     struct room_estimate *estimate, struct failure *failure);

/** Samples for setup->grid.packed and, where that is small, for a larger grid of the room, so that times at
 * other fmax can be predicted. Leaves counts and reverberation those of setup->grid.packed. */
int estimate_measure_room(struct room_setup *setup, struct room_estimate *estimate, struct failure *failure);

/** What a run at `fmax` (spacing by the options) would take; and one on setup->grid.packed, counted. */
struct room_needs estimate_needs(const struct room_setup *setup, const struct room_estimate *estimate,
                                 double fmax);
struct room_needs estimate_needs_of_grid(const struct room_setup *setup, const struct room_grid *grid,
                                         const struct room_estimate *estimate);

/** The latter, or with request.plan.scaled_to what the finer grid would take, scaled. */
struct room_needs estimate_needs_of_run(const struct room_setup *setup, const struct room_estimate *estimate);

/** What a part takes more for a wall entry, the entry itself apart: share or q, states, loss. */
double estimate_kept_by_entry(const struct room_setup *setup);

/** bytes_first and bytes_rank of a room with these counts: predicted, or counted where its grid is there.
 * @param samples bytes of responses on rank 0
 * @param grid    NULL: predicted */
void estimate_ranks(const struct room_setup *setup, const struct part_counts *whole,
                    const struct block_grid *grid, double samples, struct room_needs *needs);

/** Does a run fit `share` of what is available on the host (on each host of ranks) and, where it takes any,
 * on the device? */
bool estimate_fits(const struct room_estimate *estimate, const struct room_needs *needs, double share);

/** Predictions are allowed this share of what is available, they may err by some per cent; less what a layer
 * of blocks more along each axis takes. */
#define ESTIMATE_PREDICTED_SHARE 0.9

/** Highest fmax [Hz] at the options' points per wavelength, rounded down to three digits, whose run fits
 * `share` of what is available (0: takes any bytes) and takes at most `seconds` (0: any); 0 when not even
 * 20 Hz do. */
double estimate_highest_fmax(const struct room_setup *setup, const struct room_estimate *estimate,
                             double share, double seconds);

/** Responses last as long as is asked for, or the first piece of automatic ones 1.3 times
 * room_reverberation_longest(), later by the longest delay of sources that sound together, within these
 * [s]. */
#define DURATION_LONGEST 15.0
#define DURATION_LEAST   0.1

/** Highest octave_edge whose run fits memory and --budget, or 0. */
double estimate_octave_edge(const struct room_setup *setup, const struct room_estimate *estimate);

/** The octave above those that a run up to `fmax` [Hz] holds, and what the least run that holds it takes. */
struct next_octave {
    double octave;           /* as it is called; 0: none up to 8 kHz is missing [Hz] */
    struct room_needs needs; /* at its upper edge */
};
struct next_octave estimate_next_octave(const struct room_setup *setup, const struct room_estimate *estimate,
                                        double fmax);

/** "the next octave, 1000 Hz, needs fmax 1420 Hz: 2.1 GB and about 3.2 h", and that it does not fit where
 * that is so. Empty where none is missing. The time assumes what that of the run itself does. */
#define NEXT_OCTAVE_WORDS 240
const char *estimate_next_words(const struct room_estimate *estimate, const struct next_octave *next,
                                char text[NEXT_OCTAVE_WORDS]);

/** Is setup->grid, of which only the lattice is needed, too large to be made for a plan
 * (request.plan.counted)? */
bool estimate_is_scaled(const struct room_setup *setup);

/** Choose fmax for `auto` and set the resolution, before the run's own air is found. FAILURE_CAPACITY where
 * the run cannot fit (not `strict`: where not even finding the air fits, but for a grid that is not made). */
int estimate_choose_resolution(struct room_setup *setup, bool strict, struct room_estimate *estimate,
                               struct failure *failure);

/** Node updates of a run, about a second on two processors, below which it is not worth a device, which takes
 * as long to start. */
#define ESTIMATE_SHORT_UPDATES 1e8

/** Settle setup->backend for `auto` by what setup->grid.packed takes, and print which it is and why: the
 * processors for a run of less than about a second (a device takes as long to start), the device where there
 * is one and the run fits its memory, else the processors. Takes counts from setup->grid.packed; may look for
 * a device. Of another --backend only `estimate` is set. */
void estimate_choose_backend(struct room_setup *setup, struct room_estimate *estimate);

/** The fewest cards, of `most`, that hold a grid between them, each as much as is free on the first; 0: not
 * even all of them. */
unsigned estimate_cards(const struct room_setup *setup, const struct room_estimate *estimate, unsigned most);

/** FAILURE_CAPACITY with the bytes, those available on the host or the device, and the highest fmax that
 * fits both, when `needs` do not fit one of them. */
int estimate_refuse_too_large(const struct room_setup *setup, const struct room_estimate *estimate,
                              const struct room_needs *needs, struct failure *failure);

/** FAILURE_CAPACITY with the bytes where the disk that is to hold `path` has not as many free as the run
 * leaves.
 */
int estimate_check_disk(const struct room_needs *needs, const char *path, struct failure *failure);

#endif
