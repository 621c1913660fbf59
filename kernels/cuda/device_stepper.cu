/* The engine behind device_engine.h, in either precision. */
#include <algorithm>
#include <cstdio>
#include <new>

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_graphs.cuh"
#include "kernels/cuda/device_port.h"
#include "kernels/cuda/step/gpu_ports.cuh"
#include "kernels/cuda/monitor/device_monitor.h"
#include "kernels/cuda/device_resident.h"
#include "kernels/cuda/device_halo.h"
#include "kernels/cuda/device_iso.cuh"
#include "kernels/cuda/device_rooms.cuh"
#include "kernels/cuda/device_taps.h"
#include "kernels/cuda/device_values.h"
#include "kernels/cuda/step/step_blocks.cuh"
#include "kernels/cuda/step/step_cached_blocks.cuh"
#include "kernels/cuda/step/step_iso_blocks.cuh"

/* Methods of an engine as functions of device_ops, called with its card as the thread's. */
template <class method> struct on_card;
template <class engine, class result, class... types> struct on_card<result (engine::*)(types...)> {
    template <result (engine::*METHOD)(types...)> static result call(device_engine *device, types... given)
    {
        (void)cudaSetDevice((int)device->card);
        return (static_cast<engine *>(device)->*METHOD)(given...);
    }
};
template <class engine, class result, class... types> struct on_card<result (engine::*)(types...) const> {
    template <result (engine::*METHOD)(types...) const>
    static result call(const device_engine *device, types... given)
    {
        return (static_cast<const engine *>(device)->*METHOD)(given...);
    }
};

template <typename real> struct engine_on_device final : device_engine {
    explicit engine_on_device(const struct device_request &request)
        : blocks(request.room->blocks), box(request.room->box), walls(request.room->walls),
          lambda2(request.room->lambda2), host_length(request.length)
    {
        static const device_ops all = make_ops();
        ops = &all;
        card = request.card;
    }
    ~engine_on_device()
    {
        graphs.drop();
        device_resident_free(&resident);
        device_taps_free(&taps);
        device_halo_free(&halo);
        device_copy_free(&second);
        if (stream != nullptr)
            (void)cudaStreamDestroy(stream);
        (void)cudaFree(memory);
    }

    static device_ops make_ops()
    {
        device_ops all = {};
        all.free = [](device_engine *device) {
            (void)cudaSetDevice((int)device->card);
            delete static_cast<engine_on_device *>(device);
        };
#define HAS(name)                                                                                            \
    all.name = on_card<decltype(&engine_on_device::name)>::template call<&engine_on_device::name>
        HAS(set_taps);
        HAS(run);
        HAS(reset);
        HAS(read);
        HAS(write);
        HAS(read_part);
        HAS(write_part);
        HAS(measure);
        HAS(energy);
        HAS(hash);
        HAS(fill);
        HAS(wall_energy);
        HAS(add_absorbed);
        HAS(read_states);
        HAS(read_states_part);
        HAS(take_losses);
        HAS(read_entries);
        HAS(write_entries);
        HAS(copy);
        HAS(read_copied_part);
        HAS(read_copied_entries);
        HAS(set_sheets);
        HAS(read_sheets);
        HAS(write_sheets);
        HAS(forget_sheet_losses);
        HAS(set_layer);
        HAS(move_layer);
        HAS(set_port);
        HAS(join);
        HAS(exchange);
        HAS(bytes);
        HAS(port);
#undef HAS
        return all;
    }

    int create(const struct device &device, const real *wall_q, struct failure *failure);
    int set_taps(size_t sources, const struct engine_tap *source, size_t receivers,
                 const struct engine_tap *receiver, struct failure *failure);
    int run(uint64_t steps, const double *drive, double *output, struct failure *failure);
    int reset(struct failure *failure);
    int read(int which, void *host, struct failure *failure)
    {
        const struct device_values form = values();
        return device_values_read(&form, level(which), host, failure);
    }
    int write(int which, const void *host, struct failure *failure)
    {
        const struct device_values form = values();
        return device_values_write(&form, level(which), host, failure);
    }
    int read_part(int which, uint64_t first, uint64_t count, void *host, struct failure *failure)
    {
        const struct device_values form = values();
        return device_values_read_part(&form, level(which), first, count, host, failure);
    }
    int write_part(int which, uint64_t first, uint64_t count, const void *host, struct failure *failure)
    {
        const struct device_values form = values();
        return device_values_write_part(&form, level(which), first, count, host, failure);
    }
    int measure(struct engine_partial *found, struct failure *failure)
    {
        return device_measure(field(), found, failure);
    }
    int energy(double *energy, struct failure *failure)
    {
        return device_energy(field(), energy, failure);
    }
    int hash(uint64_t *hash, struct failure *failure)
    {
        return device_hash(field(), hash, failure);
    }
    int fill(uint64_t seed, struct failure *failure)
    {
        TRY(reset(failure));
        return device_fill(field(), seed, failure);
    }
    int wall_energy(const struct wall_terms *terms, double courant, bool inertance, double *energy,
                    struct failure *failure)
    {
        const struct device_wall_terms all = wall_terms_of(terms, courant, inertance);
        return device_wall_energy(device_walls_of<real>(layout, *walls, memory), all, stream, energy,
                                  failure);
    }
    int add_absorbed(const struct wall_terms *terms, double courant, double *absorbed,
                     struct failure *failure)
    {
        const struct device_wall_terms all = wall_terms_of(terms, courant, false);
        return device_wall_losses(device_walls_of<real>(layout, *walls, memory), all, walls->materials + 1u,
                                  stream, absorbed, failure);
    }
    int read_states(void *state, struct failure *failure)
    {
        return read_states_part(0, entries(), state, walls->stride, failure);
    }
    int read_states_part(uint64_t first, uint64_t count, void *state, uint64_t stride,
                         struct failure *failure)
    {
        return ::read_states(*walls, first, count, sizeof(real), layout, memory, state, stride, failure);
    }
    int take_losses(void *loss, struct failure *failure)
    {
        return ::take_losses(entries(), sizeof(real), layout, memory, loss, failure);
    }
    int read_entries(uint64_t first, uint64_t count, void *host, struct failure *failure)
    {
        return ::read_entries(*walls, first, count, sizeof(real), layout, memory, host, failure);
    }
    int write_entries(uint64_t first, uint64_t count, const void *host, struct failure *failure)
    {
        return ::write_entries(*walls, first, count, sizeof(real), layout, memory, host, failure);
    }
    int copy(bool *made, struct failure *failure);
    int read_copied_part(int which, uint64_t first, uint64_t count, void *host, struct failure *failure)
    {
        return device_copy_read(&second, which * level_bytes() + first * sizeof(real), count * sizeof(real),
                                host, failure);
    }
    int read_copied_entries(uint64_t first, uint64_t count, void *host, struct failure *failure);
    uint64_t bytes() const
    {
        return layout.bytes + taps.bytes + resident.bytes + resident.sampled_bytes + halo.bytes +
               sheets.bytes + open.bytes;
    }
    int set_layer(const struct engine_layer *host, struct failure *failure)
    {
        graphs.drop();
        return open.make(*host, layout, box, failure);
    }
    int move_layer(void *state, void *loss, bool write, struct failure *failure)
    {
        return open.move(state, loss, write, stream, failure);
    }
    int set_sheets(const struct engine_sheets *host, struct failure *failure)
    {
        graphs.drop();
        return sheets.make(*host, layout, box, failure);
    }
    int read_sheets(double (*out)[5], struct failure *failure)
    {
        return sheets.read(level(0), level(1), out, stream, failure);
    }
    int write_sheets(const double (*in)[3], struct failure *failure)
    {
        return sheets.write(in, failure);
    }
    int forget_sheet_losses(struct failure *failure)
    {
        return sheets.forget_losses(failure);
    }
    int set_port(uint64_t count, const uint64_t *index, void (*exchange)(void *, const double *, double *),
                 void *context, struct failure *failure);
    int join(const struct engine_halo *with, struct failure *failure);
    int exchange(int which, struct failure *failure);
    void port(struct device_port *out) const
    {
        *out = {card, halo.stream, {halo.out[0], halo.out[1]}, halo.in};
    }

  private:
    uint64_t level_bytes() const
    {
        return layout.values * sizeof(real);
    }
    uint64_t states() const /* planes of `layout.entries` */
    {
        return walls != nullptr ? 2 * (uint64_t)walls->branches : 0;
    }
    uint64_t entries() const
    {
        return box != nullptr ? box->walls : blocks->walls;
    }
    struct device_wall_terms wall_terms_of(const struct wall_terms *terms, double courant,
                                           bool inertance) const
    {
        return {terms,
                walls->materials + 2u,
                courant,
                inertance,
                layout.has_records ? reinterpret_cast<const float *>(memory + layout.wall_gain) : nullptr,
                lambda2,
                block_gain_parts(blocks)};
    }
    struct device_room counts() const;
    int upload(const real *wall_q, struct failure *failure);
    void describe(const struct device &device);
    int make_resident(const struct device &device, struct failure *failure);
    /** Can a batch be stepped on the chip alone? */
    bool stays() const
    {
        return resident.fits && resident.taps_fit && halo.with == nullptr && ports == 0;
    }
    int run_resident(uint64_t steps, struct failure *failure);
    int run_steps(uint64_t steps, struct failure *failure);
    device_field<real> field() const;
    /** u (0) or u_old (1) at index 0 of the blocks, or at node (0,0,0) of the box. */
    real *level(int which) const
    {
        return reinterpret_cast<real *>(memory + layout.level[now ^ which]) + layout.origin;
    }
    gpu_room<real> block_room() const
    {
        return device_block_room<real>(layout, lambda2, memory);
    }
    gpu_box<real> box_room() const
    {
        return device_box_room<real>(layout, box, lambda2, memory);
    }
    cudaError_t step(uint32_t n);
    cudaError_t step_room(uint32_t n);
    cudaError_t step_isotropic(uint32_t n);
    template <class room_type> cudaError_t step_rows(const room_type &room, const gpu_taps<real> &tap);
    template <class room_type, class box_type>
    cudaError_t step_air(const room_type &room, const box_type &box_room, uint32_t n);
    template <class room_type, class box_type>
    cudaError_t step_in(const room_type &room, const box_type &box_room, uint32_t n);
    int run_ports(uint64_t steps, struct failure *failure);
    int run_parts(uint64_t steps, struct failure *failure);
    cudaError_t step_units(uint32_t n, bool surface);
    cudaError_t step_units_with_sheets(uint32_t n, bool surface);
    /** Those with states, or none. */
    gpu_walls<real> walls_there() const
    {
        return walls != nullptr ? device_walls_of<real>(layout, *walls, memory) : gpu_walls<real>{};
    }
    template <class room_type>
    cudaError_t step_unit_air(const room_type &room, const gpu_taps<real> &tap, bool surface);
    template <class room_type> cudaError_t step_unit_blocks(const room_type &room, const gpu_taps<real> &tap);
    cudaError_t step_graph();
    int run_batch(uint64_t steps, const double *drive, double *output, uint64_t stride,
                  struct failure *failure);
    struct device_values values() const
    {
        return {&layout, box, sizeof(real), host_length};
    }

    bool is_open() const
    {
        return std::any_of(blocks->layer, blocks->layer + DIRECTIONS,
                           [](uint8_t planes) { return planes > 0; });
    }

    const struct block_grid *blocks; /* borrowed, as box */
    const struct box_grid *box;
    const struct step_walls *walls; /* borrowed; NULL where they have no states */
    double lambda2;
    uint64_t host_length;
    struct device_layout layout = {};
    struct device_taps taps = {};
    struct device_sheets<real> sheets;
    struct device_layer<real> open; /* behind open faces */
    uint64_t ports = 0;             /* nodes of a port, and who is asked about them */
    device_memory<uint64_t> port_index;
    device_memory<double> port_value;
    std::vector<double> port_host;
    void (*port_exchange)(void *, const double *, double *) = nullptr;
    void *port_context = nullptr;
    struct device_resident resident = {}; /* few blocks in single precision */
    char *memory = nullptr;
    cudaStream_t stream = nullptr;
    step_graphs graphs;             /* by `now` at their start */
    struct device_copy second = {}; /* u, u_old, states, losses */
    struct device_halo halo = {};   /* of a part of a room, whose launch order starts with .. */
    uint32_t surface_slots = 0;     /* .. so many places of its surface */
    int now = 0;                    /* which level is u */
    bool overlap = false;           /* steps may start while the one before ends */
};

/* ---- creation ------------------------------------------------------------------------------------------ */

template <typename real> void engine_on_device<real>::describe(const struct device &device)
{
    static const char *const kernel[] = {"lanes", "march", "rows", "march"};
    (void)std::snprintf(name, sizeof name, "cuda %s %s", device.name,
                        resident.fits ? "resident" : kernel[layout.kernel]);
}

template <> int engine_on_device<float>::make_resident(const struct device &device, struct failure *failure)
{
    if (box != nullptr || walls != nullptr || blocks->ghosts > 0 || blocks->sheets > 0 || is_open())
        return 0;
    if (layout.isotropic)
        return device_resident_make_iso(&device, blocks, device_iso_room<float>(layout, lambda2, memory),
                                        &resident, failure);
    return blocks->has_records ? 0 : device_resident_make(&device, blocks, block_room(), &resident, failure);
}
/* In double it is no faster than lanes. */
template <> int engine_on_device<double>::make_resident(const struct device &, struct failure *)
{
    return 0;
}

/* What the code that runs here was compiled for: 900 is compute capability 9.0. A driver may have translated
 * it from an older one's. */
__global__ void code_kernel(int *version)
{
#ifdef __CUDA_ARCH__
    *version = __CUDA_ARCH__;
#endif
}

static int find_code(int *version, struct failure *failure)
{
    device_memory<int> there;
    TRY(there.allocate(1, "the device's memory", failure));
    code_kernel<<<1, 1>>>(there.data());
    DEVICE_TRY(cudaGetLastError(), "the device's memory", failure);
    DEVICE_TRY(cudaMemcpy(version, there.data(), sizeof *version, cudaMemcpyDeviceToHost),
               "the device's memory", failure);
    return 0;
}

template <typename real> struct device_room engine_on_device<real>::counts() const {
    struct device_room room = {};
    room.layout = box != nullptr ? LAYOUT_BOX : LAYOUT_BLOCKS;
    room.precision = sizeof(real) == sizeof(float) ? PRECISION_SINGLE : PRECISION_DOUBLE;
    room.blocks = (double)blocks->blocks;
    room.ghosts = box == nullptr ? (double)blocks->ghosts : 0.0;
    room.tiles = (double)blocks->tiles;
    room.wall_nodes = (double)(box != nullptr ? box->wall_nodes : blocks->wall_nodes);
    for (int a = 0; box != nullptr && a < 3; ++a)
        room.box_nodes[a] = (double)box->nodes[a];
    room.has_records = blocks->has_records;
    room.isotropic = blocks->isotropic;
    room.cuts = (double)blocks->cuts;
    room.linked_nodes = (double)blocks->extra_nodes;
    room.extra_links = (double)blocks->extra_links;
    if (walls != nullptr) {
        room.wall_entries = (double)std::max<uint64_t>(entries(), 1);
        room.wall_branches = walls->branches;
        room.wall_materials = walls->materials;
        room.ledger = walls->ledger;
    }
    return room;
}

template <typename real>
int engine_on_device<real>::upload(const real *wall_q, struct failure *failure)
{
    if (layout.isotropic)
        TRY(upload_iso<real>(blocks, box, layout, memory, failure));
    else if (layout.has_records)
        TRY(upload_cuts<real>(blocks, box, layout, memory, failure));
    if (box != nullptr) {
        if (!layout.has_records)
            TRY(upload_links(box, layout, memory, failure));
        return walls != nullptr ? upload_state_box<real>(box, *walls, layout, memory, failure)
                                : upload_box_walls(box, wall_q, layout, memory, failure);
    }
    if (!layout.isotropic)
        TRY(upload_order(blocks, nullptr, false, layout.slots, memory + layout.block, failure));
    if (!layout.has_records)
        TRY(upload_topology(blocks, layout, memory, failure));
    if (walls != nullptr)
        return upload_state_blocks<real>(blocks, *walls, layout, memory, failure);
    return upload_block_walls(
        blocks, wall_q, memory + layout.wall_first,
        layout.kernel == DEVICE_BLOCKS && !layout.has_records ? memory + layout.wall_slot : nullptr,
        memory + layout.q, failure);
}

template <typename real>
int engine_on_device<real>::create(const struct device &device, const real *wall_q, struct failure *failure)
{
    const struct device_room room = counts();
    layout = device_lay_out(&device, &room);
    if (layout.bytes > device.bytes_free)
        return failure_advise(
            failure_set(failure, FAILURE_CAPACITY,
                        "the pressures of %llu nodes in %s precision and their walls take %llu bytes on "
                        "the device, and %s has %llu bytes free",
                        (unsigned long long)layout.values, sizeof(real) == 4 ? "single" : "double",
                        (unsigned long long)layout.bytes, device.name, (unsigned long long)device.bytes_free),
            failure, sizeof(real) == 4 ? ADVICE_LESS_ON_DEVICE : ADVICE_LESS_ON_DEVICE_OR_SINGLE, 0);
    char purpose[64];
    (void)std::snprintf(purpose, sizeof purpose, "pressures (%llu bytes)", (unsigned long long)layout.bytes);
    DEVICE_TRY(cudaMalloc(&memory, layout.bytes), purpose, failure);
    /* One that waits for copies on the default stream, which may end after their call. */
    DEVICE_TRY(cudaStreamCreate(&stream), "a stream", failure);
    TRY(upload(wall_q, failure));
    int code_version = 0;
    TRY(find_code(&code_version, failure));
    overlap = code_version >= 900;
    TRY(make_resident(device, failure));
    describe(device);
    TRY(set_taps(0, nullptr, 0, nullptr, failure));
    return reset(failure);
}

template <typename real> device_field<real> engine_on_device<real>::field() const
{
    device_field<real> out = {};
    out.layout = box != nullptr ? LAYOUT_BOX : LAYOUT_BLOCKS;
    out.u = level(0);
    out.u_old = level(1);
    out.room = block_room();
    out.box = box_room();
    out.cuts = device_cuts_of(layout, memory);
    out.iso = device_iso_room<real>(layout, lambda2, memory);
    out.iso_box = device_iso_box(out.box, layout, lambda2, memory);
    out.blocks = blocks;
    out.host_box = box;
    out.lambda2 = lambda2;
    out.stream = stream;
    return out;
}

/* ---- taps ---------------------------------------------------------------------------------------------- */

template <typename real>
int engine_on_device<real>::set_taps(size_t sources, const struct engine_tap *source, size_t receivers,
                                     const struct engine_tap *receiver, struct failure *failure)
{
    struct device_taps made = {};
    TRY(device_taps_make(&layout, box, sources, source, receivers, receiver, &made, failure));
    int code =
        box != nullptr ? device_mark_box(reinterpret_cast<uint8_t *>(memory + layout.links + layout.origin),
                                         &taps, &made, failure)
        : layout.isotropic ? device_mark_rows(reinterpret_cast<struct gpu_iso_row *>(memory + layout.row),
                                              layout.slots, &made, failure)
                           : device_mark_blocks(reinterpret_cast<struct gpu_block *>(memory + layout.block),
                                                layout.slots, &made, failure);
    if (code == 0 && walls != nullptr)
        code = mark_walls<real>(layout, *walls, made, memory, failure);
    if (code != 0) {
        device_taps_free(&made);
        return code;
    }
    graphs.drop(); /* they hold the old tables */
    device_taps_free(&taps);
    taps = made;
    return resident.fits
               ? device_resident_set_taps(&resident, &taps, sources, source, receivers, receiver, failure)
               : 0;
}

/* ---- stepping ------------------------------------------------------------------------------------------ */

/* Launch one step, the n-th since `done` was last set, and change the levels. The first does not overlap what
 * came before it: that wrote `done` and drives, which a step may read before it waits. */
template <typename real> cudaError_t engine_on_device<real>::step(uint32_t n)
{
    if (sheets.memory == nullptr && open.memory == nullptr)
        return step_room(n);
    const real *const u = level(0); /* the room's step changes the levels */
    real *const u_new = level(1);
    cudaError_t code = cudaSuccess;
    if (sheets.memory != nullptr)
        code = step_sheets_before(sheets.there, walls_there(), u, u_new, stream);
    if (code == cudaSuccess && open.memory != nullptr)
        code = step_layer_before(open.there, walls_there(), u_new, stream);
    if (code == cudaSuccess)
        code = step_room(n);
    if (code == cudaSuccess && sheets.memory != nullptr)
        code = step_sheets_after(sheets.there, walls_there(), u_new, stream);
    return code == cudaSuccess && open.memory != nullptr
               ? step_layer_after(open.there, walls_there(), u, u_new, stream)
               : code;
}

template <typename real> cudaError_t engine_on_device<real>::step_room(uint32_t n)
{
    const real *const u = level(0);
    real *const u_old = level(1);
    if (layout.isotropic)
        return step_isotropic(n);
    if (walls == nullptr)
        return step_air(block_room(), box_room(), n);
    const gpu_walls<real> there = device_walls_of<real>(layout, *walls, memory);
    const cudaError_t code =
        step_air(device_state_room(block_room(), there), device_state_box(box_room(), there), n);
    return code != cudaSuccess ? code
                               : step_walls_after(there, taps_of<real>(taps, n), u, u_old,
                                                  overlap && layout.kernel == DEVICE_CACHED_BLOCKS, stream);
}

/* All but walls with states. */
template <typename real>
template <class room_type, class box_type>
cudaError_t engine_on_device<real>::step_air(const room_type &room, const box_type &box_room, uint32_t n)
{
    const real *const u = level(0);
    real *const u_old = level(1);
    if (!layout.has_records)
        return step_in(room, box_room, n);
    const gpu_cuts cuts = device_cuts_of(layout, memory);
    const gpu_cut<room_type> cut = gpu_cut_of(room, cuts);
    const cudaError_t code = step_in(cut, gpu_cut_of(box_room, cuts), n);
    return code != cudaSuccess ? code
                               : step_linked_after(cut, taps_of<real>(taps, n), u, u_old,
                                                   overlap && layout.kernel == DEVICE_CACHED_BLOCKS, stream);
}

template <typename real>
template <class room_type, class box_type>
cudaError_t engine_on_device<real>::step_in(const room_type &room, const box_type &box_room, uint32_t n)
{
    const gpu_taps<real> tap = taps_of<real>(taps, n);
    const real *const u = level(0);
    real *const u_old = level(1);
    const bool back = layout.turns && now != 0;
    now ^= 1;
    if (box != nullptr)
        return step_box(box_room, tap, u, u_old, stream);
    if (layout.kernel == DEVICE_CACHED_BLOCKS)
        return step_cached_blocks<real>(room, tap, u, u_old, overlap && n > 0, back, stream);
    return step_blocks<real>(room, tap, u, u_old, back, stream);
}

/* Blocks of the isotropic scheme: one launch does it all. */
template <typename real>
template <class room_type>
cudaError_t engine_on_device<real>::step_rows(const room_type &room, const gpu_taps<real> &tap)
{
    const real *const u = level(0);
    real *const u_old = level(1);
    const bool back = layout.turns && now != 0;
    now ^= 1;
    return step_iso_blocks<iso_blocks_shape<real>>(room, tap, u, u_old, back, stream);
}

template <typename real> cudaError_t engine_on_device<real>::step_isotropic(uint32_t n)
{
    const gpu_taps<real> tap = taps_of<real>(taps, n);
    if (box == nullptr) {
        const gpu_iso<real> room = device_iso_room<real>(layout, lambda2, memory);
        if (walls == nullptr)
            return step_rows(room, tap);
        const gpu_walls<real> there = device_walls_of<real>(layout, *walls, memory);
        return there.branches <= 6 ? step_rows(device_iso_states<6>(room, there), tap)
                                   : step_rows(device_iso_states<WALL_BRANCHES_MAX>(room, there), tap);
    }
    const real *const u = level(0);
    real *const u_old = level(1);
    now ^= 1;
    if (walls == nullptr)
        return step_iso_box(device_iso_box(box_room(), layout, lambda2, memory), tap, u, u_old, stream);
    const gpu_walls<real> there = device_walls_of<real>(layout, *walls, memory);
    const cudaError_t code = step_iso_box(
        device_iso_box(device_state_box(box_room(), there), layout, lambda2, memory), tap, u, u_old, stream);
    return code != cudaSuccess ? code : step_walls_after(there, tap, u, u_old, false, stream);
}

/* What a graph holds. */
template <typename real> cudaError_t engine_on_device<real>::step_graph()
{
    const int start = now;
    cudaError_t code = cudaSuccess;
    for (uint32_t n = 0; code == cudaSuccess && n < GRAPH_STEPS; ++n)
        code = step(n);
    now = start;
    return code == cudaSuccess ? device_taps_advance(&taps, GRAPH_STEPS, stream) : code;
}

template <typename real> int engine_on_device<real>::run_steps(uint64_t steps, struct failure *failure)
{
    uint64_t left = steps;
    for (; left >= GRAPH_STEPS; left -= GRAPH_STEPS)
        TRY(graphs.run(
            now, stream, [this] { return step_graph(); }, failure));
    for (uint32_t n = 0; n < left; ++n)
        DEVICE_TRY(step(n), "a step", failure);
    return 0;
}

template <> int engine_on_device<float>::run_resident(uint64_t steps, struct failure *failure)
{
    return device_resident_run(&resident, &taps, level(0), level(1), (uint32_t)steps, stream, failure);
}
template <> int engine_on_device<double>::run_resident(uint64_t steps, struct failure *failure)
{
    return run_steps(steps, failure);
}

/* ---- a port -------------------------------------------------------------------------------------------- */

template <typename real>
int engine_on_device<real>::set_port(uint64_t count, const uint64_t *index,
                                     void (*exchange)(void *, const double *, double *), void *context,
                                     struct failure *failure)
{
    std::vector<uint64_t> there(index, index + count);
    for (uint64_t &at : there)
        at = device_index(&layout, box, at);
    TRY(port_index.allocate(count, "membranes", failure));
    TRY(port_value.allocate(count, "membranes", failure));
    DEVICE_TRY(cudaMemcpy(port_index.data(), there.data(), count * sizeof(uint64_t), cudaMemcpyHostToDevice),
               "membranes", failure);
    port_host.resize(2 * count);
    port_exchange = exchange;
    port_context = context;
    ports = count;
    return 0;
}

/* Step by step: what the host answers goes into the step that was just made. */
template <typename real> int engine_on_device<real>::run_ports(uint64_t steps, struct failure *failure)
{
    const uint64_t bytes = ports * sizeof(double);
    double *const value = port_host.data(), *const push = value + ports;
    for (uint32_t n = 0; n < steps; ++n) {
        DEVICE_TRY(step(n), "a step", failure);
        DEVICE_TRY(launch_list(port_read_kernel<real>, ports, false, stream, ports, port_index.data(),
                               level(1), port_value.data()),
                   "membranes", failure);
        DEVICE_TRY(cudaMemcpyAsync(value, port_value.data(), bytes, cudaMemcpyDeviceToHost, stream),
                   "membranes", failure);
        DEVICE_TRY(cudaStreamSynchronize(stream), "a step", failure);
        port_exchange(port_context, value, push);
        DEVICE_TRY(cudaMemcpyAsync(port_value.data(), push, bytes, cudaMemcpyHostToDevice, stream),
                   "membranes", failure);
        DEVICE_TRY(launch_list(port_push_kernel<real>, ports, false, stream, ports, port_index.data(),
                               port_value.data(), level(0)),
                   "membranes", failure);
    }
    return 0;
}

/* ---- a part of a room ---------------------------------------------------------------------------------- */

template <typename real>
int engine_on_device<real>::join(const struct engine_halo *with, struct failure *failure)
{
    const uint32_t surface = (uint32_t)device_order_slots(with->surfaces);
    const uint32_t rest = (uint32_t)device_order_slots(blocks->blocks - with->surfaces);
    if (box != nullptr || rest + surface > layout.slots)
        return failure_set(failure, FAILURE_INPUT, "a device steps a room in parts as blocks with ghosts");
    device_halo_free(&halo); /* of another way to exchange */
    TRY(device_halo_make(with, blocks->blocks, sizeof(real), &halo, failure));
    surface_slots = surface;
    graphs.drop();
    if (layout.isotropic) {
        char *const rows = memory + layout.row;
        TRY(upload_iso_order(blocks, layout.has_states, with->outer, true, surface, rows, failure));
        return upload_iso_order(blocks, layout.has_states, with->outer, false, layout.slots - surface,
                                rows + surface * sizeof(struct gpu_iso_row), failure);
    }
    char *const order = memory + layout.block;
    TRY(upload_order(blocks, with->outer, true, surface, order, failure));
    return upload_order(blocks, with->outer, false, layout.slots - surface,
                        order + surface * sizeof(struct gpu_block), failure);
}

template <typename real> int engine_on_device<real>::exchange(int which, struct failure *failure)
{
    const uint64_t exchanges = halo.exchanges + 1;
    int code = device_halo_gather(&halo, level(which), stream, failure);
    if (code == 0)
        code = device_halo_trade(&halo, level(which), stream, failure);
    device_halo_skip(&halo, exchanges);
    if (code == 0)
        DEVICE_TRY(cudaStreamSynchronize(stream), "the pressures", failure);
    return code;
}

/* Blocks of a part by either kernel; there may be none. */
template <typename real>
template <class room_type>
cudaError_t engine_on_device<real>::step_unit_blocks(const room_type &room, const gpu_taps<real> &tap)
{
    if (room.slots == 0 && tap.receivers == 0 && tap.source_blocks == 0)
        return cudaSuccess;
    return layout.kernel == DEVICE_CACHED_BLOCKS
               ? step_cached_blocks<real>(room, tap, level(0), level(1), false, false, stream)
               : step_blocks<real>(room, tap, level(0), level(1), false, stream);
}

/* Nodes with extra links, which blocks leave alone, are all finished with the surface. */
template <typename real>
template <class room_type>
cudaError_t engine_on_device<real>::step_unit_air(const room_type &room, const gpu_taps<real> &tap,
                                                  bool surface)
{
    if (!layout.has_records)
        return step_unit_blocks(room, tap);
    const gpu_cut<room_type> cut = gpu_cut_of(room, device_cuts_of(layout, memory));
    const cudaError_t code = step_unit_blocks(cut, tap);
    return code != cudaSuccess || !surface ? code
                                           : step_linked_after(cut, tap, level(0), level(1), false, stream);
}

/* The surface of the part, with all receivers and, of 7 points, all blocks with sources; or the rest. */
template <typename real> cudaError_t engine_on_device<real>::step_units(uint32_t n, bool surface)
{
    const gpu_taps<real> all = taps_of<real>(taps, n);
    const uint32_t first = surface ? 0 : surface_slots,
                   slots = surface ? surface_slots : layout.slots - surface_slots;
    gpu_taps<real> tap = all;
    if (!surface)
        tap.receivers = tap.source_blocks = 0;
    if (layout.isotropic) {
        gpu_iso<real> room = device_iso_room<real>(layout, lambda2, memory);
        room.row += first;
        room.slots = slots;
        room.linked = surface ? room.linked : 0;
        if (slots == 0 && tap.receivers == 0 && room.linked == 0)
            return cudaSuccess;
        if (walls == nullptr)
            return step_iso_blocks<iso_blocks_shape<real>>(room, tap, level(0), level(1), false, stream);
        const gpu_walls<real> there = device_walls_of<real>(layout, *walls, memory);
        return there.branches <= 6
                   ? step_iso_blocks<iso_blocks_shape<real>>(device_iso_states<6>(room, there), tap, level(0),
                                                             level(1), false, stream)
                   : step_iso_blocks<iso_blocks_shape<real>>(
                         device_iso_states<WALL_BRANCHES_MAX>(room, there), tap, level(0), level(1), false,
                         stream);
    }
    gpu_room<real> room = block_room();
    room.block += first;
    room.slots = slots;
    if (walls == nullptr)
        return step_unit_air(room, tap, surface);
    const gpu_walls<real> there = device_walls_of<real>(layout, *walls, memory);
    const cudaError_t code = step_unit_air(device_state_room(room, there), tap, surface);
    return code != cudaSuccess ? code
                               : step_walls_after(there, all, level(0), level(1), false, stream,
                                                  gpu_marked_units{halo.outer, (uint8_t)surface});
}

/* Flows are those of before the step, of all links, so that they come first; and before the values of ghosts
 * are overwritten, which they need of both levels. */
template <typename real> cudaError_t engine_on_device<real>::step_units_with_sheets(uint32_t n, bool surface)
{
    if (sheets.memory == nullptr)
        return step_units(n, surface);
    real *const u_new = level(1);
    cudaError_t code =
        surface ? step_sheets_before(sheets.there, walls_there(), level(0), u_new, stream) : cudaSuccess;
    if (code == cudaSuccess)
        code = step_units(n, surface);
    return code != cudaSuccess ? code
                               : step_sheets_after(sheets.there, walls_there(), u_new, stream,
                                                   gpu_marked_units{halo.outer, (uint8_t)surface});
}

/* Values of the surface travel while the rest is stepped. */
template <typename real> int engine_on_device<real>::run_parts(uint64_t steps, struct failure *failure)
{
    for (uint32_t n = 0; n < steps; ++n) {
        DEVICE_TRY(step_units_with_sheets(n, true), "a step", failure);
        TRY(device_halo_gather(&halo, level(1), stream, failure));
        DEVICE_TRY(step_units_with_sheets(n, false), "a step", failure);
        TRY(device_halo_trade(&halo, level(1), stream, failure));
        now ^= 1;
    }
    return 0;
}

template <typename real>
int engine_on_device<real>::run_batch(uint64_t steps, const double *drive, double *output, uint64_t stride,
                                      struct failure *failure)
{
    TRY(device_taps_send(&taps, steps, drive, stride, stream, failure));
    TRY(halo.with != nullptr ? run_parts(steps, failure)
        : ports > 0          ? run_ports(steps, failure)
        : stays()            ? run_resident(steps, failure)
                             : run_steps(steps, failure));
    return device_taps_receive(&taps, steps, output, stride, stream, failure);
}

template <typename real>
int engine_on_device<real>::run(uint64_t steps, const double *drive, double *output, struct failure *failure)
{
    const uint64_t exchanges = halo.exchanges + steps;
    int code = 0;
    for (uint64_t done = 0; code == 0 && done < steps; done += taps.batch)
        code = run_batch(std::min(taps.batch, steps - done), drive != nullptr ? drive + done : nullptr,
                         output != nullptr ? output + done : nullptr, steps, failure);
    if (halo.with != nullptr)
        device_halo_skip(&halo, exchanges);
    return code;
}

template <typename real> int engine_on_device<real>::reset(struct failure *failure)
{
    for (uint64_t offset : layout.level)
        DEVICE_TRY(cudaMemsetAsync(memory + offset, 0, layout.values * sizeof(real), stream), "the pressures",
                   failure);
    if (walls != nullptr)
        TRY(zero_walls(*walls, sizeof(real), layout, memory, stream, failure));
    if (sheets.memory != nullptr)
        TRY(sheets.zero(failure));
    if (open.memory != nullptr)
        TRY(open.zero(failure));
    DEVICE_TRY(cudaStreamSynchronize(stream), "the pressures", failure);
    now = 0;
    return 0;
}

/* ---- a second copy ------------------------------------------------------------------------------------- */

template <typename real> int engine_on_device<real>::copy(bool *made, struct failure *failure)
{
    const uint64_t plane = layout.entries * sizeof(real), level_size = level_bytes();
    const bool ledger = walls != nullptr && walls->ledger;
    *made = box == nullptr && halo.with == nullptr &&
            device_copy_make(&second, 2 * level_size + (states() + ledger) * plane);
    if (!*made)
        return 0;
    char *at = second.memory;
    for (int which = 0; which < 2; ++which, at += level_size)
        DEVICE_TRY(cudaMemcpyAsync(at, level(which), level_size, cudaMemcpyDeviceToDevice, stream),
                   "a checkpoint", failure);
    if (states() > 0)
        DEVICE_TRY(
            cudaMemcpyAsync(at, memory + layout.state, states() * plane, cudaMemcpyDeviceToDevice, stream),
            "a checkpoint", failure);
    if (ledger)
        DEVICE_TRY(cudaMemcpyAsync(at + states() * plane, memory + layout.loss, plane,
                                   cudaMemcpyDeviceToDevice, stream),
                   "a checkpoint", failure);
    DEVICE_TRY(cudaStreamSynchronize(stream), "a checkpoint", failure);
    return 0;
}

template <typename real>
int engine_on_device<real>::read_copied_entries(uint64_t first, uint64_t count, void *host,
                                                struct failure *failure)
{
    const uint64_t planes = states() + (walls != nullptr && walls->ledger);
    for (uint64_t plane = 0; plane < planes; ++plane)
        TRY(device_copy_read(&second, 2 * level_bytes() + (plane * layout.entries + first) * sizeof(real),
                             count * sizeof(real), static_cast<real *>(host) + plane * count, failure));
    return 0;
}

/* ---- made ---------------------------------------------------------------------------------------------- */

template <typename real>
static int make(struct device_engine **out, const struct device_request *request, const struct device &device,
                struct failure *failure)
{
    engine_on_device<real> *const engine = new (std::nothrow) engine_on_device<real>(*request);
    if (engine == nullptr)
        return failure_memory(failure, sizeof *engine, "an engine");
    const int code = engine->create(device, static_cast<const real *>(request->room->wall_q), failure);
    if (code != 0)
        delete engine;
    else
        *out = engine;
    return code;
}

extern "C" int device_engine_create(struct device_engine **out, const struct device_request *request,
                                    struct failure *failure)
{
    struct device device = {};
    struct failure absent = {};
    const int code = device_find_card(request->card, &device, &absent);
    if (code != 0)
        return failure_advise(failure_wrap(failure, &absent, "no CUDA device can be used: "), failure,
                              ADVICE_PROCESSORS, 0);
    return request->precision == PRECISION_SINGLE ? make<float>(out, request, device, failure)
                                                  : make<double>(out, request, device, failure);
}
