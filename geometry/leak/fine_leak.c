#include "geometry/leak/fine_leak.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/gap.h"
#include "geometry/leak/leak.h"
#include "geometry/leak/path_flood.h"
#include "geometry/leak/room_cuts.h"
#include "geometry/leak/seal.h"
#include "geometry/voxel/clearance.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/seed_node.h"

/* Bytes of binning: a block's key, the start of its list, and its share of pairs while they are sorted. */
#define BINS_BLOCK_BYTES 64
/* A snapped triangle, its share of the tree for the gap, and one pair for a block. */
#define TRIANGLE_BYTES 256
#define SPACING_STEP   1.05

/** The mesh on the coarse grid (sealed on request) with the sources' air, and the mesh that the fine grid is
 * cut from. Plugs are added only to the latter: arrays of `coarse` are as long as its mesh. */
struct fine_search {
    const struct mesh *mesh;
    const struct mesh *fine; /* that of the coarse grid, or &plugged */
    struct mesh plugged;     /* a copy of it with plugs; empty without sealing */
    const struct voxel_seed *seed;
    size_t seed_count;
    double (*position)[3]; /* of the seeds */
    const struct fine_leak_options *options;
    struct room_cuts coarse;
    struct flood air; /* of all sources on the coarse grid */
    struct clearance tree;
    struct failure *failure;
};

void fine_leak_free(struct fine_leak *found)
{
    voxel_leak_free(&found->leak);
    *found = (struct fine_leak){0};
}

uint64_t fine_leak_bytes(const struct mesh *mesh, double spacing)
{
    const double side = 8 * spacing;
    double blocks = 0, positions = 1, low[3], high[3];
    if (mesh_bounds(mesh, low, high, NULL) != 0)
        return 0;
    for (int axis = 0; axis < 3; axis++)
        positions *= ceil((high[axis] - low[axis]) / side) + 1;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangle[t];
        double edge[3][3], normal[3], border = 0;
        for (int i = 0; i < 3; i++) {
            vector_subtract(mesh->vertex[corner[(i + 1) % 3]], mesh->vertex[corner[i]], edge[i]);
            border += vector_length(edge[i]);
        }
        vector_cross(edge[0], edge[1], normal);
        const double shadows = (fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2])) / 2;
        blocks += shadows / (side * side) + border / side;
    }
    blocks = smaller(blocks + 1, positions);
    const double bytes = blocks * (double)(CUT_BLOCK_BYTES + PATH_FLOOD_BLOCK_BYTES + BINS_BLOCK_BYTES) +
                         positions * PATH_FLOOD_POSITION_BYTES +
                         (double)mesh->triangle_count * TRIANGLE_BYTES;
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

static int bad_source(const struct fine_search *search, size_t source, double spacing)
{
    const double *at = search->seed[source].position;
    char title[SEED_TITLE_MAX];
    return failure_set(
        search->failure, FAILURE_INPUT,
        "%s at (%g, %g, %g) m is in a wall or outside the model at a spacing of %.4g m: move it "
        "into the air of the room",
        voxel_seed_title(&search->seed[source], title), at[0], at[1], at[2], spacing);
}

/** Cut the coarse grid and flood it from the sources; or find a leak. */
static int search_coarse(struct fine_search *search, struct fine_leak *found)
{
    const struct voxelise_options options = {.seal_width = search->options->seal_width,
                                             .threads = search->options->threads,
                                             .interrupted = search->options->interrupted};
    struct lattice lattice;
    double low[3], high[3];
    TRY(mesh_bounds(search->mesh, low, high, search->failure));
    TRY(lattice_fit(low, high, search->options->coarse, NULL, &lattice, search->failure));
    TRY(room_cuts_make(search->mesh, &lattice, &options, (const double(*)[3])search->position,
                       search->seed_count, &search->coarse, search->failure));
    TRY(flood_start(&search->coarse.field, false, &search->air, search->failure));
    found->spacing = lattice.spacing;
    for (size_t i = 0; i < search->seed_count; i++) {
        int64_t corner[8][3];
        if (search->seed[i].kind != SEED_SOURCE)
            continue;
        if (seed_corners(&search->coarse.field, search->mesh, search->coarse.snapped,
                         search->seed[i].position, corner) == 0)
            return bad_source(search, i, lattice.spacing);
        TRY(flood_from(&search->air, corner[0], &found->air_nodes, search->failure));
        if (!search->air.escaped)
            continue;
        struct failure sentence = {0};
        char title[SEED_TITLE_MAX];
        const int code = leak_find(search->mesh, &search->coarse.field, corner[0],
                                   voxel_seed_title(&search->seed[i], title), &found->leak, &sentence);
        if (code == FAILURE_CAPACITY || found->leak.point_count == 0)
            return failure_forward(search->failure, &sentence);
        found->leaks = true;
        found->source = i;
        found->why = sentence;
        return 0;
    }
    return 0;
}

/** Owner, on the coarse grid, of the air at a point of the path. */
enum belongs { TO_SOURCES, TO_OTHERS, TO_NONE };

static enum belongs air_at(const struct fine_search *search, const double point[3])
{
    int64_t corner[8][3];
    const int corners =
        seed_corners(&search->coarse.field, search->coarse.mesh, search->coarse.snapped, point, corner);
    for (int i = 0; i < corners; i++)
        if (flood_is_air(&search->air, corner[i]))
            return TO_SOURCES;
    return corners > 0 ? TO_OTHERS : TO_NONE;
}

/** The stretch of the path around the gap: from the last point in the sources' coarse air to the next one in
 * other air, or to the end. Tests every few points, then each. */
static void find_stretch(const struct fine_search *search, const double (*point)[3], size_t count,
                         size_t stride, size_t *first, size_t *last)
{
    size_t at = count - 1;
    while (at > 0 && air_at(search, point[at]) != TO_SOURCES)
        at = at > stride ? at - stride : 0;
    for (size_t n = at + 1; n <= at + stride && n < count; n++)
        if (air_at(search, point[n]) == TO_SOURCES)
            at = n;
    *first = at;
    *last = count - 1;
    for (size_t n = at + 1; n < count; n += 1 + (n > at + 8 * stride) * (stride / 2))
        if (air_at(search, point[n]) == TO_OTHERS) {
            *last = n;
            break;
        }
}

/** The gap on the path, and the sentence about it. */
static int find_gap(struct fine_search *search, double spacing, struct voxel_leak *leak)
{
    const double(*point)[3] = (const double(*)[3])leak->point;
    const size_t stride = (size_t)larger(1, floor(search->options->coarse / spacing / 2));
    size_t first, last;
    if (search->tree.node_count == 0)
        TRY(clearance_make(search->mesh, &search->tree, search->failure));
    find_stretch(search, point, leak->point_count, stride, &first, &last);
    size_t trough = first;
    double least = INFINITY;
    for (size_t n = first; n <= last; n++) {
        const double clear = clearance_at(&search->tree, point[n], least);
        if (clear < least) {
            least = clear;
            trough = n;
        }
    }
    const double rough = 1.5 * least + spacing;
    struct gap gap;
    TRY(gap_refine(&search->tree, point, leak->point_count, trough, spacing, rough, &gap, search->failure));
    memcpy(leak->gap, gap.position, sizeof leak->gap);
    leak->gap_size = gap.size;
    return 0;
}

static void describe_leak(const struct fine_search *search, struct fine_leak *found)
{
    const struct voxel_leak *leak = &found->leak;
    const double *end = leak->point[leak->point_count - 1];
    char title[SEED_TITLE_MAX], size[LEAK_WIDTH_MAX];
    (void)failure_set(
        &found->why, FAILURE_INPUT,
        "the room is closed at its own spacing of %.3g m, but not at %.3g m: there a path leads from %s out "
        "of the model through a gap about %s wide at (%.3f, %.3f, %.3f) m and is outside "
        "at (%.3f, %.3f, %.3f) m, so a finer grid will leak",
        search->options->coarse, found->spacing, voxel_seed_title(&search->seed[found->source], title),
        leak_width(leak->gap_size, size), leak->gap[0], leak->gap[1], leak->gap[2], end[0], end[1], end[2]);
    (void)failure_fix(FAILURE_INPUT, &found->why, "close the gap in the model");
    if (leak->gap_size <= LEAK_SEAL_SUGGESTED)
        (void)failure_advise(FAILURE_INPUT, &found->why, ADVICE_SEAL,
                             leak_seal_centimetres(leak->gap_size) / 100);
}

/** The source's node on the fine grid: the nearest corner of its cell that it sees and that has an uncut
 * link. */
static bool fine_node(const struct fine_search *search, const struct cut_field *links,
                      const struct snapped_triangle *snapped, size_t source, int64_t node[3])
{
    const struct cut_field uncut = {.lattice = links->lattice};
    int64_t corner[8][3];
    const int corners = seed_corners(&uncut, search->mesh, snapped, search->seed[source].position, corner);
    for (int i = 0; i < corners; i++)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            if (!cut_field_is_cut(links, corner[i], (enum direction)direction)) {
                memcpy(node, corner[i], sizeof corner[i]);
                return true;
            }
    return false;
}

/** Positions of the path's nodes, and a few points straight on past its end. */
#define POINTS_PAST 16
static int copy_path(struct fine_search *search, const struct lattice *lattice, const struct node_path *path,
                     struct voxel_leak *leak)
{
    const size_t count = path->count + POINTS_PAST;
    leak->point = malloc(count * sizeof *leak->point);
    if (leak->point == NULL)
        return failure_memory(search->failure, count * sizeof *leak->point, "the path of a leak");
    leak->point_count = count;
    for (size_t n = 0; n < path->count; n++)
        lattice_position(lattice, path->node[n], leak->point[n]);
    const int64_t *end = path->node[path->count - 1], *before = path->node[path->count - 2];
    for (size_t n = path->count; n < count; n++) {
        int64_t node[3];
        for (int axis = 0; axis < 3; axis++)
            node[axis] = end[axis] + (end[axis] - before[axis]) * (int64_t)(n - path->count + 1);
        lattice_position(lattice, node, leak->point[n]);
    }
    return 0;
}

/** Search once, with the plugs so far. */
static int search_fine(struct fine_search *search, double spacing, struct fine_leak *found)
{
    struct triangle_bins bins = {0};
    struct cut_field links = {0};
    struct node_path path = {0};
    struct lattice lattice;
    double low[3], high[3];
    int result = 0;
    TRY(mesh_bounds(search->mesh, low, high, search->failure));
    TRY(lattice_fit(low, high, spacing, NULL, &lattice, search->failure));
    if ((result = triangle_bins_make(search->fine, &lattice, &bins, search->failure)) != 0 ||
        (result = cut_field_make_bare(&bins, &lattice, search->options->threads, &links, search->failure)) !=
            0)
        goto done;
    links.interrupted = search->options->interrupted;
    found->spacing = spacing;
    for (size_t i = 0; i < search->seed_count && !found->leaks; i++) {
        int64_t node[3];
        if (search->seed[i].kind != SEED_SOURCE)
            continue;
        if (!fine_node(search, &links, bins.snapped, i, node)) {
            result = bad_source(search, i, spacing);
            goto done;
        }
        if ((result = path_flood(&links, node, &found->leaks, &path, &found->air_nodes, search->failure)) !=
            0)
            goto done;
        found->source = i;
    }
    triangle_bins_free(&bins);
    cut_field_free(&links);
    if (found->leaks && (result = copy_path(search, &lattice, &path, &found->leak)) == 0)
        result = find_gap(search, spacing, &found->leak);
done:
    free(path.node);
    triangle_bins_free(&bins);
    cut_field_free(&links);
    return result;
}

/** Repeat until the room is closed or a leak path is wider than the seal. */
static int search_until_plugged(struct fine_search *search, double spacing, struct fine_leak *found)
{
    const double width = search->options->seal_width;
    bool plugged;
    search->fine = search->coarse.mesh;
    if (width > 0) {
        TRY(mesh_copy(search->coarse.mesh, &search->plugged, search->failure));
        search->fine = &search->plugged;
    }
    do {
        plugged = false;
        TRY(search_fine(search, spacing, found));
        if (found->leaks && width > 0)
            TRY(seal_plug(&search->tree, &found->leak, width, spacing, &search->plugged, &plugged,
                          search->failure));
        if (plugged) {
            voxel_leak_free(&found->leak);
            found->leaks = false;
        }
    } while (plugged);
    if (found->leaks)
        describe_leak(search, found);
    return 0;
}

int fine_leak_find(const struct mesh *mesh, const struct voxel_seed *seed, size_t seed_count,
                   const struct fine_leak_options *options, struct fine_leak *out, struct failure *failure)
{
    struct fine_search search = {
        .mesh = mesh, .seed = seed, .seed_count = seed_count, .options = options, .failure = failure};
    struct fine_leak found = {.bytes = fine_leak_bytes(mesh, options->coarse),
                              .bytes_wished = fine_leak_bytes(mesh, options->spacing)};
    double spacing = options->spacing;
    int result = 0;
    search.position = malloc((seed_count + 1) * sizeof *search.position);
    if (search.position == NULL) {
        result = failure_memory(failure, seed_count * sizeof *search.position, "the positions");
        goto done;
    }
    for (size_t i = 0; i < seed_count; i++)
        memcpy(search.position[i], seed[i].position, sizeof search.position[i]);
    if ((result = search_coarse(&search, &found)) != 0)
        goto done;
    while (spacing < options->coarse && options->memory_bytes != 0 &&
           fine_leak_bytes(search.coarse.mesh, spacing) > options->memory_bytes)
        spacing *= SPACING_STEP;
    if (!found.leaks && spacing < options->coarse) {
        found.bytes = fine_leak_bytes(search.coarse.mesh, spacing);
        if ((result = search_until_plugged(&search, spacing, &found)) != 0)
            goto done;
    }
    *out = found;
    found = (struct fine_leak){0};
done:
    fine_leak_free(&found);
    flood_free(&search.air);
    room_cuts_free(&search.coarse);
    mesh_free(&search.plugged);
    clearance_free(&search.tree);
    free(search.position);
    return result;
}
