/** The values of engine_fill(), written once for C and CUDA: whole numbers -3 .. 3 that depend on node, level
 * and seed alone. */
#ifndef KERNELS_FILL_VALUE_H
#define KERNELS_FILL_VALUE_H

#include "blocks/field_hash.h"

/** 64 well mixed bits for a node, 32 of them for each level. */
FIELD_FUNCTION uint64_t fill_bits(int64_t x, int64_t y, int64_t z, uint64_t seed)
{
    return field_mix(seed + field_place(x, y, z));
}

/** For a list node of a grid with conformal walls; `place` is field_list_place(). */
FIELD_FUNCTION uint64_t fill_list_bits(uint64_t place, uint64_t seed)
{
    return field_mix(seed + place);
}

/** Level 0 is u, 1 u_old. */
FIELD_FUNCTION int fill_level(uint64_t bits, int level)
{
    return (int)((uint32_t)(bits >> 32 * level) % 7) - 3;
}

#endif
