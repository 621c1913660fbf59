/* Modulation transfer and STI beside the other figures: in the table, in words and in JSON. */
#define _XOPEN_SOURCE 700
#include "src/response/acoustics/figure_report.h"
#include "src/response/acoustics/speech_report.h"
#include "src/run_folder/figure_record.h"
#include "tests/support/test_support.h"

/* `octaves` of them, each at `mti`; STI where there are all. */
static struct speech_transmission speech_of(size_t octaves, double mti)
{
    struct speech_transmission speech = {.sti = octaves == SPEECH_OCTAVES ? mti : NAN};
    if (octaves < SPEECH_OCTAVES)
        strcpy(speech.why, "it ends too low");
    for (size_t k = 0; k < SPEECH_OCTAVES; k++) {
        speech.octave[k].mti = k < octaves ? mti : NAN;
        if (k >= octaves)
            strcpy(speech.octave[k].why, "too high");
    }
    return speech;
}

static char *printed(const struct speech_summary *summary)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    speech_report_print(stream, summary, NAN);
    fclose(stream);
    return text;
}

static void expect_printed(const struct speech_summary *summary, const char *expected)
{
    char *text = printed(summary);
    cr_assert(strstr(text, expected) != NULL, "%s", text);
    free(text);
}

Test(speech_report, sti_is_printed_with_its_scatter_and_what_is_none_is_called_modulation_transfer)
{
    struct speech_summary summary = {0};
    struct speech_transmission speech = speech_of(4, 0.5);
    speech_summary_add(&summary, &speech, NULL);
    expect_printed(&summary,
                   "modulation transfer (not STI), without noise, masking and threshold: it ends too low");
    summary = (struct speech_summary){0};
    const struct speech_levels levels = {.with_speech = true};
    speech = speech_of(7, 0.4);
    speech_summary_add(&summary, &speech, &levels);
    expect_printed(&summary, "STI 0.40, with the levels given\n");
    speech = speech_of(7, 0.6);
    speech_summary_add(&summary, &speech, &levels);
    expect_printed(&summary, "STI 0.50 (0.14), with the levels given\n");
    speech = speech_of(3, 0.6);
    speech_summary_add(&summary, &speech, &levels);
    expect_printed(&summary, "; absent in 1 of 3: it ends too low");
    cr_assert(test_near(speech_summary_mti(&summary, 1), 1.6 / 3, 1e-12));
    cr_assert(test_near(speech_summary_mti(&summary, 7), 0.5, 1e-12));
    cr_assert(isnan(speech_summary_mti(&summary, 0)) && isnan(speech_summary_mti(&summary, 8)));
}

Test(speech_report, a_record_has_nothing_and_a_reason_where_an_index_is_absent)
{
    struct record_response response;
    struct record_means means;
    const struct speech_transmission speech = speech_of(4, 0.5), whole = speech_of(7, 0.7);
    json_clear(&record_figures_table, &response);
    cr_assert(record_fill_speech(&response, &speech, 6));
    cr_assert(eq(sz, response.figures.octave[FIGURE_MTI].count, 6));
    cr_assert(eq(sz, response.mti_why.count, 6));
    for (size_t b = 0; b < 6; b++) {
        const bool there = b >= 1 && b <= 4;
        cr_assert(eq(int, isfinite(figure_values_octave(&response.figures, FIGURE_MTI, b)), there));
        cr_assert(eq(int, json_text_of(&response.mti_why, b) != NULL, !there));
    }
    cr_assert(response.figures.single_there[FIGURE_STI] && isnan(response.figures.single[FIGURE_STI]));
    cr_assert(eq(str, response.sti_why, "it ends too low"));
    json_free_members(&record_figures_table, &response);
    cr_assert(record_fill_speech(&response, &whole, 8));
    cr_assert(test_near(response.figures.single[FIGURE_STI], 0.7, 0));
    cr_assert(response.sti_why == NULL);
    json_free_members(&record_figures_table, &response);
    struct figure_summary summary = {.bands = 8};
    speech_summary_add(&summary.speech, &whole, NULL);
    json_clear(&record_means_table, &means);
    cr_assert(record_fill_means(&means, &summary));
    cr_assert(test_near(means.mean.single[FIGURE_STI], 0.7, 1e-12));
    cr_assert(means.deviation.single_there[FIGURE_STI] && isnan(means.deviation.single[FIGURE_STI]));
    cr_assert(eq(sz, means.mean.octave[FIGURE_MTI].count, 8));
    json_free_members(&record_means_table, &means);
}
