#include "src/run/watch/decay_ranges.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "src/response/signal/warp.h"

#define DB_PER_TIME 60.0
#define UNKNOWN     0.1  /* of the response so far */
#define WINDOWS     20.0 /* of an octave, one over its width long, in which a decay would be found */

/* A run has no noise but that of rounding, so that a higher floor is a slower decay of which too little is
 * seen. */
static bool has_decayed(const struct band_times *octave, double length)
{
    return octave->range > 0.0 ? octave->range >= DECAY_RANGE_T30 && octave->floor < -DECAY_FLOOR_LOW
                               : octave->fall >= DECAY_FALL_ENOUGH && length * octave->width >= WINDOWS;
}

/* What an octave needs after `length` [s]; 0: nothing. */
static double more_of(const struct band_times *octave, double length)
{
    if (has_decayed(octave, length))
        return 0.0;
    const double wanted = octave->range > 0.0 && !isfinite(octave->floor)
                              ? (DECAY_RANGE_T30 - octave->range) / DB_PER_TIME * octave->tail
                              : UNKNOWN * length;
    return fmin(fmax(wanted, DECAY_PIECE_LEAST * length), DECAY_PIECE_MOST * length);
}

static void add_times(const struct decay_times *times, double length, struct decay_ranges *out)
{
    for (size_t b = 0; b < times->bands; b++) {
        const struct band_times *octave = &times->octave[b];
        out->range[b] = fmin(out->range[b], octave->range > 0.0 ? octave->range : octave->fall);
        out->more = fmax(out->more, more_of(octave, length));
    }
}

/* Up to RESPONSE_GROUP receivers from `first` on. */
static int find_group(const struct decay_rows *rows, const struct response_chain *chain, size_t first,
                      const double *raw, uint64_t apart, size_t steps, struct decay_ranges *out,
                      struct failure *failure)
{
    const size_t left = rows->count - first, channels = left < RESPONSE_GROUP ? left : RESPONSE_GROUP,
                 samples = response_samples(chain, steps);
    const double *row[RESPONSE_GROUP];
    struct decay_times times;
    float *together = malloc(((channels + 1) * samples + 1) * sizeof *together),
          *alone = together + channels * samples;
    if (together == NULL)
        return failure_memory(failure, (channels + 1) * samples * sizeof *together, "the decay so far");
    for (size_t c = 0; c < channels; c++)
        row[c] = raw + rows->row[first + c] * apart;
    int code = response_make_group(chain, row, channels, steps, rows->onset + first, together, failure);
    for (size_t c = 0; code == 0 && c < channels; c++) {
        for (size_t n = 0; n < samples; n++)
            alone[n] = together[n * channels + c];
        code = decay_times_make(BANDS_OCTAVE, alone, samples, RESPONSE_RATE, chain->fmax,
                                rows->onset[first + c], &times, failure);
#pragma omp critical(decay_ranges)
        if (code == 0)
            add_times(&times, (double)samples / RESPONSE_RATE, out);
    }
    free(together);
    return code;
}

int decay_ranges_find(const struct decay_rows *rows, const double *raw, uint64_t apart, uint64_t steps,
                      struct decay_ranges *out, struct failure *failure)
{
    struct response_chain chain = rows->chain;
    struct warp warp = {0};
    *out = (struct decay_ranges){0};
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        out->range[b] = INFINITY;
    if (chain.step.scheme == SCHEME_ISOTROPIC)
        TRY(warp_make(&chain.step, chain.fmax, response_chain_lead(&chain), (size_t)steps, RESPONSE_RATE,
                      &warp, failure));
    chain.warp = chain.step.scheme == SCHEME_ISOTROPIC ? &warp : NULL;
    int code = 0;
#pragma omp parallel for schedule(dynamic)                                                                   \
    num_threads(rows->threads > 0 ? rows->threads : omp_get_max_threads())
    for (size_t first = 0; first < rows->count; first += RESPONSE_GROUP) {
        struct failure own = {0};
        const int own_code = find_group(rows, &chain, first, raw, apart, (size_t)steps, out, &own);
#pragma omp critical(decay_ranges)
        if (own_code != 0 && code == 0)
            code = failure_forward(failure, &own);
    }
    warp_free(&warp);
    return code;
}
