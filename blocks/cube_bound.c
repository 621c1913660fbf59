#include "blocks/cube_bound.h"

#include <assert.h>
#include <math.h>

/* K_c in parts of 1 / (12 CUT_WHOLE): all its entries are then whole numbers, 3 open for a link and b for a
 * plaquette. */
#define PARTS      (12 * CUT_WHOLE)
#define LINK_PARTS 3

#define RANK   4 /* 2 RANK exceeds sqrt(2 x 8 corners): local maxima are global */
#define SWEEPS 4 /* between two attempts at a proof */
#define ROUNDS 12
#define GROWTH 0x1p-10  /* of y, for a proof */
#define TINY   0x1p-60F /* no corner has a length between 0 and this */

/* Entries are below 2^12 and the trace of diag(y) - K_c below 2^15: factorising it in double is off by less
 * than 9 x 2^-53 of that, 2^-34.8. */
#define ROUNDING 0x1p-30

/* Cubes side by side. */
struct cubes {
    float k[CUBE_CORNERS][CUBE_CORNERS][CUBE_LANES]; /* K_c, whole numbers */
    float v[CUBE_CORNERS][RANK][CUBE_LANES];
    float y[CUBE_CORNERS][CUBE_LANES];
};

/* ---- b of a plaquette ----------------------------------------------------------------------------------
 */

#define FULLNESS 1.25 /* largest b over the mean of h_x and h_y: larger values make soft modes */

unsigned plaquette_weight(const unsigned x[2], const unsigned y[2])
{
    unsigned least = x[0];
    for (int n = 0; n < 2; n++) {
        least = x[n] < least ? x[n] : least;
        least = y[n] < least ? y[n] : least;
    }
    if (least == 0)
        return 0;
    const double mean = ((double)(x[0] * x[1]) / (x[0] + x[1]) + (double)(y[0] * y[1]) / (y[0] + y[1])),
                 most = FULLNESS * mean;
    const unsigned wanted = least > CUT_WHOLE ? least : CUT_WHOLE;
    return most < wanted ? (unsigned)floor(most) : wanted;
}

#define FULLNESS_AT_SHEETS 0.7

static double harmonic_mean(const unsigned q[2])
{
    return q[0] + q[1] > 0 ? 2.0 * (double)(q[0] * q[1]) / (double)(q[0] + q[1]) : 0.0;
}

unsigned plaquette_weight_shared(const unsigned x[2], const unsigned y[2], const unsigned share_x[2],
                                 const unsigned share_y[2])
{
    const unsigned weight = plaquette_weight(x, y), in_x = share_x[0] < share_x[1] ? share_x[0] : share_x[1],
                   in_y = share_y[0] < share_y[1] ? share_y[0] : share_y[1];
    if (in_x >= CUT_WHOLE && in_y >= CUT_WHOLE)
        return weight;
    if (in_x < CUT_WHOLE && in_y < CUT_WHOLE)
        return 0;
    const double most = floor(FULLNESS_AT_SHEETS * harmonic_mean(in_x < CUT_WHOLE ? y : x));
    const unsigned share = in_x < in_y ? in_x : in_y, left = most < share ? (unsigned)most : share;
    return left < weight ? left : weight;
}

/* ---- K_c -------------------------------------------------------------------------------------------------
 */

static void add_links(const uint8_t open[CUBE_LINKS], unsigned lane, struct cubes *cubes)
{
    for (unsigned n = 0; n < CUBE_LINKS; n++) {
        const unsigned axis = n / 4, first = axis == 0, second = axis == 2 ? 1 : 2;
        const unsigned i = (n & 1) << first | (n >> 1 & 1) << second, j = i | 1u << axis;
        const float weight = (float)(LINK_PARTS * open[n]);
        cubes->k[i][i][lane] += weight;
        cubes->k[j][j][lane] += weight;
        cubes->k[i][j][lane] -= weight;
        cubes->k[j][i][lane] -= weight;
    }
}

/* Weight of the plaquette of these openings and links. */
static unsigned weight_of(const unsigned x[2], const unsigned y[2], const uint8_t *share,
                          const unsigned link[4])
{
    if (share == NULL)
        return plaquette_weight(x, y);
    return plaquette_weight_shared(x, y, (const unsigned[2]){share[link[0]], share[link[1]]},
                                   (const unsigned[2]){share[link[2]], share[link[3]]});
}

static void add_plaquettes(const uint8_t open[CUBE_LINKS], const uint8_t *share, unsigned lane,
                           struct cubes *cubes)
{
    static const float sign[4] = {1, -1, -1, 1};
    for (unsigned normal = 0; normal < 3; normal++) {
        const unsigned first = normal == 0, second = normal == 2 ? 1 : 2;
        for (unsigned side = 0; side < 2; side++) {
            unsigned x[2], y[2], node[4], link[4];
            for (unsigned s = 0; s < 2; s++) {
                /* The other two axes of a link, in rising order, are the second one or the first one and the
                 * normal. */
                link[s] = 4 * first + (second < normal ? s + 2 * side : side + 2 * s);
                link[2 + s] = 4 * second + (first < normal ? s + 2 * side : side + 2 * s);
                x[s] = open[link[s]];
                y[s] = open[link[2 + s]];
            }
            for (unsigned n = 0; n < 4; n++)
                node[n] = (n & 1) << first | (n >> 1) << second | side << normal;
            const float b = (float)weight_of(x, y, share, link);
            for (unsigned i = 0; i < 4; i++)
                for (unsigned j = 0; j < 4; j++)
                    cubes->k[node[i]][node[j]][lane] -= b * sign[i] * sign[j];
        }
    }
}

/* ---- proposal --------------------------------------------------------------------------------------------
 */

/* Constant on opposite corners with a sum of 0 is the maximum of a whole cube. The fourth part breaks ties.
 */
static void start_vectors(struct cubes *cubes)
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++) {
        const unsigned pair = i & 4 ? 7 - i : i, odd = (i ^ i >> 1 ^ i >> 2) & 1;
        const float parts[RANK] = {pair & 1 ? 1 : -1, pair & 2 ? 1 : -1, (pair ^ pair >> 1) & 1 ? 1 : -1,
                                   (odd ? 0.5F : -0.5F) + 0.03125F * (float)i};
        for (unsigned r = 0; r < RANK; r++)
            for (unsigned lane = 0; lane < CUBE_LANES; lane++)
                cubes->v[i][r][lane] = parts[r];
    }
}

/* Turn every corner's vector along the sum of the others, weighted by K_c. */
static void sweep_vectors(struct cubes *cubes)
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++) {
        float pull[RANK][CUBE_LANES] = {0}, length[CUBE_LANES];
        for (unsigned j = 0; j < CUBE_CORNERS; j++)
            for (unsigned r = 0; r < RANK && j != i; r++)
                for (unsigned lane = 0; lane < CUBE_LANES; lane++)
                    pull[r][lane] += cubes->k[i][j][lane] * cubes->v[j][r][lane];
        for (unsigned lane = 0; lane < CUBE_LANES; lane++)
            length[lane] = sqrtf((pull[0][lane] * pull[0][lane] + pull[1][lane] * pull[1][lane]) +
                                 (pull[2][lane] * pull[2][lane] + pull[3][lane] * pull[3][lane]));
        for (unsigned lane = 0; lane < CUBE_LANES; lane++)
            cubes->y[i][lane] = cubes->k[i][i][lane] + length[lane];
        for (unsigned r = 0; r < RANK; r++)
            for (unsigned lane = 0; lane < CUBE_LANES; lane++)
                cubes->v[i][r][lane] = pull[r][lane] / (length[lane] + TINY);
    }
}

/* ---- proof -----------------------------------------------------------------------------------------------
 */

/* True if diag(scale y) - K_c is positive semidefinite, corners without links left out. */
static bool is_semidefinite(const struct cubes *cubes, unsigned lane, double scale)
{
    double a[CUBE_CORNERS][CUBE_CORNERS];
    for (unsigned i = 0; i < CUBE_CORNERS; i++) {
        const double own = (double)cubes->k[i][i][lane];
        for (unsigned j = 0; j < i; j++)
            a[i][j] = -(double)cubes->k[i][j][lane];
        a[i][i] = own > 0 ? scale * (double)cubes->y[i][lane] - own - ROUNDING : 1;
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

static void write_need(const struct cubes *cubes, unsigned lane, double scale, uint32_t need[CUBE_CORNERS])
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++)
        need[i] = cubes->k[i][i][lane] > 0
                      ? (uint32_t)ceil(scale * (double)cubes->y[i][lane] / PARTS * CUBE_NEED_ONE)
                      : 0;
}

/* Use sums of rows, which need no proof since diag(y) - K_c has a dominant diagonal, if the sweeps do not
 * converge. */
static void keep_rows(const struct cubes *cubes, unsigned lane, uint32_t need[CUBE_CORNERS])
{
    for (unsigned i = 0; i < CUBE_CORNERS; i++) {
        double sum = 0;
        for (unsigned j = 0; j < CUBE_CORNERS; j++)
            sum += fabs((double)cubes->k[i][j][lane]);
        need[i] = (uint32_t)ceil(sum / PARTS * CUBE_NEED_ONE);
    }
}

/* The result for a cube does not depend on those beside it. */
void cube_bound_shared(const uint8_t (*open)[CUBE_LINKS], const uint8_t (*share)[CUBE_LINKS], unsigned count,
                       uint32_t (*need)[CUBE_CORNERS])
{
    struct cubes cubes = {0};
    bool proven[CUBE_LANES] = {false};
    unsigned rest = count;
    assert(count <= CUBE_LANES);
    for (unsigned lane = 0; lane < count; lane++) {
        add_links(open[lane], lane, &cubes);
        add_plaquettes(open[lane], share != NULL ? share[lane] : NULL, lane, &cubes);
    }
    start_vectors(&cubes);
    for (unsigned round = 0; rest > 0 && round < ROUNDS; round++) {
        for (unsigned s = 0; s < SWEEPS; s++)
            sweep_vectors(&cubes);
        for (unsigned lane = 0; lane < count; lane++)
            if (!proven[lane] && is_semidefinite(&cubes, lane, 1 + GROWTH)) {
                write_need(&cubes, lane, 1 + GROWTH, need[lane]);
                proven[lane] = true;
                rest--;
            }
    }
    for (unsigned lane = 0; lane < count; lane++) {
        for (double more = 2 * GROWTH; !proven[lane] && more < 1; more *= 2)
            if (is_semidefinite(&cubes, lane, 1 + more)) {
                write_need(&cubes, lane, 1 + more, need[lane]);
                proven[lane] = true;
            }
        if (!proven[lane])
            keep_rows(&cubes, lane, need[lane]);
    }
}

void cube_bound(const uint8_t (*open)[CUBE_LINKS], unsigned count, uint32_t (*need)[CUBE_CORNERS])
{
    cube_bound_shared(open, NULL, count, need);
}
