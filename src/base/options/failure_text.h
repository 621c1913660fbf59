/** A failure as the program prints it: what happened, and the advice with its options. */
#ifndef SRC_FAILURE_TEXT_H
#define SRC_FAILURE_TEXT_H

#include "geometry/base/failure.h"

/** The words of one advice, empty for ADVICE_NONE; warnings and findings carry advice as failures do. Into
 * `text`, returned. */
#define ADVICE_TEXT_MAX 420
const char *advice_text(enum failure_advice advice, double value, char text[ADVICE_TEXT_MAX]);

/** The same for a command (command_bit): options that it does not have are named as those of `transept
 * simulate`. 0: any command. */
const char *advice_text_for(unsigned command, enum failure_advice advice, double value,
                            char text[ADVICE_TEXT_MAX]);

/** A key of a project that follows the advice, and its value: `word`, or a number where that is NULL. */
struct advice_key {
    const char *key, *word;
    double number;
};

/** False if no key does. */
bool advice_key(enum failure_advice advice, double value, struct advice_key *out);

/** The words of `fix` and of `advice`; or empty. Into `text`, returned. */
#define FAILURE_FIX_MAX 840
const char *failure_fix_text(const struct failure *failure, char text[FAILURE_FIX_MAX]);

/** Place, sentence, fix and note in one line, and each further mistake in its own. Into `text`, returned;
 * empty if nothing failed. */
#define FAILURE_TEXT_MAX 7800
const char *failure_text(const struct failure *failure, char text[FAILURE_TEXT_MAX]);

#endif
