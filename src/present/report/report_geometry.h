/** Mesh and blocks of a run's folder (run_geometry.h) as a report carries them. */
#ifndef SRC_REPORT_GEOMETRY_H
#define SRC_REPORT_GEOMETRY_H

#include "src/present/report/report_model.h"

/** Beyond these a page would be too large to send; the layer is left out and the page gives the reason. */
#define REPORT_TRIANGLES_MOST  400000
#define REPORT_BLOCK_RUNS_MOST 200000

/** The colour of a surface (material_colour.h): of the library's material that it is, whatever the model
 * calls it; else by its own name. */
void report_surface_colour(const struct run_model *model, const char *name, double rgb[3]);

/** Fill `mesh`, `shape` and `blocks` of `run`; `mesh_why`, `blocks_why` where the folder lacks the file, it
 * is broken, or it is too large for a page (`shape` is there also then). FAILURE_CAPACITY without memory. */
int report_geometry_add(struct report_run *run, const struct run_folder *folder, struct failure *failure);

#endif
