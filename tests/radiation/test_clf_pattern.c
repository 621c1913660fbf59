/* Measured sources from texts of CLF that are written here, against closed forms. */
#define _XOPEN_SOURCE 700
#include "src/setup/radiation/clf_pattern.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

#define PI 3.14159265358979323846

TestSuite(clf_pattern, .init = enter_folder, .fini = leave_folder);

/* Pressure in a direction: x the axis, y left, z up. */
typedef double radiation(const double direction[3]);

static int power; /* of lobe() */
static double lobe(const double d[3])
{
    return pow((1.0 + d[0]) / 2.0, power);
}

static double ka; /* of piston(): wavenumber times radius */
static double piston(const double d[3])
{
    const double x = ka * sqrt(fmax(1.0 - d[0] * d[0], 0.0));
    return x > 1e-6 ? 2.0 * j1(x) / x : 1.0;
}

static double leaning(const double d[3])
{
    return 0.6 + 0.2 * d[0] + 0.12 * d[1] + 0.05 * d[2];
}

static double of_height(const double d[3])
{
    return 0.6 + 0.2 * d[0] + 0.1 * d[2] + 0.05 * d[1] * d[1];
}

static double level(const double d[3])
{
    return 0.6 + 0.2 * d[0] + 0.1 * d[2] * d[2] - 0.05 * d[1] * d[1];
}

/* The first `arcs` arcs, beginning at the top and over the left, as levels of any reference. */
static void write_clf(const char *path, int type, size_t arcs, const char *symmetry, const char *order,
                      radiation *of)
{
    const size_t around = type == 1 ? 36 : 72, points = around / 2 + 1;
    FILE *to = fopen(path, "w");
    cr_assert(to != NULL);
    (void)fprintf(
        to,
        "<CLF%d>\t\t\r\n<VERSION>\t1\t#a comment\r\n<MAXBAND>\t1000\r\n<RADIATION>\t<Fullsphere>\r\n"
        "<SENSITIVITY>\t90\t<nodata>\r\n<BALLOON-SYMMETRY>\t%s\t\r\n<BALLOON-ARC-ORDER>\t%s\r\n"
        "<BALLOON-REF>\t<relative>\t<SIGN>\t<actual>\r\n",
        type, symmetry, order);
    for (int band = 0; band < 2; band++) {
        (void)fprintf(to, "<BAND>\t%d\t(dB)\r\n", 500 << band);
        for (size_t a = 0; a < arcs; a++)
            for (size_t p = 0; p < points; p++) {
                const double turn = 2.0 * PI * (double)a / (double)around,
                             angle = PI * (double)p / (double)(points - 1);
                const double d[3] = {cos(angle), sin(angle) * sin(turn), sin(angle) * cos(turn)};
                (void)fprintf(to, "%.3f%s", 90.0 + fmax(20.0 * log10(of(d)), -120.0),
                              p + 1 < points ? "\t" : "\t\t\r\n");
            }
    }
    (void)fprintf(to, "\r\n<CABINET-SYSTEM>\t<on-axis>\t<+x>\r\n<CLF%dEND>\r\n", type);
    fclose(to);
}

static struct pattern read_clf(int type, size_t arcs, const char *symmetry, const char *order, radiation *of)
{
    struct pattern pattern = {0};
    write_clf("box.tab", type, arcs, symmetry, order, of);
    MUST(clf_pattern_read("box.tab", &pattern, &failure));
    cr_assert(pattern.lines == 2 && pattern.frequency[1] == 1000.0);
    return pattern;
}

static void expect_radiation(struct pattern pattern, radiation *of, double within)
{
    static const double front[3] = {1.0, 0.0, 0.0};
    for (int n = 0; n < 200; n++) {
        const double z = 1.0 - 2.0 * (n + 0.5) / 200, angle = 2.399963 * n, r = sqrt(1.0 - z * z);
        const double d[3] = {r * cos(angle), r * sin(angle), z};
        const double complex found = pattern_value(pattern.harmonic[1], d);
        cr_assert(cabs(found - of(d) / of(front)) <= within, "%g in %g, %g, %g", cabs(found), d[0], d[1],
                  d[2]);
    }
    pattern_free(&pattern);
}

Test(clf_pattern, lobes_have_the_pattern_and_the_directivity_index_of_their_formula)
{
    for (int type = 1; type <= 2; type++)
        for (power = 1; power <= 3; power++) {
            struct pattern pattern =
                read_clf(type, type == 1 ? 36 : 1, type == 1 ? "<none>" : "<Rotational>", "<default>", lobe);
            cr_assert(test_near(pattern_index(pattern.harmonic[0]), 10.0 * log10(2.0 * power + 1.0), 0.01));
            cr_assert(isinf(pattern.carried));
            expect_radiation(pattern, lobe, 1e-3);
        }
}

/* A piston in an endless wall, and its image: 10 lg of (ka)^2 / 2 over (1 - J1(2 ka) / ka). */
Test(clf_pattern, a_piston_has_the_directivity_index_of_its_formula)
{
    for (ka = 0.5; ka <= 2.0; ka += 0.5) {
        struct pattern pattern = read_clf(2, 1, "<rotational>", "<default>", piston);
        cr_assert(test_near(pattern_index(pattern.harmonic[0]),
                            10.0 * log10(0.5 * ka * ka / (1.0 - j1(2.0 * ka) / ka)), 0.1),
                  "ka %g: %g dB", ka, pattern_index(pattern.harmonic[0]));
        pattern_free(&pattern);
    }
}

static double mirrored(const double d[3])
{
    const double other[3] = {d[0], -d[1], d[2]};
    return leaning(other);
}

Test(clf_pattern, arcs_go_by_the_left_and_by_the_right_if_reversed)
{
    expect_radiation(read_clf(2, 72, "<none>", "<default>", leaning), leaning, 1e-3);
    expect_radiation(read_clf(1, 36, "<none>", "<reversed>", leaning), mirrored, 1e-3);
}

Test(clf_pattern, arcs_that_are_not_given_are_those_of_the_symmetry)
{
    expect_radiation(read_clf(1, 19, "<horizontal>", "<default>", of_height), of_height, 1e-3);
    expect_radiation(read_clf(2, 37, "<horizontal>", "<reversed>", of_height), of_height, 1e-3);
    expect_radiation(read_clf(2, 72, "<horizontal>", "<default>", of_height), of_height, 1e-3);
    expect_radiation(read_clf(1, 10, "<full>", "<default>", level), level, 1e-3);
    expect_radiation(read_clf(2, 19, "<full>", "<default>", level), level, 1e-3);
}

/* The file with one text of it replaced. */
static void write_changed(const char *from, const char *to)
{
    char *text = read_text("box.tab");
    char *const at = strstr(text, from);
    cr_assert(at != NULL, "%s", from);
    FILE *file = fopen("changed.tab", "w");
    (void)fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(file);
    free(text);
}

Test(clf_pattern, what_is_not_certain_or_not_a_text_of_clf_is_refused_in_a_sentence)
{
    static const char *const wrong[][3] = {
        {"<CLF1>", "<CLF3>", "begins with <CLF1> or <CLF2>"},
        {"<VERSION>\t1", "<VERSION>\t2", "line 2: its version is 2"},
        {"<Fullsphere>", "<halfsphere>", "over <halfsphere>"},
        {"<none>", "<vertical>", "its symmetry is <vertical>"},
        {"<default>", "<default>\t<ROTATE>\t90", "rotated by 90"},
        {"<default>", "<up>", "the order of arcs is <up>"},
        {"<actual>", "<inverted>", "the sign of its levels is <inverted>"},
        {"<none>", "<full>\r\n<BALLOON-SYMMETRY>\t<rotational>\r\n<BAND>\t250\r\n<X>", "250 Hz has 0 arcs"},
        {"<BAND>\t1000", "<BAND>\t400", "bands rise"},
        {"<BAND>\t1000", "<BAND>", "expected <BAND> and its frequency"},
        {"<BAND>\t1000\t(dB)\r\n", "", "more than 36 arcs"},
        {"\t(dB)\r\n88.062\t", "\r\n", "the arc has 18 levels; CLF1 has 19"},
        {"\t(dB)\r\n88.062", "\r\n<nodata>", "\"<nodata>\" is not a level"},
        {"\t(dB)\r\n88.062", "\r\n80,5", "each line is an arc"},
        {"<MAXBAND>\t1000", "<MAXBAND>\t2000", "ends with the band of 1000 Hz"}};
    struct pattern pattern = {0};
    char why[FAILURE_WHERE_MAX + 2000];
    write_clf("box.tab", 1, 36, "<none>", "<default>", leaning);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        write_changed(wrong[w][0], wrong[w][1]);
        cr_assert(eq(int, clf_pattern_read("changed.tab", &pattern, &failure), FAILURE_INPUT), "%s",
                  wrong[w][2]);
        char where[FAILURE_WHERE_MAX];
        (void)snprintf(why, sizeof why, "%s%s", failure_where(&failure, where), failure.sentence);
        cr_assert(strstr(why, wrong[w][2]) != NULL, "%s", why);
    }
    write_text("encoded.CF2", "\x41\xBD\x0A");
    FILE *more = fopen("encoded.CF2", "ab");
    cr_assert(fwrite("\0\1", 1, 2, more) == 2);
    fclose(more);
    MUST_FAIL(clf_pattern_read("encoded.CF2", &pattern, &failure), FAILURE_INPUT, "encoded form of CLF");
    MUST_FAIL(clf_pattern_read("missing.tab", &pattern, &failure), FAILURE_INPUT, "missing.tab");
    cr_assert(pattern.lines == 0 && pattern.frequency == NULL);
}

Test(clf_pattern, every_file_that_is_cut_before_its_last_arc_is_a_sentence)
{
    write_clf("box.tab", 1, 1, "<rotational>", "<default>", leaning);
    char *text = read_text("box.tab");
    for (char *cut = strstr(text, "\r\n<CABINET") - 11; cut > text; cut -= 5) {
        struct pattern pattern = {0};
        *cut = '\0';
        write_text("cut.tab", text);
        cr_assert(eq(int, clf_pattern_read("cut.tab", &pattern, &failure), FAILURE_INPUT), "%td bytes",
                  cut - text);
    }
    free(text);
}
