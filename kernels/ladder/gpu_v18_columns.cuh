/** v18: a room by column extents (J. J. Lopez, D. Carnicero, N. Ferrando, J. Escolano, Math. Comput. Model.
 * 57, 2013), in our words: the box's pressures, but no byte a node.
 *
 *   mapping    a thread a column of 32 planes at most, 32 x 8 a CTA; it walks upwards through its column's
 *              stretches of air (column_extents.h) with the planes below, its own and above in registers and
 *              what lies beside in the first level. Which of the four columns beside are air is known until
 *              one of them begins or ends
 *   bytes      12 a node of air in single precision, 24 in double, and 8 a stretch; columns without air and
 *              what is above and below the air is never read
 *   predicted  H200: 0.55 of copy over nodes of air in single precision, 0.70 in double, on the cross of
 *              5 x 512^3 197 and 125 Gnode/s: 4-byte loads brought v0 to 0.51 and 0.74 where the room fills
 *              its box, the byte is saved, and a march reads each plane once for z
 *   measured   0.37 and 0.49 of copy in the cube of 768, 0.36 and 0.48 in the cross: 5.2 ms a step there, v0
 *              5.3, v4 in blocks 2.06
 */
#ifndef KERNELS_LADDER_GPU_V18_COLUMNS_CUH
#define KERNELS_LADDER_GPU_V18_COLUMNS_CUH

#include <climits>

#include "kernels/cuda/step/gpu_room.cuh"

#define COLUMN_PLANES 32 /* of a CTA */
#define COLUMN_ROWS   8

/** A box with one layer of halo that stays 0, of which the room is known by columns, by bytes or both. Device
 * pointers at node (0,0,0), borrowed. */
template <typename real> struct column_room {
    int nodes[3];
    size_t row, plane;
    const uint32_t *begin; /* by y row + x */
    const int2 *run;       /* z from, past */
    const uint8_t *links;  /* as the pressures */
    const real *q;         /* (7) by number of cut links */
    real lambda2;
};

/** Is a column air? Asked with rising z. */
struct column_cursor {
    uint32_t next, past;
    int low, end;

    __device__ column_cursor() : next(0), past(0), low(0), end(0)
    {
    }
    template <typename real>
    __device__ column_cursor(const column_room<real> &room, size_t column)
        : next(__ldg(room.begin + column)), past(__ldg(room.begin + column + 1)), low(INT_MIN), end(INT_MIN)
    {
    }
    __device__ __forceinline__ bool air(const int2 *run, int z)
    {
        while (z >= end && next != past) {
            const int2 found = __ldg(run + next++);
            low = found.x;
            end = found.y;
        }
        return z >= low && z < end;
    }
};

/** The four columns beside one. */
struct columns_beside {
    column_cursor xm, xp, ym, yp;

    __device__ columns_beside()
    {
    }
    template <typename real>
    __device__ columns_beside(const column_room<real> &room, size_t column)
        : xm(room, column - 1), xp(room, column + 1), ym(room, column - room.row), yp(room, column + room.row)
    {
    }
    __device__ __forceinline__ uint32_t links(const int2 *run, int z)
    {
        return (xm.air(run, z) ? 1u : 0u) | (xp.air(run, z) ? 2u : 0u) | (ym.air(run, z) ? 4u : 0u) |
               (yp.air(run, z) ? 8u : 0u);
    }
};

/** A wall's loss by how many links are cut: one admittance. */
template <typename real>
__device__ __forceinline__ real column_q(const column_room<real> &room, uint32_t links)
{
    return links == 0x3Fu ? real(0) : __ldg(room.q + 6 - __popc(links));
}

template <typename real>
__global__ void __launch_bounds__(32 * COLUMN_ROWS)
    columns_kernel(const __grid_constant__ column_room<real> room, const real *__restrict__ u, real *u_old)
{
    const int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * COLUMN_ROWS + threadIdx.y);
    const int first = (int)blockIdx.z * COLUMN_PLANES, past = min(first + COLUMN_PLANES, room.nodes[2]);
    if (x >= room.nodes[0] || y >= room.nodes[1])
        return;
    const size_t column = (size_t)y * room.row + (size_t)x;
    columns_beside beside(room, column);
    for (uint32_t r = __ldg(room.begin + column), end = __ldg(room.begin + column + 1); r != end; ++r) {
        const int2 run = __ldg(room.run + r);
        const int to = min(run.y, past);
        int z = max(run.x, first);
        if (z >= to)
            continue;
        size_t at = (size_t)z * room.plane + column;
        real below = u[(long long)at - (long long)room.plane], here = u[at];
        for (; z < to; ++z, at += room.plane) {
            const real above = u[at + room.plane];
            const uint32_t links =
                beside.links(room.run, z) | (z > run.x ? 16u : 0u) | (z + 1 < run.y ? 32u : 0u);
            u_old[at] = step_node(here, u_old[at], links, u[(long long)at - 1], u[at + 1],
                                  u[(long long)at - (long long)room.row], u[at + room.row], below, above,
                                  room.lambda2, column_q(room, links));
            below = here;
            here = above;
        }
    }
}

template <typename real>
cudaError_t step_columns(const column_room<real> &room, const real *u, real *u_old, cudaStream_t stream)
{
    const dim3 threads(32, COLUMN_ROWS),
        grid((unsigned)(room.nodes[0] + 31) / 32, (unsigned)(room.nodes[1] + COLUMN_ROWS - 1) / COLUMN_ROWS,
             (unsigned)(room.nodes[2] + COLUMN_PLANES - 1) / COLUMN_PLANES);
    columns_kernel<real><<<grid, threads, 0, stream>>>(room, u, u_old);
    return cudaGetLastError();
}

#endif
