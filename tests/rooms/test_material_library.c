/* The material library: every value accounted for, names that mean one thing or nothing, seats and people. */
#include <ctype.h>

#include "geometry/mesh/material_colour.h"
#include "rooms/materials/material_library.h"
#include "rooms/shapes/room_shape.h"
#include "src/base/options/failure_text.h"
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

TestSuite(material_library, .init = load, .fini = unload);

static const struct material *found(const char *name)
{
    const struct material *material = material_library_find(&library, name);
    cr_assert(material != NULL, "%s means nothing", name);
    return material;
}

/* ---- the library itself ---- */

Test(material_library, every_value_lies_in_range_and_has_its_source)
{
    for (size_t m = 0; m < library.count; m++) {
        const struct material *material = &library.material[m];
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            cr_assert(test_at_least(material->absorption[o], 0) && test_at_most(material->absorption[o], 1.2),
                      "%s", material->name);
        cr_assert(material->source != NULL, "%s has no source", material->name);
        cr_assert(material->row != NULL, "%s has no row", material->name);
        cr_assert(eq(str, (char *)material->source->id, (char *)material->source_id));
        for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
            cr_assert(test_at_least(material->scattering.octave[o], 0) &&
                          test_at_most(material->scattering.octave[o], 1),
                      "%s", material->name);
        const bool scatters = material->scattering.given != 0;
        cr_assert(scatters == (material->scattering_source != NULL), "%s", material->name);
        cr_assert(scatters == (material->scattering_row != NULL), "%s", material->name);
    }
}

/* A name without a word of its colour has one by its letters, which another letter changes. */
Test(material_library, every_material_has_the_colour_of_its_class)
{
    for (size_t m = 0; m < library.count; m++) {
        double own[3], longer[3];
        char name[200];
        snprintf(name, sizeof name, "%s x", library.material[m].name);
        material_colour(library.material[m].name, own);
        material_colour(name, longer);
        cr_expect(memcmp(own, longer, sizeof own) == 0, "%s", library.material[m].name);
    }
}

Test(material_library, every_source_is_used_and_has_a_link)
{
    for (size_t s = 0; s < library.source_count; s++) {
        size_t used = 0;
        for (size_t m = 0; m < library.count; m++)
            used += library.material[m].source == &library.source[s];
        cr_assert(test_above((double)used, 0), "%s is used by nothing", library.source[s].id);
        cr_assert(strncmp(library.source[s].link, "http", 4) == 0);
        for (size_t t = 0; t < s; t++)
            cr_assert(strcmp(library.source[s].id, library.source[t].id) != 0);
    }
}

Test(material_library, values_are_those_of_the_documents)
{
    static const struct {
        const char *name;
        double absorption[MATERIAL_OCTAVES];
    } read[] = {
        {"limestone wall", {0.02, 0.02, 0.02, 0.03, 0.04, 0.05, 0.05, 0.05}},
        {"marble floor", {0.01, 0.01, 0.01, 0.01, 0.02, 0.02, 0.02, 0.02}},
        {"plaster on masonry", {0.013, 0.013, 0.015, 0.02, 0.03, 0.04, 0.05, 0.05}},
        {"wooden pews empty", {0.1, 0.1, 0.09, 0.08, 0.08, 0.08, 0.08, 0.08}},
        {"leaded glazing", {0.3, 0.3, 0.2, 0.14, 0.1, 0.05, 0.05, 0.05}},
        {"wooden lining", {0.27, 0.27, 0.23, 0.22, 0.15, 0.1, 0.07, 0.06}},
        {"gypsum board on studs", {0.3, 0.3, 0.1, 0.05, 0.04, 0.07, 0.1, 0.1}},
        {"carpet haircord on felt", {0.1, 0.1, 0.15, 0.25, 0.3, 0.3, 0.3, 0.3}},
        {"curtain heavy velour folded", {0.14, 0.14, 0.35, 0.55, 0.72, 0.7, 0.65, 0.65}},
    };
    for (size_t r = 0; r < sizeof read / sizeof *read; r++)
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            cr_assert(test_near(found(read[r].name)->absorption[o], read[r].absorption[o], 1e-15),
                      "%s at %u Hz", read[r].name, material_octave[o]);
}

/* ---- names ---- */

static const char *name_of(const struct material *material, unsigned number)
{
    return number == 0 ? material->name : material->alias[number - 1];
}

Test(material_library, every_name_and_alias_means_its_own_material_however_it_is_written)
{
    for (size_t m = 0; m < library.count; m++)
        for (unsigned n = 0; n <= library.material[m].alias_count; n++) {
            const char *name = name_of(&library.material[m], n);
            char written[200], other[240];
            size_t length = 0;
            for (; name[length] != '\0'; length++)
                written[length] = (char)(name[length] == ' ' ? (length % 2 ? '_' : '-')
                                                             : toupper((unsigned char)name[length]));
            written[length] = '\0';
            cr_assert(eq(ptr, (void *)found(name), (void *)&library.material[m]), "%s", name);
            cr_assert(eq(ptr, (void *)found(written), (void *)&library.material[m]), "%s", written);
            snprintf(other, sizeof other, " _%s.001 ", written);
            cr_assert(eq(ptr, (void *)found(other), (void *)&library.material[m]), "%s", other);
            snprintf(other, sizeof other, "[ %s].0123", name);
            cr_assert(eq(ptr, (void *)found(other), (void *)&library.material[m]), "%s", other);
        }
}

Test(material_library, names_that_say_nothing_match_nothing)
{
    static const char *const nothing[] = {
        "",        "Material", "Material.001", "[Brick_01]", "Default", "default.002", "Brick_01", "brick.01",
        "brick.1", "brick001", "[brick",       "brick]",     "[brick)", "brick [1]",   ".001",     "[]",
        "[.001]",  "_ -",      "Walls",        "Ceiling",    "Floor",   "None",        "Layer0",   "bric",
        "stone a", "astone",   "sto ne",       "wall",       "00",      "White",       "Tile",     "lambert1",
    };
    for (size_t n = 0; n < sizeof nothing / sizeof *nothing; n++)
        cr_assert(material_library_find(&library, nothing[n]) == NULL, "'%s' means %s", nothing[n],
                  material_library_find(&library, nothing[n])->name);
}

Test(material_library, a_name_of_any_length_is_looked_up_whole)
{
    for (size_t length = 0; length < 300; length++) {
        char name[700];
        snprintf(name, sizeof name, "%*s%*s", (int)length + 6, "marble", (int)length, "");
        cr_assert(eq(str, (char *)found(name)->name, "marble floor"), "%zu blanks", length);
        memset(name + length + 6, 'x', length);
        cr_assert(length == 0 || material_library_find(&library, name) == NULL, "%zu letters", length);
    }
}

Test(material_library, built_in_rooms_are_made_of_what_it_knows)
{
    size_t shapes = 0, materials = 0;
    const struct room_shape *shape = room_shapes(&shapes);
    for (size_t s = 0; s < shapes; s++)
        for (int vaulted = 0; vaulted < 2; vaulted++) {
            double value[ROOM_PARAMETERS_MAX];
            struct mesh mesh = {0};
            room_defaults(&shape[s], value);
            if (vaulted && room_set(&shape[s], value, "roof", "vaulted", &failure) != 0)
                continue;
            MUST(room_build(&shape[s], value, &mesh, &failure));
            for (size_t m = 0; m < mesh.material_count; m++, materials++)
                cr_assert(material_library_find(&library, mesh.material[m]) != NULL, "%s of %s",
                          mesh.material[m], shape[s].name);
            mesh_free(&mesh);
        }
    cr_assert(test_at_least((double)materials, 10));
}

static bool is_near(const char *name, const char *expected)
{
    const struct material *near[4];
    const size_t count = material_library_nearest(&library, name, near, 4);
    for (size_t n = 0; n < count; n++)
        if (strcmp(near[n]->name, expected) == 0)
            return true;
    return false;
}

Test(material_library, near_names_are_a_few_letters_or_a_word_away)
{
    const struct material *near[16];
    cr_assert(eq(sz, material_library_nearest(&library, "marbel", near, 1), 1));
    cr_assert(eq(str, (char *)near[0]->name, "marble floor"));
    cr_assert(eq(sz, material_library_nearest(&library, "[Brick_01]", near, 4), 4));
    cr_assert(eq(str, (char *)near[0]->name, "brick unglazed"));
    cr_assert(is_near("old_limestone.001", "limestone wall"));
    cr_assert(is_near("Velvet red", "curtain velvet tight"));
    cr_assert(is_near("woden_pews", "wooden pews empty"));
    cr_assert(eq(sz, material_library_nearest(&library, "Material.001", near, 4), 0));
    cr_assert(eq(sz, material_library_nearest(&library, "Default", near, 4), 0));
    cr_assert(eq(sz, material_library_nearest(&library, "", near, 4), 0));
    cr_assert(eq(sz, material_library_nearest(&library, "brick", near, 0), 0));
    cr_assert(test_at_most((double)material_library_nearest(&library, "carpet on felt", near, 16), 16));
}

/* ---- seats and people ---- */

Test(material_library, seats_and_pews_come_in_pairs)
{
    size_t pairs = 0;
    for (size_t m = 0; m < library.count; m++) {
        const struct material *material = &library.material[m];
        if (material->pair == NULL)
            continue;
        pairs++;
        cr_assert(eq(ptr, (void *)material->pair->pair, (void *)material));
        cr_assert(material->kind == MATERIAL_SEATING || material->kind == MATERIAL_AUDIENCE);
        cr_assert(material->pair->kind != material->kind);
    }
    cr_assert(test_at_least((double)pairs, 8));
    cr_assert(eq(str, (char *)found("pews")->pair->name, "wooden pews occupied"));
    cr_assert(found("marble")->pair == NULL);
}

Test(material_library, mixing_is_linear_in_equivalent_area)
{
    const double share[] = {0, 0.25, 0.5, 0.9, 1};
    for (size_t m = 0; m < library.count; m++) {
        const struct material *material = &library.material[m];
        const bool taken = material->kind == MATERIAL_AUDIENCE;
        const struct material *empty = material->pair == NULL ? material : taken ? material->pair : material;
        const struct material *full = material->pair == NULL ? material : taken ? material : material->pair;
        for (size_t s = 0; s < sizeof share / sizeof *share; s++) {
            const double area = 37, people = share[s] * area; /* [m2] seats, and those with people */
            double mixed[MATERIAL_OCTAVES];
            material_absorption(material, share[s], mixed);
            for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
                cr_assert(test_near(area * mixed[o],
                                    people * full->absorption[o] + (area - people) * empty->absorption[o],
                                    1e-12),
                          "%s", material->name);
        }
        double alone[MATERIAL_OCTAVES];
        material_absorption(material, NAN, alone);
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            cr_assert(test_near(alone[o], material->absorption[o], 0));
    }
}

/* The source has a row for two seats in three taken, which the library does not. */
Test(material_library, mixed_seats_agree_with_the_published_two_thirds)
{
    static const struct {
        const char *name;
        double two_thirds[6]; /* 125 Hz to 4 kHz */
    } published[] = {{"wooden pews empty", {0.37, 0.40, 0.47, 0.53, 0.56, 0.53}},
                     {"cushioned pews occupied", {0.44, 0.56, 0.65, 0.72, 0.72, 0.67}},
                     {"wooden theatre seats empty", {0.34, 0.21, 0.28, 0.53, 0.56, 0.53}}};
    for (size_t p = 0; p < sizeof published / sizeof *published; p++) {
        double mixed[MATERIAL_OCTAVES];
        material_absorption(found(published[p].name), 2.0 / 3, mixed);
        for (size_t o = 0; o < 6; o++)
            cr_assert(test_near(mixed[o + 1], published[p].two_thirds[o], 0.005), "%s at %u Hz: %g",
                      published[p].name, material_octave[o + 1], mixed[o + 1]);
    }
}

/* The row of the document, 125 Hz to 8 kHz, held constant beyond. */
Test(material_library, people_in_rows_scatter_as_published)
{
    static const double audience[SCATTERING_OCTAVES] = {.3, .3, .5, .6, .6, .7, .7, .7, .7};
    size_t rows = 0;
    for (size_t m = 0; m < library.count; m++) {
        const struct material *material = &library.material[m];
        if (material->scattering.given == 0)
            continue;
        rows++;
        cr_assert(eq(str, (char *)material->scattering_row, "theatre_audience"));
        cr_assert(eq(uint, material->scattering.given, 0xFEu), "%s", material->name);
        cr_assert(memcmp(material->scattering.octave, audience, sizeof audience) == 0, "%s", material->name);
        cr_assert(material->kind == MATERIAL_AUDIENCE, "%s", material->name);
    }
    cr_assert(test_above((double)rows, 0));
}

/* ---- files ---- */

#define STONE  "- name: stone\n  kind: stone\n"
#define VALUES "  absorption: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.7]\n"
#define SEATS                                                                                                \
    "materials:\n- name: seats\n  kind: seating\n" VALUES                                                    \
    "  pair: people\n- name: people\n  kind: audience\n" VALUES "  pair: seats\n"

static int read_text(const char *text, struct material_library *out, struct failure *why)
{
    return material_library_read(text, strlen(text), "file.yaml", out, why);
}

Test(material_library, a_file_of_the_same_form_is_read)
{
    struct material_library own = {0};
    MUST(read_text("materials:\n" STONE VALUES "  aliases: [Rock]\n  extended: [8000]\n", &own, &failure));
    cr_assert(eq(sz, own.count, 1));
    cr_assert(material_library_find(&own, "rock") == own.material);
    cr_assert(test_near(own.material->absorption[2], 0.3, 1e-15));
    cr_assert(material_is_extended(own.material, 7) && !material_is_extended(own.material, 0));
    cr_assert(own.material->source == NULL && own.material->pair == NULL);
    cr_assert(eq(uint, own.material->scattering.given, 0));
    material_library_free(&own);
    MUST(read_text("materials:\n" STONE VALUES "  scattering: 0.4\n", &own, &failure));
    cr_assert(own.material->scattering.octave[0] == 0.4 && own.material->scattering.octave[8] == 0.4);
    material_library_free(&own);
    MUST(read_text("materials:\n" STONE VALUES "  scattering: {250: 0.2, 2000: 0.8}\n", &own, &failure));
    static const double expected[SCATTERING_OCTAVES] = {.2, .2, .2, .2, .8, .8, .8, .8, .8};
    cr_assert(memcmp(own.material->scattering.octave, expected, sizeof expected) == 0);
    material_library_free(&own);
    MUST(read_text(SEATS, &own, &failure));
    cr_assert(own.material[0].pair == &own.material[1]);
    material_library_free(&own);
    material_library_free(&own);
}

Test(material_library, a_wrong_file_is_refused_with_the_place)
{
    static const struct {
        const char *text, *place, *what;
    } wrong[] = {
        {"", "file.yaml", "is empty"},
        {"materials: 3\n", "file.yaml", "materials"},
        {"materials: [\n", "file.yaml", ""},
        {"materials:\n- name: stone\n  kind: stone\n", "file.yaml", "absorption"},
        {"materials:\n" STONE "  absorption: [0.1, 0.2]\n", "file.yaml", "absorption"},
        {"materials:\n" STONE "  absorption: [x, 0, 0, 0, 0, 0, 0, 0]\n", "file.yaml", "absorption"},
        {"materials:\n- name: stone\n  kind: rock\n" VALUES, "file.yaml", "kind"},
        {"materials:\n" STONE VALUES "  colour: red\n", "file.yaml", "colour"},
        {"materials:\n" STONE VALUES "  kind: wood\n", "line 5", "first in line 3"},
        {"materials:\n" STONE VALUES "  aliases: [&a rock, *a]\n", "line 5", "no aliases"},
        {"materials:\n" STONE VALUES "---\nmore: 1\n", "line 6", "a second document"},
        {"materials:\n" STONE "  absorption: [1.3, 0, 0, 0, 0, 0, 0, 0]\n", "stone",
         "1.3 at 63 Hz must lie from 0 to 1.2; write 0.95"},
        {"materials:\n" STONE "  absorption: [0, 0, 0, 0, 0, 0, 0, -0.1]\n", "stone", "-0.1 at 8000 Hz"},
        {"materials:\n" STONE "  absorption: [0, nan, 0, 0, 0, 0, 0, 0]\n", "file.yaml, line 4",
         "absorption[2] is nan"},
        {"materials:\n" STONE VALUES STONE VALUES, "stone", "means stone already"},
        {"materials:\n" STONE VALUES "  aliases: [rock, Rock]\n", "stone", "Rock means stone already"},
        {"materials:\n" STONE VALUES "  aliases: [Stone]\n", "stone", "Stone means stone already"},
        {"materials:\n" STONE VALUES "- name: rock\n  aliases: [-Stone_]\n  kind: stone\n" VALUES, "rock",
         "-Stone_ means stone already"},
        {"materials:\n- name: _\n  kind: stone\n" VALUES, "file.yaml", "1 to 63 characters"},
        {"materials:\n" STONE VALUES "  source: book\n", "stone", "no source book"},
        {"materials:\n" STONE VALUES "  scattering: 1.5\n", "line 5",
         "scattering is 1.5; expected a number of at least 0 and at most 1 (write 1 for"},
        {"materials:\n" STONE VALUES "  scattering: nan\n", "line 5", "scattering is nan"},
        {"materials:\n" STONE VALUES "  scattering: {500: -0.1}\n", "line 5", "scattering.500 is -0.1"},
        {"materials:\n" STONE VALUES "  scattering: {400: 0.1}\n", "line 5",
         "scattering.400 is not an octave"},
        {"materials:\n" STONE VALUES "  scattering: [0.1, 0.2]\n", "line 5", "or a mapping of octaves"},
        {"materials:\n" STONE VALUES "  scattering: {}\n", "line 5", "or a mapping of octaves"},
        {"materials:\n" STONE VALUES "  scattering: 0.1\n  scattering_source: book\n", "stone",
         "no source book"},
        {"materials:\n" STONE VALUES "  scattering_source: book\n", "line 5",
         "is the source of no scattering"},
        {"materials:\n" STONE VALUES "  pair: rock\n", "stone", "no material rock"},
        {"materials:\n" STONE VALUES "  pair: stone\n", "stone", "one of kind seating"},
        {SEATS "- name: more\n  kind: seating\n" VALUES "  pair: people\n", "more", "does not name it"},
        {"materials:\n" STONE VALUES "  extended: [100]\n", "stone", "100 in extended is not one"},
        {"materials:\n" STONE VALUES "  extended: [63]\n", "stone",
         "must repeat the 0.2 of 125 Hz, not say 0.1"},
        {"materials:\n" STONE VALUES "  extended: [250]\n", "stone", "not 250 Hz"},
        {"materials:\n" STONE VALUES "  extended: [63, 125, 250, 500, 1000, 2000, 4000, 8000]\n", "stone",
         "not 63 Hz"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        struct material_library own = {0};
        cr_assert(eq(int, read_text(wrong[w].text, &own, &failure), FAILURE_INPUT), "%s", wrong[w].text);
        char text[FAILURE_TEXT_MAX];
        cr_assert(strstr(failure_text(&failure, text), wrong[w].place) != NULL, "%s", text);
        cr_assert(strstr(text, wrong[w].what) != NULL, "%s: %s", wrong[w].what, text);
        cr_assert(own.content == NULL && own.count == 0);
    }
}
