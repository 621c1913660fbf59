#include "src/bench/bench_cards.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_fill.h"
#include "kernels/machine/machine_memory.h"
#include "kernels/mpi/ranks.h"
#include "kernels/parts/local_parts.h"
#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/sorted_doubles.h"
#include "src/bench/bench_device_rooms.h"
#include "src/bench/bench_far_end.h"
#include "src/bench/bench_points.h"
#include "src/bench/bench_textbook.h"
#include "src/bench/bench_traffic.h"
#include "src/base/options/device_choice.h"
#include "src/setup/room_setup.h"
#include "src/base/table/json_values.h"
#include "src/base/table/table_columns.h"

#define SMALL_EDGE   64 /* of the room that must be the same */
#define SMALL_STEPS  64
#define SECONDS      1.0 /* of measuring a case, unless given */
#define ROUND_SHARE  0.1
#define ROUNDS_LEAST 5
#define ROUNDS_MOST  64
#define COPY_BYTES   (UINT64_C(1) << 30)
#define COPY_PASSES  10

/* Edge of a cube with as many nodes as the cross of 5 x N^3: N = 256 and 512 for each GPU, 512 and 1000 in
 * all. */
static const double card_edges[2][2] = {
    [BENCH_WEAK] = {437.759, 875.518}, [BENCH_STRONG] = {875.518, 1709.976}};

struct card_case {
    char room[BENCH_NAME_MAX];
    int precision;
    unsigned cards;
    double nodes, seconds, efficiency;
    double room_seconds, setup_seconds; /* to make the room on the host, and the engine of the timed run */
    struct bench_traffic traffic;
    struct bench_tally tally; /* compared with the reference at both ends */
    uint64_t hash;            /* after BENCH_CHECK_STEPS */
};

struct cards_bench {
    struct bench *bench;
    size_t cases;
    struct card_case *entry;
    struct table table; /* of the cases, after they are timed */
    unsigned counts, count[BENCH_COUNTS_MOST];
    unsigned all; /* GPUs */
    bool ranks;   /* each of them has one */
    enum halo_way way;
    char engine[160];            /* the engine's description on all GPUs */
    double copy_rate, link_rate; /* within the first, read and written, and from it to the second [bytes/s] */
};

unsigned bench_card_counts(unsigned cards, bool ends, unsigned count[BENCH_COUNTS_MOST])
{
    unsigned counts = 0;
    for (unsigned n = 1; n < (ends ? 2 : cards); n *= 2)
        count[counts++] = n;
    count[counts++] = cards;
    return counts;
}

/* ---- engines ------------------------------------------------------------------------------------------- */

static int make_parts(const struct cards_bench *cards, const struct bench_room *room,
                      const struct part_setup *setup, unsigned count, struct engine **out,
                      struct bench_traffic *traffic, struct failure *failure)
{
    const struct backend_choice *const choice = &cards->bench->choice;
    struct part_link link;
    if (count == 1)
        return engine_create_with(out,
                                  &(struct engine_settings){.blocks = &room->blocks,
                                                            .step = &setup->step,
                                                            .materials = setup->materials,
                                                            .admittance = setup->admittance,
                                                            .walls = setup->walls,
                                                            .options = &setup->options,
                                                            .card = choice->card[0]},
                                  failure);
    TRY(cards->ranks
            ? ranks_table->parts(&link, failure)
            : local_devices(backend_choice_devices(choice), count, choice->card, cards->way, &link, failure));
    TRY(bench_count_traffic(&link, traffic, failure));
    return engine_in_parts(out, &room->blocks, setup, PARTITION_WALL_COST_DEVICE, &link, failure);
}

/* `rigid`: no wall absorbs, and the Courant number is that of the far end's check. */
static int make_engine(const struct cards_bench *cards, const struct bench_room *room, int precision,
                       bool rigid, unsigned count, struct engine **out, struct bench_traffic *traffic,
                       struct failure *failure)
{
    double *const none = calloc(room->materials + 1, sizeof *none);
    struct part_setup setup = {.options = bench_engine_options(cards->bench, precision, LAYOUT_BLOCKS),
                               .materials = room->materials,
                               .admittance = rigid ? none : room->admittance,
                               .walls = room->walls.count > 0 && !rigid ? &room->walls : NULL};
    int code = none == NULL
                   ? failure_memory(failure, room->materials * sizeof *none, "admittances")
                   : bench_step(room, rigid ? BENCH_TEXTBOOK_COURANT : 0, rigid, &setup.step, failure);
    if (code == 0)
        code = make_parts(cards, room, &setup, count, out, traffic, failure);
    free(none);
    TRY(code);
    engine_fill(*out, BENCH_FILL_SEED);
    return engine_failed(*out, failure);
}

static int time_engine(const struct bench *bench, struct engine *engine, double *seconds,
                       struct failure *failure)
{
    const double whole = bench->own.time > 0 ? bench->own.time : SECONDS;
    double round[ROUNDS_MOST], taken = 0, spent = 0;
    uint64_t steps = 8;
    int rounds = 0;
    TRY(bench_run_points(engine, steps, &taken, failure)); /* is not timed */
    TRY(bench_run_points(engine, steps, &taken, failure));
    steps = (uint64_t)fmin(fmax(ROUND_SHARE * whole / (taken / (double)steps), 8), BENCH_BATCH);
    while (rounds < ROUNDS_LEAST || (spent < whole && rounds < ROUNDS_MOST)) {
        TRY(interrupt_stop(failure));
        TRY(bench_run_points(engine, steps, &taken, failure));
        round[rounds++] = taken / (double)steps;
        spent += taken;
    }
    *seconds = sort_for_median(round, (size_t)rounds);
    return 0;
}

/* ---- the same bits ------------------------------------------------------------------------------------- */

static int hash_on(struct cards_bench *cards, const struct bench_room *room, int precision, unsigned count,
                   uint64_t *hash, struct failure *failure)
{
    struct engine *engine = NULL;
    struct bench_traffic traffic;
    int code = make_engine(cards, room, precision, false, count, &engine, &traffic, failure);
    if (code == 0)
        code = bench_add_points(room, engine, failure);
    if (code == 0)
        code = bench_run_points(engine, SMALL_STEPS, NULL, failure);
    if (code == 0) {
        *hash = engine_hash(engine);
        (void)snprintf(cards->engine, sizeof cards->engine, "%s", engine_description(engine));
        code = engine_failed(engine, failure);
    }
    engine_free(engine);
    return code;
}

static int check_bits(struct cards_bench *cards, struct failure *failure)
{
    struct bench *const bench = cards->bench;
    struct bench_room room = {0};
    uint64_t one = 0, all = 0;
    bench_show(bench, "the same small room on one GPU and on %u", cards->all);
    int code = bench_room_make(BENCH_CHURCH, bench->request.grid.scheme,
                               bench_room_nodes(BENCH_CHURCH, SMALL_EDGE), bench->threads, &room, failure);
    for (int precision = 0; code == 0 && precision < BENCH_PRECISIONS; precision++) {
        code = hash_on(cards, &room, precision, 1, &one, failure);
        if (code == 0)
            code = hash_on(cards, &room, precision, cards->all, &all, failure);
        if (code == 0 && one != all)
            code = failure_set(failure, FAILURE_ANSWER_NO,
                               "wrong value: a small church holds another field on %u cards than on one (%s "
                               "precision, after %d steps: hash %016" PRIx64 " against %016" PRIx64
                               "): do not use this build on these cards",
                               cards->all, bench_precision_name[precision], SMALL_STEPS, all, one);
    }
    bench_room_free(&room);
    return code;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

/* Check both ends of a field that all GPUs share, after enough steps for values to pass from part to part. */
static int check_ends(const struct cards_bench *cards, const struct bench_room *room, struct card_case *entry,
                      struct failure *failure)
{
    struct engine *engine = NULL;
    struct bench_traffic traffic;
    if (entry->cards < cards->all || !bench_room_has_textbook(room))
        return 0;
    bench_show(cards->bench, "%s, %s, on %u GPUs: checking both ends", entry->room,
               bench_precision_name[entry->precision], entry->cards);
    int code = make_engine(cards, room, entry->precision, true, entry->cards, &engine, &traffic, failure);
    if (code == 0) {
        engine_run(engine, BENCH_FAR_STEPS, NULL, NULL);
        code = bench_check_far_end(room, engine, &entry->tally, failure);
    }
    engine_free(engine);
    return code;
}

/* The same room on fewer GPUs must have had the same field. */
static int check_hash(const struct cards_bench *cards, const struct card_case *entry, struct failure *failure)
{
    for (size_t i = 0; i < cards->cases; i++) {
        const struct card_case *const other = &cards->entry[i];
        if (strcmp(other->room, entry->room) == 0 && other->precision == entry->precision &&
            other->nodes == entry->nodes && other->hash != entry->hash)
            return failure_set(
                failure, FAILURE_ANSWER_NO,
                "wrong value: %s holds another field on %u cards than on %u (%s precision, after %d steps: "
                "hash %016" PRIx64 " against %016" PRIx64 "): do not use this build on these cards",
                entry->room, entry->cards, other->cards, bench_precision_name[entry->precision],
                BENCH_CHECK_STEPS, entry->hash, other->hash);
    }
    return 0;
}

static int time_case(const struct cards_bench *cards, const struct bench_room *room, struct card_case *entry,
                     struct failure *failure)
{
    struct engine *engine = NULL;
    bench_show(cards->bench, "%s, %s, on %u card%s", entry->room, bench_precision_name[entry->precision],
               entry->cards, entry->cards > 1 ? "s" : "");
    const double begun = omp_get_wtime();
    int code =
        make_engine(cards, room, entry->precision, false, entry->cards, &engine, &entry->traffic, failure);
    entry->setup_seconds = omp_get_wtime() - begun;
    if (code == 0)
        code = bench_add_points(room, engine, failure);
    if (code == 0)
        code = bench_run_points(engine, BENCH_CHECK_STEPS, NULL, failure);
    if (code == 0) {
        entry->hash = engine_hash(engine);
        code = time_engine(cards->bench, engine, &entry->seconds, failure);
    }
    if (code == 0)
        code = bench_check_finite(room, engine, failure);
    engine_free(engine);
    return code;
}

static int time_room(struct cards_bench *cards, const struct bench_room *room, const char *name,
                     double room_seconds, int precision, unsigned count, struct failure *failure)
{
    struct card_case entry = {.precision = precision,
                              .cards = count,
                              .nodes = bench_room_stored(room, LAYOUT_BLOCKS),
                              .room_seconds = room_seconds};
    struct failure why = {0};
    (void)snprintf(entry.room, sizeof entry.room, "%s", name);
    int code = check_ends(cards, room, &entry, &why);
    if (code == 0)
        code = time_case(cards, room, &entry, &why);
    if (code == FAILURE_CAPACITY) {
        bench_say(cards->bench, "left out: %s, %s, on %u: %s", name, bench_precision_name[precision], count,
                  why.sentence);
        return 0;
    }
    if (code != 0)
        return failure_forward(failure, &why);
    TRY(check_hash(cards, &entry, failure));
    struct card_case *const grown = realloc(cards->entry, (cards->cases + 1) * sizeof *cards->entry);
    if (grown == NULL)
        return failure_memory(failure, (cards->cases + 1) * sizeof *grown, "a benchmark");
    cards->entry = grown;
    cards->entry[cards->cases++] = entry;
    return 0;
}

static int time_precisions(struct cards_bench *cards, const struct bench_room *room, const char *name,
                           double room_seconds, unsigned count, struct failure *failure)
{
    for (int precision = 0; precision < BENCH_PRECISIONS; precision++)
        if (bench_wants(cards->bench, precision, LAYOUT_BLOCKS))
            TRY(time_room(cards, room, name, room_seconds, precision, count, failure));
    return 0;
}

/* Time a room on one GPU or more. */
static int time_target(struct cards_bench *cards, const struct bench_target *target, const char *name,
                       unsigned first, unsigned last, struct failure *failure)
{
    struct bench_room room = {0};
    bool made = false;
    const double begun = omp_get_wtime();
    int code = bench_make_target(cards->bench, target, &room, &made, failure);
    const double seconds = omp_get_wtime() - begun;
    for (unsigned n = first; code == 0 && made && n <= last; n++)
        code = time_precisions(cards, &room, name, seconds, cards->count[n], failure);
    bench_room_free(&room);
    return code;
}

/* A shape of this size per GPU, named by the size on one GPU; or of the same total size. */
static int time_shape(struct cards_bench *cards, enum bench_shape shape, double edge, struct failure *failure)
{
    struct bench_target target = {.shape = shape, .nodes = bench_room_nodes(shape, (int64_t)lround(edge))};
    char name[BENCH_NAME_MAX];
    bench_room_name(shape, target.nodes, name);
    if (cards->bench->own.scaling == BENCH_STRONG)
        return time_target(cards, &target, name, 0, cards->counts - 1, failure);
    for (unsigned n = 0; n < cards->counts; n++) {
        target.nodes = bench_room_nodes(shape, (int64_t)lround(edge * cbrt(cards->count[n])));
        TRY(time_target(cards, &target, name, n, n, failure));
    }
    return 0;
}

static int time_model(struct cards_bench *cards, struct failure *failure)
{
    struct bench_room room = {0};
    const double begun = omp_get_wtime();
    int code = bench_room_read(&cards->bench->request, &room, failure);
    const double seconds = omp_get_wtime() - begun;
    for (unsigned n = 0; code == 0 && n < cards->counts; n++)
        code = time_precisions(cards, &room, "room", seconds, cards->count[n], failure);
    bench_room_free(&room);
    return code;
}

static int time_all(struct cards_bench *cards, struct failure *failure)
{
    static const enum bench_shape usual[] = {BENCH_CROSS, BENCH_CHURCH};
    const struct bench *const bench = cards->bench;
    const double own = (double)bench->own.edge;
    if (bench->options->subject != NULL)
        return time_model(cards, failure);
    const double *const edges = card_edges[bench->own.scaling == BENCH_STRONG];
    for (size_t e = 0; e < (own > 0 ? 1 : sizeof card_edges[0] / sizeof *card_edges[0]); e++)
        for (enum bench_shape shape = 0; shape < BENCH_SHAPES; shape++) {
            const bool wanted = bench->own.shape == 0 ? shape == usual[0] || shape == usual[1]
                                                      : bench_wants_shape(bench, shape);
            if (wanted)
                TRY(time_shape(cards, shape, own > 0 ? own : edges[e], failure));
        }
    return 0;
}

/* ---- results ------------------------------------------------------------------------------------------- */

static double rate_of(const struct card_case *entry)
{
    return entry->nodes / entry->seconds;
}

/* The rate over that of one GPU times their number; NAN if one GPU could not hold its room. */
static void find_efficiencies(struct cards_bench *cards)
{
    for (size_t i = 0; i < cards->cases; i++) {
        struct card_case *const entry = &cards->entry[i];
        entry->efficiency = NAN;
        for (size_t k = 0; k < cards->cases; k++) {
            const struct card_case *const one = &cards->entry[k];
            if (one->cards == 1 && one->precision == entry->precision && strcmp(one->room, entry->room) == 0)
                entry->efficiency = rate_of(entry) / (entry->cards * rate_of(one));
        }
    }
}

#define CARD_COLUMNS 12

static void make_table(struct cards_bench *cards)
{
    const struct bench *const bench = cards->bench;
    const bool whole = bench->options->subject != NULL || bench->own.scaling == BENCH_STRONG;
    struct table *const table = &cards->table;
    table_begin(table, "cards");
    TABLE_HEADS(table, whole ? "room" : "room a card", "precision", "cards", "ms a step", "Gnode/s",
                "efficiency", "messages", "MB a step", "room s", "set-up s", "nodes", "compared");
    for (size_t i = 0; i < cards->cases; i++) {
        const struct card_case *const entry = &cards->entry[i];
        TABLE_ROW_WORDS(table, entry->room);
        TABLE_WORDS_CELL(table, bench_precision_name[entry->precision]);
        TABLE_VALUE_CELL(table, entry->cards, 0, 1);
        TABLE_VALUE_CELL(table, entry->seconds, -4, 1e3);
        TABLE_VALUE_CELL(table, rate_of(entry), 2, 1e-9);
        TABLE_VALUE_CELL(table, entry->efficiency, 3, 1);
        TABLE_VALUE_CELL(table, (double)entry->traffic.messages, 0, 1);
        TABLE_VALUE_CELL(table, (double)entry->traffic.bytes, -4, 1e-6);
        TABLE_VALUE_CELL(table, entry->room_seconds, 1, 1);
        TABLE_VALUE_CELL(table, entry->setup_seconds, 1, 1);
        TABLE_VALUE_CELL(table, entry->nodes, 0, 1);
        TABLE_VALUE_CELL(table, (double)entry->tally.compared, 0, 1);
    }
}

static void print_words(const struct cards_bench *cards)
{
    const struct bench *const bench = cards->bench;
    static const int width[CARD_COLUMNS] = {-21,           -9,           6, 11, 11, 11, 9, 11, 9, 9,
                                            COLUMN_HIDDEN, COLUMN_HIDDEN};
    uint64_t compared = 0;
    printf("%u cards, the first %s; %s\n", cards->all, bench->choice.device.name, cards->engine);
    printf("copies within the first GPU %.0f GB/s, read and written", cards->copy_rate * 1e-9);
    if (cards->link_rate > 0)
        printf("; from it to the next %.0f GB/s", cards->link_rate * 1e-9);
    printf("\n");
    table_columns(stdout, &cards->table, CARD_COLUMNS, width);
    for (size_t i = 0; i < cards->cases; i++)
        compared += cards->entry[i].tally.compared;
    printf("at most %.2f GB of the host's memory were in use%s\n", (double)machine_memory_peak() * 1e-9,
           cards->ranks ? " by the first rank" : "");
    if (compared > 0)
        printf("%" PRIu64
               " pressures in the first, middle and last blocks have the reference's bits after %d "
               "steps on all cards\n",
               compared, BENCH_FAR_STEPS);
}

static int print_object(const struct cards_bench *cards, struct failure *failure)
{
    static const char *const name[CARD_COLUMNS] = {
        "room",       "precision",       "cards",        "seconds_a_step", "node_updates_per_second",
        "efficiency", "messages_a_step", "bytes_a_step", "room_seconds",   "setup_seconds",
        "nodes",      "compared"};
    cJSON *const object = cJSON_CreateObject(), *const list = json_list_in(object, "devices");
    JSON_PUT(object, {"device", OF_TEXT(cards->bench->choice.device.name)},
             {"engine", OF_TEXT(cards->engine)}, {"copy_bytes_per_second", OF_NUMBER(cards->copy_rate)},
             {"link_bytes_per_second", OF_NUMBER(cards->link_rate)},
             {"host_bytes", OF_NUMBER(machine_memory_peak())});
    table_json(list, &cards->table, name);
    return print_json(object, failure);
}

/* Measure the copy within the first GPU, and to the second. Ranks have theirs elsewhere. */
static int measure_copies(struct cards_bench *cards, struct failure *failure)
{
    const struct backend_choice *const choice = &cards->bench->choice;
    const uint64_t most = choice->device.bytes_free / 4, bytes = most < COPY_BYTES ? most : COPY_BYTES;
    TRY(device_link_rate(backend_choice_devices(choice), choice->card[0], choice->card[0], bytes, COPY_PASSES,
                         &cards->copy_rate, failure));
    cards->copy_rate *= 2; /* read and written */
    if (cards->ranks)
        return 0;
    return device_link_rate(backend_choice_devices(choice), choice->card[0], choice->card[1], bytes,
                            COPY_PASSES, &cards->link_rate, failure);
}

int bench_on_cards(struct bench *bench, struct failure *failure)
{
    struct cards_bench cards = {.bench = bench};
    if (bench->own.layout == LAYOUT_BOX + 1)
        return device_choice_in_box(failure);
    cards.ranks = ranks_count() > 1;
    cards.all = cards.ranks ? ranks_count() : bench->choice.cards;
    cards.counts = bench_card_counts(cards.all, cards.ranks || bench->own.scaling == BENCH_ENDS, cards.count);
    if (!cards.ranks)
        cards.way = local_devices_way(backend_choice_devices(&bench->choice), cards.all, bench->choice.card);
    int code = measure_copies(&cards, failure);
    if (code == 0)
        code = check_bits(&cards, failure);
    if (code == 0)
        code = time_all(&cards, failure);
    progress_line_end(&bench->progress);
    find_efficiencies(&cards);
    make_table(&cards);
    if (code == 0 && bench->options->json)
        code = print_object(&cards, failure);
    else if (code == 0)
        print_words(&cards);
    table_free(&cards.table);
    free(cards.entry);
    return code;
}
