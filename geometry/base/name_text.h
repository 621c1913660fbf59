/** Names out of files of any origin, as texts that can be printed, stored in JSON and YAML and typed again.
 */
#ifndef GEOMETRY_NAME_TEXT_H
#define GEOMETRY_NAME_TEXT_H

#include <stddef.h>

/** At most so many bytes come of one. */
#define NAME_TEXT_GROWTH 2

/** `name` in UTF-8. A name that is no UTF-8 throughout is taken for Latin-1, which is what older programs
 * write for "café"; what is no visible character (controls, line ends of any kind, a byte order mark) becomes
 * `?`.
 * @param out size of at least NAME_TEXT_GROWTH strlen(name) + 1; not `name` itself */
void name_text(const char *name, char *out);

/** Make what is no visible character, and each byte that is no UTF-8, a `?`, in place, but for characters of
 * `kept`: "\n\t" of a text with lines. The text gets no longer; blot_control_characters() (failure.h) keeps
 * none. */
void blot_all_but(char *text, const char *kept);

#endif
