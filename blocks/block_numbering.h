/** How blocks are numbered along the curve and found by their place. Private to blocks/. */
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

/** Blocks along x in a cell of the curve: a Hilbert curve runs from cell to cell, and through each along x. A
 * face in x is the dearest of the six to read, one value of each row; with its neighbours close in memory a
 * GPU steps large rooms one per cent faster than along the curve of single blocks (H200, single precision).
 */
#define CURVE_CELL 4

/** The cube of block places that the curve runs through: its corner is the first block of the air's bounding
 * box, so that the order depends on the air alone. */
struct curve_frame {
    int32_t corner[3];
    unsigned bits; /* 2^bits places along each edge */
};
struct curve_frame block_curve_frame(const int64_t air_low[3], const int64_t air_high[3]);
uint64_t block_curve_key(const struct curve_frame *frame, const int32_t place[3]);
/** Bits of a key. */
unsigned block_curve_bits(const struct curve_frame *frame);

/** Slots of the find table of that many blocks, and where the search for a place starts (to be masked). The
 * search goes on slot by slot until a free one. */
uint32_t block_find_slots(uint32_t blocks);
uint32_t block_find_start(const int32_t place[3]);

#endif
