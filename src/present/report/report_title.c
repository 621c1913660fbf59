#include "src/present/report/report_title.h"

#include <stdio.h>
#include <string.h>

#include "src/base/path_text.h"
#include "src/base/words/words.h"

const char *report_room_name(const struct report *report, size_t run, int *length)
{
    const struct record_mesh *mesh = report->run[run].model->room.mesh;
    const char *file = mesh != NULL ? mesh->file : NULL;
    const char *name = file != NULL ? path_name(file) : "";
    const char *dot = strrchr(name, '.');
    *length = dot != NULL && dot != name ? (int)(dot - name) : (int)strlen(name);
    return name;
}

static void put_variant(FILE *title, const struct run_model *model)
{
    const char *const variant = model->room.project != NULL ? model->room.project->variant : NULL;
    if (variant != NULL)
        fprintf(title, T(", variant %s"), variant);
}

/* "church, variant full"; the folder's name where that of the room is not known. */
static void put_run(FILE *title, const struct report *report, size_t run)
{
    int length;
    const char *room = report_room_name(report, run, &length);
    if (length > 0)
        fprintf(title, "%.*s", length, room);
    else
        fputs(report->run[run].name, title);
    put_variant(title, report->run[run].model);
}

static void put_default(FILE *title, const struct report *report)
{
    const size_t count = report->given;
    int length, other;
    bool same = count > 1;
    const char *room = report_room_name(report, 0, &length);
    for (size_t r = 1; r < count; r++) {
        const char *of = report_room_name(report, r, &other);
        same = same && length > 0 && length == other && strncmp(room, of, (size_t)length) == 0;
    }
    fputs(T("Room acoustics: "), title);
    if (same)
        fprintf(title, "%.*s (", length, room);
    if (count > 2)
        fprintf(title, T("%s and %zu variants"), report->run[0].name, count - 1);
    for (size_t r = 0; r < count && count <= 2; r++) {
        fputs(r > 0 ? T(" and ") : "", title);
        if (same)
            fputs(report->run[r].name, title);
        else
            put_run(title, report, r);
    }
    fputs(same ? ")" : "", title);
}

int report_title_add(struct report *report, const char *given, struct failure *failure)
{
    const char *const own = report->page != NULL ? report->page->title : NULL;
    size_t size = 0;
    if (given != NULL && given[strspn(given, " \t\r\n")] == '\0')
        return failure_set(failure, FAILURE_INPUT, "the title has nothing to read in it");
    FILE *title = open_memstream(&report->title, &size);
    if (title == NULL)
        return report_no_memory(failure);
    if (given != NULL)
        fputs(given, title);
    else if (own != NULL)
        fputs(own, title);
    else
        put_default(title, report);
    if (given == NULL && own != NULL && report->given == 1)
        put_variant(title, report->run[0].model);
    return fclose(title) == 0 ? 0 : report_no_memory(failure);
}
