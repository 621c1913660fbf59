#include "src/base/hdf5_writer.h"

#include <errno.h>
#include <string.h>

#include "geometry/base/guarded_call.h"

#define DEFLATE 3

void hdf5_keep(struct hdf5_writer *writer, herr_t status)
{
    writer->fine = writer->fine && status >= 0;
}

/* ---- the file ---- */

/* The form of HDF5 1.8 alone, which netCDF writes and libmysofa reads. The order of creation is stored,
 * since netCDF writes to no file without it. */
static hid_t create_file(const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), how = H5Pcreate(H5P_FILE_CREATE);
    /* No other process knows the temporary name, and some file systems have no locks. */
    H5Pset_file_locking(access, false, true);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    H5Pset_link_creation_order(how, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(how, false);
    H5Pset_attr_creation_order(how, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, how, access);
    H5Pclose(how);
    H5Pclose(access);
    return file;
}

/* The bytes written between opening and closing. HDF5 allocates all the time, also when it closes, and
 * may crash if memory runs out. */
struct writing {
    struct hdf5_writer *writer;
    hdf5_put *put;
    const void *what;
    int code;
    struct failure *failure;
};

static void put_and_close(void *context)
{
    struct writing *writing = context;
    struct hdf5_writer *writer = writing->writer;
    /* At the program's end the library would repeat failed writes, and crash. */
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* and a library prints nothing */
    writer->root = create_file(writer->file.temporary);
    writer->fine = writer->root >= 0;
    if (writer->fine)
        writing->code = writing->put(writer, writing->what, writing->failure);
    if (writer->root >= 0)
        hdf5_keep(writer, H5Fclose(writer->root)); /* write buffered data */
}

int hdf5_stage(const char *path, hdf5_put *put, const void *what, struct whole_file *out,
               struct failure *failure)
{
    struct hdf5_writer writer = {.root = H5I_INVALID_HID, .fine = true};
    TRY(whole_file_open(&writer.file, path, failure));
    fclose(writer.file.stream);
    writer.file.stream = NULL;
    struct writing writing = {.writer = &writer, .put = put, .what = what, .failure = failure};
    (void)guarded_call(put_and_close, &writing);
    int code = writing.code;
    if (code == 0 && errno == ENOMEM)
        code = failure_memory(failure, 0, path);
    if (code == 0 && !writer.fine)
        code = failure_set(failure, FAILURE_OUTPUT, "%s: cannot be written: is the disk full?", path);
    if (code == 0)
        code = whole_file_settle(&writer.file, failure);
    if (code == 0) {
        *out = writer.file;
        writer.file = (struct whole_file){0};
    }
    whole_file_abandon(&writer.file);
    return code;
}

/* ---- groups and attributes ---- */

hid_t hdf5_group(struct hdf5_writer *writer, hid_t at, const char *name)
{
    if (!writer->fine)
        return H5I_INVALID_HID;
    const hid_t how = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(how, false); /* groups of HDF5 1.10 have none by themselves */
    const hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    writer->fine = group >= 0;
    return group;
}

void hdf5_group_close(struct hdf5_writer *writer, hid_t group)
{
    if (group >= 0)
        hdf5_keep(writer, H5Gclose(group));
}

void hdf5_attribute(struct hdf5_writer *writer, hid_t at, const char *name, hid_t type, hid_t memory,
                    hsize_t count, const void *values)
{
    if (!writer->fine)
        return;
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    hdf5_keep(writer, attribute < 0 ? -1 : H5Awrite(attribute, memory, values));
    if (attribute >= 0)
        hdf5_keep(writer, H5Aclose(attribute));
    H5Sclose(space);
}

static bool is_ascii(const char *text)
{
    while (*text > 0)
        text++;
    return *text == '\0';
}

void hdf5_text(struct hdf5_writer *writer, hid_t at, const char *name, const char *text)
{
    const char *words = text[0] != '\0' ? text : " ";
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(words));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    if (!is_ascii(words))
        H5Tset_cset(type, H5T_CSET_UTF8);
    hdf5_attribute(writer, at, name, type, type, 0, words);
    H5Tclose(type);
}

void hdf5_reals(struct hdf5_writer *writer, hid_t at, const char *name, hsize_t count, const double *values)
{
    hdf5_attribute(writer, at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

void hdf5_real(struct hdf5_writer *writer, hid_t at, const char *name, double value)
{
    hdf5_reals(writer, at, name, 0, &value);
}

/* ---- data sets ---- */

hid_t hdf5_array(struct hdf5_writer *writer, hid_t at, const char *name, hid_t type, int rank,
                 const hsize_t *size, const hsize_t *chunk)
{
    if (!writer->fine)
        return H5I_INVALID_HID;
    const hid_t space = H5Screate_simple(rank, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    hdf5_keep(writer, H5Pset_chunk(how, rank, chunk));
    hdf5_keep(writer, H5Pset_shuffle(how));
    hdf5_keep(writer, H5Pset_deflate(how, DEFLATE));
    hdf5_keep(writer, H5Pset_obj_track_times(how, false));
    const hid_t array =
        writer->fine ? H5Dcreate2(at, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : H5I_INVALID_HID;
    writer->fine = array >= 0;
    H5Pclose(how);
    H5Sclose(space);
    return array;
}

void hdf5_array_put(struct hdf5_writer *writer, hid_t array, hid_t memory, int rank, const hsize_t *first,
                    const hsize_t *count, const void *values)
{
    if (!writer->fine)
        return;
    const hid_t file = H5Dget_space(array), here = H5Screate_simple(rank, count, NULL);
    hdf5_keep(writer, H5Sselect_hyperslab(file, H5S_SELECT_SET, first, NULL, count, NULL));
    if (writer->fine)
        hdf5_keep(writer, H5Dwrite(array, memory, here, file, H5P_DEFAULT, values));
    H5Sclose(here);
    H5Sclose(file);
}

void hdf5_array_close(struct hdf5_writer *writer, hid_t array)
{
    if (array >= 0)
        hdf5_keep(writer, H5Dclose(array));
}

void hdf5_array_whole(struct hdf5_writer *writer, hid_t at, const char *name, hid_t type, hid_t memory,
                      int rank, const hsize_t *size, const hsize_t *chunk, const void *values)
{
    const hid_t array = hdf5_array(writer, at, name, type, rank, size, chunk);
    if (writer->fine)
        hdf5_keep(writer, H5Dwrite(array, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    hdf5_array_close(writer, array);
}
