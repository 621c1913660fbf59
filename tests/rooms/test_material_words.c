/* What surfaces are made of by the words of their names, as modellers, their libraries and languages have
 * them. */
#include "rooms/materials/material_words.h"
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

TestSuite(material_words, .init = load, .fini = unload);

Test(material_words, names_split_at_blanks_figures_capitals_and_lose_their_accents)
{
    static const char *const split[][2] = {
        {"Translucent_Glass_Gray", "translucent glass gray"},
        {"[Brick_Rough_Tan].001", "brick rough tan 001"},
        {"WoodFloor043", "wood floor 043"},
        {"Bricks075A", "bricks 075 a"},
        {"OSBPlatte", "osb platte"},
        {"Concrete - Cast-in-Place Concrete - 35 MPa", "concrete cast in place concrete 35 m pa"},
        {"Brick, Common", "brick common"},
        {"T\xc3\x9cR", "tuer"},
        {"T\xc3\xbcr", "tuer"},
        {"wei\xc3\x9f"
         "eEiche",
         "weisse eiche"},
        {"ch\xc3\xaane", "chene"},
        {"HORMIG\xc3\x93N", "hormigon"},
        {"", ""},
        {"_ 7", "7"},
        {"\xc3", "\xc3"},
        {"\xe6\x9c\xa8", "\xe6\x9c\xa8"},
    };
    for (size_t s = 0; s < sizeof split / sizeof *split; s++) {
        char words[MATERIAL_WORDS_MAX];
        material_words_split(split[s][0], words);
        cr_assert(eq(str, words, (char *)split[s][1]));
    }
}

Test(material_words, a_name_of_any_length_is_cut_and_not_split_wrong)
{
    char name[2000], words[MATERIAL_WORDS_MAX];
    memset(name, 0, sizeof name);
    for (size_t length = 0; length + 3 < sizeof name; length += 2) {
        memcpy(name + length, "\xc3\xbc", 2);
        material_words_split(name, words);
        cr_assert(eq(sz, strlen(words), length + 2 < MATERIAL_WORDS_MAX ? length + 2 : strlen(words)));
        cr_assert(strspn(words, "ue") == strlen(words) && strlen(words) < MATERIAL_WORDS_MAX);
    }
}

/* Names of the libraries of modellers, each as it stands in published models, tables and programs, with what
 * the library then knows it as; NULL: nothing. */
static const char *const of_libraries[][2] = {
    /* SketchUp */
    {"Wood_Cherry_Original", "wood boards on planks"},
    {"Wood_Floor_Dark", "wood floor on joists"},
    {"[Brick_Rough_Tan]", "brick unglazed"},
    {"[Translucent_Glass_Gray]10", "window glass"},
    {"Carpet_Berber_Multi", "carpet heavy on concrete"},
    {"Stone_Masonry_Multi", "limestone wall"},
    {"_Metal_Aluminum_Anodized_1.001", "hard surfaces average"},
    {"Roofing_Shingles_Asphalt", "wood boards on planks"},
    {"Tile_Limestone_Multi", "limestone wall"},
    {"Wallpaper_Thin_Brown_Stripes", "plaster on masonry"},
    {"Vegetation_Grass1", NULL},
    {"Color_D05", NULL},
    {"FrontColor", NULL},
    /* Revit */
    {"Concrete - Cast-in-Place Concrete - 35 MPa", "concrete smooth"},
    {"Concrete Masonry Units", "concrete block unpainted"},
    {"Gypsum Wall Board", "gypsum board on studs"},
    {"Finishes - Exterior - Timber Cladding", "wood boards on planks"},
    {"Brick, Common", "brick unglazed"},
    {"Oak Flooring", "wood floor on joists"},
    {"Metal - Paint Finish - Ivory, Glossy", "hard surfaces average"},
    {"Acoustic Ceiling Tile 24 x 48", "fissured ceiling tile"},
    {"Default Wall", "plaster on masonry"},
    {"Ortbeton - bewehrt Verputzt", "plaster on masonry"},
    {"Mauerwerk - Ziegel", "brick unglazed"},
    {"T\xc3\xbcr - Stahl Zarge", "door solid wooden"},
    /* ArchiCAD, in German */
    {"Stahlbeton", "concrete smooth"},
    {"Putz - wei\xc3\x9f", "plaster on masonry"},
    {"Holz - Eiche", "wooden lining"},
    /* ambientcg.com */
    {"WoodFloor043", "wood floor on joists"},
    {"Bricks075A", "brick unglazed"},
    {"PavingStones070", "limestone wall"},
    {"PaintedPlaster017", "plaster on masonry"},
    {"CorrugatedSteel008A", "hard surfaces average"},
    {"AcousticFoam003", "melamine foam wedge ceiling"},
    /* polyhaven.com */
    {"oak_veneer_01", "wooden lining"},
    {"laminate_floor_02", "parquet on concrete"},
    {"concrete_floor_02", "concrete floor"},
    {"terrazzo_tiles", "terrazzo"},
    {"plastered_wall_04", "plaster on masonry"},
};

static const char *const of_languages[][2] = {
    {"Holzfenster", "window glass"},
    {"Decke aus Holz", "wood boards on planks"},
    {"Eichenparkett ge\xc3\xb6lt", "parquet on concrete"},
    {"EINGANGST\xc3\x9cR", "door solid wooden"},
    {"Glast\xc3\xbcr 2", "plate glass large"},
    {"Boden", "marble floor"},
    {"Eis", NULL}, /* no pews */
    {"Kalksandstein", "brick unglazed"},
    {"Bleiglasfenster", "leaded glazing"},
    {"nat\xc3\xbcrlich", NULL},
    {"plafond en bois", "wood boards on planks"},
    {"vo\xc3\xbbte", "plaster on masonry"},
    {"Pierre de taille", "limestone wall"},
    {"vetrata colorata", "leaded glazing"},
    {"Hormigon visto", "concrete smooth"},
    {"houten vloer", "wood floor on joists"},
    {"glas-in-lood", "leaded glazing"},
};

static void expect_guesses(const char *const (*table)[2], size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const struct material *guess = material_guess(&library, table[n][0]);
        const char *name = guess != NULL ? guess->name : "nothing";
        cr_expect(strcmp(name, table[n][1] != NULL ? table[n][1] : "nothing") == 0, "%s: %s, not %s",
                  table[n][0], name, table[n][1] != NULL ? table[n][1] : "nothing");
    }
}

Test(material_words, names_of_the_libraries_of_modellers_are_guessed)
{
    expect_guesses(of_libraries, sizeof of_libraries / sizeof *of_libraries);
}

Test(material_words, words_of_five_languages_are_guessed_alone_and_in_compounds)
{
    expect_guesses(of_languages, sizeof of_languages / sizeof *of_languages);
}

Test(material_words, suggestions_begin_with_what_the_words_stand_for_and_name_nothing_twice)
{
    const struct material *near[4];
    cr_assert(eq(sz, material_suggest(&library, "eiche", near, 4), 1));
    cr_assert(eq(str, (char *)near[0]->name, "wooden lining"));
    cr_assert(eq(sz, material_suggest(&library, "eiche", near, 0), 0));
    cr_assert(eq(sz, material_suggest(&library, "Grass", near, 1), 1)); /* one letter from glass */
    const size_t count = material_suggest(&library, "Brick_Common", near, 4);
    cr_assert(test_at_least((double)count, 3)); /* one of the near ones is what it means */
    for (size_t n = 0; n < count; n++)
        for (size_t m = 0; m < n; m++)
            cr_assert(near[n] != near[m]);
}

Test(material_words, every_name_of_the_library_with_a_remark_behind_it_is_still_that_material)
{
    for (size_t m = 0; m < library.count; m++) {
        char name[100];
        (void)snprintf(name, sizeof name, "%s, 2nd", library.material[m].name);
        const struct material *guess = material_guess(&library, name);
        cr_expect(guess == &library.material[m], "%s: %s", name, guess != NULL ? guess->name : "nothing");
    }
}
