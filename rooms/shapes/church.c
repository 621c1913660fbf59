/* The church as a whole: its parts drawn into one floor plan, and the positions. */
#include "rooms/shapes/church.h"
#include "rooms/shapes/room_builders.h"

#define MOUTH 1.5 /* height of sources above the floor [m] */
#define EAR   1.2 /* of receivers */

/* All are a metre or more from every surface, for all settings within the limits of the options. */
static int place_markers(const struct church *c, struct mesh *mesh, struct failure *failure)
{
    const struct {
        bool wanted;
        enum marker_kind kind;
        const char *name;
        double x, y, z;
    } spot[] = {
        {true, MARKER_SOURCE, "pulpit", c->x1 - 1.6, -(c->w - 1.3), MOUTH},
        {true, MARKER_SOURCE, "altar", c->altar_x0 - 1.15, 0.2, MOUTH},
        {true, MARKER_SOURCE, "choir", c->x2 + 1.1, 0.8, MOUTH},
        {true, MARKER_RECEIVER, "nave_front", c->x1 - 1.5, 0.35 * c->w, EAR},
        {true, MARKER_RECEIVER, "nave_middle", c->x1 / 2, -0.25 * c->w, EAR},
        {true, MARKER_RECEIVER, "nave_back", 1.6, 0.2 * c->w, EAR},
        {c->aisles, MARKER_RECEIVER, "aisle", 0.4 * c->x1, (c->ya + c->yb) / 2, EAR},
        {c->transept, MARKER_RECEIVER, "transept", c->x1 + 0.55 * (c->x2 - c->x1), -(c->w + c->yt) / 2, EAR},
    };
    for (size_t i = 0; i < sizeof spot / sizeof *spot; ++i)
        if (spot[i].wanted)
            TRY(mesh_add_marker(mesh, spot[i].kind, spot[i].name,
                                (const double[3]){spot[i].x, spot[i].y, spot[i].z}, failure));
    return 0;
}

int build_church(const double *value, struct mesh *out, struct failure *failure)
{
    struct church church;
    struct floor_plan plan = {0};
    struct mesh mesh = {0};
    int code = church_measure(value, &church, failure);
    if (code != 0)
        goto done;
    church_draw_nave(&church, &plan);
    church_draw_crossing(&church, &plan);
    church_draw_apse(&church, &plan);
    church_draw_aisles(&church, &plan);
    church_draw_openings(&church, &plan);
    code = floor_plan_raise(&plan, &mesh, failure);
    if (code == 0)
        code = place_markers(&church, &mesh, failure);
    if (code == 0) {
        *out = mesh;
        mesh = (struct mesh){0};
    }
done:
    mesh_free(&mesh);
    floor_plan_free(&plan);
    return code;
}
