/** Cracks that the grid of a run closes: told by the run, and only then. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

TestSuite(coarse_cracks, .init = enter_folder, .fini = leave_folder);

/* A room of 5 x 4 x 3 m whose ceiling has a gap of `width` all across at x = 2.5 m. */
static void write_cracked(double width)
{
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    const double x[2] = {2.5, 2.5 + width};
    fprintf(file,
            "v 0 0 0\nv 5 0 0\nv 5 4 0\nv 0 4 0\nv 0 0 3\nv 5 0 3\nv 5 4 3\nv 0 4 3\n"
            "v %g 0 3\nv %g 0 3\nv %g 4 3\nv %g 4 3\nusemtl wall\n",
            x[0], x[1], x[1], x[0]);
    fputs("f 1 4 3 2\nf 1 2 6 10 9 5\nf 2 3 7 6\nf 3 4 8 12 11 7\nf 4 1 5 8\nf 5 9 12 8\nf 10 6 7 11\n",
          file);
    fclose(file);
}

#define SIMULATE(...)                                                                                        \
    RUN("simulate", "room.obj", "--source", "1,1,1", "--receiver", "4,3,1.2", "--absorption", "0.1",         \
        "--duration", "0.05", "--quality", "draft", "--force", "-o", "run", __VA_ARGS__)

/* Warnings of the record that name a gap. */
static int gaps_told(void)
{
    cJSON *record = read_json("run/run.json");
    const cJSON *warning;
    int told = 0;
    cJSON_ArrayForEach(warning, cJSON_GetObjectItem(record, "warnings")) told +=
        strstr(warning->valuestring, "closes a gap about 0.08 m wide") != NULL;
    return told;
}

Test(coarse_cracks, a_gap_that_the_grid_of_a_run_closes_is_told_with_its_place_and_its_seal)
{
    write_cracked(0.08);
    expect_status(SIMULATE("--fmax", "100"), 0);
    cr_assert(eq(int, gaps_told(), 1));
    expect_words("err", ", 3 m, through which the room leaks", "--seal 9");
    expect_status(SIMULATE("--fmax", "100", "--seal", "9.2cm"), 0);
    cr_assert(eq(int, gaps_told(), 0));
}

Test(coarse_cracks, a_closed_room_and_an_open_scene_are_told_of_none)
{
    write_cracked(0);
    expect_status(SIMULATE("--fmax", "100"), 0);
    expect_no_words("err", "closes a gap");
    write_cracked(0.08);
    expect_status(SIMULATE("--fmax", "100", "--open"), 0);
    expect_no_words("err", "closes a gap");
}
