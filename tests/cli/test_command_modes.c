/* `transept modes` on a run of a cube: frequencies against the formula of the lattice and that of a box,
 * decays against those of light walls. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#define PI    3.14159265358979323846
#define SIDE  3.0
#define CELLS 20

TestSuite(command_modes, .init = enter_folder, .fini = leave_folder);

static void run_cube(const char *folder_name, const char *scheme, const char *walls, const char *spacing)
{
    write_box("cube.obj", SIDE, SIDE, SIDE, true);
    expect_status(RUN("simulate", "cube.obj", "-o", folder_name, "--scheme", scheme, "--walls", walls,
                      "--spacing", spacing, "--fmax", "200", "--absorption", "0.04", "--air", "off",
                      "--duration", "2.5", "--source", "0.2,0.3,0.25", "--receiver", "2.8,2.75,2.7",
                      "--receiver", "0.3,0.2,2.8", "--quiet"),
                  0);
}

/* f of half waves n along the axes, on the lattice between rigid walls. */
static double discrete(const int n[3], double courant, double rate)
{
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += pow(sin(0.5 * PI * n[d] / CELLS), 2);
    return asin(courant * sqrt(sum)) * rate / PI;
}

Test(command_modes, a_cube_has_the_modes_of_its_lattice_and_they_are_named)
{
    run_cube("run", "standard", "staircase", "0.15");
    expect_status(RUN("modes", "run", "--json"), 0);
    cJSON *record = read_json("run/run.json"), *object = read_json("out");
    const double courant = number(record, "courant"), rate = number(record, "rate_hz");
    const cJSON *modes = cJSON_GetObjectItem(object, "modes"), *mode;
    cr_assert(test_above((double)cJSON_GetArraySize(modes), 5));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(object, "is_a_box")));
    cr_assert(test_near(number(object, "share_of_box"), 1, 1e-9));
    double axial = NAN, found = 0;
    cJSON_ArrayForEach(mode, modes)
    {
        const cJSON *likely = cJSON_GetArrayItem(cJSON_GetObjectItem(mode, "likely"), 0);
        cr_assert(eq(int, cJSON_GetArraySize(likely), 3));
        int n[3], zero = 0;
        double square = 0;
        for (int d = 0; d < 3; d++) {
            n[d] = cJSON_GetArrayItem(likely, d)->valueint;
            zero += n[d] == 0;
            square += n[d] * n[d];
        }
        const double f = number(mode, "frequency_hz"), decay = 3 * log(10) / number(mode, "reverberation_s");
        const double box = 0.5 * number(record, "sound_speed_m_s") / SIDE * sqrt(square);
        cr_assert(test_near(number(mode, "box_frequency_hz"), box, 1e-9 * box));
        /* Walls move a mode by less than they make it wide; the lattice by less than (pi f h / c)^2 / 6. */
        cr_assert(test_near(f, discrete(n, courant, rate), 0.1 * decay / PI), "%g Hz for %g", f,
                  discrete(n, courant, rate));
        cr_assert(test_near(f, box, 0.1 * decay / PI + box * pow(PI * f * 0.15 / 343, 2) / 6), "%g Hz for %g",
                  f, box);
        cr_assert(test_near(number(mode, "q"), PI * f / decay, 1e-6 * f));
        /* Pairs of walls that have no half wave between take half as much. */
        if (isnan(axial)) {
            cr_assert(eq(int, zero, 2));
            axial = decay / 4;
        }
        const double turn = 2 * PI * f * 0.15 / 343;
        cr_assert(test_near(decay, axial * (6 - zero), (0.01 + turn * turn / 8) * decay),
                  "%d %d %d: %g for %g", n[0], n[1], n[2], decay, axial * (6 - zero));
        found++;
    }
    /* All there are, once for all orders of the same three numbers. */
    double expected = 0;
    for (int n = 0; n < 7 * 7 * 7; n++) {
        const int half_waves[3] = {n % 7, n / 7 % 7, n / 49};
        expected += n > 0 && half_waves[0] >= half_waves[1] && half_waves[1] >= half_waves[2] &&
                    discrete(half_waves, courant, rate) < number(object, "searched_to_hz");
    }
    cr_assert(test_near(found, expected, 0), "%g of %g modes", found, expected);
    expect_status(RUN("modes", "run"), 0);
    expect_words("out", "the air fills 100 % of its box of 3 x 3 x 3 m", "0,0,1 0,1,0 1,0,0",
                 "the Schroeder frequency is");
}

/* No whole number of cells: conformal walls stand where they are all the same. */
Test(command_modes, a_cube_between_the_lines_of_the_grid_has_the_modes_of_its_box)
{
    const double h = 0.17;
    run_cube("run", "standard", "conformal", "0.17");
    expect_status(RUN("modes", "run", "--json"), 0);
    cJSON *object = read_json("out");
    const cJSON *modes = cJSON_GetObjectItem(object, "modes");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(object, "is_a_box")));
    cr_assert(test_near(number(object, "share_of_box"), 1, 1e-3));
    /* 1,0,0  1,1,0  1,1,1 and 2,0,0 */
    for (int m = 0; m < 4; m++) {
        const cJSON *mode = cJSON_GetArrayItem(modes, m);
        const double f = number(mode, "frequency_hz"), decay = 3 * log(10) / number(mode, "reverberation_s");
        const double box = 0.5 * 343.2 / SIDE * sqrt(m + 1);
        cr_assert(test_near(number(mode, "box_frequency_hz"), box, 1e-9 * box));
        cr_assert(test_near(f, box, 0.1 * decay / PI + box * pow(PI * f * h / 343, 2) / 6), "%g Hz for %g", f,
                  box);
    }
    expect_status(RUN("modes", "run"), 0);
    expect_words("out", "the air fills 100 % of its box of 3 x 3 x 3 m");
}

Test(command_modes, folders_without_a_run_are_refused)
{
    write_text("file", "");
    REFUSED("file/run.json", "modes", "file");
    cr_assert(eq(int, mkdir("old", 0777), 0));
#define OLD(size, responses)                                                                                 \
    "{\"format\": 1, \"fmax_hz\": 200, \"air_volume_m3\": 27, \"spacing_m\": 0.1, \"courant\": 0.5, "        \
    "\"box_size_m\": " size ", \"responses\": [" responses "]}"
    static const char *const old[][2] = {
        {"{\"format\": 1, \"fmax_hz\": 200, \"responses\": []}",
         "lacks air_volume_m3, spacing_m, courant or box_size_m"},
        {OLD("[3, 3, 3]", ""), "names no response"},
        {OLD("[3, -3, 3]", ""), "box_size_m"},
        {OLD("[3, 3, 3]", "{\"file\": \"gone.wav\"}"), "gone.wav"},
    };
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        write_text("old/run.json", old[i][0]);
        REFUSED(old[i][1], "modes", "old");
    }
    cr_assert(eq(int, RUN("modes"), 2));
}

/* At 5.7 points a wavelength at 200 Hz, where the standard scheme's axial modes are 2 % low. */
Test(command_modes, the_isotropic_scheme_has_modes_at_their_true_frequencies)
{
    run_cube("isotropic", "isotropic", "conformal", "0.3");
    expect_status(RUN("modes", "isotropic", "--json"), 0);
    cJSON *object = read_json("out");
    const cJSON *modes = cJSON_GetObjectItem(object, "modes"), *mode;
    double highest = 0;
    cr_assert(test_above((double)cJSON_GetArraySize(modes), 5));
    cJSON_ArrayForEach(mode, modes)
    {
        const double f = number(mode, "frequency_hz"), box = number(mode, "box_frequency_hz"),
                     decay = 3 * log(10) / number(mode, "reverberation_s");
        cr_assert(test_near(f, box, 0.1 * decay / PI + 1e-3 * box), "%g Hz for %g", f, box);
        highest = fmax(highest, f);
    }
    cr_assert(test_above(highest, 140));
}

/* Largest error of the first modes of a box of 3 x 2 x 1.5 m that is turned by 17.3 degrees. */
static double turned_error(const char *walls)
{
    /* Below 135 Hz; 114.4 Hz twice. */
    static const double exact[] = {57.2, 85.8, 103.11877, 114.4, 127.90309};
    write_text("turned.obj",
               "v 0 0 0\nv 2.864278 0.892124 0\nv 2.269529 2.801642 0\nv -0.594749 1.909519 0\n"
               "v 0 0 1.5\nv 2.864278 0.892124 1.5\nv 2.269529 2.801642 1.5\nv -0.594749 1.909519 1.5\n"
               "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    expect_status(RUN("simulate", "turned.obj", "--scheme", "standard", "--up", "z", "-o", walls, "--fmax",
                      "300", "--absorption", "0.02", "--air", "off", "--duration", "3", "--source",
                      "0.2,0.4,0.3", "--receiver", "2.2,1.9,1.1", "--receiver", "0.9,1.2,0.6", "--walls",
                      walls, "--backend", "cpu", "--quiet"),
                  0);
    expect_status(RUN("modes", walls, "--json"), 0);
    cJSON *object = read_json("out");
    const cJSON *modes = cJSON_GetObjectItem(object, "modes"), *mode;
    double worst = 0;
    for (size_t e = 0; e < sizeof exact / sizeof *exact; e++) {
        double nearest = 1;
        cJSON_ArrayForEach(mode, modes)
        {
            const double off = fabs(number(mode, "frequency_hz") / exact[e] - 1);
            nearest = fmin(nearest, off);
        }
        worst = fmax(worst, nearest);
    }
    return worst;
}

Test(command_modes, conformal_walls_put_the_modes_of_a_turned_box_where_they_are)
{
    /* On 11 cm what is left is the scheme's own: 22 points a wavelength at 128 Hz. */
    const double conformal = turned_error("conformal"), stairs = turned_error("staircase");
    cr_assert(test_at_most(conformal, 1.5e-3));
    cr_assert(test_above(stairs, 8 * conformal));
}
