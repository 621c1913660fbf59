/* Reverberation times of decays whose times are known: to a tenth of a just noticeable difference (5 %). */
#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/acoustics/decay_times.h"
#include "src/response/signal/noise.h"
#include "src/response/signal/band_filters.h"
#include "tests/accuracy/church_data.h"
#include "tests/accuracy/church_sound.h"
#include "tests/support/sounds.h"
#include "tests/support/test_support.h"

#define PI    3.14159265358979323846
#define RATE  48000.0
#define TENTH 0.005 /* of a JND */

/* One octave's figures of sample (count). */
static struct band_times octave(const float *sample, size_t count, int band, double onset)
{
    struct decay_times times;
    MUST(decay_times_make(BANDS_OCTAVE, sample, count, RATE, 1.42 * octave_middle(band), onset, &times,
                          &failure));
    cr_assert(eq(sz, times.bands, (size_t)band + 1));
    return times.octave[band];
}

/* A decay in two parts with a floor: cosine and sine, so that energies add but for twice the frequency. */
struct decay {
    double f, onset, time, second, share, floor;
    double length;  /* of the response, from the onset on */
    double quarter; /* the carrier's phase, in quarters of a turn */
    double direct;  /* amplitude of an impulse at the onset */
};

static struct band_times figures(int band, struct decay decay)
{
    const size_t count = (size_t)((decay.onset + decay.length) * RATE),
                 first = (size_t)(decay.onset * RATE + 0.5);
    float *sample = calloc(count, sizeof *sample);
    for (size_t n = first; n < count; n++) {
        const double t = (double)n / RATE - decay.onset,
                     angle = 2 * PI * decay.f * t + 0.5 * PI * decay.quarter;
        sample[n] = (float)(fallen(t, decay.time) * cos(angle) +
                            (sqrt(decay.share) * fallen(t, decay.second) + sqrt(decay.floor)) * sin(angle));
    }
    sample[first] += (float)decay.direct;
    const struct band_times found = octave(sample, count, band, decay.onset);
    free(sample);
    return found;
}

static struct band_times mean_of(struct band_times found, struct band_times other)
{
    found.edt = 0.5 * (found.edt + other.edt);
    found.t20 = 0.5 * (found.t20 + other.t20);
    found.t30 = 0.5 * (found.t30 + other.t30);
    return found;
}

/* E of a tone is not quite straight: it sways with twice the frequency. The mean of two tones a quarter of a
 * turn apart does not. */
static struct band_times smooth_figures(int band, struct decay decay)
{
    const struct band_times found = figures(band, decay);
    decay.quarter += 1;
    return mean_of(found, figures(band, decay));
}

static void check(int band, struct decay decay, double edt, double t20, double t30, struct band_times found,
                  double tolerance)
{
    cr_assert(
        test_near(found.edt, edt, tolerance * edt) && test_near(found.t20, t20, tolerance * t20) &&
            test_near(found.t30, t30, tolerance * t30),
        "%g Hz, %g and %g s at %g, floor %g, length %g: EDT %g for %g, T20 %g for %g, T30 %g for %g, range "
        "%g; %s",
        octave_middle(band), decay.time, decay.second, decay.share, decay.floor, decay.length, found.edt, edt,
        found.t20, t20, found.t30, t30, found.range, found.why);
}

/* The line through L(t) = 10 lg of E(t) = tau1 / 2 exp(-2t / tau1) + share tau2 / 2 exp(-2t / tau2), over
 * E(0) + `direct`, from `top` to `bottom`: the time it means. */
static double closed_form(double time, double second, double share, double direct, double top, double bottom)
{
    double s[5] = {0};
    const double total = time + share * second;
    for (double t = 0;; t += 1e-4) {
        const double e = time * pow(fallen(t, time), 2) + share * second * pow(fallen(t, second), 2);
        const double level = 10 * log10(e / (total * (1 + direct)));
        if (level > top)
            continue;
        if (level < bottom)
            break;
        const double add[5] = {1, t, level, t * t, t * level};
        for (int i = 0; i < 5; i++)
            s[i] += add[i];
    }
    return -60 * (s[0] * s[3] - s[1] * s[1]) / (s[0] * s[4] - s[1] * s[2]);
}

Test(decay_times, exact_exponentials_give_their_time_in_every_octave)
{
    static const double time[] = {0.35, 1.2, 4}, onset[] = {0, 0.0837};
    for (int band = 0; band < 8; band++)
        for (int i = 0; i < 3; i++)
            for (int o = 0; o < 2; o++) {
                const struct decay decay = {.f = octave_middle(band),
                                            .onset = onset[o],
                                            .time = time[i],
                                            .second = 1,
                                            .length = 1.2 * time[i] + 0.3};
                const struct band_times found = smooth_figures(band, decay);
                check(band, decay, time[i], time[i], time[i], found, TENTH);
                cr_assert(test_at_most(fabs(found.curvature), 0.5) && test_at_most(found.nonlinearity, 1));
                cr_assert(found.why[0] == 0);
            }
}

/* Cut where it has fallen by 50 dB, EDT, T20 and T30 are still there, and right: the tail is put back.
 * Without it T30 would be 0.3 % short. */
Test(decay_times, a_cut_tail_is_added)
{
    for (int band = 0; band < 8; band++)
        for (double fall = 50; fall < 75; fall += 8) {
            const double time = 1.5;
            const struct decay decay = {.f = octave_middle(band),
                                        .onset = 0.1,
                                        .time = time,
                                        .second = 1,
                                        .length = fall / 60 * time +
                                                  band_ringing(BANDS_OCTAVE, octave_middle(band))};
            const struct band_times found = smooth_figures(band, decay);
            check(band, decay, time, time, time, found, 0.2 * TENTH);
            cr_assert(test_near(found.range, fall, 2), "%g for %g dB", found.range, fall);
        }
}

/* Below 500 Hz with times as much longer as the octave is narrower: a filter passes more of a faster decay,
 * and with less bandwidth the two parts come out in another proportion than they went in. */
Test(decay_times, two_slopes_give_the_lines_through_the_closed_form)
{
    static const struct {
        double time, second, share;
    } parts[] = {{0.6, 2, 1e-2}, {0.6, 2, 1e-3}, {1, 2.5, 0.1}, {0.8, 1.2, 1}, {1.5, 4, 1e-3}};
    for (int band = 0; band < 8; band++)
        for (size_t d = 0; d < sizeof parts / sizeof parts[0]; d++) {
            const double longer = band < 3 ? pow(2, 3 - band) : 1, share = parts[d].share;
            const double first = longer * parts[d].time, second = longer * parts[d].second;
            const struct decay decay = {.f = octave_middle(band),
                                        .onset = 0.02,
                                        .time = first,
                                        .second = second,
                                        .share = share,
                                        .length = 1.3 * second + 0.2};
            const double edt = closed_form(first, second, share, 0, 0, -10);
            const double t20 = closed_form(first, second, share, 0, -5, -25);
            const double t30 = closed_form(first, second, share, 0, -5, -35);
            const struct band_times found = smooth_figures(band, decay);
            check(band, decay, edt, t20, t30, found, TENTH);
            cr_assert(test_near(found.curvature, 100 * (t30 / t20 - 1), 1));
        }
}

/* Floors 47 to 74 dB below the level at the onset, as steady as a floor can be. */
Test(decay_times, a_floor_is_taken_off)
{
    for (int band = 0; band < 8; band++)
        for (double below = 47; below < 75; below += 13)
            for (int i = 0; i < 2; i++) {
                const double time = i == 0 ? 0.7 : 3;
                const struct decay decay = {.f = octave_middle(band),
                                            .onset = 0.1,
                                            .time = time,
                                            .second = 1,
                                            .floor = pow(10, -below / 10),
                                            .length = 1.6 * time + 0.5};
                const struct band_times found = smooth_figures(band, decay);
                check(band, decay, time, time, time, found, TENTH);
                cr_assert(test_near(found.range, below, 1.5), "%g for %g dB", found.range, below);
                /* the floor lasts a second, the decay time / 13.8 */
                cr_assert(test_near(found.floor, -below - 10 * log10(time / (6 * log(10))), 1.5), "%g",
                          found.floor);
            }
}

/* White noise as floor: the mean of many is right within a tenth of a JND. */
Test(decay_times, noise_under_a_decay_does_not_lengthen_it)
{
    enum { TRIALS = 12 };
    static const double below[] = {50, 60};
    const double time = 1.2;
    const size_t count = (size_t)(2.4 * RATE);
    float *sample = malloc(count * sizeof *sample);
    struct noise noise = noise_start(7);
    for (int band = 3; band < 7; band += 3)
        for (int b = 0; b < 2; b++) {
            /* the noise in the octave: its bandwidth, 1.026 of the nominal (pi / 8 / sin(pi / 8)), of half
             * the rate */
            const double share = 2 * 1.026 * band_width(BANDS_OCTAVE, octave_middle(band)) / RATE;
            const double strength = sqrt(0.5 * pow(10, -below[b] / 10) / share);
            struct band_times mean = {.range = below[b]};
            for (int trial = 0; trial < TRIALS; trial++) {
                for (size_t n = 0; n < count; n++) {
                    const double t = (double)n / RATE - 0.1;
                    sample[n] = (float)(strength * noise_normal(&noise));
                    if (t >= 0)
                        sample[n] += (float)(fallen(t, time) * cos(2 * PI * octave_middle(band) * t));
                }
                const struct band_times found = octave(sample, count, band, 0.1);
                cr_assert(test_near(found.range, below[b], 1.5), "%g for %g dB", found.range, below[b]);
                mean.edt += found.edt / TRIALS;
                mean.t20 += found.t20 / TRIALS;
                mean.t30 += found.t30 / TRIALS;
            }
            check(band, (struct decay){.time = time}, time, time, time, mean, TENTH);
        }
    free(sample);
}

/* Noise that dies away, as a room's response does: each one has its own T20, their mean is right within four
 * standard errors, whether the response ends 50 dB down or 160 dB. */
Test(decay_times, ragged_decays_are_right_in_the_mean)
{
    enum { TRIALS = 15 };
    static const struct {
        double time, length;
    } room[] = {{0.5, 1.4}, {0.5, 0.53}, {1.5, 1.4}};
    float *sample = malloc((size_t)(2 * RATE) * sizeof *sample);
    struct noise noise = noise_start(13);
    for (int r = 0; r < 3; r++) {
        double sum[8] = {0}, square[8] = {0};
        for (int trial = 0; trial < TRIALS; trial++) {
            const size_t count = (size_t)((room[r].length + 0.02) * RATE);
            for (size_t n = 0; n < count; n++) {
                const double t = (double)n / RATE - 0.02;
                sample[n] = t < 0 ? 0 : (float)(fallen(t, room[r].time) * noise_normal(&noise));
            }
            struct decay_times times;
            MUST(decay_times_make(BANDS_OCTAVE, sample, count, RATE, 11300, 0.02, &times, &failure));
            for (int b = 0; b < 8; b++) {
                const double off = times.octave[b].t20 / room[r].time - 1;
                cr_assert(isfinite(off), "%g s, %g Hz: %s", room[r].time, octave_middle(b),
                          times.octave[b].why);
                sum[b] += off / TRIALS;
                square[b] += off * off / TRIALS;
            }
        }
        for (int b = 0; b < 8; b++)
            cr_assert(test_at_most(fabs(sum[b]), 4 * sqrt(square[b] / TRIALS)), "%g s, %g Hz: mean off by %g",
                      room[r].time, octave_middle(b), sum[b]);
    }
    free(sample);
}

/* An impulse as strong as all the rest lets L fall by 3 dB at the onset. It rings together with the first of
 * the rest, for or against it: the mean of both signs. */
Test(decay_times, the_direct_sound_counts_at_the_onset)
{
    enum { AT = 9600 };
    static float sample[AT + 1];
    static double rings[AT + 1];
    sample[AT] = 1;
    for (int band = 3; band < 8; band++) {
        band_filter_backwards(BANDS_OCTAVE, sample, AT + 1, RATE, octave_middle(band), rings);
        double energy = 0;
        for (size_t n = 0; n <= AT; n++)
            energy += rings[n] * rings[n];
        const double time = 0.6, second = 1.8, share = 0.05;
        /* energy of the decays: half of tau / 2, in samples */
        const double rest = 0.25 / (3 * log(10)) * (time + share * second) * RATE;
        struct decay decay = {.f = octave_middle(band),
                              .onset = 0.1,
                              .time = time,
                              .second = second,
                              .share = share,
                              .length = 2.5,
                              .direct = sqrt(rest / energy)};
        const struct band_times found = smooth_figures(band, decay);
        decay.direct = -decay.direct;
        check(band, decay, closed_form(time, second, share, 1, 0, -10),
              closed_form(time, second, share, 1, -5, -25), closed_form(time, second, share, 1, -5, -35),
              mean_of(found, smooth_figures(band, decay)), TENTH);
    }
}

Test(decay_times, a_direct_sound_far_above_the_rest_has_no_early_decay_with_its_reason)
{
    const struct decay decay = {
        .f = 1000, .onset = 0.1, .time = 0.6, .second = 1, .length = 1.2, .direct = 3000};
    const struct band_times found = figures(4, decay);
    cr_assert(isnan(found.edt) && strncmp(found.why, "EDT", 3) == 0, "%g: %s", found.edt, found.why);
    cr_assert(strstr(found.why, "the decay ends with the direct sound") != NULL, "%s", found.why);
}

/* Nearly 10 dB above: then the onset decides how long the early decay is. */
Test(decay_times, an_early_decay_that_half_a_millisecond_changes_is_absent_with_its_reason)
{
    enum { COUNT = 96000 };
    static float sample[COUNT];
    const double onset = 0.1, move = FIGURES_ONSET_SURE;
    int present = 0, absent = 0;
    for (double direct = 60; direct < 140; direct += 5) {
        uint64_t seed = 3;
        for (size_t n = (size_t)(onset * RATE); n < COUNT; n++)
            sample[n] = (float)(fallen((double)n / RATE - onset, 1.2) * test_uniform(&seed, -1, 1));
        sample[(size_t)(onset * RATE)] += (float)direct;
        const struct band_times found = octave(sample, COUNT, 2, onset);
        const double sooner = octave(sample, COUNT, 2, onset - move).edt,
                     later = octave(sample, COUNT, 2, onset + move).edt;
        present += isfinite(found.edt);
        absent += strstr(found.why, "EDT: the direct sound decides") != NULL;
        if (isfinite(found.edt)) {
            cr_expect(isnan(sooner) || fabs(sooner / found.edt - 1) < 1.05 * JND_TIME, "%g: %g, sooner %g",
                      direct, found.edt, sooner);
            cr_expect(isnan(later) || fabs(later / found.edt - 1) < 1.05 * JND_TIME, "%g: %g, later %g",
                      direct, found.edt, later);
        }
        cr_expect(isfinite(found.t30), "%s", found.why);
    }
    cr_expect(present > 5 && absent > 0, "%d, %d", present, absent);
}

Test(decay_times, a_time_without_enough_below_it_is_absent_with_its_reason)
{
    static const struct {
        double below;
        int edt, t20, t30;
        const char *what;
    } floor[] = {{60, 1, 1, 1, ""},
                 {40, 1, 1, 0, "T30: the sound"},
                 {28, 1, 0, 0, "T20 and T30: the sound"},
                 {15, 0, 0, 0, "EDT, T20 and T30: the sound"}};
    struct decay decay = {.f = 1000, .onset = 0.1, .time = 1, .second = 1, .length = 2};
    for (size_t i = 0; i < sizeof floor / sizeof floor[0]; i++) {
        decay.floor = pow(10, -floor[i].below / 10);
        const struct band_times found = figures(4, decay);
        cr_assert(isfinite(found.edt) == floor[i].edt && isfinite(found.t20) == floor[i].t20 &&
                      isfinite(found.t30) == floor[i].t30,
                  "-%g dB: EDT %g, T20 %g, T30 %g", floor[i].below, found.edt, found.t20, found.t30);
        cr_assert(strncmp(found.why, floor[i].what, strlen(floor[i].what)) == 0, "%s", found.why);
        cr_assert(floor[i].t30 == (found.why[0] == 0));
        cr_assert(floor[i].t30 ||
                      strstr(found.why,
                             "dB before it levels off, and EDT needs 20 dB, T20 35 dB and T30 45 dB") != NULL,
                  "%s", found.why);
    }
    decay.floor = 0;
    decay.length = 0.66; /* cut at -39 dB */
    const struct band_times found = figures(4, decay);
    cr_assert(isfinite(found.t20) && isnan(found.t30) && isnan(found.curvature));
    cr_assert(strstr(found.why, "before the response ends") != NULL &&
                  strstr(found.why, "a longer run is needed") != NULL,
              "%s", found.why);
}

Test(decay_times, a_decay_as_short_as_the_filter_rings_is_absent_with_its_reason)
{
    const double bandwidth = band_width(BANDS_OCTAVE, octave_middle(1));
    struct decay decay = {
        .f = octave_middle(1), .onset = 0.1, .time = 3.7 / bandwidth, .second = 1, .length = 0.4};
    const struct band_times found = figures(1, decay);
    cr_assert(isnan(found.t20) && isnan(found.t30), "%g", found.t30);
    cr_assert(strstr(found.why, "T20 and T30: the sound decays") != NULL &&
                  strstr(found.why, "bandwidth times reverberation time is 3.") != NULL,
              "%s", found.why);
    cr_assert(strstr(found.why, "and must exceed 4") != NULL);
    decay.time = 5 / bandwidth; /* 10 dB of it are one period of the carrier: no EDT is known */
    const struct band_times longer = smooth_figures(1, decay);
    cr_assert(test_near(longer.t20, decay.time, TENTH * decay.time), "%g", longer.t20);
    cr_assert(test_near(longer.t30, decay.time, TENTH * decay.time), "%g", longer.t30);
}

Test(decay_times, silence_and_an_onset_after_the_end_have_no_times)
{
    enum { COUNT = 24000 };
    static float sample[COUNT];
    struct decay_times times;
    for (int i = 0; i < 4; i++) {
        if (i == 1)
            for (int n = 0; n < COUNT; n++)
                sample[n] = (float)sin(0.1 * n * n);
        const size_t count = i == 3 ? 0 : COUNT;
        cr_assert(decay_times_make(BANDS_OCTAVE, sample, count, RATE, 11300, i == 2 ? 3 : 0, &times,
                                   &failure) == 0);
        for (size_t b = 0; b < times.bands; b++)
            cr_assert(isnan(times.octave[b].edt) && isnan(times.octave[b].t20) &&
                          isnan(times.octave[b].t30) && times.octave[b].why[0] != 0,
                      "case %d, octave %zu: %g", i, b, times.octave[b].t30);
    }
}

/* Noise that dies away in 1.2 s: what is drawn falls along the line whose slope is the time. */
Test(decay_times, the_curve_falls_as_the_decay_and_carries_the_lines_of_the_times)
{
    enum { COUNT = 96000, BAND = 4, POINTS = 100 };
    static float sample[COUNT];
    static struct decay_trace trace[OCTAVE_BANDS_MAX];
    struct decay_times times, alone;
    struct noise noise = noise_start(5);
    const double onset = 0.1, time = 1.2;
    for (size_t n = (size_t)(onset * RATE); n < COUNT; n++)
        sample[n] = (float)(fallen((double)n / RATE - onset, time) * noise_normal(&noise));
    MUST(decay_times_trace(BANDS_OCTAVE, sample, COUNT, RATE, 1420, onset, POINTS, &times, trace, &failure));
    MUST(decay_times_make(BANDS_OCTAVE, sample, COUNT, RATE, 1420, onset, &alone, &failure));
    const struct decay_trace *curve = &trace[BAND];
    cr_assert(eq(dbl, times.octave[BAND].t30, alone.octave[BAND].t30));
    cr_assert(le(sz, curve->count, (size_t)POINTS));
    cr_assert(ge(sz, curve->count, (size_t)POINTS / 2));
    cr_assert(test_near(curve->step * (double)curve->count, times.octave[BAND].end, 2 * curve->step));
    for (size_t i = 0; i < curve->count && (double)i * curve->step < 0.8; i++)
        cr_assert(test_near(curve->level[i], -60 * (double)i * curve->step / time, 2.5), "point %zu: %g", i,
                  curve->level[i]);
    const double figure[3] = {times.octave[BAND].edt, times.octave[BAND].t20, times.octave[BAND].t30};
    static const double top[3] = {0, -5, -5}, bottom[3] = {-10, -25, -35};
    for (int f = 0; f < 3; f++) {
        const struct decay_line *line = &curve->line[f];
        cr_assert(test_near(-60 / line->slope, figure[f], 1e-9));
        cr_assert(test_near(line->intercept + line->slope * line->from, top[f], 1), "%d", f);
        cr_assert(test_near(line->intercept + line->slope * line->to, bottom[f], 1), "%d", f);
    }
}

/* T30 as another program finds it, in responses that it computed. */
Test(decay_times, the_peers_times_are_found_in_the_peers_responses)
{
    const char *folder = test_shared_data("ctk_church");
    if (folder == NULL)
        return;
    struct church_places places;
    struct church_peer peer = {0};
    MUST(church_places_read(folder, &places, &failure));
    MUST(church_peer_read(folder, CHURCH_FINE, &peer, &failure));
    for (int r = 0; r < CHURCH_RECEIVERS; r++) {
        double t30[CHURCH_OCTAVES];
        MUST(church_t30(peer.raw + (size_t)r * peer.samples, peer.samples, 1 / peer.period, 710,
                        places.distance[r], CHURCH_OCTAVES, t30, &failure));
        for (int b = 0; b < CHURCH_OCTAVES; b++)
            cr_assert(test_near(t30[b], peer.t30[r][b], 0.005 * peer.t30[r][b]),
                      "R%d, octave %d: T30 %g for %g s", r + 1, b, t30[b], peer.t30[r][b]);
    }
    church_peer_free(&peer);
}

/* A floor that sinks by a few decibels until the end, as the noise of a recorder or of traffic does, and one
 * of rounded samples. */
Test(decay_times, a_floor_that_hardly_falls_is_no_second_slope)
{
    enum { COUNT = 4 * 48000 };
    static const double time[] = {41, 55, 80, INFINITY};
    float *sample = malloc(COUNT * sizeof *sample);
    for (size_t i = 0; i < 8; i++) {
        uint64_t seed = 100 + i;
        for (size_t n = 0; n < COUNT; n++) {
            const double t = (double)n / 48000.0;
            const double floor =
                pow(10, i < 4 ? -2.5 : -2.75) * (isfinite(time[i % 4]) ? fallen(t, time[i % 4]) : 1.0);
            sample[n] =
                (float)(fallen(t, 1.0) * test_uniform(&seed, -1, 1) + floor * test_uniform(&seed, -1, 1));
        }
        struct decay_times found;
        MUST(decay_times_make(BANDS_OCTAVE, sample, COUNT, 48000.0, 11360.0, 1 / 48000.0, &found, &failure));
        for (size_t b = 0; b < found.bands; b++)
            cr_expect(found.octave[b].slopes.found == false, "%zu, %g Hz: %g s, then %g s from %g dB on", i,
                      found.octave[b].centre, found.octave[b].slopes.early, found.octave[b].slopes.late,
                      found.octave[b].slopes.level);
    }
    free(sample);
}
