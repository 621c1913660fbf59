#include "src/options/messages.h"

#include <stdarg.h>
#include <string.h>

#include "src/base/print_json.h"
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

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text[0] != '\0')
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

/* A file at fault and its line, and the names of what the failure is about. */
static void add_subjects(cJSON *object, const struct failure *failure)
{
    static const char *const word[SUBJECTS] = {[SUBJECT_FILE] = "file",
                                               [SUBJECT_OPTION] = "option",
                                               [SUBJECT_MATERIAL] = "material",
                                               [SUBJECT_POSITION] = "position"};
    cJSON *list = cJSON_AddArrayToObject(object, "subject");
    if (failure->file[0] != '\0') {
        cJSON *file = cJSON_CreateObject();
        cJSON_AddStringToObject(file, "file", failure->file);
        if (failure->line > 0)
            cJSON_AddNumberToObject(file, "line", (double)failure->line);
        cJSON_AddItemToArray(list, file);
    }
    char names[sizeof failure->subject], *rest = NULL;
    memcpy(names, failure->subject, sizeof names);
    for (char *name = strtok_r(names, "\n", &rest); name != NULL; name = strtok_r(NULL, "\n", &rest)) {
        cJSON *subject = cJSON_CreateObject();
        cJSON_AddStringToObject(subject, word[failure->about], name);
        cJSON_AddItemToArray(list, subject);
    }
}

/* Further facts, a line each. */
static void add_notes(cJSON *object, const struct failure *failure)
{
    char notes[sizeof failure->note], *rest = NULL;
    cJSON *list = cJSON_AddArrayToObject(object, "notes");
    memcpy(notes, failure->note, sizeof notes);
    for (char *note = strtok_r(notes, "\n", &rest); note != NULL; note = strtok_r(NULL, "\n", &rest))
        cJSON_AddItemToArray(list, cJSON_CreateString(note + strspn(note, " ")));
}

static cJSON *failure_json(const struct failure *failure)
{
    struct failure bare = *failure;
    char message[FAILURE_TEXT_MAX], advice[FAILURE_FIX_MAX];
    cJSON *object = cJSON_CreateObject(), *error = cJSON_AddObjectToObject(object, "error");
    bare.advice = ADVICE_NONE;
    bare.fix[0] = bare.note[0] = '\0';
    cJSON_AddStringToObject(error, "kind", failure_kind(failure->code));
    cJSON_AddNumberToObject(error, "status", failure->code);
    add_subjects(error, failure);
    cJSON_AddStringToObject(error, "message", failure_text(&bare, message));
    add_text(error, "advice", failure_fix_text(failure, advice));
    add_notes(error, failure);
    return object;
}

void message_failure(FILE *stream, const struct failure *failure)
{
    char text[FAILURE_TEXT_MAX];
    if (failure->sentence[0] == '\0' || (messages_are_json && print_json_line(stream, failure_json(failure))))
        return;
    fprintf(stream, "transept: %s\n", failure_text(failure, text));
}

void message_warning(FILE *stream, const char *advice, const char *format, ...)
{
    char message[FAILURE_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (messages_are_json) {
        cJSON *object = cJSON_CreateObject(), *warning = cJSON_AddObjectToObject(object, "warning");
        cJSON_AddStringToObject(warning, "message", message);
        add_text(warning, "advice", advice);
        if (print_json_line(stream, object))
            return;
    }
    fprintf(stream, "transept: warning: %s%s%s\n", message, advice[0] != '\0' ? "; " : "", advice);
}
