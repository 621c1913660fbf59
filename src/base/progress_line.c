#include "src/base/progress_line.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#define TERMINAL_INTERVAL 0.2  /* [s] */
#define LOG_INTERVAL      10.0 /* [s] */

static bool hidden;

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double progress_worked(void)
{
    struct timespec worked;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &worked) != 0)
        return NAN;
    return (double)worked.tv_sec + 1e-9 * (double)worked.tv_nsec;
}

void progress_line_hide(bool hide)
{
    hidden = hide;
}

void progress_line_start(struct progress_line *line, FILE *stream, double now)
{
    if (hidden)
        stream = NULL;
    const int descriptor = stream != NULL ? fileno(stream) : -1;
    *line = (struct progress_line){
        .stream = stream, .terminal = descriptor >= 0 && isatty(descriptor) == 1, .shown = now};
}

bool progress_line_due(const struct progress_line *line, double now)
{
    return line->stream != NULL && now - line->shown >= (line->terminal ? TERMINAL_INTERVAL : LOG_INTERVAL);
}

void progress_line_show(struct progress_line *line, double now, const char *text)
{
    if (line->stream == NULL)
        return;
    if (line->terminal)
        fprintf(line->stream, "\r%s\033[K", text); /* clears the rest of a longer last line */
    else
        fprintf(line->stream, "%s\n", text);
    fflush(line->stream);
    line->unfinished = line->terminal;
    line->shown = now;
}

void progress_line_end(struct progress_line *line)
{
    if (line->unfinished) {
        fputc('\n', line->stream);
        fflush(line->stream);
        line->unfinished = false;
    }
}
