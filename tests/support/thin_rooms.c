#include "tests/support/thin_rooms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "kernels/engine/engine.h"
#include "tests/support/solid_mesh.h"

#define PI    3.14159265358979323846
#define SPEED 343.0
#define EARLY 0.060
#define LEAD  0.015 /* half the length of the drive */
#define LOW   80.0
#define HIGH  355.0

static void demand(int code, const struct failure *failure)
{
    if (code == 0)
        return;
    (void)fprintf(stderr, "a room with thin bodies: %s\n", failure->sentence);
    exit(1);
}

void thin_room_bench(struct thin_room *out)
{
    static const double corner[3] = {0, 0, 0}, size[3] = {4.1, 3.3, 2.45};
    static const double board[2][2][3] = {{{-0.9, -0.21, -0.02}, {0.9, 0.21, 0.02}},
                                          {{-0.9, 0.25, 0.08}, {0.9, 0.29, 0.52}}};
    static const double middle[3] = {2.1, 2.2, 0.46};
    const struct solid_pose pose = solid_pose_make(7 * PI / 180, 0, middle);
    *out = (struct thin_room){
        .admittance = 0.02,
        .source = {0.83, 0.71, 1.22},
        .receiver = {{3.37, 2.51, 1.17}, {2.13, 2.27, 0.27}, {2.05, 2.66, 0.93}, {1.31, 1.77, 0.71}}};
    solid_box(&out->mesh, NULL, corner, size, NULL, -1);
    const uint16_t wood = solid_material(&out->mesh, "wood");
    const uint16_t woods[6] = {wood, wood, wood, wood, wood, wood};
    for (int b = 0; b < 2; b++)
        solid_box(&out->mesh, &pose, board[b][0], board[b][1], woods, -1);
}

/* Of the rows in one half of the church the first three, by how far across the rows (18 degrees from x) a
 * corner stands; there is an aisle at y = 6.65. */
static bool is_wanted(const double corner[3])
{
    const double across = cos(18 * PI / 180) * corner[0] + sin(18 * PI / 180) * corner[1];
    return across < 6.8 && corner[1] < 6.65;
}

void thin_room_chairs(const char *obj, struct thin_room *out)
{
    static const double corner[3] = {1.9, 0.85, 0}, size[3] = {6.8, 5.95, 2.2};
    struct failure failure = {0};
    struct mesh church = {0};
    demand(mesh_import(obj, &(struct mesh_import_options){0}, &church, NULL, &failure), &failure);
    *out = (struct thin_room){
        .admittance = 0.1,
        .source = {6.31, 4.87, 1.27},
        .receiver = {{3.70, 3.62, 0.61}, {4.65, 2.77, 0.21}, {5.24, 4.43, 1.12}, {2.53, 3.87, 0.56}}};
    solid_box(&out->mesh, NULL, corner, size, NULL, -1);
    const uint16_t plush = solid_material(&out->mesh, "PlushChair");
    for (size_t t = 0; t < church.triangle_count; t++) {
        uint32_t vertex[3];
        bool wanted = strcmp(church.material[church.triangle_material[t]], "PlushChair") == 0;
        for (int k = 0; k < 3; k++)
            wanted = wanted && is_wanted(church.vertex[church.triangle[t][k]]);
        for (int k = 0; k < 3 && wanted; k++)
            vertex[k] = solid_vertex(&out->mesh, NULL, church.vertex[church.triangle[t][k]]);
        if (wanted)
            solid_triangle(&out->mesh, vertex[0], vertex[1], vertex[2], plush);
    }
    if (out->mesh.triangle_count == THIN_WALLS)
        demand(failure_set(&failure, FAILURE_INPUT, "%s holds no chairs", obj), &failure);
    mesh_free(&church);
}

/* A pulse of the band, at `t` from its middle. */
static double pulse(double t)
{
    const double x = PI * (t / LEAD + 1),
                 window = fabs(t) < LEAD ? 0.42 - 0.5 * cos(x) + 0.08 * cos(2 * x) : 0;
    return window * (t == 0 ? 2 * (HIGH - LOW) : (sin(2 * PI * HIGH * t) - sin(2 * PI * LOW * t)) / (PI * t));
}

void thin_room_hear(const struct thin_room *room, double spacing, const double phase[3], bool stairs,
                    double heard[THIN_RECEIVERS][THIN_SAMPLES])
{
    const struct wall_material materials[2] = {{1, {{.E = 1 / 0.05}}}, {1, {{.E = 1 / room->admittance}}}};
    const struct wall_materials walls = {2, materials, stairs, false};
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 0};
    const struct voxelise_options how = {.cells = !stairs};
    struct voxel_seed seed[1] = {{.kind = SEED_SOURCE,
                                  .name = "source",
                                  .position = {room->source[0], room->source[1], room->source[2]}}};
    struct failure failure = {0};
    struct lattice lattice;
    struct voxels voxels = {0};
    struct block_grid blocks = {0};
    struct time_step step;
    struct engine *engine = NULL;
    double low[3], high[3];
    demand(mesh_bounds(&room->mesh, low, high, &failure), &failure);
    demand(lattice_fit(low, high, spacing, phase, &lattice, &failure), &failure);
    demand(voxelise(&room->mesh, &lattice, seed, 1, &how, &voxels, NULL, NULL, &failure), &failure);
    demand(block_grid_pack(&voxels, &blocks, &failure), &failure);
    voxels_free(&voxels);
    demand(time_step_choose(SCHEME_STANDARD, spacing, SPEED, stairs ? 0 : sqrt(0.85 / 3), &step, &failure),
           &failure);
    if (!stairs) {
        struct cut_masses masses;
        demand(cut_masses_make(&blocks, step.lambda2, &masses, &failure), &failure);
    }
    demand(engine_create_walls(&engine, &blocks, NULL, &step, &walls, &options, &failure), &failure);
    for (int r = -1; r < THIN_RECEIVERS; r++) {
        const double *const position = r < 0 ? room->source : room->receiver[r];
        struct stencil stencil;
        int64_t base[3];
        lattice_nearest(&lattice, position, base);
        demand(stencil_make(&blocks, position, base, INTERPOLATION_CUBIC, &stencil, &failure), &failure);
        demand(r < 0 ? engine_add_source(engine, &stencil, &failure)
                     : engine_add_receiver(engine, &stencil, &failure),
               &failure);
    }
    const size_t steps = (size_t)((2 * LEAD + EARLY) / step.period) + 8;
    double *const drive = calloc(steps, sizeof *drive), *const output =
                                                            calloc(THIN_RECEIVERS * steps, sizeof *output);
    if (drive == NULL || output == NULL)
        exit(1);
    for (size_t n = 0; n < steps; n++)
        drive[n] = step.period * pulse((double)n * step.period - LEAD);
    engine_run(engine, steps, drive, output);
    for (int r = 0; r < THIN_RECEIVERS; r++)
        for (int k = 0; k < THIN_SAMPLES; k++) {
            const double at = LEAD / step.period + (EARLY + LEAD) / step.period * k / THIN_SAMPLES;
            const double *const p = output + (size_t)r * steps + (size_t)at, x = at - floor(at);
            heard[r][k] = -x * (x - 1) * (x - 2) / 6 * p[-1] + (x + 1) * (x - 1) * (x - 2) / 2 * p[0] -
                          (x + 1) * x * (x - 2) / 2 * p[1] + (x + 1) * x * (x - 1) / 6 * p[2];
        }
    free(drive);
    free(output);
    engine_free(engine);
    block_grid_free(&blocks);
}

double thin_room_correlation(const double a[THIN_SAMPLES], const double b[THIN_SAMPLES])
{
    double aa = 0, bb = 0, ab = 0;
    for (int k = 0; k < THIN_SAMPLES; k++) {
        aa += a[k] * a[k];
        bb += b[k] * b[k];
        ab += a[k] * b[k];
    }
    return ab / sqrt(aa * bb);
}
