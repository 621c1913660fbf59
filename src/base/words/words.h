/** Translates texts of pages. The source has English; each other language is a table of pairs with English
 * keys, so that a text without an entry stays English.
 *
 *     fprintf(page, "<p>%s</p>", T("no figure is in both runs"));
 *     snprintf(text, size, T("%d of %zu places"), known, places);
 *
 * T() encloses one literal, or a text that T_LATER() marked in a table. `tools/check-words`, a test, fails
 * for a literal without an entry, an unused entry, and one whose conversions differ from the English or its
 * order; the compiler checks the arguments of both.
 *
 * The language is one of the process, as a locale is: set once, before texts are made. Names of files, keys
 * of data and words for choices in data are the same in every language. */
#ifndef SRC_WORDS_H
#define SRC_WORDS_H

#include "src/base/words/words_tables.h"

enum words_language { WORDS_ENGLISH, WORDS_GERMAN, WORDS_LANGUAGES };

/** Codes for --language and lang="" ("en", "de"); ends with NULL. */
extern const char *const words_code[WORDS_LANGUAGES + 1];

void words_set(enum words_language language);
enum words_language words_language(void);

/** The text in the current language; unchanged without an entry. NULL for NULL. */
__attribute__((format_arg(1))) const char *words_of(const char *english);
#define T(english)       words_of(english)
#define T_LATER(english) english

/** A number as from printf(), with the decimal sign of the language: "1,23". */
struct words_number {
    char text[48];
};
__attribute__((format(printf, 1, 2))) struct words_number words_number(const char *format, ...);

/** The same for a number that was already formatted. */
void words_point(char *number);

/** The texts of a page's script (T() in src/present/report/script), in the current language; none in English.
 */
struct words_table words_of_script(void);

#endif
