/** What `auralise` reports of what it made: listen.json, and lines of words. */
#ifndef SRC_LISTENING_RECORD_H
#define SRC_LISTENING_RECORD_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/listen/listening_list.h"

/** Everything about the files: dry sound, level, gains, loudness, peaks, bands, and how tails were extended.
 * Owned by the caller; NULL without memory. */
cJSON *listening_record(const struct options *options, const struct listening_list *list,
                        const struct dry_sound *dry, double gain);

/** A line for every file, and what they have in common. */
void listening_print(FILE *stream, const struct options *options, const struct listening_list *list,
                     const struct dry_sound *dry, double gain);

#endif
