/** Conformal walls on their way to the device (step/gpu_cuts.cuh). */
#ifndef KERNELS_DEVICE_CUTS_CUH
#define KERNELS_DEVICE_CUTS_CUH

#include "kernels/cuda/device_upload.cuh"

/** The cuts as kernels see them; `memory` is laid out by `layout`. */
static inline gpu_cuts device_cuts_of(const struct device_layout &layout, const char *memory)
{
    gpu_cuts out = {};
    out.plane = reinterpret_cast<const struct gpu_plane *>(memory + layout.plane);
    out.first = reinterpret_cast<const uint64_t *>(memory + layout.cut_first);
    out.cell = reinterpret_cast<const uint2 *>(memory + layout.cell);
    out.gain = reinterpret_cast<const float *>(memory + layout.gain);
    out.linked = (uint32_t)layout.linked_nodes;
    out.node = reinterpret_cast<const struct gpu_linked_node *>(memory + layout.linked);
    out.link = reinterpret_cast<const struct gpu_link *>(memory + layout.link);
    return out;
}

/** A walk over the first entries of wall nodes in the order of the layout, beside one over cut nodes. */
class wall_counter {
  public:
    wall_counter(const struct block_grid *grid, const struct box_grid *box)
        : grid_(grid), box_(box), walls_(box != nullptr ? box->walls : grid->walls)
    {
    }
    /** Number of the wall node at a pressure index of the host, or GPU_NO_WALL. Indices rise. */
    uint64_t find(uint64_t index)
    {
        while (wall_ < walls_ && place() < index) {
            nodes_ += !continues(wall_);
            ++wall_;
        }
        return wall_ < walls_ && place() == index && !continues(wall_) ? nodes_ : GPU_NO_WALL;
    }

    /** First entry of the node found last, and the number of its further entries. */
    uint64_t entry() const
    {
        return wall_;
    }
    uint32_t more() const
    {
        uint32_t count = 0;
        while (wall_ + count + 1 < walls_ && continues(wall_ + count + 1))
            ++count;
        return count;
    }

  private:
    uint64_t place()
    {
        if (box_ != nullptr)
            return box_->wall[wall_].node & ~BOX_WALL_CONTINUES;
        while (wall_ >= grid_->wall_first[block_ + 1])
            ++block_;
        return block_ * BLOCK_NODES + (grid_->wall[wall_].slot & WALL_SLOT);
    }
    bool continues(uint64_t wall) const
    {
        return box_ != nullptr ? (box_->wall[wall].node & BOX_WALL_CONTINUES) != 0
                               : (grid_->wall[wall].slot & WALL_CONTINUES) != 0;
    }
    const struct block_grid *grid_;
    const struct box_grid *box_;
    uint64_t walls_, wall_ = 0, nodes_ = 0, block_ = 0;
};

/** Writes records; those of nodes with extra links are marked, and with walls of states the gains of wall
 * nodes are also written separately. */
class record_writer {
  public:
    record_writer(const struct device_layout &layout, char *memory)
        : cells_(memory + layout.cell), gains_(memory + layout.gain), wall_gains_(memory + layout.wall_gain),
          keeps_walls_(layout.has_states)
    {
    }
    int push(const struct cut_cell &cell, float gain, bool linked, bool wall, struct failure *failure)
    {
        struct cut_cell marked = cell;
        marked.reserved = linked ? GPU_CUT_LINKED : 0;
        TRY(cells_.push(marked, failure));
        TRY(gains_.push(gain, failure));
        return wall && keeps_walls_ ? wall_gains_.push(gain, failure) : 0;
    }
    int flush(struct failure *failure)
    {
        TRY(cells_.flush(failure));
        TRY(gains_.flush(failure));
        return wall_gains_.flush(failure);
    }

  private:
    device_writer<struct cut_cell> cells_;
    device_writer<float> gains_, wall_gains_;
    bool keeps_walls_;
};

/** Planes of tiles. */
static inline int upload_planes(const struct block_grid *grid, void *to, struct failure *failure)
{
    device_writer<struct gpu_plane> planes(to);
    for (uint32_t t = 0; t < grid->tiles; ++t) {
        struct gpu_plane plane = {};
        for (unsigned z = 0; z < BLOCK_EDGE; ++z) {
            plane.cut = grid->marks[t].cut[z];
            plane.wall = grid->marks[t].wall[z];
            plane.open = 0;
            for (unsigned n = 0; n < 64; ++n)
                plane.open |= (uint64_t)(grid->tile[t][64 * z + n] == BLOCK_LINKS_ALL) << n;
            plane.open &= ~plane.cut;
            TRY(planes.push(plane, failure));
            plane.cuts_below += (uint32_t)__builtin_popcountll(plane.cut);
            plane.walls_below += (uint32_t)__builtin_popcountll(plane.wall);
        }
    }
    return planes.flush(failure);
}

/** Cut nodes of blocks in the order of their records: push(record, block, slot, whether it has extra links).
 */
template <class push_type> int walk_block_records(const struct block_grid *grid, const push_type &push)
{
    uint64_t extra = 0, record = 0;
    for (uint32_t id = 1; id <= grid->blocks; ++id) {
        const struct tile_marks *const marks = &grid->marks[grid->block[id].tile];
        for (unsigned slot = 0; record < grid->cut_first[id + 1] && slot < BLOCK_NODES; ++slot) {
            if ((marks->cut[slot / 64] >> slot % 64 & 1u) == 0)
                continue;
            const bool linked = extra < grid->extra_nodes && grid->extra_node[extra].block == id &&
                                grid->extra_node[extra].slot == slot;
            TRY(push(record, id, slot, linked));
            extra += linked;
            ++record;
        }
    }
    return 0;
}

/** Records of blocks and where each block's start. */
static inline int upload_block_records(const struct block_grid *grid, const struct device_layout &layout,
                                       char *memory, struct failure *failure)
{
    record_writer records(layout, memory);
    DEVICE_TRY(cudaMemcpy(memory + layout.cut_first, grid->cut_first,
                          (grid->blocks + UINT64_C(2)) * sizeof *grid->cut_first, cudaMemcpyHostToDevice),
               "the room's topology", failure);
    TRY(walk_block_records(grid, [&](uint64_t record, uint32_t id, unsigned slot, bool linked) {
        const uint64_t walls = grid->marks[grid->block[id].tile].wall[slot / 64];
        return records.push(grid->cut[record], grid->gain[record], linked, (walls >> slot % 64 & 1u) != 0,
                            failure);
    }));
    return records.flush(failure);
}

/** The kinds of the box's nodes, in place of link bytes. */
static inline int upload_kinds(const struct box_grid *box, const struct device_layout &layout, char *memory,
                               struct failure *failure)
{
    DEVICE_TRY(cudaMemset(memory + layout.links, 0, layout.values), "the room's links", failure);
    device_writer<uint8_t> kinds(memory + layout.links + layout.origin);
    wall_counter walls(nullptr, box);
    uint64_t record = 0;
    for (int64_t z = 0; z < box->nodes[2]; ++z)
        for (int64_t y = 0; y < box->nodes[1]; ++y)
            for (int64_t x = 0; x < (int64_t)layout.pitch; ++x) {
                const uint64_t index = box_index(box, x, y, z);
                uint8_t kind = 0;
                if (x < box->nodes[0] && record < box->cuts && box->cut_node[record] == index) {
                    kind = GPU_BOX_CUT | (walls.find(index) != GPU_NO_WALL ? GPU_BOX_WALL : 0u);
                    ++record;
                } else if (x < box->nodes[0] && box->links[index] == BLOCK_LINKS_ALL) {
                    kind = GPU_BOX_OPEN;
                }
                TRY(kinds.push(kind, failure));
            }
    return kinds.flush(failure);
}

/** Cut nodes of the box in the order of their records: push(record, whether it has extra links, whether it is
 * at a wall); and where the records of each stretch start. */
template <typename real, class push_type>
int walk_box_records(const struct box_grid *box, const struct device_layout &layout, char *memory,
                     const push_type &push, struct failure *failure)
{
    const uint64_t stretch = (uint64_t)box_stretch<real>();
    device_writer<uint64_t> first(memory + layout.cut_first);
    wall_counter walls(nullptr, box);
    uint64_t extra = 0, stretches = 0;
    for (uint64_t record = 0; record < box->cuts; ++record) {
        const uint64_t index = box->cut_node[record], at = device_index(&layout, box, index) / stretch;
        for (; stretches <= at; ++stretches)
            TRY(first.push(record, failure));
        const bool linked = extra < box->extra_nodes && box->extra_node[extra].node == index;
        TRY(push(record, linked, walls.find(index) != GPU_NO_WALL));
        extra += linked;
    }
    for (; stretches <= layout.origin * (uint64_t)box->nodes[2] / stretch; ++stretches)
        TRY(first.push(box->cuts, failure));
    return first.flush(failure);
}

/** A node with extra links, in either layout. */
class linked_node {
  public:
    /** The n-th. @param box   NULL for blocks */
    linked_node(const struct block_grid *grid, const struct box_grid *box, const struct device_layout &layout,
                uint64_t n)
        : grid_(grid), box_(box), layout_(layout), n_(n),
          index_(box != nullptr
                     ? box->extra_node[n].node
                     : (uint64_t)grid->extra_node[n].block * BLOCK_NODES + grid->extra_node[n].slot),
          id_(index_ / BLOCK_NODES), slot_((unsigned)(index_ % BLOCK_NODES)),
          record_(box != nullptr ? step_box_record_from(box, index_)
                                 : block_cut_record(grid, (block_id)id_, slot_))
    {
    }
    /** On the host; the others are on the device. */
    uint64_t index() const
    {
        return index_;
    }
    uint64_t place() const
    {
        return device_index(&layout_, box_, index_);
    }
    uint64_t beside(unsigned d) const
    {
        return device_index(&layout_, box_,
                            box_ != nullptr ? step_box_neighbour(box_, index_, d)
                                            : step_block_neighbour(&grid_->block[id_], id_, slot_, d));
    }
    uint64_t across(unsigned e) const
    {
        return device_index(&layout_, box_,
                            box_ != nullptr ? step_box_across(box_, index_, e)
                                            : step_block_across(grid_, id_, slot_, e));
    }
    const struct cut_cell &cell() const
    {
        return (box_ != nullptr ? box_->cut : grid_->cut)[record_];
    }
    const uint8_t *plaquettes() const
    {
        return (box_ != nullptr ? box_->plaquette : grid_->plaquette)[record_];
    }
    float gain() const
    {
        return (box_ != nullptr ? box_->gain : grid_->gain)[record_];
    }
    uint32_t links() const
    {
        return box_ != nullptr ? box_->extra_node[n_].links : grid_->extra_node[n_].links;
    }
    template <class link_type> int64_t weight_of(const link_type *link) const
    {
        return layout_.isotropic ? 6 * (int64_t)link->open - link->crossed : link->open;
    }
    int push_links(device_writer<struct gpu_link> *to, struct failure *failure) const
    {
        for (uint64_t k = 0; k < links(); ++k) {
            if (box_ != nullptr) {
                const struct box_extra_link *const from = &box_->extra_link[box_->extra_node[n_].first + k];
                TRY(to->push({device_index(&layout_, box_, from->node), weight_of(from)}, failure));
            } else {
                const struct extra_link *const from = &grid_->extra_link[grid_->extra_node[n_].first + k];
                TRY(to->push({(uint64_t)from->block * BLOCK_NODES + from->slot, weight_of(from)}, failure));
            }
        }
        return 0;
    }

  private:
    const struct block_grid *grid_;
    const struct box_grid *box_;
    const struct device_layout &layout_;
    uint64_t n_, index_, id_;
    unsigned slot_;
    uint64_t record_;
};

/** Nodes with extra links, and these. */
static inline int upload_linked(const struct block_grid *grid, const struct box_grid *box,
                                const struct device_layout &layout, char *memory, struct failure *failure)
{
    device_writer<struct gpu_linked_node> nodes(memory + layout.linked);
    device_writer<struct gpu_link> links(memory + layout.link);
    wall_counter walls(grid, box);
    uint64_t first = 0;
    for (uint64_t n = 0; n < layout.linked_nodes; ++n) {
        const linked_node from(grid, box, layout, n);
        struct gpu_linked_node node = {};
        node.place = from.place();
        for (unsigned d = 0; d < DIRECTIONS; ++d) {
            node.open[d] = from.cell().open[d];
            if (node.open[d] != 0)
                node.beside[d] = from.beside(d);
        }
        node.first = first;
        node.links = from.links();
        node.gain = from.gain();
        node.wall = walls.find(from.index());
        TRY(from.push_links(&links, failure));
        first += node.links;
        TRY(nodes.push(node, failure));
    }
    TRY(nodes.flush(failure));
    return links.flush(failure);
}

/** Everything of conformal walls, except the data of all walls. @param box NULL for blocks */
template <typename real>
int upload_cuts(const struct block_grid *grid, const struct box_grid *box, const struct device_layout &layout,
                char *memory, struct failure *failure)
{
    if (box != nullptr) {
        TRY(upload_kinds(box, layout, memory, failure));
        record_writer records(layout, memory);
        TRY(walk_box_records<real>(
            box, layout, memory,
            [&](uint64_t record, bool linked, bool wall) {
                return records.push(box->cut[record], box->gain[record], linked, wall, failure);
            },
            failure));
        TRY(records.flush(failure));
    } else {
        TRY(upload_planes(grid, memory + layout.plane, failure));
        TRY(upload_block_records(grid, layout, memory, failure));
    }
    return upload_linked(grid, box, layout, memory, failure);
}

#endif
