/** The progress of long work as one line: rewritten in place on a terminal, repeated at intervals in a
 * log. */
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

/** Lines that start from now on are quiet: a program receives the progress instead (progress_json.h). */
void progress_line_hide(bool hide);

void progress_line_start(struct progress_line *line, FILE *stream, double now);

/** True if a new line is due, so that callers need not format one that is not shown. @param now [s], any
 * origin */
bool progress_line_due(const struct progress_line *line, double now);

/** Show `text` (one line, UTF-8, no newline), due or not. */
void progress_line_show(struct progress_line *line, double now, const char *text);

/** Leave the cursor at the start of a fresh line. */
void progress_line_end(struct progress_line *line);

/** Seconds of a monotonic clock. */
double progress_clock(void);

/** Processor time of this process, all threads together [s]; NAN if the system does not report it. */
double progress_worked(void);

#endif
