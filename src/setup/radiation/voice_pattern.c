/* Speech as measured around 15 talkers (see pattern.h). */
#include <math.h>

#include "src/setup/radiation/pattern.h"

#define PI 3.14159265358979323846

#define OCTAVES 7
#define ANGLES  13 /* every 15 degrees from the mouth's axis */
#define AROUND  12 /* about it */

/* Levels at 1 m [dB] in octaves from 125 Hz to 8 kHz: Monson, Hunter and Story 2012, table I, normal speech.
 */
static const double level[ANGLES][OCTAVES] = {
    {50.2, 56.0, 57.4, 55.0, 51.2, 46.3, 46.4}, {51.0, 56.7, 58.0, 54.8, 50.2, 44.6, 45.4},
    {50.1, 55.8, 57.5, 54.3, 51.1, 45.6, 44.7}, {49.8, 55.5, 57.4, 53.6, 50.4, 44.7, 43.3},
    {49.6, 55.2, 57.3, 53.5, 48.7, 42.4, 40.6}, {49.1, 54.4, 56.7, 53.6, 46.5, 41.0, 39.4},
    {48.6, 53.7, 55.8, 53.4, 44.2, 40.0, 37.7}, {48.1, 52.9, 54.6, 52.5, 43.6, 37.3, 34.9},
    {47.5, 52.1, 53.0, 50.4, 43.3, 33.6, 31.4}, {47.1, 51.5, 51.9, 48.0, 41.9, 31.8, 28.6},
    {46.7, 51.1, 51.4, 47.1, 38.2, 29.6, 24.9}, {46.6, 51.0, 51.4, 48.1, 36.2, 25.3, 21.4},
    {46.6, 50.9, 51.5, 48.7, 38.1, 27.4, 20.1}};

int pattern_make_voice(struct pattern *out, struct failure *failure)
{
    double direction[ANGLES * AROUND][3], weight[ANGLES * AROUND];
    double complex value[ANGLES * AROUND];
    TRY(pattern_allocate(OCTAVES, out, failure));
    for (int o = OCTAVES; o-- > 0;) {
        for (int a = 0; a < ANGLES; a++)
            for (int r = 0; r < AROUND; r++) {
                const int n = a * AROUND + r;
                const double angle = a * PI / (ANGLES - 1), around = 2.0 * PI * r / AROUND,
                             half = 0.5 * PI / (ANGLES - 1);
                direction[n][0] = cos(angle);
                direction[n][1] = sin(angle) * cos(around);
                direction[n][2] = sin(angle) * sin(around);
                weight[n] = cos(fmax(angle - half, 0.0)) - cos(fmin(angle + half, PI));
                value[n] = pow(10.0, (level[a][o] - level[0][o]) / 20.0);
            }
        out->frequency[o] = 125.0 * (1 << o);
        (void)pattern_fit(ANGLES * AROUND, (const double(*)[3])direction, weight, value, 0, out->harmonic[o]);
    }
    return 0;
}
