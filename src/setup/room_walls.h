/** What the surfaces of a room absorb, resolved and printed. */
#ifndef SRC_ROOM_WALLS_H
#define SRC_ROOM_WALLS_H

#include "src/setup/room_model.h"

/** Absorption at all frequencies that `plan` takes where none is known. */
#define ROOM_MISSING_ABSORPTION 0.1

/** Read the list of materials that is asked for, look every material of the mesh up in it and in the library,
 * print the list and warn of what is not as asked for. Fills model->table, library, area, surface, wall,
 * uncovered. FAILURE_INPUT where the model is to be complete and nothing covers a material. */
int room_walls_read(const struct room_request *request, struct room_notices *notices,
                    struct room_model *model, struct failure *failure);

/** "an absorption of 1 at 500, 1000 Hz is more than a locally reacting surface reaches; 0.95 is used", or ""
 * where it is not. Into `text`, returned. */
#define ROOM_LIMITED_MAX 200
const char *room_surface_limited(const struct surface *surface, char text[ROOM_LIMITED_MAX]);

#endif
