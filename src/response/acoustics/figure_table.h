/** All figures of a response in one table: name, format, just noticeable difference. Files, printed tables,
 * maps, comparison and report iterate over it; a new figure is an entry here, its number in the enum, and the
 * function that computes it. */
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
#define JND_IACC    0.075 /* ISO 3382-1, annex B */
#define JND_STI     0.03  /* STI (Bradley, Reich and Norcross 1999); also used for each octave's index */

/** First those of a pressure response by octave, then others by octave, then those of the whole response.
 * From MTI on: those of further_figures.h, up to that of echoes. */
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
    FIGURE_IACC_EARLY,
    FIGURE_IACC_LATE,
    FIGURE_EDT_SHARE,
    FIGURE_C80_BARRON,
    FIGURE_G_BARRON,
    FIGURE_BASS_RATIO,
    FIGURE_BRILLIANCE,
    FIGURE_ECHO_SPEECH,
    FIGURE_ECHO_MUSIC,
    FIGURE_STI,
    FIGURE_STRENGTH,
    ALL_FIGURES,
    PRESSURE_FIGURES = FIGURE_G + 1,
    LATERAL_FIGURES = FIGURE_LJ + 1,   /* the lateral ones are those from PRESSURE_FIGURES to here */
    FURTHER_FIRST = FIGURE_IACC_EARLY, /* those of further_figures.h are those from here to .. */
    FURTHER_FIGURES = FIGURE_ECHO_MUSIC + 1,
    OCTAVE_FIGURES = FIGURE_G_BARRON + 1
};

/** The aspect of hearing that a figure describes. */
enum figure_aspect {
    ASPECT_REVERBERATION,
    ASPECT_CLARITY,
    ASPECT_LOUDNESS,
    ASPECT_WIDTH,
    ASPECT_SPEECH,
    ASPECTS
};

struct figure_kind {
    const char *word;   /* "C80" */
    const char *name;   /* of its array by octave in JSON and CSV, with the unit: "c80_db"; NULL: no array */
    const char *single; /* of its single number: in `single_numbers` for a pressure response, else beside it;
                           NULL: no number */
    const char *unit;   /* "dB"; "" for a share */
    int decimals;       /* decimals to print */
    double jnd;         /* in that unit, or relative; NaN: unknown */
    bool relative;
    const char *more, *less; /* words for a larger and a smaller value: "longer", "shorter" */
    enum figure_aspect aspect;
    int sense;           /* 1: a larger value is more of the aspect; -1: less */
    const char *meaning; /* an explanation as a clause, without its word */
};

extern const struct figure_kind figure_kind[ALL_FIGURES];

/** One just noticeable difference of a figure that has the value `value`, in its unit. */
double figure_step(enum figure figure, double value);

/** A figure from rays is unsure if half or twice the scattering changes it by more than this [JND]: how
 * surfaces scatter is not known, and the change is large where absorption is distributed unevenly. */
#define FIGURE_UNSURE 2.0

/** Beyond these differences of level and of T30 in the octave of the join, the waves and the rays of a room
 * do not fit one another. */
#define FIGURE_JOIN_LEVEL_MOST 2.0 /* [dB] */
#define FIGURE_JOIN_DECAY_MOST 3.0 /* [JND] */

/* ---- marks of a decay ---- */

/** A decay is called curved or uneven above these (ISO 3382-2, annex B). */
#define REVERBERATION_CURVATURE    10.0 /* [%] */
#define REVERBERATION_NONLINEARITY 10.0 /* [per mille] */

enum figure_mark {
    FIGURE_CURVED = 1,    /* c: T30 is more than a tenth above T20 */
    FIGURE_UNEVEN = 2,    /* u: farther from a straight line than the standard allows */
    FIGURE_TWO_SLOPES = 4 /* d: as in coupled rooms */
};

#define FIGURE_MARKS_MAX 4

/** Their words, in the order of the letters "cud". */
#define FIGURE_MARKS 3
extern const char *const figure_mark_words[FIGURE_MARKS];

/** Bits of `enum figure_mark`; a curvature or nonlinearity that is NaN sets none. */
unsigned figure_marks(double curvature, double nonlinearity, bool two_slopes);

/** "cud", "d", ""; and back. */
const char *figure_marks_text(unsigned marks, char text[FIGURE_MARKS_MAX]);
unsigned figure_marks_read(const char *text);

/** True if a figure carries the marks of its decay: T20 and T30. */
bool figure_is_marked(enum figure figure);

#endif
