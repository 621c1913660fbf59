#include "src/run/map_table.h"

#include <math.h>

#include "src/response/acoustics/figure_summary.h"
#include "src/draw/map_drawing.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/run_folder/map_table_read.h"

/* Octaves of single numbers: 500 and 1000 Hz. */
#define SINGLE_FIRST 3
#define SINGLE_LAST  4

double map_error(const struct map_rays *rays, size_t point, enum figure figure, size_t band, size_t bands)
{
    if (rays->error == NULL || (band < bands ? band < rays->waves : rays->waves > SINGLE_LAST))
        return NAN;
    const double *error = rays->error[point].value[figure];
    if (band < bands)
        return error[band];
    return 0.5 * ((rays->waves <= SINGLE_FIRST ? error[SINGLE_FIRST] : 0) + error[SINGLE_LAST]);
}

bool map_has_error(const struct map_rays *rays, size_t band, size_t bands)
{
    return rays->error != NULL && (band < bands ? band >= rays->waves : rays->waves <= SINGLE_LAST);
}

enum { VALUE, SPREAD, ERROR, PARTS };

static int put_header(const struct acoustic_figures *figures, const struct bands *thirds, bool spread,
                      const struct map_rays *rays, struct text_buffer *out, struct failure *failure)
{
    static const char *const ending[PARTS] = {"", MAP_SPREAD, MAP_ERROR};
    TRY(text_print(out, failure, "name,x,y,z"));
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (size_t b = 0; b <= figures->bands; b++)
            for (int part = 0; part < PARTS; part++) {
                char octave[16] = "single";
                if ((part == SPREAD && !spread) || (part == ERROR && !map_has_error(rays, b, figures->bands)))
                    continue;
                if (b < figures->bands)
                    snprintf(octave, sizeof octave, "%d", band_nominal(figures->octave[b].times.centre));
                TRY(text_print(out, failure, ",%s_%s%s", figure_kind[f].name, octave, ending[part]));
            }
    for (size_t b = 0; b < figures->bands; b++)
        TRY(text_print(out, failure, "," MAP_MARKS "%d", band_nominal(figures->octave[b].times.centre)));
    for (size_t b = 0; rays->error != NULL && b < figures->bands; b++)
        TRY(text_print(out, failure, ",from_%d", band_nominal(figures->octave[b].times.centre)));
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (size_t t = 0; t < thirds->count; t++) {
            const int third = band_nominal(thirds->centre[t]);
            TRY(text_print(out, failure, ",%s_third_%d", figure_kind[f].name, third));
            if (spread)
                TRY(text_print(out, failure, ",%s_third_%d" MAP_SPREAD, figure_kind[f].name, third));
        }
    return text_print(out, failure, ",distance_m,onset_s\n");
}

static int put_value(double value, struct text_buffer *out, struct failure *failure)
{
    return isfinite(value) ? text_print(out, failure, ",%.9g", value) : text_print(out, failure, ",");
}

int map_table_csv(const struct receiver_grid *grid, const struct receiver_map *map,
                  const struct receiver_map *shifted, const struct map_rays *rays, double sound_speed,
                  struct text_buffer *out, struct failure *failure)
{
    TRY(put_header(&map->figures[0], &map->thirds, shifted != NULL, rays, out, failure));
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
                if (map_has_error(rays, b, figures->bands))
                    TRY(put_value(map_error(rays, i, (enum figure)f, b, figures->bands), out, failure));
            }
        for (size_t b = 0; b < figures->bands; b++) {
            char marks[FIGURE_MARKS_MAX];
            TRY(text_print(out, failure, ",%s",
                           figure_marks_text(figure_marks_of(&figures->octave[b].times), marks)));
        }
        for (size_t b = 0; rays->error != NULL && b < figures->bands; b++)
            TRY(text_print(out, failure, ",%s", b < rays->waves ? "waves" : "rays"));
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            for (size_t t = 0; t < map->thirds.count; t++) {
                const size_t band = receiver_map_third(map, t);
                TRY(put_value(receiver_map_value(map, i, (enum figure)f, band), out, failure));
                if (shifted != NULL)
                    TRY(put_value(receiver_map_spread(map, shifted, i, (enum figure)f, band), out, failure));
            }
        TRY(text_print(out, failure, ",%.9g,%.9g\n", map->distance[i], map->path[i].length / sound_speed));
    }
    return 0;
}
