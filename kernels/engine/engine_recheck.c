#include "kernels/engine/engine_recheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_wall_entries.h"
#include "kernels/engine/engine_walls.h"

/* The checked blocks are 1 .. count of a grid of their own. Its other blocks are neighbours of their nodes,
 * in the order in which they were found, and are not stepped. Tiles, marks and records are those of the room.
 */
struct engine_recheck {
    const struct engine *engine;
    uint64_t step;
    block_id first; /* of the room */
    uint32_t count;
    struct block_grid grid;
    struct step_room room;
    struct step_walls walls;
    struct block block[RECHECK_BLOCKS + 1];
    block_id edge[RECHECK_BLOCKS + 1][EDGES];
    uint64_t wall_first[RECHECK_BLOCKS + 2], cut_first[RECHECK_BLOCKS + 2];
    uint32_t known, room_for; /* blocks of the copy, the empty one included */
    block_id *id;             /* (known) of the room */
    struct extra_node *extra_node;
    struct extra_link *extra_link;
    uint64_t entries;
    uint64_t *entry; /* (entries) of the engine's layout */
    void *u, *u_old; /* (known, 512), (count + 1, 512) */
    void *coefficient, *state;
    void
        *air[AIR_LOSS_STATES]; /* (count + 1, 512) states of the losses of the air, where the step has them */
};

/* ---- which blocks, and how often ---- */

#define NODES_A_SECOND 2e9    /* of a thread, at best */
#define DEVICE_NODES   4e11   /* of a device, .. */
#define DEVICE_STEP    4e-6   /* .. whose step takes at least this time [s] */
#define CHECKED_NODES  1e7    /* a second: copied, stepped by the reference, compared */
#define DEVICE_LOOK    1.5e-3 /* copies of some hundred pieces [s] */
#define APART_LEAST    64.0

uint64_t engine_recheck_apart(const struct engine *engine)
{
    const double nodes = (double)engine->room.blocks->blocks * BLOCK_NODES;
    const bool device = engine->ops == &engine_on_device;
    const double threads =
        engine->options.backend == BACKEND_REFERENCE ? 0.1 : (double)engine->ops->threads(engine);
    const double step = device ? fmax(DEVICE_STEP, nodes / DEVICE_NODES) : nodes / (threads * NODES_A_SECOND);
    const double blocks = fmin(RECHECK_BLOCKS, engine->room.blocks->blocks);
    const double look = blocks * BLOCK_NODES / CHECKED_NODES + (device ? DEVICE_LOOK : 0.0);
    return (uint64_t)ceil(fmax(APART_LEAST, look / (RECHECK_SHARE * step)));
}

/* A number from 0 to below `count` for every step (splitmix64). */
static uint64_t choose_number(uint64_t step, uint64_t count)
{
    uint64_t mixed = (step + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (mixed ^ mixed >> 31) % count;
}

uint32_t engine_recheck_range(const struct engine *engine, block_id *first)
{
    const uint32_t blocks = engine->room.blocks->blocks;
    *first = 1 + (block_id)choose_number(engine->steps, blocks);
    return blocks - *first + 1 < RECHECK_BLOCKS ? blocks - *first + 1 : RECHECK_BLOCKS;
}

/* ---- the grid of the copy ---- */

/* The number in the copy of a block of the room; UINT32_MAX without memory. */
static uint32_t number_of(struct engine_recheck *check, block_id id)
{
    if (id == 0)
        return 0;
    if (id >= check->first && id - check->first < check->count)
        return id - check->first + 1;
    for (uint32_t k = check->known; k-- > check->count + 1;)
        if (check->id[k] == id)
            return k;
    if (check->known == check->room_for) {
        block_id *grown = realloc(check->id, 2 * (size_t)check->room_for * sizeof *grown);
        if (grown == NULL)
            return UINT32_MAX;
        check->id = grown;
        check->room_for *= 2;
    }
    check->id[check->known] = id;
    return check->known++;
}

static bool copy_extras(struct engine_recheck *check, const struct block_grid *from)
{
    const uint64_t first = block_extra_from(from, check->first),
                   last = block_extra_from(from, check->first + check->count);
    const uint64_t nodes = last - first, base = nodes > 0 ? from->extra_node[first].first : 0;
    const uint64_t links =
        nodes > 0 ? from->extra_node[last - 1].first + from->extra_node[last - 1].links - base : 0;
    check->extra_node = malloc((size_t)(nodes + 1) * sizeof *check->extra_node);
    check->extra_link = malloc((size_t)(links + 1) * sizeof *check->extra_link);
    if (check->extra_node == NULL || check->extra_link == NULL)
        return false;
    for (uint64_t n = 0; n < nodes; ++n) {
        check->extra_node[n] = from->extra_node[first + n];
        check->extra_node[n].block = number_of(check, check->extra_node[n].block);
        check->extra_node[n].first -= base;
    }
    for (uint64_t n = 0; n < links; ++n) {
        check->extra_link[n] = from->extra_link[base + n];
        check->extra_link[n].block = number_of(check, check->extra_link[n].block);
        if (check->extra_link[n].block == UINT32_MAX)
            return false;
    }
    check->grid.extra_nodes = nodes;
    check->grid.extra_links = links;
    check->grid.extra_node = check->extra_node;
    check->grid.extra_link = check->extra_link;
    return true;
}

static bool copy_block(struct engine_recheck *check, const struct block_grid *from, uint32_t number)
{
    const block_id id = check->first + number - 1;
    bool known = true;
    check->block[number] = from->block[id];
    for (unsigned d = 0; d < DIRECTIONS; ++d) {
        block_id *const neighbour = &check->block[number].neighbour[d];
        known &= (*neighbour = number_of(check, *neighbour)) != UINT32_MAX;
    }
    for (unsigned e = 0; from->isotropic && e < EDGES; ++e)
        known &= (check->edge[number][e] = number_of(check, from->edge[id][e])) != UINT32_MAX;
    return known;
}

static bool copy_grid(struct engine_recheck *check)
{
    const struct block_grid *from = check->engine->room.blocks;
    const uint64_t wall = from->wall_first[check->first];
    const uint64_t cut = from->has_records ? from->cut_first[check->first] : 0;
    check->grid = *from;
    check->grid.blocks = check->count;
    check->grid.block = check->block;
    check->grid.edge = check->edge;
    check->grid.wall_first = check->wall_first;
    check->grid.cut_first = check->cut_first;
    check->grid.wall = from->walls > 0 ? from->wall + wall : NULL;
    if (from->has_records && from->cuts > 0) {
        check->grid.cut = from->cut + cut;
        check->grid.gain = from->gain + cut;
        check->grid.plaquette = from->isotropic ? from->plaquette + cut : NULL;
    }
    for (uint32_t k = 1; k <= check->count; ++k)
        if (!copy_block(check, from, k))
            return false;
    for (uint32_t k = 1; k <= check->count + 1; ++k) {
        check->wall_first[k] = from->wall_first[check->first + k - 1] - wall;
        check->cut_first[k] = from->has_records ? from->cut_first[check->first + k - 1] - cut : 0;
    }
    check->entries = check->wall_first[check->count + 1];
    return copy_extras(check, from);
}

/* ---- data of the blocks ---- */

static uint64_t index_of(const struct engine_recheck *check, uint32_t number, unsigned slot)
{
    const struct engine *engine = check->engine;
    const block_id id = check->id[number];
    return engine->room.box == NULL ? (uint64_t)id * BLOCK_NODES + slot
                                    : box_grid_block_index(engine->room.box, engine->room.blocks, id, slot);
}

/* Copy block by block, in the order of the copy. */
static bool copy_level(const struct engine_recheck *check, int level, uint32_t blocks, void *out)
{
    const struct engine *engine = check->engine;
    for (uint32_t k = 1; k < blocks; ++k) {
        double values[BLOCK_NODES];
        if (!engine_read_level(engine, level, check->id[k], values))
            return false;
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot)
            engine_put(engine, out, (uint64_t)k * BLOCK_NODES + slot, values[slot]);
    }
    return true;
}

/* Find the entries in the layout of the engine: a box has its nodes in another order. */
static void find_entries(struct engine_recheck *check)
{
    const struct engine *engine = check->engine;
    for (uint32_t k = 1; k <= check->count; ++k)
        for (uint64_t w = check->wall_first[k]; w < check->wall_first[k + 1]; ++w) {
            const uint16_t slot = check->grid.wall[w].slot;
            if (engine->room.box == NULL)
                check->entry[w] = engine->room.blocks->wall_first[check->first] + w;
            else if (slot & WALL_CONTINUES)
                check->entry[w] = check->entry[w - 1] + 1;
            else
                (void)engine_wall_at(engine, index_of(check, k, slot), &check->entry[w]);
        }
}

/* Copy the states of the entries, (2 branches, entries), in runs of consecutive entries. */
static bool copy_states(const struct engine_recheck *check, void *out)
{
    const struct engine *engine = check->engine;
    for (uint64_t w = 0, next; w < check->entries; w = next) {
        for (next = w + 1; next < check->entries && check->entry[next] == check->entry[next - 1] + 1; ++next)
            ;
        /* Stores only the failure of the device; the field does not change. */
        if (!engine_read_states((struct engine *)engine, check->entry[w], next - w,
                                (char *)out + w * engine->real_bytes, check->entries))
            return false;
    }
    return true;
}

static void copy_coefficients(struct engine_recheck *check)
{
    const struct engine *engine = check->engine;
    const bool states = engine->room.walls != NULL;
    const void *from = states ? engine->walls.share : engine->wall_q;
    for (uint64_t w = 0; w < check->entries; ++w)
        engine_put(engine, check->coefficient, w, engine_value(engine, from, check->entry[w]));
    check->room = (struct step_room){.blocks = &check->grid, .lambda2 = engine->room.lambda2};
    if (!states) {
        check->room.wall_q = check->coefficient;
        return;
    }
    check->walls = engine->walls;
    check->walls.stride = check->entries;
    check->walls.state = check->state;
    check->walls.share = check->coefficient;
    check->walls.loss = NULL; /* does not change the step */
    check->room.walls = &check->walls;
}

static uint64_t state_count(const struct engine_recheck *check)
{
    return check->engine->room.walls != NULL ? 2 * check->engine->walls.branches * check->entries : 0;
}

static bool copy_all(struct engine_recheck *check)
{
    const uint64_t real = check->engine->real_bytes;
    check->u = calloc((size_t)check->known * BLOCK_NODES, real);
    check->u_old = calloc((size_t)(check->count + 1) * BLOCK_NODES, real);
    check->entry = malloc((check->entries + 1) * sizeof *check->entry);
    check->coefficient = malloc((check->entries + 1) * real);
    check->state = malloc((state_count(check) + 1) * real);
    if (check->u == NULL || check->u_old == NULL || check->entry == NULL || check->coefficient == NULL ||
        check->state == NULL)
        return false;
    find_entries(check);
    copy_coefficients(check);
    return copy_level(check, 0, check->known, check->u) &&
           copy_level(check, 1, check->count + 1, check->u_old) &&
           (state_count(check) == 0 || copy_states(check, check->state));
}

/* Copy the states of the losses of the air, if this step ends with them. */
static bool copy_air(struct engine_recheck *check)
{
    const struct engine *engine = check->engine;
    const unsigned states = engine_air_is_due(engine, check->step) ? engine_air_loss(engine)->states : 0;
    for (unsigned s = 0; s < states; ++s) {
        check->air[s] = calloc((size_t)(check->count + 1) * BLOCK_NODES, engine->real_bytes);
        if (check->air[s] == NULL || !copy_level(check, 2 + (int)s, check->count + 1, check->air[s]))
            return false;
    }
    return true;
}

void engine_recheck_drop(struct engine_recheck *check)
{
    if (check == NULL)
        return;
    free(check->id);
    free(check->extra_node);
    free(check->extra_link);
    free(check->entry);
    free(check->u);
    free(check->u_old);
    free(check->coefficient);
    free(check->state);
    for (unsigned s = 0; s < AIR_LOSS_STATES; ++s)
        free(check->air[s]);
    free(check);
}

static bool copy_what_is_checked(struct engine_recheck *check)
{
    const struct engine *engine = check->engine;
    check->count = engine_recheck_range(engine, &check->first);
    check->known = check->count + 1;
    check->room_for = 32 * RECHECK_BLOCKS;
    check->id = malloc((size_t)check->room_for * sizeof *check->id);
    for (uint32_t k = 0; check->id != NULL && k <= check->count; ++k)
        check->id[k] = k == 0 ? 0 : check->first + k - 1;
    return check->id != NULL && copy_grid(check) && copy_all(check) && copy_air(check);
}

struct engine_recheck *engine_recheck_begin(const struct engine *engine)
{
    struct engine_recheck *check = calloc(1, sizeof *check);
    if (check == NULL)
        return NULL;
    check->engine = engine;
    check->step = engine->steps;
    /* The reference has no sheets, layer or port, so blocks at them are not checked. */
    block_id first;
    const uint32_t count = engine_recheck_range(engine, &first);
    if (engine_port_touches(engine, first, count) ||
        (engine->ops->begin_recheck == NULL &&
         (engine_sheets_among(engine, first, (uint64_t)first + count) ||
          engine_layer_among(engine, first, (uint64_t)first + count)))) {
        free(check);
        return NULL;
    }
    /* In parts this stores only a failure and updates ghosts. */
    if (engine->ops->begin_recheck != NULL ? engine->ops->begin_recheck((struct engine *)engine)
                                           : copy_what_is_checked(check))
        return check;
    engine_recheck_drop(check);
    return NULL;
}

/* ---- comparing ---- */

/* Position of a node, for messages. */
static void find_place(const struct engine_recheck *check, uint32_t number, unsigned slot, double place[3])
{
    const struct block_grid *grid = check->engine->room.blocks;
    const block_id id = check->id[number];
    int64_t node[3];
    if (id >= block_list_first(grid))
        memcpy(node, grid->list_voxel[(uint64_t)(id - block_list_first(grid)) * BLOCK_NODES + slot],
               sizeof node);
    else
        block_node(&grid->block[id], slot, node);
    lattice_position(&grid->lattice, node, place);
}

static int report_difference(const struct engine_recheck *check, uint32_t number, unsigned slot,
                             const char *what, double found, double expected, struct failure *failure)
{
    const int digits = check->engine->real_bytes == sizeof(float) ? 9 : 17;
    double place[3];
    find_place(check, number, slot, place);
    return failure_set(failure, FAILURE_SIMULATION,
                       "%s in block %lu, at %.3f, %.3f, %.3f m, became %.*g in step %llu, and the reference "
                       "computes %.*g from what was there before: memory or a processor of this machine is "
                       "faulty (for a GPU: `nvidia-smi -q -d ECC`); test it, and run again on another",
                       what, (unsigned long)check->id[number], place[0], place[1], place[2], digits, found,
                       (unsigned long long)check->step + 1, digits, expected);
}

static int compare_pressures(const struct engine_recheck *check, struct failure *failure)
{
    const struct engine *engine = check->engine;
    for (uint32_t k = 1; k <= check->count; ++k) {
        double values[BLOCK_NODES];
        if (!engine_read_level(engine, 0, check->id[k], values))
            return engine_failed(engine, failure);
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
            const double expected = engine_value(engine, check->u_old, (uint64_t)k * BLOCK_NODES + slot);
            /* engine_health() reports values that are not finite. */
            if (!(values[slot] == expected) && !(isnan(values[slot]) && isnan(expected)))
                return report_difference(check, k, slot, "the pressure", values[slot], expected, failure);
        }
    }
    return 0;
}

static int compare_states(const struct engine_recheck *check, struct failure *failure)
{
    const struct engine *engine = check->engine;
    const uint64_t states = state_count(check);
    int status = 0;
    if (states == 0)
        return 0;
    void *after = malloc(states * engine->real_bytes);
    if (after == NULL)
        return 0;
    if (!copy_states(check, after))
        status = engine_failed(engine, failure);
    for (uint64_t n = 0; status == 0 && n < states; ++n) {
        const double found = engine_value(engine, after, n), expected = engine_value(engine, check->state, n);
        uint32_t k = 1;
        if (found == expected || (isnan(found) && isnan(expected)))
            continue;
        while (check->wall_first[k + 1] <= n % check->entries)
            ++k;
        status = report_difference(check, k, check->grid.wall[n % check->entries].slot & WALL_SLOT,
                                   "the state of a wall", found, expected, failure);
    }
    free(after);
    return status;
}

int engine_recheck_end(struct engine_recheck *check, const struct engine *engine, struct failure *failure)
{
    int status = engine_failed(engine, failure);
    if (check != NULL && status == 0 && engine->ops->end_recheck != NULL) {
        status = engine->ops->end_recheck((struct engine *)engine, failure);
    } else if (check != NULL && status == 0) {
        step_reference[LAYOUT_BLOCKS][engine->options.precision](&check->room, check->u, check->u_old, 1,
                                                                 (uint64_t)check->count + 1);
        if (check->air[0] != NULL)
            air_loss_step(engine_air_loss(engine), engine->options.precision, check->u, check->u_old,
                          check->air, (uint64_t)(check->count + 1) * BLOCK_NODES);
        status = compare_pressures(check, failure);
        if (status == 0)
            status = compare_states(check, failure);
    }
    engine_recheck_drop(check);
    return status;
}
