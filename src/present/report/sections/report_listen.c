#include <math.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "src/present/report/sections/report_page.h"

static void put_sound(FILE *page, const struct report *report, size_t run, size_t index)
{
    size_t number = 0;
    const char *const id = report->run[run].sounds.item[index].audio_id;
    if (id != NULL && sscanf(id, "sound-%zu", &number) == 1 && number < report->sounds->count)
        base64_write(page, report->sounds->sound[number].data, report->sounds->sound[number].size);
}

/* Do the runs reach up to two pitches? */
static bool has_two_bands(const struct report *report)
{
    const double first = run_model_highest(report->run[0].model);
    return report->runs > 1 && fabs(run_model_highest(report->run[1].model) - first) > 1e-6 * first;
}

void report_listen(FILE *page, const struct report *report)
{
    const struct report_audio *audio = report->audio;
    const bool made =
        audio->dry != NULL && (strcmp(audio->dry, "clap") == 0 || strcmp(audio->dry, "organ") == 0);
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(listen),
                {"any", .holds = report->sounds->count > 0},
                {"muffled", .holds = !(audio->band > REPORT_WHOLE_BAND)}, {"recording", .holds = !made},
                {"some_left_out", .holds = audio->left_out > 0},
                {"two_bands", .holds = has_two_bands(report)}, {"player", .include = REPORT_TEMPLATE(player)},
                {"type", .text = report->sounds->type}, {"sound", .item = put_sound});
}
