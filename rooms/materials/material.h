/** A material: its names, its absorption per octave, and the document that it is from.
 *
 * Random-incidence absorption (0..1; up to 1.2 as reverberation rooms measure it, edges included) at the
 * eight octaves of material_octave.
 */
#ifndef ROOMS_MATERIAL_H
#define ROOMS_MATERIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/name_distance.h"

#define MATERIAL_OCTAVES        8
#define MATERIAL_ABSORPTION_MAX 1.2

/** Behind a refused absorption: reverberation rooms give values above 1. */
#define MATERIAL_ABOVE_ONE "write 0.95 for a laboratory value above 1, the most that a wall absorbs here"

#define MATERIAL_NAME_MAX NAME_DISTANCE_MAX /* bytes of a name with its end mark */

/** 63, 125, .. 8000 [Hz]. */
extern const unsigned material_octave[MATERIAL_OCTAVES];

enum material_kind {
    MATERIAL_STONE,
    MATERIAL_PLASTER,
    MATERIAL_WOOD,
    MATERIAL_GLASS,
    MATERIAL_TEXTILE,
    MATERIAL_SEATING,
    MATERIAL_AUDIENCE,
    MATERIAL_PANEL,
    MATERIAL_FLOOR,
    MATERIAL_SHEET, /* sound goes through it */
    MATERIAL_OTHER,
    MATERIAL_KINDS
};

/** A document that somebody opened. */
struct material_source {
    const char *id;      /* what materials call it */
    const char *title;   /* author and title, and which copy was read */
    const char *table;   /* where in it */
    const char *link;    /* address of what was read */
    const char *licence; /* what its licence allows and what was taken */
};

/** A sheet that sound goes through: what holds back the air at its two sides. */
struct material_sheet {
    double flow_resistance; /* [Pa s/m] */
    double mass;            /* [kg/m2]; INFINITY: held still */
    bool series; /* nothing passes but by moving it, and the resistance is its loss: R + j omega m; else
                    air passes through its pores, and it moves with the rest: R || j omega m */
};

/** Belongs to its library; every pointer points into it. */
struct material {
    const char *name;
    const char **alias; /* (alias_count) further names; NULL for none */
    size_t alias_count;
    enum material_kind kind;
    double absorption[MATERIAL_OCTAVES]; /* (-); of a sheet what one side of it takes, sheet_absorption() */
    struct material_sheet sheet;         /* of MATERIAL_SHEET */
    unsigned extended[MATERIAL_OCTAVES]; /* [Hz] that the source lacks: they repeat the nearest it has */
    size_t extended_count;
    const char *source_id, *row;          /* where it is from, and its name there; NULL: not given */
    const char *pair_name;                /* NULL: none */
    const struct material_source *source; /* of source_id; NULL: not given */
    const struct material *pair; /* the same seats full or empty: one of them is MATERIAL_SEATING, the
                                  * other MATERIAL_AUDIENCE; NULL: none */
};

/** Zeroed is empty; material_library_free(). */
struct material_library {
    size_t count;
    const struct material *material; /* (count); in the order of the file */
    size_t source_count;
    const struct material_source *source; /* (source_count) */
    void *content;                        /* what owns them */
};

/** Absorption of `material` with `audience` (0..1) of its seats taken. Of a pair, whichever of the two it is,
 * the empty and the occupied one are mixed by area: (1 - audience) empty + audience occupied, so that the
 * equivalent absorption area is linear in the people. A material without a pair, or NaN for `audience`, gives
 * what the material has. */
void material_absorption(const struct material *material, double audience,
                         double absorption[MATERIAL_OCTAVES]);

/** Is it a curtain of the library, which absorbs as one does where it hangs, and lets nothing through? */
bool material_is_curtain(const struct material *material);

/** What a sheet takes of the sound that comes from everywhere to one of its sides, what goes through not
 * counted: with zeta = Z cos / (2 rho c) it is 2 Re(zeta) / |1 + zeta|^2 in every direction, the mean of it
 * by Paris' rule, at the centre of each octave, in air of 413 Pa s/m, to three decimals. */
void sheet_absorption(const struct material_sheet *sheet, double absorption[MATERIAL_OCTAVES]);

/** Is the value at that octave (its place, 0..7) one that the source does not have? */
bool material_is_extended(const struct material *material, size_t octave);

#endif
