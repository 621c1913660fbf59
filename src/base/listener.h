/** Receives the output of commands if the program is a library within another one (src/python).
 *
 * Without a listener, as in the program itself, everything goes to standard output and standard error. With
 * one, progress, warnings and the JSON object of a command go only there. It belongs to the process, as
 * standard output does.
 */
#ifndef SRC_LISTENER_H
#define SRC_LISTENER_H

/** Any thread of a command may call them, one call of a kind at a time. Texts are borrowed until the call
 * returns. None may be NULL. */
struct listener {
    /** The progress of a phase, 0 to 1. `seconds_left` is NAN if unknown; `variant` and `source` may be
     * NULL. See progress_json.h. */
    void (*progress)(void *context, const char *phase, double fraction, double seconds_left,
                     const char *variant, const char *source);
    /** A warning; `advice` may be empty. */
    void (*warning)(void *context, const char *message, const char *advice);
    /** The JSON object that a command ends with. */
    void (*answer)(void *context, const char *json);
    void *context;
};

/** Set the listener, or with NULL none. Borrowed until the next call. Not while a command runs. */
void listener_set(const struct listener *listener);

/** The listener; NULL without one. */
const struct listener *listener_now(void);

#endif
