/* Where people sit, in small rooms whose names mean nothing or mislead. */
#include "src/setup/area/audience_floor.h"
#include "tests/support/flooded_room.h"
#include "tests/support/outcome.h"

static struct mesh mesh;
static struct block_grid air;
static struct clearance tree;
static struct audience_floor people;
static bool in_the_open;

static void leave_room(void)
{
    audience_floor_free(&people);
    clearance_free(&tree);
    block_grid_free(&air);
    mesh_free(&mesh);
}

TestSuite(audience_floor, .fini = leave_room);

#define AT(...) ((const double[3]){__VA_ARGS__})

static void put_box(const char *name, const double low[3], const double high[3])
{
    const uint16_t m = solid_material(&mesh, name), face[6] = {m, m, m, m, m, m};
    solid_box(&mesh, NULL, low, high, face, -1);
}

static void put_floor(const char *name, double z, double x0, double y0, double x1, double y1)
{
    const double low[2] = {x0, y0}, high[2] = {x1, y1};
    solid_panel(&mesh, NULL, 2, z, low, high, solid_material(&mesh, name));
}

/* Find them anew around a source. One that is 2.1 m above a floor has no place there. */
static void find(const double source[3])
{
    const struct lattice lattice = fit(&mesh, 0.2);
    const struct voxel_seed seed = source_at(source[0], source[1], source[2]);
    const struct voxelise_options options = {.threads = 2, .open = in_the_open};
    struct voxels voxels = {0};
    struct material_library library = {0};
    enum surface_use use[16];
    audience_floor_free(&people);
    block_grid_free(&air);
    clearance_free(&tree);
    MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    MUST(block_grid_pack(&voxels, &air, &failure));
    voxels_free(&voxels);
    MUST(clearance_make(&mesh, &tree, &failure));
    MUST(material_library_load(&library, &failure));
    for (size_t m = 0; m < mesh.material_count; m++)
        use[m] = surface_use_of(&library, mesh.material[m], NULL);
    material_library_free(&library);
    const struct receiver_air in = {
        .tree = &tree, .use = use, .grid = &air, .sources = 1, .source = (const double(*)[3])source};
    MUST(audience_floor_find(&in, &people, &failure));
}

/* Is there one part of that verdict at that height, of about that area [m2]? */
static void expect_part(enum audience_verdict verdict, double height, double area)
{
    char words[AUDIENCE_WORDS_MAX];
    for (size_t p = 0; p < people.parts; p++)
        if (people.part[p].verdict == verdict && fabs(people.part[p].middle[2] - height) < 0.05 &&
            fabs(people.part[p].area - area) < 0.1 * area + 1)
            return;
    cr_assert(false, "%g m2 at %g m: %s", area, height, audience_floor_words(&people, &mesh, words));
}

Test(audience_floor, nobody_sits_on_a_platform_with_a_source_whatever_its_name)
{
    put_box("plaster", AT(0, 0, 0), AT(12, 8, 5));
    put_box("audience floor", AT(9, 0, 0), AT(12, 8, 0.9));
    find(AT(10.5, 4, 2.4));
    expect_part(AUDIENCE_SITS, 0, 72);
    expect_part(AUDIENCE_STAGE, 0.9, 24);
    cr_assert(eq(sz, people.parts, 2));
}

Test(audience_floor, a_platform_behind_the_source_is_a_stage_and_one_behind_the_audience_with_tiers_is_not)
{
    put_box("plaster", AT(0, 0, 0), AT(20, 8, 6));
    put_box("stone", AT(17, 0, 0), AT(20, 8, 0.5));
    put_box("stone", AT(0, 0, 0), AT(1.5, 8, 0.8));
    put_box("stone", AT(1.5, 0, 0), AT(3, 8, 0.4));
    find(AT(16, 4, 2.1));
    expect_part(AUDIENCE_STAGE, 0.5, 24);
    cr_assert(eq(sz, people.parts, 2), "the tiers go on from the floor");
    expect_part(AUDIENCE_SITS, (0.8 * 12 + 0.4 * 12) / 136, 136);
}

Test(audience_floor, an_attic_with_an_open_hatch_and_another_storey_hold_nobody)
{
    put_box("plaster", AT(0, 0, 0), AT(10, 8, 7));
    put_floor("audience floor", 4, 0, 0, 10, 7);
    put_floor("audience floor", 4, 0, 7, 9, 8);
    find(AT(2, 4, 2.1));
    expect_part(AUDIENCE_SITS, 0, 80);
    expect_part(AUDIENCE_HIDDEN, 4, 79);
    find(AT(2, 4, 6.1)); /* and with the source upstairs people are there */
    expect_part(AUDIENCE_SITS, 4, 79);
    expect_part(AUDIENCE_HIDDEN, 0, 80);
}

Test(audience_floor, people_sit_on_a_balcony_without_a_name_and_on_no_cupboard_and_no_cloud)
{
    put_box("plaster", AT(0, 0, 0), AT(14, 8, 7));
    put_box("m1", AT(0, 0, 3), AT(3, 8, 3.3));
    put_box("m1", AT(2.9, 0, 3.3), AT(3, 8, 4.3)); /* its parapet */
    put_box("m2", AT(12, 0, 0), AT(14, 4, 2.4));
    put_box("m3", AT(6, 2, 4.5), AT(10, 6, 4.6));
    find(AT(10, 6, 2.1));
    expect_part(AUDIENCE_SITS, 0, 112 - 8);
    expect_part(AUDIENCE_SITS, 3.3, 23.2);
    cr_assert(eq(sz, people.parts, 2));
}

Test(audience_floor, nobody_sits_around_an_altar_and_behind_it_though_no_step_leads_there)
{
    put_box("plaster", AT(0, 0, 0), AT(20, 8, 6));
    for (int row = 0; row < 6; row++)
        put_box("pews", AT(2 + 1.2 * row, 1, 0), AT(2.42 + 1.2 * row, 7, 0.45));
    put_box("high altar", AT(17, 3, 0), AT(18, 5, 1));
    find(AT(9.5, 1, 2.1));
    /* A circle of 8.8 m about x = 22.8 m: the nearest tenth of the seats is 9.4 m from the altar. */
    expect_part(AUDIENCE_PLACE, 0, 43.5);
    expect_part(AUDIENCE_SITS, 0, 160 - 43.5 - 2);
}

Test(audience_floor, in_the_open_people_sit_on_the_ground_and_not_on_a_larger_roof)
{
    put_floor("m1", 0, 0, 0, 8, 8);
    put_box("m2", AT(8, 0, 0), AT(20, 8, 4));
    put_box("m2", AT(-4, 0, 3), AT(0.5, 8, 3.2));
    put_box("m2", AT(-4, 0, 0), AT(-3.8, 8, 8));
    in_the_open = true;
    for (double z = 2.1; z < 8; z += 4) { /* or a loudspeaker over the roofs */
        find(AT(4, 4, z));
        expect_part(AUDIENCE_SITS, 0, 64);
        cr_assert(eq(sz, people.parts, 1));
    }
}

Test(audience_floor, seats_without_a_name_give_their_people_the_floor_beneath)
{
    put_box("plaster", AT(0, 0, 0), AT(10, 8, 5));
    for (int row = 0; row < 6; row++)
        put_box("m1", AT(2 + row, 1, 0), AT(2.42 + row, 7, 0.45));
    find(AT(9, 4, 2.1));
    cr_assert(eq(sz, people.parts, 1));
    expect_part(AUDIENCE_SITS, 0, 80);
    struct floor_point seat = {.position = {2.2, 4, 0.45}, .face = 0.45, .level = true};
    cr_assert(eq(int, audience_floor_stand(&people, &seat), AUDIENCE_SITS));
    cr_assert(test_near(seat.position[2], 0, 1e-12));
}
