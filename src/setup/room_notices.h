/** Facts and warnings while a room is set up and run, on standard error. Warnings are kept for the record.
 */
#ifndef SRC_ROOM_NOTICES_H
#define SRC_ROOM_NOTICES_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Owned: room_notices_free(). Zeroed prints everything. */
struct room_notices {
    bool quiet;       /* facts are not printed */
    bool silent;      /* warnings are kept and not printed */
    unsigned command; /* whose options avoid the warning (command_bit); 0: any */
    size_t warning_count;
    char **warning; /* (warning_count) as printed, without "transept: warning: " */
};

void room_notices_free(struct room_notices *notices);

/** Print a fact unless quiet. */
__attribute__((format(printf, 2, 3))) void room_say(const struct room_notices *notices, const char *format,
                                                    ...);

/** Print a warning ("transept: warning: ...") unless silent, and keep it; followed by a semicolon and the
 * advice. */
__attribute__((format(printf, 4, 5))) void room_warn_advise(struct room_notices *notices,
                                                            enum failure_advice advice, double value,
                                                            const char *format, ...);

/** The same without advice. */
#define room_warn(notices, ...) room_warn_advise(notices, ADVICE_NONE, 0, __VA_ARGS__)

/** "1.5, 2.033, 1.2 m": a position to the millimetre, for any origin. Into `text`, returned. */
#define ROOM_PLACE_MAX 96
const char *room_place(const double position[3], char text[ROOM_PLACE_MAX]);

#endif
