/** Reads the text of an option into its field, by the kind of the option. */
#ifndef SRC_OPTION_VALUES_H
#define SRC_OPTION_VALUES_H

#include "geometry/base/failure.h"
#include "src/base/options/option_types.h"

/** Read `text` as the kind of `spec` asks into the field of `base` that spec->at names; lists grow by it.
 * Texts are borrowed. FAILURE_INPUT names the option, the value and what it should be, or the limits in the
 * unit of the quantity; FAILURE_CAPACITY for memory. */
int option_read_value(const struct option_spec *spec, const char *text, void *base, struct failure *failure);

/** Append a borrowed text to a list; for a project with its file, borrowed, and line.
 * FAILURE_CAPACITY without memory. */
int option_text_add(const char *text, struct option_texts *texts, struct failure *failure);
int option_text_add_at(const char *text, const char *file, size_t line, struct option_texts *texts,
                       struct failure *failure);
void option_texts_free(struct option_texts *texts);

/** Pass on a parser's failure about the text at `index`, with the option and the text before its sentence,
 * and the file and line of a project. Other failures are passed on unchanged. */
int option_text_refuse(const struct option_texts *texts, size_t index, const struct failure *why,
                       struct failure *failure);

/** True if the option takes a share and `text` is a number with %; `*share` is then that share of 1. */
bool option_is_percent(const struct option_spec *spec, const char *text, double *share);

/** The unit of its number, for sentences: "Hz", "kPa"; or "". */
const char *option_unit_of(const struct option_spec *spec);

/** True for 1 to OPTION_NAME_MAX - 1 letters, digits, `_` and `-`. */
bool option_name_is_valid(const char *name);

#endif
