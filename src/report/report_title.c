#include "src/report/report_title.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/text_buffer.h"

/* What a run's room is called; empty where the file is not known. `length` is without its extension. */
static const char *room_of(const struct report *report, size_t run, size_t *length)
{
    const struct record_mesh *mesh = report->run[run].model->room.mesh;
    const char *file = mesh != NULL ? mesh->file : NULL;
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : file != NULL ? file : "";
    const char *dot = strrchr(name, '.');
    *length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    return name;
}

static int put(struct text_buffer *title, const char *text, struct failure *failure)
{
    return text_put(title, text, strlen(text), failure);
}

/* "church (run_355)" */
static int put_run(struct text_buffer *title, const struct report *report, size_t run,
                   struct failure *failure)
{
    size_t length = 0;
    const char *room = room_of(report, run, &length), *folder = report->run[run].name;
    if (length == 0 || (strlen(folder) == length && strncmp(room, folder, length) == 0))
        return put(title, folder, failure);
    TRY(text_put(title, room, length, failure));
    TRY(put(title, " (", failure));
    TRY(put(title, folder, failure));
    return put(title, ")", failure);
}

static int put_default(struct text_buffer *title, const struct report *report, struct failure *failure)
{
    size_t length[2] = {0};
    TRY(put(title, "Room acoustics: ", failure));
    if (report->runs < 2)
        return put_run(title, report, 0, failure);
    const char *first = room_of(report, 0, &length[0]), *second = room_of(report, 1, &length[1]);
    if (length[0] > 0 && length[0] == length[1] && strncmp(first, second, length[0]) == 0) {
        TRY(text_put(title, first, length[0], failure));
        TRY(put(title, " (", failure));
        TRY(put(title, report->run[0].name, failure));
        TRY(put(title, " and ", failure));
        TRY(put(title, report->run[1].name, failure));
        return put(title, ")", failure);
    }
    TRY(put_run(title, report, 0, failure));
    TRY(put(title, " and ", failure));
    return put_run(title, report, 1, failure);
}

int report_title_add(struct report *report, const char *given, struct failure *failure)
{
    struct text_buffer title = {0};
    if (given != NULL && given[strspn(given, " \t\r\n")] == '\0')
        return failure_set(failure, FAILURE_INPUT, "--title has nothing to read in it");
    int code = given != NULL ? put(&title, given, failure) : put_default(&title, report, failure);
    if (code == 0)
        report->title = title.data;
    else
        free(title.data);
    return code;
}
