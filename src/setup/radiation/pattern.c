#include "src/setup/radiation/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

#define AXIS_WEIGHT 100.0 /* of the axis, in spheres */
#define RIDGE       1e-9  /* of all weights: holds harmonics that the directions do not distinguish at 0 */

void pattern_free(struct pattern *pattern)
{
    free(pattern->frequency);
    free(pattern->harmonic);
    *pattern = (struct pattern){0};
}

int pattern_allocate(size_t lines, struct pattern *out, struct failure *failure)
{
    struct pattern made = {.lines = lines, .carried = INFINITY};
    made.frequency = calloc(lines + 1, sizeof *made.frequency);
    made.harmonic = calloc(lines + 1, sizeof *made.harmonic);
    if (made.frequency == NULL || made.harmonic == NULL) {
        pattern_free(&made);
        return failure_memory(failure, lines * sizeof *made.harmonic, "the directivity of a source");
    }
    *out = made;
    return 0;
}

int pattern_make_cardioid(struct pattern *out, struct failure *failure)
{
    TRY(pattern_allocate(1, out, failure));
    out->frequency[0] = 1000.0;
    out->harmonic[0][0] = 0.5 * sqrt(4.0 * PI);
    out->harmonic[0][3] = 0.5 * sqrt(4.0 * PI / 3.0);
    return 0;
}

/* ---- fitted -------------------------------------------------------------------------------------------- */

/* Solve A x = b in place, A symmetric and positive definite (its lower half is read and written over). */
static void solve_positive(double a[HARMONICS][HARMONICS], double complex b[HARMONICS])
{
    for (int j = 0; j < HARMONICS; j++)
        for (int i = j; i < HARMONICS; i++) {
            double s = a[i][j];
            for (int m = 0; m < j; m++)
                s -= a[i][m] * a[j][m];
            a[i][j] = i == j ? sqrt(s) : s / a[j][j];
        }
    for (int i = 0; i < HARMONICS; i++) {
        for (int m = 0; m < i; m++)
            b[i] -= a[i][m] * b[m];
        b[i] /= a[i][i];
    }
    for (int i = HARMONICS; i-- > 0;) {
        for (int m = i + 1; m < HARMONICS; m++)
            b[i] -= a[m][i] * b[m];
        b[i] /= a[i][i];
    }
}

static const double front_axis[3] = {1.0, 0.0, 0.0};

double complex pattern_value(const double complex harmonic[HARMONICS], const double direction[3])
{
    double y[HARMONICS];
    double complex sum = 0.0;
    solid_harmonics(direction, y);
    for (int i = 0; i < HARMONICS; i++)
        sum += harmonic[i] * y[i];
    return sum;
}

static void normalise_front(double complex harmonic[HARMONICS])
{
    const double complex axis = pattern_value(harmonic, front_axis);
    for (int i = 0; i < HARMONICS; i++)
        harmonic[i] /= axis;
}

bool pattern_fit(size_t count, const double (*direction)[3], const double *weight,
                 const double complex *value, size_t axis, double complex harmonic[HARMONICS])
{
    const double loud = pow(10.0, PATTERN_LOUD / 20.0), quiet = pow(10.0, PATTERN_QUIET / 20.0);
    double a[HARMONICS][HARMONICS] = {{0.0}}, y[HARMONICS], all = 0.0;
    for (int i = 0; i < HARMONICS; i++)
        harmonic[i] = 0.0;
    for (size_t n = 0; n < count; n++)
        all += weight[n];
    for (size_t n = 0; n <= count; n++) { /* and the axis once more */
        const double complex v = n < count ? value[n] / value[axis] : 1.0;
        const double level = fmax(cabs(v), loud),
                     w = n < count ? weight[n] / (level * level) : AXIS_WEIGHT * all;
        solid_harmonics(n < count ? direction[n] : front_axis, y);
        for (int i = 0; i < HARMONICS; i++) {
            harmonic[i] += w * y[i] * v;
            for (int j = 0; j <= i; j++)
                a[i][j] += w * y[i] * y[j];
        }
    }
    for (int i = 0; i < HARMONICS; i++)
        a[i][i] += RIDGE * all;
    solve_positive(a, harmonic);
    normalise_front(harmonic);
    bool near = true;
    for (size_t n = 0; n < count; n++) {
        const double complex v = value[n] / value[axis], found = pattern_value(harmonic, direction[n]);
        if (weight[n] <= 0.0)
            continue;
        near = near && (cabs(v) >= loud ? fabs(20.0 * log10(cabs(found) / cabs(v))) <= PATTERN_WITHIN
                                        : fabs(cabs(found) - cabs(v)) <= quiet);
    }
    return near;
}

/* ---- at a frequency ------------------------------------------------------------------------------------ */

double pattern_fade(double fmax_, int order)
{
    return order == 2 ? fmax(fmax_ / 40.0, 20.0) : fmax(fmax_ / 20.0, 40.0);
}

/* The remaining share of an order. */
static double fade_order(double fmax_, double frequency, int order)
{
    const double f = order < 2 ? INFINITY : frequency / pattern_fade(fmax_, order);
    const double kept = -expm1(-f * f);
    return order == 3 ? kept * kept : kept;
}

/* Scale a faded pattern to 1 on the axis again. If orders 0 and 1 have little of the axis, or the opposite
 * sign, the sum goes through 0 as the others fade. There the axis fades with them. */
static void restore_axis(double complex harmonic[HARMONICS])
{
    const double complex axis = pattern_value(harmonic, front_axis);
    const double over = 2.0 * creal(axis) / PATTERN_AXIS_KEPT - 1.0, share = fmax(over, 0.0),
                 whole = share * share * (3.0 - 2.0 * share);
    if (over >= 1.0)
        normalise_front(harmonic);
    else if (over > 0.0)
        for (int i = 0; i < HARMONICS; i++)
            harmonic[i] *= whole / axis + 1.0 - whole;
}

void pattern_at(const struct pattern *pattern, double fmax_, double frequency,
                double complex harmonic[HARMONICS])
{
    memset(harmonic, 0, HARMONICS * sizeof *harmonic);
    if (pattern->lines == 0) {
        harmonic[0] = sqrt(4.0 * PI);
        return;
    }
    size_t above = 0;
    while (above < pattern->lines && pattern->frequency[above] <= frequency)
        above++;
    const size_t low = above > 0 ? above - 1 : 0, high = above < pattern->lines ? above : low;
    const double span = log(pattern->frequency[high] / pattern->frequency[low]),
                 share =
                     span > 0.0 && frequency > 0.0 ? log(frequency / pattern->frequency[low]) / span : 0.0;
    for (int i = 0; i < HARMONICS; i++)
        harmonic[i] = ((1.0 - share) * pattern->harmonic[low][i] + share * pattern->harmonic[high][i]) *
                      fade_order(fmax_, frequency, harmonic_order(i));
    restore_axis(harmonic);
}

double pattern_index(const double complex harmonic[HARMONICS])
{
    double square = 0.0;
    for (int i = 0; i < HARMONICS; i++)
        square += creal(harmonic[i] * conj(harmonic[i]));
    return 10.0 * log10(4.0 * PI / square);
}

/* ---- turned -------------------------------------------------------------------------------------------- */

/* Products of two harmonics to order 3 are polynomials of degree 6, which four rings of Gauss' and eight
 * points on each integrate exactly. */
void pattern_turn(const double front[3], double matrix[HARMONICS][HARMONICS])
{
    static const double height[2] = {0.33998104358485626, 0.86113631159405258},
                        share[2] = {0.65214515486254614, 0.34785484513745386};
    const double level = hypot(front[0], front[1]);
    const double left[3] = {level > 0.0 ? -front[1] / level : 0.0, level > 0.0 ? front[0] / level : 1.0, 0.0};
    const double up[3] = {-front[2] * left[1], front[2] * left[0], front[0] * left[1] - front[1] * left[0]};
    memset(matrix, 0, HARMONICS * sizeof matrix[0]);
    for (int ring = 0; ring < 4; ring++)
        for (int point = 0; point < 8; point++) {
            const double z = ring < 2 ? height[ring] : -height[ring - 2], r = sqrt(1.0 - z * z),
                         angle = 2.0 * PI * (point + 0.5) / 8.0, weight = share[ring % 2] * 2.0 * PI / 8.0;
            const double own[3] = {r * cos(angle), r * sin(angle), z};
            double there[3], y_own[HARMONICS], y_there[HARMONICS];
            for (int k = 0; k < 3; k++)
                there[k] = own[0] * front[k] + own[1] * left[k] + own[2] * up[k];
            solid_harmonics(own, y_own);
            solid_harmonics(there, y_there);
            for (int i = 0; i < HARMONICS; i++)
                for (int j = 0; j < HARMONICS; j++)
                    matrix[i][j] += weight * y_there[i] * y_own[j];
        }
}

void pattern_turned(double matrix[HARMONICS][HARMONICS], const double complex harmonic[HARMONICS],
                    double complex out[HARMONICS])
{
    for (int i = 0; i < HARMONICS; i++) {
        out[i] = 0.0;
        for (int j = 0; j < HARMONICS; j++)
            out[i] += matrix[i][j] * harmonic[j];
    }
}
