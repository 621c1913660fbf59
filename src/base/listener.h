/** Who hears what the program would print, where it is a library within another program (src/python).
 *
 * Without one, which is how the program itself runs, everything goes to standard output and standard error as
 * ever. With one, progress, warnings and the JSON object of a command go there and nowhere else. Of the
 * process, as standard output is.
 */
#ifndef SRC_LISTENER_H
#define SRC_LISTENER_H

/** Each may be called by any thread of a command, one at a time of a kind; texts are borrowed until it
 * returns. None may be NULL. */
struct listener {
    /** A phase has come so far, 0 to 1; `seconds_left` is NAN where nobody knows, `variant` and `source` NULL
     * where there is none. As progress_json.h has it. */
    void (*progress)(void *context, const char *phase, double fraction, double seconds_left,
                     const char *variant, const char *source);
    /** A warning; `advice` may be empty. */
    void (*warning)(void *context, const char *message, const char *advice);
    /** The JSON object that a command ends with. */
    void (*answer)(void *context, const char *json);
    void *context;
};

/** From now on; NULL: nobody. Borrowed until the next call. While no command is under way. */
void listener_set(const struct listener *listener);

/** NULL where there is none. */
const struct listener *listener_now(void);

#endif
