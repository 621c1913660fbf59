/* The strip below a frame: letters, metres, colours. */
#define _XOPEN_SOURCE 700
#include <png.h>

#include "src/draw/picture_paint.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(picture_legend, .init = enter_folder, .fini = leave_folder);

enum { WIDE = 2 * LEGEND_DOTS, SHADES = 255, INK = 255 };

static const char letters[] = "0123456789.-+=emsxyzH";

/* Rows of dots of a letter of the upper line, whose left one is at 6 dots and whose upper one is at 3. */
static uint64_t letter_drawn(char letter)
{
    struct picture_legend legend = {.line = {{letter, '\0'}}};
    uint8_t row[WIDE];
    uint64_t bits = 0;
    for (size_t y = 0; y < 7; y++) {
        picture_legend_row(&legend, WIDE, 2 * (3 + y), SHADES, INK, row);
        for (size_t x = 0; x < 5; x++)
            bits = bits << 1 | (row[2 * (6 + x)] == INK);
    }
    return bits;
}

Test(picture_legend, every_letter_that_a_strip_needs_is_drawn_and_none_like_another)
{
    for (size_t a = 0; a + 1 < sizeof letters; a++) {
        cr_assert(letter_drawn(letters[a]) != 0, "%c", letters[a]);
        for (size_t b = 0; b < a; b++)
            cr_assert(letter_drawn(letters[a]) != letter_drawn(letters[b]), "%c is as %c", letters[a],
                      letters[b]);
    }
    cr_assert(letter_drawn(' ') == 0 && letter_drawn('?') == 0);
}

Test(picture_legend, a_bar_is_as_long_as_so_many_whole_metres)
{
    for (double metre = 3; metre < 900; metre *= 1.37) {
        const struct picture_legend legend = {.metre = metre};
        uint8_t row[WIDE];
        size_t length = 0;
        picture_legend_row(&legend, WIDE, 2 * 6, SHADES, INK, row);
        for (size_t x = 0; x < 380; x++) /* the colours are behind it */
            length += row[x] == INK;
        const double metres = (double)length / metre, ten = pow(10, floor(log10(metres * 1.02)));
        const double first = metres / ten;
        cr_assert(length > 20 && length <= 180);
        cr_assert(fmin(fmin(fabs(first - 1), fabs(first - 2)), fabs(first - 5)) * ten * metre <= 1.01,
                  "%g of %g", metres, metre);
    }
}

Test(picture_legend, pressures_are_those_of_the_colours_above_them)
{
    struct picture_legend legend = {.metre = 0};
    const struct picture_paint db = {.scale = PAINT_DECIBELS, .full = 0.3},
                               linear = {.scale = PAINT_LINEAR, .full = 2};
    picture_legend_ticks(&db, &legend);
    cr_assert(eq(str, legend.tick[0], "-0.3"));
    cr_assert(eq(str, legend.tick[1], "-0.03"));
    cr_assert(eq(str, legend.tick[2], "0"));
    for (int t = 0; t < LEGEND_TICKS; t++)
        cr_assert(fabs(picture_shade(&db, strtod(legend.tick[t], NULL)) - (t - 2) / 2.0) < 1e-12);
    picture_legend_ticks(&linear, &legend);
    for (int t = 0; t < LEGEND_TICKS; t++)
        cr_assert(fabs(picture_shade(&linear, strtod(legend.tick[t], NULL)) - (t - 2) / 2.0) < 1e-12);
}

/* A frame of 840 x 3 nodes, all of air, read back; owned by the caller. */
static png_byte *frame(const struct picture_legend *legend, png_image *image)
{
    enum { ACROSS = 840, UP = 3 };
    static float value[ACROSS * UP];
    static uint8_t links[ACROSS * UP];
    for (size_t i = 0; i < ACROSS * UP; i++)
        links[i] = 0x3F;
    value[5] = 1;
    const struct picture_plane plane = {
        .axis = 2, .across = 0, .up = 1, .size = {ACROSS, UP}, .links = links, .value = value};
    const struct picture_paint paint = {.scale = PAINT_LINEAR, .full = 1, .zoom = 1, .legend = legend};
    struct whole_file file = {0};
    size_t size[2];
    MUST(picture_stage("frame.png", &plane, &paint, NULL, 0, &file, &failure));
    MUST(whole_file_commit(&file, &failure));
    *image = (png_image){.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(image, "frame.png") != 0);
    image->format = PNG_FORMAT_RGB;
    png_byte *pixel = malloc(PNG_IMAGE_SIZE(*image));
    cr_assert(png_image_finish_read(image, NULL, pixel, 0, NULL) != 0);
    picture_size(&plane, &paint, size);
    cr_assert(eq(sz, size[0], image->width));
    cr_assert(eq(sz, size[1], image->height));
    return pixel;
}

Test(picture_legend, a_frame_is_the_same_above_its_strip_and_the_colours_reach_from_blue_to_red)
{
    const struct picture_legend legend = {.line = {"12.5 ms", "z = 1.70 m"}, .metre = 20};
    png_image plain, with;
    png_byte *below = frame(NULL, &plain), *pixel = frame(&legend, &with);
    cr_assert(eq(sz, with.height, plain.height + picture_legend_height(840)));
    cr_assert(eq(sz, with.height % 2, 0));
    cr_assert(memcmp(below, pixel, 3 * (size_t)plain.width * plain.height) == 0);
    /* The middle row of the colours, 400 pixels wide, which end 12 before the edge and have a rim of 2. */
    const png_byte *row = pixel + 3 * (size_t)with.width * (plain.height + 12);
    cr_assert(row[3 * (428 + 3) + 2] > 90 && row[3 * (428 + 3)] < 10, "blue at the left");
    cr_assert(row[3 * (826 - 3)] > 90 && row[3 * (826 - 3) + 2] < 40, "red at the right");
    cr_assert(eq(int, row[3 * 628], 247));
    free(below);
    free(pixel);
}

/* Bytes 16 to 23 of a PNG. */
static unsigned height_of(const char *path)
{
    char *bytes = read_text(path);
    const unsigned char *at = (const unsigned char *)bytes + 20;
    const unsigned height = (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
    return height;
}

/* A text of a PNG, uncompressed. */
static bool has_bytes(const char *path, const char *bytes, size_t count)
{
    static char all[1 << 16];
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    const size_t size = fread(all, 1, sizeof all, file);
    fclose(file);
    for (size_t i = 0; i + count <= size; i++)
        if (memcmp(all + i, bytes, count) == 0)
            return true;
    return false;
}

Test(picture_legend, a_film_has_it_unless_it_is_to_be_plain)
{
    expect_status(RUN("room", "cube", "-o", "cube.obj"), 0);
    for (int plain = 0; plain < 2; plain++)
        expect_status(RUN("film", "cube.obj", "--source", "1,1,1", "--fmax", "150", "--absorption", "0.1",
                          "--until", "1ms", "-o", plain ? "plain" : "film", "--quiet",
                          plain ? "--plain" : "--files=png"),
                      0);
    cr_assert(has_bytes("film/slice_z1.00_0001.0ms.png", "tEXtBand\0waves up to 150 Hz", 27));
    cr_assert(height_of("film/slice_z1.00_0001.0ms.png") > height_of("plain/slice_z1.00_0001.0ms.png") + 40);
}
