/** Completion for bash, made from the tables that `--help` prints.
 *
 * The script completes commands, their options (of `room` those of the shape that is typed), the words and
 * files that options and arguments take, shapes and materials. What an option takes is told by its kind and
 * by how its help calls its value: `HZ|auto` the word auto, `FILE.ply` files that end so, `DIR` folders.
 * Everything is in the script: nothing is run while somebody types. It needs bash 4 and no other file.
 */
#ifndef SRC_COMPLETION_H
#define SRC_COMPLETION_H

#include <stdio.h>

#include "geometry/base/failure.h"

/** Write the script. Errors of the stream are its own (ferror). FAILURE_CAPACITY when memory runs out. */
int completion_print(FILE *stream, struct failure *failure);

#endif
