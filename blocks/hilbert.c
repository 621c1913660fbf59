#include "blocks/hilbert.h"

#include <assert.h>

/* Move the bits of a 21-bit number three places apart: abc -> a00b00c. */
static uint64_t spread_by_three(uint32_t value)
{
    uint64_t v = value & 0x1FFFFFu;
    v = (v | v << 32) & UINT64_C(0x001F00000000FFFF);
    v = (v | v << 16) & UINT64_C(0x001F0000FF0000FF);
    v = (v | v << 8) & UINT64_C(0x100F00F00F00F00F);
    v = (v | v << 4) & UINT64_C(0x10C30C30C30C30C3);
    v = (v | v << 2) & UINT64_C(0x1249249249249249);
    return v;
}

uint64_t hilbert_key(unsigned bits, const uint32_t place[3])
{
    assert(bits <= HILBERT_BITS_MAX);
    assert(bits == HILBERT_BITS_MAX || ((place[0] | place[1] | place[2]) >> bits) == 0);
    uint32_t axis[3] = {place[0], place[1], place[2]};
    if (bits == 0)
        return 0;

    /* Bring every octant, from the largest down, into the frame that its parent enters it with: a set bit
     * reflects the lower bits of the first axis, a clear bit swaps them with those of its own axis. */
    for (unsigned level = bits - 1; level > 0; level--) {
        const uint32_t below = (UINT32_C(1) << level) - 1;
        for (int a = 0; a < 3; a++) {
            if (axis[a] >> level & 1) {
                axis[0] ^= below;
            } else {
                const uint32_t swap = (axis[0] ^ axis[a]) & below;
                axis[0] ^= swap;
                axis[a] ^= swap;
            }
        }
    }

    /* The octants of a level are visited in Gray order; undo it along the interleaved bits. */
    axis[1] ^= axis[0];
    axis[2] ^= axis[1];
    uint32_t carry = 0;
    for (unsigned level = bits - 1; level > 0; level--)
        if (axis[2] >> level & 1)
            carry ^= (UINT32_C(1) << level) - 1;
    return spread_by_three(axis[0] ^ carry) << 2 | spread_by_three(axis[1] ^ carry) << 1 |
           spread_by_three(axis[2] ^ carry);
}
