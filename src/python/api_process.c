#include "src/python/api_process.h"

#include <stdlib.h>

#include "kernels/cuda/base/device.h"
#include "kernels/engine/engine_back_ends.h"
#include "src/base/interrupt.h"
#include "src/base/json_memory.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/base/options/failure_text.h"
#include "src/base/options/messages.h"
#include "src/setup/project/project_input.h"
#include "src/python/transept.h"
#include "src/run_folder/output_folder.h"
#include "src/response/signal/wav_file.h"

int api_process_begin(const char *project, const struct listener *listener, struct failure *failure)
{
    interrupt_forget();
    progress_json_drop();
    json_memory_watch(malloc);
    project_input_forget();
    if (project != NULL)
        TRY(project_input_give(project, failure));
    listener_set(listener);
    command_take_threads();
    return 0;
}

void api_process_end(void)
{
    progress_json_drop();
    listener_set(NULL);
    project_input_forget();
}

void transept_interrupt(void)
{
    if (!interrupt_seen) /* the first one starts the remaining time */
        interrupt_note();
}

const char *transept_version(void)
{
    return TRANSEPT_VERSION;
}

const char *transept_cuda(void)
{
    return device_toolkit(back_ends_built.device[BACKEND_CUDA]);
}

size_t transept_failure_bytes(void)
{
    return sizeof(struct failure);
}

size_t transept_failure_text_bytes(void)
{
    return MESSAGE_FAILURE_MAX;
}

void transept_failure_json(const struct failure *failure, char *text)
{
    (void)message_failure_json(failure, text);
}

void transept_failure_sentence(const struct failure *failure, char *text)
{
    (void)failure_text(failure, text);
}

void transept_text_free(char *text)
{
    free(text);
}

int transept_folder_finish(const char *path, struct failure *failure)
{
    return output_folder_finish(path, failure);
}

int transept_wav_read(const char *path, float **sample, size_t *frames, int *channels, int *rate,
                      struct failure *failure)
{
    struct wav_sound sound = {0};
    TRY(wav_sound_read(path, &sound, failure));
    *sample = sound.sample;
    *frames = sound.frames;
    *channels = sound.channels;
    *rate = sound.rate;
    return 0;
}

void transept_samples_free(float *sample)
{
    free(sample);
}
