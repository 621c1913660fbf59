/* A hall that is soft but for its far wall: the echo is that wall's, and the run names it. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "tests/support/json_path.h"

TestSuite(echo_path, .init = enter_folder, .fini = leave_folder);

#define LENGTH 30.0
#define SPEED  343.2

static void write_hall(void)
{
    write_text("hall.obj", "v 0 0 0\nv 30 0 0\nv 30 12 0\nv 0 12 0\nv 0 0 8\nv 30 0 8\nv 30 12 8\nv 0 12 8\n"
                           "usemtl drape\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 4 1 5 8\n"
                           "usemtl bare_end\nf 2 3 7 6\n");
}

/* Source at x = 2 m, receiver at 14 m and 1 m aside: 12.04 m direct, 44.01 m by the end wall. */
Test(echo_path, the_wall_that_reflects_an_echo_is_named_with_its_way)
{
    const double direct = sqrt(12.0 * 12.0 + 1.0), reflected = sqrt(44.0 * 44.0 + 1.0);
    if (run(NULL, (const char *const[]){TEST_PROGRAM, "rays", "--help", NULL}) != 0)
        return;
    write_hall();
    const int status = RUN("simulate", "hall.obj", "--source", "2,5.5,3.5,desk", "--receiver",
                           "14,6.5,3.5,seat", "--fmax", "177", "--absorption", "drape=0.9", "--absorption",
                           "bare_end=0.03", "--backend", "cpu", "--rays", "on", "-o", "run");
    if (status != 0 && strstr(read_text("err"), "Embree") != NULL)
        return; /* built without it */
    expect_status(status, 0);
    cJSON *record = read_json("run/run.json");
    const double speech = record_number(record, "responses.0.echo_speech");
    cr_assert(speech > 1.0, "%g", speech);
    cr_expect(test_near(record_number(record, "responses.0.echo_speech_time_s"), (reflected - direct) / SPEED,
                        0.004));
    cr_expect(eq(str, (char *)record_text(record, "responses.0.echo_speech_path"), "bare_end (44.0 m)"));
    expect_words("err", "receiver seat hears an echo of source desk in speech: EK is ");
    expect_words("err", " ms after the direct sound, reflected by bare_end (44.0 m)");
}
