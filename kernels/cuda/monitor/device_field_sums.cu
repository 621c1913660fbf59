/* Each CTA sums every SUM_CTAS-th part of the field (device_sums.cuh). */
#include "kernels/cuda/monitor/device_monitor.h"

#include "kernels/cuda/monitor/device_masses.cuh"
#include "kernels/cuda/monitor/device_sums.cuh"

namespace {

/* The findings of CTAs by kind, and how two are combined. */
struct measured {
    double sum, plain, largest;
    uint64_t bad;
};
__device__ __forceinline__ measured add_findings(const measured &a, const measured &b)
{
    return {a.sum + b.sum, a.plain + b.plain, fmax(a.largest, b.largest), a.bad < b.bad ? a.bad : b.bad};
}
struct strained {
    double moving, stretched;
    double weighed, squared; /* sums of mass x u, mass x u^2: in conformal rooms, where masses differ */
};
__device__ __forceinline__ strained add_findings(const strained &a, const strained &b)
{
    return {a.moving + b.moving, a.stretched + b.stretched, a.weighed + b.weighed, a.squared + b.squared};
}
/* Of a CTA, to its place in `partial`. All threads take part. */
template <class kind> __device__ __forceinline__ void store_sum(const kind &mine, kind *partial)
{
    const kind all = gather_findings(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}
template <typename real> uint64_t box_values(const gpu_box<real> &box)
{
    return (uint64_t)box.nodes[2] * (uint64_t)box.nodes[1] * box.pitch;
}

/* ---- Sums, largest, first bad ---- */

/* `values` is a multiple of a block or a pitch, hence of a thread's load. */
template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    measure_kernel(const real *u, uint64_t values, measured *partial)
{
    constexpr unsigned WIDTH = 16 / (unsigned)sizeof(real);
    measured mine = {0.0, 0.0, 0.0, UINT64_MAX};
    for (uint64_t at = ((uint64_t)blockIdx.x * SUM_THREADS + threadIdx.x) * WIDTH; at < values;
         at += (uint64_t)SUM_CTAS * SUM_THREADS * WIDTH) {
        const sixteen_bytes<real> some = load_sixteen(u + at);
#pragma unroll
        for (unsigned i = 0; i < WIDTH; ++i) {
            const double value = (double)some.v[i];
            if (isfinite(value))
                mine = add_findings(mine, measured{value * value, value, fabs(value), UINT64_MAX});
            else
                mine = add_findings(mine, measured{0.0, 0.0, 0.0, at + i});
        }
    }
    store_sum(mine, partial);
}

/* Index on the host of a value counted from the start of the measured range. */
template <typename real> uint64_t host_index(const device_field<real> &field, uint64_t at)
{
    if (field.layout == LAYOUT_BLOCKS)
        return at + BLOCK_NODES;
    const int64_t *const nodes = field.host_box->nodes;
    const uint64_t row = at / field.box.pitch, x = at % field.box.pitch;
    const uint64_t y = row % (uint64_t)nodes[1], z = row / (uint64_t)nodes[1];
    return ((z + 1) * ((uint64_t)nodes[1] + 2) + y + 1) * ((uint64_t)nodes[0] + 2) + x + 1;
}

} // namespace

template <typename real>
static int measure_strain(const device_field<real> &field, const char *purpose, strained (&part)[SUM_CTAS],
                          struct failure *failure);

template <typename real>
int device_measure(const device_field<real> &field, struct engine_partial *found, struct failure *failure)
{
    static const char purpose[] = "the level of the field";
    const bool blocks = field.layout == LAYOUT_BLOCKS;
    const real *const first = blocks ? field.u + BLOCK_NODES : field.u;
    const uint64_t values = blocks ? (uint64_t)field.blocks->blocks * BLOCK_NODES : box_values(field.box);
    device_memory<measured> partial;
    measured part[SUM_CTAS], whole = {0.0, 0.0, 0.0, UINT64_MAX};
    TRY(partial.allocate(SUM_CTAS, purpose, failure));
    measure_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(first, values, partial.data());
    DEVICE_TRY(cudaGetLastError(), purpose, failure);
    TRY(fetch(partial.data(), field.stream, part, purpose, failure));
    for (const measured &cta : part) {
        whole.sum += cta.sum;
        whole.plain += cta.plain;
        whole.largest = cta.largest > whole.largest ? cta.largest : whole.largest;
        whole.bad = cta.bad < whole.bad ? cta.bad : whole.bad;
    }
    *found = engine_partial();
    found->sum = whole.sum;
    found->plain = whole.plain;
    if (field.blocks->has_records) {
        strained weighed[SUM_CTAS];
        TRY(measure_strain(field, purpose, weighed, failure));
        found->sum = found->plain = 0.0;
        for (const strained &cta : weighed) {
            found->sum += cta.squared;
            found->plain += cta.weighed;
        }
    }
    found->largest = whole.largest;
    found->bad = whole.bad == UINT64_MAX ? UINT64_MAX : host_index(field, whole.bad);
    return 0;
}

/* ---- Energy ---- */

namespace {

/* The terms of a node: its own change, and each of its links to the + side. next[] are indices. */
template <typename real>
__device__ __forceinline__ void add_node(strained *sum, const real *u, const real *u_old, size_t at,
                                         unsigned links, const size_t (&next)[3])
{
    const double now = (double)u[at], old = (double)u_old[at];
    sum->moving += (now - old) * (now - old);
#pragma unroll
    for (unsigned axis = 0; axis < 3; ++axis)
        if (links >> (2 * axis + 1) & 1u)
            sum->stretched += ((double)u[next[axis]] - now) * ((double)u_old[next[axis]] - old);
}

/* The same of a cut node. */
template <typename real>
__device__ __forceinline__ void add_cut_node(strained *sum, const real *u, const real *u_old, size_t at,
                                             const uint2 &cell, double mass, const size_t (&next)[3])
{
    const double now = (double)u[at], old = (double)u_old[at];
    const unsigned open[3] = {cell.x >> 8 & 0xFFu, cell.x >> 24, cell.y >> 8 & 0xFFu};
    sum->moving += mass * ((now - old) * (now - old));
    sum->weighed += mass * now;
    sum->squared += mass * (now * now);
#pragma unroll
    for (unsigned axis = 0; axis < 3; ++axis)
        if (open[axis] != 0)
            sum->stretched += (double)open[axis] / CUT_WHOLE *
                              (((double)u[next[axis]] - now) * ((double)u_old[next[axis]] - old));
}

/* Half of each extra link: the other half is the other end's. */
template <typename real>
__device__ __forceinline__ void add_links(strained *sum, const gpu_cuts &cuts, const real *u,
                                          const real *u_old)
{
    for (uint32_t n = blockIdx.x * SUM_THREADS + threadIdx.x; n < cuts.linked; n += SUM_CTAS * SUM_THREADS) {
        const struct gpu_linked_node &node = cuts.node[n];
        const double now = (double)u[node.place], old = (double)u_old[node.place];
        for (uint32_t k = 0; k < node.links; ++k) {
            const struct gpu_link to = cuts.link[node.first + k];
            sum->stretched += 0.5 * (double)to.weight / CUT_WHOLE *
                              (((double)u[to.place] - now) * ((double)u_old[to.place] - old));
        }
    }
}

/* ---- The isotropic scheme ---- */

/* A node: `cut` NULL of a whole one; index(k) is that of neighbour k. Links (6 alpha - n) / 6 from their low
 * end, diagonals b / 6 from the end with the lower second coordinate. */
template <typename real, class index_type>
__device__ __forceinline__ void add_iso_node(strained *sum, const real *u, const real *u_old, size_t at,
                                             const struct gpu_iso_cut *cut, double mass,
                                             const index_type &index)
{
    const double now = (double)u[at], old = (double)u_old[at];
    double stretched = 0.0;
    int weight[18];
    if (cut != nullptr)
        record_weights(*cut, weight);
    sum->moving += mass * ((now - old) * (now - old));
    sum->weighed += mass * now;
    sum->squared += mass * (now * now);
    const auto add = [&](int k, int counts) {
        if (counts != 0) {
            const size_t to = index(k);
            stretched += counts * (((double)u[to] - now) * ((double)u_old[to] - old));
        }
    };
#pragma unroll
    for (int k = 1; k < 6; k += 2)
        add(k, cut != nullptr ? weight[k] : 2 * CUT_WHOLE);
#pragma unroll
    for (int k = 6; k < 18; ++k)
        if (((k - 6) & 2) != 0)
            add(k, cut != nullptr ? weight[k] : CUT_WHOLE);
    sum->stretched += stretched / (6.0 * CUT_WHOLE);
}

/* Half of each extra link, as add_links(). */
template <typename real>
__device__ __forceinline__ void add_iso_links(strained *sum, uint32_t linked,
                                              const struct gpu_iso_linked *nodes,
                                              const struct gpu_link *links, const real *u, const real *u_old)
{
    for (uint32_t n = blockIdx.x * SUM_THREADS + threadIdx.x; n < linked; n += SUM_CTAS * SUM_THREADS) {
        const struct gpu_iso_linked *const node = nodes + n;
        const double now = (double)u[node->place], old = (double)u_old[node->place];
        for (uint32_t k = 0; k < node->links; ++k) {
            const struct gpu_link to = links[node->link + k];
            sum->stretched += (double)to.weight / (2 * 6 * CUT_WHOLE) *
                              (((double)u[to.place] - now) * ((double)u_old[to.place] - old));
        }
    }
}

template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    energy_iso_blocks_kernel(gpu_iso<real> room, double lambda2, const real *u, const real *u_old,
                             strained *partial)
{
    strained mine = {0.0, 0.0, 0.0};
    for (uint32_t place = blockIdx.x; place < room.slots; place += SUM_CTAS) {
        const struct gpu_iso_row &row = room.row[place];
        if (row.self == 0)
            continue;
        const uint32_t tile = row.tile & GPU_ISO_TILE;
        for (unsigned slot = threadIdx.x; slot < GPU_BLOCK_NODES; slot += SUM_THREADS) {
            const struct gpu_plane plane = load_plane(room.plane + 8 * (size_t)tile + slot / 64);
            const uint64_t bit = UINT64_C(1) << slot % 64;
            const bool whole = tile == GPU_TILE_FULL || (plane.open & bit) != 0;
            if (!whole && (plane.cut & bit) == 0)
                continue;
            const uint64_t record =
                (row.cuts & GPU_ISO_FIRST) + plane.cuts_below + (uint64_t)__popcll(plane.cut & (bit - 1u));
            struct gpu_iso_cut cut = {};
            if (!whole)
                cut = {room.cut_first[record], room.cut_second[record]};
            add_iso_node(&mine, u, u_old, block_index(row.self) + slot, whole ? nullptr : &cut,
                         whole ? 1.0 : iso_mass(lambda2, cut), [&](int k) {
                             return point_index(row, (int)(slot & 7u) + iso_along(k, 0),
                                                (int)(slot >> 3 & 7u) + iso_along(k, 1),
                                                (int)(slot >> 6) + iso_along(k, 2));
                         });
        }
    }
    add_iso_links(&mine, room.linked, room.node, room.link, u, u_old);
    store_sum(mine, partial);
}

/* A warp takes a stretch of a row, as in a step. */
template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    energy_iso_box_kernel(gpu_iso_box<gpu_box<real>> box, uint64_t values, double lambda2, const real *u,
                          const real *u_old, strained *partial)
{
    constexpr int WIDTH = 16 / (int)sizeof(real), STRETCH = box_stretch<real>();
    const ptrdiff_t pitch = (ptrdiff_t)box.pitch, plane = (ptrdiff_t)box.nodes[1] * pitch;
    strained mine = {0.0, 0.0, 0.0};
    for (uint64_t stretch = (uint64_t)blockIdx.x * SUM_WARPS + threadIdx.x / 32u; stretch * STRETCH < values;
         stretch += (uint64_t)SUM_CTAS * SUM_WARPS) {
        const uint64_t first = stretch * STRETCH + (uint64_t)WIDTH * (threadIdx.x % 32u);
        const uint32_t kinds = load_box_links(box.links + first, real());
        const uint32_t open = kind_bits<WIDTH>(kinds, GPU_BOX_OPEN),
                       cut = kind_bits<WIDTH>(kinds, GPU_BOX_CUT);
        uint64_t record = box.records.first[stretch] + (uint64_t)stretch_rank<real>(cut);
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) {
            const uint64_t at = first + (uint64_t)i;
            const bool whole = (open >> i & 1u) != 0;
            if (!whole && (cut >> i & 1u) == 0)
                continue;
            struct gpu_iso_cut it = {};
            if (!whole) {
                it = {box.records.cut_first[record], box.records.cut_second[record]};
                ++record;
            }
            add_iso_node(&mine, u, u_old, at, whole ? nullptr : &it, whole ? 1.0 : iso_mass(lambda2, it),
                         [&](int k) { return (size_t)((ptrdiff_t)at + box_along(k, pitch, plane)); });
        }
    }
    add_iso_links(&mine, box.records.linked, box.records.node, box.records.link, u, u_old);
    store_sum(mine, partial);
}

/* Places of the + neighbours of a slot, given those of its block. */
__device__ __forceinline__ void beyond_slot(const gpu_block &block, unsigned slot, size_t (&next)[3])
{
    const size_t own = block_index(block.self);
    next[0] = (slot & 7u) < 7u ? own + slot + 1 : block_index(block.neighbour[1]) + slot - 7;
    next[1] = (slot >> 3 & 7u) < 7u ? own + slot + 8 : block_index(block.neighbour[3]) + slot - 56;
    next[2] = slot >> 6 < 7u ? own + slot + 64 : block_index(block.neighbour[5]) + slot - 448;
}

template <typename real>
__device__ __forceinline__ void beyond_node(const gpu_box<real> &box, size_t at, size_t (&next)[3])
{
    next[0] = at + 1;
    next[1] = at + box.pitch;
    next[2] = at + (size_t)box.nodes[1] * box.pitch;
}

template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    energy_cut_blocks_kernel(gpu_room<real> room, gpu_cuts cuts, double lambda2, const real *u,
                             const real *u_old, strained *partial)
{
    strained mine = {0.0, 0.0, 0.0};
    for (uint32_t place = blockIdx.x; place < room.slots; place += SUM_CTAS) {
        const gpu_block block = load_block(room.block + place);
        if (block.self == 0)
            continue;
        const struct gpu_plane *const planes = cuts.plane + 8 * (size_t)(block.tile & GPU_TILE_MASK);
        for (unsigned slot = threadIdx.x; slot < GPU_BLOCK_NODES; slot += SUM_THREADS) {
            const struct gpu_plane plane = load_plane(planes + slot / 64);
            const uint64_t bit = UINT64_C(1) << slot % 64;
            const size_t at = block_index(block.self) + slot;
            size_t next[3];
            beyond_slot(block, slot, next);
            if ((plane.open & bit) != 0) {
                add_node(&mine, u, u_old, at, BLOCK_LINKS_ALL, next);
                mine.weighed += (double)u[at];
                mine.squared += (double)u[at] * (double)u[at];
            }
            if ((plane.cut & bit) != 0) {
                const uint64_t record =
                    cuts.first[block.self] + plane.cuts_below + (uint64_t)__popcll(plane.cut & (bit - 1u));
                add_cut_node(&mine, u, u_old, at, cuts.cell[record], mass_of(lambda2, cuts.gain[record]),
                             next);
            }
        }
    }
    add_links(&mine, cuts, u, u_old);
    store_sum(mine, partial);
}

/* A warp takes a stretch of a row, as in a step. */
template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    energy_cut_box_kernel(gpu_cut<gpu_box<real>> box, uint64_t values, double lambda2, const real *u,
                          const real *u_old, strained *partial)
{
    constexpr int WIDTH = 16 / (int)sizeof(real), STRETCH = box_stretch<real>();
    strained mine = {0.0, 0.0, 0.0};
    for (uint64_t stretch = (uint64_t)blockIdx.x * SUM_WARPS + threadIdx.x / 32u; stretch * STRETCH < values;
         stretch += (uint64_t)SUM_CTAS * SUM_WARPS) {
        const uint64_t first = stretch * STRETCH + (uint64_t)WIDTH * (threadIdx.x % 32u);
        const cut_nodes<WIDTH> nodes =
            stretch_nodes<real>(box, load_box_links(box.links + first, real()), stretch);
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) {
            const uint64_t at = first + (uint64_t)i;
            size_t next[3];
            beyond_node(box, at, next);
            if ((nodes.open >> i & 1u) != 0) {
                add_node(&mine, u, u_old, at, BLOCK_LINKS_ALL, next);
                mine.weighed += (double)u[at];
                mine.squared += (double)u[at] * (double)u[at];
            }
            if ((nodes.cut >> i & 1u) != 0)
                add_cut_node(&mine, u, u_old, at, nodes.cell[i], mass_of(lambda2, nodes.gain[i]), next);
        }
    }
    add_links(&mine, box.cuts, u, u_old);
    store_sum(mine, partial);
}

template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    energy_blocks_kernel(gpu_room<real> room, const real *u, const real *u_old, strained *partial)
{
    strained mine = {0.0, 0.0, 0.0};
    for (uint32_t place = blockIdx.x; place < room.slots; place += SUM_CTAS) {
        const gpu_block block = load_block(room.block + place);
        if (block.self == 0)
            continue;
        const uint8_t *const links = room.tile + block_index(block.tile & GPU_TILE_MASK);
        for (unsigned slot = threadIdx.x; slot < GPU_BLOCK_NODES; slot += SUM_THREADS) {
            size_t next[3];
            beyond_slot(block, slot, next);
            add_node(&mine, u, u_old, block_index(block.self) + slot, links[slot], next);
        }
    }
    store_sum(mine, partial);
}

template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    energy_box_kernel(gpu_box<real> box, uint64_t values, const real *u, const real *u_old, strained *partial)
{
    strained mine = {0.0, 0.0, 0.0};
    for (uint64_t at = (uint64_t)blockIdx.x * SUM_THREADS + threadIdx.x; at < values;
         at += (uint64_t)SUM_CTAS * SUM_THREADS) {
        size_t next[3];
        beyond_node(box, at, next);
        add_node(&mine, u, u_old, at, box.links[at], next);
    }
    store_sum(mine, partial);
}

} // namespace

/* Energies of the field, and its sums weighed by mass in a conformal room, by CTA. */
template <typename real>
static int measure_strain(const device_field<real> &field, const char *purpose, strained (&part)[SUM_CTAS],
                          struct failure *failure)
{
    device_memory<strained> partial;
    TRY(partial.allocate(SUM_CTAS, purpose, failure));
    if (field.blocks->isotropic && field.layout == LAYOUT_BLOCKS)
        energy_iso_blocks_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            field.iso, field.lambda2, field.u, field.u_old, partial.data());
    else if (field.blocks->isotropic)
        energy_iso_box_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            field.iso_box, box_values(field.box), field.lambda2, field.u, field.u_old, partial.data());
    else if (field.blocks->has_records && field.layout == LAYOUT_BLOCKS)
        energy_cut_blocks_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            field.room, field.cuts, field.lambda2, field.u, field.u_old, partial.data());
    else if (field.blocks->has_records)
        energy_cut_box_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            gpu_cut_of(field.box, field.cuts), box_values(field.box), field.lambda2, field.u, field.u_old,
            partial.data());
    else if (field.layout == LAYOUT_BLOCKS)
        energy_blocks_kernel<real>
            <<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(field.room, field.u, field.u_old, partial.data());
    else
        energy_box_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            field.box, box_values(field.box), field.u, field.u_old, partial.data());
    DEVICE_TRY(cudaGetLastError(), purpose, failure);
    return fetch(partial.data(), field.stream, part, purpose, failure);
}

template <typename real>
int device_energy(const device_field<real> &field, double *energy, struct failure *failure)
{
    strained part[SUM_CTAS];
    double sum = 0.0;
    TRY(measure_strain(field, "the energy of the field", part, failure));
    for (const strained &cta : part)
        sum += cta.moving / (2.0 * field.lambda2) + 0.5 * cta.stretched;
    *energy = sum;
    return 0;
}

#define INSTANTIATE(real)                                                                                    \
    template int device_measure(const device_field<real> &, struct engine_partial *, struct failure *);      \
    template int device_energy(const device_field<real> &, double *, struct failure *);
INSTANTIATE(float)
INSTANTIATE(double)
