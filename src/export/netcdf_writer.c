#include "src/export/netcdf_writer.h"

#include <hdf5_hl.h>
#include <stdio.h>
#include <string.h>

static const struct netcdf_dimension *find_dimension(const struct netcdf_dimensions *dimensions, char name)
{
    const struct netcdf_dimension *found = dimensions->of;
    while (found->name != name)
        found++;
    return found;
}

void netcdf_dimension(struct hdf5_writer *writer, struct netcdf_dimensions *dimensions, char name,
                      hsize_t size)
{
    struct netcdf_dimension *new = &dimensions->of[dimensions->count];
    *new = (struct netcdf_dimension){.name = name, .size = size, .scale = H5I_INVALID_HID};
    const int number = dimensions->count++;
    if (!writer->fine)
        return;
    char words[80];
    (void)snprintf(words, sizeof words, "This is a netCDF dimension but not a netCDF variable.%10llu",
                   (unsigned long long)size);
    const hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    hdf5_keep(writer, H5Pset_obj_track_times(how, false));
    new->scale =
        H5Dcreate2(writer->root, (char[]){name, '\0'}, H5T_IEEE_F32BE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    writer->fine = writer->fine && new->scale >= 0;
    H5Pclose(how);
    H5Sclose(space);
    if (!writer->fine)
        return;
    hdf5_keep(writer, H5DSset_scale(new->scale, words));
    hdf5_attribute(writer, new->scale, "_Netcdf4Dimid", H5T_STD_I32LE, H5T_NATIVE_INT, 0, &number);
}

void netcdf_dimensions_close(struct hdf5_writer *writer, struct netcdf_dimensions *dimensions)
{
    for (int d = 0; d < dimensions->count; d++)
        hdf5_array_close(writer, dimensions->of[d].scale);
}

hid_t netcdf_variable(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions,
                      const char *name, const char *on, hid_t type, const char *whole)
{
    const int rank = (int)strlen(on);
    hsize_t size[NETCDF_RANK] = {0}, chunk[NETCDF_RANK] = {0};
    for (int d = 0; d < rank; d++) {
        size[d] = find_dimension(dimensions, on[d])->size;
        chunk[d] = strchr(whole, on[d]) != NULL ? size[d] : 1;
    }
    const hid_t variable = hdf5_array(writer, writer->root, name, type, rank, size, chunk);
    for (int d = 0; writer->fine && d < rank; d++)
        hdf5_keep(writer, H5DSattach_scale(variable, find_dimension(dimensions, on[d])->scale, (unsigned)d));
    return variable;
}

hid_t netcdf_reals(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions, const char *name,
                   const char *on, const double *values)
{
    const hid_t variable = netcdf_variable(writer, dimensions, name, on, H5T_IEEE_F64LE, on);
    if (writer->fine)
        hdf5_keep(writer, H5Dwrite(variable, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    return variable;
}

void netcdf_text(struct hdf5_writer *writer, hid_t at, const char *name, const char *text)
{
    const char *words = text[0] != '\0' ? text : " ";
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(words));
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    hdf5_attribute(writer, at, name, type, type, 0, words);
    H5Tclose(type);
}

size_t netcdf_values(const struct netcdf_dimensions *dimensions, const char *on)
{
    size_t count = 1;
    for (; *on != '\0'; on++)
        count *= (size_t)find_dimension(dimensions, *on)->size;
    return count;
}
