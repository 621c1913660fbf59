#include "kernels/cuda/device_halo.h"

#include <algorithm>
#include <cstdio>

#include "kernels/cuda/base/device_check.h"
#include "kernels/cuda/device_layout.h"

#define THREADS  256u
#define CTAS     1024u
#define EXCHANGE "what parts of the room exchange"

/* ---- made ---------------------------------------------------------------------------------------------- */

/* Without it copies are correct, but slower. */
static void lock_memory(void *host, uint64_t bytes, bool *locked)
{
    *locked = bytes > 0 && cudaHostRegister(host, bytes, cudaHostRegisterDefault) == cudaSuccess;
    if (!*locked)
        (void)cudaGetLastError();
}

static int send_tables(const struct device_halo *halo, uint32_t blocks, struct failure *failure)
{
    const struct engine_halo *const with = halo->with;
    DEVICE_TRY(cudaMemcpy(halo->send, with->send, with->sends * sizeof *with->send, cudaMemcpyHostToDevice),
               EXCHANGE, failure);
    DEVICE_TRY(cudaMemcpy(halo->receive, with->receive, with->receives * sizeof *with->receive,
                          cudaMemcpyHostToDevice),
               EXCHANGE, failure);
    static_assert(sizeof(bool) == 1, "marks travel as they are");
    DEVICE_TRY(cudaMemcpy(halo->outer, with->outer, (size_t)blocks + 1, cudaMemcpyHostToDevice), EXCHANGE,
               failure);
    return 0;
}

static int make_halo(const struct engine_halo *with, uint32_t blocks, size_t real_bytes,
                     struct device_halo *halo, struct failure *failure)
{
    const struct device_halo_layout layout =
        device_lay_out_halo(with->sends, with->receives, blocks, real_bytes);
    char wanted[96];
    (void)std::snprintf(wanted, sizeof wanted, EXCHANGE " (%llu bytes)", (unsigned long long)layout.bytes);
    halo->with = with;
    DEVICE_TRY(cudaMalloc(&halo->memory, layout.bytes), wanted, failure);
    halo->bytes = layout.bytes;
    halo->send = reinterpret_cast<uint64_t *>(halo->memory + layout.send);
    halo->receive = reinterpret_cast<uint64_t *>(halo->memory + layout.receive);
    halo->outer = reinterpret_cast<uint8_t *>(halo->memory + layout.outer);
    for (int n = 0; n < 2; ++n)
        halo->out[n] = halo->memory + layout.out[n];
    halo->in = halo->memory + layout.in;
    /* Its few CTAs run before those of the rest of the room; otherwise the values would be sent after
     * these. */
    int least = 0, first = 0;
    DEVICE_TRY(cudaDeviceGetStreamPriorityRange(&least, &first), EXCHANGE, failure);
    DEVICE_TRY(cudaStreamCreateWithPriority(&halo->stream, cudaStreamDefault, first), EXCHANGE, failure);
    DEVICE_TRY(cudaEventCreateWithFlags(&halo->stepped, cudaEventDisableTiming), EXCHANGE, failure);
    DEVICE_TRY(cudaEventCreateWithFlags(&halo->arrived, cudaEventDisableTiming), EXCHANGE, failure);
    if (with->way == HALO_HOST) {
        lock_memory(with->out, with->sends * real_bytes, &halo->locked[0]);
        lock_memory(with->in, with->receives * real_bytes, &halo->locked[1]);
    }
    return send_tables(halo, blocks, failure);
}

int device_halo_make(const struct engine_halo *with, uint32_t blocks, size_t real_bytes,
                     struct device_halo *out, struct failure *failure)
{
    const int code = make_halo(with, blocks, real_bytes, out, failure);
    if (code != 0)
        device_halo_free(out);
    return code;
}

void device_halo_free(struct device_halo *halo)
{
    if (halo->locked[0])
        (void)cudaHostUnregister(halo->with->out);
    if (halo->locked[1])
        (void)cudaHostUnregister(halo->with->in);
    if (halo->stepped != nullptr)
        (void)cudaEventDestroy(halo->stepped);
    if (halo->arrived != nullptr)
        (void)cudaEventDestroy(halo->arrived);
    if (halo->stream != nullptr)
        (void)cudaStreamDestroy(halo->stream);
    (void)cudaFree(halo->memory);
    *halo = {};
}

/* ---- values of a step ---------------------------------------------------------------------------------- */

template <typename real>
__global__ void __launch_bounds__(THREADS)
    gather_kernel(const real *level, const uint64_t *index, uint64_t count, real *out)
{
    for (uint64_t n = (uint64_t)blockIdx.x * THREADS + threadIdx.x; n < count;
         n += (uint64_t)gridDim.x * THREADS)
        out[n] = level[index[n]];
}

template <typename real>
__global__ void __launch_bounds__(THREADS)
    scatter_kernel(const real *in, const uint64_t *index, uint64_t count, real *level)
{
    for (uint64_t n = (uint64_t)blockIdx.x * THREADS + threadIdx.x; n < count;
         n += (uint64_t)gridDim.x * THREADS)
        level[index[n]] = in[n];
}

static uint32_t ctas_of(uint64_t values)
{
    return (uint32_t)std::min<uint64_t>((values + THREADS - 1) / THREADS, CTAS);
}

template <typename real>
int device_halo_gather(struct device_halo *halo, const real *level, cudaStream_t steps,
                       struct failure *failure)
{
    const struct engine_halo *const with = halo->with;
    char *const out = halo->out[halo->exchanges & 1];
    DEVICE_TRY(cudaEventRecord(halo->stepped, steps), EXCHANGE, failure);
    DEVICE_TRY(cudaStreamWaitEvent(halo->stream, halo->stepped, 0), EXCHANGE, failure);
    if (with->sends == 0)
        return 0;
    gather_kernel<<<ctas_of(with->sends), THREADS, 0, halo->stream>>>(level, halo->send, with->sends,
                                                                      reinterpret_cast<real *>(out));
    DEVICE_TRY(cudaGetLastError(), EXCHANGE, failure);
    if (with->way == HALO_HOST)
        DEVICE_TRY(
            cudaMemcpyAsync(with->out, out, with->sends * sizeof(real), cudaMemcpyDeviceToHost, halo->stream),
            EXCHANGE, failure);
    return 0;
}

template <typename real>
static int scatter_values(struct device_halo *halo, real *level, cudaStream_t steps, struct failure *failure)
{
    const struct engine_halo *const with = halo->with;
    if (with->receives > 0 && with->way == HALO_HOST)
        DEVICE_TRY(cudaMemcpyAsync(halo->in, with->in, with->receives * sizeof(real), cudaMemcpyHostToDevice,
                                   halo->stream),
                   EXCHANGE, failure);
    if (with->receives > 0) {
        scatter_kernel<<<ctas_of(with->receives), THREADS, 0, halo->stream>>>(
            reinterpret_cast<const real *>(halo->in), halo->receive, with->receives, level);
        DEVICE_TRY(cudaGetLastError(), EXCHANGE, failure);
    }
    DEVICE_TRY(cudaEventRecord(halo->arrived, halo->stream), EXCHANGE, failure);
    DEVICE_TRY(cudaStreamWaitEvent(steps, halo->arrived, 0), EXCHANGE, failure);
    return 0;
}

static int wait_for(const struct device_halo *halo, struct failure *failure)
{
    DEVICE_TRY(cudaStreamSynchronize(halo->stream), EXCHANGE, failure);
    return 0;
}

static void exchange_values(struct device_halo *halo)
{
    halo->with->begin(halo->with->context);
    halo->with->finish(halo->with->context);
    ++halo->exchanges;
}

template <typename real>
int device_halo_trade(struct device_halo *halo, real *level, cudaStream_t steps, struct failure *failure)
{
    /* The last scatter has read the page-locked memory by then, since the stream keeps its order. */
    const int code = halo->with->way == HALO_QUEUED ? 0 : wait_for(halo, failure);
    exchange_values(halo);
    return code != 0 ? code : scatter_values(halo, level, steps, failure);
}

void device_halo_skip(struct device_halo *halo, uint64_t exchanges)
{
    while (halo->exchanges < exchanges)
        exchange_values(halo);
}

template int device_halo_gather(struct device_halo *, const float *, cudaStream_t, struct failure *);
template int device_halo_gather(struct device_halo *, const double *, cudaStream_t, struct failure *);
template int device_halo_trade(struct device_halo *, float *, cudaStream_t, struct failure *);
template int device_halo_trade(struct device_halo *, double *, cudaStream_t, struct failure *);

/* ---- ports --------------------------------------------------------------------------------------------- */

int cuda_signal_make(unsigned card, void **out, struct failure *failure)
{
    cudaEvent_t event = nullptr;
    DEVICE_TRY(cudaSetDevice((int)card), EXCHANGE, failure);
    DEVICE_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), EXCHANGE, failure);
    *out = event;
    return 0;
}

void cuda_signal_free(void *signal)
{
    if (signal != nullptr)
        (void)cudaEventDestroy(static_cast<cudaEvent_t>(signal));
}

int cuda_signal_send(const struct device_port *port, void *signal, struct failure *failure)
{
    DEVICE_TRY(cudaEventRecord(static_cast<cudaEvent_t>(signal), static_cast<cudaStream_t>(port->stream)),
               EXCHANGE, failure);
    return 0;
}

int cuda_signal_await(const struct device_port *port, void *signal, struct failure *failure)
{
    DEVICE_TRY(
        cudaStreamWaitEvent(static_cast<cudaStream_t>(port->stream), static_cast<cudaEvent_t>(signal), 0),
        EXCHANGE, failure);
    return 0;
}

int cuda_signal_passed(void *signal, bool *passed, struct failure *failure)
{
    const cudaError_t state = cudaEventQuery(static_cast<cudaEvent_t>(signal));
    *passed = state == cudaSuccess;
    if (state != cudaErrorNotReady)
        DEVICE_TRY(state, EXCHANGE, failure);
    return 0;
}

int cuda_port_fetch(const struct device_port *port, uint64_t to, unsigned card, const char *from,
                    uint64_t bytes, struct failure *failure)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(port->stream);
    if (bytes == 0)
        return 0;
    if (card == port->card)
        DEVICE_TRY(cudaMemcpyAsync(port->in + to, from, bytes, cudaMemcpyDeviceToDevice, stream), EXCHANGE,
                   failure);
    else
        DEVICE_TRY(cudaMemcpyPeerAsync(port->in + to, (int)port->card, from, (int)card, bytes, stream),
                   EXCHANGE, failure);
    return 0;
}
