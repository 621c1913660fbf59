/** Encodes a sound as a compressed file in memory, by libsndfile. */
#ifndef SRC_SOUND_ENCODE_H
#define SRC_SOUND_ENCODE_H

#include "src/response/signal/wav_file.h"

enum sound_codec {
    SOUND_FLAC, /* 16 bits, without further loss */
    SOUND_OPUS  /* in Ogg, about a tenth of that; 8, 12, 16, 24 or 48 kHz */
};

/** "audio/flac", "audio/ogg; codecs=opus". */
const char *sound_codec_type(enum sound_codec codec);

/** Encode `sound` times `gain`; values beyond full scale are clipped. `*data` is owned by the caller.
 * FAILURE_OUTPUT if libsndfile cannot (built without the codec, unsupported rate); FAILURE_CAPACITY without
 * memory. 10 s of one channel take 0.1 s. */
int sound_encode(const struct wav_sound *sound, double gain, enum sound_codec codec, unsigned char **data,
                 size_t *size, struct failure *failure);

#endif
