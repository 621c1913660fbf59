/** Walls that remember, between the host and the device: their tables on the way there, states and losses on
 * the way back. */
#ifndef KERNELS_DEVICE_WALLS_CUH
#define KERNELS_DEVICE_WALLS_CUH

#include "kernels/device_taps.h"
#include "kernels/device_upload.cuh"

/** As kernels see them; `memory` is laid out by `layout`. */
template <typename real>
gpu_walls<real> device_walls_of(const struct device_layout &layout, const struct step_walls &walls,
                                char *memory)
{
    gpu_walls<real> out = {};
    out.nodes = layout.wall_nodes;
    out.node = reinterpret_cast<const uint64_t *>(memory + layout.wall_node);
    out.entry_first = reinterpret_cast<const uint64_t *>(memory + layout.entry_first);
    out.row = reinterpret_cast<const uint16_t *>(memory + layout.wall_row);
    out.share = reinterpret_cast<const real *>(memory + layout.share);
    out.material =
        reinterpret_cast<const typename scheme_material_of<real>::type *>(memory + layout.material);
    out.state = reinterpret_cast<real *>(memory + layout.state);
    out.stride = layout.entries;
    out.branches = walls.branches;
    out.loss = walls.ledger ? reinterpret_cast<real *>(memory + layout.loss) : nullptr;
    out.aside = reinterpret_cast<real *>(memory + layout.aside);
    return out;
}

/** Writes nodes and the materials of their entries from a walk over all entries. */
class wall_writer {
  public:
    wall_writer(const struct device_layout &layout, char *memory)
        : words_(memory + layout.wall_node), groups_(memory + layout.entry_first),
          rows_(memory + layout.wall_row)
    {
    }
    /** The next entry, of the node whose pressure stands at `place`. */
    int push(uint64_t place, bool continues, unsigned row, struct failure *failure)
    {
        if (continues) {
            ++more_;
        } else {
            TRY(send(failure));
            if (nodes_ % GPU_NODE_GROUP == 0) {
                TRY(groups_.push(entries_, failure));
                group_ = entries_;
            }
            ++nodes_;
            place_ = place;
            first_ = entries_ - group_;
            more_ = 0;
        }
        ++entries_;
        return rows_.push((uint16_t)row, failure);
    }
    int flush(struct failure *failure)
    {
        TRY(send(failure));
        TRY(words_.flush(failure));
        TRY(groups_.flush(failure));
        return rows_.flush(failure);
    }
    uint64_t nodes() const
    {
        return nodes_;
    }

  private:
    int send(struct failure *failure)
    {
        return nodes_ > 0 ? words_.push(gpu_node_word(place_, (uint32_t)first_, more_), failure) : 0;
    }
    device_writer<uint64_t> words_, groups_;
    device_writer<uint16_t> rows_;
    uint64_t nodes_ = 0, entries_ = 0, group_ = 0, place_ = 0, first_ = 0;
    uint32_t more_ = 0;
};

/** Shares and materials: as many as the host has, whatever the layout. */
template <typename real>
int upload_wall_terms(const struct step_walls &walls, uint64_t entries, const struct device_layout &layout,
                      char *memory, struct failure *failure)
{
    DEVICE_TRY(cudaMemcpy(memory + layout.share, walls.share, entries * sizeof(real), cudaMemcpyHostToDevice),
               "walls", failure);
    DEVICE_TRY(cudaMemcpy(memory + layout.material, walls.material,
                          (walls.materials + 2u) * sizeof(typename scheme_material_of<real>::type),
                          cudaMemcpyHostToDevice),
               "walls", failure);
    return 0;
}

/** Which wall nodes each block has, where these stand, and their entries. */
template <typename real>
int upload_remembering_blocks(const struct block_grid *grid, const struct step_walls &walls,
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
int upload_remembering_box(const struct box_grid *box, const struct step_walls &walls,
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
__global__ void mark_walls_kernel(uint64_t *node, uint64_t nodes, gpu_taps<real> taps)
{
    const uint64_t n = (uint64_t)blockIdx.x * WALL_THREADS + threadIdx.x;
    if (n >= nodes)
        return;
    const uint64_t place = gpu_node_place(node[n]);
    const uint32_t first = first_source(taps, place);
    const bool driven = first < taps.source_nodes && taps.source[first].index == place;
    node[n] = (node[n] & ~GPU_NODE_DRIVEN) | (driven ? GPU_NODE_DRIVEN : 0);
}

/** Mark the nodes that sources drive, and no others. */
template <typename real>
int mark_walls(const struct device_layout &layout, const struct device_taps &taps, char *memory,
               struct failure *failure)
{
    if (layout.wall_nodes == 0)
        return 0;
    mark_walls_kernel<real>
        <<<(uint32_t)((layout.wall_nodes + WALL_THREADS - 1) / WALL_THREADS), WALL_THREADS>>>(
            reinterpret_cast<uint64_t *>(memory + layout.wall_node), layout.wall_nodes,
            taps_of<real>(taps, 0));
    DEVICE_TRY(cudaGetLastError(), "the walls at sources", failure);
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

/** All states to the host, where a plane of them takes walls.stride values. */
static inline int read_states(const struct step_walls &walls, uint64_t entries, size_t real,
                              const struct device_layout &layout, const char *memory, void *state,
                              struct failure *failure)
{
    if (walls.branches > 0 && entries > 0)
        DEVICE_TRY(cudaMemcpy2D(state, walls.stride * real, memory + layout.state, layout.entries * real,
                                entries * real, 2 * (size_t)walls.branches, cudaMemcpyDeviceToHost),
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

#endif
