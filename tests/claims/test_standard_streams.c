/* Started without standard input, output or error the program writes the same files, and nothing of what it
 * prints gets into them. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

TestSuite(standard_streams, .init = enter_folder, .fini = leave_folder);

/* Bit 0 of `closed`: no standard input; 1: no output; 2: no error. */
static int run_without(int closed, const char *arguments)
{
    char line[1000];
    snprintf(line, sizeof line, "exec \"$0\" %s%s%s%s", arguments, closed & 1 ? " <&-" : "",
             closed & 2 ? " >&-" : "", closed & 4 ? " 2>&-" : "");
    return run(NULL, (const char *const[]){"/bin/sh", "-c", line, TEST_PROGRAM, NULL});
}

#define SIMULATE                                                                                             \
    "simulate cube.obj --waves-only --fmax 150 --duration 0.02 --absorption 0.1 --source 1,1,1 --receiver "  \
    "2,2,2 "                                                                                                 \
    "--force "

Test(standard_streams, a_run_without_standard_streams_writes_the_same_files)
{
    write_cube();
    expect_status(run_without(0, SIMULATE "-o whole"), 0);
    for (int closed = 1; closed < 8; closed++) {
        /* What is printed is lost, and that is an output that failed. */
        expect_status(run_without(closed, SIMULATE "-o run"), closed & 2 ? 5 : 0);
        cr_assert(same_file("run/ir_S1_R1.wav", "whole/ir_S1_R1.wav") &&
                      same_file("run/room.glb", "whole/room.glb") &&
                      same_file("run/blocks.json", "whole/blocks.json"),
                  "%d closed", closed);
        cJSON_Delete(read_json("run/run.json"));
        expect_status(run_without(closed, SIMULATE "-o run --quiet"), 0);
        cr_assert(same_file("run/ir_S1_R1.wav", "whole/ir_S1_R1.wav"), "%d closed", closed);
    }
}

Test(standard_streams, other_commands_without_standard_streams_write_the_same_files)
{
    expect_status(run_without(0, "room cube -o whole.glb"), 0);
    expect_status(run_without(0, "simulate whole.glb --waves-only --fmax 80 --duration 0.02 -o run --quiet"),
                  0);
    expect_status(run_without(0, "report run -o whole.html"), 0);
    for (int closed = 1; closed < 8; closed++) {
        (void)run_without(closed, "room cube -o made.glb --force");
        cr_assert(same_file("made.glb", "whole.glb"), "%d closed", closed);
        (void)run_without(closed, "report run -o made.html --force");
        cr_assert(same_file("made.html", "whole.html"), "%d closed", closed);
    }
}
