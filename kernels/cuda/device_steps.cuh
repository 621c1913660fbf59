/** The step of an engine on a device.
 *
 *   sheets, layer, membranes │ the air: blocks or the box, 7 or 19 points │ linked nodes, walls, the same
 *   before a step            │ one launch                                 │ after it: a launch for each
 *
 * An empty list is not launched. Of a part of a room the surface goes through all this first, its values
 * travel while the rest does. Losses of the air are a launch over all values once that is done.
 */
#ifndef KERNELS_DEVICE_STEPS_CUH
#define KERNELS_DEVICE_STEPS_CUH

#include "kernels/cuda/engine_on_device.cuh"
#include "kernels/cuda/step/step_blocks.cuh"
#include "kernels/cuda/step/step_cached_blocks.cuh"
#include "kernels/cuda/step/step_iso_blocks.cuh"

/** Arguments of the launches of a step. */
template <typename real> struct engine_on_device<real>::at_step {
    uint32_t n; /* since `done` was last set */
    enum step_share share;
    const real *u;
    real *u_new;
    gpu_taps<real> taps;
    gpu_walls<real> walls; /* those with states, or none */
    gpu_marked_units units() const
    {
        return {marks, (uint8_t)(share == STEP_SURFACE)};
    }
    const uint8_t *marks; /* of a part of a room: its surface */
    bool early;           /* whole: it may start while the launch before ends, which then changes u alone */
};

/* ---- the air ------------------------------------------------------------------------------------------- */

/* The places of the launch order that a launch steps, and its taps; in a part, the surface or the rest. */
template <typename real>
template <class place_type>
void engine_on_device<real>::keep_share(const at_step &at, const place_type **order, uint32_t *slots,
                                        gpu_taps<real> *taps) const
{
    if (at.share == STEP_ALL)
        return;
    *order += at.share == STEP_SURFACE ? 0 : surface_slots;
    *slots = at.share == STEP_SURFACE ? surface_slots : layout.slots - surface_slots;
    if (at.share == STEP_REST)
        taps->receivers = taps->source_blocks = 0;
}

/* 7 points, without nodes with extra links and walls with states. */
template <typename real>
template <class room_type, class box_type>
cudaError_t engine_on_device<real>::step_seven(const room_type &all, const box_type &box_room,
                                               const at_step &at)
{
    if (box != nullptr)
        return step_box(box_room, at.taps, at.u, at.u_new, stream);
    const bool whole = at.share == STEP_ALL, back = whole && layout.turns && now != 0;
    room_type room = all;
    gpu_taps<real> taps = at.taps;
    keep_share(at, &room.block, &room.slots, &taps);
    if (room.slots == 0 && taps.receivers == 0 && taps.source_blocks == 0)
        return cudaSuccess;
    if (layout.kernel == DEVICE_CACHED_BLOCKS)
        return step_cached_blocks<real>(room, taps, at.u, at.u_new, whole && at.early, back, stream);
    return step_blocks<real>(room, taps, at.u, at.u_new, back, stream);
}

/* Blocks of the isotropic scheme: one launch does it all. */
template <typename real>
template <class room_type>
cudaError_t engine_on_device<real>::step_rows(const room_type &all, const at_step &at)
{
    const bool back = at.share == STEP_ALL && layout.turns && now != 0;
    room_type room = all;
    gpu_taps<real> taps = at.taps;
    keep_share(at, &room.row, &room.slots, &taps);
    if (at.share == STEP_REST)
        room.linked = 0;
    if (room.slots == 0 && taps.receivers == 0 && room.linked == 0)
        return cudaSuccess;
    return step_iso_blocks<iso_blocks_shape<real>>(room, taps, at.u, at.u_new, back, stream);
}

template <typename real> cudaError_t engine_on_device<real>::step_nineteen(const at_step &at)
{
    if (box != nullptr)
        return walls == nullptr
                   ? step_iso_box(device_iso_box(box_room(), layout, lambda2, memory), at.taps, at.u,
                                  at.u_new, stream)
                   : step_iso_box(
                         device_iso_box(device_with_states<gpu_state_box<real>>(box_room(), at.walls), layout,
                                        lambda2, memory),
                         at.taps, at.u, at.u_new, stream);
    const gpu_iso<real> room = device_iso_room<real>(layout, lambda2, memory);
    return walls == nullptr ? step_rows(room, at)
           : at.walls.branches <= 6
               ? step_rows(device_with_states<gpu_iso_state<real, 6>>(room, at.walls), at)
               : step_rows(device_with_states<gpu_iso_state<real, WALL_BRANCHES_MAX>>(room, at.walls), at);
}

template <typename real> cudaError_t engine_on_device<real>::step_air(const at_step &at)
{
    if (layout.isotropic)
        return step_nineteen(at);
    const gpu_cuts cuts = device_cuts_of(layout, memory);
    const gpu_room<real> room = block_room();
    const gpu_box<real> planes = box_room();
    if (walls == nullptr)
        return layout.has_records ? step_seven(gpu_cut_of(room, cuts), gpu_cut_of(planes, cuts), at)
                                  : step_seven(room, planes, at);
    const auto states = device_with_states<gpu_state_room<real>>(room, at.walls);
    const auto state_planes = device_with_states<gpu_state_box<real>>(planes, at.walls);
    return layout.has_records ? step_seven(gpu_cut_of(states, cuts), gpu_cut_of(state_planes, cuts), at)
                              : step_seven(states, state_planes, at);
}

/* ---- lists before and after ---------------------------------------------------------------------------- */

/* Nodes with extra links, which the launch over blocks or box skips; in a part, all with its surface. */
template <typename real> cudaError_t engine_on_device<real>::after_linked(const at_step &at)
{
    if (layout.isotropic || !layout.has_records || at.share == STEP_REST)
        return cudaSuccess;
    const bool early = at.share == STEP_ALL && overlap && layout.kernel == DEVICE_CACHED_BLOCKS;
    const gpu_cuts cuts = device_cuts_of(layout, memory);
    return walls == nullptr
               ? step_linked_after(gpu_cut_of(block_room(), cuts), at.taps, at.u, at.u_new, early, stream)
               : step_linked_after(
                     gpu_cut_of(device_with_states<gpu_state_room<real>>(block_room(), at.walls), cuts),
                     at.taps, at.u, at.u_new, early, stream);
}

/* Blocks of the isotropic scheme step theirs. */
template <typename real> cudaError_t engine_on_device<real>::after_walls(const at_step &at)
{
    if (layout.isotropic && box == nullptr)
        return cudaSuccess;
    const bool early = overlap && layout.kernel == DEVICE_CACHED_BLOCKS;
    return at.share == STEP_ALL
               ? step_walls_after(at.walls, at.taps, at.u, at.u_new, early, stream)
               : step_walls_after(at.walls, at.taps, at.u, at.u_new, false, stream, at.units());
}

/* Flows are computed before the step, for all links; in a part, with its surface. They need both levels of
 * the ghosts, which are overwritten later. */
template <typename real> cudaError_t engine_on_device<real>::before_sheets(const at_step &at)
{
    return step_sheets_before(sheets.there, at.walls, at.u, at.u_new, stream);
}
template <typename real> cudaError_t engine_on_device<real>::after_sheets(const at_step &at)
{
    return at.share == STEP_ALL ? step_sheets_after(sheets.there, at.walls, at.u_new, stream)
                                : step_sheets_after(sheets.there, at.walls, at.u_new, stream, at.units());
}

/* Later steps of a batch find what the step before has kept. */
/* The step before kept the values, unless losses of the air changed them since. */
template <typename real> cudaError_t engine_on_device<real>::before_layer(const at_step &at)
{
    return at.n > 0 && air.there.states == 0 ? cudaSuccess
                                             : step_layer_before(open.there, at.walls, at.u_new, stream);
}
template <typename real> cudaError_t engine_on_device<real>::after_layer(const at_step &at)
{
    return at.share == STEP_ALL
               ? step_layer_after(open.there, at.walls, at.u, at.u_new, overlap, stream)
               : step_layer_after(open.there, at.walls, at.u, at.u_new, false, stream, at.units());
}

template <typename real> cudaError_t engine_on_device<real>::before_membranes(const at_step &at)
{
    return step_membranes_before(membranes.table, membranes.count(), at.u, stream);
}
template <typename real> cudaError_t engine_on_device<real>::after_membranes(const at_step &at)
{
    return at.share == STEP_ALL
               ? step_membranes_after(membranes.table, membranes.count(), at.u_new, stream)
               : step_membranes_after(membranes.table, membranes.count(), at.u_new, stream, at.units());
}

/* Launch step n of such units, and change the levels once all are stepped. */
template <typename real> cudaError_t engine_on_device<real>::step(uint32_t n, enum step_share share)
{
    using launch = cudaError_t (engine_on_device::*)(const at_step &);
    static const struct {
        launch before, after;
    } lists[] = {{nullptr, &engine_on_device::after_linked},
                 {nullptr, &engine_on_device::after_walls},
                 {&engine_on_device::before_sheets, &engine_on_device::after_sheets},
                 {&engine_on_device::before_layer, &engine_on_device::after_layer},
                 {&engine_on_device::before_membranes, &engine_on_device::after_membranes}};
    /* A step may read `done`, drives and u_old before it waits, so it does not overlap what wrote them: work
     * before the first step, and losses of the air. */
    const bool early = overlap && n > 0 && !lost;
    const at_step at = {n,          share, level(0), level(1), taps_of<real>(taps, n), walls_there(),
                        halo.outer, early};
    cudaError_t code = cudaSuccess;
    lost = false;
    for (const auto &list : lists)
        if (code == cudaSuccess && list.before != nullptr && share != STEP_REST)
            code = (this->*list.before)(at);
    if (code == cudaSuccess)
        code = step_air(at);
    for (const auto &list : lists)
        if (code == cudaSuccess)
            code = (this->*list.after)(at);
    if (share != STEP_SURFACE)
        now ^= 1;
    return code;
}

/* Losses of the air, if the step after so many ends with them: over all values, ghosts too, which remain
 * those of their owners. The levels have changed. */
template <typename real> cudaError_t engine_on_device<real>::lose_in_air(uint64_t begun)
{
    if (!air.is_due(begun))
        return cudaSuccess;
    lost = true;
    cudaError_t code =
        launch_list(sheet_keep_kernel<real>, sheets.there.links, false, stream, sheets.there, level(1));
    if (code == cudaSuccess)
        code = step_air_after(air.there, level(1) - layout.origin, level(0) - layout.origin, stream);
    return code != cudaSuccess ? code
                               : launch_list(sheet_shift_kernel<real>, sheets.there.links, false, stream,
                                             sheets.there, level(1));
}

template <typename real> cudaError_t engine_on_device<real>::step_whole(uint32_t n, uint64_t begun)
{
    const cudaError_t code = step(n, STEP_ALL);
    return code == cudaSuccess ? lose_in_air(begun) : code;
}

/* ---- batches of steps ---------------------------------------------------------------------------------- */

/* The steps of a graph: with losses of the air whole intervals, from the start of one on; 0: no graphs. */
static uint32_t graph_steps(unsigned every)
{
    const uint32_t even = every % 2 == 0 ? every : 2 * every;
    return every <= GRAPH_STEPS ? GRAPH_STEPS / even * even : 0;
}

/* The launches of a graph. */
template <typename real> cudaError_t engine_on_device<real>::step_graph()
{
    const int start = now;
    cudaError_t code = cudaSuccess;
    const uint32_t steps = graph_steps(air.every);
    for (uint32_t n = 0; code == cudaSuccess && n < steps; ++n)
        code = step_whole(n, n);
    now = start;
    return code == cudaSuccess ? device_taps_advance(&taps, steps, stream) : code;
}

template <typename real>
int engine_on_device<real>::run_singly(uint64_t begun, uint64_t steps, struct failure *failure)
{
    for (uint32_t n = 0; n < steps; ++n)
        DEVICE_TRY(step_whole(n, begun + n), "a step", failure);
    return 0;
}

template <typename real>
int engine_on_device<real>::run_steps(uint64_t begun, uint64_t steps, struct failure *failure)
{
    const uint64_t graph = graph_steps(air.every);
    const uint64_t first = (air.every - begun % air.every) % air.every; /* to the start of an interval */
    if (graph == 0 || steps < first + graph)
        return run_singly(begun, steps, failure);
    TRY(run_singly(begun, first, failure));
    if (first > 0)
        DEVICE_TRY(device_taps_advance(&taps, first, stream), "a step", failure);
    uint64_t left = steps - first;
    for (; left >= graph; left -= graph)
        TRY(graphs.run(
            now, stream, [this] { return step_graph(); }, failure));
    return run_singly(begun + steps - left, left, failure);
}

template <> int engine_on_device<float>::run_resident(uint64_t begun, uint64_t steps, struct failure *failure)
{
    (void)begun;
    return device_resident_run(&resident, &taps, level(0), level(1), (uint32_t)steps, stream, failure);
}
template <>
int engine_on_device<double>::run_resident(uint64_t begun, uint64_t steps, struct failure *failure)
{
    return run_steps(begun, steps, failure);
}

/* Values of the surface travel while the rest is stepped. */
template <typename real>
int engine_on_device<real>::run_parts(uint64_t begun, uint64_t steps, struct failure *failure)
{
    for (uint32_t n = 0; n < steps; ++n) {
        DEVICE_TRY(step(n, STEP_SURFACE), "a step", failure);
        TRY(device_halo_gather(&halo, level(1), stream, failure));
        DEVICE_TRY(step(n, STEP_REST), "a step", failure);
        TRY(device_halo_trade(&halo, level(0), stream, failure));
        DEVICE_TRY(lose_in_air(begun + n), "a step", failure);
    }
    return 0;
}

template <typename real>
int engine_on_device<real>::run_batch(uint64_t begun, uint64_t steps, const double *drive, double *output,
                                      uint64_t stride, struct failure *failure)
{
    TRY(device_taps_send(&taps, steps, drive, stride, stream, failure));
    for (const auto &membrane : membranes.one)
        TRY(membrane->strike(steps, stream, failure));
    TRY(halo.with != nullptr ? run_parts(begun, steps, failure)
        : stays()            ? run_resident(begun, steps, failure)
                             : run_steps(begun, steps, failure));
    return device_taps_receive(&taps, steps, output, stride, stream, failure);
}

template <typename real>
int engine_on_device<real>::run(uint64_t begun, uint64_t steps, const double *drive, double *output,
                                struct failure *failure)
{
    const uint64_t exchanges = halo.exchanges + steps;
    const uint64_t batch =
        membranes.count() > 0 ? std::min<uint64_t>(taps.batch, MEMBRANE_BATCH) : taps.batch;
    int code = 0;
    for (uint64_t done = 0; code == 0 && done < steps; done += batch)
        code =
            run_batch(begun + done, std::min(batch, steps - done), drive != nullptr ? drive + done : nullptr,
                      output != nullptr ? output + done : nullptr, steps, failure);
    if (halo.with != nullptr)
        device_halo_skip(&halo, exchanges);
    return code;
}

template <typename real> int engine_on_device<real>::exchange(int which, struct failure *failure)
{
    const uint64_t exchanges = halo.exchanges + 1;
    int code = device_halo_gather(&halo, level(which), stream, failure);
    if (code == 0)
        code = device_halo_trade(&halo, level(which), stream, failure);
    device_halo_skip(&halo, exchanges);
    if (code == 0)
        DEVICE_TRY(cudaStreamSynchronize(stream), "the pressures", failure);
    return code;
}

template <typename real> int engine_on_device<real>::reset(struct failure *failure)
{
    for (uint64_t offset : layout.level)
        DEVICE_TRY(cudaMemsetAsync(memory + offset, 0, layout.values * sizeof(real), stream), "the pressures",
                   failure);
    if (walls != nullptr)
        TRY(zero_walls(*walls, sizeof(real), layout, memory, stream, failure));
    if (air.memory != nullptr)
        TRY(air.zero(stream, failure));
    if (sheets.memory != nullptr)
        TRY(sheets.zero(failure));
    if (open.memory != nullptr)
        TRY(open.zero(failure));
    DEVICE_TRY(cudaStreamSynchronize(stream), "the pressures", failure);
    now = 0;
    return 0;
}

#endif
