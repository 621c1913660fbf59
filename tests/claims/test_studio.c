/* PTB's studio, a room that was measured: what tools/compare-studio makes of tables and runs that are made up
 * here, and, where the real ones are, whether runs of both states ring as long as the coefficients lead one
 * to expect. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "tests/support/json_path.h"

TestSuite(studio, .init = enter_folder, .fini = leave_folder);

#define COMPARE(...) run(NULL, (const char *const[]){compare_program(), __VA_ARGS__, NULL})

/* It stands in the tree, not in a bundle. */
static const char *compare_program(void)
{
    const char *path = test_source_file("tools/compare-studio");
    if (!exists(path))
        cr_skip("tools/compare-studio is not on this machine");
    return path;
}

#define HEAD       "125,250,500,1000,2000,4000\n"
#define EVERY(a)   "," a "," a "," a "," a "," a "," a "\n"
#define PAIRS      6
#define QUANTITIES 5
static const char *const source_of[PAIRS] = {"S1", "S1", "S1", "S2", "S2", "S2"};
static const char *const receiver_of[PAIRS] = {"R1", "R2", "R3", "R1", "R2", "R3"};
static const char *const quantity[QUANTITIES] = {"T30_s", "EDT_s", "C80_dB", "D50_percent", "G_dB"};

/* Measured in the open state: T30 and EDT 1 s, C80 2 dB, D50 50 %, G 20 dB, everywhere; deviations of 0.05 s
 * of T30. Three teams, off by 1, 2 and 3 JND of each. */
static void write_tables(void)
{
    static const double value[QUANTITIES] = {1, 1, 2, 50, 20}, noticeable[QUANTITIES] = {0.05, 0.05, 1, 5, 1};
    FILE *file = fopen("measured.csv", "w");
    (void)fputs("state,source,receiver,quantity," HEAD, file);
    for (int pair = 0; pair < PAIRS; ++pair)
        for (int q = 0; q < QUANTITIES; ++q) {
            (void)fprintf(file, "open,%s,%s,%s", source_of[pair], receiver_of[pair], quantity[q]);
            for (int octave = 0; octave < 6; ++octave)
                (void)fprintf(file, ",%g", value[q]);
            (void)fputc('\n', file);
            if (q == 0)
                (void)fprintf(file, "open,%s,%s,T30_s_std" EVERY("0.05"), source_of[pair], receiver_of[pair]);
        }
    (void)fclose(file);
    file = fopen("teams_each.csv", "w");
    (void)fputs("team,state,quantity," HEAD, file);
    for (int team = 1; team <= 3; ++team)
        for (int q = 0; q < QUANTITIES; ++q) {
            (void)fprintf(file, "%d,open,%s", team, quantity[q]);
            for (int octave = 0; octave < 6; ++octave)
                (void)fprintf(file, ",%g", value[q] + (octave % 2 ? -1 : 1) * team * noticeable[q]);
            (void)fputc('\n', file);
        }
    (void)fclose(file);
}

/* A run.json with the octaves 63 to 250 Hz. At 250 Hz T30 is 1 s and `step` more or less, in turn; at 125 Hz
 * it is 1.1 s. The last pair has no C80 at 125 Hz, where the others have `c80`. */
static void write_run(const char *path, double step, double c80)
{
    FILE *file = fopen(path, "w");
    (void)fputs("{\"responses\": [", file);
    for (int pair = 0; pair < PAIRS; ++pair) {
        char clarity[20] = "null";
        if (pair < PAIRS - 1)
            (void)snprintf(clarity, sizeof clarity, "%g", c80);
        (void)fprintf(file,
                      "%s{\"source\": \"%s\", \"receiver\": \"%s\", \"nominal_hz\": [63, 125, 250], "
                      "\"t30_s\": [9, 1.1, %g], \"edt_s\": [9, 1, 1], \"c80_db\": [9, %s, 2], "
                      "\"d50\": [9, 0.5, 0.5], \"g_db\": [9, 20, 20]}",
                      pair == 0 ? "" : ", ", source_of[pair], receiver_of[pair],
                      pair % 2 == 0 ? 1 + step : 1 - step, clarity);
    }
    (void)fputs("]}\n", file);
    (void)fclose(file);
}

/* The first line after `section` that starts with `label` goes on with `cells`, blanks aside. */
static void expect_line(const char *section, const char *label, const char *cells)
{
    char *text = read_text("out"), *at = strstr(text, section), got[300] = "";
    for (at = at == NULL ? NULL : strchr(at, '\n'); at != NULL; at = strchr(at, '\n')) {
        ++at;
        const size_t blanks = strspn(at, " ");
        if (strncmp(at + blanks, label, strlen(label)) == 0) {
            const char *from = at + blanks + strlen(label);
            size_t count = 0;
            for (; *from != '\n' && *from != '\0' && count < sizeof got - 2; ++from)
                if (*from != ' ' || (count > 0 && got[count - 1] != ' '))
                    got[count++] = *from;
            got[count > 0 && got[count - 1] == ' ' ? count - 1 : count] = '\0';
            break;
        }
    }
    cr_expect(strcmp(got, cells) == 0, "%s, %s: \"%s\", not \"%s\"", section, label, got, cells);
}

Test(studio, differences_are_just_noticeable_ones_of_the_mean_and_of_each_place)
{
    write_tables();
    write_run("run.json", 0.1, 4.5);
    expect_status(COMPARE("--data", ".", "--open", "run.json", "--places"), 0);
    expect_line("open, T30", "S1-R1 JND", "+2.0 +2.0 - - - -");
    expect_line("open, T30", "S1-R2 JND", "+2.0 -2.0 - - - -");
    expect_line("open, T30", "mean, run", "1.10 1.00 - - - -");
    expect_line("open, T30", "mean, JND", "+2.0 +0.0 - - - -");
    expect_line("open, T30", "rms of the pairs, JND", "2.0 2.0 - - - -");
    expect_line("open, D50", "mean, run", "50 50 - - - -");
    expect_line("open, G", "mean, JND", "+0.0 +0.0 - - - -");
}

Test(studio, a_pair_without_a_figure_is_left_out_on_both_sides_and_said)
{
    write_tables();
    write_run("run.json", 0, 4.5);
    expect_status(COMPARE("--data", ".", "--open", "run.json"), 0);
    expect_line("open, C80", "mean, JND", "+2.5 +0.0 - - - -");
    expect_line("open, C80", "pairs that have it", "5 6 - - - -");
    expect_line("open, D50", "pairs that have it", "");
}

Test(studio, the_rank_is_among_the_teams_by_the_mean_of_absolute_differences)
{
    write_tables();
    write_run("run.json", 0, 4.5); /* T30 off by 2 JND at 125 Hz and 0 at 250: 1.0; C80 2.5 and 0: 1.25 */
    expect_status(COMPARE("--data", ".", "--open", "run.json"), 0);
    expect_line("open, T30", "teams, median", "1.10 0.90 1.10 0.90 1.10 0.90");
    expect_line("off by", "open, C80 [dB], 125 to 250 Hz", "1.25 2 of 4 1.00 2.00 3.00 -");
    expect_line("off by", "open, EDT [s], 125 to 250 Hz", "0.00 1 of 4 1.00 2.00 3.00 -");
    expect_line("off by", "open, all five", "0.45 1 of 4 1.00 2.00 3.00 -");
    expect_line("off by", "open, T30 [s], 125 to 250 Hz", "1.00 1 of 4 1.00 2.00 3.00 1.00");
}

Test(studio, figures_of_several_runs_come_from_the_first_that_has_them)
{
    write_tables();
    write_run("one.json", 0, 4.5);
    write_run("other.json", 0, 7);
    expect_status(COMPARE("--data", ".", "--open", "one.json@250,other.json"), 0);
    expect_line("open, C80", "mean, run", "7.0 2.0 - - - -");
    expect_status(COMPARE("--data", ".", "--open", "one.json,other.json"), 0);
    expect_line("open, C80", "mean, run", "4.5 2.0 - - - -");
}

Test(studio, a_variation_is_told_as_a_change_of_its_base)
{
    write_run("base.json", 0.1,
              4.5); /* 1.1 and 0.9 s in turn, then 0.9 and 1.1: 0.2 s are 3.64 and 4.44 JND */
    write_run("run.json", -0.1, 5);
    expect_status(COMPARE("--varied", "base.json", "soft=run.json"), 0);
    expect_line("T30 [s]:", "soft", "+0.0 +0.0 - - - -");
    expect_line("T30 [s]:", "(", "0.00) (4.06) - - - -");
    expect_line("C80 [dB]:", "base", "4.5 2.0 - - - -");
    expect_line("C80 [dB]:", "soft", "+0.50 +0.00 - - - -");
}

Test(studio, absent_data_and_runs_are_named)
{
    write_run("run.json", 0, 4.5);
    expect_status(COMPARE("--data", "nowhere", "--open", "run.json"), 2);
    expect_words("err", "nowhere/measured.csv is absent: the data of PTB's studio are not part of this tree");
    write_tables();
    expect_status(COMPARE("--data", ".", "--open", "nowhere.json"), 2);
    expect_words("err", "nowhere.json is not the record of a run");
    write_text("run.json", "{\"responses\": []}");
    expect_status(COMPARE("--data", ".", "--open", "run.json"), 2);
    expect_words("err", "has none of the pairs");
}

/* Sound that is mixed evenly rings as long as Sabine says where little is absorbed and as Eyring says where
 * it all meets walls at random; a T30 is uncertain by 0.55 / sqrt(N B T) of itself for N places in an octave
 * of width B (ISO 3382-2, annex A, without its term for averages), 2.5 % here, of which two are allowed, and
 * a wall has its absorption within 5 %. */
#define RING_SPREAD (0.05 + 2 * 0.025)

Test(studio, both_states_ring_as_long_as_their_coefficients_make_them)
{
    static const char *const state[] = {"open", "closed"};
    char data[300], mesh[330], materials[330];
    double times[2];
    if (test_shared_data("ptb_studio/measured.csv") == NULL)
        cr_skip("the data of PTB's studio are not on this machine");
    (void)snprintf(data, sizeof data, "%s", test_shared_data("ptb_studio"));
    (void)snprintf(materials, sizeof materials, "%s/materials.csv", data);
    for (int s = 0; s < 2; ++s) {
        (void)snprintf(mesh, sizeof mesh, "%s/studio_%s.obj", data, state[s]);
        expect_status(RUN("simulate", mesh, "-o", state[s], "--quiet", "--fmax", "500", "--duration", "1",
                          "--materials", materials, "--temperature", "20", "--humidity", "50", "--pressure",
                          "100", "--source", "1.5,3.5,1.5,S1", "--receiver=-2,3,1.2,R1", "--receiver",
                          "2,6,1.2,R2", "--receiver", "0,7.5,1.2,R3"),
                      0);
        (void)snprintf(mesh, sizeof mesh, "%s/run.json", state[s]);
        cJSON *record = read_json(mesh);
        const double shortest = record_number(record, "eyring_s.2"),
                     longest = record_number(record, "sabine_s.2");
        times[s] = record_number(record, "means.t30_s.2");
        cr_expect(test_near(record_number(record, "means.octaves_hz.2"), 251.2, 0.1));
        /* This grid shuts the gaps beside the drawn curtains, and what is behind one of them is then no air.
         */
        cr_expect(s == 1 || test_near(record_number(record, "air_volume_m3"), 377.2, 0.1),
                  "the README of the data has 377.2 m3");
        cr_expect(times[s] >= shortest * (1 - RING_SPREAD) && times[s] <= longest * (1 + RING_SPREAD),
                  "%s: T30 at 250 Hz %.3f s, Eyring %.3f, Sabine %.3f", state[s], times[s], shortest,
                  longest);
    }
    cr_expect(times[1] < times[0], "the curtains are drawn and it rings no shorter");
    expect_status(COMPARE("--data", data, "--open", "open", "--closed", "closed"), 0);
    expect_words("out", "open, T30 [s], 125 to 250 Hz", "closed, G [dB], 125 to 250 Hz");
}
