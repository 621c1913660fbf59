#include "src/rays/ray_wall.h"

#include <math.h>
#include <string.h>

#include "rooms/materials/wall_branches.h"

#define PI    3.14159265358979323846
#define LINES 48 /* frequencies of an octave */

double ray_octave_centre(int octave)
{
    return 1000.0 * pow(10.0, 0.3 * (octave - 4));
}

static double line_frequency(int octave, int line)
{
    return ray_octave_centre(octave) * pow(10.0, 0.3 * ((line + 0.5) / LINES - 0.5));
}

static double angle_cosine(int angle)
{
    const double root = (double)angle / (RAY_ANGLES - 1);
    return root * root;
}

/* The integral of 2 |R|^2 m dm, |R|^2 linear in r, the root of m, from one angle to the next. */
static void find_mean(struct ray_wall *wall)
{
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double sum = 0;
        for (int a = 0; a + 1 < RAY_ANGLES; a++) {
            const double r = (double)a / (RAY_ANGLES - 1), s = (double)(a + 1) / (RAY_ANGLES - 1);
            const double all = pow(s, 4) - pow(r, 4); /* of 4 r^3 */
            const double upper = (RAY_ANGLES - 1) * (0.8 * (pow(s, 5) - pow(r, 5)) - r * all);
            sum += (all - upper) * (double)wall->reflected[a][o] + upper * (double)wall->reflected[a + 1][o];
        }
        wall->mean[o] = (float)sum;
    }
}

static void set_scattering(struct ray_wall *wall, const double scattering[RAY_OCTAVES])
{
    for (int o = 0; o < RAY_OCTAVES; o++)
        wall->scattering[o] = (float)scattering[o];
}

void ray_wall_make(const struct wall_branch *branch, size_t count, const double scattering[RAY_OCTAVES],
                   struct ray_wall *out)
{
    memset(out, 0, sizeof *out);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double sum[RAY_ANGLES] = {0};
        for (int line = 0; line < LINES; line++) {
            const struct wall_admittance y = wall_admittance_at(branch, count, line_frequency(o, line));
            for (int a = 0; a < RAY_ANGLES; a++) {
                const double m = angle_cosine(a), square = y.b * y.b;
                const double below = (m + y.g) * (m + y.g) + square;
                sum[a] += below > 0 ? ((m - y.g) * (m - y.g) + square) / below : 1;
            }
        }
        for (int a = 0; a < RAY_ANGLES; a++)
            out->reflected[a][o] = (float)(sum[a] / LINES);
    }
    set_scattering(out, scattering);
    find_mean(out);
}

/* Specific impedance of a sheet, z = r + j x. */
static void sheet_impedance(const struct material_sheet *sheet, double rho_c, double frequency, double *r,
                            double *x)
{
    const double flow = sheet->flow_resistance / rho_c;
    const double mass = 2 * PI * frequency * sheet->mass / rho_c;
    if (sheet->series || !isfinite(mass)) {
        *r = flow;
        *x = sheet->series ? mass : 0;
        return;
    }
    const double below = flow * flow + mass * mass; /* of flow in parallel with j mass */
    *r = below > 0 ? flow * mass * mass / below : 0;
    *x = below > 0 ? flow * flow * mass / below : 0;
}

void ray_wall_make_sheet(const struct material_sheet *sheet, double rho_c,
                         const double scattering[RAY_OCTAVES], struct ray_wall *out)
{
    memset(out, 0, sizeof *out);
    out->is_sheet = true;
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double reflected[RAY_ANGLES] = {0}, transmitted[RAY_ANGLES] = {0};
        for (int line = 0; line < LINES; line++) {
            double r, x;
            sheet_impedance(sheet, rho_c, line_frequency(o, line), &r, &x);
            for (int a = 0; a < RAY_ANGLES; a++) {
                const double m = angle_cosine(a), below = (2 + r * m) * (2 + r * m) + x * m * x * m;
                reflected[a] += (r * r + x * x) * m * m / below;
                transmitted[a] += 4 / below;
            }
        }
        for (int a = 0; a < RAY_ANGLES; a++) {
            out->reflected[a][o] = (float)(reflected[a] / LINES);
            out->transmitted[a][o] = (float)(transmitted[a] / LINES);
        }
    }
    set_scattering(out, scattering);
    find_mean(out);
}

void ray_wall_make_even(double absorption, double scattering, struct ray_wall *out)
{
    memset(out, 0, sizeof *out);
    for (int a = 0; a < RAY_ANGLES; a++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            out->reflected[a][o] = (float)(1 - absorption);
    set_scattering(out, scattering_of_number(scattering).octave);
    find_mean(out);
}

static void interpolate(const float table[RAY_ANGLES][RAY_OCTAVES], float m, float out[RAY_OCTAVES])
{
    const float at = sqrtf(fminf(fmaxf(m, 0), 1)) * (RAY_ANGLES - 1);
    const int low = at < RAY_ANGLES - 1 ? (int)at : RAY_ANGLES - 2;
    const float share = at - (float)low;
    for (int o = 0; o < RAY_OCTAVES; o++)
        out[o] = table[low][o] + share * (table[low + 1][o] - table[low][o]);
}

void ray_wall_reflected(const struct ray_wall *wall, float m, float out[RAY_OCTAVES])
{
    interpolate(wall->reflected, m, out);
}

void ray_wall_transmitted(const struct ray_wall *wall, float m, float out[RAY_OCTAVES])
{
    interpolate(wall->transmitted, m, out);
}
