/** The strip below a picture of a film: time, band, plane, a scale bar in metres, and the colours with their
 * pressures, so that a frame is complete without other files.
 *
 *     12.5 ms 0-710 Hz   |-----|       blue ......... white ......... red
 *     z = 1.70 m       5 m         -0.3    -0.03    0    0.03     0.3
 *
 * Letters are 5 x 7 dots with one between them, drawn here, and only those that such a strip needs: digits,
 * `.`, `-`, `+`, `=`, e, m, s, x, y, z, H and the blank; any other is a blank. LEGEND_DOTS dots fill the
 * width; parts that do not fit beside the text are left out, the colours first. */
#ifndef SRC_PICTURE_LEGEND_H
#define SRC_PICTURE_LEGEND_H

#include <stddef.h>
#include <stdint.h>

#define LEGEND_DOTS  400
#define LEGEND_TEXT  24
#define LEGEND_TICKS 5

struct picture_legend {
    char line[2][LEGEND_TEXT];
    double metre;                         /* so many pixels */
    char tick[LEGEND_TICKS][LEGEND_TEXT]; /* below the colours, from one end to the other */
};

/** Rows of the strip of a picture of that width [pixels]; even. */
size_t picture_legend_height(size_t width);

/** Fill row `y` of the strip, 0 the upper one: 0 to shades - 1 are the colours, whose middle one is the
 * paper, and `ink` is that of letters. */
void picture_legend_row(const struct picture_legend *legend, size_t width, size_t y, int shades, uint8_t ink,
                        uint8_t *row);

#endif
