/* Sound in a rigid room against the sum of its mirror images, sample by sample at 48 kHz: the whole way from
 * a drive to the samples of a file, with every echo at its time and strength.
 *
 * A rigid box of whole cells has exact images in the continuum (Allen and Berkley, J. Acoust. Soc. Am. 65,
 * 1979). The band ends at 37 points per wavelength, where the lattice is 0.1 % slow at most, so what is left
 * is that times the distance travelled. The room is driven as a run is; the images go through the same
 * low-pass, and both through the same chain, with a late first sound so that phases stay as they are: a
 * wrong filter would not show here but does in test_response. */
#include "src/response/signal/response.h"
#include "tests/support/back_ends.h"
#include "tests/support/driven.h"
#include "tests/support/test_support.h"
#include "tests/support/walled_box.h"

#define PI          3.14159265358979323846
#define SOUND_SPEED 343.2
#define GRID_FMAX   355.0 /* of the lattice at 10.5 points per wavelength [Hz] */
#define BAND        100.0 /* of the comparison [Hz] */
#define LENGTH      0.05  /* [s] */
#define LATE        1.0   /* [s] */
#define SPREAD      60    /* samples each side that an image between samples is spread over */

static const double source[3] = {1.234, 1.111, 1.377},
                    receiver[3] = {3.7, 2.9, 1.71}; /* from the corner [m] */

/* An image: 1 / (4 pi r) at r / c, band-limited, for the drive (1, -1). */
static void add_image(double distance, double rate, double *out, long count)
{
    const double at = distance / SOUND_SPEED * rate;
    for (long n = (long)at - SPREAD; n <= (long)at + SPREAD; n++) {
        if (n < 0 || n + 1 >= count)
            continue;
        const double x = (double)n - at, window = 0.5 + 0.5 * cos(PI * x / (SPREAD + 1.0));
        const double pulse = (fabs(x) < 1e-9 ? 1.0 : sin(PI * x) / (PI * x)) * window / (4.0 * PI * distance);
        out[n] += pulse;
        out[n + 1] -= pulse;
    }
}

static void add_images(const double size[3], double rate, double *out, long count)
{
    const double farthest = SOUND_SPEED * (double)count / rate;
    const int reach = (int)ceil(farthest / 2.0 / 2.9) + 1; /* the shortest side is 3 m, but for half a cell */
    for (int i = -reach; i <= reach; i++) {
        for (int j = -reach; j <= reach; j++) {
            for (int k = -reach; k <= reach; k++) {
                for (unsigned mirror = 0; mirror < 8; mirror++) {
                    const int cell[3] = {i, j, k};
                    double square = 0.0;
                    for (unsigned a = 0; a < 3; a++) {
                        const double image = 2.0 * cell[a] * size[a] +
                                             (mirror >> a & 1 ? -source[a] : source[a]) - receiver[a];
                        square += image * image;
                    }
                    if (square < farthest * farthest)
                        add_image(sqrt(square), rate, out, count);
                }
            }
        }
    }
}

static void simulate(const int64_t nodes[3], const struct time_step *step, double *out, size_t steps)
{
    const double rigid = 0.0;
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct walled_box *room = walled_box_make(nodes, walled_box_rigid);
    double *drive = calloc(steps, sizeof *drive);
    struct response_drive made = {0};
    cr_assert(drive != NULL);
    room->blocks.lattice.spacing = step->spacing;
    struct engine *engine = walled_box_engine(room, step, &rigid, 1, &options);
    for (int end = 0; end < 2; end++) {
        double position[3];
        int64_t base[3];
        struct stencil stencil;
        for (int a = 0; a < 3; a++) { /* the walls lie half a cell before node 0 and after the last */
            position[a] = (end == 0 ? source : receiver)[a] - 0.5 * step->spacing;
            base[a] = (int64_t)floor(position[a] / step->spacing);
        }
        MUST(stencil_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &stencil, &failure));
        MUST(end == 0 ? engine_add_source(engine, &stencil, &failure)
                      : engine_add_receiver(engine, &stencil, &failure));
    }
    MUST(response_drive_make(step, BAND, &made, &failure));
    for (size_t n = 0; n < steps && n < made.count; n++)
        drive[n] = made.sample[n];
    response_drive_free(&made);
    back_ends_run(engine, &rigid, 1, steps, drive, out);
    engine_free(engine);
    walled_box_free(room);
    free(drive);
}

Test(image_sources, every_echo_of_a_rigid_room_stands_at_its_sample_with_its_strength)
{
    const double h = SOUND_SPEED / (10.5 * GRID_FMAX);
    const struct time_step step = time_step_of(h, SOUND_SPEED, 0.0);
    const int64_t nodes[3] = {llround(5.0 / h), llround(4.0 / h), llround(3.0 / h)};
    const double size[3] = {(double)nodes[0] * h, (double)nodes[1] * h, (double)nodes[2] * h};
    const size_t lead = response_lead(&step, BAND), steps = lead + (size_t)(LENGTH * step.rate);
    const size_t ahead = lead + steps; /* the low-pass looks that far ahead */
    double *simulated = calloc(steps, sizeof *simulated), *images = calloc(ahead, sizeof *images);
    simulate(nodes, &step, simulated, steps);
    add_images(size, step.rate, images, (long)ahead);
    size_t mirrored_count = 0, count = 0, other = 0;
    double *mirrored = driven(images, ahead, &step, BAND, &mirrored_count);
    float *x[2] = {NULL, NULL};
    cr_assert(mirrored_count > steps);
    const struct response_chain chain = {.step = step, .fmax = BAND, .method = AIR_OFF};
    MUST(response_make(&chain, simulated, steps, LATE, &x[0], &count, &failure));
    MUST(response_make(&chain, mirrored, steps, LATE, &x[1], &other, &failure));
    cr_assert(count == other && test_near((double)count, LENGTH * RESPONSE_RATE, 8.0));
    double difference = 0.0, total = 0.0;
    for (size_t n = 0; n < count; n++) {
        difference += ((double)x[0][n] - x[1][n]) * ((double)x[0][n] - x[1][n]);
        total += (double)x[1][n] * x[1][n];
    }
    const double error = sqrt(difference / total);
    (void)fprintf(stderr, "rigid room against its images, %g ms: %.2f %% of the rms\n", 1e3 * LENGTH,
                  100.0 * error);
    cr_assert(total > 0.0 && error < 0.02, "%g", error);
    free(x[0]);
    free(x[1]);
    free(simulated);
    free(mirrored);
    free(images);
}
