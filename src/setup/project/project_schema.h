/** The keys of a project, with type and destination of each value. */
#ifndef SRC_PROJECT_SCHEMA_H
#define SRC_PROJECT_SCHEMA_H

#include "src/setup/project/project_keys.h"

/** All mistakes are reported, as failure_join() has them.
 *
 * Read the whole file into reader->project except its variants; project_read_variant() puts one over it. */
int project_read_base(struct project_reader *reader, struct failure *failure);
int project_read_variant(struct project_reader *reader, const struct yaml_spot *variant,
                         struct failure *failure);

/** The mapping of the variants; `spot->node` is NULL if absent. FAILURE_INPUT for one that is empty, has more
 * than PROJECT_VARIANTS_MAX, or invalid names. */
#define PROJECT_VARIANTS_MAX 64
/** The name of a variant, also of its folder: its key with `_` for blanks. Into `name`, returned. */
const char *project_variant_name(const char *key, char name[OPTION_NAME_MAX]);
int project_find_variants(const struct yaml_tree *tree, struct yaml_spot *spot, struct failure *failure);

#endif
