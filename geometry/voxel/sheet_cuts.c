#include "geometry/voxel/sheet_cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/link_test.h"

void sheet_cuts_free(struct sheet_cuts *cuts)
{
    free(cuts->cut);
    *cuts = (struct sheet_cuts){0};
}

/* |n.e| of a triangle. */
static double facing(const struct mesh *sheets, uint32_t triangle, int axis)
{
    double normal[3];
    mesh_normal(sheets, triangle, normal);
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    return length > 0 ? fabs(normal[axis]) / length : 0;
}

static int append(struct sheet_cuts *out, size_t *room, const struct sheet_cut *cut, struct failure *failure)
{
    if (out->count == *room) {
        const size_t more = *room > 0 ? 2 * *room : 1024;
        struct sheet_cut *grown = realloc(out->cut, more * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, more * sizeof *grown, "the links that sheets cut");
        out->cut = grown;
        *room = more;
    }
    out->cut[out->count++] = *cut;
    return 0;
}

/* A link of the block: the sheets at its two ends are one, or two layers. */
static int add_link(const struct mesh *sheets, const struct block_cuts *cuts, int axis, unsigned slot,
                    struct sheet_cuts *out, size_t *room, struct failure *failure)
{
    const uint32_t low = cuts->low_triangle[axis][slot], high = cuts->high_triangle[axis][slot];
    const double at_low = facing(sheets, low, axis), at_high = facing(sheets, high, axis);
    struct sheet_cut cut = {.axis = (uint8_t)axis, .material = sheets->triangle_material[low]};
    for (int a = 0; a < 3; a++)
        cut.node[a] = (int64_t)cuts->place[a] * 8 + (slot >> 3 * a & 7);
    if (at_low >= SHEET_GRAZING)
        cut.layers = 1 / at_low, cut.sheets = 1;
    else
        cut.material = sheets->triangle_material[high];
    const bool apart = cuts->high_depth[axis][slot] != cuts->low_depth[axis][slot];
    if ((apart || cut.layers == 0) && at_high >= SHEET_GRAZING &&
        cut.material == sheets->triangle_material[high])
        cut.layers += 1 / at_high, cut.sheets++;
    return cut.layers > 0 ? append(out, room, &cut, failure) : 0;
}

int sheet_cuts_find(const struct mesh *mesh, const struct lattice *lattice, struct sheet_cuts *out,
                    struct failure *failure)
{
    const struct mesh sheets = mesh_sheets(mesh);
    struct sheet_cuts found = {0};
    struct triangle_bins bins = {0};
    size_t room = 0;
    *out = found;
    if (sheets.triangle_count == 0)
        return 0;
    struct block_cuts *cuts = malloc(sizeof *cuts);
    int code = cuts == NULL ? failure_memory(failure, sizeof *cuts, "the links that sheets cut")
                            : triangle_bins_make(&sheets, lattice, &bins, failure);
    for (size_t b = 0; code == 0 && b < bins.block_count; b++) {
        memset(cuts->cut, 0, sizeof cuts->cut);
        memset(cuts->met, 0, sizeof cuts->met);
        block_key_place(bins.key[b], cuts->place);
        for (size_t i = bins.first[b]; i < bins.first[b + 1]; i++)
            link_test_apply(bins.snapped, bins.triangle[i], cuts);
        for (int axis = 0; axis < 3; axis++)
            for (unsigned slot = 0; code == 0 && slot < 512; slot++)
                if (cuts->cut[axis][slot >> 6] >> (slot & 63) & 1)
                    code = add_link(&sheets, cuts, axis, slot, &found, &room, failure);
    }
    free(cuts);
    triangle_bins_free(&bins);
    if (code == 0)
        *out = found;
    else
        sheet_cuts_free(&found);
    return code;
}
