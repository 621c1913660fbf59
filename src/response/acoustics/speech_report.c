#include "src/response/acoustics/speech_report.h"

#include <math.h>
#include <string.h>

#include "src/base/wrapped_text.h"

void speech_summary_add(struct speech_summary *summary, const struct speech_transmission *speech,
                        const struct speech_levels *levels)
{
    summary->responses++;
    summary->with_levels = levels != NULL && levels->with_speech;
    for (size_t k = 0; k < SPEECH_OCTAVES; k++)
        if (isfinite(speech->octave[k].mti)) {
            summary->mti[k] += speech->octave[k].mti;
            summary->count[k]++;
        }
    if (isfinite(speech->sti)) {
        summary->sti += speech->sti;
        summary->sti_squares += speech->sti * speech->sti;
        summary->sti_count++;
    } else if (summary->why[0] == '\0') {
        memcpy(summary->why, speech->why, sizeof summary->why);
    }
}

double speech_summary_mti(const struct speech_summary *summary, size_t band)
{
    if (band < 1 || band > SPEECH_OCTAVES || summary->count[band - 1] == 0)
        return NAN;
    return summary->mti[band - 1] / (double)summary->count[band - 1];
}

double speech_summary_deviation(const struct speech_summary *summary)
{
    const double n = (double)summary->sti_count, mean = summary->sti / n;
    if (summary->sti_count < 2)
        return NAN;
    return sqrt(fmax(0.0, (summary->sti_squares - n * mean * mean) / (n - 1.0)));
}

void speech_report_print(FILE *stream, const struct speech_summary *summary, double error)
{
    char text[600];
    const char *levels =
        summary->with_levels ? "with the levels given" : "without noise, masking and threshold";
    const size_t count = summary->sti_count;
    if (count == 0) {
        snprintf(text, sizeof text, "modulation transfer (not STI), %s: %s", levels, summary->why);
    } else {
        int used = snprintf(text, sizeof text, "STI %.2f", summary->sti / (double)count);
        if (isfinite(error))
            used += snprintf(text + used, sizeof text - (size_t)used, " ±%.2f", error);
        if (count > 1)
            used += snprintf(text + used, sizeof text - (size_t)used, " (%.2f)",
                             speech_summary_deviation(summary));
        used += snprintf(text + used, sizeof text - (size_t)used, ", %s", levels);
        if (count < summary->responses)
            snprintf(text + used, sizeof text - (size_t)used, "; absent in %zu of %zu: %s",
                     summary->responses - count, summary->responses, summary->why);
    }
    print_wrapped(stream, text, 2);
}
