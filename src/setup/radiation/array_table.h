/** An array of loudspeakers: a table of sources that sound together.
 *
 * Comma-separated lines (rooms/text/table_text.h) behind a header with the columns x, y, z [m] and any of
 * name, azimuth and elevation [degrees], gain_db, delay_ms and directivity (a file: relative to the table's
 * folder), in any order. An empty cell is a default: the name is that of the array with _1, _2.., the
 * azimuth none, so that the source faces the receivers, the rest 0, and omni. */
#ifndef SRC_ARRAY_TABLE_H
#define SRC_ARRAY_TABLE_H

#include "geometry/base/failure.h"
#include "src/base/options/room_request.h"

#define ARRAY_SOURCES_MOST 512

/** Zeroed is empty; owned, array_tables_free(). */
struct array_tables {
    struct option_places source;                    /* those of the request, then those of the arrays .. */
    struct option_texts directivity, aim, together; /* .. and in the same way these */
    size_t texts;
    char **text; /* (texts) that the lists borrow */
};

/** Read the arrays of a request, NAME=FILE, and replace its lists of sources, directivities, aims and groups
 * by those of `out`. Without arrays nothing changes. FAILURE_INPUT with the line of a table that has an
 * unknown, repeated or missing column, a value that is no number, or no row; FAILURE_CAPACITY. */
int array_tables_read(struct room_request *request, struct array_tables *out, struct failure *failure);
void array_tables_free(struct array_tables *tables);

#endif
