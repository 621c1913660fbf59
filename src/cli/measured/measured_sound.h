/** Recordings of `analyse` and `compare` that are no responses yet: `--sweep` and `--mls` say what was
 * played,
 * `--reference` what was recorded at a known distance. */
#ifndef SRC_MEASURED_SOUND_H
#define SRC_MEASURED_SOUND_H

#include "src/base/options/options.h"
#include "src/response/measured/reference_level.h"
#include "src/response/measured/sweep_response.h"
#include "src/response/signal/wav_file.h"
#include "src/setup/room_notices.h"

/** What the options say of all files; zeroed is empty, freed by measured_source_free(). */
struct measured_source {
    float *played; /* the sweep, or one period of the sequence; owned; NULL: files are responses */
    size_t count;
    double rate; /* [Hz]; 0: any */
    bool periodic;
    bool referenced;
    struct reference_level reference;
};

/** How a response was made of a recording. */
struct measured_facts {
    bool sweep, mls;
    struct sweep_facts swept;
    size_t periods; /* of a sequence, averaged */
};

/** Read the files of the options. FAILURE_INPUT names the option, the file and the fault. */
int measured_source_read(const struct options *options, struct measured_source *out,
                         struct room_notices *notices, struct failure *failure);
void measured_source_free(struct measured_source *source);

/** Remove what foreign_response.h finds of faults, with a warning each; then, if something was played,
 * `sound` becomes its response, and is mended once more. FAILURE_INPUT names the file. */
int measured_sound_make(const struct measured_source *source, const char *path, struct wav_sound *sound,
                        struct measured_facts *facts, struct room_notices *notices, struct failure *failure);

/** "deconvolved by ..": a sentence of it; empty if nothing was played. */
#define MEASURED_TEXT 300
void measured_facts_tell(const struct measured_facts *facts, char text[MEASURED_TEXT]);

#endif
