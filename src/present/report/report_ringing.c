#include "src/present/report/report_ringing.h"

#include <math.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/response/acoustics/octave_edges.h"

#define UPRIGHT  0.965925826289068 /* cos 15 degrees */
#define BOX_PART 0.9               /* of the surface */

/* Two opposite walls: area and equivalent absorption area, on both sides of the room's middle [m2]. */
struct wall_pair {
    double area[2], absorbed;
};

/* Absorption of a material at middle frequencies, as used; NaN if unknown. */
static double absorption_of(const struct record_room *room, const struct record_material *material)
{
    double sum = 0;
    int count = 0;
    for (size_t o = 0; o < room->material_octaves.count; o++) {
        const int nominal = band_nominal(room->material_octaves.value[o]);
        if (nominal != 500 && nominal != 1000)
            continue;
        sum += json_number_of(&material->octaves_used, o);
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

static const struct record_material *material_called(const struct record_room *room, const char *name)
{
    for (size_t m = 0; m < room->materials.count; m++)
        if (room->materials.item[m].name != NULL && strcmp(room->materials.item[m].name, name) == 0)
            return &room->materials.item[m];
    return NULL;
}

/* How far the walls of a room are turned about the vertical: upright walls point every quarter of a turn. */
static double turn_of(const struct mesh *mesh)
{
    double along = 0, across = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double normal[3];
        mesh_normal(mesh, t, normal);
        const double angle = 4 * atan2(normal[1], normal[0]), flat = hypot(normal[0], normal[1]);
        along += flat * cos(angle);
        across += flat * sin(angle);
    }
    return atan2(across, along) / 4;
}

static void turn_vector(double cosine, double sine, double vector[3])
{
    const double x = vector[0], y = vector[1];
    vector[0] = cosine * x + sine * y;
    vector[1] = cosine * y - sine * x;
}

/* Share of the surface that belongs to the three pairs. */
static double sort_walls(const struct report_run *run, struct wall_pair pair[3], const char **material)
{
    const struct mesh *mesh = &run->shape;
    const struct record_room *room = &run->model->room;
    const double angle = turn_of(mesh), cosine = cos(angle), sine = sin(angle);
    double middle[3], low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double whole = 0, sorted = 0, most = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double at[3] = {mesh->vertex[v][0], mesh->vertex[v][1], mesh->vertex[v][2]};
        turn_vector(cosine, sine, at);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = smaller(low[axis], at[axis]);
            high[axis] = larger(high[axis], at[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = 0.5 * (low[axis] + high[axis]);
    for (size_t m = 0; m < mesh->material_count; m++) {
        const struct record_material *of = material_called(room, mesh->material[m]);
        const double absorption = of != NULL ? absorption_of(room, of) : NAN;
        /* The part hidden by other faces absorbs nothing. */
        const double part =
            of != NULL && of->area > 0 && of->area_exposed < of->area ? of->area_exposed / of->area : 1;
        double taken = 0;
        for (size_t t = 0; t < mesh->triangle_count; t++) {
            double normal[3], at[3] = {0, 0, 0};
            if (mesh->triangle_material[t] != m)
                continue;
            mesh_normal(mesh, t, normal);
            turn_vector(cosine, sine, normal);
            const double length = vector_length(normal), area = part * length / 2;
            for (int i = 0; i < 3; i++)
                for (int axis = 0; axis < 3; axis++)
                    at[axis] += mesh->vertex[mesh->triangle[t][i]][axis] / 3;
            turn_vector(cosine, sine, at);
            whole += area;
            taken += area * absorption;
            for (int axis = 0; axis < 3; axis++)
                if (fabs(normal[axis]) >= UPRIGHT * length && length > 0) {
                    pair[axis].area[at[axis] > middle[axis]] += area;
                    pair[axis].absorbed += area * absorption;
                    sorted += area;
                }
        }
        if (taken > most) {
            most = taken;
            *material = of->name;
        }
    }
    return whole > 0 ? sorted / whole : 0;
}

/* At middle frequencies, else of the highest octave that has two. */
static bool find_slopes(const struct report_run *run, struct report_slopes *out)
{
    const size_t bands = run->responses.count > 0 ? run->responses.item[0].record->octaves.count : 0;
    if (report_slopes_of(run, REPORT_BAND_MIDDLE, out))
        return true;
    for (size_t b = bands; b-- > 0;)
        if (report_slopes_of(run, (int)b, out))
            return true;
    return false;
}

bool report_ringing_find(const struct report_run *run, struct report_ringing *out)
{
    struct wall_pair pair[3] = {{{0}, 0}};
    *out = (struct report_ringing){.hard = INFINITY};
    if (!find_slopes(run, &out->slopes) || report_lets_out(run->model) ||
        !(sort_walls(run, pair, &out->material) >= BOX_PART))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        const double *area = pair[axis].area, all = area[0] + area[1], mean = pair[axis].absorbed / all;
        if (!isfinite(mean))
            return false;
        /* Walls that have a wall opposite. */
        if (mean < out->hard && smaller(area[0], area[1]) > 0.25 * all)
            out->hard = mean;
        out->soft = larger(out->soft, mean);
    }
    return out->material != NULL && out->hard <= RINGING_HARD && out->soft >= RINGING_UNEVEN * out->hard;
}
