/** The line that shows how far long work has come: rewritten in place on a terminal, now and then in a log.
 */
#ifndef SRC_PROGRESS_LINE_H
#define SRC_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdio.h>

/** Start with progress_line_start(). Borrows the stream. */
struct progress_line {
    FILE *stream;    /* NULL: quiet */
    bool terminal;   /* rewrite one line, at most 5 times a second; else a new line every 10 s */
    bool unfinished; /* the terminal's cursor is at the end of a line of ours */
    double shown;    /* time of the last line [s] */
};

/** From now on all that are started are quiet: progress is told to a program (progress_json.h). */
void progress_line_hide(bool hide);

void progress_line_start(struct progress_line *line, FILE *stream, double now);

/** Is it time for a new line? So that callers need not make one that is not shown. @param now [s], any origin
 */
bool progress_line_due(const struct progress_line *line, double now);

/** Show `text` (one line, UTF-8, no newline) whether or not it is time. */
void progress_line_show(struct progress_line *line, double now, const char *text);

/** Leave the cursor at the start of a fresh line. */
void progress_line_end(struct progress_line *line);

/** Seconds of a clock that only runs forward. */
double progress_clock(void);

/** Seconds that the processors have worked for this process, all its threads together; NAN where the system
 * does not say. */
double progress_worked(void);

#endif
