/** A project: everything about a run in one YAML file, with variants of it.
 *
 * rooms/PROJECT.md is the user's page of it. A project fills `struct options` wherever the command line says
 * nothing, so that every module but this one knows only options. What options cannot say (materials by name,
 * a built-in room, who is who in run.json) stands in `struct project`, which options->project points to.
 *
 *   project_is_file()   is ROOM a project?
 *   project_open()      file and variant -> struct project, checked as far as that goes without the room
 *   project_apply()     its values into the options that the command line did not give
 */
#ifndef SRC_PROJECT_H
#define SRC_PROJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rooms/materials/surface_table.h"
#include "rooms/shapes/room_shape.h"
#include "src/options/options.h"

/** The word that --variant takes for all of them, and the name of the run without any. */
#define PROJECT_ALL  "all"
#define PROJECT_BASE "base"

/** A project with one of its variants put over it. Everything is owned; project_close(). */
struct project {
    char *file;
    uint64_t hash;                    /* FNV-1a of its bytes */
    char name[OPTION_NAME_MAX];       /* of the variant; empty for the project as it stands */
    size_t variants;                  /* that the file has */
    char (*variant)[OPTION_NAME_MAX]; /* (variants) their names, in its order */

    struct options value;                /* `given` says which; strings and lists belong to the project */
    const struct room_shape *shape;      /* a built-in room; NULL: value.subject is a mesh */
    double measure[ROOM_PARAMETERS_MAX]; /* of `shape`, in the order of its table */
    struct surface_table material;       /* entries SURFACE_BY_PROJECT */

    size_t texts;
    char **text; /* strings that the others point to */
};

/** Does the name end in .yaml or .yml, in either case? */
bool project_is_file(const char *path);

/** Read a project with its variant `variant` (NULL or PROJECT_BASE: as it stands). All variants are checked.
 * Relative paths in it are taken from its folder: those of what is read may lead
 * anywhere that can be read; that of outputs.folder may not leave the folder. FAILURE_INPUT names file, line
 * and key of what is unknown, twice there, of the wrong kind or out of range, and what was expected; also for
 * a variant that is not there. `*out` is NULL on failure. */
int project_open(const char *path, const char *variant, struct project **out, struct failure *failure);
void project_close(struct project *project); /* NULL is accepted */

/** Put the values of `project` into `options` where the command line gave none: afterwards options->subject
 * is the mesh (or, of a built-in room, the project), and options->project is `project`, which must outlive
 * it.
 * --spacing makes points_per_wavelength void and the other way round, --receiver where they look; --audience
 * is of all materials, and
 * --materials comes before the materials of the project. */
int project_apply(struct project *project, struct options *options, struct failure *failure);

/** Where ROOM is a project: open it with --variant and apply it. `*out` is NULL where it is none, else the
 * caller's: project_close() after options_free(). */
int project_take(struct options *options, struct project **out, struct failure *failure);

#endif
