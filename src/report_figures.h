/** One value for each response, from the octaves that a run has: what findings and differences are made from.
 */
#ifndef SRC_REPORT_FIGURES_H
#define SRC_REPORT_FIGURES_H

#include <cjson/cJSON.h>

#define REPORT_BAND_MIDDLE (-1) /* the mean of 500 and 1000 Hz */
#define REPORT_BAND_NONE   (-2)

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
    int count;
    double mean, least, largest;       /* NaN without any */
    const char *at_least, *at_largest; /* receivers; borrowed */
};
struct report_spread report_figure_spread(const cJSON *responses, const char *name, int band,
                                          const char *source);

#endif
