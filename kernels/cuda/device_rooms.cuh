/** A room on the device as the kernels that step it see it: pointers into a piece of memory that is laid out
 * by `layout`. Borrowed. */
#ifndef KERNELS_DEVICE_ROOMS_CUH
#define KERNELS_DEVICE_ROOMS_CUH

#include <cstdio>
#include <vector>

#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/device_walls.cuh"
#include "kernels/cuda/step/gpu_layer.cuh"

template <typename real>
gpu_room<real> device_block_room(const struct device_layout &layout, double lambda2, const char *memory)
{
    gpu_room<real> room = {};
    room.block = reinterpret_cast<const struct gpu_block *>(memory + layout.block);
    room.slots = layout.slots;
    room.tile = reinterpret_cast<const uint8_t *>(memory + layout.tile);
    room.plane_first = reinterpret_cast<const uint16_t *>(memory + layout.plane_first);
    room.wall_first = reinterpret_cast<const uint64_t *>(memory + layout.wall_first);
    room.wall_slot = reinterpret_cast<const uint16_t *>(memory + layout.wall_slot);
    room.q = reinterpret_cast<const real *>(memory + layout.q);
    room.lambda2 = (real)lambda2;
    return room;
}

/** @param box   NULL in blocks: the room is then not to be stepped */
template <typename real>
gpu_box<real> device_box_room(const struct device_layout &layout, const struct box_grid *box, double lambda2,
                              const char *memory)
{
    gpu_box<real> room = {};
    for (int a = 0; box != nullptr && a < 3; ++a)
        room.nodes[a] = (int)box->nodes[a];
    room.pitch = layout.pitch;
    room.links = reinterpret_cast<const uint8_t *>(memory + layout.links) + layout.origin;
    room.wall_first = reinterpret_cast<const uint64_t *>(memory + layout.wall_first);
    room.q = reinterpret_cast<const real *>(memory + layout.q);
    room.lambda2 = (real)lambda2;
    return room;
}

/** The same rooms with frequency-dependent walls. */
template <typename real>
gpu_state_room<real> device_state_room(const gpu_room<real> &room, const gpu_walls<real> &walls)
{
    gpu_state_room<real> out = {};
    static_cast<gpu_room<real> &>(out) = room;
    out.walls = walls;
    return out;
}
template <typename real>
gpu_state_box<real> device_state_box(const gpu_box<real> &box, const gpu_walls<real> &walls)
{
    gpu_state_box<real> out = {};
    static_cast<gpu_box<real> &>(out) = box;
    out.walls = walls;
    return out;
}

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
        const uint64_t terms = sizeof(typename scheme_sheet_of<real>::type);
        const uint64_t at_end = device_take(&bytes, links, sizeof(uint64_t[2])),
                       at_terms = device_take(&bytes, links, terms), at_is = device_take(&bytes, links, 1),
                       at_flow = device_take(&bytes, links, sizeof(real)),
                       at_moved = device_take(&bytes, links, sizeof(real)),
                       at_back = device_take(&bytes, links, sizeof(real)),
                       at_loss = device_take(&bytes, links, sizeof(real)),
                       at_node = device_take(&bytes, host.nodes + 1, sizeof(struct sheet_node)),
                       at_use = device_take(&bytes, host.uses + 1, sizeof(uint64_t)),
                       at_weight = device_take(&bytes, host.uses + 1, sizeof(real)),
                       at_held = device_take(&bytes, host.helds + 1, sizeof(real));
        char purpose[64];
        (void)std::snprintf(purpose, sizeof purpose, "sheets (%llu bytes)", (unsigned long long)bytes);
        DEVICE_TRY(cudaMalloc(&memory, bytes), purpose, failure);
        const struct {
            uint64_t at;
            const void *from;
            uint64_t size;
        } part[] = {{at_end, end.data(), links * sizeof(uint64_t[2])},
                    {at_terms, host.terms, links * terms},
                    {at_is, is.data(), links},
                    {at_node, node.data(), (host.nodes + 1) * sizeof(struct sheet_node)},
                    {at_use, host.use, host.uses * sizeof(uint64_t)},
                    {at_weight, host.weight, host.uses * sizeof(real)}};
        for (const auto &one : part)
            DEVICE_TRY(cudaMemcpy(memory + one.at, one.from, one.size, cudaMemcpyHostToDevice), "sheets",
                       failure);
        there.links = links;
        there.nodes = host.nodes;
        there.end = reinterpret_cast<const uint64_t(*)[2]>(memory + at_end);
        there.terms = reinterpret_cast<const typename scheme_sheet_of<real>::type *>(memory + at_terms);
        there.there = reinterpret_cast<const uint8_t *>(memory + at_is);
        there.flow = reinterpret_cast<real *>(memory + at_flow);
        there.moved = reinterpret_cast<real *>(memory + at_moved);
        there.back = reinterpret_cast<real *>(memory + at_back);
        there.loss = reinterpret_cast<real *>(memory + at_loss);
        there.node = reinterpret_cast<const struct sheet_node *>(memory + at_node);
        there.use = reinterpret_cast<const uint64_t *>(memory + at_use);
        there.weight = reinterpret_cast<const real *>(memory + at_weight);
        there.held = reinterpret_cast<real *>(memory + at_held);
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
    uint64_t bytes = 0, normals = 0;

    ~device_layer()
    {
        (void)cudaFree(memory);
    }

    int make(const struct engine_layer &host, const struct device_layout &layout, const struct box_grid *box,
             struct failure *failure)
    {
        std::vector<struct layer_node> node(host.node, host.node + host.nodes + 1);
        for (uint64_t n = 0; n < host.nodes; ++n)
            node[n].index = device_index(&layout, box, host.node[n].index);
        const uint64_t terms = sizeof(typename scheme_layer_of<real>::type), nodes = host.nodes;
        normals = host.normals;
        const uint64_t at_node = device_take(&bytes, nodes + 1, sizeof(struct layer_node)),
                       at_normal = device_take(&bytes, normals, sizeof(struct layer_normal)),
                       at_place = device_take(&bytes, host.places, sizeof(struct layer_place)),
                       at_code = device_take(&bytes, 27 * BLOCK_NODES, sizeof(uint16_t)),
                       at_terms = device_take(&bytes, LAYER_CELLS, terms),
                       at_gain = device_take(&bytes, nodes, sizeof(real)),
                       at_damp = device_take(&bytes, nodes, sizeof(real)),
                       at_state = device_take(&bytes, LAYER_STATES * normals, sizeof(real)),
                       at_loss = device_take(&bytes, nodes, sizeof(real)),
                       at_held = device_take(&bytes, host.helds, sizeof(real));
        char purpose[64];
        (void)std::snprintf(purpose, sizeof purpose, "open faces (%llu bytes)", (unsigned long long)bytes);
        DEVICE_TRY(cudaMalloc(&memory, bytes), purpose, failure);
        const struct {
            uint64_t at;
            const void *from;
            uint64_t size;
        } part[] = {{at_node, node.data(), (nodes + 1) * sizeof(struct layer_node)},
                    {at_normal, host.normal, normals * sizeof(struct layer_normal)},
                    {at_place, host.place, host.places * sizeof(struct layer_place)},
                    {at_code, host.around.code, box == nullptr ? 27 * BLOCK_NODES * sizeof(uint16_t) : 0},
                    {at_terms, host.terms, LAYER_CELLS * terms},
                    {at_gain, host.gain, nodes * sizeof(real)},
                    {at_damp, host.damp, nodes * sizeof(real)}};
        for (const auto &one : part)
            if (one.size > 0)
                DEVICE_TRY(cudaMemcpy(memory + one.at, one.from, one.size, cudaMemcpyHostToDevice),
                           "open faces", failure);
        there.nodes = nodes;
        const int64_t plane = box != nullptr ? (int64_t)(layout.pitch * (uint64_t)box->nodes[1]) : 0;
        for (int k = 0; k < 27; ++k)
            there.around.offset[k] =
                (k % 3 - 1) + (k / 3 % 3 - 1) * (int64_t)layout.pitch + (k / 9 - 1) * plane;
        there.node = reinterpret_cast<const struct layer_node *>(memory + at_node);
        there.normal = reinterpret_cast<const struct layer_normal *>(memory + at_normal);
        there.around.place = reinterpret_cast<const struct layer_place *>(memory + at_place);
        there.around.code = box == nullptr ? reinterpret_cast<const uint16_t *>(memory + at_code) : nullptr;
        there.terms = reinterpret_cast<const typename scheme_layer_of<real>::type *>(memory + at_terms);
        there.gain = reinterpret_cast<const real *>(memory + at_gain);
        there.damp = reinterpret_cast<const real *>(memory + at_damp);
        there.state = reinterpret_cast<real *>(memory + at_state);
        there.loss = reinterpret_cast<real *>(memory + at_loss);
        there.held = reinterpret_cast<real *>(memory + at_held);
        return zero(failure);
    }

    int zero(struct failure *failure) const
    {
        DEVICE_TRY(cudaMemset(there.state, 0, LAYER_STATES * normals * sizeof(real)), "open faces", failure);
        DEVICE_TRY(cudaMemset(there.loss, 0, there.nodes * sizeof(real)), "open faces", failure);
        return 0;
    }

    /* States and losses, each NULL or the host's, from there or (`write`) there. */
    int move(void *state, void *loss, bool write, cudaStream_t stream, struct failure *failure) const
    {
        const struct {
            void *host;
            real *device;
            uint64_t size;
        } part[] = {{state, there.state, LAYER_STATES * normals * sizeof(real)},
                    {loss, there.loss, there.nodes * sizeof(real)}};
        DEVICE_TRY(cudaStreamSynchronize(stream), "open faces", failure);
        for (const auto &one : part)
            if (one.host != nullptr)
                DEVICE_TRY(cudaMemcpy(write ? (void *)one.device : one.host, write ? one.host : one.device,
                                      one.size, write ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost),
                           "open faces", failure);
        return 0;
    }
};

#endif
