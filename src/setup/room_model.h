/** The model of a room: its mesh in metres, the origin of that, and the absorption of its surfaces.
 *
 * It does not change after it was read, for any grid.
 */
#ifndef SRC_ROOM_MODEL_H
#define SRC_ROOM_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/import/mesh_import.h"
#include "kernels/engine/engine.h"
#include "rooms/materials/surface_use.h"
#include "rooms/materials/surfaces.h"
#include "src/setup/room_notices.h"
#include "src/base/options/room_request.h"
#include "src/response/signal/air.h"

/** Owned: room_model_free(). */
struct room_model {
    struct mesh mesh;
    size_t own_vertices, own_triangles; /* of the model; those of model_request.addition follow */
    struct mesh_import_facts facts;
    double low[3], high[3];          /* of the mesh [m] */
    uint64_t file_hash;              /* FNV-1a of the model file's bytes */
    uint64_t mesh_hash;              /* FNV-1a of vertices, triangles and material names as imported */
    uint64_t materials_hash;         /* of the file of materials; 0 without */
    struct surface_table table;      /* values given for surfaces: room_walls.h */
    struct material_library library; /* the program's */
    double *area;                    /* (material_count) [m2] */
    struct surface *surface;         /* (material_count): where from, absorption by octave, branches */
    enum surface_use *use;           /* (material_count) floor, seats or other */
    struct wall_material *wall;      /* (material_count): those branches, as an engine takes them */
    size_t uncovered;                /* materials that got ROOM_MISSING_ABSORPTION */
    uint16_t *back_material;         /* (material_count) material behind each: two_sided.h; NULL: none */
    struct air air;
    double sound_speed; /* in it [m/s] */
};

/** The unit assumed for a model's coordinates, never UNIT_AUTO; and in words: "inches (as it says)". Into
 * `words`, returned. */
enum option_unit room_unit(const struct mesh_import_facts *facts);
#define ROOM_UNIT_WORDS_MAX 40
const char *room_unit_words(const struct mesh_import_facts *facts, char words[ROOM_UNIT_WORDS_MAX]);

/** Import the mesh, or build the room of a project, and print its facts without those of surfaces.
 * FAILURE_INPUT: the file cannot be used; FAILURE_CAPACITY: memory. `out` must be freed in any case.
 */
int room_model_read(const struct model_request *request, struct room_notices *notices, struct room_model *out,
                    struct failure *failure);

/** Print the unread content of the model's file; as a warning if it may be part of the room. */
void room_model_say_unread(struct room_notices *notices, const struct mesh_import_facts *facts);

void room_model_free(struct room_model *model);

/** Volume of a box, and of the model's bounding box [m3]. */
double box_volume(const double low[3], const double high[3]);
double room_box_volume(const struct room_model *model);

#endif
