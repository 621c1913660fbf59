/** Directions and random numbers of rays: they follow from the seed and the number of a ray alone. */
#ifndef SRC_RAY_DIRECTIONS_H
#define SRC_RAY_DIRECTIONS_H

#include <math.h>
#include <stdint.h>

/** splitmix64 (Steele, Lea and Flood 2014): a hash whose outputs for consecutive inputs are independent. */
static inline uint64_t ray_mix_bits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct ray_dice {
    uint64_t state;
};

/** 0 <= value < 1, a multiple of 2^-24. */
static inline double ray_dice_throw(struct ray_dice *dice)
{
    dice->state = ray_mix_bits(dice->state);
    return (double)(dice->state >> 40) * 0x1p-24;
}

/** Unit directions by the additive sequence of the plastic number (Roberts 2018), shifted by the seed. */
static inline void ray_start_direction(uint64_t seed, uint64_t ray, float out[3])
{
    static const uint64_t step[2] = {13925015375153453056u, 10511510236396929024u}; /* 2^64 / g, / g^2 */
    const uint64_t u = ray_mix_bits(seed) + step[0] * ray, v = ray_mix_bits(seed + 1) + step[1] * ray;
    const double z = 1 - 2 * ((double)(u >> 11) + 0.5) * 0x1p-53,
                 angle = 2 * 3.14159265358979323846 * (double)(v >> 11) * 0x1p-53;
    const double ring = sqrt(1 - z * z);
    out[0] = (float)(ring * cos(angle));
    out[1] = (float)(ring * sin(angle));
    out[2] = (float)z;
}

#endif
