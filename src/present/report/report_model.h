/** All that a report shows, as structs: the sections print from them, and the page carries them as JSON
 * (script#transept-data).
 *
 *     version       1
 *     title         report_title.h
 *     runs          one or two that are shown in full, of
 *       name        of the folder
 *       run         its run.json (run_model.h) without any path
 *       mesh        positions (base64 of float32 x, y, z; m, z up), indices (base64 of uint32) and
 *                   materials: name, library_name, color (sRGB, 0 to 1), first_triangle, triangles;
 *                   or null, with mesh_why
 *       blocks      origin_m, edge_m, runs (base64 of int32 x, y, z, count); or null, with blocks_why
 *       points      kind (source, receiver), name, position_m
 *       responses   as in run.json, with what report_response.h adds;
 *                   of one whose file is missing: why_no_curves
 *       energy      report_shares.h
 *       inputs      sections/report_inputs.h
 *       findings    report_findings.h
 *       NAME_mean_error  by octave, of the means of a figure from rays (record_error.h)
 *       octave_times  report_octave_times.h
 *       use         that was asked for; its targets alone are there then
 *       targets     report_targets.h, with tolerance and use_why
 *       maps        report_maps.h, with maps_left_out
 *       sounds      report_sounds.h
 *     differences   of these two runs: run_compare_json.h
 *     decision      of two or more runs: report_decision.h
 *     audio         of the sounds: report_sounds.h
 *
 * All base64 data is little-endian, as all machines are that this program runs on. In these structs NaN is a
 * number that is absent, NULL a text, list or object; all of them are json_clear()ed before they are filled.
 * `const char *` is borrowed: of the run's model or a word of the program.
 */
#ifndef SRC_REPORT_MODEL_H
#define SRC_REPORT_MODEL_H

#include <cjson/cJSON.h>

#include "geometry/mesh/mesh.h"
#include "src/response/acoustics/figure_table.h"
#include "src/present/compare/run_compare.h"
#include "src/run_folder/run_folder.h"
#include "src/run_folder/run_model.h"

#define REPORT_RUNS_MOST   2 /* shown in full */
#define REPORT_BAND_WORDS  32
#define REPORT_COUNT_WORDS 64

/** Written in base64. */
struct report_bytes {
    size_t size;
    void *data; /* owned */
};

/* ---- responses ---- */

/** A waveform as the lowest and the highest sample of each stretch. */
struct report_stretches {
    double from, step;             /* of the first, and from one to the next [s] */
    struct report_bytes low, high; /* of float */
};

/** A straight line through a part of a decay, from which `figure` is taken. */
struct report_fit {
    enum figure figure;
    double from, to;         /* after the onset [s] */
    double slope, intercept; /* [dB/s], [dB] */
};

/** The decay of one octave. */
struct report_decay {
    struct json_numbers time, level; /* after the onset [s], [dB] */
    JSON_LIST_OF(struct report_fit) fits;
};

struct report_spectrum {
    struct json_numbers frequency, level; /* [Hz], [dB] */
};

struct report_response {
    const struct record_response *record;
    struct figure_values made;    /* figures by octave that the record lacks, from the file */
    bool figures_from_file;       /* there are some */
    double from, step;            /* of the envelope [s] */
    struct report_bytes envelope; /* of int16_t, 0.01 dB; INT16_MIN is silence */
    struct report_stretches *waveform, *whole;
    JSON_LIST_OF(struct report_decay) decays; /* by octave; absent without curves */
    struct report_spectrum *spectrum;
    char *why_no_curves;
};

/* ---- the room ---- */

struct report_surface {
    char *name;
    const char *library_name; /* NULL: of no library */
    double colour[3];         /* sRGB, 0 to 1 */
    double first_triangle, triangles;
};

struct report_mesh {
    struct report_bytes positions, indices;
    JSON_LIST_OF(struct report_surface) surfaces;
};

struct report_blocks {
    double origin[3], edge;    /* [m] */
    struct report_bytes lines; /* of int32_t x, y, z, count */
};

struct report_point {
    bool is_source;
    const char *name;
    double position[3]; /* [m] */
};

/* ---- derived from a run ---- */

struct report_share {
    const char *material;
    double area, share; /* facing air [m2]; of the sound */
};

/** The sound of one source, by where it went. */
struct report_account {
    const char *source; /* NULL: the run kept no account of it */
    double stored, rest;
    bool complete;
    JSON_LIST_OF(struct report_share) surfaces;
};

/** A material of the run. */
struct report_input {
    const char *material;
    struct json_numbers bar;   /* error bar of its absorption, by octave of the material; empty: unknown */
    struct json_numbers share; /* of the loss, likewise */
    struct json_numbers part;  /* of the square of the uncertainty of T by absorption */
};

enum report_verdict { VERDICT_POOR, VERDICT_FAIR, VERDICT_UNSURE, VERDICT_GOOD, VERDICT_NOTE };

/** "poor", "fair", "unsure" (the error bar allows more than one), "good", "note". */
const char *report_verdict_word(enum report_verdict verdict);

struct report_finding {
    const char *key; /* of its rule: report_findings.h */
    enum report_verdict verdict;
    char plain[200]; /* for those who know no figures */
    char sentence[700];
    char advice[1000]; /* what to do; empty: nothing */
};

/** Reverberation times by octave: report_octave_times.h. */
struct report_octave_times {
    struct json_numbers octaves;                             /* [Hz] */
    bool missing;                                            /* the run does not reach all of them */
    struct json_texts from;                                  /* waves, rays; NULL: missing */
    struct json_numbers time;                                /* NaN: missing, or none could be read [s] */
    struct json_numbers error;                               /* of the times [s]; absent without any */
    struct json_texts marks;                                 /* of the times; NULL: none */
    double next_octave, next_fmax, next_seconds, next_bytes; /* NaN: none is left [Hz], [Hz], [s] */
    char *next;                                              /* the same as a sentence */
};

/** The tolerance of a use's target by octave, and whether it is met: report_targets.h. */
struct report_tolerance {
    struct json_numbers low, high; /* by octave of the times; NaN: none [s] */
    struct json_texts verdict;     /* "met", "too long", "too short", "unsure" */
    const char *title, *link;      /* of the source */
};

/** Limits by octave, as shares of a target's time. */
#define REPORT_SHARES 8 /* 63 Hz to 8 kHz */
struct report_allowed {
    double low[REPORT_SHARES], high[REPORT_SHARES]; /* NaN: none */
    const char *title, *link;                       /* of the source */
};

/** The target of a figure, for a use and, if known, for rooms of a volume: report_targets.h. */
struct report_target {
    enum figure figure;                   /* T30, D50 or C80 */
    const char *use;                      /* a word of --use */
    const char *words;                    /* for whom, and the use */
    double volume_low, volume_high;       /* where it holds: from .. to below [m3] */
    double slope, constant, root;         /* T = slope lg V + constant + root V^(1/3) [s], V in m3; slope and
                                             root 0: `low` and `high` */
    double low, high;                     /* -infinity, infinity: no limit */
    const char *title, *link;             /* of the source; no link: it was not read */
    bool asked;                           /* only with --use */
    const struct report_allowed *allowed; /* by octave; NULL: none are known */
};

/** A target that holds for a run, and the run's value. */
struct report_aim {
    const struct report_target *target;
    double low, high;  /* in a room of the run's volume; NaN: no limit */
    enum figure found; /* the figure of the run in place of the target's */
    double value;      /* its mean */
    double error;      /* its error bar; NaN: none */
    bool unsure;       /* for scattering: FIGURE_UNSURE */
    char marks[FIGURE_MARKS_MAX];
    char octaves[REPORT_BAND_WORDS],
        count[REPORT_COUNT_WORDS]; /* in words: "500 and 1000 Hz", "mean of 5 places" */
    const char *verdict;           /* report_target_verdict() */
    char why[320];                 /* it is not known; empty: null */
};

/* ---- maps and sounds ---- */

struct report_map {
    const char *grid, *source;
    enum figure figure;
    double octave;          /* its nominal frequency [Hz] */
    const char *from;       /* waves, rays; NULL: a run without rays */
    double spacing, height; /* [m] */
    struct json_points points;
    struct json_numbers values; /* of each point */
    double marked;              /* points whose decay has a mark; NaN: the figure carries none */
    unsigned marks;             /* of any of them: figure_table.h */
};

struct report_map_left_out {
    const char *grid, *source;
    enum figure figure;
    double octave, known, places; /* [Hz]; how many places have a value, of how many */
};

struct report_sound_entry {
    char *label;
    double run;
    char *source, *receiver;
    const char *kind; /* wet, dry, dry_lowpassed */
    double seconds;
    char *audio_id;
};

struct report_audio {
    char *dry;         /* the name of the dry sound */
    const char *codec; /* flac, opus */
    double left_out;   /* so many sounds */
    double band;       /* highest simulated frequency in the sounds [Hz] */
    char *why;         /* there are none */
};

/* ---- variants ---- */

/** Places to listen at, and a figure at each: report_seats.h. */
struct report_seats {
    size_t count;
    double (*position)[3]; /* (count) [m]; owned */
    double *value, *error; /* (count) and its error bar; NaN: none; owned */
};

/** A target of the first run in one of the runs. The numbers of its places are NaN if none were judged. */
struct report_cell {
    const struct report_aim *aim; /* borrowed; NULL: it does not hold there */
    struct report_seats seats;    /* of a figure that differs from place to place */
    double met, not_met, unsure, places;
    double worst; /* value that is farthest from the target, of a place that misses it; NaN: none misses it */
};

/** A difference of the room. */
struct report_change {
    char *surface, *words; /* NULL: of no single surface */
    double area;           /* of the surface [m2] */
};

struct report_variant {
    const char *name;
    JSON_LIST_OF(struct report_cell) cells;     /* of each target of the first run */
    double met, not_met, unsure;                /* targets */
    struct json_texts lost, cautions;           /* targets that the first run meets and this one does not */
    JSON_LIST_OF(struct report_change) changes; /* against the first run */
};

/** The first run, then the others, those that meet most targets first. */
struct report_decision {
    char *answer; /* which meets most, what remains, how sure */
    JSON_LIST_OF(struct report_variant) variants;
};

/* ---- all ---- */

struct report_tables; /* sections/report_tables.h */
struct report_sounds; /* report_sounds.h */

struct report_run {
    const struct run_folder *folder; /* borrowed */
    const char *name;
    const struct run_model *model;
    struct report_mesh *mesh;
    char *mesh_why;
    struct report_blocks *blocks;
    char *blocks_why;
    JSON_LIST_OF(struct report_point) points;
    JSON_LIST_OF(struct report_response) responses;
    JSON_LIST_OF(struct report_account) energy; /* of each source */
    JSON_LIST_OF(struct report_input) inputs;   /* of each material */
    JSON_LIST_OF(struct report_finding) findings;
    struct figure_values mean_error; /* by octave, of the means; absent without any */
    struct report_octave_times *octave_times;
    const char *use; /* that was requested; NULL: none */
    JSON_LIST_OF(struct report_aim) targets;
    char *targets_why;
    char *use_why; /* no target of the use holds */
    struct report_tolerance *tolerance;
    JSON_LIST_OF(struct report_map) maps;
    JSON_LIST_OF(struct report_map_left_out) maps_left_out;
    JSON_LIST_OF(struct report_sound_entry) sounds;
    struct mesh shape; /* for drawings, even if too large for the page; empty if none */
};

/** Zeroed is empty, freed by report_free(). Borrows the folders that it is made of. */
struct report {
    size_t runs, given;     /* shown in full, and all of them */
    struct report_run *run; /* (given) in the order of the decision; owned */
    char *title;
    const struct record_page *page;    /* whose letterhead it has; NULL: none */
    struct run_comparison *comparison; /* (given - 1) of run 0 with run 1, ..; owned; NULL for one run */
    struct report_decision *decision;  /* NULL for one run */
    struct report_audio *audio;
    /* For the page, while it is written; borrowed. */
    const cJSON *data;
    const struct report_sounds *sounds;
    struct report_tables
        *tables; /* keeps those of the page as it is written; borrowed, NULL: none are kept */
};

extern const struct json_table report_run_table, report_response_table, report_stretches_table,
    report_decay_table, report_fit_table, report_spectrum_table, report_mesh_table, report_surface_table,
    report_blocks_table, report_share_table, report_account_table, report_input_table, report_finding_table,
    report_aim_table, report_octave_times_table, report_tolerance_table, report_map_table,
    report_map_left_out_table, report_sound_entry_table, report_audio_table, report_cell_table,
    report_change_table, report_variant_table, report_decision_table;

/** Begin a run: its name, points and responses, which borrow from `model`. False without memory. */
bool report_run_make(struct report_run *run, const struct run_model *model, const char *name);
void report_run_free(struct report_run *run);
void report_seats_free(struct report_seats *seats);
void report_free(struct report *report);

/** FAILURE_CAPACITY without memory. */
int report_no_memory(struct failure *failure);

/** Append a cleared item to a list of `table` that was begun empty; NULL without memory. */
void *report_list_add(const struct json_table *table, void *list);

/** A copy of a sentence about files of `folder`, without paths; or of the name of a material. False without
 * memory. */
bool report_reason_set(char **to, const struct run_folder *folder, const char *sentence);
bool report_name_set(char **to, const char *name);

/** A copy of `size` bytes. False without memory. */
bool report_bytes_set(struct report_bytes *bytes, const void *data, size_t size);

/** A figure of a response by octave, as the run has it or else from its file; absent: `value` NULL. */
const struct json_numbers *report_response_octaves(const struct report_response *response,
                                                   enum figure figure);

/** Would a reader see the same? Absent ones are alike. */
bool report_alike_numbers(double a, double b);
bool report_alike_texts(const char *a, const char *b);

/** `value` rounded to `decimals`; NaN where it is not finite. */
double report_rounded(double value, int decimals);

/** A value of a figure for the data: two decimals more than it is printed with. */
double report_figure_rounded(enum figure figure, double value);

/** The page's data; owned by the caller, NULL without memory. */
cJSON *report_json(const struct report *report);

#endif
