/* A head that stands in the room: what is put there, and what its ears hear against the exact solution. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "geometry/base/vector.h"
#include "geometry/voxel/clearance.h"
#include "src/setup/head/dummy_head.h"
#include "tests/accuracy/exact/rigid_sphere.h"
#include "tests/support/json_path.h"
#include "tests/support/sounds.h"

TestSuite(dummy_head, .init = enter_folder, .fini = leave_folder);

#define PI 3.14159265358979323846

/* ---- the exact solution itself ---- */

Test(dummy_head, the_series_is_the_flow_around_a_sphere_where_waves_are_long_and_doubles_where_they_are_short)
{
    const double a = 0.0875, r = 0.35;
    for (double cosine = -1.0; cosine <= 1.0; cosine += 0.25) {
        /* Of a potential of 1/d: sum of (2 m + 1) / (m + 1) (a/r)^m P_m / r. */
        double legendre[2] = {1.0, cosine}, sum = 0.0, power = 1.0 / r;
        for (int m = 0; m < 60; m++) {
            sum += (2 * m + 1.0) / (m + 1.0) * power * legendre[0];
            power *= a / r;
            const double above = ((2 * m + 3) * cosine * legendre[1] - (m + 1) * legendre[0]) / (m + 2);
            legendre[0] = legendre[1];
            legendre[1] = above;
        }
        cr_assert(test_near(cabs(rigid_sphere_pressure(1e-3, a, r, cosine)), sum, 1e-6 * sum));
    }
    const double complex front = rigid_sphere_pressure(400.0, a, r, 1.0);
    cr_assert(test_near(cabs(front), 2.0 / (r - a), 0.02 / (r - a)));
    cr_assert(test_near(carg(front * cexp(I * 400.0 * (r - a))), 0.0, 0.03), "it arrives when the wave does");
    /* A source at the surface of one place is heard at the other as the other way round: both are P_m's
     * alone, so of two spheres whose places are exchanged the sum is the same. That of a small sphere is the
     * free field. */
    const double complex free = rigid_sphere_pressure(30.0, 1e-4, r, 0.3);
    cr_assert(test_near(cabs(free - cexp(-I * 30.0 * r) / r), 0.0, 4e-3 / r));
}

/* ---- what is put into the room ---- */

static struct mesh cube(void)
{
    struct mesh mesh = {0};
    uint16_t material;
    uint32_t first;
    MUST(mesh_add_material(&mesh, "wall", &material, &failure));
    for (int v = 0; v < 8; v++)
        MUST(mesh_add_vertex(&mesh, (const double[3]){v & 1, v >> 1 & 1, v >> 2}, &first, &failure));
    static const uint32_t side[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 7, 5}, {4, 6, 7}, {0, 5, 1}, {0, 4, 5},
                                         {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 7, 3}, {1, 5, 7}};
    for (int t = 0; t < 12; t++)
        MUST(mesh_add_triangle(&mesh, side[t], material, &failure));
    return mesh;
}

static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};

static struct dummy_head read_head(const char *text, double x, double azimuth)
{
    struct dummy_head head;
    MUST(dummy_head_read(text, &head, &failure));
    head.position[0] = x;
    head.position[1] = 0.5;
    head.position[2] = 0.6;
    head.azimuth = azimuth;
    return head;
}

Test(dummy_head, a_sphere_of_its_volume_stands_where_the_receiver_was_and_looks_where_it_is_told)
{
    struct mesh room = cube();
    struct dummy_head head = read_head("pew=9cm", 0.4, 90.0);
    MUST(dummy_head_put(&head, &room, low, high, &failure));
    struct mesh own = room;
    own.triangle += 12;
    own.triangle_count -= 12;
    double volume = 0.0, product[3];
    for (size_t t = 0; t < own.triangle_count; t++) {
        const uint32_t *c = own.triangle[t];
        vector_cross(own.vertex[c[1]], own.vertex[c[2]], product);
        volume += vector_dot(own.vertex[c[0]], product) / 6.0;
        for (int k = 0; k < 3; k++)
            cr_assert(test_near(vector_distance(own.vertex[c[k]], head.position), 0.09, 2e-4));
    }
    cr_assert(test_near(fabs(volume), 4.0 / 3.0 * PI * pow(0.09, 3.0), 1e-9));
    cr_assert(eq(str, room.material[own.triangle_material[12]], (char *)"dummy_head"));
    /* It looks along +y: its left is towards -x, ten degrees behind. */
    struct clearance tree = {0};
    MUST(clearance_make(&own, &tree, &failure));
    for (int ear = 0; ear < 2; ear++) {
        const double side = ear == 0 ? -1.0 : 1.0;
        cr_assert(test_near(head.ear[ear][0], 0.4 + side * 0.0905 * cos(10.0 * PI / 180.0), 2e-4));
        cr_assert(test_near(head.ear[ear][1], 0.5 - 0.0905 * sin(10.0 * PI / 180.0), 2e-4));
        cr_assert(test_near(clearance_at(&tree, head.ear[ear], 1.0), DUMMY_HEAD_EAR_CLEAR, 1e-5));
        cr_assert(test_at_least(vector_distance(head.ear[ear], head.position), 0.09));
    }
    clearance_free(&tree);
    mesh_free(&room);
}

/* An octahedron, its triangles inside out, with an ear below the surface and one before it. */
static const char octahedron[] = "v 0.1 0 0\nv -0.1 0 0\nv 0 0.1 0\nv 0 -0.1 0\nv 0 0 0.1\nv 0 0 -0.1\n"
                                 "v 0.01 0.07 0.01\nv 0 -0.13 0\no head\n"
                                 "f 1 5 3\nf 3 5 2\nf 2 5 4\nf 4 5 1\nf 3 6 1\nf 2 6 3\nf 4 6 2\nf 1 6 4\n"
                                 "o receiver:left\nf 7 7 7\no receiver:right\nf 8 8 8\n";

Test(dummy_head, a_mesh_brings_its_ears_and_they_are_moved_into_the_air)
{
    write_text("head.obj", octahedron);
    struct mesh room = cube();
    struct dummy_head head = read_head("pew=head.obj", 0.4, 0.0);
    MUST(dummy_head_put(&head, &room, low, high, &failure));
    cr_assert(eq(sz, room.triangle_count, 12 + 8));
    cr_assert(test_near(head.radius, 0.1, 1e-3));
    /* The face x + y + z = 0.1 is .01 / sqrt 3 from the ear within, which comes out along its normal. */
    const double *left = head.ear[0];
    const double before = (left[0] - 0.4 + left[1] - 0.5 + left[2] - 0.6 - 0.1) / sqrt(3.0);
    cr_assert(test_near(before, DUMMY_HEAD_EAR_CLEAR, 1e-6));
    cr_assert(test_near(head.ear[1][1], 0.5 - 0.13, 1e-6), "what is in the air stays");
    mesh_free(&room);
}

#define NOT_PUT(words, text, x)                                                                              \
    do {                                                                                                     \
        struct mesh room = cube();                                                                           \
        struct dummy_head head = read_head(text, x, 0.0);                                                    \
        struct failure why = {0};                                                                            \
        cr_assert(eq(int, dummy_head_put(&head, &room, low, high, &why), FAILURE_INPUT));                    \
        cr_assert(strstr(why.sentence, words) != NULL, "%s", why.sentence);                                  \
        mesh_free(&room);                                                                                    \
    } while (0)

Test(dummy_head, what_cannot_stand_there_is_refused_in_a_sentence)
{
    NOT_PUT("would overlap a surface: it needs 0.0977 m to all sides, and \"wall\" is 0.05 m away", "pew",
            0.05);
    NOT_PUT("outside the model", "pew", 1.5);
    write_text("open.obj", "v 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 2 3\n");
    NOT_PUT("open.obj is not closed: 3 edges", "pew=open.obj", 0.5);
    char text[sizeof octahedron];
    (void)snprintf(text, sizeof text, "%.*s", (int)(strstr(octahedron, "o receiver:right") - octahedron),
                   octahedron);
    write_text("deaf.obj", text);
    NOT_PUT("deaf.obj has no position receiver:right", "pew=deaf.obj", 0.5);
    struct dummy_head head;
    struct failure why = {0};
    cr_assert(eq(int, dummy_head_read("pew=0.5", &head, &why), FAILURE_INPUT));
    cr_assert(strstr(why.sentence, "0.5 is neither a radius from 0.02 to 0.3 m nor a mesh") != NULL);
    cr_assert(eq(int, dummy_head_read("pew=head.fbx", &head, &why), 0));
}

/* ---- what is heard ---- */

#define ROOM                                                                                                 \
    "box.obj", "--source", "0.9,0.61,0.55,S", "--receiver", "0.43,0.5,0.5,head", "--receiver",               \
        "0.2,0.2,0.2,R", "--dummy-head", "head", "--look", "head=10", "--absorption", "wall=0.95", "--air",  \
        "off", "--backend", "cpu", "--duration", "0.0036"

static void write_small_room(void)
{
    write_box("box.obj", 1.25, 1.0, 1.0, true);
}

/* 10 mm, to 5.6 kHz. The first reflection comes after 2.7 ms, and rings before that. */
Test(dummy_head, the_ears_hear_level_and_time_of_the_exact_solution_to_fmax_on_a_grid_of_10_mm)
{
    write_small_room();
    expect_status(RUN("simulate", ROOM, "--spacing", "0.01", "--fmax", "5600", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json");
    cr_assert(eq(str, (char *)record_text(record, "dummy_heads.0.left"), (char *)"head_left"));
    cr_assert(eq(str, (char *)record_text(record, "receivers.1.name"), (char *)"head_right"));
    cr_assert(eq(str, (char *)record_text(record, "receivers.2.name"), (char *)"R"));
    cr_assert(
        eq(str, (char *)record_text(record, "responses.1.file_ears"), (char *)"ir_S_head_binaural.wav"));
    /* The direct sound alone: a head is small beside a wave of 63 Hz, and not beside one of 4 kHz. */
    for (int ear = 0; ear < 2; ear++) {
        char key[40];
        (void)snprintf(key, sizeof key, "responses.%d.iacc_early", ear);
        const cJSON *iacc = record_at(record, key);
        cr_assert(iacc != NULL && cJSON_GetArraySize(iacc) == 7);
        cr_expect(test_near(cJSON_GetArrayItem(iacc, 0)->valuedouble, 1.0, 0.02), "%g",
                  cJSON_GetArrayItem(iacc, 0)->valuedouble);
    }
    cr_assert(record_at(record, "responses.2.iacc_early") == NULL, "R is no ear");
    cr_assert(record_number(record, "dummy_heads.0.look_azimuth_deg") == 10.0);
    struct wav_sound both = read_sound("run/ir_S_head_binaural.wav"),
                     left = read_sound("run/ir_S_head_left.wav");
    cr_assert(both.channels == 2 && both.frames == left.frames);
    for (size_t n = 0; n < left.frames; n++)
        cr_assert(both.sample[2 * n] == left.sample[n]);
    const double to[3] = {0.47, 0.11, 0.05}, distance = vector_length(to);
    struct sphere_ears ears = {
        DUMMY_HEAD_RADIUS, record_number(record, "sound_speed_m_s"), 5600.0, distance, {0}, 0.0023};
    enum { COUNT = 52 };
    struct ears_heard heard[COUNT];
    for (int ear = 0; ear < 2; ear++) {
        const double turn = (ear == 0 ? 110.0 : -90.0) * PI / 180.0;
        ears.cosine[ear] = (to[0] * cos(turn) + to[1] * sin(turn)) / distance;
    }
    for (int k = 0; k < COUNT; k++)
        heard[k].frequency = 400.0 + 100.0 * k;
    cr_assert(sphere_ears_compare(&ears, both.sample, both.frames, heard, COUNT));
    for (int k = 0; k < COUNT; k++) {
        cr_expect(test_near(heard[k].level_off, 0.0, 0.8), "%g Hz: %g dB", heard[k].frequency,
                  heard[k].level_off);
        cr_expect(test_near(heard[k].time_off, 0.0, 5e-6), "%g Hz: %g us", heard[k].frequency,
                  1e6 * heard[k].time_off);
    }
    expect_status(RUN("auralise", "run", "--dry", "run/ir_S_R.wav", "-o", "heard"), 0);
    cr_assert(exists("heard/listen_S_head_binaural.wav") && !exists("heard/listen_S_head_binaural_2.wav"));
}

Test(dummy_head, a_grid_that_does_not_show_its_ears_is_refused_and_so_is_what_it_does_not_fit)
{
    write_small_room();
    REFUSED("a grid of 0.02 m is too coarse for the dummy head head of 0.0875 m radius", "plan", ROOM,
            "--spacing", "0.02");
    REFUSED("needs a spacing of 0.01029 m or less, at 6 points per wavelength 5557 Hz or more", "plan", ROOM,
            "--fmax", "1420");
    REFUSED("needs the isotropic scheme with conformal walls", "plan", ROOM, "--walls", "staircase",
            "--spacing", "0.01");
    REFUSED("no receiver is called pew; there are head, R", "plan", ROOM, "--dummy-head", "pew", "--spacing",
            "0.01");
    REFUSED("the head head is given twice", "plan", ROOM, "--dummy-head", "head=0.1", "--spacing", "0.01");
    REFUSED("two receivers are called head_left", "plan", ROOM, "--receiver", "0.8,0.8,0.8,head_left",
            "--spacing", "0.01");
    REFUSED("the orientation R=10 needs a directional receiver, and there is none", "plan", ROOM, "--look",
            "R=10", "--spacing", "0.01");
}
