#include "src/cli/installed/completion.h"

#include <ctype.h>
#include <string.h>

#include "rooms/materials/material_library.h"
#include "rooms/shapes/room_shape.h"
#include "src/cli/commands.h"
#include "src/base/options/film_options.h"
#include "src/base/options/shape_options.h"

#define MODELS ".obj .gltf .glb .ply .stl .dae .fbx .3ds .dxf .ifc .yaml .yml"

/* The functions of completion. `_transept_options KEY` prints options. `_transept_value KEY OPTION` and
 * `_transept_subject COMMAND` print the expected words, with `.ending`, `file` and `folder` for paths. */
static const char head[] =
    "# shellcheck shell=bash\n"
    "# Completion of transept for bash, made from the text of --help (src/cli/installed/completion.c): "
    "change it "
    "there.\n"
    "\n"
    "# The paths that continue $1 and end as one of the others says; folders lead to them.\n"
    "_transept_paths()\n"
    "{\n"
    "    local begun=$1 path wanted\n"
    "    shift\n"
    "    while IFS= read -r path; do\n"
    "        for wanted; do\n"
    "            if [[ -d $path || $wanted == file || ($wanted == .* && ${path,,} == *\"$wanted\") ]]; then\n"
    "                COMPREPLY+=(\"$path\")\n"
    "                break\n"
    "            fi\n"
    "        done\n"
    "    done < <(compgen -f -- \"$begun\")\n"
    "}\n"
    "\n"
    "# What continues $1 of the words and paths wanted.\n"
    "_transept_wanted()\n"
    "{\n"
    "    local begun=$1 wanted\n"
    "    local -a paths=()\n"
    "    shift\n"
    "    for wanted; do\n"
    "        case $wanted in\n"
    "        .* | file | folder) paths+=(\"$wanted\") ;;\n"
    "        \"$begun\"*) COMPREPLY+=(\"$wanted\") ;;\n"
    "        esac\n"
    "    done\n"
    "    if [[ ${#paths[@]} -gt 0 ]]; then\n"
    "        _transept_paths \"$begun\" \"${paths[@]}\"\n"
    "        compopt -o filenames 2>/dev/null\n"
    "    fi\n"
    "}\n"
    "\n"
    "_transept()\n"
    "{\n"
    "    local begun=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} "
    "key "
    "word\n"
    "    local -a wanted=()\n"
    "    COMPREPLY=()\n"
    "    # --option=value is three words, and --option NAME=value four: those are of \"--option=\".\n"
    "    local at=$((COMP_CWORD - 1))\n"
    "    if [[ $begun == = ]]; then\n"
    "        begun=\n"
    "    elif [[ $before == = && $at -gt 1 ]]; then\n"
    "        at=$((at - 1))\n"
    "    fi\n"
    "    before=${COMP_WORDS[at]}\n"
    "    if [[ ${COMP_WORDS[at + 1]} == = && $before != -* && ${COMP_WORDS[at - 1]} == -* ]]; then\n"
    "        before=${COMP_WORDS[at - 1]}=\n"
    "    fi\n"
    "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
    "        read -r -a wanted <<< \"$(_transept_commands)\"\n"
    "        _transept_wanted \"$begun\" \"${wanted[@]}\"\n"
    "        return\n"
    "    fi\n"
    "    # Options of `room` are those of its shape.\n"
    "    key=$command\n"
    "    if [[ $command == room ]]; then\n"
    "        for word in \"${COMP_WORDS[@]:2}\"; do\n"
    "            if [[ \" $(_transept_subject room) \" == *\" $word \"* ]]; then\n"
    "                key=\"room $word\"\n"
    "                break\n"
    "            fi\n"
    "        done\n"
    "    fi\n"
    "    if [[ $before == -* ]]; then\n"
    "        read -r -a wanted <<< \"$(_transept_value \"$key\" \"$before\")\"\n"
    "        if [[ ${#wanted[@]} -gt 0 ]]; then\n"
    "            [[ ${wanted[0]} == value ]] || _transept_wanted \"$begun\" \"${wanted[@]}\"\n"
    "            return\n"
    "        fi\n"
    "    fi\n"
    "    if [[ $begun == -* ]]; then\n"
    "        read -r -a wanted <<< \"$(_transept_options \"$key\")\"\n"
    "    else\n"
    "        read -r -a wanted <<< \"$(_transept_subject \"$command\")\"\n"
    "    fi\n"
    "    _transept_wanted \"$begun\" \"${wanted[@]}\"\n"
    "}\n";

/* ---- kinds of values ---- */

/* "FILE.sofa" and "OUT.wav" name files that end so. */
static const char *ending_of(const char *word, size_t length)
{
    const char *dot = memchr(word, '.', length);
    return dot != NULL && dot > word && isupper((unsigned char)word[0]) && dot[1] != '.' ? dot : NULL;
}

static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)text[i]))
            return false;
    return length > 0;
}

static bool is_called(const char *text, size_t length, const char *name)
{
    return length == strlen(name) && strncmp(text, name, length) == 0;
}

/* The part of a help text between two bars: a literal word, a file, a folder, or a user-defined value. */
static void put_wanted(FILE *stream, const char *text, size_t length)
{
    const char *ending = ending_of(text, length);
    if (ending != NULL)
        fprintf(stream, " %.*s", (int)(length - (size_t)(ending - text)), ending);
    else if (is_called(text, length, "FILE"))
        fputs(" file", stream);
    else if (is_called(text, length, "DIR") || is_called(text, length, "FOLDER") ||
             is_called(text, length, "RUN"))
        fputs(" folder", stream);
    else if (is_called(text, length, "ROOM"))
        fputs(" " MODELS, stream);
    else if (is_word(text, length))
        fprintf(stream, " %.*s", (int)length, text);
}

/* Write the words of "HZ|auto", "ROOM|RUN..", "[NAME]". */
static void put_values(FILE *stream, const char *value)
{
    for (const char *at = value; *at != '\0'; at += *at != '\0') {
        size_t length = strcspn(at, "|"), kept = length;
        const char *next = at + length;
        if (at[0] == '[') {
            at++;
            kept--;
        }
        while (kept > 0 && (at[kept - 1] == '.' || at[kept - 1] == ']'))
            kept--;
        put_wanted(stream, at, kept);
        at = next;
    }
}

/* ---- tables ---- */

/* options_walk() passes the stream alone, so `key` of the command comes before each option. */
static void put_heading(FILE *stream, const char *group)
{
    (void)stream;
    (void)group;
}

static void put_name(FILE *stream, const struct option_spec *spec)
{
    fprintf(stream, " --%s", spec->name);
}

/* The name of a value that the user chooses, if nothing was written since `before`. */
static void end_case(FILE *stream, long before)
{
    if (ftell(stream) == before)
        fputs(" value", stream);
    fputs(" ;;\n", stream);
}

/* Write a case of the values; options without one have none. In "NAME=omni|voice" the name is user-defined,
 * and the part after it has its own case. */
static void put_case(FILE *stream, const struct option_spec *spec)
{
    static const char name[] = "NAME=";
    if (spec->kind == OPTION_FLAG)
        return;
    fputs("        ", stream);
    if (spec->letter != 0)
        fprintf(stream, "-%c | ", spec->letter);
    const bool named = spec->value != NULL && strncmp(spec->value, name, strlen(name)) == 0;
    fprintf(stream, "--%s) echo%s", spec->name, named ? " value ;;\n        " : "");
    if (named)
        fprintf(stream, "--%s=) echo", spec->name);
    const long before = ftell(stream);
    for (size_t w = 0; spec->words != NULL && spec->words[w] != NULL; w++)
        fprintf(stream, " %s", spec->words[w]);
    if (spec->words == NULL && spec->value != NULL)
        put_values(stream, spec->value + (named ? strlen(name) : 0));
    end_case(stream, before);
}

typedef void put_option(FILE *stream, const struct option_spec *spec);

static struct option_set own_options(const struct command *command)
{
    return command->bit == COMMAND_FILM        ? film_option_set(NULL)
           : command->bit == COMMAND_BENCH     ? bench_option_set(NULL)
           : command->bit == COMMAND_CALIBRATE ? calibrate_option_set(NULL)
                                               : (struct option_set){0};
}

/* Write a function that prints, for a command, the result of `put` for its options, between `begin` and
 * `end`. */
static int put_table(FILE *stream, put_option *put, const char *begin, const char *end,
                     struct failure *failure)
{
    size_t commands = 0, shapes = 0;
    const struct command *command = commands_table(&commands);
    const struct room_shape *shape = room_shapes(&shapes);
    for (size_t c = 0; c < commands; c++) {
        const struct option_set own = own_options(&command[c]);
        fprintf(stream, "    %s)%s", command[c].name, begin);
        options_walk(stream, command[c].bit, &own, put_heading, put);
        fputs(end, stream);
    }
    for (size_t s = 0; s < shapes; s++) {
        struct shape_options of = {0};
        const int code = shape_options_make(&shape[s], &of, failure);
        if (code == 0) {
            fprintf(stream, "    \"room %s\")%s", shape[s].name, begin);
            options_walk(stream, COMMAND_ROOM, &of.set, put_heading, put);
            fputs(end, stream);
        }
        shape_options_free(&of);
        TRY(code);
    }
    return 0;
}

static void put_shapes(FILE *stream)
{
    size_t shapes = 0;
    const struct room_shape *shape = room_shapes(&shapes);
    for (size_t s = 0; s < shapes; s++)
        fprintf(stream, " %s", shape[s].name);
}

/* Names with _ for blanks, which mean the same; a dot would mean an ending. */
static int put_materials(FILE *stream, struct failure *failure)
{
    struct material_library library = {0};
    TRY(material_library_load(&library, failure));
    for (size_t m = 0; m < library.count; m++) {
        fputc(' ', stream);
        for (const char *c = library.material[m].name; *c != '\0'; c++)
            fputc(*c == ' ' ? '_' : *c, stream);
    }
    material_library_free(&library);
    return 0;
}

static int put_subjects(FILE *stream, struct failure *failure)
{
    size_t commands = 0;
    const struct command *command = commands_table(&commands);
    for (size_t c = 0; c < commands; c++) {
        if (command[c].subject == NULL)
            continue;
        fprintf(stream, "    %s) echo", command[c].name);
        if (command[c].bit == COMMAND_MATERIALS)
            TRY(put_materials(stream, failure));
        else
            put_values(stream, command[c].subject);
        if (command[c].bit == COMMAND_ROOM || command[c].bit == COMMAND_NEW)
            put_shapes(stream);
        for (size_t s = 0; command[c].bit == COMMAND_MEMORY && memory_shapes[s] != NULL; s++)
            fprintf(stream, " %s", memory_shapes[s]);
        fputs(" ;;\n", stream);
    }
    return 0;
}

int completion_print(FILE *stream, struct failure *failure)
{
    size_t commands = 0;
    const struct command *command = commands_table(&commands);
    fputs(head, stream);
    fputs("\n_transept_commands()\n{\n    echo", stream);
    for (size_t c = 0; c < commands; c++)
        fprintf(stream, " %s", command[c].name);
    fputs(" --help --version\n}\n\n_transept_options()\n{\n    case $1 in\n", stream);
    TRY(put_table(stream, put_name, " echo", " ;;\n", failure));
    fputs("    esac\n}\n\n_transept_value()\n{\n    case $1 in\n", stream);
    TRY(put_table(stream, put_case, "\n        case $2 in\n", "        esac\n        ;;\n", failure));
    fputs("    esac\n}\n\n_transept_subject()\n{\n    case $1 in\n", stream);
    TRY(put_subjects(stream, failure));
    fputs("    esac\n}\n\ncomplete -F _transept transept\n", stream);
    return 0;
}
