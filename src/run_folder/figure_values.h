/** Values of the figures of figure_table.h as run.json keeps them: by octave, and the single numbers. */
#ifndef SRC_FIGURE_VALUES_H
#define SRC_FIGURE_VALUES_H

#include "src/response/acoustics/figure_table.h"
#include "src/base/json_table.h"

/** One value a figure and octave, and one a figure. The same struct holds means, their deviations, spreads:
 * in the file their names have a suffix, "c80_db_spread". A figure that a file has is `there`, be its values
 * NaN (null). */
struct figure_values {
    struct json_numbers octave[OCTAVE_FIGURES]; /* in the octaves beside it; absent: not there */
    double single[ALL_FIGURES];
    bool single_there[ALL_FIGURES];
};

/** JSON_FIELD_OWN(struct .., member, figure_values_json, "_suffix"): `suffix` is "" for the values
 * themselves. */
extern const struct json_own figure_values_json;

/** Entries of a table (json_entries.h): the exact centres of the octaves that its figures are in,
 * `octaves_hz`, and, written and never read, their nominal names, `nominal_hz`: 63, 125, 250..; of thirds
 * `thirds_hz` and 50, 63, 80.. */
#define OCTAVE_CENTRES(name, member)                                                                         \
    NUMBERS(name, member), JSON_FIELD_OWN(struct TYPE, member, nominal_octaves_json, NULL)
#define OCTAVE_CENTRES_IF(name, member)                                                                      \
    NUMBERS_IF(name, member), JSON_FIELD_OWN(struct TYPE, member, nominal_octaves_json, NULL)
#define THIRD_CENTRES(member)                                                                                \
    NUMBERS_IF("thirds_hz", member), JSON_FIELD_OWN(struct TYPE, member, nominal_octaves_json, NULL)
extern const struct json_own nominal_octaves_json;

void figure_values_clear(struct figure_values *values);
void figure_values_free(struct figure_values *values);

/** A single number that is to be written, be it NaN. */
void figure_values_single(struct figure_values *values, enum figure figure, double value);

/** NaN where absent. */
double figure_values_octave(const struct figure_values *values, enum figure figure, size_t band);

#endif
