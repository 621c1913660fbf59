#include <string.h>

#include "geometry/base/base64.h"
#include "src/base/words/words.h"
#include "src/draw/html.h"
#include "src/present/report/sections/report_page.h"

/* run.json may come from anywhere: only a picture is taken for one. */
static bool is_picture(const char *uri)
{
    static const char *const begin[] = {"data:image/png;base64,", "data:image/jpeg;base64,"};
    for (size_t i = 0; uri != NULL && i < sizeof begin / sizeof begin[0]; i++) {
        const size_t length = strlen(begin[i]);
        if (strncmp(uri, begin[i], length) == 0)
            return uri[length + strspn(uri + length, BASE64_DIGITS "=")] == '\0';
    }
    return false;
}

static void put_lines(FILE *page, const struct report *report)
{
    const struct record_page *of = report->page;
    for (size_t i = 0; i < of->lines.count; i++) {
        fputs(i > 0 || of->name != NULL ? "<br>" : "", page);
        html_text(page, of->lines.text[i]);
    }
}

void report_letterhead(FILE *page, const struct report *report)
{
    const struct record_page *of = report->page;
    if (of == NULL || (of->name == NULL && of->lines.count == 0 && !is_picture(of->logo)))
        return;
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(letterhead), {"name", .text = of->name},
                {"logo", .text = is_picture(of->logo) ? of->logo : NULL},
                {"alternative", .text = of->name != NULL ? of->name : T("Logo")},
                {"lines", .section = put_lines});
}
