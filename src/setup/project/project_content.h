/** What was read of a project: its values, and what they point to. */
#ifndef SRC_PROJECT_CONTENT_H
#define SRC_PROJECT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rooms/materials/surface_table.h"
#include "rooms/shapes/room_shape.h"
#include "src/base/options/options.h"

/** The word for all variants, and the name of the run without any. */
#define PROJECT_ALL  "all"
#define PROJECT_BASE "base"

/** What the page of its runs is called, in which language, and its letterhead; NULL, 0: the project has none.
 */
#define PROJECT_PAGE_LINES 8
#define PROJECT_LOGO_MOST  200000 /* bytes of its file */
struct project_page {
    const char *title, *language; /* "en", "de" */
    const char *name;
    size_t lines;
    const char *line[PROJECT_PAGE_LINES];
    const char *logo; /* the picture as data: URI */
};

/** A project with one of its variants put over it. Everything is owned; project_close(). */
struct project {
    char *file;
    uint64_t hash;                    /* FNV-1a of its bytes */
    char name[OPTION_NAME_MAX];       /* of the variant; empty for the project without one */
    size_t variants;                  /* that the file has */
    char (*variant)[OPTION_NAME_MAX]; /* (variants) their names, in its order */

    struct options value;                /* `given` says which; strings and lists belong to the project */
    const struct room_shape *shape;      /* a built-in room; NULL: value.subject is a mesh */
    double measure[ROOM_PARAMETERS_MAX]; /* of `shape`, in the order of its table */
    struct surface_table material;       /* entries SURFACE_BY_PROJECT */
    struct project_page page;            /* its texts are among those below */

    size_t texts;
    char **text; /* strings that the others point to */
};
void project_close(struct project *project); /* NULL is accepted */

/** Note that the project sets the option of that name, one of `simulate`. */
void project_give(struct project *project, const char *option);

/** Keep with the project what printf would write. */
__attribute__((format(printf, 4, 5))) int project_keep(struct project *project, const char **kept,
                                                       struct failure *failure, const char *format, ...);

/** A path as the project means it: as it is if it begins with /, else from the project's folder. */
int project_path(struct project *project, const char *text, const char **path, struct failure *failure);

/** Does the name end in .yaml or .yml, in either case, or stand for standard input (project_input.h)? */
bool project_is_file(const char *path);

/** The option of `simulate` of that name; NULL for none. */
const struct option_spec *project_option(const char *name);

#endif
