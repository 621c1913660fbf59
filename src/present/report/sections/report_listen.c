#include <math.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "src/draw/html.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

static void put_player(FILE *page, const struct report *report, const struct report_sounds *sounds,
                       size_t run, size_t index)
{
    const struct report_sound_entry *entry = &report->run[run].sounds.item[index];
    const char *id = entry->audio_id;
    size_t number = 0;
    if (sscanf(id, "sound-%zu", &number) != 1 || number >= sounds->count)
        return;
    fprintf(page, "<figure class=\"player\" data-kind=\"%s\">\n<figcaption id=\"%s-label\">", entry->kind,
            id);
    html_string(page, entry->label, "runs.%zu.sounds.%zu.label", run, index);
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
    for (size_t i = 0; i < report->run[run].sounds.count; i++)
        if ((strcmp(report->run[run].sounds.item[i].kind, "wet") == 0) == wet)
            put_player(page, report, sounds, run, i);
}

/* Runs up to two pitches. */
static void put_band(FILE *page, const struct report *report)
{
    if (report->runs < 2)
        return;
    const double first = report->run[0].model->room.fmax, second = report->run[1].model->room.fmax;
    if (!(fabs(second - first) > 1e-6 * first))
        return;
    fprintf(page, "<p>%s", T("One run reaches higher than the other: both are heard up to "));
    html_number(page, report->audio->band, 0, 1, "audio.band_hz");
    fprintf(page, "%s</p>\n", T("&nbsp;Hz, so that they differ by the room and not by their frequencies."));
}

static void put_words(FILE *page, const struct report *report)
{
    const struct report_audio *audio = report->audio;
    fputs("<p>", page);
    if (audio->dry != NULL && strcmp(audio->dry, "clap") == 0)
        fputs(T("One hand clap"), page);
    else if (audio->dry != NULL && strcmp(audio->dry, "organ") == 0)
        fputs(T("A chord of an organ"), page);
    else {
        fputs(T("The recording "), page);
        html_string(page, audio->dry, "audio.dry");
    }
    fprintf(page, "%s</p>\n",
            T(" is heard dry, as in the open air, and in the room, at the places named below. All sounds "
              "have one gain, "
              "so that louder means louder; use headphones or good loudspeakers. The simulated ones hold "
              "only the "
              "frequencies of the simulation and sound muffled: compare them with the dry sound of the same "
              "frequencies, not with the full one."));
    if (audio->codec != NULL && strcmp(audio->codec, "opus") == 0)
        fprintf(page, "<p class=\"why\">%s</p>\n",
                T("The sounds are compressed with Opus, so that this page can be sent."));
    if (audio->left_out > 0) {
        fprintf(page, "<p class=\"why\">%s", T("Left out, so that this page can be sent: "));
        html_count(page, audio->left_out, "audio.left_out");
        fprintf(page, "%s</p>\n", audio->left_out == 1 ? T(" sound.") : T(" sounds."));
    }
}

void report_listen(FILE *page, const struct report *report, const struct report_sounds *sounds)
{
    report_section_begin(page, "listen", T("Listen"));
    if (sounds->count == 0) {
        fprintf(page, "<p class=\"why\">%s", T("There is nothing to hear in this page: "));
        html_string(page, report->audio->why, "audio.why");
        fputs(".</p>\n", page);
        report_section_end(page);
        return;
    }
    put_words(page, report);
    put_band(page, report);
    fprintf(page, "<p class=\"print-only\">%s</p>\n",
            T("The sounds cannot be printed; in the page itself are:"));
    if (report->runs > 1)
        put_players(page, report, sounds, 0, false);
    for (size_t r = 0; r < report->runs; r++) {
        report_run_begin(page, report, r);
        put_players(page, report, sounds, r, true);
        if (report->runs < 2)
            put_players(page, report, sounds, r, false);
        report_run_end(page, report);
    }
    report_run_end(page, report);
    report_section_end(page);
}
