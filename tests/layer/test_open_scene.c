/* Open scenes from a model to a record: the layer is behind open faces alone, wherever the grid lies. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

TestSuite(open_scene, .init = enter_folder, .fini = leave_folder);

/* A room of 4 x 5 x 3 m with a window of 0.6 m2 in the wall x = 0. */
static void write_room(void)
{
    write_text("room.obj", "v 0 0 0\nv 4 0 0\nv 4 5 0\nv 0 5 0\nv 0 0 3\nv 4 0 3\nv 4 5 3\nv 0 5 3\n"
                           "v 0 2 0\nv 0 3 0\nv 0 2 3\nv 0 3 3\nv 0 2 1\nv 0 3 1\nv 0 2 1.6\nv 0 3 1.6\n"
                           "usemtl floor\nf 1 2 3 4\nusemtl ceiling\nf 8 7 6 5\n"
                           "usemtl wall\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\n"
                           "usemtl window_wall\nf 1 9 11 5\nf 10 4 8 12\nf 9 10 14 13\nf 15 16 12 11\n");
}

/* What of its sound is still there after a second; areas and volume are the model's. */
static double left_in(const char *run)
{
    char path[64];
    static const double area[] = {20, 20, 39, 14.4};
    (void)snprintf(path, sizeof path, "%s/run.json", run);
    cJSON *record = read_json(path);
    for (int m = 0; m < 4; ++m) {
        (void)snprintf(path, sizeof path, "materials.%d.area_exposed_m2", m);
        cr_expect(fabs(record_number(record, path) - area[m]) < 0.03 * area[m], "%s: %s is %g", run, path,
                  record_number(record, path));
    }
    cr_expect(fabs(record_number(record, "cells_volume_m3") - 60) < 0.6);
    const cJSON *stored = record_at(record, "runs.0.energy.stored");
    const double left = cJSON_GetArrayItem(stored, cJSON_GetArraySize(stored) - 1)->valuedouble;
    return left;
}

Test(open_scene, closed_faces_of_an_open_scene_stay_closed_wherever_the_grid_lies)
{
    static const char *const origin[] = {"0.1,0.1,0.1", "0.1,0.19,0.19", "0.19,0.01,0.15"};
    double left[3];
    write_room();
    for (int n = 0; n < 3; ++n) {
        expect_status(RUN("simulate", "room.obj", "--open", "--spacing", "0.2", "--absorption", "0.001",
                          "--source", "1,1,1.2", "--receiver", "2.2,3.7,1.3", "--duration", "1",
                          "--grid-origin", origin[n], "--force", "-o", "run"),
                      0);
        left[n] = left_in("run");
        cr_expect(left[n] > 0.3 && fabs(left[n] - left[0]) < 0.1 * left[0], "%s: %g, not %g", origin[n],
                  left[n], left[0]);
    }
}
