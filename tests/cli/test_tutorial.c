/** The models and the project of rooms/TUTORIAL.md do what is written there: exports of a modeller, as they
 * came. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

TestSuite(tutorial, .init = enter_folder, .fini = leave_folder);

#define TUTORIAL(name) test_source_file("rooms/examples/tutorial/" name)

Test(tutorial, the_forgotten_door_is_found_and_the_leak_path_drawn)
{
    expect_status(RUN("check", TUTORIAL("chapel_open.glb"), "--fmax", "1420", "--leak", "leak.obj"), 1);
    expect_words("out", "1.20 m wide at 0.025, 3.499, 1.344 m", "Verdict: unfit: it is not closed");
    expect_words("leak.obj", "o transept_leak");
    expect_words("out", "as modellers show them; in the file, whose y is up");
}

Test(tutorial, the_closed_chapel_is_fit_with_every_name_and_position_of_the_modeller)
{
    expect_status(RUN("check", TUTORIAL("chapel.glb"), "--fmax", "1420"), 0);
    expect_words("out", "492 m3  main space", "holds source pulpit, receiver front,",
                 "library: door solid wooden", "\nVerdict: fit\n");
    expect_status(RUN("new", TUTORIAL("chapel.glb"), "-o", "chapel.yaml"), 0);
    expect_words("out", "6 materials, all guessed; 1 source, 2 receivers");
    expect_words("chapel.yaml", "library: limestone wall");
}
