#include "geometry/voxel/sheet_cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/link_test.h"

void sheet_cuts_free(struct sheet_cuts *cuts)
{
    free(cuts->cut);
    free(cuts->edge);
    *cuts = (struct sheet_cuts){0};
}

/* |n.e| of a triangle */
static double facing_share(const struct mesh *sheets, uint32_t triangle, int axis)
{
    double normal[3];
    mesh_normal(sheets, triangle, normal);
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    return length > 0 ? fabs(normal[axis]) / length : 0;
}

/* A growing list of cuts. */
struct list {
    struct sheet_cut *cut;
    size_t count, room;
};

static int append_cut(struct list *out, const struct sheet_cut *cut, struct failure *failure)
{
    if (out->count == out->room) {
        const size_t more = out->room > 0 ? 2 * out->room : 1024;
        struct sheet_cut *grown = realloc(out->cut, more * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, more * sizeof *grown, "the links that sheets cut");
        out->cut = grown;
        out->room = more;
    }
    out->cut[out->count++] = *cut;
    return 0;
}

/* Add a link of the block. The sheets at its ends are one sheet, or two layers. */
static int add_link(const struct mesh *sheets, const struct block_cuts *cuts, int axis, unsigned slot,
                    struct list *out, struct failure *failure)
{
    const uint32_t low = cuts->low_triangle[axis][slot], high = cuts->high_triangle[axis][slot];
    const double at_low = facing_share(sheets, low, axis), at_high = facing_share(sheets, high, axis);
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
    return cut.layers > 0 ? append_cut(out, &cut, failure) : 0;
}

/* Along all axes but `aside`; -1: along all. */
static int find_cuts(const struct mesh *sheets, const struct lattice *lattice, int aside,
                     struct block_cuts *cuts, struct list *out, struct failure *failure)
{
    struct triangle_bins bins = {0};
    int code = triangle_bins_make(sheets, lattice, &bins, failure);
    for (size_t b = 0; code == 0 && b < bins.block_count; b++) {
        memset(cuts->cut, 0, sizeof cuts->cut);
        memset(cuts->met, 0, sizeof cuts->met);
        block_key_place(bins.key[b], cuts->place);
        for (size_t i = bins.first[b]; i < bins.first[b + 1]; i++)
            link_test_apply(bins.snapped, bins.triangle[i], cuts);
        for (int axis = 0; axis < 3; axis++)
            for (unsigned slot = 0; axis != aside && code == 0 && slot < 512; slot++)
                if (cuts->cut[axis][slot >> 6] >> (slot & 63) & 1)
                    code = add_link(sheets, cuts, axis, slot, out, failure);
    }
    triangle_bins_free(&bins);
    return code;
}

/* Move the sheets so that the lines beside the links take their place. */
static int find_beside(struct mesh sheets, const struct lattice *lattice, struct block_cuts *cuts,
                       struct list *out, struct failure *failure)
{
    double(*const given)[3] = sheets.vertex;
    sheets.vertex = malloc((sheets.vertex_count + 1) * sizeof *sheets.vertex);
    int code = sheets.vertex == NULL
                   ? failure_memory(failure, sheets.vertex_count * sizeof *sheets.vertex, "sheets")
                   : 0;
    for (unsigned toward = 0; code == 0 && toward < 6; toward++) {
        const double aside = SHEET_ASIDE * lattice->spacing;
        memcpy(sheets.vertex, given, sheets.vertex_count * sizeof *sheets.vertex);
        for (size_t n = 0; n < sheets.vertex_count; n++)
            sheets.vertex[n][toward / 2] += toward % 2 == 0 ? aside : -aside;
        code = find_cuts(&sheets, lattice, (int)toward / 2, cuts, out, failure);
    }
    free(sheets.vertex);
    return code;
}

int sheet_cuts_find(const struct mesh *mesh, const struct lattice *lattice, struct sheet_cuts *out,
                    struct failure *failure)
{
    const struct mesh sheets = mesh_sheets(mesh);
    struct list found = {0}, beside = {0};
    *out = (struct sheet_cuts){0};
    if (sheets.triangle_count == 0)
        return 0;
    struct block_cuts *cuts = malloc(sizeof *cuts);
    int code = cuts == NULL ? failure_memory(failure, sizeof *cuts, "the links that sheets cut")
                            : find_cuts(&sheets, lattice, -1, cuts, &found, failure);
    if (code == 0)
        code = find_beside(sheets, lattice, cuts, &beside, failure);
    free(cuts);
    *out = (struct sheet_cuts){found.count, found.cut, beside.count, beside.cut};
    if (code != 0)
        sheet_cuts_free(out);
    return code;
}
