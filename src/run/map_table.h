/** The figures of a receiver grid as a table: one line a point. */
#ifndef SRC_MAP_TABLE_H
#define SRC_MAP_TABLE_H

#include "geometry/base/text_buffer.h"
#include "src/run/receiver_map.h"
#include "src/setup/receiver_grid.h"

/** Append a CSV: `name,x,y,z` [m], every figure in every octave (`c80_db_500`, by the octave's name) and as
 * the single number (`c80_db_single`, the mean of 500 and 1000 Hz), the marks of the decay in every octave
 * (`marks_500`, as figure_marks_text() has them), `distance_m`, `onset_s`; a value that is absent is an empty
 * field. `shifted` (may be NULL) is the same grid in the repeated run: a column
 * `.._spread` follows each figure's. Numbers have nine digits. FAILURE_CAPACITY for memory. */
int map_table_csv(const struct receiver_grid *grid, const struct receiver_map *map,
                  const struct receiver_map *shifted, double sound_speed, struct text_buffer *out,
                  struct failure *failure);

#endif
