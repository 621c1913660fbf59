/* Passes around a step over lists: receivers, sources, sheets, the layer behind open faces, ports. A work
 * item an item of the list. */

/* Values of u at nodes, which the host weighs and adds. */
__kernel void read_nodes(__global const REAL *u, __global REAL *u_new, ulong count,
                         __global const ulong *index, __global REAL *value, ulong first)
{
    const ulong n = get_global_id(0);
    if (n < count)
        value[first + n] = u[index[n]];
}

/* Pushes of a node one after the other, and of the walls there. */
__kernel void push_nodes(__global const REAL *u, __global REAL *u_new, ulong count,
                         __global const struct step_driven *driven, __global const REAL *push, ulong first,
                         __global const ushort *wall_row, uint branches, ulong stride, __global REAL *state,
                         __global const struct NAME(scheme_material) * material)
{
    const ulong n = get_global_id(0);
    if (n >= count)
        return;
    const struct step_driven node = driven[n];
    REAL moved = u_new[node.index];
    for (uint k = node.first; k < node.first + node.pushes; ++k) {
        const REAL more = push[first + k];
        if (more == (REAL)0)
            continue;
        moved += more;
        for (uint entry = node.entry; entry < node.entry + node.walls; ++entry)
            NAME(scheme_wall_push)(material + wall_row[entry], state + entry, stride, branches * stride, more);
    }
    u_new[node.index] = moved;
}

/* ---- sheets (kernels/engine/engine_sheets.h) ---- */

/* plane: V, w, u_i - u_j - V, loss of every link. */
__kernel void flow_sheets(__global const REAL *u, __global REAL *u_old, ulong links,
                          __global const ulong *end, __global const struct NAME(scheme_sheet) * terms,
                          __global const uchar *there, __global REAL *plane)
{
    const ulong n = get_global_id(0);
    if (n >= links || there[n] == 0)
        return;
    const ulong low = end[2 * n], high = end[2 * n + 1];
    const REAL difference = u[low] - u[high], before = u_old[low] - u_old[high];
    const struct NAME(scheme_sheet) own = terms[n];
    REAL v = plane[n], w = plane[links + n];
    plane[3 * links + n] =
        NAME(scheme_sheet)(&own, difference - before, &v, &w, plane[3 * links + n]);
    plane[n] = v;
    plane[links + n] = w;
    plane[2 * links + n] = difference - v;
}

/* Before a step: u_old of a node and V of its walls' entries. */
static void hold(__global const REAL *u_old, ulong index, ulong wall, uint walls, uint branches, ulong stride,
                 __global const REAL *state, __global REAL *held)
{
    *held++ = u_old[index];
    for (ulong entry = wall; entry < wall + walls; ++entry)
        for (uint m = 0; m < branches; ++m)
            *held++ = state[m * stride + entry];
}

/* Push the walls of a node that the step has moved by y. */
static void push_walls(ulong wall, uint walls, __global const ushort *wall_row, uint branches, ulong stride,
                       __global REAL *state, __global REAL *loss,
                       __global const struct NAME(scheme_material) * material, __global const REAL *held, REAL y,
                       REAL push)
{
    for (ulong entry = wall; entry < wall + walls; ++entry, held += branches) {
        const REAL kept =
            NAME(scheme_sheet_wall)(material + wall_row[entry], state + entry, stride, branches * stride, held,
                                    y, push, loss != 0 ? loss[entry] : (REAL)0);
        if (loss != 0)
            loss[entry] = kept;
    }
}

__kernel void hold_sheets(__global const REAL *u, __global REAL *u_old, ulong nodes,
                          __global const struct sheet_node *node, uint branches, ulong stride,
                          __global const REAL *state, __global REAL *held)
{
    const ulong n = get_global_id(0);
    if (n < nodes && node[n].walls > 0)
        hold(u_old, node[n].index, node[n].wall, node[n].walls, branches, stride, state, held + node[n].held);
}

__kernel void push_sheets(__global const REAL *u, __global REAL *u_new, ulong nodes,
                          __global const struct sheet_node *node, __global const ulong *use,
                          __global const REAL *weight, __global const REAL *plane, ulong links,
                          __global const ushort *wall_row, uint branches, ulong stride, __global REAL *state, __global REAL *loss,
                          __global const struct NAME(scheme_material) * material, __global const REAL *held)
{
    const ulong n = get_global_id(0);
    if (n >= nodes)
        return;
    const struct sheet_node own = node[n];
    const ulong end = node[n + 1].first;
    REAL push = (REAL)0;
    for (ulong k = own.first; k < end; ++k)
        push = NAME(scheme_sheet_push)(push, weight[k], plane[2 * links + (use[k] >> 1)], (REAL)0);
    const REAL moved = u_new[own.index];
    if (own.walls > 0)
        push_walls(own.wall, own.walls, wall_row, branches, stride, state, loss, material,
                   held + own.held + 1, moved - held[own.held], push);
    u_new[own.index] = moved + push;
}

/* Around losses of the air, which change u: keep u_i - u_j, and then shift V (engine_shift_sheets()). */
__kernel void keep_sheets(__global const REAL *u, __global REAL *u_new, ulong links, __global const ulong *end,
                          __global const uchar *there, __global REAL *plane)
{
    const ulong n = get_global_id(0);
    if (n < links && there[n] != 0)
        plane[2 * links + n] = u[end[2 * n]] - u[end[2 * n + 1]];
}

__kernel void shift_sheets(__global const REAL *u, __global REAL *u_new, ulong links, __global const ulong *end,
                           __global const uchar *there, __global REAL *plane)
{
    const ulong n = get_global_id(0);
    if (n < links && there[n] != 0)
        plane[n] += u[end[2 * n]] - u[end[2 * n + 1]] - plane[2 * links + n];
}

/* ---- losses of the air (kernels/scheme/air_loss.h) ---- */

/* A work item a value. terms: part and follow of each state. */
__kernel void lose_in_air(__global REAL *u, __global REAL *u_new, ulong count, uint states,
                          __global const REAL *terms, __global REAL *state0, __global REAL *state1,
                          __global REAL *state2)
{
    __global REAL *const state[3] = {state0, state1, state2};
    const ulong n = get_global_id(0);
    if (n >= count)
        return;
    const REAL before = u[n], after = u_new[n];
    REAL lost = (REAL)0;
    for (uint s = 0; s < states; ++s) {
        REAL own = state[s][n];
        const REAL part = NAME(scheme_air)(after - before, terms[2 * s], terms[2 * s + 1], &own);
        lost = s == 0 ? part : lost + part;
        state[s][n] = own;
    }
    u_new[n] = after - lost;
    u[n] = before + lost;
}

/* ---- the layer behind open faces (kernels/engine/engine_layer.h) ---- */

__kernel void hold_layer(__global const REAL *u, __global REAL *u_old, ulong nodes,
                         __global const struct layer_node *node, uint branches, ulong stride,
                         __global const REAL *state, __global REAL *held)
{
    const ulong n = get_global_id(0);
    if (n < nodes)
        hold(u_old, node[n].index, node[n].wall, node[n].walls, branches, stride, state, held + node[n].held);
}

__kernel void push_layer(__global const REAL *u, __global REAL *u_new, ulong nodes,
                         __global const struct layer_node *node, __global const struct layer_normal *normal,
                         __global const struct layer_place *place, __global const ushort *code, ulong row,
                         ulong plane, __global const struct NAME(scheme_layer) * terms,
                         __global const REAL *gain, __global const REAL *damp, __global REAL *filter,
                         __global REAL *taken, __global const ushort *wall_row, uint branches, ulong stride,
                         __global REAL *state, __global REAL *loss,
                         __global const struct NAME(scheme_material) * material, __global const REAL *held)
{
    const ulong n = get_global_id(0);
    if (n >= nodes)
        return;
    const struct layer_node own = node[n];
    const ulong end = node[n + 1].first;
    struct layer_around around = {.place = place, .code = code};
    for (int k = 0; code == 0 && k < 27; ++k)
        around.offset[k] = k % 3 - 1 + (long)row * (k / 3 % 3 - 1) + (long)plane * (k / 9 - 1);
    REAL sum = (REAL)0;
    for (ulong k = own.first; k < end; ++k) {
        const struct layer_normal of = normal[k];
        const struct NAME(scheme_layer) depth = terms[of.depth - 1];
        REAL flow[2], kept[3] = {filter[3 * k], filter[3 * k + 1], filter[3 * k + 2]};
        NAME(layer_flows)(&around, &own, &of, u, flow);
        sum += NAME(scheme_layer)(&depth, flow[0], flow[1], kept);
        for (int s = 0; s < 3; ++s)
            filter[3 * k + s] = kept[s];
    }
    const REAL moved = u_new[own.index], y = moved - held[own.held];
    const REAL push = NAME(scheme_layer_push)(gain[n], sum, damp[n], y);
    taken[n] = NAME(scheme_layer_loss)(taken[n], push, y);
    push_walls(own.wall, own.walls, wall_row, branches, stride, state, loss, material, held + own.held + 1, y,
               push);
    u_new[own.index] = moved + push;
}

/* ---- does this device round as C does? ---- */

/* a b + c rounded twice, fma(a, b, c), and a + c. */
__kernel void try_rounding(__global const REAL *in, __global REAL *out, ulong count)
{
    const ulong n = get_global_id(0);
    if (n >= count)
        return;
    const REAL a = in[3 * n], b = in[3 * n + 1], c = in[3 * n + 2];
    out[3 * n] = a * b + c;
    out[3 * n + 1] = fma(a, b, c);
    out[3 * n + 2] = a + c;
}
