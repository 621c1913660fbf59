/** Pictures of a field, one at a time: slices, boxes of blocks, PNG and VTKHDF, read back and compared with
 * the engine node by node. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <png.h>

#include "src/draw/picture_paint.h"
#include "src/run/film/block_boxes.h"
#include "src/run/film/film_pulse.h"
#include "src/run/film/vtkhdf_file.h"
#include "src/run/source_run.h"
#include "tests/support/hdf5_read.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/driven.h"

TestSuite(picture, .init = enter_folder, .fini = leave_folder);

#define FACTOR 3.0
static const struct picture_pressure pressure = {.factor = FACTOR};

static struct engine *excited(const struct lossy_room *room, enum layout layout)
{
    const struct engine_options options = {
        .layout = layout, .precision = PRECISION_DOUBLE, .backend = BACKEND_CPU, .threads = 1};
    struct engine *engine = room_engine(room, 0.0, &options);
    room_excite(room, engine, 9);
    return engine;
}

/* Link byte in the room's own array; 0 outside. */
static uint8_t links_at(const struct lossy_room *room, const int64_t node[3])
{
    int64_t at[3];
    for (int d = 0; d < 3; d++) {
        at[d] = node[d] - room->low[d];
        if (at[d] < 0 || at[d] >= room->nodes[d])
            return 0;
    }
    return room->link[room_index(room, at[0], at[1], at[2])];
}

/* ---- slices ---- */

static void expect_plane(const struct lossy_room *room, struct engine *engine, int axis, int64_t layer)
{
    struct picture_plane plane = {0};
    const struct lattice *lattice = &room->blocks.lattice;
    const double position = lattice->origin[axis] + ((double)layer + 0.3) * lattice->spacing;
    MUST(picture_plane_make(&room->blocks, axis, position, &plane, &failure));
    MUST(picture_plane_read(&plane, &room->blocks, engine, &pressure, &failure));
    cr_assert(eq(int, (int)plane.layer, (int)layer));
    size_t through = 0, air = 0, shown = 0;
    for (uint32_t b = 1; b <= room->blocks.blocks; b++)
        through += room->blocks.block[b].place[axis] == (layer >= 0 ? layer / 8 : -((7 - layer) / 8));
    cr_assert(eq(sz, plane.blocks, through));
    for (size_t n = 0; n < room_size(room); n++) {
        int64_t node[3];
        room_node(room, n, node);
        air += node[axis] == layer && room->link[n] != 0;
    }
    for (size_t y = 0; y < plane.size[1]; y++)
        for (size_t x = 0; x < plane.size[0]; x++) {
            int64_t node[3];
            node[axis] = layer;
            node[axis == 0 ? 1 : 0] = plane.low[0] + (int64_t)x;
            node[axis == 2 ? 1 : 2] = plane.low[1] + (int64_t)y;
            const uint8_t links = links_at(room, node);
            const float value = plane.value[y * plane.size[0] + x];
            cr_assert(eq(u8, plane.links[y * plane.size[0] + x], links));
            shown += links != 0;
            if (links == 0)
                cr_assert(isnan(value));
            else
                cr_assert(value == (float)(FACTOR * engine_get(engine, 0, node)));
        }
    cr_assert(eq(sz, shown, air));
    picture_plane_free(&plane);
}

Test(picture, a_slice_holds_the_pressures_of_its_layer_right_and_up_as_drawn)
{
    struct lossy_room *room = room_ragged(5, 37, 22, 29, 0.3, 0.2, 12);
    for (int layout = LAYOUT_BLOCKS; layout <= LAYOUT_BOX; layout++) {
        struct engine *engine = excited(room, (enum layout)layout);
        for (int axis = 0; axis < 3; axis++)
            for (int64_t layer = room->low[axis]; layer < room->low[axis] + room->nodes[axis]; layer += 7)
                expect_plane(room, engine, axis, layer);
        engine_free(engine);
    }
    room_free(room);
}

/* ---- the whole field ---- */

Test(picture, blocks_are_joined_to_boxes_that_hold_each_of_them_once_and_nothing_else)
{
    struct lossy_room *room = room_ragged(6, 150, 40, 35, 0.0, 0.0, 0);
    /* A hole of whole blocks, so that no single box will do. */
    const int64_t low[3] = {-16, -24, 0};
    struct lossy_room *plain = room_box(96, 64, 8, low);
    struct lossy_room *const both[] = {room, plain};
    for (size_t r = 0; r < 2; r++) {
        const struct block_grid *grid = &both[r]->blocks;
        struct block_box *box = NULL;
        size_t boxes = 0, covered = 0;
        MUST(block_boxes_make(grid, &box, &boxes, &failure));
        bool *seen = calloc(grid->blocks + 1, sizeof *seen);
        for (size_t i = 0; i < boxes; i++)
            for (int32_t z = 0; z < box[i].blocks[2]; z++)
                for (int32_t y = 0; y < box[i].blocks[1]; y++)
                    for (int32_t x = 0; x < box[i].blocks[0]; x++) {
                        const int32_t at[3] = {box[i].place[0] + x, box[i].place[1] + y, box[i].place[2] + z};
                        const block_id id = block_grid_find(grid, at);
                        cr_assert(id != 0 && !seen[id]);
                        seen[id] = true;
                        covered++;
                    }
        cr_assert(eq(sz, covered, grid->blocks));
        /* Cubes of 8 blocks from multiples of 8: x -2..9, y -3..4. */
        if (r == 1)
            cr_assert(eq(sz, boxes, 3 * 2));
        free(seen);
        free(box);
    }
    room_free(plain);
    room_free(room);
}

/* Is every cell of a file the node in its middle, bit for bit, and hidden where no air is? How many are air.
 */
static size_t expect_cells(const struct amr *amr, const struct lossy_room *room, struct engine *engine)
{
    const struct lattice *lattice = &room->blocks.lattice;
    size_t cell = 0, air = 0;
    for (size_t b = 0; b < amr->boxes; b++) {
        const int *box = &amr->box[6 * b];
        for (int z = box[4]; z <= box[5]; z++)
            for (int y = box[2]; y <= box[3]; y++)
                for (int x = box[0]; x <= box[1]; x++, cell++) {
                    const int at[3] = {x, y, z};
                    int64_t node[3];
                    for (int d = 0; d < 3; d++)
                        node[d] =
                            llround((amr->origin[d] + (at[d] + 0.5) * amr->spacing[d] - lattice->origin[d]) /
                                    lattice->spacing);
                    const bool inside = links_at(room, node) != 0;
                    cr_assert(eq(u8, amr->ghost[cell], inside ? 0 : 32));
                    cr_assert(amr->pressure[cell] ==
                              (inside ? (float)(FACTOR * engine_get(engine, 0, node)) : 0.0f));
                    air += inside;
                }
    }
    cr_assert(eq(u64, cell, amr->cells));
    return air;
}

Test(picture, a_field_file_holds_every_stored_node_at_its_place_bit_for_bit)
{
    struct lossy_room *room = room_ragged(7, 75, 30, 21, 0.35, 0.2, 17);
    const struct block_grid *grid = &room->blocks;
    struct engine *engine = excited(room, LAYOUT_BLOCKS);
    struct whole_file file = {0};
    MUST(vtkhdf_stage_blocks("field.vtkhdf", grid, engine, &pressure, &file, &failure));
    cr_assert(not(exists("field.vtkhdf"))); /* settled, not in its place yet */
    MUST(whole_file_commit(&file, &failure));
    struct amr amr = amr_read("field.vtkhdf");
    cr_assert(eq(u64, amr.cells, (uint64_t)grid->blocks * BLOCK_NODES));
    cr_assert(eq(u64, expect_cells(&amr, room, engine), grid->air_nodes));
    amr_free(&amr);
    engine_free(engine);
    room_free(room);
}

Test(picture, a_slice_file_has_its_cells_around_the_nodes_on_every_axis)
{
    struct lossy_room *room = room_ragged(8, 30, 21, 26, 0.3, 0.2, 9);
    const struct lattice *lattice = &room->blocks.lattice;
    struct engine *engine = excited(room, LAYOUT_BLOCKS);
    for (int axis = 0; axis < 3; axis++) {
        struct picture_plane plane = {0};
        struct whole_file file = {0};
        const double middle = lattice->origin[axis] + (double)(room->low[axis] + 10) * lattice->spacing;
        MUST(picture_plane_make(&room->blocks, axis, middle, &plane, &failure));
        MUST(picture_plane_read(&plane, &room->blocks, engine, &pressure, &failure));
        MUST(vtkhdf_stage_plane("slice.vtkhdf", &plane, lattice, &file, &failure));
        MUST(whole_file_commit(&file, &failure));
        struct amr amr = amr_read("slice.vtkhdf");
        cr_assert(amr.boxes == 1 && amr.box[2 * axis] == 0 && amr.box[2 * axis + 1] == 0);
        cr_assert(eq(i64, llround((amr.origin[axis] - lattice->origin[axis]) / lattice->spacing + 0.5),
                     plane.layer));
        cr_assert(expect_cells(&amr, room, engine) > 100);
        amr_free(&amr);
        picture_plane_free(&plane);
    }
    engine_free(engine);
    room_free(room);
}

/* ---- PNG ---- */

#define ALL_LINKS 0x3F

/* A pixel as it is seen: x from the left, y from the top. */
static unsigned colour(const png_image *image, const png_byte *pixel, unsigned x, unsigned y)
{
    const png_byte *at = pixel + 3 * ((size_t)y * image->width + x);
    return (unsigned)at[0] << 16 | (unsigned)at[1] << 8 | at[2];
}

Test(picture, colours_walls_and_directions_of_a_png_are_those_that_are_documented)
{
    enum { ZOOM = 9 };
    /* Three nodes across and two up: the lower right is no air, the upper left is cut from the upper middle,
     * the lower left from the upper left. */
    float value[] = {1.0f, 0.0f, NAN, -1.0f, -0.1f, 0.1f};
    uint8_t links[] = {ALL_LINKS & ~(1u << DIRECTION_YP),
                       ALL_LINKS,
                       0,
                       ALL_LINKS & ~(1u << DIRECTION_XP) & ~(1u << DIRECTION_YM),
                       ALL_LINKS & ~(1u << DIRECTION_XM),
                       ALL_LINKS};
    const struct picture_plane plane = {
        .axis = 2, .across = 0, .up = 1, .size = {3, 2}, .links = links, .value = value};
    const struct picture_paint paint = {.scale = PAINT_DECIBELS, .full = 1.0, .zoom = ZOOM};
    const struct picture_text text = {"Time", "0.0125 s"};
    struct whole_file file = {0};
    MUST(picture_stage("small.png", &plane, &paint, &text, 1, &file, &failure));
    MUST(whole_file_commit(&file, &failure));
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(&image, "small.png") != 0);
    image.format = PNG_FORMAT_RGB;
    png_byte *pixel = malloc(PNG_IMAGE_SIZE(image));
    cr_assert(png_image_finish_read(&image, NULL, pixel, 0, NULL) != 0);
    cr_assert(eq(u32, image.width, 28)); /* 27 and one to be even */
    cr_assert(eq(u32, image.height, 18));
    const unsigned wall = 0x2d2d30, rest = 0xf7f7f7;
    const struct {
        unsigned x, y, colour;
    } expected[] = {
        {4, 4, 0x053061},                      /* -1: above, left */
        {4, 13, 0x67001f},                     /* 1: below, left */
        {13, 13, rest},                        /* 0 */
        {22, 13, wall},                        /* no air */
        {27, 4, wall},                         /* the odd column */
        {8, 4, wall},                          /* cut to the right */
        {17, 4, colour(&image, pixel, 13, 4)}, /* not cut */
        {4, 9, wall},                          /* cut above */
        {13, 9, rest},                         /* not cut */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_assert(eq(u32, colour(&image, pixel, expected[i].x, expected[i].y), expected[i].colour), "%zu", i);
    /* -20 and 20 dB below the full: half way, blue and red. */
    const unsigned blue = colour(&image, pixel, 13, 4), red = colour(&image, pixel, 22, 4);
    const bool right = (blue & 0xff) > (blue >> 16) + 60 && (red >> 16) > (red & 0xff) + 60;
    cr_assert(right, "%06x %06x", blue, red);
    free(pixel);
    char *bytes = read_text("small.png");
    bool found = false;
    for (size_t i = 0; i < 1500; i++)
        found = found || memcmp(bytes + i, "tEXtTime\0000.0125 s", 17) == 0;
    cr_assert(found);
}

Test(picture, shades_are_linear_or_40_decibels_to_either_side)
{
    const struct picture_paint db = {.scale = PAINT_DECIBELS, .full = 0.2, .zoom = 1};
    const struct picture_paint linear = {.scale = PAINT_LINEAR, .full = 0.2, .zoom = 1};
    cr_assert(test_near(picture_shade(&db, 0.2), 1.0, 1e-12));
    cr_assert(test_near(picture_shade(&db, -0.02), -0.5, 1e-12));
    cr_assert(test_near(picture_shade(&db, 0.0019), 0.0, 0.0));
    cr_assert(test_near(picture_shade(&db, 7.0), 1.0, 0.0));
    cr_assert(test_near(picture_shade(&linear, -0.05), -0.25, 1e-12));
    cr_assert(test_near(picture_shade(&linear, NAN), 0.0, 0.0));
    cr_assert(eq(u32, picture_zoom(100, 800), 8));
    cr_assert(eq(u32, picture_zoom(101, 800), 8));
    cr_assert(eq(u32, picture_zoom(801, 800), 1));
}

/* ---- when ---- */

struct watcher {
    size_t snapshots;
    uint64_t step[3];
    uint64_t hash[3];
};

static int watch(void *context, const struct engine *engine, size_t index, struct failure *why)
{
    struct watcher *watcher = context;
    (void)why;
    cr_assert(eq(sz, index, watcher->snapshots));
    watcher->step[index] = engine_steps(engine);
    watcher->hash[index] = engine_hash(engine);
    watcher->snapshots++;
    return 0;
}

#define RATE 3222.0
#define FMAX 177.0

/* A run of the film's pulse; the hash of the field at its end. */
static uint64_t run_pulse(const struct lossy_room *room, uint64_t steps,
                          const struct source_run_snapshots *snapshots)
{
    const struct engine_options options = {
        .layout = LAYOUT_BLOCKS, .precision = PRECISION_SINGLE, .backend = BACKEND_CPU, .threads = 1};
    struct engine *engine = room_engine(room, 0.0, &options);
    struct response_drive pulse = {0};
    struct source_progress result = {0};
    struct stencil tap;
    const int64_t node[3] = {5, 10, 7};
    const double place[3] = {5, 10, 7};
    MUST(stencil_make(&room->blocks, place, node, INTERPOLATION_LINEAR, &tap, &failure));
    MUST(engine_add_source(engine, &tap, &failure));
    MUST(film_pulse_make(RATE, FMAX, &pulse, &failure));
    const struct source_run_settings settings = {.step = step_at(RATE),
                                                 .fmax = FMAX,
                                                 .duration = ((double)(steps - pulse.lead) - 0.5) / RATE,
                                                 .drive = &pulse,
                                                 .snapshots = snapshots};
    MUST(source_run(engine, &room->blocks.lattice, 0, 1, 0, &settings, &result, &failure));
    cr_assert(eq(u64, result.steps, steps));
    cr_assert(eq(sz, result.lead, pulse.lead));
    const uint64_t hash = engine_hash(engine);
    source_progress_free(&result);
    response_drive_free(&pulse);
    engine_free(engine);
    return hash;
}

Test(picture, a_look_sees_the_field_of_a_run_that_stops_there_and_changes_nothing)
{
    struct lossy_room *room = room_ragged(11, 40, 30, 30, 0.2, 0.1, 20);
    const uint64_t step[] = {91, 92, 300};
    struct watcher watcher = {0};
    const struct source_run_snapshots snapshots = {
        .step = step, .count = 3, .take = watch, .context = &watcher};
    const uint64_t watched = run_pulse(room, 310, &snapshots);
    cr_assert(eq(sz, watcher.snapshots, 3));
    for (size_t i = 0; i < 3; i++) {
        cr_assert(eq(u64, watcher.step[i], step[i]));
        cr_assert(eq(u64, watcher.hash[i], run_pulse(room, step[i], NULL)));
    }
    cr_assert(eq(u64, watched, run_pulse(room, 310, NULL)));
    room_free(room);
}

Test(picture, the_pulse_is_one_crest_without_a_mean_and_30_decibels_down_at_fmax)
{
    struct response_drive pulse = {0};
    MUST(film_pulse_make(RATE, FMAX, &pulse, &failure));
    double sum = 0, level[3] = {0};
    const double frequency[3] = {FMAX / 2.5, FMAX, 1.3 * FMAX};
    for (size_t n = 0; n < pulse.count; n++) {
        sum += pulse.sample[n];
        cr_assert(n == pulse.lead ? pulse.sample[n] == 1.0 : pulse.sample[n] < 1.0);
    }
    cr_assert(test_near(sum, 0.0, 1e-7));
    for (int f = 0; f < 3; f++) {
        double re = 0, im = 0;
        for (size_t n = 0; n < pulse.count; n++) {
            const double phase = 2.0 * 3.14159265358979323846 * frequency[f] * (double)n / RATE;
            re += pulse.sample[n] * cos(phase);
            im += pulse.sample[n] * sin(phase);
        }
        level[f] = 20.0 * log10(hypot(re, im));
    }
    cr_assert(test_near(level[1] - level[0], -29.7, 0.1), "%g", level[1] - level[0]);
    cr_assert(level[2] - level[0] < -55.0);
    response_drive_free(&pulse);
    MUST_FAIL(film_pulse_make(RATE, RATE / 4.0, &pulse, &failure), FAILURE_INPUT, "cannot be driven");
    MUST_FAIL(film_pulse_make(RATE, NAN, &pulse, &failure), FAILURE_INPUT, "cannot be driven");
}
