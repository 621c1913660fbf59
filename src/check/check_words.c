#include "src/base/cut_text.h"
#include "src/check/check_words.h"

#include <math.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/wrapped_text.h"

/* ---- the checked model ---- */

static void print_head(FILE *stream, const struct room_check *check)
{
    const struct room_setup *setup = &check->setup;
    const struct mesh_import_facts *facts = &setup->model.facts;
    const struct check_report *report = &check->report;
    char spacing[CHECK_LENGTH_MAX], finer[CHECK_LENGTH_MAX], line[1600], unit[ROOM_UNIT_WORDS_MAX];
    line[0] = '\0';
    text_append(line, sizeof line,
                "%s: %s in %s, %s; %.5g m long (x), %.5g m wide (y), %.5g m high (z); %zu triangles, %zu "
                "material%s",
                check->setup.request.model.file, facts->format, room_unit_words(facts, unit),
                facts->up == UP_Y ? "turned from y up to z up" : "z up", facts->size[0], facts->size[1],
                facts->size[2], setup->model.mesh.triangle_count, setup->model.mesh.material_count,
                setup->model.mesh.material_count == 1 ? "" : "s");
    blot_control_characters(line);
    print_wrapped(stream, line, 0);
    line[0] = '\0';
    text_append(line, sizeof line, "checked on a grid of %s", check_length(report->spacing, spacing));
    if (report->spacing_unknown)
        text_append(line, sizeof line, " (a coarse one: that of a run is unknown)");
    else
        text_append(line, sizeof line, " (%.4g Hz%s)", setup->grid.fmax,
                    setup->grid.fmax_automatic ? ", the automatic choice on this machine" : "");
    if (report->spacing_finer > 0)
        text_append(line, sizeof line, ", and for leaks on one of %s",
                    check_length(report->spacing_finer, finer));
    print_wrapped(stream, line, 0);
    if (facts->up == UP_Y || facts->metres_per_unit != 1) {
        line[0] = '\0';
        text_append(line, sizeof line,
                    "places below are x, y, z in metres with z up, as modellers show them");
        if (facts->up == UP_Y)
            text_append(line, sizeof line, "; in the file, whose y is up, they are x, z, -y");
        if (facts->metres_per_unit != 1)
            text_append(line, sizeof line, "%s in units of %.4g m",
                        facts->up == UP_Y ? "" : "; in the file they are", facts->metres_per_unit);
        print_wrapped(stream, line, 0);
    }
}

/* ---- findings ---- */

static void print_findings(FILE *stream, const struct check_report *report)
{
    static const char *const heading[CHECK_SEVERITIES] = {
        [CHECK_UNFIT] = "Must be corrected (a run would stop, or simulate the wrong space)",
        [CHECK_MISSING] = "Still to be given (simulate stops without it)",
        [CHECK_DOUBTFUL] = "Doubtful (a run is possible, but check this first)",
        [CHECK_HARMLESS] = "Good to know (harmless)"};
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct check_finding *finding = &report->finding[i];
        char text[CHECK_TEXT_MAX];
        if (i == 0 || finding->severity != report->finding[i - 1].severity)
            fprintf(stream, "\n%s\n", heading[finding->severity]);
        fprintf(stream, "%3zu. ", i + 1);
        print_wrapped(stream, check_finding_sentence(finding, text), 5);
        if (check_finding_advice(finding, text)[0] != '\0') {
            fputs("     -> ", stream);
            print_wrapped(stream, text, 8);
        }
    }
}

/* ---- tables ---- */

/* Cavities that are printed one by one. The others share a line with those of their kind. */
#define CAVITIES_ALONE 6
#define ALIKE_MIN      3

static bool is_alone(const struct check_report *report, size_t index)
{
    const struct check_cavity *cavity = &report->cavity[index];
    size_t alike = 0;
    for (size_t i = 0; i < report->cavity_count; i++)
        alike += strcmp(report->cavity[i].kind, cavity->kind) == 0;
    return index == 0 || cavity->taken || cavity->points[0] != '\0' ||
           (alike < ALIKE_MIN && index < CAVITIES_ALONE);
}

static void print_cavity(FILE *stream, const struct check_cavity *cavity)
{
    char place[ROOM_PLACE_MAX], line[600] = "";
    fprintf(stream, "%10.4g m3  ", cavity->volume);
    text_append(line, sizeof line, "%s, around %s", cavity->kind, room_place(cavity->position, place));
    if (cavity->points[0] != '\0')
        text_append(line, sizeof line, "; holds %s", cavity->points);
    print_wrapped(stream, line, 15);
}

/* Print all of the kind of `first` that share a line. */
static void print_alike(FILE *stream, const struct check_report *report, size_t first, bool *printed)
{
    double volume = 0, smallest = report->cavity[first].volume;
    size_t count = 0;
    char place[ROOM_PLACE_MAX], line[600] = "";
    for (size_t i = first; i < report->cavity_count; i++)
        if (!printed[i] && strcmp(report->cavity[i].kind, report->cavity[first].kind) == 0) {
            printed[i] = true;
            count++;
            volume += report->cavity[i].volume;
            smallest = report->cavity[i].volume;
        }
    fprintf(stream, "%10.4g m3  ", volume);
    if (count == 1)
        text_append(line, sizeof line, "%s, around ", report->cavity[first].kind);
    else
        text_append(line, sizeof line, "%zu spaces (%s), %.3g to %.3g m3 each, the largest around ", count,
                    report->cavity[first].kind, smallest, report->cavity[first].volume);
    text_append(line, sizeof line, "%s", room_place(report->cavity[first].position, place));
    print_wrapped(stream, line, 15);
}

static void print_cavities(FILE *stream, const struct check_report *report)
{
    bool printed[CHECK_CAVITIES] = {false};
    if (report->cavity_count == 0)
        return;
    fputs("\nClosed spaces\n", stream);
    for (size_t i = 0; i < report->cavity_count; i++)
        printed[i] = is_alone(report, i);
    for (size_t i = 0; i < report->cavity_count; i++)
        if (printed[i])
            print_cavity(stream, &report->cavity[i]);
    for (size_t i = 0; i < report->cavity_count; i++)
        if (!printed[i])
            print_alike(stream, report, i, printed);
    if (report->cavities_further > 0)
        fprintf(stream, "%10.4g m3  in %zu smaller one%s\n", report->volume_further, report->cavities_further,
                report->cavities_further == 1 ? "" : "s");
}

static void print_area(FILE *stream, double area)
{
    fprintf(stream, area < 1e7 ? "%11.2f m2 " : "%11.4g m2 ", area);
}

/* Print one number, or those at 125, 500 and 2000 Hz, and their origin. */
static void print_absorption(FILE *stream, const struct surface *surface)
{
    char words[SURFACE_WORDS_MAX];
    if (surface->origin == SURFACE_ASSUMED)
        fprintf(stream, " none known, %.3g here\n", surface->octave[3]);
    else if (surface->form == SURFACE_NUMBER)
        fprintf(stream, " %-23.3g %s\n", surface->octave[3], surface_words(surface, words));
    else
        fprintf(stream, " %-7.3g %-7.3g %-7.3g %s\n", surface->octave[1], surface->octave[3],
                surface->octave[5], surface_words(surface, words));
}

static void print_materials(FILE *stream, const struct room_check *check)
{
    const struct room_setup *setup = &check->setup;
    const struct check_report *report = &check->report;
    fprintf(stream, "\n%-24s", "Materials");
    if (report->reached_known)
        fprintf(stream, " %14s", "reached by air");
    fprintf(stream, " %14s  absorption\n", "in the model");
    for (size_t m = 0; m < setup->model.mesh.material_count; m++) {
        char name[CHECK_NAME_MAX];
        check_name(setup->model.mesh.material[m], name);
        fprintf(stream, "  %s%*s ", name, cut_text_blanks(name, 22), "");
        if (report->reached_known)
            print_area(stream, report->material[m].reached);
        print_area(stream, setup->model.area[m]);
        print_absorption(stream, &setup->model.surface[m]);
    }
}

/* Print behind the verdict why simulate would stop. */
static void print_missing(FILE *stream, const struct room_check *check)
{
    const struct room_request *request = &check->setup.request;
    char missing[CHECK_WHY_MAX], line[CHECK_WHY_MAX + 1400] = "";
    if (check_report_worst(&check->report) == CHECK_UNFIT ||
        check_report_missing(&check->report, missing)[0] == '\0')
        return;
    text_append(line, sizeof line, "simulate will stop: %s", missing);
    if (request->model.project == NULL)
        text_append(line, sizeof line,
                    "; `transept new %s -o PROJECT.yaml` writes a project with guesses, which it runs",
                    request->model.file);
    blot_control_characters(line);
    print_wrapped(stream, line, 0);
}

void check_print_words(FILE *stream, const struct room_check *check, bool quiet)
{
    const struct check_report *report = &check->report;
    char why[CHECK_WHY_MAX], line[CHECK_WHY_MAX + 200] = "";
    if (!quiet)
        print_head(stream, check);
    print_findings(stream, report);
    if (!quiet) {
        print_cavities(stream, report);
        print_materials(stream, check);
    }
    text_append(line, sizeof line, "Verdict: %s", check_report_verdict(report));
    if (check_report_why(report, why)[0] != '\0')
        text_append(line, sizeof line, ": %s", why);
    fputc('\n', stream);
    print_wrapped(stream, line, 0);
    print_missing(stream, check);
}

void check_print_interrupted(FILE *stream, const struct room_check *check)
{
    print_findings(stream, &check->report);
    fputs("\nInterrupted: there may be other findings, and there is no verdict\n", stream);
}
