/** Launches over a list before or after a step: sheets, the losses of the air (the layer behind open faces:
 * device_layer.cuh).
 * Their tables on the device, and the operations on them. */
#ifndef KERNELS_DEVICE_LISTS_CUH
#define KERNELS_DEVICE_LISTS_CUH

#include <cstdio>
#include <vector>

#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/device_rooms.cuh"
#include "kernels/cuda/step/gpu_air.cuh"
#include "kernels/cuda/step/gpu_sheets.cuh"

/** The sheets of an engine: their tables on the way there, states and losses both ways. A piece of memory of
 * their own. */
template <typename real> struct device_sheets {
    gpu_sheets<real> there = {};
    char *memory = nullptr;
    uint64_t bytes = 0;

    ~device_sheets()
    {
        (void)cudaFree(memory);
    }

    int make(const struct engine_sheets &host, const struct device_layout &layout, const struct box_grid *box,
             struct failure *failure)
    {
        const uint64_t links = host.links;
        std::vector<uint64_t> end(2 * links);
        std::vector<struct sheet_node> node(host.node, host.node + host.nodes + 1);
        std::vector<uint8_t> is(links);
        for (uint64_t n = 0; n < 2 * links; ++n)
            end[n] = device_index(&layout, box, host.end[n / 2][n % 2]);
        for (uint64_t n = 0; n < links; ++n)
            is[n] = sheet_law_holds(&host.law[n]);
        for (uint64_t n = 0; n < host.nodes; ++n)
            node[n].index = device_index(&layout, box, host.node[n].index);
        device_arrays arrays;
        arrays.add(&there.end, end.data(), links);
        arrays.add(&there.terms, host.terms, links);
        arrays.add(&there.there, is.data(), links);
        arrays.add(&there.flow, nullptr, links);
        arrays.add(&there.moved, nullptr, links);
        arrays.add(&there.back, nullptr, links);
        arrays.add(&there.loss, nullptr, links);
        arrays.add(&there.node, node.data(), host.nodes + 1);
        arrays.add(&there.use, host.use, host.uses);
        arrays.add(&there.weight, host.weight, host.uses);
        arrays.add(&there.held, nullptr, host.helds + 1);
        TRY(arrays.make("sheets", &memory, &bytes, failure));
        there.links = links;
        there.nodes = host.nodes;
        there.helds = (uint32_t)(host.helds > 0);
        return zero(failure);
    }

    /* V, w and losses. */
    int zero(struct failure *failure) const
    {
        real *const plane[] = {there.flow, there.moved, there.loss};
        for (real *const one : plane)
            DEVICE_TRY(cudaMemset(one, 0, there.links * sizeof(real)), "sheets", failure);
        return 0;
    }

    int forget_losses(struct failure *failure) const
    {
        DEVICE_TRY(cudaMemset(there.loss, 0, there.links * sizeof(real)), "sheets", failure);
        return 0;
    }

    int read(const real *u, const real *u_old, double (*out)[5], cudaStream_t stream,
             struct failure *failure) const
    {
        device_memory<double[5]> copy;
        TRY(copy.allocate(there.links, "sheets", failure));
        DEVICE_TRY(
            launch_list(sheet_read_kernel<real>, there.links, false, stream, there, u, u_old, copy.data()),
            "sheets", failure);
        DEVICE_TRY(
            cudaMemcpyAsync(out, copy.data(), there.links * sizeof *out, cudaMemcpyDeviceToHost, stream),
            "sheets", failure);
        DEVICE_TRY(cudaStreamSynchronize(stream), "sheets", failure);
        return 0;
    }

    /* V, w and loss of every link. */
    int write(const double (*in)[3], struct failure *failure) const
    {
        real *const plane[] = {there.flow, there.moved, there.loss};
        std::vector<real> one(there.links);
        for (int p = 0; p < 3; ++p) {
            for (uint64_t n = 0; n < there.links; ++n)
                one[n] = (real)in[n][p];
            DEVICE_TRY(cudaMemcpy(plane[p], one.data(), there.links * sizeof(real), cudaMemcpyHostToDevice),
                       "sheets", failure);
        }
        return 0;
    }
};

/** The losses of the air, and their states in a piece of memory of their own, each as a level. */
template <typename real> struct device_air {
    gpu_air<real> there = {};
    unsigned every = 1;
    char *memory = nullptr;
    uint64_t bytes = 0;

    ~device_air()
    {
        free();
    }

    void free()
    {
        (void)cudaFree(memory);
        memory = nullptr;
        bytes = 0;
        there = {};
        every = 1;
    }

    int make(const struct air_loss &loss, uint64_t values, struct failure *failure)
    {
        gpu_air<real> made = {};
        device_arrays arrays;
        free();
        if (loss.states == 0)
            return 0;
        made.states = loss.states;
        made.values = values;
        for (unsigned s = 0; s < loss.states; ++s) {
            made.follow[s] = (real)loss.follow[s];
            made.half[s] = (real)(loss.share[s] / 2.0);
            arrays.add(&made.state[s], nullptr, values);
        }
        TRY(arrays.make("losses of the air", &memory, &bytes, failure));
        there = made;
        every = loss.every;
        return 0;
    }

    int zero(cudaStream_t stream, struct failure *failure) const
    {
        DEVICE_TRY(cudaMemsetAsync(memory, 0, bytes, stream), "losses of the air", failure);
        return 0;
    }

    bool is_due(uint64_t step) const
    {
        return there.states > 0 && (step + 1) % every == 0;
    }
};

#endif
