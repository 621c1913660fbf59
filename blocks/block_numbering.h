/** Numbers blocks along the curve and finds them by place. Private to blocks/. */
#ifndef BLOCKS_BLOCK_NUMBERING_H
#define BLOCKS_BLOCK_NUMBERING_H

#include <stdint.h>

#include "blocks/block_layout.h"
#include "blocks/hilbert.h"

/** Place of the block that holds node coordinate `node`: floor(node / 8), also below zero. */
static inline int64_t block_place_of(int64_t node)
{
    return (node - (node & (BLOCK_EDGE - 1))) / BLOCK_EDGE;
}

/** Blocks along x in a cell of the curve: a Hilbert curve runs from cell to cell, and along x within each.
 * Faces in x cost most to read, one value of each row. This order makes large rooms one per cent faster on a
 * GPU (H200, single precision). */
#define CURVE_CELL 4

/** The cube of block places that the curve fills. Its corner is the first block of the air's bounding box, so
 * the order depends on the air alone. */
struct curve_frame {
    int32_t corner[3];
    unsigned bits; /* 2^bits places along each edge */
};
struct curve_frame block_curve_frame(const int64_t air_low[3], const int64_t air_high[3]);
uint64_t block_curve_key(const struct curve_frame *frame, const int32_t place[3]);
/** Bits of a key. */
unsigned block_curve_bits(const struct curve_frame *frame);

/** Slots of the find table for that many blocks, and the slot (to be masked) at which the search for a place
 * starts. The search tries one slot after another until a free one. */
uint32_t block_find_slots(uint32_t blocks);
uint32_t block_find_start(const int32_t place[3]);

#endif
