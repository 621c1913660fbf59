/* The part of step_cpu_body.h for frequency-dependent walls, included there for each vector type; no include
 * guard for that reason. Wall nodes of one entry and one material with consecutive states are stepped side by
 * side, others one by one; all from the values that the sweep kept.
 */

/* One node, its entries `entry` .. `entry` + `count` - 1 of the materials `row`. */
ALWAYS_INLINE REAL NAME(wall_node)(const struct step_walls *walls, uint64_t entry, unsigned count,
                                   const unsigned *row, REAL u, REAL v, REAL dv)
{
    const struct SCHEME(scheme_material) *material = walls->material;
    const uint64_t springs = walls->branches * walls->stride;
    const REAL *share = walls->share;
    REAL *state = walls->state, *loss = walls->loss, change[STEP_NODE_ENTRIES], w = v;
    for (unsigned n = 0; n < count; ++n)
        w = SCHEME(scheme_wall_take)(w, share[entry + n],
                                     SCHEME(scheme_wall_pull)(&material[row[n]], material[row[n]].branches,
                                                              state + entry + n, walls->stride, springs, dv,
                                                              &change[n]));
    const REAL y = (dv - v) + w;
    for (unsigned n = 0; n < count; ++n) {
        const REAL kept = SCHEME(scheme_wall_keep)(&material[row[n]], material[row[n]].branches,
                                                   state + entry + n, walls->stride, springs, y, change[n],
                                                   loss != NULL ? loss[entry + n] : (REAL)0);
        if (loss != NULL)
            loss[entry + n] = kept;
    }
    return u + w;
}

/* `count` wall nodes of one entry and one material each, with consecutive states: as wall_node() for each.
 * `place` is their place in u, u_old and the kept values; WIDTH places may be read. */
ALWAYS_INLINE void NAME(wall_vector)(const struct step_walls *walls, unsigned row, uint64_t entry,
                                     unsigned count, const uint16_t *place, const REAL *u, REAL *u_old,
                                     const struct NAME(kept) * keep, const bool whole)
{
    const struct SCHEME(scheme_material) *material =
        (const struct SCHEME(scheme_material) *)walls->material + row;
    const REAL *share = (const REAL *)walls->share + entry;
    REAL *flow = (REAL *)walls->state + entry, *spring = flow + walls->branches * walls->stride;
    REAL *loss = walls->loss != NULL ? (REAL *)walls->loss + entry : NULL;
    const unsigned branches = material->branches;
    const VEC here = VEC_GATHER(u, place), v = VEC_GATHER(keep->v, place), dv = VEC_GATHER(keep->dv, place);
    VEC still[WALL_BRANCHES_MAX], before[WALL_BRANCHES_MAX], at[WALL_BRANCHES_MAX]; /* c, V and g */
    VEC sum_c = VEC_SET((REAL)0), sum_v = VEC_SET((REAL)0);
    for (unsigned m = 0; m < branches; ++m) {
        const struct SCHEME(scheme_branch) *branch = &material->branch[m];
        before[m] = whole ? VEC_LOAD(flow + m * walls->stride) : VEC_FIRST(flow + m * walls->stride, count);
        at[m] = whole ? VEC_LOAD(spring + m * walls->stride) : VEC_FIRST(spring + m * walls->stride, count);
        still[m] = VEC_FMA(VEC_SET(branch->memory), before[m], VEC_MUL(VEC_SET(-branch->spring), at[m]));
        sum_c = VEC_ADD(sum_c, still[m]);
        sum_v = VEC_ADD(sum_v, before[m]);
    }
    const VEC change = VEC_SUB(sum_c, sum_v);
    const VEC pull =
        VEC_FMA(VEC_SET(material->pull), dv,
                VEC_FMA(VEC_SET(material->next), sum_c, VEC_MUL(VEC_SET(material->keep), sum_v)));
    const VEC shares = whole ? VEC_LOAD(share) : VEC_FIRST(share, count);
    const VEC w = VEC_FMA(VEC_MUL(VEC_SET((REAL)-1), shares), pull, v);
    const VEC y = VEC_ADD(VEC_SUB(dv, v), w);
    const VEC p = VEC_FMA(VEC_SET(material->drive), y, VEC_MUL(VEC_SET(-material->back), change));
    VEC lost = loss == NULL ? VEC_SET((REAL)0) : whole ? VEC_LOAD(loss) : VEC_FIRST(loss, count);
    for (unsigned m = 0; m < branches; ++m) {
        const struct SCHEME(scheme_branch) *branch = &material->branch[m];
        const VEC after = VEC_FMA(VEC_SET(branch->gain), p, still[m]), twice = VEC_ADD(before[m], after);
        const VEC moved = VEC_FMA(VEC_SET((REAL)0.5), twice, at[m]);
        lost = VEC_FMA(VEC_MUL(VEC_SET(branch->resistance), twice), twice, lost);
        if (whole) {
            VEC_STORE(flow + m * walls->stride, after);
            VEC_STORE(spring + m * walls->stride, moved);
        } else {
            VEC_STORE_FIRST(flow + m * walls->stride, after, count);
            VEC_STORE_FIRST(spring + m * walls->stride, moved, count);
        }
    }
    lost = VEC_FMA(VEC_MUL(VEC_SET(material->conductance), y), y, lost);
    if (loss != NULL && whole)
        VEC_STORE(loss, lost);
    else if (loss != NULL)
        VEC_STORE_FIRST(loss, lost, count);
    _Alignas(64) REAL next[WIDTH];
    VEC_STORE(next, VEC_ADD(here, w));
    for (unsigned i = 0; i < (whole ? WIDTH : count); ++i)
        u_old[place[i]] = next[i];
}

static __attribute__((noinline)) void NAME(wall_run)(const struct step_walls *walls, unsigned row,
                                                     uint64_t entry, unsigned count, const uint16_t *place,
                                                     const REAL *u, REAL *u_old,
                                                     const struct NAME(kept) * keep)
{
    if (count == WIDTH)
        NAME(wall_vector)(walls, row, entry, count, place, u, u_old, keep, true);
    else
        NAME(wall_vector)(walls, row, entry, count, place, u, u_old, keep, false);
}

/* The wall nodes of a block, from its pressures and the kept values. Not part of the sweep, whose registers
 * it would use. */
static __attribute__((noinline)) void NAME(block_walls)(const struct step_room *room, uint64_t id,
                                                        const REAL *u, REAL *u_old,
                                                        const struct NAME(kept) * keep)
{
    const struct step_plan *const plan = room->plan;
    uint64_t entry = room->blocks->wall_first[id];
    for (uint64_t n = plan->first_run[id]; n < plan->first_run[id + 1]; ++n) {
        const struct step_run run = plan->run[n];
        const uint16_t *const slot = plan->slot + entry;
        if (run.row != STEP_RUN_NODE) {
            NAME(wall_run)(room->walls, run.row, entry, run.count, slot, u, u_old, keep);
        } else {
            unsigned row[STEP_NODE_ENTRIES];
            for (unsigned i = 0; i < run.count; ++i)
                row[i] = step_wall_row(room->walls, room->blocks->wall[entry + i].material);
            u_old[*slot] = NAME(wall_node)(room->walls, entry, run.count, row, u[*slot], keep->v[*slot],
                                           keep->dv[*slot]);
        }
        entry += run.count;
    }
}

/* The same for the entries of the box under `stop`, of a stretch that starts at `index`, where u and u_old
 * point. Returns the first entry past it. */
static __attribute__((noinline)) uint64_t NAME(box_walls)(const struct step_room *room, uint64_t entry,
                                                          uint64_t index, uint64_t stop, const REAL *u,
                                                          REAL *u_old, const struct NAME(kept) * keep)
{
    const struct box_grid *box = room->box;
    const struct box_wall *wall = box->wall;
    while (entry < box->walls && wall[entry].node < stop) {
        const uint64_t from = entry;
        const uint16_t material = wall[entry].material;
        unsigned row[STEP_NODE_ENTRIES], count = 0;
        uint16_t place[WIDTH] = {0};
        while (count < WIDTH && entry < box->walls && wall[entry].node < stop &&
               wall[entry].material == material &&
               !(entry + 1 < box->walls && (wall[entry + 1].node & BOX_WALL_CONTINUES)))
            place[count++] = (uint16_t)(wall[entry++].node - index);
        if (count > 0) {
            NAME(wall_run)
            (room->walls, step_wall_row(room->walls, material), from, count, place, u, u_old, keep);
            continue;
        }
        const unsigned at = (unsigned)(wall[entry].node - index);
        do
            row[count++] = step_wall_row(room->walls, wall[entry++].material);
        while (entry < box->walls && (wall[entry].node & BOX_WALL_CONTINUES));
        u_old[at] = NAME(wall_node)(room->walls, from, count, row, u[at], keep->v[at], keep->dv[at]);
    }
    return entry;
}
