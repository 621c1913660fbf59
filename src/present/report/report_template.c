#include "src/present/report/report_template.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/words/words.h"
#include "src/draw/html.h"
#include "src/present/report/sections/report_runs.h"

#define NAME 100
#define KEY  200
#define TEXT 4000

/* An item of the data that names begin at. */
struct frame {
    const struct frame *outer; /* NULL: the root */
    const cJSON *item;
    char key[KEY];
    size_t index, count; /* in the innermost list */
};

struct filling {
    FILE *page;
    const struct report *report;
    size_t run;
    const struct report_value *value;
    size_t values;
};

struct span {
    const char *at, *end;
};

struct tag {
    char kind; /* one of # ^ ? ! / >, or 0 */
    char name[NAME];
    const char *format; /* in `name`, behind its colon; "" without one */
    const char *equal;  /* likewise behind its equals sign; NULL */
    struct span all;    /* from {{ to }} */
};

/* ---- names ---- */

static void put_run_mark(FILE *page, const struct report *report, size_t run)
{
    (void)report;
    report_run_mark(page, run);
}

static void put_run_number(FILE *page, const struct report *report, size_t run)
{
    (void)report;
    fprintf(page, "%zu", run);
}

static void end_run(FILE *page, const struct report *report, size_t run)
{
    report_run_end(page, report);
    if (run + 1 == report->runs)
        report_run_end(page, report);
}

static const struct report_value *find_value(const struct filling *filling, const char *name)
{
    static const struct report_value common[] = {{"run_begin", .part = report_run_begin},
                                                 {"run_end", .part = end_run},
                                                 {"run_number", .part = put_run_number},
                                                 {"mark", .part = put_run_mark},
                                                 {"run_name", .part = report_run_name}};
    for (size_t i = 0; i < filling->values; i++)
        if (strcmp(filling->value[i].name, name) == 0)
            return &filling->value[i];
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        if (strcmp(common[i].name, name) == 0)
            return &common[i];
    return NULL;
}

static const cJSON *find_child(const cJSON *item, const char *name, size_t length)
{
    char part[NAME];
    snprintf(part, sizeof part, "%.*s", (int)length, name);
    return cJSON_IsArray(item) ? cJSON_GetArrayItem(item, atoi(part))
                               : cJSON_GetObjectItemCaseSensitive(item, part);
}

/* "runs.0" and "name": "runs.0.name". Keys of templates are shorter than KEY. */
static void join_key(const char *front, const char *back, char key[KEY])
{
    if (snprintf(key, KEY, "%s%s%s", front, front[0] != '\0' ? "." : "", back) >= KEY)
        key[0] = '\0';
}

/* The item at a path, NULL if it is absent; `key` is its place in the data. */
static const cJSON *find_data(const struct frame *frame, const char *path, char key[KEY])
{
    size_t length = strcspn(path, ".");
    const struct frame *at = frame;
    if (strcmp(path, ".") == 0) {
        snprintf(key, KEY, "%s", frame->key);
        return frame->item;
    }
    while (at != NULL && find_child(at->item, path, length) == NULL)
        at = at->outer;
    if (at == NULL)
        at = frame;
    join_key(at->key, path, key);
    const cJSON *item = find_child(at->item, path, length);
    while (item != NULL && path[length] == '.') {
        path += length + 1;
        length = strcspn(path, ".");
        item = find_child(item, path, length);
    }
    return item;
}

/* ---- tags ---- */

static const char *find_text(struct span in, const char *what)
{
    const size_t length = strlen(what);
    for (; in.at + length <= in.end; in.at++)
        if (memcmp(in.at, what, length) == 0)
            return in.at;
    return NULL;
}

/* The first tag; false without one. */
static bool find_tag(struct span in, struct tag *tag)
{
    const char *const begin = find_text(in, "{{");
    const char *const end = begin != NULL ? find_text((struct span){begin, in.end}, "}}") : NULL;
    if (end == NULL)
        return false;
    const char *name = begin + 2;
    tag->all = (struct span){begin, end + 2};
    tag->kind = *name != '\0' && strchr("#^?!/>", *name) != NULL ? *name++ : '\0';
    snprintf(tag->name, sizeof tag->name, "%.*s", (int)(end - name), name);
    tag->format = "";
    char *const colon = strchr(tag->name, ':'), *const equals = strchr(tag->name, '=');
    tag->equal = equals != NULL ? equals + 1 : NULL;
    if (colon != NULL) {
        *colon = '\0';
        tag->format = colon + 1;
    }
    return true;
}

/* The end of the block that `open` begins; an empty tag at the end of the text without one. */
static struct span find_close(const struct tag *open, const char *end)
{
    struct tag tag;
    int depth = 1;
    for (struct span rest = {open->all.end, end}; find_tag(rest, &tag); rest.at = tag.all.end) {
        if (tag.kind == '\0' || tag.kind == '>' || strcmp(tag.name, open->name) != 0)
            continue;
        depth += tag.kind == '/' ? -1 : 1;
        if (depth == 0)
            return tag.all;
    }
    return (struct span){end, end};
}

/* ---- places ---- */

static void put_raw(FILE *page, struct span text)
{
    fwrite(text.at, 1, (size_t)(text.end - text.at), page);
}

static void put_number(FILE *page, double value, const char *format, const char *key)
{
    char *scale;
    if (strcmp(format, "count") == 0) {
        html_count(page, value, "%s", key);
    } else {
        const long decimals = strtol(format, &scale, 10);
        html_number(page, value, (int)decimals, *scale == '*' ? strtod(scale + 1, NULL) : 1, "%s", key);
    }
}

static void put_data(const struct filling *filling, const struct frame *frame, const struct tag *tag)
{
    FILE *const page = filling->page;
    char key[KEY], path[NAME];
    snprintf(path, sizeof path, "%s", tag->name);
    char *const count = strstr(path, "@count");
    if (strcmp(path, "@index") == 0) {
        fprintf(page, "%zu", frame->index);
        return;
    }
    if (count != NULL)
        *count = '\0';
    const cJSON *const item = find_data(frame, path, key);
    const char *const text = cJSON_GetStringValue(item);
    if (count != NULL)
        fprintf(page, "%d", cJSON_GetArraySize(item));
    else if (cJSON_IsNumber(item))
        put_number(page, item->valuedouble, tag->format, key);
    else if (strcmp(tag->format, "plain") == 0)
        html_text(page, text);
    else if (strcmp(tag->format, "word") == 0 && text != NULL)
        html_word(page, text, "%s", key);
    else
        html_string(page, text, "%s", key);
}

static void fill_span(const struct filling *filling, const struct frame *frame, struct span text);

static void put_value(const struct filling *filling, const struct frame *frame, const struct tag *tag)
{
    const struct report_value *const value = find_value(filling, tag->name);
    if (value == NULL)
        put_raw(filling->page, tag->all);
    else if (value->section != NULL)
        value->section(filling->page, filling->report);
    else if (value->part != NULL)
        value->part(filling->page, filling->report, filling->run);
    else if (value->item != NULL)
        value->item(filling->page, filling->report, filling->run, frame->index);
    else if (value->include.text != NULL)
        fill_span(filling, frame,
                  (struct span){value->include.text, value->include.text + value->include.bytes});
    else
        html_text(filling->page, value->text);
}

/* ---- blocks ---- */

/* Is an item the string or the whole number `word`? */
static bool is_equal(const cJSON *item, bool count, const char *word)
{
    char number[32];
    if (cJSON_IsString(item))
        return strcmp(item->valuestring, word) == 0;
    if (!count && !cJSON_IsNumber(item))
        return false;
    snprintf(number, sizeof number, "%.17g", count ? cJSON_GetArraySize(item) : item->valuedouble);
    return strcmp(number, word) == 0;
}

static bool holds_equal(const struct frame *frame, const struct tag *tag)
{
    char path[NAME], key[KEY];
    snprintf(path, sizeof path, "%.*s", (int)(tag->equal - 1 - tag->name), tag->name);
    char *const count = strstr(path, "@count");
    if (count != NULL)
        *count = '\0';
    return is_equal(find_data(frame, path, key), count != NULL, tag->equal);
}

/* Does a block of the data hold, whose name leads to `item`? */
static bool is_held(const struct frame *frame, const struct tag *tag, const cJSON *item)
{
    if (strcmp(tag->name, "@first") == 0)
        return frame->index == 0;
    if (strcmp(tag->name, "@last") == 0)
        return frame->index + 1 == frame->count;
    if (tag->equal != NULL)
        return holds_equal(frame, tag);
    return item != NULL && !cJSON_IsNull(item) && !cJSON_IsFalse(item) &&
           !(cJSON_IsArray(item) && cJSON_GetArraySize(item) == 0);
}

static void fill_items(const struct filling *filling, const struct frame *frame, const char *name,
                       const cJSON *list, const char *key, struct span text)
{
    struct frame inner = {.outer = frame, .count = (size_t)cJSON_GetArraySize(list)};
    struct filling here = *filling;
    char number[32];
    cJSON_ArrayForEach(inner.item, list)
    {
        snprintf(number, sizeof number, "%zu", inner.index);
        join_key(key, number, inner.key);
        if (strcmp(name, "runs") == 0 && frame->outer == NULL)
            here.run = inner.index;
        if (!cJSON_IsNull(inner.item))
            fill_span(&here, &inner, text);
        inner.index++;
    }
}

static void fill_data_block(const struct filling *filling, const struct frame *frame, const struct tag *tag,
                            struct span text)
{
    struct frame inner = {.outer = frame, .index = frame->index, .count = frame->count};
    const cJSON *const item = find_data(frame, tag->name, inner.key);
    const bool held = is_held(frame, tag, item);
    if (tag->kind == '^') {
        if (!held)
            fill_span(filling, frame, text);
    } else if (held && cJSON_IsArray(item)) {
        fill_items(filling, frame, tag->name, item, inner.key, text);
    } else if (held) {
        inner.item = item;
        fill_span(filling, item != NULL ? &inner : frame, text);
    }
}

static void fill_value_block(const struct filling *filling, const struct frame *frame, const struct tag *tag,
                             struct span text)
{
    const struct report_value *const value = find_value(filling, tag->name);
    const bool two = strcmp(tag->name, "two") == 0;
    const bool holds =
        two ? filling->report->runs > 1 : value != NULL && (value->holds || value->text != NULL);
    if (value == NULL && !two)
        put_raw(filling->page, tag->all);
    if (holds == (tag->kind == '?'))
        fill_span(filling, frame, text);
}

/* ---- texts ---- */

/* With one blank for each run of them, as the catalogue has it. */
static const char *collapse_blanks(struct span text, char out[TEXT])
{
    size_t used = 0;
    for (const char *at = text.at; at < text.end && used + 1 < TEXT; at++)
        if (!isspace((unsigned char)*at))
            out[used++] = *at;
        else if (used > 0 && out[used - 1] != ' ')
            out[used++] = ' ';
    if (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
    return out;
}

static void fill_translated(const struct filling *filling, const struct frame *frame, struct span text)
{
    char english[TEXT];
    const char *const other = words_of(collapse_blanks(text, english));
    fill_span(filling, frame, (struct span){other, other + strlen(other)});
}

static void fill_span(const struct filling *filling, const struct frame *frame, struct span text)
{
    while (text.at < text.end) {
        struct tag tag;
        const bool any = find_tag(text, &tag);
        const char *const quote = find_text(text, "[["), *const unquote =
                                                             quote != NULL ? find_text(text, "]]") : NULL;
        if (unquote != NULL && (!any || quote < tag.all.at)) {
            put_raw(filling->page, (struct span){text.at, quote});
            fill_translated(filling, frame, (struct span){quote + 2, unquote});
            text.at = unquote + 2;
            continue;
        }
        put_raw(filling->page, (struct span){text.at, any ? tag.all.at : text.end});
        text.at = any ? tag.all.end : text.end;
        if (!any)
            continue;
        if (tag.kind != '\0' && strchr("#^?!", tag.kind) != NULL) {
            const struct span close = find_close(&tag, text.end), inside = {text.at, close.at};
            if (tag.kind == '#' || tag.kind == '^')
                fill_data_block(filling, frame, &tag, inside);
            else
                fill_value_block(filling, frame, &tag, inside);
            text.at = close.end;
        } else if (tag.kind == '>') {
            put_value(filling, frame, &tag);
        } else if (tag.kind == '\0') {
            put_data(filling, frame, &tag);
        } else {
            put_raw(filling->page, tag.all); /* it closes nothing */
        }
    }
}

/* Does the template name a value, or one that it includes? */
static bool is_named(const struct filling *filling, struct span all, const char *name)
{
    bool named = find_text(all, name) != NULL;
    for (size_t i = 0; i < filling->values && !named; i++) {
        const struct report_text *const text = &filling->value[i].include;
        named = text->text != NULL &&
                find_text((struct span){text->text, text->text + text->bytes}, name) != NULL;
    }
    return named;
}

void report_fill(FILE *page, const struct report *report, size_t run, struct report_text text,
                 const struct report_value *value, size_t count)
{
    const struct span all = {text.text, text.text + text.bytes};
    const struct filling filling = {page, report, run, value, count};
    const struct frame root = {.item = report->data, .count = 1};
    struct frame inner = {.outer = &root, .count = 1};
    for (size_t i = 0; i < count; i++)
        if (!is_named(&filling, all, value[i].name))
            fprintf(page, "{{%s}}", value[i].name);
    if (run != REPORT_NO_RUN) {
        snprintf(inner.key, sizeof inner.key, "runs.%zu", run);
        inner.item = cJSON_GetArrayItem(cJSON_GetObjectItem(report->data, "runs"), (int)run);
    }
    fill_span(&filling, run != REPORT_NO_RUN ? &inner : &root, all);
}

const cJSON *report_find_data(const struct report *report, size_t run, const char *path)
{
    const struct frame frame = {.item =
                                    cJSON_GetArrayItem(cJSON_GetObjectItem(report->data, "runs"), (int)run)};
    char key[KEY];
    return find_data(&frame, path, key);
}

bool report_same_data(const struct report *report, const char *path)
{
    const cJSON *const first = report_find_data(report, 0, path), *const second =
                                                                      report_find_data(report, 1, path);
    return (first == NULL && second == NULL) || cJSON_Compare(first, second, true);
}
