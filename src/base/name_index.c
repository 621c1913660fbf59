#include "src/base/name_index.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/lower_bound.h"

void name_index_free(struct name_index *index)
{
    free(index->entry);
    *index = (struct name_index){0};
}

int name_index_add_pair(struct name_index *index, const char *name, const char *second, size_t at,
                        struct failure *failure)
{
    if (name == NULL || second == NULL)
        return 0;
    if (index->count == index->room) {
        const size_t room = index->room + index->room / 2 + 64;
        struct name_entry *grown = realloc(index->entry, room * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, room * sizeof *grown, "an index of names");
        index->entry = grown;
        index->room = room;
    }
    index->entry[index->count++] = (struct name_entry){name, second, at};
    return 0;
}

int name_index_add(struct name_index *index, const char *name, size_t at, struct failure *failure)
{
    return name_index_add_pair(index, name, "", at, failure);
}

typedef int compare_text(const char *a, const char *b);

static int compare_names(const struct name_entry *entry, const char *name, const char *second,
                         compare_text *compare)
{
    const int order = compare(entry->name, name);
    return order != 0 ? order : compare(entry->second, second);
}

static int compare_entries(const struct name_entry *one, const struct name_entry *other,
                           compare_text *compare)
{
    const int order = compare_names(one, other->name, other->second, compare);
    return order != 0 ? order : (one->at > other->at) - (one->at < other->at);
}

static int compare_exact(const void *a, const void *b)
{
    return compare_entries(a, b, strcmp);
}

static int compare_ignoring_case(const void *a, const void *b)
{
    return compare_entries(a, b, strcasecmp);
}

void name_index_sort(struct name_index *index)
{
    if (index->count > 1)
        qsort(index->entry, index->count, sizeof *index->entry,
              index->ignore_case ? compare_ignoring_case : compare_exact);
}

int name_index_make(const void *first, size_t stride, size_t count, struct name_index *out,
                    struct failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        const char *name;
        memcpy(&name, (const char *)first + i * stride, sizeof name);
        TRY(name_index_add(out, name, i, failure));
    }
    name_index_sort(out);
    return 0;
}

size_t name_index_find_pair(const struct name_index *index, const char *name, const char *second)
{
    size_t low = 0, high = index->count;
    compare_text *const compare = index->ignore_case ? strcasecmp : strcmp;
    if (name == NULL || second == NULL)
        return NAME_INDEX_NONE;
    LOWER_BOUND(low, high, at, compare_names(&index->entry[at], name, second, compare) < 0);
    return low < index->count && compare_names(&index->entry[low], name, second, compare) == 0
               ? index->entry[low].at
               : NAME_INDEX_NONE;
}

size_t name_index_find(const struct name_index *index, const char *name)
{
    return name_index_find_pair(index, name, "");
}
