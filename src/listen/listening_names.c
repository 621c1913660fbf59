#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/text_buffer.h"
#include "src/listen/listening_list.h"

bool listening_is_wav(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcasecmp(path + length - 4, ".wav") == 0;
}

char *listening_label(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    char *label = strndup(path + start, length - start);
    for (char *c = label; c != NULL && *c != '\0'; c++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", *c) == NULL)
            *c = '_';
    return label;
}

static bool is_single_band(const struct listening_list *list)
{
    size_t bands = 0;
    for (size_t i = 0; i < list->count; i++)
        bands += list->heard[i].kind == HEARD_DRY_LOW_PASSED;
    return bands == 1;
}

/* Add the distinguishing part of a name: "pulpit_pew", of a mix "pew", or with several folders
 * "variant_pulpit_pew". */
static int add_stem(struct text_buffer *text, const struct listening_list *list, const struct heard *heard,
                    struct failure *failure)
{
    const bool mixed = heard->record.mixed.count > 0;
    const char *response = mixed ? heard->record.mixed.item[0].response : heard->record.response;
    char *label = listening_label(response);
    if (label == NULL)
        return failure_memory(failure, strlen(response), "a name");
    const char *stem = strncmp(label, "ir_", 3) == 0 ? label + 3 : label;
    const size_t source = mixed ? strlen(heard->of->source) : 0;
    if (mixed && strncmp(stem, heard->of->source, source) == 0 && stem[source] == '_')
        stem += source + 1;
    int code = text_put(text, "_", 1, failure);
    if (code == 0 && list->run_count > 1)
        code = text_put(text, heard->label, strlen(heard->label), failure);
    if (code == 0 && list->run_count > 1)
        code = text_put(text, "_", 1, failure);
    if (code == 0)
        code = text_put(text, stem, strlen(stem) - (listening_is_wav(stem) ? 4 : 0), failure);
    free(label);
    return code;
}

static bool is_taken(const struct listening_list *list, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++)
        if (strcasecmp(list->heard[i].record.file, name) == 0) /* some disks take both for one */
            return true;
    return false;
}

/* `length` letters of `base`: "listen", or the beginning of the one file's name. */
static int name_sound(struct listening_list *list, size_t i, const char *base, size_t length,
                      struct failure *failure)
{
    static const char *const kind[] = {
        [HEARD_RESPONSE] = "", [HEARD_DRY] = "_dry", [HEARD_DRY_LOW_PASSED] = "_dry_lowpassed"};
    struct text_buffer text = {0};
    struct heard *heard = &list->heard[i];
    int code = text_put(&text, base, length, failure);
    if (code == 0 && heard->kind == HEARD_RESPONSE && list->folder != NULL)
        code = add_stem(&text, list, heard, failure);
    if (code == 0)
        code = text_print(&text, failure, "%s", kind[heard->kind]);
    if (code == 0 && heard->kind == HEARD_DRY_LOW_PASSED && !is_single_band(list))
        code = text_print(&text, failure, "_%.0fhz", heard->record.fmax);
    const size_t stem = text.size;
    for (int again = 1; code == 0; again++) {
        text.size = stem;
        code = again == 1 ? text_print(&text, failure, ".wav") : text_print(&text, failure, "_%d.wav", again);
        if (code == 0 && !is_taken(list, i, text.data)) {
            heard->record.file = text.data;
            return 0;
        }
    }
    free(text.data);
    return code;
}

int listening_names_make(struct listening_list *list, const char *output, struct failure *failure)
{
    const char *base = list->folder != NULL ? "listen" : output;
    const size_t length = strlen(base) - (list->folder != NULL ? 0 : strlen(".wav"));
    struct text_buffer record = {0};
    for (size_t i = 0; i < list->count; i++)
        TRY(name_sound(list, i, base, length, failure));
    int code = text_put(&record, base, length, failure);
    if (code == 0)
        code = text_print(&record, failure, ".json");
    list->record = record.data;
    return code;
}
