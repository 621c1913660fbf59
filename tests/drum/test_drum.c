/* Membranes in the air of a room: the energy of both, and the same bits on every back end. */
#include "kernels/drum/drum.h"

#include "tests/drum/drum_room.h"
#include "tests/support/back_ends.h"

static const double size[3] = {2.2, 1.5, 1.4};

/* Two timpani of different sizes, one of them with losses; a blow on each, one of which raises the tension.
 */
static const struct drum_site site[2] = {{"low", {0.328, 3990, 0.262, 0, 0, 4.2e5}, {0.62, 0.71, 0.72}, 0.4},
                                         {"high", {0.29, 5000, 0.262, 2, 0.01, 0}, {1.6, 0.8, 0.72}, 0.4}};
static const struct drum_strike strike[2] = {{0, 0.0, {0.2, 0.07}, 800, 3e-3},
                                             {1, 5e-3, {-0.1, 0.12}, 50, 2e-3}};

/* Largest |E - work + losses| over the steps, by the largest E. */
static double unbalanced(enum scheme scheme, bool cells, double E, double *absorbed_share)
{
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct drum_room room = {0};
    drum_room_make(&room, size, 0.06, scheme, cells, site, 2);
    drum_room_start(&room, E, &options, site, 2, strike, 2);
    const double joules = DRUM_AIR_DENSITY * room.step.spacing;
    double worst = 0, largest = 0;
    *absorbed_share = 0;
    for (int step = 0; step < 800; ++step) {
        double absorbed[4] = {0}, walls = 0;
        engine_run(room.engine, 1, NULL, NULL);
        if (E > 0)
            engine_absorbed(room.engine, absorbed);
        for (int m = 0; m < 4; ++m)
            walls += joules * absorbed[m];
        const double now = joules * engine_energy(room.engine) + drums_energy(room.drums, room.engine);
        largest = fmax(largest, now);
        const double error = fabs(now + walls + drums_lost(room.drums) - drums_work(room.drums));
        cr_assert(isfinite(now));
        worst = fmax(worst, error);
        *absorbed_share = (walls + drums_lost(room.drums)) / drums_work(room.drums);
    }
    cr_assert(largest > 0.01, "the mallets gave %g J", largest);
    for (size_t d = 0; d < 2; ++d)
        cr_assert(drums_facts(room.drums, d).spare > 1 && drums_facts(room.drums, d).above > 50);
    cr_assert(drums_facts(room.drums, 0).rise > 0.2 * site[0].kind.tension &&
              drums_facts(room.drums, 1).rise == 0);
    drum_room_free(&room);
    return worst / largest;
}

Test(drum, energy_of_membranes_and_air_changes_by_walls_losses_and_mallets_alone)
{
    double absorbed;
    for (enum scheme scheme = SCHEME_STANDARD; scheme <= SCHEME_ISOTROPIC; ++scheme)
        for (int cells = 0; cells < 2; ++cells)
            for (int lossy = 0; lossy < 2; ++lossy) {
                const double off = unbalanced(scheme, cells, lossy ? 8 : 0, &absorbed);
                cr_assert(off <= 1e-12, "scheme %d, %s, walls %s: %g", (int)scheme,
                          cells ? "conformal" : "staircase", lossy ? "absorb" : "rigid", off);
                cr_assert(lossy == 0 || absorbed > 0.2, "walls took %g of it", absorbed);
            }
}

static void step_on_every_back_end(enum scheme scheme, const struct air_loss *air)
{
    /* OpenCL devices step no membranes. */
    struct back_ends all = {.mask = back_ends_backend() == BACKEND_CUDA
                                        ? BACK_ENDS_EVERY
                                        : BACK_ENDS_REFERENCE | BACK_ENDS_WIDTHS};
    uint64_t hash[2] = {0};
    struct drum_room room = {0};
    drum_room_make(&room, size, 0.06, scheme, true, site, 2);
    while (back_ends_next(&all)) {
        drum_room_start(&room, 8, &all.options, site, 2, strike, 2);
        MUST(engine_set_air(room.engine, air, &failure));
        engine_run(room.engine, 40, NULL, NULL);
        const uint64_t found = engine_hash(room.engine);
        uint64_t *const expected = &hash[all.options.precision];
        if (*expected == 0)
            *expected = found;
        cr_assert(found == *expected && found != 0, "%s", engine_description(room.engine));
    }
    drum_room_free(&room);
}

Test(drum, every_back_end_steps_it_with_the_same_bits)
{
    step_on_every_back_end(SCHEME_STANDARD, &(struct air_loss){0});
    step_on_every_back_end(SCHEME_ISOTROPIC, &(struct air_loss){0});
}

Test(drum, and_so_it_does_where_the_air_loses_sound)
{
    step_on_every_back_end(
        SCHEME_ISOTROPIC,
        &(struct air_loss){.states = 2, .every = 3, .follow = {0.03, 1.2}, .share = {0.5, 0.3}});
}

Test(drum, parts_of_a_room_step_it_with_the_same_bits_also_after_a_reset)
{
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct drum_room room = {0};
    uint64_t hash = 0;
    double work = 0;
    drum_room_make(&room, size, 0.06, SCHEME_ISOTROPIC, true, site, 2);
    for (unsigned parts = 0; parts < 4; parts++) {
        drum_room_start_in(parts, &room, 8, &options, site, 2, strike, 2);
        for (int again = 0; again < 2; again++) {
            engine_reset(room.engine);
            engine_run(room.engine, 60, NULL, NULL);
            engine_run(room.engine, 60, NULL, NULL);
            MUST(engine_failed(room.engine, &failure));
            hash = hash == 0 ? engine_hash(room.engine) : hash;
            work = work == 0 ? drums_work(room.drums) : work;
            cr_assert(engine_hash(room.engine) == hash && drums_work(room.drums) == work, "%s, run %d",
                      engine_description(room.engine), again);
        }
    }
    cr_assert(work > 1e-3);
    drum_room_free(&room);
}
