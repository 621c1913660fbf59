/** Fills the templates of a page (templates/NAME.html) from the page's data and from values of the caller.
 *
 *   {{run.fmax_hz:0}}      a number of the data, written by html.h with its place. Its format is decimals
 *                          (html_number()), decimals*scale, or `count`
 *   {{title}}              a string of the data; `:word`: a choice, translated; `:plain`: only its text
 *   {{list@count}}         how many items a list has
 *   {{@index}}             the number of the current item, from 0
 *   {{#name}}..{{/name}}   for each item of a list; once for an object, a number, a string or true.
 *                          Within, names begin at that item; `{{.}}` is the item itself
 *   {{^name}}..{{/name}}   if there is none
 *   {{#name=word}}         if it is that string or whole number; also @count, and @first and @last of a list
 *   {{>name}}              a text or a part of the caller, or a part that all templates have (below)
 *   {{?name}}..{{/name}}   if a value of the caller holds; {{!name}}..{{/name}} if it does not
 *   [[text]]               translated with its places, where runs of blanks are one
 *
 * A name is a path in the data. Its first part is looked up in the current item, then in those around it.
 * Data that is absent is a dash. All values are escaped. The name of a value that the caller does not give is
 * written as it is in the template, and so is a value that the template does not name: report_page_check
 * fails on either.
 *
 * All templates have the parts `run_begin`, `run_end` (report_page.h), `run_number` (from 0), `mark` and
 * `run_name`, and `two`, which holds on a page of two runs. */
#ifndef SRC_REPORT_TEMPLATE_H
#define SRC_REPORT_TEMPLATE_H

#include <stdbool.h>
#include <stdio.h>

#include "src/present/report/report_model.h"
#include "src/present/report/report_text.h"

/** Not in a run: names begin at the root of the data. */
#define REPORT_NO_RUN ((size_t)-1)

/** A part of a page. `index` is the number of the current item, 0 outside lists. */
typedef void (*report_part)(FILE *page, const struct report *report, size_t run);
typedef void (*report_item)(FILE *page, const struct report *report, size_t run, size_t index);
typedef void (*report_writer)(FILE *page, const struct report *report);

/** One of its members is set. */
struct report_value {
    const char *name;
    bool holds;
    const char *text; /* it holds unless NULL */
    report_writer section;
    report_part part;
    report_item item;
    struct report_text include; /* a template, filled at the current item with the same values */
};

/** Write a template, in a run or REPORT_NO_RUN. `report` has its data. */
void report_fill(FILE *page, const struct report *report, size_t run, struct report_text text,
                 const struct report_value *value, size_t count);
#define REPORT_FILL(page, report, run, template, ...)                                                        \
    report_fill(page, report, run, template, (const struct report_value[]){__VA_ARGS__},                     \
                sizeof((const struct report_value[]){__VA_ARGS__}) / sizeof(struct report_value))

/** The data of a run at a path; NULL if it is absent. */
const cJSON *report_find_data(const struct report *report, size_t run, const char *path);

/** Do two runs have the same at a path of the data? Absent is the same as absent. */
bool report_same_data(const struct report *report, const char *path);

#endif
