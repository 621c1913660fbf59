#include "src/run/map_table.h"

#include <math.h>

#include "src/response/acoustics/figure_summary.h"
#include "src/draw/map_drawing.h"
#include "src/response/acoustics/octave_decay.h"
#include "src/run_folder/map_table_read.h"

static int put_header(const struct acoustic_figures *figures, bool spread, struct text_buffer *out,
                      struct failure *failure)
{
    TRY(text_print(out, failure, "name,x,y,z"));
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (size_t b = 0; b <= figures->bands; b++)
            for (int part = 0; part < (spread ? 2 : 1); part++) {
                char octave[16] = "single";
                if (b < figures->bands)
                    snprintf(octave, sizeof octave, "%d", octave_nominal(figures->octave[b].times.centre));
                TRY(text_print(out, failure, ",%s_%s%s", figure_kind[f].name, octave,
                               part == 1 ? "_spread" : ""));
            }
    for (size_t b = 0; b < figures->bands; b++)
        TRY(text_print(out, failure, "," MAP_MARKS "%d", octave_nominal(figures->octave[b].times.centre)));
    return text_print(out, failure, ",distance_m,onset_s\n");
}

static int put_value(double value, struct text_buffer *out, struct failure *failure)
{
    return isfinite(value) ? text_print(out, failure, ",%.9g", value) : text_print(out, failure, ",");
}

int map_table_csv(const struct receiver_grid *grid, const struct receiver_map *map,
                  const struct receiver_map *shifted, double sound_speed, struct text_buffer *out,
                  struct failure *failure)
{
    TRY(put_header(&map->figures[0], shifted != NULL, out, failure));
    for (size_t i = 0; i < grid->count; i++) {
        const struct acoustic_figures *figures = &map->figures[i];
        char name[MAP_POINT_NAME_MAX];
        TRY(text_print(out, failure, "%s,%.9g,%.9g,%.9g", map_point_name(grid->name, i, name),
                       grid->position[i][0], grid->position[i][1], grid->position[i][2]));
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            for (size_t b = 0; b <= figures->bands; b++) {
                const double value = receiver_map_value(map, i, (enum figure)f, b);
                TRY(put_value(value, out, failure));
                if (shifted != NULL)
                    TRY(put_value(receiver_map_spread(map, shifted, i, (enum figure)f, b), out, failure));
            }
        for (size_t b = 0; b < figures->bands; b++) {
            char marks[FIGURE_MARKS_MAX];
            TRY(text_print(out, failure, ",%s",
                           figure_marks_text(figure_marks_of(&figures->octave[b].times), marks)));
        }
        TRY(text_print(out, failure, ",%.9g,%.9g\n", map->distance[i], map->path[i].length / sound_speed));
    }
    return 0;
}
