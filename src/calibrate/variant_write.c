#define _XOPEN_SOURCE 700 /* realpath, fchmod */
#include "src/calibrate/variant_write.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "geometry/base/regular_file.h"
#include "geometry/base/whole_file.h"
#include "rooms/text/yaml_tree.h"
#include "rooms/text/yaml_write.h"
#include "src/setup/project/project_input.h"
#include "src/setup/project/project_schema.h"

/* Where the new lines go, and how far the names of variants are indented. */
struct place {
    size_t at; /* byte */
    int indent;
    bool first; /* there are no variants yet */
};

/* The byte at which a line begins, counted from 1; the end for a line behind the last. */
static size_t line_begin(const char *text, size_t length, size_t line)
{
    size_t at = 0;
    for (size_t n = 1; n < line && at < length; n++) {
        const char *end = memchr(text + at, '\n', length - at);
        at = end == NULL ? length : (size_t)(end - text) + 1;
    }
    return at;
}

/* Lines before `at` that are blank or comments at the margin belong to what follows. */
static size_t skip_back(const char *text, size_t at)
{
    for (;;) {
        size_t before = at;
        while (before > 0 && text[before - 1] != '\n')
            before--; /* the rest of a last line without a break */
        if (before < at || before == 0)
            return at;
        size_t begin = before - 1;
        while (begin > 0 && text[begin - 1] != '\n')
            begin--;
        if (text[begin] != '#' && strspn(text + begin, " \t\r\n") < before - begin)
            return at;
        at = begin;
    }
}

static int find_place(const struct yaml_tree *tree, const char *text, size_t length, struct place *out,
                      struct failure *failure)
{
    const struct yaml_spot top = yaml_tree_top(tree);
    struct yaml_spot variants, entry;
    *out = (struct place){.at = length, .indent = 2, .first = true};
    TRY(project_find_variants(tree, &variants, failure));
    if (variants.node == NULL)
        return 0;
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < yaml_spot_count(&top); i++) {
        TRY(yaml_spot_entry(&top, i, &entry, failure));
        if (entry.line > variants.line && entry.line < next)
            next = entry.line;
    }
    out->first = false;
    out->at = next == SIZE_MAX ? length : skip_back(text, line_begin(text, length, next));
    TRY(yaml_spot_entry(&variants, 0, &entry, failure));
    out->indent = (int)strspn(text + line_begin(text, length, entry.line), " ");
    return 0;
}

static void put_lines(FILE *stream, const char *name, const char *body, const struct place *place)
{
    if (place->first)
        fputs("\nvariants:\n", stream);
    fprintf(stream, "%*s", place->indent, "");
    yaml_put_text(stream, name);
    fputs(":\n", stream);
    for (const char *line = body; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        fprintf(stream, "%*s%.*s", place->indent + 2, "", (int)length, line);
        line += length;
    }
}

static int fill_file(const char *text, size_t length, const char *name, const char *body, const char *shown,
                     struct whole_file *file, struct failure *failure)
{
    static const struct yaml_form form = {.what = "a project", .begin = "", .top = ""};
    struct yaml_tree *tree = NULL;
    struct place place;
    TRY(yaml_tree_read(text, length, shown, &form, &tree, failure));
    const int code = find_place(tree, text, length, &place, failure);
    yaml_tree_free(tree);
    if (code != 0)
        return code;
    (void)fwrite(text, 1, place.at, file->stream);
    if (place.at > 0 && text[place.at - 1] != '\n')
        fputc('\n', file->stream);
    put_lines(file->stream, name, body, &place);
    (void)fwrite(text + place.at, 1, length - place.at, file->stream);
    return 0;
}

static int write_file(const char *path, const char *text, size_t length, const char *name, const char *body,
                      const char *shown, bool only_try, struct failure *failure)
{
    struct whole_file file = {0};
    struct project *project = NULL;
    struct stat old;
    struct failure inner = {0};
    int code = whole_file_open(&file, path, failure);
    if (code == 0 && stat(path, &old) == 0)
        (void)fchmod(fileno(file.stream), old.st_mode & 0777);
    if (code == 0)
        code = fill_file(text, length, name, body, shown, &file, failure);
    if (code == 0)
        code = whole_file_settle(&file, failure);
    if (code == 0 && project_open(file.temporary, name, &project, &inner) != 0)
        code = inner.code == FAILURE_INPUT
                   ? failure_fix(failure_set(failure, FAILURE_INPUT, "no variant %s can be added to %s (%s)",
                                             name, shown, inner.sentence),
                                 failure, "its variants must stand one below the other")
                   : failure_forward(failure, &inner);
    project_close(project);
    if (code == 0 && !only_try)
        code = whole_file_commit(&file, failure);
    whole_file_abandon(&file);
    return code;
}

int variant_write(const struct project *project, const char *name, const char *body, bool only_try,
                  struct failure *failure)
{
    char taken[OPTION_NAME_MAX];
    const char *shown = project->file;
    (void)project_variant_name(name, taken);
    for (size_t v = 0; v < project->variants; v++)
        if (strcmp(project->variant[v], taken) == 0)
            return failure_set(failure, FAILURE_INPUT, "%s has a variant %s", shown, taken);
    char *text = NULL, *path = realpath(shown, NULL); /* the file behind a symbolic link */
    size_t length = 0;
    if (path == NULL)
        return failure_set(failure, failure_of_errno(errno, FAILURE_INPUT), "%s cannot be written: %s", shown,
                           strerror(errno));
    int code = regular_file_read(path, PROJECT_BYTES_MOST, &text, &length, failure);
    if (code == 0)
        code = write_file(path, text, length, name, body, shown, only_try, failure);
    free(text);
    free(path);
    return code;
}
