/* Where memory or threads run out, whichever allocation it is that fails, the status is 3 and a sentence says
 * so; or it was of no use, and the answer is as ever. Faults come from fault_memory.c. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(memory_faults, .init = enter_folder, .fini = leave_folder);

#if defined(__SANITIZE_ADDRESS__)
#define SKIP_SANITIZED() cr_skip_test("AddressSanitizer has an allocator of its own")
#else
#define SKIP_SANITIZED() (void)0
#endif

#define KEMAR   "/usr/share/libmysofa/default.sofa" /* of Debian's libmysofa1 */
#define CAGE    650L                                /* that libseccomp takes before libmysofa its own */
#define LIBRARY 16100L /* allocations that the material library takes before anything else */

#define ARGUMENTS(...)                                                                                       \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        TEST_PROGRAM, __VA_ARGS__, NULL                                                                      \
    }

static int run_with(const char *fault, const char *const *argument)
{
    setenv("LD_PRELOAD", FAULT_MEMORY, 1);
    setenv("TRANSEPT_FAULT", fault, 1);
    const int status = run(NULL, argument);
    unsetenv("LD_PRELOAD");
    return status;
}

/* How many allocations a run without a fault makes, and what it says. */
static long count_allocations(const char *const *argument, char **out)
{
    long count = 0;
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("TRANSEPT_FAULT_COUNT", "count", 1);
    expect_status(run_with("none", argument), 0);
    unsetenv("TRANSEPT_FAULT_COUNT");
    char *text = read_text("count");
    cr_assert(eq(int, sscanf(text, "malloc %ld", &count), 1));
    *out = read_text("out");
    return count;
}

/* Every `stride`th allocation from `first` on fails, once, or with all behind it; `most` faults. */
static void assert_reported_from(long first, const char *const *argument, long stride, long most)
{
    char *out, fault[32];
    long refused = 0, tried = 0;
    const long count = count_allocations(argument, &out);
    if (test_share(10) == 10) { /* every one, which takes hours */
        stride = 1;
        most = count;
    }
    for (long n = first; n <= count && tried < most; n += stride, tried++) {
        snprintf(fault, sizeof fault, "malloc:%ld%s", n, tried % 2 == 0 ? "" : "+");
        const int status = run_with(fault, argument);
        char *err = read_text("err"), *printed = read_text("out");
        cr_expect(status == 3 ? strstr(err, "memory") != NULL : status == 0 && strcmp(printed, out) == 0,
                  "%s %s: status %d: %s", argument[1], fault, status, err);
        cr_expect(count_entries(".", ".transept") == 0, "%s %s: a temporary file stays", argument[1], fault);
        refused += status == 3;
    }
    cr_expect(refused > 5, "%s: %ld", argument[1], refused);
    free(out);
}

static void assert_reported(const char *const *argument, long stride, long most)
{
    assert_reported_from(1, argument, stride, most);
}

Test(memory_faults, whichever_allocation_fails_the_status_is_3_and_no_input_is_blamed)
{
    SKIP_SANITIZED();
    write_cube();
    expect_status(RUN("room", "cube", "-o", "room.glb", "--quiet"), 0);
    write_text("room.yaml", "room: cube.obj\nfmax_hz: 200\nmaterials: {wall: 0.1}\n"
                            "sources:\n- {name: S1, position: [1, 1, 1]}\n");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--quiet"), 0);
    assert_reported(ARGUMENTS("materials"), 401, 40);                  /* libyaml */
    assert_reported(ARGUMENTS("check", "room.yaml", "--json"), 7, 25); /* the project, Assimp's child */
    assert_reported(ARGUMENTS("check", "room.glb", "--json", "--fmax", "200"), 5, 25);
    assert_reported(ARGUMENTS("compare", "run", "run", "--json"), 211, 40); /* cJSON */
    assert_reported(ARGUMENTS("compare", "run", "run"), 1, 40);
}

/* Those that do not look whether they got memory, or take what they did not get for a fault of a file. */
Test(memory_faults, a_library_that_crashes_without_memory_or_blames_a_file_ends_with_3_too)
{
    SKIP_SANITIZED();
    float sample[4 * 2000] = {0};
    sample[4000] = sample[4001] = 0.5F;
    write_sound("four.wav", sample, 2000, 4, 48000);
    write_sound("one.wav", sample + 3000, 2000, 1, 48000);
    write_cube();
    if (access(KEMAR, R_OK) == 0) { /* libseccomp, and libmysofa in its cage */
        const char *const *heard =
            ARGUMENTS("binaural", "four.wav", "--head", KEMAR, "-o", "out.wav", "--force");
        assert_reported(heard, 11, 50);
        assert_reported_from(CAGE, heard, 7, 50);
    }
    assert_reported(ARGUMENTS("analyse", "one.wav", "--fmax", "4000"), 5, 14); /* libsndfile */
    assert_reported(
        ARGUMENTS("auralise", "one.wav", "one.wav", "-o", "out.wav", "--fmax", "200", "--force", "--quiet"),
        9, 60);
    /* HDF5, behind the material library */
    assert_reported_from(LIBRARY,
                         ARGUMENTS("film", "cube.obj", "--source", "1,1,1", "--fmax", "150", "--absorption",
                                   "0.1", "--until", "1ms", "--field", "0.5ms", "-o", "film", "--force",
                                   "--quiet"),
                         89, 40);
}

/* Whatever is left out for want of memory, no answer lacks it. */
Test(memory_faults, a_simulation_a_film_and_a_page_are_whole_or_not_there)
{
    SKIP_SANITIZED();
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--quiet"), 0);
    assert_reported_from(
        LIBRARY, ARGUMENTS("simulate", CUBE, CUBE_PLACES, "-o", "made", "--force", "--quiet"), 53, 40);
    if (exists("made"))
        cr_expect(same_file("made/ir_S1_R1.wav", "run/ir_S1_R1.wav"));
    assert_reported(ARGUMENTS("report", "run", "-o", "page.html", "--force", "--quiet"), 149, 40);
    assert_reported(ARGUMENTS("modes", "run", "--json"), 61, 40);
    /* libsndfile and HDF5, one within the other. */
    assert_reported(ARGUMENTS("export", "run", "-o", "one.sofa", "--force", "--quiet"), 97, 40);
    assert_reported(ARGUMENTS("analyse", "run", "--json"), 61, 40);
}

Test(memory_faults, a_room_is_written_whole_or_not_reported_as_done)
{
    SKIP_SANITIZED();
    const char *const *argument = ARGUMENTS("room", "cube", "-o", "made.glb");
    char *out, fault[32];
    const long count = count_allocations(argument, &out);
    cr_assert(rename("made.glb", "whole.glb") == 0);
    for (long n = 1; n <= count; n++) {
        snprintf(fault, sizeof fault, "malloc:%ld", n);
        const int status = run_with(fault, argument);
        cr_expect(status != 0 || same_file("made.glb", "whole.glb"), "%s", fault);
        cr_expect(status == 0 || status == 3, "%s: %d", fault, status);
        (void)unlink("made.glb");
    }
    free(out);
}

Test(memory_faults, threads_that_cannot_be_had_are_done_without_or_end_the_program_with_3)
{
    SKIP_SANITIZED();
    write_cube();
    const char *const *argument = ARGUMENTS("plan", CUBE, CUBE_PLACES);
    setenv("OMP_NUM_THREADS", "4", 1);
    expect_status(run_with("pthread_create:1+", argument), 0);
    expect_words("err", "only 1 of 4 threads can be started");
    expect_status(run_with("pthread_create:3+", argument), 3); /* two for a look, and none for OpenMP */
    expect_words("err", "transept: ended by a library that found no memory or no thread");
}

/* A run of a room whose ceiling has a gap that its grid closes; does it warn of that? */
static bool warns_of_crack(const char *fault, int *status)
{
    *status = run_with(fault, ARGUMENTS("simulate", "room.obj", "--source", "1,1,1", "--receiver", "4,3,1.2",
                                        "--absorption", "0.1", "--duration", "0.05", "--quality", "draft",
                                        "--force", "-o", "run", "--fmax", "100"));
    char *err = read_text("err");
    const bool warns = strstr(err, "closes a gap about 0.08 m wide") != NULL;
    return warns;
}

/* Its last allocations are found by what all behind one does to a run: without them there is no warning. */
Test(memory_faults, the_search_for_cracks_without_memory_costs_its_warning_and_no_run)
{
    SKIP_SANITIZED();
    enum { TRIED = 6, APART = 8 };
    long before = LIBRARY, after = 4 * LIBRARY;
    char fault[32];
    int status;
    write_text("room.obj", "v 0 0 0\nv 5 0 0\nv 5 4 0\nv 0 4 0\nv 0 0 3\nv 5 0 3\nv 5 4 3\nv 0 4 3\n"
                           "v 2.5 0 3\nv 2.58 0 3\nv 2.58 4 3\nv 2.5 4 3\nusemtl wall\n"
                           "f 1 4 3 2\nf 1 2 6 10 9 5\nf 2 3 7 6\nf 3 4 8 12 11 7\nf 4 1 5 8\n"
                           "f 5 9 12 8\nf 10 6 7 11\n");
    setenv("OMP_NUM_THREADS", "1", 1);
    cr_assert(warns_of_crack("none", &status) && status == 0);
    while (after - before > 1) {
        const long middle = (before + after) / 2;
        (void)snprintf(fault, sizeof fault, "malloc:%ld+", middle);
        *(warns_of_crack(fault, &status) ? &after : &before) = middle;
    }
    int lost = 0;
    for (long n = before; n > before - TRIED * APART; n -= APART) {
        (void)snprintf(fault, sizeof fault, "malloc:%ld", n);
        const bool warned = warns_of_crack(fault, &status);
        cr_expect(status == 0, "%s: status %d", fault, status);
        cr_expect(exists("run/run.json"));
        lost += !warned;
    }
    cr_assert(lost > TRIED / 2, "%d", lost);
}
