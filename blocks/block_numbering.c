#include "blocks/block_numbering.h"

struct curve_frame block_curve_frame(const int64_t air_low[3], const int64_t air_high[3])
{
    struct curve_frame frame = {.bits = 0};
    for (int a = 0; a < 3; a++) {
        frame.corner[a] = (int32_t)block_place_of(air_low[a]);
        while ((block_place_of(air_high[a]) - frame.corner[a]) >> frame.bits != 0)
            frame.bits++;
    }
    return frame;
}

uint64_t block_curve_key(const struct curve_frame *frame, const int32_t place[3])
{
    uint32_t cell[3];
    for (int a = 0; a < 3; a++)
        cell[a] = (uint32_t)((int64_t)place[a] - frame->corner[a]);
    const uint32_t in_cell = cell[0] & (CURVE_CELL - 1);
    cell[0] /= CURVE_CELL;
    return hilbert_key(frame->bits, cell) * CURVE_CELL + in_cell;
}

unsigned block_curve_bits(const struct curve_frame *frame)
{
    return 3 * frame->bits + 2;
}

uint32_t block_find_slots(uint32_t blocks)
{
    uint64_t slots = 4;
    while (2 * slots < 3 * (uint64_t)blocks)
        slots *= 2;
    return (uint32_t)slots;
}

uint32_t block_find_start(const int32_t place[3])
{
    uint64_t hash = 0;
    for (int a = 0; a < 3; a++)
        hash = (hash ^ (uint32_t)place[a]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 32);
}
