#include "kernels/engine/engine_share.h"

#include "kernels/engine/engine_state.h"

/* Pieces of a share, and blocks of a piece, which take some tens of microseconds: as long as a thread looks
 * before it goes to sleep (step_barrier.c). */
#define PIECES      128
#define PIECE_LEAST 16

void engine_share_of(const struct engine *engine, int thread, int threads, uint64_t *first, uint64_t *last)
{
    const uint64_t begin = step_first_unit(&engine->room), units = step_last_unit(&engine->room) - begin;
    const uint64_t n = (uint64_t)threads, t = (uint64_t)thread;
    *first = begin + units / n * t + (units % n < t ? units % n : t);
    *last = *first + units / n + (t < units % n ? 1 : 0);
}

static uint64_t piece_of(const struct engine *engine, uint64_t units)
{
    const uint64_t piece = (units + PIECES - 1) / PIECES;
    return engine->room.box != NULL ? units : piece > PIECE_LEAST ? piece : PIECE_LEAST;
}

void engine_share_open(struct engine *engine, int thread, int threads, unsigned parity)
{
    uint64_t first, last;
    engine_share_of(engine, thread, threads, &first, &last);
    atomic_store_explicit(&engine->share[thread].next[parity], first, memory_order_relaxed);
}

static bool take_from(struct engine *engine, int thread, int threads, unsigned parity, uint64_t *first,
                      uint64_t *last)
{
    _Atomic uint64_t *const next = &engine->share[thread].next[parity];
    uint64_t begin, end;
    engine_share_of(engine, thread, threads, &begin, &end);
    const uint64_t piece = piece_of(engine, end - begin);
    if (atomic_load_explicit(next, memory_order_relaxed) >= end)
        return false;
    const uint64_t at = atomic_fetch_add_explicit(next, piece, memory_order_relaxed);
    *first = at;
    *last = end - at > piece ? at + piece : end;
    return at < end;
}

bool engine_share_take(struct engine *engine, int thread, int threads, unsigned parity, uint64_t *first,
                       uint64_t *last)
{
    for (int n = 0; n < threads; ++n)
        if (take_from(engine, (thread + n) % threads, threads, parity, first, last))
            return true;
    return false;
}
