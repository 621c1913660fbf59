/** The user's data for surfaces: single values, and files of materials. */
#ifndef ROOMS_SURFACE_TABLE_H
#define ROOMS_SURFACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/base/wall_branch.h"
#include "rooms/materials/material_library.h"

enum surface_form {
    SURFACE_NUMBER,   /* one random-incidence absorption for all frequencies */
    SURFACE_OCTAVES,  /* one per octave */
    SURFACE_BRANCHES, /* the branches of the wall */
    SURFACE_SHEET,    /* a permeable sheet, not a wall; like the next only in entries */
    SURFACE_NAMED,    /* that of another name of a library */
};

enum surface_giver {
    SURFACE_BY_OPTION,            /* the name must match a surface */
    SURFACE_BY_FILE,              /* the name may match none */
    SURFACE_BY_PROJECT,           /* `materials` of a project; must match a surface unless `may_miss` */
    SURFACE_BY_PROGRAM,           /* for the program's own objects in the room, before the fallback */
    SURFACE_BY_SCATTERING_OPTION, /* of scattering alone; the name must match a surface */
};

struct surface_entry {
    char *name; /* NULL: the fallback for every surface without another entry */
    enum surface_giver giver;
    enum surface_form form;
    double absorption[MATERIAL_OCTAVES]; /* random incidence, 0..1 (-); of a number all the same */
    bool in_thirds;                      /* of SURFACE_OCTAVES: it is given in thirds, */
    double third[MATERIAL_THIRDS];       /* these (-) */
    unsigned highest; /* of SURFACE_OCTAVES: the highest octave that is given, where those above repeat it
                         [Hz]; 0: all are given */
    bool stated;      /* some octave has an uncertainty behind `+-`: .. */
    double uncertainty[MATERIAL_OCTAVES]; /* .. standard (-), NaN where none is stated */
    size_t branches;                      /* of SURFACE_BRANCHES; they pass wall_branches_check() */
    struct wall_branch branch[WALL_BRANCHES_MAX];
    struct material_sheet sheet; /* of SURFACE_SHEET */
    struct scattering scattering;
    /* For a project; the strings are borrowed. */
    const char *library;      /* for SURFACE_NAMED: a material of the file's library, else of the program's */
    const char *build;        /* for SURFACE_BRANCHES: layers (wall_layers.h) whose branches are to be fitted;
                                 NULL: they are given */
    double audience;          /* for SURFACE_NAMED: occupied share of its seats; NaN: as for all surfaces */
    bool guessed;             /* not yet confirmed by the user */
    bool may_miss;            /* the room was replaced, and may lack the surface */
    const char *file, *where; /* "church.yaml", and the path in it: "materials.pews" */
    size_t line;
};

/** What a reader did to data, for one warning. */
struct surface_note {
    size_t count;
    char first[400]; /* the first: `lab.csv, line 3: "panel" absorbs 1.08 at 500 Hz` */
};

/** What a value above 1 counts as: the most that a wall absorbs here. */
#define ABSORPTION_ABOVE_ONE 0.95

/** Owned, freed by surface_table_free(); zeroed is empty. */
struct surface_table {
    size_t count, capacity; /* of entry */
    struct surface_entry *entry;
    struct material_library own; /* from a YAML file; precedes the program's */
    bool file_first;             /* files precede the project: they were on the command line */
    char source[300];            /* empty, or the source: "materials.csv, octaves 63 to 8000 Hz" */
    struct surface_note above;   /* values above 1, which count as ABSORPTION_ABOVE_ONE */
    struct surface_note missing; /* bands that are missing between others */
    struct surface_note layered; /* octaves of layers in which a locally reacting wall misleads */
    struct surface_note coarse;  /* walls whose branches follow their layers coarsely; of the first one, where
                                    its reflection factor is most wrong, and by how much: .. */
    unsigned coarse_octave;      /* .. [Hz] */
    double coarse_most;
};
void surface_table_free(struct surface_table *table);

/** Add one value: "0.1" (fallback) or "NAME=0.1" (the last `=` divides), with its uncertainty or without,
 * "0.1 +- 0.02" (absorption_uncertainty.h). FAILURE_INPUT unless 0 <= value <= 1, and if an earlier one gave
 * another value for the same name (in either case of its letters) or for the fallback. */
int surface_table_add(struct surface_table *table, const char *text, struct failure *failure);

/** The same for scattering: "0.1" (for surfaces of which none is known) or "NAME=0.1". */
int surface_table_add_scattering(struct surface_table *table, const char *text, struct failure *failure);

/** Add a file of materials, of one of these forms. FAILURE_INPUT names file, line and value of a fault; also
 * for a file that is not regular or is too large (table_text.h). The table is then unchanged. Files are read
 * in order, and later ones take precedence; only one YAML file is allowed.
 *
 *   NAME.yaml, NAME.yml        a library for material_library_read()
 *   material,125,250,500,...   absorption at octave or third-octave centres [Hz, or kHz with that unit]
 *                              from 50 to 10000, 0..1.5 or with %; others are left out. Third octaves and
 *                              values above 1 as in absorption_of_bands(). Octaves without a column, or
 *                              blank in a row, repeat the nearest that is there (of two the lower). A
 *                              single octave is one number for all frequencies. A value may have its
 *                              uncertainty behind it, 0.3 +- 0.05. A name may occur twice with the same
 *                              values
 *   frequency,panel,curtain    the same with frequencies below each other, in any order, and a column for
 *                              each material. The first heading has that word or Hz, terz, octave. Lines
 *                              above it are left out, and those that begin with a unit or a rating (NRC)
 *   material,D,E,F             a branch in every row, at most WALL_BRANCHES_MAX of one material
 *
 * The first and the last table may have columns of scattering, 0..1: either `scattering`, one number for all
 * octaves, or `scattering 125`, `scattering 250`, .., for octaves from 63 to 16000 Hz; a material whose
 * fields are all blank has none. A material with several rows of branches needs them in only one. Separators,
 * quotes and decimal commas: table_text.h. */
int surface_table_read(struct surface_table *table, const char *path, struct failure *failure);

/** The entry of that giver for a material of a mesh; NULL if there is none. A full name precedes one that
 * matches by the rules of material_library_find() (blanks, counters, brackets); of several the last counts.
 */
const struct surface_entry *surface_table_find(const struct surface_table *table, const char *material,
                                               enum surface_giver giver);

/** The entry of absorption without a name: the option's, else a project's, or NULL. */
const struct surface_entry *surface_table_fallback(const struct surface_table *table);

/** The entry for scattering, or NULL. */
const struct surface_entry *surface_table_fallback_scattering(const struct surface_table *table);

/** True if the entry of this name means the mesh's material. */
bool surface_name_means(const char *entry, const char *material);

/** Append a copy of `entry` with a copy of name[0..length), or without one where `name` is NULL. For readers
 * of files. */
int surface_table_append(struct surface_table *table, const struct surface_entry *entry, const char *name,
                         size_t length, struct failure *failure);

#endif
