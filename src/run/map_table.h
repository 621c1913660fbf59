/** The figures of a receiver grid as a table: one line a point. */
#ifndef SRC_MAP_TABLE_H
#define SRC_MAP_TABLE_H

#include "geometry/base/text_buffer.h"
#include "src/rays/ray_figures.h"
#include "src/run/receiver_map.h"
#include "src/setup/receiver_grid.h"

/** The octaves of a map that are from rays: those from number `waves` on. `error` NULL: none. */
struct map_rays {
    size_t waves;
    const struct ray_figures *error; /* (points) error bars; borrowed */
};

/** The error bar at a point in an octave of `bands`, or (`band` is `bands`) of the single number: the mean of
 * 500 and 1000 Hz, where one of waves counts with 0. NaN: it is from waves. */
double map_error(const struct map_rays *rays, size_t point, enum figure figure, size_t band, size_t bands);

/** True if an octave, or the single number, is from rays, all or in part. */
bool map_has_error(const struct map_rays *rays, size_t band, size_t bands);

/** Append a CSV: `name,x,y,z` [m], every figure in every octave (`c80_db_500`, by the octave's name) and as
 * the single number (`c80_db_single`, the mean of 500 and 1000 Hz), the marks of the decay in every octave
 * (`marks_500`, as figure_marks_text() has them), `distance_m`, `onset_s`; a value that is absent is an empty
 * field. `shifted` (may be NULL) is the same grid in the repeated run: a column
 * `.._spread` follows each figure's. With rays a column `.._error`, the error bar, follows each figure that
 * is from rays, and the marks are followed by the origin of every octave (`from_500`), `waves` or `rays`.
 * Thirds follow those, by figure, as far as the waves reach (`c80_db_third_630`, with `.._spread`).
 * Numbers have nine digits. FAILURE_CAPACITY for memory. */
int map_table_csv(const struct receiver_grid *grid, const struct receiver_map *map,
                  const struct receiver_map *shifted, const struct map_rays *rays, double sound_speed,
                  struct text_buffer *out, struct failure *failure);

#endif
