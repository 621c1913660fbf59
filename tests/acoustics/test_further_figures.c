/* Figures that follow from others: ratios, and Barron's theory in numbers as it was printed. */
#include "src/response/further/further_figures.h"
#include "src/response/acoustics/statistical_reverberation.h"
#include "tests/support/test_support.h"

static struct acoustic_figures figures_of(size_t bands, const double *time)
{
    struct acoustic_figures out = {.reference = FIGURES_REFERENCE, .bands = bands};
    for (size_t b = 0; b < bands; b++)
        out.octave[b] = (struct band_figures){
            .times = {.edt = 0.9 * time[b], .t20 = NAN, .t30 = time[b]}, .c80 = 2.0, .g = 5.0};
    return out;
}

static struct further_figures derive(const struct acoustic_figures *figures, double distance, double volume)
{
    struct further_figures out;
    further_figures_clear(&out);
    further_figures_derive(figures, distance, volume, 343.0, &out);
    return out;
}

Test(further_figures, ratios_are_of_the_octaves_that_they_name)
{
    static const double time[] = {9.0, 2.4, 2.0, 1.8, 1.7, 1.4, 0.9, 0.5};
    struct acoustic_figures figures = figures_of(8, time);
    struct further_figures out = derive(&figures, 20.0, 20000.0);
    cr_assert(test_near(out.single[FIGURE_BASS_RATIO], 4.4 / 3.5, 1e-12));
    cr_assert(test_near(out.single[FIGURE_BRILLIANCE], 2.3 / 3.5, 1e-12));
    cr_assert(test_near(out.single[FIGURE_EDT_SHARE], 0.9, 1e-12));
    figures.octave[1].times.t30 = NAN;
    cr_assert(isnan(derive(&figures, 20.0, 20000.0).single[FIGURE_BASS_RATIO]));
    figures.octave[1].times.t20 = 2.4;
    cr_assert(test_near(derive(&figures, 20.0, 20000.0).single[FIGURE_BASS_RATIO], 4.4 / 3.5, 1e-12),
              "T20 stands in");
    figures.bands = 4;
    out = derive(&figures, 20.0, 20000.0);
    cr_assert(isnan(out.single[FIGURE_BASS_RATIO]) && isnan(out.single[FIGURE_BRILLIANCE]));
}

/* d = 100 / r^2, e = (31200 T / V) exp(-0.04 r / T) (1 - exp(-1.11 / T)), l with exp(-1.11 / T). */
Test(further_figures, a_room_that_follows_barron_has_nothing_beyond_him)
{
    for (double volume = 5000.0; volume <= 40000.0; volume *= 2.0)
        for (double time = 1.0; time <= 4.0; time *= 2.0)
            for (double r = 5.0; r <= 80.0; r *= 2.0) {
                const double all = 31200.0 * time / volume * exp(-0.04 * r / time),
                             late = all * exp(-1.11 / time);
                const double direct = 100.0 / (r * r), early = all - late;
                const struct barron_energy energy = barron_energy_at(r, volume, time, 343.0);
                cr_assert(test_near(energy.direct, direct, 1e-12));
                cr_assert(test_near(energy.early / early, 1.0, 0.03) &&
                              test_near(energy.late / late, 1.0, 0.03),
                          "%g m3, %g s, %g m: %g of %g, %g of %g", volume, time, r, energy.early, early,
                          energy.late, late);
                const double of[5] = {time, time, time, time, time};
                struct acoustic_figures figures = figures_of(5, of);
                for (size_t b = 0; b < 5; b++) {
                    figures.octave[b].times.edt = time;
                    figures.octave[b].c80 = 10.0 * log10((direct + early) / late);
                    figures.octave[b].g = 10.0 * log10(direct + all) + (b == 4 ? 1.0 : 0.0);
                }
                const struct further_figures out = derive(&figures, r, volume);
                cr_assert(test_near(out.octave[FIGURE_C80_BARRON][2], 0.0, 0.1));
                cr_assert(test_near(out.octave[FIGURE_G_BARRON][2], 0.0, 0.1));
                cr_assert(test_near(out.single[FIGURE_G_BARRON], 0.5, 0.1));
                cr_assert(test_near(out.single[FIGURE_EDT_SHARE], 1.0, 1e-12));
                cr_assert(isnan(derive(&figures, NAN, volume).single[FIGURE_C80_BARRON]));
            }
}
