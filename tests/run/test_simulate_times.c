/* Reverberation times at the end of a run: in run.json and in words, or why there are none. */
#define _XOPEN_SOURCE 700
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

TestSuite(simulate_times, .init = enter_folder, .fini = leave_folder);

#define PLACES "--source", "1.08,1.11,1.5", "--receiver", "1.87,1.95,1.2"

/* A cube of 3 m whose walls take a fifth: Sabine's 0.40 s, Eyring's 0.36 s; its lowest modes ring longer. */
Test(simulate_times, a_room_rings_about_as_long_as_sabine_says)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", PLACES, "--fmax", "710", "--absorption", "0.2", "-o", "run",
                      "--backend", "cpu"),
                  0);
    expect_words("out", "one response                63 Hz   125 Hz   250 Hz   500 Hz\n",
                 "\nT30 [s]                      0.", "\nSabine, expected [s]         0.40     0.40",
                 "\nEyring, expected [s]         0.36     0.36");
    cJSON *object = read_json("run/run.json");
    const cJSON *response = record_at(object, "responses.0"), *t30 = record_at(response, "t30_s");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(response, "octaves_hz")), 4));
    cr_assert(eq(int, cJSON_GetArraySize(t30), 4));
    for (int b = 0; b < 4; b++) {
        const double time = cJSON_GetArrayItem(t30, b)->valuedouble;
        cr_assert(test_at_least(time, 0.3) && test_at_most(time, 0.6), "octave %d: %g s", b, time);
        cr_assert(cJSON_IsNull(cJSON_GetArrayItem(record_at(response, "why"), b)));
        cr_assert(cJSON_IsNull(cJSON_GetArrayItem(record_at(response, "slope_early_s"), b)));
    }
}

Test(simulate_times, a_response_too_short_for_a_time_says_so)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", PLACES, "--fmax", "355", "--absorption", "0.05", "--duration",
                      "0.1", "-o", "run", "--backend", "cpu"),
                  0);
    expect_words("out", "\nT30 [s]                         -        -        -\n", "\n  -  63, ");
    cJSON *object = read_json("run/run.json");
    const char *why = record_text(object, "responses.0.why.0");
    cr_assert(cJSON_IsNull(record_at(object, "responses.0.t30_s.0")));
    cr_assert(why != NULL && why[0] != '\0');
}

static void write_quad(FILE *file, int *vertices, const char *material, const double corner[4][3])
{
    for (int c = 0; c < 4; c++)
        fprintf(file, "v %g %g %g\n", corner[c][0], corner[c][1], corner[c][2]);
    fprintf(file, "usemtl %s\nf %d %d %d %d\n", material, *vertices + 1, *vertices + 2, *vertices + 3,
            *vertices + 4);
    *vertices += 4;
}

/* Five faces of a room 4 m wide and 3 m high from x0 to x1, all but the one on the other side of `end`. */
static void write_half(FILE *file, int *vertices, const char *material, double x0, double x1, double end)
{
    write_quad(file, vertices, material,
               (const double[4][3]){{x0, 0, 0}, {x1, 0, 0}, {x1, 4, 0}, {x0, 4, 0}});
    write_quad(file, vertices, material,
               (const double[4][3]){{x0, 0, 3}, {x1, 0, 3}, {x1, 4, 3}, {x0, 4, 3}});
    write_quad(file, vertices, material,
               (const double[4][3]){{x0, 0, 0}, {x1, 0, 0}, {x1, 0, 3}, {x0, 0, 3}});
    write_quad(file, vertices, material,
               (const double[4][3]){{x0, 4, 0}, {x1, 4, 0}, {x1, 4, 3}, {x0, 4, 3}});
    write_quad(file, vertices, material,
               (const double[4][3]){{end, 0, 0}, {end, 4, 0}, {end, 4, 3}, {end, 0, 3}});
}

/* A room that absorbs and, behind an opening of half a square metre, one that hardly does. */
Test(simulate_times, two_coupled_rooms_decay_in_two_slopes)
{
    FILE *file = fopen("coupled.obj", "w");
    int vertices = 0;
    cr_assert(file != NULL);
    write_half(file, &vertices, "soft", 0, 5, 0);
    write_half(file, &vertices, "hard", 5, 10, 10);
    static const double part[3][4] = {{0, 1.5, 0, 3}, {2.1, 4, 0, 3}, {1.5, 2.1, 0.8, 3}}; /* y, y, z, z */
    for (int i = 0; i < 3; i++)
        write_quad(file, &vertices, "wall",
                   (const double[4][3]){{5, part[i][0], part[i][2]},
                                        {5, part[i][1], part[i][2]},
                                        {5, part[i][1], part[i][3]},
                                        {5, part[i][0], part[i][3]}});
    fclose(file);
    expect_status(RUN("simulate", "coupled.obj", "--source", "1.1,1.3,1.5", "--receiver", "2,3,1.7", "--fmax",
                      "355", "--absorption", "soft=0.35", "--absorption", "hard=0.01", "--absorption",
                      "wall=0.05", "--duration", "1.3", "-o", "run", "--backend", "cpu"),
                  0);
    cJSON *object = read_json("run/run.json");
    cr_assert(test_at_most(record_number(object, "responses.0.slope_early_s.2"), 0.6) &&
              test_at_least(record_number(object, "responses.0.slope_late_s.2"), 2));
    expect_words("out", "  d  double slope, as in coupled rooms: ");
}
