/** What waits in a search: first in, first out; or the one with the least key first. */
#ifndef GEOMETRY_SEARCH_QUEUE_H
#define GEOMETRY_SEARCH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

/** First in, first out. Owned, freed by search_queue_free(); zeroed is empty. */
struct search_queue {
    uint64_t *entry;
    size_t head, count, room; /* entries head .. count-1 wait */
};
void search_queue_free(struct search_queue *queue);

/** FAILURE_CAPACITY; `purpose` is what the memory was for, as in failure_memory(). */
int search_queue_push(struct search_queue *queue, uint64_t entry, const char *purpose,
                      struct failure *failure);

/** False when nothing waits. */
static inline bool search_queue_pop(struct search_queue *queue, uint64_t *entry)
{
    if (queue->head == queue->count)
        return false;
    *entry = queue->entry[queue->head++];
    return true;
}

struct keyed_entry {
    double key;
    uint64_t entry;
};

/** A binary heap with the least key on top; the order of equal keys depends on that of the calls alone.
 * Owned, freed by search_heap_free(); zeroed is empty. */
struct search_heap {
    struct keyed_entry *at;
    size_t count, room;
};
void search_heap_free(struct search_heap *heap);

/** As search_queue_push(). */
int search_heap_push(struct search_heap *heap, double key, uint64_t entry, const char *purpose,
                     struct failure *failure);

/** Of a heap with an entry at least. */
struct keyed_entry search_heap_pop(struct search_heap *heap);

#endif
