/** Results of a run, each written whole into its folder (output_folder.h). */
#ifndef SRC_RESULT_FILE_H
#define SRC_RESULT_FILE_H

#include "geometry/base/text_buffer.h"
#include "src/run_folder/output_folder.h"

/** Sound as 32-bit float; as wav_stage(). */
int result_put_wav(struct output_folder *folder, const char *name, const float *sample, size_t frames,
                   int channels, int rate, struct failure *failure);

/** FAILURE_OUTPUT names the file and the cause. */
int result_put_text(struct output_folder *folder, const char *name, const struct text_buffer *text,
                    struct failure *failure);

#endif
