#include "src/base/words/catalogue.h"

#include <stdint.h>
#include <string.h>

enum { TEXTS = 8, ORIGINALS = 12, TRANSLATIONS = 16 };

static size_t read_number(const struct catalogue *catalogue, size_t at)
{
    uint32_t number;
    memcpy(&number, catalogue->data + at, sizeof number);
    return number;
}

static const char *read_text(const struct catalogue *catalogue, size_t of, size_t index)
{
    return catalogue->data + read_number(catalogue, read_number(catalogue, of) + 8 * index + 4);
}

size_t catalogue_count(const struct catalogue *catalogue)
{
    return catalogue->data != NULL ? read_number(catalogue, TEXTS) : 0;
}

const char *catalogue_original(const struct catalogue *catalogue, size_t index)
{
    return read_text(catalogue, ORIGINALS, index);
}

const char *catalogue_translation(const struct catalogue *catalogue, size_t index)
{
    return read_text(catalogue, TRANSLATIONS, index);
}

const char *catalogue_find(const struct catalogue *catalogue, const char *original)
{
    size_t low = 0, high = catalogue_count(catalogue);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(original, catalogue_original(catalogue, middle));
        if (order == 0)
            return catalogue_translation(catalogue, middle);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
