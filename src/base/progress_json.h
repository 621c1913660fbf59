/** Progress for programs (`--progress json`): one JSON object a line,
 *
 *   {"phase":"steps","fraction":0.4211,"seconds_left":12.3,"variant":"base","source":"pulpit"}
 *
 * A phase has a line with fraction 0 at its beginning, one with 1 after its success, and a few a second
 * between them, whose fractions never fall. Unknown or missing values are null. Lines of steps also have what
 * progress_json_field() was told, those of a part of the command (progress_json_part()) also how far all of
 * it is: "run": {"number": 1, "count": 3, "fraction": 0.14, "seconds_left": 75.1}. Before progress_json_to()
 * nothing is written, and calls cost no time. A listener (listener.h) receives the values instead. Any thread
 * may call.
 */
#ifndef SRC_PROGRESS_JSON_H
#define SRC_PROGRESS_JSON_H

#include <stddef.h>
#include <stdio.h>

/** Write to `stream` from now on; borrowed. */
void progress_json_to(FILE *stream);

/** Set the variant of a project for all that follows; NULL: none. Borrowed until the next call. */
void progress_json_variant(const char *variant);

/** End the current phase and begin `phase`, of a source or NULL. Both are borrowed until the phase ends. */
void progress_json_begin(const char *phase, const char *source);

/** The phase that begins next is the share from `low` to `high` of the command, and of its part `number`,
 * from 1, of `count`. The time that all of them have left follows from the shares so far, which must not
 * fall, and at first from `seconds`, what all of them take as predicted; 0: unknown. */
void progress_json_part(size_t number, size_t count, double low, double high, double seconds);

/** What the field is like, until the phase ends: its level below its loudest, how far the octave and receiver
 * that have fallen least have [dB], and the time that the last picture of it shows [s]. What is not finite is
 * left out. Does not write a line. */
void progress_json_field(double level_db, double fallen_db, double pictured_s);

/** Until the next call, or the end of the phase, progress is a share of piece `number` of `count`. */
void progress_json_piece(size_t number, size_t count);

/** Set the done part of the phase, or of its piece, 0 to 1. The seconds left follow from the time so far. */
void progress_json_show(double fraction);

/** The phase ended successfully. */
void progress_json_end(void);

/** End the phase without a line, before another command of the same process. */
void progress_json_drop(void);

#endif
