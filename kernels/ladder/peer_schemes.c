#include "kernels/ladder/peer_schemes.h"

#include <math.h>
#include <stdlib.h>

#define PI                3.14159265358979323846
#define DIRECTIONS_A_SIDE 12

const struct peer_scheme peer_scheme[PEER_SCHEMES] = {
    [PEER_7] = {"7-point", 1.0 / 3, 1, {1}, PEER_CUT, false},
    [PEER_13] = {"13-point FCC", 1, 4, {0, 1}, PEER_CUT, true},
    [PEER_19] = {"19-point isotropic", 3.0 / 4, 6, {2, 1}, PEER_PLAQUETTES, false},
    [PEER_27] = {"27-point IWB", 1, 16, {4, 2, 1}, PEER_CUT, false},
    [PEER_LEGGY_2] = {"leggy M=2", 1.0 / 4, 12, {16, 0, 0, -1}, PEER_MIRROR, false},
    [PEER_LEGGY_3] = {"leggy M=3", 15.0 / 68, 180, {270, 0, 0, -27, 2}, PEER_MIRROR, false},
    [PEER_LEGGY_4] = {"leggy M=4", 105.0 / 512, 5040, {8064, 0, 0, -1008, 128, -9}, PEER_MIRROR, false},
};

/* Shell of an offset; -1 if no shell has it. */
static int shell_of(int x, int y, int z)
{
    const int axes = (x != 0) + (y != 0) + (z != 0);
    const int length = abs(x) + abs(y) + abs(z);
    if (axes > 1)
        return length == axes ? axes - 1 : -1;
    return length == 0 ? -1 : length == 1 ? 0 : length + 1;
}

int peer_offsets(const struct peer_scheme *scheme, struct peer_offset out[PEER_OFFSETS_MOST])
{
    const int far = PEER_REACH_MOST;
    int count = 0;
    for (int shell = 0; shell < PEER_SHELLS; ++shell)
        for (int z = -far; z <= far && scheme->weight[shell] != 0; ++z)
            for (int y = -far; y <= far; ++y)
                for (int x = -far; x <= far; ++x)
                    if (shell_of(x, y, z) == shell)
                        out[count++] = (struct peer_offset){{x, y, z}, scheme->weight[shell]};
    return count;
}

int peer_reach(const struct peer_scheme *scheme)
{
    int reach = 1;
    for (int shell = 3; shell < PEER_SHELLS; ++shell)
        reach = scheme->weight[shell] != 0 ? shell - 1 : reach;
    return reach;
}

double peer_symbol(const struct peer_scheme *scheme, const double k[3])
{
    struct peer_offset offset[PEER_OFFSETS_MOST];
    const int count = peer_offsets(scheme, offset);
    double sum = 0;
    for (int o = 0; o < count; ++o) {
        const double half = (k[0] * offset[o].by[0] + k[1] * offset[o].by[1] + k[2] * offset[o].by[2]) / 2;
        sum += 2 * offset[o].weight * sin(half) * sin(half);
    }
    return sum / scheme->parts;
}

/* Least and greatest F(k n) over directions n. */
struct range {
    double low, high;
};

static struct range symbol_range(const struct peer_scheme *scheme, double k)
{
    struct range range = {INFINITY, -INFINITY};
    for (int i = 0; i <= DIRECTIONS_A_SIDE; ++i)
        for (int j = 0; j <= i; ++j) {
            const double y = (double)i / DIRECTIONS_A_SIDE, z = (double)j / DIRECTIONS_A_SIDE;
            const double scale = k / sqrt(1 + y * y + z * z);
            const double f = peer_symbol(scheme, (double[3]){scale, scale * y, scale * z});
            range.low = fmin(range.low, f);
            range.high = fmax(range.high, f);
        }
    return range;
}

/* F under the warp. */
static double mean_symbol(const struct peer_scheme *scheme, double kappa)
{
    const struct range range = symbol_range(scheme, kappa);
    return (range.low + range.high) / 2;
}

/* F of a wave that runs with kappa radians of its frequency a spacing, as the run or its warp has it. */
static double symbol_at(const struct peer_scheme *scheme, double lambda2, double kappa, bool warped)
{
    const double sine = 2 * sin(fmin(sqrt(lambda2) * kappa, PI) / 2);
    return warped ? mean_symbol(scheme, kappa) : sine * sine / lambda2;
}

/* True if every phase velocity kappa / k is within 1 +- error: F(k n) is then between those at either
 * bound. */
static bool is_within(const struct peer_scheme *scheme, double lambda2, double k, double error, bool warped)
{
    const struct range range = symbol_range(scheme, k);
    return symbol_at(scheme, lambda2, k * (1 - error), warped) <= range.low &&
           symbol_at(scheme, lambda2, k * (1 + error), warped) >= range.high;
}

double peer_points(const struct peer_scheme *scheme, double lambda2, double error, bool warped)
{
    const double step = 0.02;
    double good = step, bad = step;
    while (bad < PI && is_within(scheme, lambda2, bad, error, warped)) {
        good = bad;
        bad += step;
    }
    while (bad - good > 1e-6) {
        const double k = (good + bad) / 2;
        *(is_within(scheme, lambda2, k, error, warped) ? &good : &bad) = k;
    }
    return 2 * PI / good;
}

double peer_stretch(const struct peer_scheme *scheme, double lambda2, double points)
{
    const double kappa = 2 * PI / points, lambda = sqrt(lambda2), part = 1e-4;
    const double above = 2 * asin(lambda / 2 * sqrt(mean_symbol(scheme, kappa + part)));
    const double below = 2 * asin(lambda / 2 * sqrt(mean_symbol(scheme, kappa - part)));
    return (above - below) / (2 * part * lambda);
}
