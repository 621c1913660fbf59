/** One value for each response, from the octaves that a run has: what findings and differences are made from.
 */
#ifndef SRC_REPORT_FIGURES_H
#define SRC_REPORT_FIGURES_H

#include <cjson/cJSON.h>

#include <stdbool.h>

#define REPORT_BAND_MIDDLE (-1) /* the mean of 500 and 1000 Hz */
#define REPORT_BAND_NONE   (-2)
#define REPORT_BAND_WHOLE  (-3) /* no octave: a figure of the whole response, such as `sti` */

/** Do the octaves of the responses hold 500 and 1000 Hz, at which rooms are judged? */
bool report_shows_middle(const cJSON *responses);

/** The least run that shows them: --fmax 1420 [Hz]. */
#define REPORT_MIDDLE_FMAX 1420

/** Which octave stands for figure `name` of `responses`: the middle where some response has both; else the
 * highest up to 1 kHz that some response has (an index into octaves_hz); else none. */
int report_figure_band(const cJSON *responses, const char *name);

/** The figure of one response there; NaN where it is absent. */
double report_figure_value(const cJSON *response, const char *name, int band);

/** "500 and 1000 Hz" or "125 Hz". */
#define REPORT_BAND_WORDS 32
const char *report_band_words(const cJSON *responses, int band, char text[REPORT_BAND_WORDS]);

/** Over the responses of `source` (NULL: of all). */
struct report_spread {
    int count; /* that have the figure */
    int all;
    double mean, least, largest;       /* NaN without any */
    const char *at_least, *at_largest; /* receivers; borrowed */
};
struct report_spread report_figure_spread(const cJSON *responses, const char *name, int band,
                                          const char *source);

/** "1 place", "mean of 5 places", "mean of 3 of 5 places", "1 of 5 places". `places`: all are of one source;
 * else they are called responses. */
#define REPORT_COUNT_WORDS 64
const char *report_count_words(const struct report_spread *spread, bool places,
                               char text[REPORT_COUNT_WORDS]);

/** What tells the reverberation of a run: T30, else T20, else EDT, the first that at least half of the
 * responses have at middle frequencies; where none has so many, the one that most have. Where no response has
 * any there, likewise at the highest octave up to 1 kHz that some response has. */
struct report_reverberation {
    const char *name, *word; /* "t30_s", "T30"; NULL where there is none */
    const char *stand_in;    /* what a reader must know where it is not T30; else empty */
    int band;
};
struct report_reverberation report_reverberation_of(const cJSON *responses);

/** Decimals with which `value` is told so that nobody is misled: at least `decimals`, and up to three more
 * until what is read is within 5 % of the value and on the same side of both limits (infinite: none). */
int report_decimals(double value, int decimals, double low, double high);

/** Why no response has the figure called `word`: the first reason that stands in a response, without its
 * heading, at middle frequencies where the responses show both of them, else at the highest octave that has a
 * reason. False where there is none. */
bool report_figure_reason(const cJSON *responses, const char *word, char *text, size_t capacity);

#endif
