/** A film of the waves in a room: one source, run once with the pulse of film_pulse.h, or drums that are
 * struck, and pictures taken between steps.
 *
 *   slice_<axis><metres>_<ms>ms.png      frames, one colour scale for all
 *   slice_<axis><metres>_<index>.vtkhdf  the same for ParaView, times in slice_<axis><metres>.hdf.series
 *   field_<index>.vtkhdf                 the whole field, times in field.hdf.series
 *   film.json the run and the content of each file
 *
 * A picture is taken at the step nearest to its time; time 0 is when the crest leaves the source, or that of
 * the score. Vertical slices show membranes as lines, displaced FILM_ENLARGED times as far. Files are put in
 * place as they are made (output_folder.h); series and film.json come last. */
#ifndef SRC_FILM_H
#define SRC_FILM_H

#include <cjson/cJSON.h>

#include "kernels/engine/engine.h"
#include "src/draw/picture_paint.h"
#include "src/draw/picture_plane.h"
#include "src/run/film/film_pulse.h"
#include "src/base/options/film_options.h"
#include "src/run_folder/output_folder.h"
#include "src/run/source_run.h"
#include "src/setup/room_setup.h"

#define FILM_RECORD_FILE "film.json"
#define FILM_NAME_MAX    80

/** A slice. */
struct film_slice {
    struct picture_plane plane;
    struct picture_paint paint;
    struct picture_legend legend; /* of the frame that is painted */
    double *curve;                /* of the membranes: paint.curve; NULL: none */
    char name[FILM_NAME_MAX / 2]; /* "slice_z1.20" */
};

/** A time at which pictures are taken. */
struct film_frame {
    double asked;  /* [s] */
    uint64_t step; /* of the run */
    bool slices, field;
    size_t index; /* among the frames of slices, and among those of the field */
    size_t field_index;
};

/** Start zeroed; owned, except members marked as borrowed; film_free(). */
struct film {
    struct room_setup *setup; /* borrowed */
    const struct film_options *own;
    struct output_folder *folder;
    const char *air_losses;        /* room_engine_air_losses() */
    const struct play *play;       /* drums; borrowed; NULL: a source with the pulse */
    struct response_drive pulse;   /* of drums its lead alone: a pressure is known after a step */
    struct picture_pressure shown; /* of the pulse at 1 m, or [Pa] */
    size_t slices;
    struct film_slice slice[FILM_SLICES_MAX];
    size_t frames;
    struct film_frame *frame; /* (frames), steps rise */
    uint64_t *step;           /* (frames) the same for source_run() */
    int digits;               /* of milliseconds in names, behind the point */
    size_t taken;             /* frames whose pictures are all there */
    size_t files;             /* written */
};

/** Planes, times and pulse on setup->grid.packed: all input checks. FAILURE_INPUT for a slice that is
 * invalid, outside the air, or given twice; for times closer than a step. */
int film_prepare(struct film *film, struct failure *failure);
void film_free(struct film *film);

#define FILM_ENLARGED 20.0

/** Bend the lines of a slice as the membranes are now (film_drums.c). */
void film_bend(const struct film *film, struct film_slice *slice);

/** Lines for the membranes that a slice goes through. FAILURE_CAPACITY. */
int film_draw_drums(const struct film *film, struct film_slice *slice, struct failure *failure);

/** Words for a grid whose dispersion is removed from responses but cannot be from pictures; else NULL. */
const char *film_in_own_time(const struct film *film);

/** What a pressure of 1 is. */
const char *film_unit(const struct film *film);

/** Time of a step of the run [s]. */
double film_time(const struct film *film, uint64_t step);

/** Bytes that the files take at most. */
double film_bytes(const struct film *film);

/** FAILURE_OUTPUT if the folder's disk has less room than film_bytes(). */
int film_refuse_full_disk(const struct film *film, struct failure *failure);

/** For struct source_run_snapshots, its context a struct film: take the pictures of frame `index`. */
int film_take(void *context, const struct engine *engine, size_t index, struct failure *failure);

/** After the run: write the series of all pictures. */
int film_put_series(struct film *film, struct failure *failure);

/** Whether it is partial, the run's steps and time, and `film`: the content of film.json apart from the
 * set-up. json_memory.h reports failed allocations. */
void film_record(cJSON *object, const struct film *film, const struct source_progress *result, bool partial);

/** For struct output_folder: results of an earlier film. */
bool film_name_is_ours(const char *name);

#endif
