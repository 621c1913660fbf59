#include "kernels/engine/engine_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_port.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/machine/machine_memory.h"
#include "kernels/scheme/air_loss.h"

#define LEVELS_MOST (2 + AIR_LOSS_STATES)

/* Reals by wall entry: plane p of entry e is value[p * stride + e - first]. With a ledger the last plane is
 * `loss`, likewise. */
struct entry_planes {
    char *value, *loss;
    uint64_t stride, first;
};

struct engine_image {
    struct engine *engine;
    struct engine_image_form form;
    bool set;
    bool streams;                /* blocks on a device: every piece is read from there or written there */
    bool apart;                  /* of a copy: members of the engine that change must not be used */
    char *level[LEVELS_MOST];    /* on the host, of the engine or of the copy */
    struct entry_planes entries; /* where the states are, unless the image is read in pieces */
    char *sheets;                /* copy of the states of all links that sheets cut; owned; NULL: none */
    char *layer;                 /* likewise of the layer behind open faces */
    char *copied;                /* box on a device: all entries; copy on the host: everything; owned */
    char *air;                   /* box on a device: all states of the air's losses; owned */
};

static uint32_t planes_of(const struct engine *engine)
{
    if (engine->ops->planes != NULL)
        return engine->ops->planes(engine);
    return engine->room.walls == NULL ? 0 : 2 * engine->walls.branches + engine->walls.ledger;
}

static unsigned levels_of(const struct engine *engine)
{
    const struct air_loss *const loss = engine_air_loss(engine);
    return 2 + (loss != NULL ? loss->states : 0);
}

/* The sums of absorbed energy, `*count` of them. */
static double *sums_of(const struct engine *engine, uint32_t *count)
{
    if (engine->ops->sums != NULL)
        return engine->ops->sums(engine, count);
    *count = engine->absorbed != NULL ? engine->walls.materials + 1u : 0;
    return engine->absorbed;
}

struct engine_image_form engine_image_form(const struct engine *engine)
{
    const struct block_grid *grid = engine->room.blocks;
    uint32_t sums;
    (void)sums_of(engine, &sums);
    return (struct engine_image_form){.blocks = grid->blocks,
                                      .real_bytes = engine->real_bytes,
                                      .planes = planes_of(engine),
                                      .absorbed = sums,
                                      .walls = grid->walls,
                                      .port = engine_port_state(engine),
                                      .levels = levels_of(engine)};
}

static uint64_t bytes_before(const struct engine *engine, uint32_t first, uint32_t block)
{
    const struct block_grid *grid = engine->room.blocks;
    const uint64_t entries = grid->wall_first[block] - grid->wall_first[first];
    const uint64_t sheets =
        grid->sheets > 0 ? block_sheet_from(grid, block) - block_sheet_from(grid, first) : 0;
    return ((uint64_t)(block - first) * levels_of(engine) * BLOCK_NODES + entries * planes_of(engine) +
            sheets * SHEET_IMAGE_REALS + engine_layer_reals(engine, first, block)) *
           engine->real_bytes;
}

uint64_t engine_image_bytes(const struct engine *engine, uint32_t first, uint32_t last)
{
    return bytes_before(engine, first, last);
}

/* ---- begin and end --------------------------------------------------------------------------------------
 */

static struct entry_planes planes_at(const struct engine *engine, char *value, uint64_t first, uint64_t count)
{
    return (struct entry_planes){.value = value,
                                 .loss = value + 2 * engine->walls.branches * count * engine->real_bytes,
                                 .stride = count,
                                 .first = first};
}

/* The states of the air's losses of a box on a device, from there or (`set`) there. */
static int move_box_air(struct engine_image *image, bool set, struct failure *failure)
{
    const struct device_ops *const ops = image->engine->device->ops;
    for (unsigned n = 2; n < image->form.levels; ++n)
        TRY((set ? ops->write(image->engine->device, (int)n, image->level[n], failure)
                 : ops->read(image->engine->device, (int)n, image->level[n], failure)));
    return 0;
}

static int map_box_air(struct engine_image *image, struct failure *failure)
{
    const uint64_t level = engine_level_bytes(image->engine), bytes = (image->form.levels - 2) * level;
    if (bytes == 0)
        return 0;
    image->air = malloc(bytes);
    if (image->air == NULL)
        return failure_memory(failure, bytes, "a copy of the losses of the air");
    for (unsigned n = 2; n < image->form.levels; ++n)
        image->level[n] = image->air + (n - 2) * level;
    return move_box_air(image, false, failure);
}

/* Copy a box on a device to the host: all levels and the states. */
static int map_box(struct engine_image *image, struct failure *failure)
{
    struct engine *engine = image->engine;
    const uint64_t entries = engine_wall_count(engine);
    if (image->set)
        engine->ops->map(engine);
    else
        (void)engine->ops->fetch(engine);
    TRY(engine_failed(engine, failure));
    TRY(map_box_air(image, failure));
    if (image->form.planes == 0)
        return 0;
    const uint64_t bytes = entries * image->form.planes * engine->real_bytes;
    image->copied = malloc(bytes + 1);
    if (image->copied == NULL)
        return failure_memory(failure, bytes, "a copy of the states of walls");
    image->entries = planes_at(engine, image->copied, 0, entries);
    return image->set ? 0
                      : engine->device->ops->read_entries(engine->device, 0, entries, image->copied, failure);
}

int engine_open_image_on_device(struct engine_image *image, struct failure *failure)
{
    struct engine *const engine = image->engine;
    if (engine->room.box != NULL)
        return map_box(image, failure);
    image->streams = true;
    (void)engine->ops->send(engine);
    return engine_failed(engine, failure);
}

int engine_open_image_on_host(struct engine_image *image, struct failure *failure)
{
    (void)failure;
    const struct step_walls *walls = &image->engine->walls;
    image->entries =
        (struct entry_planes){.value = walls->state, .loss = walls->loss, .stride = walls->stride};
    return 0;
}

/* Sheets are few, so the image has a copy of all of them. */
static int copy_sheets(struct engine_image *image, struct failure *failure)
{
    const struct engine *engine = image->engine;
    const uint64_t bytes = engine->room.blocks->sheets * SHEET_IMAGE_REALS * engine->real_bytes;
    if (bytes == 0 || engine->ops->move_image != NULL)
        return 0;
    image->sheets = calloc(1, bytes);
    if (image->sheets == NULL)
        return failure_memory(failure, bytes, "a copy of the flows through sheets");
    return engine_sheets_get(image->engine, image->sheets, failure);
}

static int copy_layer(struct engine_image *image, struct failure *failure)
{
    const uint64_t bytes =
        engine_layer_reals(image->engine, 1, (uint64_t)image->form.blocks + 1) * image->form.real_bytes;
    if (bytes == 0 || image->engine->ops->move_image != NULL)
        return 0;
    image->layer = calloc(1, bytes);
    if (image->layer == NULL)
        return failure_memory(failure, bytes, "a copy of the layer behind open faces");
    return engine_layer_get(image->engine, image->layer, failure);
}

static int begin_image(struct engine *engine, bool set, struct engine_image **out, struct failure *failure)
{
    struct engine_image *image = calloc(1, sizeof *image);
    *out = NULL;
    if (image == NULL)
        return failure_memory(failure, sizeof *image, "an image of the field");
    *image = (struct engine_image){.engine = engine, .form = engine_image_form(engine), .set = set};
    int code = engine_failed(engine, failure);
    if (code == 0)
        code = copy_sheets(image, failure);
    if (code == 0)
        code = copy_layer(image, failure);
    if (code == 0)
        *out = image;
    else
        (void)engine_image_close(image, NULL);
    return code;
}

int engine_image_open(struct engine *engine, bool set, struct engine_image **out, struct failure *failure)
{
    TRY(begin_image(engine, set, out, failure));
    const int code = engine->ops->open_image != NULL ? engine->ops->open_image(*out, failure) : 0;
    for (unsigned n = 0; n < (*out)->form.levels; ++n)
        if ((*out)->level[n] == NULL)
            (*out)->level[n] = engine_level(engine, n);
    if (code != 0) {
        (void)engine_image_close(*out, NULL);
        *out = NULL;
    }
    return code;
}

static char *copy_of(char **at, const void *from, uint64_t bytes)
{
    char *const copy = *at;
    if (bytes > 0)
        memcpy(copy, from, bytes);
    *at += bytes;
    return copy;
}

bool engine_copy_image_on_host(struct engine_image *image)
{
    const struct engine *engine = image->engine;
    const struct step_walls *walls = &engine->walls;
    const bool states = image->form.planes > 0;
    const uint64_t level = engine_level_bytes(engine), plane = walls->stride * engine->real_bytes;
    const uint64_t state = states ? 2 * walls->branches * plane : 0;
    const uint64_t loss = states && walls->ledger ? engine_wall_count(engine) * engine->real_bytes : 0;
    const uint64_t bytes = image->form.levels * level + state + loss;
    image->copied = bytes < machine_memory_available() ? malloc(bytes + 1) : NULL;
    if (image->copied == NULL)
        return false;
    char *at = image->copied;
    for (unsigned n = 0; n < image->form.levels; ++n)
        image->level[n] = copy_of(&at, engine_level(engine, n), level);
    image->entries = (struct entry_planes){.stride = walls->stride};
    image->entries.value = copy_of(&at, walls->state, state);
    image->entries.loss = copy_of(&at, walls->loss, loss);
    return true;
}

bool engine_copy_image_on_device(struct engine_image *image)
{
    struct engine *const engine = image->engine;
    bool made = false;
    image->streams = true;
    if (engine->ops->send(engine))
        (void)ENGINE_ASK(engine, copy, &made, &engine->failure);
    return made;
}

int engine_image_open_copy(struct engine *engine, struct engine_image **out, struct failure *failure)
{
    *out = NULL;
    if (engine->ops->copy_image == NULL)
        return engine_failed(engine, failure);
    TRY(begin_image(engine, false, out, failure));
    (*out)->apart = engine->ops->copy_image(*out);
    const int code = engine_failed(engine, failure);
    if (code != 0 || !(*out)->apart) {
        (void)engine_image_close(*out, NULL);
        *out = NULL;
    }
    return code;
}

int engine_image_close(struct engine_image *image, struct failure *failure)
{
    if (image == NULL)
        return 0;
    struct engine *engine = image->engine;
    int code = 0;
    if (image->set && image->copied != NULL && engine_failed(engine, NULL) == 0)
        code = engine->device->ops->write_entries(engine->device, 0, engine_wall_count(engine), image->copied,
                                                  failure);
    if (code == 0 && image->set && image->air != NULL && engine_failed(engine, NULL) == 0)
        code = move_box_air(image, true, failure);
    if (code == 0 && image->set && image->sheets != NULL && engine_failed(engine, NULL) == 0)
        code = engine_sheets_set(engine, image->sheets, failure);
    if (code == 0 && image->set && image->layer != NULL && engine_failed(engine, NULL) == 0)
        code = engine_layer_set(engine, image->layer, failure);
    free(image->layer);
    free(image->sheets);
    free(image->copied);
    free(image->air);
    free(image);
    return code;
}

uint64_t engine_image_get_steps(const struct engine *engine, double *absorbed)
{
    uint32_t count;
    const double *const sums = sums_of(engine, &count);
    if (count > 0)
        memcpy(absorbed, sums, count * sizeof *absorbed);
    return engine->steps;
}

void engine_image_set_steps(struct engine *engine, uint64_t steps, const double *absorbed)
{
    uint32_t count;
    double *const sums = sums_of(engine, &count);
    if (count > 0)
        memcpy(sums, absorbed, count * sizeof *absorbed);
    engine->steps = steps;
}

/* ---- pieces ---------------------------------------------------------------------------------------------
 */

/* Copy `bytes` from the engine to the image, or with `set` back. */
static void move_bytes(bool set, void *engine, char *image, uint64_t bytes)
{
    if (set)
        memcpy(engine, image, bytes);
    else
        memcpy(image, engine, bytes);
}

/* Copy a row of a block in the box, whose first node is at `at` there. Nodes outside the box are 0. */
static void move_row(const struct engine_image *image, char *level, const int64_t at[3], char *row)
{
    const struct box_grid *box = image->engine->room.box;
    const uint64_t real = image->form.real_bytes;
    const int64_t begin = at[0] < 0 ? -at[0] : 0;
    const int64_t end = box->nodes[0] - at[0] < BLOCK_EDGE ? box->nodes[0] - at[0] : BLOCK_EDGE;
    const bool outside = at[1] < 0 || at[2] < 0 || at[1] >= box->nodes[1] || at[2] >= box->nodes[2];
    if (!image->set)
        memset(row, 0, BLOCK_EDGE * real);
    if (!outside && begin < end)
        move_bytes(image->set, level + box_index(box, at[0] + begin, at[1], at[2]) * real,
                   row + (uint64_t)begin * real, (uint64_t)(end - begin) * real);
}

/* Copy one level of a block. */
static void move_level(const struct engine_image *image, uint32_t block, char *level, char *nodes)
{
    const struct engine *engine = image->engine;
    const struct block_grid *grid = engine->room.blocks;
    const uint64_t real = image->form.real_bytes;
    if (engine->room.box == NULL) {
        move_bytes(image->set, level + (uint64_t)block * BLOCK_NODES * real, nodes, BLOCK_NODES * real);
    } else if (block < block_list_first(grid)) {
        for (unsigned slot = 0; slot < BLOCK_NODES; slot += BLOCK_EDGE) {
            int64_t at[3];
            block_node(&grid->block[block], slot, at);
            for (int axis = 0; axis < 3; ++axis)
                at[axis] -= engine->room.box->low[axis];
            move_row(image, level, at, nodes + slot * real);
        }
    } else {
        const uint64_t list = (uint64_t)(block - block_list_first(grid)) * BLOCK_NODES;
        if (!image->set)
            memset(nodes, 0, BLOCK_NODES * real);
        for (unsigned slot = 0; slot < BLOCK_NODES && list + slot < grid->list_nodes; ++slot)
            move_bytes(image->set, level + engine_list_index(engine, list + slot) * real, nodes + slot * real,
                       real);
    }
}

/* Entry of the stepped layout for an entry of the block; `last` is that of the entry before. */
static uint64_t entry_of(const struct engine *engine, uint32_t block, uint64_t wall, uint64_t last)
{
    const struct block_grid *grid = engine->room.blocks;
    const struct box_grid *box = engine->room.box;
    if (box == NULL)
        return wall;
    if (grid->wall[wall].slot & WALL_CONTINUES)
        return last + 1;
    return step_box_wall_from(box, box_grid_block_index(box, grid, block, grid->wall[wall].slot & WALL_SLOT));
}

static void move_entries(const struct engine_image *image, const struct entry_planes *planes, uint32_t block,
                         char *reals)
{
    const struct engine *engine = image->engine;
    const struct block_grid *grid = engine->room.blocks;
    const uint64_t real = image->form.real_bytes;
    const unsigned states = 2 * engine->walls.branches;
    uint64_t entry = 0;
    for (uint64_t wall = grid->wall_first[block]; wall < grid->wall_first[block + 1]; ++wall) {
        entry = entry_of(engine, block, wall, entry);
        const uint64_t at = entry - planes->first;
        for (unsigned plane = 0; plane < states; ++plane, reals += real)
            move_bytes(image->set, planes->value + (plane * planes->stride + at) * real, reals, real);
        if (engine->walls.ledger) {
            move_bytes(image->set, planes->loss + at * real, reals, real);
            reals += real;
        }
    }
}

/* Copy the layer of a block, which ends at `end` in the image, and the sheets before it. */
static char *move_layer(const struct engine_image *image, uint32_t block, char *end)
{
    const uint64_t real = image->form.real_bytes, before = engine_layer_reals(image->engine, 1, block) * real,
                   bytes = engine_layer_reals(image->engine, block, (uint64_t)block + 1) * real;
    if (bytes > 0)
        move_bytes(image->set, image->layer + before, end - bytes, bytes);
    return end - bytes;
}

static void move_sheets(const struct engine_image *image, uint32_t block, char *end)
{
    end = move_layer(image, block, end);
    const struct block_grid *grid = image->engine->room.blocks;
    const uint64_t real = image->form.real_bytes * SHEET_IMAGE_REALS;
    if (image->sheets == NULL)
        return;
    const uint64_t first = block_sheet_from(grid, block), last = block_sheet_from(grid, (uint64_t)block + 1);
    move_bytes(image->set, image->sheets + first * real, end - (last - first) * real, (last - first) * real);
}

/* Copy blocks in the memory of the engine. */
static void move_blocks(const struct engine_image *image, uint32_t first, uint32_t last, char *bytes)
{
    const struct engine *engine = image->engine;
    const uint64_t level = BLOCK_NODES * image->form.real_bytes;
#pragma omp parallel for num_threads(image->apart ? 1 : engine->threads)
    for (uint32_t block = first; block < last; ++block) {
        char *const at = bytes + bytes_before(engine, first, block);
        for (unsigned n = 0; n < image->form.levels; ++n)
            move_level(image, block, image->level[n], at + n * level);
        if (image->form.planes > 0)
            move_entries(image, &image->entries, block, at + image->form.levels * level);
        move_sheets(image, block, bytes + bytes_before(engine, first, block + 1));
    }
}

/* ---- pieces of a device's blocks ------------------------------------------------------------------------
 */

/* A piece in the order of the device: each level of all its blocks, then the planes of its entries. */
struct piece {
    uint32_t first, last;
    uint64_t entry, entries;
    char *level[LEVELS_MOST], *planes;
};

static int move_piece(const struct engine_image *image, const struct piece *piece, struct failure *failure)
{
    struct device_engine *device = image->engine->device;
    int (*const read_part)(struct device_engine *, int, uint64_t, uint64_t, void *, struct failure *) =
        image->apart ? device->ops->read_copied_part : device->ops->read_part;
    int (*const read_entries)(struct device_engine *, uint64_t, uint64_t, void *, struct failure *) =
        image->apart ? device->ops->read_copied_entries : device->ops->read_entries;
    const uint64_t from = (uint64_t)piece->first * BLOCK_NODES,
                   nodes = (uint64_t)(piece->last - piece->first) * BLOCK_NODES;
    for (int level = 0; level < (int)image->form.levels; ++level)
        TRY(image->set ? device->ops->write_part(device, level, from, nodes, piece->level[level], failure)
                       : read_part(device, level, from, nodes, piece->level[level], failure));
    if (image->form.planes == 0 || piece->entries == 0)
        return 0;
    return image->set
               ? device->ops->write_entries(device, piece->entry, piece->entries, piece->planes, failure)
               : read_entries(device, piece->entry, piece->entries, piece->planes, failure);
}

/* Copy between the order of the device and that of the image. */
static void sort_piece(const struct engine_image *image, const struct piece *piece, char *bytes)
{
    const struct engine *engine = image->engine;
    const uint64_t level = BLOCK_NODES * image->form.real_bytes;
    const struct entry_planes planes = planes_at(engine, piece->planes, piece->entry, piece->entries);
    for (uint32_t block = piece->first; block < piece->last; ++block) {
        char *const at = bytes + bytes_before(engine, piece->first, block);
        const uint64_t from = (uint64_t)(block - piece->first) * level;
        for (unsigned n = 0; n < image->form.levels; ++n)
            move_bytes(image->set, piece->level[n] + from, at + n * level, level);
        if (image->form.planes > 0)
            move_entries(image, &planes, block, at + image->form.levels * level);
        move_sheets(image, block, bytes + bytes_before(engine, piece->first, block + 1));
    }
}

static int stream_piece(struct engine_image *image, uint32_t first, uint32_t last, char *bytes,
                        struct failure *failure)
{
    struct engine *engine = image->engine;
    const struct block_grid *grid = engine->room.blocks;
    const uint64_t size = bytes_before(engine, first, last);
    const uint64_t level = (uint64_t)(last - first) * BLOCK_NODES * image->form.real_bytes;
    char *const memory = malloc(size + 1);
    if (memory == NULL)
        return failure_memory(failure, size, "a piece of the device's field");
    struct piece piece = {.first = first,
                          .last = last,
                          .entry = grid->wall_first[first],
                          .entries = grid->wall_first[last] - grid->wall_first[first],
                          .planes = memory + image->form.levels * level};
    for (unsigned n = 0; n < image->form.levels; ++n)
        piece.level[n] = memory + n * level;
    if (image->set)
        sort_piece(image, &piece, bytes);
    struct failure inner = {0};
    const int code = move_piece(image, &piece, &inner);
    if (code == 0 && !image->set)
        sort_piece(image, &piece, bytes);
    if (image->set)
        engine->place = FIELD_ON_DEVICE;
    free(memory);
    const bool sound = image->apart ? code == 0 : engine_keep(engine, code, &inner);
    return sound ? 0 : failure_forward(failure, &inner);
}

int engine_image_get(struct engine_image *image, uint32_t first, uint32_t last, void *bytes,
                     struct failure *failure)
{
    assert(!image->set && first >= 1 && first <= last && last <= image->form.blocks + 1);
    if (image->engine->ops->move_image != NULL)
        return image->engine->ops->move_image(image->engine, false, first, last, bytes, failure);
    if (image->streams)
        return stream_piece(image, first, last, bytes, failure);
    move_blocks(image, first, last, bytes);
    return 0;
}

int engine_image_set(struct engine_image *image, uint32_t first, uint32_t last, const void *bytes,
                     struct failure *failure)
{
    assert(image->set && first >= 1 && first <= last && last <= image->form.blocks + 1);
    if (image->engine->ops->move_image != NULL) /* only read */
        return image->engine->ops->move_image(image->engine, true, first, last, (char *)(uintptr_t)bytes,
                                              failure);
    if (image->streams)
        return stream_piece(image, first, last, (char *)(uintptr_t)bytes, failure);
    move_blocks(image, first, last, (char *)(uintptr_t)bytes); /* only read */
    return 0;
}
