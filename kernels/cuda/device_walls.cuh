/** Frequency-dependent walls, between the host and the device: their tables on the way there, states and
 * losses on the way back. */
#ifndef KERNELS_DEVICE_WALLS_CUH
#define KERNELS_DEVICE_WALLS_CUH

#include <algorithm>

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
    out.entries = layout.entries;
    out.branches = walls.branches;
    out.ledger = walls.ledger;
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

/* ---- states and losses, from groups of entries to the host's planes and back ----------------------------
 */

/** The planes of an entry: V of all branches, g of all, and its loss. */
static inline uint64_t wall_planes(const struct step_walls &walls)
{
    return 2 * (uint64_t)walls.branches + walls.ledger;
}

/** Bytes of a group. */
static inline uint64_t wall_group_bytes(const struct step_walls &walls, size_t real)
{
    return wall_planes(walls) * GPU_ENTRIES * real;
}

/** Where a plane lies in a group. */
static inline uint64_t plane_in_group(const struct step_walls &walls, uint64_t plane)
{
    const uint64_t branches = walls.branches;
    return plane < branches ? 2 * plane : plane < 2 * branches ? 2 * (plane - branches) + 1 : plane;
}

/** The entries first .. first+count-1 of a piece of groups, whose first entry is `start`, from or to the
 * planes from .. past-1 of the host, `stride` values apart. */
static inline void place_entries(const struct step_walls &walls, size_t real, char *piece, uint64_t start,
                                 uint64_t groups, uint64_t first, uint64_t count, uint64_t from,
                                 uint64_t past, char *host, uint64_t stride, bool write)
{
    for (uint64_t g = 0; g < groups; ++g) {
        const uint64_t at = start + g * GPU_ENTRIES, low = std::max(at, first),
                       high = std::min(at + GPU_ENTRIES, first + count);
        for (uint64_t plane = from; plane < past; ++plane) {
            char *const there = piece + g * wall_group_bytes(walls, real) +
                                (plane_in_group(walls, plane) * GPU_ENTRIES + low - at) * real,
                        *const here = host + ((plane - from) * stride + low - first) * real;
            std::memcpy(write ? there : here, write ? here : there, (high - low) * real);
        }
    }
}

/** Move the planes from .. past-1 of the entries first .. first+count-1, a piece of groups at a time:
 * move(offset, bytes, piece, back) brings it, and takes it back with the host's values if `write`. */
template <class move_type>
int move_entries(const struct step_walls &walls, size_t real, uint64_t first, uint64_t count, uint64_t from,
                 uint64_t past, void *host, uint64_t stride, bool write, const move_type &move,
                 struct failure *failure)
{
    if (count == 0 || from == past)
        return 0;
    const uint64_t group = wall_group_bytes(walls, real), end = (first + count - 1) / GPU_ENTRIES + 1,
                   most = std::min(UINT64_C(4096), end - first / GPU_ENTRIES);
    char *const piece = static_cast<char *>(std::malloc(most * group));
    int code = piece == nullptr ? failure_memory(failure, most * group, "the states of walls") : 0;
    for (uint64_t g = first / GPU_ENTRIES; code == 0 && g < end; g += most) {
        const uint64_t groups = std::min(most, end - g);
        code = move(g * group, groups * group, piece, false);
        if (code == 0)
            place_entries(walls, real, piece, g * GPU_ENTRIES, groups, first, count, from, past,
                          static_cast<char *>(host), stride, write);
        if (code == 0 && write)
            code = move(g * group, groups * group, piece, true);
    }
    std::free(piece);
    return code;
}

/** The same of the states on the device. */
static inline int move_states(const struct step_walls &walls, size_t real, const struct device_layout &layout,
                              char *memory, uint64_t first, uint64_t count, uint64_t from, uint64_t past,
                              void *host, uint64_t stride, bool write, struct failure *failure)
{
    const auto move = [=](uint64_t offset, uint64_t bytes, char *piece, bool back) {
        char *const there = memory + layout.state + offset;
        DEVICE_TRY(cudaMemcpy(back ? there : piece, back ? piece : there, bytes, cudaMemcpyDefault),
                   "the states of walls", failure);
        return 0;
    };
    return move_entries(walls, real, first, count, from, past, host, stride, write, move, failure);
}

/** States to 0, and losses. */
static inline int zero_walls(const struct step_walls &walls, size_t real, const struct device_layout &layout,
                             char *memory, cudaStream_t stream, struct failure *failure)
{
    DEVICE_TRY(cudaMemsetAsync(memory + layout.state, 0, wall_planes(walls) * layout.entries * real, stream),
               "the states of walls", failure);
    return 0;
}

/** Losses to the host; they start from 0 again. */
static inline int take_losses(const struct step_walls &walls, uint64_t entries, size_t real,
                              const struct device_layout &layout, char *memory, void *loss,
                              struct failure *failure)
{
    const uint64_t plane = 2 * (uint64_t)walls.branches, group = wall_group_bytes(walls, real);
    TRY(move_states(walls, real, layout, memory, 0, entries, plane, plane + 1, loss, entries, false,
                    failure));
    DEVICE_TRY(cudaMemset2D(memory + layout.state + plane * GPU_ENTRIES * real, group, 0, GPU_ENTRIES * real,
                            layout.entries / GPU_ENTRIES),
               "the losses of walls", failure);
    return 0;
}

#endif
