#include "geometry/mesh/mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"

#define FIRST_CAPACITY 16
#define FLAT_LIMIT     1e-12 /* height over longest side: far below the resolution of a float coordinate */

void face_overlaps_free(struct face_overlaps *overlaps)
{
    if (overlaps == NULL)
        return;
    free(overlaps->rank);
    free(overlaps->overlap);
    free(overlaps);
}

void mesh_free(struct mesh *mesh)
{
    face_overlaps_free(mesh->overlaps);
    for (size_t m = 0; m < mesh->material_count; ++m)
        free(mesh->material[m]);
    for (size_t m = 0; m < mesh->marker_count; ++m)
        free(mesh->marker[m].name);
    free(mesh->vertex);
    free(mesh->triangle);
    free(mesh->triangle_material);
    free(mesh->material);
    free(mesh->marker);
    *mesh = (struct mesh){0};
}

size_t mesh_capacity(size_t count)
{
    size_t capacity = FIRST_CAPACITY;
    while (capacity < count)
        capacity *= 2;
    return capacity;
}

/* Make space for one more element: the capacity is FIRST_CAPACITY, doubled whenever the count reaches it. */
static int reserve_element(void **array, size_t count, size_t size, const char *purpose,
                           struct failure *failure)
{
    const bool full = count == 0 || (count >= FIRST_CAPACITY && (count & (count - 1)) == 0);
    if (!full)
        return 0;
    const size_t capacity = count == 0 ? FIRST_CAPACITY : 2 * count;
    if (capacity > SIZE_MAX / size)
        return failure_memory(failure, UINT64_MAX, purpose);
    /* An array with a count of 0 may still be owned; realloc() serves both cases. */
    void *grown = realloc(*array, capacity * size);
    if (grown == NULL)
        return failure_memory(failure, capacity * size, purpose);
    *array = grown;
    return 0;
}

int mesh_add_vertex(struct mesh *mesh, const double position[3], uint32_t *index, struct failure *failure)
{
    if (mesh->vertex_count >= UINT32_MAX)
        return failure_set(failure, FAILURE_CAPACITY, "the mesh has more than %u vertices", UINT32_MAX);
    void *array = mesh->vertex;
    TRY(reserve_element(&array, mesh->vertex_count, sizeof mesh->vertex[0], "vertices", failure));
    mesh->vertex = array;
    memcpy(mesh->vertex[mesh->vertex_count], position, sizeof mesh->vertex[0]);
    if (index != NULL)
        *index = (uint32_t)mesh->vertex_count;
    ++mesh->vertex_count;
    return 0;
}

int mesh_add_triangle(struct mesh *mesh, const uint32_t vertex[3], uint16_t material, struct failure *failure)
{
    if (mesh->triangle_count >= UINT32_MAX - 1)
        return failure_set(failure, FAILURE_CAPACITY, "the mesh has more than %u triangles", UINT32_MAX - 1);
    void *array = mesh->triangle;
    TRY(reserve_element(&array, mesh->triangle_count, sizeof mesh->triangle[0], "triangles", failure));
    mesh->triangle = array;
    array = mesh->triangle_material;
    TRY(reserve_element(&array, mesh->triangle_count, sizeof mesh->triangle_material[0], "triangles",
                        failure));
    mesh->triangle_material = array;
    memcpy(mesh->triangle[mesh->triangle_count], vertex, sizeof mesh->triangle[0]);
    mesh->triangle_material[mesh->triangle_count] = material;
    ++mesh->triangle_count;
    return 0;
}

int mesh_add_material(struct mesh *mesh, const char *name, uint16_t *index, struct failure *failure)
{
    size_t at = 0;
    while (at < mesh->material_count && strcmp(mesh->material[at], name) != 0)
        ++at;
    if (at == mesh->material_count) {
        if (at >= MESH_MATERIALS_MAX)
            return failure_set(failure, FAILURE_CAPACITY, "the mesh has more than %u materials",
                               MESH_MATERIALS_MAX);
        void *array = mesh->material;
        TRY(reserve_element(&array, at, sizeof mesh->material[0], "materials", failure));
        mesh->material = array;
        mesh->material[at] = strdup(name);
        if (mesh->material[at] == NULL)
            return failure_memory(failure, strlen(name) + 1, "a material's name");
        ++mesh->material_count;
    }
    if (index != NULL)
        *index = (uint16_t)at;
    return 0;
}

int mesh_add_marker(struct mesh *mesh, enum marker_kind kind, const char *name, const double position[3],
                    struct failure *failure)
{
    void *array = mesh->marker;
    TRY(reserve_element(&array, mesh->marker_count, sizeof mesh->marker[0], "positions", failure));
    mesh->marker = array;
    struct mesh_marker *marker = &mesh->marker[mesh->marker_count];
    *marker = (struct mesh_marker){.kind = kind, .name = strdup(name)};
    if (marker->name == NULL)
        return failure_memory(failure, strlen(name) + 1, "a position's name");
    memcpy(marker->position, position, sizeof marker->position);
    ++mesh->marker_count;
    return 0;
}

int mesh_set_sheets(struct mesh *mesh, const bool *sheet, struct failure *failure)
{
    const size_t count = mesh->triangle_count + mesh->sheet_count;
    uint32_t(*triangle)[3] = malloc((count + 1) * sizeof *triangle);
    uint16_t *material = malloc((count + 1) * sizeof *material);
    size_t at = 0, walls = 0;
    if (triangle == NULL || material == NULL) {
        free(triangle);
        free(material);
        return failure_memory(failure, count * (sizeof *triangle + sizeof *material), "triangles");
    }
    for (int sheets = 0; sheets < 2; sheets++) {
        for (size_t t = 0; t < count; t++) {
            if (sheet[mesh->triangle_material[t]] != (sheets == 1))
                continue;
            memcpy(triangle[at], mesh->triangle[t], sizeof triangle[at]);
            material[at++] = mesh->triangle_material[t];
        }
        walls = sheets == 0 ? at : walls;
    }
    /* Copy into the mesh's own arrays, whose capacity follows from its counts. */
    for (size_t t = 0; t < count; t++) {
        memcpy(mesh->triangle[t], triangle[t], sizeof triangle[t]);
        mesh->triangle_material[t] = material[t];
    }
    free(triangle);
    free(material);
    face_overlaps_free(mesh->overlaps);
    mesh->overlaps = NULL;
    mesh->triangle_count = walls;
    mesh->sheet_count = count - walls;
    return 0;
}

struct mesh mesh_sheets(const struct mesh *mesh)
{
    struct mesh sheets = *mesh;
    sheets.triangle_count = mesh->sheet_count;
    if (mesh->sheet_count > 0) {
        sheets.triangle += mesh->triangle_count;
        sheets.triangle_material += mesh->triangle_count;
    }
    sheets.sheet_count = 0;
    sheets.overlaps = NULL;
    return sheets;
}

struct mesh mesh_whole(const struct mesh *mesh)
{
    struct mesh whole = *mesh;
    whole.triangle_count += mesh->sheet_count;
    whole.sheet_count = 0;
    return whole;
}

static void *copy_array(const void *in, size_t bytes)
{
    void *out = malloc(bytes + 1);
    return out != NULL ? memcpy(out, in, bytes) : NULL;
}

static int copy_overlaps(const struct face_overlaps *in, struct face_overlaps **out, struct failure *failure)
{
    struct face_overlaps *copy = copy_array(in, sizeof *in);
    if (copy != NULL) {
        copy->rank = copy_array(in->rank, in->triangle_count * sizeof *in->rank);
        copy->overlap = copy_array(in->overlap, in->count * sizeof *in->overlap);
    }
    if (copy == NULL || copy->rank == NULL || copy->overlap == NULL) {
        face_overlaps_free(copy);
        return failure_memory(failure, in->triangle_count * sizeof *in->rank, "the ranks of faces");
    }
    *out = copy;
    return 0;
}

int mesh_copy(const struct mesh *in, struct mesh *out, struct failure *failure)
{
    for (size_t n = 0; n < in->material_count; ++n)
        TRY(mesh_add_material(out, in->material[n], NULL, failure));
    for (size_t n = 0; n < in->vertex_count; ++n)
        TRY(mesh_add_vertex(out, in->vertex[n], NULL, failure));
    for (size_t n = 0; n < in->triangle_count; ++n)
        TRY(mesh_add_triangle(out, in->triangle[n], in->triangle_material[n], failure));
    return in->overlaps != NULL ? copy_overlaps(in->overlaps, &out->overlaps, failure) : 0;
}

int mesh_bounds(const struct mesh *mesh, double low[3], double high[3], struct failure *failure)
{
    if (mesh->triangle_count == 0)
        return failure_set(failure, FAILURE_INPUT, "the mesh has no triangles");
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
    }
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        for (int corner = 0; corner < 3; ++corner) {
            const double *position = mesh->vertex[mesh->triangle[t][corner]];
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = fmin(low[axis], position[axis]);
                high[axis] = fmax(high[axis], position[axis]);
            }
        }
    return 0;
}

void mesh_normal(const struct mesh *mesh, size_t triangle, double normal[3])
{
    const uint32_t *corner = mesh->triangle[triangle];
    double first[3], second[3];
    vector_subtract(mesh->vertex[corner[1]], mesh->vertex[corner[0]], first);
    vector_subtract(mesh->vertex[corner[2]], mesh->vertex[corner[0]], second);
    vector_cross(first, second, normal);
}

/* True if the triangle has no area: its height over the longest side is negligible. */
static bool is_flat(const struct mesh *mesh, size_t triangle)
{
    const uint32_t *corner = mesh->triangle[triangle];
    double normal[3], longest_squared = 0;
    mesh_normal(mesh, triangle, normal);
    for (int k = 0; k < 3; ++k) {
        double side[3];
        vector_subtract(mesh->vertex[corner[(k + 1) % 3]], mesh->vertex[corner[k]], side);
        longest_squared = larger(longest_squared, vector_dot(side, side));
    }
    return vector_length(normal) <= FLAT_LIMIT * longest_squared;
}

void mesh_material_areas(const struct mesh *mesh, double *area)
{
    double normal[3];
    for (size_t m = 0; m < mesh->material_count; ++m)
        area[m] = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        mesh_normal(mesh, t, normal);
        area[mesh->triangle_material[t]] += 0.5 * vector_length(normal);
    }
}

static uint64_t position_hash(const double position[3])
{
    uint64_t hash = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double plain = position[axis] + 0.0; /* -0 and 0 are the same place */
        uint64_t bits;
        memcpy(&bits, &plain, sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

int mesh_first_of_place(const struct mesh *mesh, uint32_t **out, struct failure *failure)
{
    int status = 0;
    size_t slots = 16;
    while (slots < 2 * mesh->vertex_count)
        slots *= 2;
    uint32_t *table = malloc(slots * sizeof table[0]);
    uint32_t *first = malloc((mesh->vertex_count + 1) * sizeof first[0]);
    if (table == NULL || first == NULL) {
        status =
            failure_memory(failure, (slots + mesh->vertex_count) * sizeof table[0], "finding equal vertices");
        goto done;
    }
    memset(table, 0xFF, slots * sizeof table[0]); /* UINT32_MAX: free; never a vertex index */
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        const double *here = mesh->vertex[v];
        size_t slot = (size_t)position_hash(here) & (slots - 1);
        while (table[slot] != UINT32_MAX && !vector_equal(mesh->vertex[table[slot]], here))
            slot = (slot + 1) & (slots - 1);
        if (table[slot] == UINT32_MAX)
            table[slot] = (uint32_t)v;
        first[v] = table[slot];
    }
    *out = first;
    first = NULL;
done:
    free(table);
    free(first);
    return status;
}

int mesh_weld(struct mesh *mesh, struct failure *failure)
{
    uint32_t *first = NULL;
    TRY(mesh_first_of_place(mesh, &first, failure));
    uint32_t *moved = calloc(mesh->vertex_count + 1, sizeof moved[0]);
    if (moved == NULL) {
        free(first);
        return failure_memory(failure, (mesh->vertex_count + 1) * sizeof moved[0], "welding vertices");
    }
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        for (int corner = 0; corner < 3; ++corner)
            moved[first[mesh->triangle[t][corner]]] = 1;
    size_t kept = 0;
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        if (moved[v] != 0) {
            memmove(mesh->vertex[kept], mesh->vertex[v], sizeof mesh->vertex[0]);
            moved[v] = (uint32_t)kept++;
        }
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        for (int corner = 0; corner < 3; ++corner)
            mesh->triangle[t][corner] = moved[first[mesh->triangle[t][corner]]];
    mesh->vertex_count = kept;
    free(first);
    free(moved);
    return 0;
}

struct triple {
    uint32_t corner[3]; /* rising, so that winding and rotation have no effect */
    uint32_t triangle;
    uint16_t material;
};

static int compare_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_triples(const void *left, const void *right)
{
    const struct triple *a = left, *b = right;
    for (int k = 0; k < 3; ++k)
        if (a->corner[k] != b->corner[k])
            return compare_u32(a->corner[k], b->corner[k]);
    return a->material != b->material ? compare_u32(a->material, b->material)
                                      : compare_u32(a->triangle, b->triangle);
}

static int compare_edges(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return a[0] != b[0] ? compare_u32(a[0], b[0]) : compare_u32(a[1], b[1]);
}

static struct triple sorted_corners(const struct mesh *mesh, const uint32_t *first, uint32_t triangle)
{
    const uint32_t *corner = mesh->triangle[triangle];
    struct triple triple = {
        {first[corner[0]], first[corner[1]], first[corner[2]]}, triangle, mesh->triangle_material[triangle]};
    for (int k = 0; k < 3; ++k) { /* swap neighbours that fall: 0 and 1, 1 and 2, 0 and 1 */
        uint32_t *a = &triple.corner[k % 2], *b = a + 1;
        if (*a > *b) {
            const uint32_t swap = *a;
            *a = *b;
            *b = swap;
        }
    }
    return triple;
}

enum { REDUNDANT_CORNER = 1, REDUNDANT_COPY = 2, OTHER_FACE = 3 };

/* mark[t]: REDUNDANT_CORNER for a corner used twice; 0 for the first triangle on its corners; OTHER_FACE for
 * the first there of another material; else REDUNDANT_COPY. `triple` (triangle_count) is left sorted by
 * corners. */
static void mark_redundant(const struct mesh *mesh, const uint32_t *first, struct triple *triple,
                           unsigned char *mark)
{
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        triple[t] = sorted_corners(mesh, first, (uint32_t)t);
    if (mesh->triangle_count > 0)
        qsort(triple, mesh->triangle_count, sizeof triple[0], compare_triples);
    uint32_t earliest = 0; /* among the triangles on these corners */
    for (size_t k = 0; k < mesh->triangle_count; ++k) {
        const uint32_t *corner = triple[k].corner, triangle = triple[k].triangle;
        const bool same = k > 0 && memcmp(corner, triple[k - 1].corner, sizeof triple[k].corner) == 0;
        if (corner[0] == corner[1] || corner[1] == corner[2]) {
            mark[triangle] = REDUNDANT_CORNER;
        } else if (same && triple[k].material == triple[k - 1].material) {
            mark[triangle] = REDUNDANT_COPY;
        } else if (same && earliest < triangle) {
            mark[triangle] = OTHER_FACE;
        } else {
            if (same)
                mark[earliest] = OTHER_FACE;
            mark[triangle] = 0;
            earliest = triangle;
        }
    }
}

struct redundancy {
    uint32_t *first;
    struct triple *triple;
    unsigned char *mark;
};

static void redundancy_free(struct redundancy *found)
{
    free(found->first);
    free(found->triple);
    free(found->mark);
}

static int redundancy_find(const struct mesh *mesh, struct redundancy *found, struct failure *failure)
{
    const size_t count = mesh->triangle_count;
    TRY(mesh_first_of_place(mesh, &found->first, failure));
    found->triple = malloc((count + 1) * sizeof found->triple[0]);
    found->mark = malloc(count + 1);
    if (found->triple == NULL || found->mark == NULL)
        return failure_memory(failure, (count + 1) * (sizeof found->triple[0] + 1), "comparing triangles");
    mark_redundant(mesh, found->first, found->triple, found->mark);
    return 0;
}

int mesh_drop_redundant(struct mesh *mesh, struct failure *failure)
{
    struct redundancy found = {0};
    const int status = redundancy_find(mesh, &found, failure);
    if (status == 0) {
        size_t kept = 0;
        for (size_t t = 0; t < mesh->triangle_count; ++t)
            if (found.mark[t] == 0 || found.mark[t] == OTHER_FACE) {
                memmove(mesh->triangle[kept], mesh->triangle[t], sizeof mesh->triangle[0]);
                mesh->triangle_material[kept++] = mesh->triangle_material[t];
            }
        mesh->triangle_count = kept;
    }
    redundancy_free(&found);
    return status;
}

int mesh_count_oddities(const struct mesh *mesh, struct mesh_census *census, struct failure *failure)
{
    int status;
    struct redundancy found = {0};
    uint32_t(*edge)[2] = NULL;
    size_t edge_count = 0;
    struct mesh_census counted = {0};
    if ((status = redundancy_find(mesh, &found, failure)) != 0)
        goto done;
    edge = malloc((3 * mesh->triangle_count + 1) * sizeof edge[0]);
    if (edge == NULL) {
        status = failure_memory(failure, (3 * mesh->triangle_count + 1) * sizeof edge[0], "comparing edges");
        goto done;
    }
    for (size_t k = 0; k < mesh->triangle_count; ++k) {
        const struct triple *triple = &found.triple[k];
        const unsigned char mark = found.mark[triple->triangle];
        if (mark == REDUNDANT_CORNER || is_flat(mesh, triple->triangle))
            ++counted.degenerate;
        if (mark == REDUNDANT_COPY)
            ++counted.duplicate;
        for (int side = 0; mark == 0 && side < 3; ++side) {
            edge[edge_count][0] = triple->corner[side == 2 ? 1 : 0];
            edge[edge_count][1] = triple->corner[side == 0 ? 1 : 2];
            ++edge_count;
        }
    }
    if (edge_count > 0)
        qsort(edge, edge_count, sizeof edge[0], compare_edges);
    for (size_t begin = 0, end; begin < edge_count; begin = end) {
        for (end = begin + 1; end < edge_count && compare_edges(edge[begin], edge[end]) == 0;)
            ++end;
        if (end - begin == 1)
            ++counted.open_edges;
        else if (end - begin > 2)
            ++counted.nonmanifold_edges;
    }
    *census = counted;
done:
    redundancy_free(&found);
    free(edge);
    return status;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static int check_materials(const struct mesh *mesh, struct failure *failure)
{
    int status = 0;
    if (mesh->material_count > MESH_MATERIALS_MAX)
        return failure_set(failure, FAILURE_INPUT, "the mesh has %zu materials; the limit is %u",
                           mesh->material_count, MESH_MATERIALS_MAX);
    const char **sorted = malloc((mesh->material_count + 1) * sizeof sorted[0]);
    if (sorted == NULL)
        return failure_memory(failure, (mesh->material_count + 1) * sizeof sorted[0],
                              "comparing materials' names");
    for (size_t m = 0; m < mesh->material_count; ++m) {
        sorted[m] = mesh->material[m];
        if (sorted[m] == NULL || sorted[m][0] == '\0') {
            status = failure_set(failure, FAILURE_INPUT, "material %zu has no name", m);
            goto done;
        }
    }
    if (mesh->material_count > 0)
        qsort(sorted, mesh->material_count, sizeof sorted[0], compare_names);
    for (size_t m = 1; m < mesh->material_count; ++m)
        if (strcmp(sorted[m - 1], sorted[m]) == 0) {
            status = failure_set(failure, FAILURE_INPUT, "two materials are called \"%s\"", sorted[m]);
            goto done;
        }
done:
    free(sorted);
    return status;
}

static bool is_coordinate(double value)
{
    return fabs(value) <= MESH_COORDINATE_MAX; /* false for NaN */
}

int mesh_check(const struct mesh *mesh, struct failure *failure)
{
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        for (int axis = 0; axis < 3; ++axis)
            if (!is_coordinate(mesh->vertex[v][axis]))
                return failure_set(failure, FAILURE_INPUT,
                                   "vertex %zu has %c = %g m; coordinates must be numbers within 1e6 m of "
                                   "the origin: move the model there",
                                   v, "xyz"[axis], mesh -> vertex[v][axis]);
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        for (int corner = 0; corner < 3; ++corner)
            if (mesh->triangle[t][corner] >= mesh->vertex_count)
                return failure_set(failure, FAILURE_INPUT,
                                   "triangle %zu uses vertex %u, but the mesh has only %zu", t,
                                   mesh->triangle[t][corner], mesh->vertex_count);
        if (mesh->triangle_material[t] >= mesh->material_count)
            return failure_set(failure, FAILURE_INPUT,
                               "triangle %zu uses material %u, but the mesh has only %zu", t,
                               mesh->triangle_material[t], mesh->material_count);
    }
    for (size_t m = 0; m < mesh->marker_count; ++m) {
        const struct mesh_marker *marker = &mesh->marker[m];
        if (marker->name == NULL || marker->name[0] == '\0')
            return failure_set(failure, FAILURE_INPUT, "position %zu of the model has no name", m);
        for (int axis = 0; axis < 3; ++axis)
            if (!is_coordinate(marker->position[axis]))
                return failure_set(
                    failure, FAILURE_INPUT,
                    "position \"%s\" of the model has %c = %g m; coordinates must be numbers within 1e6 m of "
                    "the origin: move the model there",
                    marker->name, "xyz"[axis], marker -> position[axis]);
    }
    return check_materials(mesh, failure);
}
