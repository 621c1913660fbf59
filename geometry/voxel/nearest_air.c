#include "geometry/voxel/nearest_air.h"

#include <math.h>
#include <string.h>

#include "geometry/voxel/block_bits.h"

void nearest_air_candidates(const struct flood *flood, bool complement, const int32_t place[3],
                            uint64_t bits[8])
{
    flood_block_air(flood, place, bits);
    if (!complement)
        return;
    uint64_t inside[8], cut[6][8];
    block_bits_inside(&flood->field->lattice, place, inside);
    (void)cut_field_block_cuts(flood->field, place, cut);
    for (int z = 0; z < 8; z++) {
        const uint64_t isolated = cut[0][z] & cut[1][z] & cut[2][z] & cut[3][z] & cut[4][z] & cut[5][z];
        bits[z] = inside[z] & ~bits[z] & ~isolated;
    }
}

/** Squared distance [h^2] from a point to the box of a block's nodes, a lower bound for its nodes. */
static double distance_to_block(const int32_t place[3], const double point[3])
{
    double squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = 8.0 * place[axis], high = low + 7;
        const double offset = point[axis] < low    ? low - point[axis]
                              : point[axis] > high ? point[axis] - high
                                                   : 0;
        squared += offset * offset;
    }
    return squared;
}

bool nearest_air(const struct flood *flood, bool complement, const double position[3], int64_t node[3])
{
    const int64_t *blocks = flood->field->blocks;
    double point[3], best = INFINITY;
    lattice_coordinate(&flood->field->lattice, position, point);
    int32_t place[3];
    for (place[2] = 0; place[2] < blocks[2]; place[2]++)
        for (place[1] = 0; place[1] < blocks[1]; place[1]++)
            for (place[0] = 0; place[0] < blocks[0]; place[0]++) {
                if (distance_to_block(place, point) >= best)
                    continue;
                uint64_t bits[8];
                nearest_air_candidates(flood, complement, place, bits);
                for (int z = 0; z < 8; z++)
                    for (uint64_t left = bits[z]; left != 0; left &= left - 1) {
                        int64_t at[3];
                        double squared = 0;
                        block_bits_node(place, 64 * (unsigned)z + (unsigned)__builtin_ctzll(left), at);
                        for (int axis = 0; axis < 3; axis++)
                            squared += ((double)at[axis] - point[axis]) * ((double)at[axis] - point[axis]);
                        if (squared < best) {
                            best = squared;
                            memcpy(node, at, sizeof at);
                        }
                    }
            }
    return best < INFINITY;
}
