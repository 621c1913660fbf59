/* Energy by block and by link, as processors add it up. */
#include "kernels/cuda/monitor/device_monitor.h"

#include <algorithm>

#include "kernels/cuda/monitor/device_masses.cuh"
#include "kernels/cuda/monitor/device_sums.cuh"

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
    template int device_block_energies(const device_field<real> &, uint32_t, uint32_t, double(*)[2],         \
                                       struct failure *);                                                    \
    template int device_link_energies(const device_field<real> &, uint64_t, uint64_t, double *,              \
                                      struct failure *);
INSTANTIATE(float)
INSTANTIATE(double)
