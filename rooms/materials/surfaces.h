/** What every surface of a room absorbs: the materials of a mesh, looked up and made into walls. */
#ifndef ROOMS_SURFACES_H
#define ROOMS_SURFACES_H

#include "geometry/mesh/mesh.h"
#include "rooms/materials/branch_fit.h"
#include "rooms/materials/surface_table.h"

/** Where a surface's absorption comes from, in the order in which it is looked for; a file of materials that
 * a project names comes behind the project. */
enum surface_origin {
    SURFACE_OF_OPTION,   /* given for it alone */
    SURFACE_OF_FILE,     /* an entry of a file of materials, also of a library in YAML */
    SURFACE_OF_PROJECT,  /* `materials` of a project */
    SURFACE_OF_LIBRARY,  /* the program's */
    SURFACE_OF_PROGRAM,  /* what the program puts into the room itself */
    SURFACE_OF_FALLBACK, /* given for all others, or the project's `other_surfaces` */
    SURFACE_ASSUMED,     /* nothing covers it: `missing` of surfaces_resolve() */
};

/** Its word in run.json: "option", "file", "project", "library", "program", "fallback", "assumed". */
const char *surface_origin_name(enum surface_origin origin);

struct surface {
    enum surface_origin origin;
    enum surface_form form;
    const struct material *material; /* of either library; borrowed; NULL where it is none's */
    double audience;                 /* share of its seats that is taken, as mixed; NaN: as named */
    /* Random-incidence absorption at 63..8000 Hz: as asked for (of branches from a file their own), and what
     * the branches absorb in the mean over each octave (-). Of a number all the same. */
    double octave[MATERIAL_OCTAVES], used[MATERIAL_OCTAVES];
    unsigned clamped; /* bit i: octave i is more than a locally reacting wall reaches */
    bool guessed;     /* an entry of a project that nobody has confirmed */
    double worst;     /* largest deviation of a fit over what is allowed; above 1 it misses; else 0 */
    /* A sheet that sound goes through, and no wall: its octaves are what one side takes. */
    bool is_sheet;
    struct material_sheet sheet;
    size_t branches; /* none: a hard wall, or a sheet */
    struct wall_branch branch[WALL_BRANCHES_MAX];
};

/** Resolve every material of the mesh, each by the first of: an option's entry, a file's entry, a library of
 * `table` (the project's entries before or behind these two, by table->file_first), `library` (both by
 * material_library_find()), the entry without a name, `missing` (NaN: none).
 * Octaves become branches by branch_fit() (milliseconds for each different table), a number one branch by
 * Paris' formula.
 * @param area     (material_count) [m2], for sentences
 * @param audience share of the seats that is taken, 0..1, for materials with a pair; NaN: as named
 * @param surface  (material_count), overwritten; points into `table` and `library`
 * FAILURE_INPUT for every entry of an option or of a project that means no material, and for each that
 * names no material of a library or puts an audience on what has no seats; with `missing` NaN also where
 * nothing covers a material, listing such with areas and the nearest names of the libraries. */
int surfaces_resolve(const struct surface_table *table, const struct material_library *library,
                     const struct mesh *mesh, const double *area, double audience, double missing,
                     struct surface *surface, struct failure *failure);

/** Refuse a name that no surface of the mesh has, with the nearest one that there is (case, blanks, `_` and
 * `-` do not count). */
int surface_refuse_name(const struct mesh *mesh, const char *name, struct failure *failure);

/** Say that no material of a library of `table` or `library` has that name, with the nearest. */
int surface_refuse_material(const struct surface_table *table, const struct material_library *library,
                            const char *name, struct failure *failure);

/** Append to a list in a sentence which materials `name` may have meant, at most three, of those of `library`
 * as material_suggest() has them: `; known: "marble floor", "marble tiles"`; nothing where none is near. */
void surface_append_nearest(const struct surface_table *table, const struct material_library *library,
                            const char *name, char *list, size_t capacity);

/** Where it comes from in words: "library: wooden pews empty, 40 % taken". Into `text`, returned. */
#define SURFACE_WORDS_MAX 200
const char *surface_words(const struct surface *surface, char text[SURFACE_WORDS_MAX]);

/** The branches of a surface that surfaces_resolve() made, as a grid must have them to be seen with what was
 * asked for: branch_fit_seen() of octaves and of a number, branch_fit_again() of branches. Milliseconds. */
int surface_fit_seen(const struct surface *surface, const struct wall_view *view, struct branch_fit *fit,
                     struct failure *failure);

/** Mean over octave `octave` (0..7), uniformly in log f, of the random-incidence absorption of branches. */
double surface_octave_mean(const struct wall_branch *branch, size_t count, int octave);

#endif
