/* Commands on a device that is none (stand_in_device.h): what is printed and recorded, what is kept when it
 * fails, and in which order it is asked. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "kernels/scheme/scheme.h"
#include "src/cli/commands.h"
#include "src/base/options/failure_text.h"
#include "src/run/plan/estimate.h"
#include "src/run/plan/layout_pair.h"
#include "src/response/signal/response.h"
#include "tests/support/outcome.h"
#include "tests/support/stand_in_device.h"
#include <limits.h>
#include <malloc.h>

TestSuite(device_run, .init = enter_folder, .fini = leave_folder);

/* A command in this process, its words in `out` and `err`. */
static int call(command_run *body, command_start *begin, enum command_bit bit, const char *const *argument,
                struct failure *why)
{
    const struct command command = {
        .name = "command", .bit = bit, .subject = "ROOM", .back_ends = &stand_in_back_ends};
    int count = 0;
    while (argument[count] != NULL)
        count++;
    cr_assert(freopen("out", "w", stdout) != NULL && freopen("err", "w", stderr) != NULL);
    const int code = body != NULL ? command_with_options(&command, count, (char **)argument, NULL, body, why)
                                  : begin(&command, count, (char **)argument, why);
    cr_assert(fflush(stdout) == 0 && fflush(stderr) == 0);
    return code;
}
#define CALL(name, bit, failure, ...)                                                                        \
    call(command_##name, NULL, bit, (const char *const[]){__VA_ARGS__, NULL}, failure)
#define SIMULATE(failure, ...)                                                                               \
    call(NULL, command_simulate, COMMAND_SIMULATE, (const char *const[]){__VA_ARGS__, NULL}, failure)

#define TWO_PLACES                                                                                           \
    "--source", "1,1,1", "--source", "2,1,1", "--receiver", "2,2,2", "--duration", "1", "--fmax", "200",     \
        "--absorption", "0.1", "--rays", "off"

/* The steps of a source of TWO_PLACES with the standard scheme. */
static uint64_t steps_of_a_source(void)
{
    struct time_step step = {0};
    size_t count;
    const double courant = sqrt(cut_masses_shares(false, &count)[0]) * SCHEME_COURANT_LIMIT;
    cr_assert(time_step_choose(SCHEME_STANDARD, 343.2 / (10.5 * 200), 343.2, courant, &step, NULL) == 0);
    return response_lead(&step, 200) + (uint64_t)ceil(step.rate);
}

Test(device_run, a_run_on_a_device_names_it_in_its_record)
{
    write_cube();
    MUST(SIMULATE(&failure, "cube.obj", TWO_PLACES, "--backend", "cuda", "-o", "run"));
    cr_assert(asked.engines[BACKEND_CUDA] == 1 && asked.engines[BACKEND_CPU] == 0);
    cJSON *record = read_json("run/run.json");
    const cJSON *device = cJSON_GetObjectItem(record, "device");
    cr_assert(eq(str, (char *)text_of(record, "backend"), "cuda"));
    cr_assert(eq(str, (char *)text_of(record, "backend_asked"), "cuda"));
    cr_assert(eq(str, (char *)text_of(record, "backend_because"), "it was asked for"));
    cr_assert(eq(str, (char *)text_of(device, "name"), "Stand-in 9000"));
    cr_assert(eq(str, (char *)text_of(device, "compute_capability"), "9.0"));
    cr_assert(eq(str, (char *)text_of(device, "driver_cuda"), "13.0"));
    cr_assert(eq(dbl, number(device, "bytes"), 160e9));
    cr_assert(eq(dbl, number(record, "bytes_device"), stand_in.bytes_a_block * number(record, "blocks")));
}

/* An engine that computes nothing works on one thread, whatever the machine has. */
#define ONE_THREAD "--threads", "1"

#define LONG ONE_THREAD, TWO_PLACES, "--duration", "15" /* more than 1e8 node updates */

Test(device_run, auto_says_on_one_line_what_it_took_and_why)
{
    write_cube();
    MUST(CALL(plan, COMMAND_PLAN, &failure, "cube.obj", LONG));
    expect_words("err", "\non the GPU: Stand-in 9000, 150 GB free\n");
    expect_words("out", "on Stand-in 9000: ");
    MUST(CALL(plan, COMMAND_PLAN, &failure, "cube.obj", LONG, "--json"));
    cJSON *plan = read_json("out");
    cr_assert(eq(str, (char *)text_of(plan, "backend_asked"), "auto"));
    cr_assert(eq(dbl, number(plan, "bytes_device_available"), 150e9));
    cr_assert(test_above(number(plan, "bytes_device"), 0));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "fits")));

    stand_in.present = false;
    MUST(CALL(plan, COMMAND_PLAN, &failure, "cube.obj", LONG));
    expect_words("err", "\non the CPU: no NVIDIA driver is installed\n");
    MUST(CALL(plan, COMMAND_PLAN, &failure, "cube.obj", LONG, "--json"));
    plan = read_json("out");
    cr_assert(eq(str, (char *)text_of(plan, "backend"), "cpu"));
    cr_assert(cJSON_GetObjectItem(plan, "device") == NULL);
    cr_assert(cJSON_GetObjectItem(plan, "bytes_device") == NULL);
    cr_assert(not(cJSON_HasObjectItem(plan, "bytes_device_available")));
}

Test(device_run, fmax_auto_follows_the_back_end_that_reaches_further)
{
    write_cube();
    stand_in.seconds_a_step[BACKEND_CPU] = 0.01;
    static const char *const backends[] = {"cpu", "auto"};
    double fmax[2];
    for (int i = 0; i < 2; i++) {
        MUST(CALL(plan, COMMAND_PLAN, &failure, "cube.obj", ONE_THREAD, "--absorption", "0.1", "--duration",
                  "1", "--budget", "1min", "--json", "--backend", backends[i]));
        cJSON *plan = read_json("out");
        fmax[i] = number(plan, "fmax_hz");
        cr_assert(eq(str, (char *)text_of(plan, "backend"), i == 0 ? "cpu" : "cuda"));
    }
    cr_assert(test_above(fmax[1], fmax[0]), "%g Hz, %g Hz", fmax[0], fmax[1]);
}

/* "bytes_peak" of a fine cube on a back end. */
#define FINE                                                                                                 \
    "cube.obj", "--fmax", "3500", "--duration", "0.1", "--absorption", "0.1", "--rays", "off", CUBE_PLACES
static double host_bytes_on(const char *backend)
{
    MUST(CALL(plan, COMMAND_PLAN, &failure, FINE, "--json", "--backend", backend));
    cJSON *plan = read_json("out");
    const double bytes = number(plan, "bytes_peak");
    return bytes;
}

/* So many bytes more for this process. */
static void leave_memory(uint64_t bytes)
{
    unsigned long long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    cr_assert(file != NULL && fscanf(file, "%llu", &pages) == 1 && fclose(file) == 0);
    const struct rlimit most = {pages * (unsigned long long)sysconf(_SC_PAGESIZE) + bytes, RLIM_INFINITY};
    cr_assert(eq(int, setrlimit(RLIMIT_AS, &most), 0));
}

Test(device_run, auto_goes_to_the_device_where_the_host_cannot_hold_the_pressures)
{
#if defined(__SANITIZE_ADDRESS__)
    cr_skip("the sanitizer's shadow needs the address space");
#endif
    write_cube();
    /* A heap that shrank here and grew again in the run would count as memory of the run. */
    cr_assert(eq(int, mallopt(M_TRIM_THRESHOLD, INT_MAX), 1));
    const double cpu = host_bytes_on("cpu"), cuda = host_bytes_on("cuda");
    cr_assert(test_above(cpu, 1.2 * cuda));
    leave_memory((uint64_t)(0.5 * (cpu + cuda)));
    MUST(SIMULATE(&failure, FINE, "-o", "run"));
    expect_words("err", "\non the GPU: Stand-in 9000, 150 GB free\n");
    MUST_FAIL(SIMULATE(&failure, FINE, "-o", "cpu", "--backend", "cpu"), FAILURE_CAPACITY, "are available");

    /* Where neither holds it, the one that reaches further says how far. */
    stand_in.device.bytes_free = 10000000;
    MUST_FAIL(SIMULATE(&failure, FINE, "-o", "no"), FAILURE_CAPACITY, "are available");
    stand_in.device.bytes_free = 70000000;
    MUST_FAIL(SIMULATE(&failure, FINE, "-o", "no"), FAILURE_CAPACITY, "of device memory");
    cr_assert(not(exists("no")));
    cr_assert(not(exists("cpu")));
}

Test(device_run, a_device_that_fails_in_a_run_is_status_5_and_what_was_computed_is_kept_as_partial)
{
    write_cube();
    const uint64_t steps = steps_of_a_source();
    stand_in.lives = steps + steps / 2 + 600;
    /* An earlier run stands there: it gives way to the partial one, as for every run that ended early. */
    cr_assert(eq(int, mkdir("run", 0777), 0));
    write_text("run/ir_old_one.wav", "old");
    cr_assert(SIMULATE(&failure, "cube.obj", TWO_PLACES, "--scheme", "standard", "--backend", "cuda", "-o",
                       "run", "--force") == FAILURE_OUTPUT);
    cr_assert(eq(str, failure.sentence, "the device fell off the bus"));
    cr_assert(exists("run/ir_S1_R1.wav") && exists("run/ir_S2_R1.wav") && !exists("run/ir_old_one.wav"));
    cJSON *record = read_json("run/run.json");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(record, "partial")));
    cr_assert(eq(str, (char *)text_of(record, "partial_because"), "the device fell off the bus"));
    const cJSON *runs = cJSON_GetObjectItem(record, "runs");
    cr_assert(eq(dbl, number(cJSON_GetArrayItem(runs, 0), "steps"), (double)steps));
    const double kept = number(cJSON_GetArrayItem(runs, 1), "steps");
    cr_assert(kept > 0 && kept < (double)steps, "%g of %llu steps", kept, (unsigned long long)steps);
}

Test(device_run, a_device_that_fails_before_anything_was_computed_leaves_nothing)
{
    write_cube();
    for (int look_fails = 0; look_fails < 2; look_fails++) {
        stand_in.lives = 1;
        stand_in.look_fails = look_fails != 0;
        cr_assert(SIMULATE(&failure, "cube.obj", TWO_PLACES, "--backend", "cuda", "-o", "run") ==
                  FAILURE_OUTPUT);
        cr_assert(eq(str, failure.sentence, "the device fell off the bus"));
        cr_assert(eq(uint, asked.runs_of_lost, 0));
        cr_assert(not(exists("run")));
    }
}

Test(device_run, a_field_whose_energy_grows_ends_a_run_with_4_and_what_was_computed_is_kept)
{
    write_cube();
    const uint64_t steps = steps_of_a_source();
    stand_in.energy_grows = steps / 2;
    MUST_FAIL(
        SIMULATE(&failure, "cube.obj", TWO_PLACES, "--scheme", "standard", "--backend", "cuda", "-o", "run"),
        FAILURE_SIMULATION, "the energy of the field grew from 1 at step ");
    cr_assert(exists("run/ir_S1_R1.wav") && !exists("run/ir_S2_R1.wav"));
    cJSON *record = read_json("run/run.json");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(record, "partial")));
    char words[FAILURE_TEXT_MAX];
    (void)failure_text(&failure, words);
    cr_assert(eq(str, (char *)text_of(record, "partial_because"), words));
    const cJSON *run_of_it = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "runs"), 0);
    cr_assert(eq(dbl, number(run_of_it, "energy_start"), 1));
    cr_assert(eq(dbl, number(run_of_it, "energy_rise"), 1e9 - 1));
    cr_assert(eq(dbl, number(run_of_it, "mean_pressure_drift"), 0));
}

Test(device_run, a_comparison_maps_both_fields_first_and_tells_a_lost_device_from_a_difference)
{
    write_cube();
#define COMPARE "cube.obj", "--fmax", "200", "--absorption", "0.1", "--backend", "cuda", "--steps", "300"
    MUST(CALL(compare, COMMAND_COMPARE, &failure, COMPARE));
    cr_assert(asked.engines[BACKEND_CUDA] == 2 && asked.maps == 2);
    cr_assert(eq(uint, asked.unmapped_sets, 0));
    for (int look_fails = 0; look_fails < 2; look_fails++) {
        stand_in.lives = 150;
        stand_in.look_fails = look_fails != 0;
        cr_assert(CALL(compare, COMMAND_COMPARE, &failure, COMPARE) == FAILURE_OUTPUT);
        cr_assert(eq(str, failure.sentence, "the device fell off the bus"));
        cr_assert(eq(uint, asked.gets_of_lost, 0), "no node is searched for in a field that is gone");
    }
}
