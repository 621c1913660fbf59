/** What a walking listener hears, whichever way it was made: the dry sound that goes in, and the frames that
 * come out, at the rate that their band needs; then at 48 kHz, and at two ears.
 *
 * Frames of four channels are AmbiX (ambisonic_response.h) in the axes of the room: X is +x, Y is +y,
 * whatever way the listener goes. Level as responses are calibrated: the dry sound as it is at 1 m from the
 * source. Time 0 is when the source begins and the listener sets out.
 */
#ifndef SRC_WALK_SOUND_H
#define SRC_WALK_SOUND_H

#include "src/listen/dry_sound.h"
#include "src/signal/head_filters.h"
#include "src/walk/walk_path.h"

/** Zeroed is empty; freed by walk_sound_free(). */
struct walk_sound {
    double rate; /* [Hz] */
    size_t frames;
    size_t channels; /* 1, or AMBISONIC_CHANNELS */
    float *sample;   /* (frames, channels) owned */
};
void walk_sound_free(struct walk_sound *sound);

/** How often the dry sound is played, so that something sounds until the listener has arrived: once, or again
 * and again, a sound under a second every second; and until when [s]. */
size_t walk_dry_times(const struct dry_sound *dry, const struct walk_path *path, double *seconds);

/** The dry sound so many times, converted to `rate` [Hz]: sample n is that of n / rate.
 * @param out (count) owned by the caller (free), silent where the sound ends
 * FAILURE_INPUT, FAILURE_OUTPUT as dry_sound_read(); FAILURE_CAPACITY. */
int walk_dry_at(struct dry_sound *dry, size_t times, double rate, size_t count, double **out,
                struct failure *failure);

/** The same frames at RESPONSE_RATE, in place. FAILURE_CAPACITY; FAILURE_OUTPUT where conversion fails. */
int walk_sound_convert(struct walk_sound *sound, struct failure *failure);

/** Which way the listener looks. */
struct walk_look {
    enum { WALK_LOOKS_AHEAD, WALK_LOOKS_AT_SOURCE, WALK_LOOKS_TO } kind;
    double source[3]; /* [m] */
    double azimuth;   /* of WALK_LOOKS_TO [degrees, from +x towards +y] */
};

/** Four channels at RESPONSE_RATE, as two ears hear them.
 * @param source where it is, for WALK_LOOKS_AT_SOURCE; @param out (frames, EARS) owned by the caller
 * FAILURE_CAPACITY. */
int walk_sound_ears(const struct walk_sound *sound, const struct walk_path *path,
                    const struct walk_look *look, const struct head_filters *filters, float **out,
                    struct failure *failure);

#endif
