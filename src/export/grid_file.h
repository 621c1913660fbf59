/** Responses of a run's receiver grids as one HDF5 file: those of maps, with where they are.
 *
 *   /                                 attributes of the run: program, room, fmax_hz, spacing_m,
 * sound_speed_m_s, temperature_c, humidity_percent, pressure_kpa, air_volume_m3, calibration, ..
 *   /grids/<grid>                     attributes spacing_m, height_m, and material where the grid is on one
 *   /grids/<grid>/positions           double (points,3), x, y and z in the room's axes; `units` m
 *   /grids/<grid>/responses/<source>  float (points,samples), the samples of the run's WAV file bit for bit;
 *                                     attributes rate_hz, source_position_m, units, quantity, time_zero
 *   /grids/<grid>/responses_shifted/<source>   likewise, of a run that was repeated on an offset grid
 *
 * Chunks are whole responses, as many as make a megabyte, and compressed. What a run does not have is left
 * out.
 */
#ifndef SRC_GRID_FILE_H
#define SRC_GRID_FILE_H

#include "geometry/base/whole_file.h"
#include "src/run_folder/run_folder.h"

/** Write the file under the temporary name of `path`, settled.
 * @param out zeroed
 * FAILURE_INPUT: the run has no receiver grid; a WAV file of one is missing, broken, or has not as many
 * channels as the record has points, or another rate. Failures of hdf5_stage(); FAILURE_INTERRUPTED after
 * Ctrl-C. Memory: two WAV files. */
int grid_file_stage(const struct run_folder *folder, const char *path, struct whole_file *out,
                    struct failure *failure);

#endif
