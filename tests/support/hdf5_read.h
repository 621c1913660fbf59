/** Reading HDF5 files in tests, without the code that wrote them. */
#ifndef TESTS_HDF5_READ_H
#define TESTS_HDF5_READ_H

#include "tests/support/test_support.h"
#include <hdf5.h>

static inline hid_t hdf5_open(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    cr_assert(file >= 0, "%s is no HDF5 file", path);
    return file;
}

/* An attribute of a group; as many values as expected. */
static inline void hdf5_attribute(hid_t file, const char *group, const char *name, hid_t type, size_t count,
                                  void *values)
{
    const hid_t attribute = H5Aopen_by_name(file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(attribute >= 0, "%s has no %s", group, name);
    const hid_t space = H5Aget_space(attribute);
    cr_assert(eq(sz, (size_t)H5Sget_simple_extent_npoints(space), count), "%s", name);
    cr_assert(H5Aread(attribute, type, values) >= 0);
    H5Sclose(space);
    H5Aclose(attribute);
}

/* Is a text attribute these words, of fixed length, as readers ask? */
static inline void hdf5_expect_text(hid_t file, const char *group, const char *name, const char *words)
{
    char text[80] = "";
    const hid_t attribute = H5Aopen_by_name(file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(attribute >= 0, "%s has no %s", group, name);
    const hid_t type = H5Aget_type(attribute);
    cr_assert(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) < 79);
    cr_assert(H5Aread(attribute, type, text) >= 0);
    cr_assert(eq(str, text, (char *)words));
    H5Tclose(type);
    H5Aclose(attribute);
}

/* All of a data set, owned by the caller; its size along each axis. */
static inline void *hdf5_read(hid_t file, const char *name, hid_t type, size_t bytes, int rank, hsize_t *size)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    cr_assert(set >= 0, "%s is missing", name);
    const hid_t space = H5Dget_space(set);
    cr_assert(eq(int, H5Sget_simple_extent_ndims(space), rank), "%s", name);
    H5Sget_simple_extent_dims(space, size, NULL);
    void *values = malloc((size_t)H5Sget_simple_extent_npoints(space) * bytes);
    cr_assert(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

/* A picture as it was written (vtkhdf_file.h): boxes of cells, x fastest, one after the other. */
struct amr {
    hsize_t boxes, cells;
    int *box; /* (boxes, 6) first and last cells along x, y and z */
    float *pressure;
    uint8_t *ghost;
    double origin[3], spacing[3]; /* [m] */
};

static inline struct amr amr_read(const char *path)
{
    struct amr amr;
    const hid_t in = hdf5_open(path);
    int version[2];
    hsize_t size[2], ghosts;
    hdf5_expect_text(in, "VTKHDF", "Type", "OverlappingAMR");
    hdf5_expect_text(in, "VTKHDF", "GridDescription", "XYZ");
    hdf5_attribute(in, "VTKHDF", "Version", H5T_NATIVE_INT, 2, version);
    cr_assert(version[0] == 1 && version[1] == 0);
    hdf5_attribute(in, "VTKHDF", "Origin", H5T_NATIVE_DOUBLE, 3, amr.origin);
    hdf5_attribute(in, "VTKHDF/Level0", "Spacing", H5T_NATIVE_DOUBLE, 3, amr.spacing);
    amr.box = hdf5_read(in, "VTKHDF/Level0/AMRBox", H5T_NATIVE_INT, sizeof *amr.box, 2, size);
    amr.boxes = size[0];
    cr_assert(size[1] == 6);
    amr.pressure = hdf5_read(in, "VTKHDF/Level0/CellData/pressure", H5T_NATIVE_FLOAT, 4, 1, &amr.cells);
    amr.ghost = hdf5_read(in, "VTKHDF/Level0/CellData/vtkGhostType", H5T_NATIVE_UINT8, 1, 1, &ghosts);
    cr_assert(ghosts == amr.cells);
    H5Fclose(in);
    return amr;
}

static inline void amr_free(struct amr *amr)
{
    free(amr->box);
    free(amr->pressure);
    free(amr->ghost);
}

#endif
