#include "tests/accuracy/exact/wedge_diffraction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

#define RATE 48000.0

/* ---- the wedge ---- */

double wedge_fade(const struct wedge *wedge, double t)
{
    const double left = (wedge->until - t) / WEDGE_FADE;
    return left >= 1.0 ? 1.0 : left <= 0.0 ? 0.0 : 0.5 - 0.5 * cos(PI * left);
}

static double complex arrival(const struct wedge *wedge, double angle, double omega)
{
    const double r = wedge->source[0], s = wedge->receiver[0], z = wedge->receiver[2] - wedge->source[2];
    const double apart = wedge->receiver[1] - angle,
                 distance = sqrt(r * r + s * s - 2.0 * r * s * cos(apart) + z * z);
    if (!(fabs(apart) < PI))
        return 0.0;
    return wedge_fade(wedge, distance / wedge->speed) * cexp(-I * omega * distance / wedge->speed) / distance;
}

/* sin p / (cosh x - cos p), for x and p near 0 too. */
static double ray(double x, double p)
{
    const double a = sinh(0.5 * x), b = sin(0.5 * p);
    return sin(p) / (2.0 * (a * a + b * b));
}

#define STEPS 6000 /* of the root of eta: dense where beta is steep */

static double complex edge(const struct wedge *wedge, double omega)
{
    const double r = wedge->source[0], s = wedge->receiver[0], z = wedge->receiver[2] - wedge->source[2],
                 c = wedge->speed, nu = PI / wedge->air, squares = r * r + s * s + z * z;
    const double last = (c * c * wedge->until * wedge->until - squares) / (2.0 * r * s);
    double complex sum = 0.0;
    if (!(last > 1.0))
        return 0.0;
    const double most = sqrt(acosh(last)), step = most / STEPS;
    for (int n = 0; n < STEPS; n++) {
        const double u = (n + 0.5) * step, eta = u * u;
        const double t = sqrt(squares + 2.0 * r * s * cosh(eta)) / c; /* dt = r s sinh(eta) / (c^2 t) d eta */
        double beta = 0.0;
        for (int sign = 0; sign < 4; sign++)
            beta += ray(nu * eta, nu * (PI + (sign & 1 ? 1 : -1) * wedge->source[1] +
                                        (sign & 2 ? 1 : -1) * wedge->receiver[1]));
        sum += beta * wedge_fade(wedge, t) * cexp(-I * omega * t) / t * 2.0 * u * step;
    }
    return -nu / (2.0 * PI * c) * sum;
}

double complex wedge_spectrum(const struct wedge *wedge, double frequency)
{
    const double omega = 2.0 * PI * frequency;
    const int images = (int)ceil(PI / wedge->air) + 1;
    double complex sum = edge(wedge, omega);
    for (int n = -images; n <= images; n++)
        sum += arrival(wedge, 2.0 * n * wedge->air + wedge->source[1], omega) +
               arrival(wedge, 2.0 * n * wedge->air - wedge->source[1], omega);
    return sum;
}

/* ---- the room ---- */

#define HALF   1.0 /* of its plan [m] */
#define HEIGHT 1.6

static const double receiver_angle[2][WEDGE_RECEIVERS] = {{25, 100, 160, 205, 230, 245, 260, 268},
                                                          {25, 100, 160, 205, 240, 280, 320, 352}};
static const double source_place[3] = {0.35, 40.0, -0.05}, receiver_radius = 0.42, receiver_height = 0.06;

double wedge_room_angle(const struct wedge_room *room, size_t receiver)
{
    return receiver_angle[room->air > 1.75 * PI][receiver];
}

struct wedge wedge_room_case(const struct wedge_room *room, size_t receiver, double speed)
{
    return (struct wedge){
        .air = room->air,
        .source = {source_place[0], source_place[1] * PI / 180.0, source_place[2]},
        .receiver = {receiver_radius, wedge_room_angle(room, receiver) * PI / 180.0, receiver_height},
        .speed = speed,
        .until = 0.0035};
}

static void turn(const struct wedge_room *room, const double own[3], double out[3])
{
    const double a = room->turn[0] * PI / 180.0, b = room->turn[1] * PI / 180.0;
    const double x = cos(a) * own[0] - sin(a) * own[1], y = sin(a) * own[0] + cos(a) * own[1];
    out[0] = x + 2.0;
    out[1] = cos(b) * y - sin(b) * own[2] + 2.0;
    out[2] = sin(b) * y + cos(b) * own[2] + 2.0;
}

static void put_vertex(FILE *file, const struct wedge_room *room, double x, double y, double z)
{
    double at[3];
    turn(room, (const double[3]){x, y, z}, at);
    (void)fprintf(file, "v %.9g %.9g %.9g\n", at[0], at[1], at[2]);
}

/* A quadrangle between two corners of the plan, floor to ceiling; vertices 2 n + 1 and 2 n + 2 are those of
 * corner n. */
static void put_wall(FILE *file, int from, int to)
{
    (void)fprintf(file, "f %d %d %d %d\n", 2 * from + 1, 2 * to + 1, 2 * to + 2, 2 * from + 2);
}

static void put_point(FILE *file, const struct wedge_room *room, int *vertices, const char *name, double r,
                      double angle, double z)
{
    put_vertex(file, room, r * cos(angle * PI / 180.0), r * sin(angle * PI / 180.0), z);
    (void)fprintf(file, "o %s\nf %d %d %d\n", name, *vertices + 1, *vertices + 1, *vertices + 1);
    ++*vertices;
}

int wedge_room_write(const struct wedge_room *room, const char *path)
{
    static const double corner[9][2] = {{-HALF, -HALF}, {0, -HALF},    {0, 0},     {HALF, 0},    {HALF, HALF},
                                        {0, HALF},      {-HALF, HALF}, {-HALF, 0}, {HALF, -HALF}};
    static const int square[4][4] = {{0, 1, 2, 7}, {7, 2, 5, 6}, {2, 3, 4, 5}, {1, 8, 3, 2}};
    const int screen = room->air > 1.75 * PI, corners = screen ? 9 : 8;
    FILE *file = fopen(path, "w");
    char name[40];
    if (file == NULL)
        return -1;
    for (int n = 0; n < corners; n++)
        for (int top = 0; top < 2; top++)
            put_vertex(file, room, corner[n][0], corner[n][1], (top - 0.5) * HEIGHT);
    (void)fprintf(file, "o room\nusemtl rigid\n");
    put_wall(file, 2, 3);
    if (!screen)
        put_wall(file, 1, 2);
    (void)fprintf(file, "usemtl wall\n");
    for (int n = 3; n < 7; n++)
        put_wall(file, n, n + 1);
    put_wall(file, 7, 0);
    put_wall(file, 0, 1);
    if (screen) {
        put_wall(file, 1, 8);
        put_wall(file, 8, 3);
    }
    for (int n = 0; n < 3 + screen; n++)
        for (int top = 1; top <= 2; top++)
            (void)fprintf(file, "f %d %d %d %d\n", 2 * square[n][0] + top, 2 * square[n][1] + top,
                          2 * square[n][2] + top, 2 * square[n][3] + top);
    int vertices = 2 * corners;
    put_point(file, room, &vertices, "source:S", source_place[0], source_place[1], source_place[2]);
    for (size_t r = 0; r < WEDGE_RECEIVERS; r++) {
        (void)snprintf(name, sizeof name, "receiver:P%zu", r);
        put_point(file, room, &vertices, name, receiver_radius, wedge_room_angle(room, r), receiver_height);
    }
    return fclose(file) == 0 ? 0 : -1;
}

/* Every response has a Butterworth high-pass of 10 Hz, s^4 over (s^4 + b3 s^3 + b2 s^2 + b1 s + b0): undone
 * by four running integrals, over so short a time. */
static double without_high_pass(double integral[4], double sample)
{
    const double w = 2.0 * PI * 10.0,
                 b[4] = {2.6131259298 * w, 3.4142135624 * w * w, 2.6131259298 * w * w * w, w * w * w * w};
    double out = sample, in = sample;
    for (int k = 0; k < 4; k++) {
        const double before = integral[k];
        integral[k] += in / RATE;
        out += b[k] * (before + 0.5 * in / RATE);
        in = before + 0.5 * in / RATE;
    }
    return out;
}

#define LINES 24 /* of a third of an octave */

double wedge_room_off(const struct wedge *wedge, const float *sample, size_t count, double centre)
{
    double heard = 0.0, exact = 0.0;
    for (int line = 0; line < LINES; line++) {
        const double f = centre * pow(2.0, ((line + 0.5) / LINES - 0.5) / 3.0);
        const double complex round = cexp(-2.0 * PI * I * f / RATE);
        double complex sum = 0.0, phase = 1.0;
        double integral[4] = {0.0};
        for (size_t n = 0; n < count && (double)n / RATE < wedge->until; n++, phase *= round)
            sum += without_high_pass(integral, sample[n]) * wedge_fade(wedge, (double)n / RATE) * phase;
        heard += pow(cabs(sum), 2.0);
        exact += pow(cabs(wedge_spectrum(wedge, f)), 2.0);
    }
    return 10.0 * log10(heard / exact);
}
