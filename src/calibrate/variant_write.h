/** Adds a variant to the file of a project, of which every other byte stays. */
#ifndef SRC_VARIANT_WRITE_H
#define SRC_VARIANT_WRITE_H

#include <stdbool.h>

#include "src/setup/project/project.h"

/** Add the variant `name` behind the last of `project`, or at the end of a file without variants. `body` is
 * what stands below its name: lines of YAML with comments, each with its line break, in steps of two blanks.
 * The new file is read back before it takes the place of the old one, which keeps its permissions; with
 * `only_try` nothing is changed. FAILURE_INPUT: the project is standard input, has a variant of that name, or
 * its variants are not one below the other. FAILURE_OUTPUT, FAILURE_CAPACITY. */
int variant_write(const struct project *project, const char *name, const char *body, bool only_try,
                  struct failure *failure);

#endif
