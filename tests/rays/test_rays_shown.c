/** Octaves from rays are called so, with their error bars, wherever figures are shown. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <math.h>

#include "src/rays/ray_trace.h"
#include "tests/rays/with_rays.h"
#include "tests/support/hdf5_read.h"
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

#define ROOM                                                                                                 \
    "cube.obj", "--fmax", "355", "--absorption", "0.15", "--source", "0.8,1,1.1", "--receiver", "2,2.2,1.7", \
        "--receiver", "1.2,2.1,2.2", "--backend", "cpu"

TestSuite(rays_shown, .init = enter_folder, .fini = leave_folder, .timeout = 300);

static double octave_of(const cJSON *record, const char *name, int octave)
{
    char key[80];
    snprintf(key, sizeof key, "responses.1.%s.%d", name, octave);
    return record_number(record, key);
}

/* The sound of a file is a draw of the energy, of which other figures follow. */
static void expect_recorded_figures(void)
{
    const cJSON *record = read_json("run/run.json");
    expect_status(RUN("analyse", "run", "--json"), 0);
    const cJSON *whole = read_json("out");
    expect_status(RUN("analyse", "run/ir_S1_R1.wav", "run/ir_S1_R2.wav", "--onset", "5ms", "--json"), 0);
    const cJSON *drawn = read_json("out");
    double apart = 0;
    for (int o = 3; o < RAY_OCTAVES; o++) {
        static const char *const name[] = {
            "t30_s", "g_db", "c80_db", "t30_s_error", "t30_s_scattering", "t30_s_interference"};
        for (size_t i = 0; i < sizeof name / sizeof *name; i++)
            cr_assert(eq(dbl, octave_of(record, name[i], o), octave_of(whole, name[i], o)), "%s", name[i]);
        const double step = octave_of(drawn, "c80_db", o) - octave_of(record, "c80_db", o);
        apart += isfinite(step) ? fabs(step) : 0;
    }
    cr_assert(eq(dbl, record_number(whole, "responses.1.sti"), record_number(record, "responses.1.sti")));
    cr_assert(record_at(drawn, "responses.1.from") == NULL && apart > 0, "%g dB", apart);
    const double sti_error = record_number(record, "responses.1.sti_error");
    cr_assert(sti_error > 0 && sti_error < 0.1, "%g", sti_error);
    expect_status(RUN("analyse", "run"), 0);
    expect_words("out", "\nfrom                       waves", "have the figures of run.json");
}

static void expect_sofa(void)
{
    expect_status(RUN("export", "run", "-o", "run.sofa"), 0);
    const hid_t file = H5Fopen("run.sofa", H5F_ACC_RDONLY, H5P_DEFAULT);
    hdf5_expect_text(file, "/", "FrequencyRange", "30 to 22387 Hz");
    hdf5_expect_text(file, "/", "CrossoverFrequency", "298.5 Hz");
    hdf5_expect_text(file, "/", "OctavesFromRays", "500, 1000, 2000, 4000, 8000, 16000 Hz");
    H5Fclose(file);
}

/* Two responses, five figures. */
static void expect_coverage(void)
{
    expect_status(RUN("simulate", "cube.obj", "--fmax", "710", "--absorption", "0.15", "--source",
                      "0.8,1,1.1", "--receiver", "2,2.2,1.7", "--receiver", "1.2,2.1,2.2", "--backend", "cpu",
                      "--rays", "off", "-o", "waves"),
                  0);
    expect_status(RUN("compare", "waves", "run", "--json"), 0);
    const cJSON *json = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(json, "comparisons.0.coverage.octaves_hz")), 1));
    cr_assert(eq(dbl, record_number(json, "comparisons.0.coverage.octaves_hz.0"), 500));
    cr_assert(eq(dbl, record_number(json, "comparisons.0.coverage.cells"), 10));
    cr_assert(record_number(json, "comparisons.0.coverage.figures.4.floor_jnds.0") > 0);
    expect_status(RUN("compare", "waves", "run"), 0);
    expect_words("out", "of 10 cells (response, octave, figure)", "floor JND",
                 "waves to 355 Hz and rays above");
}

Test(rays_shown, every_command_names_the_octaves_from_rays_of_a_run)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "-o", "run", "--rays", "on"), 0);
    expect_words("out", "\nfrom                       waves", "    rays", "  error bar ",
                 "error bar: nine of ten");
    expect_recorded_figures();
    expect_sofa();
    expect_coverage();
}

Test(rays_shown, maps_and_their_tables_name_the_origin_of_their_octaves)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "--receiver-grid", "floor=wall", "--grid-spacing", "0.8", "--maps",
                      "all", "-o", "map", "--rays", "on"),
                  0);
    expect_words("out", "maps: mean of 500 and 1000 Hz, from rays");
    expect_words("map/map_S1_floor.csv", "t30_s_1000,t30_s_1000_error,", "t30_s_single_error", ",from_63,",
                 ",waves,waves,waves,rays,rays,");
    cr_assert(strstr(read_text("map/map_S1_floor.csv"), "t30_s_250_error") == NULL);
    expect_words("map/map_S1_floor_t30.svg", "T30, mean of 500 and 1000 Hz, from rays");
    expect_words("map/map_S1_floor_t30_2000hz.svg", "T30, 2000 Hz octave, from rays");
    expect_words("map/map_S1_floor_t30_250hz.svg", "T30, 250 Hz octave<");
    const cJSON *record = read_json("map/run.json");
    cr_assert(eq(str, (char *)record_text(record, "grids.0.maps.0.from.2"), "waves"));
    cr_assert(eq(str, (char *)record_text(record, "grids.0.maps.0.from.3"), "rays"));
    cr_assert(record_number(record, "grids.0.maps.0.t30_s_error.3") > 0);
    expect_status(RUN("compare", "map", "map", "--json"), 0);
    const cJSON *same = read_json("out");
    cr_assert(isnan(record_number(same, "comparisons.0.grids.0.figures.2.error.2")));
    cr_assert(record_number(same, "comparisons.0.grids.0.figures.2.error.3") > 0);
}
