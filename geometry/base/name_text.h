/** Makes names from files printable, storable in JSON and YAML, and typeable. */
#ifndef GEOMETRY_NAME_TEXT_H
#define GEOMETRY_NAME_TEXT_H

#include <stddef.h>

/** Largest ratio of the lengths in bytes of result and name. */
#define NAME_TEXT_GROWTH 2

/** `name` in UTF-8. A name that is not valid UTF-8 is read as Latin-1, as older programs write "café".
 * Invisible characters (controls, line ends of any kind, a byte order mark) become `?`.
 * @param out size of at least NAME_TEXT_GROWTH strlen(name) + 1; not `name` itself */
void name_text(const char *name, char *out);

/** Replace invisible characters, and bytes that are not UTF-8, by `?`, in place, except characters in `kept`:
 * "\n\t" for a text with lines. The text does not grow; blot_control_characters() (failure.h) keeps none. */
void blot_all_but(char *text, const char *kept);

#endif
