/** The content of run.json as structs: the one model of a run. `simulate` writes it, other commands read it.
 *
 * The tables in run_model.c have the name of every member in the file; units are in those names and behind
 * the members here. NaN, NULL and no items mean that a run does not have it. Strings are owned; everything is
 * freed by run_model_free().
 */
#ifndef SRC_RUN_MODEL_H
#define SRC_RUN_MODEL_H

#include "src/base/name_index.h"
#include "src/run_folder/figure_values.h"

/** The name of the faces of an open scene among the surfaces of run.json; they come last. */
#define ENERGY_OPEN_FACES "open faces"

/** Cracks, or openings of the box, that run.json lists at most: the widest, or the largest. */
#define LEAKS_LISTED 16

/* ---- the room and how it was run; `plan`, `compare`, `bench` and `film` write these parts too ---- */

/** A measure of a built-in room: a number or a word. */
struct record_measure {
    char *name;
    double number; /* NaN: `word` is it */
    char *word;
};

struct record_project {
    char *file, *hash, *variant, *shape;
    char *text; /* of a project that is in no file; NULL: it is in one */
    size_t measure_count;
    struct record_measure *measure; /* owned */
};

struct record_mesh {
    char *file, *hash, *mesh_hash, *format, *up;
    double metres_per_unit, low[3], high[3]; /* [m] */
    double triangles, degenerate_triangles, duplicate_triangles, open_edges;
};

struct record_branch {
    double d, e, f; /* D [s], E, F [1/s] of wall_branch.h */
};

struct record_material {
    char *name, *back;
    double area, area_exposed, area_staircase; /* [m2] */
    double area_factor, area_residual;         /* (-), [%] */
    char *origin, *library_name;
    char *document, *build; /* of the library's values; the layers of a wall */
    bool guessed;
    double audience, absorption, absorption_used;    /* (-) at 500 Hz */
    struct json_numbers octaves_asked, octaves_used; /* in material_octaves */
    struct json_numbers uncertainty;                 /* standard, of octaves_asked (-) */
    char *uncertainty_from;                          /* "laboratory", "guess", "given" */
    struct json_numbers thirds_asked, thirds_used;   /* in material_thirds; none: given in octaves */
    struct json_numbers scattering;                  /* in scattering_octaves; none: not given */
    JSON_LIST_OF(struct record_branch) branches;
    double flow_resistance, sheet_mass; /* of a sheet [Pa s/m], [kg/m2]; no mass: held still */
    char *combination;                  /* "parallel", "series"; NULL: no sheet */
};

struct record_materials_file {
    char *file, *hash, *used;
};

struct record_device {
    char *name, *opencl, *compute_capability, *driver_cuda, *toolkit_cuda;
    double bytes, bytes_free, bytes_cache, processors;
};

struct record_backend {
    char *backend, *asked, *because;
    struct record_device *device; /* NULL: processors */
};

struct record_larger_space {
    double volume, position[3]; /* [m3], [m] */
    bool open;
    double gap_position[3], gap; /* [m] */
};

/** The head of every record. */
struct record_room {
    char *program, *version, *command;
    struct json_texts arguments;
    struct record_project *project;
    struct record_mesh *mesh;
    struct record_materials_file *materials_file;
    char *walls;
    struct json_numbers material_octaves, material_thirds, scattering_octaves; /* [Hz] */
    JSON_LIST_OF(struct record_material) materials;
    double fmax;
    bool fmax_automatic;
    char *scheme;
    char *quality; /* NULL: none was requested */
    double points_per_wavelength, spacing, rate, courant, courant_share, lambda2, grid_origin[3];
    double temperature, sound_speed; /* [C], [m/s] */
    char *layout, *precision;
    struct record_backend backend;
    char *interpolation;
    bool open;
    double open_face_links, open_face_area, seal, sealed_links, seconds_voxelise;
    struct record_larger_space *larger_space;
    struct json_texts warnings;
};

/** Nodes that conformal walls touch. */
struct record_cut_cells {
    double nodes, pieces, extra_links;  /* with an entry of their own; further pieces of air in a voxel; .. */
    double merged;                      /* slivers that other nodes took */
    double volume, volume_lent;         /* of the air, in cells as they are stored [m3] */
    double volume_added, added_percent; /* that no neighbour had to lend [m3], of the volume [%] */
    double borrowers, lenders, largest; /* nodes; most times that a mass is of its volume (-) */
    double lambda2_share;               /* of its limit (-) */
};

/** Size of the room on its grid, and memory. */
struct record_size {
    double box_size[3]; /* [m] */
    double box_nodes, air_nodes, stored_nodes, blocks, occupancy, wall_nodes;
    double bytes_box, bytes_blocks, bytes_walls, bytes_ideal, bytes_seed_blocks, bytes_peak, bytes_device;
    double bytes_first, bytes_rank; /* of rank 0, of the largest of the others */
    double air_volume;              /* up to the walls [m3] */
    char *air_volume_from;
    double cells_volume;                /* of the cells that were simulated [m3] */
    struct record_cut_cells *cut_cells; /* NULL without conformal walls */
    char *grid_hash;
};

/** How a source radiates; absent where it does so alike in all directions. */
struct record_directivity {
    char *pattern, *hash;           /* a word, or a file and its hash */
    double axis[3];                 /* where it points; absent before the run has a grid */
    struct json_numbers octaves;    /* [Hz] */
    struct json_numbers index;      /* directivity index there [dB] */
    double carried;                 /* from here on the pattern is that of the order; absent: nowhere [Hz] */
    double fade_second, fade_third; /* below, orders 2 and 3 fade [Hz] */
};

/** One of the sources that sound together. */
struct record_member {
    char *source;
    double gain, delay; /* [dB], [ms] */
};

struct record_point {
    char *name;
    double position[3]; /* [m] */
    struct record_directivity *directivity;
    JSON_LIST_OF(struct record_member) together;
    char *sounds_in; /* name of those that it sounds together with; it has no response of its own */
    char *interpolation;
    double shift; /* [m] */
};

/** A dummy head in the room; its ears are receivers. */
struct record_dummy_head {
    char *name, *file, *hash, *left, *right; /* file, hash: NULL for a sphere */
    double position[3], radius, azimuth;     /* [m], [m], [degrees] */
    double sphere_above; /* with rays: a sphere of that radius above this frequency; else NaN [Hz] */
};

struct record_points {
    JSON_LIST_OF(struct record_point) sources;
    JSON_LIST_OF(struct record_point) receivers;
    JSON_LIST_OF(struct record_dummy_head) heads;
};

struct record_air {
    char *method;
    double temperature, humidity, pressure; /* [C], [%], [kPa] */
    struct json_numbers octaves, loss;      /* [Hz], [dB/m] */
};

extern const struct json_table record_project_table, record_mesh_table, record_branch_table,
    record_material_table, record_materials_file_table, record_device_table, record_backend_table,
    record_larger_space_table, record_room_table, record_cut_cells_table, record_size_table,
    record_directivity_table, record_member_table, record_point_table, record_dummy_head_table,
    record_points_table, record_air_table;

/** The volumes of struct record_size alone, for `check`. */
extern const struct json_table record_volume_table;

/* ---- results of the run ---- */

/** The share of a material, or of open faces, in the energy. */
struct record_absorbed {
    char *material;
    double area, area_exposed; /* [m2] */
    struct json_numbers share; /* at times_s; of rays by octave */
};

struct record_energy {
    char *quantity;
    double given;
    bool complete;
    struct json_numbers times, injected, stored;
    JSON_LIST_OF(struct record_absorbed) absorbed;
    double imbalance;
    bool source_at_wall;
};

/** One source. */
struct record_run {
    char *source;
    double steps, steps_before_emission, seconds, seconds_shifted;
    double energy_start, energy_end, energy_change, energy_change_spread, energy_rise;
    double mean_pressure_start, mean_pressure_end, mean_pressure_drift;
    struct json_numbers decay_range; /* of an automatic run: by octave, the least of the followed receivers */
    bool capped, interrupted;
    struct record_energy *energy;
};

struct record_head {
    char *file;
    double yaw, pitch, roll; /* [degrees] */
};

struct record_calibration {
    char *quantity;
    double rate, from, to; /* [Hz] */
    char *time_zero, *ambisonics;
};

/** The figures of one response. */
struct record_response {
    char *file, *file_shifted, *source, *receiver;
    double distance; /* [m] */
    bool direct_path_clear;
    double path, path_spread, onset, onset_spread; /* [m], [s] */
    double samples;
    struct json_numbers octaves; /* [Hz] */
    struct figure_values figures, spread;
    struct json_texts why; /* absent ones, by octave */
    struct json_numbers decay_range, curvature, nonlinearity, slope_early, slope_late, slope_crossing;
    struct json_texts marks; /* by octave, of figure_table.h; NULL: none */
    struct json_texts from;  /* by octave, waves or rays; absent without rays */
    /* By octave from rays: the change with half or twice the scattering. Of all octaves: the error bar, of
     * rays (ray_room.h) and of absorption (absorption_error.h). */
    struct figure_values scattering, error;
    /* Parts of `error`: standard deviation by interference, standard uncertainty by absorption. */
    struct figure_values interference, absorption;
    char *single_why;
    struct json_texts mti_why;
    char *sti_why;
    char *file_ambix, *file_ambix_shifted, *file_binaural, *file_binaural_shifted;
    char *file_ears, *file_ears_shifted; /* of an ear of a dummy head: both of its ears */
    char *look;                          /* orientation: the source that is in front; with file_ambix */
    double look_azimuth;
    struct json_texts lateral_why;
    double echo_speech_time, echo_music_time; /* of the echo criterion, after the onset [s] */
    char *echo_speech_path, *echo_music_path; /* what reflects it: "floor, roof (41.2 m)"; NULL: not found */
    struct record_response *thirds;           /* its figures of the pressure in third octaves, those of .. */
};                                            /* .. record_thirds_table alone; NULL: none were asked for */

/** The means over all responses. */
struct record_means {
    double responses;
    struct json_numbers octaves; /* [Hz] */
    struct figure_values mean, deviation;
    struct json_texts marks;     /* by octave, of any response */
    struct record_means *thirds; /* the same in third octaves; NULL: none */
};

/** One receiver grid from one source: means over its points. */
struct record_map {
    char *source, *file, *file_shifted, *table;
    struct json_texts drawings;
    double rate, samples; /* of the file [Hz], of one of its channels */
    double seconds;
    struct json_numbers octaves;
    struct figure_values mean, deviation, low, high, points, spread;
    struct json_texts from;     /* by octave, waves or rays; absent without rays */
    struct figure_values error; /* by octave from rays: the mean of the error bars of the points */
    struct json_texts marks;    /* by octave, of any point */
    struct json_numbers marked; /* points whose decay has one */
    struct record_map *thirds;  /* means in third octaves, of record_third_map_table; NULL: none */
};

struct record_left_out {
    double covered, no_air, near_a_surface, ledges; /* ledges: of an audience alone */
};

struct record_grid {
    char *name, *material; /* without a material and a polygon: where people sit */
    struct json_points polygon;
    double spacing, height, points;
    struct record_left_out *left_out;
    struct json_points positions;
    JSON_LIST_OF(struct record_map) maps;
};

/** A process of several, and its memory. */
struct record_rank {
    char *host;
    double bytes_predicted, bytes_peak;
};

/** The rays of a source, and how they fit its waves in the octave of the join. */
struct record_ray_source {
    char *source;
    double rays, noise, seconds;
    double level, decay;            /* of the rays over the waves: mean of all receivers [dB], [JND of T30] */
    struct json_numbers correction; /* of their level, by octave from 63 Hz [dB] */
    struct json_numbers rate;       /* added to the decay rate of their energy [1/s] */
    /* Their shares, without areas, by octave from 63 Hz; open faces last. Air took the rest. */
    JSON_LIST_OF(struct record_absorbed) absorbed;
};

struct record_rays {
    double crossover, octave; /* [Hz]: rays from there on; centre of the octave that is compared */
    JSON_LIST_OF(struct record_ray_source) sources;
};

struct record_shifted_grid {
    double grid_origin[3];
    struct record_size size;
};

/** A leak path, or an opening. */
struct record_leak {
    bool sealed;
    char *from;
    double position[3], gap, area; /* [m], [m], [m2] */
    struct json_points path;
};

/** Values of the project for the page of its runs. */
struct record_page {
    char *title, *language, *name;
    struct json_texts lines;
    char *logo; /* data: URI */
};

/** The format of a run.json that this program writes and reads. A change of a name or of a meaning raises it.
 */
#define RUN_FORMAT 1

struct run_model {
    double format;           /* RUN_FORMAT */
    struct name_index files; /* of responses, by run_model_read() alone: for run_model_find() */
    struct record_room room;
    struct record_page *page;
    bool partial;
    char *partial_because;
    struct record_size size;
    char *engine;
    JSON_LIST_OF(struct record_rank) ranks; /* none: one process */
    JSON_LIST_OF(struct record_run) runs;
    double steps, steps_before_emission, duration;
    double warp_share; /* of the time after the emission, by which the responses are shorter */
    bool duration_automatic;
    double seconds, seconds_per_step_box, seconds_per_step_blocks, node_updates_per_second, seconds_predicted;
    struct record_points points;
    struct record_air *air;
    bool ambisonics;
    struct record_head *head;
    struct record_calibration *calibration;
    struct json_numbers octaves, sabine, eyring; /* [Hz], expected [s] */
    struct record_means *means;
    JSON_LIST_OF(struct record_response) responses;
    JSON_LIST_OF(struct record_grid) grids;
    struct record_rays *rays; /* NULL: waves alone */
    char *rays_absent;        /* why they could not be joined; NULL: they were, or were not wanted */
    bool repeat_shifted;
    struct record_shifted_grid *shifted_grid;
    double air_nodes_spread, air_volume_spread, cells_volume_spread;
    JSON_LIST_OF(struct record_leak) leaks;
};

extern const struct json_table record_absorbed_table, record_energy_table, record_rank_table,
    record_run_table, record_head_table, record_calibration_table, record_response_table, record_means_table,
    record_map_table, record_left_out_table, record_grid_table, record_shifted_grid_table, record_leak_table,
    record_page_table, record_ray_source_table, record_rays_table, run_model_table;

/** Members of struct run_model that are known before a run: room and points; these and the size; these, the
 * receiver grids, the air, and what is expected. For `check`, `film`, `compare`, and `plan`. */
extern const struct json_table record_subject_table, record_setup_table, record_plan_table;

/** The figures of struct record_response alone. */
extern const struct json_table record_figures_table;

/** Those of its third octaves, which `octaves` are then the centres of. */
extern const struct json_table record_thirds_table, record_third_means_table, record_third_map_table;

/** The highest frequency of its responses: fmax, or with rays that of their highest octave [Hz]. */
double run_model_highest(const struct run_model *model);

/** Everything absent. */
void run_model_clear(struct run_model *model);
void run_model_free(struct run_model *model);

#endif
