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

/* The share of the law from one angle to the next, the mean over octaves: rays leave there uniformly in the
 * square of the cosine. */
static void find_lobe(struct ray_wall *wall)
{
    double sum = 0, share[RAY_ANGLES] = {0};
    for (int a = 0; a + 1 < RAY_ANGLES; a++) {
        const double low = angle_cosine(a), high = angle_cosine(a + 1);
        for (int o = 0; o < RAY_OCTAVES; o++)
            if (wall->mean[o] > 0)
                share[a + 1] += (high * high - low * low) *
                                (double)(wall->reflected[a][o] + wall->reflected[a + 1][o]) /
                                (double)wall->mean[o];
        sum += share[a + 1];
        share[a + 1] = sum;
    }
    for (int a = 0; a < RAY_ANGLES; a++)
        wall->lobe[a] = (float)(sum > 0 ? share[a] / sum : angle_cosine(a) * angle_cosine(a));
}

static void set_scattering(struct ray_wall *wall, const double scattering[RAY_OCTAVES])
{
    for (int o = 0; o < RAY_OCTAVES; o++)
        wall->scattering[o] = (float)scattering[o];
}

/* ---- laws ---- */

static double complex sheet_impedance(const struct material_sheet *sheet, double rho_c, double frequency)
{
    const double flow = sheet->flow_resistance / rho_c;
    const double mass = 2 * PI * frequency * sheet->mass / rho_c;
    if (sheet->series || !isfinite(mass))
        return CMPLX(flow, sheet->series ? mass : 0);
    const double below = flow * flow + mass * mass; /* of flow in parallel with j mass */
    return below > 0 ? CMPLX(flow * mass * mass / below, flow * flow * mass / below) : 0;
}

double complex ray_law_at(const struct ray_law *law, double frequency)
{
    if (law->sheet != NULL)
        return sheet_impedance(law->sheet, law->rho_c, frequency);
    const struct wall_admittance y = wall_admittance_at(law->branch, law->count, frequency);
    return CMPLX(y.g, y.b);
}

static double square_of(double complex value)
{
    return creal(value) * creal(value) + cimag(value) * cimag(value);
}

double complex ray_law_reflected(bool is_sheet, double complex value, double m)
{
    const double complex above = is_sheet ? value * m : m - value;
    const double complex below = is_sheet ? 2 + value * m : m + value;
    const double square = square_of(below);
    return square > 0 ? above * conj(below) / square : 1;
}

double complex ray_law_transmitted(double complex value, double m)
{
    const double complex below = 2 + value * m;
    return 2 * conj(below) / square_of(below);
}

/* ---- energies ---- */

static void make_tables(const struct ray_law *law, const double scattering[RAY_OCTAVES], struct ray_wall *out)
{
    memset(out, 0, sizeof *out);
    out->is_sheet = law->sheet != NULL;
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double reflected[RAY_ANGLES] = {0}, transmitted[RAY_ANGLES] = {0};
        for (int line = 0; line < LINES; line++) {
            const double complex value = ray_law_at(law, line_frequency(o, line));
            for (int a = 0; a < RAY_ANGLES; a++) {
                const double m = angle_cosine(a);
                reflected[a] += square_of(ray_law_reflected(out->is_sheet, value, m));
                if (out->is_sheet)
                    transmitted[a] += square_of(ray_law_transmitted(value, m));
            }
        }
        for (int a = 0; a < RAY_ANGLES; a++) {
            out->reflected[a][o] = (float)(reflected[a] / LINES);
            out->transmitted[a][o] = (float)(transmitted[a] / LINES);
        }
    }
    set_scattering(out, scattering);
    find_mean(out);
    find_lobe(out);
}

void ray_wall_make(const struct wall_branch *branch, size_t count, const double scattering[RAY_OCTAVES],
                   struct ray_wall *out)
{
    make_tables(&(struct ray_law){.branch = branch, .count = count}, scattering, out);
}

void ray_wall_make_sheet(const struct material_sheet *sheet, double rho_c,
                         const double scattering[RAY_OCTAVES], struct ray_wall *out)
{
    make_tables(&(struct ray_law){.sheet = sheet, .rho_c = rho_c}, scattering, out);
}

void ray_wall_make_even(double absorption, double scattering, struct ray_wall *out)
{
    memset(out, 0, sizeof *out);
    for (int a = 0; a < RAY_ANGLES; a++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            out->reflected[a][o] = (float)(1 - absorption);
    set_scattering(out, scattering_of_number(scattering).octave);
    find_mean(out);
    find_lobe(out);
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

float ray_wall_scatter(const struct ray_wall *wall, float u, float factor[RAY_OCTAVES])
{
    int low = 0, high = RAY_ANGLES - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(wall->lobe[middle] <= u ? &low : &high) = middle;
    }
    const double m = angle_cosine(low), n = angle_cosine(high), square = n * n - m * m;
    const float share = wall->lobe[high] - wall->lobe[low];
    const float part = share > 0 ? (u - wall->lobe[low]) / share : 0.5f;
    const float cosine = sqrtf((float)(m * m) + part * (float)square), density = share / (float)square;
    ray_wall_reflected(wall, cosine, factor);
    for (int o = 0; o < RAY_OCTAVES; o++)
        factor[o] = wall->mean[o] > 0 && density > 0 ? factor[o] / (wall->mean[o] * density) : 0;
    return cosine;
}
