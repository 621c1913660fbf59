/** The isotropic scheme's rooms that stay on the chip: which CTA has which blocks, and the messages between
 * CTAs (step/step_iso_resident.cuh). */
#ifndef KERNELS_DEVICE_ISO_PLAN_CUH
#define KERNELS_DEVICE_ISO_PLAN_CUH

#include "kernels/cuda/base/device_headers.cuh"

#include <algorithm>
#include <cstdlib>

#include "kernels/cuda/device_iso.cuh"
#include "kernels/cuda/step/step_iso_resident.cuh"

/** A face (0 to 5) or an edge (6 to 17) of a block that a CTA of others receives. */
struct iso_message {
    uint32_t block, part;
    uint32_t at; /* its first value among those that the CTA receives */
};

/** Host arrays of a plan, to be freed. */
struct iso_resident_tables {
    struct iso_resident_block *block; /* (blocks) */
    struct iso_resident_cut *cut;     /* (grid->cuts) */
    struct iso_resident_send *send;
    uint32_t *cut_first, *entry_first, *send_first, *word_first; /* (ctas + 1) */
    struct iso_message *message;                                 /* by the CTA that receives them */
    uint32_t *message_first;                                     /* (ctas + 1) */
};

static inline void iso_resident_tables_free(struct iso_resident_tables *tables)
{
    std::free(tables->block);
    std::free(tables->cut);
    std::free(tables->send);
    std::free(tables->cut_first);
    std::free(tables->entry_first);
    std::free(tables->send_first);
    std::free(tables->word_first);
    std::free(tables->message);
    std::free(tables->message_first);
    *tables = {};
}

/** Axes that a face or an edge is at the end of, and whether that is the + end: for each axis -1, 0 or 1. */
static inline int iso_part_end(uint32_t part, int axis)
{
    return iso_along((int)part, axis);
}

/** Slot of value i of a face or an edge of a block, in the order of its message. */
static inline uint32_t iso_part_slot(uint32_t part, uint32_t i)
{
    uint32_t slot = 0;
    static const uint32_t stride[3] = {1, 8, 64};
    for (int axis = 0; axis < 3; ++axis) {
        if (iso_part_end(part, axis) == 0) {
            slot += i % 8 * stride[axis];
            i /= 8;
        } else if (iso_part_end(part, axis) > 0) {
            slot += 7 * stride[axis];
        }
    }
    return slot;
}

/** The part of the adjacent block that touches part `part` of this one. */
static inline uint32_t iso_part_across(uint32_t part)
{
    return part < 6 ? part ^ 1u : 6 + ((part - 6) ^ 3u);
}

static inline uint32_t iso_part_values(uint32_t part)
{
    return part < 6 ? 64 : 8;
}

/** In blocks: the distance between values of a part, for `along` of iso_resident_at(). */
static inline uint32_t iso_part_stride(uint32_t part)
{
    return part < 2 ? 8u : part < 4 ? 64u : part < 6 ? 8u : part < 10 ? 64u : part < 14 ? 8u : 0u;
}

/** The messages of one CTA while they are listed. */
class iso_messages {
  public:
    iso_messages(struct iso_message *message, uint32_t count)
        : message_(message), first_(count), count_(count)
    {
    }
    uint32_t count() const
    {
        return count_;
    }
    uint32_t values() const
    {
        return values_;
    }
    /** Place of part `part` of block `id`, as in iso_resident_block.from; `at` is the start of received
     * values. Faces are requested before edges. */
    uint32_t ask(uint32_t id, uint32_t part, uint32_t at)
    {
        for (uint32_t m = first_; m < count_; ++m) {
            if (message_[m].block != id)
                continue;
            const uint32_t face = message_[m].part;
            if (face == part)
                return (at + message_[m].at) | apart(part) << 16;
            if (part >= 6 && face < 6 &&
                iso_part_end(part, (int)face / 2) == iso_part_end(face, (int)face / 2))
                return in_face(part, face, at + message_[m].at);
        }
        const uint32_t place = values_;
        message_[count_++] = {id, part, place};
        values_ += iso_part_values(part);
        return (at + place) | apart(part) << 16;
    }

  private:
    static uint32_t apart(uint32_t part)
    {
        return part >= 2 && part < 6 ? 8 : 1;
    }
    /* An edge as it lies in a face of the same block, whose values run along the lower of its axes first. */
    static uint32_t in_face(uint32_t part, uint32_t face, uint32_t from)
    {
        uint32_t step = 1, stride = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (axis == (int)face / 2)
                continue;
            if (iso_part_end(part, axis) > 0)
                from += 7 * step;
            else if (iso_part_end(part, axis) == 0)
                stride = step;
            step *= 8;
        }
        return from | stride << 16;
    }
    struct iso_message *message_;
    uint32_t first_, count_, values_ = 0;
};

/** Cut nodes of block `id`, whose local number is `local`, to the end of tables->cut. `start`: the entry from
 * which those of walls with states are counted, or RESIDENT_NONE: `*wall` counts wall nodes. */
static inline void iso_resident_cuts(const struct block_grid *grid, uint32_t id, uint32_t local,
                                     const struct iso_resident_block &block, uint32_t start,
                                     struct iso_resident_tables *tables, uint64_t *wall)
{
    const struct tile_marks *const marks = &grid->marks[grid->block[id].tile];
    const uint32_t own = local * GPU_BLOCK_NODES;
    uint64_t record = grid->cut_first[id], entry = grid->wall_first[id];
    for (uint32_t slot = 0; record < grid->cut_first[id + 1] && slot < GPU_BLOCK_NODES; ++slot) {
        if ((marks->cut[slot / 64] >> slot % 64 & 1u) == 0)
            continue;
        struct iso_resident_cut &out = tables->cut[record];
        const struct gpu_iso_cut cut =
            iso_record(grid->cut[record], grid->plaquette[record], grid->gain[record], own + slot);
        out = {cut.first, cut.second, RESIDENT_NONE, {}};
        const uint64_t own_first = entry;
        while (entry < grid->wall_first[id + 1] && (grid->wall[entry].slot & WALL_SLOT) == slot)
            ++entry;
        if (entry > own_first)
            out.wall = start == RESIDENT_NONE ? (uint32_t)(*wall)++
                                              : (uint32_t)(own_first - start) |
                                                    (uint32_t)(entry - own_first - 1) << ISO_RESIDENT_MORE_AT;
        for (int k = 0; k < 18; ++k)
            out.beside[k / 2] |=
                iso_resident_at(block, own, (int)(slot % 8) + iso_along(k, 0),
                                (int)(slot / 8 % 8) + iso_along(k, 1), (int)(slot / 64) + iso_along(k, 2))
                << (16 * (k % 2));
        ++record;
    }
}

/** Place of the values across part `part` of block `id`. */
static inline uint32_t iso_resident_from(const struct block_grid *grid, uint32_t id, uint32_t part,
                                         uint32_t each, iso_messages *messages_in)
{
    const uint32_t cta = (id - 1) / each, across = iso_part_across(part),
                   other = part < 6 ? grid->block[id].neighbour[part] : grid->edge[id][part - 6];
    if (other == 0)
        return (id - 1) % each * GPU_BLOCK_NODES; /* any finite value: its weight is 0 */
    if ((other - 1) / each != cta)
        return messages_in->ask(other, across, each * GPU_BLOCK_NODES);
    return ((other - 1) % each * GPU_BLOCK_NODES + iso_part_slot(across, 0)) | iso_part_stride(across) << 16;
}

/** All words, by the CTA that sends them. `next`: (ctas) zeros. */
template <typename real>
void iso_resident_sends(uint32_t ctas, uint32_t each, struct iso_resident_tables *tables, uint32_t *next)
{
    constexpr uint32_t VALUES = word_values<real>();
    const auto sender = [each](const struct iso_message &message) { return (message.block - 1) / each; };
    for (uint32_t m = 0; m < tables->message_first[ctas]; ++m)
        tables->send_first[sender(tables->message[m]) + 1] +=
            iso_part_values(tables->message[m].part) / VALUES;
    for (uint32_t c = 0; c < ctas; ++c) {
        tables->send_first[c + 1] += tables->send_first[c];
        next[c] = tables->send_first[c];
    }
    for (uint32_t c = 0; c < ctas; ++c)
        for (uint32_t m = tables->message_first[c]; m < tables->message_first[c + 1]; ++m) {
            const struct iso_message &message = tables->message[m];
            const uint32_t own = (message.block - 1) % each * GPU_BLOCK_NODES;
            for (uint32_t i = 0; i < iso_part_values(message.part); i += VALUES) {
                const uint32_t slot = iso_part_slot(message.part, i),
                               beside = VALUES == 2 ? iso_part_slot(message.part, i + 1) - slot : 0;
                tables->send[next[sender(message)]++] = {(own + slot) | beside << 16,
                                                         tables->word_first[c] + (message.at + i) / VALUES};
            }
        }
}

/** Plan a room for so many SMs of so much shared memory: fills in `tables`, to be freed by the caller also
 * after a failure, and members of `out` other than pointers and walls. `planes` of values an entry of walls
 * with states, 0 without. *fits: whether it is possible.
 * FAILURE_CAPACITY. */
template <typename real>
int iso_resident_plan(const struct block_grid *grid, uint32_t planes, uint32_t sms, size_t shared_most,
                      struct iso_resident_tables *tables, gpu_iso_resident<real> *out, bool *fits,
                      struct failure *failure)
{
    const uint32_t each = (grid->blocks + sms - 1) / sms, ctas = (grid->blocks + each - 1) / each;
    *fits = false;
    if (each > RESIDENT_BLOCKS || grid->extra_nodes > 0 || grid->walls > ISO_RESIDENT_ENTRY)
        return 0;
    const auto numbers = [ctas] { return static_cast<uint32_t *>(std::calloc(ctas + 1, sizeof(uint32_t))); };
    const size_t messages = (size_t)grid->blocks * 18,
                 words = (size_t)grid->blocks * 480 / word_values<real>();
    tables->block = static_cast<struct iso_resident_block *>(
        std::calloc((size_t)grid->blocks, sizeof(struct iso_resident_block)));
    tables->cut = static_cast<struct iso_resident_cut *>(
        std::calloc((size_t)grid->cuts + 1, sizeof(struct iso_resident_cut)));
    tables->message = static_cast<struct iso_message *>(std::calloc(messages, sizeof(struct iso_message)));
    tables->send =
        static_cast<struct iso_resident_send *>(std::calloc(words, sizeof(struct iso_resident_send)));
    tables->cut_first = numbers();
    tables->entry_first = numbers();
    tables->send_first = numbers();
    tables->word_first = numbers();
    tables->message_first = numbers();
    uint32_t *const next = numbers();
    if (tables->block == nullptr || tables->cut == nullptr || tables->message == nullptr ||
        tables->send == nullptr || tables->cut_first == nullptr || tables->entry_first == nullptr ||
        tables->send_first == nullptr || tables->word_first == nullptr || tables->message_first == nullptr ||
        next == nullptr) {
        std::free(next);
        return failure_memory(failure, messages * sizeof(struct iso_message),
                              "a room that stays on the chip");
    }
    uint32_t most = 0, groups = 0;
    uint64_t wall = 0;
    for (uint32_t c = 0; c < ctas; ++c) {
        const uint32_t first = c * each + 1, past = std::min(first + each, grid->blocks + 1);
        iso_messages messages_in(tables->message, tables->message_first[c]);
        for (uint32_t id = first; id < past; ++id)
            for (uint32_t face = 0; face < 6; ++face)
                tables->block[id - 1].from[face] = iso_resident_from(grid, id, face, each, &messages_in);
        for (uint32_t id = first; id < past; ++id)
            for (uint32_t edge = 6; edge < 18; ++edge)
                tables->block[id - 1].from[edge] = iso_resident_from(grid, id, edge, each, &messages_in);
        tables->message_first[c + 1] = messages_in.count();
        tables->word_first[c + 1] = tables->word_first[c] + messages_in.values() / word_values<real>();
        tables->cut_first[c + 1] = (uint32_t)grid->cut_first[past];
        tables->entry_first[c + 1] = (uint32_t)grid->wall_first[past];
        most = std::max(most, messages_in.values());
        const uint32_t start = tables->entry_first[c] / GPU_ENTRIES * GPU_ENTRIES;
        groups = std::max(groups, (tables->entry_first[c + 1] - start + GPU_ENTRIES - 1) / GPU_ENTRIES);
        for (uint32_t id = first; id < past; ++id) {
            struct iso_resident_block &block = tables->block[id - 1];
            block.tile = grid->block[id].tile;
            iso_resident_cuts(grid, id, id - first, block, planes > 0 ? start : RESIDENT_NONE, tables, &wall);
        }
    }
    iso_resident_sends<real>(ctas, each, tables, next);
    std::free(next);
    out->words = tables->word_first[ctas];
    out->ctas = ctas;
    out->blocks_each = each;
    out->blocks = grid->blocks;
    out->level_values = each * GPU_BLOCK_NODES + most;
    out->state_bytes = (size_t)groups * planes * GPU_ENTRIES * sizeof(real);
    out->shared_bytes = 2 * (size_t)out->level_values * sizeof(real) + out->state_bytes +
                        RESIDENT_ROUNDS * RESIDENT_THREADS * sizeof(struct iso_resident_lane);
    *fits = out->shared_bytes <= shared_most;
    return 0;
}

#endif
