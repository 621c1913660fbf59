/** Progress for programs (`--progress json`): one JSON object a line,
 *
 *   {"phase":"steps","fraction":0.4211,"seconds_left":12.3,"variant":"base","source":"pulpit"}
 *
 * for every phase one with fraction 0 when it begins, one with 1 when it has ended well, and a few a second
 * between them, whose fractions never fall; null for what is not known or there is none of. Nothing is
 * written, and nothing costs time, before progress_json_to(). A listener (listener.h) is told instead where
 * there is one. May be called by any thread.
 */
#ifndef SRC_PROGRESS_JSON_H
#define SRC_PROGRESS_JSON_H

#include <stddef.h>
#include <stdio.h>

/** From now on to `stream`, which is borrowed. */
void progress_json_to(FILE *stream);

/** Of a project, for all that follows; NULL: none. Borrowed until the next. */
void progress_json_variant(const char *variant);

/** The phase before ends, and `phase` begins; of a source, or NULL. Both are borrowed until it ends. */
void progress_json_begin(const char *phase, const char *source);

/** From here to the next one, or the end of the phase, what is shown is a share of piece `number` of `count`.
 */
void progress_json_piece(size_t number, size_t count);

/** So much of the phase, or of its piece, is done, 0 to 1. The seconds that are left follow from the time so
 * far. */
void progress_json_show(double fraction);

/** The phase has ended well. */
void progress_json_end(void);

/** The phase has ended, well or not, without a word: before another command of the same process. */
void progress_json_drop(void);

#endif
