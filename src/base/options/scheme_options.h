/** The schemes by their words, and their grid points per wavelength: one table for the options, their help,
 * and runs. */
#ifndef SRC_SCHEME_OPTIONS_H
#define SRC_SCHEME_OPTIONS_H

#include "kernels/scheme/time_step.h"

/** The scheme of a grid for which none is asked. */
#define SCHEME_OF_CHOICE "isotropic"

/** Order of the words of --quality. */
enum option_quality { QUALITY_DRAFT, QUALITY_STANDARD, QUALITY_FINE };
#define QUALITIES 3

/* Points per wavelength at fmax. 7-point scheme: 2, 1 and 0.5 % of phase error in the worst direction
 * (numerics.md section 7). */
#define STANDARD_POINTS_DRAFT  7.5
#define STANDARD_POINTS        10.5
#define STANDARD_POINTS_FINE   15
#define STANDARD_POINTS_LEAST  4
#define ISOTROPIC_POINTS_DRAFT 4.5
#define ISOTROPIC_POINTS       6
#define ISOTROPIC_POINTS_FINE  7
#define ISOTROPIC_POINTS_LEAST 3.6 /* the band must end well below the highest frequency of the lattice */

#define SCHEMES 2
/** Points per wavelength by enum scheme and option_quality; and the fewest, below which nothing of the band
 * is right (-). */
extern const double scheme_points[SCHEMES][QUALITIES];
extern const double scheme_points_least[SCHEMES];

/** The words of --scheme and --quality in the order of their enums, NULL-ended. */
extern const char *const scheme_words[];
extern const char *const quality_words[];

/** The scheme of a record; standard where it has no such word. */
enum scheme scheme_of_word(const char *word);

#endif
