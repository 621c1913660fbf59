/** The form of an option, and the values of options: lists of numbers, texts and positions, and words.
 */
#ifndef SRC_OPTION_TYPES_H
#define SRC_OPTION_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The type of an option in `struct options` (or in the set's `base`), by kind. */
enum option_kind {
    OPTION_FLAG,      /* bool */
    OPTION_NUMBER,    /* double (-) */
    OPTION_FREQUENCY, /* double [Hz] */
    OPTION_LENGTH,    /* double [m] */
    OPTION_TIME,      /* double [s] */
    OPTION_COUNT,     /* int64_t */
    OPTION_COUNTS,    /* struct option_counts: N[,N..] */
    OPTION_WORD,      /* int, index into words */
    OPTION_TEXT,      /* const char *, borrowed from the arguments */
    OPTION_TEXTS,     /* struct option_texts; the option may be repeated */
    OPTION_OCTAVES,   /* struct option_octaves: seven numbers, 125 Hz to 8 kHz, joined by commas */
    OPTION_POINT,     /* struct option_point: x,y,z */
    OPTION_PLACES,    /* struct option_places: x,y,z[,name], or a name of the model; may be repeated */
    OPTION_GRIDS,     /* struct option_grids: NAME=MATERIAL or NAME=x,y,z;x,y,z;..; may be repeated */
};

#define OPTION_NAME_MAX 64 /* characters of a position's name, and the end mark */

struct option_counts {
    size_t count;
    int64_t *value;
};
struct option_texts {
    size_t count;
    const char **text;  /* strings borrowed from the arguments */
    const char *option; /* that gave them, without dashes; NULL: a project did .. */
    const char *file;   /* .. this one, borrowed, .. */
    size_t *line;       /* .. (count) in these lines; NULL without a project */
};
#define OPTION_OCTAVES_COUNT 7
struct option_octaves {
    bool given;
    double value[OPTION_OCTAVES_COUNT];
};
struct option_point {
    bool given;
    double position[3]; /* [m] */
};
struct option_place {
    double position[3];         /* [m] */
    char name[OPTION_NAME_MAX]; /* letters, digits, _ and -; empty when none was given */
    bool of_model;              /* only a name was given: the position of that name in the model */
    const char *file;           /* the project that contains it; NULL: an option; borrowed */
    size_t line;
};
struct option_places {
    size_t count;
    size_t below; /* of drums (play.h): the last so many places are the air below the first ones */
    struct option_place *place;
};

/** An area with many receivers on a regular grid: the faces of a material, a polygon, or, with neither, the
 * seats of an audience. Only its form is checked here, the rest with the model (receiver_grid.h). */
struct option_grid {
    char name[OPTION_NAME_MAX]; /* letters, digits, _ and -; goes into file names */
    const char *material;       /* of the mesh, borrowed from the arguments; NULL: another area */
    size_t corners;             /* of the polygon; 0 without a material: the audience */
    double (*corner)[3];        /* (corners) on the floor, in order around it [m]; owned */
    double spacing;             /* from point to point; 0: as for all [m] */
    double height;              /* of the ears above the floor; 0: --grid-height [m] */
};
struct option_grids {
    bool none;      /* no grid, not even a default one */
    bool by_itself; /* not requested: left out where it has no point */
    size_t count;
    struct option_grid *grid;
};

enum command_bit {
    COMMAND_SIMULATE = 1,
    COMMAND_PLAN = 2,
    COMMAND_MEMORY = 4,
    COMMAND_ROOM = 8,
    COMMAND_CHECK = 16,
    COMMAND_COMPARE = 32,
    COMMAND_BENCH = 64,
    COMMAND_MATERIALS = 128,
    COMMAND_NEW = 256,
    COMMAND_AURALISE = 512,
    COMMAND_ANALYSE = 1024,
    COMMAND_MODES = 2048,
    COMMAND_BINAURAL = 4096,
    COMMAND_FILM = 16384,
    COMMAND_REPORT = 8192,
    COMMAND_EXPORT = 32768,
    COMMAND_PLAY = 65536,
    COMMAND_RAYS = 131072,
    COMMAND_STUDIO = 262144,
    COMMAND_CALIBRATE = 524288,
};

struct option_spec {
    const char *name; /* without dashes */
    char letter;      /* short form, or 0 */
    enum option_kind kind;
    bool may_be_auto;         /* the word `auto` is taken and stored as 0 */
    bool above_low;           /* low itself is refused */
    unsigned commands;        /* command_bit mask */
    double low, high;         /* numbers and counts; 0, 0: no limits */
    const char *unit;         /* of a plain number, for sentences: "kPa"; NULL or "": it has none */
    const char *value;        /* of the help: "HZ|auto"; NULL for flags */
    const char *standard;     /* default as it would be typed; NULL: none */
    const char *const *words; /* OPTION_WORD, NULL-ended */
    size_t share_at;   /* offset of a double: a number that ends with % goes there as a share, of which the
                          most is 1, and the number itself is 0 then; 0: it must not */
    size_t given_at;   /* offset of a bool, true if it was given; 0: none */
    size_t at;         /* offset in struct options, or in the set's base */
    const char *group; /* heading of the help; NULL: as the entry before */
    const char *help;
};

/** An entry of a table: the members of every option, then the others of this one by name. */
#define OPTION_ENTRY(kind_, name_, type, member, ...)                                                        \
    {                                                                                                        \
        .kind = OPTION_##kind_, .name = name_, .at = offsetof(type, member), __VA_ARGS__                     \
    }
#define OPTION_WORDS(...)                                                                                    \
    .value = "WORD", .words = (const char *const[])                                                          \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

/** A further table of options whose values are kept behind `base`: the measures of a parametric room. */
struct option_set {
    size_t count;
    const struct option_spec *spec;
    void *base;
};

/** Order of the words in the table. */
enum option_unit { UNIT_AUTO, UNIT_M, UNIT_CM, UNIT_MM, UNIT_IN, UNIT_FT };
enum option_progress { OPTION_PROGRESS_LINE, OPTION_PROGRESS_JSON };
enum option_maps { OPTION_MAPS_MAIN, OPTION_MAPS_ALL };
/** --use: the first has all recommendations for churches, the others those of a use of report_targets.h each;
 * NULL-ended. */
extern const char *const option_use_words[];
enum option_walls { WALLS_CONFORMAL, WALLS_STAIRCASE, WALLS_FIRST_ORDER };
enum option_bits { OPTION_BITS_SAME, OPTION_BITS_ANY };
enum option_backend {
    OPTION_BACKEND_AUTO,
    OPTION_BACKEND_CUDA,
    OPTION_BACKEND_OPENCL,
    OPTION_BACKEND_CPU,
    OPTION_BACKEND_REFERENCE
};

#endif
