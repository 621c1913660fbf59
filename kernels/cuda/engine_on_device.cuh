/** The members of an engine on a device, in either precision. device_start.cuh makes it, device_steps.cuh
 * steps it, device_operations.cuh has its operations, and device_stepper.cu their table; that file alone
 * includes these. */
#ifndef KERNELS_ENGINE_ON_DEVICE_CUH
#define KERNELS_ENGINE_ON_DEVICE_CUH

#include <algorithm>

#include "kernels/cuda/device_engine.h"
#include "kernels/cuda/device_graphs.cuh"
#include "kernels/cuda/device_halo.h"
#include "kernels/cuda/device_iso.cuh"
#include "kernels/cuda/device_layer.cuh"
#include "kernels/cuda/device_lists.cuh"
#include "kernels/cuda/device_membranes.cuh"
#include "kernels/cuda/device_port.h"
#include "kernels/cuda/device_resident.h"
#include "kernels/cuda/device_taps.h"
#include "kernels/cuda/device_values.h"
#include "kernels/cuda/monitor/device_monitor.h"

/** The units that a launch of a step is for: all, or in a part of a room the surface, then the rest. */
enum step_share { STEP_ALL, STEP_SURFACE, STEP_REST };

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

    static device_ops make_ops();

    int create(const struct device &device, const real *wall_q, struct failure *failure);
#define OPERATION(name, ...) int name(__VA_ARGS__)
#include "kernels/cuda/device_ops.h"
    uint64_t bytes() const
    {
        return layout.bytes + taps.bytes + resident.bytes + resident.sampled_bytes + halo.bytes +
               sheets.bytes + open.bytes + membranes.bytes() + air.bytes;
    }
    void port(struct device_port *out) const
    {
        *out = {card, halo.stream, {halo.out[0], halo.out[1]}, halo.in};
    }

  private:
    uint64_t level_bytes() const
    {
        return layout.values * sizeof(real);
    }
    uint64_t planes() const /* of an entry: states, and the loss with a ledger */
    {
        return walls != nullptr ? wall_planes(*walls) : 0;
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
    const char *kernel_word() const;
    int make_resident(const struct device &device, struct failure *failure);
    /** Can a batch be stepped on the chip alone? */
    bool stays() const
    {
        return resident.fits && resident.taps_fit && halo.with == nullptr && membranes.count() == 0;
    }
    int run_resident(uint64_t begun, uint64_t steps, struct failure *failure);
    int run_steps(uint64_t begun, uint64_t steps, struct failure *failure);
    int run_singly(uint64_t begun, uint64_t steps, struct failure *failure);
    device_field<real> field() const;
    /** u (0), u_old (1) or a state of the air's losses (2 on) at index 0 of the blocks, or at node (0,0,0) of
     * the box. */
    real *level(int which) const
    {
        return which < 2 ? reinterpret_cast<real *>(memory + layout.level[now ^ which]) + layout.origin
                         : air.there.state[which - 2] + layout.origin;
    }
    int levels() const
    {
        return 2 + (int)air.there.states;
    }
    gpu_room<real> block_room() const
    {
        return device_block_room<real>(layout, lambda2, memory);
    }
    gpu_box<real> box_room() const
    {
        return device_box_room<real>(layout, box, lambda2, memory);
    }
    /** Steps, in device_steps.cuh. */
    struct at_step;
    cudaError_t step(uint32_t n, enum step_share share);
    cudaError_t step_whole(uint32_t n, uint64_t begun);
    cudaError_t lose_in_air(uint64_t begun);
    cudaError_t step_air(const at_step &at);
    template <class room_type, class box_type>
    cudaError_t step_seven(const room_type &room, const box_type &box_room, const at_step &at);
    cudaError_t step_nineteen(const at_step &at);
    template <class place_type>
    void keep_share(const at_step &at, const place_type **order, uint32_t *slots, gpu_taps<real> *taps) const;
    template <class room_type> cudaError_t step_rows(const room_type &room, const at_step &at);
    cudaError_t after_linked(const at_step &at);
    cudaError_t after_walls(const at_step &at);
    cudaError_t before_sheets(const at_step &at);
    cudaError_t after_sheets(const at_step &at);
    cudaError_t before_layer(const at_step &at);
    cudaError_t after_layer(const at_step &at);
    cudaError_t before_membranes(const at_step &at);
    cudaError_t after_membranes(const at_step &at);
    int run_parts(uint64_t begun, uint64_t steps, struct failure *failure);
    /** Those with states, or none. */
    gpu_walls<real> walls_there() const
    {
        return walls != nullptr ? device_walls_of<real>(layout, *walls, memory) : gpu_walls<real>{};
    }
    cudaError_t step_graph();
    int run_batch(uint64_t begun, uint64_t steps, const double *drive, double *output, uint64_t stride,
                  struct failure *failure);
    bool is_at_wall(uint64_t index) const /* in blocks with records */
    {
        const struct block *const block = blocks->block + index / BLOCK_NODES;
        const unsigned slot = (unsigned)(index % BLOCK_NODES);
        return blocks->has_records && (blocks->marks[block->tile].wall[slot / 64] >> slot % 64 & 1u) != 0;
    }
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
    device_membranes membranes;
    struct device_air<real> air;
    struct device_resident resident = {}; /* few blocks in single precision */
    char *memory = nullptr;
    cudaStream_t stream = nullptr;
    step_graphs graphs;             /* by `now` at their start */
    struct device_copy second = {}; /* all levels, states, losses */
    struct device_halo halo = {};   /* of a part of a room, whose launch order starts with .. */
    uint32_t surface_slots = 0;     /* .. so many places of its surface */
    int now = 0;                    /* which level is u */
    bool overlap = false;           /* steps may start while the one before ends */
    bool lost = false;              /* losses of the air were launched after the last step */
};

#endif
