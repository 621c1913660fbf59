#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/print_json.h"
#include "src/base/path_text.h"
#include "src/cli/commands.h"
#include "src/listen/foreign_response.h"
#include "src/base/options/messages.h"
#include "src/response/signal/binaural.h"
#include "src/response/signal/wav_file.h"
#include "src/base/table/json_values.h"

#define FUMA_LEAST 1.6

static int check(const struct options *options, struct failure *failure)
{
    if (options->head == NULL)
        return failure_set(failure, FAILURE_INPUT, "binaural needs --head FILE.sofa, a measured head");
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "binaural needs -o OUT.wav, a file for the two ears");
    TRY(command_refuse_existing(options->output, options->force, failure));
    if (whole_file_replaces(options->output, options->subject) ||
        whole_file_replaces(options->output, options->head))
        return failure_set(failure, FAILURE_INPUT, "-o %s is the file that is read: give another -o",
                           options->output);
    return 0;
}

/* What is no response of a run may have suffered. */
static int mend_frames(const char *path, struct wav_sound *sound, struct failure *failure)
{
    struct foreign_damage damage;
    char text[FOREIGN_SENTENCE];
    bool foreign;
    TRY(foreign_is(path, &foreign, failure));
    if (!foreign)
        return 0;
    foreign_mend(sound, &damage);
    for (int n = 0; foreign_tell(&damage, path, n, text); n++)
        message_warning(stderr, "", "%s", text);
    return 0;
}

/* Energy of X, Y and Z over that of W. Of plane waves from anywhere, and of any mixture of them, it is 1 in
 * AmbiX (SN3D), 2 in FuMa, whose W is 3 dB lower, and 3 in N3D. */
static double directional(const struct wav_sound *sound)
{
    double w = 0.0, others = 0.0;
    for (size_t n = 0; n < sound->frames; n++)
        for (size_t c = 0; c < AMBISONIC_CHANNELS; c++) {
            const double x = (double)sound->sample[n * AMBISONIC_CHANNELS + c];
            *(c == AMBISONIC_W ? &w : &others) += x * x;
        }
    return w > 0.0 ? others / w : 1.0;
}

/* W, X, Y, Z of FuMa become W, Y, Z, X of AmbiX. */
static void convert_fuma(struct wav_sound *sound)
{
    for (size_t n = 0; n < sound->frames; n++) {
        float *frame = sound->sample + n * AMBISONIC_CHANNELS;
        const float x = frame[1], y = frame[2], z = frame[3];
        frame[AMBISONIC_W] *= (float)sqrt(2.0);
        frame[AMBISONIC_X] = x;
        frame[AMBISONIC_Y] = y;
        frame[AMBISONIC_Z] = z;
    }
}

static int take_convention(const char *path, struct wav_sound *sound, struct failure *failure)
{
    const double ratio = directional(sound);
    if (sound->b_format && ratio < FUMA_LEAST)
        return failure_fix(
            failure_set(
                failure, FAILURE_INPUT,
                "%s: its header calls it ambisonic B-format (FuMa: W, X, Y, Z, W 3 dB lower), but X, Y and Z "
                "have %.2g times the energy of W, and not 2",
                path, ratio),
            failure, "write it as a plain WAV of W, Y, Z, X (AmbiX)");
    if (sound->b_format) {
        message_warning(
            stderr, "",
            "%s: is ambisonic B-format (FuMa: W, X, Y, Z, W 3 dB lower) and was converted to AmbiX", path);
        convert_fuma(sound);
    } else if (ratio >= FUMA_LEAST) {
        message_warning(
            stderr, "",
            "%s: X, Y and Z have %.2g times the energy of W; in AmbiX (W, Y, Z, X) it is 1, in FuMa (W, X, "
            "Y, Z) 2, in N3D 3: directions and levels are wrong if it is not AmbiX",
            path, ratio);
    }
    return 0;
}

static int read_frames(const char *path, struct wav_sound *sound, struct failure *failure)
{
    TRY(wav_sound_read(path, sound, failure));
    if (sound->channels != AMBISONIC_CHANNELS)
        return failure_set(failure, FAILURE_INPUT,
                           "%s has %d channel%s; a first-order AmbiX file has four, W, Y, Z, X", path,
                           sound->channels, sound->channels == 1 ? "" : "s");
    if (sound->rate < 8000 || sound->rate > 400000)
        return failure_set(failure, FAILURE_INPUT, "%s has a rate of %d Hz; it must be 8 to 400 kHz", path,
                           sound->rate);
    TRY(mend_frames(path, sound, failure));
    return take_convention(path, sound, failure);
}

static int print_result(const struct options *options, const struct head_data *head,
                        const struct wav_sound *sound, struct failure *failure)
{
    if (options->json) {
        cJSON *object = cJSON_CreateObject();
        JSON_PUT(object, {"file", OF_TEXT(options->output)}, {"response", OF_TEXT(options->subject)},
                 {"rate_hz", OF_NUMBER(sound->rate)}, {"samples", OF_NUMBER(sound->frames)},
                 {"head", OF_TEXT(options->head)}, {"head_directions", OF_NUMBER(head->directions)},
                 {"yaw_deg", OF_NUMBER(options->yaw)}, {"pitch_deg", OF_NUMBER(options->pitch)},
                 {"roll_deg", OF_NUMBER(options->roll)});
        return print_json(object, failure);
    }
    if (!options->quiet)
        printf("%s: left and right, %.3g s at %d Hz, through %s (%zu directions)\n",
               PATH_SHOWN(options->output), (double)sound->frames / sound->rate, sound->rate,
               PATH_SHOWN(options->head), head->directions);
    return 0;
}

static int write_ears(const struct options *options, const struct wav_sound *sound,
                      const struct head_data *head, struct failure *failure)
{
    const struct head_orientation orientation = {options->yaw, options->pitch, options->roll};
    struct head_filters filters = {0};
    struct whole_file file = {0};
    float *ears = NULL;
    int code = head_filters_make(head, sound->rate, &filters, failure);
    if (code == 0)
        code = binaural_make(sound->sample, sound->frames, &filters, &orientation, &ears, failure);
    if (code == 0)
        code =
            wav_stage(options->output, ears, sound->frames, EARS, sound->rate, WAV_FLOAT32, &file, failure);
    if (code == 0)
        code = whole_file_commit(&file, failure);
    free(ears);
    head_filters_free(&filters);
    return code;
}

int command_binaural(const struct options *options, struct failure *failure)
{
    struct wav_sound sound = {0};
    struct head_data head = {0};
    int code = check(options, failure);
    if (code == 0)
        code = read_frames(options->subject, &sound, failure);
    if (code == 0)
        code = head_data_read(options->head, &head, failure);
    if (code == 0 && head.mislabelled)
        message_warning(stderr, "", HEAD_MISLABELLED_SENTENCE, options->head);
    if (code == 0)
        code = write_ears(options, &sound, &head, failure);
    if (code == 0)
        code = print_result(options, &head, &sound, failure);
    head_data_free(&head);
    wav_sound_free(&sound);
    return code;
}
