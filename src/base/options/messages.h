/** Failures and warnings on standard error: sentences for people or, with --json, one line of JSON each.
 *
 *     {"error": {"kind": "input", "status": 2, "subject": [{"option": "--fmax"}],
 *                "message": "..", "advice": "..", "fix": {"key": "fmax_hz", "value": 355}, "notes": []}}
 *     {"warning": {"message": "..", "advice": ".."}}
 *
 * Every line has every name; `advice` is null without advice, and `fix` where no key of a project
 * follows it. The user's page is
 * src/manual/machine.md.
 */
#ifndef SRC_MESSAGES_H
#define SRC_MESSAGES_H

#include <stdbool.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "src/base/options/failure_text.h"

/** Lines of JSON? Of the process; main() sets it before anything can fail. */
extern bool messages_are_json;

/** True if the arguments of a command have `--json` or `--progress json`. */
bool messages_ask_json(int argc, char *const *argv);

/** The word of an exit status: "input"; "failed" for one without. */
const char *failure_kind(enum failure_code code);

/** Print it; nothing if nothing failed. */
void message_failure(FILE *stream, const struct failure *failure);

/** The line of JSON of a failure, also if messages are sentences; into `text`, returned. */
#define MESSAGE_FAILURE_MAX (2 * (FAILURE_TEXT_MAX + sizeof(struct failure)) + 512)
const char *message_failure_json(const struct failure *failure, char text[MESSAGE_FAILURE_MAX]);

/** Print a warning, or pass it to a listener (base/listener.h); `advice` may be empty. */
__attribute__((format(printf, 3, 4))) void message_warning(FILE *stream, const char *advice,
                                                           const char *format, ...);

/** The line of message_failure() from literals, for code that cannot call it; `advice` as JSON. */
#define MESSAGE_ENDED_JSON(kind, status, message, advice)                                                    \
    "{\"error\":{\"kind\":\"" kind "\",\"status\":" status ",\"subject\":[],\"message\":\"" message          \
    "\",\"advice\":" advice ",\"notes\":[]}}\n"

#endif
