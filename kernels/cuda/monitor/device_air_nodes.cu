/* Every node of the air with its coordinates. Each CTA visits every SUM_CTAS-th part (device_sums.cuh). */
#include "kernels/cuda/monitor/device_monitor.h"

#include <algorithm>
#include <cstdlib>

#include "blocks/field_hash.h"
#include "kernels/cuda/monitor/device_sums.cuh"
#include "kernels/scheme/fill_value.h"

#define CHUNK_BLOCKS (UINT32_C(1) << 16) /* host block structs on the device at a time: 2.6 MB */
#define CHUNK_LIST   (UINT32_C(1) << 16) /* the same of list nodes: 512 kB */
#define LINKS_MASK   0x3Fu               /* a link byte may carry marks of the engine's */

namespace {

/* Add up the values that a visitor returns for the nodes of the air, modulo 2^64. */
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

/* The nodes of a tile that are air: by link bytes, or by planes where walls are conformal. */
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
    const uint64_t all = gather_findings(mine);
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
    const uint64_t all = gather_findings(mine);
    if (threadIdx.x == 0)
        partial[blockIdx.x] += all;
}

/* List nodes first .. first + count - 1, of which `place` has the coordinates for a hash. They start at
 * `start` in blocks, and with the row `start` in a box. */
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
    const uint64_t all = gather_findings(mine);
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

/* Places of blocks are not kept on the device: they are copied in chunks, in the order of the stream. */
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

#define INSTANTIATE(real)                                                                                    \
    template int device_hash(const device_field<real> &, uint64_t *, struct failure *);                      \
    template int device_fill(const device_field<real> &, uint64_t, struct failure *);
INSTANTIATE(float)
INSTANTIATE(double)
