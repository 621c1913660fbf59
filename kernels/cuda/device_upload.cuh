/** A room's topology on its way to the device, in pieces, so that no second copy of it is held on the host.
 */
#ifndef KERNELS_DEVICE_UPLOAD_CUH
#define KERNELS_DEVICE_UPLOAD_CUH

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernels/cuda/base/device_check.h"
#include "kernels/cuda/device_layout.h"
#include "kernels/cuda/step/gpu_taps.cuh"
#include "kernels/cuda/step/step_box.cuh"

/** An array on the device that is written from its start to its end. */
template <typename item> class device_writer {
  public:
    explicit device_writer(void *to) : to_(static_cast<item *>(to))
    {
    }
    device_writer(const device_writer &) = delete;
    device_writer &operator=(const device_writer &) = delete;
    ~device_writer()
    {
        std::free(items_);
    }
    int push(const item &value, struct failure *failure)
    {
        if (items_ == nullptr && (items_ = static_cast<item *>(std::malloc(ITEMS * sizeof(item)))) == nullptr)
            return failure_memory(failure, ITEMS * sizeof(item), "what is sent to the device");
        items_[count_++] = value;
        return count_ == ITEMS ? flush(failure) : 0;
    }
    /** Send the rest. Call it once, at the end. */
    int flush(struct failure *failure)
    {
        if (count_ > 0)
            DEVICE_TRY(cudaMemcpy(to_ + sent_, items_, count_ * sizeof(item), cudaMemcpyHostToDevice),
                       "the room's topology", failure);
        sent_ += count_;
        count_ = 0;
        return 0;
    }

  private:
    static constexpr size_t ITEMS = (size_t)1 << 17;
    item *to_, *items_ = nullptr;
    size_t sent_ = 0, count_ = 0;
};

/** Arrays in one piece of device memory: add() each, then make(). */
class device_arrays {
  public:
    /** `count` items, whose place *to receives; a copy of the host's `from` unless that is NULL. */
    template <typename item> void add(item **to, const void *from, uint64_t count)
    {
        array_[arrays_++] = {
            to,
            [](void *slot, char *place) { *static_cast<item **>(slot) = reinterpret_cast<item *>(place); },
            from, device_take(&bytes_, count, sizeof(item)), count * sizeof(item)};
    }
    /** @param memory   receives the piece, to be freed by the caller also after a failure */
    int make(const char *purpose, char **memory, uint64_t *bytes, struct failure *failure)
    {
        char wanted[96];
        (void)std::snprintf(wanted, sizeof wanted, "%s (%llu bytes)", purpose, (unsigned long long)bytes_);
        DEVICE_TRY(cudaMalloc(memory, bytes_), wanted, failure);
        *bytes = bytes_;
        for (size_t n = 0; n < arrays_; ++n) {
            array_[n].place(array_[n].to, *memory + array_[n].at);
            if (array_[n].from != nullptr && array_[n].size > 0)
                DEVICE_TRY(cudaMemcpy(*memory + array_[n].at, array_[n].from, array_[n].size,
                                      cudaMemcpyHostToDevice),
                           purpose, failure);
        }
        return 0;
    }

  private:
    struct {
        void *to;
        void (*place)(void *slot, char *place);
        const void *from;
        uint64_t at, size;
    } array_[20];
    size_t arrays_ = 0;
    uint64_t bytes_ = 0;
};

/** Blocks in launch order: by id, a block and its +x neighbour side by side where both are there, for their
 * common face; padded. `outer` NULL, or by block: only those where it is `wanted` (of a part of a room,
 * whose other blocks' ids are past those of its own). */
static inline int upload_order(const struct block_grid *grid, const bool *outer, bool wanted, uint32_t slots,
                               void *to, struct failure *failure)
{
    device_writer<gpu_block> order(to);
    uint8_t *const placed = static_cast<uint8_t *>(std::calloc((size_t)grid->blocks + 1, 1));
    uint32_t single = 0, written = 0; /* `single` waits for another one to share a warp with */
    int code = placed == nullptr
                   ? failure_memory(failure, (unsigned long long)grid->blocks + 1, "the launch order")
                   : 0;
    const auto is_there = [=](uint32_t id) {
        return id != 0 && id <= grid->blocks && (outer == nullptr || outer[id] == wanted);
    };
    auto place = [&](uint32_t id) {
        struct gpu_block entry = {};
        if (id != 0) {
            std::memcpy(entry.neighbour, grid->block[id].neighbour, sizeof entry.neighbour);
            entry.tile = grid->block[id].tile;
            placed[id] = 1;
        } else {
            entry.tile = TILE_FULL;
        }
        entry.self = id;
        ++written;
        if (code == 0)
            code = order.push(entry, failure);
    };
    for (uint32_t id = 1; code == 0 && id <= grid->blocks; ++id) {
        if (placed[id] || !is_there(id))
            continue;
        const bool odd = (grid->block[id].place[0] & 1) != 0;
        const uint32_t first = odd ? grid->block[id].neighbour[0] : id;
        const uint32_t second = odd ? id : grid->block[id].neighbour[1];
        if (is_there(first) && is_there(second)) {
            place(first);
            place(second);
        } else if (single != 0) {
            place(single);
            place(id);
            single = 0;
        } else {
            single = id;
        }
    }
    if (code == 0 && single != 0)
        place(single);
    while (code == 0 && written < slots)
        place(0);
    if (code == 0)
        code = order.flush(failure);
    std::free(placed);
    return code;
}

/** For each tile, how many of its wall nodes are below each plane. */
static inline int upload_plane_ranks(const struct block_grid *grid, void *to, struct failure *failure)
{
    device_writer<uint16_t> first(to);
    for (uint32_t t = 0; t < grid->tiles; ++t) {
        uint16_t count = 0;
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
            if (slot % 64 == 0)
                TRY(first.push(count, failure));
            const uint8_t links = grid->tile[t][slot];
            count = (uint16_t)(count + (links != 0 && links != BLOCK_LINKS_ALL));
        }
    }
    return first.flush(failure);
}

/** The start of each block's wall nodes, and their coefficients: one a node, at its first entry. `slots`:
 * NULL, or receives their slots. */
template <typename real>
int upload_block_walls(const struct block_grid *grid, const real *wall_q, void *firsts, void *slots, void *q,
                       struct failure *failure)
{
    device_writer<uint64_t> first(firsts);
    device_writer<uint16_t> slot(slots);
    device_writer<real> coefficient(q);
    uint64_t nodes = 0;
    TRY(first.push(0, failure));
    for (uint32_t id = 1; id <= grid->blocks; ++id) {
        TRY(first.push(nodes, failure));
        for (uint64_t w = grid->wall_first[id]; w < grid->wall_first[id + 1]; ++w) {
            if ((grid->wall[w].slot & WALL_CONTINUES) != 0)
                continue;
            if (slots != nullptr)
                TRY(slot.push((uint16_t)(grid->wall[w].slot & WALL_SLOT), failure));
            TRY(coefficient.push(wall_q[w], failure));
            ++nodes;
        }
    }
    TRY(first.push(nodes, failure));
    TRY(first.flush(failure));
    TRY(slot.flush(failure));
    return coefficient.flush(failure);
}

/** Everything of a block grid but its launch order, pressures and walls. */
static inline int upload_topology(const struct block_grid *grid, const struct device_layout &layout,
                                  char *memory, struct failure *failure)
{
    DEVICE_TRY(cudaMemcpy(memory + layout.tile, grid->tile, (size_t)grid->tiles * BLOCK_NODES,
                          cudaMemcpyHostToDevice),
               "the room's topology", failure);
    return upload_plane_ranks(grid, memory + layout.plane_first, failure);
}

/** The start of the wall nodes' coefficients by stretch of the box's rows, and the coefficients. */
template <typename real>
int upload_box_walls(const struct box_grid *box, const real *wall_q, const struct device_layout &layout,
                     char *memory, struct failure *failure)
{
    const uint64_t stretch = (uint64_t)box_stretch<real>();
    device_writer<uint64_t> first(memory + layout.wall_first);
    device_writer<real> coefficient(memory + layout.q);
    uint64_t nodes = 0, stretches = 0;
    for (uint64_t w = 0; w < box->walls; ++w) {
        if ((box->wall[w].node & BOX_WALL_CONTINUES) != 0)
            continue;
        const uint64_t at = device_index(&layout, box, box->wall[w].node) / stretch;
        for (; stretches <= at; ++stretches)
            TRY(first.push(nodes, failure));
        TRY(coefficient.push(wall_q[w], failure));
        ++nodes;
    }
    for (; stretches <= layout.origin * (uint64_t)box->nodes[2] / stretch; ++stretches)
        TRY(first.push(nodes, failure));
    TRY(first.flush(failure));
    return coefficient.flush(failure);
}

/** Link bytes of the box. */
static inline int upload_links(const struct box_grid *box, const struct device_layout &layout, char *memory,
                               struct failure *failure)
{
    DEVICE_TRY(cudaMemset(memory + layout.links, 0, layout.values), "the room's links", failure);
    cudaMemcpy3DParms copy = {};
    const size_t x = (size_t)box->nodes[0], y = (size_t)box->nodes[1];
    copy.srcPtr = make_cudaPitchedPtr(box->links, x + 2, x + 2, y + 2);
    copy.srcPos = make_cudaPos(1, 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(memory + layout.links + layout.origin, layout.pitch, layout.pitch, y);
    copy.extent = make_cudaExtent(x, y, (size_t)box->nodes[2]);
    copy.kind = cudaMemcpyHostToDevice;
    DEVICE_TRY(cudaMemcpy3D(&copy), "the room's links", failure);
    return 0;
}

#endif
