/** A room on the device as the kernels that step it see it: pointers into a piece of memory that is laid out
 * by `layout`. Borrowed. */
#ifndef KERNELS_DEVICE_ROOMS_CUH
#define KERNELS_DEVICE_ROOMS_CUH

#include "kernels/cuda/device_walls.cuh"

template <typename real>
gpu_room<real> device_block_room(const struct device_layout &layout, double lambda2, const char *memory)
{
    gpu_room<real> room = {};
    room.block = reinterpret_cast<const struct gpu_block *>(memory + layout.block);
    room.slots = layout.slots;
    room.tile = reinterpret_cast<const uint8_t *>(memory + layout.tile);
    room.plane_first = reinterpret_cast<const uint16_t *>(memory + layout.plane_first);
    room.wall_first = reinterpret_cast<const uint64_t *>(memory + layout.wall_first);
    room.wall_slot = reinterpret_cast<const uint16_t *>(memory + layout.wall_slot);
    room.q = reinterpret_cast<const real *>(memory + layout.q);
    room.lambda2 = (real)lambda2;
    return room;
}

/** @param box   NULL in blocks: the room is then not to be stepped */
template <typename real>
gpu_box<real> device_box_room(const struct device_layout &layout, const struct box_grid *box, double lambda2,
                              const char *memory)
{
    gpu_box<real> room = {};
    for (int a = 0; box != nullptr && a < 3; ++a)
        room.nodes[a] = (int)box->nodes[a];
    room.pitch = layout.pitch;
    room.links = reinterpret_cast<const uint8_t *>(memory + layout.links) + layout.origin;
    room.wall_first = reinterpret_cast<const uint64_t *>(memory + layout.wall_first);
    room.q = reinterpret_cast<const real *>(memory + layout.q);
    room.lambda2 = (real)lambda2;
    return room;
}

/** The same room with frequency-dependent walls. */
template <class state_type, class room_type, typename real>
state_type device_with_states(const room_type &room, const gpu_walls<real> &walls)
{
    state_type out = {};
    static_cast<room_type &>(out) = room;
    out.walls = walls;
    return out;
}

#endif
