/** A grid of the isotropic scheme on its way to the device (step/gpu_iso.cuh). */
#ifndef KERNELS_DEVICE_ISO_CUH
#define KERNELS_DEVICE_ISO_CUH

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_cuts.cuh"
#include "kernels/cuda/step/step_iso_box.cuh"

/** Writes the launch order, GPU_ISO_RUN places at a time. */
class iso_order_writer {
  public:
    /** @param walls   (blocks + 1) where each block's wall nodes or entries start */
    iso_order_writer(const struct block_grid *grid, const uint64_t *walls, void *to)
        : grid_(grid), walls_(walls), rows_(to)
    {
    }
    /** Add up to GPU_ISO_RUN blocks that are neighbours in x; unused places before them are filled up. */
    int push(const uint32_t *ids, uint32_t count, struct failure *failure)
    {
        if (count == GPU_ISO_RUN)
            return send(ids, failure);
        for (uint32_t n = 0; n < count; ++n) {
            waiting_[filled_++] = ids[n];
            if (filled_ == GPU_ISO_RUN)
                TRY(flush(failure));
        }
        return 0;
    }
    int finish(uint32_t slots, struct failure *failure)
    {
        if (filled_ > 0)
            TRY(flush(failure));
        const uint32_t none[GPU_ISO_RUN] = {};
        while (written_ < slots)
            TRY(send(none, failure));
        return rows_.flush(failure);
    }

  private:
    int flush(struct failure *failure)
    {
        while (filled_ < GPU_ISO_RUN)
            waiting_[filled_++] = 0;
        filled_ = 0;
        return send(waiting_, failure);
    }
    int send(const uint32_t *ids, struct failure *failure)
    {
        for (uint32_t n = 0; n < GPU_ISO_RUN; ++n) {
            const uint32_t id = ids[n];
            struct gpu_iso_row row = {};
            row.tile = TILE_FULL;
            if (id != 0) {
                const struct block *const block = &grid_->block[id];
                std::memcpy(row.end, block->neighbour, sizeof row.end);
                std::memcpy(row.beside, block->neighbour + 2, sizeof row.beside);
                std::memcpy(row.edge, grid_->edge[id], sizeof row.edge);
                row.tile =
                    block->tile |
                    (n > 0 && ids[n - 1] != 0 && ids[n - 1] == block->neighbour[0] ? GPU_ISO_LEFT : 0u) |
                    (n + 1 < GPU_ISO_RUN && ids[n + 1] != 0 && ids[n + 1] == block->neighbour[1]
                         ? GPU_ISO_RIGHT
                         : 0u);
                row.self = id;
                row.cuts = grid_->cut_first[id] | (grid_->cut_first[id + 1] - grid_->cut_first[id])
                                                      << GPU_ISO_COUNT_AT;
                row.walls = walls_[id];
            }
            TRY(rows_.push(row, failure));
        }
        written_ += GPU_ISO_RUN;
        return 0;
    }
    const struct block_grid *grid_;
    const uint64_t *walls_;
    device_writer<struct gpu_iso_row> rows_;
    uint32_t waiting_[GPU_ISO_RUN] = {}, filled_ = 0, written_ = 0;
};

/** Blocks in launch order: by id, those of a cell of four in x that follow one another together. `entries`:
 * rows count wall entries, else wall nodes. `outer`, `wanted` as of upload_order(). */
static inline int upload_iso_order(const struct block_grid *grid, bool entries, const bool *outer,
                                   bool wanted, uint32_t slots, void *to, struct failure *failure)
{
    const size_t blocks = (size_t)grid->blocks + 1;
    uint8_t *const placed = static_cast<uint8_t *>(std::calloc(blocks, 1));
    uint64_t *const nodes = static_cast<uint64_t *>(std::calloc(blocks + 1, sizeof(uint64_t)));
    int code = placed == nullptr || nodes == nullptr
                   ? failure_memory(failure, (unsigned long long)blocks * 9, "the launch order")
                   : 0;
    for (uint32_t id = 1; code == 0 && !entries && id <= grid->blocks; ++id) {
        nodes[id + 1] = nodes[id];
        for (uint64_t w = grid->wall_first[id]; w < grid->wall_first[id + 1]; ++w)
            nodes[id + 1] += (grid->wall[w].slot & WALL_CONTINUES) == 0;
    }
    const auto is_there = [=](uint32_t id) {
        return id != 0 && id <= grid->blocks && (outer == nullptr || outer[id] == wanted);
    };
    iso_order_writer order(grid, entries ? grid->wall_first : nodes, to);
    for (uint32_t id = 1; code == 0 && id <= grid->blocks; ++id) {
        uint32_t run[GPU_ISO_RUN], count = 0, first = id,
                                   at = (uint32_t)grid->block[id].place[0] % GPU_ISO_RUN;
        if (placed[id] || !is_there(id))
            continue;
        for (; at > 0 && is_there(grid->block[first].neighbour[0]); --at)
            first = grid->block[first].neighbour[0];
        for (; at < GPU_ISO_RUN && is_there(first); ++at, first = grid->block[first].neighbour[1]) {
            run[count++] = first;
            placed[first] = 1;
        }
        code = order.push(run, count, failure);
    }
    if (code == 0)
        code = order.finish(slots, failure);
    std::free(nodes);
    std::free(placed);
    return code;
}

/** A record, from an entry of grid->cut, grid->plaquette and grid->gain. */
static inline struct gpu_iso_cut iso_record(const struct cut_cell &cut, const uint8_t plaquette[EDGES],
                                            float gain, uint32_t mark)
{
    struct gpu_iso_cut out = {};
    uint32_t bits;
    std::memcpy(&out.first.x, cut.open, 4);
    out.first.y = (uint32_t)cut.open[4] | (uint32_t)cut.open[5] << 8 | mark << 16;
    std::memcpy(&out.first.z, plaquette, 4);
    std::memcpy(&out.first.w, plaquette + 4, 4);
    std::memcpy(&out.second.x, plaquette + 8, 4);
    std::memcpy(&bits, &gain, 4);
    out.second.y = bits;
    return out;
}

/** Writes records, and separately the gains of wall nodes if walls have states. */
class iso_record_writer {
  public:
    iso_record_writer(const struct device_layout &layout, char *memory)
        : first_(memory + layout.iso_first), second_(memory + layout.iso_second),
          gains_(memory + layout.wall_gain), keeps_gains_(layout.has_states)
    {
    }
    int push(const struct gpu_iso_cut &cut, float gain, struct failure *failure)
    {
        TRY(first_.push(cut.first, failure));
        TRY(second_.push(cut.second, failure));
        return keeps_gains_ && (cut.first.y >> 16 & GPU_ISO_WALL) != 0 ? gains_.push(gain, failure) : 0;
    }
    int flush(struct failure *failure)
    {
        TRY(first_.flush(failure));
        TRY(second_.flush(failure));
        return gains_.flush(failure);
    }

  private:
    device_writer<uint4> first_;
    device_writer<uint2> second_;
    device_writer<float> gains_;
    bool keeps_gains_;
};

/** Records of blocks. */
static inline int upload_iso_records(const struct block_grid *grid, const struct device_layout &layout,
                                     char *memory, struct failure *failure)
{
    iso_record_writer records(layout, memory);
    uint64_t wall = 0;
    TRY(walk_block_records(grid, [&](uint64_t record, uint32_t id, unsigned slot, bool linked) {
        uint32_t mark = slot | (linked ? GPU_ISO_LINKED : 0u), entries = 0;
        for (; wall < grid->wall_first[id + 1] && (grid->wall[wall].slot & WALL_SLOT) == slot; ++wall)
            ++entries;
        if (entries > 0)
            mark |= GPU_ISO_WALL | (entries - 1) << GPU_ISO_MORE_AT;
        return records.push(iso_record(grid->cut[record], grid->plaquette[record], grid->gain[record], mark),
                            grid->gain[record], failure);
    }));
    return records.flush(failure);
}

/** Records of the box, whose marks have no slot, and where each stretch's start. */
template <typename real>
int upload_iso_box_records(const struct box_grid *box, const struct device_layout &layout, char *memory,
                           struct failure *failure)
{
    iso_record_writer records(layout, memory);
    TRY(walk_box_records<real>(
        box, layout, memory,
        [&](uint64_t record, bool linked, bool wall) {
            const uint32_t mark = (linked ? GPU_ISO_LINKED : 0u) | (wall ? GPU_ISO_WALL : 0u);
            return records.push(iso_record(box->cut[record], box->plaquette[record], box->gain[record], mark),
                                box->gain[record], failure);
        },
        failure));
    return records.flush(failure);
}

/** Nodes with extra links, and these. @param box   NULL for blocks */
static inline int upload_iso_linked(const struct block_grid *grid, const struct box_grid *box,
                                    const struct device_layout &layout, char *memory, struct failure *failure)
{
    device_writer<struct gpu_iso_linked> nodes(memory + layout.linked);
    device_writer<struct gpu_link> links(memory + layout.link);
    wall_counter walls(grid, box);
    uint64_t first = 0;
    for (uint64_t n = 0; n < layout.linked_nodes; ++n) {
        const linked_node from(grid, box, layout, n);
        struct gpu_iso_linked node = {};
        node.place = from.place();
        for (unsigned d = 0; d < DIRECTIONS; ++d)
            if (from.cell().open[d] != 0)
                node.beside[d] = from.beside(d);
        for (unsigned e = 0; e < EDGES; ++e)
            if (from.plaquettes()[e] != 0)
                node.beside[6 + e] = from.across(e);
        node.link = first;
        node.links = from.links();
        node.wall = walls.find(from.index());
        if (box == nullptr && layout.has_states && node.wall != GPU_NO_WALL) {
            node.more = walls.more();
            node.wall = walls.entry();
        }
        node.record = iso_record(from.cell(), from.plaquettes(), from.gain(), 0);
        TRY(from.push_links(&links, failure));
        first += node.links;
        TRY(nodes.push(node, failure));
    }
    TRY(nodes.flush(failure));
    return links.flush(failure);
}

/** Everything of a grid of the isotropic scheme but its walls. @param box   NULL for blocks */
template <typename real>
int upload_iso(const struct block_grid *grid, const struct box_grid *box, const struct device_layout &layout,
               char *memory, struct failure *failure)
{
    if (box != nullptr) {
        TRY(upload_kinds(box, layout, memory, failure));
        TRY(upload_iso_box_records<real>(box, layout, memory, failure));
    } else {
        TRY(upload_iso_order(grid, layout.has_states, nullptr, false, layout.slots, memory + layout.row,
                             failure));
        TRY(upload_planes(grid, memory + layout.plane, failure));
        TRY(upload_iso_records(grid, layout, memory, failure));
    }
    return upload_iso_linked(grid, box, layout, memory, failure);
}

/* ---- as kernels see it -----------------------------------------------------------------------------------
 */

/** The room in blocks, with coefficients at walls; `memory` is laid out by `layout`. */
template <typename real>
gpu_iso<real> device_iso_room(const struct device_layout &layout, double lambda2, const char *memory)
{
    gpu_iso<real> room = {};
    room.row = reinterpret_cast<const struct gpu_iso_row *>(memory + layout.row);
    room.slots = layout.slots;
    room.plane = reinterpret_cast<const struct gpu_plane *>(memory + layout.plane);
    room.cut_first = reinterpret_cast<const uint4 *>(memory + layout.iso_first);
    room.cut_second = reinterpret_cast<const uint2 *>(memory + layout.iso_second);
    room.q = reinterpret_cast<const real *>(memory + layout.q);
    room.sixth = (real)(lambda2 / 6);
    room.linked = (uint32_t)layout.linked_nodes;
    room.node = reinterpret_cast<const struct gpu_iso_linked *>(memory + layout.linked);
    room.link = reinterpret_cast<const struct gpu_link *>(memory + layout.link);
    return room;
}

/** A box of either kind of walls. */
template <class box_type>
gpu_iso_box<box_type> device_iso_box(const box_type &box, const struct device_layout &layout, double lambda2,
                                     const char *memory)
{
    gpu_iso_box<box_type> out = {};
    static_cast<box_type &>(out) = box;
    out.lambda2 = (decltype(out.lambda2))(lambda2 / 6);
    out.records.first = reinterpret_cast<const uint64_t *>(memory + layout.cut_first);
    out.records.cut_first = reinterpret_cast<const uint4 *>(memory + layout.iso_first);
    out.records.cut_second = reinterpret_cast<const uint2 *>(memory + layout.iso_second);
    out.records.linked = (uint32_t)layout.linked_nodes;
    out.records.node = reinterpret_cast<const struct gpu_iso_linked *>(memory + layout.linked);
    out.records.link = reinterpret_cast<const struct gpu_link *>(memory + layout.link);
    return out;
}

#endif
