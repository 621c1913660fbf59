/* Membranes that simulated devices step, each the one whose air it has (stand_in_cards.h): the bits of
 * processors. */
#include "kernels/engine/engine_port.h"
#include "tests/drum/drum_room.h"
#include "tests/parts/stand_in_cards.h"

/* A blow on each; the first raises the tension, the second has losses. */
static const struct drum_site site[2] = {{"low", {0.328, 3990, 0.262, 0, 0, 4.2e5}, {0.62, 0.6, 0.72}, 0.4},
                                         {"high", {0.29, 5000, 0.262, 2, 0.01, 0}, {10.3, 0.6, 0.72}, 0.4}};
static const struct drum_strike strike[2] = {{0, 0.0, {0.2, 0.07}, 800, 3e-3},
                                             {1, 5e-3, {-0.1, 0.12}, 50, 2e-3}};

struct drum_trace {
    uint64_t hash;
    double work, lost, rise, energy;
};

/* What `steps` steps in two calls leave. */
static struct drum_trace trace_of(const struct drum_room *room, uint64_t steps)
{
    engine_run(room->engine, steps / 3, NULL, NULL);
    engine_run(room->engine, steps - steps / 3, NULL, NULL);
    MUST(engine_failed(room->engine, &failure));
    return (struct drum_trace){engine_hash(room->engine), drums_work(room->drums), drums_lost(room->drums),
                               drums_facts(room->drums, 0).rise, drums_energy(room->drums, room->engine)};
}

Test(local_drums, cards_step_the_membranes_whose_air_they_have_with_the_bits_of_processors)
{
    static const unsigned card[2] = {1, 0};
    static const double size[3] = {11, 1.2, 1.25};
    struct drum_room room = {0};
    drum_room_make(&room, size, 0.08, SCHEME_ISOTROPIC, true, site, 2);
    for (int precision = 0; precision < 2; precision++) {
        struct engine_options options = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_CPU, SIMD_AUTO, 1};
        drum_room_start(&room, 8, &options, site, 2, strike, 2);
        const struct drum_trace one = trace_of(&room, 150);
        cr_assert(one.work > 1e-3 && one.lost != 0 && one.rise > 0);
        options.backend = BACKEND_CUDA;
        for (unsigned cards = 1; cards <= 2; cards++)
            for (int way = HALO_HOST; way <= HALO_QUEUED; way += HALO_QUEUED) {
                struct part_link link;
                MUST(local_devices(&pretended_table, cards, card, (enum halo_way)way, &link, &failure));
                drum_room_start_on(&link, &pretended_back_ends, &room, 8, &options, site, 2, strike, 2);
                cr_assert(eq(sz, engine_port_nodes(room.engine), 0), "the host steps some of %u", cards);
                for (int again = 0; again < 2; again++) {
                    engine_reset(room.engine);
                    const struct drum_trace found = trace_of(&room, 150);
                    cr_assert(memcmp(&found, &one, sizeof one) == 0, "%u cards, way %d, run %d", cards, way,
                              again);
                }
            }
    }
    drum_room_free(&room);
}
