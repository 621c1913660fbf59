/** Every figure that the program knows of a response, in one table: what it is called, how it is written,
 * what a listener notices of it. Files, printed tables, maps, comparison and report walk it; a new figure is
 * an entry here, its number in the enum, and the function that works it out.
 */
#ifndef SRC_FIGURE_TABLE_H
#define SRC_FIGURE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/** Just noticeable differences (ISO 3382-1:2009, table A.1). */
#define JND_TIME    0.05  /* of EDT and other reverberation times, relative */
#define JND_CLARITY 1.0   /* C50, C80 [dB] */
#define JND_D50     0.05  /* share */
#define JND_TS      0.010 /* [s] */
#define JND_G       1.0   /* [dB] */
#define JND_LF      0.05  /* LF and LFC, share of the lateral energy */
#define JND_STI     0.03  /* STI (Bradley, Reich and Norcross 1999), and taken for each octave's index too */

/** First those of a pressure response by octave, then others by octave, then those of the whole response. */
enum figure {
    FIGURE_EDT,
    FIGURE_T20,
    FIGURE_T30,
    FIGURE_C50,
    FIGURE_C80,
    FIGURE_D50,
    FIGURE_TS,
    FIGURE_G,
    FIGURE_LF,
    FIGURE_LFC,
    FIGURE_LJ,
    FIGURE_MTI,
    FIGURE_STI,
    FIGURE_STRENGTH,
    ALL_FIGURES,
    PRESSURE_FIGURES = FIGURE_G + 1,
    LATERAL_FIGURES = FIGURE_LJ + 1, /* the lateral ones are those from PRESSURE_FIGURES to here */
    OCTAVE_FIGURES = FIGURE_MTI + 1
};

/** What a figure is about, as far as a listener is concerned. */
enum figure_aspect {
    ASPECT_REVERBERATION,
    ASPECT_CLARITY,
    ASPECT_LOUDNESS,
    ASPECT_WIDTH,
    ASPECT_SPEECH,
    ASPECTS
};

struct figure_kind {
    const char *word; /* "C80" */
    const char *name; /* of its array by octave in JSON and CSV, with the unit: "c80_db"; NULL: it has none */
    const char *single; /* of its one number: in `single_numbers` for those of a pressure response, else
                           beside it; NULL: it has none */
    const char *unit;   /* "dB"; "" where it is a share */
    int decimals;       /* worth printing */
    double jnd;         /* in that unit, or relative; NaN: not known */
    bool relative;
    const char *more, *less; /* what a larger and a smaller value is called: "longer", "shorter" */
    enum figure_aspect aspect;
    int sense;           /* 1: a larger value is more of the aspect; -1: less */
    const char *meaning; /* for who has not met it, a clause without its word */
};

extern const struct figure_kind figure_kind[ALL_FIGURES];

/* ---- what a reader must know of a decay beside its time ---- */

/** A decay is called curved or uneven above these (ISO 3382-2, annex B). */
#define REVERBERATION_CURVATURE    10.0 /* [%] */
#define REVERBERATION_NONLINEARITY 10.0 /* [per mille] */

enum figure_mark {
    FIGURE_CURVED = 1,    /* c: T30 is more than a tenth above T20 */
    FIGURE_UNEVEN = 2,    /* u: farther from a straight line than the standard allows */
    FIGURE_TWO_SLOPES = 4 /* d: as in coupled rooms */
};

#define FIGURE_MARKS_MAX 4

/** What they say, in the order of the letters "cud". */
#define FIGURE_MARKS 3
extern const char *const figure_mark_words[FIGURE_MARKS];

/** Of `enum figure_mark`; a curvature or nonlinearity that is NaN marks nothing. */
unsigned figure_marks(double curvature, double nonlinearity, bool two_slopes);

/** "cud", "d", ""; and back. */
const char *figure_marks_text(unsigned marks, char text[FIGURE_MARKS_MAX]);
unsigned figure_marks_read(const char *text);

/** Does a figure carry the marks of its decay? T20 and T30 do. */
bool figure_is_marked(enum figure figure);

#endif
