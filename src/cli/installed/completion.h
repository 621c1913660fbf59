/** Completion for bash, made from the tables that `--help` prints. The script completes commands, their
 * options (of `room` those of the typed shape), the words and files of options and arguments, shapes and
 * materials. The completion of a value follows from its kind and its name in the help: `HZ|auto` the word
 * auto, `FILE.ply` files with that ending, `DIR` folders. The script holds everything and runs no
 * program. It needs bash 4 and no other file. */
#ifndef SRC_COMPLETION_H
#define SRC_COMPLETION_H

#include <stdio.h>

#include "geometry/base/failure.h"

/** Write the script. Errors of the stream are its own (ferror). FAILURE_CAPACITY when memory runs out. */
int completion_print(FILE *stream, struct failure *failure);

#endif
