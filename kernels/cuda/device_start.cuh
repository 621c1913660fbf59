/** Creation of an engine on a device: its memory, the data there, and sources and receivers. */
#ifndef KERNELS_DEVICE_START_CUH
#define KERNELS_DEVICE_START_CUH

#include <cstdio>
#include <cstring>

#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/engine_on_device.cuh"

/* ---- creation ------------------------------------------------------------------------------------------ */

template <typename real> const char *engine_on_device<real>::kernel_word() const
{
    static const char *const kernel[] = {"lanes", "march", "rows", "march"};
    return resident.fits ? "resident" : kernel[layout.kernel];
}

template <> int engine_on_device<float>::make_resident(const struct device &device, struct failure *failure)
{
    if (box != nullptr || blocks->ghosts > 0 || blocks->sheets > 0 || is_open())
        return 0;
    if (layout.isotropic)
        return device_resident_make_iso(&device, blocks, device_iso_room<float>(layout, lambda2, memory),
                                        walls_there(), &resident, failure);
    return blocks->has_records || walls != nullptr
               ? 0
               : device_resident_make(&device, blocks, block_room(), &resident, failure);
}
/* In double it is no faster than lanes. */
template <> int engine_on_device<double>::make_resident(const struct device &, struct failure *)
{
    return 0;
}

/* The target of the code that runs here: 900 is compute capability 9.0. The driver may have translated it
 * from code for an older one. */
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
    (void)std::snprintf(name, sizeof name, "cuda %s %s", device.name, kernel_word());
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
    if (resident.fits)
        TRY(device_resident_set_taps(&resident, &taps, sources, source, receivers, receiver, failure));
    for (size_t s = 0; walls != nullptr && s < sources; ++s)
        for (unsigned k = 0; k < source[s].count; ++k)
            resident.taps_fit = resident.taps_fit && !is_at_wall(source[s].index[k]);
    return 0;
}

/* ---- losses of the air --------------------------------------------------------------------------------- */

template <typename real>
int engine_on_device<real>::set_air(const struct air_loss *loss, struct failure *failure)
{
    graphs.drop();
    device_copy_free(&second); /* of other levels */
    TRY(air.make(*loss, layout.values, failure));
    if (loss->states > 0 && resident.fits) {
        char *const word = std::strrchr(name, ' ') + 1;
        device_resident_free(&resident);
        (void)std::snprintf(word, sizeof name - (size_t)(word - name), "%s", kernel_word());
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

#endif
