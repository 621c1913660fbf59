/** The manual: pages of man(1), made from the tables that `--help` prints.
 *
 * transept.1 has the text of `transept --help`, transept-COMMAND.1 that of `transept COMMAND --help`, word
 * for word (tests/installed/test_manual.c compares them). The program man_pages writes them when all is
 * built.
 */
#ifndef SRC_MANUAL_H
#define SRC_MANUAL_H

#include <stdio.h>

#include "src/cli/commands.h"

/** The page of one command, with the options that only it has; of `room` those of every shape.
 * FAILURE_CAPACITY when memory runs out. */
int manual_command(FILE *stream, const struct command *command, struct failure *failure);

/** Write every page into `folder`, which must exist; pages of that name are replaced. FAILURE_OUTPUT,
 * FAILURE_CAPACITY. */
int manual_write(const char *folder, struct failure *failure);

#endif
