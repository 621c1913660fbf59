#include "geometry/air/air_volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/air/face_patches.h"
#include "geometry/voxel/link_test.h"

/** Met and seen crossings of a patch along all axes, by |n.e|; its sides are those of the triangle that names
 * it. */
struct patch_sums {
    double met, seen[FACE_SIDES];
};

struct measure {
    const struct mesh *mesh;
    const struct cut_field *field;
    const struct contact_face *face;
    const struct seen_face *seen;
    struct face_patches patches;
    struct patch_sums *sums; /* (triangle_count) at the triangles that name patches */
};

/** Along one axis: volume from the origin of the box and area of the visible part; area and position of the
 * partly hidden part. */
struct flux {
    double volume, area, closure; /* closure: area of fronts less that of backs, 0 if all is seen */
    double hidden, hidden_place;
};

static double crossings_of(const struct measure *measure, size_t t)
{
    const uint64_t *met = measure->field->met[t];
    return (double)(met[0] + met[1] + met[2]) / CROSSING_WHOLE;
}

static void sum_patches(const struct measure *measure)
{
    for (size_t t = 0; t < measure->mesh->triangle_count; t++) {
        struct patch_sums *sums = &measure->sums[measure->patches.first[t]];
        for (int axis = 0; axis < 3; axis++) {
            const double cosine = measure->face[t].cosine[axis];
            sums->met += cosine * (double)measure->field->met[t][axis] / CROSSING_WHOLE;
            for (int side = 0; side < FACE_SIDES; side++)
                sums->seen[side ^ measure->patches.turned[t]] +=
                    cosine * (double)measure->seen[t].crossings[axis][side];
        }
    }
}

/** Visible share of a triangle's side, as of its patch; 0 if no line met it. */
static double share_of(const struct measure *measure, size_t t, int side)
{
    const struct patch_sums *sums = &measure->sums[measure->patches.first[t]];
    return sums->met > 0 ? sums->seen[side ^ measure->patches.turned[t]] / sums->met : 0;
}

/** A triangle along one axis, measured from `origin`. */
static void add_side(const struct measure *measure, size_t t, int axis, int side, double area, double middle,
                     double origin, struct flux *flux)
{
    const struct lattice *lattice = &measure->field->lattice;
    const struct seen_face *seen = &measure->seen[t];
    const double share = share_of(measure, t, side), sign = side == FACE_FRONT ? -1 : 1;
    const double met = (double)measure->field->met[t][axis] / CROSSING_WHOLE;
    const bool partly = fabs(share - round(share)) > 1e-9;
    double part = share * area, moment = part * (middle - origin);
    if (partly && met > 0) {
        const double count = (double)seen->crossings[axis][side];
        const double places = (double)seen->places[axis][side] / LATTICE_SUBSTEPS * lattice->spacing;
        part = area / met * count;
        moment = area / met * (places + count * (lattice->origin[axis] - origin));
    }
    flux->volume += sign * moment;
    flux->closure += sign * part;
    flux->area += fabs(part);
    if (partly) {
        const double hidden = fabs(area) * fabs(share - round(share));
        flux->hidden += hidden;
        flux->hidden_place += hidden * (middle - origin);
    }
}

static void add_triangle(const struct measure *measure, size_t t, const double origin[3], struct flux flux[3])
{
    const uint32_t *corner = measure->mesh->triangle[t];
    const double *at = measure->mesh->vertex[corner[0]], *b = measure->mesh->vertex[corner[1]],
                 *c = measure->mesh->vertex[corner[2]];
    double normal[3];
    mesh_normal(measure->mesh, t, normal);
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < FACE_SIDES; side++)
            add_side(measure, t, axis, side, normal[axis] / 2, (at[axis] + b[axis] + c[axis]) / 3,
                     origin[axis], &flux[axis]);
}

/** The volume by all three axes, weighted by how little of each is hidden. A closure error is assigned to the
 * hidden parts. */
static double weighted_volume(const struct flux flux[3])
{
    double sum = 0, weights = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double place = flux[axis].hidden > 0 ? flux[axis].hidden_place / flux[axis].hidden : 0;
        const double hidden = flux[axis].hidden + 1e-9 * flux[axis].area, weight = 1 / (hidden * hidden);
        sum += weight * (flux[axis].volume - flux[axis].closure * place);
        weights += weight;
    }
    return sum / weights;
}

static double volume_of(const struct measure *measure, double cells)
{
    const struct lattice *lattice = &measure->field->lattice;
    struct flux flux[3] = {{0}};
    double origin[3], area = 0;
    for (int axis = 0; axis < 3; axis++)
        origin[axis] = lattice->origin[axis] + 0.5 * (double)lattice->nodes[axis] * lattice->spacing;
    for (size_t t = 0; t < measure->mesh->triangle_count; t++)
        add_triangle(measure, t, origin, flux);
    for (int axis = 0; axis < 3; axis++)
        area += flux[axis].area;
    const double volume = weighted_volume(flux);
    return fabs(volume - cells) <= 0.5 * area * lattice->spacing ? volume : NAN;
}

int air_volume_measure(const struct mesh *mesh, const struct flood *flood, const struct contact_face *face,
                       const struct seen_face *seen, double cells, double *cubic_metres,
                       struct failure *failure)
{
    struct measure measure = {.mesh = mesh, .field = flood->field, .face = face, .seen = seen};
    const size_t count = mesh->triangle_count + 1;
    int result = 0;
    *cubic_metres = NAN;
    if (flood->open)
        return 0;
    double *crossings = malloc(count * sizeof *crossings);
    measure.sums = calloc(count, sizeof *measure.sums);
    if (crossings == NULL || measure.sums == NULL)
        result = failure_memory(failure, count * (sizeof *crossings + sizeof *measure.sums),
                                "the volume of the air");
    for (size_t t = 0; t < mesh->triangle_count && result == 0; t++)
        crossings[t] = crossings_of(&measure, t);
    if (result == 0 &&
        (result = face_patches_make(mesh, crossings, AIR_VOLUME_CROSSINGS, &measure.patches, failure)) == 0) {
        sum_patches(&measure);
        *cubic_metres = volume_of(&measure, cells);
    }
    face_patches_free(&measure.patches);
    free(crossings);
    free(measure.sums);
    return result;
}
