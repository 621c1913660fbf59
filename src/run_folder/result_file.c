#include "src/run_folder/result_file.h"

#include <stdlib.h>
#include <string.h>

#include "src/response/signal/wav_file.h"

static int put_file(struct output_folder *folder, const char *name, int code, char *path,
                    struct whole_file *file, struct failure *failure)
{
    if (code == 0)
        code = output_folder_put(folder, name, file, failure);
    free(path);
    return code;
}

int result_put_wav(struct output_folder *folder, const char *name, const float *sample, size_t frames,
                   int channels, int rate, struct failure *failure)
{
    struct whole_file file = {0};
    char *path = output_folder_file(folder, name);
    const int code = path == NULL
                         ? failure_memory(failure, strlen(name), "a path")
                         : wav_stage(path, sample, frames, channels, rate, WAV_FLOAT32, &file, failure);
    return put_file(folder, name, code, path, &file, failure);
}

int result_put_text(struct output_folder *folder, const char *name, const struct text_buffer *text,
                    struct failure *failure)
{
    struct whole_file file = {0};
    char *path = output_folder_file(folder, name);
    int code = path == NULL ? failure_memory(failure, strlen(name), "a path")
                            : whole_file_open(&file, path, failure);
    if (code == 0) {
        (void)fwrite(text->data, 1, text->size, file.stream); /* an error shows when the file is settled */
        code = whole_file_settle(&file, failure);
    }
    return put_file(folder, name, code, path, &file, failure);
}
