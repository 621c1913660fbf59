#include "src/draw/picture_legend.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ADVANCE  6 /* of a letter [dots], as everything below */
#define TALL     7
#define UPPER    3 /* where the upper line begins */
#define LOWER    13
#define HEIGHT   24
#define EDGE     6
#define BAR      116 /* where the scale bar begins */
#define BAR_MOST 70
#define COLOURS  200 /* their width */

/* Seven rows of five dots, the left one is bit 4. */
static const struct {
    char letter;
    uint8_t row[TALL];
} glyph[] = {
    {'0', {0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E}}, {'1', {0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E}},
    {'2', {0x0E, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1F}}, {'3', {0x0E, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0E}},
    {'4', {0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02}}, {'5', {0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E}},
    {'6', {0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E}}, {'7', {0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08}},
    {'8', {0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E}}, {'9', {0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0C, 0x0C}}, {'-', {0x00, 0x00, 0x00, 0x1F, 0x00, 0x00, 0x00}},
    {'+', {0x00, 0x04, 0x04, 0x1F, 0x04, 0x04, 0x00}}, {'e', {0x00, 0x00, 0x0E, 0x11, 0x1F, 0x10, 0x0E}},
    {'=', {0x00, 0x00, 0x1F, 0x00, 0x1F, 0x00, 0x00}}, {'m', {0x00, 0x00, 0x1A, 0x15, 0x15, 0x15, 0x15}},
    {'s', {0x00, 0x00, 0x0F, 0x10, 0x0E, 0x01, 0x1E}}, {'x', {0x00, 0x00, 0x11, 0x0A, 0x04, 0x0A, 0x11}},
    {'y', {0x00, 0x00, 0x11, 0x11, 0x0F, 0x01, 0x0E}}, {'z', {0x00, 0x00, 0x1F, 0x02, 0x04, 0x08, 0x1F}},
    {'H', {0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11}},
};

static size_t dot_of(size_t width)
{
    return width >= 2 * LEGEND_DOTS ? width / LEGEND_DOTS : 1;
}

size_t picture_legend_height(size_t width)
{
    return HEIGHT * dot_of(width);
}

/* A row of dots, clipped to the strip. */
struct dots {
    uint8_t *row;
    size_t width, dot;
    uint8_t ink;
};

static void put_dots(const struct dots *dots, long from, long to, uint8_t colour)
{
    const long most = (long)(dots->width / dots->dot);
    from = from < 0 ? 0 : from;
    to = to > most ? most : to;
    if (from < to)
        memset(dots->row + (size_t)from * dots->dot, colour, (size_t)(to - from) * dots->dot);
}

/* Line `line` of a text that begins at `x`. */
static void put_text(const struct dots *dots, long x, long line, const char *text)
{
    if (line < 0 || line >= TALL)
        return;
    for (; *text != '\0'; text++, x += ADVANCE)
        for (size_t g = 0; g < sizeof glyph / sizeof glyph[0]; g++)
            for (int bit = 0; glyph[g].letter == *text && bit < 5; bit++)
                if ((glyph[g].row[line] >> (4 - bit) & 1) != 0)
                    put_dots(dots, x + bit, x + bit + 1, dots->ink);
}

static void put_centred(const struct dots *dots, long middle, long line, const char *text)
{
    put_text(dots, middle - (long)strlen(text) * ADVANCE / 2, line, text);
}

/* A bar of 1, 2 or 5 times a power of ten metres. */
static void put_bar(const struct dots *dots, const struct picture_legend *legend, long y)
{
    const double most = (double)(BAR_MOST * dots->dot) / legend->metre, ten = pow(10, floor(log10(most)));
    const double metres = most >= 5 * ten ? 5 * ten : most >= 2 * ten ? 2 * ten : ten;
    const long end = BAR + lround(metres * legend->metre / (double)dots->dot);
    char words[LEGEND_TEXT];
    snprintf(words, sizeof words, "%g m", metres);
    if (y >= UPPER && y < UPPER + TALL) {
        put_dots(dots, BAR, BAR + 1, dots->ink);
        put_dots(dots, end - 1, end, dots->ink);
    }
    if (y == UPPER + TALL / 2)
        put_dots(dots, BAR, end, dots->ink);
    put_centred(dots, (BAR + end) / 2, y - LOWER, words);
}

/* The colours, pixel by pixel, with a rim, and their pressures. */
static void put_colours(const struct dots *dots, const struct picture_legend *legend, long y, int shades)
{
    const long begin = (long)(dots->width / dots->dot) - COLOURS - EDGE;
    const size_t pixels = (size_t)COLOURS * dots->dot, from = (size_t)begin * dots->dot;
    if (y >= UPPER && y < UPPER + TALL) {
        for (size_t i = 0; i < pixels; i++)
            dots->row[from + i] = (uint8_t)((size_t)(shades - 1) * i / (pixels - 1));
        if (y == UPPER || y + 1 == UPPER + TALL)
            put_dots(dots, begin, begin + COLOURS, dots->ink);
        put_dots(dots, begin, begin + 1, dots->ink);
        put_dots(dots, begin + COLOURS - 1, begin + COLOURS, dots->ink);
    }
    for (int t = 0; t < LEGEND_TICKS; t++) {
        const long at = begin + (long)COLOURS * t / (LEGEND_TICKS - 1),
                   half = (long)strlen(legend->tick[t]) * ADVANCE / 2;
        const long last = begin + COLOURS - half, first = begin + half;
        put_centred(dots, at < first ? first : at > last ? last : at, y - LOWER, legend->tick[t]);
    }
}

void picture_legend_row(const struct picture_legend *legend, size_t width, size_t y, int shades, uint8_t ink,
                        uint8_t *row)
{
    const struct dots dots = {.row = row, .width = width, .dot = dot_of(width), .ink = ink};
    const long line = (long)(y / dots.dot), across = (long)(width / dots.dot);
    memset(row, (shades - 1) / 2, width);
    put_text(&dots, EDGE, line - UPPER, legend->line[0]);
    put_text(&dots, EDGE, line - LOWER, legend->line[1]);
    if (legend->metre > 0 && across >= BAR + BAR_MOST + EDGE)
        put_bar(&dots, legend, line);
    if (across >= LEGEND_DOTS)
        put_colours(&dots, legend, line, shades);
}
