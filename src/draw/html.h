/** Writing HTML so that nothing from outside is ever taken for markup, and every number has its place in the
 * data.
 *
 * A number or text of a report's data is an element with `data-key`, its place in the data, such as
 * "runs.0.responses.2.t30_s.1": the last arguments of these functions, as of printf(). Value and key are
 * handed over together, and tests/accuracy/report_page_check holds them against each other. A number is a
 * <data> whose `value` is the number itself and whose text is that times `data-scale` (1 where there is
 * none), rounded. What is absent, NaN or NULL, is a dash. Errors of the stream show when the file is settled.
 */
#ifndef SRC_HTML_H
#define SRC_HTML_H

#include <stdbool.h>
#include <stdio.h>

/** Text with `& < > " '` as entities and control characters as `?`; bytes that are no UTF-8 become `?`. A
 * space between a number and its unit, or a per cent sign, becomes one that no line breaks at: so a reader of
 * the page finds U+00A0 where the data has a space. NULL: none. */
void html_text(FILE *page, const char *text);

/** The same of its first `bytes`, which must end between characters, with every space as it is: what may be
 * copied to be run. */
void html_piece(FILE *page, const char *text, size_t bytes);

/** A number of the data, `scale` times it with `decimals` behind the point; a negative count means so many
 * significant digits. Returns whether it is there. */
__attribute__((format(printf, 5, 6))) bool html_number(FILE *page, double value, int decimals, double scale,
                                                       const char *key, ...);

/** A string of the data. */
__attribute__((format(printf, 3, 4))) void html_string(FILE *page, const char *text, const char *key, ...);

/** One of the words that stand for a choice in the data, in the language of the page: where that is another,
 * it is a <data> whose `value` is the word of the data. */
__attribute__((format(printf, 3, 4))) void html_word(FILE *page, const char *word, const char *key, ...);

/** A number of bytes in B, kB, MB, GB (powers of 1000) with three digits. */
__attribute__((format(printf, 3, 4))) void html_bytes(FILE *page, double bytes, const char *key, ...);

/** A whole number with thin blanks between thousands. */
__attribute__((format(printf, 3, 4))) void html_count(FILE *page, double count, const char *key, ...);

/** JSON for a script element: `<` is written \u003c, so that nothing in it ends the element, and bytes that
 * are no UTF-8 become `?`. */
void html_json(FILE *page, const char *json);

#endif
