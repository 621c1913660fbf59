/* A real church from mesh to sound, against what another program made of it (third-party data beside the
 * project; the tests are skipped where they are absent).
 *
 * The peer drives with a unit impulse through the bilinear differentiator 2/T (1 - z)/(1 + z). T/2 (x[n] +
 * x[n-1]) turns its raw output into the response to (1, -1), which is our own drive, so the same chain
 * calibrates both. Its walls have frequency-dependent branches and ours one absorption each, so the two are
 * compared while the direct sound and the first reflections arrive. Moved by half a cell, the peer's own grid
 * correlates with itself at 0.954 to 0.985 (README of the data); a wall in the wrong place or a source a step
 * late falls far below. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response.h"
#include "src/wav_file.h"
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
        cr_assert(response_make(drive_response, PEER_SAMPLES, 1 / PEER_PERIOD, FMAX, &peers, &peer_count,
                                &failure) == 0,
                  "%s", failure.sentence);
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
