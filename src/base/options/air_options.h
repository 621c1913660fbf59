/** The air in a room, and how responses get its losses. */
#ifndef SRC_AIR_OPTIONS_H
#define SRC_AIR_OPTIONS_H

struct air {
    double temperature; /* [degrees C] */
    double humidity;    /* relative, 0 to 100 [%] */
    double pressure;    /* [kPa] */
};

/** Method of applying the losses (air_filter.h), in the order of the words of --air. */
enum air_method {
    /** The exact sum: decay_basis.h needs one Fourier transform for every two of its products. A remainder of
       1e-6 (-120 dB) of the response without losses is possible: measured on tones over 4 s, 1e-7. 15 s at 48
       kHz take 0.3 s of one processor for an fmax of 1420 Hz, 0.6 to 0.9 s for 11300 Hz. Memory: 50 to 70
       bytes a sample of a length that is rounded up to a power of two. */
    AIR_MODAL,
    /** The same filter for every step of 6 to 13 ms, blended linearly in between: a chord instead of an
       exponential, too loud by (c alpha step)^2 / 8 at most (20 C, 50 %, at 48 kHz, derived and measured:
       0.0002 dB at 4 kHz, 0.0021 dB at 8 kHz, 0.026 dB at 16 kHz). Spreading over more than 3.5 steps (37 ms)
       is aliased to the other side, at most -106 dB in noise at -20 C and 10 %. 15 s at 48 kHz take 0.15 s of
       one processor. Memory: 8 bytes a sample. */
    AIR_FAST,
    AIR_OFF
};

#endif
