#include "src/base/progress_json.h"

#include <math.h>
#include <pthread.h>

#include <cjson/cJSON.h>

#include "src/base/json_memory.h"
#include "src/base/listener.h"
#include "src/base/progress_line.h"
#include "src/base/table/json_values.h"

#define APART 0.2  /* between two lines of a phase [s] */
#define EARLY 0.02 /* of a phase, before which the seconds left are not predicted */

static struct {
    FILE *stream; /* NULL: nothing is written */
    const char *variant, *phase, *source;
    double begun, shown;   /* [s] of progress_clock() */
    double fraction, from; /* the highest so far; the first that was reported */
    double low, high;      /* of the piece, as shares of the phase */
    double field[3];       /* of progress_json_field() */
    struct part {
        size_t number, count; /* count 0: the phase is none */
        double low, high;     /* shares of the command */
        double seconds;       /* of all parts, as predicted; 0: unknown */
    } part, next;             /* next: of the phase that begins next */
    double whole_begun,
        whole_from; /* when the first share of the command was reported, and which; NAN: none */
} progress = {.whole_from = NAN};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_reported(void)
{
    return progress.stream != NULL || listener_now() != NULL;
}

/* Follows from the rate since the first reported fraction, since work of an earlier process took no time
 * of this one. NAN if unknown. */
static double seconds_left(double now)
{
    const double done = progress.fraction - progress.from,
                 left = (1 - progress.fraction) * (now - progress.begun) / done;
    return done >= EARLY && isfinite(left) ? 0.1 * round(10 * left) : NAN;
}

static void add_seconds(cJSON *object, double left)
{
    cJSON_AddItemToObject(object, "seconds_left",
                          isfinite(left) ? cJSON_CreateNumber(left) : cJSON_CreateNull());
}

/* How far the command is, and what it has left at the rate since the first share that was reported. */
static void add_part(cJSON *line, double fraction, double now)
{
    const struct part *part = &progress.part;
    if (part->count == 0)
        return;
    const double whole = part->low + fraction * (part->high - part->low);
    if (isnan(progress.whole_from) && !isnan(progress.from)) {
        progress.whole_from = whole;
        progress.whole_begun = now;
    }
    const double done = whole - progress.whole_from,
                 rate = done >= EARLY       ? done / (now - progress.whole_begun)
                        : part->seconds > 0 ? 1 / part->seconds
                                            : NAN,
                 left = (1 - whole) / rate;
    cJSON *object = json_object_in(line, "run");
    JSON_PUT(object, {"number", OF_NUMBER((double)part->number)}, {"count", OF_NUMBER((double)part->count)},
             {"fraction", OF_NUMBER(1e-4 * floor(1e4 * whole))});
    add_seconds(object, isfinite(left) ? 0.1 * round(10 * left) : NAN);
}

static void write_line(double fraction, double left, double now)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "phase", progress.phase);
    cJSON_AddNumberToObject(object, "fraction", fraction);
    add_seconds(object, left);
    cJSON_AddItemToObject(object, "variant", json_of_text(progress.variant));
    cJSON_AddItemToObject(object, "source", json_of_text(progress.source));
    static const char *const of_field[] = {"level_db", "fallen_db", "pictured_s"};
    for (size_t f = 0; f < sizeof of_field / sizeof *of_field; f++)
        if (isfinite(progress.field[f]))
            cJSON_AddNumberToObject(object, of_field[f], progress.field[f]);
    add_part(object, fraction, now);
    char *text = cJSON_PrintUnformatted(object);
    if (text != NULL && !json_memory_ran_out()) {
        (void)fprintf(progress.stream, "%s\n", text);
        (void)fflush(progress.stream);
    }
    cJSON_free(text);
    cJSON_Delete(object);
}

static void report_progress(double now)
{
    const struct listener *listener = listener_now();
    const double fraction = 1e-4 * floor(1e4 * progress.fraction), left = seconds_left(now);
    if (listener != NULL)
        listener->progress(listener->context, progress.phase, fraction, left, progress.variant,
                           progress.source);
    else
        write_line(fraction, left, now);
    progress.shown = now;
}

static void end_phase(double now)
{
    if (progress.phase == NULL)
        return;
    progress.fraction = 1;
    report_progress(now);
    progress.phase = NULL;
}

void progress_json_to(FILE *stream)
{
    progress.stream = stream;
}

void progress_json_variant(const char *variant)
{
    progress_json_end();
    progress.variant = variant;
    progress.whole_from = NAN;
}

void progress_json_part(size_t number, size_t count, double low, double high, double seconds)
{
    (void)pthread_mutex_lock(&lock);
    progress.next = (struct part){number, count, low, high, seconds};
    (void)pthread_mutex_unlock(&lock);
}

void progress_json_begin(const char *phase, const char *source)
{
    if (!is_reported())
        return;
    (void)pthread_mutex_lock(&lock);
    const double now = progress_clock();
    end_phase(now);
    progress.phase = phase;
    progress.source = source;
    progress.begun = now;
    progress.fraction = 0;
    progress.from = NAN;
    progress.low = 0;
    progress.high = 1;
    progress.part = progress.next;
    progress.next = (struct part){0};
    progress.field[0] = progress.field[1] = progress.field[2] = NAN;
    report_progress(now);
    (void)pthread_mutex_unlock(&lock);
}

void progress_json_field(double level_db, double fallen_db, double pictured_s)
{
    (void)pthread_mutex_lock(&lock);
    progress.field[0] = 0.1 * round(10 * level_db);
    progress.field[1] = 0.1 * round(10 * fallen_db);
    progress.field[2] = pictured_s;
    (void)pthread_mutex_unlock(&lock);
}

void progress_json_show(double fraction)
{
    if (!is_reported())
        return;
    (void)pthread_mutex_lock(&lock);
    const double now = progress_clock();
    const double share = progress.low + fmin(fraction, 1) * (progress.high - progress.low);
    progress.fraction = fmax(progress.fraction, share);
    if (isnan(progress.from)) {
        progress.from = progress.fraction;
        progress.begun = now;
    }
    if (progress.phase != NULL && now - progress.shown >= APART && progress.fraction < 1)
        report_progress(now);
    (void)pthread_mutex_unlock(&lock);
}

void progress_json_piece(size_t number, size_t count)
{
    (void)pthread_mutex_lock(&lock);
    progress.low = (double)number / (double)count;
    progress.high = (double)(number + 1) / (double)count;
    (void)pthread_mutex_unlock(&lock);
    progress_json_show(0);
}

void progress_json_end(void)
{
    if (!is_reported())
        return;
    (void)pthread_mutex_lock(&lock);
    end_phase(progress_clock());
    (void)pthread_mutex_unlock(&lock);
}

void progress_json_drop(void)
{
    (void)pthread_mutex_lock(&lock);
    progress.phase = progress.source = progress.variant = NULL;
    (void)pthread_mutex_unlock(&lock);
}
