/** The folder of a run, against others who want the same one. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <sys/file.h>

#include "src/record/output_folder.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(output_folder, .init = enter_folder, .fini = leave_folder);

Test(output_folder, a_folder_that_came_into_being_meanwhile_is_not_taken_without_force)
{
    struct output_folder place = {0};
    MUST(output_folder_check("run", false, &failure));
    cr_assert(eq(int, mkdir("run", 0777), 0));
    write_text("run/run.json", "precious");
    MUST_FAIL(output_folder_make(&place, "run", false, &failure), FAILURE_INPUT,
              "run was created in the meantime");
    output_folder_undo(&place);
    char *text = read_text("run/run.json");
    cr_assert(eq(str, text, "precious"));
    free(text);
    MUST(output_folder_make(&place, "run", true, &failure));
    output_folder_undo(&place);
    cr_assert(exists("run/run.json"));
}

Test(output_folder, an_empty_folder_is_as_good_as_none_and_a_file_in_it_is_not)
{
    write_cube();
    cr_assert(eq(int, mkdir("empty", 0777), 0));
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "empty", "--quiet"), 0);
    cr_assert(exists("empty/run.json") && exists("empty/ir_S1_R1.wav"));
    cr_assert(eq(sz, count_entries("empty", ".transept"), 0));
    REFUSED("empty exists", "simulate", CUBE, CUBE_PLACES, "-o", "empty");
    cr_assert(eq(int, mkdir("hidden", 0777), 0));
    write_text("hidden/.note", "mine");
    REFUSED("hidden exists", "simulate", CUBE, CUBE_PLACES, "-o", "hidden");
    /* What fails leaves the folder as it was. */
    cr_assert(eq(int, mkdir("kept", 0777), 0));
    REFUSED("no.obj", "simulate", "no.obj", CUBE_PLACES, "-o", "kept");
    cr_assert(exists("kept") && count_entries("kept", "") == 0);
}

Test(output_folder, one_run_at_a_time_writes_to_a_folder)
{
    struct output_folder first = {0}, second = {0};
    MUST(output_folder_make(&first, "run", false, &failure));
    MUST_FAIL(output_folder_make(&second, "run", true, &failure), FAILURE_INPUT,
              "another run is writing to run");
    output_folder_undo(&second);
    write_cube();
    REFUSED("another run is writing to run", "simulate", CUBE, CUBE_PLACES, "-o", "run", "--force");
    output_folder_undo(&first);
    cr_assert(not(exists("run")));
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run"), 0);
}

Test(output_folder, waiting_files_leave_what_is_there_until_all_of_them_are_in_place)
{
    struct output_folder place = {0};
    struct whole_file file = {0};
    cr_assert(eq(int, mkdir("run", 0777), 0));
    write_text("run/run.json", "old");
    write_text("run/ir_a_b.wav", "old");
    write_text("run/notes.txt", "mine");
    for (int times = 0; times < 2; times++) {
        MUST(output_folder_make(&place, "run", true, &failure));
        MUST(whole_file_open(&file, "run/run.json", &failure));
        fputs("new", file.stream);
        MUST(whole_file_settle(&file, &failure));
        MUST(output_folder_put(&place, "run.json", &file, &failure));
        char *text = read_text("run/run.json");
        cr_assert(eq(str, text, "old"));
        free(text);
        /* The first time the run is given up, the second time it ends well. */
        if (times == 1)
            MUST(output_folder_publish(&place, "run.json", stderr, &failure));
        output_folder_undo(&place);
        cr_assert(eq(sz, count_entries("run", ""), (size_t)(times == 0 ? 3 : 2)));
    }
    char *text = read_text("run/run.json");
    cr_assert(eq(str, text, "new"));
    free(text);
    cr_assert(not(exists("run/ir_a_b.wav")));
    cr_assert(exists("run/notes.txt"));
}

Test(output_folder, more_sources_than_anybody_listens_to_are_refused_before_they_cost_anything)
{
    write_cube();
    FILE *file = fopen("cube.obj", "a");
    cr_assert(file != NULL);
    for (int n = 0; n <= 1000; n++)
        fprintf(file, "o source:s%d\nv 1 1 %g\nv 1 1 %g\nv 1.1 1 1\nf -3 -2 -1\n", n, 1 + 1e-4 * n,
                1.1 + 1e-4 * n);
    fclose(file);
    REFUSED("there are 1001 sources; the limit is 1000", "plan", CUBE);
}

Test(output_folder, what_was_made_of_the_responses_goes_with_them_and_not_before)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run"), 0);
    expect_status(RUN("auralise", "run", "--dry", "clap"), 0);
    const size_t heard = count_entries("run", "listen");
    cr_assert(ge(sz, heard, 4)); /* heard, the dry sound twice, listen.json */
    expect_status(RUN("report", "run"), 0);
    expect_status(RUN("report", "run", "run", "-o", "run/report_run.html"), 0);
    write_text("run/listening notes.txt", "mine");
    write_text("run/my listen_at_home.wav", "mine");
    expect_status(RUN("simulate", CUBE, "--source", "9,9,9", "--receiver", "2,2,2", "-o", "run", "--force"),
                  2);
    cr_assert(eq(sz, count_entries("run", "listen"), heard + 2));
    cr_assert(exists("run/report.html") && exists("run/report_run.html"));
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--force"), 0);
    cr_assert(eq(sz, count_entries("run", "listen"), 2));
    cr_assert(exists("run/listening notes.txt") && exists("run/my listen_at_home.wav"));
    cr_assert(not(exists("run/report.html")));
    cr_assert(not(exists("run/report_run.html")));
}
