#include "geometry/room/voxeliser.h"
#include "geometry/voxel/voxels.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

/* A tilted box: blocks of open air, mixed blocks, cuts at every kind of face. */
static struct voxels tilted_box(void)
{
    struct mesh mesh = {0};
    double at[3];
    const struct solid_pose pose = solid_pose_make(0.3, 0.2, (const double[3]){1, 2, 3});
    solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){3, 2.5, 2.8}, NULL, -1);
    solid_place(&pose, (const double[3]){1.4, 1.3, 1.2}, at);
    const struct lattice lattice = fit(&mesh, 0.09);
    struct voxels voxels = flood_room(&mesh, &lattice, source_at(at[0], at[1], at[2]));
    mesh_free(&mesh);
    return voxels;
}

Test(voxels, a_voxelised_room_passes_the_check)
{
    struct voxels voxels = tilted_box();
    MUST(voxels_check(&voxels, &failure));
    cr_assert(test_above((double)(voxels_bytes(&voxels)), (double)(voxels.contact_count * 8)));
    voxels_free(&voxels);
    cr_assert(eq(u64, voxels_bytes(&voxels), 0));
    MUST(voxels_check(&voxels, &failure));
    voxels_free(&voxels);
}

/* `phrase` must stand in the sentence: many kinds of damage would also be found by another check. */
static void expect_refusal(const struct voxels *voxels, const char *what, const char *phrase)
{
    cr_assert(eq(int, voxels_check(voxels, &failure), FAILURE_INPUT), "%s goes unnoticed", what);
    cr_assert(strstr(failure.sentence, phrase) != NULL, "%s: %s", what, failure.sentence);
}

Test(voxels, the_check_notices_every_kind_of_damage)
{
    struct voxels voxels = tilted_box();
    /* A detail in the middle of the list, one of its cut links, and its node. */
    struct voxel_detail *detail = &voxels.detail[voxels.detail_count / 2];
    struct voxel_contact *contact = &voxels.contact[detail->first_contact];
    const unsigned z = contact->slot >> 6, direction = contact->direction;
    const uint64_t bit = UINT64_C(1) << (contact->slot & 63);
    const struct voxel_contact contact_before = *contact;
    const struct voxel_detail detail_before = *detail;

    detail->cut[direction][z] &= ~bit;
    expect_refusal(&voxels, "an uncut link to a node that is not air", "leads to a node that is not air");
    *detail = detail_before;
    for (unsigned d = 0; d < DIRECTIONS; d++)
        for (unsigned plane = 0; plane < 8; plane++) {
            const uint64_t uncut = detail->air[plane] & ~detail->cut[d][plane];
            if (uncut != 0) {
                detail->cut[d][plane] |= uncut & (~uncut + 1);
                expect_refusal(&voxels, "a link cut at one end", "not at its other end");
                *detail = detail_before;
            }
        }
    detail->air[z] &= ~bit;
    expect_refusal(&voxels, "a cut link at a node that is not air", "that is not air");
    *detail = detail_before;
    detail->contact_count--;
    expect_refusal(&voxels, "a missing contact", "has no contact");
    *detail = detail_before;
    detail->first_contact = UINT64_MAX;
    expect_refusal(&voxels, "contacts outside the array", "has contacts");
    *detail = detail_before;
    contact->direction = (uint8_t)(direction ^ 1);
    expect_refusal(&voxels, "a contact in the wrong direction", "has no contact");
    *contact = contact_before;
    contact->slot ^= 1;
    expect_refusal(&voxels, "a contact at the wrong node", "has no contact");
    *contact = contact_before;
    contact->cosine = VOXELS_COSINE_ONE + 1;
    expect_refusal(&voxels, "a cosine above one", "cosine");
    *contact = contact_before;

    voxels.air_nodes++;
    expect_refusal(&voxels, "a wrong count of air nodes", "air nodes");
    voxels.air_nodes--;
    voxels.air_low[1]--;
    expect_refusal(&voxels, "a wrong bounding box", "along y");
    voxels.air_low[1]++;
    voxels.contact_count--;
    expect_refusal(&voxels, "a wrong count of contacts", "contacts");
    voxels.contact_count++;
    const struct voxel_block first = voxels.block[0];
    voxels.block[0] = voxels.block[1];
    expect_refusal(&voxels, "a block twice", "does not come after");
    voxels.block[0] = first;
    voxels.block[0].detail = VOXELS_OPEN_AIR;
    expect_refusal(&voxels, "a mixed block passed off as open air", "link");
    voxels.block[0].detail = (uint32_t)voxels.detail_count;
    expect_refusal(&voxels, "a detail outside the array", "detail");
    voxels.block[0] = first;
    voxels.block_count--;
    expect_refusal(&voxels, "a missing block", "");
    voxels.block_count++;
    MUST(voxels_check(&voxels, &failure));
    voxels_free(&voxels);
}

Test(voxels, blocks_are_found_by_place_and_nothing_else_is)
{
    struct voxels voxels = tilted_box();
    size_t found = 0;
    for (int32_t z = -2; z < 12; z++)
        for (int32_t y = -2; y < 12; y++)
            for (int32_t x = -2; x < 12; x++) {
                const int32_t place[3] = {x, y, z};
                const size_t block = voxels_find(&voxels, place);
                if (block == SIZE_MAX)
                    continue;
                cr_assert(eq(int, memcmp(voxels.block[block].place, place, sizeof place), 0));
                found++;
            }
    cr_assert(eq(sz, found, voxels.block_count));
    cr_assert(eq(int, voxels_is_air(&voxels, (const int64_t[3]){-1, 0, INT64_C(1) << 40}), 0));
    voxels_free(&voxels);
}
