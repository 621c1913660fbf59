/** A clap through the responses of runs, for reports of runs that were not auralised. */
#ifndef SRC_REPORT_CLAP_H
#define SRC_REPORT_CLAP_H

#include "src/listen/auralisation.h"
#include "src/run_folder/run_folder.h"
#include "src/response/signal/wav_file.h"

/** One sound of a report. */
struct report_take {
    size_t run;
    struct listened_file record; /* wet, dry or dry_lowpassed; owned */
    double gain;                 /* of the player (-) */
    struct wav_sound sound;      /* owned */
};

/** Zeroed is empty, freed by report_takes_free(). */
struct report_takes {
    size_t count;
    struct report_take *take;
};

/** Append; takes ownership of the take's members, also on failure. FAILURE_CAPACITY. */
int report_takes_add(struct report_takes *takes, struct report_take take, struct failure *failure);
void report_takes_drop(struct report_takes *takes, const char *kind); /* those of this kind */
void report_takes_free(struct report_takes *takes);

#define REPORT_CLAP_SOURCES 4 /* of a run whose responses are played */

/** Play a clap through responses of `runs` runs, as report_sounds.h describes it, at one gain. Temporary
 * files are in the folder `scratch` while it works. FAILURE_INPUT if a run's record lacks a required member
 * or a response cannot be read; FAILURE_OUTPUT, FAILURE_CAPACITY, FAILURE_INTERRUPTED. */
int report_clap_take(const struct run_folder *folder, size_t runs, const char *scratch,
                     struct report_takes *out, struct failure *failure);

#endif
