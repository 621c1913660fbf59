#include "src/studio/studio_gate.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int studio_token_make(char token[STUDIO_TOKEN + 1], struct failure *failure)
{
    uint8_t random[STUDIO_TOKEN / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return failure_set(failure, FAILURE_CAPACITY, "no random numbers for the address: %s",
                           strerror(errno));
    for (size_t b = 0; b < sizeof random; b++)
        (void)snprintf(&token[2 * b], 3, "%02x", random[b]);
    return 0;
}

bool studio_path_has_token(const char *path, const char token[STUDIO_TOKEN + 1], const char **rest)
{
    if (path[0] != '/' || strcspn(path + 1, "/") != STUDIO_TOKEN || path[1 + STUDIO_TOKEN] != '/')
        return false;
    unsigned different = 0;
    for (size_t c = 0; c < STUDIO_TOKEN; c++)
        different |= (unsigned)(path[1 + c] ^ token[c]);
    *rest = path + STUDIO_TOKEN + 2;
    return different == 0;
}

bool studio_host_is_local(const char *host)
{
    static const char *const name[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t n = 0; host != NULL && n < sizeof name / sizeof *name; n++) {
        const size_t length = strlen(name[n]);
        if (strncmp(host, name[n], length) != 0)
            continue;
        const char *const port = host + length;
        if (port[0] == '\0')
            return true;
        if (port[0] == ':' && port[1] != '\0' && port[1 + strspn(port + 1, "0123456789")] == '\0')
            return true;
    }
    return false;
}

bool studio_origin_is_own(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    return origin == NULL || (host != NULL && strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
                              strcmp(origin + sizeof scheme - 1, host) == 0);
}
