#include "src/report/report_ways_out.h"

#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/run/energy_report.h"
#include "src/run/way_out.h"

#define NAMED 3 /* openings in the summary */

static const cJSON *leaks_of(const struct report *report, size_t run)
{
    return report_at(report, "runs.%zu.run.leaks", run);
}

bool report_lets_out(const cJSON *run)
{
    return record_number(run, "run.open_face_links") > 0;
}

double report_room_volume(const cJSON *run)
{
    const double volume = record_number(run, "run.air_volume_m3");
    return report_lets_out(run) || !isfinite(volume) ? 0 : volume;
}

static int count_ways(const struct report *report, size_t run, bool sealed)
{
    const cJSON *leak;
    int count = 0;
    cJSON_ArrayForEach(leak, leaks_of(report, run)) count +=
        cJSON_IsTrue(record_at(leak, "sealed")) == sealed;
    return count;
}

static void put_place(FILE *page, const struct report *report, size_t run, int leak)
{
    for (int axis = 0; axis < 3; axis++) {
        fputs(axis == 0 ? "(" : ", ", page);
        html_number(page, report->root, 2, 1, "runs.%zu.run.leaks.%d.position_m.%d", run, leak, axis);
    }
    fputs(") m", page);
}

/* "of about 0.46 m2, 0.6 m wide, at (4.00, 1.40, 1.30) m": what is known of it. */
static void put_opening(FILE *page, const struct report *report, size_t run, int leak)
{
    const cJSON *entry = report_at(report, "runs.%zu.run.leaks.%d", run, leak);
    const bool area = isfinite(record_number(entry, "area_m2")),
               wide = isfinite(record_number(entry, "gap_m"));
    if (area) {
        fputs(" of about ", page);
        html_number(page, report->root, -2, 1, "runs.%zu.run.leaks.%d.area_m2", run, leak);
        fputs("&nbsp;m\xC2\xB2", page);
    }
    if (wide) {
        fputs(area ? ", " : " ", page);
        html_number(page, report->root, -2, 1, "runs.%zu.run.leaks.%d.gap_m", run, leak);
        fputs("&nbsp;m wide", page);
    }
    fputs(area && wide ? ", at " : " at ", page);
    put_place(page, report, run, leak);
}

/* How much of a source's sound had left by the end, where the run kept account. */
static void put_share(FILE *page, const struct report *report, size_t run)
{
    const int sources = cJSON_GetArraySize(report_at(report, "runs.%zu.run.runs", run));
    int told = 0;
    for (int s = 0; s < sources && told < NAMED; s++) {
        const cJSON *absorbed = report_at(report, "runs.%zu.run.runs.%d.energy.absorbed", run, s);
        const int faces = cJSON_GetArraySize(absorbed) - 1;
        const cJSON *entry = cJSON_GetArrayItem(absorbed, faces);
        const int last = cJSON_GetArraySize(record_at(entry, "share")) - 1;
        const char *name = record_text(entry, "material");
        if (last < 0 || name == NULL || strcmp(name, ENERGY_OPEN_FACES) != 0)
            continue;
        fputs(told++ == 0 ? " By the end of the run " : ", ", page);
        html_number(page, report->root, -2, 100, "runs.%zu.run.runs.%d.energy.absorbed.%d.share.%d", run, s,
                    faces, last);
        fputs("&nbsp;% of the sound of ", page);
        html_string(page, report->root, "runs.%zu.run.runs.%d.source", run, s);
    }
    fputs(told > 0 ? " had left the simulation there." : "", page);
}

static void put_openings(FILE *page, const struct report *report, size_t run)
{
    const int count = count_ways(report, run, false), all = cJSON_GetArraySize(leaks_of(report, run));
    int told = 0;
    bool on_box = false;
    for (int i = 0; i < all && told < NAMED; i++) {
        if (cJSON_IsTrue(report_at(report, "runs.%zu.run.leaks.%d.sealed", run, i)))
            continue;
        fputs(told == 0 ? " through an opening" : told + 1 == count ? ", and another" : ", another", page);
        put_opening(page, report, run, i);
        on_box =
            on_box || isfinite(record_number(report_at(report, "runs.%zu.run.leaks.%d", run, i), "area_m2"));
        told++;
    }
    if (count > told)
        fprintf(page, ", and %d more, listed with the drawing of the room", count - told);
    fputs(count > 0 && !on_box ? ". There may be more: only the widest was looked for." : ".", page);
}

static void put_open(FILE *page, const struct report *report, size_t run)
{
    fputs("<p class=\"way-out\">The model is not closed: sound leaves it", page);
    put_openings(page, report, run);
    fputs(" Outside, sound was followed as far as the box that just holds the model and no farther: the "
          "faces of that "
          "box take up all that meets them straight on and about nine tenths of what comes from all sides, "
          "and nothing "
          "comes back from beyond them.",
          page);
    put_share(page, report, run);
    fputs("</p>\n<p class=\"way-out\">The volume of air, ", page);
    html_number(page, report->root, -3, 1, "runs.%zu.run.air_volume_m3", run);
    fputs(
        "&nbsp;m\xC2\xB3, is that of all air in this box which sound gets to. Part of it may lie outside the "
        "room, so no "
        "target that goes by the volume is given.</p>\n",
        page);
}

static void put_sealed(FILE *page, const struct report *report, size_t run)
{
    const int count = count_ways(report, run, true), all = cJSON_GetArraySize(leaks_of(report, run));
    int widest = -1;
    double most = -1;
    for (int i = 0; i < all; i++) {
        const cJSON *entry = report_at(report, "runs.%zu.run.leaks.%d", run, i);
        const double gap = record_number(entry, "gap_m");
        if (cJSON_IsTrue(record_at(entry, "sealed")) && gap > most) {
            most = gap;
            widest = i;
        }
    }
    if (widest < 0)
        return;
    fprintf(
        page, "<p class=\"way-out\">%s%d crack%s in the walls of the model %s closed for this simulation, ",
        count >= WAYS_OUT_TOLD ? "At least " : "", count, count == 1 ? "" : "s", count == 1 ? "was" : "were");
    fputs(count == 1 ? "" : "the widest ", page);
    html_number(page, report->root, -2, 100, "runs.%zu.run.leaks.%d.gap_m", run, widest);
    fputs(" cm wide, at ", page);
    put_place(page, report, run, widest);
    fprintf(page, ": no sound leaves through %s.</p>\n", count == 1 ? "it" : "them");
}

void report_ways_out_words(FILE *page, const struct report *report, size_t run)
{
    if (report_lets_out(report_at(report, "runs.%zu", run)))
        put_open(page, report, run);
    put_sealed(page, report, run);
}

void report_ways_out_table(FILE *page, const struct report *report, size_t run)
{
    const int count = cJSON_GetArraySize(leaks_of(report, run));
    if (count == 0)
        return;
    fputs("<table class=\"ways-out\">\n<caption>Ways out of the model</caption>\n<thead><tr><th "
          "scope=\"col\">which</th><th "
          "scope=\"col\">x m</th><th scope=\"col\">y m</th><th scope=\"col\">z m</th><th scope=\"col\">width "
          "m</th><th "
          "scope=\"col\">area m\xC2\xB2</th></tr></thead>\n<tbody>\n",
          page);
    for (int i = 0; i < count; i++) {
        const bool sealed = cJSON_IsTrue(report_at(report, "runs.%zu.run.leaks.%d.sealed", run, i));
        fprintf(page, "<tr><th scope=\"row\">%s</th>", sealed ? "closed crack" : "opening");
        for (int axis = 0; axis < 3; axis++) {
            fputs("<td>", page);
            html_number(page, report->root, 2, 1, "runs.%zu.run.leaks.%d.position_m.%d", run, i, axis);
            fputs("</td>", page);
        }
        fputs("<td>", page);
        html_number(page, report->root, -2, 1, "runs.%zu.run.leaks.%d.gap_m", run, i);
        fputs("</td><td>", page);
        html_number(page, report->root, -2, 1, "runs.%zu.run.leaks.%d.area_m2", run, i);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody>\n</table>\n", page);
}
