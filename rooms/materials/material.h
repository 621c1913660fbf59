/** A material: its names, its absorption and scattering per octave, and their source documents.
 *
 * Random-incidence absorption (0..1; up to 1.2 as measured in reverberation rooms, edges included) at the
 * eight octaves of material_octave. */
#ifndef ROOMS_MATERIAL_H
#define ROOMS_MATERIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/name_distance.h"
#include "rooms/materials/scattering.h"

#define MATERIAL_OCTAVES        8
#define MATERIAL_THIRDS         (3 * MATERIAL_OCTAVES) /* 50 Hz to 10 kHz */
#define MATERIAL_ABSORPTION_MAX 1.2

/** Remedy for a refused absorption: reverberation rooms give values above 1. */
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
    MATERIAL_SHEET, /* permeable to sound */
    MATERIAL_OTHER,
    MATERIAL_KINDS
};

/** A document that was read for the library. */
struct material_source {
    const char *id;      /* its key in materials */
    const char *title;   /* author and title, and the copy that was read */
    const char *table;   /* place in it */
    const char *link;    /* address of the copy */
    const char *licence; /* its licence, and the data taken */
};

/** A permeable sheet: impedance to the flow between its two sides. */
struct material_sheet {
    double flow_resistance; /* [Pa s/m] */
    double mass;            /* [kg/m2]; INFINITY: fixed */
    bool series; /* true: impermeable, the resistance is a loss of its motion: R + j omega m; else air passes
                    through its pores, parallel to its motion: R || j omega m */
};

/** Belongs to its library; every pointer points into it. */
struct material {
    const char *name;
    const char **alias; /* (alias_count) further names; NULL for none */
    size_t alias_count;
    enum material_kind kind;
    double absorption[MATERIAL_OCTAVES]; /* (-); for a sheet the absorption of one side, sheet_absorption() */
    struct material_sheet sheet;         /* of MATERIAL_SHEET */
    unsigned extended[MATERIAL_OCTAVES]; /* [Hz] missing in the source: they repeat the nearest octave */
    size_t extended_count;
    const char *source_id, *row;          /* of the absorption, and its name there; NULL: not given */
    const char *pair_name;                /* NULL: none */
    const struct material_source *source; /* of source_id; NULL: not given */
    struct scattering scattering;
    const char *scattering_source_id, *scattering_row; /* likewise, of the scattering */
    const struct material_source *scattering_source;
    const struct material *pair; /* the same seats full or empty: one of them is MATERIAL_SEATING, the
                                  * other MATERIAL_AUDIENCE; NULL: none */
};

/** Zeroed is empty; material_library_free(). */
struct material_library {
    size_t count;
    const struct material *material; /* (count); in the order of the file */
    size_t source_count;
    const struct material_source *source; /* (source_count) */
    void *content;                        /* owns them */
};

/** Absorption of `material` with `audience` (0..1) of its seats taken. For either material of a pair, the
 * empty and the occupied one are mixed by area: (1 - audience) empty + audience occupied, so that the
 * equivalent absorption area is linear in the people. A material without a pair, or NaN for `audience`, gives
 * the material's own values. */
void material_absorption(const struct material *material, double audience,
                         double absorption[MATERIAL_OCTAVES]);

/** The scattering, mixed in the same way; where one of the pair has none it counts as scattering_default. Not
 * known if no material with a share above 0 has one. */
struct scattering material_scattering(const struct material *material, double audience);

/** True for a curtain of the library that is a wall: it absorbs like a hung curtain, but no sound passes. A
 * permeable one is a sheet. */
bool material_is_curtain(const struct material *material);

/** Random-incidence absorption of one side of a sheet, without the transmitted sound: with zeta = Z cos / (2
 * rho c) it is 2 Re(zeta) / |1 + zeta|^2 in every direction, the mean of it by Paris' rule, at the centre of
 * each octave, in air of 413 Pa s/m, to three decimals. */
void sheet_absorption(const struct material_sheet *sheet, double absorption[MATERIAL_OCTAVES]);

/** True if the source lacks the value at that octave (index 0..7). */
bool material_is_extended(const struct material *material, size_t octave);

#endif
