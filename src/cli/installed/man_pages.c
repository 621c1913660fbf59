/** Writes the manual, one page a command, into a folder: run when the program is built, and not installed. */
#include <stdio.h>

#include "src/cli/installed/manual.h"

int main(int argc, char **argv)
{
    struct failure failure = {0};
    if (argc != 2) {
        fputs("usage: man_pages FOLDER\n", stderr);
        return FAILURE_INPUT;
    }
    const int code = manual_write(argv[1], &failure);
    if (code != 0)
        fprintf(stderr, "man_pages: %s\n", failure.sentence);
    return code;
}
