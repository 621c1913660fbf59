/** What only one of two compared runs has. */
#ifndef SRC_ONLY_ONE_RUN_H
#define SRC_ONLY_ONE_RUN_H

#include <cjson/cJSON.h>

#include "src/compare/run_comparison.h"

/** Add `name` to `object`: what only that run has, of responses and maps that are compared, `octaves_hz`; in
 * octaves that both have, `figures` (`word`, `octaves_hz`, `single_number`: only it has that); and `maps`
 * (`name`, `source`) without a partner. The level of the band is left out, which only runs to one fmax share.
 * False without memory. */
bool only_one_run_add(cJSON *object, const char *name, const struct run_comparison *comparison, int run);

#endif
