#include "geometry/base/search_queue.h"

#include <stdlib.h>

#include "geometry/base/array_room.h"

void search_queue_free(struct search_queue *queue)
{
    free(queue->now);
    free(queue->later);
    *queue = (struct search_queue){0};
}

int search_queue_push(struct search_queue *queue, uint64_t entry, const char *purpose,
                      struct failure *failure)
{
    if (queue->later_count == queue->later_room) {
        uint64_t *grown = array_room(queue->later, &queue->later_room, queue->later_count + 1, sizeof *grown,
                                     purpose, failure);
        if (grown == NULL)
            return FAILURE_CAPACITY;
        queue->later = grown;
    }
    queue->later[queue->later_count++] = entry;
    return 0;
}

bool search_queue_pop(struct search_queue *queue, uint64_t *entry)
{
    if (queue->now_head == queue->now_count)
        *queue = (struct search_queue){.now = queue->later,
                                       .now_count = queue->later_count,
                                       .now_room = queue->later_room,
                                       .later = queue->now,
                                       .later_room = queue->now_room};
    if (queue->now_head == queue->now_count)
        return false;
    *entry = queue->now[queue->now_head++];
    return true;
}

void search_heap_free(struct search_heap *heap)
{
    free(heap->at);
    *heap = (struct search_heap){0};
}

int search_heap_push(struct search_heap *heap, double key, uint64_t entry, const char *purpose,
                     struct failure *failure)
{
    struct keyed_entry *grown =
        array_room(heap->at, &heap->room, heap->count + 1, sizeof *grown, purpose, failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    heap->at = grown;
    size_t at = heap->count++;
    for (; at > 0 && heap->at[(at - 1) / 2].key > key; at = (at - 1) / 2)
        heap->at[at] = heap->at[(at - 1) / 2];
    heap->at[at] = (struct keyed_entry){key, entry};
    return 0;
}

struct keyed_entry search_heap_pop(struct search_heap *heap)
{
    const struct keyed_entry top = heap->at[0], last = heap->at[--heap->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && heap->at[child + 1].key < heap->at[child].key)
            child++;
        if (heap->at[child].key >= last.key)
            break;
        heap->at[at] = heap->at[child];
        at = child;
    }
    heap->at[at] = last;
    return top;
}
