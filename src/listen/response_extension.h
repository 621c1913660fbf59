/** A response filled above its highest frequency, to be listened to. Nothing of that is simulated.
 *
 * - Direct sound: where the straight path is clear it is 1/r at all frequencies, so what the low-pass took of
 * it is put back, with the losses of the air over r.
 * - All else is noise that decays, which is what a room's response becomes where its modes overlap (Polack,
 * thesis, Le Mans 1988; Moorer, Computer Music J. 3(2), 1979; over a simulation of low frequencies: Southern
 * et al., IEEE Trans. Audio Speech Lang. Process. 21(9), 2013). At fmax it has, at every time, the energy
 * that the response has in the octave below fmax without its direct sound, per hertz; from there it falls
 * faster or slower as extension_rates.h says. So the echoes of a room are not in it, only how their energy
 * comes and goes.
 *
 * Against runs that go further: in a box of 96 m3 whose walls take 0.07 at 250 Hz and 0.13 at 500 Hz, the
 * octave of 500 Hz put on responses up to 355 Hz was 2.5 dB too loud in the mean over pieces of 0.2 s and
 * three receivers, 7 dB at most, and decayed within 1.04 to 1.25 s instead of 0.86 to 1.02 s. Few modes make
 * the level below fmax there; it serves listening, and no figure.
 *
 * Below fmax nothing is added. Between fmax and 1.15 fmax, where the response's low-pass falls, the two
 * overlap: their powers add up to within 1.5 dB of what is on either side, in the mean over the noise. Above
 * 20 kHz it ends. The noise is the same every time, for every response.
 */
#ifndef SRC_RESPONSE_EXTENSION_H
#define SRC_RESPONSE_EXTENSION_H

#include "src/record/run_read.h"
#include "src/signal/wav_file.h"

#define EXTENSION_FMAX_MOST 16000.0 /* above that there is nothing to fill */

/** How it was made. */
struct extension_record {
    double fmax;                     /* [Hz] */
    double middle;                   /* of the octave that level and decay come from [Hz] */
    double decay;                    /* late reverberation time of the response there [s] */
    bool materials;                  /* those of the run decide what walls take above */
    bool direct;                     /* direct sound is filled, too */
    size_t octaves;                  /* whose middle is above fmax */
    double centre[OCTAVE_BANDS_MAX]; /* [Hz] */
    double time[OCTAVE_BANDS_MAX];   /* reverberation time of the noise there [s] */
};

/** Fill `response` (mono, 48 kHz) in place.
 * @param fmax  [Hz], > 20
 * @param losses of its run, or NULL
 * @param of    the response in its record, or NULL: then the direct sound is part of the noise
 * FAILURE_INPUT, naming `path`: more than one channel, fmax above EXTENSION_FMAX_MOST, or a response that
 * does not die away in the octave below fmax; FAILURE_CAPACITY without memory. 1.5 s of response take 0.1 s;
 * 100 bytes a sample. */
int response_extend(const char *path, double fmax, const struct run_losses *losses,
                    const struct record_response *of, struct wav_sound *response,
                    struct extension_record *record, struct failure *failure);

#endif
