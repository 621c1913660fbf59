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

/* What tells a response from the others: "pulpit_pew", or with several folders "variant_pulpit_pew". */
static int add_stem(struct text_buffer *text, const struct listening_list *list,
                    const struct listening_item *item, struct failure *failure)
{
    char *label = listening_label(item->response);
    if (label == NULL)
        return failure_memory(failure, strlen(item->response), "a name");
    const char *stem = strncmp(label, "ir_", 3) == 0 ? label + 3 : label;
    const int length = (int)(strlen(stem) - (listening_is_wav(stem) ? 4 : 0));
    const int code = list->run_count > 1
                         ? text_print(text, failure, "_%s_%.*s", item->run->label, length, stem)
                         : text_print(text, failure, "_%.*s", length, stem);
    free(label);
    return code;
}

static bool is_taken(const struct listening_list *list, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++)
        if (strcmp(list->item[i].name, name) == 0)
            return true;
    return false;
}

/* `base` is "listen", or what -o NAME.wav begins with. */
static int name_item(struct listening_list *list, size_t i, const char *base, struct failure *failure)
{
    struct text_buffer text = {0};
    const struct heard *heard = &list->heard[i];
    int code = text_print(&text, failure, "%s", base);
    if (code == 0 && list->item[i].response != NULL && list->folder != NULL)
        code = add_stem(&text, list, &list->item[i], failure);
    if (code == 0 && heard->kind == HEARD_EXTENDED)
        code = text_print(&text, failure, "_extended");
    if (code == 0 && heard->kind == HEARD_DRY)
        code = text_print(&text, failure, "_dry");
    if (code == 0 && heard->kind == HEARD_DRY_LOW_PASSED)
        code = text_print(&text, failure, "_dry_lowpassed");
    if (code == 0 && heard->kind == HEARD_DRY_LOW_PASSED && !is_single_band(list))
        code = text_print(&text, failure, "_%.0fhz", heard->fmax);
    for (int again = 2; code == 0; again++) {
        char *name = malloc(strlen(text.data) + 32);
        if (name == NULL) {
            code = failure_memory(failure, strlen(text.data), "a name");
            break;
        }
        if (again == 2)
            sprintf(name, "%s.wav", text.data);
        else
            sprintf(name, "%s_%d.wav", text.data, again - 1);
        list->item[i].name = name;
        if (!is_taken(list, i, name))
            break;
        free(name);
        list->item[i].name = NULL;
    }
    free(text.data);
    return code;
}

int listening_names_make(struct listening_list *list, const char *output, struct failure *failure)
{
    char *base = list->folder != NULL ? strdup("listen") : strndup(output, strlen(output) - 4);
    int code = base != NULL ? 0 : failure_memory(failure, 1, "a name");
    for (size_t i = 0; code == 0 && i < list->count; i++)
        code = name_item(list, i, base, failure);
    if (code == 0 && (list->record = malloc(strlen(base) + 6)) == NULL)
        code = failure_memory(failure, strlen(base), "a name");
    if (code == 0)
        sprintf(list->record, "%s.json", base);
    free(base);
    return code;
}
