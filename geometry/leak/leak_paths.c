#include "geometry/leak/leak_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/leak.h"
#include "geometry/leak/link_groups.h"
#include "geometry/voxel/block_bits.h"

/* Links at the faces of the box, and the exit of each. */
struct exits {
    size_t count;
    struct lattice_link *link;
    uint32_t *group;
};

static struct lattice_link link_of(const struct voxel_block *block, const struct voxel_contact *contact)
{
    struct lattice_link link = {.axis = (uint8_t)(contact->direction / 2)};
    block_bits_node(block->place, contact->slot, link.low);
    link.low[link.axis] -= contact->direction % 2 == 0;
    return link;
}

static void gather_links(const struct voxels *air, struct exits *exits)
{
    exits->count = 0;
    for (size_t b = 0; b < air->block_count; ++b) {
        if (air->block[b].detail == VOXELS_OPEN_AIR)
            continue;
        const struct voxel_detail *detail = &air->detail[air->block[b].detail];
        for (uint32_t c = 0; c < detail->contact_count; ++c) {
            const struct voxel_contact *contact = &air->contact[detail->first_contact + c];
            if (contact->material == VOXELS_OPEN_FACE)
                exits->link[exits->count++] = link_of(&air->block[b], contact);
        }
    }
}

/* Face of the box that a link passes, as a direction. */
static int face_of(const struct lattice_link *link)
{
    return 2 * link->axis + (link->low[link->axis] >= 0);
}

static void fill_exits(const struct exits *exits, const struct voxel_place *place, struct voxel_exit *exit)
{
    size_t known = 0;
    for (size_t n = 0; n < exits->count; ++n) {
        const size_t e = exits->group[n];
        const int face = face_of(&exits->link[n]);
        if (e == known) { /* numbers rise in the order of first links */
            memcpy(exit[e].position, place[e].position, sizeof exit[e].position);
            exit[e].links = place[e].links;
            exit[e].face = face;
            exit[e].flat = true;
            ++known;
        }
        exit[e].flat = exit[e].flat && exit[e].face == face;
    }
}

/* Groups of links, numbered as link_groups_make() numbers them. */
static int find_exits(const struct voxels *air, struct exits *exits, struct voxel_findings *findings,
                      struct failure *failure)
{
    const size_t links = (size_t)findings->open_face_links;
    if (findings->open_face_links > LEAK_PATHS_LINKS)
        return 0;
    exits->link = malloc((links + 1) * sizeof *exits->link);
    exits->group = malloc((links + 1) * sizeof *exits->group);
    if (exits->link == NULL || exits->group == NULL)
        return failure_memory(failure, links * sizeof *exits->link, "the faces of an open scene");
    gather_links(air, exits);
    size_t count = 0;
    TRY(link_groups_make(exits->link, exits->count, exits->group, &count, failure));
    struct voxel_place *place = calloc(count + 1, sizeof *place);
    findings->exit = calloc(count + 1, sizeof *findings->exit);
    int code = place == NULL || findings->exit == NULL
                   ? failure_memory(failure, count * sizeof *place, "the faces of an open scene")
                   : link_groups_places(&air->lattice, exits->link, exits->count, exits->group, count, place,
                                        failure);
    if (code == 0) {
        fill_exits(exits, place, findings->exit);
        findings->exit_count = count;
    }
    free(place);
    return code;
}

static void node_of(const struct lattice *lattice, const double position[3], int64_t node[3])
{
    double coordinate[3];
    lattice_coordinate(lattice, position, coordinate);
    for (int axis = 0; axis < 3; ++axis)
        node[axis] = llround(coordinate[axis]);
}

/* Exit by which a path leaves the box; VOXEL_NO_EXIT if unknown. */
static size_t exit_of(const struct exits *exits, const struct lattice *lattice, const struct voxel_leak *leak)
{
    int64_t before[3], node[3];
    node_of(lattice, leak->point[0], before);
    memcpy(node, before, sizeof node);
    for (size_t p = 1; p < leak->point_count; ++p) {
        node_of(lattice, leak->point[p], node);
        if (!lattice_has(lattice, node))
            break;
        memcpy(before, node, sizeof before);
    }
    for (size_t n = 0; n < exits->count; ++n) {
        const struct lattice_link *link = &exits->link[n];
        int64_t high[3] = {link->low[0], link->low[1], link->low[2]};
        high[link->axis] += 1;
        if ((memcmp(link->low, before, sizeof before) == 0 && memcmp(high, node, sizeof node) == 0) ||
            (memcmp(link->low, node, sizeof node) == 0 && memcmp(high, before, sizeof before) == 0))
            return exits->group[n];
    }
    return VOXEL_NO_EXIT;
}

static bool is_known(const struct voxel_findings *findings, const struct voxel_leak *leak, double spacing)
{
    for (size_t w = 0; w < findings->path_count; ++w)
        if (vector_distance(findings->path[w].leak.gap, leak->gap) <= larger(2 * spacing, leak->gap_size))
            return true;
    return false;
}

int leak_paths_find(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                    const struct voxels *air, struct voxel_findings *findings, struct failure *failure)
{
    const bool sealed = room->mesh == &room->sealed;
    const struct mesh *mesh = room->open ? room->mesh : room->walls;
    const struct cut_field *field = room->open || !sealed ? &room->field : &room->plain;
    struct exits exits = {0};
    int code = 0;
    size_t searched = 0;
    findings->path = calloc(LEAK_PATHS_SOURCES, sizeof *findings->path);
    if (findings->path == NULL)
        return failure_memory(failure, LEAK_PATHS_SOURCES * sizeof *findings->path, "leaks");
    if (room->open)
        code = find_exits(air, &exits, findings, failure);
    for (size_t s = 0; s < seed_count && searched < LEAK_PATHS_SOURCES && code == 0; ++s) {
        struct voxel_leak_path path = {.seed = s, .sealed = !room->open, .exit = VOXEL_NO_EXIT};
        struct failure why = {0};
        if (seed[s].kind != SEED_SOURCE)
            continue;
        ++searched;
        code = leak_find(mesh, field, findings->seed_node[s], "the source", &path.leak, &why);
        if (path.leak.point_count > 0) { /* a leak was found: this failure is the result */
            code = 0;
            if (is_known(findings, &path.leak, field->lattice.spacing)) {
                voxel_leak_free(&path.leak);
                continue;
            }
            if (room->open)
                path.exit = exit_of(&exits, &field->lattice, &path.leak);
            findings->path[findings->path_count++] = path;
        } else if (code != 0) {
            failure_forward(failure, &why);
        }
    }
    free(exits.link);
    free(exits.group);
    return code;
}
