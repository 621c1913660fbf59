#include "geometry/leak/seal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/seal_fans.h"
#include "geometry/mesh/edges.h"
#include "geometry/voxel/clearance.h"

/* An edge is sharp where its two triangles turn by more than 20 degrees: cos(180 - 20). */
#define FLAT_COSINE (-0.93969262)
/* A wall within 45 degrees of the direction into one of the edge's own triangles is that surface itself. */
#define BEHIND_COSINE 0.70710678
#define SAMPLES_MAX   (UINT64_C(1) << 25)

/* A place on an edge where the crack beside it is measured. */
struct sample {
    double place[3];
    double across[3]; /* to the nearest other wall in the cross-section, and the margin; zero: none */
    uint32_t edge;    /* index into the ones to be sealed */
};

struct section {
    const struct mesh *mesh;
    const double *place;
    double along[3];              /* unit vector of the edge */
    double inward[EDGE_WINGS][3]; /* unit vectors into its triangles, across the edge */
    uint32_t wing[EDGE_WINGS];
    int wings;
    double best; /* distance of the nearest acceptable point so far */
    double nearest[3];
};

/* Fill direction of the edge and of its triangles; false for an edge that needs no seal. */
static bool section_of(const struct mesh *mesh, const struct edge *edge, struct section *section)
{
    const double *a = mesh->vertex[edge->vertex[0]], *b = mesh->vertex[edge->vertex[1]];
    vector_subtract(b, a, section->along);
    const double length = vector_length(section->along);
    if (!(length > 0))
        return false;
    for (int axis = 0; axis < 3; ++axis)
        section->along[axis] /= length;
    section->mesh = mesh;
    section->wings = 0;
    for (int n = 0; n < edge->wings; ++n) {
        const uint32_t *corner = mesh->triangle[edge->wing[n]];
        double centre[3], inward[3];
        for (int axis = 0; axis < 3; ++axis)
            centre[axis] = (mesh->vertex[corner[0]][axis] + mesh->vertex[corner[1]][axis] +
                            mesh->vertex[corner[2]][axis]) /
                           3.0;
        vector_subtract(centre, a, inward);
        vector_along(inward, -vector_dot(inward, section->along), section->along, inward);
        const double depth = vector_length(inward);
        if (!(depth > 1e-9 * length))
            continue;
        for (int axis = 0; axis < 3; ++axis)
            section->inward[section->wings][axis] = inward[axis] / depth;
        section->wing[section->wings++] = edge->wing[n];
    }
    return section->wings == 1 || section->wings > 2 ||
           (section->wings == 2 && vector_dot(section->inward[0], section->inward[1]) > FLAT_COSINE);
}

static void consider_offset(struct section *section, const double offset[3])
{
    const double distance = vector_length(offset);
    if (!(distance < section->best))
        return;
    for (int n = 0; n < section->wings; ++n) {
        if (vector_dot(offset, section->inward[n]) > (BEHIND_COSINE + 1e-6) * distance)
            return;
    }
    section->best = distance;
    memcpy(section->nearest, offset, sizeof section->nearest);
}

/* Intersect the segment first + t along, 0 <= t <= 1, with the two planes at 45 degrees to a wing. */
static void consider_behind(struct section *section, const double first[3], const double along[3], int wing)
{
    double side[3];
    vector_cross(section->along, section->inward[wing], side);
    for (int sign = -1; sign <= 1; sign += 2) {
        double normal[3];
        for (int axis = 0; axis < 3; ++axis)
            normal[axis] = section->inward[wing][axis] - sign * side[axis];
        const double slope = vector_dot(along, normal);
        const double t = slope != 0 ? -vector_dot(first, normal) / slope : -1;
        if (t >= 0 && t <= 1) {
            double offset[3];
            vector_along(first, t, along, offset);
            consider_offset(section, offset);
        }
    }
}

/* The nearest point of a triangle in the plane across the edge that is not behind the edge. The distance has
 * its minimum at the foot of the perpendicular, at an end, or where the 45 degrees begin. */
static void visit_triangle(uint32_t triangle, void *context)
{
    struct section *section = context;
    for (int n = 0; n < section->wings; ++n) {
        if (section->wing[n] == triangle)
            return;
    }
    const uint32_t *corner = section->mesh->triangle[triangle];
    double offset[3][3], height[3], crossing[2][3];
    for (int n = 0; n < 3; ++n) {
        vector_subtract(section->mesh->vertex[corner[n]], section->place, offset[n]);
        height[n] = vector_dot(offset[n], section->along);
    }
    int crossings = 0;
    for (int n = 0; n < 3 && crossings < 2; ++n) {
        const int next = (n + 1) % 3;
        if ((height[n] <= 0) == (height[next] <= 0))
            continue;
        const double t = height[n] / (height[n] - height[next]);
        for (int axis = 0; axis < 3; ++axis)
            crossing[crossings][axis] = offset[n][axis] + t * (offset[next][axis] - offset[n][axis]);
        ++crossings;
    }
    if (crossings < 2)
        return;
    double along[3], foot[3];
    vector_subtract(crossing[1], crossing[0], along);
    const double length = vector_dot(along, along);
    if (length > 0) {
        const double t = -vector_dot(crossing[0], along) / length;
        if (t > 0 && t < 1) {
            vector_along(crossing[0], t, along, foot);
            consider_offset(section, foot);
        }
        for (int n = 0; n < section->wings; ++n)
            consider_behind(section, crossing[0], along, n);
    }
    consider_offset(section, crossing[0]);
    consider_offset(section, crossing[1]);
}

/* Measure the crack beside one sample. An edge that touches a wall gets a ribbon of the margin, straight on,
 * which closes the hair's breadth that rounding may leave. */
static void measure_crack(const struct clearance *tree, const struct edge *edge, double width,
                          struct sample *sample)
{
    struct section section;
    (void)section_of(tree->mesh, edge, &section);
    section.place = sample->place;
    section.best = width * (1 + 1e-9);
    memset(section.nearest, 0, sizeof section.nearest);
    double low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = sample->place[axis] - width;
        high[axis] = sample->place[axis] + width;
    }
    const double none = section.best;
    clearance_visit(tree, low, high, visit_triangle, &section);
    if (!(section.best < none))
        return;
    const double distance = section.best;
    for (int axis = 0; axis < 3; ++axis)
        sample->across[axis] = distance > 1e-6 * width
                                   ? section.nearest[axis] * (1 + SEAL_MARGIN * width / distance)
                                   : -section.inward[0][axis] * SEAL_MARGIN * width;
}

/* Two triangles; the first side of each runs across the crack, from which seal_places() reads its width. */
static int add_ribbon(const struct seal_ribbons *ribbons, const double from[3], const double from_across[3],
                      const double to[3], const double to_across[3], struct failure *failure)
{
    uint32_t near_from, far_from, near_to, far_to;
    double place[3];
    TRY(seal_add_corner(ribbons, from, &near_from, failure));
    vector_along(from, 1, from_across, place);
    TRY(seal_add_corner(ribbons, place, &far_from, failure));
    TRY(seal_add_corner(ribbons, to, &near_to, failure));
    vector_along(to, 1, to_across, place);
    TRY(seal_add_corner(ribbons, place, &far_to, failure));
    TRY(mesh_add_triangle(ribbons->mesh, (const uint32_t[3]){near_from, far_from, near_to}, ribbons->material,
                          failure));
    return mesh_add_triangle(ribbons->mesh, (const uint32_t[3]){near_to, far_to, far_from}, ribbons->material,
                             failure);
}

static bool is_bridged(const struct sample *sample)
{
    return vector_dot(sample->across, sample->across) > 0;
}

/* Ribbons along one edge: between neighbouring samples, and half a width past both ends, so that those of
 * edges that meet overlap. If two samples see different walls, the ribbon of each extends to the other
 * sample. */
static int seal_edge(const struct seal_ribbons *ribbons, const double along[3], double width,
                     const struct sample *sample, size_t count, struct failure *failure)
{
    double place[3];
    if (is_bridged(&sample[0])) {
        vector_along(sample[0].place, -0.5 * width, along, place);
        TRY(add_ribbon(ribbons, place, sample[0].across, sample[0].place, sample[0].across, failure));
    }
    const struct sample *end = &sample[count - 1];
    if (is_bridged(end)) {
        vector_along(end->place, 0.5 * width, along, place);
        TRY(add_ribbon(ribbons, place, end->across, end->place, end->across, failure));
    }
    for (size_t n = 0; n + 1 < count; ++n) {
        const struct sample *a = &sample[n], *b = &sample[n + 1];
        const bool alike = vector_distance(a->across, b->across) <= 0.05 * width;
        if (is_bridged(a) && is_bridged(b))
            TRY(add_ribbon(ribbons, a->place, a->across, b->place, b->across, failure));
        if (is_bridged(a) && !alike)
            TRY(add_ribbon(ribbons, a->place, a->across, b->place, a->across, failure));
        if (is_bridged(b) && !alike)
            TRY(add_ribbon(ribbons, a->place, b->across, b->place, b->across, failure));
    }
    return 0;
}

static uint64_t edge_samples(const struct mesh *mesh, const struct edge *edge, double width)
{
    const double length = vector_distance(mesh->vertex[edge->vertex[1]], mesh->vertex[edge->vertex[0]]);
    return 2 + (uint64_t)smaller(length / (0.5 * width), (double)SAMPLES_MAX);
}

/* Spread samples over an edge, a hundredth of the spacing short of its ends, where other walls begin. */
static void place_samples(const struct mesh *mesh, const struct edge *edge, uint32_t index, uint64_t count,
                          struct sample *sample)
{
    const double *a = mesh->vertex[edge->vertex[0]];
    double along[3];
    vector_subtract(mesh->vertex[edge->vertex[1]], a, along);
    const double last = (double)(count - 1);
    for (uint64_t n = 0; n < count; ++n) {
        const double at = smaller(last - 0.01, larger(0.01, (double)n)) / last;
        sample[n] = (struct sample){.edge = index};
        vector_along(a, at, along, sample[n].place);
    }
}

/* Keep the edges that may need a seal, at the front; sum up their samples. */
static int select_edges(const struct mesh *mesh, struct edges *edges, double width, uint64_t *samples,
                        struct failure *failure)
{
    size_t kept = 0;
    *samples = 0;
    for (size_t n = 0; n < edges->count; ++n) {
        struct section section;
        if (!section_of(mesh, &edges->edge[n], &section))
            continue;
        edges->edge[kept++] = edges->edge[n];
        *samples += edge_samples(mesh, &edges->edge[n], width);
        if (*samples > SAMPLES_MAX)
            return failure_advise(
                failure_set(failure, FAILURE_CAPACITY,
                            "a seal of %g m is too fine for this model: its edges would need more than %llu "
                            "samples",
                            width, (unsigned long long)SAMPLES_MAX),
                failure, ADVICE_LARGER_SEAL, 0);
    }
    edges->count = kept;
    return 0;
}

int seal_mesh(const struct mesh *in, double width, struct mesh *out, struct failure *failure)
{
    struct edges edges = {0};
    struct clearance tree = {0};
    struct mesh sealed = {0};
    struct sample *sample = NULL;
    uint64_t samples = 0;
    int code = 0;

    if (!(width > 0) || !isfinite(width))
        return failure_set(failure, FAILURE_INPUT,
                           "the width to seal is %g m; it must be a positive length, as 2cm", width);
    struct seal_ribbons ribbons = {.mesh = &sealed};
    if ((code = mesh_bounds(in, ribbons.low, ribbons.high, failure)) != 0 ||
        (code = mesh_copy(in, &sealed, failure)) != 0 || (code = clearance_make(in, &tree, failure)) != 0 ||
        (code = edges_make(in, &edges, failure)) != 0 ||
        (code = select_edges(in, &edges, width, &samples, failure)) != 0)
        goto done;
    sample = malloc((samples > 0 ? (size_t)samples : 1) * sizeof *sample);
    if (sample == NULL) {
        code = failure_memory(failure, samples * sizeof *sample, "the edges to seal");
        goto done;
    }
    size_t filled = 0;
    for (size_t n = 0; n < edges.count; ++n) {
        const uint64_t count = edge_samples(in, &edges.edge[n], width);
        place_samples(in, &edges.edge[n], (uint32_t)n, count, sample + filled);
        filled += (size_t)count;
    }
#pragma omp parallel for schedule(dynamic, 256)
    for (size_t n = 0; n < filled; ++n)
        measure_crack(&tree, &edges.edge[sample[n].edge], width, &sample[n]);

    for (size_t first = 0, n = 0; n < edges.count; ++n) {
        const size_t count = (size_t)edge_samples(in, &edges.edge[n], width);
        struct section section;
        (void)section_of(in, &edges.edge[n], &section);
        ribbons.material = in->triangle_material[section.wing[0]];
        const struct sample *at = sample + first;
        if ((code = seal_edge(&ribbons, section.along, width, at, count, failure)) != 0 ||
            (code = seal_fans(&ribbons, &tree, width, in->vertex[edges.edge[n].vertex[0]], at[0].across,
                              failure)) != 0 ||
            (code = seal_fans(&ribbons, &tree, width, in->vertex[edges.edge[n].vertex[1]],
                              at[count - 1].across, failure)) != 0)
            goto done;
        first += count;
    }
    *out = sealed;
    sealed = (struct mesh){0};
done:
    free(sample);
    edges_free(&edges);
    clearance_free(&tree);
    mesh_free(&sealed);
    return code;
}
