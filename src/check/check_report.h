/** The results of `check`: findings with their advice, cavities, materials, leaks, and a verdict.
 *
 * A finding has one of four severities:
 *   unfit     a run would stop, or simulate another room than intended; it must be corrected first
 *   missing   nothing is wrong with the model, but simulate stops until more is given with it
 *   doubtful  a run is possible, but may not be as intended, or fails on a finer grid
 *   harmless  a fact worth knowing, which needs no change
 * The verdict is of the model: "unfit" with any finding of the first kind, else "fit with doubts" with any
 * doubtful one, else "fit". Missing findings are reported next to it.
 */
#ifndef SRC_CHECK_REPORT_H
#define SRC_CHECK_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/room/voxeliser.h"
#include "src/setup/room_setup.h"

enum check_severity { CHECK_UNFIT, CHECK_MISSING, CHECK_DOUBTFUL, CHECK_HARMLESS };
#define CHECK_SEVERITIES 4

/** In the order in which findings of one severity are printed. */
enum check_kind {
    CHECK_UNITS,         /* no likely size for a room; value: largest extent [m] */
    CHECK_UNREAD,        /* a part of the model's file is not read, or read differently */
    CHECK_AXES,          /* the room lies on its side */
    CHECK_LEAK,          /* a path from a source to the outside; value: width of the gap [m] */
    CHECK_OPENINGS,      /* all gaps of a room that is not closed; value: how many */
    CHECK_NOT_ENCLOSED,  /* no air, or too little to be the room; value: largest cavity [m3] */
    CHECK_POINT_OUTSIDE, /* a source or receiver outside of the room */
    CHECK_POINT_IN_WALL, /* in a wall, or inside a closed body too small for a grid point */
    CHECK_POINT_APART,   /* in a cavity without a source, or without some of the sources */
    CHECK_LEAK_FINER,    /* tight for the run, not for a finer grid; value: width of the gap [m] */
    CHECK_FINER_UNKNOWN, /* the search for leaks ended above 5 mm; value: where [m] */
    CHECK_SPACING,       /* checked on a coarser grid than requested; value: its spacing [m] */
    CHECK_NARROW,        /* openings under three nodes wide; value: the narrowest [m] */
    CHECK_SHEETS_LOST,   /* a sheet is not all in the grid; value: area that is not [m2] */
    CHECK_COPLANAR,      /* faces of two materials overlap in a plane; value: area [m2] */
    CHECK_CURTAIN,       /* cloth in the air that is not a sheet; value: its area [m2] */
    CHECK_SIDE_CAVITY,   /* the sources are not in the largest cavity */
    CHECK_WHICH_ROOM,    /* no source, and more than one space may be meant; value: how many */
    CHECK_ORIGIN,        /* far from the origin; value: rounding of coordinates [m] */
    CHECK_NO_SOURCE,     /* the largest cavity is taken */
    CHECK_NO_RECEIVER,
    CHECK_RECEIVER_GRID,      /* the places of its points, or the reason for none; value: points */
    CHECK_ABSORPTION_MISSING, /* materials without absorption; value: their area [m2] */
    CHECK_ABSORPTION_LIMITED, /* absorption beyond the limit of the wall model; value: as given */
    CHECK_OPEN_SCENE,         /* --open; value: links at the faces of the box */
    CHECK_SEALED,             /* cracks that --seal closed; value: how many */
    CHECK_UNREACHED,          /* surfaces that no air reaches; value: area [m2] */
    CHECK_OPEN_EDGES,         /* value: how many */
    CHECK_NONMANIFOLD_EDGES,  /* value: how many */
    CHECK_INTERSECTIONS,      /* value: pairs of triangles */
    CHECK_DUPLICATES,         /* value: triangles */
    CHECK_DEGENERATE,         /* value: triangles */
    CHECK_CUT_CELLS,          /* conformal walls; value: how many cells they cut */
    CHECK_VOXELS,             /* --voxels: the written file, or the reason for none; value: faces */
    CHECK_KINDS
};

#define CHECK_PLACES 64

struct check_finding {
    enum check_severity severity;
    enum check_kind kind;
    struct failure what;           /* sentence, fix, advice and note, as failure.h has them; code is unused */
    double value;                  /* NaN: none; its unit is the kind's */
    size_t place_count;            /* where; the first is the one in the sentence */
    double place[CHECK_PLACES][3]; /* [m] */
    double size[CHECK_PLACES];     /* of each: a width or length, or NaN [m] */
    double length[CHECK_PLACES];   /* of those that have a width: a crack's length, or NaN [m] */
    size_t number;                 /* in the order of finding */
};

/** A leak path, owned. */
struct check_leak {
    struct voxel_leak leak;
    double spacing; /* of its grid [m] */
    bool finer;     /* finer than the run's */
    bool through_sheet;
    double seal;     /* closes this gap and, on a finer grid, all behind it [m]; 0: not known */
    char from[80];   /* the source it starts from: `source "S1"` */
    char file[1200]; /* where the path was written; empty: nowhere */
};

struct check_cavity {
    double volume;    /* of its cells; of the run's cavity up to its walls (air_volume.h) [m3] */
    double share;     /* of all enclosed air (-) */
    double thickness; /* volume over half of its walls' area: the distance of two leaves [m] */
    double position[3], low[3], high[3]; /* a point in it well clear of walls; its bounding box [m] */
    const char *kind;                    /* "main space", "roof void", ..; static */
    char points[200];                    /* "source S1, receiver R2": those in it; may be cut */
    bool taken;                          /* a run steps its air */
};

struct check_material {
    double exposed; /* its area in the run, as wall_areas_exposed(); NaN: not known [m2] */
    double reached; /* area of the triangles that the run's air touches, without the parts that the run does
                       not have [m2] */
    double touched; /* area that the run has of them, both sides if it has both; with conformal walls that of
                       the cells [m2] */
    bool given;     /* --absorption or --materials cover it */
};

/** Start zeroed; freed by check_report_free(). */
struct check_report {
    size_t finding_count, finding_room;
    struct check_finding *finding;
    bool incomplete;           /* memory ran out for a finding .. */
    struct check_finding lost; /* .. which was filled in here */
    size_t leak_count;
    struct check_leak *leak;
    size_t cavity_count; /* of those listed */
    struct check_cavity *cavity;
    size_t cavities_further;         /* smaller ones */
    double volume_further;           /* of those [m3] */
    struct check_material *material; /* (material_count of the mesh); NULL before they are checked */
    bool reached_known;              /* the run's air was found: `reached` is valid */
    double spacing;                  /* the grid that was checked [m] */
    double spacing_asked;            /* spacing of the run [m]; the same unless that does not fit */
    bool spacing_unknown;            /* no run of this model fits: `spacing` is that of a survey */
    double spacing_finer;            /* the finest spacing that was searched for leaks [m]; 0: none */
    uint64_t air_nodes;              /* of the run; 0 without air */
    double cells_volume;             /* of their cells [m3] */
    size_t cut_cells, cut_pieces;    /* with conformal walls: cells that walls cut; further pieces of air */
};

void check_report_free(struct check_report *report);

/** Add a finding with its sentence, to be filled in before the next is added: no value, no place, no fix.
 * Never NULL; check_report_complete() reports a lack of memory. */
__attribute__((format(printf, 4, 5))) struct check_finding *check_report_add(struct check_report *report,
                                                                             enum check_severity severity,
                                                                             enum check_kind kind,
                                                                             const char *format, ...);

/** FAILURE_CAPACITY if memory ran out for a finding. */
int check_report_complete(const struct check_report *report, struct failure *failure);

/** Append a leak; its path is taken over. */
int check_report_add_leak(struct check_report *report, struct check_leak *leak, struct failure *failure);

/** Sort by severity, then kind, then order of finding. */
void check_report_sort(struct check_report *report);

/** The worst severity of the model, of sorted findings; never CHECK_MISSING. CHECK_HARMLESS without
 * findings. */
enum check_severity check_report_worst(const struct check_report *report);

/** "fit", "fit with doubts", "unfit". */
const char *check_report_verdict(const struct check_report *report);

/** Why the verdict is not better: "it is not closed; a position is outside". Empty for "fit". Into `text`,
 * returned. */
#define CHECK_WHY_MAX 600
const char *check_report_why(const struct check_report *report, char text[CHECK_WHY_MAX]);

/** The same for missing findings: why simulate would stop. Empty if it would not. */
const char *check_report_missing(const struct check_report *report, char text[CHECK_WHY_MAX]);

/** "leak", "narrow_openings": the name in JSON; the unit of its value ("m", "m2"; "" without one); and
 * the reason in the verdict, if the kind can be more than harmless. */
struct check_kind_facts {
    const char *name, *unit, *why;
};
extern const struct check_kind_facts check_kinds[CHECK_KINDS];

/** Append to the sentence. */
__attribute__((format(printf, 2, 3))) void check_finding_say(struct check_finding *finding,
                                                             const char *format, ...);
/** Add a place if there is room. */
void check_finding_place(struct check_finding *finding, const double place[3], double size);
/** The same, and append the first few to the sentence: "`size` `what` at x, y, z m", the first after
 * `lead`. */
#define CHECK_PLACES_SAID 3
void check_finding_list(struct check_finding *finding, const char *lead, const double place[3], double size,
                        const char *what);

/** The sentence with its full stop; and the advice, possibly empty, with the options that help. Into
 * `text`, returned. */
#define CHECK_TEXT_MAX 3000
const char *check_finding_sentence(const struct check_finding *finding, char text[CHECK_TEXT_MAX]);
const char *check_finding_advice(const struct check_finding *finding, char text[CHECK_TEXT_MAX]);

/** "4.6 cm", "1.25 m", into `text`, returned. */
#define CHECK_LENGTH_MAX 32
const char *check_length(double metres, char text[CHECK_LENGTH_MAX]);

/** A name from a file for a sentence: at most 60 bytes, cut between letters. Into `text`, returned. */
#define CHECK_NAME_MAX 68
const char *check_name(const char *name, char text[CHECK_NAME_MAX]);

#endif
