/* The walls of a room, as the prediction of device memory uses them. With and without nvcc. */
#include "kernels/cuda/base/device.h"

void device_room_walls(struct device_room *room, const struct wall_materials *walls, double entries)
{
    if (walls == NULL || (wall_materials_states(walls) == 0 && !walls->ledger))
        return;
    room->wall_entries = entries;
    room->wall_branches = (double)wall_materials_states(walls);
    room->wall_materials = (double)walls->count;
    room->ledger = walls->ledger;
}
