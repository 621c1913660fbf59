/** Faces of a file into the triangles of a model. */
#ifndef GEOMETRY_MODEL_FACES_H
#define GEOMETRY_MODEL_FACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/import/model_content.h"

/** Filled by model_faces_begin(), freed by model_faces_end(). */
struct model_faces {
    struct model_file *model;
    double (*corner)[3]; /* of the polygon in hand (POLYGON_CORNERS_MAX); owned */
    uint32_t (*cut)[3];  /* its triangles; owned */
    struct failure *failure;
};

int model_faces_begin(struct model_faces *faces, struct model_file *model, struct failure *failure);
void model_faces_end(struct model_faces *faces);

/** Add a face whose corners are the model's vertices base + index[0] .. (count); these exist. With fewer than
 * three it is counted among lines and points; with more it is cut into triangles. `reversed`: its corners run
 * the other way.
 */
int model_faces_add(const struct model_faces *faces, const unsigned *index, size_t count, size_t base,
                    uint16_t material, bool reversed);

/** The mean of the vertices of `places`, each place once; `*found` is false, and `mean` untouched, where
 * there are none. `places`, of vertices alone, gets triangles and is welded. */
int model_places_mean(struct mesh *places, double mean[3], bool *found, struct failure *failure);

#endif
