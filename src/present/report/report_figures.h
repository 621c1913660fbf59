/** One value for each response, from the octaves of a run, as the basis of findings and differences. */
#ifndef SRC_REPORT_FIGURES_H
#define SRC_REPORT_FIGURES_H

#include <stdbool.h>

#include "src/present/report/report_model.h"

#define REPORT_BAND_MIDDLE (-1) /* the mean of 500 and 1000 Hz */
#define REPORT_BAND_NONE   (-2)
#define REPORT_ERROR_WORDS 64
#define REPORT_BAND_WHOLE  (-3) /* no octave: a figure of the whole response, such as STI */

/** Does sound leave the room of a run? Also of runs that do not record where. */
bool report_lets_out(const struct run_model *model);

/** The volume of a run for targets [m3]; 0 if sound leaves the room. Part of the air may then be outside, so
 * no target that depends on the volume holds. */
double report_room_volume(const struct run_model *model);

/** Do the octaves of the responses hold 500 and 1000 Hz, at which rooms are judged? */
bool report_shows_middle(const struct report_run *run);

/** The least run that shows them: --fmax 1420 [Hz]. */
#define REPORT_MIDDLE_FMAX 1420

/** The octave by which a figure is judged: the middle where some response has both; else the highest up to 1
 * kHz that some response has (an index into its octaves); else none. */
int report_figure_band(const struct report_run *run, enum figure figure);

/** Which octave of the responses is called `nominal` [Hz]; -1: none. */
int report_octave_band(const struct report_run *run, int nominal);

/** A figure with what it is, in the language of the page: "clarity C80". */
const char *report_figure_called(enum figure figure);

/** "500 and 1000 Hz" or "125 Hz". */
const char *report_band_words(const struct report_run *run, int band, char text[REPORT_BAND_WORDS]);

/** The marks of a figure of one response there; of the middle those of both octaves. */
unsigned report_figure_marks(const struct report_response *response, enum figure figure, int band);

/** The marks of any response in the octave called `nominal` [Hz]. */
unsigned report_octave_marks(const struct report_run *run, int nominal);

/** The mean of the two slopes over the responses that have them in an octave, or in one of the middle ones;
 * false where none has [s], [dB]. */
struct report_slopes {
    double early, late, level;
};
bool report_slopes_of(const struct report_run *run, int band, struct report_slopes *out);

/** A figure of one response at `band`, and its error bar; NaN where it is absent. */
double report_figure_of(const struct report_response *response, enum figure figure, int band, double *error);

/** Over the responses of `source` (NULL: of all). */
struct report_spread {
    int count; /* that have the figure */
    int all;
    double mean, least, largest;       /* NaN without any */
    const char *at_least, *at_largest; /* receivers; borrowed */
    double error;                      /* error bar of the mean (record_error.h); NaN: none */
    unsigned marks;                    /* of any of them: figure_table.h */
};
struct report_spread report_figure_spread(const struct report_run *run, enum figure figure, int band,
                                          const char *source);

/** Does half or twice the scattering change the figure by more than FIGURE_UNSURE, at `band`? */
bool report_is_unsure(const struct report_run *run, enum figure figure, int band);

/** Fill `mean_error` of a run, where there are error bars. FAILURE_CAPACITY without memory. */
int report_mean_errors_add(struct report_run *run, struct failure *failure);

/** " \xC2\xB1 0.2" in the language of the page; empty without an error bar (NaN). */
const char *report_error_words(double error, int decimals, char text[REPORT_ERROR_WORDS]);

/** "1 place", "mean of 5 places", "mean of 3 of 5 places", "1 of 5 places". `places`: all are of one source;
 * else they are called responses. */
const char *report_count_words(const struct report_spread *spread, bool places,
                               char text[REPORT_COUNT_WORDS]);

/** The figure that gives the reverberation of a run: the first of T30, T20 and EDT that at least half of the
 * responses have at middle frequencies. If no figure has so many, the one that most have. If no response has
 * any there, likewise at the highest octave up to 1 kHz that some response has. */
struct report_reverberation {
    bool there;
    enum figure figure;
    const char *stand_in; /* a note if it is not T30; else empty */
    int band;
};
struct report_reverberation report_reverberation_of(const struct report_run *run);

/** The same in one octave alone, an index or REPORT_BAND_MIDDLE. */
struct report_reverberation report_reverberation_at(const struct report_run *run, int band);

/** Decimals for printing `value`: at least `decimals`, and up to three more until the printed number is
 * within 5 % of the value and on the same side of both limits (infinite: none). */
int report_decimals(double value, int decimals, double low, double high);

/** Why no response has a figure: the first reason of a response, without its heading. It is taken at middle
 * frequencies if the responses show both of them, else at the highest octave with a reason. False if none. */
bool report_figure_reason(const struct report_run *run, enum figure figure, char *text, size_t capacity);

#endif
