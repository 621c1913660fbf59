/** The three rooms of drawings.h are as a run needs them. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/drawings/drawings.h"
#include "tests/support/program_run.h"

TestSuite(drawings, .init = enter_folder, .fini = leave_folder);

Test(drawings, each_is_small_and_fit_for_a_run_with_its_source)
{
    for (int d = 0; d < DRAWINGS; d++) {
        char command[300];
        const int faces = drawing_write(d, "room.obj");
        cr_assert(faces > 50 && faces < 400, "%s has %d faces", drawing[d].name, faces);
        (void)snprintf(command, sizeof command,
                       "%s plan room.obj --fmax 60 --quiet --receiver-grid none %s >out 2>err", TEST_PROGRAM,
                       drawing[d].options);
        expect_status(system(command), 0);
    }
}
