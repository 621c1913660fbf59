/** The state of a source as words of 8 bytes, as the "state" chunk of a checkpoint has it. Every number is
 * bounded when it is read, by what the run that is to go on knows, before anything is sized or reached by it.
 */
#ifndef SRC_SAVED_WORDS_H
#define SRC_SAVED_WORDS_H

#include "src/run/checkpoint/source_saved.h"

#define SAVED_WRONG_MAX 200

/** How many words, and the words: as many as that. */
size_t saved_words_count(const struct source_saved *saved);
void saved_words_write(const struct source_saved *saved, double *word);

/** Read `count` words into `out`, whose monitor and ledger (room for LEDGER_SAMPLES) are not those of `run`.
 * `run` is as source_keeper.load() is given it; `ended`: the source had come to its end. False where a number
 * cannot be one of this run: `wrong` names the first such one, its value and the limits, and `out` is void.
 */
bool saved_words_read(const double *word, size_t count, bool ended, const struct source_saved *run,
                      struct source_saved *out, char wrong[SAVED_WRONG_MAX]);

/** The same sentence for a count that is read elsewhere: false and `wrong` where it is outside the limits. */
bool saved_count_fits(const char *name, uint64_t value, uint64_t least, uint64_t most,
                      char wrong[SAVED_WRONG_MAX]);

#endif
