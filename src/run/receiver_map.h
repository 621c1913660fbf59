/** The responses of one source at the points of one receiver grid: one file of as many channels, and their
 * figures. */
#ifndef SRC_RECEIVER_MAP_H
#define SRC_RECEIVER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/response/acoustics/acoustic_figures.h"
#include "src/setup/path/onset.h"
#include "src/run_folder/output_folder.h"
#include "src/setup/room_setup.h"
#include "src/response/signal/response.h"

/** Zeroed is empty; freed by receiver_map_free(). */
struct receiver_map {
    char file[2 * OPTION_NAME_MAX + 24]; /* of the responses, a channel a point; empty: not written */
    size_t points;
    size_t samples;                   /* of a channel */
    double rate;                      /* that they are kept at: kept_response.h [Hz] */
    struct onset_path *path;          /* (points) from the source; owned */
    double *distance;                 /* (points) straight [m]; owned */
    struct acoustic_figures *figures; /* (points); owned; NULL where nothing was written */
    struct bands thirds;              /* that the waves hold; of no count if none were asked for */
    double (*third)[PRESSURE_FIGURES][BANDS_MAX]; /* (points) figures in them; owned */
    double seconds;                               /* that responses, figures and file took */
    bool tabled;                                  /* there is a table */
    int drawn;                                    /* so many of its figures, in their order, have a drawing */
};

/** Allocate paths and distances. FAILURE_CAPACITY for memory. */
int receiver_map_start(size_t points, struct receiver_map *out, struct failure *failure);
void receiver_map_free(struct receiver_map *map);

struct whole_band;

/** The output of a run of one source, and the folder of its files. */
struct run_output {
    const char *prefix; /* of the files: "ir_" gives ir_<source>_<receiver>.wav */
    struct output_folder *folder;
    const double *raw; /* the rows that the run kept, of `steps` each (engine_rows.h) */
    uint64_t steps;
    struct response_chain chain;    /* makes responses from them */
    const struct whole_band *whole; /* that joins rays to them; borrowed; NULL: waves alone */
};

/** Make the responses of all points, bit for bit equal to those of receivers at the same places; of the whole
 * band they have another random sound, and their figures are those of the waves. Write them in the form of
 * kept_response.h to <prefix><source>_<grid>.wav, and compute their figures, with the requested number of
 * threads. FAILURE_INTERRUPTED, and no file, if they are not complete in the time left after Ctrl-C
 * (interrupt_overdue()).
 * @param row of the output, of the first point
 * Failures of response_make(), acoustic_figures_make() and wav_stage(). */
int receiver_map_write(const struct room_setup *setup, size_t source, size_t grid,
                       const struct run_output *output, size_t row, struct receiver_map *map,
                       struct failure *failure);

/** A figure at a point in an octave; its single number, where `band` is the number of octaves; or in a third,
 * which follow that (receiver_map_third()). */
size_t receiver_map_third(const struct receiver_map *map, size_t third);
double receiver_map_value(const struct receiver_map *map, size_t point, enum figure figure, size_t band);

/** How far that is from the same in another run, which may have fewer octaves; NaN where one has none. */
double receiver_map_spread(const struct receiver_map *map, const struct receiver_map *other, size_t point,
                           enum figure figure, size_t band);

#endif
