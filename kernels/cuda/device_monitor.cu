/* Each CTA takes every SUM_CTAS-th part of the field (device_sums.cuh). */
#include "kernels/cuda/device_monitor.h"

#include <algorithm>
#include <cstdlib>

#include "blocks/field_hash.h"
#include "kernels/cuda/device_cuts.cuh"
#include "kernels/cuda/device_sums.cuh"
#include "kernels/scheme/fill_value.h"

#define CHUNK_BLOCKS (UINT32_C(1) << 16) /* host block structs on the device at a time: 2.6 MB */
#define CHUNK_LIST   (UINT32_C(1) << 16) /* the same of list nodes: 512 kB */
#define LINKS_MASK   0x3Fu               /* a link byte may carry marks of the engine's */

namespace {

/* What CTAs find of each kind, and how two findings become one. */
struct measured {
    double sum, plain, largest;
    uint64_t bad;
};
__device__ __forceinline__ measured together(const measured &a, const measured &b)
{
    return {a.sum + b.sum, a.plain + b.plain, fmax(a.largest, b.largest), a.bad < b.bad ? a.bad : b.bad};
}
struct strained {
    double moving, stretched;
    double weighed, squared; /* sums of mass x u, mass x u^2: in conformal rooms, where masses differ */
};
__device__ __forceinline__ strained together(const strained &a, const strained &b)
{
    return {a.moving + b.moving, a.stretched + b.stretched, a.weighed + b.weighed, a.squared + b.squared};
}
template <typename real> uint64_t box_values(const gpu_box<real> &box)
{
    return (uint64_t)box.nodes[2] * (uint64_t)box.nodes[1] * box.pitch;
}

/* ---- Sums, largest, first bad ---- */

/* `values` is a multiple of a block or a pitch, hence of what a thread loads at once. */
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
                mine = together(mine, measured{value * value, value, fabs(value), UINT64_MAX});
            else
                mine = together(mine, measured{0.0, 0.0, 0.0, at + i});
        }
    }
    const measured all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

/* Index on the host of a value counted from the start of what is measured. */
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
static int strain(const device_field<real> &field, const char *purpose, strained (&part)[SUM_CTAS],
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
        TRY(strain(field, purpose, weighed, failure));
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

/* What a node adds: its own movement, and each of its links to the + side. next[] are indices. */
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

__device__ __forceinline__ double mass_of(double lambda2, float gain)
{
    return lambda2 / (CUT_WHOLE * (double)gain);
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
            sum->stretched += 0.5 * (double)to.open / CUT_WHOLE *
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

__device__ __forceinline__ double iso_mass(double lambda2, const struct gpu_iso_cut &cut)
{
    return lambda2 / (6.0 * CUT_WHOLE * (double)gain_of(cut));
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
            sum->stretched += (double)to.open / (2 * CUT_WHOLE) *
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
    const strained all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
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
    const strained all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

/* Where the + neighbours of a slot are, given those of its block. */
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
    const strained all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
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
    const strained all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
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
    const strained all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
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
    const strained all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

} // namespace

/* Energies of the field, and its sums weighed by mass in a conformal room, by CTA. */
template <typename real>
static int strain(const device_field<real> &field, const char *purpose, strained (&part)[SUM_CTAS],
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
            device_cut(field.box, field.cuts), box_values(field.box), field.lambda2, field.u, field.u_old,
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
    TRY(strain(field, "the energy of the field", part, failure));
    for (const strained &cta : part)
        sum += cta.moving / (2.0 * field.lambda2) + 0.5 * cta.stretched;
    *energy = sum;
    return 0;
}

/* ---- Every node of the air with its coordinates: hash and fill ---- */

namespace {

/* What a visitor returns for the nodes of the air is added up, modulo 2^64. */
template <typename real> struct hash_visitor {
    const real *u;

    __device__ uint64_t operator()(size_t at, int64_t x, int64_t y, int64_t z) const
    {
        return field_hash_value(x, y, z, bits(u[at]));
    }
    __device__ uint64_t list(size_t at, uint64_t place) const
    {
        return field_hash_at(place, bits(u[at]));
    }
    __device__ static uint64_t bits(float value)
    {
        return field_bits_f32(value);
    }
    __device__ static uint64_t bits(double value)
    {
        return field_bits_f64(value);
    }
};
template <typename real> struct fill_visitor {
    real *u, *u_old;
    uint64_t seed;

    __device__ uint64_t operator()(size_t at, int64_t x, int64_t y, int64_t z) const
    {
        return fill(at, fill_bits(x, y, z, seed));
    }
    __device__ uint64_t list(size_t at, uint64_t place) const
    {
        return fill(at, fill_list_bits(place, seed));
    }
    __device__ uint64_t fill(size_t at, uint64_t bits) const
    {
        u[at] = (real)fill_level(bits, 0);
        u_old[at] = (real)fill_level(bits, 1);
        return 0;
    }
};

/* Which nodes of a tile are air: by link bytes, or by planes where walls are conformal. */
struct tile_air {
    const uint8_t *tile;
    const struct gpu_plane *plane; /* NULL: by `tile` */

    __device__ bool operator()(uint32_t of, unsigned slot) const
    {
        if (plane == nullptr)
            return (tile[block_index(of) + slot] & LINKS_MASK) != 0;
        const struct gpu_plane nodes = load_plane(plane + 8 * (size_t)of + slot / 64);
        return ((nodes.open | nodes.cut) >> slot % 64 & 1u) != 0;
    }
};

/* Blocks first_id .. first_id + count - 1, whose structs from the host are in `block`. */
template <typename visitor_type>
__global__ void __launch_bounds__(SUM_THREADS)
    visit_blocks_kernel(visitor_type visitor, tile_air air, const struct block *block, uint32_t first_id,
                        uint32_t count, uint64_t *partial)
{
    uint64_t mine = 0;
    for (uint32_t n = blockIdx.x; n < count; n += SUM_CTAS) {
        const int64_t x = 8 * (int64_t)block[n].place[0], y = 8 * (int64_t)block[n].place[1],
                      z = 8 * (int64_t)block[n].place[2];
        for (unsigned slot = threadIdx.x; slot < GPU_BLOCK_NODES; slot += SUM_THREADS)
            if (air(block[n].tile, slot))
                mine += visitor(block_index(first_id + n) + slot, x + (int64_t)(slot & 7u),
                                y + (int64_t)(slot >> 3 & 7u), z + (int64_t)(slot >> 6));
    }
    const uint64_t all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] += all;
}

struct corner {
    int64_t x, y, z;
};

/* One row a warp. */
template <typename real, typename visitor_type>
__global__ void __launch_bounds__(SUM_THREADS)
    visit_box_kernel(visitor_type visitor, gpu_box<real> box, struct corner low, uint64_t planes,
                     uint64_t *partial)
{
    const uint64_t rows_y = (uint64_t)box.nodes[1], rows = planes * rows_y;
    uint64_t mine = 0;
    for (uint64_t row = (uint64_t)blockIdx.x * SUM_WARPS + threadIdx.x / 32u; row < rows;
         row += (uint64_t)SUM_CTAS * SUM_WARPS) {
        const int64_t y = low.y + (int64_t)(row % rows_y), z = low.z + (int64_t)(row / rows_y);
        for (int x = (int)(threadIdx.x % 32u); x < box.nodes[0]; x += 32) {
            const size_t at = row * box.pitch + (size_t)x;
            if ((box.links[at] & LINKS_MASK) != 0)
                mine += visitor(at, low.x + x, y, z);
        }
    }
    const uint64_t all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] += all;
}

/* List nodes first .. first + count - 1, of which `place` has what a hash takes for coordinates. They are at
 * `start` and on in blocks, in the rows from `start` on of a box. */
struct list_rows {
    uint64_t start, row, pitch;
};
template <typename visitor_type>
__global__ void __launch_bounds__(SUM_THREADS)
    visit_list_kernel(visitor_type visitor, list_rows rows, const uint64_t *place, uint64_t first,
                      uint32_t count, uint64_t *partial)
{
    uint64_t mine = 0;
    for (uint32_t n = blockIdx.x * SUM_THREADS + threadIdx.x; n < count; n += SUM_CTAS * SUM_THREADS) {
        const uint64_t node = first + n;
        mine += visitor.list(rows.start + node / rows.row * rows.pitch + node % rows.row, place[n]);
    }
    const uint64_t all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] += all;
}

template <typename real> list_rows list_rows_of(const device_field<real> &field)
{
    if (field.layout == LAYOUT_BLOCKS)
        return {(uint64_t)block_list_first(field.blocks) * BLOCK_NODES, BLOCK_NODES, BLOCK_NODES};
    const struct box_grid *const box = field.host_box;
    return {(uint64_t)box->list_plane * (uint64_t)box->nodes[1] * field.box.pitch, (uint64_t)box->nodes[0],
            field.box.pitch};
}

template <typename real, typename visitor_type>
int visit_list(const device_field<real> &field, const visitor_type &visitor, uint64_t *partial,
               const char *purpose, struct failure *failure)
{
    const uint64_t nodes = field.blocks->list_nodes;
    const int64_t(*const voxel)[3] = field.blocks->list_voxel;
    if (nodes == 0)
        return 0;
    const size_t most = (size_t)std::min<uint64_t>(nodes, CHUNK_LIST);
    device_memory<uint64_t> there;
    TRY(there.allocate(most, purpose, failure));
    uint64_t *const place = static_cast<uint64_t *>(std::malloc(most * sizeof *place));
    if (place == nullptr)
        return failure_memory(failure, most * sizeof *place, purpose);
    cudaError_t code = cudaSuccess;
    for (uint64_t first = 0; code == cudaSuccess && first < nodes; first += CHUNK_LIST) {
        const uint32_t count = (uint32_t)std::min<uint64_t>(nodes - first, CHUNK_LIST);
        for (uint32_t n = 0; n < count; ++n)
            place[n] = field_list_place(voxel, first + n);
        code =
            cudaMemcpyAsync(there.data(), place, count * sizeof *place, cudaMemcpyHostToDevice, field.stream);
        if (code == cudaSuccess) {
            visit_list_kernel<<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
                visitor, list_rows_of(field), there.data(), first, count, partial);
            code = cudaGetLastError();
        }
        if (code == cudaSuccess)
            code = cudaStreamSynchronize(field.stream);
    }
    std::free(place);
    return code == cudaSuccess ? 0 : device_fail(code, "cudaMemcpyAsync", purpose, failure);
}

/* Places of blocks are not kept on the device: they come over in chunks, and the stream keeps the order. */
template <typename real, typename visitor_type>
int visit_blocks(const device_field<real> &field, const visitor_type &visitor, uint64_t *partial,
                 const char *purpose, struct failure *failure)
{
    const uint32_t blocks = block_list_first(field.blocks) - 1;
    const tile_air air = {field.room.tile, field.blocks->has_records ? field.cuts.plane : nullptr};
    device_memory<struct block> chunk;
    TRY(chunk.allocate(blocks < CHUNK_BLOCKS ? blocks : CHUNK_BLOCKS, purpose, failure));
    for (uint32_t done = 0; done < blocks;) {
        const uint32_t count = blocks - done < CHUNK_BLOCKS ? blocks - done : CHUNK_BLOCKS;
        DEVICE_TRY(cudaMemcpyAsync(chunk.data(), field.blocks->block + done + 1, count * sizeof(struct block),
                                   cudaMemcpyHostToDevice, field.stream),
                   purpose, failure);
        visit_blocks_kernel<<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(visitor, air, chunk.data(), done + 1,
                                                                        count, partial);
        DEVICE_TRY(cudaGetLastError(), purpose, failure);
        done += count;
    }
    DEVICE_TRY(cudaStreamSynchronize(field.stream), purpose, failure);
    return 0;
}

template <typename real, typename visitor_type>
int visit_air(const device_field<real> &field, const visitor_type &visitor, uint64_t *sum,
              const char *purpose, struct failure *failure)
{
    device_memory<uint64_t> partial;
    uint64_t part[SUM_CTAS];
    TRY(partial.allocate(SUM_CTAS, purpose, failure));
    DEVICE_TRY(cudaMemsetAsync(partial.data(), 0, sizeof part, field.stream), purpose, failure);
    if (field.layout == LAYOUT_BLOCKS) {
        TRY(visit_blocks(field, visitor, partial.data(), purpose, failure));
    } else {
        const struct box_grid *const box = field.host_box;
        visit_box_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            visitor, field.box, corner{box->low[0], box->low[1], box->low[2]},
            (uint64_t)(box->has_records ? box->list_plane : box->nodes[2]), partial.data());
        DEVICE_TRY(cudaGetLastError(), purpose, failure);
    }
    TRY(visit_list(field, visitor, partial.data(), purpose, failure));
    TRY(fetch(partial.data(), field.stream, part, purpose, failure));
    *sum = 0;
    for (const uint64_t cta : part)
        *sum += cta;
    return 0;
}

} // namespace

template <typename real>
int device_hash(const device_field<real> &field, uint64_t *hash, struct failure *failure)
{
    return visit_air(field, hash_visitor<real>{field.u}, hash, "the hash of the field", failure);
}

template <typename real>
int device_fill(const device_field<real> &field, uint64_t seed, struct failure *failure)
{
    uint64_t nothing = 0;
    return visit_air(field, fill_visitor<real>{field.u, field.u_old, seed}, &nothing, "filling the field",
                     failure);
}

/* ---- Energy by block and by link, as processors add it up ---------------------------------------------- */

#define ENERGY_BLOCKS (UINT32_C(1) << 22) /* at a time */
#define LANES         8u                  /* of a block: one takes the nodes of one x, as a vector does */

namespace {

/* Of blocks of either scheme: where the node beside (x, y, z) is; what kind a node is, and its record. */
template <typename real> struct plain_blocks {
    gpu_room<real> room;
    static constexpr bool ISOTROPIC = false;

    struct row {
        gpu_block block;
        uint32_t self;
        const uint8_t *links;
        bool full;
    };
    __device__ row find(uint32_t place) const
    {
        const gpu_block block = load_block(room.block + place);
        const uint32_t tile = block.tile & GPU_TILE_MASK;
        return {block, block.self, room.tile + block_index(tile), tile == GPU_TILE_FULL};
    }
    __device__ static size_t beside(const row &at, int x, int y, int z)
    {
        const uint32_t id = x > 7   ? at.block.neighbour[1]
                            : y > 7 ? at.block.neighbour[3]
                            : z > 7 ? at.block.neighbour[5]
                                    : at.self;
        return block_index(id) + (size_t)((x & 7) + 8 * (y & 7) + 64 * (z & 7));
    }
    __device__ bool is_whole(const row &at, unsigned slot) const
    {
        return at.full || at.links[slot] == BLOCK_LINKS_ALL;
    }
    /* A node that is no whole one. */
    template <class product_type>
    __device__ void add_other(const row &at, unsigned slot, uint64_t *, double square,
                              const product_type &product, double *moving, double *stretched) const
    {
        double sum = 0.0;
        *moving += square;
        for (int axis = 0; axis < 3; ++axis)
            if ((at.links[slot] >> (2 * axis + 1) & 1u) != 0)
                sum += product(2 * axis + 1);
        if (at.links[slot] != 0)
            *stretched += sum;
    }
    __device__ uint64_t first_record(const row &) const
    {
        return 0;
    }
};

template <typename real> struct cut_blocks {
    gpu_room<real> room;
    gpu_cuts cuts;
    double lambda2;
    static constexpr bool ISOTROPIC = false;

    struct row {
        gpu_block block;
        uint32_t self;
        const struct gpu_plane *plane;
        bool full;
    };
    __device__ row find(uint32_t place) const
    {
        const gpu_block block = load_block(room.block + place);
        const uint32_t tile = block.tile & GPU_TILE_MASK;
        return {block, block.self, cuts.plane + 8 * (size_t)tile, tile == GPU_TILE_FULL};
    }
    __device__ static size_t beside(const row &at, int x, int y, int z)
    {
        const uint32_t id = x > 7   ? at.block.neighbour[1]
                            : y > 7 ? at.block.neighbour[3]
                            : z > 7 ? at.block.neighbour[5]
                                    : at.self;
        return block_index(id) + (size_t)((x & 7) + 8 * (y & 7) + 64 * (z & 7));
    }
    __device__ bool is_whole(const row &at, unsigned slot) const
    {
        return at.full || (at.plane[slot / 64].open >> slot % 64 & 1u) != 0;
    }
    template <class product_type>
    __device__ void add_other(const row &at, unsigned slot, uint64_t *record, double square,
                              const product_type &product, double *moving, double *stretched) const
    {
        if ((at.plane[slot / 64].cut >> slot % 64 & 1u) == 0)
            return;
        const uint2 cell = cuts.cell[*record];
        const unsigned open[3] = {cell.x >> 8 & 0xFFu, cell.x >> 24, cell.y >> 8 & 0xFFu};
        double sum = 0.0;
        *moving += mass_of(lambda2, cuts.gain[*record]) * square;
        ++*record;
        for (int axis = 0; axis < 3; ++axis)
            if (open[axis] != 0)
                sum += (double)open[axis] / CUT_WHOLE * product(2 * axis + 1);
        *stretched += sum;
    }
    __device__ uint64_t first_record(const row &at) const
    {
        return cuts.first[at.self];
    }
};

template <typename real> struct iso_blocks {
    gpu_iso<real> room;
    double lambda2;
    static constexpr bool ISOTROPIC = true;

    struct row {
        const struct gpu_iso_row *at;
        uint32_t self;
        const struct gpu_plane *plane;
        bool full;
    };
    __device__ row find(uint32_t place) const
    {
        const struct gpu_iso_row *const at = room.row + place;
        const uint32_t tile = at->tile & GPU_ISO_TILE;
        return {at, at->self, room.plane + 8 * (size_t)tile, tile == GPU_TILE_FULL};
    }
    __device__ static size_t beside(const row &row, int x, int y, int z)
    {
        return point_index(*row.at, x, y, z);
    }
    __device__ bool is_whole(const row &row, unsigned slot) const
    {
        return row.full || (row.plane[slot / 64].open >> slot % 64 & 1u) != 0;
    }
    template <class product_type>
    __device__ void add_other(const row &row, unsigned slot, uint64_t *record, double square,
                              const product_type &product, double *moving, double *stretched) const
    {
        if ((row.plane[slot / 64].cut >> slot % 64 & 1u) == 0)
            return;
        const struct gpu_iso_cut cut = {room.cut_first[*record], room.cut_second[*record]};
        int weight[18];
        double sum = 0.0;
        record_weights(cut, weight);
        *moving += iso_mass(lambda2, cut) * square;
        ++*record;
        for (int k = 1; k < 6; k += 2)
            sum += weight[k] * product(k);
        for (int k = 6; k < 18; ++k)
            if (((k - 6) & 2) != 0)
                sum += weight[k] * product(k);
        *stretched += sum / (6.0 * CUT_WHOLE);
    }
    __device__ uint64_t first_record(const row &row) const
    {
        return row.at->cuts & GPU_ISO_FIRST;
    }
};

/* Where the extra links of a node begin. */
__device__ __forceinline__ uint64_t first_link_of(const struct gpu_linked_node &node)
{
    return node.first;
}
__device__ __forceinline__ uint64_t first_link_of(const struct gpu_iso_linked &node)
{
    return node.link;
}

/* (u_j - u_i) now times the same before, j being neighbour k of node i of a block. */
template <typename real, class room_type> struct pair_product {
    const typename room_type::row &row;
    const real *u, *u_old;
    int x, y, z;

    __device__ double operator()(int k) const
    {
        const size_t i = block_index(row.self) + (size_t)(x + 8 * y + 64 * z),
                     j = room_type::beside(row, x + iso_along(k, 0), y + iso_along(k, 1),
                                           z + iso_along(k, 2));
        return ((double)u[j] - (double)u[i]) * ((double)u_old[j] - (double)u_old[i]);
    }
    __device__ double square() const
    {
        const size_t i = block_index(row.self) + (size_t)(x + 8 * y + 64 * z);
        const double d = (double)u[i] - (double)u_old[i];
        return d * d;
    }
};

/* Eight lanes a block: what each has of whole nodes by rows, added up by x, and then the other nodes. */
template <typename real, class room_type>
__global__ void __launch_bounds__(SUM_THREADS)
    block_energies_kernel(room_type room, uint32_t slots, const real *u, const real *u_old, uint32_t first,
                          uint32_t count, double2 *out)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t apart = gridDim.x * (SUM_THREADS / LANES);
    /* All lanes of a warp turn as often, for they hand sums to one another. */
    for (uint32_t base = blockIdx.x * (SUM_THREADS / LANES); base < slots; base += apart) {
        const uint32_t place = base + threadIdx.x / LANES;
        const typename room_type::row row = room.find(place < slots ? place : base);
        const bool ours = place < slots && row.self >= first && row.self - first < count;
        double moving = 0.0, face = 0.0, diagonal = 0.0;
        for (int n = 0; ours && n < 64; ++n) {
            const pair_product<real, room_type> product = {row, u, u_old, (int)lane, n & 7, n >> 3};
            const double share = room.is_whole(row, 8 * (unsigned)n + lane) ? 1.0 : 0.0;
            moving += share * product.square();
            face += share * (product(1) + product(3) + product(5));
            if (room_type::ISOTROPIC)
                diagonal += share * ((product(8) + product(9)) + (product(12) + product(13)) +
                                     (product(16) + product(17)));
        }
        double2 all = make_double2(0.0, 0.0), others = make_double2(0.0, 0.0);
        for (unsigned x = 0; x < LANES; ++x) {
            const double one = __shfl_sync(GPU_ALL_LANES, moving, (int)x, LANES),
                         faces = __shfl_sync(GPU_ALL_LANES, face, (int)x, LANES),
                         diagonals = __shfl_sync(GPU_ALL_LANES, diagonal, (int)x, LANES);
            all.x += one;
            all.y += room_type::ISOTROPIC ? (2 * faces + diagonals) / 6 : faces;
        }
        if (!ours || lane != 0)
            continue;
        uint64_t record = room.first_record(row);
        for (unsigned slot = 0; !row.full && slot < GPU_BLOCK_NODES; ++slot)
            if (!room.is_whole(row, slot)) {
                const pair_product<real, room_type> product = {
                    row, u, u_old, (int)(slot & 7u), (int)(slot >> 3 & 7u), (int)(slot >> 6)};
                room.add_other(row, slot, &record, product.square(), product, &others.x, &others.y);
            }
        out[row.self - first] = make_double2(all.x + others.x, all.y + others.y);
    }
}

template <typename real, class room_type>
int block_energies(const device_field<real> &field, const room_type &room, uint32_t slots, uint32_t first,
                   uint32_t count, double (*out)[2], struct failure *failure)
{
    static const char purpose[] = "the energy of the field";
    device_memory<double2> there;
    const uint32_t most = std::min(count, ENERGY_BLOCKS);
    if (count == 0)
        return 0;
    TRY(there.allocate(most, purpose, failure));
    for (uint32_t done = 0; done < count; done += most) {
        const uint32_t now = std::min(most, count - done);
        block_energies_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            room, slots, field.u, field.u_old, first + done, now, there.data());
        DEVICE_TRY(cudaGetLastError(), purpose, failure);
        DEVICE_TRY(cudaMemcpyAsync(out + done, there.data(), now * sizeof(double2), cudaMemcpyDeviceToHost,
                                   field.stream),
                   purpose, failure);
    }
    DEVICE_TRY(cudaStreamSynchronize(field.stream), purpose, failure);
    return 0;
}

/* Of node `n` of those with extra links, whichever table they are in. */
template <typename real, class node_type>
__global__ void __launch_bounds__(SUM_THREADS)
    link_energies_kernel(const node_type *nodes, uint64_t linked, const struct gpu_link *links, const real *u,
                         const real *u_old, uint64_t first, uint64_t count, double *out)
{
    for (uint64_t n = (uint64_t)blockIdx.x * SUM_THREADS + threadIdx.x; n < linked;
         n += (uint64_t)SUM_CTAS * SUM_THREADS) {
        const uint64_t place = nodes[n].place, from = first_link_of(nodes[n]);
        const double now = (double)u[place], old = (double)u_old[place];
        for (uint64_t link = from; link < from + nodes[n].links; ++link)
            if (link >= first && link - first < count) {
                const struct gpu_link to = links[link];
                out[link - first] = (double)to.open / CUT_WHOLE * ((double)u[to.place] - now) *
                                    ((double)u_old[to.place] - old);
            }
    }
}

} // namespace

template <typename real>
int device_block_energies(const device_field<real> &field, uint32_t first, uint32_t count, double (*out)[2],
                          struct failure *failure)
{
    if (field.blocks->isotropic)
        return block_energies(field, iso_blocks<real>{field.iso, field.lambda2}, field.iso.slots, first,
                              count, out, failure);
    if (field.blocks->has_records)
        return block_energies(field, cut_blocks<real>{field.room, field.cuts, field.lambda2},
                              field.room.slots, first, count, out, failure);
    return block_energies(field, plain_blocks<real>{field.room}, field.room.slots, first, count, out,
                          failure);
}

template <typename real>
int device_link_energies(const device_field<real> &field, uint64_t first, uint64_t count, double *out,
                         struct failure *failure)
{
    static const char purpose[] = "the energy of the field";
    device_memory<double> there;
    if (count == 0)
        return 0;
    TRY(there.allocate(count, purpose, failure));
    if (field.blocks->isotropic)
        link_energies_kernel<real>
            <<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(field.iso.node, field.iso.linked, field.iso.link,
                                                         field.u, field.u_old, first, count, there.data());
    else
        link_energies_kernel<real>
            <<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(field.cuts.node, field.cuts.linked, field.cuts.link,
                                                         field.u, field.u_old, first, count, there.data());
    DEVICE_TRY(cudaGetLastError(), purpose, failure);
    DEVICE_TRY(cudaMemcpyAsync(out, there.data(), count * sizeof *out, cudaMemcpyDeviceToHost, field.stream),
               purpose, failure);
    DEVICE_TRY(cudaStreamSynchronize(field.stream), purpose, failure);
    return 0;
}

#define INSTANTIATE(real)                                                                                    \
    template int device_measure(const device_field<real> &, struct engine_partial *, struct failure *);      \
    template int device_energy(const device_field<real> &, double *, struct failure *);                      \
    template int device_hash(const device_field<real> &, uint64_t *, struct failure *);                      \
    template int device_block_energies(const device_field<real> &, uint32_t, uint32_t, double(*)[2],         \
                                       struct failure *);                                                    \
    template int device_link_energies(const device_field<real> &, uint64_t, uint64_t, double *,              \
                                      struct failure *);                                                     \
    template int device_fill(const device_field<real> &, uint64_t, struct failure *);
INSTANTIATE(float)
INSTANTIATE(double)
