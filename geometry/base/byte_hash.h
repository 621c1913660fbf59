/** FNV-1a, 64 bits: of what a run and a kept program are made of. */
#ifndef GEOMETRY_BYTE_HASH_H
#define GEOMETRY_BYTE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count);

/** Hash of a file, from its first byte to its last. FAILURE_INPUT if it cannot be read. */
int hash_file(const char *path, uint64_t *hash, struct failure *failure);

#endif
