/* The table at the end of a run, from times that are known. */
#define _XOPEN_SOURCE 700
#include "src/response/acoustics/figure_report.h"
#include "src/run_folder/figure_record.h"
#include "src/run_folder/figure_spread.h"
#include "tests/support/test_support.h"

static struct acoustic_figures figures_of(size_t bands, double seconds)
{
    struct acoustic_figures figures = {.bands = bands, .reference = 0.1};
    double centre[OCTAVE_BANDS_MAX];
    octave_centres(1e6, centre);
    for (size_t b = 0; b < bands; b++)
        figures.octave[b] = (struct band_figures){.times = {.centre = centre[b],
                                                            .edt = 0.9 * seconds,
                                                            .t20 = seconds,
                                                            .t30 = 1.05 * seconds,
                                                            .range = 50 + seconds,
                                                            .floor = -INFINITY,
                                                            .curvature = 5,
                                                            .nonlinearity = 2},
                                                  .c50 = -seconds,
                                                  .c80 = seconds,
                                                  .d50 = 0.4,
                                                  .ts = 0.08 * seconds,
                                                  .g = 7};
    return figures;
}

static struct statistical_reverberation expected(void)
{
    struct statistical_reverberation times;
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++) {
        times.sabine[b] = b == 0 ? (double)INFINITY : 3.0 - 0.1 * b;
        times.eyring[b] = 2.5 - 0.1 * b;
    }
    return times;
}

static const struct figure_bars *bars; /* of what is printed */

/* What is printed, owned by the caller. */
static char *printed(const struct figure_summary *summary)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const struct statistical_reverberation statistical = expected();
    figure_report_print(stream, summary, bars, &statistical);
    fclose(stream);
    return text;
}

Test(figure_report, octaves_are_columns_and_what_is_absent_is_a_dash_with_its_reason)
{
    struct acoustic_figures figures = figures_of(3, 2);
    struct band_figures *low = &figures.octave[0];
    low->times.t20 = low->times.t30 = low->times.curvature = low->c80 = (double)NAN;
    strcpy(low->times.why, "T20 and T30: too short");
    strcpy(low->why, "C80: too late");
    figures.octave[1].times.curvature = 10.5;
    figures.octave[2].times.nonlinearity = 11;
    figures.octave[2].times.slopes =
        (struct double_slope){.found = true, .early = 1.2, .late = 3.4, .time = 0.3, .level = -15};
    struct figure_summary summary = {0};
    figure_summary_add(&summary, &figures);
    char *text = printed(&summary);
    cr_assert(eq(str, text,
                 "one response                63 Hz   125 Hz   250 Hz\n"
                 "EDT [s]                      1.80     1.80     1.80\n"
                 "T20 [s]                         -     2.00     2.00\n"
                 "T30 [s]                         -    2.10c   2.10ud\n"
                 "C50 [dB]                     -2.0     -2.0     -2.0\n"
                 "C80 [dB]                        -      2.0      2.0\n"
                 "D50                          0.40     0.40     0.40\n"
                 "Ts [s]                      0.160    0.160    0.160\n"
                 "G [dB]                        7.0      7.0      7.0\n"
                 "decay range [dB]             52.0     52.0     52.0\n"
                 "Sabine, expected [s]            -     2.90     2.80\n"
                 "Eyring, expected [s]         2.50     2.40     2.30\n"
                 "single numbers, mean of 500 and 1000 Hz: none, they need responses up to 1420 Hz\n"
                 "  c  curved, T30 more than 10 % above T20: no single time describes the decay: 125 Hz\n"
                 "  u  uneven, further from a straight line than ISO 3382-2 allows: 250 Hz\n"
                 "  d  double slope, as in coupled rooms: 250 Hz 1.20 s, then 3.40 s from -15 dB on\n"
                 "  -  63 Hz: T20 and T30: too short; C80: too late\n"),
              "%s", text);
    free(text);
}

/* Waves to 355 Hz, rays above; scattering decides T30 at 500 Hz. */
Test(figure_report, octaves_of_rays_have_error_bars_and_say_what_is_unsure)
{
    struct acoustic_figures figures = figures_of(5, 2);
    struct figure_summary summary = {0};
    struct figure_bars of = {.from = {"waves", "waves", "waves", "rays", "rays"}};
    for (int f = 0; f < ALL_FIGURES; f++)
        of.single[f] = NAN;
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (int b = 0; b < OCTAVE_BANDS_MAX; b++)
            of.error[f][b] = of.steps[f][b] = NAN;
    for (int b = 3; b < 5; b++) {
        of.error[FIGURE_T30][b] = 0.15 * b;
        of.steps[FIGURE_T30][b] = b == 3 ? 2.5 : 1.5;
    }
    of.single[FIGURE_T30] = 0.525;
    of.single[FIGURE_STI] = 0.03;
    figure_summary_add(&summary, &figures);
    summary.speech = (struct speech_summary){.responses = 1, .sti = 0.5, .sti_count = 1};
    bars = &of;
    char *text = printed(&summary);
    bars = NULL;
    static const char *const wanted[] = {
        "one response                63 Hz   125 Hz   250 Hz   500 Hz  1000 Hz\n"
        "from                        waves    waves    waves     rays     rays\n",
        "T30 [s]                      2.10     2.10     2.10     2.10     2.10\n"
        "  error bar                                            0.45?     0.60\n",
        " T30 2.10 ±0.53 s,",
        "STI 0.50 ±0.03, ",
        "error bar: nine of ten responses of such a room are within it\n",
        "  ?  unsure: absorption is uneven, and half or twice the scattering changes the figure by more than "
        "2 JND\n"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        cr_expect(strstr(text, wanted[i]) != NULL, "%s: %s", wanted[i], text);
    free(text);
}

/* A level that is not known is no row of dashes. */
Test(figure_report, strength_needs_the_level_of_the_source)
{
    struct acoustic_figures figures = figures_of(5, 2);
    figures.reference = (double)NAN;
    for (size_t b = 0; b < 5; b++)
        figures.octave[b].g = (double)NAN;
    struct figure_summary summary = {0};
    figure_summary_add(&summary, &figures);
    char *text = printed(&summary);
    cr_assert(strstr(text, "G [dB]") == NULL && strstr(text, "\n  -  ") == NULL, "%s", text);
    cr_assert(strstr(text, "single numbers, mean of 500 and 1000 Hz: EDT 1.80 s, T20 2.00 s, T30 2.10 s, C80 "
                           "2.0 dB, D50 0.40,\n  Ts 0.160 s\n") != NULL,
              "%s", text);
    free(text);
    struct record_response record;
    json_clear(&record_figures_table, &record);
    cr_assert(record_fill_figures(&record, &figures, NULL));
    cr_assert(eq(sz, record.figures.octave[FIGURE_G].count, 5));
    cr_assert(isnan(record.figures.octave[FIGURE_G].value[4]));
    cr_assert(strstr(json_text_of(&record.why, 4), "level of the source") != NULL);
    json_free_members(&record_figures_table, &record);
}

Test(figure_report, several_responses_give_their_mean_and_standard_deviation)
{
    struct acoustic_figures figures[3] = {figures_of(5, 1), figures_of(5, 2), figures_of(5, 6)};
    figures[1].octave[1].times.edt = (double)NAN; /* one of three has none */
    strcpy(figures[1].octave[1].times.why, "EDT: none");
    figures[2].octave[0].times.curvature = 30;
    struct figure_summary summary = {0};
    for (int r = 0; r < 3; r++)
        figure_summary_add(&summary, &figures[r]);
    char *text = printed(&summary);
    static const char *const wanted[] = {
        "3 responses                 63 Hz   125 Hz   250 Hz   500 Hz  1000 Hz\n",
        /* root of (1.8^2 + 0.9^2 + 2.7^2) / 2 */
        "EDT [s], mean                2.70     3.15     2.70     2.70     2.70\n"
        "  standard deviation         2.38     3.18     2.38     2.38     2.38\n",
        "T30 [s], mean               3.15c     3.15 ", "C50 [dB], mean               -3.0     -3.0 ",
        "D50, mean                    0.40     0.40     0.40     0.40     0.40\n"
        "  standard deviation         0.00 ",
        "decay range, least [dB]      51.0 ",
        "single numbers, mean of 500 and 1000 Hz (standard deviation): EDT 2.70 s (2.38)",
        "  c  curved, T30 more than 10 % above T20: no single time describes the decay: 63 Hz (1 of 3)\n",
        "  -  125 Hz (1 of 3): EDT: none\n"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        cr_expect(strstr(text, wanted[i]) != NULL, "%s: %s", wanted[i], text);
    free(text);
    struct record_means means;
    json_clear(&record_means_table, &means);
    cr_assert(record_fill_means(&means, &summary));
    cr_assert(test_near(figure_values_octave(&means.mean, FIGURE_EDT, 1), 0.5 * (0.9 + 5.4), 1e-12));
    cr_assert(test_near(figure_values_octave(&means.deviation, FIGURE_EDT, 1), 4.5 / sqrt(2), 1e-12));
    cr_assert(test_near(means.mean.single[FIGURE_C80], 3, 1e-12));
    cr_assert(test_near(means.deviation.single[FIGURE_C80], sqrt(7), 1e-12));
    cr_assert(eq(int, means.mean.single_there[FIGURE_C50] || means.mean.single_there[FIGURE_LF], false));
    json_free_members(&record_means_table, &means);
}

/* 12,000 m3 and 2.1 s: twice the root of 12000 / (343 2.1). */
Test(figure_report, the_least_distance_is_that_of_the_standard)
{
    struct acoustic_figures figures[2] = {figures_of(3, 1), figures_of(3, 3)};
    struct figure_summary summary = {0};
    cr_assert(isnan(figure_least_distance(&summary, 12000, 343)));
    for (int r = 0; r < 2; r++)
        figure_summary_add(&summary, &figures[r]);
    cr_assert(test_near(figure_least_distance(&summary, 12000, 343), 8.1632, 1e-3), "%g",
              figure_least_distance(&summary, 12000, 343));
    cr_assert(isnan(figure_least_distance(&summary, (double)NAN, 343)));
}

Test(figure_report, json_has_null_for_what_is_absent_and_the_spread_of_two_grids)
{
    struct acoustic_figures figures = figures_of(2, 2), offset = figures_of(2, 2.5);
    figures.octave[0].times.t30 = figures.octave[0].times.curvature = (double)NAN;
    strcpy(figures.octave[0].times.why, "T30: because");
    strcpy(figures.octave[1].why, "C50: never");
    figures.octave[1].times.slopes = (struct double_slope){true, 1.5, 3, 0.3, -12};
    cJSON *object = cJSON_CreateObject(), *run = cJSON_AddObjectToObject(object, "run");
    const struct statistical_reverberation statistical = expected();
    struct record_response record;
    struct run_model model;
    json_clear(&record_figures_table, &record);
    run_model_clear(&model);
    cr_assert(record_fill_figures(&record, &figures, &offset) &&
              json_write(&record_figures_table, &record, object));
    cr_assert(record_fill_expected(&model, 177, &statistical) && json_write(&record_plan_table, &model, run));
    char *text = cJSON_PrintUnformatted(object);
    static const char *const wanted[] = {"\"t30_s\":[null,2.1]",
                                         "\"t30_s_spread\":[null,0.525]",
                                         "\"t20_s_spread\":[0.5,0.5]",
                                         "\"c80_db\":[2,2]",
                                         "\"c80_db_spread\":[0.5,0.5]",
                                         "\"g_db\":[7,7]",
                                         "\"d50\":[0.4,0.4]",
                                         "\"why\":[\"T30: because\",\"C50: never\"]",
                                         "\"curvature_percent\":[null,5]",
                                         "\"decay_range_db\":[52,52]",
                                         "\"slope_early_s\":[null,1.5]",
                                         "\"slope_late_s\":[null,3]",
                                         "\"slope_crossing_db\":[null,-12]",
                                         "\"single_numbers\":{\"edt_s\":null,",
                                         "\"why\":\"they are means of 500 and 1000 Hz",
                                         "\"sabine_s\":[null,2.9]"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        cr_expect(strstr(text, wanted[i]) != NULL, "%s: %s", wanted[i], text);
    cJSON_free(text);
    cJSON_Delete(object);
    json_free_members(&record_figures_table, &record);
    run_model_free(&model);
}

Test(figure_report, the_spread_of_two_grids_is_printed_of_the_worst_octave_of_the_worst_response)
{
    struct acoustic_figures figures[2] = {figures_of(2, 2), figures_of(2, 2)},
                            offset[2] = {figures_of(2, 2), figures_of(2, 2)};
    offset[1].octave[0].times.t30 *= 0.96;
    offset[0].octave[1].c80 += 0.3;
    offset[1].octave[1].g -= 0.25;
    offset[0].octave[1].ts = (double)NAN; /* of what both have */
    offset[1].strength = 0.5;
    struct run_model run;
    run_model_clear(&run);
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const bool listed = JSON_LIST_MAKE(&record_response_table, &run.responses, 2);
    cr_assert(listed);
    figure_spread_print(stream, &run); /* nothing without a repeated run */
    for (int r = 0; r < 2; r++)
        cr_assert(record_fill_figures(&run.responses.item[r], &figures[r], &offset[r]) &&
                  json_text_set(&run.responses.item[r].file_shifted, "ir_shifted.wav"));
    figure_spread_print(stream, &run);
    fclose(stream);
    run_model_free(&run);
    cr_assert(
        eq(str, text,
           "on the grid offset by half a cell the level differs by at most 0.50 dB; by octave: 63 Hz 0.00 "
           "dB,\n  125 Hz 0.25 dB; figures: EDT 0 %, T20 0 %, T30 4 %, C50 0.0 dB, C80 0.3 dB, D50 0.00, "
           "Ts 0.000 s,\n  G 0.2 dB\n"),
        "%s", text);
    free(text);
}
