/** All that a report shows, as one JSON tree: the page prints from it, and carries it for whoever reads the
 * page.
 *
 *     version       1
 *     title         report_title.h
 *     runs          one or two of
 *       name        of the folder
 *       run         its run.json without any path
 *       mesh        positions (base64 of float32 x, y, z; m, z up), indices (base64 of uint32) and
 *                   materials: name, color (sRGB, 0 to 1), first_triangle, triangles;
 *                   or null, with mesh_why
 *       blocks      origin_m, edge_m, runs (base64 of int32 x, y, z, count); or null, with blocks_why
 *       points      kind (source, receiver), name, position_m
 *       responses   as in run.json, with what report_response.h adds;
 *                   of one whose file is gone: why_no_curves
 *       energy      report_shares.h
 *       findings    report_findings.h
 *       targets     report_targets.h
 *       maps        report_maps.h, with maps_left_out
 *       sounds      report_sounds.h
 *     differences   of two runs: run_compare.h
 *     audio         of the sounds: report_sounds.h
 *
 * All base64 data is little-endian.
 */
#ifndef SRC_REPORT_DATA_H
#define SRC_REPORT_DATA_H

#include <cjson/cJSON.h>

#include "geometry/mesh/mesh.h"
#include "src/record/run_folder.h"

#define REPORT_RUNS_MOST 2

/** Zeroed is empty, freed by report_free(). */
struct report {
    size_t runs;
    cJSON *root;                        /* owned */
    struct mesh mesh[REPORT_RUNS_MOST]; /* of each run, for drawings; empty where there is none; owned */
};

/** Beyond these a page would be too large to send; the layer is left out and the page says so. */
#define REPORT_TRIANGLES_MOST  400000
#define REPORT_BLOCK_RUNS_MOST 200000

/** Read everything of `count` folders but sounds. What a folder lacks is null with a reason.
 * FAILURE_CAPACITY without memory; FAILURE_INTERRUPTED. About 0.15 s a response and processor. */
int report_data_make(const struct run_folder *folder, size_t count, struct report *out,
                     struct failure *failure);
void report_free(struct report *report);

/** The item at a place in the data, "runs.0.points", or NULL. */
__attribute__((format(printf, 2, 3))) const cJSON *report_at(const struct report *report, const char *format,
                                                             ...);

#endif
