/** The command line: one table of options, strict parsing, and what each command takes.
 *
 * Numbers are plain decimals (`2`, `0.02`, `1e3`), with a unit if the quantity has one (`2cm`, `10min`,
 * `1.4kHz`). NaN, infinity, trailing characters and values outside the limits are refused, with name, value
 * and limit. `--name value`, `--name=value` and `-o value` are the same; `--` ends the options.
 */
#ifndef SRC_OPTIONS_H
#define SRC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "src/base/options/option_types.h"
#include "src/base/options/room_request.h"

#define OPTIONS_MAX 136

/** The drums of a room, of commands that play them. */
struct play_options {
    const char *score;         /* file; NULL: none */
    struct option_places drum; /* additional ones, each struck once; owned */
    bool linear;               /* no blow changes the tension of a membrane */
    double duration;           /* of the sound; 0: auto [s] */
};

/** Every value that a command line can set. Strings are borrowed from the arguments, lists are owned:
 * options_free(). A command takes `request`, all that is asked of a room, as it is. */
struct options {
    const char *subject; /* the argument that is not an option: a file or a shape; of several the first */
    struct option_texts subjects; /* all of them, of a command that takes several */
    void *own;                    /* base of the options that the command has beside the table; or NULL */
    struct room_request request;  /* its lists are owned here */
    const char *variant;          /* of the project; NULL: none */
    const char *output;
    const char *title;        /* of a page; NULL: its own */
    int use;                  /* of a page: which of option_use_words */
    int language;             /* of a page: enum words_language */
    const char *page_project; /* whose title, language and letterhead a page has; NULL: those of the run */
    const char *tables;       /* folder for those of a page; NULL: none */
    int convention;           /* of a SOFA file: enum sofa_convention */
    struct option_octaves speech_level, noise_level; /* [dB SPL] */
    double checkpoint;  /* between two; 0: none; options_given(): was it requested? [s] */
    const char *resume; /* folder of a run that is resumed; NULL: none */
    struct play_options play;
    int level; /* enum auralisation_level */
    struct option_counts nodes;
    const char *seats;       /* drawing of where people sit; NULL: none */
    const char *voxels;      /* file for the surface of the stored air; NULL: none */
    const char *mesh;        /* file for the model as check reads it; NULL: none */
    struct option_texts dry; /* of auralise: [SOURCE=]word or file; none: the last subject, or a clap */
    const char *walk;        /* of auralise: x,y,z;x,y,z..; NULL: none */
    double speed;            /* of that walk [m/s] */
    const char *source_walk; /* of that source, likewise; NULL: it stands at its place */
    double source_speed;     /* [m/s] */
    const char *sounding;    /* the source that is heard on it; NULL: each in turn */
    const char *facing;      /* who walks: ahead, a source or degrees */
    bool stepped;            /* the walk, in the room and not through its responses */
    const char *channel;     /* of analyse: a number from 1, or all; NULL: all */
    double onset;            /* of analyse [s]; 0: auto */
    bool calibrated;         /* the files of analyse have the level of ours */
    bool ears;               /* the two channels of a file of analyse are ears */
    const char *sweep, *mls; /* what was played where files are recordings; NULL: responses */
    const char *reference;   /* a file at a known distance; NULL: none */
    double reference_distance, reference_gate; /* [m]; [s], 0: none */
    bool fit;                                  /* of materials */
    const char *build;                         /* of materials: layers of a wall */
    int64_t port;                              /* of studio; 0: any that is free */
    bool no_browser;                           /* studio starts none */
    bool help, json;
    bool discard;            /* an interrupted run leaves nothing */
    bool watch;              /* a picture of the wave while it is stepped */
    int progress;            /* enum option_progress */
    bool given[OPTIONS_MAX]; /* by place in the table */
};

/** The table itself (option_table.c); at most OPTIONS_MAX entries. */
extern const struct option_spec option_table[];
extern const size_t option_table_count;

/** True if the option `name` was given, on the command line or by a project. */
bool options_given(const struct options *options, const char *name);

/** Note that entry `spec` of the table was given. */
void options_set_given(struct options *options, const struct option_spec *spec);

/** Parse the arguments after the command's name.
 * @param command   its bit, and `command_name` for sentences
 * @param subject   name of the plain argument in sentences ("ROOM"). Exactly one is required; none if
 * `subject` is NULL, none or one if it is in brackets ("[ROOM]"), one or more if it ends in two points
 * ("IR.wav..")
 * @param extra     further options of this command, or NULL; its base must hold the defaults already
 * `--help` or `-h` anywhere sets out->help and ends parsing without error.
 * FAILURE_INPUT names the option, the value and the limit; an unknown option names the nearest one.
 * `out` is always valid for options_free(). */
int options_parse(enum command_bit command, const char *command_name, const char *subject, int argc,
                  char **argv, const struct option_set *extra, struct options *out, struct failure *failure);
void options_free(struct options *options);

/** FAILURE_INPUT if an option with one value (a file, a folder) is given twice with different values.
 * options_parse() keeps the last one. For command lines typed by a person. */
int options_refuse_second(enum command_bit command, int argc, char **argv, const struct option_set *extra,
                          struct failure *failure);

/** The first argument that could be the command's plain argument and that `is_wanted` accepts, or NULL: for a
 * command whose options depend on it. Values of options in the table are skipped. */
const char *options_find_subject(enum command_bit command, int argc, char **argv,
                                 bool (*is_wanted)(const char *text));

/** The candidate nearest to `text` by insertions, deletions, changes and swaps of neighbours, or NULL when
 * none is near (more than 2 and more than a third of the letters differ). */
const char *options_nearest(const char *text, const char *const *candidate, size_t count);

/** Help lines of the options that `command` takes (and of `extra`), wrapped at 100 columns. */
void options_print_help(FILE *stream, enum command_bit command, const struct option_set *extra);

/** Hand the headings and options of such a help on, in its order. */
void options_walk(FILE *stream, enum command_bit command, const struct option_set *extra,
                  void (*heading)(FILE *stream, const char *group),
                  void (*option)(FILE *stream, const struct option_spec *spec));

/** The help of an option: its text, its words, its default. */
#define OPTION_TEXT_MAX 600
void options_describe(const struct option_spec *spec, char text[OPTION_TEXT_MAX]);

#endif
