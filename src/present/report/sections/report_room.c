#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"

/* The colour of a material, as in the plan. */
static void put_colour(FILE *page, const struct report *report, size_t run, size_t m)
{
    const struct report_surface *surface = &report->run[run].mesh->surfaces.item[m];
    unsigned part[3];
    for (int c = 0; c < 3; c++)
        part[c] = (unsigned)(surface->colour[c] * REPORT_PLAN_SHADE + 0.5);
    fprintf(page, "#%02x%02x%02x", part[0], part[1], part[2]);
}

void report_room(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(room), {"colour", .item = put_colour});
}
