/** The members of struct engine, for the files of kernels/engine and the folders after it. */
#ifndef KERNELS_ENGINE_STATE_H
#define KERNELS_ENGINE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "kernels/cpu/step_layer.h"
#include "kernels/cpu/step_barrier.h"
#include "kernels/cpu/step_plan.h"
#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/engine_parts.h"
#include "kernels/scheme/step.h"
#include "kernels/scheme/time_step.h"
#include "kernels/scheme/wall_terms.h"

_Static_assert(sizeof(struct engine_partial) == 128, "one pair of cache lines a thread");

/** The place of the newest field of an engine; on a CPU always the host. */
enum field_place { FIELD_ON_HOST, FIELD_ON_BOTH, FIELD_ON_DEVICE };

struct engine_air;
struct engine_back_ends;
struct device_engine;
struct engine_halo;
struct engine_layer;
struct engine_port;
struct engine_ops;
struct engine_passes;
struct engine_share;
struct engine_sheets;
struct team_room;

struct engine {
    struct engine_options options;
    int threads;
    struct step_room room;
    struct time_step step;
    step_function *advance;
    step_layer_function *advance_layer; /* NULL: node by node */
    void *memory;                       /* both levels; owned. BACKEND_CUDA: a copy, allocated at first use */
    void *u, *u_old;                    /* inside memory; they change places with every step */
    uint64_t length;                    /* values in each */
    unsigned real_bytes;
    void *wall_q;             /* owned; see step_room */
    struct step_walls walls;  /* of room.walls, where that is not NULL: arrays owned */
    struct step_plan plan;    /* of room.plan; owned */
    struct wall_terms *terms; /* (walls.materials + 2) rows as step_wall_row() counts; owned */
    bool inertance;
    struct engine_layer *layer;   /* of room.blocks->layer, where there is one; owned */
    struct engine_sheets *sheets; /* of room.blocks->sheet, where there are any; owned */
    struct engine_air *air;       /* owned; NULL: no losses of the air */
    struct engine_port *port;     /* the first; owned. NULL: none (engine_port.h) */
    double *absorbed;             /* (walls.materials + 1) with a ledger; owned */
    uint64_t steps;
    size_t sources, receivers;
    struct engine_tap *source, *receiver; /* owned */
    struct engine_partial *partial;       /* (threads) owned */
    double *energy;                       /* (engine_energy_pieces()) owned */
    struct engine_share *share;           /* (threads) owned */
    struct engine_passes *passes;         /* of an engine on processors; owned */
    char description[224];
    struct step_barrier step_end; /* ends a step once all its units are stepped */
    struct step_barrier barrier;  /* of the threads, within a step of a part */
    unsigned card;                /* of a device */
    bool any_rounding;            /* as in engine_settings */
    struct device_engine *device; /* BACKEND_CUDA; owned */
    enum field_place place;
    bool taps_sent;                           /* BACKEND_CUDA: the device has all of them */
    struct failure failure;                   /* why the device is lost */
    const struct engine_halo *halo;           /* of a part of a room, borrowed (engine_halo.h); else NULL */
    const struct engine_back_ends *back_ends; /* that it was made with */
    const struct engine_ops *ops;             /* operations of its back end (engine_ops.h) */
    struct team_room *team_room;              /* of an engine in parts; owned by it */
    bool stopped; /* a part on processors: values of other parts no longer arrive, so it stops stepping */
};

/** Pressure index of a lattice node, or UINT64_MAX where it is not air. */
uint64_t engine_node_index(const struct engine *engine, const int64_t node[3]);
/** Store a failure of the device or of memory: the engine is lost. Returns true if `code` is 0. */
bool engine_keep(struct engine *engine, int code, const struct failure *failure);

#define ENGINE_ALIGNMENT 128u

static inline uint64_t engine_level_bytes(const struct engine *engine)
{
    return engine->length * engine->real_bytes;
}

/** Start of the second level in `memory`: aligned as the first. */
static inline uint64_t engine_second_level(const struct engine *engine)
{
    return (engine_level_bytes(engine) + ENGINE_ALIGNMENT - 1) / ENGINE_ALIGNMENT * ENGINE_ALIGNMENT;
}

/** Partial sums of engine_energy(), added in order; their number does not depend on the threads. */
static inline uint64_t engine_energy_pieces(const struct engine *engine)
{
    const uint64_t units = step_last_unit(&engine->room) - step_first_unit(&engine->room);
    return units / 64 + 1;
}

/** Wall entries of the layout that is stepped. */
static inline uint64_t engine_wall_count(const struct engine *engine)
{
    return engine->room.box != NULL ? engine->room.box->walls : engine->room.blocks->walls;
}

/** First wall entry at or past a unit. */
static inline uint64_t engine_unit_wall(const struct engine *engine, uint64_t unit)
{
    if (engine->room.box != NULL)
        return step_box_wall_from(engine->room.box, step_unit_index(&engine->room, unit));
    return engine->room.blocks->wall_first[unit];
}

/** Link byte at a pressure index. */
static inline unsigned engine_links(const struct engine *engine, uint64_t index)
{
    const struct step_room *room = &engine->room;
    if (room->box != NULL)
        return room->box->links[index];
    return room->blocks->tile[room->blocks->block[index / BLOCK_NODES].tile][index % BLOCK_NODES];
}

/** Record of the node at a pressure index in the layout's cut[] and gain[], or UINT64_MAX if it is not a cut
 * node. O(log cuts) in a box. */
static inline uint64_t engine_record(const struct engine *engine, uint64_t index)
{
    const struct box_grid *box = engine->room.box;
    const struct block_grid *grid = engine->room.blocks;
    if (!grid->has_records)
        return UINT64_MAX;
    if (box != NULL) {
        const uint64_t record = step_box_record_from(box, index);
        return record < box->cuts && box->cut_node[record] == index ? record : UINT64_MAX;
    }
    const uint64_t id = index / BLOCK_NODES;
    const unsigned slot = (unsigned)(index % BLOCK_NODES);
    return step_block_is_cut(grid, id, slot) ? block_cut_record(grid, (block_id)id, slot) : UINT64_MAX;
}

static inline const struct cut_cell *engine_cut(const struct engine *engine, uint64_t record)
{
    return engine->room.box != NULL ? &engine->room.box->cut[record] : &engine->room.blocks->cut[record];
}

/** Mass of the node with that record, or of a whole node for UINT64_MAX [h^3]. */
static inline double engine_mass(const struct engine *engine, uint64_t record)
{
    if (record == UINT64_MAX)
        return 1.0;
    const float gain =
        engine->room.box != NULL ? engine->room.box->gain[record] : engine->room.blocks->gain[record];
    return engine->room.lambda2 / (block_gain_parts(engine->room.blocks) * (double)gain);
}

/** True if there is air at a pressure index. */
static inline bool engine_is_air(const struct engine *engine, uint64_t index)
{
    return engine_links(engine, index) != 0 || engine_record(engine, index) != UINT64_MAX;
}

/** Number of the list node at a pressure index, or UINT64_MAX; and the inverse. */
static inline uint64_t engine_list_node(const struct engine *engine, uint64_t index)
{
    const struct block_grid *grid = engine->room.blocks;
    const struct box_grid *box = engine->room.box;
    uint64_t node = UINT64_MAX;
    if (!grid->has_records)
        return UINT64_MAX;
    if (box == NULL) {
        const uint64_t first = (uint64_t)block_list_first(grid) * BLOCK_NODES;
        node = index >= first ? index - first : UINT64_MAX;
    } else {
        const uint64_t row = (uint64_t)box->nodes[0] + 2, rows = (uint64_t)box->nodes[1] + 2;
        const uint64_t x = index % row, y = index / row % rows, z = index / row / rows;
        if (x > 0 && y > 0 && x + 1 < row && y + 1 < rows && z > (uint64_t)box->list_plane)
            node = ((z - 1 - (uint64_t)box->list_plane) * (uint64_t)box->nodes[1] + y - 1) *
                       (uint64_t)box->nodes[0] +
                   x - 1;
    }
    return node < grid->list_nodes ? node : UINT64_MAX;
}
static inline uint64_t engine_list_index(const struct engine *engine, uint64_t node)
{
    const struct block_grid *grid = engine->room.blocks;
    const struct box_grid *box = engine->room.box;
    if (box == NULL)
        return (uint64_t)block_list_first(grid) * BLOCK_NODES + node;
    return box_grid_list_index(box, node);
}

static inline double engine_value(const struct engine *engine, const void *level, uint64_t index)
{
    return engine->real_bytes == sizeof(float) ? (double)((const float *)level)[index]
                                               : ((const double *)level)[index];
}

/** Rounded to the run's real. */
static inline void engine_put(const struct engine *engine, void *array, uint64_t at, double value)
{
    if (engine->real_bytes == sizeof(float))
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

#endif
