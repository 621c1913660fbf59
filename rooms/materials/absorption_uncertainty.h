/** How well the absorption of a surface is known: a standard uncertainty in each octave.
 *
 * What is written behind `+-` counts: `0.3 +- 0.05` holds in nine of ten cases (UNCERTAINTY_BAR standard
 * uncertainties), as all error bars of the program do. Anything else has that of a laboratory: the standard
 * deviation of reproducibility of ISO 12999-2:2020 (formula 1 and table 1, alpha_s of ISO 354),
 *
 *     u = m alpha + n,   63 Hz: .450 .015   125: .180 .015   250: .090 .015   500: .050 .015
 *                        1 kHz: .040 .015   2: .035 .021     4: .030 .040     5: .026 .060
 *
 * at the centre of each octave (8 kHz: as at 5 kHz, the last; the mean of three third octaves is no better,
 * since a room errs alike in all). n is for samples of a few square metres in a test room. Hard surfaces,
 * which absorb less than n, are known from rooms built of them; u is at most ABSORPTION_KNOWN of alpha: our
 * choice. A guess (`guessed`, and what counts for all other surfaces) may be another material of the same
 * kind. The scatter of ln alpha within the kinds of the library has the median .67 over kinds and octaves; u
 * is at least ABSORPTION_GUESSED of alpha. */
#ifndef ROOMS_ABSORPTION_UNCERTAINTY_H
#define ROOMS_ABSORPTION_UNCERTAINTY_H

#include <stdbool.h>
#include <stddef.h>

#define UNCERTAINTY_BAR    1.645 /* standard uncertainties in an error bar: nine of ten are within */
#define ABSORPTION_KNOWN   0.4
#define ABSORPTION_GUESSED 0.6

enum uncertainty_origin {
    UNCERTAINTY_OF_LABORATORY, /* ISO 12999-2 */
    UNCERTAINTY_OF_GUESS,
    UNCERTAINTY_GIVEN, /* in some octave */
};

/** Its word in run.json: "laboratory", "guess", "given". */
const char *uncertainty_origin_name(enum uncertainty_origin origin);

/** Standard uncertainty of an absorption 0..1 that nothing is said about, in octave 0..7 from 63 Hz. */
double absorption_uncertainty(double absorption, int octave, bool guessed);

/** The same in all octaves: of those that have none behind `+-` (with `stated`, the others are NaN). */
void absorption_uncertainty_fill(const double *absorption, bool stated, bool guessed, double *uncertainty);

/** Where `+-`, `+/-` or the sign for it stands in a text; `*width` is its length in bytes. NULL: nowhere. */
const char *absorption_plus_minus(const char *text, size_t *width);

/** True for a number, also with such a sign behind it: it is no name of a material. */
bool absorption_is_number(const char *text);

/** A name of a material, cut to `name`, also with how well its absorption is known, as "oak door +- 0.05";
 * `*uncertainty` as below, NaN where nothing is behind the name. False where there is no name, or one of
 * ABSORPTION_NAME_MAX bytes or more, or no number behind the sign. */
#define ABSORPTION_NAME_MAX 256
bool absorption_read_name(const char *text, char name[ABSORPTION_NAME_MAX], double *uncertainty);

/** The standard uncertainty of what is behind it: a plain number, or with `%` a hundredth, 0 or more; with
 * `comma` also with a decimal comma. False for anything else. */
bool absorption_read_bar(const char *text, bool comma, double *uncertainty);

#endif
