/** Four-channel impulse responses of directional receivers: first-order ambisonics in the AmbiX format.
 *
 * Channels W, Y, Z, X in this order (ACN), SN3D: W is the pressure, as in the mono response, and X, Y, Z are
 * sound_speed times the time integral of its gradient towards the front, the left and up
 * (response_make_gradient()): a plane wave from the front has X = W and Y = Z = 0, one from azimuth a and
 * elevation e X = cos a cos e W, Y = sin a cos e W, Z = sin e W. Near a source, at radius r, the field is
 * curved and X, Y, Z are 1 + c / (2 pi j f r) times that, which a first-order microphone shows as well: 6 dB
 * at 32 Hz and 1 m. (C. Nachbar et al., AmbiX, a suggested ambisonics format, Ambisonics Symposium 2011.)
 *
 * Z is up in the room. The front is horizontal, that of the receiver (orientation.h). */
#ifndef SRC_AMBISONIC_RESPONSE_H
#define SRC_AMBISONIC_RESPONSE_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/response/signal/response.h"

#define AMBISONIC_CHANNELS 4

/** Places of the channels within a frame. */
enum ambisonic_channel { AMBISONIC_W, AMBISONIC_Y, AMBISONIC_Z, AMBISONIC_X };

/** @param pressure (count) the mono response, made with the same chain
 * @param gradient  engine output (steps) of the receivers along the room's x, y and z
 * @param first     as response_make_gradient()
 * @param front     azimuth of the front in the room, from +x towards +y [degrees]
 * @param out       (count, 4) owned by the caller (free)
 * Failures of response_make(). Costs three responses. */
int ambisonic_response_make(const float *pressure, size_t count, const double *const gradient[3],
                            size_t steps, const struct response_chain *chain, double first, double front,
                            float **out, struct failure *failure);

/** Its last step: frames (count, 4) from the pressure and what is along the room's axes, (count, 3), turned
 * to the front. */
void ambisonic_turn(const float *pressure, const float *along, size_t count, double front, float *out);

#endif
