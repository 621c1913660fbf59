/** Responses of a run as a SOFA file (AES69-2022, SOFA 2.1): SingleRoomSRIR 1.1 or SingleRoomMIMOSRIR 1.0.
 *
 * Names, defaults and dimensions are those of the tables of both conventions at sofaconventions.org
 * (SingleRoomSRIR_1.1.csv, SingleRoomMIMOSRIR_1.0.csv). M measurements, R receivers, E emitters, N samples, I
 * = 1, C = 3 coordinates, S letters of a description; positions are in the room's axes, in metres.
 *
 *   SingleRoomSRIR       Data.IR (M,R,N): a measurement is a response, with the position of its source
 *                        (SourcePosition) and its receiver (ListenerPosition); E = 1
 *   SingleRoomMIMOSRIR   Data.IR (M,R,N,E): a measurement is a receiver of the run, an emitter a source; the
 *                        "source" of SOFA is at the origin with the sources at EmitterPosition
 *
 * Responses of a run with rays are of the whole band. The file then has three more global attributes, which
 * the conventions leave to applications: `FrequencyRange` ("30 to 22387 Hz"), `CrossoverFrequency` ("298.5
 * Hz": waves below, rays above), `OctavesFromRays` ("500, 1000, .. Hz": origin of figures, as in run.json).
 * Without them all is from waves.
 *
 * R = 1 is the pressure at ListenerPosition; R = 4 are its first-order spherical harmonics
 * (sofa_measurement_read()), with ReceiverPosition of type "spherical harmonics". The file is netCDF-4
 * (netcdf_writer.h) and compressed: pressures, which are floats in doubles, take about three quarters of the
 * size of the WAV files; ambisonic responses take 1.6 times that of theirs. */
#ifndef SRC_SOFA_FILE_H
#define SRC_SOFA_FILE_H

#include <stdint.h>

#include "geometry/base/whole_file.h"
#include "src/export/sofa_measurements.h"

/** The name of a convention in files: "SingleRoomSRIR". */
const char *sofa_convention_name(enum sofa_convention convention);

/** Write a file under the temporary name of `path`, settled.
 * @param geometry name of the COLLADA file of the room beside it: RoomType is "dae"; NULL: "reverberant"
 * @param time of the writing [s since 1970]
 * @param out  zeroed
 * Failures of sofa_measurement_read() and hdf5_stage(); FAILURE_INTERRUPTED after Ctrl-C. Memory: one
 * response. */
int sofa_stage(const struct sofa_measurements *all, const char *geometry, int64_t time, const char *path,
               struct whole_file *out, struct failure *failure);

#endif
