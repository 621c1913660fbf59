/* Interaural correlation against closed forms: pulses that one ear or both hear. */
#include "src/response/further/interaural.h"
#include "tests/support/outcome.h"

#define RATE    48000
#define COUNT   48000
#define HIGHEST 11300.0
#define ONSET   0.05
#define BANDS   8

static float ears[2 * COUNT];

static void add(double time, double left, double right)
{
    float *frame = ears + 2 * (size_t)lround((ONSET + time) * RATE);
    frame[0] += (float)left;
    frame[1] += (float)right;
}

static struct further_figures make(void)
{
    struct further_figures out;
    further_figures_clear(&out);
    MUST(interaural_make(ears, COUNT, RATE, HIGHEST, ONSET, NULL, &out, &failure));
    return out;
}

Test(interaural, equal_ears_give_one_and_so_does_a_delay_within_a_millisecond)
{
    for (int delay = 0; delay <= 48; delay += 16) {
        memset(ears, 0, sizeof ears);
        add(0.0, 1.0, 0.0);
        add((double)delay / RATE, 0.0, -0.5);
        add(0.2, 1.0, 0.0);
        add(0.2 + (double)delay / RATE, 0.0, 2.0);
        const struct further_figures out = make();
        for (size_t b = 0; b < BANDS; b++)
            cr_assert(test_near(out.octave[FIGURE_IACC_EARLY][b], 1.0, 1e-3) &&
                          test_near(out.octave[FIGURE_IACC_LATE][b], 1.0, 1e-3),
                      "%d, octave %zu: %g, %g", delay, b, out.octave[FIGURE_IACC_EARLY][b],
                      out.octave[FIGURE_IACC_LATE][b]);
        cr_assert(test_near(out.single[FIGURE_IACC_EARLY], 1.0, 1e-3));
    }
}

/* Of a pulse at both ears, one of amplitude a at the left alone and one at the right alone, the first
 * correlates with itself: 1 / (1 + a^2). The three are so far apart that their ringing does not meet from 250
 * Hz on. */
Test(interaural, what_one_ear_hears_alone_lowers_it_by_its_energy)
{
    const double early = 0.7, late = 1.5;
    memset(ears, 0, sizeof ears);
    add(0.0, 1.0, 1.0);
    add(0.025, early, 0.0);
    add(0.050, 0.0, early);
    add(0.3, 1.0, 1.0);
    add(0.4, late, 0.0);
    add(0.5, 0.0, late);
    const struct further_figures out = make();
    for (size_t b = 2; b < BANDS; b++) {
        cr_assert(test_near(out.octave[FIGURE_IACC_EARLY][b], 1.0 / (1.0 + early * early), 0.0075), "%zu: %g",
                  b, out.octave[FIGURE_IACC_EARLY][b]);
        cr_assert(test_near(out.octave[FIGURE_IACC_LATE][b], 1.0 / (1.0 + late * late), 0.0075), "%zu: %g", b,
                  out.octave[FIGURE_IACC_LATE][b]);
    }
    cr_assert(test_near(out.single[FIGURE_IACC_LATE], 1.0 / (1.0 + late * late), 0.0075));
}

/* At 125 Hz and above, sound that reaches the other ear 20 ms later is beyond the millisecond of a head. */
Test(interaural, a_delay_of_more_than_a_millisecond_is_no_correlation)
{
    memset(ears, 0, sizeof ears);
    add(0.0, 1.0, 0.0);
    add(0.040, 0.0, 1.0);
    const struct further_figures out = make();
    for (size_t b = 2; b < BANDS; b++)
        cr_assert(lt(dbl, out.octave[FIGURE_IACC_EARLY][b], 0.02), "%zu", b);
    cr_assert(isnan(out.octave[FIGURE_IACC_LATE][4]), "silence has none");
}
