/** How anything in transept reports a failure: as data, in a struct that the caller owns.
 *
 * The sentence names the fault, the value and the limit. `file` and `line` give the place in a text file.
 * `fix` states the remedy in words; `advice` states it if an option of the program helps, since libraries
 * name no options. failure_text() (src/base/options/failure_text.h) words and joins all parts. Libraries
 * never print, exit or keep globals. */
#ifndef GEOMETRY_FAILURE_H
#define GEOMETRY_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

/** Codes are the program's exit statuses, so that a failure means the same in a library and in a shell. */
enum failure_code {
    FAILURE_NONE = 0,
    FAILURE_ANSWER_NO = 1,     /* a negative result: not identical, unfit, wrong value */
    FAILURE_INPUT = 2,         /* bad usage or input: missing or broken file, leak, point in a wall */
    FAILURE_CAPACITY = 3,      /* does not fit this machine (memory, 32-bit ids), or no such device */
    FAILURE_SIMULATION = 4,    /* the simulation went wrong: not finite, energy grew */
    FAILURE_OUTPUT = 5,        /* writing a result or driving a device failed */
    FAILURE_INTERRUPTED = 130, /* stopped by the user */
};

/** Remedies through options of the program; some take a value, as stated. */
enum failure_advice {
    ADVICE_NONE,
    ADVICE_COARSER_GRID,          /* a lower highest frequency or a larger spacing */
    ADVICE_COARSER_GRID_OR_UNITS, /* the same, or the model's unit is wrong */
    ADVICE_LARGER_SPACING,        /* a larger spacing alone */
    ADVICE_SMALLER_SPACING,       /* a smaller one */
    ADVICE_BLOCKS_OR_COARSER,     /* the layout of blocks, or a larger spacing */
    ADVICE_LESS_MEMORY,           /* a coarser grid, or more memory */
    ADVICE_LESS_MEMORY_OR_SINGLE, /* the same, or single precision */
    ADVICE_LOWER_FMAX_OR_FINER,   /* a lower highest frequency, or a smaller spacing */
    ADVICE_OTHER_FMAX,            /* another highest frequency */
    ADVICE_GIVE_SOURCE,           /* a source */
    ADVICE_GIVE_SOURCE_OR_OPEN,   /* a source in the room, or an open scene */
    ADVICE_CLOSED_ROOM,           /* is it closed, is its unit right? or an open scene */
    ADVICE_OPEN_OR_SEAL,          /* an open scene; or cracks closed that are `value` wide [m], 0: too wide */
    ADVICE_SEAL,                  /* cracks closed that are `value` wide [m] */
    ADVICE_SEAL_REST,             /* the same, for the narrower ones */
    ADVICE_SEAL_ALL,              /* the same, which closes every opening */
    ADVICE_SEAL_UNTRIED,  /* close them in the model; cracks closed that are `value` wide [m] may do */
    ADVICE_LARGER_SEAL,   /* wider cracks closed */
    ADVICE_UNITS,         /* the unit and the upward axis of the model */
    ADVICE_OTHER_OUTPUT,  /* another folder for results */
    ADVICE_NO_CHECKPOINT, /* the same, or no checkpoints */
    ADVICE_OTHER_OUTPUT_OR_REPLACE,  /* the same, or leave to replace its content */
    ADVICE_PROCESSORS,               /* the processors instead of a device */
    ADVICE_ANY_BITS,                 /* the same, or a device with other roundings nevertheless */
    ADVICE_COARSER_OR_PROCESSORS,    /* a lower highest frequency, or the processors */
    ADVICE_LESS_ON_DEVICE,           /* a coarser grid, or the processors */
    ADVICE_LESS_ON_DEVICE_OR_SINGLE, /* the same, or single precision */
    ADVICE_OWN_MPIRUN,               /* the mpirun of the program's own MPI, or what Slurm has for it */
    ADVICE_STEADIER,            /* a lower Courant number or double precision; else a fault of the program */
    ADVICE_STEADIER_OR_SHORTER, /* double precision or shorter responses; else a fault of the program */
    /* geometry/import */
    ADVICE_UNIT,             /* the model's unit, likely `value` [m] */
    ADVICE_UNIT_OR_FAR_PART, /* its unit, or parts of the model far from the room */
    /* setup, plan, rooms */
    ADVICE_FINER_GRID,         /* a smaller spacing, or a higher highest frequency */
    ADVICE_FMAX,               /* the highest frequency `value` [Hz] */
    ADVICE_WALLS_OR_STANDARD,  /* walls that the isotropic scheme has, or the standard scheme */
    ADVICE_FMAX_OR_BLOCKS,     /* the same, or the layout of blocks */
    ADVICE_FMAX_OR_PROCESSORS, /* the same, or the processors */
    ADVICE_FMAX_OR_HOSTS,      /* the same, or more hosts */
    ADVICE_GIVE_ABSORPTION,    /* absorption of surfaces, by options or by their names */
    ADVICE_PLACE_SOURCE,       /* a source, or a marker of the model */
    ADVICE_PLACE_RECEIVER,     /* a receiver, likewise */
    ADVICE_PLACE_BOTH,         /* both, in the intended space */
    ADVICE_OPEN_SEAL_OR_PLACE, /* as ADVICE_OPEN_OR_SEAL; or both placed in the intended space */
    ADVICE_GIVE_HEAD,          /* a head that can be turned */
    ADVICE_DIRECTIONAL,        /* directional responses */
    ADVICE_NAME_LEAK,          /* a file for the path of a leak */
    /* check */
    ADVICE_RESOLVE_AT_FMAX,      /* the highest frequency `value` [Hz], whose grid resolves openings */
    ADVICE_CLOSE_OR_SEAL,        /* cracks closed */
    ADVICE_CHECK_AT_FMAX,        /* a check at the highest frequency of a run to come */
    ADVICE_UP_Y,                 /* y as the upward axis of the model */
    ADVICE_UP_Z,                 /* z as that */
    ADVICE_FMAX_THAT_FITS,       /* a highest frequency that this machine can run */
    ADVICE_SOURCE_IN_ROOM,       /* a source in the intended space */
    ADVICE_GIVE_SOURCE_OR_UNITS, /* a source in the room, or the model's unit is wrong */
    ADVICE_GIVE_POSITIONS,       /* a source and a receiver */
    /* film, auralise */
    ADVICE_NAME_DRY,        /* the dry sound by its own option */
    ADVICE_LEAVE_OUT_FMAX,  /* no highest frequency, since the run's is known */
    ADVICE_GIVE_OUTPUT,     /* a folder or file for results */
    ADVICE_LONGER_DURATION, /* longer responses */
    /* src/setup/project */
    ADVICE_OUTPUT_ANYWHERE, /* the folder for results on the command line */
    /* run, bench */
    ADVICE_DOUBLE_OR_REPORT,         /* double precision; else a fault of the program */
    ADVICE_DOUBLE_OR_SHORTER,        /* double precision, or shorter responses */
    ADVICE_SMALLER_SHAPES,           /* smaller rooms for a benchmark */
    ADVICE_SMALLER_SHAPES_OR_ONE,    /* the same, or one of them */
    ADVICE_SMALLER_SHAPES_OR_BLOCKS, /* the same, a coarser grid, single precision, or no box */
    ADVICES
};

/** Subject of a failure, beside a file and its line. */
enum failure_subject {
    SUBJECT_NONE,
    SUBJECT_FILE,     /* one that the sentence names */
    SUBJECT_OPTION,   /* with its dashes */
    SUBJECT_MATERIAL, /* of the model */
    SUBJECT_POSITION, /* a source or receiver */
    SUBJECTS
};

/** Start zeroed. Texts are UTF-8 and end without a newline; `sentence` is empty while `code` is FAILURE_NONE.
 */
struct failure {
    enum failure_code code;
    char file[1100];     /* the file that is at fault; empty: none, or the sentence names it */
    size_t line;         /* of the file, from 1; 0: none */
    char sentence[2000]; /* the fault; does not repeat file and line */
    char fix[400];       /* the remedy, in words that name no option; empty: none */
    enum failure_advice advice;
    double advice_value; /* value of the advice; 0: none */
    bool memory_short;   /* memory ran out */
    enum failure_subject about;
    char subject[1100]; /* names of the subjects, separated by newlines; empty: none */
    char note[3600];    /* a further fact, printed in parentheses behind the rest, and behind a line break, as
                           lines, the mistakes that failure_join() added; empty: none */
};

/** Fill `failure` (may be NULL) and return `code` as int, so that a function can `return failure_set(...)`. A
 * sentence that is too long is cut, and a control character in it becomes `?`. Remedies of an earlier failure
 * are deleted. */
__attribute__((format(printf, 3, 4))) int failure_set(struct failure *failure, enum failure_code code,
                                                      const char *format, ...);

/** Set the file and line of the failure that was just set, and return its `code`. NULL leaves the file and 0
 * the line unchanged: a parser of text may not know the name of its file. */
int failure_at(int code, struct failure *failure, const char *file, size_t line);

/** Set the remedy of the failure that was just set, and return its `code`:
 *     return failure_advise(failure_set(failure, ..), failure, ADVICE_LARGER_SPACING, 0); */
int failure_advise(int code, struct failure *failure, enum failure_advice advice, double value);
__attribute__((format(printf, 3, 4))) int failure_fix(int code, struct failure *failure, const char *format,
                                                      ...);

/** Add a subject to the failure that was just set, and return its `code`. Names that no longer fit are left
 * out. */
int failure_about(int code, struct failure *failure, enum failure_subject about, const char *name);

/** Copy `inner` with all its parts, and return its code; the same with words before its sentence. */
int failure_forward(struct failure *failure, const struct failure *inner);
__attribute__((format(printf, 3, 4))) int failure_wrap(struct failure *failure, const struct failure *inner,
                                                       const char *format, ...);

/** Join a further failure of a user's input with an earlier one, whose `code` is given. The first mistake is
 * the failure; later ones become lines of its note, "hall.yaml, line 3: SENTENCE; FIX", as long as there is
 * room. A failure that is not a mistake of the input comes first. `next->code` 0 changes nothing. Returns the
 * code of the failure. */
int failure_join(int code, struct failure *failure, const struct failure *next);

/** Make a call that may find a further mistake; it reports to `&next`. */
#define ALSO(joined, failure, call)                                                                          \
    do {                                                                                                     \
        struct failure next;                                                                                 \
        next.code = FAILURE_NONE;                                                                            \
        (void)(call);                                                                                        \
        (joined) = failure_join((joined), (failure), &next);                                                 \
    } while (0)

/** Place of the failure, "hall.yaml, line 3: ", or "". Into `text`, returned. */
#define FAILURE_WHERE_MAX 1140
const char *failure_where(const struct failure *failure, char text[FAILURE_WHERE_MAX]);

/** Replace invisible characters and bytes that are not UTF-8 by `?`, in place. Names from files are put into
 * sentences, where a line break would split them and a terminal would obey an escape sequence. */
void blot_control_characters(char *text);

/** Set FAILURE_CAPACITY for memory, with the bytes (0: unknown) and their purpose, and `memory_short`. */
int failure_memory(struct failure *failure, unsigned long long bytes, const char *purpose);

/** The user stopped the program before it wrote anything: FAILURE_INTERRUPTED. */
int failure_interrupted(struct failure *failure);

/** Code for a call that returns no reason: FAILURE_CAPACITY if `error`, errno after it, means that memory or
 * open files ran out, else `otherwise`. Set errno to 0 before the call, since libraries keep the errno of
 * malloc. */
enum failure_code failure_of_errno(int error, enum failure_code otherwise);

/** Forward the code of a call that failed. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const int try_code_ = (call);                                                                        \
        if (try_code_ != 0)                                                                                  \
            return try_code_;                                                                                \
    } while (0)

#endif
