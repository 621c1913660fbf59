/* Absorption: Paris' formula against the integral it stands for, its inverse, and who gets which value. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rooms/absorption.h"
#include "tests/test_support.h"

static char file_path[64];

static void make_path(void)
{
    (void)snprintf(file_path, sizeof file_path, "/tmp/transept-absorption-XXXXXX");
    const int descriptor = mkstemp(file_path);
    cr_assert(descriptor >= 0);
    (void)close(descriptor);
}

static void remove_path(void)
{
    (void)unlink(file_path);
}

TestSuite(absorption, .init = make_path, .fini = remove_path);

/* Absorption of a plane wave at cos(angle) = mu by a wall of real admittance g, averaged over a diffuse
 * field: integral over mu of 2 mu (1 - ((mu - g) / (mu + g))^2), by composite Gauss-Legendre with panels that
 * halve towards 0, where the integrand bends on the scale of g. */
static double diffuse_absorption(double g)
{
    static const double node[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                   -0.9061798459386640};
    static const double weight[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                     0.2369268850561891, 0.2369268850561891};
    double sum = 0, high = 1;
    for (int octave = 0; octave < 60; ++octave) {
        const double low = octave == 59 ? 0 : high / 2;
        for (int panel = 0; panel < 8; ++panel) {
            const double half = (high - low) / 16, middle = low + (2 * panel + 1) * half;
            for (int k = 0; k < 5; ++k) {
                const double mu = middle + half * node[k];
                /* 1 - R^2 = (1 - R)(1 + R) with R = (mu - g) / (mu + g): no cancellation for hard walls */
                sum += half * weight[k] * 2 * mu * (2 * g / (mu + g)) * (2 * mu / (mu + g));
            }
        }
        high = low;
    }
    return sum;
}

Test(absorption, paris_formula_is_the_hemisphere_integral)
{
    for (double g = 1e-7; g < 1e7; g *= 1.3) {
        const double formula = absorption_from_admittance(g), integral = diffuse_absorption(g);
        cr_assert(test_near(formula, integral, 1e-11 * integral), "g %g: %.15g, integral %.15g", g, formula,
                  integral);
    }
    cr_assert(absorption_from_admittance(0) == 0);
    cr_assert(absorption_from_admittance(-1) == 0);
}

Test(absorption, formula_and_series_meet_where_one_takes_over)
{
    const double below = absorption_from_admittance(nextafter(16, 0)), above = absorption_from_admittance(16);
    cr_assert(test_near(below, above, 1e-13), "%.17g %.17g", below, above);
}

Test(absorption, the_most_a_real_wall_absorbs_is_0_9512_at_0_638)
{
    const double top = absorption_from_admittance(ABSORPTION_MAX_AT);
    cr_assert(test_near(top, 0.9512, 5e-5) && test_near(ABSORPTION_MAX_AT, 0.638, 5e-4));
    cr_assert(test_near(top, ABSORPTION_MAX, 1e-15), "%.17g", top);
    for (double step = 1e-4; step < 0.5; step *= 2) {
        cr_assert(absorption_from_admittance(ABSORPTION_MAX_AT - step) < top);
        cr_assert(absorption_from_admittance(ABSORPTION_MAX_AT + step) < top);
    }
}

Test(absorption, the_inverse_is_exact_to_1e_12)
{
    bool clamped;
    for (double absorption = 1e-9; absorption < ABSORPTION_MAX; absorption = absorption * 1.001 + 1e-9) {
        const double g = admittance_from_absorption(absorption, &clamped);
        cr_assert(clamped == false && g > 0 && g <= ABSORPTION_MAX_AT);
        cr_assert(test_near(absorption_from_admittance(g), absorption, 1e-12 * absorption), "%.17g",
                  absorption);
    }
    /* Small absorption is 8 g, so g itself is known to the same accuracy there. */
    cr_assert(test_near(admittance_from_absorption(8e-9, NULL), 1e-9, 1e-16));
    cr_assert(admittance_from_absorption(0, &clamped) == 0 && !clamped);
    for (double absorption = 0.9513; absorption <= 1; absorption += 0.0487) {
        cr_assert(admittance_from_absorption(absorption, &clamped) == ABSORPTION_MAX_AT);
        cr_assert(clamped);
    }
}

/* ---- tables ---- */

/* A mesh of materials with the given names, each with one triangle of `area` 1, 2, 3.. m2. */
static struct mesh mesh_of(const char *const *name, size_t count)
{
    struct mesh mesh = {0};
    for (size_t m = 0; m < count; ++m) {
        uint16_t material;
        const uint32_t first = (uint32_t)mesh.vertex_count;
        cr_assert(eq(int, mesh_add_material(&mesh, name[m], &material, NULL), 0));
        cr_assert(eq(int, mesh_add_vertex(&mesh, (double[3]){0, 0, 0}, NULL, NULL), 0));
        cr_assert(eq(int, mesh_add_vertex(&mesh, (double[3]){2, 0, 0}, NULL, NULL), 0));
        cr_assert(eq(int, mesh_add_vertex(&mesh, (double[3]){0, (double)m + 1, 0}, NULL, NULL), 0));
        cr_assert(
            eq(int, mesh_add_triangle(&mesh, (uint32_t[3]){first, first + 1, first + 2}, material, NULL), 0));
    }
    return mesh;
}

static const char *const church[4] = {"Walls", "bare stone", "Glass", "Oak"};

static void write_csv(const char *text)
{
    FILE *file = fopen(file_path, "w");
    cr_assert(file != NULL);
    cr_assert(fputs(text, file) >= 0);
    cr_assert(eq(int, fclose(file), 0));
}

static void read_csv(struct absorption_table *table, const char *text)
{
    struct failure failure = {0};
    write_csv(text);
    cr_assert(eq(int, absorption_table_read(table, file_path, &failure), 0), "%s", failure.sentence);
}

static void add(struct absorption_table *table, const char *text)
{
    struct failure failure = {0};
    cr_assert(eq(int, absorption_table_add(table, text, &failure), 0), "%s", failure.sentence);
}

static void assert_values(const struct absorption_table *table, const double expected[4])
{
    struct mesh mesh = mesh_of(church, 4);
    struct failure failure = {0};
    double value[4];
    size_t uncovered = 99;
    cr_assert(eq(int, absorption_resolve(table, &mesh, NAN, value, &uncovered, &failure), 0), "%s",
              failure.sentence);
    for (int m = 0; m < 4; ++m)
        cr_assert(value[m] == expected[m], "%s has %g", church[m], value[m]);
    cr_assert(eq(sz, uncovered, 0));
    mesh_free(&mesh);
}

Test(absorption, names_win_over_files_and_files_over_the_fallback_in_any_order)
{
    static const char csv[] =
        "material,250,500,1000\nWALLS,0.9,0.2,0.9\nglass,0.9,0.3,0.9\nUnknown,0.9,0.9,0.9\n";
    static const double expected[4] = {0.2, 0.07, 0.5, 0.07};
    for (int order = 0; order < 2; ++order) {
        struct absorption_table table = {0};
        if (order == 0)
            read_csv(&table, csv);
        add(&table, "0.9");
        add(&table, " Glass = 0.4");
        add(&table, "0.07");
        add(&table, "GLASS=0.5");
        if (order == 1)
            read_csv(&table, csv);
        assert_values(&table, expected);
        cr_assert(strstr(table.source, "its 500 Hz column") != NULL);
        cr_assert(strchr(table.source, '/') == NULL, "%s", table.source);
        absorption_table_free(&table);
        cr_assert(table.count == 0 && table.entry == NULL);
    }
}

Test(absorption, a_name_may_hold_an_equals_sign_and_a_later_file_wins)
{
    static const char *const odd[1] = {"a=b"};
    struct absorption_table table = {0};
    struct mesh mesh = mesh_of(odd, 1);
    double value;
    add(&table, "a=b=0.25");
    cr_assert(eq(int, absorption_resolve(&table, &mesh, NAN, &value, NULL, NULL), 0));
    cr_assert(value == 0.25);
    absorption_table_free(&table);
    read_csv(&table, "material,500\na=b,0.1\n");
    read_csv(&table, "material,500\na=b,0.2\n");
    cr_assert(eq(int, absorption_resolve(&table, &mesh, NAN, &value, NULL, NULL), 0));
    cr_assert(value == 0.2);
    absorption_table_free(&table);
    mesh_free(&mesh);
}

Test(absorption, uncovered_surfaces_get_the_missing_value_or_are_listed_with_areas)
{
    struct absorption_table table = {0};
    struct failure failure = {0};
    struct mesh mesh = mesh_of(church, 4);
    double value[4];
    size_t uncovered = 0;
    add(&table, "Walls=0.02");
    add(&table, "oak=0");
    cr_assert(eq(int, absorption_resolve(&table, &mesh, 0.1, value, &uncovered, NULL), 0));
    cr_assert(eq(sz, uncovered, 2));
    cr_assert(value[0] == 0.02 && value[1] == 0.1 && value[2] == 0.1 && value[3] == 0);
    cr_assert(eq(int, absorption_resolve(&table, &mesh, NAN, value, &uncovered, &failure), FAILURE_INPUT));
    cr_assert(strstr(failure.sentence, "\"bare stone\" (2 m2), \"Glass\" (3 m2)") != NULL, "%s",
              failure.sentence);
    cr_assert(strstr(failure.sentence, "Walls") == NULL &&
              strstr(failure.sentence, "0.03 for bare stone") != NULL);
    add(&table, "Marbel=0.01");
    cr_assert(eq(int, absorption_resolve(&table, &mesh, 0.1, value, &uncovered, &failure), FAILURE_INPUT));
    cr_assert(strstr(failure.sentence, "Marbel") != NULL && strstr(failure.sentence, "\"Oak\"") != NULL);
    absorption_table_free(&table);
    mesh_free(&mesh);
}

Test(absorption, hundreds_of_uncovered_surfaces_make_a_sentence_that_ends)
{
    struct absorption_table table = {0};
    struct failure failure = {0};
    struct mesh mesh = {0};
    double value[500];
    for (int m = 0; m < 500; ++m) {
        char name[128];
        (void)snprintf(name, sizeof name, "surface %d %0100d", m, 0);
        cr_assert(eq(int, mesh_add_material(&mesh, name, NULL, NULL), 0));
    }
    cr_assert(eq(int, absorption_resolve(&table, &mesh, NAN, value, NULL, &failure), FAILURE_INPUT));
    cr_assert(strstr(failure.sentence, "full pews") != NULL, "%s", failure.sentence);
    add(&table, "x=1");
    cr_assert(eq(int, absorption_resolve(&table, &mesh, NAN, value, NULL, &failure), FAILURE_INPUT));
    absorption_table_free(&table);
    mesh_free(&mesh);
}

Test(absorption, option_values_must_be_numbers_from_0_to_1)
{
    static const char *const bad[] = {"",      "wood", "1.01",  "-0.1",    "nan", "inf",      "0x1",
                                      "0.1 m", "=0.1", "wood=", "wood=x",  "0,1", "wood=1.5", "wood=nan",
                                      " =0.1", "--",   "1e999", "1e-1e-1", "wood"};
    struct absorption_table table = {0};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        struct failure failure = {0};
        cr_assert(eq(int, absorption_table_add(&table, bad[k], &failure), FAILURE_INPUT), "%s", bad[k]);
        cr_assert(strstr(failure.sentence, "--absorption") != NULL);
    }
    cr_assert(eq(sz, table.count, 0));
    add(&table, "0");
    add(&table, "1");
    add(&table, "wood=1e-1");
    cr_assert(eq(sz, table.count, 3));
    absorption_table_free(&table);
}

Test(absorption, csv_of_any_dialect_gives_the_same_values)
{
    static const char *const dialect[] = {
        "material,250,500,1000\nWalls,1,0.1,1\nbare stone,1,0.2,1\nGlass,1,0.3,1\nOak,1,0.4,1\n",
        "\xEF\xBB\xBFMaterial , 250 , 500 Hz,1000\r\n\r\n Walls , 1, 0.1 ,1\r\n\"bare stone\",1,\".2\",1\r\n"
        "# note\r\nGlass,1,3e-1\r\nOak,1,0.4,1",
        "\n\n#x,y\n\"material\",500.0\n\"Walls\" ,0.1\nbare stone,0.2\nGLASS,0.3\nglass,0.30\nOak,0.4\n\n",
        "material,125,500\nWalls,,0.1,\nbare stone,x,0.2\nGlass,,0.3,\"quoted, \"\"more\"\"\"\noak,,0.4\n",
    };
    static const double expected[4] = {0.1, 0.2, 0.3, 0.4};
    for (size_t k = 0; k < sizeof dialect / sizeof dialect[0]; ++k) {
        struct absorption_table table = {0};
        read_csv(&table, dialect[k]);
        assert_values(&table, expected);
        absorption_table_free(&table);
    }
    struct absorption_table table = {0};
    read_csv(&table, "material,500\n\"say \"\"oak\"\", old\",0.4\n");
    cr_assert(eq(str, table.entry[0].name, "say \"oak\", old"));
    absorption_table_free(&table);
}

Test(absorption, a_bad_csv_is_refused_with_file_line_and_value_and_changes_nothing)
{
    static const struct {
        const char *text, *because;
    } bad[] = {
        {"", "is empty"},
        {"\n#\n", "is empty"},
        {"material,500\n", "names no material"},
        {"Walls,0.1\n", "line 1 begins with \"Walls\""},
        {"material;500\nWalls;0.1\n", "separate the columns by commas"},
        {"material,250,1000\nWalls,1,1\n", "line 1 has no 500 Hz column"},
        {"material,500,500\nWalls,1,1\n", "two 500 Hz columns"},
        {"material,500,high\nWalls,1,1\n", "\"high\" is no octave"},
        {"material,250,500\nWalls,0.1\n", "line 2: \"Walls\" has no value in column 3"},
        {"material,500\n\nWalls,hard\n", "line 3: \"hard\" for \"Walls\""},
        {"material,500\nWalls,\n", "line 2: \"\" for \"Walls\""},
        {"material,500\nWalls,1.2\n", "line 2: the absorption 1.2 of \"Walls\""},
        {"material,500\nWalls,-0.1\n", "line 2"},
        {"material,500\nWalls,nan\n", "line 2"},
        {"material,500\n,0.1\n", "line 2 begins without"},
        {"material,500\nWalls,0.1\nwalls,0.2\n",
         "line 3 gives \"walls\" as 0.2 at 500 Hz, an earlier line as 0.1"},
        {"material,500\n\"Walls,0.1\n", "line 2: a quote"},
        {"material,500\n\"Walls\"x,0.1\n", "line 2: a quote"},
    };
    struct absorption_table table = {0};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        struct failure failure = {0};
        write_csv(bad[k].text);
        cr_assert(eq(int, absorption_table_read(&table, file_path, &failure), FAILURE_INPUT), "%s",
                  bad[k].text);
        cr_assert(strstr(failure.sentence, file_path) != NULL, "%s", failure.sentence);
        cr_assert(strstr(failure.sentence, bad[k].because) != NULL, "\"%s\" does not say \"%s\"",
                  failure.sentence, bad[k].because);
        cr_assert(table.count == 0 && table.source[0] == '\0');
    }
    FILE *file = fopen(file_path, "w");
    cr_assert(file != NULL && fwrite("material,500\nWa\0ls,0.1\n", 1, 23, file) == 23 && fclose(file) == 0);
    struct failure failure = {0};
    cr_assert(eq(int, absorption_table_read(&table, file_path, &failure), FAILURE_INPUT));
    cr_assert(strstr(failure.sentence, "line 2 holds a zero byte") != NULL, "%s", failure.sentence);
    file = fopen(file_path, "w");
    cr_assert(file != NULL && fputs("material,500\n", file) >= 0);
    for (int k = 0; k < 70000; ++k)
        (void)fputc('x', file);
    cr_assert(eq(int, fclose(file), 0));
    cr_assert(eq(int, absorption_table_read(&table, file_path, &failure), FAILURE_INPUT));
    cr_assert(strstr(failure.sentence, "line 2 is longer than") != NULL, "%s", failure.sentence);
    cr_assert(eq(int, absorption_table_read(&table, "/tmp", &failure), FAILURE_INPUT), "%s",
              failure.sentence);
    cr_assert(eq(int, absorption_table_read(&table, "/tmp/absent/x.csv", &failure), FAILURE_INPUT));
    cr_assert(strstr(failure.sentence, "No such file") != NULL, "%s", failure.sentence);
}

Test(absorption, the_church_reads_its_500_hz_column)
{
    static const char *const name[3] = {"Carpet", "Tile", "Glass"};
    const char *path = test_shared_data("ctk_church/materials.csv");
    if (path == NULL)
        return;
    struct absorption_table table = {0};
    struct failure failure = {0};
    struct mesh mesh = mesh_of(name, 3);
    double value[3];
    cr_assert(eq(int, absorption_table_read(&table, path, &failure), 0), "%s", failure.sentence);
    cr_assert(eq(sz, table.count, 8));
    cr_assert(eq(int, absorption_resolve(&table, &mesh, NAN, value, NULL, &failure), 0), "%s",
              failure.sentence);
    cr_assert(value[0] == 0.57 && value[1] == 0.005 && value[2] == 0.18);
    cr_assert(eq(str, table.source, "materials.csv, its 500 Hz column"));
    absorption_table_free(&table);
    mesh_free(&mesh);
}
