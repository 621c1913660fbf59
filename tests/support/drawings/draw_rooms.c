/* Writes the drawings of drawings.h into a folder: draw_rooms FOLDER */
#include <stdio.h>

#include "tests/support/drawings/drawings.h"

int main(int count, char *argument[])
{
    int wrong = count != 2;
    if (wrong)
        fputs("usage: draw_rooms FOLDER\n", stderr);
    for (int d = 0; !wrong && d < DRAWINGS; d++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s.obj", argument[1], drawing[d].name);
        const int faces = drawing_write(d, path);
        printf("%s: %d faces; %s\n", path, faces, drawing[d].options);
        wrong = faces == 0;
    }
    return wrong;
}
