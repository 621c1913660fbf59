/** The readers of keys that do more than set an option. */
#ifndef SRC_PROJECT_READERS_H
#define SRC_PROJECT_READERS_H

#include "src/setup/project/project_keys.h"

/** The readers of project_rooms.c: `room`, `materials`, `other_surfaces`, `two_sided`. */
int project_read_room(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure);
int project_read_materials(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);
int project_read_other_surfaces(struct project_reader *reader, const struct yaml_spot *spot,
                                struct failure *failure);
int project_read_two_sided(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);

/** Readers of project_places.c: `sources`, `together`, `arrays`, `receivers`, `receiver_grids`; and a place
 * [m], [x, y, z]. */
int project_read_sources(struct project_reader *reader, const struct yaml_spot *spot,
                         struct failure *failure);
int project_read_receivers(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);
int project_read_together(struct project_reader *reader, const struct yaml_spot *spot,
                          struct failure *failure);
int project_read_arrays(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure);
int project_read_grids(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure);
int project_read_vector(const struct yaml_spot *spot, double vector[3], struct failure *failure);

/** Readers of project_page.c, for the keys beneath `report`. */
int project_read_page_title(struct project_reader *reader, const struct yaml_spot *spot,
                            struct failure *failure);
int project_read_page_language(struct project_reader *reader, const struct yaml_spot *spot,
                               struct failure *failure);
int project_read_page_name(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);
int project_read_page_lines(struct project_reader *reader, const struct yaml_spot *spot,
                            struct failure *failure);
int project_read_page_logo(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);

/** For a project with mistakes: those among its names of the library, unless it has a file of
 * materials, which may be a library. */
int project_refuse_materials(const struct yaml_tree *tree, struct failure *failure);

#endif
