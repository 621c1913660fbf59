/** What the options of a command line ask of a room. */
#ifndef SRC_REQUEST_FROM_OPTIONS_H
#define SRC_REQUEST_FROM_OPTIONS_H

#include "src/base/options/options.h"
#include "src/setup/room_request.h"

/** The request that `options` stand for; it borrows what they borrow and must not outlive them. What no
 * option says is left to the command: whether the model has to be complete, and what is placed, looked for or
 * allowed. */
struct room_request request_from_options(const struct options *options);

#endif
