/** A plan that is scaled from a coarse grid, against the one that counts the grid itself. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/run/plan/estimate_scaled.h"

#include "src/base/options/options.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(estimate_scaled, .init = enter_folder, .fini = leave_folder, .timeout = 300);

/* What a run in the room takes, its grid made where its box has no more nodes than `counted`. */
static struct room_needs plan(const char *room, const char *fmax, double counted)
{
    char *argument[] = {(char *)room, "--quiet", "--threads", "1",
                        "--backend",  "cpu",     "--fmax",    (char *)fmax};
    struct options options = {0};
    struct room_setup setup = {0};
    struct room_estimate estimate = {0};
    MUST(options_parse(COMMAND_PLAN, "plan", "ROOM", sizeof argument / sizeof *argument, argument, NULL,
                       &options, &failure));
    struct room_request request = options.request;
    request.plan.counted = counted;
    MUST(room_setup_read(&request, &setup, &failure));
    MUST(estimate_choose_resolution(&setup, false, &estimate, &failure));
    MUST(estimate_voxelise(&setup, &failure));
    cr_assert(eq(int, setup.request.plan.scaled_to > 0, counted < 1e9));
    estimate_choose_backend(&setup, &estimate);
    const struct room_needs needs = estimate_needs_of_run(&setup, &estimate);
    estimate_scaled_end(&setup);
    cr_assert(test_near(setup.grid.step.spacing, needs.spacing, 1e-9));
    room_setup_free(&setup);
    options_free(&options);
    return needs;
}

Test(estimate_scaled, is_within_the_error_that_it_tells)
{
    static const struct {
        const char *shape, *fmax;
        double counted; /* the scaled grid is three to four times as coarse in each direction */
    } room[] = {{"church", "500", 5e5}, {"cross", "1420", 2e5}, {"sphere", "2000", 2e5}};
    for (size_t r = 0; r < sizeof room / sizeof *room; r++) {
        expect_status(RUN("room", room[r].shape, "-o", "room.obj", "--force", "--quiet"), 0);
        const struct room_needs exact = plan("room.obj", room[r].fmax, 1e9),
                                scaled = plan("room.obj", room[r].fmax, room[r].counted);
        const double pair[][2] = {
            {exact.air_nodes, scaled.air_nodes},       {exact.blocks, scaled.blocks},
            {exact.box_nodes, scaled.box_nodes},       {exact.wall_nodes, scaled.wall_nodes},
            {exact.bytes_blocks, scaled.bytes_blocks}, {exact.bytes_box, scaled.bytes_box},
            {exact.bytes_peak, scaled.bytes_peak}};
        for (size_t p = 0; p < sizeof pair / sizeof *pair; p++)
            cr_expect(test_at_most(fabs(pair[p][1] / pair[p][0] - 1), ESTIMATE_SCALED_ERROR),
                      "%s, figure %zu: %.6g counted, %.6g scaled", room[r].shape, p, pair[p][0], pair[p][1]);
        cr_expect(test_at_most(fabs(scaled.rate / exact.rate - 1), ESTIMATE_SCALED_STEP));
    }
}

/* 1.7e10 nodes: minutes, and more memory than most machines have, where it is made. */
Test(estimate_scaled, a_plan_of_all_octaves_of_speech_answers_and_says_that_it_is_scaled)
{
    expect_status(RUN("room", "church", "-o", "room.obj", "--quiet"), 0);
    expect_status(RUN("plan", "room.obj", "--fmax", "11300", "--threads", "1", "--backend", "cpu", "--json"),
                  0);
    cJSON *of = read_json("out");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(of, "scaled")));
    cr_assert(gt(dbl, number(of, "scaled_from_spacing_m"), number(of, "spacing_m")));
    cr_assert(eq(dbl, number(of, "fmax_hz"), 11300));
    cr_assert(gt(dbl, number(of, "air_nodes"), 1e10));
    expect_status(RUN("plan", "room.obj", "--fmax", "177", "--threads", "1", "--backend", "cpu", "--json"),
                  0);
    of = read_json("out");
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(of, "scaled")));
}
