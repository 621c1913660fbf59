#include "src/cli/installed/manual.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/text_buffer.h"
#include "geometry/base/whole_file.h"
#include "src/base/options/film_options.h"
#include "src/base/options/shape_options.h"

#define LINE_WIDTH 76

/* ---- roff ---- */

/* Some characters have a meaning in roff, or would be printed as others. */
static void put_escaped(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *escaped = text[i] == '\\'   ? "\\e"
                              : text[i] == '-'  ? "\\-"
                              : text[i] == '\'' ? "\\(aq"
                              : text[i] == '`'  ? "\\(ga"
                              : text[i] == '^'  ? "\\(ha"
                              : text[i] == '~'  ? "\\(ti"
                                                : NULL;
        if (escaped != NULL)
            fputs(escaped, stream);
        else
            fputc(text[i], stream);
    }
}

/* Write words in their own lines. No line begins like a roff request. */
static void put_words(FILE *stream, const char *text)
{
    size_t column = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        const size_t word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > LINE_WIDTH) {
            fputc('\n', stream);
            column = 0;
        }
        if (column > 0)
            fputc(' ', stream);
        else if (text[0] == '.')
            fputs("\\&", stream);
        put_escaped(stream, text, word);
        column += word + (column > 0);
        text += word;
    }
    fputc('\n', stream);
}

static void put_bold(FILE *stream, const char *text)
{
    fputs("\\fB", stream);
    put_escaped(stream, text, strlen(text));
    fputs("\\fR", stream);
}

/* "TRANSEPT-SIMULATE": `command` NULL is the program itself. */
static void put_title(FILE *stream, const struct command *command)
{
    fputs(".\\\" Made from the text of --help (src/cli/installed/manual.c): change it there.\n.TH TRANSEPT",
          stream);
    if (command != NULL) {
        fputs("\\-", stream);
        for (const char *c = command->name; *c != '\0'; c++)
            fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, stream);
    }
    fprintf(stream, " 1 \"\" \"transept %s\" \"transept\"\n.nh\n.ad l\n.SH NAME\ntransept", TRANSEPT_VERSION);
    if (command != NULL)
        fprintf(stream, "\\-%s", command->name);
    fputs(" \\- ", stream);
}

static void put_statuses(FILE *stream)
{
    fputs(".SH EXIT STATUS\n", stream);
    for (size_t i = 0; help_words.statuses[i] != NULL; i++)
        put_words(stream, help_words.statuses[i]);
}

/* ---- pages ---- */

static void write_overview(FILE *stream)
{
    size_t count = 0;
    const struct command *commands = commands_table(&count);
    put_title(stream, NULL);
    put_words(stream, "sound in rooms, from a mesh to impulse responses");
    fputs(".SH SYNOPSIS\n", stream);
    put_words(stream, help_words.usage);
    fputs(".SH DESCRIPTION\n", stream);
    put_words(stream, help_words.intro);
    fputs(".SH COMMANDS\nEach has a page of its own, transept\\-COMMAND.\n", stream);
    for (size_t i = 0; i < count; i++) {
        fputs(".TP\n", stream);
        put_bold(stream, commands[i].name);
        if (commands[i].subject != NULL) {
            fputc(' ', stream);
            put_escaped(stream, commands[i].subject, strlen(commands[i].subject));
        }
        fputc('\n', stream);
        put_words(stream, commands[i].summary);
    }
    fputs(".SH OPTIONS\n.TP\n\\fBtransept\\fR COMMAND \\fB\\-\\-help\\fR\n", stream);
    put_words(stream, help_words.of_a_command);
    fputs(".TP\n\\fBtransept \\-\\-version\\fR\n", stream);
    put_words(stream, help_words.version);
    fputs(".SH EXAMPLES\nA first room:\n.PP\n.nf\n", stream);
    for (size_t i = 0; help_words.first_room[i] != NULL; i++) {
        put_escaped(stream, help_words.first_room[i], strlen(help_words.first_room[i]));
        fputc('\n', stream);
    }
    fputs(".fi\n", stream);
    put_statuses(stream);
    fputs(".SH SEE ALSO\n", stream);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, ".BR transept\\-%s (1)%s\n", commands[i].name, i + 1 < count ? "," : "");
}

static void put_option(FILE *stream, const struct option_spec *spec)
{
    fputs(".TP\n", stream);
    if (spec->letter != 0)
        fprintf(stream, "\\fB\\-%c\\fR, ", spec->letter);
    fputs("\\fB\\-\\-", stream);
    put_escaped(stream, spec->name, strlen(spec->name));
    fputs("\\fR", stream);
    if (spec->value != NULL) {
        fputc(' ', stream);
        put_escaped(stream, spec->value, strlen(spec->value));
    }
    fputc('\n', stream);
    char text[OPTION_TEXT_MAX];
    options_describe(spec, text);
    put_words(stream, text);
}

static void put_group(FILE *stream, const char *group)
{
    fputs(".SS ", stream);
    put_words(stream, group);
}

/* The options of every shape, as in `room SHAPE --help`. */
static int put_shapes(FILE *stream, struct failure *failure)
{
    size_t count = 0;
    const struct room_shape *shape = room_shapes(&count);
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        fprintf(stream, ".SH %s\n", shape[i].name);
        put_words(stream, shape[i].description);
        struct shape_options of = {0};
        if ((code = shape_options_make(&shape[i], &of, failure)) == 0)
            options_walk(stream, (enum command_bit)0, &of.set, put_group, put_option);
        shape_options_free(&of);
    }
    return code;
}

int manual_command(FILE *stream, const struct command *command, struct failure *failure)
{
    put_title(stream, command);
    put_words(stream, command->summary);
    fprintf(stream, ".SH SYNOPSIS\n\\fBtransept %s\\fR ", command->name);
    if (command->subject != NULL) {
        put_escaped(stream, command->subject, strlen(command->subject));
        fputc(' ', stream);
    }
    put_escaped(stream, command->output, strlen(command->output));
    fputs(command->output[0] != '\0' ? " [OPTION..]\n" : "[OPTION..]\n", stream);
    fputs(".SH DESCRIPTION\n", stream);
    put_words(stream, command->description);
    fputs(".SH OPTIONS\n", stream);
    struct option_set own = {0};
    if (command->bit == COMMAND_FILM)
        own = film_option_set(NULL);
    if (command->bit == COMMAND_BENCH)
        own = bench_option_set(NULL);
    if (command->bit == COMMAND_CALIBRATE)
        own = calibrate_option_set(NULL);
    options_walk(stream, command->bit, &own, put_group, put_option);
    if (command->bit == COMMAND_ROOM)
        TRY(put_shapes(stream, failure));
    put_statuses(stream);
    fputs(".SH SEE ALSO\n.BR transept (1)\n", stream);
    return 0;
}

/* ---- files ---- */

static int write_page(const char *folder, const struct command *command, struct failure *failure)
{
    struct text_buffer path = {0};
    struct whole_file file = {0};
    int code = text_print(&path, failure, "%s/transept%s%s.1", folder, command != NULL ? "-" : "",
                          command != NULL ? command->name : "");
    if (code == 0)
        code = whole_file_open(&file, path.data, failure);
    if (code == 0 && command == NULL)
        write_overview(file.stream);
    else if (code == 0)
        code = manual_command(file.stream, command, failure);
    if (code == 0)
        code = whole_file_commit(&file, failure);
    whole_file_abandon(&file);
    free(path.data);
    return code;
}

int manual_write(const char *folder, struct failure *failure)
{
    size_t count = 0;
    const struct command *commands = commands_table(&count);
    int code = write_page(folder, NULL, failure);
    for (size_t i = 0; code == 0 && i < count; i++)
        code = write_page(folder, &commands[i], failure);
    return code;
}
