#include <math.h>

#include "geometry/base/base64.h"
#include "src/draw/html.h"
#include "src/report/report_page.h"

static void put_player(FILE *page, const struct report *report, const struct report_sounds *sounds,
                       size_t run, int index)
{
    char key[64];
    size_t number = 0;
    snprintf(key, sizeof key, "runs.%zu.sounds.%d.audio_id", run, index);
    const char *id = record_text(report->root, key);
    if (id == NULL || sscanf(id, "sound-%zu", &number) != 1 || number >= sounds->count)
        return;
    snprintf(key, sizeof key, "runs.%zu.sounds.%d.kind", run, index);
    fprintf(page, "<figure class=\"player\" data-kind=\"%s\">\n<figcaption id=\"%s-label\">",
            record_text(report->root, key), id);
    html_string(page, report->root, "runs.%zu.sounds.%d.label", run, index);
    fprintf(page,
            "</figcaption>\n<audio id=\"%s\" controls preload=\"none\" aria-labelledby=\"%s-label\" "
            "src=\"data:%s;base64,",
            id, id, sounds->type);
    base64_write(page, sounds->sound[number].data, sounds->sound[number].size);
    fputs("\"></audio>\n</figure>\n", page);
}

/* What was simulated in a run, or the dry sounds. */
static void put_players(FILE *page, const struct report *report, const struct report_sounds *sounds,
                        size_t run, bool wet)
{
    const cJSON *entry;
    int i = 0;
    cJSON_ArrayForEach(entry, report_at(report, "runs.%zu.sounds", run))
    {
        const char *kind = record_text(entry, "kind");
        if (kind != NULL && (strcmp(kind, "wet") == 0) == wet)
            put_player(page, report, sounds, run, i);
        i++;
    }
}

/* Runs up to two pitches. */
static void put_band(FILE *page, const struct report *report)
{
    const double first = record_number(report->root, "runs.0.run.fmax_hz"),
                 second = record_number(report->root, "runs.1.run.fmax_hz");
    if (report->runs < 2 || !(fabs(second - first) > 1e-6 * first))
        return;
    fputs("<p>One run reaches higher than the other: both are heard up to ", page);
    html_number(page, report->root, 0, 1, "audio.band_hz");
    fputs("&nbsp;Hz, so that they differ by the room and not by their pitches.</p>\n", page);
}

static void put_words(FILE *page, const struct report *report)
{
    const char *dry = record_text(report->root, "audio.dry"),
               *codec = record_text(report->root, "audio.codec");
    fputs("<p>", page);
    if (dry != NULL && strcmp(dry, "clap") == 0)
        fputs("One hand clap", page);
    else if (dry != NULL && strcmp(dry, "organ") == 0)
        fputs("A chord of an organ", page);
    else {
        fputs("The recording ", page);
        html_string(page, report->root, "audio.dry");
    }
    fputs(
        " is heard dry, as in the open, and in the room, at the places named below. All sounds have one "
        "gain, so that "
        "louder "
        "means louder; use headphones or good loudspeakers. The simulated ones hold only the pitches of the "
        "simulation and sound muffled: compare them with the dry sound that holds the same pitches, not with "
        "the whole one.</p>\n",
        page);
    if (codec != NULL && strcmp(codec, "opus") == 0)
        fputs("<p class=\"why\">The sounds are compressed with Opus, so that this page can be sent.</p>\n",
              page);
    if (record_number(report->root, "audio.left_out") > 0) {
        fputs("<p class=\"why\">Left out, so that this page can be sent: ", page);
        html_count(page, report->root, "audio.left_out");
        fputs(record_number(report->root, "audio.left_out") == 1 ? " sound.</p>\n" : " sounds.</p>\n", page);
    }
}

void report_listen(FILE *page, const struct report *report, const struct report_sounds *sounds)
{
    report_section_begin(page, "listen", "Listen");
    if (sounds->count == 0) {
        fputs("<p class=\"why\">There is nothing to hear in this page: ", page);
        html_string(page, report->root, "audio.why");
        fputs(".</p>\n", page);
        report_section_end(page);
        return;
    }
    put_words(page, report);
    put_band(page, report);
    fputs("<p class=\"print-only\">The sounds cannot be printed; in the page itself are:</p>\n", page);
    if (report->runs > 1)
        put_players(page, report, sounds, 0, false);
    for (size_t r = 0; r < report->runs; r++) {
        report_run_begin(page, report, r);
        put_players(page, report, sounds, r, true);
        if (report->runs < 2)
            put_players(page, report, sounds, r, false);
        if (report->runs > 1)
            report_run_end(page);
    }
    if (report->runs > 1)
        fputs("</div>\n", page);
    report_section_end(page);
}
