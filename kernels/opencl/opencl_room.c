/* The tables of a room on an OpenCL device, and the two passes that update its nodes. */
#include <stdlib.h>
#include <string.h>

#include "kernels/opencl/opencl_engine.h"
#include "kernels/opencl/opencl_table.h"
#include "kernels/scheme/scheme.h"

/* ---- the nodes that are not whole ---------------------------------------------------------------------- */

/* One to be filled, and the extra links in the box's form. */
struct listing {
    struct step_listed *listed; /* NULL: only count */
    uint64_t count, entry;      /* nodes so far; wall entries before the next */
    uint64_t extra;             /* nodes with extra links so far */
};

static void list_node(struct listing *listing, uint64_t index, unsigned links, uint64_t walls, bool extras)
{
    if (listing->listed != NULL)
        listing->listed[listing->count] =
            (struct step_listed){index, (uint32_t)listing->entry, (uint8_t)walls, (uint8_t)links, extras, 0};
    ++listing->count;
    listing->entry += walls;
    listing->extra += extras;
}

static void list_blocks(const struct block_grid *grid, struct listing *listing)
{
    for (uint64_t id = 1; id <= grid->blocks; ++id) {
        const uint8_t *const links = grid->tile[grid->block[id].tile];
        for (unsigned slot = 0; grid->block[id].tile != TILE_FULL && slot < BLOCK_NODES; ++slot) {
            const bool cut = grid->has_records && step_block_is_cut(grid, id, slot);
            uint64_t end = listing->entry;
            if (!cut && (links[slot] == 0 || links[slot] == STEP_WHOLE))
                continue;
            while (end < grid->wall_first[id + 1] && (grid->wall[end].slot & WALL_SLOT) == slot)
                ++end;
            const struct extra_node *const extra =
                listing->extra < grid->extra_nodes ? &grid->extra_node[listing->extra] : NULL;
            list_node(listing, id * BLOCK_NODES + slot, links[slot], end - listing->entry,
                      extra != NULL && extra->block == id && extra->slot == slot);
        }
    }
}

static void list_box(const struct box_grid *box, struct listing *listing)
{
    for (uint64_t index = 0; index < box->length; ++index) {
        const bool cut =
            box->has_records && listing->count < box->cuts && box->cut_node[listing->count] == index;
        uint64_t end = listing->entry;
        if (!cut && (box->links[index] == 0 || box->links[index] == STEP_WHOLE))
            continue;
        while (end < box->walls && (box->wall[end].node & ~BOX_WALL_CONTINUES) == index)
            ++end;
        list_node(listing, index, box->links[index], end - listing->entry,
                  listing->extra < box->extra_nodes && box->extra_node[listing->extra].node == index);
    }
}

static struct listing list_all(const struct step_room *room, struct step_listed *listed)
{
    struct listing listing = {.listed = listed};
    if (room->box != NULL)
        list_box(room->box, &listing);
    else
        list_blocks(room->blocks, &listing);
    return listing;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

struct tables {
    opencl_memory block, edge, row, links, listed, cut, plaquette, gain, extra_node, extra_link, q;
    uint64_t rows, listed_nodes, extra_nodes;
};

/* Blocks in the order in which groups of `run` take them: each followed by its neighbours along x, up to a
 * multiple of `run` in place. Returns the number of rows, whole groups. */
static uint64_t order_blocks(const struct block_grid *grid, unsigned run, uint8_t *taken,
                             struct step_row *row)
{
    uint64_t rows = 0;
    for (uint32_t first = 1; first <= grid->blocks; ++first) {
        if (taken[first])
            continue;
        uint32_t id = first;
        /* From the start of the run, if that is still free. */
        for (uint32_t before = grid->block[id].neighbour[0];
             before != 0 && !taken[before] && (uint32_t)grid->block[id].place[0] % run != 0;
             before = grid->block[id].neighbour[0])
            id = before;
        do {
            taken[id] = 1;
            row[rows++].self = id;
            id = grid->block[id].neighbour[1];
        } while (id != 0 && !taken[id] && (uint32_t)grid->block[id].place[0] % run != 0);
    }
    return (rows + run - 1) / run * run;
}

static void fill_rows(const struct block_grid *grid, unsigned run, uint64_t rows, struct step_row *row)
{
    for (uint64_t n = 0; n < rows && row[n].self != 0; ++n) {
        const struct block *const block = &grid->block[row[n].self];
        memcpy(row[n].beside, block->neighbour, sizeof row[n].beside);
        if (grid->isotropic)
            memcpy(row[n].edge, grid->edge[row[n].self], sizeof row[n].edge);
        row[n].tile = block->tile;
        if (n % run > 0 && row[n - 1].self == block->neighbour[0])
            row[n].tile |= STEP_LEFT;
        if (n % run + 1 < run && row[n + 1].self != 0 && row[n + 1].self == block->neighbour[1])
            row[n].tile |= STEP_RIGHT;
    }
}

static int send_rows(struct opencl_engine *engine, struct tables *tables, struct failure *failure)
{
    const struct block_grid *const grid = engine->room->blocks;
    const unsigned run = opencl_run(engine->real);
    uint8_t *const taken = calloc((size_t)grid->blocks + 1, 1);
    struct step_row *const row = calloc((size_t)grid->blocks + run, sizeof *row);
    int code = taken != NULL && row != NULL
                   ? 0
                   : failure_memory(failure, grid->blocks * sizeof *row, "the order of blocks");
    if (code == 0) {
        tables->rows = order_blocks(grid, run, taken, row);
        fill_rows(grid, run, tables->rows, row);
        code = opencl_make(engine, tables->rows * sizeof *row, row, "the order of blocks", &tables->row,
                           failure);
    }
    free(taken);
    free(row);
    return code;
}

/* Link bytes, by tile or of the box, with a mark at nodes that have a record. */
static int send_links(struct opencl_engine *engine, struct tables *tables, struct failure *failure)
{
    const struct block_grid *const grid = engine->room->blocks;
    const struct box_grid *const box = engine->room->box;
    const uint64_t bytes = box != NULL ? box->length : (uint64_t)grid->tiles * BLOCK_NODES;
    uint8_t *const links = malloc(bytes);
    if (links == NULL)
        return failure_memory(failure, bytes, "the links of a room");
    memcpy(links, box != NULL ? box->links : grid->tile[0], bytes);
    for (uint64_t n = 0; box != NULL && n < box->cuts; ++n)
        links[box->cut_node[n]] |= STEP_MARKED;
    for (uint64_t n = 0; box == NULL && grid->has_records && n < bytes; ++n)
        if (grid->marks[n / BLOCK_NODES].cut[n % BLOCK_NODES >> 6] >> (n & 63U) & 1U)
            links[n] |= STEP_MARKED;
    const int code = opencl_make(engine, bytes, links, "the links of a room", &tables->links, failure);
    free(links);
    return code;
}

/* q of every node of the list, where walls have no states. */
static int send_q(struct opencl_engine *engine, const struct step_listed *listed, const char *wall_q,
                  struct tables *tables, struct failure *failure)
{
    char *const q = calloc(tables->listed_nodes + 1, engine->real);
    if (q == NULL)
        return failure_memory(failure, tables->listed_nodes * engine->real, "walls");
    for (uint64_t n = 0; n < tables->listed_nodes; ++n)
        if (listed[n].walls > 0)
            memcpy(q + n * engine->real, wall_q + (uint64_t)listed[n].entry * engine->real, engine->real);
    const int code =
        opencl_make(engine, tables->listed_nodes * engine->real, q, "walls", &tables->q, failure);
    free(q);
    return code;
}

static int send_list(struct opencl_engine *engine, struct tables *tables, const void *wall_q,
                     struct failure *failure)
{
    const struct step_room *const room = engine->room;
    const uint64_t entries = room->box != NULL ? room->box->walls : room->blocks->walls;
    tables->listed_nodes = list_all(room, NULL).count;
    if (entries > UINT32_MAX || tables->listed_nodes > UINT32_MAX)
        return failure_set(failure, FAILURE_CAPACITY,
                           "the room has %llu wall entries, and an OpenCL device takes at most %u",
                           (unsigned long long)entries, UINT32_MAX);
    struct step_listed *const listed = calloc(tables->listed_nodes + 1, sizeof *listed);
    if (listed == NULL)
        return failure_memory(failure, tables->listed_nodes * sizeof *listed, "the nodes at walls");
    (void)list_all(room, listed);
    int code = opencl_make(engine, tables->listed_nodes * sizeof *listed, listed, "the nodes at walls",
                           &tables->listed, failure);
    if (code == 0 && room->walls == NULL)
        code = send_q(engine, listed, wall_q, tables, failure);
    free(listed);
    return code;
}

static int send_records(struct opencl_engine *engine, struct tables *tables, struct failure *failure)
{
    const struct block_grid *const grid = engine->room->blocks;
    const struct box_grid *const box = engine->room->box;
    const uint64_t cuts = box != NULL ? box->cuts : grid->cuts;
    if (!grid->has_records)
        return 0;
    TRY(opencl_make(engine, cuts * sizeof(struct cut_cell), box != NULL ? box->cut : grid->cut, "cut nodes",
                    &tables->cut, failure));
    TRY(opencl_make(engine, cuts * sizeof(float), box != NULL ? box->gain : grid->gain, "cut nodes",
                    &tables->gain, failure));
    return grid->isotropic
               ? opencl_make(engine, cuts * EDGES, box != NULL ? box->plaquette[0] : grid->plaquette[0],
                             "cut nodes", &tables->plaquette, failure)
               : 0;
}

static int send_extras(struct opencl_engine *engine, struct tables *tables, struct failure *failure)
{
    const struct block_grid *const grid = engine->room->blocks;
    const struct box_grid *const box = engine->room->box;
    tables->extra_nodes = box != NULL ? box->extra_nodes : grid->extra_nodes;
    const uint64_t links = box != NULL ? box->extra_links : grid->extra_links;
    struct box_extra_node *const node = calloc(tables->extra_nodes + 1, sizeof *node);
    struct box_extra_link *const link = calloc(links + 1, sizeof *link);
    int code =
        node != NULL && link != NULL ? 0 : failure_memory(failure, links * sizeof *link, "extra links");
    for (uint64_t n = 0; code == 0 && n < tables->extra_nodes; ++n)
        node[n] = box != NULL
                      ? box->extra_node[n]
                      : (struct box_extra_node){(uint64_t)grid->extra_node[n].block * BLOCK_NODES +
                                                    grid->extra_node[n].slot,
                                                grid->extra_node[n].first, grid->extra_node[n].links, 0};
    for (uint64_t n = 0; code == 0 && n < links; ++n)
        link[n] = box != NULL
                      ? box->extra_link[n]
                      : (struct box_extra_link){.node = (uint64_t)grid->extra_link[n].block * BLOCK_NODES +
                                                        grid->extra_link[n].slot,
                                                .crossed = grid->extra_link[n].crossed,
                                                .open = grid->extra_link[n].open};
    if (code == 0)
        code = opencl_make(engine, tables->extra_nodes * sizeof *node, node, "extra links",
                           &tables->extra_node, failure);
    if (code == 0)
        code = opencl_make(engine, links * sizeof *link, link, "extra links", &tables->extra_link, failure);
    free(node);
    free(link);
    return code;
}

static int send_walls(struct opencl_engine *engine, struct failure *failure)
{
    const struct block_grid *const grid = engine->room->blocks;
    const struct box_grid *const box = engine->room->box;
    const struct step_walls *const walls = engine->room->walls;
    const uint64_t entries = box != NULL ? box->walls : grid->walls;
    if (walls == NULL)
        return 0;
    uint16_t *const row = calloc(entries + 1, sizeof *row);
    if (row == NULL)
        return failure_memory(failure, entries * sizeof *row, "walls");
    for (uint64_t n = 0; n < entries; ++n)
        row[n] = (uint16_t)step_wall_row(walls, box != NULL ? box->wall[n].material : grid->wall[n].material);
    int code = opencl_make(engine, entries * sizeof *row, row, "walls", &engine->wall_row, failure);
    free(row);
    TRY(code);
    TRY(opencl_make(engine, entries * engine->real, walls->share, "walls", &engine->share, failure));
    TRY(opencl_make(engine, 2 * walls->branches * walls->stride * engine->real, NULL, "the states of walls",
                    &engine->state, failure));
    if (walls->ledger)
        TRY(opencl_make(engine, entries * engine->real, NULL, "the losses of walls", &engine->loss, failure));
    return opencl_make(engine,
                       (walls->materials + 2U) * (engine->real == sizeof(float)
                                                      ? sizeof(struct scheme_material_f32)
                                                      : sizeof(struct scheme_material_f64)),
                       walls->material, "walls", &engine->material, failure);
}

/* ---- passes -------------------------------------------------------------------------------------------- */

/* Rounded to the run's real. */
static void argue_real(struct opencl_engine *engine, enum opencl_pass_id id, double value)
{
    const float single = (float)value;
    opencl_argue(engine, id, engine->real,
                 engine->real == sizeof(float) ? (const void *)&single : (const void *)&value);
}

/* LIST_PARAMETERS of step.cl. */
static void argue_list(struct opencl_engine *engine, enum opencl_pass_id id, const struct tables *tables)
{
    OPENCL_ARGUE(engine, id, tables->listed, tables->cut, tables->plaquette, tables->gain);
    opencl_argue_u64(engine, id, tables->extra_nodes);
    OPENCL_ARGUE(engine, id, tables->extra_node, tables->extra_link, tables->q, engine->wall_row);
    opencl_argue_walls(engine, id);
    OPENCL_ARGUE(engine, id, engine->share, engine->loss, engine->material);
}

/* Both layouts say where a node's neighbours are (PLACE_PARAMETERS). */
static void argue_place(struct opencl_engine *engine, enum opencl_pass_id id, const struct tables *tables)
{
    const struct box_grid *const box = engine->room->box;
    if (box != NULL) {
        const uint64_t row = (uint64_t)box->nodes[0] + 2;
        opencl_argue_u64(engine, id, row);
        opencl_argue_u64(engine, id, row * ((uint64_t)box->nodes[1] + 2));
    } else {
        OPENCL_ARGUE(engine, id, tables->block, tables->edge);
    }
}

static int make_passes(struct opencl_engine *engine, const struct tables *tables, struct failure *failure)
{
    const struct step_room *const room = engine->room;
    const double weight = room->blocks->isotropic ? room->lambda2 / 6 : room->lambda2;
    const bool box = room->box != NULL;
    TRY(opencl_begin_pass(engine, PASS_WHOLE, "step_whole",
                          box ? engine->length : tables->rows * OPENCL_COLUMNS, failure));
    engine->pass[PASS_WHOLE].group = box ? 0 : OPENCL_COLUMNS * opencl_run(engine->real);
    opencl_argue_memory(engine, PASS_WHOLE, tables->links);
    argue_real(engine, PASS_WHOLE, weight);
    if (box)
        argue_place(engine, PASS_WHOLE, tables);
    else
        opencl_argue_memory(engine, PASS_WHOLE, tables->row);
    TRY(opencl_begin_pass(engine, PASS_LIST, "step_list", tables->listed_nodes, failure));
    argue_real(engine, PASS_LIST, weight);
    argue_place(engine, PASS_LIST, tables);
    argue_list(engine, PASS_LIST, tables);
    return 0;
}

int opencl_send_room(struct opencl_engine *engine, const void *wall_q, struct failure *failure)
{
    const struct block_grid *const grid = engine->room->blocks;
    struct tables tables = {0};
    if (engine->room->box == NULL)
        TRY(opencl_make(engine, ((uint64_t)grid->blocks + 1) * sizeof *grid->block, grid->block, "blocks",
                        &tables.block, failure));
    if (engine->room->box == NULL && grid->isotropic)
        TRY(opencl_make(engine, ((uint64_t)grid->blocks + 1) * sizeof *grid->edge, grid->edge, "blocks",
                        &tables.edge, failure));
    if (engine->room->box == NULL)
        TRY(send_rows(engine, &tables, failure));
    TRY(send_links(engine, &tables, failure));
    TRY(send_list(engine, &tables, wall_q, failure));
    TRY(send_records(engine, &tables, failure));
    TRY(send_extras(engine, &tables, failure));
    TRY(send_walls(engine, failure));
    return make_passes(engine, &tables, failure);
}

/* ---- bytes --------------------------------------------------------------------------------------------- */

struct device_room opencl_count_room(const struct device_request *request)
{
    const struct block_grid *const grid = request->room->blocks;
    const struct box_grid *const box = request->room->box;
    const struct step_walls *const walls = request->room->walls;
    struct device_room room = {.layout = request->layout,
                               .precision = request->precision,
                               .blocks = grid->blocks,
                               .tiles = grid->tiles,
                               .wall_nodes = (double)(box != NULL ? box->wall_nodes : grid->wall_nodes),
                               .has_records = grid->has_records,
                               .isotropic = grid->isotropic,
                               .cuts = (double)grid->cuts,
                               .linked_nodes = (double)grid->extra_nodes,
                               .extra_links = (double)grid->extra_links};
    for (int axis = 0; box != NULL && axis < 3; ++axis)
        room.box_nodes[axis] = (double)box->nodes[axis];
    if (walls != NULL) {
        room.wall_entries = (double)(box != NULL ? box->walls : grid->walls);
        room.wall_branches = walls->branches;
        room.wall_materials = walls->materials;
        room.ledger = walls->ledger;
    }
    return room;
}

double opencl_room_bytes(const struct device *device, const struct device_room *room)
{
    (void)device;
    const bool box = room->layout == LAYOUT_BOX;
    const double real = room->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    const double nodes = box ? (room->box_nodes[0] + 2) * (room->box_nodes[1] + 2) * (room->box_nodes[2] + 2)
                             : (room->blocks + 1) * BLOCK_NODES;
    const double tables =
        box ? nodes
            : (room->blocks + 1) * ((double)sizeof(struct block) +
                                    (room->isotropic ? (double)(EDGES * sizeof(block_id)) : 0.0) +
                                    (double)sizeof(struct step_row)) +
                  room->tiles * BLOCK_NODES;
    const double listed_nodes = room->has_records ? room->cuts : room->wall_nodes;
    const double listed =
        listed_nodes * (double)sizeof(struct step_listed) +
        (room->has_records ? listed_nodes : 0) *
            ((double)(sizeof(struct cut_cell) + sizeof(float)) + (room->isotropic ? EDGES : 0));
    const double extras = room->linked_nodes * (double)sizeof(struct box_extra_node) +
                          room->extra_links * (double)sizeof(struct box_extra_link);
    const double walls = room->wall_entries > 0
                             ? room->wall_entries * ((double)sizeof(uint16_t) +
                                                     (1 + 2 * room->wall_branches + room->ledger) * real)
                             : listed_nodes * real;
    const double taps = (room->sources + room->receivers) * STENCIL_NODES_MAX * 32;
    return (2 + room->air_states) * nodes * real + tables + listed + extras + walls + taps;
}
