/** Times rooms stepped in parts next to the same room in one part.
 *
 * Both step the same field first, and their hashes must agree. Then they take turns in short rounds, so that
 * other load slows both; the median of the rounds' shares counts. */
#ifndef SRC_BENCH_PARTS_H
#define SRC_BENCH_PARTS_H

#include <stdbool.h>

#include "geometry/base/failure.h"

struct bench;

/** True if parts are to be measured. */
bool bench_wants_parts(const struct bench *bench);

/** The chosen rooms, schemes and precisions, in bench->own.parts parts of this process, or one part in each
 * rank of MPI. Prints a line, or an object of JSON, for each case. FAILURE_ANSWER_NO if the fields differ,
 * FAILURE_INTERRUPTED, failures of the rooms and engines. */
int bench_parts(struct bench *bench, struct failure *failure);

#endif
