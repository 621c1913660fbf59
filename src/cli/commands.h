/** The commands of the program, what their help says, and the words they share. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include <stddef.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "src/options/options.h"

/** A command gets the arguments after its name and returns a failure_code. Results go to standard output,
 * facts, warnings and progress to standard error; the sentence of a failure is printed by main(). */
struct command {
    const char *name;
    enum command_bit bit;
    const char *subject; /* what its plain argument is called; NULL: it takes none */
    const char *summary; /* one line */
    const char *description;
    int (*run)(const struct command *command, int argc, char **argv, struct failure *failure);
};

const struct command *commands_table(size_t *count);

/** The command of that name; NULL where there is none, and then the nearest name, or NULL, in `nearest`. */
const struct command *command_find(const char *name, const char **nearest);

int command_simulate(const struct command *command, int argc, char **argv, struct failure *failure);
int command_plan(const struct command *command, int argc, char **argv, struct failure *failure);
int command_check(const struct command *command, int argc, char **argv, struct failure *failure);
int command_compare(const struct command *command, int argc, char **argv, struct failure *failure);
int command_bench(const struct command *command, int argc, char **argv, struct failure *failure);
int command_memory(const struct command *command, int argc, char **argv, struct failure *failure);
int command_materials(const struct command *command, int argc, char **argv, struct failure *failure);
int command_film(const struct command *command, int argc, char **argv, struct failure *failure);
int command_auralise(const struct command *command, int argc, char **argv, struct failure *failure);
int command_report(const struct command *command, int argc, char **argv, struct failure *failure);
int command_new(const struct command *command, int argc, char **argv, struct failure *failure);
int command_analyse(const struct command *command, int argc, char **argv, struct failure *failure);
int command_modes(const struct command *command, int argc, char **argv, struct failure *failure);
int command_binaural(const struct command *command, int argc, char **argv, struct failure *failure);
int command_room(const struct command *command, int argc, char **argv, struct failure *failure);

/** What most commands are: their options parsed, help where it is asked for, else `run`. */
int command_with_options(const struct command *command, int argc, char **argv,
                         int (*run)(const struct options *options, struct failure *failure),
                         struct failure *failure);

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

/** What a command's usage shows behind its subject: "-o DIR", or "". */
const char *help_output(const struct command *command);

/** Options that only one command has. */
struct option_set bench_option_set(void *base);

#endif
