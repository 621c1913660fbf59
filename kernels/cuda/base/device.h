/** The CUDA devices of this machine: their properties, the memory of rooms on them, and the rate of copies.
 *
 * `card` is the number of a device in the driver's list, from 0 on (CUDA_VISIBLE_DEVICES chooses and orders).
 * By default the first is used. `table` has the functions of CUDA (../device_table.h); with NULL no device is
 * found.
 */
#ifndef KERNELS_DEVICE_H
#define KERNELS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/wall_material.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device {
    unsigned card;
    char name[128];
    int compute_major, compute_minor; /* compute capability */
    int processors;                   /* streaming multiprocessors */
    int driver_version;               /* newest CUDA the driver knows: 13000 is 13.0 */
    char driver[64];                  /* of OpenCL: "3.0, driver 580.159.04"; then the lines above are 0 */
    bool is_processor;                /* of OpenCL: a CPU, which `auto` does not take */
    uint64_t bytes_total, bytes_free; /* of device memory; free now, this process's context counted as used */
    uint64_t cache;                   /* of the second level [bytes] */
    unsigned char identity[16];       /* unique among all devices */
};

struct device_table;

/** Version of the CUDA toolkit this was built with, "13.0"; NULL without CUDA. */
const char *device_toolkit(const struct device_table *table);

/** True if there is a driver for device_find(). Takes almost no time and wakes no device. */
bool device_driver_installed(const struct device_table *table);

/** Find the device and read how much memory it has. Creates this process's context at the first call (0.1 to
 * 1 s). FAILURE_CAPACITY when none can be used: built without CUDA, no driver, a driver older than the
 * toolkit, no device, one older than compute capability 7.5, or one in exclusive use by others;
 * FAILURE_OUTPUT when it has failed. The message is a clause with the cause: "no NVIDIA driver is
 * installed". */
int device_find(const struct device_table *table, struct device *out, struct failure *failure);

/** Number of devices that the driver lists; 0 without a driver. Wakes none of them. */
unsigned device_count(const struct device_table *table);

/** device_find() of one device; FAILURE_CAPACITY if the machine has fewer. It becomes the current device of
 * the calling thread. */
int device_find_card(const struct device_table *table, unsigned card, struct device *out,
                     struct failure *failure);

/** Can either device access the other's memory? A device can access its own. Enables this where possible:
 * then copies between them are direct. */
bool device_reach(const struct device_table *table, unsigned one, unsigned other);

/** The amounts that an engine keeps on the device, counted or predicted. */
struct device_room {
    enum layout layout;
    enum precision precision;
    double blocks, tiles, wall_nodes; /* wall_nodes: nodes with a cut link, as block_grid.wall_nodes */
    double box_nodes[3];              /* of the box of the air, without halo */
    double sources, receivers;
    /* Frequency-dependent walls, see device_room_walls(): wall entries of the layout, branches with a state
     * of the material that has most, materials of the mesh. No entries: one coefficient a wall node
     * suffices. */
    double wall_entries, wall_branches, wall_materials;
    bool ledger;
    /* Conformal walls: cut nodes, nodes with extra links and these links, from both ends. `blocks` and
     * `box_nodes` then include the list nodes. */
    bool has_records;
    double cuts, linked_nodes, extra_links;
    bool isotropic; /* the 19-point scheme: then `has_records` too */
    /* One part of a room: adjacent blocks of other parts, and values sent in a step, as many as received.
     */
    double ghosts, exchanged;
    double air_states; /* of the air's losses, a node (../../scheme/air_loss.h) */
};

/** Set the amounts that engine_create_walls() keeps for this number of wall entries; `walls` NULL, or without
 * states and ledger: only coefficients. Branches of open faces, which are few, are left out.
 */
void device_room_walls(struct device_room *room, const struct wall_materials *walls, double entries);

/** Bytes of device memory that engine_create(), engine_set_air() and the first engine_run() take for it, for
 * sources and receivers joined to STENCIL_NODES_MAX nodes each. `device` determines the kernel, hence the
 * tables that it needs. Rooms of few blocks that stay on the chip (device_resident.h) need some megabytes
 * more. */
double device_room_bytes(const struct device_table *table, const struct device *device,
                         const struct device_room *room);

/** Bytes per second that this device copies within its memory, read and written ones counted: the best of
 * `passes` over two arrays of `bytes` each. FAILURE_CAPACITY when they do not fit, FAILURE_OUTPUT when the
 * device fails. */
int device_copy_rate(const struct device_table *table, uint64_t bytes, int passes, double *rate,
                     struct failure *failure);

/** Bytes per second from one device's memory to another's or its own, each byte counted once: the best of
 * `passes` copies of `bytes`. Direct if device_reach() has enabled it, else as the driver does it. Failures
 * as above. */
int device_link_rate(const struct device_table *table, unsigned from, unsigned to, uint64_t bytes, int passes,
                     double *rate, struct failure *failure);

#ifdef __cplusplus
}
#endif

#endif
