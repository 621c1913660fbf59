/** Records of very many responses: whatever reads one takes a time in proportion. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

enum { RECEIVERS = 50000, FILES = 400 };

TestSuite(many_responses, .init = enter_folder, .fini = leave_folder, .timeout = 60);

static void put_points(FILE *file, const char *list, char letter, int count)
{
    (void)fprintf(file, "\"%s\":[", list);
    for (int i = 0; i < count; i++)
        (void)fprintf(file, "%s{\"name\":\"%c%d\",\"position_m\":[%g,1,1]}", i > 0 ? "," : "", letter, i,
                      1 + 1e-4 * i);
    (void)fprintf(file, "],");
}

/* Of two sources at all receivers, but for the last of the second. A program that reads it takes seconds. */
static void write_record(void)
{
    time_limit = 50;
    cr_assert(mkdir("run", 0700) == 0);
    FILE *const file = fopen("run/run.json", "w");
    cr_assert(file != NULL);
    (void)fprintf(file, "{\"format\":1,\"command\":\"simulate\",\"fmax_hz\":177,");
    put_points(file, "sources", 'S', 2);
    put_points(file, "receivers", 'R', RECEIVERS);
    (void)fprintf(file, "\"responses\":[");
    for (int i = 0; i < 2 * RECEIVERS - 1; i++)
        (void)fprintf(file,
                      "%s{\"file\":\"%d.wav\",\"source\":\"S%d\",\"receiver\":\"R%d\",\"samples\":480,"
                      "\"onset_s\":0.001}",
                      i > 0 ? "," : "", i, i / RECEIVERS, i % RECEIVERS);
    (void)fprintf(file, "]}\n");
    cr_assert(fclose(file) == 0);
}

/* The record was read once more for every file. */
Test(many_responses, files_of_one_run_share_its_record)
{
    static const float pulse[480] = {[48] = 0.5F};
    char path[FILES][20];
    const char *argument[FILES + 3] = {TEST_PROGRAM, "analyse"};
    write_record();
    for (int i = 0; i < FILES; i++) {
        snprintf(path[i], sizeof path[i], "run/%d.wav", i);
        write_sound(path[i], pulse, 480, 1, 48000);
        argument[2 + i] = path[i];
    }
    expect_status(run(NULL, argument), 0);
    expect_words("out", "400 of 400");
}

Test(many_responses, a_pair_that_is_missing_among_them_is_named)
{
    write_record();
    expect_status(RUN("export", "run", "-o", "all.sofa", "--convention", "SingleRoomMIMOSRIR"), 2);
    expect_words("err", "no response from S1 to R49999");
}

Test(many_responses, two_runs_of_them_are_compared)
{
    write_record();
    cr_assert(rename("run", "first") == 0);
    write_record();
    expect_status(RUN("compare", "first", "run", "--json"), 0);
}
