/** Walls that remember, between the host and the device: their tables on the way there, states and losses on
 * the way back. */
#ifndef KERNELS_DEVICE_WALLS_CUH
#define KERNELS_DEVICE_WALLS_CUH

#include "kernels/device_upload.cuh"

/** As kernels see them; `memory` is laid out by `layout`. */
template <typename real>
gpu_walls<real> device_walls_of(const struct device_layout &layout, const struct step_walls &walls,
                                char *memory)
{
    gpu_walls<real> out = {};
    out.entry_first = reinterpret_cast<const uint64_t *>(memory + layout.entry_first);
    out.node = reinterpret_cast<const uint32_t *>(memory + layout.wall_node);
    out.row = reinterpret_cast<const uint16_t *>(memory + layout.wall_row);
    out.share = reinterpret_cast<const real *>(memory + layout.share);
    out.material =
        reinterpret_cast<const typename scheme_material_of<real>::type *>(memory + layout.material);
    out.state = reinterpret_cast<real *>(memory + layout.state);
    out.stride = layout.entries;
    out.springs = walls.branches * layout.entries;
    out.loss = walls.ledger ? reinterpret_cast<real *>(memory + layout.loss) : nullptr;
    out.aside = reinterpret_cast<real *>(memory + layout.aside);
    return out;
}

/** Writes node words from a walk over the entries of one unit after the other. */
class node_writer {
  public:
    explicit node_writer(void *to) : words_(to)
    {
    }
    /** The next entry, of the node at `place` of its unit; `entry` counts from the unit's first. */
    int push(uint32_t place, uint32_t entry, bool continues, struct failure *failure)
    {
        if (continues) {
            ++more_;
            return 0;
        }
        TRY(send(failure));
        held_ = true;
        place_ = place;
        entry_ = entry;
        more_ = 0;
        return 0;
    }
    int flush(struct failure *failure)
    {
        TRY(send(failure));
        held_ = false;
        return words_.flush(failure);
    }

  private:
    int send(struct failure *failure)
    {
        return held_ ? words_.push(gpu_node_word(place_, entry_, more_), failure) : 0;
    }
    device_writer<uint32_t> words_;
    bool held_ = false;
    uint32_t place_ = 0, entry_ = 0, more_ = 0;
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

/** Which entries each block has, its wall nodes and their materials. */
template <typename real>
int upload_remembering_blocks(const struct block_grid *grid, const struct step_walls &walls,
                              const struct device_layout &layout, char *memory, struct failure *failure)
{
    device_writer<uint64_t> first(memory + layout.wall_first);
    device_writer<uint16_t> row(memory + layout.wall_row);
    node_writer node(memory + layout.wall_node);
    uint64_t nodes = 0;
    TRY(first.push(0, failure));
    for (uint32_t id = 1; id <= grid->blocks; ++id) {
        const uint64_t begin = grid->wall_first[id];
        TRY(first.push(nodes, failure));
        for (uint64_t w = begin; w < grid->wall_first[id + 1]; ++w) {
            const struct wall *const wall = &grid->wall[w];
            const bool continues = (wall->slot & WALL_CONTINUES) != 0;
            TRY(node.push(wall->slot & WALL_SLOT, (uint32_t)(w - begin), continues, failure));
            TRY(row.push((uint16_t)step_wall_row(&walls, wall->material), failure));
            nodes += !continues;
        }
    }
    TRY(first.push(nodes, failure));
    TRY(first.flush(failure));
    TRY(row.flush(failure));
    TRY(node.flush(failure));
    DEVICE_TRY(cudaMemcpy(memory + layout.entry_first, grid->wall_first,
                          ((size_t)grid->blocks + 2) * sizeof(uint64_t), cudaMemcpyHostToDevice),
               "walls", failure);
    return upload_wall_terms<real>(walls, grid->walls, layout, memory, failure);
}

/** The same by stretch of the box's rows. */
template <typename real>
int upload_remembering_box(const struct box_grid *box, const struct step_walls &walls,
                           const struct device_layout &layout, char *memory, struct failure *failure)
{
    const uint64_t stretch = (uint64_t)box_stretch<real>();
    device_writer<uint64_t> first(memory + layout.wall_first), entry(memory + layout.entry_first);
    device_writer<uint16_t> row(memory + layout.wall_row);
    node_writer node(memory + layout.wall_node);
    uint64_t nodes = 0, stretches = 0, begin = 0;
    for (uint64_t w = 0; w < box->walls; ++w) {
        const bool continues = (box->wall[w].node & BOX_WALL_CONTINUES) != 0;
        const uint64_t at = device_index(&layout, box, box->wall[w].node & ~BOX_WALL_CONTINUES);
        for (; stretches <= at / stretch; ++stretches) {
            TRY(first.push(nodes, failure));
            TRY(entry.push(w, failure));
            begin = w;
        }
        TRY(node.push((uint32_t)(at % stretch), (uint32_t)(w - begin), continues, failure));
        TRY(row.push((uint16_t)step_wall_row(&walls, box->wall[w].material), failure));
        nodes += !continues;
    }
    for (; stretches <= layout.origin * (uint64_t)box->nodes[2] / stretch; ++stretches) {
        TRY(first.push(nodes, failure));
        TRY(entry.push(box->walls, failure));
    }
    TRY(first.flush(failure));
    TRY(entry.flush(failure));
    TRY(row.flush(failure));
    TRY(node.flush(failure));
    return upload_wall_terms<real>(walls, box->walls, layout, memory, failure);
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
