/* The real church at length against the peer, on a GPU or with patience; turned on the grid:
 * tools/turn-church.
 *
 *   church_check DATA [--grid 23|65] [--what peer,early,times] [--backend cuda|cpu] [--threads N] [--seconds
 * S]
 *
 * DATA is the folder ctk_church. On the grid of 23.35 mm (128 million stored nodes, 1.1 GB without walls)
 * `times` makes four runs of 76,460 steps; on that of 65.37 mm each takes minutes of a processor.
 *
 *   peer    T30 of the peer's own responses, against its own figures
 *   early   60 ms from the direct sound on, 80 to 400 Hz, against the peer's, with its walls; beside it,
 *           without a target, what the default walls and a grid offset by half a cell make of them
 *   times   T30, mean of the receivers, against the peer's on the fine grid: with its walls, with our fits
 *
 * The default walls have the half-cell inertance and areas brought to the mesh's; first-order walls neither.
 * Status: 0 all is as it should be, 1 something is not, else that of the failure. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/options/failure_text.h"
#include "tests/accuracy/church_run.h"
#include "tests/accuracy/church_sound.h"

#define OCTAVES 5 /* the peer's and 1000 Hz */
#define POINTS  10.5

enum { PEER = 1, EARLY = 2, TIMES = 4 };
static const double octave[OCTAVES] = {63, 125, 250, 500, 1000};

/* A kind of wall; each is run once and kept. */
enum { FIRST_ORDER_PEERS, FIRST_ORDER_FITS, DEFAULT_PEERS, DEFAULT_FITS, KINDS };
static const char *const kind_name[KINDS] = {"its walls, first order", "our fits, first order",
                                             "its walls, default", "our fits, default"};

struct check {
    const char *folder;
    bool fine;
    int what;
    double seconds;
    struct engine_options engine;
    struct church_places places;
    struct church_peer peer; /* on the grid */
    struct church_output ours[KINDS];
    int missed;
};

/* ---- one line of the table ---- */

__attribute__((format(printf, 4, 5))) static void line(struct check *check, const char *what, int verdict,
                                                       const char *format, ...)
{
    static const char *const word[] = {"MISSED", "PASS", "-"};
    char figures[200];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(figures, sizeof figures, format, values);
    va_end(values);
    (void)printf("%-42s %-58s %s\n", what, figures, word[verdict]);
    (void)fflush(stdout);
    check->missed += verdict == 0;
}
#define SHOWN 2

/* " (0.99)", or nothing where there is no limit. */
static const char *limit_text(double limit, char text[20])
{
    (void)snprintf(text, 20, limit > 0 && isfinite(limit) ? " (%g)" : "", limit);
    return text;
}

/* ---- runs ---- */

/* The highest frequency that a grid carries. */
static double fmax_of(const struct church_peer *peer)
{
    return CHURCH_SOUND_SPEED / (POINTS * peer->spacing);
}

static bool in_band(const struct check *check, int b)
{
    return octave[b] * pow(10, 0.15) <= fmax_of(&check->peer);
}

static double duration(const struct check *check)
{
    double early = 0;
    for (int r = 0; r < CHURCH_RECEIVERS; ++r)
        early = fmax(early, (double)church_early_steps(check->places.distance[r], 1 / check->peer.period) *
                                check->peer.period);
    return (check->what & TIMES) != 0 && check->seconds > early ? check->seconds : early * 1.001;
}

static int run(struct check *check, int kind, double shift, struct church_output *out,
               struct failure *failure)
{
    const bool standard = kind == DEFAULT_PEERS || kind == DEFAULT_FITS;
    struct church_case wanted = {
        .folder = check->folder,
        .spacing = check->peer.spacing,
        .courant = check->peer.courant,
        .walls = kind == FIRST_ORDER_FITS || kind == DEFAULT_FITS ? CHURCH_FITTED_WALLS : CHURCH_PEERS_WALLS,
        .inertance = standard,
        .rescaled = standard,
        .duration = duration(check),
        .engine = check->engine,
    };
    for (int axis = 0; axis < 3; ++axis)
        wanted.node[axis] = check->peer.node[axis] + shift * wanted.spacing;
    TRY(church_run(&wanted, out, failure));
    (void)printf("# %s: %s, %.1f M stored nodes, %zu steps of %.3f ms\n", kind_name[kind], out->description,
                 out->nodes / 1e6, out->steps, 1e3 * out->seconds / (double)out->steps);
    (void)fflush(stdout);
    return 0;
}

static int ours(struct check *check, int kind, struct failure *failure)
{
    return check->ours[kind].raw != NULL ? 0 : run(check, kind, 0, &check->ours[kind], failure);
}

/* ---- the early waveform ---- */

static void early(struct check *check, const char *what, const double *a, size_t a_stride, const double *b,
                  size_t b_stride, double least, double most_level)
{
    for (int r = 0; r < CHURCH_RECEIVERS; ++r) {
        char name[130];
        const struct church_match match = church_match(a + (size_t)r * a_stride, b + (size_t)r * b_stride,
                                                       check->places.distance[r], 1 / check->peer.period);
        const int good = match.correlation >= least && fabs(match.lag) < 1 && fabs(match.level) <= most_level;
        (void)snprintf(name, sizeof name, "early R%d, %s", r + 1, what);
        char limit[3][20];
        line(check, name, least > 0 ? good : SHOWN, "%.4f%s, lag %+.2f%s, %+.2f dB%s", match.correlation,
             limit_text(least, limit[0]), match.lag, limit_text(least > 0, limit[1]), match.level,
             limit_text(most_level, limit[2]));
    }
}

static int early_against_peer(struct check *check, struct failure *failure)
{
    const struct church_peer *peer = &check->peer;
    struct church_output offset = {0};
    TRY(ours(check, FIRST_ORDER_PEERS, failure));
    TRY(ours(check, DEFAULT_PEERS, failure));
    early(check, kind_name[FIRST_ORDER_PEERS], check->ours[FIRST_ORDER_PEERS].raw,
          check->ours[FIRST_ORDER_PEERS].steps, peer->raw, peer->samples, check->fine ? 0.99 : 0.995,
          check->fine ? 0.3 : 0.2);
    early(check, kind_name[DEFAULT_PEERS], check->ours[DEFAULT_PEERS].raw, check->ours[DEFAULT_PEERS].steps,
          peer->raw, peer->samples, 0, 0);
    if (check->fine)
        return 0;
    TRY(run(check, FIRST_ORDER_PEERS, 0.5, &offset, failure));
    early(check, "offset by half a cell", offset.raw, offset.steps, peer->raw, peer->samples, 0, 0);
    church_output_free(&offset);
    return 0;
}

/* ---- reverberation times ---- */

static int times_of(const struct check *check, const double *raw, size_t count, double rate, double highest,
                    double t30[CHURCH_RECEIVERS][OCTAVES], struct failure *failure)
{
    for (size_t r = 0; r < CHURCH_RECEIVERS; ++r)
        TRY(church_t30(raw + r * count, count, rate, highest, check->places.distance[r], OCTAVES, t30[r],
                       failure));
    return 0;
}

static double mean(double t30[CHURCH_RECEIVERS][OCTAVES], int b)
{
    double sum = 0;
    for (int r = 0; r < CHURCH_RECEIVERS; ++r)
        sum += t30[r][b];
    return sum / CHURCH_RECEIVERS;
}

/* The means of the receivers, octave by octave, and beside them the receiver that is farthest off. */
static void compare_times(struct check *check, const char *what, double a[CHURCH_RECEIVERS][OCTAVES],
                          double b[CHURCH_RECEIVERS][OCTAVES], double within, int first, int last)
{
    for (int o = 0; o < OCTAVES; ++o) {
        char name[100];
        double worst = 0;
        const double off = 100 * (mean(a, o) / mean(b, o) - 1);
        const bool asked = within > 0 && o >= first && o <= last && in_band(check, o);
        if (isnan(off) && !asked)
            continue;
        for (int r = 0; r < CHURCH_RECEIVERS; ++r) {
            const double one = 100 * (a[r][o] / b[r][o] - 1);
            worst = fabs(one) > fabs(worst) ? one : worst;
        }
        (void)snprintf(name, sizeof name, "T30 %g Hz, %s", octave[o], what);
        char limit[20];
        line(check, name, asked ? fabs(off) <= within : SHOWN, "%.3f for %.3f s, %+.2f %%%s, at worst %+.1f",
             mean(a, o), mean(b, o), off, limit_text(asked ? within : 0, limit), worst);
    }
}

/* T30 of the peer's responses, which are long enough on the fine grid alone. */
static int peers_times(struct check *check, double t30[CHURCH_RECEIVERS][OCTAVES], struct failure *failure)
{
    struct church_peer fine = {0};
    TRY(church_peer_read(check->folder, CHURCH_FINE, &fine, failure));
    int code = times_of(check, fine.raw, fine.samples, 1 / fine.period, fmax_of(&fine), t30, failure);
    for (int b = 0; code == 0 && (check->what & PEER) != 0 && b < CHURCH_OCTAVES; ++b) {
        char name[100];
        double worst = 0;
        bool good = true;
        for (int r = 0; r < CHURCH_RECEIVERS; ++r) {
            const double one = 100 * (t30[r][b] / fine.t30[r][b] - 1);
            worst = fabs(one) > fabs(worst) ? one : worst;
            good = good && fabs(one) <= 0.5;
        }
        (void)snprintf(name, sizeof name, "T30 %g Hz, the peer's own responses", octave[b]);
        line(check, name, good, "at worst %+.2f %% (0.5) off peer.json", worst);
    }
    church_peer_free(&fine);
    return code;
}

static int times_against_peer(struct check *check, struct failure *failure)
{
    static const double within[KINDS] = {3, 5, 0, 0};
    double peer[CHURCH_RECEIVERS][OCTAVES], t30[CHURCH_RECEIVERS][OCTAVES];
    TRY(peers_times(check, peer, failure));
    for (int kind = 0; kind < KINDS && (check->what & TIMES) != 0; ++kind) {
        TRY(ours(check, kind, failure));
        TRY(times_of(check, check->ours[kind].raw, check->ours[kind].steps, check->ours[kind].rate,
                     fmax_of(&check->peer), t30, failure));
        /* The coarse grid has an error of its own, the peer's as ours: there the figures are only shown. */
        compare_times(check, kind_name[kind], t30, peer, check->fine ? within[kind] : 0, 1, 3);
    }
    return 0;
}

/* ---- from the command line ---- */

static int usage(const char *wrong)
{
    (void)fprintf(stderr,
                  "church_check: %s\nusage: church_check DATA [--grid 23|65] [--what peer,early,times] "
                  "[--backend cuda|cpu] [--threads N] [--seconds S]\n",
                  wrong);
    return FAILURE_INPUT;
}

static int read_what(char *text)
{
    static const char *const word[] = {"peer", "early", "times"};
    int what = 0;
    for (char *rest = NULL, *each = strtok_r(text, ",", &rest); each != NULL;
         each = strtok_r(NULL, ",", &rest)) {
        int w = 0;
        while (w < 3 && strcmp(each, word[w]) != 0)
            ++w;
        if (w == 3)
            return 0;
        what |= 1 << w;
    }
    return what;
}

static int read_arguments(int argc, char **argv, struct check *check)
{
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] != '-') {
            if (check->folder != NULL)
                return usage("one folder");
            check->folder = argv[i];
            continue;
        }
        if (i + 1 == argc)
            return usage("an option needs a value");
        const char *option = argv[i++];
        if (strcmp(option, "--grid") == 0 && (strcmp(argv[i], "23") == 0 || strcmp(argv[i], "65") == 0))
            check->fine = argv[i][0] == '2';
        else if (strcmp(option, "--backend") == 0 &&
                 (strcmp(argv[i], "cuda") == 0 || strcmp(argv[i], "cpu") == 0))
            check->engine.backend = argv[i][1] == 'u' ? BACKEND_CUDA : BACKEND_CPU;
        else if (strcmp(option, "--threads") == 0 && atoi(argv[i]) > 0)
            check->engine.threads = atoi(argv[i]);
        else if (strcmp(option, "--seconds") == 0 && atof(argv[i]) > 0)
            check->seconds = atof(argv[i]);
        else if (strcmp(option, "--what") == 0)
            check->what = read_what(argv[i]);
        else
            return usage("an unknown option or value");
    }
    return check->folder == NULL || check->what == 0 ? usage("no folder, or nothing to do") : 0;
}

static int check_all(struct check *check, struct failure *failure)
{
    TRY(church_places_read(check->folder, &check->places, failure));
    TRY(church_peer_read(check->folder, check->fine ? CHURCH_FINE : CHURCH_COARSE, &check->peer, failure));
    if ((check->what & (PEER | TIMES)) != 0)
        TRY(times_against_peer(check, failure));
    if ((check->what & EARLY) != 0)
        TRY(early_against_peer(check, failure));
    return 0;
}

int main(int argc, char **argv)
{
    struct check check = {.what = PEER | EARLY | TIMES, .seconds = 3, .engine = {.backend = BACKEND_CPU}};
    struct failure failure = {0};
    char text[FAILURE_TEXT_MAX];
    int code = read_arguments(argc, argv, &check);
    if (code != 0)
        return code;
    code = check_all(&check, &failure);
    if (code != 0)
        (void)fprintf(stderr, "church_check: %s\n", failure_text(&failure, text));
    else
        (void)printf("%s\n", check.missed == 0 ? "all as it should be" : "not all as it should be");
    for (int kind = 0; kind < KINDS; ++kind)
        church_output_free(&check.ours[kind]);
    church_peer_free(&check.peer);
    return code != 0 ? code : check.missed != 0;
}
