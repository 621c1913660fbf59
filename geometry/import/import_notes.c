#include "geometry/import/import_notes.h"

#include <stdarg.h>
#include <stdio.h>

void import_notes_add(struct import_notes *notes, enum import_weight weight, const char *fix,
                      const char *format, ...)
{
    if (notes->count == IMPORT_NOTES_MAX && notes->note[IMPORT_NOTES_MAX - 1].weight >= weight)
        return;
    if (notes->count < IMPORT_NOTES_MAX)
        ++notes->count;
    struct import_note *note = &notes->note[notes->count - 1];
    va_list arguments;
    va_start(arguments, format);
    note->weight = weight;
    (void)vsnprintf(note->what, sizeof note->what, format, arguments);
    (void)snprintf(note->fix, sizeof note->fix, "%s", fix != NULL ? fix : "");
    va_end(arguments);
    blot_control_characters(note->what);
}

int import_notes_no_triangles(const struct import_notes *notes, struct failure *failure)
{
    const struct import_note *most = NULL;
    for (size_t n = 0; n < notes->count; ++n)
        if (most == NULL || notes->note[n].weight > most->weight)
            most = &notes->note[n];
    if (most == NULL || most->weight == IMPORT_HARMLESS)
        return failure_set(failure, FAILURE_INPUT, "the mesh has no triangles");
    const int code = failure_set(failure, FAILURE_INPUT, "the mesh has no triangles: %s", most->what);
    return failure_fix(code, failure, "%s", most->fix);
}
