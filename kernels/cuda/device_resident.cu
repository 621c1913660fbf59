#include "kernels/cuda/device_resident.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "kernels/cuda/base/device_check.h"
#include "kernels/cuda/device_iso_plan.cuh"

#define PURPOSE     "a room that stays on the chip"
#define TAPS_MOST   (1u << 24) /* nodes of all receivers, as often as they read them */
#define VALUES_MOST 65536u     /* that receivers read: 128 MB a batch of 512 steps */

/* ---- topology ------------------------------------------------------------------------------------------ */

/* `arrays` and the messages to the device. */
static int send_plan(struct device_resident *out, device_arrays *arrays, uint64_t mail_bytes,
                     struct failure *failure)
{
    arrays->add(&out->mail, nullptr, std::max<uint64_t>(mail_bytes / sizeof *out->mail, 1));
    TRY(arrays->make(PURPOSE, &out->memory, &out->bytes, failure));
    DEVICE_TRY(cudaMemset(out->mail, 0, mail_bytes), PURPOSE, failure);
    out->mail_bytes = mail_bytes;
    out->tag = 1;
    return 0;
}

static int send_topology(struct device_resident *out, const struct resident_block *block,
                         const uint32_t *first, struct failure *failure)
{
    gpu_resident<float> &room = out->room;
    device_arrays arrays;
    arrays.add(&room.block, block, (uint64_t)room.ctas * room.blocks_each);
    arrays.add(&room.message_first, first, room.ctas + 1);
    TRY(send_plan(out, &arrays, (uint64_t)2 * room.messages * message_words<float>() * sizeof(uint4),
                  failure));
    room.mail = out->mail;
    return 0;
}

static int send_iso_topology(struct device_resident *out, const struct iso_resident_tables &tables,
                             struct failure *failure)
{
    gpu_iso_resident<float> &room = out->iso;
    device_arrays arrays;
    arrays.add(&room.block, tables.block, room.blocks);
    arrays.add(&room.cut, tables.cut, tables.cut_first[room.ctas]);
    arrays.add(&room.send, tables.send, tables.send_first[room.ctas]);
    arrays.add(&room.cut_first, tables.cut_first, room.ctas + 1);
    arrays.add(&room.entry_first, tables.entry_first, room.ctas + 1);
    arrays.add(&room.send_first, tables.send_first, room.ctas + 1);
    arrays.add(&room.word_first, tables.word_first, room.ctas + 1);
    TRY(send_plan(out, &arrays, (uint64_t)2 * room.words * sizeof(uint4), failure));
    room.mail = out->mail;
    return 0;
}

/* Without memory for this the room is stepped by lanes: no failure. */
static int unless_short(int code, struct failure *failure)
{
    if (code != FAILURE_CAPACITY)
        return code;
    if (failure != nullptr)
        *failure = {};
    return 0;
}

/* Can a room of so many blocks stay on the chip? Also finds the shared memory of a CTA. */
static int may_stay(const struct device *device, const struct block_grid *grid, int *shared, bool *may,
                    struct failure *failure)
{
    int cooperative = 0;
    DEVICE_TRY(cudaDeviceGetAttribute(shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), PURPOSE, failure);
    DEVICE_TRY(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0), PURPOSE, failure);
    *may = cooperative != 0 && grid->blocks <= (uint64_t)device->processors * RESIDENT_BLOCKS;
    return 0;
}

/* The part of the plan that is kept for either scheme. */
template <class room_type>
static void keep_plan(struct device_resident *out, const room_type &room, int shared, bool fits)
{
    out->ctas = room.ctas;
    out->blocks_each = room.blocks_each;
    out->shared_bytes = room.shared_bytes;
    out->shared_most = (uint64_t)shared;
    out->fits = fits;
}

int device_resident_make(const struct device *device, const struct block_grid *grid,
                         const gpu_room<float> &room, struct device_resident *out, struct failure *failure)
{
    const uint32_t sms = (uint32_t)device->processors;
    int shared = 0;
    bool may = false;
    *out = {};
    TRY(may_stay(device, grid, &shared, &may, failure));
    if (!may)
        return 0;
    const size_t blocks = (size_t)sms * RESIDENT_BLOCKS;
    struct resident_block *const block =
        static_cast<struct resident_block *>(std::malloc(blocks * sizeof *block));
    uint32_t *const first = static_cast<uint32_t *>(std::calloc((size_t)sms + 1, sizeof *first));
    int code =
        block == nullptr || first == nullptr ? failure_memory(failure, blocks * sizeof *block, PURPOSE) : 0;
    if (code == 0 && resident_plan(grid, sms, (size_t)shared, block, first, &out->room)) {
        code = send_topology(out, block, first, failure);
        out->room.room = room;
        keep_plan(out, out->room, shared, code == 0);
    }
    std::free(block);
    std::free(first);
    if (code != 0)
        device_resident_free(out);
    return unless_short(code, failure);
}

int device_resident_make_iso(const struct device *device, const struct block_grid *grid,
                             const gpu_iso<float> &room, const gpu_walls<float> &walls,
                             struct device_resident *out, struct failure *failure)
{
    int shared = 0;
    bool may = false, fits = false;
    *out = {};
    TRY(may_stay(device, grid, &shared, &may, failure));
    if (!may)
        return 0;
    struct iso_resident_tables tables = {};
    int code = iso_resident_plan(grid, walls.planes(), (uint32_t)device->processors, (size_t)shared, &tables,
                                 &out->iso, &fits, failure);
    if (code == 0 && fits) {
        code = send_iso_topology(out, tables, failure);
        out->iso.room = room;
        out->iso.walls = walls;
        out->isotropic = true;
        keep_plan(out, out->iso, shared, code == 0);
    }
    iso_resident_tables_free(&tables);
    if (code != 0)
        device_resident_free(out);
    return unless_short(code, failure);
}

void device_resident_free(struct device_resident *resident)
{
    (void)cudaFree(resident->memory);
    (void)cudaFree(resident->sampled);
    *resident = {};
}

/* ---- sources and receivers ----------------------------------------------------------------------------- */

/* Host arrays while the tables are made. */
struct resident_tables {
    uint32_t *sampled_first, *source_first, *first, *sampled, *place;
    double *weight;
    struct resident_source *source;
    uint32_t values, taps, sources; /* nodes that receivers read; as often as they do; nodes of sources */
};

static void free_tables(struct resident_tables *tables)
{
    std::free(tables->sampled_first);
    std::free(tables->source_first);
    std::free(tables->first);
    std::free(tables->sampled);
    std::free(tables->place);
    std::free(tables->weight);
    std::free(tables->source);
}

template <typename item> static item *allocate_items(size_t count)
{
    return static_cast<item *>(std::calloc(count + 1, sizeof(item)));
}

/* A node's CTA and its place there. */
struct resident_node {
    uint32_t cta, local, slot;
};

static struct resident_node find_node(const struct device_resident &room, uint64_t index)
{
    const uint32_t block = (uint32_t)(index / BLOCK_NODES) - 1;
    return {block / room.blocks_each, block % room.blocks_each, (uint32_t)(index % BLOCK_NODES)};
}

/* Place of a node in a step: its thread and value there, or its place in the CTA's values. */
static uint32_t place_of(const struct device_resident &room, const struct resident_node &node)
{
    if (room.isotropic)
        return node.local * BLOCK_NODES + node.slot;
    const uint32_t round = node.local / RESIDENT_GROUPS, group = node.local % RESIDENT_GROUPS;
    return ((group * 128 + node.slot / 4) * RESIDENT_ROUNDS + round) * 4 + node.slot % 4;
}

/* Count per CTA into first[cta + 1], then where each CTA starts. */
static void count_ctas(const struct device_resident &room, uint64_t taps, const struct engine_tap *tap,
                       uint32_t *first)
{
    for (uint64_t t = 0; t < taps; ++t)
        for (unsigned k = 0; k < tap[t].count; ++k)
            ++first[find_node(room, tap[t].index[k]).cta + 1];
    for (uint32_t c = 0; c < room.ctas; ++c)
        first[c + 1] += first[c];
}

/* A node of a receiver, in the list of all. */
struct resident_tap {
    uint32_t cta, from, number;
};

/* Every node that receivers read once, by CTA. */
static void list_sampled(const struct device_resident &room, struct resident_tap *tap,
                         struct resident_tables *tables)
{
    std::sort(tap, tap + tables->taps, [](const struct resident_tap &a, const struct resident_tap &b) {
        return a.cta != b.cta ? a.cta < b.cta : a.from < b.from;
    });
    for (uint32_t t = 0; t < tables->taps; ++t) {
        if (t == 0 || tap[t].cta != tap[t - 1].cta || tap[t].from != tap[t - 1].from) {
            tables->sampled[tables->values++] = tap[t].from;
            ++tables->sampled_first[tap[t].cta + 1];
        }
        tables->place[tap[t].number] = tables->values - 1;
    }
    for (uint32_t c = 0; c < room.ctas; ++c)
        tables->sampled_first[c + 1] += tables->sampled_first[c];
}

static int make_tables(const struct device_resident &room, uint64_t sources, const struct engine_tap *source,
                       uint64_t receivers, const struct engine_tap *receiver, struct resident_tables *tables,
                       struct failure *failure)
{
    tables->sampled_first = allocate_items<uint32_t>(room.ctas + 1);
    tables->source_first = allocate_items<uint32_t>(room.ctas + 1);
    tables->first = allocate_items<uint32_t>(receivers + 1);
    tables->sampled = allocate_items<uint32_t>(tables->taps);
    tables->place = allocate_items<uint32_t>(tables->taps);
    tables->weight = allocate_items<double>(tables->taps);
    tables->source = allocate_items<struct resident_source>(tables->sources);
    struct resident_tap *const tap = allocate_items<struct resident_tap>(tables->taps);
    uint32_t *const next = allocate_items<uint32_t>(room.ctas + 1);
    if (tables->sampled_first == nullptr || tables->source_first == nullptr || tables->first == nullptr ||
        tables->sampled == nullptr || tables->place == nullptr || tables->weight == nullptr ||
        tables->source == nullptr || tap == nullptr || next == nullptr) {
        std::free(tap);
        std::free(next);
        return failure_memory(failure, (unsigned long long)tables->taps * 28 + tables->sources * 16ull,
                              "sources and receivers");
    }
    uint32_t taps = 0;
    for (uint64_t r = 0; r < receivers; ++r) {
        tables->first[r] = taps;
        for (unsigned k = 0; k < receiver[r].count; ++k, ++taps) {
            const struct resident_node node = find_node(room, receiver[r].index[k]);
            tables->weight[taps] = receiver[r].weight[k];
            tap[taps] = {node.cta, node.local * BLOCK_NODES + node.slot, taps};
        }
    }
    tables->first[receivers] = taps;
    list_sampled(room, tap, tables);
    std::free(tap);
    count_ctas(room, sources, source, tables->source_first);
    std::copy(tables->source_first, tables->source_first + room.ctas, next);
    for (uint64_t s = 0; s < sources; ++s)
        for (unsigned k = 0; k < source[s].count; ++k) {
            const struct resident_node node = find_node(room, source[s].index[k]);
            tables->source[next[node.cta]++] = {source[s].weight[k], (uint32_t)s, place_of(room, node)};
        }
    for (uint32_t c = 0; c < room.ctas; ++c)
        std::stable_sort(tables->source + tables->source_first[c],
                         tables->source + tables->source_first[c + 1],
                         [](const struct resident_source &a, const struct resident_source &b) {
                             return a.place < b.place;
                         });
    std::free(next);
    return 0;
}

static int send_tables(struct device_resident *resident, const struct resident_tables *tables,
                       const struct device_taps *taps, struct failure *failure)
{
    resident_taps<float> &out = resident->taps;
    device_arrays arrays;
    arrays.add(&out.sampled_first, tables->sampled_first, resident->ctas + 1);
    arrays.add(&out.source_first, tables->source_first, resident->ctas + 1);
    arrays.add(&resident->first, tables->first, taps->receivers + 1);
    arrays.add(&out.sampled, tables->sampled, tables->values);
    arrays.add(&resident->place, tables->place, tables->taps);
    arrays.add(&resident->weight, tables->weight, tables->taps);
    arrays.add(&out.source, tables->source, tables->sources);
    arrays.add(&out.value, nullptr, (uint64_t)tables->values * taps->batch + 1);
    TRY(arrays.make("sources and receivers", &resident->sampled, &resident->sampled_bytes, failure));
    out.values = tables->values;
    out.drive = taps_of<float>(*taps, 0).drive;
    out.batch = taps->batch;
    resident->receivers = (uint32_t)taps->receivers;
    return 0;
}

int device_resident_set_taps(struct device_resident *resident, const struct device_taps *taps,
                             uint64_t sources, const struct engine_tap *source, uint64_t receivers,
                             const struct engine_tap *receiver, struct failure *failure)
{
    struct resident_tables tables = {};
    (void)cudaFree(resident->sampled);
    resident->sampled = nullptr;
    resident->sampled_bytes = 0;
    resident->taps_fit = false;
    uint64_t count = 0;
    for (uint64_t r = 0; r < receivers; ++r)
        count += receiver[r].count;
    if (count > TAPS_MOST)
        return 0;
    tables.taps = (uint32_t)count;
    tables.sources = (uint32_t)taps->source_nodes;
    int code = make_tables(*resident, sources, source, receivers, receiver, &tables, failure);
    uint32_t most = 0;
    for (uint32_t c = 0; code == 0 && c < resident->ctas; ++c)
        most = std::max(most, tables.source_first[c + 1] - tables.source_first[c]);
    resident->source_bytes = most * sizeof(float);
    const bool fits = tables.values <= VALUES_MOST &&
                      resident->shared_bytes + resident->source_bytes <= resident->shared_most;
    if (code == 0 && fits)
        code = send_tables(resident, &tables, taps, failure);
    free_tables(&tables);
    resident->taps_fit = code == 0 && fits;
    return unless_short(code, failure);
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

int device_resident_run(struct device_resident *resident, const struct device_taps *taps, float *u,
                        float *u_old, uint32_t steps, cudaStream_t stream, struct failure *failure)
{
    /* Words of the last two steps must never look like those of a later step. */
    if (resident->tag > UINT32_MAX - steps - 2) {
        DEVICE_TRY(cudaMemsetAsync(resident->mail, 0, resident->mail_bytes, stream), "messages", failure);
        resident->tag = 1;
    }
    const auto step = [&](const auto &kernel, const auto &room) {
        return kernel(room, resident->taps, resident->source_bytes, u, u_old, steps, resident->tag, stream);
    };
    DEVICE_TRY(resident->isotropic ? step(step_iso_resident<float, resident_taps<float>>, resident->iso)
                                   : step(step_resident<float, resident_taps<float>>, resident->room),
               "a batch of steps", failure);
    resident->tag += steps;
    if (resident->receivers == 0)
        return 0;
    const uint64_t warps = (uint64_t)resident->receivers * ((steps + 31) / 32);
    resident_sum_kernel<float><<<(unsigned)((warps + RESIDENT_SUM_WARPS - 1) / RESIDENT_SUM_WARPS),
                                 32 * RESIDENT_SUM_WARPS, 0, stream>>>(
        resident->taps.value, resident->taps.values, resident->first, resident->place, resident->weight,
        resident->receivers, steps, taps->batch, taps_of<float>(*taps, 0).output);
    DEVICE_TRY(cudaGetLastError(), "samples", failure);
    return 0;
}
