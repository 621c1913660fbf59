/* The help text of a command's options. */
#include <string.h>

#include "src/base/wrapped_text.h"
#include "src/base/options/options.h"

#define HELP_INDENT 34

void options_describe(const struct option_spec *spec, char text[OPTION_TEXT_MAX])
{
    const size_t size = OPTION_TEXT_MAX;
    int used = snprintf(text, size, "%s", spec->help);
    const char *mark = " (";
    for (int i = 0; spec->words != NULL && spec->words[i] != NULL; i++, mark = ", ")
        used += snprintf(text + used, size - (size_t)used, "%s%s", mark, spec->words[i]);
    if (spec->standard != NULL)
        used += snprintf(text + used, size - (size_t)used, "%sdefault %s", spec->words ? "; " : mark,
                         spec->standard);
    if (spec->words != NULL || spec->standard != NULL)
        snprintf(text + used, size - (size_t)used, ")");
}

static void print_option(FILE *stream, const struct option_spec *spec)
{
    char head[80];
    const bool short_form = spec->letter != 0;
    snprintf(head, sizeof head, "  %c%c%s --%s%s%s", short_form ? '-' : ' ', short_form ? spec->letter : ' ',
             short_form ? "," : " ", spec->name, spec->value != NULL ? " " : "",
             spec->value != NULL ? spec->value : "");
    const int width = fprintf(stream, "%s", head);
    if (width >= HELP_INDENT - 1)
        fprintf(stream, "\n%*s", HELP_INDENT, "");
    else
        fprintf(stream, "%*s", HELP_INDENT - width, "");
    char text[OPTION_TEXT_MAX];
    options_describe(spec, text);
    print_wrapped(stream, text, HELP_INDENT);
}

static void print_heading(FILE *stream, const char *group)
{
    fprintf(stream, "\n%s:\n", group);
}

void options_print_help(FILE *stream, enum command_bit command, const struct option_set *extra)
{
    options_walk(stream, command, extra, print_heading, print_option);
}

void options_walk(FILE *stream, enum command_bit command, const struct option_set *extra,
                  void (*heading)(FILE *stream, const char *group),
                  void (*option)(FILE *stream, const struct option_spec *spec))
{
    const char *group = NULL, *printed = NULL;
    for (size_t i = 0; extra != NULL && i < extra->count; i++) {
        if (extra->spec[i].group != NULL)
            heading(stream, extra->spec[i].group);
        option(stream, &extra->spec[i]);
    }
    for (size_t i = 0; i < option_table_count; i++) {
        if (option_table[i].group != NULL)
            group = option_table[i].group;
        if ((option_table[i].commands & command) == 0)
            continue;
        if (group != printed)
            heading(stream, group);
        printed = group;
        option(stream, &option_table[i]);
    }
}
