#include "kernels/engine/engine_share.h"

#include "kernels/engine/engine_state.h"

/* Pieces of a share, and blocks of a piece. A piece takes some tens of microseconds: the time that a thread
 * spins before it sleeps (step_barrier.c). */
#define PIECES      128
#define PIECE_LEAST 16

/* engine_share.taken: a step, and in the low bits the number of its pieces that are taken, at most PIECES. */
#define PIECE_BITS 8
#define PIECE_MASK ((UINT64_C(1) << PIECE_BITS) - 1)
_Static_assert(PIECES <= PIECE_MASK, "all pieces of a share can be counted");

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

static bool take_from(struct engine *engine, int thread, int threads, uint64_t step,
                      struct engine_piece *piece)
{
    _Atomic uint64_t *const taken = &engine->share[thread].taken;
    uint64_t begin, end, n, seen = atomic_load_explicit(taken, memory_order_relaxed);
    engine_share_of(engine, thread, threads, &begin, &end);
    const uint64_t units = piece_of(engine, end - begin);
    do {
        n = seen >> PIECE_BITS == step ? seen & PIECE_MASK : 0;
        /* A later step has begun. */
        if (seen >> PIECE_BITS > step || begin + n * units >= end)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(taken, &seen, (step << PIECE_BITS) | (n + 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    piece->share = thread;
    piece->opens = n == 0;
    piece->first = begin + n * units;
    piece->last = end - piece->first > units ? piece->first + units : end;
    return true;
}

bool engine_share_take(struct engine *engine, int thread, int threads, uint64_t step,
                       struct engine_piece *piece)
{
    for (int n = 0; n < threads; ++n)
        if (take_from(engine, (thread + n) % threads, threads, step, piece))
            return true;
    return false;
}
