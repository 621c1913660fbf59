#include "geometry/base/text_buffer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 4096

int text_put(struct text_buffer *out, const char *text, size_t length, struct failure *failure)
{
    if (out->capacity - out->size <= length) {
        size_t capacity = out->capacity == 0 ? FIRST_CAPACITY : out->capacity;
        while (capacity - out->size <= length)
            capacity *= 2;
        char *grown = realloc(out->data, capacity);
        if (grown == NULL)
            return failure_memory(failure, capacity, "the text of a model");
        out->data = grown;
        out->capacity = capacity;
    }
    memcpy(out->data + out->size, text, length);
    out->size += length;
    out->data[out->size] = '\0';
    return 0;
}

int text_print(struct text_buffer *out, struct failure *failure, const char *format, ...)
{
    char line[TEXT_BUFFER_LINE];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof line);
    return text_put(out, line, (size_t)length, failure);
}

int text_put_xml(struct text_buffer *out, const char *text, struct failure *failure)
{
    for (; *text != '\0'; ++text) {
        const char *entity = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&#39;"
                                             : NULL;
        const char plain = (unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text;
        TRY(entity != NULL ? text_put(out, entity, strlen(entity), failure)
                           : text_put(out, &plain, 1, failure));
    }
    return 0;
}
