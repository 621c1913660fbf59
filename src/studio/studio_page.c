#include "src/studio/studio_page.h"

#include "src/base/words/catalogue.h"

void studio_page_parts(struct studio_part part[STUDIO_PAGE_PARTS])
{
    part[0] = (struct studio_part){"", "text/html; charset=utf-8", studio_page_html, studio_page_html_bytes};
    part[1] = (struct studio_part){"studio.css", "text/css; charset=utf-8", studio_page_style,
                                   studio_page_style_bytes};
    part[2] = (struct studio_part){"studio.js", "text/javascript; charset=utf-8", studio_page_script,
                                   studio_page_script_bytes};
    part[3] = (struct studio_part){"de.mo", "application/octet-stream", words_german, words_german_bytes};
}
