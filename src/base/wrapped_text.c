#include "src/base/wrapped_text.h"

#include <string.h>

void print_wrapped(FILE *stream, const char *text, int indent)
{
    int column = indent;
    while (*text != '\0') {
        const size_t bytes = strcspn(text, " ");
        int letters = 0; /* of UTF-8 */
        for (size_t i = 0; i < bytes; i++)
            letters += ((unsigned char)text[i] & 0xC0) != 0x80;
        if (column > indent && column + 1 + letters > PRINT_COLUMNS) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', stream);
            column++;
        }
        fwrite(text, 1, bytes, stream);
        column += letters;
        text += bytes;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}
