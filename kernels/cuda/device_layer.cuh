/** The layer behind open faces of an engine on a device (step/gpu_layer.cuh): its tables on the way there,
 * states and losses both ways.
 *
 * The rows of the host (kernels/scheme/layer_tables.h) are split in two: of blocks, columns of nodes that are
 * behind one face and but for the outermost at no wall with states, where at least COLUMNS_LEAST have the
 * same coefficients (step/gpu_columns.cuh); rows of all other nodes. Entries of walls are numbered on a
 * device as on the host.
 */
#ifndef KERNELS_DEVICE_LAYER_CUH
#define KERNELS_DEVICE_LAYER_CUH

#include <array>
#include <cstring>
#include <new>
#include <vector>

#include "kernels/cuda/device_rooms.cuh"
#include "kernels/cuda/step/gpu_layer.cuh"

#define COLUMNS_LEAST 8

/** The rows of a block on the host, node by node. */
template <typename real> class layer_block {
  public:
    struct node {
        uint64_t row, normal; /* of `outward`, its first one */
        unsigned lane, normals;
        const struct layer_row_wall *wall; /* NULL: at no wall with states */
    };

    /** @param row   first of the block; advances to that of the next */
    layer_block(const struct step_layer &host, uint64_t *row) : host_(host)
    {
        const uint64_t block = host.row[*row].index / BLOCK_NODES;
        for (uint64_t &one : row_)
            one = UINT64_MAX;
        for (; *row < host.rows && host.row[*row].index / BLOCK_NODES == block; ++*row)
            row_[host.row[*row].index / LAYER_LANES % (BLOCK_NODES / LAYER_LANES)] = *row;
    }

    /** Is the node at a slot behind the face of that direction? */
    bool find(unsigned slot, unsigned outward, node *out) const
    {
        const uint64_t row = row_[slot / LAYER_LANES];
        const unsigned lane = slot % LAYER_LANES;
        *out = {row, UINT64_MAX, lane, 0, nullptr};
        if (row == UINT64_MAX || (host_.row[row].lanes >> lane & 1) == 0)
            return false;
        for (uint64_t k = host_.row[row].first; k < host_.row[row + 1].first; ++k)
            if (depth(k, lane) > 0) {
                ++out->normals;
                if (host_.normal[k].outward == outward)
                    out->normal = k;
            }
        for (uint64_t w = host_.row[row].wall; w < host_.row[row + 1].wall; ++w)
            if (host_.wall[w].lane == lane)
                out->wall = &host_.wall[w];
        return out->normal != UINT64_MAX;
    }

    /** Describe a column; its group has all but `which` and its places. False if its nodes are not alike. */
    bool describe(unsigned outward, unsigned column, struct layer_columns *group,
                  layer_column_terms<real> *terms) const
    {
        const int way = outward & 1 ? 1 : -1;
        unsigned depth_before = 0;
        node at = {};
        *group = {};
        std::memset((void *)terms, 0, sizeof *terms);
        group->outward = (uint8_t)outward;
        for (int q = way > 0 ? 0 : BLOCK_EDGE - 1; q >= 0 && q < BLOCK_EDGE; q += way) {
            if (!find(slot_of(outward, column, (unsigned)q), outward, &at))
                continue;
            const unsigned nodes = group->nodes;
            if (nodes == 0)
                group->inner = (uint8_t)q;
            const unsigned depth_here = depth(at.normal, at.lane);
            const auto inwards = link_of(at, 0), outwards = link_of(at, 1);
            if (at.normals > 1 || group->walled || q != group->inner + way * (int)nodes ||
                (nodes > 0 && (depth_here != depth_before + 1 ||
                               std::memcmp(&inwards, &terms->link[nodes], sizeof inwards) != 0)))
                return false;
            const real *const weight = (const real *)host_.weight.value +
                                       (size_t)host_.row[at.row].weight * 2 * LAYER_LANES + at.lane;
            terms->link[nodes] = inwards;
            terms->link[nodes + 1] = outwards;
            terms->node[nodes].gain = weight[0];
            terms->node[nodes].damp = -weight[LAYER_LANES];
            terms->node[nodes].filter = filter_of(at, 2);
            group->walled = at.wall != nullptr;
            group->shares |= host_.normal[at.normal].shares;
            ++group->nodes;
            depth_before = depth_here;
        }
        if (group->nodes == 0)
            return false;
        const auto rests = [&](unsigned j) {
            return terms->link[j].filter.now == 0 && terms->link[j].filter.then == 0;
        };
        group->link = rests(0);
        group->links = (uint8_t)(group->nodes + 1 - group->link - rests(group->nodes));
        return true;
    }

    /** The slot of a place along a column. */
    static unsigned slot_of(unsigned outward, unsigned column, unsigned along)
    {
        const unsigned axis = outward >> 1, low = column & 7u, high = column >> 3;
        return axis == 0 ? along | low << 3 | high << 6
                         : low | (axis == 1 ? along << 3 | high << 6 : high << 3 | along << 6);
    }

  private:
    unsigned depth(uint64_t normal, unsigned lane) const
    {
        return (
            (const uint8_t *)host_.depths.value)[(size_t)host_.normal[normal].depths * LAYER_LANES + lane];
    }
    scheme_filter_of<real> filter_of(const node &at, unsigned which) const
    {
        const real *const term =
            (const real *)host_.terms +
            ((size_t)host_.normal[at.normal].depths * LAYER_TERMS + 3 * which) * LAYER_LANES + at.lane;
        return {term[0], term[LAYER_LANES], term[2 * LAYER_LANES]};
    }
    auto link_of(const node &at, unsigned side) const
    {
        const struct layer_row_side &of =
            ((const struct layer_row_side *)host_.side.value)[host_.normal[at.normal].side];
        std::remove_reference_t<decltype(layer_column_terms<real>{}.link[0])> link;
        std::memset((void *)&link, 0, sizeof link);
        link.weight = (real)of.weight[side][at.lane];
        link.filter = filter_of(at, side);
        for (int k = 0; k < 4; ++k)
            link.share[k] = (real)of.share[side][k][at.lane];
        return link;
    }

    const struct step_layer &host_;
    uint64_t row_[BLOCK_NODES / LAYER_LANES];
};

template <typename real> struct device_layer {
    gpu_layer<real> there = {};
    char *memory = nullptr;
    uint64_t bytes = 0;

    ~device_layer()
    {
        (void)cudaFree(memory);
    }

    /** The host's tables are borrowed. */
    int make(const struct engine_layer &layer, const struct device_layout &layout, const struct box_grid *box,
             struct failure *failure)
    {
        host_ = layer.rows;
        const struct step_layer &host = *host_;
        std::vector<uint8_t> lanes(host.rows);
        for (uint64_t n = 0; n < host.rows; ++n)
            lanes[n] = host.row[n].lanes;
        if (box == nullptr)
            make_columns(&lanes);
        std::vector<struct layer_row> row;
        std::vector<struct layer_row_normal> normal;
        std::vector<struct layer_row_wall> wall;
        for (uint64_t n = 0; n < host.rows; ++n) {
            if (lanes[n] == 0)
                continue;
            row.push_back(host.row[n]);
            row.back().index = device_index(&layout, box, host.row[n].index);
            row.back().first = (uint32_t)normal.size();
            row.back().wall = (uint32_t)wall.size();
            row.back().lanes = lanes[n];
            for (uint64_t w = host.row[n].wall; w < host.row[n + 1].wall; ++w)
                if ((lanes[n] >> host.wall[w].lane & 1) != 0)
                    wall.push_back(host.wall[w]);
            row_.push_back(n);
            normal.insert(normal.end(), host.normal + host.row[n].first, host.normal + host.row[n + 1].first);
        }
        row.push_back(host.row[host.rows]);
        row.back().first = (uint32_t)normal.size();
        row.back().wall = (uint32_t)wall.size();
        there.rows = row_.size();
        states_ = normal.size() * LAYER_STATES * LAYER_LANES;
        device_arrays arrays;
        arrays.add(&there.row, row.data(), row.size());
        arrays.add(&there.normal, normal.data(), normal.size());
        arrays.add(&there.wall, wall.data(), wall.size());
        arrays.add(&there.side, host.side.value, host.side.count);
        arrays.add(&there.weight, host.weight.value, host.weight.count * 2 * LAYER_LANES);
        arrays.add(&there.terms, host.terms, host.depths.count * LAYER_TERMS * LAYER_LANES);
        arrays.add(&there.place, layer.place, layer.places);
        arrays.add(&there.state, nullptr, states_);
        arrays.add(&there.loss, nullptr, there.rows * LAYER_LANES);
        arrays.add(&there.held, nullptr, there.rows * LAYER_LANES);
        arrays.add(&there.held_walls, nullptr, host.helds);
        arrays.add(&there.columns.group, group_.data(), group_.size());
        arrays.add(&there.columns.terms, terms_.data(), terms_.size());
        arrays.add(&there.columns.entries, entries_.data(), entries_.size());
        arrays.add(&there.columns.state, nullptr, column_states_ * COLUMNS_OF_GROUP);
        arrays.add(&there.columns.loss, nullptr, column_nodes_ * COLUMNS_OF_GROUP);
        arrays.add(&there.columns.held, nullptr, column_nodes_ * COLUMNS_OF_GROUP);
        TRY(arrays.make("open faces", &memory, &bytes, failure));
        there.columns.groups = group_.size();
        there.columns.held_walls = there.held_walls;
        there.column_ctas =
            (uint32_t)((group_.size() * COLUMNS_OF_GROUP + GPU_LAUNCH_THREADS - 1) / GPU_LAUNCH_THREADS);
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
        for (const auto &one : parts())
            DEVICE_TRY(cudaMemset(one.values, 0, one.count * sizeof(real)), "open faces", failure);
        return 0;
    }

    /* States and losses, each NULL or the host's, from there or (`write`) there. */
    int move(void *state, void *loss, bool write, cudaStream_t stream, struct failure *failure) const
    {
        void *const host[] = {state, loss, state, loss};
        std::vector<real> copy[4];
        DEVICE_TRY(cudaStreamSynchronize(stream), "open faces", failure);
        for (int p = 0; p < 4; ++p) {
            try {
                copy[p].resize(host[p] != nullptr ? parts()[p].count : 0);
            } catch (const std::bad_alloc &) {
                return failure_memory(failure, parts()[p].count * sizeof(real), "a copy of the open faces");
            }
            if (!write)
                DEVICE_TRY(cudaMemcpy(copy[p].data(), parts()[p].values, copy[p].size() * sizeof(real),
                                      cudaMemcpyDeviceToHost),
                           "open faces", failure);
        }
        trade_rows((real *)state, (real *)loss, copy[0].data(), copy[1].data(), write);
        trade_columns((real *)state, (real *)loss, copy[2].data(), copy[3].data(), write);
        for (int p = 0; write && p < 4; ++p)
            DEVICE_TRY(cudaMemcpy(parts()[p].values, copy[p].data(), copy[p].size() * sizeof(real),
                                  cudaMemcpyHostToDevice),
                       "open faces", failure);
        return 0;
    }

  private:
    struct part {
        real *values;
        uint64_t count;
    };
    std::array<part, 4> parts() const
    {
        return {{{there.state, states_},
                 {there.loss, there.rows * LAYER_LANES},
                 {there.columns.state, column_states_ * COLUMNS_OF_GROUP},
                 {there.columns.loss, column_nodes_ * COLUMNS_OF_GROUP}}};
    }

    /* Group the columns of all blocks, and take their nodes from the rows. */
    void make_columns(std::vector<uint8_t> *lanes)
    {
        for (uint64_t row = 0; row < host_->rows;) {
            const uint64_t first = row;
            const layer_block<real> block(*host_, &row);
            for (unsigned d = 0; d < DIRECTIONS; ++d) {
                std::vector<struct layer_columns> group;
                std::vector<layer_column_terms<real>> terms;
                for (unsigned c = 0; c < COLUMNS_OF_GROUP; ++c) {
                    struct layer_columns one;
                    layer_column_terms<real> of;
                    if (!block.describe(d, c, &one, &of))
                        continue;
                    size_t g = 0;
                    while (g < group.size() &&
                           (group[g].inner != one.inner || group[g].nodes != one.nodes ||
                            group[g].shares != one.shares || group[g].walled != one.walled ||
                            std::memcmp(&terms[g], &of, sizeof of) != 0))
                        ++g;
                    if (g == group.size()) {
                        group.push_back(one);
                        terms.push_back(of);
                    }
                    group[g].which |= UINT64_C(1) << c;
                }
                for (size_t g = 0; g < group.size(); ++g)
                    if (__builtin_popcountll(group[g].which) >= COLUMNS_LEAST)
                        take(block, first, group[g], terms[g], lanes);
            }
        }
    }

    void take(const layer_block<real> &block, uint64_t row, struct layer_columns group,
              const layer_column_terms<real> &terms, std::vector<uint8_t> *lanes)
    {
        size_t back = 1;
        while (back <= terms_.size() && back <= 64 &&
               std::memcmp(&terms_[terms_.size() - back], &terms, sizeof terms) != 0)
            ++back;
        if (back > terms_.size() || back > 64) {
            terms_.push_back(terms);
            back = 1;
        }
        group.terms = (uint32_t)(terms_.size() - back);
        group.place = host_->row[row].place;
        group.index = host_->row[row].index / BLOCK_NODES * BLOCK_NODES;
        group.first = column_nodes_;
        group.states = column_states_;
        column_nodes_ += group.nodes;
        column_states_ += group.nodes + group.links;
        group.entries = (uint32_t)(entries_.size() / COLUMNS_OF_GROUP);
        group_.push_back(group);
        first_row_.push_back(row);
        if (group.walled)
            entries_.resize(entries_.size() + COLUMNS_OF_GROUP);
        visit(block, group, [&](const auto &at, unsigned c, unsigned) {
            (*lanes)[at.row] &= (uint8_t) ~(1U << at.lane);
            if (at.wall != nullptr)
                entries_[(size_t)group.entries * COLUMNS_OF_GROUP + c] = {at.wall->entry, at.wall->held,
                                                                          at.wall->count};
        });
    }

    /* Call seen(node, column, place in it) for all nodes of a group. */
    template <class seen_type>
    static void visit(const layer_block<real> &block, const struct layer_columns &group,
                      const seen_type &seen)
    {
        for (unsigned c = 0; c < COLUMNS_OF_GROUP; ++c)
            for (unsigned j = 0; (group.which >> c & 1) != 0 && j < group.nodes; ++j) {
                typename layer_block<real>::node at;
                const unsigned along = group.outward & 1 ? group.inner + j : group.inner - j;
                (void)block.find(block.slot_of(group.outward, c, along), group.outward, &at);
                seen(at, c, j);
            }
    }

    static void trade(real *host, real *there, bool write)
    {
        *(write ? there : host) = *(write ? host : there);
    }

    void trade_rows(real *state, real *loss, real *state_there, real *loss_there, bool write) const
    {
        for (uint64_t n = 0, k = 0; n < row_.size(); ++n) {
            const struct layer_row *const row = &host_->row[row_[n]];
            for (unsigned lane = 0; loss != nullptr && lane < LAYER_LANES; ++lane)
                trade(loss + row_[n] * LAYER_LANES + lane, loss_there + n * LAYER_LANES + lane, write);
            const uint64_t begin = (uint64_t)row[0].first * LAYER_STATES * LAYER_LANES,
                           end = (uint64_t)row[1].first * LAYER_STATES * LAYER_LANES;
            for (uint64_t s = begin; state != nullptr && s < end; ++s)
                trade(state + s, state_there + k++, write);
        }
    }

    void trade_columns(real *state, real *loss, real *state_there, real *loss_there, bool write) const
    {
        for (uint64_t g = 0; g < group_.size(); ++g) {
            const struct layer_columns &group = group_[g];
            uint64_t row = first_row_[g];
            const layer_block<real> block(*host_, &row);
            visit(block, group, [&](const auto &at, unsigned c, unsigned j) {
                if (loss != nullptr)
                    trade(loss + at.row * LAYER_LANES + at.lane,
                          loss_there + (group.first + j) * COLUMNS_OF_GROUP + c, write);
                if (state == nullptr)
                    return;
                real *const of = state + at.normal * LAYER_STATES * LAYER_LANES + at.lane;
                for (unsigned side = 0; side < 2; ++side) {
                    const unsigned link = j + side - group.link;
                    real none = 0;
                    trade(of + side * LAYER_LANES,
                          link < group.links ? state_there + (group.states + link) * COLUMNS_OF_GROUP + c
                                             : &none,
                          write);
                }
                trade(of + 2 * LAYER_LANES,
                      state_there + (group.states + group.links + j) * COLUMNS_OF_GROUP + c, write);
            });
        }
    }

    const struct step_layer *host_ = nullptr;
    std::vector<uint64_t> row_, first_row_; /* on the host: of its rows; the first of a group's block */
    std::vector<struct layer_columns> group_;
    std::vector<layer_column_terms<real>> terms_;
    std::vector<struct layer_entries> entries_;
    uint64_t states_ = 0, column_nodes_ = 0, column_states_ = 0;
};

#endif
