/** The value of an option: what was typed becomes what `struct options` holds, by the option's kind. */
#ifndef SRC_OPTION_VALUES_H
#define SRC_OPTION_VALUES_H

#include "geometry/base/failure.h"
#include "src/base/options/option_types.h"

/** Read `text` as the kind of `spec` asks into the field of `base` that spec->at names; lists grow by it.
 * Texts are borrowed. FAILURE_INPUT names the option, the value and what it should be, or the limits in the
 * unit of the quantity; FAILURE_CAPACITY for memory. */
int option_read_value(const struct option_spec *spec, const char *text, void *base, struct failure *failure);

/** One more text, borrowed, at the end of a list; of a project with its file, borrowed, and line.
 * FAILURE_CAPACITY without memory. */
int option_text_add(const char *text, struct option_texts *texts, struct failure *failure);
int option_text_add_at(const char *text, const char *file, size_t line, struct option_texts *texts,
                       struct failure *failure);
void option_texts_free(struct option_texts *texts);

/** Hand on what a parser found wrong with the text at `index`, without knowing which option it is of: the
 * option and the text are put before its sentence, and of a project file and line told. Other failures are
 * handed on as they are. */
int option_text_refuse(const struct option_texts *texts, size_t index, const struct failure *why,
                       struct failure *failure);

/** Is `text` a number with % of an option that takes such? Then `*share` is it, of 1, whatever that is. */
bool option_is_percent(const struct option_spec *spec, const char *text, double *share);

/** The unit of its number, for sentences: "Hz", "kPa"; "" where it has none. */
const char *option_unit_of(const struct option_spec *spec);

/** Letters, digits, `_` and `-`, 1 to OPTION_NAME_MAX - 1 of them? */
bool option_name_is_valid(const char *name);

#endif
