/* What do conformal walls cost before the first step? A room voxelised with cells, packed into blocks and
 * given its masses, as a run does it.
 *
 *   cells_speed FILE X Y Z SPACING [THREADS]   a mesh, a source in it [m], the spacing [m]
 *   cells_speed church NODES [THREADS]         the built-in church with about so many nodes of air
 *
 * A line for each stage: wall-clock seconds, processor seconds of all threads, and the most memory held so
 * far. The last line has counts and hashes, to compare builds and numbers of threads. Status: 0; 1 failed; 2
 * bad usage. Needs some 100 bytes a cell; the built-in church with 10^9 nodes a minute of one processor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <omp.h>

#include "blocks/block_grid.h"
#include "blocks/cut_masses.h"
#include "geometry/base/vector.h"
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "rooms/shapes/room_shape.h"

struct moment {
    double wall, processor;
};

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Print what passed since the last stage, and begin the next. */
static void stage(const char *name, struct moment *last)
{
    struct rusage usage;
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    (void)getrusage(RUSAGE_SELF, &usage);
    const struct moment here = {(double)now.tv_sec + 1e-9 * (double)now.tv_nsec,
                                seconds(usage.ru_utime) + seconds(usage.ru_stime)};
    if (name != NULL)
        printf("%-9s %7.2f s %7.2f processor s %7.0f MB at most\n", name, here.wall - last->wall,
               here.processor - last->processor, 1.024e-3 * (double)usage.ru_maxrss);
    *last = here;
}

/* Of a watertight mesh whose triangles show their counter-clockwise side to the air [m3]. */
static double volume_of(const struct mesh *mesh)
{
    double sum = 0, across[3];
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        vector_cross(mesh->vertex[mesh->triangle[t][1]], mesh->vertex[mesh->triangle[t][2]], across);
        sum += vector_dot(mesh->vertex[mesh->triangle[t][0]], across);
    }
    return fabs(sum) / 6;
}

static uint64_t hash_of(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static uint64_t hash_cells(const struct voxels *voxels)
{
    uint64_t hash =
        hash_of(UINT64_C(0xCBF29CE484222325), voxels->block, voxels->block_count * sizeof *voxels->block);
    hash = hash_of(hash, voxels->detail, voxels->detail_count * sizeof *voxels->detail);
    hash = hash_of(hash, voxels->cell, voxels->cell_count * sizeof *voxels->cell);
    hash = hash_of(hash, voxels->area, voxels->area_count * sizeof *voxels->area);
    hash = hash_of(hash, voxels->piece, voxels->piece_count * sizeof *voxels->piece);
    return hash_of(hash, voxels->opening, voxels->opening_count * sizeof *voxels->opening);
}

static int measure(const struct mesh *mesh, const struct voxel_seed *seed, double spacing, int threads,
                   struct failure *failure)
{
    const struct voxelise_options options = {.cells = true, .threads = threads};
    struct lattice lattice;
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    struct block_grid grid = {0};
    struct cut_masses masses;
    struct moment last;
    uint64_t hash = 0;
    double low[3], high[3];
    TRY(mesh_bounds(mesh, low, high, failure));
    TRY(lattice_fit(low, high, spacing, NULL, &lattice, failure));
    stage(NULL, &last);
    int code = voxelise(mesh, &lattice, seed, 1, &options, &voxels, &findings, NULL, failure);
    stage("voxelise", &last);
    if (code == 0)
        code = block_grid_pack(&voxels, &grid, failure);
    stage("pack", &last);
    hash = hash_cells(&voxels);
    const struct voxels counts = voxels;
    voxels_free(&voxels);
    stage(NULL, &last);
    if (code == 0)
        code = cut_masses_make(&grid, cut_masses_share[0] / 3, &masses, failure);
    stage("masses", &last);
    if (code == 0)
        printf("%.4g mm: %llu nodes of air, %zu cells, %zu pieces, %zu openings, %llu borrowers; hashes "
               "%016llx %016llx\n",
               1000 * spacing, (unsigned long long)counts.air_nodes, counts.cell_count, counts.piece_count,
               counts.opening_count, (unsigned long long)masses.borrowers, (unsigned long long)hash,
               (unsigned long long)block_grid_hash(&grid));
    voxel_findings_free(&findings);
    voxels_free(&voxels);
    block_grid_free(&grid);
    return code;
}

int main(int argc, char **argv)
{
    const bool built_in = argc > 1 && strcmp(argv[1], "church") == 0;
    const int needed = built_in ? 3 : 6;
    struct mesh mesh = {0};
    struct failure failure = {0};
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "S1"};
    if (argc < needed || argc > needed + 1 || !(strtod(argv[needed - 1], NULL) > 0)) {
        (void)fprintf(stderr, "usage: cells_speed FILE X Y Z SPACING [THREADS]\n"
                              "       cells_speed church NODES [THREADS]\n");
        return 2;
    }
    double spacing = strtod(argv[needed - 1], NULL);
    const int threads = argc > needed ? (int)strtol(argv[needed], NULL, 10) : 0;
    if (threads > 0)
        omp_set_num_threads(threads); /* for packing, which has no number of its own */
    int code;
    if (built_in) {
        code = room_build(room_shape_find("church"), NULL, &mesh, &failure);
        if (code == 0) {
            memcpy(seed.position, mesh.marker[0].position, sizeof seed.position);
            spacing = cbrt(volume_of(&mesh) / spacing);
        }
    } else {
        code = mesh_import(argv[1], &(struct mesh_import_options){.up = UP_Z}, &mesh, NULL, &failure);
        for (int axis = 0; axis < 3; axis++)
            seed.position[axis] = strtod(argv[2 + axis], NULL);
    }
    if (code == 0)
        code = measure(&mesh, &seed, spacing, threads, &failure);
    if (code != 0)
        (void)fprintf(stderr, "%s\n", failure.sentence);
    mesh_free(&mesh);
    return code != 0;
}
