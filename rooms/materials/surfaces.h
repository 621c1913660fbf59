/** Finds the absorption and scattering of every surface of a room: the materials of a mesh, looked up and
 * converted to walls. */
#ifndef ROOMS_SURFACES_H
#define ROOMS_SURFACES_H

#include "geometry/mesh/mesh.h"
#include "rooms/materials/absorption_uncertainty.h"
#include "rooms/materials/branch_fit.h"
#include "rooms/materials/surface_table.h"

/** Origin of a surface's absorption, in the order of look-up; a file of materials named by a project follows
 * the project. */
enum surface_origin {
    SURFACE_OF_OPTION,   /* given for this surface alone */
    SURFACE_OF_FILE,     /* an entry of a file of materials, also of a library in YAML */
    SURFACE_OF_PROJECT,  /* `materials` of a project */
    SURFACE_OF_LIBRARY,  /* the program's */
    SURFACE_OF_PROGRAM,  /* for the program's own objects in the room */
    SURFACE_OF_FALLBACK, /* given for all others, or the project's `other_surfaces` */
    SURFACE_ASSUMED,     /* not covered: `missing` of surfaces_resolve() */
};

/** Its word in run.json: "option", "file", "project", "library", "program", "fallback", "assumed". */
const char *surface_origin_name(enum surface_origin origin);

struct surface {
    enum surface_origin origin;
    enum surface_form form;
    const struct material *material; /* of either library; borrowed; NULL if none */
    const char *build;               /* the layers of an entry; borrowed; NULL: none */
    double audience;                 /* occupied share of its seats, as mixed; NaN: as named */
    /* Random-incidence absorption at 63..8000 Hz: as requested (for branches from a file their own), and the
     * mean absorption of the branches over each octave (-). For a number all the same. */
    double octave[MATERIAL_OCTAVES], used[MATERIAL_OCTAVES];
    bool in_thirds; /* it is given in thirds, and the branches are fitted to these; else both are 0 */
    double third[MATERIAL_THIRDS], used_third[MATERIAL_THIRDS];
    unsigned highest; /* the highest octave that is given, where those above repeat it [Hz]; 0: all
                         frequencies are */
    unsigned clamped; /* bit i: octave i exceeds the limit of a locally reacting wall */
    bool guessed;     /* an entry of a project that the user has not confirmed */
    enum uncertainty_origin uncertain;    /* from where it is known how well the octaves are known: .. */
    double uncertainty[MATERIAL_OCTAVES]; /* .. standard, of `octave` (-) */
    double worst; /* largest deviation of a fit over the allowed one; above 1 it misses; 0 without a fit */
    /* A permeable sheet, not a wall: its octaves are the absorption of one side. */
    bool is_sheet;
    struct material_sheet sheet;
    size_t branches; /* 0: a rigid wall, or a sheet */
    struct wall_branch branch[WALL_BRANCHES_MAX];
    struct scattering scattering; /* complete; `given` 0: scattering_default */
};

/** Resolve every material of the mesh, each by the first of: an option's entry, a file's entry, a library of
 * `table` (the project's entries before or behind these two, by table->file_first), `library` (both by
 * material_library_find()), the entry without a name, `missing` (NaN: none). Octaves become branches by
 * branch_fit(), thirds by branch_fit_thirds() (milliseconds for each different table), a number one branch by
 * Paris' formula. Scattering is looked up apart, in the same order: the first that gives one counts, and the
 * last is scattering_default.
 * @param area     (material_count) [m2], for sentences
 * @param audience occupied share of the seats, 0..1, for materials with a pair; NaN: as named
 * @param surface  (material_count), overwritten; points into `table` and `library`
 * FAILURE_INPUT for every entry of an option or of a project that means no material, and for each that names
 * no material of a library or an audience for a material without seats. With `missing` NaN also for materials
 * without an entry, listed with areas and the nearest names of the libraries. */
int surfaces_resolve(const struct surface_table *table, const struct material_library *library,
                     const struct mesh *mesh, const double *area, double audience, double missing,
                     struct surface *surface, struct failure *failure);

/** Refuse a name without a surface in the mesh, with the nearest existing one (case, blanks, `_` and `-` are
 * ignored). */
int surface_refuse_name(const struct mesh *mesh, const char *name, struct failure *failure);

/** Fail because no material of a library of `table` or `library` has that name, with the nearest name. */
int surface_refuse_material(const struct surface_table *table, const struct material_library *library,
                            const char *name, struct failure *failure);

/** Append to a list in a sentence at most three materials that `name` may mean, from material_suggest(): `;
 * known: "marble floor", "marble tiles"`; nothing if none is near. */
void surface_append_nearest(const struct surface_table *table, const struct material_library *library,
                            const char *name, char *list, size_t capacity);

/** Origin in words: "library: wooden pews empty, 40 % taken". Into `text`, returned. */
#define SURFACE_WORDS_MAX 200
const char *surface_words(const struct surface *surface, char text[SURFACE_WORDS_MAX]);

/** The branches for a grid whose effective wall is that of a resolved surface: branch_fit_seen() for octaves
 * and thirds and for a number, branch_fit_again() for branches. Milliseconds. */
int surface_fit_seen(const struct surface *surface, const struct wall_view *view, struct branch_fit *fit,
                     struct failure *failure);

/** Mean over octave `octave` (0..7), uniformly in log f, of the random-incidence absorption of branches. */
double surface_octave_mean(const struct wall_branch *branch, size_t count, int octave);

#endif
