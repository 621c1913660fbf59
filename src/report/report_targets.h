/** What figures should be, by use and volume, each from a page that was read (in a stored copy of November
 * 2026). Where that page quotes a standard or a book, both are named, and only the page was seen.
 *
 * Targets of reverberation times hold at middle frequencies (500 and 1000 Hz). Nothing stands here without a
 * source; a use or volume that no source covers has no target.
 */
#ifndef SRC_REPORT_TARGETS_H
#define SRC_REPORT_TARGETS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct report_target {
    const char *figure;             /* name in run.json: "t30_s", "d50", "c80_db" */
    const char *use;                /* "speech", "music", "worship", "concerts" */
    const char *words;              /* for whom; says the use, too */
    double volume_low, volume_high; /* where it holds [m3] */
    double slope, constant;         /* T = slope lg(V / m3) + constant [s]; slope 0: `low` and `high` */
    double low, high;               /* -infinity, infinity: no limit */
    const char *title, *link;       /* of the source */
};

extern const struct report_target report_target[];
extern const size_t report_target_count;

/** The limits of a target in a room of `volume` [m3]: equal where it is one value. False where it does not
 * hold. */
bool report_target_limits(const struct report_target *target, double volume, double *low, double *high);

/** Is a value what a target asks for? Between limits, both included; where there is one limit, beyond it and
 * not on it; where both are one value, within a fifth of it (four just noticeable differences of a time). */
bool report_target_met(double low, double high, double value);

/** The first target of a figure and use that holds, or NULL. */
const struct report_target *report_target_find(const char *figure, const char *use, double volume);

/** Add those that hold for a run of report_room_volume() to its data as `targets`: `figure`, `use`, `words`,
 * `low`, `high` (null: no limit), `title`, `link`; and what the run has for it: `word` ("T30", or what stands
 * for it), `value` (the mean over the responses, null where absent), `octaves` and `count` in words ("500 and
 * 1000 Hz", "mean of 5 places"), `verdict` ("met", "not met", "not known") with `why` where it is not known.
 * A run that does not show 500 and 1000 Hz knows none of them: `targets_why` says so once, and which run
 * would tell; else it is null. */
void report_targets_add(cJSON *run);

#endif
