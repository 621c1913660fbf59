/** Targets of a fit of branches: octave absorption, joined by straight lines, and the allowed deviation. */
#ifndef ROOMS_BRANCH_TARGET_H
#define ROOMS_BRANCH_TARGET_H

#define FIT_OCTAVES      8                 /* 63 Hz to 8 kHz, as in material_library.h */
#define FIT_THIRDS       (3 * FIT_OCTAVES) /* 50 Hz to 10 kHz */
#define FIT_BRANCHES_MAX 6

/** Exact octave centre 1000 x 10^(0.3 (octave - 4)) [Hz], octave 0..7. Bands reach to 10^(-0.15) and 10^0.15
 * of it. */
double fit_centre(int octave);

/** Allowed deviation of a fit from a target value: 5 % of it, at least 0.002 and at most 0.02. */
double fit_tolerance(double target);

/** Target random-incidence absorption at `frequency` [Hz]: straight lines in log f between the octave
 * centres, constant beyond the first and the last. */
double fit_target_at(const double target[FIT_OCTAVES], double frequency);

/** The same, so many octaves above the centre of the first. */
double fit_target_line(const double target[FIT_OCTAVES], double octaves);

/** The same lines between the centres of thirds, so many octaves above that of the second. */
double fit_third_line(const double third[FIT_THIRDS], double octaves);

#endif
