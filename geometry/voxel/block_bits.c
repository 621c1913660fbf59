#include "geometry/voxel/block_bits.h"

#include <string.h>

#define COLUMN_0 UINT64_C(0x0101010101010101) /* x = 0 of every y */
#define COLUMN_7 UINT64_C(0x8080808080808080)
#define ROW_0    UINT64_C(0x00000000000000FF) /* y = 0 */

void block_bits_inside(const struct lattice *lattice, const int32_t place[3], uint64_t inside[8])
{
    int64_t count[3]; /* nodes of the block inside, along each axis */
    for (int axis = 0; axis < 3; axis++) {
        count[axis] = lattice->nodes[axis] - (int64_t)place[axis] * 8;
        count[axis] = count[axis] < 8 ? count[axis] : 8;
    }
    const uint64_t columns = COLUMN_0 * ((UINT64_C(1) << count[0]) - 1);
    const uint64_t rows = count[1] == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * count[1]) - 1;
    for (int z = 0; z < 8; z++)
        inside[z] = z < count[2] ? columns & rows : 0;
}

void block_bits_edge(const struct lattice *lattice, const int32_t place[3], enum direction direction,
                     uint64_t edge[8])
{
    const int axis = (int)direction / 2;
    const int64_t node = direction % 2 == 0 ? 0 : lattice->nodes[axis] - 1;
    memset(edge, 0, 8 * sizeof *edge);
    if (node >> 3 != place[axis])
        return;
    const int at = (int)(node & 7);
    for (int z = 0; z < 8; z++)
        edge[z] = axis == 0 ? COLUMN_0 << at : axis == 1 ? ROW_0 << 8 * at : z == at ? UINT64_MAX : 0;
}

/* Inline, and a loop for each direction: the compiler then keeps whole blocks in vectors. */
static inline void move_bits(const uint64_t in[8], const uint64_t from[8], enum direction direction,
                             uint64_t out[8])
{
    switch (direction) {
    case DIRECTION_XM:
        for (int z = 0; z < 8; z++)
            out[z] = (in[z] & ~COLUMN_0) >> 1 | (from[z] & COLUMN_0) << 7;
        break;
    case DIRECTION_XP:
        for (int z = 0; z < 8; z++)
            out[z] = (in[z] & ~COLUMN_7) << 1 | (from[z] & COLUMN_7) >> 7;
        break;
    case DIRECTION_YM:
        for (int z = 0; z < 8; z++)
            out[z] = in[z] >> 8 | from[z] << 56;
        break;
    case DIRECTION_YP:
        for (int z = 0; z < 8; z++)
            out[z] = in[z] << 8 | from[z] >> 56;
        break;
    case DIRECTION_ZM:
        memcpy(out, in + 1, 7 * sizeof *out);
        out[7] = from[0];
        break;
    default:
        memcpy(out + 1, in, 7 * sizeof *out);
        out[0] = from[7];
        break;
    }
}

static const uint64_t none[8] = {0};

void block_bits_move(const uint64_t in[8], const uint64_t *from, enum direction direction, uint64_t out[8])
{
    move_bits(in, from != NULL ? from : none, direction, out);
}

/* Along x and y, links are joined to runs of 2 and 4, so a row of eight fills in three steps. */
void block_bits_fill(uint64_t air[8], block_cuts cut, const uint64_t inside[8])
{
    uint64_t x1[8], x2[8], x4[8], y1[8], y2[8], y4[8], up[8];
    for (int z = 0; z < 8; z++) {
        x1[z] = ~cut[0][z] & ~COLUMN_7 & inside[z] & inside[z] >> 1;
        x2[z] = x1[z] & x1[z] >> 1;
        x4[z] = x2[z] & x2[z] >> 2;
        y1[z] = ~cut[1][z] & inside[z] & inside[z] >> 8;
        y2[z] = y1[z] & y1[z] >> 8;
        y4[z] = y2[z] & y2[z] >> 16;
        up[z] = z < 7 ? ~cut[2][z] & inside[z] & inside[z + 1] : 0;
    }
    bool changed = true;
    for (int sweep = 0; changed; sweep++) {
        changed = false;
        for (int step = 0; step < 8; step++) {
            const int z = sweep % 2 == 0 ? step : 7 - step;
            uint64_t a = air[z], before;
            if (z > 0)
                a |= air[z - 1] & up[z - 1];
            if (z < 7)
                a |= air[z + 1] & up[z];
            do {
                before = a;
                a |= (a & x1[z]) << 1 | (a >> 1 & x1[z]);
                a |= (a & x2[z]) << 2 | (a >> 2 & x2[z]);
                a |= (a & x4[z]) << 4 | (a >> 4 & x4[z]);
                a |= (a & y1[z]) << 8 | (a >> 8 & y1[z]);
                a |= (a & y2[z]) << 16 | (a >> 16 & y2[z]);
                a |= (a & y4[z]) << 32 | (a >> 32 & y4[z]);
            } while (a != before);
            changed = changed || a != air[z];
            air[z] = a;
        }
    }
}

uint64_t block_bits_cross(const uint64_t air[8], block_cuts cut, block_cuts cut_behind,
                          enum direction direction, uint64_t bits[8])
{
    const int axis = (int)direction / 2;
    uint64_t any = 0, leaving[8];
    for (int z = 0; z < 8; z++)
        leaving[z] = direction % 2 != 0 && cut != NULL ? air[z] & ~cut[axis][z] : air[z];
    move_bits(none, leaving, direction, bits);
    for (int z = 0; z < 8; z++) {
        if (direction % 2 == 0 && cut_behind != NULL)
            bits[z] &= ~cut_behind[axis][z];
        any |= bits[z];
    }
    return any;
}
