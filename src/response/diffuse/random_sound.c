#include "src/response/diffuse/random_sound.h"

#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scheme/solid_harmonics.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/noise.h"
#include "src/response/signal/response.h"

#define PI      3.14159265358979323846
#define RINGING 12000 /* samples in which the lowest filter rings */

/* One event in one octave. */
struct event {
    double amplitude;
    uint32_t sample, cell;
};

/* What one event stands for; to where the next begins. */
struct stretch {
    size_t from; /* sample */
    double reflections;
};

/* The energy of an octave in a sample after the last bin: first * exp(-rate n) in the n-th. */
struct tail {
    double first, rate;
};

struct work {
    const struct random_sound_task *task;
    struct tail tail[OCTAVE_BANDS_MAX];
    size_t count, channels, events;
    struct noise noise;
    struct bands bands;
    struct stretch *stretch;   /* (events + 1) */
    struct event *event;       /* (OCTAVE_BANDS_MAX, events) */
    double (*gain)[HARMONICS]; /* (cells) */
    struct fourier fourier;
    double complex *octave, *sum; /* (fourier.length) */
};

static void work_free(struct work *work)
{
    free(work->stretch);
    free(work->event);
    free(work->gain);
    free(work->octave);
    free(work->sum);
    fourier_free(&work->fourier);
}

size_t random_sound_channels(const struct random_sound_task *task)
{
    return task->apart ? task->directions->cells : (size_t)(task->order + 1) * (size_t)(task->order + 1);
}

/* ---- events ---- */

/* The time at which a room has made `number` reflections, as the process has them. */
static double time_of(const struct random_sound_task *task, double number)
{
    const double rise = 4 * PI * pow(task->sound_speed, 3) / task->volume;
    const double dense = sqrt(RANDOM_SOUND_DENSEST / rise), before = rise * dense * dense * dense / 3;
    return number < before ? cbrt(3 * number / rise) : dense + (number - before) / RANDOM_SOUND_DENSEST;
}

/* In whole samples: reflections within one are of one event. */
static void divide_time(struct work *work)
{
    double number = 0;
    work->stretch[0] = (struct stretch){0};
    for (;;) {
        number -= log(1 - noise_uniform(&work->noise));
        const double at = time_of(work->task, number) * RESPONSE_RATE;
        if (!(at < (double)work->count))
            break;
        work->stretch[work->events].reflections++;
        if ((size_t)at > work->stretch[work->events].from)
            work->stretch[++work->events] = (struct stretch){.from = (size_t)at};
    }
    work->stretch[work->events].reflections++;
    work->stretch[++work->events] = (struct stretch){.from = work->count};
}

/* Two neighbouring bins and how far a time is from the middle of the first to that of the second. */
struct place {
    size_t before, after;
    double share;
};

static struct place place_of(const struct random_sound_task *task, size_t sample)
{
    const double bin = ((double)sample + 0.5) / (RESPONSE_RATE * task->bin) - 0.5;
    if (bin <= 0)
        return (struct place){0};
    const size_t before = (size_t)bin;
    if (before + 1 >= task->bins)
        return (struct place){task->bins - 1, task->bins - 1, 0};
    return (struct place){before, before + 1, bin - (double)before};
}

static double energy_of(const struct random_sound_task *task, size_t bin, int octave)
{
    return task->energy[bin * OCTAVE_BANDS_MAX + (size_t)octave];
}

/* The decay between the two last eighths of the bins. None if the energy does not fall. */
static struct tail find_tail(const struct random_sound_task *task, int octave)
{
    const size_t eighth = task->bins / 8;
    double before = 0, last = 0;
    for (size_t b = 1; b <= eighth; b++) {
        last += energy_of(task, task->bins - b, octave);
        before += energy_of(task, task->bins - eighth - b, octave);
    }
    if (!(last > 0 && before > last))
        return (struct tail){0};
    const double samples = (double)eighth * task->bin * RESPONSE_RATE, rate = log(before / last) / samples;
    return (struct tail){.first = last * rate / expm1(rate * samples), .rate = rate};
}

/* Energy of an octave in a sample. */
static double energy_at(const struct work *work, size_t sample, int octave)
{
    const struct random_sound_task *const task = work->task;
    const double late = (double)sample + 0.5 - (double)task->bins * task->bin * RESPONSE_RATE;
    if (late >= 0)
        return work->tail[octave].first * exp(-work->tail[octave].rate * late);
    const struct place at = place_of(task, sample);
    return ((1 - at.share) * energy_of(task, at.before, octave) +
            at.share * energy_of(task, at.after, octave)) /
           (RESPONSE_RATE * task->bin);
}

/* The bin from which the energy at a sample came, by chance. */
static size_t draw_bin(const struct random_sound_task *task, size_t sample, int octave, double chance)
{
    const struct place at = place_of(task, sample);
    const double before = (1 - at.share) * energy_of(task, at.before, octave),
                 after = at.share * energy_of(task, at.after, octave);
    return chance * (before + after) < before ? at.before : at.after;
}

static uint32_t draw_cell(const struct sound_directions *directions, size_t bin, int octave, double chance)
{
    const float *const energy =
        &directions->energy[(bin * directions->groups + directions->group[octave]) * directions->cells];
    double whole = 0, sum = 0;
    for (size_t c = 0; c < directions->cells; c++)
        whole += (double)energy[c];
    if (!(whole > 0))
        return (uint32_t)(chance * (double)directions->cells);
    uint32_t cell = 0;
    for (uint32_t c = 0; c < directions->cells && sum <= chance * whole; c++)
        if (energy[c] > 0) {
            sum += (double)energy[c];
            cell = c;
        }
    return cell;
}

/* One event of an octave between two borders: all energy there, at a time that `chance` draws by it. */
static struct event draw_event(const struct work *work, size_t from, size_t to, int octave, double chance)
{
    double whole = 0, sum = 0;
    for (size_t n = from; n < to; n++)
        whole += energy_at(work, n, octave);
    size_t at = from;
    for (size_t n = from; to - from > 1 && n < to && sum <= chance * whole; n++) {
        const double here = energy_at(work, n, octave);
        sum += here;
        at = here > 0 ? n : at;
    }
    return (struct event){.amplitude = sqrt(whole), .sample = (uint32_t)at};
}

/* The sum of so many random signs over the root of their number: of a sign and a normal number, so that its
 * fourth power has the right mean, 3 - 2 / reflections. */
static double draw_sign(struct noise *noise, double reflections)
{
    const double share = 1 / sqrt(reflections), sign = noise_uniform(noise) < 0.5 ? -1 : 1;
    return share < 1 ? sqrt(share) * sign + sqrt(1 - share) * noise_normal(noise) : sign;
}

/* The same chances for all octaves, but for the sign: what is alike in them stays together. */
static void draw_events(struct work *work)
{
    for (size_t e = 0; e < work->events; e++) {
        const struct stretch *const stretch = &work->stretch[e];
        const double when = noise_uniform(&work->noise), bin = noise_uniform(&work->noise),
                     where = noise_uniform(&work->noise);
        for (int o = 0; o < OCTAVE_BANDS_MAX; o++) {
            struct event event = draw_event(work, stretch[0].from, stretch[1].from, o, when);
            event.amplitude *= draw_sign(&work->noise, stretch->reflections);
            if (work->channels > 1 && event.amplitude != 0)
                event.cell =
                    draw_cell(work->task->directions, draw_bin(work->task, event.sample, o, bin), o, where);
            work->event[(size_t)o * work->events + e] = event;
        }
    }
}

/* ---- channels ---- */

/* Of each cell in each channel, SN3D, turned to the front. */
static void make_gains(const struct random_sound_task *task, double (*gain)[HARMONICS])
{
    const double angle = task->front * PI / 180, cosine = cos(angle), sine = sin(angle);
    for (size_t c = 0; c < task->directions->cells; c++) {
        const double *const toward = &task->directions->toward[3 * c];
        const double turned[3] = {cosine * toward[0] + sine * toward[1],
                                  cosine * toward[1] - sine * toward[0], toward[2]};
        solid_harmonics(turned, gain[c]);
        for (int h = 0; h < HARMONICS; h++)
            gain[c][h] *= sqrt(4 * PI / (2 * harmonic_order(h) + 1));
    }
}

/* The lower edge of an octave [Hz]; of the lowest an octave below. */
static double lower_edge(const struct work *work, int octave)
{
    return work->bands.centre[octave] * pow(10, octave == 0 ? -0.45 : -0.15);
}

/* Octave by octave into the sum of the spectra. Filters are real, so that two channels go as one complex. */
static void add_octave(struct work *work, int octave)
{
    const size_t length = work->fourier.length;
    const double line = (double)RESPONSE_RATE / (double)length, half = exp2(OCTAVE_CROSSOVER_WIDTH / 2);
    const double low = lower_edge(work, octave),
                 high = octave + 1 < OCTAVE_BANDS_MAX ? lower_edge(work, octave + 1) : INFINITY;
    const size_t last = (size_t)fmin(high * half / line, (double)(length / 2));
    for (size_t k = (size_t)(low / half / line); k <= last; k++) {
        const double f = (double)k * line, below = octave_crossover(f, low);
        const double weight = sqrt(1 - below * below) * octave_crossover(f, high);
        work->sum[k] += weight * work->octave[k];
        if (k > 0 && 2 * k < length)
            work->sum[length - k] += weight * work->octave[length - k];
    }
}

static double gain_of(const struct work *work, const struct event *event, size_t channel)
{
    if (work->task->apart)
        return event->cell == channel ? 1 : 0;
    return channel == 0 ? 1 : channel < work->channels ? work->gain[event->cell][channel] : 0;
}

static void make_channels(struct work *work, size_t channel, float *out)
{
    const size_t bytes = work->fourier.length * sizeof *work->sum;
    memset(work->sum, 0, bytes);
    for (int o = 0; o < OCTAVE_BANDS_MAX; o++) {
        memset(work->octave, 0, bytes);
        for (size_t e = 0; e < work->events; e++) {
            const struct event *const event = &work->event[(size_t)o * work->events + e];
            work->octave[event->sample] +=
                event->amplitude * (gain_of(work, event, channel) + I * gain_of(work, event, channel + 1));
        }
        fourier_forward(&work->fourier, work->octave);
        add_octave(work, o);
    }
    fourier_inverse(&work->fourier, work->sum);
    for (size_t n = 0; n < work->count; n++) {
        out[n * work->channels + channel] = (float)creal(work->sum[n]);
        if (channel + 1 < work->channels)
            out[n * work->channels + channel + 1] = (float)cimag(work->sum[n]);
    }
}

static int make_work(struct work *work, struct failure *failure)
{
    const struct random_sound_task *const task = work->task;
    const size_t length = fourier_length(work->count + RINGING),
                 cells = work->channels > 1 && !task->apart ? task->directions->cells : 0;
    TRY(fourier_make(length, &work->fourier, failure));
    work->stretch = malloc((work->count + 2) * sizeof *work->stretch);
    work->gain = malloc((cells + 1) * sizeof *work->gain);
    work->octave = malloc(length * sizeof *work->octave);
    work->sum = malloc(length * sizeof *work->sum);
    if (work->stretch == NULL || work->gain == NULL || work->octave == NULL || work->sum == NULL)
        return failure_memory(failure, 2 * length * sizeof *work->sum, "a response of rays");
    divide_time(work);
    work->event = malloc(OCTAVE_BANDS_MAX * work->events * sizeof *work->event);
    if (work->event == NULL)
        return failure_memory(failure, OCTAVE_BANDS_MAX * work->events * sizeof *work->event,
                              "events of a response");
    if (cells > 0)
        make_gains(task, work->gain);
    return 0;
}

int random_sound_make(const struct random_sound_task *task, size_t count, float *out, struct failure *failure)
{
    struct work work = {.task = task,
                        .count = count,
                        .channels = random_sound_channels(task),
                        .noise = noise_start(task->seed)};
    bands_make(BANDS_OCTAVE, RESPONSE_RATE, &work.bands); /* all */
    const int code = make_work(&work, failure);
    if (code == 0) {
        for (int o = 0; o < OCTAVE_BANDS_MAX; o++)
            work.tail[o] = find_tail(task, o);
        draw_events(&work);
        for (size_t c = 0; c < work.channels; c += 2)
            make_channels(&work, c, out);
    }
    work_free(&work);
    return code;
}
