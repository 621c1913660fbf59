/* The layer behind open faces over a vector type of at most eight values, included by step_cpu_body.h, so no
 * include guard. See step_layer.h.
 */

/* Fill the rows of a tile that the layer of a place needs. */
static void NAME(layer_tile)(const struct layer_place *place, const struct layer_reach *reach, const REAL *u,
                             REAL *tile)
{
    for (int z = reach->low[1] - 1; z <= reach->high[1] + 1; ++z)
        for (int y = reach->low[0] - 1; y <= reach->high[0] + 1; ++y) {
            const int beside = 13 + 3 * (y < 0 ? -1 : y > 7) + 9 * (z < 0 ? -1 : z > 7);
            const size_t at = 64 * (size_t)(z & 7) + 8 * (size_t)(y & 7);
            REAL *const row = tile + (z + 1) * LAYER_TILE_PLANE + (y + 1) * LAYER_TILE_ROW + LAYER_TILE_X;
            memcpy(row, u + (size_t)place->block[beside] * BLOCK_NODES + at, 8 * sizeof(REAL));
            row[-1] = u[(size_t)place->block[beside - 1] * BLOCK_NODES + at + 7];
            row[8] = u[(size_t)place->block[beside + 1] * BLOCK_NODES + at];
        }
}

/* scheme_filter(). */
ALWAYS_INLINE VEC NAME(layer_filter)(const REAL *terms, VEC in, REAL *state)
{
    const VEC before = VEC_LOAD(state);
    VEC_STORE(state,
              VEC_FMA(VEC_LOAD(terms + LAYER_LANES), in, VEC_MUL(VEC_LOAD(terms + 2 * LAYER_LANES), before)));
    return VEC_FMA(VEC_LOAD(terms), in, before);
}

/* What one direction adds to the sum of WIDTH nodes at `u`: layer_flows() and scheme_layer(). `out` and
 * `across` are how far the neighbours are. */
ALWAYS_INLINE VEC NAME(layer_normal)(const REAL *u, int64_t out, const int64_t across[2],
                                     const struct layer_row_side *side, unsigned lane, const bool shares,
                                     const REAL *terms, REAL *state)
{
    const VEC here = VEC_LOAD(u);
    VEC inwards = VEC_SET((REAL)0), outwards = VEC_SET((REAL)0);
    for (int k = 0; shares && k < 4; ++k) {
        const REAL *const beside = u + (k & 1 ? across[k >> 1] : -across[k >> 1]);
        const VEC near = VEC_LOAD(beside);
        inwards = VEC_ADD(
            inwards, VEC_MUL(VEC_BYTES(side->share[0][k] + lane), VEC_SUB(near, VEC_LOAD(beside - out))));
        outwards = VEC_ADD(
            outwards, VEC_MUL(VEC_BYTES(side->share[1][k] + lane), VEC_SUB(VEC_LOAD(beside + out), near)));
    }
    const VEC in = VEC_FMA(VEC_SHORTS(side->weight[0] + lane), VEC_SUB(here, VEC_LOAD(u - out)), inwards);
    const VEC away = VEC_FMA(VEC_SHORTS(side->weight[1] + lane), VEC_SUB(VEC_LOAD(u + out), here), outwards);
    const VEC inner = NAME(layer_filter)(terms + lane, in, state + lane);
    const VEC outer = NAME(layer_filter)(terms + 3 * LAYER_LANES + lane, away, state + LAYER_LANES + lane);
    const VEC taken = VEC_SUB(outer, inner);
    return VEC_ADD(taken,
                   NAME(layer_filter)(terms + 6 * LAYER_LANES + lane, VEC_ADD(VEC_SUB(away, in), taken),
                                      state + 2 * LAYER_LANES + lane));
}

/* Push the walls of a node by that much, its change before being y. */
static void NAME(layer_wall)(const struct step_layer *layer, const struct step_room *room,
                             const struct layer_row_wall *node, REAL y, REAL push)
{
    const struct step_walls *const walls = room->walls;
    const REAL *held = (const REAL *)layer->held_walls + node->held;
    REAL *const loss = walls->loss;
    for (uint64_t entry = node->entry; entry < node->entry + node->count; ++entry) {
        const unsigned row = step_wall_row(walls, room->box != NULL ? room->box->wall[entry].material
                                                                    : room->blocks->wall[entry].material);
        const REAL lost = SCHEME(scheme_sheet_wall)(
            &((const struct SCHEME(scheme_material) *)walls->material)[row], (REAL *)walls->state + entry,
            walls->stride, walls->branches * walls->stride, held, y, push, loss != NULL ? loss[entry] : 0);
        held += walls->branches;
        if (loss != NULL)
            loss[entry] = lost;
    }
}

/* A row whose pressures are at `u`, its neighbours along the axes `stride` away. */
ALWAYS_INLINE void NAME(layer_row)(const struct step_layer *layer, const struct step_room *room,
                                   uint64_t number, const REAL *u, const int64_t stride[3], REAL *u_new)
{
    const struct layer_row *const row = &layer->row[number];
    const REAL *const weight = (const REAL *)layer->weight.value + (size_t)row->weight * 2 * LAYER_LANES;
    const REAL *const held = (const REAL *)layer->held + number * LAYER_LANES;
    REAL *const loss = (REAL *)layer->loss + number * LAYER_LANES;
    _Alignas(64) REAL pushes[LAYER_LANES], ys[LAYER_LANES];
    for (unsigned lane = 0; lane < LAYER_LANES; lane += WIDTH) {
        VEC sum = VEC_SET((REAL)0);
        for (uint32_t k = row[0].first; k < row[1].first; ++k) {
            const struct layer_row_normal *const normal = &layer->normal[k];
            const unsigned axis = normal->outward >> 1U;
            const int64_t out = normal->outward & 1 ? stride[axis] : -stride[axis];
            const int64_t across[2] = {stride[(axis + 1) % 3], stride[(axis + 2) % 3]};
            const struct layer_row_side *const side =
                (const struct layer_row_side *)layer->side.value + normal->side;
            const REAL *const terms = (const REAL *)layer->terms + (size_t)normal->depths * 9 * LAYER_LANES;
            REAL *const state = (REAL *)layer->state + (size_t)k * LAYER_STATES * LAYER_LANES;
            sum = VEC_ADD(sum,
                          normal->shares
                              ? NAME(layer_normal)(u + lane, out, across, side, lane, true, terms, state)
                              : NAME(layer_normal)(u + lane, out, across, side, lane, false, terms, state));
        }
        const VEC moved = VEC_LOAD(u_new + lane), y = VEC_SUB(moved, VEC_LOAD(held + lane));
        const VEC push =
            VEC_FMA(VEC_LOAD(weight + lane), sum, VEC_MUL(VEC_LOAD(weight + LAYER_LANES + lane), y));
        VEC_STORE(loss + lane,
                  VEC_FMA(VEC_MUL(VEC_SET((REAL)-1), push), VEC_ADD(y, push), VEC_LOAD(loss + lane)));
        VEC_STORE(u_new + lane, VEC_ADD(moved, push));
        VEC_STORE(pushes + lane, push);
        VEC_STORE(ys + lane, y);
    }
    for (uint32_t n = row[0].wall; n < row[1].wall; ++n) {
        const struct layer_row_wall *const wall = &layer->wall[n];
        NAME(layer_wall)(layer, room, wall, ys[wall->lane], pushes[wall->lane]);
    }
}

static void NAME(step_layer)(const struct step_layer *layer, const struct step_room *room, const void *u,
                             void *u_new, uint64_t first, uint64_t last)
{
    static const int64_t tile_stride[3] = {1, LAYER_TILE_ROW, LAYER_TILE_PLANE};
    _Alignas(64) REAL tile[LAYER_TILE];
    uint32_t place = UINT32_MAX;
    for (uint64_t n = first; n < last; ++n) {
        const struct layer_row *const row = &layer->row[n];
        REAL *const moved = (REAL *)u_new + row->index;
        if (room->box == NULL) {
            if (row->place != place) {
                place = row->place;
                NAME(layer_tile)(&layer->around->place[place], &layer->reach[place], u, tile);
            }
            const size_t y = row->index >> 3 & 7, z = row->index >> 6 & 7;
            NAME(layer_row)
            (layer, room, n, tile + (z + 1) * LAYER_TILE_PLANE + (y + 1) * LAYER_TILE_ROW + LAYER_TILE_X,
             tile_stride, moved);
            continue;
        }
        /* Values that follow the row may be another thread's. */
        _Alignas(64) REAL own[LAYER_LANES] = {0};
        for (unsigned lane = 0; lane < LAYER_LANES; ++lane)
            if (row->lanes >> lane & 1)
                own[lane] = moved[lane];
        NAME(layer_row)(layer, room, n, (const REAL *)u + row->index, layer->stride, own);
        for (unsigned lane = 0; lane < LAYER_LANES; ++lane)
            if (row->lanes >> lane & 1)
                moved[lane] = own[lane];
    }
}
