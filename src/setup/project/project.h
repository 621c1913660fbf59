/** A project: everything about a run in one YAML file, with variants of it.
 *
 * rooms/PROJECT.md is the user's page of it. A project fills the members of `struct options` that the command
 * line does not set, so all other modules use only options. Values without an option (materials by name, a
 * built-in room, names in run.json) are in `struct project` (project_content.h), which options->project
 * points to.
 *
 *   project_open()      file and variant -> struct project, checked as far as that goes without the room
 *   project_apply()     its values into the options that the command line did not give
 */
#ifndef SRC_PROJECT_H
#define SRC_PROJECT_H

#include "src/setup/project/project_content.h"

/** A larger file is refused [bytes]. */
#define PROJECT_BYTES_MOST ((size_t)1 << 20)

/** Read a project with its variant `variant` (NULL or PROJECT_BASE: the project itself). All variants are
 * checked. PROJECT_INPUT is standard input, whose folder is the current one (project_input.h). Relative paths
 * in it start at its folder. Files to be read may be anywhere; outputs.folder must be within the folder.
 * FAILURE_INPUT names file, line and key of an entry that is unknown, repeated, of the wrong kind or out of
 * range, and what was expected; also for an absent variant. `*out` is NULL on failure. */
int project_open(const char *path, const char *variant, struct project **out, struct failure *failure);

/** Move the values of `project` into `options` where the command line gave none: afterwards options->subject
 * is the mesh (or, of a built-in room, the project), and options->project is `project`, which must outlive
 * it. --spacing, --points-per-wavelength and --quality each override spacing_m, points_per_wavelength and
 * quality. --receiver overrides orientations. --audience applies to all materials, and --materials precedes
 * the materials of the project. */
void project_apply(struct project *project, struct options *options);

#endif
