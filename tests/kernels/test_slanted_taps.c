/* Receivers half a cell from a rigid wall askew on the grid, against the exact field: that of the source and
 * of its mirror image in free air on the same grid. By reciprocity this is also what a source there is off.
 */
#include <complex.h>

#include "blocks/plaquettes.h"
#include "kernels/scheme/fitted_stencil.h"
#include "tests/support/cell_grids.h"
#include "tests/support/test_support.h"

#define EDGE  88 /* nodes of the room along each axis: no echo of its other walls is back in STEPS */
#define STEPS 120
#define EARS  48
#define PATH  69.5 /* that sound may have gone when it is heard */
#define AWAY  14.0 /* of the source from the wall */
#define NORMAL                                                                                               \
    {                                                                                                        \
        3.0, 2.0, 17.0                                                                                       \
    }
#define PI 3.14159265358979323846

static const double middle[3] = {EDGE / 2.0 + 0.13, EDGE / 2.0 - 0.21, EDGE / 2.0 + 0.08};

/* `kappa_most` 0: the 7-point scheme and its taps, else the isotropic one and taps for that band. */
static struct cell_grids *room(const double normal[3], bool walled, double kappa_most)
{
    const double centre[3] = {EDGE / 2.0, EDGE / 2.0, EDGE / 2.0}, size[3] = {EDGE, EDGE, EDGE};
    struct cell_plane plane[7];
    cell_box_planes(centre, size, NULL, 1, plane);
    plane[6] =
        (struct cell_plane){.normal = {normal[0], normal[1], normal[2]},
                            .offset = normal[0] * middle[0] + normal[1] * middle[1] + normal[2] * middle[2]};
    struct voxels voxels = cell_room_convex(plane, walled ? 7 : 6);
    if (kappa_most == 0.0)
        return cell_grids_of(&voxels);
    struct cell_grids *grids = calloc(1, sizeof *grids);
    struct time_step step;
    struct cut_masses masses;
    cr_assert(grids != NULL);
    MUST(time_step_choose(SCHEME_ISOTROPIC, 1.0, 340.0, 0.0, &step, &failure));
    MUST(block_grid_pack(&voxels, &grids->blocks, &failure));
    MUST(block_grid_widen(&grids->blocks, &failure));
    MUST(cut_masses_make(&grids->blocks, step.lambda2, &masses, &failure));
    voxels_free(&voxels);
    return grids;
}

/* At a place, from its nearest corner before the wall. */
static struct stencil tap(const struct block_grid *grid, const double place[3], const double normal[3],
                          bool walled, double kappa_most)
{
    double position[3], best = INFINITY;
    int64_t base[3] = {0};
    for (int corner = 0; corner < 8; corner++) {
        int64_t node[3];
        double beyond = 0, far = 0;
        for (int a = 0; a < 3; a++) {
            node[a] = (int64_t)floor(place[a]) + (corner >> a & 1);
            beyond += normal[a] * ((double)node[a] - middle[a]);
            far += ((double)node[a] - place[a]) * ((double)node[a] - place[a]);
        }
        if ((walled && beyond >= 0) || far >= best)
            continue;
        best = far;
        memcpy(base, node, sizeof base);
    }
    for (int a = 0; a < 3; a++)
        position[a] = grid->lattice.origin[a] + grid->lattice.spacing * place[a];
    struct stencil stencil;
    cr_assert(isfinite(best));
    if (kappa_most > 0.0)
        MUST(stencil_make_fitted(grid, position, base, kappa_most, &stencil, &failure));
    else
        MUST(stencil_make(grid, position, base, INTERPOLATION_CUBIC, &stencil, &failure));
    return stencil;
}

/* (EARS, STEPS) at the ears from one source. */
static void hear(const struct cell_grids *grids, const double source[3], const double ear[EARS][3],
                 const double normal[3], bool walled, double kappa_most, double *output)
{
    static const double hard[1] = {0};
    struct time_step step;
    MUST(time_step_choose(kappa_most > 0.0 ? SCHEME_ISOTROPIC : SCHEME_STANDARD, 1.0, 340.0, 0.0, &step,
                          &failure));
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct engine *engine = engine_of(&grids->blocks, NULL, &step, hard, 1, NULL, &options);
    double drive[STEPS];
    const struct stencil from = tap(&grids->blocks, source, normal, walled, kappa_most);
    MUST(engine_add_source(engine, &from, &failure));
    for (int e = 0; e < EARS; e++) {
        const struct stencil to = tap(&grids->blocks, ear[e], normal, walled, kappa_most);
        MUST(engine_add_receiver(engine, &to, &failure));
    }
    for (int n = 0; n < STEPS; n++) { /* a Gaussian's second derivative: its sum is 0 */
        const double t = (n - 24) / (kappa_most > 0.0 ? 3.5 : 6.0);
        drive[n] = (1 - t * t) * exp(-t * t / 2);
    }
    engine_run(engine, STEPS, drive, output);
    engine_free(engine);
}

static double complex spectrum(const double *sample, double points, double courant)
{
    double complex sum = 0;
    for (int n = 0; n < STEPS && n * courant < PATH; n++)
        sum += sample[n] * cexp(-2 * PI * I * n * courant / points);
    return sum;
}

/* Largest error of level in dB of receivers that are `before` the wall, at so many points a wavelength. */
static double worst_error(double before, double points, const double slope[3], double kappa_most)
{
    static double walled[EARS * STEPS], direct[EARS * STEPS], mirrored[EARS * STEPS];
    double normal[3] = {slope[0], slope[1], slope[2]}, ear[EARS][3], source[3], image[3], worst = 0,
           square = 0;
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    uint64_t random = 7;
    for (int a = 0; a < 3; a++) {
        normal[a] /= length;
        source[a] = middle[a] - AWAY * normal[a];
        image[a] = middle[a] + AWAY * normal[a];
    }
    for (int e = 0; e < EARS; e++) {
        double along = 0;
        for (int a = 0; a < 3; a++) {
            ear[e][a] = test_uniform(&random, -7.0, 7.0);
            along += ear[e][a] * normal[a];
        }
        for (int a = 0; a < 3; a++)
            ear[e][a] += middle[a] - (along + before) * normal[a];
    }
    struct cell_grids *half = room(normal, true, kappa_most), *whole = room(normal, false, kappa_most);
    const double courant = sqrt(half->blocks.lambda2);
    hear(half, source, (const double(*)[3])ear, normal, true, kappa_most, walled);
    hear(whole, source, (const double(*)[3])ear, normal, false, kappa_most, direct);
    hear(whole, image, (const double(*)[3])ear, normal, false, kappa_most, mirrored);
    for (int e = 0; e < EARS; e++) {
        const double complex exact =
            spectrum(direct + e * STEPS, points, courant) + spectrum(mirrored + e * STEPS, points, courant);
        const double error = 20 * log10(cabs(spectrum(walled + e * STEPS, points, courant) / exact));
        worst = fmax(worst, fabs(error));
        square += error * error / EARS;
    }
    (void)fprintf(stderr, "%.2f cells from the wall, %.1f points a wavelength: %.3f dB at most, rms %.3f\n",
                  before, points, worst, sqrt(square));
    cell_grids_free(half);
    cell_grids_free(whole);
    return worst;
}

/* Measured .64 and .69 dB, and .13 at twice as many points: what linear taps cost (stencil.h). */
Test(slanted_taps, receivers_beside_a_slanted_wall_hear_the_source_and_its_image_to_second_order)
{
    static const double before[] = {0.5, 1.0};
    for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
        static const double slope[3] = NORMAL;
        const double coarse = worst_error(before[b], 10.5, slope, 0.0),
                     fine = worst_error(before[b], 21.0, slope, 0.0);
        cr_assert(test_at_most(coarse, 0.75));
        cr_assert(test_at_most(fine, 0.17));
    }
}

/* Measured .20 and .28 dB, as much as four cells away: what the scheme makes of the wall, not the taps. */
Test(slanted_taps, of_the_isotropic_scheme_they_hear_both_at_6_points_a_wavelength)
{
    static const double slope[3] = {1.0, 1.0, 1.1}, before[] = {0.25, 1.0};
    for (size_t b = 0; b < sizeof before / sizeof *before; b++)
        cr_assert(test_at_most(worst_error(before[b], 6.0, slope, 2 * PI / 5), 0.35));
}
