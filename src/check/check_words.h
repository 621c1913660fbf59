/** Prints the report of a check as words, or makes it JSON. */
#ifndef SRC_CHECK_WORDS_H
#define SRC_CHECK_WORDS_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "src/check/room_check.h"

/** Lines of at most 100 columns: what was checked, findings by severity with their advice, closed spaces,
 * materials, and the verdict last. `quiet`: findings and verdict only. */
void check_print_words(FILE *stream, const struct room_check *check, bool quiet);

/** The findings so far of a check that was interrupted. */
void check_print_interrupted(FILE *stream, const struct room_check *check);

/** One object with everything the report holds; NULL when memory ran out. Owned by the caller.
 *   what run.json has too: program, room, materials, fmax_hz, spacing_m, sources, receivers, ..
 *   verdict, why, simulate_stops (why a run needs more than a fit model, null where it does not),
 * checked_spacing_m, finer_spacing_m (null: not searched), air_nodes, air_volume_m3, air_volume_from
 * ("walls", "cells"), cells_volume_m3, findings: severity, kind, sentence, advice, position_m, value, unit,
 * places (position_m, size_m, length_m) cavities: name, volume_m3, share, thickness_m, position_m, low_m,
 * high_m, points, taken materials, further: absorption_given, reached_area_m2 and touched_area_m2 (null
 * without a run's air) leaks: from, spacing_m, finer, position_m, gap_m, path_m, file grids: name, audience,
 * spacing_m, height_m, points, positions_m paths: the straight line from each source to each receiver, a
 * thousand at most: source, receiver, distance_m, clear, obstacles (position_m, material; the eight nearest
 * to the source) */
cJSON *check_make_json(const struct room_check *check);

#endif
