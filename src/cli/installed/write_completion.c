/** Writes the completion for bash into a file: run when the program is built, and not installed. */
#include <stdio.h>

#include "geometry/base/whole_file.h"
#include "src/cli/installed/completion.h"

int main(int argc, char **argv)
{
    struct failure failure = {0};
    struct whole_file file = {0};
    if (argc != 2) {
        fputs("usage: write_completion FILE\n", stderr);
        return FAILURE_INPUT;
    }
    int code = whole_file_open(&file, argv[1], &failure);
    if (code == 0)
        code = completion_print(file.stream, &failure);
    if (code == 0)
        code = whole_file_commit(&file, &failure);
    if (code != 0)
        fprintf(stderr, "write_completion: %s\n", failure.sentence);
    whole_file_abandon(&file);
    return code;
}
