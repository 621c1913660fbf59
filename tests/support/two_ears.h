/** A head that is none: two points in the open, HEAD_WIDTH apart, where a plane wave arrives a little earlier
 * or later and nothing else happens. Its field in spherical harmonics is known in closed form. */
#ifndef TESTS_TWO_EARS_H
#define TESTS_TWO_EARS_H

#include "src/response/signal/head_data.h"
#include "tests/support/test_support.h"

#define TWO_EARS_RADIUS     0.09  /* from the middle to a point [m] */
#define TWO_EARS_SPEED      343.2 /* [m/s] */
#define TWO_EARS_DIRECTIONS 200
#define TWO_EARS_LENGTH     256

/** @param gain  of the measurement, negative for a reversed polarity
 * @param delay of all of it, 40 to 200 samples at 48 kHz; half of it as the file's own delays */
static inline struct head_data two_ears(double gain, double delay)
{
    const double pi = 3.14159265358979323846, rate = 48000.0;
    struct head_data head = {.directions = TWO_EARS_DIRECTIONS, .length = TWO_EARS_LENGTH, .rate = rate};
    const size_t rows = EARS * head.directions;
    head.towards = malloc(head.directions * sizeof *head.towards);
    head.sample = calloc(rows * head.length, sizeof *head.sample);
    head.delay = malloc(rows * sizeof *head.delay);
    cr_assert(head.towards != NULL && head.sample != NULL && head.delay != NULL);
    for (size_t m = 0; m < head.directions; m++) {
        /* Pairs that are each other's mirror images, left and right. */
        const double n = (double)(m / 2), z = 1.0 - (2.0 * n + 1.0) / (double)(head.directions / 2);
        const double turn = 2.4 * n, flat = sqrt(1.0 - z * z), y = fabs(flat * sin(turn));
        head.towards[m][0] = flat * cos(turn);
        head.towards[m][1] = m % 2 == 0 ? y : -y;
        head.towards[m][2] = z;
        for (size_t ear = 0; ear < EARS; ear++) {
            const double side = (ear == EAR_LEFT ? 1.0 : -1.0) * head.towards[m][1];
            const double at = 0.5 * delay + 20.0 - TWO_EARS_RADIUS * side / TWO_EARS_SPEED * rate;
            float *sample = head.sample + (EARS * m + ear) * head.length;
            head.delay[EARS * m + ear] = 0.5 * delay - 20.0;
            for (size_t k = 0; k < head.length; k++) {
                const double x = (double)k - at, half = 20.0;
                const double sinc = fabs(x) < 1e-9 ? 1.0 : sin(pi * x) / (pi * x);
                if (fabs(x) < half)
                    sample[k] = (float)(gain * sinc * (0.5 + 0.5 * cos(pi * x / half)));
            }
        }
    }
    return head;
}

#endif
