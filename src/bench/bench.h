/** A run of `bench`: options and results.
 *
 *   bench.c           cases, the chosen shapes and their checks at a small size, progress
 *   bench_host.c      on processors: limit, blocks and box take turns
 *   bench_device.c    on a CUDA device: one engine after another, beside its copy and the seed's kernels
 *   bench_parts.c     on processors, in parts of one process or ranks of MPI, beside one part
 *   bench_cards.c     on several, which share a room
 *   bench_report.c    words and JSON */
#ifndef SRC_BENCH_H
#define SRC_BENCH_H

#include "kernels/cuda/device_yardstick.h"
#include "kernels/machine/stream_limit.h"
#include "src/base/progress_line.h"
#include "src/bench/bench_check.h"
#include "src/bench/bench_measure.h"
#include "src/bench/bench_rooms.h"
#include "src/base/options/options.h"
#include "src/setup/backend_choice.h"
#include "src/base/options/room_request.h"

#define BENCH_LAYOUTS      2
#define BENCH_PRECISIONS   2
#define BENCH_TARGETS_MAX  8
#define BENCH_CASES_MAX    (BENCH_TARGETS_MAX * BENCH_PRECISIONS * BENCH_LAYOUTS)
#define BENCH_ARRAY_CACHES 8 /* the default; smaller arrays measure caches, not memory */

extern const char *const bench_layout_name[BENCH_LAYOUTS];
extern const char *const bench_precision_name[BENCH_PRECISIONS];

/** Rooms on several GPUs: size per GPU fixed, total size fixed, or size per GPU fixed on one and on all GPUs
 * only. */
enum bench_scaling { BENCH_WEAK, BENCH_STRONG, BENCH_ENDS };

/** Options that only `bench` has. */
struct bench_options {
    int64_t edge;          /* 0: by the caches and the memory, or the sizes of a device */
    double time;           /* 0: the default [s] */
    int shape;             /* 0: all, else enum bench_shape + 1 */
    int layout, precision; /* 0: both, else enum layout or enum precision + 1 */
    int64_t parts;         /* that the room is stepped in; 0: whole, or in ranks */
    int scaling;           /* on several GPUs: enum bench_scaling */
    double arrays;         /* each array of the limit is so many times the last cache; 0: the default */
};

/** A room to be stepped. */
struct bench_target {
    int64_t nodes;
    enum bench_shape shape;
    bool blocks_only; /* small: without the box */
    bool must_fit;    /* requested by size or name: a failure if it does not fit */
};

/** One layout and precision of one room. */
struct bench_case {
    struct bench_target room;
    int precision, layout;
    bool timed;
    struct bench_tally tally;
    double nodes; /* stored ones in blocks, those of the box in the box */
    char engine[224];
    struct bench_speed speed;
};

/** One of the seed's kernels, for comparison. */
struct bench_seed_case {
    struct bench_target room;
    struct device_yardstick kernel;
    struct device_yardstick_speed speed;
};

struct bench {
    const struct options *options;
    struct room_request request; /* of the user's room */
    struct bench_options own;
    struct backend_choice choice;
    int threads;
    size_t targets, cases, seed_cases;
    struct bench_target target[BENCH_TARGETS_MAX];
    struct bench_case entry[BENCH_CASES_MAX];
    struct bench_seed_case seed_entry[BENCH_CASES_MAX];
    struct progress_line progress;
    struct bench_tally small[BENCH_SHAPES + 1][BENCH_PRECISIONS][BENCH_LAYOUTS]; /* of small rooms */

    /* On processors. */
    uint64_t cache, available; /* [bytes] */
    int64_t edge;              /* of the rooms' size; 0 for the user's room */
    struct stream_limit limit;

    /* On a device. */
    double copy_rate; /* read and written [bytes/s] */
    uint64_t copy_bytes;
    bool small_checked[BENCH_SHAPES]; /* in all requested cases */
};

/** True if this layout and precision are to be measured. */
bool bench_wants(const struct bench *bench, int precision, int layout);

bool bench_wants_shape(const struct bench *bench, enum bench_shape shape);

/** Add every chosen shape as a target. */
void bench_add_shapes(struct bench *bench, int64_t edge, bool must_fit);

/** Run bench_check_small() on a room in every chosen case, into bench->small; the same for a shape that is
 * made for it. */
int bench_check_cases(struct bench *bench, const struct bench_room *room, struct failure *failure);
int bench_check_shape(struct bench *bench, enum bench_shape shape, int64_t edge, struct failure *failure);

/** Report the checks of a target's shape (`checked`), which is not timed because one of them failed. */
void bench_show_checks(struct bench *bench, const struct bench_target *target, enum bench_shape checked);

struct engine_options bench_engine_options(const struct bench *bench, int precision, int layout);

/** The entry for the case, made if needed. */
struct bench_case *bench_case_of(struct bench *bench, const struct bench_target *target, int precision,
                                 int layout);

/** Show the progress of the run. */
__attribute__((format(printf, 2, 3))) void bench_show(struct bench *bench, const char *format, ...);
/** Print a fact on standard error unless quiet. */
__attribute__((format(printf, 2, 3))) void bench_say(struct bench *bench, const char *format, ...);

/** On processors: sizes, limit, then every target checked and timed. */
int bench_on_host(struct bench *bench, struct failure *failure);

/** On the device of bench->choice: its copy, then every target checked and timed. */
int bench_on_device(struct bench *bench, struct failure *failure);

/** Bytes of traffic that a step counts for a node, links of a box included: 12 or 24 in blocks, 13 or 25 in a
 * box. */
double bench_node_bytes(int precision, int layout);

/** Print the results. */
void bench_print_words(const struct bench *bench);
int bench_print_json(const struct bench *bench, struct failure *failure);

#endif
