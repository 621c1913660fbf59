/* The table at the end of a run, from times that are known. */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/reverberation_report.h"
#include "tests/test_support.h"

static struct decay_times times_of(size_t bands, double seconds)
{
    struct decay_times times = {.bands = bands};
    double centre[OCTAVE_BANDS_MAX];
    octave_centres(1e6, centre);
    for (size_t b = 0; b < bands; b++)
        times.octave[b] = (struct octave_times){.centre = centre[b],
                                                .edt = 0.9 * seconds,
                                                .t20 = seconds,
                                                .t30 = 1.05 * seconds,
                                                .range = 60,
                                                .floor = -INFINITY,
                                                .curvature = 5,
                                                .nonlinearity = 2};
    return times;
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

/* What is printed, owned by the caller. */
static char *printed(const struct reverberation_summary *summary)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const struct statistical_reverberation statistical = expected();
    reverberation_print(stream, summary, &statistical);
    fclose(stream);
    return text;
}

Test(reverberation_report, octaves_stand_across_and_what_is_absent_is_a_dash_with_its_reason)
{
    struct decay_times times = times_of(3, 2);
    struct octave_times *low = &times.octave[0];
    low->t20 = low->t30 = low->curvature = (double)NAN;
    strcpy(low->why, "T20 and T30: too short");
    times.octave[1].curvature = 10.5;
    times.octave[2].nonlinearity = 11;
    struct reverberation_summary summary = {0};
    reverberation_summary_add(&summary, &times);
    char *text = printed(&summary);
    cr_assert(eq(str, text,
                 "reverberation [s]           63 Hz   125 Hz   250 Hz\n"
                 "EDT                          1.80     1.80     1.80\n"
                 "T20                             -     2.00     2.00\n"
                 "T30                             -    2.10c    2.10u\n"
                 "Sabine, expected                -     2.90     2.80\n"
                 "Eyring, expected             2.50     2.40     2.30\n"
                 "  c  curved, T30 more than 10 % over T20: no one time says it all: 125 Hz\n"
                 "  u  uneven, off a straight line by more than ISO 3382-2 lets pass: 250 Hz\n"
                 "  -  63 Hz: T20 and T30: too short\n"),
              "%s", text);
    free(text);
}

Test(reverberation_report, several_responses_give_their_mean_and_standard_deviation)
{
    struct decay_times times[3] = {times_of(2, 1), times_of(2, 2), times_of(2, 6)};
    times[1].octave[1].edt = (double)NAN; /* one of three has none */
    strcpy(times[1].octave[1].why, "EDT: none");
    times[2].octave[0].curvature = 30;
    struct reverberation_summary summary = {0};
    for (int r = 0; r < 3; r++)
        reverberation_summary_add(&summary, &times[r]);
    char *text = printed(&summary);
    cr_assert(eq(str, text,
                 "reverberation [s]           63 Hz   125 Hz\n"
                 "EDT, mean of 3               2.70     3.15\n"
                 "  standard deviation         2.38     3.18\n" /* root of (1.8^2 + 0.9^2 + 2.7^2) / 2 */
                 "T20, mean of 3               3.00     3.00\n"
                 "  standard deviation         2.65     2.65\n"
                 "T30, mean of 3              3.15c     3.15\n"
                 "  standard deviation         2.78     2.78\n"
                 "Sabine, expected                -     2.90\n"
                 "Eyring, expected             2.50     2.40\n"
                 "  c  curved, T30 more than 10 % over T20: no one time says it all: 63 Hz (1 of 3)\n"
                 "  -  125 Hz (1 of 3): EDT: none\n"),
              "%s", text);
    free(text);
    cJSON *object = cJSON_CreateObject();
    reverberation_record_means(object, &summary);
    const cJSON *edt = cJSON_GetObjectItem(object, "edt_s"),
                *scatter = cJSON_GetObjectItem(object, "edt_s_deviation");
    cr_assert(test_near(cJSON_GetArrayItem(edt, 1)->valuedouble, 0.5 * (0.9 + 5.4), 1e-12));
    cr_assert(test_near(cJSON_GetArrayItem(scatter, 1)->valuedouble, 4.5 / sqrt(2), 1e-12));
    cJSON_Delete(object);
}

/* Everything that can stand in it at once: eight octaves, absent times with the longest of reasons, marks. */
Test(reverberation_report, no_line_is_longer_than_100_columns)
{
    struct reverberation_summary summary = {0};
    struct decay_times times[40];
    for (int r = 0; r < 40; r++) {
        times[r] = times_of(8, 14.9);
        for (int b = 0; b < 8; b++) {
            times[r].octave[b].curvature = times[r].octave[b].nonlinearity = 100;
            for (int i = 0; i < 52; i++)
                memcpy(times[r].octave[b].why + 6 * i, "words ", 7);
        }
        reverberation_summary_add(&summary, &times[r]);
    }
    char *text = printed(&summary);
    size_t lines = 0, longest = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1, lines++)
        longest = strcspn(line, "\n") > longest ? strcspn(line, "\n") : longest;
    cr_assert(test_at_most((double)longest, 100), "%zu: %s", longest, text);
    cr_assert(test_at_least((double)lines, 9 + 2 + 2 * 8));
    cr_assert(strstr(text, "8000 Hz") != NULL && strstr(text, "15.65cu") != NULL, "%s", text);
    free(text);
    summary = (struct reverberation_summary){0}; /* fmax below the first octave */
    char *nothing = printed(&summary);
    cr_assert(eq(str, nothing, ""));
    free(nothing);
}

Test(reverberation_report, json_has_null_for_what_is_absent_and_the_spread_of_two_grids)
{
    struct decay_times times = times_of(2, 2), moved = times_of(2, 2.5);
    times.octave[0].t30 = times.octave[0].curvature = (double)NAN;
    strcpy(times.octave[0].why, "T30: because");
    cJSON *object = cJSON_CreateObject();
    const struct statistical_reverberation statistical = expected();
    reverberation_record_times(object, &times, &moved);
    reverberation_record_expected(object, 177, &statistical);
    char *text = cJSON_PrintUnformatted(object);
    cr_assert(strstr(text, "\"t30_s\":[null,2.1]") != NULL, "%s", text);
    cr_assert(strstr(text, "\"t30_s_spread\":[null,0.525]") != NULL, "%s", text);
    cr_assert(strstr(text, "\"t20_s_spread\":[0.5,0.5]") != NULL, "%s", text);
    cr_assert(strstr(text, "\"why\":[\"T30: because\",null]") != NULL, "%s", text);
    cr_assert(strstr(text, "\"curvature_percent\":[null,5]") != NULL, "%s", text);
    cr_assert(strstr(text, "\"sabine_s\":[null,2.9]") != NULL, "%s", text);
    cJSON_free(text);
    cJSON_Delete(object);
}
