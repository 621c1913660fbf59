/** A room on the device and on this machine's processors at once: what one is asked, the other is asked too,
 * and the answers must be the same bits. */
#ifndef TESTS_DEVICE_PAIR_H
#define TESTS_DEVICE_PAIR_H

#include <math.h>

#include "kernels/cuda/device_engine.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_walls.h"
#include "rooms/shapes/seed_shape.h"
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"

/** The test ends here, after a line that says so, where there is no device, or only one of OpenCL that was
 * not named: on processors these suites take minutes. */
#define NEEDS_DEVICE()                                                                                       \
    do {                                                                                                     \
        if (back_ends_device() == NULL)                                                                      \
            cr_skip("no device");                                                                            \
        if (!back_ends_is_thorough(false)) {                                                                 \
            (void)fprintf(stderr, "SKIPPED: no CUDA device\n");                                              \
            cr_skip("no CUDA device");                                                                       \
        }                                                                                                    \
    } while (0)

struct device_pair {
    const struct block_grid *blocks; /* borrowed */
    struct engine *host, *device;
    uint64_t random; /* drives are drawn from */
};

/** @param box   NULL for blocks
 * @param walls of every material that the room names; NULL: those of room_admittance */
static inline struct device_pair device_pair_make_walls(const struct block_grid *blocks,
                                                        const struct box_grid *box, enum precision precision,
                                                        const struct wall_materials *walls)
{
    struct device_pair pair = {.blocks = blocks, .random = 99};
    struct engine_options options = {box != NULL ? LAYOUT_BOX : LAYOUT_BLOCKS, precision, BACKEND_CPU,
                                     SIMD_AUTO, 0};
    struct time_step step;
    MUST(time_step_choose(blocks->isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD, 1.0, 340.0, 0.0, &step,
                          &failure));
    pair.host = engine_of(blocks, box, &step, room_admittance, ROOM_MATERIALS, walls, &options);
    options.backend = back_ends_backend();
    pair.device = engine_of(blocks, box, &step, room_admittance, ROOM_MATERIALS, walls, &options);
    return pair;
}

static inline struct device_pair device_pair_make(const struct block_grid *blocks, const struct box_grid *box,
                                                  enum precision precision)
{
    return device_pair_make_walls(blocks, box, precision, NULL);
}

/** Is it stepped by the kernel of that name? Devices of OpenCL do not name theirs: always true. */
static inline bool device_pair_steps_by(const struct device_pair *pair, const char *kernel)
{
    return back_ends_backend() != BACKEND_CUDA || strstr(engine_description(pair->device), kernel) != NULL;
}

/** Its second-level cache [bytes]; 1 MiB where it does not say. */
static inline double device_pair_cache(void)
{
    return fmax((double)back_ends_device()->cache, 1048576.0);
}

static inline void device_pair_free(struct device_pair *pair)
{
    back_ends_sound(pair->device);
    engine_free(pair->host);
    engine_free(pair->device);
}

/** A stencil on the air of a cube of `edge` nodes about `base`, which is air, weighted at random; rising in
 * (z,y,x), and over the corner of eight blocks where base is the first node of one. */
static inline struct stencil device_pair_stencil(const struct block_grid *blocks, const int64_t base[3],
                                                 int64_t edge, uint64_t *random)
{
    struct stencil stencil = {.count = 0};
    const int64_t from = -(edge / 2), to = from + edge;
    for (int64_t z = from; z < to; ++z)
        for (int64_t y = from; y < to; ++y)
            for (int64_t x = from; x < to; ++x) {
                const int64_t node[3] = {base[0] + x, base[1] + y, base[2] + z};
                const uint64_t index = block_grid_index(blocks, node);
                if (index == UINT64_MAX ||
                    !block_is_air(blocks, (block_id)(index / BLOCK_NODES), (unsigned)(index % BLOCK_NODES)))
                    continue;
                memcpy(stencil.node[stencil.count], node, sizeof node);
                stencil.weight[stencil.count++] = test_uniform(random, -1.0, 1.0);
            }
    cr_assert(stencil.count > 0 && stencil.count <= STENCIL_NODES_MAX);
    return stencil;
}

static inline void device_pair_add(struct device_pair *pair, const struct stencil *stencil, bool source)
{
    struct engine *const both[2] = {pair->host, pair->device};
    for (int e = 0; e < 2; ++e)
        MUST(source ? engine_add_source(both[e], stencil, &failure)
                    : engine_add_receiver(both[e], stencil, &failure));
}

/** The first air node of a block at or past a slot. False where there is none. */
static inline bool device_pair_air(const struct block_grid *blocks, block_id b, unsigned slot,
                                   int64_t node[3])
{
    const struct block *block = &blocks->block[b];
    while (slot < BLOCK_NODES && !block_is_air(blocks, b, slot))
        ++slot;
    block_node(block, slot, node);
    return slot < BLOCK_NODES;
}

/** Taps of 1, 8 and 64 nodes all over the room, in the open, at walls and over the corners of blocks. */
static inline void device_pair_spread(struct device_pair *pair, size_t count, bool source)
{
    static const int64_t edge[3] = {1, 2, 4};
    for (size_t t = 0; t < count; ++t) {
        const block_id b =
            (block_id)(1 + (t * 2654435761u + (source ? 5 : 0)) % (block_list_first(pair->blocks) - 1));
        int64_t node[3];
        /* Every other one at the first corner of a block, where its nodes lie in up to eight. */
        if (!device_pair_air(pair->blocks, b, t % 2 == 0 ? 0 : (unsigned)(t * 97 % BLOCK_NODES), node))
            (void)device_pair_air(pair->blocks, b, 0, node);
        const struct stencil stencil = device_pair_stencil(pair->blocks, node, edge[t % 3], &pair->random);
        device_pair_add(pair, &stencil, source);
    }
}

/** The same steps and the same field. */
static inline void device_pair_same(const struct device_pair *pair)
{
    cr_assert(engine_steps(pair->device) == engine_steps(pair->host));
    cr_assert(engine_hash(pair->device) == engine_hash(pair->host),
              "%s, step %llu: another field than the processor's", engine_description(pair->device),
              (unsigned long long)engine_steps(pair->host));
}

/** A run of both with noise that is 0 now and then. */
static inline void device_pair_run(struct device_pair *pair, size_t steps)
{
    const size_t drives = pair->host->sources * steps, samples = pair->host->receivers * steps;
    double *drive = malloc((drives + 1) * sizeof *drive),
           *output = malloc((2 * samples + 1) * sizeof *output);
    cr_assert(drive != NULL && output != NULL);
    for (size_t n = 0; n < drives; ++n)
        drive[n] = n % 5 == 1 ? 0.0 : test_uniform(&pair->random, -1.0, 1.0);
    engine_run(pair->host, steps, drives > 0 ? drive : NULL, samples > 0 ? output : NULL);
    engine_run(pair->device, steps, drives > 0 ? drive : NULL, samples > 0 ? output + samples : NULL);
    back_ends_sound(pair->device);
    back_ends_same_output(pair->device, steps, output, output + samples);
    device_pair_same(pair);
    free(drive);
    free(output);
}

/** What is in the field and its walls: the same at every look, and the processor's to rounding. In single
 * precision the device takes the weights of walls from rounded shares. */
static inline void device_pair_same_energy(const char *name, const struct device_pair *pair)
{
    const double host = engine_energy(pair->host), device = engine_energy(pair->device);
    const double off = pair->host->real_bytes == sizeof(float) ? 1e-5 : 1e-12;
    cr_assert(engine_energy(pair->device) == device, "%s: the energy changes while nothing moves", name);
    cr_assert(fabs(device - host) <= off * host, "%s, %s: the energy is %.17g, not %.17g", name,
              engine_description(pair->device), device, host);
}

/** Energy, then states and losses of all entries, as they stand. */
static inline void device_pair_same_walls(const char *name, const struct device_pair *pair)
{
    const struct step_walls *walls = &pair->host->walls;
    const uint64_t entries = engine_wall_count(pair->host);
    const size_t real = pair->host->real_bytes, plane = (size_t)walls->stride * real;
    device_pair_same_energy(name, pair);
    char *state = malloc(2 * walls->branches * plane + 1), *loss = malloc((size_t)entries * real + 1);
    cr_assert(state != NULL && loss != NULL);
    cr_assert(engine_read_states(pair->device, 0, entries, state, walls->stride));
    for (unsigned p = 0; p < 2 * walls->branches; ++p)
        for (uint64_t e = 0; e < entries; ++e) {
            const double host = engine_value(pair->host, (const char *)walls->state + p * plane, e),
                         device = engine_value(pair->host, state + p * plane, e);
            cr_assert(host == device, "%s, %s: state %u of entry %llu is %.9g, not %.9g", name,
                      engine_description(pair->device), p, (unsigned long long)e, device, host);
        }
    if (walls->ledger) {
        MUST(pair->device->device->ops->take_losses(pair->device->device, loss, &failure));
        for (uint64_t e = 0; e < entries; ++e)
            cr_assert(engine_value(pair->host, walls->loss, e) == engine_value(pair->host, loss, e),
                      "%s, %s: the loss of entry %llu is %.9g, not %.9g", name,
                      engine_description(pair->device), (unsigned long long)e,
                      engine_value(pair->host, loss, e), engine_value(pair->host, walls->loss, e));
        memset(walls->loss, 0, (size_t)entries * real);
    }
    free(state);
    free(loss);
}

/** A shape of the seed's with walls that absorb, in both layouts. */
struct shape_room {
    struct block_grid blocks;
    struct box_grid box;
};

static inline struct shape_room *shape_room_make(enum seed_shape shape, int64_t nodes, bool with_box)
{
    struct shape_room *room = calloc(1, sizeof *room);
    struct voxels voxels = {0};
    cr_assert(room != NULL);
    MUST(seed_shape_voxels(shape, nodes, &voxels, &failure));
    MUST(block_grid_pack(&voxels, &room->blocks, &failure));
    voxels_free(&voxels);
    /* One material a node, so far none: any other will do. */
    for (uint64_t w = 0; w < room->blocks.walls; ++w)
        room->blocks.wall[w].material = (uint16_t)(w % 7 % ROOM_MATERIALS);
    if (with_box)
        MUST(box_grid_from_blocks(&room->blocks, &room->box, &failure));
    return room;
}

static inline void shape_room_free(struct shape_room *room)
{
    block_grid_free(&room->blocks);
    box_grid_free(&room->box);
    free(room);
}

#endif
