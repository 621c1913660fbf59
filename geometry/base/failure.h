/** How anything in transept reports that it failed: a code and one sentence, in a struct the caller owns.
 *
 * The sentence says what, where, the value, the limit and the fix. Libraries never print, exit or keep
 * globals.
 */
#ifndef GEOMETRY_FAILURE_H
#define GEOMETRY_FAILURE_H

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

/** Start zeroed. `sentence` is UTF-8, ends without a newline, and is empty while `code` is FAILURE_NONE. */
struct failure {
    enum failure_code code;
    char sentence[2000];
};

/** Fill `failure` (may be NULL) and return `code` as int, so that a function can `return failure_set(...)`.
 * A sentence that is too long is cut, and a control character in it becomes `?`. */
__attribute__((format(printf, 3, 4))) int failure_set(struct failure *failure, enum failure_code code,
                                                      const char *format, ...);

/** Make every control character a `?`: names from files and command lines stand in sentences, where a line
 * break would split them and an escape sequence would be obeyed by the terminal. */
void blot_control_characters(char *text);

/** The sentence for memory that could not be had: FAILURE_CAPACITY with the bytes (0: nobody knows) and what
 * they were for. */
int failure_memory(struct failure *failure, unsigned long long bytes, const char *purpose);

/** For a call that only says that it failed: FAILURE_CAPACITY where `error`, errno after it, says that memory
 * or open files ran out, else `otherwise`. Libraries leave what malloc said there, so errno is set
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
