/** What a calibration changed: printed, as JSON, and as the variant of a project. */
#ifndef SRC_CALIBRATION_WORDS_H
#define SRC_CALIBRATION_WORDS_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "src/calibrate/calibration.h"

/** A change beyond this is said to be large [standard uncertainties]. */
#define CALIBRATION_LARGE 2.0

/** Measured and simulated times by octave, and the absorption of every surface that changed, before and
 * after. */
void calibration_print(FILE *stream, const struct calibration *calibration);

/** The lines below the name of a variant (variant_write.h): a comment with the times, and the new absorption
 * of the surfaces that changed, each with a comment of what it was. `from` says what was measured. */
void calibration_put_variant(FILE *stream, const struct calibration *calibration, const char *from);

/** Members of `object`: `figure`, `runs`, `octaves_hz`, `measured_s`, `before_s`, `after_s`, `materials`. */
void calibration_put_json(cJSON *object, const struct calibration *calibration);

/** The octaves that ended like that: "63, 125 Hz", or "". Into `text`, returned. */
#define CALIBRATION_OCTAVES_MAX 80
const char *calibration_octaves(const struct calibration *calibration, enum calibrated_octave like,
                                char text[CALIBRATION_OCTAVES_MAX]);

/** The largest change of a surface [standard uncertainties]. */
double calibrated_surface_reach(const struct calibrated_surface *surface);

#endif
