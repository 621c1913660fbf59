/** Numbers that look random and are the same every time. */
#ifndef SRC_NOISE_H
#define SRC_NOISE_H

#include <math.h>
#include <stdint.h>

/** State of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
struct noise {
    uint64_t state;
};

static inline struct noise noise_start(uint64_t seed)
{
    return (struct noise){seed};
}

/** Evenly from 0 to 1, 1 excluded, in steps of 2^-53. */
static inline double noise_uniform(struct noise *noise)
{
    uint64_t z = noise->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/** Normal, mean 0, variance 1 (Box and Muller, Ann. Math. Stat. 29, 1958; one of the pair). */
static inline double noise_normal(struct noise *noise)
{
    const double radius = sqrt(-2.0 * log(1.0 - noise_uniform(noise)));
    return radius * cos(2.0 * 3.14159265358979323846 * noise_uniform(noise));
}

#endif
