#include "rooms/shapes/floor_plan.h"

#include <math.h>
#include <stdlib.h>

void floor_plan_free(struct floor_plan *plan)
{
    free(plan->cell);
    free(plan->corner);
    free(plan->place);
    free(plan->face);
    *plan = (struct floor_plan){0};
}

void *plan_grow(void *array, size_t wanted, size_t *room, size_t item_bytes, struct failure *failure)
{
    if (array && wanted <= *room)
        return array;
    const size_t items = 2 * wanted + 64;
    void *grown = realloc(array, items * item_bytes);
    if (!grown) {
        failure_memory(failure, items * item_bytes, "the floor plan of a room");
        return NULL;
    }
    *room = items;
    return grown;
}

/* The array with room for `more` further items; NULL after any failure. */
static void *reserve_items(struct floor_plan *plan, void *array, size_t count, size_t *room, size_t more,
                           size_t item_bytes)
{
    if (plan->failure.code != FAILURE_NONE)
        return NULL;
    return plan_grow(array, count + more, room, item_bytes, &plan->failure);
}

static int32_t to_steps(double metres)
{
    return (int32_t)lround(metres * FLOOR_PLAN_STEPS);
}

void floor_plan_cell(struct floor_plan *plan, const struct plan_corner *corner, size_t corners,
                     const struct plan_finish *finish)
{
    void *cells = reserve_items(plan, plan->cell, plan->cell_count, &plan->cell_room, 1, sizeof *plan->cell);
    if (!cells)
        return;
    plan->cell = cells;
    void *loop = reserve_items(plan, plan->corner, plan->corner_count, &plan->corner_room, corners,
                               sizeof *plan->corner);
    if (!loop)
        return;
    plan->corner = loop;
    plan->cell[plan->cell_count++] =
        (struct plan_cell){.first = plan->corner_count, .corners = corners, .finish = *finish};
    double twice_area = 0;
    for (size_t i = 0; i < corners; ++i) {
        const struct plan_corner *a = &corner[i], *b = &corner[(i + 1) % corners];
        twice_area += a->x * b->y - b->x * a->y;
    }
    for (size_t i = 0; i < corners; ++i) {
        const struct plan_corner *c = &corner[twice_area > 0 ? i : corners - 1 - i];
        plan->corner[plan->corner_count++] =
            (struct plan_loop_corner){.place = {to_steps(c->x), to_steps(c->y)},
                                      .floor = to_steps(c->floor),
                                      .ceiling = to_steps(c->ceiling)};
    }
}

void floor_plan_rectangle(struct floor_plan *plan, double x0, double y0, double x1, double y1, double floor,
                          const double ceiling[4], const struct plan_finish *finish)
{
    if (to_steps(x0) >= to_steps(x1) || to_steps(y0) >= to_steps(y1))
        return;
    const struct plan_corner corner[4] = {{x0, y0, floor, ceiling[0]},
                                          {x1, y0, floor, ceiling[1]},
                                          {x1, y1, floor, ceiling[2]},
                                          {x0, y1, floor, ceiling[3]}};
    floor_plan_cell(plan, corner, 4, finish);
}

void floor_plan_face(struct floor_plan *plan, const double from[2], const double to[2], double bottom,
                     double top_from, double top_to, const char *material)
{
    void *faces = reserve_items(plan, plan->face, plan->face_count, &plan->face_room, 1, sizeof *plan->face);
    if (!faces)
        return;
    plan->face = faces;
    void *places =
        reserve_items(plan, plan->place, plan->place_count, &plan->place_room, 2, sizeof *plan->place);
    if (!places)
        return;
    plan->place = places;
    const struct plan_place ends[2] = {{to_steps(from[0]), to_steps(from[1])},
                                       {to_steps(to[0]), to_steps(to[1])}};
    plan->face[plan->face_count++] = (struct plan_face){.from = ends[0],
                                                        .to = ends[1],
                                                        .bottom = to_steps(bottom),
                                                        .top_from = to_steps(top_from),
                                                        .top_to = to_steps(top_to),
                                                        .material = material};
    plan->place[plan->place_count++] = ends[0];
    plan->place[plan->place_count++] = ends[1];
}
