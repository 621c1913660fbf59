/** How anything in transept reports that it failed: as data, in a struct the caller owns.
 *
 * The sentence says what, the value and the limit. Where in a text file is kept apart (`file`, `line`), and
 * so does what mends it: `fix` in words, and `advice` where an option of the program helps, since libraries
 * name no options: failure_text() (src/options/failure_text.h) words it and joins all parts. Libraries never
 * print, exit or keep globals.
 */
#ifndef GEOMETRY_FAILURE_H
#define GEOMETRY_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

/** Codes are the program's exit statuses, so that a failure means the same in a library and in a shell. */
enum failure_code {
    FAILURE_NONE = 0,
    FAILURE_ANSWER_NO = 1,     /* the question was answered with no: not identical, unfit, wrong value */
    FAILURE_INPUT = 2,         /* bad usage or input: missing or broken file, leak, point in a wall */
    FAILURE_CAPACITY = 3,      /* does not fit this machine (memory, 32-bit ids), or no such device */
    FAILURE_SIMULATION = 4,    /* the simulation went wrong: not finite, energy grew */
    FAILURE_OUTPUT = 5,        /* writing a result or driving a device failed */
    FAILURE_INTERRUPTED = 130, /* stopped by the user */
};

/** What the program's options can mend. Where an entry takes a value it says which. */
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
    ADVICE_SEAL_UNTRIED, /* close them in the model; cracks closed that are `value` wide [m] may do */
    ADVICE_LARGER_SEAL,  /* wider cracks closed */
    ADVICE_UNITS,        /* the unit and the upward axis of the model */
    ADVICE_OTHER_OUTPUT, /* another folder for results */
    ADVICE_OTHER_OUTPUT_OR_REPLACE,  /* the same, or leave to replace what is in it */
    ADVICE_PROCESSORS,               /* the processors instead of a device */
    ADVICE_COARSER_OR_PROCESSORS,    /* a lower highest frequency, or the processors */
    ADVICE_LESS_ON_DEVICE,           /* a coarser grid, or the processors */
    ADVICE_LESS_ON_DEVICE_OR_SINGLE, /* the same, or single precision */
    ADVICE_OWN_MPIRUN,               /* the mpirun of the program's own MPI, or what Slurm has for it */
    ADVICE_STEADIER,            /* a lower Courant number or double precision; else a fault of the program */
    ADVICE_STEADIER_OR_SHORTER, /* double precision or shorter responses; else a fault of the program */
    /* geometry/import */
    ADVICE_UNIT,             /* the model's unit, likely `value` [m] */
    ADVICE_UNIT_OR_FAR_PART, /* its unit, or what is far from the room and part of the model */
    /* setup, plan, rooms */
    ADVICE_FINER_GRID,         /* a smaller spacing, or a higher highest frequency */
    ADVICE_FMAX,               /* the highest frequency `value` [Hz] */
    ADVICE_WALLS_OR_STANDARD,  /* walls that the isotropic scheme has, or the standard scheme */
    ADVICE_FMAX_OR_BLOCKS,     /* the same, or the layout of blocks */
    ADVICE_FMAX_OR_PROCESSORS, /* the same, or the processors */
    ADVICE_FMAX_OR_HOSTS,      /* the same, or more hosts */
    ADVICE_GIVE_ABSORPTION,    /* what surfaces absorb, by options or by their names */
    ADVICE_PLACE_SOURCE,       /* a source, or a marker of the model */
    ADVICE_PLACE_RECEIVER,     /* a receiver, likewise */
    ADVICE_PLACE_BOTH,         /* both, in the space that is meant */
    ADVICE_OPEN_SEAL_OR_PLACE, /* as ADVICE_OPEN_OR_SEAL; or both placed in the space that is meant */
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
    ADVICE_SOURCE_IN_ROOM,       /* a source in the space that is meant */
    ADVICE_GIVE_SOURCE_OR_UNITS, /* a source in the room, or the model's unit is wrong */
    ADVICE_GIVE_POSITIONS,       /* a source and a receiver */
    /* film, auralise */
    ADVICE_NAME_DRY,         /* the dry sound by its own option */
    ADVICE_LEAVE_OUT_FMAX,   /* no highest frequency, since the run's is known */
    ADVICE_GIVE_FMAX,        /* a highest frequency */
    ADVICE_GIVE_OUTPUT,      /* a folder or file for results */
    ADVICE_LEAVE_OUT_EXTEND, /* no extension above the highest frequency */
    ADVICE_LONGER_DURATION,  /* longer responses */
    /* src/project */
    ADVICE_OUTPUT_ANYWHERE, /* the folder for results on the command line */
    /* run, bench */
    ADVICE_DOUBLE_OR_REPORT,         /* double precision; else a fault of the program */
    ADVICE_DOUBLE_OR_SHORTER,        /* double precision, or shorter responses */
    ADVICE_SMALLER_SHAPES,           /* smaller rooms for a benchmark */
    ADVICE_SMALLER_SHAPES_OR_ONE,    /* the same, or one of them */
    ADVICE_SMALLER_SHAPES_OR_BLOCKS, /* the same, a coarser grid, single precision, or no box */
    ADVICES
};

/** What a failure may be about, beside a file and its line. */
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
    size_t line;         /* of it, from 1; 0: none */
    char sentence[2000]; /* what; does not repeat file and line */
    char fix[400];       /* what mends it, in words that name no option; empty: none */
    enum failure_advice advice;
    double advice_value; /* that the advice takes; 0: none */
    bool memory_short;   /* memory could not be had */
    enum failure_subject about;
    char subject[1100]; /* names of those that it is about, apart by newlines; empty: none is known */
    char note[3600];    /* a further fact, printed in parentheses behind the rest, and behind a line break, as
                           lines, the mistakes that failure_join() added; empty: none */
};

/** Fill `failure` (may be NULL) and return `code` as int, so that a function can `return failure_set(...)`.
 * A sentence that is too long is cut, and a control character in it becomes `?`. What mends an earlier
 * failure is forgotten. */
__attribute__((format(printf, 3, 4))) int failure_set(struct failure *failure, enum failure_code code,
                                                      const char *format, ...);

/** Say in which line of which file the failure that was just set is, and return its `code`. NULL leaves the
 * file and 0 leaves the line as they are: who parses a text may not know how its file is called. */
int failure_at(int code, struct failure *failure, const char *file, size_t line);

/** Say what mends the failure that was just set, and return its `code`:
 *     return failure_advise(failure_set(failure, ..), failure, ADVICE_LARGER_SPACING, 0); */
int failure_advise(int code, struct failure *failure, enum failure_advice advice, double value);
__attribute__((format(printf, 3, 4))) int failure_fix(int code, struct failure *failure, const char *format,
                                                      ...);

/** Say what the failure that was just set is about, and return its `code`; once for each. Names that no
 * longer fit are left out. */
int failure_about(int code, struct failure *failure, enum failure_subject about, const char *name);

/** Hand `inner` on with all it carries, and return its code; and the same with words before its sentence. */
int failure_forward(struct failure *failure, const struct failure *inner);
__attribute__((format(printf, 3, 4))) int failure_wrap(struct failure *failure, const struct failure *inner,
                                                       const char *format, ...);

/** Join what was found next, of a user's input, to what was found before with that `code`: of several
 * mistakes the first is the failure, and those behind it are lines of its note, "hall.yaml, line 3: SENTENCE;
 * FIX", as many as it has room for. What is no mistake of the input goes before those that are. `next->code`
 * 0 changes nothing. Returns the code of the failure. */
int failure_join(int code, struct failure *failure, const struct failure *next);

/** Make a call that may find a mistake beside others; it reports to `&next`. */
#define ALSO(joined, failure, call)                                                                          \
    do {                                                                                                     \
        struct failure next;                                                                                 \
        next.code = FAILURE_NONE;                                                                            \
        (void)(call);                                                                                        \
        (joined) = failure_join((joined), (failure), &next);                                                 \
    } while (0)

/** Where the failure is, "hall.yaml, line 3: ", or "". Into `text`, returned. */
#define FAILURE_WHERE_MAX 1140
const char *failure_where(const struct failure *failure, char text[FAILURE_WHERE_MAX]);

/** Make what is no visible character or no UTF-8 a `?`, in place: names from files are put into sentences,
 * where a line break would split them and an escape sequence would be obeyed by the terminal. */
void blot_control_characters(char *text);

/** Memory that could not be had: FAILURE_CAPACITY with the bytes (0: nobody knows) and what they were for;
 * `memory_short` is set. */
int failure_memory(struct failure *failure, unsigned long long bytes, const char *purpose);

/** The user stopped the program before it wrote anything: FAILURE_INTERRUPTED. */
int failure_interrupted(struct failure *failure);

/** For a call that only says that it failed: FAILURE_CAPACITY where `error`, errno after it, says that memory
 * or open files ran out, else `otherwise`. Libraries leave the errno of malloc there, so errno is set
 * to 0 before they are called. */
enum failure_code failure_of_errno(int error, enum failure_code otherwise);

/** Forward the code of a call that failed. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const int try_code_ = (call);                                                                        \
        if (try_code_ != 0)                                                                                  \
            return try_code_;                                                                                \
    } while (0)

#endif
