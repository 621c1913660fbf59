/** Writes an HDF5 file, whole or not at all.
 *
 * After the first failed call all further calls do nothing, so callers need not check each. Objects have no
 * time of creation: equal contents give equal files. Objects that the caller does not close are lost with the
 * file.
 */
#ifndef SRC_HDF5_WRITER_H
#define SRC_HDF5_WRITER_H

#include <hdf5.h>

#include "geometry/base/whole_file.h"

struct hdf5_writer {
    struct whole_file file;
    hid_t root; /* the file */
    bool fine;  /* no call failed yet */
};

/** Fills a file. Returns a failure_code for failures outside HDF5. */
typedef int hdf5_put(struct hdf5_writer *writer, const void *what, struct failure *failure);

/** Write a file under the temporary name of `path`, settled: `put` fills it.
 * @param out zeroed
 * FAILURE_OUTPUT if it cannot be written; FAILURE_CAPACITY for memory, also if HDF5 crashes for lack of it;
 * failures of `put`. */
int hdf5_stage(const char *path, hdf5_put *put, const void *what, struct whole_file *out,
               struct failure *failure);

/** Record whether a call of HDF5 failed. */
void hdf5_keep(struct hdf5_writer *writer, herr_t status);

/** A group in `at`, open; hdf5_group_close(). */
hid_t hdf5_group(struct hdf5_writer *writer, hid_t at, const char *name);
void hdf5_group_close(struct hdf5_writer *writer, hid_t group);

/** An attribute of a file, group or data set. `count` 0: a single value and no list. */
void hdf5_attribute(struct hdf5_writer *writer, hid_t at, const char *name, hid_t type, hid_t memory,
                    hsize_t count, const void *values);
/** A text of fixed length, in UTF-8 unless it is ASCII. An empty one is stored as a blank, since HDF5 has
 * no texts of length 0. */
void hdf5_text(struct hdf5_writer *writer, hid_t at, const char *name, const char *text);
void hdf5_reals(struct hdf5_writer *writer, hid_t at, const char *name, hsize_t count, const double *values);
/** One real. */
void hdf5_real(struct hdf5_writer *writer, hid_t at, const char *name, double value);

/** A data set in chunks, compressed (shuffled, deflate 3); nothing is written yet. hdf5_array_close(). */
hid_t hdf5_array(struct hdf5_writer *writer, hid_t at, const char *name, hid_t type, int rank,
                 const hsize_t *size, const hsize_t *chunk);
/** Values of a box of the array: `count` along each axis, from `first` on. */
void hdf5_array_put(struct hdf5_writer *writer, hid_t array, hid_t memory, int rank, const hsize_t *first,
                    const hsize_t *count, const void *values);
void hdf5_array_close(struct hdf5_writer *writer, hid_t array);

/** A whole array. */
void hdf5_array_whole(struct hdf5_writer *writer, hid_t at, const char *name, hid_t type, hid_t memory,
                      int rank, const hsize_t *size, const hsize_t *chunk, const void *values);

#endif
