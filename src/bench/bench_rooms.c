#include "src/bench/bench_rooms.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "geometry/base/vector.h"
#include "geometry/mesh/mesh.h"
#include "geometry/room/voxeliser.h"
#include "rooms/materials/absorption.h"
#include "rooms/shapes/room_shape.h"
#include "rooms/shapes/seed_shape.h"
#include "src/bench/bench_textbook.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_engine.h"
#include "src/setup/room_voxelise.h"

const char *const bench_shape_name[BENCH_SHAPES + 1] = {"cube", "sphere", "cross", "church", "room"};

#define PI 3.14159265358979323846

/* ---- sizes ---- */

/* Cubes of the shape's `nodes` that its air fills. */
static double cubes_of(enum bench_shape shape)
{
    return shape == BENCH_SPHERE ? PI / 6 : shape == BENCH_CROSS ? 5 : 1;
}

int64_t bench_room_nodes(enum bench_shape shape, int64_t edge)
{
    return llround((double)edge / cbrt(cubes_of(shape)));
}

const char *bench_room_name(enum bench_shape shape, int64_t nodes, char text[BENCH_NAME_MAX])
{
    if (shape == BENCH_ROOM)
        (void)snprintf(text, BENCH_NAME_MAX, "room");
    else
        (void)snprintf(text, BENCH_NAME_MAX, "%s %s%" PRId64 "%s", bench_shape_name[shape],
                       shape == BENCH_CROSS ? "5 x " : "", nodes, shape == BENCH_SPHERE ? "" : "^3");
    return text;
}

/* Volume inside a watertight mesh whose triangles show their counter-clockwise side to the air, by the
 * divergence theorem a signed tetrahedron for each triangle [m3]; and its area [m2]. */
static double mesh_volume(const struct mesh *mesh, double *area)
{
    double sum = 0;
    *area = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const double *a = mesh->vertex[mesh->triangle[t][0]], *b = mesh->vertex[mesh->triangle[t][1]],
                     *c = mesh->vertex[mesh->triangle[t][2]];
        double ab[3], ac[3], normal[3], across[3];
        vector_subtract(b, a, ab);
        vector_subtract(c, a, ac);
        vector_cross(ab, ac, normal);
        vector_cross(b, c, across);
        *area += vector_length(normal) / 2;
        sum += vector_dot(a, across);
    }
    return fabs(sum) / 6;
}

/* The mesh of the church, its bounds and area, and the spacing at which its air is that of a cube. */
struct church {
    struct mesh mesh;
    double low[3], high[3], area, spacing;
};

/* mesh_free() in any case. */
static int church_make(int64_t edge, struct church *church, struct failure *failure)
{
    TRY(room_build(room_shape_find("church"), NULL, &church->mesh, failure));
    TRY(mesh_bounds(&church->mesh, church->low, church->high, failure));
    church->spacing = cbrt(mesh_volume(&church->mesh, &church->area)) / (double)edge;
    return 0;
}

int bench_room_bytes(enum bench_shape shape, int64_t nodes, unsigned real_bytes, bool boxed, uint64_t *bytes,
                     struct failure *failure)
{
    const double d = (double)nodes;
    double box = 0, faces = 0;
    if (shape == BENCH_CHURCH) {
        struct church church = {0};
        const int code = church_make(nodes, &church, failure);
        mesh_free(&church.mesh);
        TRY(code);
        box = 1;
        for (int axis = 0; axis < 3; axis++)
            box *= (church.high[axis] - church.low[axis]) / church.spacing + 3;
        faces = church.area / (church.spacing * church.spacing);
    } else {
        box = (shape == BENCH_CROSS ? (3 * d + 2) * (3 * d + 2) : (d + 2) * (d + 2)) * (d + 2);
        faces = shape == BENCH_SPHERE ? PI * d * d : (shape == BENCH_CROSS ? 22 : 6) * d * d;
    }
    /* Blocks reach up to 7 nodes beyond the air; 4 on the average, and more where a wall is slanted. */
    const double stored = cubes_of(shape) * d * d * d + 6 * faces;
    const double wall_bytes =
        sizeof(struct wall) + real_bytes + (boxed ? sizeof(struct box_wall) + real_bytes : 0.0);
    /* A mixed block has details, contacts and a tile of its own for a while: about 24 bytes a face. */
    *bytes = (uint64_t)(stored * (2.0 * real_bytes + 80.0 / BLOCK_NODES) +
                        (boxed ? box * (2.0 * real_bytes + 1) : 0) + 1.5 * faces * (wall_bytes + 24));
    return 0;
}

double bench_room_stored(const struct bench_room *room, enum layout layout)
{
    double nodes = (double)room->blocks.blocks * BLOCK_NODES;
    if (layout == LAYOUT_BOX) {
        nodes = 1;
        for (int axis = 0; axis < 3; axis++)
            nodes *= (double)(room->blocks.air_high[axis] - room->blocks.air_low[axis] + 1);
    }
    return nodes;
}

/* ---- making them ---- */

static int make_seed_shape(enum bench_shape shape, int64_t nodes, struct bench_room *room,
                           struct failure *failure)
{
    static const enum seed_shape seed[] = {
        [BENCH_CUBE] = SEED_CUBE, [BENCH_SPHERE] = SEED_SPHERE, [BENCH_CROSS] = SEED_CROSS};
    struct voxels voxels = {0};
    int code = seed_shape_voxels(seed[shape], nodes, &voxels, failure);
    if (code == 0)
        code = block_grid_pack(&voxels, &room->blocks, failure);
    voxels_free(&voxels);
    /* The seed's shapes are rigid; here they have one material. */
    for (uint64_t w = 0; w < room->blocks.walls; w++)
        room->blocks.wall[w].material = 0;
    room->materials = 1;
    return code;
}

static int make_church(int64_t edge, int threads, struct bench_room *room, struct failure *failure)
{
    struct church church = {0};
    struct voxels voxels = {0};
    struct lattice lattice;
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "bench"};
    const struct voxelise_options options = {.threads = threads};
    int code = church_make(edge, &church, failure);
    if (code == 0)
        code = lattice_fit(church.low, church.high, church.spacing, NULL, &lattice, failure);
    if (code == 0) {
        memcpy(seed.position, church.mesh.marker[0].position, sizeof seed.position);
        code = voxelise(&church.mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, failure);
    }
    if (code == 0)
        code = block_grid_pack(&voxels, &room->blocks, failure);
    room->materials = church.mesh.material_count;
    voxels_free(&voxels);
    mesh_free(&church.mesh);
    return code;
}

int bench_room_widen(struct bench_room *room, struct failure *failure)
{
    struct cut_masses masses = {0};
    TRY(time_step_choose(SCHEME_ISOTROPIC, 1.0, 343.2, sqrt(BENCH_ISOTROPIC_LAMBDA2) * (1 + 1e-12),
                         &room->step, failure));
    TRY(block_grid_widen(&room->blocks, failure));
    return cut_masses_make(&room->blocks, room->step.lambda2, &masses, failure);
}

bool bench_room_has_textbook(const struct bench_room *room)
{
    return room->blocks.isotropic ? room->step.lambda2 == BENCH_ISOTROPIC_LAMBDA2 : !room->blocks.has_records;
}

int bench_room_make(enum bench_shape shape, enum scheme scheme, int64_t nodes, int threads,
                    struct bench_room *out, struct failure *failure)
{
    struct bench_room room = {.shape = shape, .nodes = nodes};
    int code = shape == BENCH_CHURCH ? make_church(nodes, threads, &room, failure)
                                     : make_seed_shape(shape, nodes, &room, failure);
    if (code == 0 && scheme == SCHEME_ISOTROPIC)
        code = bench_room_widen(&room, failure);
    if (code != 0)
        goto done;
    room.admittance = calloc(room.materials, sizeof *room.admittance);
    if (room.admittance == NULL) {
        code = failure_memory(failure, room.materials * sizeof *room.admittance, "admittances");
        goto done;
    }
    for (size_t m = 0; m < room.materials; m++)
        room.admittance[m] = admittance_from_absorption(BENCH_ABSORPTION, NULL);
    *out = room;
    room = (struct bench_room){0};
done:
    bench_room_free(&room);
    return code;
}

int bench_room_read(const struct room_request *request, struct bench_room *out, struct failure *failure)
{
    struct room_setup setup = {0};
    struct room_estimate estimate = {0};
    int code = room_setup_read(request, &setup, failure);
    if (code == 0)
        code = estimate_choose_resolution(&setup, false, &estimate, failure);
    if (code == 0)
        code = room_voxelise(&setup, failure);
    if (code == 0) {
        *out = (struct bench_room){.shape = BENCH_ROOM,
                                   .blocks = setup.grid.packed,
                                   .materials = room_wall_materials(&setup, &setup.grid, false).count,
                                   .step = setup.grid.step,
                                   .admittance = room_plain_walls(&setup)};
        setup.grid.packed = (struct block_grid){0};
        /* As a run keeps them; first-order walls as other programs do, so that the two can be timed alike. */
        const struct wall_materials walls =
            room_wall_materials(&setup, &setup.grid, request->engine.walls != WALLS_FIRST_ORDER);
        struct wall_material *material = malloc((walls.count + 1) * sizeof *material);
        if (out->admittance == NULL || material == NULL) {
            code = failure_memory(failure, out->materials * sizeof *material, "walls");
            free(material);
            bench_room_free(out);
        } else {
            memcpy(material, walls.material, walls.count * sizeof *material);
            out->walls = walls;
            out->walls.material = material;
        }
    }
    room_setup_free(&setup);
    return code;
}

int bench_room_add_box(struct bench_room *room, struct failure *failure)
{
    return room->box.length > 0 ? 0 : box_grid_from_blocks(&room->blocks, &room->box, failure);
}

void bench_room_free(struct bench_room *room)
{
    block_grid_free(&room->blocks);
    box_grid_free(&room->box);
    free(room->admittance);
    free((void *)(uintptr_t)room->walls.material);
    *room = (struct bench_room){0};
}
