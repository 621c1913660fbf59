/* What a user says about surfaces: --absorption, tables of octaves, tables of branches, libraries in YAML. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include <time.h>

#include "rooms/materials/surface_table.h"
#include "src/base/options/failure_text.h"
#include "tests/support/outcome.h"

static const char file_path[] = "table.csv", yaml_path[] = "own.yaml";

TestSuite(surface_table, .init = enter_folder, .fini = leave_folder);

static void read_csv(struct surface_table *table, const char *text)
{
    write_text(file_path, text);
    MUST(surface_table_read(table, file_path, &failure));
}

static void add(struct surface_table *table, const char *text)
{
    MUST(surface_table_add(table, text, &failure));
}

/* The entry of a file for `material`; ends the test where there is none. */
static const struct surface_entry *filed(const struct surface_table *table, const char *material)
{
    const struct surface_entry *entry = surface_table_find(table, material, SURFACE_BY_FILE);
    cr_assert(entry != NULL, "%s", material);
    return entry;
}

static void expect_octaves(const struct surface_entry *entry, const double expected[MATERIAL_OCTAVES])
{
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        cr_assert(entry->absorption[o] == expected[o], "%s at %u Hz: %g, not %g", entry->name,
                  material_octave[o], entry->absorption[o], expected[o]);
}

/* ---- options ---- */

Test(surface_table, option_values_must_be_numbers_from_0_to_1)
{
    static const char *const bad[] = {"",      "wood", "1.01",  "-0.1",    "nan", "inf",      "0x1",
                                      "0.1 m", "=0.1", "wood=", "wood=x",  "0,1", "wood=1.5", "wood=nan",
                                      " =0.1", "--",   "1e999", "1e-1e-1", "wood"};
    struct surface_table table = {0};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        cr_assert(eq(int, surface_table_add(&table, bad[k], &failure), FAILURE_INPUT), "%s", bad[k]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k)
        cr_assert(eq(int, surface_table_add_scattering(&table, bad[k], &failure), FAILURE_INPUT), "%s",
                  bad[k]);
    MUST_FAIL(surface_table_add(&table, "wood=1.01", &failure), FAILURE_INPUT,
              "to 1 (absorbs all); write 0.95");
    MUST_FAIL(surface_table_add_scattering(&table, "wood=1.01", &failure), FAILURE_INPUT,
              "to 1 (scatters all that it reflects); write 1");
    cr_assert(eq(sz, table.count, 0));
    add(&table, "0");
    add(&table, "0.0");
    add(&table, "wood=1e-1");
    add(&table, "a=b=0.25");
    cr_assert(eq(sz, table.count, 4));
    cr_assert(surface_table_fallback(&table)->absorption[0] == 0);
    const struct surface_entry *odd = surface_table_find(&table, "a=b", SURFACE_BY_OPTION);
    cr_assert(odd != NULL && odd->form == SURFACE_NUMBER);
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        cr_assert(odd->absorption[o] == 0.25);
    surface_table_free(&table);
    cr_assert(table.count == 0 && table.entry == NULL);
}

/* Error bars of 0.1, or nine of ten cases; of three third octaves the mean of those that have one. */
Test(surface_table, values_may_have_their_uncertainty_behind_them)
{
    const double bar = 0.1 / 1.645;
    struct surface_table table = {0};
    add(&table, "wood=0.3 +- 0.1");
    const struct surface_entry *entry = surface_table_find(&table, "wood", SURFACE_BY_OPTION);
    cr_assert(entry->stated && entry->absorption[7] == 0.3 && test_near(entry->uncertainty[7], bar, 1e-12));
    read_csv(&table, "material,125,250,500\noak,0.2 +- 0.1,0.3,40 % +/- 10 %\nash,0.1,0.2,0.3\n");
    entry = filed(&table, "oak");
    cr_assert(entry->stated && entry->absorption[3] == 0.4 && test_near(entry->uncertainty[3], bar, 1e-12));
    cr_assert(test_near(entry->uncertainty[0], bar, 1e-12), "as at 125 Hz");
    cr_assert(isnan(entry->uncertainty[2]) && !filed(&table, "ash")->stated);
    read_csv(&table, "frequency;panel\n100;0,1 +- 0,05\n125;0,1\n160;0,1 +- 0,15\n");
    entry = filed(&table, "panel");
    cr_assert(test_near(entry->uncertainty[1], bar, 1e-12) && test_near(entry->absorption[1], 0.1, 1e-12));
    MUST_FAIL(surface_table_add(&table, "glass=0.3 +- wide", &failure), FAILURE_INPUT, "behind +-");
    write_text(file_path, "material,125\noak,0.2 +- -1\n");
    MUST_FAIL(surface_table_read(&table, file_path, &failure), FAILURE_INPUT, "is not a number");
    surface_table_free(&table);
}

Test(surface_table, two_options_that_contradict_each_other_are_refused_and_repeats_are_not)
{
    struct surface_table table = {0};
    static const struct {
        const char *text, *refused; /* NULL: taken */
    } option[] = {
        {"0.1", NULL},
        {"0.10", NULL},
        {"0.3", "all surfaces without another value were given 0.1 before"},
        {"wood=0.1", NULL},
        {"Wood = 1e-1", NULL},
        {"wood=0.3", "wood was given 0.1 before: keep one"},
        {"WOOD=0.3", "wood was given 0.1 before: keep one"},
        {"wooden=0.3", NULL},
        {"woo=0.5", NULL},
    };
    for (size_t k = 0; k < sizeof option / sizeof *option; k++) {
        const size_t before = table.count;
        const int code = surface_table_add(&table, option[k].text, &failure);
        cr_assert(eq(int, code, option[k].refused == NULL ? 0 : FAILURE_INPUT), "%s", option[k].text);
        cr_assert(eq(sz, table.count, before + (option[k].refused == NULL)));
        cr_assert(option[k].refused == NULL ||
                      strstr(failure.sentence, option[k].refused) == failure.sentence,
                  "%s", failure.sentence);
    }
    surface_table_free(&table);
}

Test(surface_table, scattering_and_absorption_of_options_do_not_mix)
{
    struct surface_table table = {0};
    MUST(surface_table_add_scattering(&table, "0.2", &failure));
    MUST(surface_table_add_scattering(&table, "wood=0.4", &failure));
    cr_assert(surface_table_fallback(&table) == NULL);
    cr_assert(surface_table_find(&table, "wood", SURFACE_BY_OPTION) == NULL);
    add(&table, "0.1");
    add(&table, "wood=0.3");
    MUST_FAIL(surface_table_add_scattering(&table, "wood=0.3", &failure), FAILURE_INPUT,
              "wood was given 0.4 before: keep one");
    cr_assert(surface_table_fallback(&table)->absorption[0] == 0.1);
    cr_assert(surface_table_fallback_scattering(&table)->scattering.octave[8] == 0.2);
    cr_assert(surface_table_find(&table, "wood", SURFACE_BY_SCATTERING_OPTION)->scattering.octave[0] == 0.4);
    surface_table_free(&table);
}

Test(surface_table, a_name_in_full_comes_before_one_that_means_it_and_the_last_of_those_counts)
{
    struct surface_table table = {0};
    add(&table, "oak door=0.1");
    add(&table, "Oak_Door=0.3");
    add(&table, "oak--door=0.4");
    static const struct {
        const char *name;
        double value;
    } meant[] = {{"oak_door", 0.3},
                 {"oak door", 0.1},
                 {"oak-door", 0.4},
                 {"[oak_door.001]", 0.4},
                 {"oak_door.001", 0.4}};
    for (size_t k = 0; k < sizeof meant / sizeof *meant; k++) {
        const struct surface_entry *entry = surface_table_find(&table, meant[k].name, SURFACE_BY_OPTION);
        cr_assert(entry != NULL && entry->absorption[0] == meant[k].value, "%s", meant[k].name);
    }
    cr_assert(surface_table_find(&table, "oak", SURFACE_BY_OPTION) == NULL);
    cr_assert(surface_table_find(&table, "oak door 2", SURFACE_BY_OPTION) == NULL);
    cr_assert(surface_table_find(&table, "oak_door", SURFACE_BY_FILE) == NULL, "it is no file's");
    surface_table_free(&table);
}

/* ---- octaves ---- */

Test(surface_table, every_octave_is_read_and_those_outside_63_to_8000_are_left_out)
{
    struct surface_table table = {0};
    read_csv(&table, "material,16,31.5,63,125,250,500,1000,2000,4000,8000,16000\n"
                     "stone,.9,.9,.1,.2,.3,.4,.5,.6,.7,.8,.9\n");
    const struct surface_entry *stone = filed(&table, "stone");
    cr_assert(stone->form == SURFACE_OCTAVES);
    expect_octaves(stone, (double[]){.1, .2, .3, .4, .5, .6, .7, .8});
    cr_assert(strstr(table.source, "octaves 63 to 8000 Hz") != NULL, "%s", table.source);
    cr_assert(strchr(table.source, '/') == NULL, "%s", table.source);
    surface_table_free(&table);
    /* in any order, by exact centres, with units */
    read_csv(&table,
             "material,7943 Hz,1000Hz,62.5,125.9,3981,1995,501.2,251\nstone,.8,.5,.1,.2,.7,.6,.4,.3\n");
    expect_octaves(filed(&table, "stone"), (double[]){.1, .2, .3, .4, .5, .6, .7, .8});
    surface_table_free(&table);
}

Test(surface_table, octaves_that_are_not_there_repeat_the_nearest_and_of_two_the_lower)
{
    struct surface_table table = {0};
    read_csv(&table, "material,125,250,500,1000,2000,4000\nstone,.1,.2,.3,.4,.5,.6\nwood,.1,,,,.5,\n"
                     "glass,,,.25,,,\n");
    expect_octaves(filed(&table, "stone"), (double[]){.1, .1, .2, .3, .4, .5, .6, .6});
    expect_octaves(filed(&table, "wood"), (double[]){.1, .1, .1, .1, .5, .5, .5, .5});
    cr_assert(filed(&table, "wood")->form == SURFACE_OCTAVES);
    expect_octaves(filed(&table, "glass"), (double[]){.25, .25, .25, .25, .25, .25, .25, .25});
    cr_assert(filed(&table, "glass")->form == SURFACE_NUMBER, "one octave is one number");
    surface_table_free(&table);
    read_csv(&table, "material,500\nstone,0.3\n");
    cr_assert(filed(&table, "stone")->form == SURFACE_NUMBER);
    cr_assert(strstr(table.source, "its 500 Hz column") != NULL, "%s", table.source);
    surface_table_free(&table);
}

Test(surface_table, an_octave_is_the_mean_of_its_three_third_octaves)
{
    struct surface_table table = {0};
    read_csv(&table, "material;100;125;160;200;250;315;400;500;630\n"
                     "panel;0,25;0,375;0,875;0,125;0,375;0,25;1,25;1,25;0,5\n");
    expect_octaves(filed(&table, "panel"), (double[]){.5, .5, .25, 1, 1, 1, 1, 1});
    cr_assert(strstr(table.source, "third octaves 100 to 630 Hz") != NULL, "%s", table.source);
    cr_assert(table.above.count == 0 && table.missing.count == 0, "a mean of 1 is not above 1");
    static const double thirds[] = {.25, .25, .25, .25, .375, .875, .125, .375, .25, .95, .95, .5, .5};
    const struct surface_entry *panel = filed(&table, "panel");
    cr_assert(panel->in_thirds);
    for (size_t t = 0; t < sizeof thirds / sizeof *thirds; t++)
        cr_expect(panel->third[t] == thirds[t], "%g", panel->third[t]);
    surface_table_free(&table);
    read_csv(&table, "material,125,250\nstone,.1,.2\n");
    cr_assert(filed(&table, "stone")->in_thirds == false);
    surface_table_free(&table);
}

Test(surface_table, frequencies_may_stand_below_each_other_with_a_column_for_each_material)
{
    static const char *const dialect[] = {
        "frequency,panel,wood\n125,0.5,0.1\n250,1.08,0.2\n500,,0.4\n",
        "Pr\xC3\xBC"
        "fbericht 12-345, ISO 354\n\nFrequenz [Hz];panel;wood;\n;-;-\n500 Hz;;40 %\n125;0,5;0,1\n"
        "250;108%;0,2\n0,016k;1;1\n\xCE\xB1w;0,85;0,1\n",
        "1/1 octave\tpanel\t\twood\n125\t.5\t\t.1\n250\t1.08\t\t.2\n500\t\t\t.4\n",
    };
    for (size_t d = 0; d < sizeof dialect / sizeof *dialect; d++) {
        struct surface_table table = {0};
        read_csv(&table, dialect[d]);
        cr_assert(eq(sz, table.count, 2));
        expect_octaves(filed(&table, "panel"), (double[]){.5, .5, .95, .95, .95, .95, .95, .95});
        expect_octaves(filed(&table, "wood"), (double[]){.1, .1, .2, .4, .4, .4, .4, .4});
        cr_assert(eq(str, table.above.first, "table.csv, column 2: \"panel\" absorbs 1.08 at 250 Hz"));
        cr_assert(eq(str, table.source, "table.csv, octaves 125 to 500 Hz of 2 materials in columns"));
        surface_table_free(&table);
    }
    struct surface_table table = {0};
    read_csv(&table, "f\tpanel\n800\t.25\n1.000\t.5\n1 250\t.75\n");
    expect_octaves(filed(&table, "panel"), (double[]){.5, .5, .5, .5, .5, .5, .5, .5});
    surface_table_free(&table);
}

Test(surface_table, octaves_above_1_count_as_095_and_the_first_is_noted)
{
    struct surface_table table = {0};
    read_csv(&table, "material,250,500,1000\nwood,.1,1,.1\npanel,.5,1.08,1.2\nfoam,1.3,.9,.9\n");
    expect_octaves(filed(&table, "panel"), (double[]){.5, .5, .5, .95, .95, .95, .95, .95});
    cr_assert(eq(sz, table.above.count, 3));
    cr_assert(eq(str, table.above.first, "table.csv, line 3: \"panel\" absorbs 1.08 at 500 Hz"));
    surface_table_free(&table);
}

Test(surface_table, bands_missing_between_others_are_noted_and_those_beyond_are_not)
{
    struct surface_table table = {0};
    read_csv(&table, "material,125,250,500,1000\nwood,.1,,,.5\nstone,,.1,.1,\n");
    cr_assert(eq(sz, table.missing.count, 2));
    cr_assert(eq(str, table.missing.first, "table.csv, line 2: \"wood\" has no value at 250 Hz"));
    surface_table_free(&table);
    read_csv(&table, "material,400,500,630,800\npanel,.25,,.75,.5\n");
    expect_octaves(filed(&table, "panel"), (double[]){.5, .5, .5, .5, .5, .5, .5, .5});
    cr_assert(eq(sz, table.missing.count, 3));
    cr_assert(eq(str, table.missing.first, "table.csv, line 2: \"panel\" has no value at 500 Hz"));
    surface_table_free(&table);
}

static void expect_scattering(const struct surface_entry *entry, const double expected[SCATTERING_OCTAVES])
{
    for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
        cr_assert(entry->scattering.octave[o] == expected[o], "%s at %u Hz: %g", entry->name,
                  scattering_octave[o], entry->scattering.octave[o]);
}

Test(surface_table, scattering_of_a_table_is_one_number_octaves_or_absent)
{
    struct surface_table table = {0};
    read_csv(&table, "material,500,scattering,125\nstone,.1,.3,.2\nwood,.2,,.1\n");
    expect_scattering(filed(&table, "stone"), (double[]){.3, .3, .3, .3, .3, .3, .3, .3, .3});
    expect_octaves(filed(&table, "stone"), (double[]){.2, .2, .2, .1, .1, .1, .1, .1});
    cr_assert(eq(uint, filed(&table, "wood")->scattering.given, 0));
    cr_assert(strstr(table.source, "octaves 125 to 500 Hz, scattering") != NULL, "%s", table.source);
    surface_table_free(&table);
    read_csv(&table, "material,scattering 125,500,Scattering_997.6 Hz,scattering 16000\nstone,.2,.1,.4,.8\n"
                     "wood,,.1,.4,\n");
    expect_scattering(filed(&table, "stone"), (double[]){.2, .2, .2, .4, .4, .4, .4, .8, .8});
    expect_scattering(filed(&table, "wood"), (double[]){.4, .4, .4, .4, .4, .4, .4, .4, .4});
    cr_assert(eq(uint, filed(&table, "stone")->scattering.given, 1u << 1 | 1u << 4 | 1u << 8));
    cr_assert(filed(&table, "stone")->form == SURFACE_NUMBER && filed(&table, "stone")->absorption[7] == .1);
    surface_table_free(&table);
    read_csv(&table, "material,D,E,F,scattering\nstone,0,1,0,\nstone,1,1,0,.3\nstone,1,2,0,\nwood,0,1,0,\n");
    cr_assert(eq(sz, filed(&table, "stone")->branches, 3));
    expect_scattering(filed(&table, "stone"), (double[]){.3, .3, .3, .3, .3, .3, .3, .3, .3});
    cr_assert(eq(uint, filed(&table, "wood")->scattering.given, 0));
    surface_table_free(&table);
}

Test(surface_table, csv_of_any_dialect_gives_the_same_values)
{
    static const char *const dialect[] = {
        "material,250,500\nWalls,1,0.1\nbare stone,1,0.2\nGlass,1,0.3\nOak,1,0.4\n",
        "\xEF\xBB\xBFMaterial , 250 , 500 Hz\r\n\r\n Walls , 1, 0.1 \r\n\"bare stone\",1,\".2\"\r\n"
        "# note\r\nGlass,1,3e-1,\r\nOak,1,0.4,,",
        "\n\n#x,y\n\"material\",500.0,\"250\"\n\"Walls\" ,0.1,1\nbare stone,0.2,1\nGLASS,0.3,1\n"
        "glass,0.30,1.0\nOak,0.4,1\n\n",
        "material,250,500,16000\nWalls,1,0.1,\nbare stone,1,0.2\nGlass,1,0.3,0.9\noak,1,0.4,1\n",
        "material;250;500\r\nWalls;1;0,1\r\n\"bare stone\";1;0,2\r\nGlass;1;30 %\r\nOak;1;\"0,4\"\r\n;;\r\n",
        "material\t0,25 kHz\t0.5k\nWalls\t1\t0.1\nbare stone\t1\t0,2\nGlass\t100%\t0.3\nOak\t1\t.4\n",
        "material\t250\t1000\t500\nWalls\t1\t\t0.1\nbare stone\t1\t\t0.2\nGlass\t1\t\t0.3\nOak\t1\t\t0.4\n",
        ",,\r\nmaterial,250,500\r\nWalls,1,0.1\r\nbare stone,1,0.2\r\n,,\r\n , "
        ",\r\nGlass,1,0.3\r\noak,1,0.4\r\n,,",
    };
    static const struct {
        const char *name;
        double value;
    } expected[] = {{"Walls", 0.1}, {"bare stone", 0.2}, {"Glass", 0.3}, {"Oak", 0.4}};
    for (size_t k = 0; k < sizeof dialect / sizeof dialect[0]; ++k) {
        struct surface_table table = {0};
        read_csv(&table, dialect[k]);
        for (size_t m = 0; m < 4; m++) {
            const double v = expected[m].value;
            expect_octaves(filed(&table, expected[m].name), (double[]){1, 1, 1, v, v, v, v, v});
        }
        surface_table_free(&table);
    }
    struct surface_table table = {0};
    read_csv(&table, "material,500\n\"say \"\"oak\"\", old\",0.4\n");
    cr_assert(eq(str, table.entry[0].name, "say \"oak\", old"));
    surface_table_free(&table);
}

Test(surface_table, a_later_file_wins_and_options_are_kept_apart)
{
    struct surface_table table = {0};
    add(&table, "oak=0.7");
    read_csv(&table, "material,500\noak,0.1\nash,0.3\n");
    read_csv(&table, "material,500\noak,0.2\n");
    cr_assert(filed(&table, "oak")->absorption[0] == 0.2);
    cr_assert(filed(&table, "ash")->absorption[0] == 0.3);
    cr_assert(surface_table_find(&table, "oak", SURFACE_BY_OPTION)->absorption[0] == 0.7);
    cr_assert(surface_table_fallback(&table) == NULL);
    surface_table_free(&table);
}

/* ---- branches ---- */

Test(surface_table, every_row_of_a_table_of_branches_is_one_branch)
{
    struct surface_table table = {0};
    read_csv(&table,
             "Material,d,E,F\nstone,0,4,0\nwood,1e-3,2.5,300\nSTONE,0.5,1,0\nwood,0,1,0\nwood,0,1,0\n");
    const struct surface_entry *stone = filed(&table, "stone"), *wood = filed(&table, "wood");
    cr_assert(stone->form == SURFACE_BRANCHES && stone->branches == 2 && wood->branches == 3);
    cr_assert(stone->branch[0].D == 0 && stone->branch[0].E == 4 && stone->branch[0].F == 0);
    cr_assert(stone->branch[1].D == 0.5 && stone->branch[1].E == 1);
    cr_assert(wood->branch[0].D == 1e-3 && wood->branch[0].E == 2.5 && wood->branch[0].F == 300);
    cr_assert(strstr(table.source, "branches of 2 materials") != NULL, "%s", table.source);
    surface_table_free(&table);
    char text[2000] = "material,D,E,F\n";
    for (int b = 0; b < WALL_BRANCHES_MAX; b++)
        strcat(text, "wall,0,1,0\n");
    read_csv(&table, text);
    cr_assert(eq(sz, filed(&table, "wall")->branches, WALL_BRANCHES_MAX));
    surface_table_free(&table);
}

/* ---- libraries ---- */

#define OWN                                                                                                  \
    "materials:\n- name: rough granite\n  aliases: [granite]\n  kind: stone\n"                               \
    "  absorption: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]\n"

Test(surface_table, a_file_ending_in_yaml_is_a_library_and_there_is_one)
{
    struct surface_table table = {0};
    write_text(yaml_path, OWN);
    MUST(surface_table_read(&table, yaml_path, &failure));
    cr_assert(table.count == 0 && table.own.count == 1);
    const struct material *granite = material_library_find(&table.own, "Granite.001");
    cr_assert(granite != NULL && granite->absorption[7] == 0.8);
    cr_assert(strstr(table.source, "a library of 1 material") != NULL, "%s", table.source);
    MUST_FAIL(surface_table_read(&table, yaml_path, &failure), FAILURE_INPUT, "already");
    cr_assert(eq(sz, table.own.count, 1));
    surface_table_free(&table);
    static const char *const bad[] = {"", "materials:\n- name: x\n", "\xff\xfe", OWN "  pair: y\n",
                                      "500,1\n"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_text(yaml_path, bad[k]);
        cr_assert(eq(int, surface_table_read(&table, yaml_path, &failure), FAILURE_INPUT), "%s", bad[k]);
        cr_assert(eq(str, failure.file, (char *)yaml_path), "%s", failure.sentence);
        cr_assert(table.own.count == 0 && table.source[0] == '\0');
    }
}

/* ---- what is refused ---- */

Test(surface_table, a_bad_table_is_refused_with_file_line_and_value_and_changes_nothing)
{
    static const struct {
        const char *text, *because;
    } bad[] = {
        {"", "is empty"},
        {"material,500\n", "names no material"},
        {"Walls,0.1\n", "line 1: the table begins with \"Walls\""},
        {"note\nHz,\xCE\xB1s\n500,.1\n", "line 2: the column \"\xCE\xB1s\" is not named like a surface"},
        {"Hz,wood,Wood\n500,.1,.1\n", "line 1: two columns \"Wood\""},
        {"Hz,wood\nmean,.1\n", "line 2: \"mean\" is not the centre of an octave or third octave"},
        {"Hz,wood\n500,.1\n500,.1\n", "line 3: two lines of 500 Hz"},
        {"Hz,wood\n500,35\n", "line 2: the absorption 35 of \"wood\" must lie from"},
        {"Hz;wood\n500;x\n", "line 2: \"x\" for \"wood\" is not a number"},
        {"Hz,wood\n500,0,1\n", "line 2: \"1\" for \"a frequency\" is beyond the last column"},
        {"Hz,wood,\n500,,.1\n", "column 2, \"wood\", has no value"},
        {"Hz,,wood\n500,.1,.1\n", "column 2, \"\", has no name above its values"},
        {"material,500\nWalls,0,1\n", "with decimal commas the columns are separated by semicolons"},
        {"material;500\nWalls;35\n",
         "to 1.5 (laboratories find more than 1); a percentage is written with %"},
        {"material,16,31.5\nWalls,1,1\n", "line 1: no column of an octave"},
        {"material,500,500\nWalls,1,1\n", "two 500 Hz columns"},
        {"material,500,high\nWalls,1,1\n", "\"high\" is not an octave"},
        {"material,500,-500\nWalls,1,1\n", "\"-500\" is not an octave"},
        {"material,250,500\nWalls,0.1\n", "line 2: \"Walls\" has no value in column 3 (500 Hz)"},
        {"material,500\n\nWalls,hard\n", "line 3: \"hard\" for \"Walls\""},
        {"material,250,500\nbare stone,x,0.2\n", "line 2: \"x\" for \"bare stone\""},
        {"material,500\nWalls,\n", "line 2: \"Walls\" has no value in any octave"},
        {"material,500\n,,\nWalls,x\n", "line 3: \"x\" for \"Walls\""},
        {"material,500\nWalls,0,1\n", "line 2: \"1\" for \"Walls\" is beyond the last column"},
        {"material,500\nWalls,1.6\n",
         "line 2: the absorption 1.6 of \"Walls\" must lie from 0 (reflects all) to 1.5"},
        {"material,500\nWalls,nan\n", "line 2"},
        {"material,500\n,0.1\n", "line 2: the line begins without"},
        {"material,500\nWalls,0.1\nwalls,0.2\n",
         "line 3: \"walls\" is given as 0.2 at 500 Hz, in an earlier line as 0.1"},
        {"material,500\n\"Walls,0.1\n", "line 2: a quote"},
        {"material,500,scattering\nWalls,1,1.2\n",
         "line 2: the scattering 1.2 of \"Walls\" must lie from 0 (a mirror) to 1 (scatters all that it "
         "reflects); write 1"},
        {"material,500,scattering\nWalls,1,-0.1\n", "the scattering -0.1"},
        {"material,500,scattering\nWalls,1,nan\n", "line 2: \"nan\" for \"Walls\" is not a number"},
        {"material,500,scattering\nWalls,1\n", "line 2: \"Walls\" has no value in column 3 (scattering)"},
        {"material,scattering 500,500\nWalls,0.1\n", "no value in column 3 (500 Hz)"},
        {"material,500,scattering\nWalls,,0.1\n", "has no value in any octave"},
        {"material,scattering\nWalls,0.1\n", "no column of an octave"},
        {"material,500,scattering 100\nWalls,1,1\n", "\"scattering 100\" is not an octave"},
        {"material,500,scattering 500,scattering_500 Hz\nWalls,1,1,1\n", "two scattering 500 Hz columns"},
        {"material,500,scattering,scattering 500\nWalls,1,1,1\n", "for all octaves and others for one"},
        {"material,500,scattering\nWalls,0.1,0.2\nwalls,0.1,0.3\n",
         "line 3: the scattering of \"walls\" is given as 0.3 at 63 Hz, in an earlier line as 0.2"},
        {"material,D,E,F,scattering\nWalls,0,1,0\n", "has no value in column 5 (scattering)"},
        {"material,D,E,F,500\nWalls,0,1,0,1\n", "not \"500\" in column 5"},
        {"material,D,E,F,scattering\nWalls,0,1,0,.1\nWalls,1,1,0,.2\n", "is given as 0.2 at 63 Hz"},
        {"material,D,E\nWalls,0,1\n", "material,D,E,F, not \"\" in column 4"},
        {"material,D,E,F,G\nWalls,0,1,1,1\n", "not \"G\" in column 5"},
        {"material,D,E,F\nWalls,0,1\n", "line 2: \"Walls\" has no value for F"},
        {"material,D,E,F\nWalls,0,1,x\n", "line 2: \"x\" for F of \"Walls\""},
        {"material,D,E,F\nWalls,0,1,1,1\n", "is beyond the last column"},
        {"material,D,E,F\nWalls,-1,1,1\n", "line 2: material \"Walls\", branch 1: D is -1"},
        {"material,D,E,F\nWalls,1,1e999,1\n", "line 2: material \"Walls\", branch 1: E is inf"},
        {"material,D,E,F\nWalls,1,nan,1\n", "line 2: \"nan\" for E"},
        {"material,D,E,F\n\nWalls,0,1,0\nWalls,1,0,1\n", "line 4: material \"Walls\""},
    };
    struct surface_table table = {0};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        write_text(file_path, bad[k].text);
        cr_assert(eq(int, surface_table_read(&table, file_path, &failure), FAILURE_INPUT), "%s", bad[k].text);
        char text[FAILURE_TEXT_MAX];
        cr_assert(strncmp(failure_text(&failure, text), file_path, strlen(file_path)) == 0, "%s", text);
        cr_assert(strstr(text, bad[k].because) != NULL, "\"%s\" does not say \"%s\"", text, bad[k].because);
        cr_assert(table.count == 0 && table.source[0] == '\0');
    }
    surface_table_free(&table);
}

Test(surface_table, a_thirteenth_branch_and_ten_thousand_and_one_materials_are_too_many)
{
    struct surface_table table = {0};
    char text[400] = "material,D,E,F\n";
    for (int b = 0; b <= WALL_BRANCHES_MAX; b++)
        strcat(text, "wall,0,1,0\n");
    write_text(file_path, text);
    MUST_FAIL(surface_table_read(&table, file_path, &failure), FAILURE_INPUT,
              "\"wall\" has more than 12 branches");
    cr_assert(eq(sz, failure.line, 14));
    FILE *file = fopen(file_path, "w");
    cr_assert(file != NULL && fputs("material,D,E,F\n", file) >= 0);
    for (int m = 0; m <= 10000; m++)
        fprintf(file, "m%d,0,1,0\n", m);
    cr_assert(eq(int, fclose(file), 0));
    MUST_FAIL(surface_table_read(&table, file_path, &failure), FAILURE_INPUT, "more than 10000 materials");
    cr_assert(eq(sz, failure.line, 10002));
    cr_assert(table.count == 0);
    surface_table_free(&table);
}

/* Processor time for 100,000 rows that name the last of so many materials. */
static double read_rows_of(int materials)
{
    struct surface_table table = {0};
    FILE *file = fopen(file_path, "w");
    cr_assert(file != NULL && fputs("material,500\n", file) >= 0);
    for (int m = 0; m < materials; m++)
        fprintf(file, "material %d,0.1\n", m);
    for (int row = 0; row < 100000; row++)
        fprintf(file, "MATERIAL %d,0.1\n", materials - 1);
    cr_assert(eq(int, fclose(file), 0));
    const clock_t start = clock();
    MUST(surface_table_read(&table, file_path, &failure));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    cr_assert(eq(sz, table.count, (size_t)materials));
    surface_table_free(&table);
    return seconds;
}

/* A search through all of them for each row takes hundreds of times as long. */
Test(surface_table, a_long_table_takes_no_longer_a_row_than_a_short_one)
{
    const double few = read_rows_of(10), many = read_rows_of(10000);
    cr_assert(test_at_most(many, 10 * few), "%g s for ten, %g s for ten thousand", few, many);
}

Test(surface_table, files_that_are_no_table_are_refused)
{
    struct surface_table table = {0};
    FILE *file = fopen(file_path, "w");
    cr_assert(file != NULL && fwrite("material,500\nWa\0ls,0.1\n", 1, 23, file) == 23 && fclose(file) == 0);
    MUST_FAIL(surface_table_read(&table, file_path, &failure), FAILURE_INPUT, "here is a zero byte");
    cr_assert(eq(sz, failure.line, 2));
    file = fopen(file_path, "w");
    cr_assert(file != NULL && fputs("material,500\n", file) >= 0);
    for (int k = 0; k < 70000; ++k)
        (void)fputc('x', file);
    cr_assert(eq(int, fclose(file), 0));
    MUST_FAIL(surface_table_read(&table, file_path, &failure), FAILURE_INPUT, "the line is longer than");
    cr_assert(eq(sz, failure.line, 2));
    cr_assert(eq(int, surface_table_read(&table, "/tmp", &failure), FAILURE_INPUT), "%s", failure.sentence);
    MUST_FAIL(surface_table_read(&table, "/tmp/absent/x.csv", &failure), FAILURE_INPUT, "No such file");
    MUST_FAIL(surface_table_read(&table, "/tmp/absent/x.yaml", &failure), FAILURE_INPUT, "No such file");
}

/* ---- the church of ../shared ---- */
