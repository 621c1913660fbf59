/* `transept calibrate` as a user runs it: a box that the program itself measures with other coefficients. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "tests/support/json_path.h"

TestSuite(command_calibrate, .init = enter_folder, .fini = leave_folder);

__attribute__((format(printf, 2, 3))) static double number_at(const cJSON *object, const char *format, ...)
{
    char key[80];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(key, sizeof key, format, arguments);
    va_end(arguments);
    return record_number(object, key);
}

/* 5 x 4 x 3 m: a floor, four walls, a ceiling. */
static void write_room(void)
{
    write_text("box.obj",
               "v 0 0 0\nv 5 0 0\nv 5 4 0\nv 0 4 0\nv 0 0 3\nv 5 0 3\nv 5 4 3\nv 0 4 3\n"
               "usemtl floor\nf 1 2 3 4\nusemtl walls\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n"
               "usemtl ceiling\nf 5 8 7 6\n");
}

#define PLACES                                                                                               \
    "sources:\n- {name: S1, position: [1.2, 1.1, 1.4]}\nreceivers:\n"                                        \
    "- {name: R1, position: [3.9, 2.7, 1.3]}\n- {name: R2, position: [2.6, 3.1, 1.7]}\n"                     \
    "outputs: {rays: off}\n"
#define KNOWN   "  floor: 0.15 +- 0\n  walls: 0.12 +- 0\n"
#define CEILING "  ceiling: {octaves: [0.1, 0.15, 0.3, 0.25, 0.2, 0.2, 0.2, 0.2]}\n"
#define UNKNOWN "  ceiling: {absorption: 0.2 +- 0.2, scattering: 0.3, guessed: true} # who knows\n"

static const double ceiling[] = {0.1, 0.15, 0.3, 0.25, 0.2, 0.2, 0.2, 0.2};

/* Waves alone, which have the octaves to 500 Hz. */
Test(command_calibrate, a_box_that_the_program_measured_is_recovered)
{
    enum { OCTAVES = 4, CEILING_AT = 2 };
    static const char before[] = "# mine\nroom: box.obj\nmaterials:\n" KNOWN UNKNOWN PLACES;
    write_room();
    write_text("truth.yaml", "room: box.obj\nmaterials:\n" KNOWN CEILING PLACES);
    write_text("p.yaml", before);
    joins_rays = true; /* the project says what it joins */
    expect_status(RUN("simulate", "truth.yaml", "-o", "truth", "--fmax", "710"), 0);
    expect_status(RUN("calibrate", "p.yaml", "--measured", "truth", "-o", "runs", "--fmax", "710", "--json"),
                  0);
    cJSON *object = read_json("out");
    cr_expect(test_at_most(number_at(object, "runs"), 4));
    for (int o = 0; o < 8; o++) {
        const double after = number_at(object, "materials.%d.absorption_after.%d", CEILING_AT, o);
        if (o < OCTAVES)
            cr_expect(test_near(number_at(object, "after_s.%d", o) / number_at(object, "measured_s.%d", o), 1,
                                0.025),
                      "octave %d", o);
        cr_expect(test_near(after, ceiling[o], o < OCTAVES ? 0.04 : 0), "octave %d: %g, not %g", o, after,
                  ceiling[o]);
        for (int m = 0; m < CEILING_AT; m++)
            cr_expect(test_near(number_at(object, "materials.%d.absorption_after.%d", m, o),
                                number_at(object, "materials.%d.absorption_before.%d", m, o), 0),
                      "what is known changes");
    }
    const char *text = read_text("p.yaml");
    cr_expect(strncmp(text, before, strlen(before)) == 0, "the project changes: %s", text);
    cr_expect(strstr(text, "\nvariants:\n  calibrated:\n") != NULL, "%s", text);
    cr_expect(strstr(text, "guessed: true\n") != NULL && strstr(text, "scattering: {63: 0.3") != NULL, "%s",
              text);
    expect_status(RUN("plan", "p.yaml", "--variant", "calibrated", "--fmax", "177"), 0);
}

Test(command_calibrate, what_no_surface_could_absorb_is_refused_and_nothing_written)
{
    static const char project[] = "room: box.obj\nmaterials:\n" KNOWN UNKNOWN PLACES;
    write_room();
    write_text("p.yaml", project);
    write_text("T.csv", "125\n0.1\n");
    expect_status(RUN("calibrate", "p.yaml", "--measured", "T.csv", "-o", "runs", "--fmax", "177"), 2);
    expect_words("err",
                 "at 125 Hz T30 of 0.10 s was measured, and with every surface absorbing as much as it can");
    cr_expect_str_eq(read_text("p.yaml"), project);
}

Test(command_calibrate, mistakes_are_found_before_the_first_step)
{
    static const struct {
        const char *table, *project, *more, *says;
    } bad[] = {
        {"receiver,125\nR9,1\n", "p.yaml", "--quiet",
         "the project has no pair \"R9\"; its sources are S1, its"},
        {"source,receiver,125\nS2,R1,1\n", "p.yaml", "--quiet",
         "T.csv, line 2: the project has no pair \"S2, R1\""},
        {"125,250\n1,1\n", "p.yaml", "--figure=t25", "t25"},
        {"125,250\n1,1\n", "p.yaml", "--name=all", "no variant all can be added to p.yaml"},
        {"125,250\n1,1\n", "p.yaml", "--name=dry", "p.yaml has a variant dry"},
        {"125,250\n1,1\n", "box.obj", "--quiet",
         "calibrate takes a project in a file (.yaml), and box.obj is not"},
    };
    write_room();
    write_text("p.yaml",
               "room: box.obj\nmaterials:\n" KNOWN UNKNOWN PLACES "variants:\n  dry: {audience: 1}\n");
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        write_text("T.csv", bad[b].table);
        expect_status(RUN("calibrate", bad[b].project, "--measured", "T.csv", "-o", "runs", bad[b].more), 2);
        expect_words("err", bad[b].says);
        cr_expect(not(exists("runs")), "%s", bad[b].says);
    }
    expect_status(RUN("calibrate", "p.yaml", "-o", "runs"), 2);
    expect_words("err", "calibrate needs --measured FILE");
    expect_status(RUN("calibrate", "p.yaml", "--measured", "T.csv"), 2);
    expect_words("err", "calibrate needs -o DIR");
}
