#include "geometry/air/air_pack.h"

#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/air/contact_face.h"
#include "geometry/voxel/block_bits.h"

struct packing {
    const struct flood *flood;
    const struct cut_field *plain; /* may be NULL */
    struct contact_face *face;     /* (triangle_count) */
    struct voxels voxels;
};

/** One block of the result. */
struct block_view {
    uint64_t air[8], cut[6][8];
    uint64_t leaving[6][8]; /* uncut links of an open scene that leave the box; in `cut` too */
    uint32_t contacts;
};

/** Starts of the hits of a block's links, by axis and z. */
struct hit_rows {
    const struct cut_field *field;
    const struct cut_block *block; /* NULL: no cuts */
    uint64_t first[3][8];
};

/** Air of the nodes behind every node of the block in one direction. */
static void air_behind(const struct flood *flood, const int32_t place[3], const uint64_t air[8],
                       enum direction direction, uint64_t behind[8])
{
    int32_t next[3];
    box_place_next(place, (int)direction, next);
    uint64_t other[8] = {0};
    if (box_has_place(flood->field->blocks, next))
        flood_block_air(flood, next, other);
    block_bits_move(air, other, direction ^ 1, behind);
}

/** True if the block may have a cut link. Cheap: most blocks of a room are far from walls. */
static bool may_have_cuts(const struct flood *flood, const int32_t place[3])
{
    const struct cut_field *field = flood->field;
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] == 0 || place[axis] == field->blocks[axis] - 1)
            return true;
    const uint64_t index = box_place_index(field->blocks, place);
    const uint64_t row = (uint64_t)field->blocks[0], layer = row * (uint64_t)field->blocks[1];
    return ((flood->state[index] | flood->state[index - 1] | flood->state[index - row] |
             flood->state[index - layer]) &
            FLOOD_HAS_CUTS) != 0;
}

static void view_block(const struct packing *packing, const int32_t place[3], struct block_view *view)
{
    const struct flood *flood = packing->flood;
    memset(view, 0, sizeof *view);
    if (!may_have_cuts(flood, place))
        return;
    flood_block_air(flood, place, view->air);
    (void)cut_field_block_cuts(flood->field, place, view->cut);
    uint64_t plain[6][8];
    if (packing->plain != NULL)
        (void)cut_field_block_cuts(packing->plain, place, plain);
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        if (packing->plain != NULL) {
            uint64_t behind[8];
            air_behind(flood, place, view->air, (enum direction)direction, behind);
            for (int z = 0; z < 8; z++)
                view->cut[direction][z] = plain[direction][z] | (view->cut[direction][z] & ~behind[z]);
        }
        uint64_t layer[8] = {0};
        if (flood->open)
            block_bits_edge(&flood->field->lattice, place, (enum direction)direction, layer);
        for (int z = 0; z < 8; z++) {
            view->cut[direction][z] &= view->air[z];
            view->leaving[direction][z] = view->air[z] & layer[z] & ~view->cut[direction][z];
            view->cut[direction][z] |= view->leaving[direction][z];
            view->contacts += (uint32_t)__builtin_popcountll(view->cut[direction][z]);
        }
    }
}

static void index_hits(const struct cut_field *field, const int32_t place[3], struct hit_rows *rows)
{
    rows->field = field;
    rows->block = field != NULL ? cut_field_block(field, place) : NULL;
    if (rows->block == NULL)
        return;
    uint64_t next = field->first_hit[rows->block - field->block];
    for (int axis = 0; axis < 3; axis++)
        for (int z = 0; z < 8; z++) {
            rows->first[axis][z] = next;
            next += (uint64_t)__builtin_popcountll(rows->block->cut[axis][z]);
        }
}

/** The hit on the link whose low end is `slot` of the block; NULL if the block does not cut it. */
static const struct cut_hit *find_hit(const struct hit_rows *rows, int axis, unsigned slot)
{
    const uint64_t bit = UINT64_C(1) << (slot & 63);
    if (rows->block == NULL || (rows->block->cut[axis][slot >> 6] & bit) == 0)
        return NULL;
    const uint64_t below = rows->block->cut[axis][slot >> 6] & (bit - 1);
    return &rows->field->hit[rows->first[axis][slot >> 6] + (uint64_t)__builtin_popcountll(below)];
}

/** The block itself and the three before it along x, y and z, in one field. */
static void find_hit_rows(const struct cut_field *field, const int32_t place[3], struct hit_rows rows[4])
{
    index_hits(field, place, &rows[3]);
    for (int axis = 0; axis < 3; axis++) {
        int32_t before[3];
        box_place_next(place, 2 * axis, before);
        index_hits(field, before, &rows[axis]);
    }
}

/** Triangle at the node's cut link in `direction`; UINT32_MAX if there is none in the rows. */
static uint32_t nearest_triangle(const struct hit_rows rows[4], unsigned slot, int direction)
{
    const int axis = direction / 2;
    const unsigned stride = 1u << 3 * axis;
    if (direction % 2 != 0) {
        const struct cut_hit *hit = find_hit(&rows[3], axis, slot);
        return hit != NULL ? hit->low_triangle : UINT32_MAX;
    }
    const bool first = (slot >> 3 * axis & 7) == 0;
    const struct cut_hit *hit =
        first ? find_hit(&rows[axis], axis, slot + 7 * stride) : find_hit(&rows[3], axis, slot - stride);
    return hit != NULL ? hit->high_triangle : UINT32_MAX;
}

static void fill_contacts(const struct packing *packing, const struct voxel_block *block,
                          const struct block_view *view, struct voxel_contact *contact)
{
    struct hit_rows plain[4], sealed[4];
    find_hit_rows(packing->flood->field, block->place, sealed);
    find_hit_rows(packing->plain, block->place, plain);
    for (unsigned slot = 0; slot < 512; slot++) {
        const unsigned z = slot >> 6, row = slot & 63;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            if ((view->cut[direction][z] >> row & 1) == 0)
                continue;
            *contact = (struct voxel_contact){.slot = (uint16_t)slot,
                                              .material = VOXELS_OPEN_FACE,
                                              .direction = (uint8_t)direction,
                                              .cosine = VOXELS_COSINE_ONE};
            if ((view->leaving[direction][z] >> row & 1) == 0) {
                uint32_t triangle = nearest_triangle(plain, slot, direction);
                if (triangle == UINT32_MAX)
                    triangle = nearest_triangle(sealed, slot, direction);
                assert(triangle != UINT32_MAX);
                const struct contact_face *face = &packing->face[triangle];
                contact->material = face->material[face->side[direction]];
                contact->cosine = face->cosine[direction / 2];
            }
            contact++;
        }
    }
}

/** List the blocks with air in order of (z,y,x). */
static int list_blocks(struct packing *packing, struct failure *failure)
{
    const struct flood *flood = packing->flood;
    const int64_t *blocks = flood->field->blocks;
    const uint64_t places = (uint64_t)blocks[0] * (uint64_t)blocks[1] * (uint64_t)blocks[2];
    size_t count = 0;
    for (uint64_t i = 0; i < places; i++)
        count += (flood->state[i] & FLOOD_REACHED) != 0;
    struct voxel_block *block = malloc((count + 1) * sizeof *block);
    if (block == NULL)
        return failure_memory(failure, count * sizeof *block, "the blocks of the air");
    packing->voxels.block = block;
    packing->voxels.block_count = count;
    uint64_t index = 0;
    for (int32_t z = 0; z < blocks[2]; z++)
        for (int32_t y = 0; y < blocks[1]; y++)
            for (int32_t x = 0; x < blocks[0]; x++)
                if ((flood->state[index++] & FLOOD_REACHED) != 0)
                    *block++ = (struct voxel_block){.place = {x, y, z}, .detail = 0};
    return 0;
}

/** Turn the contact counts that the blocks carry in `detail` into details, and make room for the contacts. */
static int allot_details(struct voxels *voxels, struct failure *failure)
{
    for (size_t b = 0; b < voxels->block_count; b++) {
        voxels->detail_count += voxels->block[b].detail != 0;
        voxels->contact_count += voxels->block[b].detail;
    }
    voxels->detail = calloc(voxels->detail_count + 1, sizeof *voxels->detail);
    voxels->contact = malloc((voxels->contact_count + 1) * sizeof *voxels->contact);
    if (voxels->detail == NULL || voxels->contact == NULL)
        return failure_memory(failure, voxels_bytes(voxels), "the walls of the air");
    if (voxels->detail_count >= VOXELS_OPEN_AIR)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "%zu blocks touch a wall, but at most %u can be numbered",
                                          voxels->detail_count, VOXELS_OPEN_AIR - 1),
                              failure, ADVICE_LARGER_SPACING, 0);
    uint32_t detail = 0;
    uint64_t contact = 0;
    for (size_t b = 0; b < voxels->block_count; b++) {
        struct voxel_block *block = &voxels->block[b];
        const uint32_t contacts = block->detail;
        block->detail = contacts != 0 ? detail : VOXELS_OPEN_AIR;
        if (contacts == 0)
            continue;
        voxels->detail[detail].first_contact = contact;
        voxels->detail[detail++].contact_count = contacts;
        contact += contacts;
    }
    return 0;
}

int air_pack(const struct mesh *mesh, const uint16_t *back, const struct flood *flood,
             const struct cut_field *plain, int threads, struct voxels *out, struct failure *failure)
{
    struct packing packing = {.flood = flood, .plain = plain, .voxels = {.lattice = flood->field->lattice}};
    struct voxels *voxels = &packing.voxels;
    const int team = threads > 0 ? threads : omp_get_max_threads();
    int result = 0;
    if ((result = contact_faces_make(mesh, &voxels->lattice, back, &packing.face, failure)) != 0 ||
        (result = list_blocks(&packing, failure)) != 0)
        goto done;
#pragma omp parallel for schedule(dynamic, 256) num_threads(team)
    for (size_t b = 0; b < voxels->block_count; b++) {
        struct block_view view;
        view_block(&packing, voxels->block[b].place, &view);
        voxels->block[b].detail = view.contacts;
    }
    if ((result = allot_details(voxels, failure)) != 0)
        goto done;
#pragma omp parallel for schedule(dynamic, 256) num_threads(team)
    for (size_t b = 0; b < voxels->block_count; b++) {
        const struct voxel_block *block = &voxels->block[b];
        if (block->detail == VOXELS_OPEN_AIR)
            continue;
        struct voxel_detail *detail = &voxels->detail[block->detail];
        struct block_view view;
        view_block(&packing, block->place, &view);
        memcpy(detail->air, view.air, sizeof detail->air);
        memcpy(detail->cut, view.cut, sizeof detail->cut);
        fill_contacts(&packing, block, &view, &voxels->contact[detail->first_contact]);
    }
    voxels_measure(voxels);
    *out = *voxels;
    *voxels = (struct voxels){0};
done:
    free(packing.face);
    voxels_free(voxels);
    return result;
}
