/** netCDF-4 over hdf5_writer.h: named dimensions and variables on them, as the netCDF library lays them out.
 *
 * A dimension is a data set without values, in the form of a dimension scale (HDF5 Dimension Scale
 * Specification). It has the name that netCDF gives to one that is not a variable, and its number in
 * `_Netcdf4Dimid`. A variable has the scales of its dimensions attached. (netCDF-4 file format specification,
 * "The netCDF-4 format", docs.unidata.ucar.edu.)
 */
#ifndef SRC_NETCDF_WRITER_H
#define SRC_NETCDF_WRITER_H

#include "src/base/hdf5_writer.h"

#define NETCDF_DIMENSIONS 8
#define NETCDF_RANK       4

/** The dimensions of a file; names are one letter. Start zeroed. */
struct netcdf_dimensions {
    int count;
    struct netcdf_dimension {
        char name;
        hsize_t size;
        hid_t scale;
    } of[NETCDF_DIMENSIONS];
};

/** Add a dimension to the file. */
void netcdf_dimension(struct hdf5_writer *writer, struct netcdf_dimensions *dimensions, char name,
                      hsize_t size);
void netcdf_dimensions_close(struct hdf5_writer *writer, struct netcdf_dimensions *dimensions);

/** A variable on the dimensions whose letters `on` lists, slowest first ("MRN"), compressed, in chunks that
 * are whole along those of `whole` ("N") and 1 along the others. Nothing is written yet. hdf5_array_close().
 */
hid_t netcdf_variable(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions,
                      const char *name, const char *on, hid_t type, const char *whole);

/** A variable of doubles with all its values; still open, so that attributes can be added. */
hid_t netcdf_reals(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions, const char *name,
                   const char *on, const double *values);

/** Write a text attribute of a file or variable as netCDF's NC_CHAR, the only form that libmysofa reads: the
 * bytes, also of UTF-8, typed as ASCII without an end. An empty text becomes a blank. libmysofa cannot read a
 * file with a longer one than 4000 bytes. */
void netcdf_text(struct hdf5_writer *writer, hid_t at, const char *name, const char *text);

/** The number of values of a variable on these dimensions. */
size_t netcdf_values(const struct netcdf_dimensions *dimensions, const char *on);

#endif
