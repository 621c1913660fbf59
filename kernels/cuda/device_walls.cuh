/** Frequency-dependent walls, between the host and the device: their tables on the way there, states and
 * losses on the way back. */
#ifndef KERNELS_DEVICE_WALLS_CUH
#define KERNELS_DEVICE_WALLS_CUH

#include "kernels/cuda/device_taps.h"
#include "kernels/cuda/device_upload.cuh"

/** The walls as kernels see them; `memory` is laid out by `layout`. */
template <typename real>
gpu_walls<real> device_walls_of(const struct device_layout &layout, const struct step_walls &walls,
                                char *memory)
{
    gpu_walls<real> out = {};
    out.nodes = layout.wall_nodes;
    out.node = reinterpret_cast<const uint16_t *>(memory + layout.wall_node);
    out.group = reinterpret_cast<const struct gpu_node_group *>(memory + layout.wall_group);
    out.unit = reinterpret_cast<const uint32_t *>(memory + layout.wall_unit);
    out.unit_nodes = layout.unit_nodes;
    out.wide = layout.wide_rows;
    out.row = reinterpret_cast<const uint8_t *>(memory + layout.wall_row);
    out.share = reinterpret_cast<const real *>(memory + layout.share);
    out.material = reinterpret_cast<const scheme_material_of<real> *>(memory + layout.material);
    out.state = reinterpret_cast<real *>(memory + layout.state);
    out.stride = layout.entries;
    out.branches = walls.branches;
    out.loss = walls.ledger ? reinterpret_cast<real *>(memory + layout.loss) : nullptr;
    out.aside = reinterpret_cast<real *>(memory + layout.aside);
    return out;
}

/** Writes nodes, the units that have any, and the materials of their entries from a walk over all entries. */
class wall_writer {
  public:
    wall_writer(const struct device_layout &layout, char *memory)
        : words_(memory + layout.wall_node), groups_(memory + layout.wall_group),
          units_(memory + layout.wall_unit), rows_(memory + layout.wall_row),
          high_rows_(memory + layout.wall_row + layout.entries), unit_nodes_(layout.unit_nodes),
          wide_(layout.wide_rows)
    {
    }
    /** The next entry, of the node whose pressure is at `place`; places rise. */
    int push(uint64_t place, bool continues, unsigned row, struct failure *failure)
    {
        if (!continues)
            TRY(start(place, failure));
        else
            ++more_;
        TRY(rows_.push((uint8_t)(row & 0xFFu), failure));
        return wide_ ? high_rows_.push((uint8_t)(row >> 8), failure) : 0;
    }
    int flush(struct failure *failure)
    {
        TRY(send(failure));
        TRY(words_.flush(failure));
        TRY(groups_.flush(failure));
        TRY(units_.flush(failure));
        TRY(rows_.flush(failure));
        return high_rows_.flush(failure);
    }
    uint64_t nodes() const
    {
        return nodes_;
    }

  private:
    int start(uint64_t place, struct failure *failure)
    {
        const uint64_t unit = place / unit_nodes_;
        TRY(send(failure));
        if (nodes_ % GPU_NODE_GROUP == 0)
            TRY(groups_.push({count_, (uint32_t)before_}, failure));
        const bool leads = nodes_ == 0 || unit != unit_;
        word_ = (uint32_t)(place % unit_nodes_) | (leads ? GPU_NODE_LEADS : 0u);
        more_ = 0;
        unit_ = unit;
        ++nodes_;
        count_ += leads;
        return leads ? units_.push((uint32_t)unit, failure) : 0;
    }
    /* The word of the last node, whose entries are all known. */
    int send(struct failure *failure)
    {
        if (nodes_ == 0)
            return 0;
        before_ += more_;
        if (before_ > UINT32_MAX)
            return failure_advise(
                failure_set(failure, FAILURE_CAPACITY,
                            "the walls of this room have more than %lu entries beyond one a node, the most "
                            "that a device's engine counts",
                            (unsigned long)UINT32_MAX),
                failure, ADVICE_COARSER_OR_PROCESSORS, 0);
        return words_.push((uint16_t)(word_ | more_ << GPU_NODE_MORE), failure);
    }
    device_writer<uint16_t> words_;
    device_writer<struct gpu_node_group> groups_;
    device_writer<uint32_t> units_;
    device_writer<uint8_t> rows_, high_rows_;
    uint64_t nodes_ = 0, unit_ = 0, unit_nodes_;
    uint64_t before_ = 0; /* entries beyond one a node, those of the last node apart */
    uint32_t count_ = 0;  /* of units */
    uint32_t word_ = 0, more_ = 0;
    bool wide_;
};

/** Shares and materials: as many as on the host, in any layout. */
template <typename real>
int upload_wall_terms(const struct step_walls &walls, uint64_t entries, const struct device_layout &layout,
                      char *memory, struct failure *failure)
{
    DEVICE_TRY(cudaMemcpy(memory + layout.share, walls.share, entries * sizeof(real), cudaMemcpyHostToDevice),
               "walls", failure);
    DEVICE_TRY(cudaMemcpy(memory + layout.material, walls.material,
                          (walls.materials + 2u) * sizeof(scheme_material_of<real>), cudaMemcpyHostToDevice),
               "walls", failure);
    return 0;
}

/** The wall nodes of each block, their places, and their entries. */
template <typename real>
int upload_state_blocks(const struct block_grid *grid, const struct step_walls &walls,
                        const struct device_layout &layout, char *memory, struct failure *failure)
{
    device_writer<uint64_t> first(memory + layout.wall_first);
    wall_writer writer(layout, memory);
    TRY(first.push(0, failure));
    for (uint32_t id = 1; id <= grid->blocks; ++id) {
        TRY(first.push(writer.nodes(), failure));
        for (uint64_t w = grid->wall_first[id]; w < grid->wall_first[id + 1]; ++w) {
            const struct wall *const wall = &grid->wall[w];
            TRY(writer.push((uint64_t)id * BLOCK_NODES + (wall->slot & WALL_SLOT),
                            (wall->slot & WALL_CONTINUES) != 0, step_wall_row(&walls, wall->material),
                            failure));
        }
    }
    TRY(first.push(writer.nodes(), failure));
    TRY(first.flush(failure));
    TRY(writer.flush(failure));
    return upload_wall_terms<real>(walls, grid->walls, layout, memory, failure);
}

/** The same by stretch of the box's rows. */
template <typename real>
int upload_state_box(const struct box_grid *box, const struct step_walls &walls,
                     const struct device_layout &layout, char *memory, struct failure *failure)
{
    const uint64_t stretch = (uint64_t)box_stretch<real>();
    device_writer<uint64_t> first(memory + layout.wall_first);
    wall_writer writer(layout, memory);
    uint64_t stretches = 0;
    for (uint64_t w = 0; w < box->walls; ++w) {
        const uint64_t at = device_index(&layout, box, box->wall[w].node & ~BOX_WALL_CONTINUES);
        for (; stretches <= at / stretch; ++stretches)
            TRY(first.push(writer.nodes(), failure));
        TRY(writer.push(at, (box->wall[w].node & BOX_WALL_CONTINUES) != 0,
                        step_wall_row(&walls, box->wall[w].material), failure));
    }
    for (; stretches <= layout.origin * (uint64_t)box->nodes[2] / stretch; ++stretches)
        TRY(first.push(writer.nodes(), failure));
    TRY(first.flush(failure));
    TRY(writer.flush(failure));
    return upload_wall_terms<real>(walls, box->walls, layout, memory, failure);
}

template <typename real>
__global__ void mark_walls_kernel(uint16_t *word, gpu_walls<real> walls, gpu_taps<real> taps)
{
    const uint64_t n = list_item();
    const uint32_t found = n < walls.nodes ? word[n] : 0u;
    const gpu_wall_node node = find_wall_node(walls, n, found);
    if (n >= walls.nodes)
        return;
    const uint32_t first = first_source(taps, node.place);
    const bool driven = first < taps.source_nodes && taps.source[first].index == node.place;
    word[n] = (uint16_t)((found & ~GPU_NODE_DRIVEN) | (driven ? GPU_NODE_DRIVEN : 0u));
}

/** Mark the nodes that sources drive, and no others. */
template <typename real>
int mark_walls(const struct device_layout &layout, const struct step_walls &walls,
               const struct device_taps &taps, char *memory, struct failure *failure)
{
    if (layout.wall_nodes == 0)
        return 0;
    DEVICE_TRY(launch_list(mark_walls_kernel<real>, layout.wall_nodes, false, nullptr,
                           reinterpret_cast<uint16_t *>(memory + layout.wall_node),
                           device_walls_of<real>(layout, walls, memory), taps_of<real>(taps, 0)),
               "the walls at sources", failure);
    DEVICE_TRY(cudaDeviceSynchronize(), "the walls at sources", failure);
    return 0;
}

/** States to 0, and losses. */
static inline int zero_walls(const struct step_walls &walls, size_t real, const struct device_layout &layout,
                             char *memory, cudaStream_t stream, struct failure *failure)
{
    DEVICE_TRY(cudaMemsetAsync(memory + layout.state, 0, 2 * walls.branches * layout.entries * real, stream),
               "the states of walls", failure);
    if (walls.ledger)
        DEVICE_TRY(cudaMemsetAsync(memory + layout.loss, 0, layout.entries * real, stream),
                   "the losses of walls", failure);
    return 0;
}

/** Copy the states of `count` entries from `first` on to the host, where a plane has `stride` values. */
static inline int read_states(const struct step_walls &walls, uint64_t first, uint64_t count, size_t real,
                              const struct device_layout &layout, const char *memory, void *state,
                              uint64_t stride, struct failure *failure)
{
    if (walls.branches > 0 && count > 0)
        DEVICE_TRY(cudaMemcpy2D(state, stride * real, memory + layout.state + first * real,
                                layout.entries * real, count * real, 2 * (size_t)walls.branches,
                                cudaMemcpyDeviceToHost),
                   "the states of walls", failure);
    return 0;
}

/** Losses to the host; they start from 0 again. */
static inline int take_losses(uint64_t entries, size_t real, const struct device_layout &layout, char *memory,
                              void *loss, struct failure *failure)
{
    DEVICE_TRY(cudaMemcpy(loss, memory + layout.loss, entries * real, cudaMemcpyDeviceToHost),
               "the losses of walls", failure);
    DEVICE_TRY(cudaMemset(memory + layout.loss, 0, entries * real), "the losses of walls", failure);
    return 0;
}

/** States and, with a ledger, losses of the entries first .. first+count-1, plane by plane. */
static inline int read_entries(const struct step_walls &walls, uint64_t first, uint64_t count, size_t real,
                               const struct device_layout &layout, const char *memory, void *values,
                               struct failure *failure)
{
    char *const loss = static_cast<char *>(values) + 2 * (size_t)walls.branches * count * real;
    TRY(read_states(walls, first, count, real, layout, memory, values, count, failure));
    if (walls.ledger && count > 0)
        DEVICE_TRY(
            cudaMemcpy(loss, memory + layout.loss + first * real, count * real, cudaMemcpyDeviceToHost),
            "the losses of walls", failure);
    return 0;
}

static inline int write_entries(const struct step_walls &walls, uint64_t first, uint64_t count, size_t real,
                                const struct device_layout &layout, char *memory, const void *values,
                                struct failure *failure)
{
    const char *const loss = static_cast<const char *>(values) + 2 * (size_t)walls.branches * count * real;
    if (walls.branches > 0 && count > 0)
        DEVICE_TRY(cudaMemcpy2D(memory + layout.state + first * real, layout.entries * real, values,
                                count * real, count * real, 2 * (size_t)walls.branches,
                                cudaMemcpyHostToDevice),
                   "the states of walls", failure);
    if (walls.ledger && count > 0)
        DEVICE_TRY(
            cudaMemcpy(memory + layout.loss + first * real, loss, count * real, cudaMemcpyHostToDevice),
            "the losses of walls", failure);
    return 0;
}

#endif
