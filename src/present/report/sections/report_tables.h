/** The tables of a page as CSV (table_csv.h), added one after the other as the page is written: a new table
 * of the page is one of them by itself.
 *
 * A file is named after its table: its name, or else the last word of its class, and of two runs "_a" or "_b"
 * for a table of one of them: table_means_b.csv. A second one of a name ends in "_2". tables.csv lists the
 * files with their captions.
 */
#ifndef SRC_REPORT_TABLES_H
#define SRC_REPORT_TABLES_H

#include "src/run_folder/output_folder.h"
#include "src/base/table/table.h"

#define REPORT_TABLES_LIST "tables.csv"

struct report_table_file {
    char name[140];
    char *data, *caption; /* owned: the file, and its field of the list */
    size_t size;
};

/** Zeroed is empty. */
struct report_tables {
    size_t count;
    struct report_table_file *file; /* owned */
};

/** A table of one run (0, 1), or of none in particular (-1). Without memory as table.h has it. */
void report_tables_add(struct report_tables *tables, const struct table *table, int run);
void report_tables_free(struct report_tables *tables);

/** Put them into `folder`, which is held, the list last. FAILURE_OUTPUT, FAILURE_CAPACITY. */
int report_tables_put(const struct report_tables *tables, struct output_folder *folder,
                      struct failure *failure);

/** For struct output_folder: a table of an earlier page. */
bool report_tables_name_is_ours(const char *name);

#endif
