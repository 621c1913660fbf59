/** The seed's bounding-box kernel, in our words (J. J. Webber, MSc thesis, Edinburgh, 2017).
 *
 *   mapping    one thread a node, 32 x 4 x 2 threads a CTA; arrays with one layer of halo that stays 0
 *   form       standard: u_new = ((2 - lambda^2 K) u + lambda^2 S - (1 - kappa) u_old) / (1 + kappa), K =
 *              open links, read as a byte; one admittance for all walls
 *   bytes      13 a box node in single precision (u, u_old, K, write), 25 in double; where K is 0 only K
 *              is read, so a room that fills little of its box can show more than its share
 *   predicted  226 Gnode/s of the box in single precision on the cross of 5 x 512^3 (throwaway kernel)
 *   measured   H200: 226 single, 175 double; on the cube of 768, which fills its box, 168 and 127: 0.51
 *              and 0.74 of copy
 *   taught     4-byte loads cannot fill this memory; and most of the cross's box is nothing
 *
 * The standard form rounds otherwise than scheme.h, so only whole numbers compare it with step_reference;
 * random fields compare it with the same formula on the host. Its coefficients are worked out, not looked
 * up by K: a table in constant memory, read at a different place by every lane, halved the speed of
 * seed_blocks.
 */
#ifndef KERNELS_SEED_BOX_CUH
#define KERNELS_SEED_BOX_CUH

#include <stddef.h>
#include <stdint.h>

/** One admittance g everywhere: kappa = lambda/2 (6 - K) g. */
template <typename real> struct standard_form {
    real lambda2;
    real half_lambda_g; /* lambda/2 g */
};

template <typename real> struct seed_box {
    int nodes[3];
    size_t row, plane; /* distance of neighbours in y and z */
    const uint8_t *k;  /* at node (0,0,0), as u and u_old */
    standard_form<real> form;
};

template <typename real>
__host__ __device__ inline real standard_step(const standard_form<real> &form, int k, real u, real u_old,
                                              real sum)
{
    const real free = ((real)2 - form.lambda2 * (real)k) * u + form.lambda2 * sum;
    if (k == 6)
        return free - u_old;
    const real kappa = form.half_lambda_g * (real)(6 - k);
    return (free - ((real)1 - kappa) * u_old) / ((real)1 + kappa);
}

template <typename real>
__global__ void __launch_bounds__(256)
    seed_box_kernel(const __grid_constant__ seed_box<real> box, const real *__restrict__ u, real *u_old)
{
    const int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * 4 + threadIdx.y);
    const int z = (int)(blockIdx.z * 2 + threadIdx.z);
    if (x >= box.nodes[0] || y >= box.nodes[1] || z >= box.nodes[2])
        return;
    const size_t at = (size_t)z * box.plane + (size_t)y * box.row + (size_t)x;
    const int k = box.k[at];
    if (k == 0)
        return;
    const real sum = ((u[at - 1] + u[at + 1]) + (u[at - box.row] + u[at + box.row])) +
                     (u[at - box.plane] + u[at + box.plane]);
    u_old[at] = standard_step(box.form, k, u[at], u_old[at], sum);
}

template <typename real>
cudaError_t step_seed_box(const seed_box<real> &box, const real *u, real *u_old, cudaStream_t stream)
{
    const dim3 threads(32, 4, 2), grid((unsigned)(box.nodes[0] + 31) / 32, (unsigned)(box.nodes[1] + 3) / 4,
                                       (unsigned)(box.nodes[2] + 1) / 2);
    seed_box_kernel<real><<<grid, threads, 0, stream>>>(box, u, u_old);
    return cudaGetLastError();
}

#endif
