#include "geometry/base/vector.h"
#include "kernels/scheme/near_walls.h"

#include <math.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "blocks/sheets/sheet_links.h"

#define LEAST_AREA 0.05  /* of the wall in a voxel, for it to show where it faces */
#define LEAST_SIDE 1e-4  /* of a normal, so that slices of a cube have their closed form */
#define STRAIGHT   0.015 /* largest sine that counts as across an axis: roundings */
#define SAME_AS    0.04  /* of openings: roundings, and the bend of a wall of a radius of 5 spacings in one */
#define SAME_WALL  0.97  /* cosine between normals .. */
#define SAME_PLACE 0.15  /* .. and distance [h], to be averaged */
#define RIGHT      0.1   /* largest cosine that counts as a right angle, and is made one */
#define MIRROR     0.02  /* most that a sheet transmits, for each side of it to be a wall's */
#define BEHIND     0.05  /* how far behind a wall a place may seem to be [h] */

/* A wall in a voxel: the plane normal.x = depth about the voxel's centre. */
struct facet {
    double normal[3], depth, area;
};

struct near_cell near_walls_cell(const struct block_grid *grid, const int64_t node[3])
{
    struct near_cell cell;
    const uint64_t index = block_grid_index(grid, node);
    const block_id b = (block_id)(index / BLOCK_NODES);
    const unsigned slot = (unsigned)(index % BLOCK_NODES);
    const bool cut = index != UINT64_MAX && grid->has_records &&
                     (grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63u) & 1u) != 0;
    const uint64_t place = cut ? block_cut_record(grid, b, slot) : 0;
    const uint8_t links = block_grid_links(grid, node);
    for (int d = 0; d < 6; d++)
        cell.open[d] = cut ? grid->cut[place].open[d] / (double)CUT_WHOLE : (double)(links >> d & 1);
    cell.volume = cut ? grid->cut[place].volume / (double)CUT_WHOLE : 1.0;
    cell.mass = cut && grid->lambda2 > 0.0 ? cut_mass(grid, place) : cell.volume;
    cell.sheets = 0;
    for (unsigned d = 0; grid->sheets > 0 && d < 6; d++) {
        const struct sheet_link *const sheet = sheet_link_at(grid, node, (enum direction)d);
        if (sheet == NULL)
            continue;
        cell.sheets |= (uint8_t)(1u << d);
        if (sheet->share <= MIRROR * CUT_WHOLE)
            cell.open[d] = 0.0;
    }
    return cell;
}

/* Share of the unit square or cube (dimensions 2 or 3) where x.n <= d, its corner at 0, all n > 0. */
static double cut_volume(int dimensions, const double *n, double d)
{
    double sum = 0.0, scale = 1.0;
    for (int subset = 0; subset < 1 << dimensions; subset++) {
        double beyond = d, sign = 1.0;
        for (int k = 0; k < dimensions; k++)
            if (subset >> k & 1) {
                beyond -= n[k];
                sign = -sign;
            }
        if (beyond > 0.0)
            sum += sign * pow(beyond, dimensions);
    }
    for (int k = 0; k < dimensions; k++)
        scale *= n[k] * (k + 1);
    return fmin(1.0, fmax(0.0, sum / scale));
}

/* True if a slanted plane explains the cell. Finds its depth. */
static bool explain_slanted(const struct near_cell *cell, struct facet *facet)
{
    double side[3], half = 0.0, low = 0.0, high;
    if (cell->volume > 0.9975)
        return false;
    for (int k = 0; k < 3; k++) {
        side[k] = fmax(fabs(facet->normal[k]), LEAST_SIDE);
        half += 0.5 * side[k];
    }
    for (high = 2.0 * half; high - low > 1e-9;) { /* from the corner that is deepest in the air */
        const double middle = 0.5 * (low + high);
        *(cut_volume(3, side, middle) < cell->volume ? &low : &high) = middle;
    }
    facet->depth = low - half;
    for (int k = 0; k < 3; k++) {
        const double across[2] = {side[(k + 1) % 3], side[(k + 2) % 3]};
        const int in = facet->normal[k] > 0.0 ? 2 * k : 2 * k + 1;
        if (fabs(cut_volume(2, across, low) - cell->open[in]) > SAME_AS ||
            fabs(cut_volume(2, across, low - side[k]) - cell->open[in ^ 1]) > SAME_AS)
            return false;
    }
    return true;
}

/* True if a plane across axis k does. Its cell may include a sliver, and is then deeper than a voxel. */
static bool explain_straight(const struct near_cell *cell, int k, struct facet *facet)
{
    const int in = facet->normal[k] > 0.0 ? 2 * k : 2 * k + 1;
    for (int d = 0; d < 3; d++)
        facet->normal[d] = d == k ? copysign(1.0, facet->normal[d]) : 0.0;
    facet->depth = cell->volume - 0.5;
    bool same = fabs(cell->open[in] - 1.0) <= SAME_AS && cell->open[in ^ 1] == 0.0;
    for (int d = 0; d < 6; d++)
        same = same && (d / 2 == k || fabs(cell->open[d] - cell->volume) <= SAME_AS);
    return same;
}

static bool find_facet(const struct near_cell *cell, struct facet *facet)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        facet->normal[k] = cell->open[2 * k] - cell->open[2 * k + 1];
        square += facet->normal[k] * facet->normal[k];
    }
    facet->area = sqrt(square);
    if (!(facet->area >= LEAST_AREA))
        return false;
    for (int k = 0; k < 3; k++)
        facet->normal[k] /= facet->area;
    for (int k = 0; k < 3; k++)
        if (hypot(facet->normal[(k + 1) % 3], facet->normal[(k + 2) % 3]) <= STRAIGHT)
            return explain_straight(cell, k, facet);
    return explain_slanted(cell, facet);
}

/* Facets found, each with its voxel's centre and the square of that one's distance from the place. */
#define FACETS_MAX 216
struct facets {
    unsigned count;
    struct facet facet[FACETS_MAX];
    double centre[FACETS_MAX][3], square[FACETS_MAX];
};

/* Distance of a point in front of facet f. */
static double in_front(const struct facets *facets, unsigned f, const double at[3])
{
    const struct facet *const facet = &facets->facet[f];
    return facet->depth + vector_dot(facet->normal, facets->centre[f]) - vector_dot(facet->normal, at);
}

/* The wall of facet f: the mean of those that show the same. */
static void average_facets(const struct facets *facets, unsigned f, double normal[3], double *offset)
{
    const struct facet *const first = &facets->facet[f];
    double length = 0.0, weight = 0.0;
    memset(normal, 0, 3 * sizeof *normal);
    *offset = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned g = 0; g < facets->count; g++) {
            const struct facet *const facet = &facets->facet[g];
            double on[3];
            for (int k = 0; k < 3; k++)
                on[k] = facets->centre[g][k] + facet->depth * facet->normal[k];
            if (vector_dot(facet->normal, first->normal) < SAME_WALL ||
                fabs(in_front(facets, f, on)) > SAME_PLACE)
                continue;
            const double w = facet->area / (1.0 + facets->square[g]);
            for (int k = 0; pass == 0 && k < 3; k++)
                normal[k] += w * facet->normal[k];
            if (pass == 1) {
                *offset += w * vector_dot(normal, on) / length;
                weight += w;
            } else {
                length = sqrt(vector_dot(normal, normal));
            }
        }
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
    *offset /= weight;
}

/* Turn the last wall to right angles with the earlier ones, at the same distance from the place. Images of
 * images belong to one field only if the mirrors commute; sums over others give wrong weights.
 */
static void straighten_walls(const double place[3], struct wave_mirrors *walls)
{
    const unsigned last = walls->count - 1;
    double *const normal = walls->normal[last], length = 0.0;
    const double away = walls->offset[last] - vector_dot(normal, place);
    for (unsigned p = 0; p < last; p++) {
        const double along = vector_dot(normal, walls->normal[p]);
        for (int k = 0; k < 3; k++)
            normal[k] -= along * walls->normal[p][k];
    }
    length = sqrt(vector_dot(normal, normal));
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
    walls->offset[last] = away + vector_dot(normal, place);
}

void near_walls_find(const struct block_grid *grid, const int64_t (*node)[3], unsigned count,
                     const double place[3], struct wave_mirrors *out)
{
    struct facets facets = {0};
    for (unsigned n = 0; n < count && facets.count < FACETS_MAX; n++) {
        const struct near_cell cell = near_walls_cell(grid, node[n]);
        const unsigned f = facets.count;
        if (!find_facet(&cell, &facets.facet[f]))
            continue;
        facets.square[f] = 0.0;
        for (int k = 0; k < 3; k++) {
            facets.centre[f][k] = (double)node[n][k];
            facets.square[f] += (facets.centre[f][k] - place[k]) * (facets.centre[f][k] - place[k]);
        }
        facets.count += in_front(&facets, f, place) >= -BEHIND;
    }
    out->count = 0;
    while (out->count < WAVE_MIRRORS_MAX) {
        unsigned nearest = facets.count;
        for (unsigned f = 0; f < facets.count; f++) {
            bool free = true;
            for (unsigned p = 0; p < out->count; p++)
                free = free && fabs(vector_dot(facets.facet[f].normal, out->normal[p])) < RIGHT;
            if (free && (nearest == facets.count || facets.square[f] < facets.square[nearest]))
                nearest = f;
        }
        if (nearest == facets.count)
            break;
        average_facets(&facets, nearest, out->normal[out->count], &out->offset[out->count]);
        out->count++;
        straighten_walls(place, out);
    }
}
