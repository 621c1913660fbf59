#include "kernels/ladder/peer_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "geometry/room/voxeliser.h"
#include "kernels/scheme/fill_value.h"
#include "rooms/shapes/room_shape.h"

#define SOUND_SPEED 343.2
#define PHASE_ERROR 0.01

int peer_church(double spacing, int threads, struct block_grid *grid, struct failure *failure)
{
    struct mesh mesh = {0};
    struct voxels voxels = {0};
    struct lattice lattice;
    struct cut_masses masses;
    double low[3], high[3];
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "bench"};
    const struct voxelise_options options = {.threads = threads};
    int code = room_build(room_shape_find("church"), NULL, &mesh, failure);
    if (code == 0)
        code = mesh_bounds(&mesh, low, high, failure);
    if (code == 0)
        code = lattice_fit(low, high, spacing, NULL, &lattice, failure);
    if (code == 0) {
        memcpy(seed.position, mesh.marker[0].position, sizeof seed.position);
        code = voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, failure);
    }
    if (code == 0)
        code = block_grid_pack(&voxels, grid, failure);
    if (code == 0)
        code = block_grid_widen(grid, failure);
    if (code == 0)
        code = cut_masses_make(grid, PEER_ISOTROPIC, &masses, failure);
    voxels_free(&voxels);
    mesh_free(&mesh);
    return code;
}

double peer_stable_lambda2(int scheme)
{
    return scheme == PEER_19 ? PEER_ISOTROPIC : peer_scheme[scheme].lambda2;
}

void peer_fill(const struct peer_room *room, int level, float *u)
{
    memset(u, 0, ((size_t)room->blocks + 1) * BLOCK_NODES * sizeof *u);
#pragma omp parallel for schedule(static)
    for (uint64_t id = 1; id <= room->blocks; ++id)
        for (unsigned at = 0; at < BLOCK_NODES; ++at) {
            block_id b;
            unsigned slot;
            int64_t node[3];
            if (!peer_grid_node(room, id, at, &b, &slot))
                continue;
            block_node(&room->grid->block[b], slot, node);
            u[id * BLOCK_NODES + at] = (float)fill_level(fill_bits(node[0], node[1], node[2], 1), level);
        }
}

static void print_row(const struct peer_timed *timed, double lambda2, double points, bool warped,
                      double volume, double fmax, double limit_rate)
{
    const struct peer_room *const room = &timed->room;
    const double h = SOUND_SPEED / fmax / points,
                 stretch = warped ? peer_stretch(room->scheme, lambda2, points) : 1;
    const double nodes = volume / (h * h * h) * (room->scheme->half ? 0.5 : 1);
    const double steps = SOUND_SPEED / h / sqrt(lambda2) / stretch;
    const double stored = (double)room->blocks * BLOCK_NODES, air = (double)room->air_nodes;
    const double bytes = (8 * stored + (double)peer_room_bytes(room)) / air;
    (void)printf("%-20s %7.4f %6.2f %9.2f %8.0f %7.2f %8.3f %9.1f %9.1f\n", room->scheme->name, lambda2,
                 points, nodes * 1e-6, steps, nodes * bytes * 1e-9, nodes * steps * 12e-12,
                 nodes * steps / timed->best, nodes * steps * stored / air / limit_rate);
}

void peer_print_tables(const struct peer_timed timed[PEER_SCHEMES], double volume, double fmax,
                       double limit_rate)
{
    for (int warped = 0; warped < 2; ++warped) {
        (void)printf("\n%-20s %7s %6s %9s %8s %7s %8s %9s %9s\n", warped ? "warped" : "not warped", "lambda2",
                     "points", "M nodes", "steps/s", "GB", "TB/s", "s/s", "at limit");
        for (int s = 0; s < PEER_SCHEMES; ++s)
            for (int second = 0; second < (s == PEER_19 ? 2 : 1); ++second) {
                const double lambda2 = second ? PEER_ISOTROPIC : peer_scheme[s].lambda2;
                print_row(&timed[s], lambda2, peer_points(&peer_scheme[s], lambda2, PHASE_ERROR, warped),
                          warped, volume, fmax, limit_rate);
            }
    }
    (void)printf("with the points that walls and receivers ask for\n");
    for (int points = 5; points <= 6; ++points)
        print_row(&timed[PEER_19], PEER_ISOTROPIC, points, true, volume, fmax, limit_rate);
}
