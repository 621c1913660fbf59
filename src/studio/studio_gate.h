/** Who may speak to the server: a browser on this machine that was given the address.
 *
 * The address holds a random token. A page of another site does not know it; neither does one whose name was
 * pointed at this machine (DNS rebinding), and its Host says so. */
#ifndef SRC_STUDIO_GATE_H
#define SRC_STUDIO_GATE_H

#include <stdbool.h>

#include "geometry/base/failure.h"

#define STUDIO_TOKEN 32 /* hexadecimal digits: 128 bits */

/** From the kernel's random numbers. FAILURE_CAPACITY without them. */
int studio_token_make(char token[STUDIO_TOKEN + 1], struct failure *failure);

/** True if `path` is "/TOKEN/..": then `*rest` is what follows the second slash. Takes equal time wherever
 * the token differs. */
bool studio_path_has_token(const char *path, const char token[STUDIO_TOKEN + 1], const char **rest);

/** True if the header names this machine by its loopback: 127.0.0.1, localhost or [::1], and any port, for
 * tunnels. NULL is refused. */
bool studio_host_is_local(const char *host);

/** True without the header, as where a page loads its own parts, and if it is "http://" and `host`. */
bool studio_origin_is_own(const char *origin, const char *host);

#endif
