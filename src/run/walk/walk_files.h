/** The files of a walk: one gain, 24 bits. */
#ifndef SRC_WALK_FILES_H
#define SRC_WALK_FILES_H

#include "src/listen/auralisation.h"
#include "src/base/options/option_types.h"
#include "src/run_folder/output_folder.h"
#include "src/run/walk/walk_record.h"
#include "src/run/walk/walk_sound.h"

/** The sound of one source, at 48 kHz. Zeroed is empty. */
struct walked_source {
    char name[OPTION_NAME_MAX];
    struct walk_sound sound;
    float *mono, *ears; /* (frames), of four channels the first; (frames, EARS); owned */
};

void walked_source_free(struct walked_source *source);

/** Zeroed is empty; freed by walk_files_free(). */
struct walk_files {
    size_t count;
    struct walk_file *file; /* (count) owned */
    double gain;            /* of all: auralisation_gain() */
};

/** Write all sounds of the sources, which `out` borrows, under temporary names in the folder. FAILURE_OUTPUT,
 * FAILURE_CAPACITY; `out` is to be freed in any case. */
int walk_files_stage(const struct walked_source *source, size_t sources, enum auralisation_level level,
                     const struct output_folder *folder, struct walk_files *out, struct failure *failure);
void walk_files_free(struct walk_files *files);

#endif
