#ifndef TRANSEPT_SRC_SIMULATION_H
#define TRANSEPT_SRC_SIMULATION_H

#include <cjson/cJSON.h>

#include "src/base/options/options.h"
#include "src/run_folder/output_folder.h"
#include "src/run_folder/run_model.h"
#include "src/run/grid_run.h"
#include "src/run/checkpoint/source_keep.h"
#include "src/response/signal/head_filters.h"

/* A run of `transept simulate` from its options to its folder: simulation_run.c. Its results are written by
 * simulation_record.c (run.json) and simulation_words.c (standard output); simulation_checkpoints.h resumes
 * it. */
struct play;

struct simulation {
    struct play *play; /* drums that are played instead of sources (play.h); borrowed; NULL: none */
    struct room_setup setup;
    struct room_estimate estimate;
    struct grid_run run;
    struct room_grid shifted_grid;       /* the same room, the grid offset by half a cell */
    struct room_notices shifted_notices; /* printed only: the first grid has the same ones */
    struct grid_run shifted;
    struct head_filters ears; /* of the head that listens, if any */
    bool ears_mislabelled;    /* by the file of the head (head_data.h) */
    struct run_model model;   /* its leaks once it is prepared; all of it after simulation_record() */
    struct output_folder folder;
    struct checkpoint_folder checkpoint;
    struct checkpoint_command begun; /* who began the run that is resumed; else empty */
    struct source_keep keep;         /* its `folder` is NULL if no checkpoints are made */
    double keep_apart;               /* [s] */
    bool watched;                    /* there is a picture of the wave */
    bool partial;
    bool resumes;  /* a run of an earlier process */
    bool discards; /* an interrupted run leaves nothing of its own */
};

/* True if these options resume an unfinished run in their folder. */
bool simulation_resumes(const struct options *options);

/* Everything that can be refused, before the folder is made: options, folder, room, air, engine, checkpoints.
 * `simulation` starts zeroed; simulation_free(). Failures of all its parts. */
int simulation_prepare(struct simulation *simulation, const struct options *options, struct failure *failure);

/* Make the folder, or take it over. FAILURE_OUTPUT, FAILURE_INPUT, FAILURE_CAPACITY. */
int simulation_start(struct simulation *simulation, const struct options *options, struct failure *failure);

/* Step all sources, and write what they leave; with `json` the record on standard output, else its words.
 * FAILURE_INTERRUPTED, or a failure of a source, after what was computed is written or in a checkpoint. */
int simulation_run(struct simulation *simulation, bool json, struct failure *failure);
void simulation_free(struct simulation *simulation);

/* The number of files of responses that `run` wrote: of pairs and of receiver grids. */
size_t simulation_responses(const struct grid_run *run);

/* Fill the model and return it as JSON, owned by the caller; NULL without memory. `failure` says why a
 * partial run ended. */
cJSON *simulation_record(struct simulation *simulation, const struct failure *failure);

/* "interrupted: the responses of S1 end after 0.6 s of the 8 s asked for; left undone: 3 of 5 responses, 1 of
 * 1 maps" into `text`, returned; empty if nothing was interrupted. Figures treat this end like any other. The
 * results left undone are those of sources that were run. */
#define SIMULATION_INTERRUPTED_MAX 400
const char *simulation_interrupted(const struct simulation *simulation,
                                   char text[SIMULATION_INTERRUPTED_MAX]);

/* Print where the results are, how large they are, and their figures, after simulation_record(). */
void simulation_print(const struct simulation *simulation);

#endif
