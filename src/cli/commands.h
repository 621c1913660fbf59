/** The commands of the program, what their help says, and the words they share. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include <stddef.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "src/base/options/options.h"

struct command;

/** A command returns a failure_code. Results go to standard output; facts, warnings and progress go to
 * standard error; main() prints the sentence of a failure. A command that does more than run with options
 * of the table starts with the arguments after its name. */
typedef int command_run(const struct options *options, struct failure *failure);
typedef int command_start(const struct command *command, int argc, char **argv, struct failure *failure);

struct command {
    const char *name;
    enum command_bit bit;
    const char *subject; /* the name of its plain argument; NULL: none */
    const char *summary; /* one line */
    const char *description;
    command_run *run;                         /* NULL: `start` */
    command_start *start;                     /* NULL: command_with_options() */
    const char *output;                       /* shown in its usage behind the subject: "-o DIR", or "" */
    const struct engine_back_ends *back_ends; /* of its runs; NULL: back_ends_built */
};

const struct command *commands_table(size_t *count);

/** The command of that name. If there is none: NULL, and in `nearest` the nearest name or NULL. */
const struct command *command_find(const char *name, const char **nearest);

command_run command_new, command_plan, command_check, command_compare, command_memory, command_auralise,
    command_analyse, command_modes, command_binaural, command_report, command_export, command_materials,
    command_rays;
command_start command_simulate, command_bench, command_film, command_play, command_room, command_studio,
    command_calibrate;

/** The usual command: parse its options and those of `extra` (may be NULL), then print help if requested,
 * else call `run`. */
int command_with_options(const struct command *command, int argc, char **argv, const struct option_set *extra,
                         command_run *run, struct failure *failure);

/** If ROOM is a project, open it with --variant and apply it. Else `*out` is NULL. `*out` is the
 * caller's: project_close() after options_free(). */
int command_take_project(struct options *options, struct project **out, struct failure *failure);

/** Start as many threads as this machine allows, counting the calling thread and those of its parallel
 * regions. Call this before any other work. */
void command_take_threads(void);

/** Set up progress as --progress requests. */
void command_show_progress(const struct options *options);

/** FAILURE_INPUT if the file to be written exists, unless `force`. */
int command_refuse_existing(const char *path, bool force, struct failure *failure);

/** Print all commands, or one of them with its options and those of `extra` (may be NULL). */
void help_overview(FILE *stream);
void help_command(FILE *stream, const struct command *command, const struct option_set *extra);

/** Texts that both help and manual (manual.h) print, next to the tables. Lists end with NULL. */
struct help_words {
    const char *intro, *usage;
    const char *of_a_command, *version; /* output of `COMMAND --help` and `--version` */
    const char *first_room[4];          /* commands */
    const char *statuses[4];            /* lines of one sentence */
};
extern const struct help_words help_words;

/** The shapes of `memory`; NULL-ended. */
extern const char *const memory_shapes[];

/** Options that only one command has. */
struct option_set bench_option_set(void *base);
struct option_set calibrate_option_set(void *base);

#endif
