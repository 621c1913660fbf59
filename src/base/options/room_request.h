/** The request for a room: the values for model, points, grid, engine and plan.
 *
 * The option table fills it (options.h). The command sets the members without an option: whether the model
 * must be complete, and what is placed, searched for or allowed. It does not change between calls. Texts and
 * lists are borrowed, except those of struct options. Zeroed is valid; the meaning of a 0 is noted beside it.
 */
#ifndef SRC_ROOM_REQUEST_H
#define SRC_ROOM_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/import/mesh_import.h"
#include "kernels/engine/engine.h"
#include "kernels/scheme/stencil.h"
#include "kernels/scheme/time_step.h"
#include "src/base/options/air_options.h"
#include "src/base/options/option_types.h"
#include "src/base/options/scheme_options.h"

struct engine_back_ends;
struct mesh;
struct project;

struct model_request {
    const char *file;              /* of the model; the word for a built-in room of a project */
    const struct mesh *mesh;       /* the model, in metres; NULL: read from the file */
    const struct mesh *addition;   /* additional surfaces in it, in metres; NULL: none */
    enum option_unit units;        /* of its coordinates */
    enum up_axis up;               /* and which of them is up */
    const struct project *project; /* its room, its surfaces (project.h); NULL: none */
    struct air air;                /* in the room */
    enum air_method air_method;    /* by which responses get its losses */
    bool air_in_steps; /* not responses, but the field: unless they are off (room_engine_lose_in_air()) */
    bool complete; /* absorption, sources or receivers that are missing are failures: the room will be run */
};

struct surface_request {
    const char *materials;          /* file; NULL: none */
    struct option_texts absorption; /* NAME=.. */
    struct option_texts scattering; /* likewise */
    struct option_texts two_sided;  /* NAME=BACK */
    double audience;                /* share of the seats that are taken (-); NaN: as each surface has it */
};

struct point_request {
    struct option_places source, receiver; /* empty: the markers of the model */
    struct option_grids receiver_grid;
    double grid_spacing, grid_height; /* of receiver grids without their own [m] */
    bool grid_spacing_given;          /* was requested: also of the audience */
    bool audience; /* without receivers and receiver grids there is one where people sit, if that is known */
    enum option_maps maps; /* which octaves of them are drawn */
    bool by_hand;          /* a position was given on the command line, over those of a project or model */
    bool place_receiver;   /* where there is no receiver, place one in the air of the sources */
    bool source_walks;     /* of a walk: its own place is silent, so that a receiver may be there */
};

struct listening_request {
    struct option_texts look;       /* NAME=SOURCE or NAME=DEGREES */
    struct option_texts dummy_head; /* NAME, NAME=RADIUS or NAME=FILE */
    bool ambisonics;                /* four channels for every receiver */
    const char *head;               /* a SOFA file; NULL: none. Implies four channels */
    double yaw, pitch, roll;        /* of that head [degrees] */
};

struct radiation_request {
    struct option_texts array;       /* NAME=FILE.csv (array_table.h) */
    struct option_texts directivity; /* NAME=WORD or FILE */
    struct option_texts aim;         /* NAME=AZIMUTH[,ELEVATION], X,Y,Z or RECEIVER */
    struct option_texts together;    /* NAME=SOURCE[:GAIN[:DELAY]],.. */
};

struct grid_request {
    double fmax;    /* 0: chosen [Hz] */
    double spacing; /* 0: from fmax [m] */
    enum scheme scheme;
    enum option_quality quality;  /* for room_points_per_wavelength() */
    bool quality_given;           /* given, not the default */
    bool drums;                   /* with membranes (../../run/instruments/play.h) */
    double points_per_wavelength; /* requested at fmax; 0: those of the quality (-) */
    double courant;               /* 0: by its share, or the standard, which room_courant_first() has (-) */
    double courant_share;         /* of the scheme's limit; 0: none was given (-) */
    struct option_point origin;   /* of the lattice */
    double seal;                  /* cracks up to this width are closed; 0: none [m] */
    bool open;                    /* sound that reaches the box around the model leaves it */
    const char *leak;             /* file for a leak's path; NULL: leak.obj beside the model */
    bool no_leak_file;            /* write no leak path: a resumed command may be a stranger's */
    bool find_leak_paths;         /* look for the leak paths of an open or sealed room */
    bool any_space;               /* a space that looks like furniture is reported and not refused */
};

struct engine_request {
    enum option_walls walls;
    enum option_backend backend;
    enum layout layout;
    enum precision precision;
    enum interpolation interpolation;
    int64_t threads;                          /* 0: all processors; of voxelising too */
    const char *devices;                      /* GPUs (device_choice.h); NULL: .. */
    uint64_t device;                          /* .. this one */
    enum option_bits bits;                    /* any: also on a GPU that rounds otherwise than processors */
    const struct engine_back_ends *back_ends; /* NULL: back_ends_built (engine_back_ends.h) */
};

enum option_rays { RAYS_AUTO, RAYS_ON, RAYS_OFF };

struct plan_request {
    double budget;       /* of an fmax that is chosen [s] */
    double duration;     /* of responses; 0: automatic [s] */
    double fmax_kept;    /* that an earlier process chose where one is to be chosen; 0: none [Hz] */
    double counted;      /* a grid of more nodes in the model's box is not made, but scaled; 0: none is */
    double scaled_to;    /* spacing of that grid [m]; 0: it is made */
    int64_t steps;       /* of both layouts */
    int rays;            /* enum option_rays: responses of the whole band, by rays above fmax */
    double ray_noise;    /* of G and T30, as ray_room_settings has it [%] */
    bool waves_only;     /* RAYS_OFF, whatever `rays` is */
    bool joins_rays;     /* to simulate, or to plan that, with rays if they can be joined */
    int bands;           /* enum band_kind: of the figures beside octaves */
    bool repeat_shifted; /* once more on a grid offset by half a cell */
    bool rows_pass;      /* receivers' samples are handed on by the batch; one listener's sound is kept */
    bool both_layouts; /* blocks and box are held and stepped at once, for `steps` steps, without a ledger */
};

struct room_request {
    struct model_request model;
    struct surface_request surfaces;
    struct point_request points;
    struct listening_request listening;
    struct radiation_request radiation;
    struct grid_request grid;
    struct engine_request engine;
    struct plan_request plan;
    bool force;         /* files that exist may be replaced */
    bool quiet;         /* facts are not printed */
    bool silent;        /* nor are warnings, which are kept: the caller prints them in its own words */
    int argument_count; /* the command line, for the record */
    char **argument;
};

/** Points per wavelength at fmax of a quality. Sounds of drums keep the dispersion of their grid, since no
 * warp corrects them, and need as many points in the isotropic scheme as in the standard one. */
double room_points_of_quality(const struct grid_request *request, enum option_quality quality);

/** Points per wavelength at fmax of a grid whose spacing is not given. */
double room_points_per_wavelength(const struct grid_request *request);

/** Refuse options that exclude each other, before anything is read. FAILURE_INPUT: two options set the
 * spacing, or walls, points per wavelength or a Courant number that the scheme does not allow. */
int room_request_check(const struct room_request *request, struct failure *failure);

#endif
