/** The contribution of a node to the hash of a field, for C and CUDA.
 *
 * A hash is the sum, modulo 2^64, of one mixed number for each node (and wall entry). The sum does not depend
 * on numbering, layout or threads. */
#ifndef BLOCKS_FIELD_HASH_H
#define BLOCKS_FIELD_HASH_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define FIELD_FUNCTION static __host__ __device__ __forceinline__
#else
#define FIELD_FUNCTION static inline
#endif

/** SplitMix64's finaliser. */
FIELD_FUNCTION uint64_t field_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/** The coordinates of a lattice node in one number, not yet mixed. */
FIELD_FUNCTION uint64_t field_place(int64_t x, int64_t y, int64_t z)
{
    return (uint64_t)x * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)y * UINT64_C(0xD1B54A32D192ED03) +
           (uint64_t)z * UINT64_C(0x8CB92BA72F3D8DD7);
}

/** The bits of a value; -0 counts as +0. */
FIELD_FUNCTION uint64_t field_bits_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == UINT32_C(1) << 31 ? 0 : bits;
}
FIELD_FUNCTION uint64_t field_bits_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == UINT64_C(1) << 63 ? 0 : bits;
}

/** Replaces field_place() for list node n of a conformal grid: mixes its voxel and its number among the
 * voxel's further pieces. `before`: pieces of the voxel of node 0 that precede it (block_grid.list_before).
 */
FIELD_FUNCTION uint64_t field_list_place_from(const int64_t (*voxel)[3], uint64_t n, uint64_t before)
{
    uint64_t place = field_place(voxel[n][0], voxel[n][1], voxel[n][2]), piece = 1, m = n;
    for (; m > 0 && voxel[m - 1][0] == voxel[n][0] && voxel[m - 1][1] == voxel[n][1] &&
           voxel[m - 1][2] == voxel[n][2];
         m--)
        piece++;
    if (m == 0)
        piece += before;
    return place + piece * UINT64_C(0xE7037ED1A0B428DB);
}
FIELD_FUNCTION uint64_t field_list_place(const int64_t (*voxel)[3], uint64_t n)
{
    return field_list_place_from(voxel, n, 0);
}

/** Contribution of an air node to the hash of its field, by its place in one number or by its coordinates. */
FIELD_FUNCTION uint64_t field_hash_at(uint64_t place, uint64_t bits)
{
    return field_mix(field_mix(place) ^ field_mix(bits + UINT64_C(0x9E3779B97F4A7C15)));
}
FIELD_FUNCTION uint64_t field_hash_value(int64_t x, int64_t y, int64_t z, uint64_t bits)
{
    return field_hash_at(field_place(x, y, z), bits);
}

#endif
