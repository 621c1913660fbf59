#include <math.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "src/draw/html.h"
#include "src/report/sections/report_page.h"

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
    fputs("<p>One run reaches higher than the other: both are heard up to ", page);
    html_number(page, report->audio->band, 0, 1, "audio.band_hz");
    fputs("&nbsp;Hz, so that they differ by the room and not by their frequencies.</p>\n", page);
}

static void put_words(FILE *page, const struct report *report)
{
    const struct report_audio *audio = report->audio;
    fputs("<p>", page);
    if (audio->dry != NULL && strcmp(audio->dry, "clap") == 0)
        fputs("One hand clap", page);
    else if (audio->dry != NULL && strcmp(audio->dry, "organ") == 0)
        fputs("A chord of an organ", page);
    else {
        fputs("The recording ", page);
        html_string(page, audio->dry, "audio.dry");
    }
    fputs(
        " is heard dry, as in the open air, and in the room, at the places named below. All sounds have one "
        "gain, so that "
        "louder "
        "means louder; use headphones or good loudspeakers. The simulated ones hold only the frequencies of "
        "the simulation and sound muffled: compare them with the dry sound of the same frequencies, not with "
        "the full one.</p>\n",
        page);
    if (audio->codec != NULL && strcmp(audio->codec, "opus") == 0)
        fputs("<p class=\"why\">The sounds are compressed with Opus, so that this page can be sent.</p>\n",
              page);
    if (audio->left_out > 0) {
        fputs("<p class=\"why\">Left out, so that this page can be sent: ", page);
        html_count(page, audio->left_out, "audio.left_out");
        fputs(audio->left_out == 1 ? " sound.</p>\n" : " sounds.</p>\n", page);
    }
}

void report_listen(FILE *page, const struct report *report, const struct report_sounds *sounds)
{
    report_section_begin(page, "listen", "Listen");
    if (sounds->count == 0) {
        fputs("<p class=\"why\">There is nothing to hear in this page: ", page);
        html_string(page, report->audio->why, "audio.why");
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
        report_run_end(page, report);
    }
    report_run_end(page, report);
    report_section_end(page);
}
