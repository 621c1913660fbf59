#include "src/setup/project/project_input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/regular_file.h"

#define ASK "pipe a project into it, as in `transept plan - < hall.yaml`"

static char *input; /* of the process, as standard input is */
static size_t input_count;

bool project_is_input(const char *path)
{
    return strcmp(path, PROJECT_INPUT) == 0;
}

const char *project_input_text(void)
{
    return input;
}

void project_input_forget(void)
{
    free(input);
    input = NULL;
    input_count = 0;
}

int project_input_give(const char *text, struct failure *failure)
{
    project_input_forget();
    input_count = strlen(text);
    input = strdup(text);
    return input != NULL ? 0 : failure_memory(failure, input_count + 1, "a project");
}

/* True if it begins like a model file that was piped in place of a project. */
static bool is_model(const char *bytes, size_t count)
{
    static const char *const begin[] = {"glTF", "ply\n", "ply\r",   "solid ", "v ",
                                        "o ",   "g ",    "mtllib ", "usemtl "};
    const char *at = bytes;
    while (*at == '#' || *at == '\n' || *at == '\r') /* comments of OBJ, and of a project */
        at += *at == '#' ? strcspn(at, "\n") : 1;
    for (size_t b = 0; b < sizeof begin / sizeof *begin; b++)
        if (strncmp(at, begin[b], strlen(begin[b])) == 0)
            return true;
    return memchr(bytes, '\0', count) != NULL;
}

/* `what` is wrong, and the remedy. */
static int refuse_input(const char *what, const char *fix, struct failure *failure)
{
    const int code = failure_set(failure, FAILURE_INPUT, PROJECT_INPUT_TITLE " %s", what);
    (void)failure_about(code, failure, SUBJECT_FILE, PROJECT_INPUT_TITLE);
    return failure_fix(code, failure, "%s", fix);
}

static int read_once(size_t most, struct failure *failure)
{
    if (isatty(STDIN_FILENO) == 1)
        return refuse_input("is a terminal", ASK, failure);
    char *bytes = malloc(most + 2);
    if (bytes == NULL)
        return failure_memory(failure, most + 2, "a project");
    int code = regular_file_fill(STDIN_FILENO, PROJECT_INPUT_TITLE, bytes, most + 1, &input_count, failure);
    bytes[input_count] = '\0';
    if (code == 0 && input_count == 0)
        code = refuse_input("is empty", ASK, failure);
    if (code == 0 && is_model(bytes, input_count))
        code = refuse_input("holds a model and no project", "give a model by the name of its file", failure);
    if (code == 0 && input_count > most)
        code = refuse_input("has more bytes than any project", ASK, failure);
    if (code != 0) {
        free(bytes);
        return code;
    }
    input = bytes;
    return 0;
}

int project_input_read(size_t most, const char **bytes, size_t *count, struct failure *failure)
{
    if (input == NULL)
        TRY(read_once(most, failure));
    *bytes = input;
    *count = input_count;
    return 0;
}
