/** Converts the arguments of `auralise` to a list of sounds with names.
 *
 * Plain arguments are responses: WAV files, folders of runs, and folders that hold folders of runs
 * (variants). The last one is the dry sound, unless --dry names it. If all are folders, the dry sound is a
 * clap. Facts come from the run.json beside a response.
 *
 * With `--dry SOURCE=FILE`, once for each source, all arguments are folders, and each receiver hears these
 * sources at once; other sources are silent. A file whose name has such a beginning is given as ./FILE. */
#ifndef SRC_LISTENING_LIST_H
#define SRC_LISTENING_LIST_H

#include "src/listen/auralisation.h"
#include "src/base/options/options.h"

/** A folder that responses come from. */
struct listening_run {
    char *folder; /* owned */
    char *label;  /* last name of the folder, for file names: letters, digits, `_`, `-`, `.`; owned */
    bool known;   /* it has a run.json */
    struct run_model model; /* of it; owned */
};

/** A dry sound, and the source that plays it. */
struct listening_dry {
    char source[OPTION_NAME_MAX]; /* empty: any source */
    const char *sound;            /* borrowed */
};

/** Zeroed is empty; freed by listening_list_free(). */
struct listening_list {
    size_t dries;
    struct listening_dry *dry; /* (dries) owned */
    const char *folder;        /* for the results; NULL: `-o NAME.wav` */
    bool beside_responses;     /* that is the run's own folder */
    char *record;              /* name or path of the JSON; owned */
    size_t run_count;
    struct listening_run **run;
    size_t count;
    struct heard *heard; /* (count) */
};

/** Read run.json files and list the sounds without making any. FAILURE_INPUT names the fault: no response, a
 * folder without a run, no place for results, an fmax other than that of run.json; of dry sounds one without
 * a source beside another, two for one source, a source that a run has not, or a response that is missing. */
int listening_list_make(const struct options *options, struct listening_list *out, struct failure *failure);
void listening_list_free(struct listening_list *list);

/** True if the sound is that of one source alone: SOURCE=FILE. */
bool listening_dry_read(const char *text, struct listening_dry *out);

/** The last name of a path, with `_` for every character but letters, digits, `_`, `-` and `.`; owned by the
 * caller, NULL without memory. */
char *listening_label(const char *path);

/** True if the path ends in .wav. */
bool listening_is_wav(const char *path);

/** Names for all sounds and the record: listen_<response>.wav in a folder, else the beginning of `output`. */
int listening_names_make(struct listening_list *list, const char *output, struct failure *failure);

#endif
