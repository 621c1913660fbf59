#include "src/base/options/messages.h"

#include <stdarg.h>
#include <string.h>

#include "geometry/base/name_text.h"
#include "src/base/listener.h"
#include "src/base/options/failure_text.h"

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

/* One line, written at once and without allocation, since memory may have run out. The escaped text of any
 * failure fits. */
struct line {
    size_t length;
    char text[MESSAGE_FAILURE_MAX];
};

__attribute__((format(printf, 2, 3))) static void put_format(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int added =
        vsnprintf(line->text + line->length, sizeof line->text - line->length, format, arguments);
    va_end(arguments);
    line->length += added > 0 ? (size_t)added : 0;
    line->length = line->length < sizeof line->text ? line->length : sizeof line->text - 1;
}

/* As JSON has it; null where it is empty. */
static void put_text(struct line *line, const char *text)
{
    char shown[FAILURE_TEXT_MAX];
    (void)snprintf(shown, sizeof shown, "%s", text);
    blot_all_but(shown, "\n\t");
    put_format(line, shown[0] != '\0' ? "\"" : "null");
    for (const char *at = shown; *at != '\0'; at++)
        if (*at == '\n' || *at == '\t')
            put_format(line, *at == '\n' ? "\\n" : "\\t");
        else
            put_format(line, "%s%c", *at == '"' || *at == '\\' ? "\\" : "", *at);
    put_format(line, shown[0] != '\0' ? "\"" : "");
}

static void put_field(struct line *line, const char *name, const char *text)
{
    put_format(line, "\"%s\":", name);
    put_text(line, text);
}

/* Each line of `lines` as an item of a list; objects of one field where they have a `name`. */
static void put_items(struct line *line, const char *lines, const char *name, bool first)
{
    char items[FAILURE_TEXT_MAX], *rest = NULL;
    (void)snprintf(items, sizeof items, "%s", lines);
    for (char *item = strtok_r(items, "\n", &rest); item != NULL; item = strtok_r(NULL, "\n", &rest)) {
        put_format(line, first ? "" : ",");
        first = false;
        if (name == NULL) {
            put_text(line, item + strspn(item, " "));
            continue;
        }
        put_format(line, "{");
        put_field(line, name, item);
        put_format(line, "}");
    }
}

/* A file at fault and its line, and the names of the failure's subjects. */
static void put_subjects(struct line *line, const struct failure *failure)
{
    static const char *const word[SUBJECTS] = {[SUBJECT_FILE] = "file",
                                               [SUBJECT_OPTION] = "option",
                                               [SUBJECT_MATERIAL] = "material",
                                               [SUBJECT_POSITION] = "position"};
    const bool none = failure->file[0] == '\0';
    if (!none) {
        put_format(line, "{");
        put_field(line, "file", failure->file);
        if (failure->line > 0)
            put_format(line, ",\"line\":%zu", failure->line);
        put_format(line, "}");
    }
    put_items(line, failure->subject, word[failure->about], none);
}

static void put_fix(struct line *line, const struct failure *failure)
{
    struct advice_key fix;
    const bool known = advice_key(failure->advice, failure->advice_value, &fix);
    put_format(line, ",\"fix\":%s", known ? "{" : "null");
    if (!known)
        return;
    put_field(line, "key", fix.key);
    if (fix.word != NULL)
        put_format(line, ",\"value\":\"%s\"}", fix.word);
    else
        put_format(line, ",\"value\":%.10g}", fix.number);
}

static void put_failure(struct line *line, const struct failure *failure)
{
    struct failure bare = *failure;
    char message[FAILURE_TEXT_MAX], advice[FAILURE_FIX_MAX];
    bare.advice = ADVICE_NONE;
    bare.fix[0] = bare.note[0] = '\0';
    put_format(line, "{\"error\":{\"kind\":\"%s\",\"status\":%d,\"subject\":[", failure_kind(failure->code),
               (int)failure->code);
    put_subjects(line, failure);
    put_format(line, "],");
    put_field(line, "message", failure_text(&bare, message));
    put_format(line, ",");
    put_field(line, "advice", failure_fix_text(failure, advice));
    put_fix(line, failure);
    put_format(line, ",\"notes\":[");
    put_items(line, failure->note, NULL, true);
    put_format(line, "]}}\n");
}

const char *message_failure_json(const struct failure *failure, char text[MESSAGE_FAILURE_MAX])
{
    struct line line = {0};
    put_failure(&line, failure);
    memcpy(text, line.text, line.length + 1);
    return text;
}

void message_failure(FILE *stream, const struct failure *failure)
{
    char text[FAILURE_TEXT_MAX];
    if (failure->sentence[0] == '\0')
        return;
    if (messages_are_json) {
        struct line line = {0};
        put_failure(&line, failure);
        (void)fwrite(line.text, 1, line.length, stream);
        return;
    }
    fprintf(stream, "transept: %s\n", failure_text(failure, text));
}

void message_warning(FILE *stream, const char *advice, const char *format, ...)
{
    char message[FAILURE_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const struct listener *listener = listener_now();
    if (listener != NULL) {
        listener->warning(listener->context, message, advice);
        return;
    }
    if (!messages_are_json) {
        fprintf(stream, "transept: warning: %s%s%s\n", message, advice[0] != '\0' ? "; " : "", advice);
        return;
    }
    struct line line = {0};
    put_format(&line, "{\"warning\":{");
    put_field(&line, "message", message);
    put_format(&line, ",");
    put_field(&line, "advice", advice);
    put_format(&line, "}}\n");
    (void)fwrite(line.text, 1, line.length, stream);
}
