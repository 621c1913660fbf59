/** Launches over a list before or after a step: sheets, the layer behind open faces, the losses of the air.
 * Their tables on the device, and the operations on them. */
#ifndef KERNELS_DEVICE_LISTS_CUH
#define KERNELS_DEVICE_LISTS_CUH

#include <cstdio>
#include <vector>

#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/device_rooms.cuh"
#include "kernels/cuda/step/gpu_air.cuh"
#include "kernels/cuda/step/gpu_layer.cuh"

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

/** The same of the layer behind open faces. Entries of walls are numbered on a device as on the host. */
template <typename real> struct device_layer {
    gpu_layer<real> there = {};
    char *memory = nullptr;
    uint64_t bytes = 0, states = 0; /* of state */

    ~device_layer()
    {
        (void)cudaFree(memory);
    }

    int make(const struct engine_layer &host, const struct device_layout &layout, const struct box_grid *box,
             struct failure *failure)
    {
        const struct step_layer &rows = *host.rows;
        std::vector<struct layer_row> row(rows.row, rows.row + rows.rows + 1);
        for (uint64_t n = 0; n < rows.rows; ++n)
            row[n].index = device_index(&layout, box, rows.row[n].index);
        const uint64_t lanes = rows.rows * LAYER_LANES;
        states = rows.normals * LAYER_STATES * LAYER_LANES;
        device_arrays arrays;
        arrays.add(&there.row, row.data(), rows.rows + 1);
        arrays.add(&there.normal, rows.normal, rows.normals);
        arrays.add(&there.wall, rows.wall, rows.walls);
        arrays.add(&there.side, rows.side.value, rows.side.count);
        arrays.add(&there.weight, rows.weight.value, rows.weight.count * 2 * LAYER_LANES);
        arrays.add(&there.terms, rows.terms, rows.depths.count * LAYER_TERMS * LAYER_LANES);
        arrays.add(&there.place, host.place, host.places);
        arrays.add(&there.state, nullptr, states);
        arrays.add(&there.loss, nullptr, lanes);
        arrays.add(&there.held, nullptr, lanes);
        arrays.add(&there.held_walls, nullptr, rows.helds);
        TRY(arrays.make("open faces", &memory, &bytes, failure));
        there.rows = rows.rows;
        there.in_box = box != nullptr;
        there.low = -(int64_t)layout.origin;
        there.high = (int64_t)(layout.values - layout.origin);
        there.step[0] = 1;
        there.step[1] = (int64_t)layout.pitch;
        there.step[2] = box != nullptr ? (int64_t)(layout.pitch * (uint64_t)box->nodes[1]) : 0;
        return zero(failure);
    }

    int zero(struct failure *failure) const
    {
        DEVICE_TRY(cudaMemset(there.state, 0, states * sizeof(real)), "open faces", failure);
        DEVICE_TRY(cudaMemset(there.loss, 0, there.rows * LAYER_LANES * sizeof(real)), "open faces", failure);
        return 0;
    }

    /* States and losses, each NULL or the host's, from there or (`write`) there. */
    int move(void *state, void *loss, bool write, cudaStream_t stream, struct failure *failure) const
    {
        const struct {
            void *host;
            real *device;
            uint64_t size;
        } part[] = {{state, there.state, states * sizeof(real)},
                    {loss, there.loss, there.rows * LAYER_LANES * sizeof(real)}};
        DEVICE_TRY(cudaStreamSynchronize(stream), "open faces", failure);
        for (const auto &one : part)
            if (one.host != nullptr)
                DEVICE_TRY(cudaMemcpy(write ? (void *)one.device : one.host, write ? one.host : one.device,
                                      one.size, write ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost),
                           "open faces", failure);
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
