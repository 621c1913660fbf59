#include "src/draw/picture_paint.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Palette: shades 0 .. SHADES - 1 from blue to red, the middle one white, then the colour of walls. */
#define SHADES 255
#define WALL   255

static const unsigned char rdbu[][3] = {{5, 48, 97},     {33, 102, 172},  {67, 147, 195},  {146, 197, 222},
                                        {209, 229, 240}, {247, 247, 247}, {253, 219, 199}, {244, 165, 130},
                                        {214, 96, 77},   {178, 24, 43},   {103, 0, 31}};
#define STOPS (sizeof rdbu / sizeof *rdbu)
static const unsigned char wall_colour[3] = {45, 45, 48};

unsigned picture_zoom(size_t size, size_t least)
{
    return size >= least ? 1u : (unsigned)((least + size - 1) / size);
}

static size_t round_to_even(size_t count)
{
    return count + count % 2;
}

void picture_size(const struct picture_plane *plane, const struct picture_paint *paint, size_t size[2])
{
    for (int d = 0; d < 2; d++)
        size[d] = round_to_even(plane->size[d] * paint->zoom);
    size[1] += paint->legend != NULL ? picture_legend_height(size[0]) : 0;
}

double picture_shade(const struct picture_paint *paint, double pressure)
{
    const double share = fabs(pressure) / paint->full;
    if (!(share > 0.0))
        return 0.0;
    const double shade = paint->scale == PAINT_LINEAR ? share : 1.0 + 20.0 * log10(share) / PAINT_RANGE;
    return copysign(fmin(fmax(shade, 0.0), 1.0), pressure);
}

void picture_legend_ticks(const struct picture_paint *paint, struct picture_legend *legend)
{
    for (int t = 0; t < LEGEND_TICKS; t++) {
        const double shade = 2.0 * t / (LEGEND_TICKS - 1) - 1.0;
        const double share =
            paint->scale == PAINT_LINEAR ? fabs(shade) : pow(10.0, (fabs(shade) - 1.0) * PAINT_RANGE / 20.0);
        snprintf(legend->tick[t], LEGEND_TEXT, "%.2g",
                 shade == 0.0 ? 0.0 : copysign(share * paint->full, shade));
    }
}

static void make_palette(png_color palette[SHADES + 1])
{
    for (int s = 0; s < SHADES; s++) {
        const double at = (double)s / (SHADES - 1) * (double)(STOPS - 1);
        const size_t stop = (size_t)fmin(floor(at), (double)(STOPS - 2));
        const double share = at - (double)stop;
        unsigned char colour[3];
        for (int c = 0; c < 3; c++)
            colour[c] = (unsigned char)lround((1.0 - share) * rdbu[stop][c] + share * rdbu[stop + 1][c]);
        palette[s] = (png_color){.red = colour[0], .green = colour[1], .blue = colour[2]};
    }
    palette[WALL] = (png_color){.red = wall_colour[0], .green = wall_colour[1], .blue = wall_colour[2]};
}

/* One row of pixels, `line` of `zoom` within row `y` of nodes, counted from below. */
static void paint_row(const struct picture_plane *plane, const struct picture_paint *paint, size_t y,
                      unsigned line, png_byte *row)
{
    const unsigned zoom = paint->zoom, right = 2u * (unsigned)plane->across + 1u;
    const unsigned above = 2u * (unsigned)plane->up + 1u;
    const unsigned wall = (zoom + 3) / 8; /* pixels of a line in place of a cut link */
    for (size_t x = 0; x < plane->size[0]; x++) {
        const size_t node = y * plane->size[0] + x;
        const uint8_t links = plane->links[node];
        const double shade = picture_shade(paint, plane->value[node]);
        const int colour = links == 0 ? WALL : (int)lround((shade + 1.0) / 2.0 * (SHADES - 1));
        memset(row + x * zoom, colour, zoom);
        if (links != 0 && (links >> right & 1u) == 0)
            memset(row + (x + 1) * zoom - wall, WALL, wall);
        if (links != 0 && (links >> above & 1u) == 0 && line >= zoom - wall)
            memset(row + x * zoom, WALL, zoom);
    }
}

/* The pixels of curves in a row, counted from below. */
static void paint_curves(const struct picture_plane *plane, const struct picture_paint *paint, size_t pixel,
                         png_byte *row)
{
    const size_t columns = plane->size[0] * paint->zoom;
    const double half =
        (paint->zoom + 3) / 8 / 2.0 + 0.25; /* as thick as a cut link, and seen without zoom */
    for (size_t n = 0; n < paint->curves * columns; n++)
        if (fabs(paint->curve[n] * paint->zoom - ((double)pixel + 0.5)) <= half)
            row[n % columns] = WALL;
}

static void put_rows(png_struct *png, const struct picture_plane *plane, const struct picture_paint *paint,
                     png_byte *row)
{
    size_t size[2];
    picture_size(plane, paint, size);
    memset(row, WALL, size[0]);
    if (plane->size[1] * paint->zoom % 2 != 0)
        png_write_row(png, row);
    for (size_t y = plane->size[1]; y-- > 0;)
        for (unsigned line = paint->zoom; line-- > 0;) {
            paint_row(plane, paint, y, line, row);
            paint_curves(plane, paint, y * paint->zoom + line, row);
            png_write_row(png, row);
        }
    for (size_t y = 0; paint->legend != NULL && y < picture_legend_height(size[0]); y++) {
        picture_legend_row(paint->legend, size[0], y, SHADES, WALL, row);
        png_write_row(png, row);
    }
}

static void put_texts(png_struct *png, png_info *info, const struct picture_text *text, size_t texts)
{
    for (size_t t = 0; t < texts; t++) {
        png_text entry = {.compression = PNG_TEXT_COMPRESSION_NONE,
                          .key = (char *)text[t].key,
                          .text = (char *)text[t].text};
        png_set_text(png, info, &entry, 1);
    }
}

/* libpng's words for what went wrong, kept for the sentence. */
struct complaint {
    char words[120];
};

static void on_error(png_struct *png, const char *words)
{
    struct complaint *complaint = png_get_error_ptr(png);
    strncat(complaint->words, words, sizeof complaint->words - 1);
    png_longjmp(png, 1);
}

static void on_warning(png_struct *png, const char *words)
{
    (void)png;
    (void)words;
}

/* False if libpng failed. No variable changed after setjmp() is read once it has returned again. */
static bool put_picture(png_struct *png, png_info *info, FILE *stream, const struct picture_plane *plane,
                        const struct picture_paint *paint, const struct picture_text *text, size_t texts,
                        png_byte *row)
{
    size_t size[2];
    png_color palette[SHADES + 1];
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    picture_size(plane, paint, size);
    make_palette(palette);
    png_init_io(png, stream);
    png_set_compression_level(png, 4);
    png_set_IHDR(png, info, (png_uint_32)size[0], (png_uint_32)size[1], 8, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, SHADES + 1);
    put_texts(png, info, text, texts);
    png_write_info(png, info);
    put_rows(png, plane, paint, row);
    png_write_end(png, info);
    return true;
}

int picture_put(FILE *stream, const struct picture_plane *plane, const struct picture_paint *paint,
                const struct picture_text *text, size_t texts, const char *path, struct failure *failure)
{
    struct complaint complaint = {""};
    size_t size[2];
    picture_size(plane, paint, size);
    png_byte *row = malloc(size[0]);
    png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &complaint, on_error, on_warning);
    png_info *info = png != NULL ? png_create_info_struct(png) : NULL;
    int code = row == NULL || info == NULL ? failure_memory(failure, size[0], "a picture") : 0;
    errno = 0;
    if (code == 0 && !put_picture(png, info, stream, plane, paint, text, texts, row))
        code = failure_set(failure, failure_of_errno(errno, FAILURE_OUTPUT), "%s: cannot be written: %s",
                           path, complaint.words);
    png_destroy_write_struct(&png, &info);
    free(row);
    return code;
}

int picture_stage(const char *path, const struct picture_plane *plane, const struct picture_paint *paint,
                  const struct picture_text *text, size_t texts, struct whole_file *out,
                  struct failure *failure)
{
    struct whole_file file = {0};
    int code = whole_file_open(&file, path, failure);
    if (code == 0)
        code = picture_put(file.stream, plane, paint, text, texts, path, failure);
    if (code == 0)
        code = whole_file_settle(&file, failure);
    if (code == 0) {
        *out = file;
        file = (struct whole_file){0};
    }
    whole_file_abandon(&file);
    return code;
}
