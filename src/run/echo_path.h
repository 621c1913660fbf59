/** Names the reflection that the echo criterion found: the surfaces on its path, from the source to the
 * receiver.
 */
#ifndef SRC_ECHO_PATH_H
#define SRC_ECHO_PATH_H

#include "src/response/further/echo_criterion.h"
#include "src/run/whole_band.h"

/** A path within this time of the echo is its path [s]: the criterion sees the loudest crest of a filtered
 * sound, which rays place anywhere in two neighbouring bins of 2 ms. */
#define ECHO_PATH_NEAR 0.004

/** "timber_roof, floor (41.2 m)": the path with the fewest surfaces that arrives at a receiver nearest
 * `arrival` after the emission [s]; empty if image sources have none within ECHO_PATH_NEAR. `source` is
 * traced and not finished. Searches as ray_images.h, about a second. FAILURE_CAPACITY, FAILURE_INTERRUPTED.
 */
int echo_path_find(const struct whole_band *whole, size_t source, size_t receiver, double arrival,
                   char text[GRID_ECHO_MAX], struct failure *failure);

/** For those of `further` (echo_criterion.h) that reach the limit of perception. */
int echo_paths_name(const struct whole_band *whole, size_t source, size_t receiver, double onset,
                    const struct further_figures *further, char text[ECHO_KINDS][GRID_ECHO_MAX],
                    struct failure *failure);

#endif
