/** Statistics of the figures of several responses: mean and standard deviation in every octave or third,
 * absent figures, and the standard's single numbers. */
#ifndef SRC_FIGURE_SUMMARY_H
#define SRC_FIGURE_SUMMARY_H

#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/acoustics/figure_table.h"
#include "src/response/further/further_figures.h"
#include "src/response/acoustics/lateral_figures.h"
#include "src/response/acoustics/speech_report.h"
#include "src/base/words/words.h"

/** Values as they come, one by one (Welford). */
struct figure_mean {
    size_t count;
    double mean;
    double squares; /* sum of the squared distances from it */
};

/** Values that are not finite are left out. */
void figure_mean_add(struct figure_mean *mean, double value);

/** NaN without values. */
double figure_mean_of(const struct figure_mean *mean);

/** Standard deviation; NaN for fewer than two values. */
double figure_mean_deviation(const struct figure_mean *mean);

/** One octave or third of all responses. */
struct figure_band {
    double centre; /* [Hz] */
    size_t count;  /* of responses that report it */
    struct figure_mean figure[OCTAVE_FIGURES];
    double range;                     /* the least decay range [dB] */
    size_t curved, uneven;            /* responses above the limits */
    struct figure_mean slope[3];      /* of responses with two slopes: early, late [s], level [dB] */
    size_t lacking;                   /* responses without one of the figures */
    const struct band_figures *first; /* the first of them; borrowed; NULL: all figures are present */
};

struct figure_summary {
    size_t responses, bands;
    bool calibrated; /* the level of one source at least is known */
    struct figure_band octave[BANDS_MAX];
    struct figure_mean single[FURTHER_FIGURES];
    size_t lateral_responses;     /* those of them that lateral_summary_add() was called with */
    struct speech_summary speech; /* speech_summary_add() by callers that evaluate speech */
};

/** Marks of one decay, and of any response in the octave. */
unsigned figure_marks_of(const struct band_times *times);
unsigned figure_band_marks(const struct figure_band *octave);

/** From a zeroed summary, one response after another; `figures` is borrowed while it is used. */
void figure_summary_add(struct figure_summary *summary, const struct acoustic_figures *figures);

/** The same of thirds: a summary is of octaves or of thirds. */
void third_summary_add(struct figure_summary *summary, const struct third_figures *figures);

/** Add the lateral figures of one of the responses. */
void lateral_summary_add(struct figure_summary *summary, const struct lateral_figures *figures);

/** And those of further_figures.h. */
void further_summary_add(struct figure_summary *summary, const struct further_figures *figures);

/** True if a response has a value of a figure, in an octave or as a single number. */
bool figure_summary_has(const struct figure_summary *summary, enum figure figure);

/** Within this distance of a source the direct sound dominates [m]: 2 sqrt(V / (c T)) (ISO 3382-1, clause 4),
 * T the mean of T30 over octaves and responses, or of T20 if there is none. NaN if V, c or T is unknown.
 * @param volume of the air [m3]; @param sound_speed [m/s] */
double figure_least_distance(const struct figure_summary *summary, double volume, double sound_speed);

/** Warning: receiver, its distance [m], source, least distance [m]. */
#define FIGURE_NEAR_SENTENCE                                                                                 \
    SAID("receiver %s is %.3g m from source %s, nearer than the %.3g m of ISO 3382-1: its figures "          \
         "describe the direct sound more than the room")

#define FIGURE_WHY_MAX 1280

/** All absent figures of an octave and their reasons, in one text; empty if there are none. `calibrated` of
 * acoustic_figures_is_calibrated(). */
void figure_why(const struct band_figures *octave, bool calibrated, char text[FIGURE_WHY_MAX]);

#endif
