/** Texts in the language of whoever reads a page. The source has the English; each other language is a table
 * of pairs, found by the English, so that a text without an entry stays English.
 *
 *     fprintf(page, "<p>%s</p>", T("no figure is in both runs"));
 *     snprintf(text, size, T("%d of %zu places"), known, places);
 *
 * T() stands around one literal, or around what T_LATER() marked where a table was begun.
 * `tools/check-words`, a test, fails for a literal without an entry, an entry that nothing asks for, and one
 * whose conversions are not those of the English in the same order; the compiler checks the arguments of
 * both.
 *
 * The language is one of the process, as a locale is: set once, before texts are made. Files' names, keys of
 * data and the words that stand for a choice in them are the same in every language.
 */
#ifndef SRC_WORDS_H
#define SRC_WORDS_H

#include "src/words/words_tables.h"

enum words_language { WORDS_ENGLISH, WORDS_GERMAN, WORDS_LANGUAGES };

/** Their codes as --language and lang="" have them ("en", "de"); ends with NULL. */
extern const char *const words_code[WORDS_LANGUAGES + 1];

void words_set(enum words_language language);
enum words_language words_language(void);

/** The text in the language that is set; itself where there is none. NULL for NULL. */
__attribute__((format_arg(1))) const char *words_of(const char *english);
#define T(english)       words_of(english)
#define T_LATER(english) english

/** What printf() makes of numbers, with the decimal sign of the language: "1,23". */
struct words_number {
    char text[48];
};
__attribute__((format(printf, 1, 2))) struct words_number words_number(const char *format, ...);

/** The same of a number that was made already. */
void words_point(char *number);

/** What the script of a page says (T() in src/report/script), in the language that is set; none in English.
 */
struct words_table words_of_script(void);

#endif
