/** Text that grows at its end. */
#ifndef GEOMETRY_TEXT_BUFFER_H
#define GEOMETRY_TEXT_BUFFER_H

#include <stddef.h>

#include "geometry/base/failure.h"

/** Zeroed is empty; `data` is freed by the owner with free(). */
struct text_buffer {
    char *data; /* with a zero behind it, once it holds text */
    size_t size, capacity;
};

/** Append `length` bytes, or what printf would write (at most TEXT_BUFFER_LINE - 1 bytes). FAILURE_CAPACITY.
 */
#define TEXT_BUFFER_LINE 400
int text_put(struct text_buffer *out, const char *text, size_t length, struct failure *failure);
__attribute__((format(printf, 3, 4))) int text_print(struct text_buffer *out, struct failure *failure,
                                                     const char *format, ...);

/** Append `text` (UTF-8) as XML text: markup is escaped, and characters that XML forbids become `?`. */
int text_put_xml(struct text_buffer *out, const char *text, struct failure *failure);

#endif
