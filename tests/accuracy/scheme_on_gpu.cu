/* Claim: the update of a node gives the same bits compiled by nvcc for the GPU as compiled by the C compiler.
 * A million random cases in each precision, subnormal and huge values included. Ends with 0 when all bits
 * agree, 1 when one differs, 77 (skipped) without a CUDA device. */
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "kernels/scheme/scheme.h"
#include "tests/accuracy/scheme_on_cpu.h"

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t status_ = (call);                                                                  \
        if (status_ != cudaSuccess) {                                                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_));                            \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

__global__ void update_f32(size_t count, const float (*a)[10], float *out)
{
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        out[n] =
            scheme_update(a[n][6], a[n][7], scheme_sum(a[n][0], a[n][1], a[n][2], a[n][3], a[n][4], a[n][5]),
                          a[n][8], a[n][9]);
}

__global__ void update_f64(size_t count, const double (*a)[10], double *out)
{
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        out[n] =
            scheme_update(a[n][6], a[n][7], scheme_sum(a[n][0], a[n][1], a[n][2], a[n][3], a[n][4], a[n][5]),
                          a[n][8], a[n][9]);
}

static void launch(size_t count, const float (*argument)[10], float *out)
{
    update_f32<<<(unsigned)((count + 255) / 256), 256>>>(count, argument, out);
}

static void launch(size_t count, const double (*argument)[10], double *out)
{
    update_f64<<<(unsigned)((count + 255) / 256), 256>>>(count, argument, out);
}

static void on_cpu(size_t count, const float (*argument)[10], float *out)
{
    scheme_on_cpu_f32(count, argument, out);
}

static void on_cpu(size_t count, const double (*argument)[10], double *out)
{
    scheme_on_cpu_f64(count, argument, out);
}

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Mostly ordinary pressures, every sixteenth scaled down to the edge of the subnormals or up. */
template <typename real> static real random_value(uint64_t *state, real tiny, real huge)
{
    const real value = (real)((double)(random_bits(state) >> 11) * 0x1p-52 - 1.0);
    const unsigned choice = (unsigned)(random_bits(state) & 31u);
    return choice == 0 ? value * tiny : choice == 1 ? value * huge : value;
}

template <typename real> static int compare(const char *name, real tiny, real huge)
{
    const size_t count = (size_t)1 << 20;
    std::vector<real> argument(count * 10), expected(count), got(count);
    uint64_t seed = 2017;
    for (size_t n = 0; n < count; ++n) {
        real *a = &argument[n * 10];
        for (int k = 0; k < 8; ++k)
            a[k] = random_value<real>(&seed, tiny, huge);
        a[8] = (real)((double)(random_bits(&seed) % 349525u) * 0x1p-20);
        a[9] = (random_bits(&seed) & 3u) ? (real)((double)(random_bits(&seed) >> 11) * 0x1p-54) : (real)0;
    }
    on_cpu(count, (const real(*)[10])argument.data(), expected.data());

    void *device_argument = nullptr, *device_out = nullptr;
    CHECK(cudaMalloc(&device_argument, count * 10 * sizeof(real)));
    CHECK(cudaMalloc(&device_out, count * sizeof(real)));
    CHECK(cudaMemcpy(device_argument, argument.data(), count * 10 * sizeof(real), cudaMemcpyHostToDevice));
    launch(count, (const real(*)[10])device_argument, (real *)device_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), device_out, count * sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_argument));
    CHECK(cudaFree(device_out));

    size_t wrong = 0;
    for (size_t n = 0; n < count; ++n)
        wrong += std::memcmp(&got[n], &expected[n], sizeof(real)) != 0;
    std::printf("%s: wrong=%zu/%zu\n", name, wrong, count);
    return wrong != 0;
}

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("SKIPPED: no CUDA device on this machine\n");
        return 77;
    }
    const int wrong_single = compare<float>("single", 1e-38f, 1e30f);
    const int wrong_double = compare<double>("double", 1e-308, 1e200);
    return wrong_single || wrong_double;
}
