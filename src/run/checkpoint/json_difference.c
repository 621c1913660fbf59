#include "src/run/checkpoint/json_difference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PATH_MAX_  200
#define VALUE_MAX_ 120

struct search {
    size_t found;
    char *text;
    char path[PATH_MAX_];
};

/* A value in words. */
static void word(const cJSON *item, char text[VALUE_MAX_])
{
    if (item == NULL || cJSON_IsNull(item))
        (void)snprintf(text, VALUE_MAX_, "none");
    else if (cJSON_IsString(item))
        (void)snprintf(text, VALUE_MAX_, "%.100s", item->valuestring);
    else if (cJSON_IsNumber(item))
        (void)snprintf(text, VALUE_MAX_, "%.15g", item->valuedouble);
    else if (cJSON_IsBool(item))
        (void)snprintf(text, VALUE_MAX_, cJSON_IsTrue(item) ? "yes" : "no");
    else
        (void)snprintf(text, VALUE_MAX_, "%d of them", cJSON_GetArraySize(item));
}

static void tell(struct search *search, const cJSON *was, const cJSON *now)
{
    char before[VALUE_MAX_], after[VALUE_MAX_];
    if (search->found++ > 0)
        return;
    word(was, before);
    word(now, after);
    (void)snprintf(search->text, JSON_DIFFERENCE_MAX, "%s was %s and is %s", search->path, before, after);
}

static void look(struct search *search, const cJSON *was, const cJSON *now);

/* Inside of a member or entry, whose name is added to the path meanwhile. */
static void look_in(struct search *search, const cJSON *was, const cJSON *now, const char *name, int entry)
{
    const size_t length = strlen(search->path), room = sizeof search->path - length;
    const cJSON *called = cJSON_GetObjectItemCaseSensitive(now, "name");
    if (name != NULL)
        (void)snprintf(search->path + length, room, "%s%s", length > 0 ? "." : "", name);
    else if (cJSON_IsString(called))
        (void)snprintf(search->path + length, room, " %.60s", called->valuestring);
    else
        (void)snprintf(search->path + length, room, "[%d]", entry);
    look(search, was, now);
    search->path[length] = '\0';
}

static void look_through(struct search *search, const cJSON *was, const cJSON *now)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, now)
        look_in(search, cJSON_GetObjectItemCaseSensitive(was, item->string), item, item->string, 0);
    cJSON_ArrayForEach(item, was) if (cJSON_GetObjectItemCaseSensitive(now, item->string) == NULL)
        look_in(search, item, NULL, item->string, 0);
}

static void look(struct search *search, const cJSON *was, const cJSON *now)
{
    if (cJSON_IsObject(was) && cJSON_IsObject(now)) {
        look_through(search, was, now);
    } else if (cJSON_IsArray(was) && cJSON_IsArray(now) &&
               cJSON_GetArraySize(was) == cJSON_GetArraySize(now)) {
        int entry = 0;
        const cJSON *other = was->child, *item;
        cJSON_ArrayForEach(item, now)
        {
            look_in(search, other, item, NULL, entry++);
            other = other->next;
        }
    } else if (!cJSON_Compare(was, now, true) && !(cJSON_IsNull(was) && now == NULL) &&
               !(cJSON_IsNull(now) && was == NULL)) {
        tell(search, was, now);
    }
}

size_t json_difference(const cJSON *was, const cJSON *now, char text[JSON_DIFFERENCE_MAX])
{
    struct search search = {.text = text};
    text[0] = '\0';
    look(&search, was, now);
    if (search.found > 1) {
        const size_t length = strlen(text);
        (void)snprintf(text + length, JSON_DIFFERENCE_MAX - length, " (and %zu more)", search.found - 1);
    }
    return search.found;
}
