/** A compiled catalogue of GNU gettext (.mo) in memory.
 *
 *   0: magic 0x950412de   4: revision   8: n, its texts   12: where the originals are   16: the translations
 *   at either place n times: length [bytes], where the text begins; each text ends with a zero
 *
 * Numbers are 32 bits, little endian. The originals are sorted by strcmp().
 * An original with a context is "context\4text". Source: manual of GNU gettext, "The Format of GNU MO Files".
 */
#ifndef SRC_CATALOGUE_H
#define SRC_CATALOGUE_H

#include <stddef.h>

/** Borrowed. Embedded ones are written by msgfmt when the program is built, and are not checked again. */
struct catalogue {
    const char *data; /* NULL: empty */
};

size_t catalogue_count(const struct catalogue *catalogue);
const char *catalogue_original(const struct catalogue *catalogue, size_t index);
const char *catalogue_translation(const struct catalogue *catalogue, size_t index);

/** The translation of a text without a context; NULL without one. */
const char *catalogue_find(const struct catalogue *catalogue, const char *original);

/** de.po, embedded. */
extern const char words_german[];
extern const size_t words_german_bytes;

#endif
