/* What a surface is for, told from its name in six languages and from what it is made of. */
#include "rooms/materials/surface_use.h"
#include "tests/support/outcome.h"

static struct material_library library;

static void load(void)
{
    MUST(material_library_load(&library, &failure));
}

static void unload(void)
{
    material_library_free(&library);
}

TestSuite(surface_use, .init = load, .fini = unload);

static void expect(enum surface_use use, const char *const *name)
{
    for (; *name != NULL; name++)
        cr_assert(eq(int, (int)surface_use_of(&library, *name, NULL), (int)use), "%s", *name);
}

Test(surface_use, floors_and_seats_are_known_in_six_languages)
{
    expect(SURFACE_FLOOR,
           (const char *const[]){"stone_floor", "Floor.001",
                                 "Holzfu\xc3\x9f"
                                 "boden",
                                 "Parkett", "Tile", "plancher bois", "Pavimento_marmo", "suelo",
                                 "houten vloer", "Teppich rot", "Red Carpet", "Soundproof_Floor",
                                 "Carpet_wall_to_wall", "Dachboden_Dielen", NULL});
    expect(SURFACE_SEATS, (const char *const[]){"pews", "Oak Pew.003", "Kirchenbank_Eiche", "bancs", "panche",
                                                "banco de iglesia", "kerkbanken",
                                                "upholstered seats occupied", "Audience", NULL});
}

Test(surface_use, walls_roofs_and_what_only_says_what_it_is_made_of_are_neither)
{
    expect(SURFACE_OTHER,
           (const char *const[]){"wall of first floor", "Holzdecke", "timber roof", "oak", "stone", "plaster",
                                 "Material.001", "acoustic tile", "Beichtstuhl", "textile", "Eiche",
                                 "ceiling above pews", NULL});
    expect(SURFACE_ALTAR, (const char *const[]){"stone_altar", "Hochaltar", NULL});
}

Test(surface_use, a_name_that_says_nothing_is_what_the_library_has_for_it)
{
    const char *const floors[] = {"linoleum", "parquet on concrete", "carpet thin on concrete"};
    for (size_t i = 0; i < 3; i++) {
        const struct material *material = material_library_find(&library, floors[i]);
        cr_assert(material != NULL);
        cr_assert(eq(int, (int)surface_use_of(&library, "Material.001", material), SURFACE_FLOOR));
        cr_assert(eq(int, (int)surface_use_of(&library, "Nordwand", material), SURFACE_OTHER));
    }
    const struct material *pews = material_library_find(&library, "wooden pews empty");
    cr_assert(pews != NULL);
    cr_assert(eq(int, (int)surface_use_of(&library, "Material.001", pews), SURFACE_SEATS));
    cr_assert(eq(int, (int)surface_use_of(&library, "Material.001", pews->pair), SURFACE_SEATS));
}
