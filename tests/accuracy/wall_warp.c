/* Absorbing walls of the isotropic scheme, seen after the warp, against exact sound.
 *
 *   wall_warp reflect                   flat walls half a cell before the last node (stairs), by the exact
 *                                       discrete reflection coefficient: how far it is from (cos - g) /
 *                                       (cos + g), in per cent, at four angles
 *   wall_warp decay [POINTS ..]         boxes of 2 x 1.66 x 1.38 wavelengths, straight at three places on the
 *                                       grid and turned, packed as in the program: error of the decay rates
 *                                       of every fourth mode of the uppermost octave, mean (rms about it)
 *
 * Walls have one real admittance g at all frequencies. The branches that stand for them are as good as any:
 * Y_d = g times what each line says, exactly. In `decay` the room's operator is put together from the grid's
 * records and its modes found by Newton's method on the bands of its matrix, without a time step:
 *
 *   mean       c for distance 0 at all walls
 *   distance   as the program has it: by the kind of every entry, c over the node factor, air before the
 * wall, and of slanting walls what nodes take from one another (kernels/scheme/grid_wall.h) pressure   c for
 * distance 0, and the pressure at a wall along the grid from two nodes: v = (1 + e, -e), e = d^2 / (2 d + 1),
 * which is right to second order for fields that a hard wall holds; the loss is g v v^T, symmetric and
 * positive semidefinite
 *
 * Half an hour for 4, 5, 6 and 8 points. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/block_grid.h"
#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "blocks/wall_kinds.h"
#include "kernels/scheme/dispersion.h"
#include "kernels/scheme/grid_wall.h"
#include "tests/support/box_room.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"

#define PI      3.14159265358979323846
#define DEGREES (PI / 180)
#define LAMBDA2 0.6

static const double admittance[] = {0.1, 0.3, 0.6};
enum { ADMITTANCES = sizeof admittance / sizeof *admittance };

static struct time_step step_of(double lambda2)
{
    struct time_step step;
    (void)time_step_choose(SCHEME_ISOTROPIC, 1.0, 1.0, sqrt(lambda2), &step, NULL);
    return step;
}

/* ---- reflection ---- */

/* Sound of wavenumber kappa keeps its transverse wavenumber at a wall; the normal one, k, is that for which
 * the scheme has it at theta(kappa). Over one transverse axis the operator is mu A + A_t, mu = 1 - A_t / 6, A
 * = 4 sin^2(k / 2), and a hard wall half a cell away is a mirror, so a loss at the last node gives
 *
 *   R = (S - W e^{jk/2}) / (S + W e^{-jk/2}),   S = 2 lambda mu sin(k/2),   W = Y_d sin(theta) */
static double complex reflected(const struct time_step *step, double kappa, double angle, double complex y)
{
    const double symbol = dispersion_symbol(kappa), theta = dispersion_theta(step, kappa);
    const double across = 4 * pow(sin(kappa * sin(angle) / 2), 2), mu = 1 - across / 6;
    const double k = 2 * asin(0.5 * sqrt((symbol - across) / mu));
    const double s = 2 * step->courant * mu * sin(k / 2);
    const double complex w = y * sin(theta);
    return (s - w * cexp(I * k / 2)) / (s + w * cexp(-I * k / 2));
}

static void reflect(void)
{
    static const double points[] = {4, 5, 6, 8}, degrees[] = {0, 25, 45, 70}, g[] = {0.05, 0.3, 1};
    const struct time_step step = step_of(LAMBDA2);
    (void)printf("| admittance | points | Y_d | 0 degrees | 25 | 45 | 70 |\n|---|---|---|---|---|---|---|\n");
    for (size_t a = 0; a < sizeof g / sizeof *g; a++)
        for (size_t p = 0; p < sizeof points / sizeof *points; p++)
            for (int how = 0; how < 3; how++) {
                static const char *const name[] = {"g", "c g", "c / (1/g + j kappa / 2)"};
                const double kappa = 2 * PI / points[p];
                const struct grid_wall wall = {step, 1, 0.5, 0.5, NULL};
                const struct grid_wall_sight sight = grid_wall_at(&wall, 1 / points[p]);
                const double complex y = how == 0   ? g[a]
                                         : how == 1 ? sight.factor * g[a]
                                                    : sight.factor / (1 / g[a] + I * sight.reactance);
                (void)printf("| %.2f | %.0f | %s", g[a], points[p], name[how]);
                for (int d = 0; d < 4; d++) {
                    const double angle = degrees[d] * DEGREES, m = cos(angle);
                    (void)printf(" | %.1f",
                                 100 * cabs(reflected(&step, kappa, angle, y) - (m - g[a]) / (m + g[a])));
                }
                (void)printf(" |\n");
            }
}

/* ---- boxes ---- */

struct box {
    struct box_shape shape;
    double axes[3][3];
    struct time_step step;
    struct block_grid grid;
    struct wall_kinds kinds;
    int64_t low[3], nodes[3]; /* of its air, and how many each way; axis 0 is the longest */
    size_t count;             /* of air nodes */
    size_t band;              /* how far apart two that are coupled are */
    int *number;              /* by place, -1: no air */
    int64_t (*place)[3];      /* (count) */
    double *mass, *stiffness; /* (count), (count, 2 band + 1) */
    double complex *loss;     /* (count, 2 band + 1) */
};

static block_id block_of(const struct block_grid *grid, const int64_t node[3])
{
    int32_t place[3];
    for (int a = 0; a < 3; a++)
        place[a] = (int32_t)((node[a] - (node[a] % BLOCK_EDGE + BLOCK_EDGE) % BLOCK_EDGE) / BLOCK_EDGE);
    return block_grid_find(grid, place);
}

static int number_of(const struct box *box, const int64_t node[3])
{
    int64_t at = 0;
    for (int a = 0; a < 3; a++) {
        const int64_t from = node[a] - box->low[a];
        if (from < 0 || from >= box->nodes[a])
            return -1;
        at = at * box->nodes[a] + from;
    }
    return box->number[at];
}

static size_t entry_of(const struct box *box, int i, int j)
{
    return (size_t)i * (2 * box->band + 1) + (size_t)(j - i + (int)box->band);
}

/* What a node's record says of its links and plaquettes, or what a whole one has, in 1 / (6 CUT_WHOLE). */
static void weights_of(const struct box *box, block_id b, unsigned slot, int face[6], int edge[EDGES],
                       double *mass)
{
    const struct block_grid *grid = &box->grid;
    const bool cut = (grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) != 0;
    const uint64_t record = cut ? block_cut_record(grid, b, slot) : 0;
    for (unsigned e = 0; e < EDGES; e++)
        edge[e] = cut ? grid->plaquette[record][e] : CUT_WHOLE;
    for (unsigned d = 0; d < 6; d++) {
        face[d] = 6 * (cut ? grid->cut[record].open[d] : CUT_WHOLE);
        for (unsigned e = 0; e < EDGES; e++)
            face[d] -= edge_first_direction(e) == d || edge_second_direction(e) == d ? edge[e] : 0;
    }
    *mass = cut ? box->step.lambda2 / (6.0 * CUT_WHOLE * (double)grid->gain[record]) : 1;
}

static void couple(struct box *box, int i, const int64_t at[3], unsigned first, unsigned second, int weight)
{
    int64_t node[3] = {at[0], at[1], at[2]};
    node[first / 2] += first & 1 ? 1 : -1;
    if (second < 6)
        node[second / 2] += second & 1 ? 1 : -1;
    const int j = number_of(box, node);
    if (weight == 0)
        return;
    cr_assert(j >= 0);
    const double part = weight / (6.0 * CUT_WHOLE);
    box->stiffness[entry_of(box, i, i)] += part;
    box->stiffness[entry_of(box, i, j)] -= part;
}

static void number_nodes(struct box *box)
{
    const struct block_grid *grid = &box->grid;
    for (int a = 0; a < 3; a++) {
        box->low[a] = grid->air_low[a];
        box->nodes[a] = grid->air_high[a] - grid->air_low[a] + 1;
    }
    const size_t places = (size_t)(box->nodes[0] * box->nodes[1] * box->nodes[2]);
    box->number = malloc(places * sizeof *box->number);
    box->place = malloc(places * sizeof *box->place);
    for (size_t at = 0; at < places; at++) {
        const int64_t p = (int64_t)at, area = box->nodes[1] * box->nodes[2];
        const int64_t node[3] = {box->low[0] + p / area, box->low[1] + p / box->nodes[2] % box->nodes[1],
                                 box->low[2] + p % box->nodes[2]};
        const block_id b = block_of(grid, node);
        const bool air = b != 0 && block_is_air(grid, b, block_slot(node[0], node[1], node[2]));
        box->number[at] = air ? (int)box->count : -1;
        if (air)
            memcpy(box->place[box->count++], node, sizeof node);
    }
    box->band = (size_t)(box->nodes[1] * box->nodes[2] + box->nodes[2] + 1);
}

static void make(const struct box_shape *shape, struct box *box)
{
    struct cell_plane plane[6];
    struct cut_masses masses;
    *box = (struct box){.shape = *shape, .step = step_of(LAMBDA2)};
    cell_box_axes(shape->angle, box->axes);
    cell_box_planes(shape->centre, shape->size, shape->angle, 1, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    MUST(block_grid_pack_slabs(&voxels, &box->grid, &failure));
    MUST(block_grid_widen(&box->grid, &failure));
    MUST(cut_masses_make(&box->grid, box->step.lambda2, &masses, &failure));
    MUST(wall_kinds_sort(&box->grid, true, 1, &box->kinds, &failure));
    cr_assert(box->grid.list_nodes == 0 && box->grid.extra_links == 0);
    voxels_free(&voxels);
    number_nodes(box);
    const size_t entries = box->count * (2 * box->band + 1);
    box->mass = calloc(box->count, sizeof *box->mass);
    box->stiffness = calloc(entries, sizeof *box->stiffness);
    box->loss = calloc(entries, sizeof *box->loss);
    for (int i = 0; i < (int)box->count; i++) {
        int face[6], edge[EDGES];
        const int64_t *const at = box->place[i];
        const block_id b = block_of(&box->grid, at);
        const unsigned slot = block_slot(at[0], at[1], at[2]);
        weights_of(box, b, slot, face, edge, &box->mass[i]);
        for (unsigned d = 0; d < 6; d++)
            couple(box, i, box->place[i], d, 6, face[d]);
        for (unsigned e = 0; e < EDGES; e++)
            couple(box, i, box->place[i], edge_first_direction(e), edge_second_direction(e), edge[e]);
    }
}

static void unmake(struct box *box)
{
    block_grid_free(&box->grid);
    wall_kinds_free(&box->kinds);
    free(box->number);
    free(box->place);
    free(box->mass);
    free(box->stiffness);
    free(box->loss);
}

/* ---- complex frequencies ---- */

/* The series of the symbol, to be had for complex arguments; 1e-6 at 4 points. */
static double complex symbol(double complex x)
{
    return x * (1 + x * (-1.0 / 12 + x * (1.0 / 288 + x * (-9.301e-5 + x * (1.64e-6 - 2e-8 * x)))));
}
static double complex symbol_slope(double complex x)
{
    return 1 + x * (-1.0 / 6 + x * (1.0 / 96 + x * (-4 * 9.301e-5 + x * (5 * 1.64e-6 - 6 * 2e-8 * x))));
}
static double complex theta_of(double complex kappa)
{
    return 2 * casin(0.5 * sqrt(LAMBDA2) * csqrt(symbol(kappa * kappa)));
}
static double complex kappa_of(double complex theta)
{
    const double complex half = csin(theta / 2), wanted = 4 * half * half / LAMBDA2;
    double complex x = wanted;
    for (int n = 0; n < 30; n++)
        x -= (symbol(x) - wanted) / symbol_slope(x);
    return csqrt(x);
}

/* ---- losses ---- */

enum how { MEAN, DISTANCE, PRESSURE, HOWS };
static const char *const how_name[HOWS] = {"mean", "distance", "pressure"};

static void lose_at_two(struct box *box, int i, const struct cut_cell *cut, const double distance[3],
                        double complex y)
{
    for (int a = 0; a < 3; a++) {
        if (isnan(distance[a]))
            continue;
        const unsigned d = 2u * (unsigned)a + (cut->open[2 * a] == 0 ? 1 : 0);
        int64_t node[3] = {box->place[i][0], box->place[i][1], box->place[i][2]};
        node[a] += d & 1 ? 1 : -1;
        const int j = number_of(box, node);
        const double e = distance[a] * distance[a] / (2 * distance[a] + 1), v[2] = {1 + e, -e};
        const int at[2] = {i, j};
        cr_assert(j >= 0);
        for (int m = 0; m < 2; m++)
            for (int n = 0; n < 2; n++)
                box->loss[entry_of(box, at[m], at[n])] += y * v[m] * v[n] * cut->open[d] / CUT_WHOLE;
    }
}

static void lose(struct box *box, enum how how, double g, double complex kappa, double complex theta)
{
    const struct block_grid *grid = &box->grid;
    const double complex c = sqrt(LAMBDA2) * kappa * symbol_slope(kappa * kappa) / csin(theta);
    memset(box->loss, 0, box->count * (2 * box->band + 1) * sizeof *box->loss);
    for (int i = 0; i < (int)box->count; i++) {
        const int64_t *const at = box->place[i];
        const block_id b = block_of(&box->grid, at);
        const unsigned slot = block_slot(at[0], at[1], at[2]);
        double distance[3] = {NAN, NAN, NAN};
        const struct cut_cell *cut = NULL;
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
            const struct wall *wall = &grid->wall[w];
            if ((wall->slot & WALL_SLOT) != slot)
                continue;
            if (cut == NULL) {
                cut = &grid->cut[block_cut_record(grid, b, slot)];
                wall_kinds_distances(cut, distance);
            }
            double complex y = c * g;
            if (how == PRESSURE && !(isnan(distance[0]) && isnan(distance[1]) && isnan(distance[2]))) {
                lose_at_two(box, i, cut, distance, y);
                break;
            }
            const struct wall_kind *kind = &box->kinds.kind[wall->material];
            if (how == DISTANCE) {
                const double d = (double)kind->steps / WALL_KIND_STEPS, reach = (double)kind->reach;
                const double complex turn = 2 * kappa * (reach < 0 ? -I * reach : reach);
                y = c / (reach == 0 ? 1 : 0.5 * (1 + csin(turn) / turn)) / (1 / g + I * kappa * d);
                if (kind->steps == 0 && reach != 0)
                    y /= 1 - GRID_WALL_SHADE * kappa * kappa * fmin(g * g, GRID_WALL_SHADE_MOST);
            }
            box->loss[entry_of(box, i, i)] += (double)wall->weight * y;
        }
    }
}

/* ---- modes ---- */

static double complex shape_at(const struct box *box, const struct box_wave *wave, int i)
{
    double complex product = 1;
    for (int a = 0; a < 3; a++) {
        double x = 0;
        for (int n = 0; n < 3; n++)
            x += box->axes[a][n] * ((double)box->place[i][n] - box->shape.centre[n]);
        product *= wave->q[a] % 2 == 0 ? ccos(wave->wave[a] * x) : csin(wave->wave[a] * x);
    }
    return product;
}

/* The kappa of the box's mode that is like `wave`, after the warp; NaN where none is. */
static double complex mode_like(struct box *box, enum how how, double g, const struct box_wave *wave)
{
    const int n = (int)box->count, band = (int)box->band, rows = 3 * band + 1;
    const double lambda = sqrt(LAMBDA2);
    double complex *u = malloc((size_t)n * sizeof *u), *next = malloc((size_t)n * sizeof *u),
                   *start = malloc((size_t)n * sizeof *u),
                   *matrix = malloc((size_t)rows * (size_t)n * sizeof *matrix), theta = theta_of(wave->omega);
    int *pivot = malloc((size_t)n * sizeof *pivot), rounds = 0;
    for (int i = 0; i < n; i++)
        start[i] = u[i] = shape_at(box, wave, i);
    double moved = 1;
    for (; rounds < 12 && moved > 1e-8; rounds++) {
        lose(box, how, g, kappa_of(theta), theta);
        memset(matrix, 0, (size_t)rows * (size_t)n * sizeof *matrix);
        for (int i = 0; i < n; i++) {
            double complex lost = 0;
            for (int j = i > band ? i - band : 0; j < n && j <= i + band; j++) {
                const size_t at = entry_of(box, i, j);
                matrix[(size_t)j * (size_t)rows + (size_t)(2 * band + i - j)] =
                    -LAMBDA2 * box->stiffness[at] - I * lambda * csin(theta) * box->loss[at] +
                    (i == j ? 4 * csin(theta / 2) * csin(theta / 2) * box->mass[i] : 0);
                lost += box->loss[at] * u[j];
            }
            next[i] = 2 * csin(theta) * box->mass[i] * u[i] - I * lambda * ccos(theta) * lost;
        }
        if (LAPACKE_zgbsv(LAPACK_COL_MAJOR, n, band, band, 1, (void *)matrix, rows, pivot, (void *)next, n) !=
            0)
            break;
        double complex over = 0, under = 0;
        double size = 0;
        for (int i = 0; i < n; i++) {
            over += box->mass[i] * u[i] * u[i];
            under += box->mass[i] * u[i] * next[i];
            size = fmax(size, cabs(next[i]));
        }
        theta -= over / under;
        moved = cabs(over / under);
        for (int i = 0; i < n; i++)
            u[i] = next[i] / size;
    }
    double complex along = 0;
    double own = 0, other = 0;
    for (int i = 0; i < n; i++) {
        along += box->mass[i] * conj(start[i]) * u[i];
        own += box->mass[i] * pow(cabs(start[i]), 2);
        other += box->mass[i] * pow(cabs(u[i]), 2);
    }
    free(u);
    free(next);
    free(start);
    free(matrix);
    free(pivot);
    return moved <= 1e-8 && cabs(along) > 0.8 * sqrt(own * other) ? kappa_of(theta) : NAN + I * NAN;
}

struct tally {
    double sum, square;
    int count;
};

static void add_box(const struct box_shape *shape, double points, double g, struct tally tally[HOWS],
                    int *missed)
{
    enum { MOST = 200, EACH = 4 };
    static int q[MOST][3];
    const struct wall_material one = {1, {{.E = 1 / g}}}, wall[3] = {one, one, one};
    const size_t count = box_modes_between(shape, PI / points, 2 * PI / points, MOST, q);
    struct box box;
    make(shape, &box);
    for (size_t m = 0; m < count; m += EACH) {
        const struct box_wave wave = box_wave_lossy(shape, wall, q[m]);
        double error[HOWS], all = 0;
        for (int how = 0; how < HOWS; how++)
            all += error[how] =
                100 * (cimag(mode_like(&box, (enum how)how, g, &wave)) / cimag(wave.omega) - 1);
        *missed += isnan(all) ? 1 : 0;
        for (int how = 0; how < HOWS && !isnan(all); how++) {
            tally[how].sum += error[how];
            tally[how].square += error[how] * error[how];
            tally[how].count++;
        }
    }
    unmake(&box);
}

static void decay(double points)
{
    static const double places[][3] = {{0.13, 0.27, 0.41}, {0.71, 0.38, 0.92}, {0.49, 0.83, 0.06}};
    static const double turns[][3] = {{0, 0, 0}, {35 * DEGREES, 0, 27 * DEGREES}};
    for (int a = 0; a < ADMITTANCES; a++)
        for (int turned = 0; turned < 2; turned++) {
            struct tally tally[HOWS] = {0};
            int missed = 0;
            for (int p = 0; p < (turned ? 1 : 3); p++) {
                struct box_shape shape = {.size = {2 * points, 1.66 * points, 1.38 * points}};
                memcpy(shape.angle, turns[turned], sizeof shape.angle);
                memcpy(shape.centre, places[p], sizeof shape.centre);
                add_box(&shape, points, admittance[a], tally, &missed);
            }
            (void)printf("%g points, g %.1f, %s:", points, admittance[a], turned ? "turned" : "straight");
            for (int how = 0; how < HOWS; how++) {
                const double mean = tally[how].sum / tally[how].count;
                (void)printf("  %s %+.1f (%.1f)", how_name[how], mean,
                             sqrt(fmax(0, tally[how].square / tally[how].count - mean * mean)));
            }
            (void)printf("  of %d modes, %d not found\n", tally[0].count, missed);
            (void)fflush(stdout);
        }
}

int main(int argc, char **argv)
{
    static const double usual[] = {4, 5, 6, 8};
    if (argc > 1 && strcmp(argv[1], "reflect") == 0)
        reflect();
    else if (argc > 1 && strcmp(argv[1], "decay") == 0)
        for (int n = 0; n < (argc > 2 ? argc - 2 : 4); n++)
            decay(argc > 2 ? atof(argv[2 + n]) : usual[n]);
    else {
        (void)fprintf(stderr, "usage: wall_warp reflect | decay [POINTS ..]\n");
        return 2;
    }
    return 0;
}
