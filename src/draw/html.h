/** Writing HTML so that nothing from outside is ever taken for markup, and every number says where it comes
 * from.
 *
 * A number or text of a report's data is an element with `data-key`, its place in the data (record_at() in
 * run_folder.h); a number is a <data> whose `value` is the number itself and whose text is that times
 * `data-scale` (1 where there is none), rounded. What is absent is a dash. Errors of the stream show when the
 * file is settled.
 */
#ifndef SRC_HTML_H
#define SRC_HTML_H

#include <cjson/cJSON.h>
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
 * significant digits. `root` is what keys begin at. Returns whether it is there. */
__attribute__((format(printf, 5, 6))) bool html_number(FILE *page, const cJSON *root, int decimals,
                                                       double scale, const char *format, ...);

/** A string of the data; a dash where there is none. */
__attribute__((format(printf, 3, 4))) bool html_string(FILE *page, const cJSON *root, const char *format,
                                                       ...);

/** A number of bytes in B, kB, MB, GB (powers of 1000) with three digits. */
__attribute__((format(printf, 3, 4))) bool html_bytes(FILE *page, const cJSON *root, const char *format, ...);

/** A whole number with thin blanks between thousands. */
__attribute__((format(printf, 3, 4))) bool html_count(FILE *page, const cJSON *root, const char *format, ...);

/** JSON for a script element: `<` is written \u003c, so that nothing in it ends the element, and bytes that
 * are no UTF-8 become `?`. False without memory. */
bool html_json(FILE *page, const cJSON *root);

#endif
