/** Reports the results of `auralise`: listen.json, and lines of words. */
#ifndef SRC_LISTENING_RECORD_H
#define SRC_LISTENING_RECORD_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/base/json_table.h"
#include "src/listen/listening_list.h"

/* listen.json; absence as stated in its table. */

struct listened_dry {
    char *source;             /* that plays it; NULL: any */
    char *synthesised, *file; /* one of them */
    double rate, channels, seconds, mean_of_channels;
};

struct listened {
    char *program, *version, *command;
    struct json_texts arguments;
    struct listened_dry *dry;                /* NULL where there are several, .. */
    JSON_LIST_OF(struct listened_dry) dries; /* .. which these are; else empty */
    char *level;
    double gain, true_peak_most, rate, bits; /* [dB], [dBFS], [Hz], .. */
    JSON_LIST_OF(struct listened_file) files;
};

extern const struct json_table listened_table;

/** Everything about the files: dry sound, level, gains, loudness, peaks and bands. Owned by the caller; NULL
 * without memory. */
cJSON *listening_record(const struct options *options, struct listening_list *list,
                        const struct dry_sound *dry, double gain);

/** The dry sounds as one text: "clap", "pulpit=voice.wav + organ=organ"; NULL: not known. Owned by the
 * caller. FAILURE_CAPACITY. */
int listened_dry_text(const struct listened *listened, char **out, struct failure *failure);

/** A line for every file, and common facts. */
void listening_print(FILE *stream, const struct options *options, const struct listening_list *list,
                     const struct dry_sound *dry, double gain);

#endif
