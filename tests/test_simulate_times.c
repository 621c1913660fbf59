/* Reverberation times at the end of a run: in run.json and in words, or why there are none. */
#define _XOPEN_SOURCE 700
#include "tests/program_run.h"

TestSuite(simulate_times, .init = enter_folder, .fini = leave_folder);

#define PLACES "--source", "1.08,1.11,1.5", "--receiver", "1.83,1.95,1.2"

static const cJSON *first_response(const cJSON *object)
{
    const cJSON *response = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "responses"), 0);
    cr_assert(response != NULL);
    return response;
}

/* A cube of 3 m whose walls take a fifth: Sabine's 0.40 s, Eyring's 0.36 s; its lowest modes ring longer. */
Test(simulate_times, a_room_rings_about_as_long_as_sabine_says)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", PLACES, "--fmax", "710", "--absorption", "0.2", "-o", "run",
                      "--backend", "cpu"),
                  0);
    expect_words("out", "one response                63 Hz   125 Hz   250 Hz   500 Hz\n");
    expect_words("out", "\nT30 [s]                      0.");
    expect_words("out", "\nSabine, expected [s]         0.40     0.40");
    expect_words("out", "\nEyring, expected [s]         0.36     0.36");
    cJSON *object = read_json("run/run.json");
    const cJSON *response = first_response(object), *octaves = cJSON_GetObjectItem(response, "octaves_hz"),
                *t30 = cJSON_GetObjectItem(response, "t30_s"), *why = cJSON_GetObjectItem(response, "why");
    cr_assert(eq(int, cJSON_GetArraySize(octaves), 4));
    cr_assert(eq(int, cJSON_GetArraySize(t30), 4));
    for (int b = 0; b < 4; b++) {
        const double time = cJSON_GetArrayItem(t30, b)->valuedouble;
        cr_assert(test_at_least(time, 0.3) && test_at_most(time, 0.6), "octave %d: %g s", b, time);
        cr_assert(cJSON_IsNull(cJSON_GetArrayItem(why, b)));
    }
    cJSON_Delete(object);
}

Test(simulate_times, a_response_too_short_for_a_time_says_so)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", PLACES, "--fmax", "355", "--absorption", "0.05", "--duration",
                      "0.1", "-o", "run", "--backend", "cpu"),
                  0);
    expect_words("out", "\nT30 [s]                         -        -        -\n");
    expect_words("out", "\n  -  63, ");
    cJSON *object = read_json("run/run.json");
    const cJSON *response = first_response(object);
    const cJSON *t30 = cJSON_GetArrayItem(cJSON_GetObjectItem(response, "t30_s"), 0);
    const cJSON *why = cJSON_GetArrayItem(cJSON_GetObjectItem(response, "why"), 0);
    cr_assert(cJSON_IsNull(t30));
    cr_assert(cJSON_IsString(why) && why->valuestring[0] != '\0');
    cJSON_Delete(object);
}
