#include "src/options/messages.h"

#include <stdarg.h>
#include <string.h>

#include "geometry/base/name_text.h"
#include "src/options/failure_text.h"

bool messages_are_json;

bool messages_ask_json(int argc, char *const *argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--progress=json") == 0 ||
            (strcmp(argv[i], "--progress") == 0 && i + 1 < argc && strcmp(argv[i + 1], "json") == 0))
            return true;
    return false;
}

const char *failure_kind(enum failure_code code)
{
    switch (code) {
    case FAILURE_NONE:
        break;
    case FAILURE_ANSWER_NO:
        return "no";
    case FAILURE_INPUT:
        return "input";
    case FAILURE_CAPACITY:
        return "capacity";
    case FAILURE_SIMULATION:
        return "simulation";
    case FAILURE_OUTPUT:
        return "output";
    case FAILURE_INTERRUPTED:
        return "interrupted";
    }
    return "failed";
}

/* Without a byte of memory, which may be what there is none of: text as JSON has it, null where it is empty.
 */
static void put_text(FILE *stream, const char *text)
{
    char shown[FAILURE_TEXT_MAX];
    (void)snprintf(shown, sizeof shown, "%s", text);
    blot_all_but(shown, "\n\t");
    (void)fputs(shown[0] != '\0' ? "\"" : "null", stream);
    for (const char *at = shown; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            (void)fputc('\\', stream);
        (void)fputs(*at == '\n' ? "\\n" : *at == '\t' ? "\\t" : (const char[]){*at, '\0'}, stream);
    }
    (void)fputs(shown[0] != '\0' ? "\"" : "", stream);
}

static void put_field(FILE *stream, const char *name, const char *text)
{
    (void)fprintf(stream, "\"%s\":", name);
    put_text(stream, text);
}

/* Each line of `lines` as an item of a list; objects of one field where they have a `name`. */
static void put_items(FILE *stream, const char *lines, const char *name, bool first)
{
    char items[FAILURE_TEXT_MAX], *rest = NULL;
    (void)snprintf(items, sizeof items, "%s", lines);
    for (char *item = strtok_r(items, "\n", &rest); item != NULL; item = strtok_r(NULL, "\n", &rest)) {
        (void)fputs(first ? "" : ",", stream);
        first = false;
        if (name == NULL) {
            put_text(stream, item + strspn(item, " "));
            continue;
        }
        (void)fputc('{', stream);
        put_field(stream, name, item);
        (void)fputc('}', stream);
    }
}

/* A file at fault and its line, and the names of what the failure is about. */
static void put_subjects(FILE *stream, const struct failure *failure)
{
    static const char *const word[SUBJECTS] = {[SUBJECT_FILE] = "file",
                                               [SUBJECT_OPTION] = "option",
                                               [SUBJECT_MATERIAL] = "material",
                                               [SUBJECT_POSITION] = "position"};
    const bool none = failure->file[0] == '\0';
    if (!none) {
        (void)fputc('{', stream);
        put_field(stream, "file", failure->file);
        if (failure->line > 0)
            (void)fprintf(stream, ",\"line\":%zu", failure->line);
        (void)fputc('}', stream);
    }
    put_items(stream, failure->subject, word[failure->about], none);
}

static void put_failure(FILE *stream, const struct failure *failure)
{
    struct failure bare = *failure;
    char message[FAILURE_TEXT_MAX], advice[FAILURE_FIX_MAX];
    bare.advice = ADVICE_NONE;
    bare.fix[0] = bare.note[0] = '\0';
    (void)fprintf(stream, "{\"error\":{\"kind\":\"%s\",\"status\":%d,\"subject\":[",
                  failure_kind(failure->code), (int)failure->code);
    put_subjects(stream, failure);
    (void)fputs("],", stream);
    put_field(stream, "message", failure_text(&bare, message));
    (void)fputc(',', stream);
    put_field(stream, "advice", failure_fix_text(failure, advice));
    (void)fputs(",\"notes\":[", stream);
    put_items(stream, failure->note, NULL, true);
    (void)fputs("]}}\n", stream);
}

void message_failure(FILE *stream, const struct failure *failure)
{
    char text[FAILURE_TEXT_MAX];
    if (failure->sentence[0] == '\0')
        return;
    if (messages_are_json)
        put_failure(stream, failure);
    else
        fprintf(stream, "transept: %s\n", failure_text(failure, text));
}

void message_warning(FILE *stream, const char *advice, const char *format, ...)
{
    char message[FAILURE_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!messages_are_json) {
        fprintf(stream, "transept: warning: %s%s%s\n", message, advice[0] != '\0' ? "; " : "", advice);
        return;
    }
    (void)fputs("{\"warning\":{", stream);
    put_field(stream, "message", message);
    (void)fputc(',', stream);
    put_field(stream, "advice", advice);
    (void)fputs("}}\n", stream);
}
