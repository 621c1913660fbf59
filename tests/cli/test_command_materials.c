/* transept materials: the table, one material, JSON, and what it says about a name that it does not know. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "rooms/materials/material_library.h"

TestSuite(command_materials, .init = enter_folder, .fini = leave_folder);

static struct material_library load(void)
{
    struct material_library library = {0};
    cr_assert(eq(int, material_library_load(&library, NULL), 0));
    return library;
}

Test(command_materials, the_table_has_every_material_once_under_its_kind)
{
    struct material_library library = load();
    expect_status(RUN("materials"), 0);
    char *text = read_text("out");
    const char *heading[MATERIAL_KINDS + 1] = {NULL};
    for (int kind = 0; kind < MATERIAL_KINDS; kind++) {
        char line[40];
        snprintf(line, sizeof line, "\n\n%s\n", material_kind_name((enum material_kind)kind));
        heading[kind] = strstr(text, line);
        cr_assert(heading[kind] != NULL && (kind == 0 || heading[kind] > heading[kind - 1]), "%s", line + 2);
    }
    heading[MATERIAL_KINDS] = strstr(text, "\nSources:\n");
    cr_assert(heading[MATERIAL_KINDS] != NULL);
    int width = 0;
    for (size_t m = 0; m < library.count; m++)
        width = (int)fmax(width, (double)strlen(library.material[m].name));
    for (size_t m = 0; m < library.count; m++) {
        const struct material *material = &library.material[m];
        char line[200], values[80];
        int used = 0;
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
            const double thousandths = 1000 * material->absorption[o];
            used += snprintf(values + used, sizeof values - (size_t)used, "%6.*f",
                             (long)(thousandths + 0.5) % 10 == 0 ? 2 : 3, material->absorption[o]);
        }
        snprintf(line, sizeof line, "\n %-*s%s ", width, material->name, values);
        const char *at = strstr(text, line);
        cr_assert(at != NULL && strstr(at + 1, line) == NULL, "%s", material->name);
        cr_assert(at > heading[material->kind] && at < heading[material->kind + 1], "%s", material->name);
        const char *end = strchr(at + 1, '\n');
        cr_assert(test_at_most((double)(end - at), 101), "%s", material->name);
    }
    for (size_t s = 0; s < library.source_count; s++)
        cr_assert(strstr(heading[MATERIAL_KINDS], library.source[s].id) != NULL);
    material_library_free(&library);
}

Test(command_materials, json_is_one_object_with_all_that_the_library_holds)
{
    struct material_library library = load();
    expect_status(RUN("materials", "--json"), 0);
    cJSON *object = read_json("out");
    const cJSON *materials = cJSON_GetObjectItemCaseSensitive(object, "materials");
    const cJSON *octaves = cJSON_GetObjectItemCaseSensitive(object, "octaves_hz");
    cr_assert(eq(int, cJSON_GetArraySize(materials), (int)library.count));
    cr_assert(eq(int, cJSON_GetArraySize(octaves), MATERIAL_OCTAVES));
    cr_assert(eq(dbl, cJSON_GetArrayItem(octaves, 0)->valuedouble, 63));
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "sources")),
                 (int)library.source_count));
    for (size_t m = 0; m < library.count; m++) {
        const struct material *material = &library.material[m];
        const cJSON *entry = cJSON_GetArrayItem(materials, (int)m);
        const cJSON *absorption = cJSON_GetObjectItemCaseSensitive(entry, "absorption");
        cr_assert(eq(str, (char *)text_of(entry, "name"), (char *)material->name));
        cr_assert(eq(str, (char *)text_of(entry, "kind"), (char *)material_kind_name(material->kind)));
        cr_assert(eq(str, (char *)text_of(entry, "source"), (char *)material->source_id));
        cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(entry, "aliases")),
                     (int)material->alias_count));
        cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(entry, "extended_hz")),
                     (int)material->extended_count));
        if (material->pair != NULL)
            cr_assert(eq(str, (char *)text_of(entry, "pair"), (char *)material->pair->name));
        else
            cr_assert(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(entry, "pair")));
        for (int o = 0; o < MATERIAL_OCTAVES; o++)
            cr_assert(test_near(cJSON_GetArrayItem(absorption, o)->valuedouble, material->absorption[o], 0));
        const cJSON *scattering = cJSON_GetObjectItemCaseSensitive(entry, "scattering");
        cr_assert(material->scattering.given != 0 ? scattering != NULL : scattering == NULL, "%s",
                  material->name);
        for (int o = 0; scattering != NULL && o < SCATTERING_OCTAVES; o++)
            cr_assert(cJSON_GetArrayItem(scattering, o)->valuedouble == material->scattering.octave[o]);
    }
    material_library_free(&library);
}

Test(command_materials, one_material_is_shown_with_its_scattering_and_where_that_is_from)
{
    expect_status(RUN("materials", "congregation"), 0);
    expect_words("out", "scattering            0.30  0.30  0.50  0.60  0.60  0.70  0.70  0.70  0.70\n",
                 "63 and 16000 Hz: not in the source of the scattering", "row      theatre_audience\n");
    expect_status(RUN("materials", "congregation", "--json"), 0);
    cJSON *object = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "sources")), 2));
    expect_status(RUN("materials", "terrazzo"), 0);
    expect_words("out", "scattering not known: rays take 0.1 up to 500 Hz, ");
}

Test(command_materials, an_unknown_name_is_status_2_with_what_is_near)
{
    REFUSED("there is no material \"[Brick_01]\" in the library; near are: brick unglazed", "materials",
            "[Brick_01]");
    char *out = read_text("out");
    cr_assert(eq(str, out, ""));
    REFUSED("transept materials lists them", "materials", "Material.001", "--json");
    expect_status(RUN("materials", "marble", "stone"), 2);
    expect_status(RUN("materials", "--fmax", "3"), 2);
}

/* m alpha + n of ISO 12999-2 at 500 Hz, times 1.645. */
Test(command_materials, how_well_an_absorption_is_known_stands_behind_plus_minus)
{
    struct material_library library = load();
    const struct material *door = material_library_find(&library, "oak door");
    const double bar = 1.645 * fmin(0.05 * door->absorption[3] + 0.015, 0.4 * door->absorption[3]);
    expect_status(RUN("materials", "oak door", "--json"), 0);
    const cJSON *of = cJSON_GetArrayItem(cJSON_GetObjectItem(read_json("out"), "materials"), 0);
    cr_assert(test_near(
        cJSON_GetArrayItem(cJSON_GetObjectItem(of, "absorption_error_octaves"), 3)->valuedouble, bar, 1e-9));
    material_library_free(&library);
    expect_status(RUN("materials", "oak door"), 0);
    expect_words("out", "\n+- ", "nine of ten are within it");
    write_text("lab.csv", "material;125\npanel;0,3 +- 0,2\ndoor;0,1\n");
    expect_status(RUN("materials", "--materials", "lab.csv"), 0);
    expect_words("out", "  0.20  0.20  0.20  0.20  0.20  0.20  0.20  0.20  +-, as given\n",
                 "+-, by ISO 12999-2\n");
    expect_status(RUN("materials", "--materials", "lab.csv", "--json"), 0);
    of = cJSON_GetArrayItem(cJSON_GetObjectItem(read_json("out"), "materials"), 0);
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(of, "absorption_error_given")));
}

Test(command_materials, a_file_is_listed_as_a_run_takes_it)
{
    write_text("lab.csv", "material;100;125;160;1000\nslotted panel;0,1;0,3;0,5;1,1\n");
    expect_status(RUN("materials", "--materials", "lab.csv"), 0);
    expect_words("out", "slotted panel", "0.30");
    expect_status(RUN("materials", "--materials", "lab.csv", "--json"), 0);
    cJSON *object = read_json("out");
    const cJSON *material = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "materials"), 0);
    const cJSON *absorption = cJSON_GetObjectItem(material, "absorption");
    const double expected[] = {0.3, 0.3, 0.3, 0.95, 0.95, 0.95, 0.95, 0.95};
    for (int o = 0; o < 8; o++)
        cr_assert(test_near(cJSON_GetArrayItem(absorption, o)->valuedouble, expected[o], 1e-9), "octave %d",
                  o);
    cr_assert(strstr(cJSON_GetObjectItem(object, "above_one")->valuestring, "1.1 at 1000 Hz") != NULL);
    cJSON_Delete(object);
    expect_status(RUN("materials", "--materials", "lab.csv", "--bands", "third", "--json"), 0);
    object = read_json("out");
    const double thirds[] = {0.1, 0.1, 0.1, 0.1, 0.3, 0.5, 0.5};
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "thirds_hz")), 24));
    absorption = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "materials"), 0),
                                     "absorption_thirds");
    for (int t = 0; t < 7; t++)
        cr_assert(test_near(cJSON_GetArrayItem(absorption, t)->valuedouble, thirds[t], 1e-9), "third %d", t);
    cJSON_Delete(object);
    expect_status(RUN("materials", "--materials", "lab.csv", "--bands", "third"), 0);
    expect_words("out", "   125 Hz  0.30     100:  0.10     125:  0.30     160:  0.50\n");
    REFUSED("the library has octaves", "materials", "oak door", "--bands", "third");
    REFUSED("--materials lists a file, so it takes no name", "materials", "oak door", "--materials",
            "lab.csv");
}

Test(command_materials, a_fit_comes_as_table_drawing_and_json)
{
    expect_status(RUN("materials", "oak door", "--fit", "-o", "door.svg"), 0);
    expect_words("out", "oak door", "branch");
    char *drawing = read_text("door.svg");
    cr_assert(strncmp(drawing, "<?xml", 5) == 0 || strncmp(drawing, "<svg", 4) == 0);
    cr_assert(strstr(drawing, "door solid wooden") != NULL && strstr(drawing, "</svg>") != NULL);
    REFUSED("door.svg exists; --force replaces it", "materials", "oak door", "--fit", "-o", "door.svg");
    expect_status(RUN("materials", "oak door", "--fit", "-o", "door.svg", "--force", "--json"), 0);
    cJSON *object = read_json("out");
    const cJSON *fit = cJSON_GetObjectItem(object, "fit");
    const int branches = cJSON_GetArraySize(cJSON_GetObjectItem(fit, "branches"));
    cr_assert(branches >= 1 && branches <= 6);
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(fit, "holds")));
}
