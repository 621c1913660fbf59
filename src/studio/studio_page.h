/** The page, embedded when the program is built (page.cmake). */
#ifndef SRC_STUDIO_PAGE_H
#define SRC_STUDIO_PAGE_H

#include <stddef.h>

#include "src/studio/studio_server.h"

/** No zero at their ends. The script is empty (0 bytes) where there was no Node to bundle it. */
extern const char studio_page_html[], studio_page_style[], studio_page_script[];
extern const size_t studio_page_html_bytes, studio_page_style_bytes, studio_page_script_bytes;

/** The last is the German catalogue (src/base/words/catalogue.h). */
#define STUDIO_PAGE_PARTS 4
void studio_page_parts(struct studio_part part[STUDIO_PAGE_PARTS]);

#endif
