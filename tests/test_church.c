/* A real church from mesh to sound, against what another program made of it (third-party data beside the
 * project; the tests are skipped where they are absent).
 *
 * The peer drives with a unit impulse through the bilinear differentiator 2/T (1 - z)/(1 + z). T/2 (x[n] +
 * x[n-1]) turns its raw output into the response to (1, -1), and the low-pass into that to our own drive, so
 * the same chain calibrates both. Its walls have frequency-dependent branches and ours one absorption each,
 * so the two are compared while the direct sound and the first reflections arrive. Moved by half a cell, the
 * peer's own grid correlates with itself at 0.954 to 0.985 (README of the data); a wall in the wrong place or
 * a source a step late falls far below. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/box_grid.h"
#include "geometry/mesh_import.h"
#include "geometry/voxeliser.h"
#include "kernels/engine_fill.h"
#include "src/response.h"
#include "src/wav_file.h"
#include "tests/back_ends.h"
#include "tests/driven.h"
#include "tests/test_support.h"

#define RECEIVERS    6
#define PEER_SAMPLES 1821
#define PEER_PERIOD  0.00010986150836579736 /* [s] */
#define FMAX         400.0
#define WINDOW       1200 /* samples at 48 kHz: 25 ms */
#define LAGS         4

static void read_peer(float raw[RECEIVERS][PEER_SAMPLES])
{
    FILE *file = fopen(test_shared_data("ctk_church/peer/ctk_500hz_0.2s.f32"), "rb");
    cr_assert(file != NULL);
    cr_assert(fread(raw, sizeof(float), RECEIVERS * PEER_SAMPLES, file) == RECEIVERS * PEER_SAMPLES);
    (void)fclose(file);
}

/* sum a[n] b[n + lag] over the window. */
static double product(const float *a, const float *b, int lag)
{
    double sum = 0;
    for (int n = LAGS; n < WINDOW - LAGS; ++n)
        sum += (double)a[n] * (double)b[n + lag];
    return sum;
}

Test(church, first_reflections_are_those_of_an_independent_program)
{
    static float raw[RECEIVERS][PEER_SAMPLES];
    static double drive_response[PEER_SAMPLES];
    /* Of the receivers below, straight from the source and over c [s]. */
    const double first[RECEIVERS] = {3.0067 / 343.2, 5.004 / 343.2,  3.0806 / 343.2,
                                     3.0067 / 343.2, 3.0150 / 343.2, 6.3432 / 343.2};
    char folder[] = "/tmp/test_church_XXXXXX", command[4000], path[300], model[1000], materials[1000];
    if (test_shared_data("ctk_church/peer/ctk_500hz_0.2s.f32") == NULL)
        cr_skip("the real church is not on this machine");
    (void)snprintf(model, sizeof model, "%s", test_shared_data("ctk_church/church.obj"));
    (void)snprintf(materials, sizeof materials, "%s", test_shared_data("ctk_church/materials.csv"));
    read_peer(raw);
    cr_assert(mkdtemp(folder) != NULL);
    (void)snprintf(
        command, sizeof command,
        "'%s' simulate '%s' -o '%s' --force --quiet --materials '%s' --spacing 0.06537142857142857 "
        "--grid-origin=-0.2288,-0.2288,-0.2288 --interpolation linear --fmax %g --duration 0.04 "
        "--source 8,6.65,1.7 --receiver 8,3.65,1.5 --receiver 8,1.65,1.5 --receiver 5,6.65,1 "
        "--receiver 5,6.65,1.5 --receiver 5,6.65,2 --receiver 1.66,6.65,1.5 2>'%s/log'",
        TEST_PROGRAM, model, folder, materials, FMAX, folder);
    cr_assert(system(command) == 0, "%s", command);
    for (int r = 0; r < RECEIVERS; ++r) {
        struct failure failure = {0};
        float *ours = NULL, *peers = NULL;
        size_t count = 0, peer_count = 0;
        int rate = 0;
        (void)snprintf(path, sizeof path, "%s/ir_S1_R%d.wav", folder, r + 1);
        cr_assert(wav_read(path, &ours, &count, &rate, &failure) == 0, "%s", failure.sentence);
        for (int n = 0; n < PEER_SAMPLES; ++n)
            drive_response[n] = PEER_PERIOD / 2 * ((double)raw[r][n] + (n > 0 ? (double)raw[r][n - 1] : 0.0));
        size_t driven_count = 0;
        double *heard = driven(drive_response, PEER_SAMPLES, 1 / PEER_PERIOD, FMAX, &driven_count);
        cr_assert(response_make(heard, driven_count, 1 / PEER_PERIOD, FMAX, first[r], &peers, &peer_count,
                                &failure) == 0,
                  "%s", failure.sentence);
        free(heard);
        cr_assert(count >= WINDOW && peer_count >= WINDOW);
        const double norm = sqrt(product(ours, ours, 0) * product(peers, peers, 0));
        double best = -1;
        int best_lag = 0;
        for (int lag = -LAGS; lag <= LAGS; ++lag) {
            const double correlation = product(ours, peers, lag) / norm;
            best = correlation > best ? correlation : best;
            best_lag = correlation >= best ? lag : best_lag;
        }
        const double level = 10 * log10(product(ours, ours, 0) / product(peers, peers, 0));
        (void)fprintf(stderr, "R%d: correlation %.4f at lag %d samples, level %+.2f dB\n", r + 1, best,
                      best_lag, level);
        cr_expect(best >= 0.94, "R%d: correlation %.4f", r + 1, best);
        cr_expect(abs(best_lag) <= 2, "R%d: %d samples apart", r + 1, best_lag);
        cr_expect(test_near(level, 0, 0.6), "R%d: level differs by %.2f dB", r + 1, level);
        free(ours);
        free(peers);
        (void)remove(path);
    }
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    cr_assert(system(command) == 0);
}

/* The church on the grid of the test above, 6 million nodes. */
static void make_church(struct block_grid *blocks)
{
    static const struct voxel_seed seed = {SEED_SOURCE, "pulpit", {8.0, 6.65, 1.7}};
    const struct mesh_import_options import = {.metres_per_unit = 1};
    const struct voxelise_options options = {0};
    const double spacing = 0.06537142857142857, phase[3] = {-0.2288, -0.2288, -0.2288};
    struct mesh mesh = {0};
    struct mesh_import_facts facts;
    struct lattice lattice;
    struct voxels voxels = {0};
    struct failure failure = {0};
    double low[3], high[3];
    cr_assert(mesh_import(test_shared_data("ctk_church/church.obj"), &import, &mesh, &facts, &failure) == 0 &&
                  mesh_bounds(&mesh, low, high, &failure) == 0 &&
                  lattice_fit(low, high, spacing, phase, &lattice, &failure) == 0 &&
                  voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure) == 0 &&
                  block_grid_pack(&voxels, blocks, &failure) == 0,
              "%s", failure.sentence);
    cr_assert(blocks->air_nodes > 1000000 && blocks->wall_nodes > 10000);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(church, a_device_steps_it_to_the_processors_bits)
{
    enum { STEPS = 50, MATERIALS = 64, PLACES = 3 };
    static const int64_t beside[PLACES][3] = {{0, 0, 0}, {3, -2, 1}, {-9, 14, 2}};
    static double admittance[MATERIALS], drive[STEPS] = {1.0, -1.0}, heard[2][PLACES * STEPS];
    if (test_shared_data("ctk_church/church.obj") == NULL)
        cr_skip("the real church is not on this machine");
    if (back_ends_device() == NULL)
        cr_skip("no device");
    struct block_grid blocks = {0};
    struct box_grid box = {0};
    struct time_step step;
    struct failure failure = {0};
    make_church(&blocks);
    for (size_t m = 0; m < MATERIALS; ++m)
        admittance[m] = 0.01 * (double)(m % 9);
    cr_assert(time_step_choose(blocks.lattice.spacing, 343.2, 0.0, &step, &failure) == 0);
    cr_assert(box_grid_from_blocks(&blocks, &box, &failure) == 0, "%s", failure.sentence);
    int64_t node[3];
    for (int axis = 0; axis < 3; ++axis)
        node[axis] = llround(((const double[3]){8.0, 6.65, 1.7}[axis] - blocks.lattice.origin[axis]) /
                             blocks.lattice.spacing);
    struct back_ends all = {.mask = BACK_ENDS_CUDA};
    while (back_ends_next(&all)) {
        struct engine *engine[2] = {NULL, NULL};
        for (int e = 0; e < 2; ++e) {
            struct engine_options options = all.options;
            options.threads = 0;
            options.backend = e == 0 ? BACKEND_CPU : BACKEND_CUDA;
            cr_assert(engine_create(&engine[e], &blocks, options.layout == LAYOUT_BOX ? &box : NULL, &step,
                                    admittance, MATERIALS, &options, &failure) == 0,
                      "%s", failure.sentence);
            engine_fill(engine[e], 4);
            for (int p = 0; p < PLACES; ++p) {
                struct tap tap = {.count = 1, .weight = {1.0}};
                for (int axis = 0; axis < 3; ++axis)
                    tap.node[0][axis] = node[axis] + beside[p][axis];
                cr_assert(p > 0 || engine_add_source(engine[e], &tap, NULL, &failure) == 0, "%s",
                          failure.sentence);
                cr_assert(engine_add_receiver(engine[e], &tap, NULL, &failure) == 0, "%s", failure.sentence);
            }
            engine_run(engine[e], STEPS, drive, heard[e]);
        }
        back_ends_sound(engine[1]);
        back_ends_same_output(engine[1], STEPS, heard[0], heard[1]);
        cr_assert(engine_hash(engine[0]) == engine_hash(engine[1]), "%s: another field than %s",
                  engine_description(engine[1]), engine_description(engine[0]));
        engine_free(engine[0]);
        engine_free(engine[1]);
    }
    box_grid_free(&box);
    block_grid_free(&blocks);
}
