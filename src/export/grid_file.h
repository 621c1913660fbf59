/** Writes the responses of a run's receiver grids, with their positions, as one HDF5 file.
 *
 *   /                                 attributes of the run: program, room, fmax_hz,
 *                                     crossover_hz (rays are above), spacing_m, sound_speed_m_s,
 *                                     temperature_c, humidity_percent, pressure_kpa, air_volume_m3,
 *                                     calibration
 *   /grids/<grid>                     attributes spacing_m, height_m; material if the grid is on one
 *   /grids/<grid>/positions           double (points,3), x, y and z in the room's axes; `units` m
 *   /grids/<grid>/responses/<source>  float (points,samples), the samples of the run's WAV file bit for bit;
 *                                     attributes rate_hz, source_position_m, units, quantity, time_zero
 *   /grids/<grid>/responses_shifted/<source>   likewise, of a run that was repeated on an offset grid
 *
 * Chunks are whole responses, about a megabyte, and compressed. Values that the run does not have are left
 * out. */
#ifndef SRC_GRID_FILE_H
#define SRC_GRID_FILE_H

#include "geometry/base/whole_file.h"
#include "src/run_folder/run_folder.h"

/** Write the file under the temporary name of `path`, settled.
 * @param out zeroed
 * FAILURE_INPUT: the run has no receiver grid; or a WAV file of one is missing or broken, or differs from
 * run.json in rate or number of channels. Failures of hdf5_stage(); FAILURE_INTERRUPTED after Ctrl-C. Memory:
 * two WAV files. */
int grid_file_stage(const struct run_folder *folder, const char *path, struct whole_file *out,
                    struct failure *failure);

#endif
