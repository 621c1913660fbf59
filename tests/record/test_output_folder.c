/** The folder of a run, against others who want the same one. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <sys/file.h>

#include "src/run_folder/output_folder.h"
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
        /* The first time the run is given up, the second time it ends well. */
        if (times == 1)
            MUST(output_folder_publish(&place, "run.json", stderr, &failure));
        output_folder_undo(&place);
        cr_assert(eq(sz, count_entries("run", ""), (size_t)(times == 0 ? 3 : 2)));
    }
    char *text = read_text("run/run.json");
    cr_assert(eq(str, text, "new"));
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

static void put_text(struct output_folder *place, const char *name, const char *text)
{
    struct whole_file file = {0};
    char *path = output_folder_file(place, name);
    MUST(whole_file_open(&file, path, &failure));
    fputs(text, file.stream);
    MUST(whole_file_settle(&file, &failure));
    MUST(output_folder_put(place, name, &file, &failure));
    free(path);
}

static void expect_text(const char *path, const char *expected)
{
    char *text = read_text(path);
    cr_assert(eq(str, text, (char *)expected), "%s", path);
}

/* Renamed before a file is begun, and between its beginning and its end. */
Test(output_folder, results_go_to_the_folder_that_is_held_and_not_to_another_under_its_old_name)
{
    for (int moment = 0; moment < 2; moment++)
        for (int old = 0; old < 2; old++) {
            struct output_folder place = {0};
            struct whole_file file = {0};
            if (old == 1) {
                cr_assert(eq(int, mkdir("run", 0777), 0));
                write_text("run/run.json", "old");
            }
            MUST(output_folder_make(&place, "run", old == 1, &failure));
            if (moment == 1) {
                MUST(whole_file_open(&file, "run/ir_a_b.wav", &failure));
                MUST(whole_file_settle(&file, &failure));
            }
            cr_assert(rename("run", "moved") == 0 && mkdir("run", 0777) == 0);
            write_text("run/run.json", "another's");
            write_text("run/ir_c_d.wav", "another's");
            if (moment == 1)
                MUST(output_folder_put(&place, "ir_a_b.wav", &file, &failure));
            put_text(&place, "run.json", "new");
            MUST(output_folder_publish(&place, "run.json", stderr, &failure));
            cr_assert(output_folder_locate(&place) && strstr(place.path, "/moved") != NULL);
            output_folder_undo(&place);
            expect_text("run/run.json", "another's");
            expect_text("run/ir_c_d.wav", "another's");
            cr_assert(eq(sz, count_entries("run", ""), 2));
            expect_text("moved/run.json", "new");
            cr_assert(exists("moved/ir_a_b.wav") == (moment == 1));
            cr_assert(eq(sz, count_entries("moved", ".transept"), 0));
            expect_status(run(NULL, (const char *const[]){"/bin/rm", "-r", "run", "moved", NULL}), 0);
        }
}

/* /dev/shm is another file system than the test's folder. */
Test(output_folder, a_link_among_results_is_replaced_and_what_it_leads_to_stays)
{
    char far[100];
    write_cube();
    snprintf(far, sizeof far, "/dev/shm/transept-test-%ld", (long)getpid());
    write_text(access("/dev/shm", W_OK) == 0 ? far : "far", "mine");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--quiet"), 0);
    cr_assert(unlink("run/ir_S1_R1.wav") == 0 &&
              symlink(access(far, F_OK) == 0 ? far : "../far", "run/ir_S1_R1.wav") == 0);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--quiet", "--force"), 0);
    struct stat about;
    cr_assert(lstat("run/ir_S1_R1.wav", &about) == 0 && S_ISREG(about.st_mode));
    expect_text(access(far, F_OK) == 0 ? far : "far", "mine");
    unlink(far);
}

Test(output_folder, files_beside_what_was_asked_for_are_not_written_through_links)
{
    write_cube();
    write_text("kept", "mine");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--quiet"), 0);
    static const char *const link[] = {"room.mtl", "room.obj", "run.dae", "run.sofa", "page.html"};
    for (int dangling = 0; dangling < 2; dangling++) {
        for (size_t l = 0; l < sizeof link / sizeof *link; l++) {
            unlink(link[l]);
            cr_assert(eq(int, symlink(dangling ? "absent" : "kept", link[l]), 0));
        }
        REFUSED("exists", "room", "cube", "-o", "room.obj");
        unlink("room.obj");
        REFUSED("room.mtl exists", "room", "cube", "-o", "room.OBJ");
        REFUSED("run.sofa exists", "export", "run", "-o", "run.sofa");
        expect_status(RUN("room", "cube", "-o", "room.obj", "--force"), 0);
        expect_status(RUN("export", "run", "-o", "run.sofa", "--force"), 0);
        expect_status(RUN("report", "run", "-o", "page.html", "--force"), 0);
        expect_text("kept", "mine");
        cr_assert(not(exists("absent")));
    }
}

Test(output_folder, of_variants_none_is_a_link_to_elsewhere)
{
    write_cube();
    write_text("room.yaml",
               "room: cube.obj\nmaterials: {wall: 0.1}\nsources: [{name: a, position: [1, 1, 1]}]\n"
               "receivers: [{name: b, position: [2, 2, 2]}]\nvariants:\n  soft: {materials: {wall: 0.3}}\n");
    cr_assert(mkdir("both", 0777) == 0 && mkdir("far", 0777) == 0);
    cr_assert(eq(int, symlink("../far", "both/soft"), 0));
    REFUSED("both/soft is a symbolic link", "simulate", "room.yaml", "--variant", "all", "--fmax", "100",
            "--duration", "0.1", "-o", "both", "--force");
    cr_assert(eq(sz, count_entries("far", ""), 0));
}

/* What the arguments of a folder name beside it is that of who wrote them. */
Test(output_folder, a_run_of_a_stranger_that_goes_on_makes_no_file_elsewhere)
{
    char *here = getcwd(NULL, 0);
    write_box("open.obj", 3, 3, 3, false);
    cr_assert(eq(int, mkdir("run", 0777), 0));
    FILE *file = fopen("run/checkpoint.command", "w");
    fprintf(file,
            "{\"directory\": \"%s\", \"arguments\": [\"open.obj\", \"--fmax\", \"200\", \"--absorption\", "
            "\"0.1\", \"--source\", \"1,1,1\", \"--receiver\", \"2,2,2\", \"-o\", \"run\", \"--leak\", "
            "\"far.obj\"], \"identity\": {}}",
            here);
    fclose(file);
    REFUSED("not closed", "simulate", "--resume", "run");
    cr_assert(not(exists("far.obj")));
    cr_assert(not(exists("leak.obj")));
    free(here);
}
