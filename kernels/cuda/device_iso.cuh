/** A grid of the isotropic scheme on its way to the device (step/gpu_iso.cuh). */
#ifndef KERNELS_DEVICE_ISO_CUH
#define KERNELS_DEVICE_ISO_CUH

#include "kernels/cuda/device_headers.cuh"

#include "kernels/cuda/device_cuts.cuh"
#include "kernels/cuda/step/gpu_iso.cuh"

#define ISO_RUN 4 /* places of a CTA */

/** Writes the launch order, a CTA's four places at a time. */
class iso_order_writer {
  public:
    iso_order_writer(const struct block_grid *grid, void *to) : grid_(grid), rows_(to)
    {
    }
    /** So many blocks that face one another in x, at most ISO_RUN; what is left of a CTA before is filled up. */
    int push(const uint32_t *ids, uint32_t count, struct failure *failure)
    {
        if (count == ISO_RUN)
            return send(ids, failure);
        for (uint32_t n = 0; n < count; ++n) {
            waiting_[filled_++] = ids[n];
            if (filled_ == ISO_RUN)
                TRY(flush(failure));
        }
        return 0;
    }
    int finish(uint32_t slots, struct failure *failure)
    {
        if (filled_ > 0)
            TRY(flush(failure));
        const uint32_t none[ISO_RUN] = {};
        while (written_ < slots)
            TRY(send(none, failure));
        return rows_.flush(failure);
    }

  private:
    int flush(struct failure *failure)
    {
        while (filled_ < ISO_RUN)
            waiting_[filled_++] = 0;
        filled_ = 0;
        return send(waiting_, failure);
    }
    int send(const uint32_t *ids, struct failure *failure)
    {
        for (uint32_t n = 0; n < ISO_RUN; ++n) {
            const uint32_t id = ids[n];
            struct gpu_iso_row row = {};
            row.tile = TILE_FULL;
            if (id != 0) {
                const struct block *const block = &grid_->block[id];
                std::memcpy(row.neighbour, block->neighbour, sizeof row.neighbour);
                std::memcpy(row.edge, grid_->edge[id], sizeof row.edge);
                row.tile = block->tile |
                           (n > 0 && ids[n - 1] != 0 && ids[n - 1] == block->neighbour[0] ? GPU_ISO_LEFT : 0u) |
                           (n + 1 < ISO_RUN && ids[n + 1] != 0 && ids[n + 1] == block->neighbour[1]
                                ? GPU_ISO_RIGHT
                                : 0u);
                row.self = id;
                row.cuts = grid_->cut_first[id] |
                           (grid_->cut_first[id + 1] - grid_->cut_first[id]) << GPU_ISO_COUNT_AT;
                row.walls = grid_->wall_first[id];
            }
            TRY(rows_.push(row, failure));
        }
        written_ += ISO_RUN;
        return 0;
    }
    const struct block_grid *grid_;
    device_writer<struct gpu_iso_row> rows_;
    uint32_t waiting_[ISO_RUN] = {}, filled_ = 0, written_ = 0;
};

/** Blocks in launch order: by id, those of a cell of four in x that follow one another together. */
static inline int upload_iso_order(const struct block_grid *grid, uint32_t slots, void *to,
                                   struct failure *failure)
{
    iso_order_writer order(grid, to);
    uint8_t *const placed = static_cast<uint8_t *>(std::calloc((size_t)grid->blocks + 1, 1));
    int code = placed == nullptr
                   ? failure_memory(failure, (unsigned long long)grid->blocks + 1, "the launch order")
                   : 0;
    for (uint32_t id = 1; code == 0 && id <= grid->blocks; ++id) {
        uint32_t run[ISO_RUN], count = 0, first = id, at = (uint32_t)grid->block[id].place[0] % ISO_RUN;
        if (placed[id])
            continue;
        for (; at > 0 && grid->block[first].neighbour[0] != 0; --at)
            first = grid->block[first].neighbour[0];
        for (; at < ISO_RUN && first != 0; ++at, first = grid->block[first].neighbour[1]) {
            run[count++] = first;
            placed[first] = 1;
        }
        code = order.push(run, count, failure);
    }
    if (code == 0)
        code = order.finish(slots, failure);
    std::free(placed);
    return code;
}

/** A record: what an entry of grid->cut, grid->plaquette and grid->gain becomes. */
static inline struct gpu_iso_cut iso_record(const struct cut_cell &cut, const uint8_t plaquette[EDGES], float gain,
                                            uint32_t mark)
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

/** Records of blocks. */
static inline int upload_iso_records(const struct block_grid *grid, void *firsts, void *seconds,
                                     struct failure *failure)
{
    device_writer<uint4> first(firsts);
    device_writer<uint2> second(seconds);
    uint64_t extra = 0, wall = 0, record = 0;
    for (uint32_t id = 1; id <= grid->blocks; ++id) {
        const struct tile_marks *const marks = &grid->marks[grid->block[id].tile];
        for (unsigned slot = 0; record < grid->cut_first[id + 1] && slot < BLOCK_NODES; ++slot) {
            if ((marks->cut[slot / 64] >> slot % 64 & 1u) == 0)
                continue;
            uint32_t mark = slot, entries = 0;
            if (extra < grid->extra_nodes && grid->extra_node[extra].block == id &&
                grid->extra_node[extra].slot == slot) {
                mark |= GPU_ISO_LINKED;
                ++extra;
            }
            for (; wall < grid->wall_first[id + 1] && (grid->wall[wall].slot & WALL_SLOT) == slot; ++wall)
                ++entries;
            if (entries > 0)
                mark |= GPU_ISO_WALL | (entries - 1) << GPU_ISO_MORE_AT;
            const struct gpu_iso_cut to =
                iso_record(grid->cut[record], grid->plaquette[record], grid->gain[record], mark);
            TRY(first.push(to.first, failure));
            TRY(second.push(to.second, failure));
            ++record;
        }
    }
    TRY(first.flush(failure));
    return second.flush(failure);
}

/** Nodes with extra links, and these. */
static inline int upload_iso_linked(const struct block_grid *grid, void *to_nodes, void *to_links,
                                    struct failure *failure)
{
    device_writer<struct gpu_iso_linked> nodes(to_nodes);
    device_writer<struct gpu_link> links(to_links);
    uint64_t wall = 0, block = 0;
    for (uint64_t n = 0; n < grid->extra_nodes; ++n) {
        const struct extra_node *const from = &grid->extra_node[n];
        const uint64_t id = from->block, record = block_cut_record(grid, from->block, from->slot);
        const uint8_t *const plaquette = grid->plaquette[record];
        struct gpu_iso_linked node = {};
        node.place = id * BLOCK_NODES + from->slot;
        for (unsigned d = 0; d < DIRECTIONS; ++d)
            if (grid->cut[record].open[d] != 0)
                node.beside[d] = step_block_neighbour(&grid->block[id], id, from->slot, d);
        for (unsigned e = 0; e < EDGES; ++e)
            if (plaquette[e] != 0)
                node.beside[6 + e] = step_block_across(grid, id, from->slot, e);
        node.link = from->first;
        node.links = from->links;
        node.wall = GPU_NO_WALL;
        if (block != id)
            wall = grid->wall_first[id];
        block = id;
        while (wall < grid->wall_first[id + 1] && (grid->wall[wall].slot & WALL_SLOT) < from->slot)
            ++wall;
        for (uint64_t w = wall; w < grid->wall_first[id + 1] && (grid->wall[w].slot & WALL_SLOT) == from->slot; ++w)
            node.more = (uint32_t)(w - wall);
        if (wall < grid->wall_first[id + 1] && (grid->wall[wall].slot & WALL_SLOT) == from->slot)
            node.wall = wall;
        node.record = iso_record(grid->cut[record], plaquette, grid->gain[record], 0);
        TRY(nodes.push(node, failure));
    }
    for (uint64_t n = 0; n < grid->extra_links; ++n)
        TRY(links.push({(uint64_t)grid->extra_link[n].block * BLOCK_NODES + grid->extra_link[n].slot,
                        grid->extra_link[n].open},
                       failure));
    TRY(nodes.flush(failure));
    return links.flush(failure);
}

#endif
