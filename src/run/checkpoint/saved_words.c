#include "src/run/checkpoint/saved_words.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANY (-DBL_MAX) /* the least of a number that need only be finite */

/* One walk over the state for counting, writing and reading. */
struct words {
    size_t count, next; /* in `in`; the number of the next one */
    const double *in;   /* read */
    double *out;        /* written, as many as there are; both NULL: only counted */
    char *wrong;        /* the first that is, while reading */
};

/* A word that may be anything. */
static void any(struct words *words, void *value)
{
    const size_t n = words->next++;
    if (words->in != NULL && n < words->count)
        memcpy(value, &words->in[n], sizeof *words->in);
    else if (words->in != NULL && words->wrong[0] == '\0')
        (void)snprintf(words->wrong, SAVED_WRONG_MAX, "its state ends after %zu words", words->count);
    else if (words->out != NULL)
        memcpy(&words->out[n], value, sizeof *words->out);
}

bool saved_count_fits(const char *name, uint64_t value, uint64_t least, uint64_t most,
                      char wrong[SAVED_WRONG_MAX])
{
    const unsigned long long is = value, low = least, high = most;
    if (value >= least && value <= most)
        return true;
    if (least == most)
        (void)snprintf(wrong, SAVED_WRONG_MAX, "its %s is %llu, and %llu in this run", name, is, low);
    else
        (void)snprintf(wrong, SAVED_WRONG_MAX, "its %s is %llu, and from %llu to %llu in this run", name, is,
                       low, high);
    return false;
}

/* `value` stays what it was where the word is none of least .. most. */
static void whole(struct words *words, const char *name, uint64_t *value, uint64_t least, uint64_t most)
{
    char wrong[SAVED_WRONG_MAX];
    uint64_t found = *value;
    any(words, &found);
    if (words->in == NULL)
        return;
    if (saved_count_fits(name, found, least, most, wrong))
        *value = found;
    else if (words->wrong[0] == '\0')
        memcpy(words->wrong, wrong, sizeof wrong);
}

static void real(struct words *words, const char *name, double *value, double least)
{
    any(words, value);
    if (words->in != NULL && !(isfinite(*value) && *value >= least) && words->wrong[0] == '\0')
        (void)snprintf(words->wrong, SAVED_WRONG_MAX, "its %s is %g, and %s in every run", name, *value,
                       least == ANY ? "finite" : "finite and 0 or more");
}

/* Not a number before the first look. */
static void walk_record(struct words *words, struct field_record *record, uint64_t steps)
{
    any(words, &record->energy_start);
    any(words, &record->energy_end);
    any(words, &record->energy_rise);
    any(words, &record->mean_start);
    any(words, &record->mean_end);
    any(words, &record->mean_drift);
    whole(words, "step of a drift of the mean", &record->near, 0, steps);
    real(words, "share of a drift of the mean", &record->near_share, 0);
}

static void walk_look(struct words *words, struct field_look *look, uint64_t last)
{
    whole(words, "step of a look at the field", &look->step, 0, last);
    real(words, "energy at a look", &look->energy, ANY);
    real(words, "mean pressure at a look", &look->mean, ANY);
    real(words, "mean square at a look", &look->mean_square, 0);
}

/* What the room and the drive say is known again. */
static void walk_monitor(struct words *words, struct field_monitor *monitor, uint64_t steps)
{
    whole(words, "number of looks at the field", &monitor->looks, 0, steps);
    walk_record(words, &monitor->record, steps);
    walk_look(words, &monitor->last, steps);
    walk_look(words, &monitor->least, monitor->last.step);
    real(words, "variance of the energy", &monitor->variance, 0);
    real(words, "bias of the energy", &monitor->bias, 0);
    real(words, "loudest rounding", &monitor->loudest, 0);
    const bool looked = monitor->looks > 0;
    whole(words, "span of looks", &monitor->span, looked, looked ? steps : 0);
    real(words, "early mean", &monitor->early, 0);
    real(words, "mean between", &monitor->between, 0);
    real(words, "recent mean", &monitor->recent, 0);
}

/* A power of two times what the run begins with. */
static void walk_apart(struct words *words, uint64_t *apart, uint64_t begin, uint64_t longest)
{
    whole(words, "number of steps between samples", apart, begin, longest > begin ? longest : begin);
    const uint64_t times = *apart / begin;
    if (words->in != NULL && (*apart % begin != 0 || (times & (times - 1)) != 0) && words->wrong[0] == '\0')
        (void)snprintf(words->wrong, SAVED_WRONG_MAX,
                       "its number of steps between samples is %llu, and a power of two times %llu in this "
                       "run",
                       (unsigned long long)*apart, (unsigned long long)begin);
}

/* `run` is the run's own; of its channels and surfaces there are as many as the room asks for. */
static void walk_ledger(struct words *words, struct energy_ledger *ledger, const struct energy_ledger *run,
                        uint64_t steps, uint64_t longest)
{
    uint64_t samples = ledger->samples, before = 0;
    walk_apart(words, &ledger->apart, run->apart, longest);
    whole(words, "number of samples of the energy", &samples, 0, LEDGER_SAMPLES);
    ledger->samples = (size_t)samples;
    whole(words, "number of steps of the energy", &ledger->steps, steps, steps);
    for (size_t c = 0; c < energy_ledger_channels(ledger); c++) {
        real(words, "pressure at the source", &ledger->pressure[c][0], ANY);
        real(words, "pressure at the source a step before", &ledger->pressure[c][1], ANY);
        real(words, "drive of the source", &ledger->drive[c], ANY);
    }
    real(words, "injected energy", &ledger->injected, ANY);
    for (size_t n = 0; n < ledger->samples; n++) {
        struct energy_sample *sample = &ledger->sample[n];
        whole(words, "step of a sample of the energy", &sample->step, before + 1, steps);
        before = sample->step;
        if (n + 1 < ledger->samples)
            real(words, "injected energy of a sample", &sample->injected, ANY);
        else /* it may wait for the next step */
            any(words, &sample->injected);
        real(words, "stored energy of a sample", &sample->stored, ANY);
    }
    for (size_t n = 0; n < ledger->samples * ledger->surfaces; n++)
        real(words, "absorbed energy of a sample", &ledger->absorbed[n], ANY);
}

static void walk_state(struct words *words, struct source_saved *saved, bool ended,
                       const struct source_saved *run)
{
    const uint64_t first = run->planned, longest = run->longest;
    uint64_t capped = saved->capped;
    whole(words, "number of steps", &saved->steps, ended ? first : 1, ended ? longest : longest - 1);
    const uint64_t steps = saved->steps, least = steps + 1 > first ? steps + 1 : first;
    whole(words, "number of steps before the emission", &saved->lead, run->lead, run->lead);
    whole(words, "number of planned steps", &saved->planned, ended ? steps : least, ended ? steps : longest);
    whole(words, "number of steps between looks", &saved->look_apart, run->look_apart, run->look_apart);
    whole(words, "step of the last look at the field", &saved->health_step, 0, steps);
    whole(words, "step of the last energy", &saved->energy_step, 0, steps);
    real(words, "energy", &saved->energy, ANY);
    real(words, "largest mean square", &saved->loudest, 0);
    any(words, &saved->field_level); /* for the progress line */
    real(words, "time of stepping", &saved->seconds, 0);
    any(words, &saved->fall); /* infinite without bands */
    whole(words, "mark of a run that was stopped", &capped, 0, 1);
    saved->capped = capped != 0;
    walk_monitor(words, saved->monitor, steps);
    if (saved->ledger != NULL)
        walk_ledger(words, saved->ledger, run->ledger, steps, longest);
}

/* Bounds say nothing of what is written. */
static size_t walk_now(const struct source_saved *saved, double *out)
{
    struct words words = {.out = out};
    struct source_saved copy = *saved;
    walk_state(&words, &copy, false, saved);
    return words.next;
}

size_t saved_words_count(const struct source_saved *saved)
{
    return walk_now(saved, NULL);
}

void saved_words_write(const struct source_saved *saved, double *word)
{
    (void)walk_now(saved, word);
}

bool saved_words_read(const double *word, size_t count, bool ended, const struct source_saved *run,
                      struct source_saved *out, char wrong[SAVED_WRONG_MAX])
{
    struct words words = {.in = word, .count = count, .wrong = wrong};
    wrong[0] = '\0';
    walk_state(&words, out, ended, run);
    if (wrong[0] == '\0' && words.next != count)
        (void)snprintf(wrong, SAVED_WRONG_MAX, "its state is of %zu words, and of %zu in this run", count,
                       words.next);
    return wrong[0] == '\0';
}
