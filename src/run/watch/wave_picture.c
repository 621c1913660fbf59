#include "src/run/watch/wave_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/path_text.h"
#include "src/base/progress_line.h"
#include "src/draw/picture_paint.h"

void wave_picture_start(struct wave_picture *picture, const struct block_grid *grid, double height,
                        const char *folder)
{
    *picture = (struct wave_picture){.grid = grid,
                                     .path = path_in(folder, "%s", WAVE_PICTURE),
                                     .temporary = path_in(folder, ".%s.part", WAVE_PICTURE)};
    if (picture->path == NULL || picture->temporary == NULL ||
        picture_plane_make(grid, 2, height, &picture->plane, NULL) != 0)
        wave_picture_end(picture);
}

/* Not settled on the disk: it is worth half a second. */
static bool put_picture(const struct wave_picture *picture)
{
    struct picture_paint paint = {.scale = PAINT_DECIBELS, .full = 0x1p-100, .zoom = 1};
    for (size_t i = 0; i < picture->plane.size[0] * picture->plane.size[1]; i++)
        paint.full = fmax(paint.full, fabs((double)picture->plane.value[i])); /* fmax() leaves NaN out */
    FILE *stream = fopen(picture->temporary, "wbe");
    if (stream == NULL)
        return false;
    const bool put = picture_put(stream, &picture->plane, &paint, NULL, 0, picture->temporary, NULL) == 0;
    return fclose(stream) == 0 && put && rename(picture->temporary, picture->path) == 0;
}

int wave_picture_take(struct wave_picture *picture, const struct engine *engine, bool *taken,
                      struct failure *failure)
{
    const double begun = progress_clock();
    *taken = false;
    if (picture->path == NULL || begun < picture->due)
        return 0;
    TRY(picture_plane_read(&picture->plane, picture->grid, engine, &(struct picture_pressure){.factor = 1},
                           failure));
    if (!put_picture(picture)) {
        wave_picture_end(picture);
        return 0;
    }
    const double now = progress_clock();
    picture->due = now + fmax(WAVE_APART - (now - begun), (now - begun) / WAVE_SHARE);
    *taken = true;
    return 0;
}

void wave_picture_end(struct wave_picture *picture)
{
    if (picture->temporary != NULL)
        (void)unlink(picture->temporary);
    if (picture->path != NULL)
        (void)unlink(picture->path);
    free(picture->temporary);
    free(picture->path);
    picture_plane_free(&picture->plane);
    *picture = (struct wave_picture){0};
}
