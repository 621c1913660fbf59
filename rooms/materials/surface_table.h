/** What a user gives for surfaces: single values, and files of materials. */
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
    SURFACE_BRANCHES, /* the wall itself */
    SURFACE_SHEET,    /* no wall: sound goes through; of entries only, as the next */
    SURFACE_NAMED,    /* that of another name of a library */
};

enum surface_giver {
    SURFACE_BY_OPTION,  /* must mean a surface */
    SURFACE_BY_FILE,    /* may mean none */
    SURFACE_BY_PROJECT, /* `materials` of a project; must mean a surface unless `may_miss` */
    SURFACE_BY_PROGRAM, /* of what it puts into the room itself, before the fallback */
};

struct surface_entry {
    char *name; /* NULL: the fallback for every surface that nothing else covers */
    enum surface_giver giver;
    enum surface_form form;
    double absorption[MATERIAL_OCTAVES]; /* random incidence, 0..1 (-); of a number all the same */
    size_t branches;                     /* of SURFACE_BRANCHES; they pass wall_branches_check() */
    struct wall_branch branch[WALL_BRANCHES_MAX];
    struct material_sheet sheet; /* of SURFACE_SHEET */
    /* Of a project; the strings are borrowed. */
    const char *library; /* of SURFACE_NAMED: a material of the file's library, else of the program's */
    double audience;     /* of SURFACE_NAMED: share of its seats that is taken; NaN: as for all surfaces */
    bool guessed;        /* nobody has confirmed it yet */
    bool may_miss;       /* the room was exchanged, and may lack the surface */
    const char *file, *where; /* "church.yaml", and what it is called there: "materials.pews" */
    size_t line;
};

/** Owned, freed by surface_table_free(); zeroed is empty. */
struct surface_table {
    size_t count, capacity; /* of entry */
    struct surface_entry *entry;
    struct material_library own; /* of a YAML file; comes before the program's */
    bool file_first;             /* files come before the project: they were on the command line */
    char source[300];            /* empty, or what a file gave: "materials.csv, octaves 63 to 8000 Hz" */
};
void surface_table_free(struct surface_table *table);

/** Add one value: "0.1" (fallback) or "NAME=0.1" (the last `=` divides). FAILURE_INPUT unless
 * 0 <= value <= 1, and where an earlier one gave another value for the same name (in either case of its
 * letters) or for the fallback. */
int surface_table_add(struct surface_table *table, const char *text, struct failure *failure);

/** Add a file of materials, of one of three forms. FAILURE_INPUT names file, line and value of what is
 * unreadable; likewise for what is no regular file or is too large (table_text.h). The table is then as it
 * was. Files are read one after another, the later one wins; of YAML files there can be one.
 *
 *   NAME.yaml, NAME.yml        a library as material_library_read() takes it
 *   material,125,250,500,...   absorption, 0..1, at octave centres [Hz] from 63 to 8000; 16, 31.5 and 16000
 *                              are left out. Octaves without a column, or blank in a row, repeat the nearest
 *                              that is there (of two the lower). A single octave is one number for all
 *                              frequencies. A name may occur twice with the same values only
 *   material,D,E,F             a branch in every row, at most WALL_BRANCHES_MAX of one material
 */
int surface_table_read(struct surface_table *table, const char *path, struct failure *failure);

/** The entry of that giver for a material of a mesh; NULL: none. A name in full comes before one that means
 * it by the rules of material_library_find() (blanks, counters, brackets); of several the last. */
const struct surface_entry *surface_table_find(const struct surface_table *table, const char *material,
                                               enum surface_giver giver);

/** The option's entry without a name, else a project's, or NULL. */
const struct surface_entry *surface_table_fallback(const struct surface_table *table);

/** Does the entry of this name mean the mesh's material? */
bool surface_name_means(const char *entry, const char *material);

/** Append a copy of `entry` with a copy of name[0..length), or without one where `name` is NULL. For readers
 * of files. */
int surface_table_append(struct surface_table *table, const struct surface_entry *entry, const char *name,
                         size_t length, struct failure *failure);

#endif
