/** Writes HTML in which foreign text is never read as markup, and every number has its place in the data.
 *
 * A number or text of a report's data is an element with `data-key`, its place in the data, such as
 * "runs.0.responses.2.t30_s.1": the last arguments of these functions, as of printf(). Value and key are
 * passed together, and tests/accuracy/report_page_check compares them. A number is a <data> whose `value` is
 * the number itself and whose text is that times `data-scale` (1 where there is none), rounded. Absent
 * values, NaN or NULL, are a dash. Errors of the stream are reported when the file is settled. */
#ifndef SRC_HTML_H
#define SRC_HTML_H

#include <stdbool.h>
#include <stdio.h>

/** Text with `& < > " '` as entities and control characters as `?`; bytes that are not UTF-8 become `?`. A
 * space between a number and its unit, or a per cent sign, becomes U+00A0, which does not break lines. `_` in
 * a name becomes a space, but not in a file or an address. NULL: no text. */
void html_text(FILE *page, const char *text);

/** The same for its first `bytes`, which must end between characters, with spaces unchanged: text to be
 * copied and run. */
void html_piece(FILE *page, const char *text, size_t bytes);

/** A number of the data, `scale` times it with `decimals` behind the point; a negative count means so many
 * significant digits. Returns true if it is present. */
__attribute__((format(printf, 5, 6))) bool html_number(FILE *page, double value, int decimals, double scale,
                                                       const char *key, ...);

/** A string of the data. */
__attribute__((format(printf, 3, 4))) void html_string(FILE *page, const char *text, const char *key, ...);

/** A word for a choice in the data, or a sentence (words_of_said()), in the language of the page; if that is
 * another language, it is a <data> whose `value` is the text of the data. */
__attribute__((format(printf, 3, 4))) void html_word(FILE *page, const char *word, const char *key, ...);

/** A number of bytes in B, kB, MB, GB (powers of 1000) with three digits. */
__attribute__((format(printf, 3, 4))) void html_bytes(FILE *page, double bytes, const char *key, ...);

/** A whole number with thin blanks between thousands. */
__attribute__((format(printf, 3, 4))) void html_count(FILE *page, double count, const char *key, ...);

/** JSON for a script element: `<` is written \u003c, so that nothing in it ends the element, and bytes that
 * are not UTF-8 become `?`. */
void html_json(FILE *page, const char *json);

#endif
