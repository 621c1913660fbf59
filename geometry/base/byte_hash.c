#include "geometry/base/byte_hash.h"

#include <unistd.h>

#include "geometry/base/regular_file.h"

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

int hash_file(const char *path, uint64_t *hash, struct failure *failure)
{
    int descriptor, code;
    size_t got = 0;
    char buffer[16384];
    TRY(regular_file_open(path, &descriptor, NULL, failure));
    *hash = HASH_START;
    do {
        code = regular_file_fill(descriptor, path, buffer, sizeof buffer, &got, failure);
        *hash = hash_bytes(*hash, buffer, got);
    } while (code == 0 && got > 0);
    (void)close(descriptor);
    return code;
}
