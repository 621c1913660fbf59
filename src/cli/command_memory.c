#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "blocks/block_grid.h"
#include "blocks/plaquettes.h"
#include "kernels/scheme/time_step.h"
#include "rooms/shapes/seed_shape.h"
#include "src/base/interrupt.h"
#include "src/cli/commands.h"

#define MEBIBYTE        1048576.0
#define SEED_NODE_BYTES 17.0 /* two doubles and a char, the seed's bounding box */

const char *const memory_shapes[] = {
    [SEED_CUBE] = "cube", [SEED_SPHERE] = "sphere", [SEED_CROSS] = "cross", NULL};
#define SHAPES (sizeof memory_shapes / sizeof memory_shapes[0] - 1)

/* Index of the shape whose name is `text[0..length)`. */
static int find_shape(const char *text, size_t length, size_t *index, struct failure *failure)
{
    for (size_t i = 0; i < SHAPES; i++)
        if (strlen(memory_shapes[i]) == length && memcmp(memory_shapes[i], text, length) == 0) {
            *index = i;
            return 0;
        }
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)(length < 39 ? length : 39), text);
    const char *nearest = options_nearest(name, memory_shapes, SHAPES);
    return failure_set(
        failure, FAILURE_INPUT,
        "there is no shape %s%s%s; the shapes are cube, sphere and cross, several joined by commas",
        name[0] != '\0' ? name : "''", nearest != NULL ? "; did you mean " : "",
        nearest != NULL ? nearest : "");
}

static int print_row(size_t shape, enum scheme scheme, int64_t nodes, struct failure *failure)
{
    struct voxels voxels = {0};
    struct block_grid grid = {0};
    int code = seed_shape_voxels((enum seed_shape)shape, nodes, &voxels, failure);
    if (code == 0)
        code = scheme == SCHEME_ISOTROPIC ? block_grid_pack(&voxels, &grid, failure)
                                          : block_grid_measure(&voxels, &grid, failure);
    if (code == 0 && scheme == SCHEME_ISOTROPIC)
        code = block_grid_widen(&grid, failure);
    if (code == 0) {
        const struct block_bytes single = block_grid_bytes(&grid, 4), twice = block_grid_bytes(&grid, 8);
        const double box = SEED_NODE_BYTES * (double)seed_shape_box_nodes((enum seed_shape)shape, nodes);
        const double ideal = SEED_NODE_BYTES * (double)grid.air_nodes;
        printf("%s,%" PRId64 ",%" PRIu32 ",%.6f,%.6f,%.6f,%.6f,%.6f,%.1f\n", memory_shapes[shape], nodes,
               grid.blocks, (double)single.seed_blocks / MEBIBYTE, box / MEBIBYTE,
               (double)single.blocks / MEBIBYTE, (double)twice.blocks / MEBIBYTE, ideal / MEBIBYTE,
               (box - ideal) / ((double)single.seed_blocks - ideal));
        fflush(stdout);
    }
    block_grid_free(&grid);
    voxels_free(&voxels);
    return code;
}

int command_memory(const struct options *options, struct failure *failure)
{
    if (options->nodes.count == 0)
        return failure_set(failure, FAILURE_INPUT, "memory needs --nodes N[,N..], points along an edge");
    /* Every name is checked before the first line is printed. */
    for (int printing = 0; printing < 2; printing++) {
        if (printing)
            puts("shape,nodes,blocks,seed_blocks_MiB,box_MiB,blocks_fp32_MiB,blocks_fp64_MiB,ideal_MiB,"
                 "excess_ratio");
        for (const char *p = options->subject; p != NULL;) {
            const size_t length = strcspn(p, ",");
            size_t shape = 0;
            TRY(find_shape(p, length, &shape, failure));
            for (size_t i = 0; printing && i < options->nodes.count; i++) {
                if (interrupt_seen)
                    return FAILURE_INTERRUPTED;
                TRY(print_row(shape, options->request.grid.scheme, options->nodes.value[i], failure));
            }
            p = p[length] == ',' ? p + length + 1 : NULL;
        }
    }
    return 0;
}
