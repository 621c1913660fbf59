/* Each CTA takes every SUM_CTAS-th part of the field (device_sums.cuh). */
#include "kernels/cuda/device_monitor.h"

#include "blocks/field_hash.h"
#include "kernels/cuda/device_sums.cuh"
#include "kernels/scheme/fill_value.h"

#define CHUNK_BLOCKS (UINT32_C(1) << 16) /* host block structs on the device at a time: 2.6 MB */
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
};
__device__ __forceinline__ strained together(const strained &a, const strained &b)
{
    return {a.moving + b.moving, a.stretched + b.stretched};
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

template <typename real>
__global__ void __launch_bounds__(SUM_THREADS)
    energy_blocks_kernel(gpu_room<real> room, const real *u, const real *u_old, strained *partial)
{
    strained mine = {0.0, 0.0};
    for (uint32_t place = blockIdx.x; place < room.slots; place += SUM_CTAS) {
        const gpu_block block = load_block(room.block + place);
        if (block.self == 0)
            continue;
        const uint8_t *const links = room.tile + block_index(block.tile & GPU_TILE_MASK);
        const size_t own = block_index(block.self),
                     beside[3] = {block_index(block.neighbour[1]), block_index(block.neighbour[3]),
                                  block_index(block.neighbour[5])};
        for (unsigned slot = threadIdx.x; slot < GPU_BLOCK_NODES; slot += SUM_THREADS) {
            const size_t next[3] = {(slot & 7u) < 7u ? own + slot + 1 : beside[0] + slot - 7,
                                    (slot >> 3 & 7u) < 7u ? own + slot + 8 : beside[1] + slot - 56,
                                    slot >> 6 < 7u ? own + slot + 64 : beside[2] + slot - 448};
            add_node(&mine, u, u_old, own + slot, links[slot], next);
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
    const size_t plane = (size_t)box.nodes[1] * box.pitch;
    strained mine = {0.0, 0.0};
    for (uint64_t at = (uint64_t)blockIdx.x * SUM_THREADS + threadIdx.x; at < values;
         at += (uint64_t)SUM_CTAS * SUM_THREADS) {
        const size_t next[3] = {at + 1, at + box.pitch, at + plane};
        add_node(&mine, u, u_old, at, box.links[at], next);
    }
    const strained all = gather(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

} // namespace

template <typename real>
int device_energy(const device_field<real> &field, double *energy, struct failure *failure)
{
    static const char purpose[] = "the energy of the field";
    device_memory<strained> partial;
    strained part[SUM_CTAS];
    TRY(partial.allocate(SUM_CTAS, purpose, failure));
    if (field.layout == LAYOUT_BLOCKS)
        energy_blocks_kernel<real>
            <<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(field.room, field.u, field.u_old, partial.data());
    else
        energy_box_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            field.box, box_values(field.box), field.u, field.u_old, partial.data());
    DEVICE_TRY(cudaGetLastError(), purpose, failure);
    TRY(fetch(partial.data(), field.stream, part, purpose, failure));
    double sum = 0.0;
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
        const uint64_t bits = fill_bits(x, y, z, seed);
        u[at] = (real)fill_level(bits, 0);
        u_old[at] = (real)fill_level(bits, 1);
        return 0;
    }
};

/* Blocks first_id .. first_id + count - 1, whose structs from the host are in `block`. */
template <typename visitor_type>
__global__ void __launch_bounds__(SUM_THREADS)
    visit_blocks_kernel(visitor_type visitor, const uint8_t *tile, const struct block *block,
                        uint32_t first_id, uint32_t count, uint64_t *partial)
{
    uint64_t mine = 0;
    for (uint32_t n = blockIdx.x; n < count; n += SUM_CTAS) {
        const uint8_t *const links = tile + block_index(block[n].tile);
        const int64_t x = 8 * (int64_t)block[n].place[0], y = 8 * (int64_t)block[n].place[1],
                      z = 8 * (int64_t)block[n].place[2];
        for (unsigned slot = threadIdx.x; slot < GPU_BLOCK_NODES; slot += SUM_THREADS)
            if ((links[slot] & LINKS_MASK) != 0)
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
    visit_box_kernel(visitor_type visitor, gpu_box<real> box, struct corner low, uint64_t *partial)
{
    const uint64_t rows_y = (uint64_t)box.nodes[1], rows = (uint64_t)box.nodes[2] * rows_y;
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

/* Places of blocks are not kept on the device: they come over in chunks, and the stream keeps the order. */
template <typename real, typename visitor_type>
int visit_blocks(const device_field<real> &field, const visitor_type &visitor, uint64_t *partial,
                 const char *purpose, struct failure *failure)
{
    const uint32_t blocks = field.blocks->blocks;
    device_memory<struct block> chunk;
    TRY(chunk.allocate(blocks < CHUNK_BLOCKS ? blocks : CHUNK_BLOCKS, purpose, failure));
    for (uint32_t done = 0; done < blocks;) {
        const uint32_t count = blocks - done < CHUNK_BLOCKS ? blocks - done : CHUNK_BLOCKS;
        DEVICE_TRY(cudaMemcpyAsync(chunk.data(), field.blocks->block + done + 1, count * sizeof(struct block),
                                   cudaMemcpyHostToDevice, field.stream),
                   purpose, failure);
        visit_blocks_kernel<<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            visitor, field.room.tile, chunk.data(), done + 1, count, partial);
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
        const int64_t *const low = field.host_box->low;
        visit_box_kernel<real><<<SUM_CTAS, SUM_THREADS, 0, field.stream>>>(
            visitor, field.box, corner{low[0], low[1], low[2]}, partial.data());
        DEVICE_TRY(cudaGetLastError(), purpose, failure);
    }
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

#define INSTANTIATE(real)                                                                                    \
    template int device_measure(const device_field<real> &, struct engine_partial *, struct failure *);      \
    template int device_energy(const device_field<real> &, double *, struct failure *);                      \
    template int device_hash(const device_field<real> &, uint64_t *, struct failure *);                      \
    template int device_fill(const device_field<real> &, uint64_t, struct failure *);
INSTANTIATE(float)
INSTANTIATE(double)
