/** Style, script and templates of a report, embedded when the program is built (src/present/report). */
#ifndef SRC_REPORT_TEXT_H
#define SRC_REPORT_TEXT_H

#include <stddef.h>

/** No zero at their ends. `report_script` is empty (0 bytes) where there was no Node to bundle it. */
extern const char report_style[], report_script[];
extern const size_t report_style_bytes, report_script_bytes;

struct report_text {
    const char *text;
    size_t bytes;
};

/** templates/NAME.html is report_NAME_html. */
/* clang-format off */
#define REPORT_TEMPLATES(X) \
    X(page) X(letterhead) X(decision) X(summary) X(what) X(findings) X(guesses) X(leaks) X(two_runs) X(cautions) \
    X(places) X(extremes) X(doubts) X(differences) X(only) X(octaves) X(room) X(listen) X(player) X(times) X(decay) X(octave_times) X(join) X(spectrum) \
    X(maps) X(energy) X(surfaces) X(inputs) X(sheets) X(engineers) X(words)
/* clang-format on */
#define REPORT_TEMPLATE(name) ((struct report_text){report_##name##_html, report_##name##_html_bytes})
#define DECLARE(name)                                                                                        \
    extern const char report_##name##_html[];                                                                \
    extern const size_t report_##name##_html_bytes;
REPORT_TEMPLATES(DECLARE)
#undef DECLARE

#endif
