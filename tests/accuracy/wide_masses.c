/* What do the masses of the isotropic scheme add to a room, and what do they take?
 *
 *   wide_masses FILE X Y Z SPACING [TURN [THREADS]]   a mesh, a source in it [m], the spacing [m], turned
 * about the vertical through the origin [degrees]
 *
 * Voxelised with cells, packed with slabs merged; then processor seconds of widening and of the masses, and
 * of every lambda^2 of a list the volume that had to be lent and added, in shares of the room's; and what is
 * made is checked. Status: 0; 1 failed; 2 bad usage.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <omp.h>

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"

/* Processor seconds of all threads: what others do on the machine does not count. */
static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void turn(double degrees, double at[3])
{
    const double angle = degrees * acos(-1) / 180, x = at[0], y = at[1];
    at[0] = x * cos(angle) - y * sin(angle);
    at[1] = x * sin(angle) + y * cos(angle);
}

static int measure(const struct voxels *voxels, struct failure *failure)
{
    static const double lambda2[] = {0.6, 0.65, 0.7, 0.735};
    struct block_grid grid = {0};
    double begin = now();
    int code = block_grid_pack_slabs(voxels, &grid, failure);
    printf("%llu nodes of air, %llu cut, %llu further pieces, %llu merged; packed in %.2f s\n",
           (unsigned long long)grid.air_nodes, (unsigned long long)grid.cuts,
           (unsigned long long)grid.list_nodes, (unsigned long long)grid.merged, now() - begin);
    begin = now();
    if (code == 0)
        code = block_grid_widen(&grid, failure);
    printf("%llu nodes with records after widening, in %.2f s\n", (unsigned long long)grid.cuts,
           now() - begin);
    for (size_t n = 0; code == 0 && n < sizeof lambda2 / sizeof *lambda2; n++) {
        struct cut_masses masses;
        begin = now();
        code = cut_masses_measure(&grid, lambda2[n], &masses, failure);
        printf("lambda^2 %.3f: added %.3g, lent %.3g of the volume, %llu borrowers, at most %.3g times; %.2f "
               "s\n",
               lambda2[n], masses.added / masses.volume, masses.lent / masses.volume,
               (unsigned long long)masses.borrowers, masses.largest, now() - begin);
    }
    struct cut_masses masses;
    begin = now();
    if (code == 0)
        code = cut_masses_make(&grid, lambda2[0], &masses, failure);
    printf("%llu records in the end; made in %.2f s\n", (unsigned long long)grid.cuts, now() - begin);
    if (code == 0)
        code = block_grid_check(&grid, failure);
    block_grid_free(&grid);
    return code;
}

static int run(char **argv, int argc, struct failure *failure)
{
    const double degrees = argc > 6 ? strtod(argv[6], NULL) : 0;
    const int threads = argc > 7 ? (int)strtol(argv[7], NULL, 10) : 0;
    const struct voxelise_options options = {.cells = true, .threads = threads};
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "S1"};
    struct mesh mesh = {0};
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    struct lattice lattice;
    double low[3], high[3];
    if (threads > 0)
        omp_set_num_threads(threads);
    for (int a = 0; a < 3; a++)
        seed.position[a] = strtod(argv[2 + a], NULL);
    turn(degrees, seed.position);
    int code = mesh_import(argv[1], &(struct mesh_import_options){.up = UP_Z}, &mesh, NULL, failure);
    for (size_t v = 0; code == 0 && degrees != 0 && v < mesh.vertex_count; v++)
        turn(degrees, mesh.vertex[v]);
    if (code == 0)
        code = mesh_bounds(&mesh, low, high, failure);
    if (code == 0)
        code = lattice_fit(low, high, strtod(argv[5], NULL), NULL, &lattice, failure);
    if (code == 0)
        code = voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, &findings, NULL, failure);
    if (code == 0)
        code = measure(&voxels, failure);
    voxel_findings_free(&findings);
    voxels_free(&voxels);
    mesh_free(&mesh);
    return code;
}

int main(int argc, char **argv)
{
    struct failure failure = {0};
    if (argc < 6 || argc > 8 || !(strtod(argv[5], NULL) > 0)) {
        (void)fprintf(stderr, "usage: wide_masses FILE X Y Z SPACING [TURN [THREADS]]\n");
        return 2;
    }
    const int code = run(argv, argc, &failure);
    if (code != 0)
        (void)fprintf(stderr, "%s\n", failure.sentence);
    return code != 0;
}
