/** Position along a Hilbert curve through the blocks of a cube.
 *
 * Consecutive keys of a full cube are face neighbours, so a range of keys is a compact region: few blocks on
 * its surface, hence few neighbours in other regions. Axes form of J. Skilling, "Programming the Hilbert
 * curve", AIP Conf. Proc. 707 (2004): rotate and reflect each coordinate from the top bit down, then turn the
 * Gray code into a number. */
#ifndef BLOCKS_HILBERT_H
#define BLOCKS_HILBERT_H

#include <stdint.h>

#define HILBERT_BITS_MAX 21

/** Key of `place` in a cube of 2^bits places along each edge, 0 .. 8^bits - 1. bits <= HILBERT_BITS_MAX;
 * every coordinate < 2^bits. O(bits). */
uint64_t hilbert_key(unsigned bits, const uint32_t place[3]);

#endif
