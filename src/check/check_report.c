#include "src/check/check_report.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/cut_text.h"
#include "src/base/options/failure_text.h"

const struct check_kind_facts check_kinds[CHECK_KINDS] = {
    [CHECK_UNITS] = {"units", "m", "its size is unlikely for a room"},
    [CHECK_UNREAD] = {"unread", "", "a part of its file is not read"},
    [CHECK_LEAK] = {"leak", "m", "it is not closed"},
    [CHECK_OPENINGS] = {"openings", "openings", ""},
    [CHECK_NOT_ENCLOSED] = {"not_enclosed", "m3", "it may enclose no room"},
    [CHECK_POINT_OUTSIDE] = {"point_outside", "", "a position is outside"},
    [CHECK_POINT_IN_WALL] = {"point_in_wall", "", "a position is in a wall"},
    [CHECK_POINT_APART] = {"point_in_other_cavity", "", "positions have no air in common"},
    [CHECK_AXES] = {"axes", "", "it may lie on its side"},
    [CHECK_LEAK_FINER] = {"leak_finer", "m", "it leaks on a finer grid"},
    [CHECK_SPACING] = {"coarser_spacing", "m", "its own grid does not fit this machine"},
    [CHECK_NARROW] = {"narrow_openings", "m", "openings are narrow for the grid"},
    [CHECK_SHEETS_LOST] = {"sheets_lost", "m2", "sheets are not all in the grid"},
    [CHECK_COPLANAR] = {"coplanar_faces", "m2", "faces of two materials overlap"},
    [CHECK_CURTAIN] = {"curtain", "m2", "a face in the air transmits nothing"},
    [CHECK_SIDE_CAVITY] = {"source_in_side_cavity", "", "the sources are not in the largest space"},
    [CHECK_WHICH_ROOM] = {"which_room", "spaces", "it has more than one closed space"},
    [CHECK_ORIGIN] = {"far_from_origin", "m", "it is far from the origin"},
    [CHECK_ABSORPTION_MISSING] = {"absorption_missing", "m2", "materials have no absorption"},
    [CHECK_ABSORPTION_LIMITED] = {"absorption_limited", "", ""},
    [CHECK_NO_SOURCE] = {"no_source", "", "no source is given"},
    [CHECK_NO_RECEIVER] = {"no_receiver", "", "no receiver is given"},
    [CHECK_RECEIVER_GRID] = {"receiver_grid", "points", "a receiver grid has no points"},
    [CHECK_FINER_UNKNOWN] = {"finer_unknown", "m", ""},
    [CHECK_OPEN_SCENE] = {"open_scene", "links", ""},
    [CHECK_SEALED] = {"sealed", "cracks", ""},
    [CHECK_UNREACHED] = {"unreached_surfaces", "m2", ""},
    [CHECK_OPEN_EDGES] = {"open_edges", "edges", ""},
    [CHECK_NONMANIFOLD_EDGES] = {"nonmanifold_edges", "edges", ""},
    [CHECK_INTERSECTIONS] = {"intersecting_faces", "pairs", ""},
    [CHECK_DUPLICATES] = {"duplicate_faces", "triangles", ""},
    [CHECK_DEGENERATE] = {"degenerate_faces", "triangles", ""},
    [CHECK_CUT_CELLS] = {"cut_cells", "cells", ""},
    [CHECK_VOXELS] = {"voxels", "faces", ""},
};

void check_report_free(struct check_report *report)
{
    for (size_t i = 0; i < report->leak_count; i++)
        voxel_leak_free(&report->leak[i].leak);
    free(report->finding);
    free(report->leak);
    free(report->cavity);
    free(report->material);
    *report = (struct check_report){0};
}

int check_report_add_leak(struct check_report *report, struct check_leak *leak, struct failure *failure)
{
    struct check_leak *grown = realloc(report->leak, (report->leak_count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (report->leak_count + 1) * sizeof *grown, "leaks");
    report->leak = grown;
    report->leak[report->leak_count++] = *leak;
    leak->leak = (struct voxel_leak){0};
    return 0;
}

static int compare_findings(const void *a, const void *b)
{
    const struct check_finding *one = a, *two = b;
    if (one->severity != two->severity)
        return one->severity < two->severity ? -1 : 1;
    if (one->kind != two->kind)
        return one->kind < two->kind ? -1 : 1;
    return one->number < two->number ? -1 : 1;
}

void check_report_sort(struct check_report *report)
{
    if (report->finding_count > 0)
        qsort(report->finding, report->finding_count, sizeof *report->finding, compare_findings);
}

enum check_severity check_report_worst(const struct check_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
        if (report->finding[i].severity != CHECK_MISSING)
            return report->finding[i].severity;
    return CHECK_HARMLESS;
}

const char *check_report_verdict(const struct check_report *report)
{
    static const char *const verdict[CHECK_SEVERITIES] = {
        [CHECK_UNFIT] = "unfit", [CHECK_DOUBTFUL] = "fit with doubts", [CHECK_HARMLESS] = "fit"};
    return verdict[check_report_worst(report)];
}

/* The reasons of a severity; each kind is named once. */
static const char *why_of(const struct check_report *report, enum check_severity severity,
                          char text[CHECK_WHY_MAX])
{
    bool named[CHECK_KINDS] = {false};
    text[0] = '\0';
    for (size_t i = 0; severity != CHECK_HARMLESS && i < report->finding_count; i++) {
        const struct check_finding *finding = &report->finding[i];
        if (finding->severity != severity || named[finding->kind] ||
            check_kinds[finding->kind].why[0] == '\0')
            continue;
        named[finding->kind] = true;
        text_append(text, CHECK_WHY_MAX, "%s%s", text[0] != '\0' ? "; " : "", check_kinds[finding->kind].why);
    }
    return text;
}

const char *check_report_why(const struct check_report *report, char text[CHECK_WHY_MAX])
{
    return why_of(report, check_report_worst(report), text);
}

const char *check_report_missing(const struct check_report *report, char text[CHECK_WHY_MAX])
{
    return why_of(report, CHECK_MISSING, text);
}

/* ---- findings ---- */

static struct check_finding *next_finding(struct check_report *report)
{
    if (report->finding_count == report->finding_room) {
        const size_t room = report->finding_room == 0 ? 16 : 2 * report->finding_room;
        struct check_finding *grown = realloc(report->finding, room * sizeof *grown);
        if (grown == NULL) {
            report->incomplete = true;
            return &report->lost;
        }
        report->finding = grown;
        report->finding_room = room;
    }
    return &report->finding[report->finding_count++];
}

static void append_text(char *text, size_t size, const char *format, va_list arguments)
{
    const size_t used = strlen(text);
    (void)vsnprintf(text + used, size - used, format, arguments);
}

struct check_finding *check_report_add(struct check_report *report, enum check_severity severity,
                                       enum check_kind kind, const char *format, ...)
{
    struct check_finding *finding = next_finding(report);
    *finding = (struct check_finding){
        .severity = severity, .kind = kind, .value = NAN, .number = report->finding_count};
    va_list arguments;
    va_start(arguments, format);
    append_text(finding->what.sentence, sizeof finding->what.sentence, format, arguments);
    va_end(arguments);
    return finding;
}

int check_report_complete(const struct check_report *report, struct failure *failure)
{
    return report->incomplete ? failure_memory(failure, sizeof report->lost, "findings") : 0;
}

void check_finding_say(struct check_finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append_text(finding->what.sentence, sizeof finding->what.sentence, format, arguments);
    va_end(arguments);
}

void check_finding_place(struct check_finding *finding, const double place[3], double size)
{
    if (finding->place_count == CHECK_PLACES)
        return;
    memcpy(finding->place[finding->place_count], place, sizeof finding->place[0]);
    finding->length[finding->place_count] = NAN;
    finding->size[finding->place_count++] = size;
}

void check_finding_list(struct check_finding *finding, const char *lead, const double place[3], double size,
                        const char *what)
{
    char length[CHECK_LENGTH_MAX], where[ROOM_PLACE_MAX];
    if (finding->place_count < CHECK_PLACES_SAID)
        check_finding_say(finding, "%s %s%s at %s", finding->place_count > 0 ? ";" : lead,
                          check_length(size, length), what, room_place(place, where));
    check_finding_place(finding, place, size);
}

/* Append `text` to `out` as a sentence of its own; nothing for an empty text. */
static void add_sentence(char out[CHECK_TEXT_MAX], const char *text)
{
    const size_t used = strlen(out);
    if (text[0] == '\0')
        return;
    text_append(out, CHECK_TEXT_MAX, "%s%c%s.", used > 0 ? " " : "", toupper((unsigned char)text[0]),
                text + 1);
}

const char *check_finding_sentence(const struct check_finding *finding, char text[CHECK_TEXT_MAX])
{
    text[0] = '\0';
    add_sentence(text, finding->what.sentence);
    blot_control_characters(text);
    return text;
}

const char *check_finding_advice(const struct check_finding *finding, char text[CHECK_TEXT_MAX])
{
    char fix[FAILURE_FIX_MAX];
    text[0] = '\0';
    add_sentence(text, failure_fix_text(&finding->what, fix));
    add_sentence(text, finding->what.note);
    blot_control_characters(text);
    return text;
}

/* ---- words ---- */

const char *check_length(double metres, char text[CHECK_LENGTH_MAX])
{
    if (metres < 0.01)
        snprintf(text, CHECK_LENGTH_MAX, "%.2g mm", 1000 * metres);
    else if (metres < 1)
        snprintf(text, CHECK_LENGTH_MAX, "%.3g cm", 100 * metres);
    else if (metres < 1000)
        snprintf(text, CHECK_LENGTH_MAX, "%.3g m", metres);
    else
        snprintf(text, CHECK_LENGTH_MAX, "%.3g km", metres / 1000);
    return text;
}

const char *check_name(const char *name, char text[CHECK_NAME_MAX])
{
    enum { MOST = 60 };
    const int length = cut_text_bytes(name, MOST);
    snprintf(text, CHECK_NAME_MAX, "%.*s%s", length, name, name[length] != '\0' ? ".." : "");
    return text;
}
