/** What a job prints on standard error, as server-sent events, from its first line to its end. */
#ifndef SRC_STUDIO_EVENTS_H
#define SRC_STUDIO_EVENTS_H

#include <microhttpd.h>
#include <stdatomic.h>

/** An answer that lasts until the job ends or `*stops`: `event: line` for each line of FOLDER/err, and at
 * last `event: end` with {"status": N}, null for a job that was lost. `folder` ends in a slash. NULL without
 * memory. Of lines of progress that follow one another, those that another
 * follows already are left out. A line that is longer than 64 kB is cut. */
struct MHD_Response *studio_events_make(const char *folder, const atomic_bool *stops);

#endif
