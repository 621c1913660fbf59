/** Failures and warnings on standard error: sentences for people, or, where a command was asked for JSON, one
 * line of JSON each.
 *
 *     {"error": {"kind": "input", "status": 2, "subject": [{"option": "--fmax"}],
 *                "message": "..", "advice": "..", "notes": []}}
 *     {"warning": {"message": "..", "advice": ".."}}
 *
 * Every name is there in every line; `advice` is null where there is none. The user's page is
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

/** Do the arguments of a command ask for it: is `--json` or `--progress json` among them? */
bool messages_ask_json(int argc, char *const *argv);

/** The word of an exit status: "input"; "failed" for one without. */
const char *failure_kind(enum failure_code code);

/** Print it; nothing where nothing failed. */
void message_failure(FILE *stream, const struct failure *failure);

/** The line of JSON of a failure, whatever the process was asked for; into `text`, returned. */
#define MESSAGE_FAILURE_MAX (2 * (FAILURE_TEXT_MAX + sizeof(struct failure)) + 512)
const char *message_failure_json(const struct failure *failure, char text[MESSAGE_FAILURE_MAX]);

/** Print a warning, or tell it to who listens (base/listener.h); `advice`, which mends it, may be empty. */
__attribute__((format(printf, 3, 4))) void message_warning(FILE *stream, const char *advice,
                                                           const char *format, ...);

/** What message_failure() prints, for those who cannot call it: literals, `advice` as JSON. */
#define MESSAGE_ENDED_JSON(kind, status, message, advice)                                                    \
    "{\"error\":{\"kind\":\"" kind "\",\"status\":" status ",\"subject\":[],\"message\":\"" message          \
    "\",\"advice\":" advice ",\"notes\":[]}}\n"

#endif
