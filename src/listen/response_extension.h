/** Extends a response above its highest frequency, for listening. The extension is not simulated.
 *
 * - Direct sound: if the straight path is clear it is 1/r at all frequencies, so the part above the low-pass
 * is restored, with the losses of the air over r.
 * - The rest is decaying noise, like a room's response with overlapping modes (Polack, thesis, Le Mans 1988;
 * Moorer, Computer Music J. 3(2), 1979; over a simulation of low frequencies: Southern et al., IEEE Trans.
 * Audio Speech Lang. Process. 21(9), 2013). At fmax it has, at every time, the energy that the response has
 * in the octave below fmax without its direct sound, per hertz; from there it decays at the rates of
 * extension_rates.h. So it has the energy of a room's echoes but not the echoes.
 *
 * Compared with runs to higher frequencies: in a box of 96 m3 whose walls take 0.07 at 250 Hz and 0.13 at 500
 * Hz, the octave of 500 Hz added to responses up to 355 Hz was 2.5 dB too loud in the mean over pieces of 0.2
 * s and three receivers, 7 dB at most, and decayed within 1.04 to 1.25 s instead of 0.86 to 1.02 s. The level
 * below fmax depends on few modes there. The extension serves for listening, not for figures.
 *
 * Below fmax nothing is added. Between fmax and 1.15 fmax, where the response's low-pass falls, the two
 * overlap: their powers add up to within 1.5 dB of what is on either side, in the mean over the noise. Above
 * 20 kHz it ends. The noise is the same every time, for every response. */
#ifndef SRC_RESPONSE_EXTENSION_H
#define SRC_RESPONSE_EXTENSION_H

#include "src/run_folder/run_read.h"
#include "src/response/signal/wav_file.h"

#define EXTENSION_FMAX_MOST 16000.0 /* above this frequency extension is not needed */

/** Method and data of the extension. */
struct extension_record {
    double fmax;                     /* [Hz] */
    double middle;                   /* of the octave from which level and decay are taken [Hz] */
    double decay;                    /* late reverberation time of the response there [s] */
    bool materials;                  /* losses to walls above fmax follow from the run's materials */
    bool direct;                     /* direct sound is extended, too */
    size_t octaves;                  /* whose middle is above fmax */
    double centre[OCTAVE_BANDS_MAX]; /* [Hz] */
    double time[OCTAVE_BANDS_MAX];   /* reverberation time of the noise there [s] */
};

/** Fill `response` (mono, 48 kHz) in place.
 * @param fmax  [Hz], > 20
 * @param losses of its run, or NULL
 * @param of the response in its record, or NULL: then the direct sound is part of the noise FAILURE_INPUT,
 * naming `path`: more than one channel, fmax above EXTENSION_FMAX_MOST, or a response that does not die away
 * in the octave below fmax; FAILURE_CAPACITY without memory. 1.5 s of response take 0.1 s; 100 bytes a
 * sample. */
int response_extend(const char *path, double fmax, const struct run_losses *losses,
                    const struct record_response *of, struct wav_sound *response,
                    struct extension_record *record, struct failure *failure);

#endif
