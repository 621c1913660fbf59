/* From a floor plan to triangles, in three steps: let neighbours agree about the corners of their edges
 * (plan_edges.h); find every height at which something happens above a place (one mesh vertex each); emit
 * floors, ceilings and panels between those vertices. A vertical line above a place is cut at the same
 * heights for every panel that touches it, which is what makes the mesh watertight. */
#include <math.h>
#include <stdlib.h>

#include "rooms/shapes/plan_edges.h"

struct level {
    uint32_t place;
    int32_t height;
};

struct face_start {
    int32_t west;
    uint32_t index; /* into the plan's faces */
};

struct raising {
    const struct floor_plan *plan;
    struct mesh *mesh;
    struct failure *failure;
    struct plan_edges edges;
    struct face_start *face; /* by west end */
    int32_t widest_face;     /* from west to east */
    bool collecting;         /* panels record their heights instead of being emitted */
    size_t level_count, level_room;
    struct level *level; /* by (place, height); index = mesh vertex - first_vertex */
    uint32_t first_vertex;
};

static int compare_levels(const void *left, const void *right)
{
    const struct level *a = left, *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->height > b->height) - (a->height < b->height);
}

static int record_level(struct raising *r, uint32_t place, int32_t height)
{
    void *grown = plan_grow(r->level, r->level_count + 1, &r->level_room, sizeof *r->level, r->failure);
    if (!grown)
        return FAILURE_CAPACITY;
    r->level = grown;
    r->level[r->level_count++] = (struct level){place, height};
    return 0;
}

static uint32_t level_index(const struct raising *r, uint32_t place, int32_t height)
{
    const struct level wanted = {place, height};
    const struct level *found = bsearch(&wanted, r->level, r->level_count, sizeof wanted, compare_levels);
    return (uint32_t)(found - r->level);
}

static int add_triangle(struct raising *r, uint32_t a, uint32_t b, uint32_t c, uint16_t material)
{
    const uint32_t vertex[3] = {r->first_vertex + a, r->first_vertex + b, r->first_vertex + c};
    return mesh_add_triangle(r->mesh, vertex, material, r->failure);
}

/* The part of a wall above the plan segment p -> q, whose front is on its left, between a lower and an upper
 * edge. The heights recorded above p and q in between become vertices of it. */
static int add_band(struct raising *r, uint32_t p, int32_t p_low, int32_t p_high, uint32_t q, int32_t q_low,
                    int32_t q_high, const char *material)
{
    if (p_low == p_high && q_low == q_high)
        return 0;
    if (r->collecting) {
        TRY(record_level(r, p, p_low));
        TRY(record_level(r, p, p_high));
        TRY(record_level(r, q, q_low));
        return record_level(r, q, q_high);
    }
    uint16_t index;
    TRY(mesh_add_material(r->mesh, material, &index, r->failure));
    uint32_t i = level_index(r, p, p_low), j = level_index(r, q, q_low);
    const uint32_t i_end = level_index(r, p, p_high), j_end = level_index(r, q, q_high);
    const int64_t i_span = (int64_t)i_end - i, j_span = (int64_t)j_end - j;
    const int step_i = i_span < 0 ? -1 : 1, step_j = j_span < 0 ? -1 : 1;
    int64_t i_left = llabs(i_span), j_left = llabs(j_span);
    while (i_left + j_left > 0) {
        /* Advance the side that is behind; a finished side has no edges left. */
        if (i_left * llabs(j_span) >= j_left * llabs(i_span) && i_left > 0) {
            const uint32_t next = (uint32_t)((int64_t)i + step_i);
            TRY(add_triangle(r, i, next, j, index));
            i = next;
            --i_left;
        } else {
            const uint32_t next = (uint32_t)((int64_t)j + step_j);
            TRY(add_triangle(r, i, next, j, index));
            j = next;
            --j_left;
        }
    }
    return 0;
}

static int32_t clamp_height(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

#define FACE_TOLERANCE 2 /* steps, for faces along walls that run askew */

static int compare_starts(const void *left, const void *right)
{
    const struct face_start *a = left, *b = right;
    if (a->west != b->west)
        return a->west < b->west ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int sort_faces(struct raising *r)
{
    const size_t count = r->plan->face_count;
    r->face = malloc((count + 1) * sizeof *r->face);
    if (!r->face)
        return failure_memory(r->failure, count * sizeof *r->face, "the windows of a room");
    for (size_t f = 0; f < count; ++f) {
        const struct plan_face *face = &r->plan->face[f];
        const int32_t from = face->from.x, to = face->to.x;
        r->face[f] = (struct face_start){.west = from < to ? from : to, .index = (uint32_t)f};
        if (abs(from - to) > r->widest_face)
            r->widest_face = abs(from - to);
    }
    qsort(r->face, count, sizeof *r->face, compare_starts);
    return 0;
}

/* The place along `face` (0 at from, 1 at to). False if it is not on the face. */
static bool on_face(const struct plan_face *face, struct plan_place place, double *at)
{
    const double x = place.x - face->from.x, y = place.y - face->from.y;
    const double run[2] = {face->to.x - face->from.x, face->to.y - face->from.y};
    const double length = sqrt(run[0] * run[0] + run[1] * run[1]);
    *at = (x * run[0] + y * run[1]) / (length * length);
    return fabs(x * run[1] - y * run[0]) <= FACE_TOLERANCE * length && *at * length >= -FACE_TOLERANCE &&
           (1 - *at) * length >= -FACE_TOLERANCE;
}

/* The part of a face above one edge. */
struct dressing {
    int32_t bottom, p_top, q_top;
    const char *material;
};
#define DRESSINGS_MAX 8

/* Faces above the edge p - q, lowest first; the count. */
static int find_dressings(const struct raising *r, uint32_t p, uint32_t q, struct dressing *found)
{
    const struct plan_place a = r->edges.place[p], b = r->edges.place[q];
    const int32_t west = a.x < b.x ? a.x : b.x;
    size_t f = 0, last = r->plan->face_count;
    while (f < last) {
        const size_t middle = (f + last) / 2;
        if (r->face[middle].west < west - r->widest_face - FACE_TOLERANCE)
            f = middle + 1;
        else
            last = middle;
    }
    int count = 0;
    for (; f < r->plan->face_count && r->face[f].west <= west + FACE_TOLERANCE && count < DRESSINGS_MAX;
         ++f) {
        const struct plan_face *face = &r->plan->face[r->face[f].index];
        double at_p, at_q;
        if (!on_face(face, a, &at_p) || !on_face(face, b, &at_q))
            continue;
        const double rise = (double)face->top_to - face->top_from;
        int at = count++;
        for (; at > 0 && found[at - 1].bottom > face->bottom; --at)
            found[at] = found[at - 1];
        found[at] = (struct dressing){.bottom = face->bottom,
                                      .p_top = face->top_from + (int32_t)lround(rise * at_p),
                                      .q_top = face->top_from + (int32_t)lround(rise * at_q),
                                      .material = face->material};
    }
    return count;
}

/* A wall panel as seen from its cell, with the faces on it. */
static int dressed_panel(struct raising *r, uint32_t p, int32_t p_low, int32_t p_high, uint32_t q,
                         int32_t q_low, int32_t q_high, const char *material)
{
    struct dressing dressing[DRESSINGS_MAX];
    const bool upright = p_low <= p_high && q_low <= q_high;
    const int count = upright ? find_dressings(r, p, q, dressing) : 0;
    int32_t p_done = p_low, q_done = q_low;
    for (int i = 0; i < count; ++i) {
        const int32_t p_top = clamp_height(dressing[i].p_top, p_done, p_high);
        const int32_t q_top = clamp_height(dressing[i].q_top, q_done, q_high);
        const int32_t p_bottom = clamp_height(dressing[i].bottom, p_done, p_top);
        const int32_t q_bottom = clamp_height(dressing[i].bottom, q_done, q_top);
        if (p_bottom == p_top && q_bottom == q_top)
            continue;
        TRY(add_band(r, p, p_done, p_bottom, q, q_done, q_bottom, material));
        TRY(add_band(r, p, p_bottom, p_top, q, q_bottom, q_top, dressing[i].material));
        p_done = p_top;
        q_done = q_top;
    }
    return add_band(r, p, p_done, p_high, q, q_done, q_high, material);
}

/* The surfaces above one edge of a cell, seen from the cell: none, steps, or a whole wall. */
static int edge_panels(struct raising *r, const struct edge *edge, const struct edge *other)
{
    const struct corner *p = &r->edges.corner[edge->from], *q = &r->edges.corner[edge->to];
    const struct plan_finish *finish = &r->plan->cell[edge->cell].finish;
    if (!other)
        return dressed_panel(r, p->place, p->floor, p->ceiling, q->place, q->floor, q->ceiling, finish->wall);
    /* The neighbour runs the other way round. */
    const struct corner *np = &r->edges.corner[other->to], *nq = &r->edges.corner[other->from];
    const struct plan_finish *beyond = &r->plan->cell[other->cell].finish;
    const bool differ = p->ceiling != np->ceiling || q->ceiling != nq->ceiling;
    const int64_t above = p->ceiling + (int64_t)q->ceiling - np->ceiling - nq->ceiling;
    if (p->floor + (int64_t)q->floor < np->floor + (int64_t)nq->floor)
        TRY(add_band(r, p->place, p->floor, np->floor, q->place, q->floor, nq->floor, beyond->riser));
    if (above > 0 || (above == 0 && differ && edge < other))
        TRY(dressed_panel(r, p->place, np->ceiling, p->ceiling, q->place, nq->ceiling, q->ceiling,
                          finish->wall));
    return 0;
}

static int all_panels(struct raising *r)
{
    for (size_t e = 0; e < r->edges.edge_count; ++e) {
        const struct edge *edge = &r->edges.edge[e];
        if (e + 1 < r->edges.edge_count && plan_edges_same(edge, edge + 1)) {
            TRY(edge_panels(r, edge, edge + 1));
            TRY(edge_panels(r, edge + 1, edge));
            ++e;
        } else {
            TRY(edge_panels(r, edge, NULL));
        }
    }
    return 0;
}

/* Twice the plan area of the triangle on three corners, in steps squared. */
static int64_t twice_area(const struct raising *r, const struct corner *a, const struct corner *b,
                          const struct corner *c)
{
    const struct plan_place p = r->edges.place[a->place], q = r->edges.place[b->place],
                            s = r->edges.place[c->place];
    return (q.x - (int64_t)p.x) * (s.y - (int64_t)p.y) - (q.y - (int64_t)p.y) * (s.x - (int64_t)p.x);
}

static uint32_t corner_vertex(const struct raising *r, const struct corner *corner, bool ceiling)
{
    return level_index(r, corner->place, ceiling ? corner->ceiling : corner->floor);
}

/* A triangle of floor looks up, one of ceiling down. */
static int lid_triangle(struct raising *r, uint32_t a, uint32_t b, uint32_t c, uint16_t material,
                        bool ceiling)
{
    return ceiling ? add_triangle(r, a, c, b, material) : add_triangle(r, a, b, c, material);
}

static int add_lid(struct raising *r, size_t cell, bool ceiling)
{
    const struct corner *corner = &r->edges.corner[r->edges.first[cell]];
    const size_t count = r->edges.first[cell + 1] - r->edges.first[cell];
    const struct plan_finish *finish = &r->plan->cell[cell].finish;
    uint16_t material;
    TRY(mesh_add_material(r->mesh, ceiling ? finish->ceiling : finish->floor, &material, r->failure));
    if (count <= 4) {
        /* Start where no three corners in a row leave a triangle flat. */
        const size_t s = count == 4 && (twice_area(r, &corner[0], &corner[1], &corner[2]) == 0 ||
                                        twice_area(r, &corner[2], &corner[3], &corner[0]) == 0)
                             ? 1
                             : 0;
        for (size_t i = 1; i + 1 < count; ++i)
            TRY(lid_triangle(r, corner_vertex(r, &corner[s], ceiling),
                             corner_vertex(r, &corner[(s + i) % count], ceiling),
                             corner_vertex(r, &corner[(s + i + 1) % count], ceiling), material, ceiling));
        return 0;
    }
    double centre[3] = {0};
    for (size_t i = 0; i < count; ++i) {
        centre[0] += r->edges.place[corner[i].place].x;
        centre[1] += r->edges.place[corner[i].place].y;
        centre[2] += ceiling ? corner[i].ceiling : corner[i].floor;
    }
    for (int axis = 0; axis < 3; ++axis)
        centre[axis] /= (double)count * FLOOR_PLAN_STEPS;
    uint32_t middle;
    TRY(mesh_add_vertex(r->mesh, centre, &middle, r->failure));
    for (size_t i = 0; i < count; ++i)
        TRY(lid_triangle(r, middle - r->first_vertex, corner_vertex(r, &corner[i], ceiling),
                         corner_vertex(r, &corner[(i + 1) % count], ceiling), material, ceiling));
    return 0;
}

static int make_vertices(struct raising *r)
{
    r->collecting = true;
    TRY(all_panels(r));
    for (size_t i = 0; i < r->edges.corner_count; ++i) {
        TRY(record_level(r, r->edges.corner[i].place, r->edges.corner[i].floor));
        TRY(record_level(r, r->edges.corner[i].place, r->edges.corner[i].ceiling));
    }
    r->collecting = false;
    qsort(r->level, r->level_count, sizeof *r->level, compare_levels);
    size_t kept = 0;
    for (size_t i = 0; i < r->level_count; ++i)
        if (i == 0 || compare_levels(&r->level[i], &r->level[i - 1]) != 0)
            r->level[kept++] = r->level[i];
    r->level_count = kept;
    r->first_vertex = (uint32_t)r->mesh->vertex_count;
    for (size_t i = 0; i < r->level_count; ++i) {
        const struct plan_place place = r->edges.place[r->level[i].place];
        const double position[3] = {(double)place.x / FLOOR_PLAN_STEPS, (double)place.y / FLOOR_PLAN_STEPS,
                                    (double)r->level[i].height / FLOOR_PLAN_STEPS};
        TRY(mesh_add_vertex(r->mesh, position, NULL, r->failure));
    }
    return 0;
}

static int raise_all(struct raising *r)
{
    TRY(plan_edges_make(r->plan, &r->edges, r->failure));
    TRY(sort_faces(r));
    TRY(make_vertices(r));
    TRY(all_panels(r));
    for (size_t c = 0; c < r->plan->cell_count; ++c) {
        TRY(add_lid(r, c, false));
        TRY(add_lid(r, c, true));
    }
    return 0;
}

int floor_plan_raise(const struct floor_plan *plan, struct mesh *mesh, struct failure *failure)
{
    if (plan->failure.code != FAILURE_NONE) {
        if (failure)
            *failure = plan->failure;
        return plan->failure.code;
    }
    struct raising r = {.plan = plan, .mesh = mesh, .failure = failure};
    const int code = raise_all(&r);
    plan_edges_free(&r.edges);
    free(r.face);
    free(r.level);
    return code;
}
