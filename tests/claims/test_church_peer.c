/* The real church with the peer's own walls on the peer's own grid: the same arithmetic on two independent
 * ways, so that what is left is rounding and what the two take for the normal of a wall's node. (Third-party
 * data beside the project; what needs it is skipped where it is absent. tests/accuracy/church_check.c does
 * the same on the fine grid.) */
#include "tests/accuracy/church_run.h"
#include "tests/accuracy/church_sound.h"
#include "tests/support/outcome.h"

/* Our early responses on the peer's coarse grid, offset by `shift` cells in each axis, against the peer's. */
static void compare(double shift, struct church_match match[CHURCH_RECEIVERS])
{
    char folder[CHURCH_PATH_MAX];
    struct church_places places;
    struct church_peer peer = {0};
    struct church_output ours = {0};
    if (test_shared_data("ctk_church/peer/branches.csv") == NULL)
        cr_skip("the real church is not on this machine");
    (void)snprintf(folder, sizeof folder, "%s", test_shared_data("ctk_church"));
    MUST(church_places_read(folder, &places, &failure));
    MUST(church_peer_read(folder, CHURCH_COARSE, &peer, &failure));
    struct church_case wanted = {.folder = folder,
                                 .spacing = peer.spacing,
                                 .courant = peer.courant,
                                 .walls = CHURCH_PEERS_WALLS,
                                 .duration = CHURCH_EARLY + 0.02,
                                 .engine = {.backend = BACKEND_CPU, .threads = 2}};
    for (int axis = 0; axis < 3; ++axis)
        wanted.node[axis] = peer.node[axis] + shift * peer.spacing;
    MUST(church_run(&wanted, &ours, &failure));
    cr_assert(test_near(ours.rate * peer.period, 1, 1e-5));
    for (size_t r = 0; r < CHURCH_RECEIVERS; ++r) {
        const size_t needed = church_early_steps(places.distance[r], ours.rate);
        cr_assert(needed <= ours.steps && needed <= peer.samples);
        match[r] = church_match(ours.raw + r * ours.steps, peer.raw + r * peer.samples, places.distance[r],
                                ours.rate);
        (void)fprintf(stderr, "R%zu: correlation %.4f, lag %+.2f samples, level %+.2f dB\n", r + 1,
                      match[r].correlation, match[r].lag, match[r].level);
    }
    church_output_free(&ours);
    church_peer_free(&peer);
}

Test(church_peer, early_responses_are_the_peers_with_its_walls_on_its_grid)
{
    struct church_match match[CHURCH_RECEIVERS];
    compare(0, match);
    for (int r = 0; r < CHURCH_RECEIVERS; ++r) {
        cr_expect(match[r].correlation >= 0.995, "R%d: correlation %.4f", r + 1, match[r].correlation);
        cr_expect(test_near(match[r].lag, 0, 0.999), "R%d: %.2f samples apart", r + 1, match[r].lag);
        cr_expect(test_near(match[r].level, 0, 0.2), "R%d: level differs by %.2f dB", r + 1, match[r].level);
    }
}

/* What would a comparison be worth that the same room on another grid passes? */
Test(church_peer, a_grid_offset_by_half_a_cell_is_not_taken_for_the_peers)
{
    struct church_match match[CHURCH_RECEIVERS];
    compare(0.5, match);
    for (int r = 0; r < CHURCH_RECEIVERS; ++r)
        cr_expect(match[r].correlation < 0.995, "R%d: correlation %.4f", r + 1, match[r].correlation);
}

/* ---- the yardstick itself ---- */

#define RATE     9000.0
#define DISTANCE 3.0
#define SAMPLES  1000

/* A tone that swells after the direct sound, whose running sum is the tone: (1, -1) drove it. */
static void tone(double frequency, double amplitude, double delay, double signal[SAMPLES])
{
    double last = 0;
    for (int n = 0; n < SAMPLES; ++n) {
        const double t = (n - delay) / RATE - DISTANCE / CHURCH_SOUND_SPEED;
        const double now = t > 0 ? amplitude * (1 - exp(-t / 0.01)) * sin(2 * acos(-1) * frequency * t) : 0;
        signal[n] = now - last;
        last = now;
    }
}

Test(church_peer, a_match_gives_delay_level_and_what_is_out_of_band)
{
    static double a[SAMPLES], b[SAMPLES];
    tone(200, 1, 0, a);
    struct church_match match = church_match(a, a, DISTANCE, RATE);
    cr_assert(test_near(match.correlation, 1, 1e-12) && test_near(match.lag, 0, 0.05) &&
              test_near(match.level, 0, 1e-12));
    tone(200, 2, 1.5, b);
    match = church_match(b, a, DISTANCE, RATE);
    const double turned = cos(2 * acos(-1) * 200 * 1.5 / RATE); /* the phase that a delay makes of a tone */
    cr_assert(test_near(match.correlation, turned, 2e-3), "%g for %g", match.correlation, turned);
    cr_assert(test_near(match.lag, 1.5, 0.05), "%g", match.lag);
    cr_assert(test_near(match.level, 20 * log10(2), 0.1), "%g", match.level);
    match = church_match(a, b, DISTANCE, RATE);
    cr_assert(test_near(match.lag, -1.5, 0.05), "%g", match.lag);

    for (int n = 0; n < SAMPLES; ++n) /* the opposite sign */
        b[n] = -a[n];
    cr_assert(test_near(church_match(a, b, DISTANCE, RATE).correlation, -1, 1e-12));

    tone(2000, 1, 0, b); /* as loud, outside the band */
    for (int n = 0; n < SAMPLES; ++n)
        b[n] += a[n];
    cr_assert(test_at_least(church_match(a, b, DISTANCE, RATE).correlation, 0.999));

    tone(200, 1, 0, b); /* different only later */
    for (size_t n = church_early_steps(DISTANCE, RATE); n < SAMPLES; ++n)
        b[n] = 1e3;
    cr_assert(test_near(church_match(a, b, DISTANCE, RATE).correlation, 1, 1e-12));

    b[200] = NAN;
    match = church_match(a, b, DISTANCE, RATE);
    cr_assert(isnan(match.correlation) && isnan(match.lag) && isnan(match.level));
}
