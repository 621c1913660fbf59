/** Queues of a search: first in, first out; or least key first. */
#ifndef GEOMETRY_SEARCH_QUEUE_H
#define GEOMETRY_SEARCH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

/** First in, first out. New entries gather in `later`, which becomes `now` once that is empty, so both stay
 * in the caches. Owned, freed by search_queue_free(); zeroed is empty. */
struct search_queue {
    uint64_t *now, *later;
    size_t now_head, now_count, now_room; /* now_head .. now_count-1 wait */
    size_t later_count, later_room;
};
void search_queue_free(struct search_queue *queue);

/** FAILURE_CAPACITY; `purpose` as in failure_memory(). */
int search_queue_push(struct search_queue *queue, uint64_t entry, const char *purpose,
                      struct failure *failure);

/** False if the queue is empty. */
bool search_queue_pop(struct search_queue *queue, uint64_t *entry);

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

/** Remove the entry with the least key; the heap must not be empty. */
struct keyed_entry search_heap_pop(struct search_heap *heap);

#endif
