/** Finds items of a list by their names, or pairs of names, without a search through all of them. Sorted, so
 * that no choice of names makes it slow: O(n log n) to make, O(log n) to find.
 */
#ifndef SRC_NAME_INDEX_H
#define SRC_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

struct name_entry {
    const char *name, *second; /* second: "" of a single name */
    size_t at;
};

/** Zeroed is empty; freed by name_index_free(). Names are borrowed. */
struct name_index {
    bool ignore_case; /* of ASCII letters; set it before the names are sorted */
    size_t count, room;
    struct name_entry *entry;
};

#define NAME_INDEX_NONE SIZE_MAX

/** Add an item's name; NULL adds nothing. Add all names before name_index_sort(). */
int name_index_add(struct name_index *index, const char *name, size_t at, struct failure *failure);
/** Add a pair of names; nothing is added if one is NULL. */
int name_index_add_pair(struct name_index *index, const char *name, const char *second, size_t at,
                        struct failure *failure);
void name_index_sort(struct name_index *index);

/** A sorted index of `count` items in an array: `first` is the first one's name, each further name is
 * `stride` bytes behind. `out` must be empty. */
int name_index_make(const void *first, size_t stride, size_t count, struct name_index *out,
                    struct failure *failure);

/** The lowest `at` of that name; NAME_INDEX_NONE if it is missing, or NULL. */
size_t name_index_find(const struct name_index *index, const char *name);
size_t name_index_find_pair(const struct name_index *index, const char *name, const char *second);
void name_index_free(struct name_index *index);

#endif
