/** Our own bounding-box kernel, a z march over a pitched box: the yardstick for blocks.
 *
 *   index      (z nodes_y + y) pitch + x, pitch a multiple of 128; a plane of padding before and after, so
 *              that a cut link's neighbour may be read (and is then left out) and no halo is needed
 *   mapping    a warp one row, 16 bytes a lane (128 nodes in single precision, 64 in double), eight rows a
 *              CTA; each walks 32 planes upwards with the plane below, its own and the one above in
 *              registers
 *   bytes      13 a box node in single precision, 25 in double, also where there is no air; y neighbours
 *              come from the first level, where the warps of the rows beside have put them, x neighbours
 *              by shuffle
 *   walls      q by rank among the wall nodes of the warp's stretch of its row, whose first one is known
 *   predicted  0.85 of copy over 13 bytes a box node: blocks with a quarter of the edges, but a byte a
 *              node more and rows that are cut in y every eight
 *   measured   H200: 0.889 single, 0.894 double on the cross of 5 x 512^3; 0.875 and 0.881 on the cube of
 *              768
 *   taught     a dense box streams nearly as well as blocks; blocks win by what they leave out. On the
 *              cross blocks take 2.06 ms a step and this 4.11, twice, where the box has 1.8 times the nodes
 */
#ifndef KERNELS_STEP_BOX_CUH
#define KERNELS_STEP_BOX_CUH

#include "kernels/cuda/step/gpu_cuts.cuh"

#define BOX_ROWS   8
#define BOX_PLANES 32
#define BOX_PITCH  128

#define GPU_BOX_LINKS  0x3F3F3F3Fu
#define GPU_BOX_SOURCE 0x40u /* in a link byte: a node of a source */
/* Content of a byte, instead of links, in a box with conformal walls. */
#define GPU_BOX_OPEN 1u /* wholly open and no cut node */
#define GPU_BOX_CUT  2u
#define GPU_BOX_WALL 4u

template <typename real> struct gpu_box {
    static constexpr bool has_states = false;
    static constexpr bool is_cut = false;
    int nodes[3];
    size_t pitch;
    const uint8_t *links;       /* at node (0,0,0), as u and u_old */
    const uint64_t *wall_first; /* by stretch of a row: ((z nodes_y + y) pitch + x) / stretch */
    const real *q;
    real lambda2;
};

/** One with frequency-dependent walls; q points at `walls.aside`. */
template <typename real> struct gpu_state_box : gpu_box<real> {
    static constexpr bool has_states = true;
    struct gpu_walls<real> walls;
};

/** The lane's nodes: 16 bytes. */
template <typename real> struct alignas(16) sixteen_bytes {
    real v[16 / sizeof(real)];
};
template <typename real> __host__ __device__ constexpr int box_stretch()
{
    return 32 * (16 / (int)sizeof(real));
}

__device__ __forceinline__ sixteen_bytes<float> load_sixteen(const float *from)
{
    const float4 a = __ldg(reinterpret_cast<const float4 *>(from));
    return {{a.x, a.y, a.z, a.w}};
}
__device__ __forceinline__ sixteen_bytes<double> load_sixteen(const double *from)
{
    const double2 a = __ldg(reinterpret_cast<const double2 *>(from));
    return {{a.x, a.y}};
}
__device__ __forceinline__ uint32_t load_box_links(const uint8_t *from, float)
{
    return __ldg(reinterpret_cast<const uint32_t *>(from));
}
__device__ __forceinline__ uint32_t load_box_links(const uint8_t *from, double)
{
    return __ldg(reinterpret_cast<const uint16_t *>(from));
}
__device__ __forceinline__ void store_sixteen(float *to, const sixteen_bytes<float> &a)
{
    __stcs(reinterpret_cast<float4 *>(to), make_float4(a.v[0], a.v[1], a.v[2], a.v[3]));
}
__device__ __forceinline__ void store_sixteen(double *to, const sixteen_bytes<double> &a)
{
    __stcs(reinterpret_cast<double2 *>(to), make_double2(a.v[0], a.v[1]));
}

/** Wall nodes of the warp's stretch in the lanes before this one. */
template <typename real> __device__ __forceinline__ int stretch_rank(uint32_t bits)
{
    constexpr int WIDTH = 16 / (int)sizeof(real);
    const uint32_t lanes_below = (1u << (threadIdx.x & 31u)) - 1u;
    int rank = 0;
#pragma unroll
    for (int i = 0; i < WIDTH; ++i)
        rank += __popc(__ballot_sync(GPU_ALL_LANES, bits >> i & 1u) & lanes_below);
    return rank;
}

/** q of the lane's nodes; `first` is the coefficient of the first wall node of the warp's stretch. */
template <typename real>
__device__ __forceinline__ sixteen_bytes<real> stretch_q(uint32_t bits, const real *first)
{
    constexpr int WIDTH = 16 / (int)sizeof(real);
    const int rank = stretch_rank<real>(bits);
    sixteen_bytes<real> q;
#pragma unroll
    for (int i = 0; i < WIDTH; ++i)
        q.v[i] = bits >> i & 1u ? __ldg(first + rank + __popc(bits & ((1u << i) - 1u))) : real(0);
    return q;
}

/** Bit i: byte i has all of `kind`, one bit. */
template <int WIDTH> __device__ __forceinline__ uint32_t kind_bits(uint32_t kinds, uint32_t kind)
{
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < WIDTH; ++i)
        bits |= (kinds >> (8 * i) & kind) != 0 ? 1u << i : 0u;
    return bits;
}

/** The lane's nodes of a box with conformal walls, whose records and wall nodes are found like q. */
template <typename real, class box_type>
__device__ __forceinline__ cut_nodes<16 / sizeof(real)> stretch_nodes(const box_type &box, uint32_t kinds,
                                                                      size_t stretch)
{
    constexpr int WIDTH = 16 / (int)sizeof(real);
    cut_nodes<WIDTH> nodes = {};
    nodes.open = kind_bits<WIDTH>(kinds, GPU_BOX_OPEN);
    nodes.cut = kind_bits<WIDTH>(kinds, GPU_BOX_CUT);
    nodes.wall = kind_bits<WIDTH>(kinds, GPU_BOX_WALL);
    if (__any_sync(GPU_ALL_LANES, nodes.cut != 0) != 0) {
        nodes.first_wall = __ldg(box.wall_first + stretch) + (uint64_t)stretch_rank<real>(nodes.wall);
        load_cells(box.cuts, __ldg(box.cuts.first + stretch) + (uint64_t)stretch_rank<real>(nodes.cut),
                   &nodes);
    }
    return nodes;
}

/** CTAs along x, y and z; a launch counts them in one row, x fastest. */
template <typename real> struct box_ctas {
    uint32_t x, y, z;
};
template <typename real> __host__ __device__ __forceinline__ box_ctas<real> ctas_of(const gpu_box<real> &box)
{
    return {(uint32_t)(box.pitch / (size_t)box_stretch<real>()),
            (uint32_t)(box.nodes[1] + BOX_ROWS - 1) / BOX_ROWS,
            (uint32_t)(box.nodes[2] + BOX_PLANES - 1) / BOX_PLANES};
}

/** The 7-point stencil of a march: the plane below, the lane's own and the one above. */
template <typename real> struct box_seven {
    static constexpr int WIDTH = 16 / (int)sizeof(real), STRETCH = box_stretch<real>(), RESIDENTS = 4,
                         UNROLL = 2;
    sixteen_bytes<real> below, centre, above;
    int lane;
    bool edge; /* of the warp's stretch, and the place of the node beyond it */
    ptrdiff_t beyond_x;

    template <class box_type>
    __device__ __forceinline__ void start(const box_type &, const real *from, size_t plane, int)
    {
        lane = (int)threadIdx.x & 31;
        edge = lane == 0 || lane == 31;
        beyond_x = lane == 0 ? -1 : WIDTH;
        below = load_sixteen(from - plane);
        centre = load_sixteen(from);
    }
    template <class box_type>
    __device__ __forceinline__ void rise(const box_type &, const real *from, size_t plane, int)
    {
        above = load_sixteen(from + plane);
    }
    /** @param links  bytes of the lane's nodes; *left_out receives the nodes that are finished later */
    template <class box_type>
    __device__ __forceinline__ sixteen_bytes<real> step(const box_type &box, const real *u, size_t at,
                                                        uint32_t links, const sixteen_bytes<real> &old,
                                                        uint32_t *left_out) const
    {
        const sixteen_bytes<real> ym = load_sixteen(u + at - box.pitch),
                                  yp = load_sixteen(u + at + box.pitch);
        real outer = 0;
        if (edge)
            outer = __ldg(u + at + beyond_x);
        real xm = __shfl_up_sync(GPU_ALL_LANES, centre.v[WIDTH - 1], 1);
        real xp = __shfl_down_sync(GPU_ALL_LANES, centre.v[0], 1);
        xm = lane == 0 ? outer : xm;
        xp = lane == 31 ? outer : xp;
        sixteen_bytes<real> next;
        if constexpr (box_type::is_cut) {
            const cut_nodes<WIDTH> nodes = stretch_nodes<real>(box, links, at / STRETCH);
            *left_out = left_by_step<box_type>(nodes);
#pragma unroll
            for (int i = 0; i < WIDTH; ++i)
                next.v[i] = step_cut_node(box, nodes, i, centre.v[i], old.v[i], i > 0 ? centre.v[i - 1] : xm,
                                          i < WIDTH - 1 ? centre.v[i + 1] : xp, ym.v[i], yp.v[i], below.v[i],
                                          above.v[i], true);
        } else if constexpr (box_type::has_states) {
            const uint32_t bits = wall_bits(links);
            const bool any = __any_sync(GPU_ALL_LANES, bits != 0) != 0;
            *left_out = bits;
            real *aside = box.walls.aside;
            if (any)
                aside += __ldg(box.wall_first + at / STRETCH) + (uint64_t)stretch_rank<real>(bits);
#pragma unroll
            for (int i = 0; i < WIDTH; ++i) {
                const bool wall = (bits >> i & 1u) != 0;
                real dv;
                next.v[i] = start_node(centre.v[i], old.v[i], links >> (8 * i), i > 0 ? centre.v[i - 1] : xm,
                                       i < WIDTH - 1 ? centre.v[i + 1] : xp, ym.v[i], yp.v[i], below.v[i],
                                       above.v[i], box.lambda2, wall, &dv);
                if (wall)
                    *aside++ = dv;
            }
        } else {
            const uint32_t bits = wall_bits(links);
            const bool any = __any_sync(GPU_ALL_LANES, bits != 0) != 0;
            sixteen_bytes<real> q = {};
            if (any)
                q = stretch_q(bits, box.q + __ldg(box.wall_first + at / STRETCH));
#pragma unroll
            for (int i = 0; i < WIDTH; ++i)
                next.v[i] = step_node(centre.v[i], old.v[i], links >> (8 * i), i > 0 ? centre.v[i - 1] : xm,
                                      i < WIDTH - 1 ? centre.v[i + 1] : xp, ym.v[i], yp.v[i], below.v[i],
                                      above.v[i], box.lambda2, q.v[i]);
        }
        return next;
    }
    __device__ __forceinline__ void shift()
    {
        below = centre;
        centre = above;
    }
};

/** The march of either scheme; `stencil` has the parts that differ. */
template <class stencil, typename real, class box_type, class taps_type>
__global__ void __launch_bounds__(32 * BOX_ROWS, stencil::RESIDENTS)
    step_box_kernel(box_type box, taps_type taps, const real *__restrict__ u, real *u_old)
{
    if (blockIdx.x < receiver_ctas(taps)) {
        sample_receiver(taps, find_sampler(taps), u);
        return;
    }
    const box_ctas<real> ctas = ctas_of(box);
    const uint32_t cta = blockIdx.x - receiver_ctas(taps), cta_x = cta % ctas.x,
                   cta_y = cta / ctas.x % ctas.y, cta_z = cta / ctas.x / ctas.y;
    const int lane = (int)threadIdx.x & 31, y = (int)(cta_y * BOX_ROWS + (threadIdx.x >> 5));
    const int z_first = (int)cta_z * BOX_PLANES, z_past = min(z_first + BOX_PLANES, box.nodes[2]);
    if (y >= box.nodes[1])
        return;
    const size_t plane = (size_t)box.nodes[1] * box.pitch;
    size_t at = (size_t)z_first * plane + (size_t)y * box.pitch + (size_t)cta_x * stencil::STRETCH +
                (size_t)(lane * stencil::WIDTH);
    stencil planes;
    planes.start(box, u + at, plane, z_first);
#pragma unroll stencil::UNROLL
    for (int z = z_first; z < z_past; ++z, at += plane) {
        planes.rise(box, u + at, plane, z);
        const sixteen_bytes<real> old = *reinterpret_cast<const sixteen_bytes<real> *>(u_old + at);
        const uint32_t marked = load_box_links(box.links + at, real()), links = marked & GPU_BOX_LINKS;
        uint32_t left_out = 0;
        sixteen_bytes<real> next = planes.step(box, u, at, links, old, &left_out);
        if (marked != links)
            add_drives(taps, find_drive(taps, at), at, next.v, left_out);
        store_sixteen(u_old + at, next);
        planes.shift();
    }
}

template <class stencil, typename real, class box_type, class taps_type>
cudaError_t launch_box(const box_type &box, const taps_type &taps, const real *u, real *u_old,
                       cudaStream_t stream)
{
    const box_ctas<real> ctas = ctas_of(box);
    step_box_kernel<stencil, real>
        <<<receiver_ctas(taps) + ctas.x * ctas.y * ctas.z, 32 * BOX_ROWS, 0, stream>>>(box, taps, u, u_old);
    return cudaGetLastError();
}

template <typename real, class box_type, class taps_type>
cudaError_t step_box(const box_type &box, const taps_type &taps, const real *u, real *u_old,
                     cudaStream_t stream)
{
    return launch_box<box_seven<real>>(box, taps, u, u_old, stream);
}

#endif
