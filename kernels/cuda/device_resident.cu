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

static int send_topology(struct device_resident *out, const struct resident_block *block,
                         const uint32_t *first, struct failure *failure)
{
    gpu_resident<float> &room = out->room;
    const size_t blocks = (size_t)room.ctas * room.blocks_each;
    const size_t mail_bytes = (size_t)2 * room.messages * message_words<float>() * sizeof(uint4);
    uint64_t bytes = 0;
    const uint64_t block_at = device_take(&bytes, blocks, sizeof *block),
                   first_at = device_take(&bytes, room.ctas + 1, sizeof *first),
                   mail_at = device_take(&bytes, std::max<uint64_t>(mail_bytes, 1), 1);
    DEVICE_TRY(cudaMalloc(&out->memory, bytes), PURPOSE, failure);
    out->bytes = bytes;
    room.block = reinterpret_cast<struct resident_block *>(out->memory + block_at);
    room.message_first = reinterpret_cast<uint32_t *>(out->memory + first_at);
    room.mail = out->mail = reinterpret_cast<uint4 *>(out->memory + mail_at);
    DEVICE_TRY(cudaMemcpy(out->memory + block_at, block, blocks * sizeof *block, cudaMemcpyHostToDevice),
               PURPOSE, failure);
    DEVICE_TRY(
        cudaMemcpy(out->memory + first_at, first, (room.ctas + 1) * sizeof *first, cudaMemcpyHostToDevice),
        PURPOSE, failure);
    DEVICE_TRY(cudaMemset(room.mail, 0, mail_bytes), PURPOSE, failure);
    out->mail_bytes = mail_bytes;
    out->tag = 1;
    return 0;
}

static int send_iso_topology(struct device_resident *out, const struct iso_resident_tables &tables,
                             struct failure *failure)
{
    gpu_iso_resident<float> &room = out->iso;
    const uint32_t cuts = tables.cut_first[room.ctas], sends = tables.send_first[room.ctas];
    out->mail_bytes = (uint64_t)2 * room.words * sizeof(uint4);
    uint64_t bytes = 0, at[6];
    const struct {
        const void *from;
        uint64_t size;
    } part[] = {{tables.block, (uint64_t)room.blocks * sizeof *tables.block},
                {tables.cut, cuts * sizeof *tables.cut},
                {tables.send, sends * sizeof *tables.send},
                {tables.cut_first, (room.ctas + 1) * sizeof *tables.cut_first},
                {tables.send_first, (room.ctas + 1) * sizeof *tables.send_first},
                {tables.word_first, (room.ctas + 1) * sizeof *tables.word_first}};
    for (size_t i = 0; i < std::size(part); ++i)
        at[i] = device_take(&bytes, part[i].size, 1);
    const uint64_t mail_at = device_take(&bytes, std::max<uint64_t>(out->mail_bytes, 1), 1);
    DEVICE_TRY(cudaMalloc(&out->memory, bytes), PURPOSE, failure);
    out->bytes = bytes;
    for (size_t i = 0; i < std::size(part); ++i)
        DEVICE_TRY(cudaMemcpy(out->memory + at[i], part[i].from, part[i].size, cudaMemcpyHostToDevice),
                   PURPOSE, failure);
    room.block = reinterpret_cast<struct iso_resident_block *>(out->memory + at[0]);
    room.cut = reinterpret_cast<struct iso_resident_cut *>(out->memory + at[1]);
    room.send = reinterpret_cast<struct iso_resident_send *>(out->memory + at[2]);
    room.cut_first = reinterpret_cast<uint32_t *>(out->memory + at[3]);
    room.send_first = reinterpret_cast<uint32_t *>(out->memory + at[4]);
    room.word_first = reinterpret_cast<uint32_t *>(out->memory + at[5]);
    room.mail = out->mail = reinterpret_cast<uint4 *>(out->memory + mail_at);
    DEVICE_TRY(cudaMemset(room.mail, 0, out->mail_bytes), PURPOSE, failure);
    out->tag = 1;
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

/* May a room of so many blocks stay at all? With how much shared memory a CTA has. */
static int may_stay(const struct device *device, const struct block_grid *grid, int *shared, bool *may,
                    struct failure *failure)
{
    int cooperative = 0;
    DEVICE_TRY(cudaDeviceGetAttribute(shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), PURPOSE, failure);
    DEVICE_TRY(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0), PURPOSE, failure);
    *may = cooperative != 0 && grid->blocks <= (uint64_t)device->processors * RESIDENT_BLOCKS;
    return 0;
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
        out->ctas = out->room.ctas;
        out->blocks_each = out->room.blocks_each;
        out->shared_bytes = out->room.shared_bytes;
        out->fits = code == 0;
        out->shared_most = (uint64_t)shared;
    }
    std::free(block);
    std::free(first);
    if (code != 0)
        device_resident_free(out);
    return unless_short(code, failure);
}

int device_resident_make_iso(const struct device *device, const struct block_grid *grid,
                             const gpu_iso<float> &room, struct device_resident *out, struct failure *failure)
{
    int shared = 0;
    bool may = false, fits = false;
    *out = {};
    TRY(may_stay(device, grid, &shared, &may, failure));
    if (!may)
        return 0;
    struct iso_resident_tables tables = {};
    int code = iso_resident_plan(grid, (uint32_t)device->processors, (size_t)shared, &tables, &out->iso,
                                 &fits, failure);
    if (code == 0 && fits) {
        code = send_iso_topology(out, tables, failure);
        out->iso.room = room;
        out->isotropic = true;
        out->ctas = out->iso.ctas;
        out->blocks_each = out->iso.blocks_each;
        out->shared_bytes = out->iso.shared_bytes;
        out->fits = code == 0;
        out->shared_most = (uint64_t)shared;
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

template <typename item> static item *items(size_t count)
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

/* Where a step looks for a node: its thread and value there, or its place in the CTA's values. */
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
    tables->sampled_first = items<uint32_t>(room.ctas + 1);
    tables->source_first = items<uint32_t>(room.ctas + 1);
    tables->first = items<uint32_t>(receivers + 1);
    tables->sampled = items<uint32_t>(tables->taps);
    tables->place = items<uint32_t>(tables->taps);
    tables->weight = items<double>(tables->taps);
    tables->source = items<struct resident_source>(tables->sources);
    struct resident_tap *const tap = items<struct resident_tap>(tables->taps);
    uint32_t *const next = items<uint32_t>(room.ctas + 1);
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
    const uint32_t ctas = resident->ctas;
    uint64_t bytes = 0;
    const uint64_t sampled_first = device_take(&bytes, ctas + 1, sizeof(uint32_t)),
                   source_first = device_take(&bytes, ctas + 1, sizeof(uint32_t)),
                   first = device_take(&bytes, taps->receivers + 1, sizeof(uint32_t)),
                   sampled = device_take(&bytes, tables->values + 1, sizeof(uint32_t)),
                   place = device_take(&bytes, tables->taps + 1, sizeof(uint32_t)),
                   weight = device_take(&bytes, tables->taps + 1, sizeof(double)),
                   source = device_take(&bytes, tables->sources + 1, sizeof(struct resident_source)),
                   value = device_take(&bytes, (uint64_t)tables->values * taps->batch + 1, sizeof(float));
    DEVICE_TRY(cudaMalloc(&resident->sampled, bytes), "sources and receivers", failure);
    resident->sampled_bytes = bytes;
    const auto at = [resident](uint64_t offset) { return static_cast<void *>(resident->sampled + offset); };
    const auto send = [&](uint64_t to, const void *from, size_t size) {
        return cudaMemcpy(at(to), from, size, cudaMemcpyHostToDevice);
    };
    DEVICE_TRY(send(sampled_first, tables->sampled_first, (ctas + 1) * sizeof(uint32_t)), "receivers",
               failure);
    DEVICE_TRY(send(source_first, tables->source_first, (ctas + 1) * sizeof(uint32_t)), "sources", failure);
    DEVICE_TRY(send(first, tables->first, (taps->receivers + 1) * sizeof(uint32_t)), "receivers", failure);
    DEVICE_TRY(send(sampled, tables->sampled, tables->values * sizeof(uint32_t)), "receivers", failure);
    DEVICE_TRY(send(place, tables->place, tables->taps * sizeof(uint32_t)), "receivers", failure);
    DEVICE_TRY(send(weight, tables->weight, tables->taps * sizeof(double)), "receivers", failure);
    DEVICE_TRY(send(source, tables->source, tables->sources * sizeof(struct resident_source)), "sources",
               failure);
    resident_taps<float> &out = resident->taps;
    out.sampled_first = static_cast<const uint32_t *>(at(sampled_first));
    out.sampled = static_cast<const uint32_t *>(at(sampled));
    out.value = static_cast<float *>(at(value));
    out.values = tables->values;
    out.source_first = static_cast<const uint32_t *>(at(source_first));
    out.source = static_cast<const struct resident_source *>(at(source));
    out.drive = taps_of<float>(*taps, 0).drive;
    out.batch = taps->batch;
    resident->first = static_cast<const uint32_t *>(at(first));
    resident->place = static_cast<const uint32_t *>(at(place));
    resident->weight = static_cast<const double *>(at(weight));
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
    /* Words of the last two steps must never look like those of a step to come. */
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
