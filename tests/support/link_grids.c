#include "tests/support/link_grids.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "tests/support/outcome.h"

struct link_room {
    const int64_t *low, *nodes;
    const uint8_t *links;
    const bool *air;
};

/* Place in the arrays of a node, or SIZE_MAX outside of them. */
static size_t place_of(const struct link_room *room, const int64_t node[3])
{
    size_t place = 0;
    for (int a = 2; a >= 0; a--) {
        if (node[a] < room->low[a] || node[a] - room->low[a] >= room->nodes[a])
            return SIZE_MAX;
        place = place * (size_t)room->nodes[a] + (size_t)(node[a] - room->low[a]);
    }
    return place;
}

/* Links of a node that both ends agree on. */
static uint8_t kept_links(const struct link_room *room, const int64_t node[3], size_t place)
{
    uint8_t kept = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        int64_t beside[3] = {node[0], node[1], node[2]};
        beside[d / 2] += d & 1 ? 1 : -1;
        const size_t there = room->links[place] >> d & 1 ? place_of(room, beside) : SIZE_MAX;
        if (there != SIZE_MAX)
            kept |= (uint8_t)((room->links[there] >> (d ^ 1) & 1) << d);
    }
    return kept;
}

/* Air, cuts and contacts of a block; `*room_for` is the length of voxels->contact. Returns its nodes of air.
 */
static unsigned fill_detail(const struct link_room *room, const struct block *block, link_wall_at *wall_at,
                            void *context, struct voxels *voxels, size_t *room_for,
                            struct voxel_detail *detail)
{
    unsigned air_nodes = 0;
    *detail = (struct voxel_detail){.first_contact = voxels->contact_count};
    if (voxels->contact_count + DIRECTIONS * BLOCK_NODES > *room_for) {
        *room_for = 2 * *room_for + DIRECTIONS * BLOCK_NODES;
        voxels->contact = realloc(voxels->contact, *room_for * sizeof *voxels->contact);
        cr_assert(voxels->contact != NULL);
    }
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        int64_t node[3];
        block_node(block, slot, node);
        const size_t place = place_of(room, node);
        const uint8_t kept = place == SIZE_MAX ? 0 : kept_links(room, node, place);
        if (room->air == NULL ? kept == 0 : place == SIZE_MAX || !room->air[place])
            continue;
        const uint64_t bit = UINT64_C(1) << (slot & 63);
        air_nodes++;
        detail->air[slot >> 6] |= bit;
        for (int a = 0; a < 3; a++) {
            voxels->air_low[a] = node[a] < voxels->air_low[a] ? node[a] : voxels->air_low[a];
            voxels->air_high[a] = node[a] > voxels->air_high[a] ? node[a] : voxels->air_high[a];
        }
        for (int d = 0; d < DIRECTIONS; d++) {
            if (kept >> d & 1)
                continue;
            struct voxel_contact *contact = &voxels->contact[voxels->contact_count++];
            *contact = (struct voxel_contact){
                .slot = (uint16_t)slot, .direction = (uint8_t)d, .cosine = VOXELS_COSINE_ONE};
            if (wall_at != NULL)
                wall_at(context, node, (enum direction)d, &contact->material, &contact->cosine);
            detail->cut[d][slot >> 6] |= bit;
            detail->contact_count++;
        }
    }
    return air_nodes;
}

struct voxels link_voxels(const int64_t low[3], const int64_t nodes[3], const uint8_t *links, const bool *air,
                          link_wall_at *wall_at, void *context)
{
    const struct link_room room = {low, nodes, links, air};
    struct voxels voxels = {.lattice = {.spacing = 1}};
    int32_t first[3], past[3];
    size_t most = 1, room_for = 0;
    for (int a = 0; a < 3; a++) {
        first[a] = (int32_t)((low[a] - (low[a] & 7)) / BLOCK_EDGE);
        past[a] = (int32_t)((low[a] + nodes[a] + 7 - ((low[a] + nodes[a] + 7) & 7)) / BLOCK_EDGE);
        most *= (size_t)(past[a] - first[a]);
        voxels.lattice.nodes[a] = low[a] + nodes[a];
        voxels.air_low[a] = INT64_MAX;
        voxels.air_high[a] = INT64_MIN;
    }
    voxels.block = calloc(most, sizeof *voxels.block);
    voxels.detail = calloc(most, sizeof *voxels.detail);
    cr_assert(voxels.block != NULL && voxels.detail != NULL);
    for (int32_t z = first[2]; z < past[2]; z++)
        for (int32_t y = first[1]; y < past[1]; y++)
            for (int32_t x = first[0]; x < past[0]; x++) {
                const struct block block = {.place = {x, y, z}};
                struct voxel_detail detail;
                const unsigned air_nodes =
                    fill_detail(&room, &block, wall_at, context, &voxels, &room_for, &detail);
                if (air_nodes == 0)
                    continue;
                const bool open = air_nodes == BLOCK_NODES && detail.contact_count == 0;
                voxels.block[voxels.block_count++] = (struct voxel_block){
                    .place = {x, y, z}, .detail = open ? VOXELS_OPEN_AIR : (uint32_t)voxels.detail_count};
                voxels.air_nodes += air_nodes;
                if (!open)
                    voxels.detail[voxels.detail_count++] = detail;
            }
    return voxels;
}

void link_grids(const int64_t low[3], const int64_t nodes[3], const uint8_t *links, link_wall_at *wall_at,
                void *context, struct block_grid *blocks, struct box_grid *box)
{
    struct voxels voxels = link_voxels(low, nodes, links, NULL, wall_at, context);
    MUST(block_grid_pack(&voxels, blocks, &failure));
    MUST(box_grid_from_blocks(blocks, box, &failure));
    voxels_free(&voxels);
}

static int by_node_and_material(const void *a, const void *b)
{
    const struct box_wall *one = a, *other = b;
    const uint64_t node = one->node & ~BOX_WALL_CONTINUES, other_node = other->node & ~BOX_WALL_CONTINUES;
    return node != other_node ? (node > other_node) - (node < other_node)
                              : (one->material > other->material) - (one->material < other->material);
}

void must_be_box_of(const struct box_grid *box, const struct block_grid *blocks)
{
    uint64_t in_box = 0, in_blocks = 0;
    for (uint64_t n = 0; n < box->length; n++)
        in_box += box->links[n] != 0;
    cr_assert(box->walls == blocks->walls && box->wall_nodes == blocks->wall_nodes);
    for (uint64_t w = 1; w < box->walls; w++)
        cr_assert(by_node_and_material(&box->wall[w - 1], &box->wall[w]) < 0, "entry %llu",
                  (unsigned long long)w);
    for (block_id b = 1; b <= blocks->blocks; b++) {
        int64_t node[3];
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            const uint8_t links = blocks->tile[blocks->block[b].tile][slot];
            block_node(&blocks->block[b], slot, node);
            const uint64_t index = box_grid_index(box, node);
            in_blocks += links != 0;
            cr_assert(links == (index == UINT64_MAX ? 0 : box->links[index]), "node (%lld,%lld,%lld)",
                      (long long)node[0], (long long)node[1], (long long)node[2]);
        }
        for (uint64_t w = blocks->wall_first[b]; w < blocks->wall_first[b + 1]; w++) {
            const struct wall *wall = &blocks->wall[w];
            block_node(&blocks->block[b], wall->slot & WALL_SLOT, node);
            const struct box_wall key = {.node = box_grid_index(box, node), .material = wall->material},
                                  *found =
                                      bsearch(&key, box->wall, box->walls, sizeof key, by_node_and_material);
            cr_assert(found != NULL && found->weight == wall->weight && found->reserved == 0 &&
                          (found->node != key.node) == ((wall->slot & WALL_CONTINUES) != 0),
                      "block %u, entry %llu", b, (unsigned long long)w);
        }
    }
    cr_assert(in_box == in_blocks && in_box == box->air_nodes && in_box == blocks->air_nodes);
}

struct time_step time_step_for(enum scheme scheme, double spacing, double sound_speed, double courant)
{
    struct time_step step;
    MUST(time_step_choose(scheme, spacing, sound_speed, courant, &step, &failure));
    return step;
}

struct time_step time_step_of(double spacing, double sound_speed, double courant)
{
    return time_step_for(SCHEME_STANDARD, spacing, sound_speed, courant);
}

void link_grids_widen(struct block_grid *blocks, struct box_grid *box, const struct time_step *step)
{
    struct cut_masses masses;
    if (step->scheme != SCHEME_ISOTROPIC)
        return;
    MUST(block_grid_widen(blocks, &failure));
    MUST(cut_masses_make(blocks, step->lambda2, &masses, &failure));
    if (box == NULL)
        return;
    box_grid_free(box);
    MUST(box_grid_from_blocks(blocks, box, &failure));
}

struct engine *engine_of(const struct block_grid *blocks, const struct box_grid *box,
                         const struct time_step *step, const double *admittance, size_t materials,
                         const struct wall_materials *walls, const struct engine_options *options)
{
    struct engine *engine = NULL;
    box = options->layout == LAYOUT_BOX ? box : NULL;
    MUST(walls != NULL ? engine_create_walls(&engine, blocks, box, step, walls, options, &failure)
                       : engine_create(&engine, blocks, box, step, admittance, materials, options, &failure));
    return engine;
}
