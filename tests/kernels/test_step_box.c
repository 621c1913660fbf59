/* The box is stepped in tiles of rows. Here a few rows already fill a tile, so that planes are cut into many,
 * and threads begin and end in the middle of them. */
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"

enum { STEPS = 7 };

static uint64_t hash_after(const struct lossy_room *room, const struct engine_options *options)
{
    struct engine *engine = room_engine(room, 0.0, options);
    room_excite(room, engine, 5);
    engine_run(engine, STEPS, NULL, NULL);
    cr_assert(engine_health(engine).finite);
    const uint64_t hash = engine_hash(engine);
    engine_free(engine);
    return hash;
}

static void compare(const struct lossy_room *room)
{
    for (int precision = 0; precision < 2; ++precision) {
        const struct engine_options reference = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_REFERENCE,
                                                 SIMD_AUTO, 1};
        const uint64_t expected = hash_after(room, &reference);
        /* The same rows on a device, in whatever order it takes them. */
        struct back_ends device = {
            .mask = BACK_ENDS_CUDA, .one_precision = true, .precision = (enum precision)precision};
        while (back_ends_next(&device))
            cr_assert(hash_after(room, &device.options) == expected, "precision %d, layout %d", precision,
                      (int)device.options.layout);
        for (int simd = SIMD_AUTO; simd <= SIMD_PORTABLE; ++simd)
            for (int threads = 1; threads <= 3; ++threads) {
                const struct engine_options options = {LAYOUT_BOX, (enum precision)precision, BACKEND_CPU,
                                                       (enum simd)simd, threads};
                cr_assert(hash_after(room, &options) == expected, "precision %d, simd %d, %d threads",
                          precision, simd, threads);
            }
    }
}

Test(step_box, rows_of_many_tiles_give_the_bits_of_the_reference)
{
    /* 3 planes x 6002 floats = 72 kB: seven rows to a tile of 512 KiB, three in double. */
    struct lossy_room *room = room_ragged(31, 6000, 17, 4, 0.1, 0.05, 3);
    compare(room);
    room_free(room);
}

Test(step_box, a_row_longer_than_a_tile_gives_the_bits_of_the_reference)
{
    struct lossy_room *room = room_ragged(32, 50000, 3, 3, 0.1, 0.05, 2);
    compare(room);
    room_free(room);
}
