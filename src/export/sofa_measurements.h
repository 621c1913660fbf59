/** Puts the responses of a run in the order of a SOFA file: the measurement of each response, its source,
 * its listener, and its samples. */
#ifndef SRC_SOFA_MEASUREMENTS_H
#define SRC_SOFA_MEASUREMENTS_H

#include "src/run_folder/run_folder.h"

/** The conventions of AES69 for runs, in the order of the option's words. */
enum sofa_convention {
    SOFA_SINGLE_ROOM_SRIR,      /* a measurement for each response: one source, one listener */
    SOFA_SINGLE_ROOM_MIMO_SRIR, /* a measurement for each listener, an emitter for each source */
};

/** Zeroed is empty, freed by sofa_measurements_free(). */
struct sofa_measurements {
    const struct run_folder *folder; /* borrowed, as are pointers into its model */
    enum sofa_convention convention;
    size_t measurements, emitters;
    size_t receivers;                        /* 1: the pressure; 4: ambisonic, W, Y, Z, X */
    size_t samples;                          /* of the longest response; shorter ones end with zeros */
    double rate;                             /* [Hz] */
    const struct record_response **response; /* (measurements, emitters); owned */
    const struct record_point **source;   /* (emitters) or, of SOFA_SINGLE_ROOM_SRIR, (measurements); owned */
    const struct record_point **listener; /* (measurements); owned */
};

/** List the responses of the run; ambisonic if every response is. FAILURE_INPUT: the run has no response but
 * those of receiver grids; a source or receiver has no position; or, with SOFA_SINGLE_ROOM_MIMO_SRIR, a
 * source has no response at a receiver. FAILURE_CAPACITY. */
int sofa_measurements_make(const struct run_folder *folder, enum sofa_convention convention,
                           struct sofa_measurements *out, struct failure *failure);
void sofa_measurements_free(struct sofa_measurements *all);

/** The azimuth of a listener's front [degrees], from +x towards +y: with SOFA_SINGLE_ROOM_SRIR that of its
 * response, otherwise 0 (the room's +x) for all sources. */
double sofa_listener_azimuth(const struct sofa_measurements *all, size_t measurement);

/** The samples of one response, from its WAV file.
 *
 * Ambisonic ones become coefficients of the spherical harmonics of AES69, which are orthonormal over the
 * sphere: AmbiX (SN3D) times sqrt((2 n + 1) / (4 pi)), n the order of the channel. They are turned to the
 * front given by sofa_listener_azimuth(). The pressure is sqrt(4 pi) times the first.
 * @param sample (receivers, samples) the caller's
 * FAILURE_INPUT names the file: as wav_response_read(), or its rate, channels or length differ from run.json.
 * FAILURE_CAPACITY. */
int sofa_measurement_read(const struct sofa_measurements *all, size_t measurement, size_t emitter,
                          double *sample, struct failure *failure);

#endif
