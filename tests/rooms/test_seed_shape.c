

#include "blocks/block_grid.h"
#include "rooms/shapes/seed_shape.h"
#include "tests/support/outcome.h"

static enum seed_shape shape_named(const char *name)
{
    return strcmp(name, "sphere") == 0 ? SEED_SPHERE : strcmp(name, "cube") == 0 ? SEED_CUBE : SEED_CROSS;
}

/* The shapes as the thesis has them, node by node; the sphere in doubled coordinates so that halves are
 * exact. */
static bool inside(enum seed_shape shape, int64_t d, int64_t x, int64_t y, int64_t z)
{
    const int64_t side = shape == SEED_CROSS ? 3 * d : d;
    if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= d)
        return false;
    if (shape == SEED_CUBE)
        return true;
    if (shape == SEED_CROSS)
        return (x >= d && x < 2 * d) || (y >= d && y < 2 * d);
    const int64_t p = 2 * x - d - 2, q = 2 * y - d - 2, r = 2 * z - d - 2;
    return p * p + q * q + r * r < d * d;
}

Test(seed_shape, every_row_of_the_published_memory_table_comes_out)
{
    FILE *table = fopen(test_source_file("tests/data/seed_tables.csv"), "r");
    cr_assert(table != NULL);
    char line[200];
    unsigned rows = 0;
    cr_assert(fgets(line, sizeof line, table) != NULL);
    while (fgets(line, sizeof line, table) != NULL) {
        char name[16];
        long long nodes;
        unsigned long long blocks;
        double seed_MiB, box_MiB;
        cr_assert(eq(
            int, sscanf(line, "%15[a-z],%lld,%llu,%lf,%lf", name, &nodes, &blocks, &seed_MiB, &box_MiB), 5));
        struct voxels voxels = {0};
        struct block_grid counted = {0};
        MUST(seed_shape_voxels(shape_named(name), nodes, &voxels, &failure));
        MUST(block_grid_measure(&voxels, &counted, &failure));
        const struct block_bytes bytes = block_grid_bytes(&counted, 8);
        cr_assert(eq(u64, bytes.stored_nodes, blocks * 512), "%s", line);
        const double mebi = 1024.0 * 1024.0;
        /* The table prints six decimals, which for the smallest rows is the coarser limit. */
        cr_assert(test_near((double)bytes.seed_blocks / mebi, seed_MiB, 1e-5 * seed_MiB + 5e-7), "%s", line);
        const double box = 17.0 * (double)seed_shape_box_nodes(shape_named(name), nodes) / mebi;
        cr_assert(test_near(box, box_MiB, 1e-5 * box_MiB + 5e-7), "%s", line);
        voxels_free(&voxels);
        rows++;
    }
    cr_assert(eq(u32, rows, 27));
    (void)fclose(table);
}

Test(seed_shape, shapes_hold_exactly_the_nodes_of_their_formula)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 13, 16, 20, 31, 33};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int shape = SEED_CUBE; shape <= SEED_CROSS; shape++) {
            const int64_t d = sizes[s], side = shape == SEED_CROSS ? 3 * d : d;
            struct voxels voxels = {0};
            uint64_t air = 0;
            MUST(seed_shape_voxels((enum seed_shape)shape, d, &voxels, &failure));
            cr_assert(eq(int, voxels_check(&voxels, &failure), 0), "shape %d of %lld: %s", shape,
                      (long long)d, failure.sentence);
            for (int64_t z = -1; z <= d; z++)
                for (int64_t y = -1; y <= side; y++)
                    for (int64_t x = -1; x <= side; x++) {
                        const int64_t node[3] = {x, y, z};
                        const bool wanted = inside((enum seed_shape)shape, d, x, y, z);
                        cr_assert(eq(int, voxels_is_air(&voxels, node) != 0, wanted),
                                  "shape %d of %lld at (%lld,%lld,%lld)", shape, (long long)d, (long long)x,
                                  (long long)y, (long long)z);
                        air += wanted;
                        for (int step = 0; wanted && step < DIRECTIONS; step++) {
                            int64_t to[3] = {x, y, z};
                            to[step / 2] += step & 1 ? 1 : -1;
                            cr_assert(eq(int, voxels_is_cut(&voxels, node, (enum direction)step) != 0,
                                         !inside((enum seed_shape)shape, d, to[0], to[1], to[2])));
                        }
                    }
            cr_assert(eq(u64, voxels.air_nodes, air));
            voxels_free(&voxels);
        }
}

Test(seed_shape, blocks_deep_inside_cost_no_detail)
{
    struct voxels voxels = {0};
    cr_assert(eq(int, seed_shape_voxels(SEED_CROSS, 80, &voxels, NULL), 0));
    size_t open = 0;
    for (size_t n = 0; n < voxels.block_count; n++)
        open += voxels.block[n].detail == VOXELS_OPEN_AIR;
    cr_assert(eq(sz, voxels.block_count, 5000));
    /* In plan 500 blocks; 12 walls of 10 blocks, the 8 outer corners counted twice; no floor and no ceiling.
     * Blocks at the re-entrant corners touch only an edge and stay open. */
    cr_assert(eq(sz, open, (500 - (12 * 10 - 8)) * 8));
    voxels_free(&voxels);
}

Test(seed_shape, sizes_outside_the_table_are_refused)
{
    struct voxels voxels = {0};
    cr_assert(eq(int, seed_shape_voxels(SEED_CUBE, 0, &voxels, &failure), FAILURE_INPUT));
    MUST_FAIL(seed_shape_voxels(SEED_CUBE, SEED_SHAPE_NODES_MAX + 1, &voxels, &failure), FAILURE_INPUT,
              "4097");
    cr_assert(voxels.block == NULL);
}
