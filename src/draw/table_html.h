/** A table of src/base/table as HTML: <table class="figures" data-table="means">, the caption, a <thead>
 * where the first row holds heads, and cells whose numbers and texts have their keys, as html.h writes them.
 */
#ifndef SRC_TABLE_HTML_H
#define SRC_TABLE_HTML_H

#include "src/base/table/table.h"

#include <stdio.h>

void table_html(FILE *page, const struct table *table);

/** The marks of a decay (enum figure_mark), with their meaning on hover. */
void html_marks(FILE *page, unsigned marks);

#endif
