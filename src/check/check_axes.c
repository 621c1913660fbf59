/** Finds whether the room lies on its side: the model's y axis points up and was read as if z did, or the
 * reverse. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "rooms/text/table_text.h"
#include "src/check/check_model.h"

/* Surfaces that should be level lie on their side if the area that faces another axis is this many times
 * the area that faces z. A ceiling reaches this factor if it is steeper than 60 degrees. */
#define LYING_RATIO 2.0
/* Level surfaces below this share of the model's area prove nothing. */
#define LEVEL_SHARE 0.01
/* Without any such name, a room that is this many times higher than wide may lie on its side. */
#define LYING_SLENDER 2.0

/* True if `name` holds a word for a surface that is level in every room. */
static bool names_level_surface(const char *name)
{
    static const char *const words[] = {"floor", "ceiling",   "carpet",   "parquet", "ground",
                                        "boden", "decke",     "plancher", "plafond", "suelo",
                                        "techo", "pavimento", "soffitto"};
    char lower[200];
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(lower, words[i]) != NULL)
            return true;
    return false;
}

/* Add the area by the axis that it faces [m2]: of the whole model, and of the surfaces that should be
 * level. Append the names of the latter, quoted, to `names`. */
static void face_areas(const struct mesh *mesh, double all[3], double level[3], char *names, size_t size)
{
    bool is_level[MESH_MATERIALS_MAX + 1];
    size_t named = 0;
    for (size_t m = 0; m < mesh->material_count; m++) {
        char name[CHECK_NAME_MAX];
        is_level[m] = names_level_surface(mesh->material[m]);
        if (is_level[m] && named++ < 3)
            text_append(names, size, "%s\"%s\"", named > 1 ? ", " : "", check_name(mesh->material[m], name));
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double side[2][3], normal[3];
        const uint32_t *corner = mesh->triangle[t];
        for (int i = 0; i < 2; i++)
            vector_subtract(mesh->vertex[corner[i + 1]], mesh->vertex[corner[0]], side[i]);
        vector_cross(side[0], side[1], normal);
        for (int axis = 0; axis < 3; axis++) {
            all[axis] += fabs(normal[axis]) / 2;
            if (is_level[mesh->triangle_material[t]])
                level[axis] += fabs(normal[axis]) / 2;
        }
    }
}

static bool in_box(const double position[3], const double low[3], const double high[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (!(position[axis] >= low[axis] && position[axis] <= high[axis]))
            return false;
    return true;
}

/* Count the positions of the options that are outside as the model was read, and that would all be inside
 * if the other axis of its file pointed up. */
static size_t points_that_turning_mends(const struct room_setup *setup)
{
    const double *low = setup->model.low, *high = setup->model.high;
    size_t outside = 0;
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        const double *at = setup->points.point[i].position;
        const bool was_y = setup->model.facts.up == UP_Y;
        /* The turned position is in the box. */
        const double turned[3] = {at[0], was_y ? -at[2] : at[2], was_y ? at[1] : -at[1]};
        if (setup->points.point[i].of_model)
            continue;
        if (!in_box(turned, low, high))
            return 0;
        outside += !in_box(at, low, high);
    }
    return outside;
}

void check_axes(const struct room_setup *setup, struct check_report *report)
{
    static const char axis_name[] = "xyz";
    const double *size = setup->model.facts.size;
    const bool up_y = setup->model.facts.up == UP_Y;
    double all[3] = {0}, level[3] = {0};
    char names[3 * CHECK_NAME_MAX + 20] = "";
    face_areas(&setup->model.mesh, all, level, names, sizeof names);
    const int side = level[0] > level[1] ? 0 : 1;
    const bool named = level[0] + level[1] + level[2] > LEVEL_SHARE * (all[0] + all[1] + all[2]);
    const bool upright = named && level[side] > LYING_RATIO * level[2];
    const size_t mended = points_that_turning_mends(setup);
    /* If positions are outside for this reason, a run would stop. */
    const enum check_severity severity = mended > 0 ? CHECK_UNFIT : CHECK_DOUBTFUL;
    struct check_finding *finding;
    if (upright)
        finding = check_report_add(report, severity, CHECK_AXES,
                                   "the room seems to lie on its side: the surfaces called %s face %c "
                                   "(%.3g m2), not up or down (%.3g m2)",
                                   names, axis_name[side], level[side], level[2]);
    else if (mended > 0)
        finding = check_report_add(
            report, severity, CHECK_AXES,
            "the room seems to lie on its side: %zu of the given positions are outside of it "
            "as it was read, %c up, and all would be inside with %c up",
            mended, up_y ? 'y' : 'z', up_y ? 'z' : 'y');
    else if (!named && size[1] <= size[0] && size[2] >= LYING_SLENDER * size[1] &&
             all[1] > LYING_RATIO * all[2])
        finding = check_report_add(report, severity, CHECK_AXES,
                                   "the room may lie on its side: it is %.3g m high and only %.3g m "
                                   "wide along y",
                                   size[2], size[1]);
    else
        return;
    if (upright && side == 0) {
        failure_fix(0, &finding->what, "turn the model so that z points up, and export it again");
        return;
    }
    failure_advise(0, &finding->what, up_y ? ADVICE_UP_Z : ADVICE_UP_Y, 0);
    (void)snprintf(finding->what.note, sizeof finding->what.note, "the room is then %.3g m high", size[1]);
}
