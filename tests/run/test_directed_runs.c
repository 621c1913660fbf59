/* Runs of the program with sources that have a direction, or sound together. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <complex.h>
#include <sys/stat.h>

#include "tests/support/program_run.h"

#include "tests/support/sounds.h"

TestSuite(directed_runs, .init = enter_folder, .fini = leave_folder);

#define ROOM_TO(fmax, output)                                                                                \
    "simulate", "hall.obj", "-o", output, "--source", "0.3,0.4,0.5,A", "--source", "0.25,0.7,0.6,B",         \
        "--source", "0.3,0.6,0.8,C", "--receiver", "3.45,0.55,0.65,R", "--absorption", "0.6", "--fmax",      \
        fmax, "--air", "off", "--quiet", "--duration", "0.08"
#define ROOM(output)   ROOM_TO("1500", output)
#define COARSE(output) ROOM_TO("800", output)

static void write_hall(void)
{
    write_box("hall.obj", 3.7, 1.1, 1.2, true);
}

static float *samples(const char *path, size_t *count)
{
    int rate = 0;
    return read_mono(path, count, &rate);
}

static void expect_same(const char *one, const char *other)
{
    size_t count[2];
    float *a = samples(one, &count[0]), *b = samples(other, &count[1]);
    cr_assert(count[0] == count[1] && memcmp(a, b, count[0] * sizeof *a) == 0, "%s and %s", one, other);
    free(a);
    free(b);
}

Test(directed_runs, layouts_threads_and_the_reference_give_the_same_bits)
{
    static const char *const extra[][2] = {
        {"--threads", "1"}, {"--threads", "2"}, {"--layout", "box"}, {"--backend", "reference"}};
    char output[8], path[40];
    write_hall();
    for (size_t n = 0; n < 4; n++) {
        (void)snprintf(output, sizeof output, "run%zu", n);
        expect_status(RUN(COARSE(output), "--directivity", "A=voice", "--directivity", "B=cardioid", "--aim",
                          "B=30,20", "--together", "all=A,B:-2:0.5", extra[n][0], extra[n][1]),
                      0);
        (void)snprintf(path, sizeof path, "%s/ir_all_R.wav", output);
        expect_same("run0/ir_all_R.wav", path);
        (void)snprintf(path, sizeof path, "%s/ir_C_R.wav", output);
        expect_same("run0/ir_C_R.wav", path);
    }
    cr_assert(access("run0/ir_A_R.wav", F_OK) != 0, "A sounds with B alone");
    cJSON *record = read_json("run0/run.json");
    const cJSON *runs = cJSON_GetObjectItemCaseSensitive(record, "runs");
    cr_assert(eq(int, cJSON_GetArraySize(runs), 2));
    const char *quantity = text_of(cJSON_GetObjectItemCaseSensitive(record, "calibration"), "quantity");
    cr_assert(strstr(quantity, "= 1/r; of a source with a directivity on its axis; of sources that sound "
                               "together for each alone") != NULL,
              "%s", quantity);
}

Test(directed_runs, where_the_sound_of_several_at_once_went_is_told)
{
    write_hall();
    expect_status(RUN("simulate", "hall.obj", "-o", "told", "--fmax", "177", "--duration", "0.5",
                      "--absorption", "0.1", "--source", "0.9,0.5,0.6,A", "--source", "2,0.5,0.6,B",
                      "--receiver", "3,0.5,0.6,R", "--together", "all=A,B"),
                  0);
    expect_words("out", "where the sound went");
}

#define DIRECTED                                                                                             \
    "--precision", "double", "--directivity", "A=voice", "--directivity", "B=cardioid", "--aim", "B=R"

/* What sounds together is the sum of its members, each later by its delay: what is heard so late that no
 * low-pass has to give way (response.h), up to where the end of the run is felt. */
Test(directed_runs, what_sounds_together_is_the_sum_of_its_members)
{
    static const char *const member[] = {"alone/ir_A_R.wav", "alone/ir_B_R.wav", "alone/ir_C_R.wav"};
    static const size_t delay[] = {0, 60, 24};
    const double gain[] = {1.0, pow(10.0, -3.0 / 20.0), pow(10.0, 6.0 / 20.0)};
    size_t count, all_count;
    double largest = 0.0, off = 0.0;
    write_hall();
    expect_status(RUN(ROOM("alone"), DIRECTED), 0);
    expect_status(RUN(ROOM("together"), DIRECTED, "--together", "all=A:0:0,B:-3:1.25,C:6:0.5"), 0);
    float *all = samples("together/ir_all_R.wav", &all_count);
    double *sum = calloc(all_count, sizeof *sum);
    for (size_t m = 0; m < 3; m++) {
        float *one = samples(member[m], &count);
        cr_assert(eq(sz, count, all_count));
        for (size_t n = delay[m]; n < count; n++)
            sum[n] += gain[m] * (double)one[n - delay[m]];
        free(one);
    }
    for (size_t n = 0; n < all_count * 7 / 10; n++) {
        largest = fmax(largest, fabs(sum[n]));
        off = fmax(off, fabs(sum[n] - (double)all[n]));
    }
    (void)fprintf(stderr, "together: %.1e of the largest off\n", off / largest);
    cr_assert(off < 2e-3 * largest);
    cJSON *record = read_json("together/run.json");
    const cJSON *response = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(record, "responses"), 0);
    cr_assert(eq(str, (char *)text_of(response, "source"), "all"));
    cr_assert(test_near(number(response, "onset_s"), number(response, "distance_m") / 343.2, 1e-5));
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(record, "runs"), 0);
    cr_assert(number(cJSON_GetObjectItemCaseSensitive(run, "energy"), "imbalance") < 1e-5);
    free(sum);
    free(all);
}

/* The table of an array is the options that say the same. */
Test(directed_runs, an_array_from_a_table_gives_the_bits_of_its_options)
{
    write_hall();
    expect_status(RUN("simulate", "hall.obj", "-o", "options", "--source", "0.3,0.4,0.5,A", "--source",
                      "0.3,0.6,0.8,all_2", "--receiver", "3.45,0.55,0.65,R", "--absorption", "0.6", "--fmax",
                      "800", "--quiet", "--duration", "0.08", "--directivity", "A=voice", "--aim", "A=30,20",
                      "--together", "all=A:-2:0.5,all_2"),
                  0);
    write_text("array.csv", "name,delay_ms,X,y,z,gain_db,azimuth,elevation,directivity\n"
                            "A,0.5,0.3,0.4,0.5,-2,30,20,voice\n\n,,0.3,0.6,0.8\n");
    expect_status(RUN("simulate", "hall.obj", "-o", "table", "--array", "all=array.csv", "--receiver",
                      "3.45,0.55,0.65,R", "--absorption", "0.6", "--fmax", "800", "--quiet", "--duration",
                      "0.08"),
                  0);
    expect_same("options/ir_all_R.wav", "table/ir_all_R.wav");
    (void)mkdir("project", 0700);
    write_text("project/array.csv", "x,y,z\n0.3,0.4,0.5\n0.3,0.6,0.8\n");
    write_text("project/hall.yaml", "room: ../hall.obj\nother_surfaces: 0.6\narrays: {all: array.csv}\n"
                                    "sources: [{name: B, position: [1, 0.4, 0.5]}]\n"
                                    "receivers: [{name: R, position: [3.45, 0.55, 0.65]}]\n");
    expect_status(RUN("plan", "project/hall.yaml", "--fmax", "300"), 0);
    expect_words("err", "source all is all_1, all_2 at once");
}

Test(directed_runs, mistakes_of_a_table_of_loudspeakers_have_its_line)
{
    static const char *const wrong[][2] = {
        {"", "the table is empty"},
        {"x,y,z\n", "the table has no sources"},
        {"x,y,z,tilt\n1,1,1,2\n", "array.csv, line 1: --array all=array.csv: the column \"tilt\""},
        {"x,y,x\n", "two columns x"},
        {"x,y,gain_db\n1,1,1\n", "there is no column z"},
        {"x,y,z\n1,1,1\n1,,1\n", "line 3: --array all=array.csv: the row has no y"},
        {"x,y,z\n1,1,1,7\n", "more cells than the header"},
        {"x,y,z,gain_db\n1,1,1,loud\n", "gain_db is \"loud\", which is not a number"},
        {"x,y,z,elevation\n1,1,1,7\n", "an elevation without an azimuth"},
        {"x,y,z,name\n1,1,1,a b\n", "a b is not a name"},
        {"x,y,z,directivity\n1,1,1,horn\n", "horn is not a directivity"},
        {"x,y,z,directivity\n1,1,1,box.cf2\n", "box.cf2"},
        {"x,y,z,azimuth\n1,1,1,7\n", "is omnidirectional"},
        {"x,y,z,gain_db\n1,1,1,99\n", "from -60 to 60 dB"},
        {"x,y,z,name\n1,1,1,all\n", "two sources are called all"}};
    write_hall();
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        write_text("array.csv", wrong[w][0]);
        expect_status(RUN("plan", "hall.obj", "--absorption", "0.6", "--array", "all=array.csv", "--receiver",
                          "3.45,0.55,0.65"),
                      2);
        expect_words("err", wrong[w][1]);
    }
    expect_status(RUN("plan", "hall.obj", "--array", "array.csv"), 2);
    expect_words("err", "expected NAME=FILE.csv");
}

/* Eight sources above one another with delays and gains, in free field: until the walls of a cube of 20 m
 * answer, the sum of g e^(-j 2 pi f (r / c + t)) / r. */
Test(directed_runs, a_column_from_a_table_radiates_as_its_array_factor)
{
    enum { SOURCES = 8, PLACES = 5 };
    static const double gain[SOURCES] = {-6, -3, -1, 0, 0, -1, -3, -6};
    static const char *const place[PLACES] = {"15,10,10,P0", "14.5,10,12,P1", "13,10,14,P2", "10,13,6,P3",
                                              "10,10,15,P4"};
    char table[800] = "x,y,z,gain_db,delay_ms\n";
    const double pi = acos(-1.0), c = 343.0;
    double largest = 0.0;
    struct {
        double complex heard, wanted;
    } at[PLACES][3];
    for (int s = 0; s < SOURCES; s++)
        (void)snprintf(table + strlen(table), sizeof table - strlen(table), "10,10,%g,%g,%g\n",
                       10.0 + 0.4 * (s - 3.5), gain[s], 0.3 * s);
    write_box("cube.obj", 20, 20, 20, true);
    write_text("column.csv", table);
    expect_status(RUN("simulate", "cube.obj", "-o", "run", "--array", "column=column.csv", "--receiver",
                      place[0], "--receiver", place[1], "--receiver", place[2], "--receiver", place[3],
                      "--receiver", place[4], "--absorption", "0.9", "--fmax", "300", "--duration", "0.05",
                      "--air", "off", "--quiet"),
                  0);
    for (int p = 0; p < PLACES; p++) {
        char path[40];
        size_t count;
        int rate;
        double to[3];
        (void)snprintf(path, sizeof path, "run/ir_column_P%d.wav", p);
        float *x = read_mono(path, &count, &rate);
        cr_assert(sscanf(place[p], "%lf,%lf,%lf", &to[0], &to[1], &to[2]) == 3);
        for (int n = 0; n < 3; n++) {
            const double f = 100.0 + 75.0 * n;
            double complex heard = 0.0, wanted = 0.0;
            for (size_t i = 0; i < count; i++) {
                const double late = ((double)i / rate - 0.030) / 0.012;
                heard += x[i] *
                         (late < 0   ? 1
                          : late < 1 ? 0.5 + 0.5 * cos(pi * late)
                                     : 0) *
                         cexp(-I * 2 * pi * f * (double)i / rate);
            }
            for (int s = 0; s < SOURCES; s++) {
                const double r = hypot(hypot(to[0] - 10, to[1] - 10), to[2] - 10 - 0.4 * (s - 3.5));
                wanted += pow(10, gain[s] / 20) / r * cexp(-I * 2 * pi * f * (r / c + 0.3e-3 * s));
            }
            at[p][n].heard = heard;
            at[p][n].wanted = wanted;
            largest = fmax(largest, cabs(wanted));
        }
        free(x);
    }
    for (int p = 0; p < PLACES; p++)
        for (int n = 0; n < 3; n++)
            cr_expect(test_at_most(fabs(cabs(at[p][n].heard) - cabs(at[p][n].wanted)), 0.02 * largest),
                      "%s, %g Hz: %.4f, %.4f wanted, of %.4f", place[p], 100.0 + 75.0 * n,
                      cabs(at[p][n].heard), cabs(at[p][n].wanted), largest);
}

Test(directed_runs, a_word_that_is_the_default_changes_no_bit)
{
    write_hall();
    expect_status(RUN(COARSE("plain")), 0);
    expect_status(RUN(COARSE("omni"), "--directivity", "A=omni"), 0);
    expect_same("plain/ir_A_R.wav", "omni/ir_A_R.wav");
}

Test(directed_runs, mistakes_are_sentences_and_leave_no_folder)
{
    static const struct {
        const char *option, *value, *words;
    } wrong[] = {{"--directivity", "A", "expected NAME="},
                 {"--directivity", "Z=voice", "no source is called Z; there are A, B, C"},
                 {"--directivity", "A=horn", "horn is not a directivity"},
                 {"--directivity", "A=missing.sofa", "missing.sofa"},
                 {"--aim", "A=30", "is omnidirectional"},
                 {"--together", "all=A,Z", "no source is called Z"},
                 {"--together", "all=A,A", "A is in it twice"},
                 {"--together", "B=A,C", "two sources are called B"},
                 {"--together", "all=A:loud", "not a gain in dB"},
                 {"--together", "all=A:0:-1", "from 0 to 1000 ms"},
                 {"--together", "all=A,B:0:80", "use a longer duration or a shorter delay"},
                 {"--together", "a/b=A,B", "is not a name"}};
    write_hall();
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        expect_status(RUN(ROOM("none"), wrong[w].option, wrong[w].value), 2);
        expect_words("err", wrong[w].words);
        cr_assert(access("none", F_OK) != 0);
    }
    expect_status(RUN(ROOM("none"), "--directivity", "A=voice", "--aim", "A=400"), 2);
    expect_words("err", "from -360 to 360 degrees");
    expect_status(RUN(ROOM("none"), "--directivity", "A=voice", "--aim", "A=0.3,0.4,0.5"), 2);
    expect_words("err", "cannot be aimed at its own position");
}

Test(directed_runs, mistakes_of_a_project_have_its_file_and_line)
{
    static const char *const wrong[][2] = {
        {"directivity: horn", "hall.yaml, line 4: A=horn: horn is not a directivity"},
        {"aim: 30", "hall.yaml, line 4: A=30: A is omnidirectional"}};
    write_hall();
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        char text[300];
        (void)snprintf(text, sizeof text,
                       "room: hall.obj\nother_surfaces: 0.1\nsources:\n"
                       "- {name: A, position: [1, 1, 1], %s}\n"
                       "receivers: [{name: R, position: [2, 2, 1]}]\n",
                       wrong[w][0]);
        write_text("hall.yaml", text);
        expect_status(RUN("plan", "hall.yaml"), 2);
        expect_words("err", wrong[w][1]);
    }
}

/* `command` with so many voices in the hall, of which the first `together` sound at once. */
#define VOICES_MOST 40
static int run_voices(const char *command, size_t voices, size_t together, const char *fmax, const char *last)
{
    static const char *const rest[] = {"--receiver", "3.45,0.55,0.65,R", "--absorption", "0.6", "--duration",
                                       "1",          "--quiet"};
    const char *argument[4 * VOICES_MOST + 20] = {TEST_PROGRAM, command, "hall.obj", "--fmax", fmax};
    char place[VOICES_MOST][40], voice[VOICES_MOST][28], all[300] = "choir=S0";
    size_t count = 5;
    write_hall();
    for (size_t v = 0; v < voices; v++) {
        (void)snprintf(place[v], sizeof place[v], "%.2f,0.4,0.5,S%zu", 0.3 + 0.08 * (double)v, v);
        (void)snprintf(voice[v], sizeof voice[v], "S%zu=voice", v);
        argument[count++] = "--source";
        argument[count++] = place[v];
        argument[count++] = "--directivity";
        argument[count++] = voice[v];
        if (v > 0 && v < together)
            (void)snprintf(all + strlen(all), sizeof all - strlen(all), ",S%zu", v);
    }
    if (together > 0) {
        argument[count++] = "--together";
        argument[count++] = all;
    }
    for (size_t n = 0; n < sizeof rest / sizeof *rest; n++)
        argument[count++] = rest[n];
    argument[count++] = last;
    return run(NULL, argument);
}

/* 33 voices have 528 taps, and a run has 512 at most. */
Test(directed_runs, more_taps_together_than_a_run_has_are_refused_in_a_sentence)
{
    expect_status(run_voices("simulate", 33, 33, "300", "--output=none"), 2);
    expect_words("err", "choir drives 528 taps at once");
    cr_assert(access("none", F_OK) != 0);
}

static double planned(size_t together)
{
    expect_status(run_voices("plan", 30, together, "2000", "--json"), 0);
    cJSON *plan = read_json("out");
    const double bytes = number(plan, "bytes_peak");
    return bytes;
}

/* Of one voice alone 16 drives are held, of those that sound together those of all. */
Test(directed_runs, the_drives_of_a_group_are_among_what_plan_predicts)
{
    const double alone = planned(0), half = planned(15) - alone, whole = planned(30) - alone;
    cr_assert(half > 1e6 && test_near(whole / half, (30.0 - 1.0) / (15.0 - 1.0), 1e-3), "%g and %g bytes",
              half, whole);
}

/* In a room that is silent after a tenth of a second, of a member that comes a second late. */
Test(directed_runs, an_automatic_run_waits_for_the_member_with_the_longest_delay)
{
    double first = 0.0, late = 0.0;
    size_t count;
    write_hall();
    expect_status(RUN("simulate", "hall.obj", "-o", "late", "--source", "0.3,0.4,0.5,A", "--source",
                      "0.25,0.7,0.6,B", "--receiver", "3.45,0.55,0.65,R", "--absorption", "0.9", "--fmax",
                      "500", "--air", "off", "--quiet", "--together", "choir=A,B:0:1000"),
                  0);
    float *heard = samples("late/ir_choir_R.wav", &count);
    for (size_t n = 0; n < count; n++)
        *(n < 48000 ? &first : &late) += (double)heard[n] * (double)heard[n];
    cr_assert(late > 0.5 * first && late < 2.0 * first, "%zu samples, energies %g and %g", count, first,
              late);
    free(heard);
}
