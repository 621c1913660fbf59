/** The responses for `analyse`: one for each channel of its arguments, with known facts about it. */
#ifndef SRC_ANALYSIS_LIST_H
#define SRC_ANALYSIS_LIST_H

#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/further/further_figures.h"
#include "src/response/acoustics/speech_transmission.h"
#include "src/base/options/options.h"
#include "src/cli/measured/measured_sound.h"
#include "src/run_folder/run_folder.h"
#include "src/run_folder/run_read.h"
#include "src/setup/room_notices.h"

/** The origin of a response's onset and highest frequency. */
enum analysis_origin { ANALYSIS_OPTION, ANALYSIS_RUN, ANALYSIS_FILE };

/** One response; strings are owned by the list. */
struct analysis_response {
    char *file;              /* as it was given, or DIR/file of a run */
    char *source, *receiver; /* of a run; NULL: not known */
    int channel, channels;   /* from 1 */
    double rate;             /* [Hz] */
    size_t samples;
    bool silent;         /* all samples are 0 */
    double file_rate;    /* of a receiver grid: the highest frequency in its file [Hz]; else as above */
    size_t file_samples; /* of a channel */
    double onset, fmax;  /* [s], [Hz] */
    enum analysis_origin onset_from, fmax_from;
    double distance; /* of a run [m]; NaN: not known */
    struct acoustic_figures figures;
    struct further_figures further;
    struct third_figures *thirds; /* if they are asked for, else NULL; owned */
    struct speech_transmission speech;
    struct measured_facts measured; /* how it was made of a recording */
    struct decay_trace *trace;      /* of each octave, if asked for; owned */
    bool recorded;                  /* octaves from rays have the figures of run.json, not of the file */
    struct record_response record;  /* the members of record_figures_table; owned */
};

/** Zeroed is empty, freed by analysis_list_free(). */
struct analysis_list {
    size_t count;
    struct analysis_response *response;
    struct speech_levels levels;     /* of the options */
    struct measured_source measured; /* of the options */
    size_t points;                   /* of a decay that is asked for */
    double volume, sound_speed;      /* of the last run of the arguments; NaN: none */
    struct room_notices notices;     /* warnings, not printed yet */
};

/** Read and analyse everything that options->subjects mean: WAV files, and folders of runs, whose mono
 * responses are taken. A file in the folder of its run has onset, highest frequency and level
 * from there; of one with several channels (ambisonics) the first alone is the pressure. Else every channel
 * is a response, its onset is by the rule of 20 dB, it goes as far up as the file does, and its level is not
 * known; options say otherwise (`channel`, `onset`, `fmax`, `calibrated`). Speech has the levels of
 * `speech_level` and `noise_level`. FAILURE_INPUT names the file or
 * option; FAILURE_CAPACITY; FAILURE_INTERRUPTED after Ctrl-C.
 *
 * Octaves that a run has from rays are random sound in its files, and figures of one draw differ from those
 * of the energy. They have the figures of run.json, with their error bars, unless `onset` is given; MTI and
 * STI too, unless `speech_level` is given. Thirds (`bands`) of such a run end where its rays begin. */
int analysis_list_make(const struct options *options, struct analysis_list *out, struct failure *failure);

/** The same for one path instead of those of the options: FILE.wav@7 is channel 7 of a file. With the decays
 * of the first response, of at most `points` points. */
int analysis_list_of(const struct options *options, const char *subject, size_t points,
                     struct analysis_list *out, struct failure *failure);
void analysis_list_free(struct analysis_list *list);

/** Give the responses of a run that was made without thirds those of their files, and its means theirs, as if
 * run.json had them; nothing unless `bands` asks for them. */
int analysis_thirds_add(const struct options *options, struct run_folder *folder, struct failure *failure);

#endif
