/** How far a response in single precision is from the same in double: what rounding costs, and does it drift?
 */
#ifndef TESTS_PRECISION_ERROR_H
#define TESTS_PRECISION_ERROR_H

#include <math.h>
#include <stddef.h>

#define PRECISION_PARTS 8 /* of a response */

struct precision_error {
    double whole;   /* root of the mean square of the difference, as a share of that of `exact` (-) */
    double late;    /* that of the last part of the response, as a share of that of all of `exact` (-) */
    double squares; /* share of the squares of the difference in the last part: 1/8 where it does not grow */
    double drift;   /* largest mean of the difference over a window, as a share of the peak of `exact` (-) */
    double peak;    /* of `exact` */
};

static inline double precision_error_greater(double so_far, double value)
{
    return value <= so_far ? so_far : value; /* a NaN stays one */
}

/** All NaN where a value is, or where there are fewer samples than a window has.
 * @param one,exact (count) samples; @param window samples, whose mean is what lies below the band */
#define PRECISION_ERROR_DEFINE(name, type)                                                                   \
    static inline struct precision_error name(const type *one, const type *exact, size_t count,              \
                                              size_t window)                                                 \
    {                                                                                                        \
        struct precision_error error = {0};                                                                  \
        double sound = 0, all = 0, last = 0, sum = 0;                                                        \
        for (size_t n = 0; n < count; n++) {                                                                 \
            const double apart = (double)one[n] - (double)exact[n];                                          \
            sound += (double)exact[n] * (double)exact[n];                                                    \
            all += apart * apart;                                                                            \
            last += n >= count - count / PRECISION_PARTS ? apart * apart : 0;                                \
            error.peak = precision_error_greater(error.peak, fabs((double)exact[n]));                        \
            sum += apart - (n >= window ? (double)one[n - window] - (double)exact[n - window] : 0);          \
            if (n + 1 >= window)                                                                             \
                error.drift = precision_error_greater(error.drift, fabs(sum) / (double)window);              \
        }                                                                                                    \
        error.whole = sqrt(all / sound);                                                                     \
        error.late = sqrt(last / sound);                                                                     \
        error.squares = last / all;                                                                          \
        error.drift = count < window ? NAN : error.drift / error.peak;                                       \
        return error;                                                                                        \
    }
PRECISION_ERROR_DEFINE(precision_error_f32, float)
PRECISION_ERROR_DEFINE(precision_error_f64, double)

#endif
