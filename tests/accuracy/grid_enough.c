#include "tests/accuracy/grid_enough.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/box_room.h"
#include "tests/accuracy/mode_pencil.h"

#define PI      3.14159265358979323846
#define DEGREES (PI / 180)

enum { MOST = 100, PLACES = 4 };

/* The isotropic scheme by both of the shares that it tries first, and with slabs of air along walls left
 * alone. */
static const struct {
    enum scheme scheme;
    bool stairs, apart;
    double points, share;
} grid[] = {{SCHEME_STANDARD, true, false, 10.5, 0},  {SCHEME_STANDARD, false, false, 10.5, 0},
            {SCHEME_ISOTROPIC, false, false, 4, 0.8}, {SCHEME_ISOTROPIC, false, false, 4.5, 0.8},
            {SCHEME_ISOTROPIC, false, false, 5, 0.8}, {SCHEME_ISOTROPIC, false, false, 6, 0.8},
            {SCHEME_ISOTROPIC, false, false, 7, 0.8}, {SCHEME_ISOTROPIC, false, false, 8, 0.8},
            {SCHEME_ISOTROPIC, false, false, 4, 0.7}, {SCHEME_ISOTROPIC, false, false, 4.5, 0.7},
            {SCHEME_ISOTROPIC, false, false, 5, 0.7}, {SCHEME_ISOTROPIC, false, false, 6, 0.7},
            {SCHEME_ISOTROPIC, false, false, 7, 0.7}, {SCHEME_ISOTROPIC, false, false, 8, 0.7},
            {SCHEME_ISOTROPIC, false, true, 5, 0},    {SCHEME_ISOTROPIC, false, true, 6, 0}};
enum { GRIDS = sizeof grid / sizeof *grid };

static const double place[PLACES][3] = {
    {0.13, 0.27, 0.41}, {0.71, 0.38, 0.92}, {0.49, 0.83, 0.06}, {0.32, 0.61, 0.77}};

/* Turned about x, then z. */
static const struct {
    const char *name;
    double about_x, about_z;
} turn[] = {{"straight", 0, 0}, {"10", 0, 10}, {"27/35", 35, 27}, {"45", 0, 45}};
enum { TURNS = sizeof turn / sizeof *turn };

/* ---- errors ---- */

/* Sums over rooms and modes, of shares. */
struct tally {
    double modes, frequency, decay, rooms, t30, t30_mean, t30_most, added, lambda2;
    int merged;
};

/* Of modes that all have the same energy at first: -5 to -35 dB of what is still to come. */
static double decay_time(const double complex *kappa, size_t count)
{
    enum { POINTS = 2000 };
    double whole = 0, slowest = INFINITY, sum[5] = {0};
    for (size_t m = 0; m < count; m++) {
        whole += 0.5 / cimag(kappa[m]);
        slowest = fmin(slowest, cimag(kappa[m]));
    }
    for (int p = 0; p < POINTS; p++) {
        const double time = 4.2 / slowest * p / POINTS;
        double left = 0;
        for (size_t m = 0; m < count; m++)
            left += 0.5 / cimag(kappa[m]) * exp(-2 * cimag(kappa[m]) * time);
        const double level = 10 * log10(left / whole);
        if (level > -5 || level < -35)
            continue;
        sum[0] += 1;
        sum[1] += time;
        sum[2] += level;
        sum[3] += time * time;
        sum[4] += time * level;
    }
    return -60 * (sum[0] * sum[3] - sum[1] * sum[1]) / (sum[0] * sum[4] - sum[1] * sum[2]);
}

static void count_modes(const double complex *is, const double complex *exact, size_t count,
                        struct tally *tally)
{
    for (size_t m = 0; m < count; m++) {
        tally->frequency += pow(creal(is[m]) / creal(exact[m]) - 1, 2);
        if (cimag(exact[m]) > 0)
            tally->decay += pow(cimag(is[m]) / cimag(exact[m]) - 1, 2);
    }
    tally->modes += (double)count;
    tally->rooms++;
    if (!(cimag(exact[0]) > 0))
        return;
    const double error = decay_time(is, count) / decay_time(exact, count) - 1;
    tally->t30 += error * error;
    tally->t30_mean += error;
    if (!(fabs(error) <= fabs(tally->t30_most)))
        tally->t30_most = error;
}

static void add_tally(const struct tally *of, struct tally *to)
{
    to->modes += of->modes;
    to->frequency += of->frequency;
    to->decay += of->decay;
    to->rooms += of->rooms;
    to->t30 += of->t30;
    to->t30_mean += of->t30_mean;
    to->t30_most = fabs(of->t30_most) > fabs(to->t30_most) ? of->t30_most : to->t30_most;
    to->added = fmax(to->added, of->added);
    to->lambda2 = to->lambda2 == 0 ? of->lambda2 : fmin(to->lambda2, of->lambda2);
    to->merged += of->merged;
}

static void print_tally(int g, const char *room, const struct tally *tally)
{
    (void)printf("%-9s %-9s%-7s %4g  %-16s  %6.2f  %6.2f  %6.2f (%+6.2f, %+6.2f)   %.3f  %.0e  %d\n",
                 grid[g].scheme == SCHEME_ISOTROPIC ? "isotropic" : "standard",
                 grid[g].stairs ? "stairs" : "conformal", grid[g].apart ? ", slabs" : "", grid[g].points,
                 room, 100 * sqrt(tally->frequency / tally->modes), 100 * sqrt(tally->decay / tally->modes),
                 100 * sqrt(tally->t30 / tally->rooms), 100 * tally->t30_mean / tally->rooms,
                 100 * tally->t30_most, tally->lambda2, tally->added, tally->merged);
    (void)fflush(stdout);
}

/* ---- rooms ---- */

static struct box_shape shape_of(int g, int t, int p)
{
    struct box_shape shape = {.angle = {turn[t].about_x * DEGREES, 0, turn[t].about_z * DEGREES},
                              .stairs = grid[g].stairs,
                              .share = grid[g].share,
                              .scheme = grid[g].scheme,
                              .slabs_apart = grid[g].apart};
    memcpy(shape.centre, place[p], sizeof shape.centre);
    return shape;
}

struct shapes {
    const struct box_room *room;
    struct box_wave wave[MOST], hard[MOST];
};

static void box_shape_at(const void *context, size_t mode, const int64_t node[3], double complex *sounds,
                         double *heard)
{
    const struct shapes *const shapes = context;
    *sounds = box_wave_at(shapes->room, &shapes->wave[mode], node);
    *heard = creal(box_wave_at(shapes->room, &shapes->hard[mode], node));
}

static void note_room(const struct box_room *room, struct tally *tally)
{
    tally->added = room->added;
    tally->lambda2 = room->step.lambda2;
    tally->merged = (int)room->blocks.merged;
}

static void solve(const struct box_room *room, double points, mode_shape_at *shape, const void *context,
                  double complex *kappa, size_t modes)
{
    const struct wall_materials walls = {room->kinds.count, room->wall,
                                         room->shape.stairs && room->shape.scheme == SCHEME_STANDARD, false};
    double decay = 0;
    for (size_t m = 0; m < modes; m++)
        decay += cimag(kappa[m]) / (double)modes;
    /* Periods at fmax, fewer where hardly anything would be left. */
    const double most = 4 * points, nepers = decay > 0 ? 1 / decay : INFINITY;
    const struct mode_pencil pencil = {
        &room->blocks,           room->mass, &room->step, &walls, shape, context, modes, fmin(most, nepers),
        fmin(most, 1.5 * nepers)};
    mode_pencil_solve(&pencil, kappa);
}

/* Modes a little beyond the octave sound too, and are not counted. */
static struct tally one_box(int g, int t, int p, const double admittance[3])
{
    const double points = grid[g].points, low = PI / points, high = 2 * PI / points;
    struct box_shape shape = shape_of(g, t, p);
    const double size[3] = {2 * points, 1.66 * points, 1.38 * points};
    struct wall_material wall[3];
    struct box_room room;
    struct shapes shapes = {.room = &room};
    struct tally tally = {0};
    double complex kappa[MOST], is[MOST], exact[MOST];
    int q[MOST][3];
    size_t counted = 0;
    memcpy(shape.size, size, sizeof size);
    for (int a = 0; a < 3; a++)
        wall[a] = (struct wall_material){1, {{.E = 1 / admittance[a]}}};
    box_room_make(&shape, &room);
    box_room_fit_walls(&room, admittance, points);
    const size_t modes = box_modes_between(&shape, 0.9 * low, 1.08 * high, MOST, q);
    for (size_t m = 0; m < modes; m++) {
        shapes.hard[m] = box_wave_hard(&shape, q[m]);
        shapes.wave[m] = box_wave_lossy(&shape, wall, q[m]);
        kappa[m] = shapes.wave[m].omega;
    }
    solve(&room, points, box_shape_at, &shapes, kappa, modes);
    for (size_t m = 0; m < modes; m++)
        if (creal(shapes.hard[m].omega) >= low && creal(shapes.hard[m].omega) <= high) {
            exact[counted] = shapes.wave[m].omega;
            is[counted++] = kappa[m];
        }
    count_modes(is, exact, counted, &tally);
    note_room(&room, &tally);
    box_room_free(&room);
    return tally;
}

/* ---- balls ---- */

/* j_n(x) / x^n but for a factor, and its derivative by x. */
static double complex radial(int n, double complex x)
{
    double complex sum = 1, term = 1;
    for (int k = 1; k < 60; k++) {
        term *= -x * x / 4 / (k * (n + 0.5 + k));
        sum += term;
    }
    return sum;
}

struct ball_mode {
    int degree, order; /* order < 0: sine */
    double complex k, hard;
};

struct ball_shapes {
    const struct box_room *room;
    struct ball_mode mode[MOST];
};

/* r^l P_l^m cos(m phi) or sin, but for a factor. */
static double solid_harmonic(int degree, int order, const double x[3])
{
    const int m = order < 0 ? -order : order;
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    double complex around = 1;
    double before = 0, now = 1;
    for (int k = 0; k < m; k++)
        around *= x[0] + I * x[1];
    for (int l = m; l < degree; l++) {
        const double next = ((2 * l + 1) * x[2] * now - (l + m) * r2 * before) / (l - m + 1);
        before = now;
        now = next;
    }
    return now * (order < 0 ? cimag(around) : creal(around));
}

static void ball_shape_at(const void *context, size_t mode, const int64_t node[3], double complex *sounds,
                          double *heard)
{
    const struct ball_shapes *const shapes = context;
    const struct ball_mode *const of = &shapes->mode[mode];
    double x[3], r2 = 0;
    for (int a = 0; a < 3; a++) {
        x[a] = (double)node[a] - shapes->room->shape.centre[a];
        r2 += x[a] * x[a];
    }
    const double angular = solid_harmonic(of->degree, of->order, x);
    *sounds = angular * radial(of->degree, of->k * sqrt(r2));
    *heard = angular * creal(radial(of->degree, of->hard * sqrt(r2)));
}

/* Where the air's velocity at the wall is what the wall takes: x j_n'(x) + j g x j_n(x) = 0, x = k R. */
static double complex ball_condition(int n, double g, double complex x)
{
    const double complex small = 1e-5, slope = (radial(n, x + small) - radial(n, x - small)) / (2 * small);
    return n * radial(n, x) + x * slope + I * g * x * radial(n, x);
}

static double complex ball_root(int n, double g, double complex x)
{
    const double complex small = 1e-4;
    for (int k = 0; k < 50; k++)
        x -= ball_condition(n, g, x) * 2 * small /
             (ball_condition(n, g, x + small) - ball_condition(n, g, x - small));
    return x;
}

/* A ball of a wavelength's radius: its families of modes of the uppermost octave. */
static struct tally one_ball(int g, int p, double admittance)
{
    static const struct {
        int degree;
        double zero;
    } family[] = {{2, 3.342094}, {0, 4.493409}, {3, 4.514100}, {4, 5.646704}, {1, 5.940370}};
    const double radius = grid[g].points;
    const struct box_shape shape = shape_of(g, 0, p);
    const double same[3] = {admittance, admittance, admittance};
    double complex kappa[MOST], exact[MOST];
    struct box_room room;
    struct ball_shapes shapes = {.room = &room};
    struct tally tally = {0};
    size_t modes = 0;
    box_room_make_ball(&shape, radius, &room);
    box_room_fit_walls(&room, same, grid[g].points);
    for (size_t f = 0; f < sizeof family / sizeof *family; f++) {
        const int n = family[f].degree;
        const double complex hard = ball_root(n, 0, family[f].zero), root = ball_root(n, admittance, hard);
        for (int m = -n; m <= n; m++) {
            shapes.mode[modes] = (struct ball_mode){n, m, root / radius, hard / radius};
            kappa[modes] = exact[modes] = root / radius;
            modes++;
        }
    }
    solve(&room, grid[g].points, ball_shape_at, &shapes, kappa, modes);
    count_modes(kappa, exact, modes, &tally);
    note_room(&room, &tally);
    box_room_free(&room);
    return tally;
}

/* ---- all ---- */

static bool is_wanted(double of, const double *points, int count)
{
    bool wanted = count == 0;
    for (int n = 0; n < count; n++)
        wanted = wanted || of == points[n];
    return wanted;
}

void grid_enough(const double *points, int count)
{
    static const struct {
        const char *name;
        double admittance[3];
    } walls[] = {{"", {0.02, 0.05, 0.1}}, {" g .3", {0.3, 0.3, 0.3}}};
    (void)printf("\nrms error %% of mode frequency, mode decay, T30 (mean, worst); lambda2, added, merged\n");
    for (int g = 0; g < GRIDS; g++) {
        if (!is_wanted(grid[g].points, points, count))
            continue;
        struct tally all = {0}, soft = {0};
        char name[40];
        for (int w = 0; w < 2; w++)
            for (int t = 0; t < TURNS; t++) {
                struct tally of_turn = {0};
                for (int p = 0; p < PLACES; p++) {
                    const struct tally one = one_box(g, t, p, walls[w].admittance);
                    add_tally(&one, &of_turn);
                }
                (void)snprintf(name, sizeof name, "%s%s", turn[t].name, walls[w].name);
                print_tally(g, name, &of_turn);
                add_tally(&of_turn, w == 0 ? &all : &soft);
            }
        struct tally hard_ball = {0}, ball = {0};
        for (int p = 0; p < PLACES; p++) {
            const struct tally rigid = one_ball(g, p, 0), lossy = one_ball(g, p, 0.05);
            add_tally(&rigid, &hard_ball);
            add_tally(&lossy, &ball);
        }
        print_tally(g, "ball, hard", &hard_ball);
        print_tally(g, "ball, g .05", &ball);
        print_tally(g, "all boxes", &all);
        print_tally(g, "all boxes g .3", &soft);
        add_tally(&soft, &all);
        add_tally(&ball, &all);
        print_tally(g, "all", &all);
    }
}
