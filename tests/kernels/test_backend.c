/** --backend as a user gives it, on whatever this machine has. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "kernels/engine/engine_back_ends.h"
#include "kernels/cuda/base/device.h"
#include "src/base/options/failure_text.h"

TestSuite(backend, .init = enter_folder, .fini = leave_folder);

/* Has this machine a GPU by this back end? Says what is skipped then. */
static bool skipped_for_a_device(enum backend backend, const char *what)
{
    struct device device;
    if (device_find(back_ends_built.device[backend], &device, NULL) != 0 || device.is_processor)
        return false;
    printf("SKIPPED: %s: this machine has %s\n", what, device.name);
    return true;
}

Test(backend, cuda_without_a_device_is_status_3_before_anything_is_read)
{
    if (skipped_for_a_device(BACKEND_CUDA, "--backend cuda without a device"))
        return;
    struct failure why = {0};
    char words[FAILURE_TEXT_MAX];
    struct device device;
    char sentence[FAILURE_TEXT_MAX + 80];
    (void)device_find(back_ends_built.device[BACKEND_CUDA], &device, &why);
    (void)snprintf(sentence, sizeof sentence, "transept: no CUDA device can be used: %s; use --backend cpu\n",
                   failure_text(&why, words));
    write_cube();
    static const char *const commands[] = {"simulate", "plan", "compare"};
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--backend", "cuda"), 3);
        else
            expect_status(RUN(commands[i], "cube.obj", "--fmax", "200", "--backend", "cuda"), 3);
        char *err = read_text("err");
        cr_assert(eq(str, err, sentence), "%s", commands[i]);
    }
    cr_assert(not(exists("run")));
}

Test(backend, auto_without_a_device_runs_on_the_processors_and_records_why)
{
    if (skipped_for_a_device(BACKEND_CUDA, "--backend auto without a device") ||
        skipped_for_a_device(BACKEND_OPENCL, "--backend auto without a device"))
        return;
    struct failure why = {0};
    char words[FAILURE_TEXT_MAX];
    struct device device;
    (void)device_find(back_ends_built.device[BACKEND_CUDA], &device, &why);
    write_box("hall.obj", 12, 9, 5, true);
    /* Long enough to be worth a device, were there one; interrupted by nothing, it takes a second or two. */
    expect_status(RUN("plan", "hall.obj", "--fmax", "800", "--duration", "10", "--absorption", "0.1",
                      "--source", "1,1,1", "--json"),
                  0);
    cJSON *plan = read_json("out");
    cr_assert(eq(str, (char *)text_of(plan, "backend"), "cpu"));
    cr_assert(eq(str, (char *)text_of(plan, "backend_asked"), "auto"));
    (void)failure_text(&why, words);
    cr_assert(eq(str, (char *)text_of(plan, "backend_because"), words));
    cr_assert(cJSON_GetObjectItem(plan, "device") == NULL);
    cr_assert(cJSON_GetObjectItem(plan, "bytes_device") == NULL);
    char *err = read_text("err");
    char line[FAILURE_TEXT_MAX + 40];
    (void)snprintf(line, sizeof line, "\non the CPU: %s\n", failure_text(&why, words));
    const char *found = strstr(err, line);
    cr_assert(found != NULL, "%s", err);
    cr_assert(strstr(found + strlen(line), "on the CPU: ") == NULL, "printed twice: %s", err);

    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run"), 0);
    cJSON *record = read_json("run/run.json");
    cr_assert(eq(str, (char *)text_of(record, "backend"), "cpu"));
    cr_assert(eq(str, (char *)text_of(record, "backend_asked"), "auto"));
    cr_assert(strlen(text_of(record, "backend_because")) > 0);
}

Test(backend, the_version_names_the_toolkit_or_no)
{
    char expected[80];
    (void)snprintf(expected, sizeof expected, "\ncuda: %s\n",
                   device_toolkit(back_ends_built.device[BACKEND_CUDA]) != NULL
                       ? device_toolkit(back_ends_built.device[BACKEND_CUDA])
                       : "no");
    expect_status(RUN("--version"), 0);
    expect_words("out", expected);
}
