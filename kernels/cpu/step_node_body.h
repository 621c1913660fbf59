/* The definition of a node's update from the values around it, for the reference in C and the kernels in
 * OpenCL C; included once for each REAL with its SUFFIX and NAME(), so there is no include guard. Step_node.h
 * comes before it. */

/* The new pressure of a wall node with frequency-dependent walls, from its `count` entries from `entry` on,
 * whose materials are rows row[0], .. of the table. */
static REAL NAME(step_reference_wall)(const struct step_walls *walls, uint64_t entry, unsigned count,
                                      const unsigned *row, REAL u, REAL v, REAL dv)
{
    SCHEME_SHARED const struct NAME(scheme_material) *material = walls->material;
    const uint64_t springs = walls->branches * walls->stride;
    SCHEME_SHARED const REAL *share = walls->share;
    SCHEME_SHARED REAL *state = walls->state, *loss = walls->loss;
    REAL change[STEP_NODE_ENTRIES], w = v;
    for (unsigned n = 0; n < count; ++n) {
        const REAL pull = NAME(scheme_wall_pull)(&material[row[n]], material[row[n]].branches,
                                                 state + entry + n, walls->stride, springs, dv, &change[n]);
        w = NAME(scheme_wall_take)(w, share[entry + n], pull);
    }
    const REAL y = (dv - v) + w;
    for (unsigned n = 0; n < count; ++n) {
        const REAL kept = NAME(scheme_wall_keep)(&material[row[n]], material[row[n]].branches,
                                                 state + entry + n, walls->stride, springs, y, change[n],
                                                 loss != NULL ? loss[entry + n] : (REAL)0);
        if (loss != NULL)
            loss[entry + n] = kept;
    }
    return u + w;
}

/* The terms of a node's change: `sum` over its links times `weight`, then the sum over its extra links. */
struct NAME(step_reference_pull) {
    const struct cut_cell *cut; /* NULL: a whole node, or none */
    const uint8_t *plaquette;   /* of a cut node of the isotropic scheme */
    REAL weight;                /* lambda2, lambda2 / 6 or gain */
    REAL sum;
    unsigned extras; /* links in `extra` */
    REAL extra;
};

/* 7 points: the sum over the faces of a node with these links. */
static REAL NAME(step_reference_seven)(const struct cut_cell *cut, unsigned links, REAL u,
                                       const REAL face[DIRECTIONS])
{
    REAL x[DIRECTIONS];
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        x[d] = NAME(scheme_link)(cut != NULL ? cut->open[d] : links >> d & 1u, face[d], u);
    return NAME(scheme_sum)(x[0], x[1], x[2], x[3], x[4], x[5]);
}

/* Four values of a plane, edges of it or nodes in it: differences from u. */
static REAL NAME(step_reference_plane)(REAL a0, REAL a1, REAL b0, REAL b1, REAL u)
{
    return NAME(scheme_plane)(a0 - u, a1 - u, b0 - u, b1 - u);
}

/* 19 points, of a whole node: faces -x +x -y +y -z +z, edges as EDGES has them. */
static REAL NAME(step_reference_whole)(REAL u, const REAL face[DIRECTIONS], const REAL edge[EDGES])
{
    const REAL own = NAME(step_reference_plane)(face[0], face[1], face[2], face[3], u);
    const REAL below = NAME(step_reference_plane)(edge[4], edge[5], edge[8], edge[9], face[4]);
    const REAL above = NAME(step_reference_plane)(edge[6], edge[7], edge[10], edge[11], face[5]);
    const REAL edges = NAME(step_reference_plane)(edge[0], edge[3], edge[1], edge[2], u);
    return NAME(scheme_isotropic_sum)(own, below, above, edges, (face[4] - u) + (face[5] - u));
}

/* The same for a cut node. */
static REAL NAME(step_reference_cut)(const struct cut_cell *cut, const uint8_t plaquette[EDGES], REAL u,
                                     const REAL face[DIRECTIONS], const REAL edge[EDGES])
{
    int weight[DIRECTIONS];
    REAL x[DIRECTIONS], e[EDGES], plane[3];
    step_face_weights(cut, plaquette, weight);
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        x[d] = NAME(scheme_weighted)(weight[d], face[d], u);
    for (unsigned n = 0; n < EDGES; ++n)
        e[n] = NAME(scheme_weighted)(plaquette[n], edge[n], u);
    for (unsigned n = 0; n < 3; ++n)
        plane[n] = NAME(scheme_plane)(e[4 * n], e[4 * n + 3], e[4 * n + 1], e[4 * n + 2]);
    return NAME(scheme_isotropic_cut)(NAME(scheme_sum)(x[0], x[1], x[2], x[3], x[4], x[5]), plane[0],
                                      plane[1], plane[2]);
}

static void NAME(step_reference_add)(struct NAME(step_reference_pull) * pull, unsigned open, int crossed,
                                     REAL other, REAL u)
{
    const REAL more =
        NAME(scheme_weighted)((int)(pull->plaquette != NULL ? 6 * open : open) - crossed, other, u);
    pull->extra = pull->extras++ > 0 ? pull->extra + more : more;
}

/* The new pressure of one node with `count` wall entries from `entry` on; q where walls have no states. */
static REAL NAME(step_reference_node)(const struct step_walls *walls, REAL q, uint64_t entry, unsigned count,
                                      const unsigned *row, const struct NAME(step_reference_pull) * pull,
                                      REAL u, REAL u_old)
{
    const REAL d = u - u_old;
    REAL v = NAME(scheme_move)(d, pull->sum, pull->weight);
    if (pull->extras > 0)
        v = NAME(scheme_move)(v, pull->extra, pull->weight);
    if (walls != NULL && count > 0)
        return NAME(step_reference_wall)(walls, entry, count, row, u, v, d + v);
    return NAME(scheme_wall)(u, v, d + v, q);
}
