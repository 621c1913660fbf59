/** Translates texts of pages. The source has English. Each other language is a catalogue of GNU gettext
 * beside this header (de.po), compiled by msgfmt and embedded when the program is built. A text without an
 * entry stays English.
 *
 *     fprintf(page, "<p>%s</p>", T("no figure is in both runs"));
 *     snprintf(text, size, T("%d of %zu places"), known, places);
 *
 * T() encloses one literal, or a text that T_LATER() marked in a table. `tools/check-words`, a test, fails
 * for a text without an entry, for an unused entry, and for conversions that differ from the English or its
 * order. The compiler checks the arguments of the English.
 *
 * The catalogues are read here and not by libintl: libintl asks the locale of the process, and most machines
 * have no German locale installed. The language is one of the process, as a locale is: it is set once, before
 * texts are made. Names of files, keys of data and words for choices in data are the same in every language.
 */
#ifndef SRC_WORDS_H
#define SRC_WORDS_H

#include <stddef.h>

#include <cjson/cJSON.h>

enum words_language { WORDS_ENGLISH, WORDS_GERMAN, WORDS_LANGUAGES };

/** Codes for --language and lang="" ("en", "de"); ends with NULL. */
extern const char *const words_code[WORDS_LANGUAGES + 1];

void words_set(enum words_language language);
enum words_language words_language_of(const char *code); /* English for NULL and unknown codes */
enum words_language words_language(void);

/** The text in the current language; unchanged without an entry. NULL for NULL. */
__attribute__((format_arg(1))) const char *words_of(const char *english);
#define T(english)       words_of(english)
#define T_LATER(english) english

/** A text of run.json in the current language: a word as T() has it, or a sentence that was printed in
 * English by a format that SAID() marks, or by one of room_warn(), backend_choice_take() and
 * figure_reason_add(), which `tools/check-words` finds unmarked; the catalogue has them with the context
 * "said". Numbers get the decimal sign, words are translated in turn, and so is an advice behind a semicolon.
 * A sentence that no format fits stays as it is. Owned by the caller; NULL without memory, and for NULL. */
char *words_of_said(const char *sentence);
#define SAID(english) english

/** The entries of the current catalogue, those with a context too (catalogue.h); none in English. */
size_t words_count(void);
const char *words_original(size_t index);
const char *words_translation(size_t index);

/** The texts of a page's script (T() in src/present/report/script; context "script" of the catalogue) by
 * their English, in the current language. Owned by the caller; NULL in English or without memory. */
cJSON *words_of_script(void);

/** A number as from printf(), with the decimal sign of the language: "1,23". */
struct words_number {
    char text[48];
};
__attribute__((format(printf, 1, 2))) struct words_number words_number(const char *format, ...);

/** The same for a number that was already formatted. */
void words_point(char *number);

#endif
