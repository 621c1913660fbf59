#include "geometry/voxel/clearance.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "geometry/base/vector.h"

#define LEAF_TRIANGLES 4
/* Boxes are split at the middle of their longest side. Clustered triangles could make the tree deep, so from
 * this depth on ranges are halved by count: the depth stays below HALVING_DEPTH + 32. */
#define HALVING_DEPTH 64
#define STACK_ENTRIES (2 * (HALVING_DEPTH + 32))

struct build {
    const struct mesh *mesh;
    struct clearance_node *node;
    uint32_t *order;
    double (*centre)[3];
};

static void bound_triangles(const struct build *build, uint32_t first, uint32_t count,
                            struct clearance_node *node, double centre_low[3], double centre_high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        node->low[axis] = centre_low[axis] = INFINITY;
        node->high[axis] = centre_high[axis] = -INFINITY;
    }
    for (uint32_t n = first; n < first + count; ++n) {
        const uint32_t triangle = build->order[n];
        for (int axis = 0; axis < 3; ++axis) {
            for (int corner = 0; corner < 3; ++corner) {
                const double at = build->mesh->vertex[build->mesh->triangle[triangle][corner]][axis];
                node->low[axis] = smaller(node->low[axis], at);
                node->high[axis] = larger(node->high[axis], at);
            }
            centre_low[axis] = smaller(centre_low[axis], build->centre[triangle][axis]);
            centre_high[axis] = larger(centre_high[axis], build->centre[triangle][axis]);
        }
    }
}

/* Move the triangles left of the middle to the front; returns their number. */
static uint32_t partition_triangles(const struct build *build, uint32_t first, uint32_t count, int axis,
                                    double middle)
{
    uint32_t left = first, right = first + count;
    while (left < right) {
        if (build->centre[build->order[left]][axis] < middle) {
            ++left;
        } else {
            --right;
            const uint32_t swapped = build->order[left];
            build->order[left] = build->order[right];
            build->order[right] = swapped;
        }
    }
    return left - first;
}

struct range {
    uint32_t first, count, parent;
    int depth;
};

/* Depth first, so that the first child of a node follows it; returns the number of nodes. */
static uint32_t build_tree(const struct build *build, uint32_t triangles)
{
    struct range stack[STACK_ENTRIES];
    int height = 0;
    uint32_t nodes = 0;
    stack[height++] = (struct range){0, triangles, UINT32_MAX, 0};
    while (height > 0) {
        const struct range range = stack[--height];
        struct clearance_node *node = &build->node[nodes];
        if (range.parent != UINT32_MAX)
            build->node[range.parent].first = nodes;
        double centre_low[3], centre_high[3];
        bound_triangles(build, range.first, range.count, node, centre_low, centre_high);
        node->first = range.first;
        node->count = range.count;
        const uint32_t self = nodes++;
        if (range.count <= LEAF_TRIANGLES)
            continue;
        int axis = 0;
        for (int other = 1; other < 3; ++other) {
            if (centre_high[other] - centre_low[other] > centre_high[axis] - centre_low[axis])
                axis = other;
        }
        uint32_t left = range.count / 2;
        if (range.depth < HALVING_DEPTH) {
            const double middle = 0.5 * (centre_low[axis] + centre_high[axis]);
            const uint32_t found = partition_triangles(build, range.first, range.count, axis, middle);
            if (found > 0 && found < range.count)
                left = found;
        }
        node->count = 0;
        assert(height + 2 <= STACK_ENTRIES);
        stack[height++] = (struct range){range.first + left, range.count - left, self, range.depth + 1};
        stack[height++] = (struct range){range.first, left, UINT32_MAX, range.depth + 1};
    }
    return nodes;
}

int clearance_make(const struct mesh *mesh, struct clearance *out, struct failure *failure)
{
    const size_t triangles = mesh->triangle_count;
    int code = 0;
    struct clearance tree = {.mesh = mesh};
    double(*centre)[3] = NULL;
    if (triangles > UINT32_MAX / 2)
        return failure_set(failure, FAILURE_CAPACITY,
                           "the mesh has %zu triangles; at most %u can be searched", triangles,
                           UINT32_MAX / 2);
    if (triangles == 0) {
        *out = tree;
        return 0;
    }
    tree.node = malloc(2 * triangles * sizeof *tree.node);
    tree.order = malloc(triangles * sizeof *tree.order);
    centre = malloc(triangles * sizeof *centre);
    if (tree.node == NULL || tree.order == NULL || centre == NULL) {
        code =
            failure_memory(failure, triangles * (2 * sizeof *tree.node + sizeof *tree.order + sizeof *centre),
                           "a tree of the triangles");
        goto done;
    }
    for (size_t n = 0; n < triangles; ++n) {
        const uint32_t *corner = mesh->triangle[n];
        for (int axis = 0; axis < 3; ++axis)
            centre[n][axis] = (mesh->vertex[corner[0]][axis] + mesh->vertex[corner[1]][axis] +
                               mesh->vertex[corner[2]][axis]) /
                              3.0;
        tree.order[n] = (uint32_t)n;
    }
    const struct build build = {mesh, tree.node, tree.order, centre};
    tree.node_count = build_tree(&build, (uint32_t)triangles);
    *out = tree;
    tree = (struct clearance){0};
done:
    free(centre);
    clearance_free(&tree);
    return code;
}

void clearance_free(struct clearance *tree)
{
    free(tree->node);
    free(tree->order);
    *tree = (struct clearance){0};
}

static double squared_to_segment(const double point[3], const double a[3], const double b[3])
{
    double along[3], to[3];
    vector_subtract(b, a, along);
    vector_subtract(point, a, to);
    const double length = vector_dot(along, along);
    const double t = length > 0 ? smaller(1.0, larger(0.0, vector_dot(to, along) / length)) : 0.0;
    for (int axis = 0; axis < 3; ++axis)
        to[axis] -= t * along[axis];
    return vector_dot(to, to);
}

/* The foot of the perpendicular if it is inside the triangle, else the nearest point of its border. */
static double squared_to_triangle(const double point[3], const double a[3], const double b[3],
                                  const double c[3])
{
    double ab[3], ac[3], ap[3], normal[3], side[3];
    vector_subtract(b, a, ab);
    vector_subtract(c, a, ac);
    vector_subtract(point, a, ap);
    vector_cross(ab, ac, normal);
    const double area = vector_dot(normal, normal);
    if (area > 0) {
        vector_cross(ap, ac, side);
        const double v = vector_dot(side, normal);
        vector_cross(ab, ap, side);
        const double w = vector_dot(side, normal);
        if (v >= 0 && w >= 0 && v + w <= area) {
            const double height = vector_dot(ap, normal);
            return height * height / area;
        }
    }
    return smaller(squared_to_segment(point, a, b),
                   smaller(squared_to_segment(point, b, c), squared_to_segment(point, c, a)));
}

static double squared_to_box(const double point[3], const struct clearance_node *node)
{
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double past =
            larger(0.0, larger(node->low[axis] - point[axis], point[axis] - node->high[axis]));
        sum += past * past;
    }
    return sum;
}

double clearance_at(const struct clearance *tree, const double point[3], double limit)
{
    uint32_t triangle;
    return clearance_nearest(tree, point, limit, &triangle);
}

double clearance_nearest(const struct clearance *tree, const double point[3], double limit,
                         uint32_t *triangle)
{
    if (tree->node_count == 0)
        return limit;
    double best = limit * limit;
    uint32_t stack[STACK_ENTRIES];
    double distance[STACK_ENTRIES];
    int height = 0;
    stack[height] = 0;
    distance[height++] = squared_to_box(point, &tree->node[0]);
    while (height > 0) {
        const uint32_t at = stack[--height];
        if (!(distance[height] < best))
            continue;
        const struct clearance_node *node = &tree->node[at];
        if (node->count > 0) {
            for (uint32_t n = node->first; n < node->first + node->count; ++n) {
                const uint32_t *corner = tree->mesh->triangle[tree->order[n]];
                const double squared =
                    squared_to_triangle(point, tree->mesh->vertex[corner[0]], tree->mesh->vertex[corner[1]],
                                        tree->mesh->vertex[corner[2]]);
                if (squared < best) {
                    best = squared;
                    *triangle = tree->order[n];
                }
            }
            continue;
        }
        uint32_t near_child = at + 1, far_child = node->first;
        double near_distance = squared_to_box(point, &tree->node[near_child]);
        double far_distance = squared_to_box(point, &tree->node[far_child]);
        if (far_distance < near_distance) {
            const uint32_t child = near_child;
            near_child = far_child;
            far_child = child;
            const double swapped = near_distance;
            near_distance = far_distance;
            far_distance = swapped;
        }
        assert(height + 2 <= STACK_ENTRIES);
        stack[height] = far_child;
        distance[height++] = far_distance;
        stack[height] = near_child;
        distance[height++] = near_distance;
    }
    return sqrt(best);
}

static int boxes_meet(const struct clearance_node *node, const double low[3], const double high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        if (node->low[axis] > high[axis] || node->high[axis] < low[axis])
            return 0;
    }
    return 1;
}

static int triangle_meets(const struct mesh *mesh, uint32_t triangle, const double low[3],
                          const double high[3])
{
    const uint32_t *corner = mesh->triangle[triangle];
    for (int axis = 0; axis < 3; ++axis) {
        const double a = mesh->vertex[corner[0]][axis], b = mesh->vertex[corner[1]][axis],
                     c = mesh->vertex[corner[2]][axis];
        if (smaller(a, smaller(b, c)) > high[axis] || larger(a, larger(b, c)) < low[axis])
            return 0;
    }
    return 1;
}

void clearance_visit(const struct clearance *tree, const double low[3], const double high[3],
                     void (*visit)(uint32_t triangle, void *context), void *context)
{
    if (tree->node_count == 0)
        return;
    uint32_t stack[STACK_ENTRIES];
    int height = 0;
    stack[height++] = 0;
    while (height > 0) {
        const uint32_t at = stack[--height];
        const struct clearance_node *node = &tree->node[at];
        if (!boxes_meet(node, low, high))
            continue;
        if (node->count > 0) {
            for (uint32_t n = node->first; n < node->first + node->count; ++n) {
                if (triangle_meets(tree->mesh, tree->order[n], low, high))
                    visit(tree->order[n], context);
            }
            continue;
        }
        assert(height + 2 <= STACK_ENTRIES);
        stack[height++] = node->first;
        stack[height++] = at + 1;
    }
}
