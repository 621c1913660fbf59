/** Responses for a dry sound: of a room, or of the open air for comparison.
 *
 * - A response from a file: any rate (converted with its spectrum unchanged, |X| = 1/r), up to 16 channels.
 *   The wet sound has as many. FILE.wav@7 is channel 7 alone, such as a point of a receiver grid.
 * - The dry sound in the open at r metres: 1/r, delayed by r/c, no losses of the air.
 * - The same through the low-pass that responses up to fmax have passed (low_pass.h), so that it can be
 * compared with them band for band. */
#ifndef SRC_HEARD_RESPONSE_H
#define SRC_HEARD_RESPONSE_H

#include "src/listen/foreign_response.h"

#define HEARD_CHANNELS_MOST 16 /* ambisonics of third order */

/** FAILURE_INPUT as wav_response_read(), and for a response that is silent, has more than HEARD_CHANNELS_MOST
 * channels, or has a rate above that of dry_sound.h or below 200 Hz (responses are kept at the rate that
 * their band needs). `out` is at 48 kHz, freed by wav_sound_free().
 * @param damage found by foreign_mend(); NULL for a response of a run, which is not changed */
int heard_response_read(const char *path, struct foreign_damage *damage, struct wav_sound *out,
                        struct failure *failure);

/** The decay of a response at its end, above the 44.6 Hz where the 63 Hz octave begins: its loudest 50 ms
 * over its last 50 ms, all channels together [dB]. Infinite if it ends in silence or is shorter than 0.1 s.
 */
double heard_response_fall(const struct wav_sound *sound);

/** Free field at `distance` [m], > 0, in air of `sound_speed` [m/s]: one sample. FAILURE_CAPACITY: memory. */
int heard_response_open(double distance, double sound_speed, struct wav_sound *out, struct failure *failure);

/** The same, low-passed at `fmax` [Hz], in (20, 20000]: as from a run, so that it never begins before sample
 * 0. */
int heard_response_low_passed(double distance, double sound_speed, double fmax, struct wav_sound *out,
                              struct failure *failure);

/** Low-pass a sound at 48 kHz as if its run had ended at `fmax` [Hz], in place: linear phase if there is time
 * before its first sample of a tenth of the largest, else with the reduced lead of low_pass_design(). Ringing
 * at its end is cut off. No change for fmax above 20 kHz. FAILURE_CAPACITY. */
int heard_response_limit(struct wav_sound *sound, double fmax, struct failure *failure);

#endif
