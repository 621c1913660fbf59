/** The parts of a room on a grid while it is run and afterwards (grid_run.h). */
#ifndef SRC_GRID_PARTS_H
#define SRC_GRID_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/box_grid.h"
#include "kernels/engine/engine.h"
#include "kernels/scheme/stencil.h"
#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/acoustics/figure_summary.h"
#include "src/response/further/further_figures.h"
#include "src/response/acoustics/speech_transmission.h"
#include "src/setup/path/onset.h"
#include "src/run/plan/estimate.h"
#include "src/run_folder/output_folder.h"
#include "src/run/source_progress.h"
#include "src/setup/engine_rows.h"
#include "src/setup/room_setup.h"

struct grid_direction;
struct grid_radiation;
struct head_filters;
struct orientation;
struct receiver_map;

#define GRID_FILE_MAX (2 * OPTION_NAME_MAX + 24)

#define GRID_ECHO_MAX 400

/** One response. */
struct grid_pair {
    char file[GRID_FILE_MAX]; /* empty: not written */
    struct onset_path path;
    double distance; /* straight [m] */
    size_t samples;
    struct acoustic_figures figures;
    struct further_figures further;
    char echo_path[2][GRID_ECHO_MAX];  /* of the echoes in it (echo_path.h); empty: not found */
    struct third_figures *thirds;      /* of the waves, if they are asked for, else NULL; owned */
    struct speech_transmission speech; /* without levels */
};

struct whole_band;

/** Start zeroed; owned but `setup`; freed by grid_run_free(). */
struct grid_run {
    struct room_setup *setup;     /* borrowed */
    struct room_grid *grid;       /* that is stepped: setup->grid, or the same room on another one; borrowed.
                                     Thin where ranks step it */
    struct room_notices *notices; /* where warnings of this run go; borrowed */
    struct room_needs needs;
    struct engine_rows rows;          /* of the engine's output */
    struct stencil *stencil;          /* (sources + receivers + points of receiver grids) */
    struct grid_radiation *radiation; /* how sources radiate; owned */
    size_t followed_count, *followed; /* whose decay ends a run of automatic length; owned */
    double *followed_onset;           /* of their sound, of the source that is run [s]; owned */
    struct stencil *gradient;         /* (receivers, 3) of directional ones, else NULL: grid_direction.h */
    struct orientation *look;         /* (receivers) likewise */
    struct grid_direction *direction; /* (sources, receivers) likewise */
    float *left_ear; /* the response of the left ear of a dummy head, until the right one's is there; owned */
    struct whole_band *whole;        /* rays above fmax; NULL: none; owned */
    const struct head_filters *ears; /* at RESPONSE_RATE, set by the caller; borrowed; NULL: no head */
    struct box_grid box;
    struct engine *engine;
    char *description;              /* of the engine, kept after it is freed */
    struct grid_pair *pair;         /* (sources, receivers) */
    struct receiver_map *map;       /* (sources, receiver_grids) */
    struct source_progress *source; /* (sources) without their rows once responses are made */
    bool silent; /* set by the caller: no source is driven, but a port of the engine (engine_port.h); there
                    are no paths from sources and no energy account */
    size_t sources_run;
    bool engine_lost; /* the device failed: at its start, or in a run */
};

#endif
