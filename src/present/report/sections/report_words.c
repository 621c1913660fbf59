#include <ctype.h>
#include <math.h>

#include "src/draw/html.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

/* Notes on a figure, in addition to its meaning in figure_table.h. */
static const char *const note[ALL_FIGURES] = {
    [FIGURE_T20] = T_LATER("How long the room takes to fall by 60 dB at that rate."),
    [FIGURE_T30] = T_LATER("How long the room takes to fall by 60 dB at that rate."),
    [FIGURE_EDT] = T_LATER("How long the room takes to fall by 60 dB at the rate of the first 10 dB."),
    [FIGURE_C50] = T_LATER("More is clearer."),
    [FIGURE_C80] = T_LATER("More is clearer."),
    [FIGURE_D50] = T_LATER("0 to 1; more is better for speech."),
    [FIGURE_TS] = T_LATER("It counts from the direct sound; less is clearer."),
    [FIGURE_LF] = T_LATER("It makes a room feel wide."),
    [FIGURE_LJ] = T_LATER("More is more enveloping."),
    [FIGURE_STI] =
        T_LATER("Below 0.30 it is called bad, then poor, from 0.45 fair, from 0.60 good and from 0.75 "
                "excellent (IEC 60268-16, as quoted by Audiomatica, CLIO user's manual, section 15.6)."),
};

static void put_figures(FILE *page, const struct report *report)
{
    (void)report;
    for (int f = 0; f < ALL_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        fputs("<dt>", page);
        const char *const meaning = T(kind->meaning);
        html_text(page, T(kind->word));
        fprintf(page, "</dt><dd>%c", toupper((unsigned char)meaning[0]));
        html_text(page, meaning + 1);
        fputs(note[f] != NULL ? ". " : ".", page);
        html_text(page, T(note[f]));
        fputs("</dd>\n", page);
    }
}

static void put_differences(FILE *page, const struct report *report)
{
    const char *comma = "";
    (void)report;
    for (int f = 0; f < ALL_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        char text[60];
        if (isnan(kind->jnd))
            continue;
        snprintf(text, sizeof text, "%s%s %s%s%s", comma, T(kind->word),
                 words_number("%g", kind->relative ? 100 * kind->jnd : kind->jnd).text,
                 kind->relative || kind->unit[0] != '\0' ? " " : "", kind->relative ? "%" : kind->unit);
        html_text(page, text);
        comma = ", ";
    }
}

void report_words(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(words), {"figures", .section = put_figures},
                {"differences", .section = put_differences});
}
