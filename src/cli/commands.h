/** The commands of the program, what their help says, and the words they share. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include <stddef.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "src/base/options/options.h"

struct command;

/** A command returns a failure_code. Results go to standard output, facts, warnings and progress to standard
 * error; the sentence of a failure is printed by main(). One that has more to do than to run with options of
 * the table starts with the arguments after its name. */
typedef int command_run(const struct options *options, struct failure *failure);
typedef int command_start(const struct command *command, int argc, char **argv, struct failure *failure);

struct command {
    const char *name;
    enum command_bit bit;
    const char *subject; /* what its plain argument is called; NULL: it takes none */
    const char *summary; /* one line */
    const char *description;
    command_run *run;     /* NULL: `start` */
    command_start *start; /* NULL: command_with_options() */
    const char *output;   /* what its usage shows behind the subject: "-o DIR", or "" */
};

const struct command *commands_table(size_t *count);

/** The command of that name; NULL where there is none, and then the nearest name, or NULL, in `nearest`. */
const struct command *command_find(const char *name, const char **nearest);

command_run command_new, command_plan, command_check, command_compare, command_memory, command_auralise,
    command_analyse, command_modes, command_binaural, command_report, command_export, command_materials;
command_start command_simulate, command_bench, command_film, command_play, command_room;

/** What most commands are: their options, and those of `extra` (may be NULL), parsed; help where it is asked
 * for, else `run`. */
int command_with_options(const struct command *command, int argc, char **argv, const struct option_set *extra,
                         command_run *run, struct failure *failure);

/** Where ROOM is a project: open it with --variant and apply it. `*out` is NULL where it is none, else the
 * caller's: project_close() after options_free(). */
int command_take_project(struct options *options, struct project **out, struct failure *failure);

/** As many threads as this machine starts, of the thread that calls and those of its parallel regions: before
 * any other work of it. */
void command_take_threads(void);

/** As --progress asks. */
void command_show_progress(const struct options *options);

/** FAILURE_INPUT where a file is to be written that exists, unless `force`. */
int command_refuse_existing(const char *path, bool force, struct failure *failure);

/** All commands, or one of them with its options and those of `extra` (may be NULL). */
void help_overview(FILE *stream);
void help_command(FILE *stream, const struct command *command, const struct option_set *extra);

/** What help and manual (manual.h) both say, beside the tables. Lists end with NULL. */
struct help_words {
    const char *intro, *usage;
    const char *of_a_command, *version; /* what `COMMAND --help` and `--version` print */
    const char *first_room[4];          /* commands */
    const char *statuses[4];            /* lines of one sentence */
};
extern const struct help_words help_words;

/** The shapes of `memory`; NULL-ended. */
extern const char *const memory_shapes[];

/** Options that only one command has. */
struct option_set bench_option_set(void *base);

#endif
