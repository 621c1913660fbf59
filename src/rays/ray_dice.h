/** Random numbers that follow from a seed alone: splitmix64 (Steele, Lea and Flood 2014), a hash whose
 * outputs for consecutive inputs are independent. */
#ifndef SRC_RAY_DICE_H
#define SRC_RAY_DICE_H

#include <stdint.h>

struct ray_dice {
    uint64_t state;
};

static inline uint64_t ray_mix_bits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/** 0 <= value < 1, a multiple of 2^-24. */
static inline double ray_dice_throw(struct ray_dice *dice)
{
    dice->state = ray_mix_bits(dice->state);
    return (double)(dice->state >> 40) * 0x1p-24;
}

#endif
