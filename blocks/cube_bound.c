#include "blocks/cube_bound.h"

#include <math.h>
#include <string.h>

#include "blocks/plaquettes.h"

/* K_c is held in parts of 1 / (12 CUT_WHOLE), where all its entries are whole numbers: a link counts 3 open,
 * a plaquette b. */
#define PARTS      (12 * CUT_WHOLE)
#define LINK_PARTS 3

#define RANK   4 /* 2 RANK exceeds sqrt(2 x 8 corners): local maxima are global */
#define SWEEPS 4 /* between two attempts at a proof */
#define ROUNDS 12

/* Entries are below 2^12 and the trace of diag(y) - K_c below 2^15: factorising it in double is off by less
 * than 9 x 2^-53 of that, 2^-34.8. */
#define ROUNDING 0x1p-30

struct cube {
    double k[CUBE_CORNERS][CUBE_CORNERS]; /* K_c, whole numbers */
    double y[CUBE_CORNERS];
};

/* ---- K_c -------------------------------------------------------------------------------------------------
 */

static void add_links(const uint8_t open[CUBE_LINKS], struct cube *cube)
{
    for (unsigned n = 0; n < CUBE_LINKS; n++) {
        const unsigned axis = n / 4, first = axis == 0, second = axis == 2 ? 1 : 2;
        const unsigned i = (n & 1) << first | (n >> 1 & 1) << second, j = i | 1u << axis;
        const double weight = LINK_PARTS * open[n];
        cube->k[i][i] += weight;
        cube->k[j][j] += weight;
        cube->k[i][j] -= weight;
        cube->k[j][i] -= weight;
    }
}

static void add_plaquettes(const uint8_t open[CUBE_LINKS], struct cube *cube)
{
    static const double sign[4] = {1, -1, -1, 1};
    for (unsigned normal = 0; normal < 3; normal++) {
        const unsigned first = normal == 0, second = normal == 2 ? 1 : 2;
        for (unsigned side = 0; side < 2; side++) {
            unsigned x[2], y[2], node[4];
            for (unsigned s = 0; s < 2; s++) {
                /* The other two axes of a link, in rising order, are the second one or the first one and the
                 * normal. */
                x[s] = open[4 * first + (second < normal ? s + 2 * side : side + 2 * s)];
                y[s] = open[4 * second + (first < normal ? s + 2 * side : side + 2 * s)];
            }
            for (unsigned n = 0; n < 4; n++)
                node[n] = (n & 1) << first | (n >> 1) << second | side << normal;
            const double b = plaquette_weight(x, y);
            for (unsigned i = 0; i < 4; i++)
                for (unsigned j = 0; j < 4; j++)
                    cube->k[node[i]][node[j]] -= b * sign[i] * sign[j];
        }
    }
}

/* ---- proposal --------------------------------------------------------------------------------------------
 */

/* Constant on opposite corners with a sum of 0 is the maximum of a whole cube. The fourth part breaks ties.
 */
static void start(double v[CUBE_CORNERS][RANK])
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++) {
        const unsigned pair = i & 4 ? 7 - i : i, odd = (i ^ i >> 1 ^ i >> 2) & 1;
        const double parts[RANK] = {pair & 1 ? 1 : -1, pair & 2 ? 1 : -1, (pair ^ pair >> 1) & 1 ? 1 : -1,
                                    (odd ? 0.5 : -0.5) + 0.03125 * i};
        memcpy(v[i], parts, sizeof parts);
    }
}

/* Turn every corner's vector to where the others pull it. */
static void sweep(struct cube *cube, double v[CUBE_CORNERS][RANK])
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++) {
        double pull[RANK] = {0}, length = 0;
        for (unsigned j = 0; j < CUBE_CORNERS; j++)
            for (unsigned r = 0; r < RANK; r++)
                pull[r] += (j == i ? 0 : cube->k[i][j]) * v[j][r];
        for (unsigned r = 0; r < RANK; r++)
            length += pull[r] * pull[r];
        length = sqrt(length);
        cube->y[i] = cube->k[i][i] + length;
        for (unsigned r = 0; r < RANK && length > 0; r++)
            v[i][r] = pull[r] / length;
    }
}

/* ---- proof -----------------------------------------------------------------------------------------------
 */

/* Is diag(scale y) - K_c positive semidefinite? Corners without links are left out. */
static bool holds(const struct cube *cube, double scale)
{
    double a[CUBE_CORNERS][CUBE_CORNERS];
    for (unsigned i = 0; i < CUBE_CORNERS; i++) {
        for (unsigned j = 0; j < i; j++)
            a[i][j] = -cube->k[i][j];
        a[i][i] = cube->k[i][i] > 0 ? scale * cube->y[i] - cube->k[i][i] - ROUNDING : 1;
    }
    for (unsigned j = 0; j < CUBE_CORNERS; j++) {
        if (!(a[j][j] > 0))
            return false;
        const double inverse = 1 / a[j][j];
        for (unsigned i = j + 1; i < CUBE_CORNERS; i++) {
            const double factor = a[i][j] * inverse;
            for (unsigned k = j + 1; k <= i; k++)
                a[i][k] -= factor * a[k][j];
        }
    }
    return true;
}

void cube_bound(const uint8_t open[CUBE_LINKS], uint32_t need[CUBE_CORNERS])
{
    struct cube cube = {0};
    double v[CUBE_CORNERS][RANK], scale = 1;
    bool proven = false;
    if (cube_is_whole(open)) {
        for (unsigned i = 0; i < CUBE_CORNERS; i++)
            need[i] = CUBE_NEED_WHOLE;
        return;
    }
    add_links(open, &cube);
    add_plaquettes(open, &cube);
    start(v);
    for (unsigned round = 0; !proven && round < ROUNDS; round++) {
        for (unsigned s = 0; s < SWEEPS; s++)
            sweep(&cube, v);
        proven = holds(&cube, scale = 1 + 0x1p-10);
    }
    for (double more = 0x1p-9; !proven; more *= 2)
        proven = holds(&cube, scale = 1 + more);
    for (unsigned i = 0; i < CUBE_CORNERS; i++)
        need[i] = cube.k[i][i] > 0 ? (uint32_t)ceil(scale * cube.y[i] / PARTS * CUBE_NEED_ONE) : 0;
}
