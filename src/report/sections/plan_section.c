#include "src/report/sections/plan_section.h"

#include <stdbool.h>
#include <stdlib.h>

/* Corners at the height count as above it, so that an edge in the plane is cut by one of its sides at most.
 */
static bool cut(const struct mesh *mesh, size_t triangle, double height, struct plan_line *out)
{
    const double *corner[3];
    int ends = 0;
    for (int c = 0; c < 3; c++)
        corner[c] = mesh->vertex[mesh->triangle[triangle][c]];
    for (int c = 0; c < 3; c++) {
        const double *a = corner[c], *b = corner[(c + 1) % 3];
        if ((a[2] < height) == (b[2] < height))
            continue;
        const double part = (height - a[2]) / (b[2] - a[2]);
        for (int axis = 0; axis < 2; axis++)
            out->end[ends][axis] = a[axis] + part * (b[axis] - a[axis]);
        ends++;
    }
    out->triangle = triangle;
    return ends == 2;
}

int plan_section(const struct mesh *mesh, double height, struct plan_line **line, size_t *count,
                 struct failure *failure)
{
    struct plan_line one, *found = NULL;
    size_t used = 0, room = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (!cut(mesh, t, height, &one))
            continue;
        if (used == room) {
            room = room == 0 ? 256 : 2 * room;
            struct plan_line *grown = realloc(found, room * sizeof *grown);
            if (grown == NULL) {
                free(found);
                return failure_memory(failure, room * sizeof *grown, "a plan");
            }
            found = grown;
        }
        found[used++] = one;
    }
    *line = found;
    *count = used;
    return 0;
}
