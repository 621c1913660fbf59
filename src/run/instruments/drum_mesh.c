#include "src/run/instruments/drum_mesh.h"

#include <math.h>

#define PI     3.14159265358979323846
#define AROUND 64 /* corners of the rim */
#define RINGS  16 /* from the rim down to the last but the bottom */

double drum_kettle_depth(double radius, double volume)
{
    return 3 * volume / (2 * PI * radius * radius);
}

double drum_kettle_volume(double radius, double depth)
{
    return 2 * PI / 3 * radius * radius * depth;
}

/* A ring of corners at an angle below the rim, as seen from the centre. */
static int add_ring(struct mesh *mesh, const struct drum_site *site, double below, uint32_t *ring,
                    struct failure *failure)
{
    const double turn = 2 * PI / AROUND, radius = site->kind.radius * sqrt(turn / sin(turn)) * cos(below);
    for (int n = 0; n < AROUND; n++) {
        const double position[3] = {site->centre[0] + radius * cos(n * turn),
                                    site->centre[1] + radius * sin(n * turn),
                                    site->centre[2] - site->depth * sin(below)};
        TRY(mesh_add_vertex(mesh, position, &ring[n], failure));
    }
    return 0;
}

static int add_fan(struct mesh *mesh, const uint32_t *ring, const double tip[3], uint16_t material,
                   struct failure *failure)
{
    uint32_t centre;
    TRY(mesh_add_vertex(mesh, tip, &centre, failure));
    for (int n = 0; n < AROUND; n++)
        TRY(mesh_add_triangle(mesh, (const uint32_t[3]){centre, ring[n], ring[(n + 1) % AROUND]}, material,
                              failure));
    return 0;
}

int drum_mesh_add(struct mesh *mesh, const struct drum_site *site, struct failure *failure)
{
    uint32_t ring[2][AROUND];
    uint16_t membrane, kettle;
    TRY(mesh_add_material(mesh, DRUM_MEMBRANE_MATERIAL, &membrane, failure));
    TRY(add_ring(mesh, site, 0, ring[0], failure));
    TRY(add_fan(mesh, ring[0], site->centre, membrane, failure));
    if (site->depth <= 0)
        return 0;
    TRY(mesh_add_material(mesh, DRUM_KETTLE_MATERIAL, &kettle, failure));
    for (int level = 1; level < RINGS; level++) {
        const uint32_t *const upper = ring[(level + 1) % 2];
        uint32_t *const lower = ring[level % 2];
        TRY(add_ring(mesh, site, PI / 2 * level / RINGS, lower, failure));
        for (int n = 0; n < AROUND; n++) {
            const int next = (n + 1) % AROUND;
            TRY(mesh_add_triangle(mesh, (const uint32_t[3]){upper[n], lower[n], lower[next]}, kettle,
                                  failure));
            TRY(mesh_add_triangle(mesh, (const uint32_t[3]){upper[n], lower[next], upper[next]}, kettle,
                                  failure));
        }
    }
    const double bottom[3] = {site->centre[0], site->centre[1], site->centre[2] - site->depth};
    return add_fan(mesh, ring[(RINGS - 1) % 2], bottom, kettle, failure);
}
