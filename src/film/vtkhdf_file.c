#include "src/film/vtkhdf_file.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/guarded_call.h"
#include "src/film/block_boxes.h"

#define HIDDEN_CELL 32 /* vtkDataSetAttributes::HIDDENCELL */
#define BOX_CELLS   ((size_t)BLOCK_BOX_EDGE * BLOCK_BOX_EDGE * BLOCK_BOX_EDGE * BLOCK_NODES) /* at most */
#define DEFLATE     3

/* A file that is being written; after the first call that fails nothing more is tried. */
struct writer {
    struct whole_file file;
    hid_t root; /* the file */
    hid_t top;  /* its group VTKHDF */
    bool fine;
};

static void keep(struct writer *writer, herr_t status)
{
    writer->fine = writer->fine && status >= 0;
}

/* ---- opening and closing ---- */

static hid_t create_file(const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* Nobody else knows the temporary name, and some file systems know no locks. */
    H5Pset_file_locking(access, false, true);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

/* Without the time: equal pressures give equal files. Groups of HDF5 1.10 have none by themselves. */
static hid_t create_group(hid_t at, const char *name)
{
    const hid_t how = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(how, false);
    const hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    return group;
}

static int open_writer(const char *path, struct writer *writer, struct failure *failure)
{
    *writer = (struct writer){.root = H5I_INVALID_HID, .top = H5I_INVALID_HID, .fine = true};
    TRY(whole_file_open(&writer->file, path, failure));
    fclose(writer->file.stream);
    writer->file.stream = NULL;
    return 0;
}

/* What is written between open_writer() and close_writer(). HDF5 asks for memory all along, also when it
 * closes, and may crash without. */
struct writing {
    struct writer *writer;
    int (*put)(struct writer *writer, const void *what, struct failure *failure);
    const void *what;
    int code;
    struct failure *failure;
};

static void put_and_close(void *context)
{
    struct writing *writing = context;
    struct writer *writer = writing->writer;
    /* At the program's end the library would write once more what it could not write, and crash. */
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* and a library prints nothing */
    writer->root = create_file(writer->file.temporary);
    writer->fine = writer->root >= 0;
    if (writer->fine)
        writer->top = create_group(writer->root, "VTKHDF");
    writer->fine = writer->top >= 0;
    writing->code = writing->put(writer, writing->what, writing->failure);
    if (writer->top >= 0)
        keep(writer, H5Gclose(writer->top));
    if (writer->root >= 0)
        keep(writer, H5Fclose(writer->root)); /* what was kept back is written now */
}

/* A whole file: `put` fills it. */
static int stage(const char *path,
                 int (*put)(struct writer *writer, const void *what, struct failure *failure),
                 const void *what, struct whole_file *out, struct failure *failure)
{
    struct writer writer;
    TRY(open_writer(path, &writer, failure));
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

/* ---- attributes and data sets ---- */

static void put_attribute(struct writer *writer, hid_t at, const char *name, hid_t type, hid_t memory,
                          hsize_t count, const void *values)
{
    if (!writer->fine)
        return;
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    keep(writer, attribute < 0 ? -1 : H5Awrite(attribute, memory, values));
    if (attribute >= 0)
        keep(writer, H5Aclose(attribute));
    H5Sclose(space);
}

static void put_text(struct writer *writer, hid_t at, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    put_attribute(writer, at, name, type, type, 0, text);
    H5Tclose(type);
}

static void put_reals(struct writer *writer, hid_t at, const char *name, hsize_t count, const double *values)
{
    put_attribute(writer, at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static hid_t make_group(struct writer *writer, hid_t at, const char *name)
{
    const hid_t group = writer->fine ? create_group(at, name) : H5I_INVALID_HID;
    writer->fine = group >= 0;
    return group;
}

static void close_group(struct writer *writer, hid_t group)
{
    if (group >= 0)
        keep(writer, H5Gclose(group));
}

/* The group of cell data, open; with its empty siblings, which readers need. */
static hid_t make_data(struct writer *writer, hid_t at)
{
    close_group(writer, make_group(writer, at, "PointData"));
    close_group(writer, make_group(writer, at, "FieldData"));
    const hid_t data = make_group(writer, at, "CellData");
    if (writer->fine)
        put_text(writer, data, "Scalars", "pressure");
    return data;
}

/* A compressed data set in chunks; nothing is written yet. */
static hid_t make_cells(struct writer *writer, hid_t at, const char *name, hid_t type, int rank,
                        const hsize_t *size, const hsize_t *chunk)
{
    if (!writer->fine)
        return H5I_INVALID_HID;
    const hid_t space = H5Screate_simple(rank, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    keep(writer, H5Pset_chunk(how, rank, chunk));
    keep(writer, H5Pset_shuffle(how));
    keep(writer, H5Pset_deflate(how, DEFLATE));
    keep(writer, H5Pset_obj_track_times(how, false)); /* as create_group() */
    const hid_t cells =
        writer->fine ? H5Dcreate2(at, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : H5I_INVALID_HID;
    writer->fine = cells >= 0;
    H5Pclose(how);
    H5Sclose(space);
    return cells;
}

static void close_cells(struct writer *writer, hid_t cells)
{
    if (cells >= 0)
        keep(writer, H5Dclose(cells));
}

static void put_array(struct writer *writer, hid_t at, const char *name, hid_t type, hid_t memory, int rank,
                      const hsize_t *size, const hsize_t *chunk, const void *values)
{
    const hid_t cells = make_cells(writer, at, name, type, rank, size, chunk);
    if (writer->fine)
        keep(writer, H5Dwrite(cells, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    close_cells(writer, cells);
}

/* ---- a slice ---- */

/* A level of boxes, box (boxes, 6): first and last cells along x, y and z of each, counted from the node
 * `first`. The group of its cell data, open; to be closed after `*level`. */
static hid_t put_level(struct writer *writer, const struct lattice *lattice, const int64_t first[3],
                       size_t boxes, const int *box, hid_t *level)
{
    static const int version[2] = {1, 0};
    double origin[3], spacing[3];
    for (int d = 0; d < 3; d++) {
        origin[d] = lattice->origin[d] + ((double)first[d] - 0.5) * lattice->spacing;
        spacing[d] = lattice->spacing;
    }
    const hsize_t size[2] = {boxes, 6}, chunk[2] = {boxes < 65536 ? boxes : 65536, 6};
    put_attribute(writer, writer->top, "Version", H5T_STD_I64LE, H5T_NATIVE_INT, 2, version);
    put_text(writer, writer->top, "Type", "OverlappingAMR");
    put_reals(writer, writer->top, "Origin", 3, origin);
    put_text(writer, writer->top, "GridDescription", "XYZ");
    *level = make_group(writer, writer->top, "Level0");
    put_reals(writer, *level, "Spacing", 3, spacing);
    put_array(writer, *level, "AMRBox", H5T_STD_I32LE, H5T_NATIVE_INT, 2, size, chunk, box);
    return make_data(writer, *level);
}

/* What of a slice is written. */
struct slice {
    const struct picture_plane *plane;
    const struct lattice *lattice;
    const float *pressure;
    const uint8_t *ghost;
};

static int put_plane(struct writer *writer, const void *what, struct failure *failure)
{
    const struct slice *slice = what;
    const struct picture_plane *plane = slice->plane;
    (void)failure;
    int box[6] = {0};
    int64_t first[3];
    first[plane->axis] = plane->layer;
    first[plane->across] = plane->low[0];
    first[plane->up] = plane->low[1];
    box[2 * plane->across + 1] = (int)plane->size[0] - 1;
    box[2 * plane->up + 1] = (int)plane->size[1] - 1;
    const hsize_t cells = plane->size[0] * plane->size[1];
    hid_t level = H5I_INVALID_HID;
    const hid_t data = put_level(writer, slice->lattice, first, 1, box, &level);
    put_array(writer, data, "pressure", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, &cells, &cells, slice->pressure);
    put_array(writer, data, "vtkGhostType", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &cells, &cells, slice->ghost);
    close_group(writer, data);
    close_group(writer, level);
    return 0;
}

int vtkhdf_stage_plane(const char *path, const struct picture_plane *plane, const struct lattice *lattice,
                       struct whole_file *out, struct failure *failure)
{
    const size_t count = plane->size[0] * plane->size[1];
    /* Rows of a plane, right then up, are the order of cells in VTK, whatever the axis. */
    float *pressure = malloc(count * sizeof *pressure);
    uint8_t *ghost = malloc(count);
    int code = pressure == NULL || ghost == NULL ? failure_memory(failure, 5 * count, "a slice") : 0;
    if (code == 0) {
        for (size_t i = 0; i < count; i++) {
            pressure[i] = plane->links[i] != 0 ? plane->value[i] : 0;
            ghost[i] = plane->links[i] != 0 ? 0 : HIDDEN_CELL;
        }
        const struct slice slice = {plane, lattice, pressure, ghost};
        code = stage(path, put_plane, &slice, out, failure);
    }
    free(ghost);
    free(pressure);
    return code;
}

/* ---- the whole field ---- */

/* What is being written: the field as boxes. */
struct field {
    const struct block_grid *grid;
    const struct engine *engine;
    double factor;
    size_t boxes;
    struct block_box *box; /* owned */
    int32_t corner[3];     /* lowest place: boxes are counted from there */
};

static void find_corner(struct field *field)
{
    for (int d = 0; d < 3; d++) {
        field->corner[d] = INT32_MAX;
        for (size_t i = 0; i < field->boxes; i++)
            if (field->box[i].place[d] < field->corner[d])
                field->corner[d] = field->box[i].place[d];
    }
}

/* Cells `first` .. of a data set. */
static void put_part(struct writer *writer, hid_t cells, hid_t memory, hsize_t first, hsize_t count,
                     const void *values)
{
    if (!writer->fine)
        return;
    const hid_t file = H5Dget_space(cells), here = H5Screate_simple(1, &count, NULL);
    keep(writer, H5Sselect_hyperslab(file, H5S_SELECT_SET, &first, NULL, &count, NULL));
    if (writer->fine)
        keep(writer, H5Dwrite(cells, memory, here, file, H5P_DEFAULT, values));
    H5Sclose(here);
    H5Sclose(file);
}

/* A block into its place among the cells of a box, x fastest. */
static void lay_block(const struct field *field, const struct block_box *box, const int32_t within[3],
                      float *pressure, uint8_t *ghost)
{
    const int32_t place[3] = {box->place[0] + within[0], box->place[1] + within[1],
                              box->place[2] + within[2]};
    const block_id id = block_grid_find(field->grid, place);
    const size_t row = (size_t)box->blocks[0] * BLOCK_EDGE, sheet = row * (size_t)box->blocks[1] * BLOCK_EDGE;
    const size_t first = (size_t)within[0] * BLOCK_EDGE + (size_t)within[1] * BLOCK_EDGE * row +
                         (size_t)within[2] * BLOCK_EDGE * sheet;
    double values[BLOCK_NODES];
    engine_read_block(field->engine, id, values);
    for (unsigned s = 0; s < BLOCK_NODES; s++) {
        const size_t cell = first + (s & 7) + (s >> 3 & 7) * row + (s >> 6) * sheet;
        const bool air = block_is_air(field->grid, id, s);
        pressure[cell] = air ? (float)(field->factor * values[s]) : 0;
        ghost[cell] = air ? 0 : HIDDEN_CELL;
    }
}

static int put_cells(struct writer *writer, hid_t data, const struct field *field, struct failure *failure)
{
    const hsize_t size = (hsize_t)(block_list_first(field->grid) - 1) * BLOCK_NODES,
                  some = size < BOX_CELLS ? size : BOX_CELLS;
    float *pressure = malloc(BOX_CELLS * sizeof *pressure);
    uint8_t *ghost = malloc(BOX_CELLS);
    if (pressure == NULL || ghost == NULL) {
        free(pressure);
        free(ghost);
        return failure_memory(failure, 5 * BOX_CELLS, "a part of the field");
    }
    const hid_t sound = make_cells(writer, data, "pressure", H5T_IEEE_F32LE, 1, &size, &some);
    const hid_t hidden = make_cells(writer, data, "vtkGhostType", H5T_STD_U8LE, 1, &size, &some);
    hsize_t first = 0;
    for (size_t i = 0; writer->fine && i < field->boxes; i++) {
        const struct block_box *box = &field->box[i];
        const hsize_t cells =
            (hsize_t)box->blocks[0] * (hsize_t)box->blocks[1] * (hsize_t)box->blocks[2] * BLOCK_NODES;
        int32_t at[3];
        for (at[2] = 0; at[2] < box->blocks[2]; at[2]++)
            for (at[1] = 0; at[1] < box->blocks[1]; at[1]++)
                for (at[0] = 0; at[0] < box->blocks[0]; at[0]++)
                    lay_block(field, box, at, pressure, ghost);
        put_part(writer, sound, H5T_NATIVE_FLOAT, first, cells, pressure);
        put_part(writer, hidden, H5T_NATIVE_UINT8, first, cells, ghost);
        first += cells;
    }
    close_cells(writer, hidden);
    close_cells(writer, sound);
    free(ghost);
    free(pressure);
    return engine_failed(field->engine, failure);
}

static int put_field(struct writer *writer, const void *what, struct failure *failure)
{
    const struct field *field = what;
    int *box = calloc(field->boxes, 6 * sizeof *box);
    int64_t first[3];
    hid_t level = H5I_INVALID_HID;
    if (box == NULL)
        return failure_memory(failure, 6 * field->boxes * sizeof *box, "the boxes of a field");
    for (int d = 0; d < 3; d++)
        first[d] = (int64_t)field->corner[d] * BLOCK_EDGE;
    for (size_t i = 0; i < field->boxes; i++)
        for (size_t d = 0; d < 3; d++) {
            box[6 * i + 2 * d] = (field->box[i].place[d] - field->corner[d]) * BLOCK_EDGE;
            box[6 * i + 2 * d + 1] = box[6 * i + 2 * d] + field->box[i].blocks[d] * BLOCK_EDGE - 1;
        }
    const hid_t data = put_level(writer, &field->grid->lattice, first, field->boxes, box, &level);
    const int code = writer->fine ? put_cells(writer, data, field, failure) : 0;
    close_group(writer, data);
    close_group(writer, level);
    free(box);
    return code;
}

int vtkhdf_stage_blocks(const char *path, const struct block_grid *grid, const struct engine *engine,
                        double factor, struct whole_file *out, struct failure *failure)
{
    struct field field = {.grid = grid, .engine = engine, .factor = factor};
    TRY(block_boxes_make(grid, &field.box, &field.boxes, failure));
    find_corner(&field);
    const int code = stage(path, put_field, &field, out, failure);
    free(field.box);
    return code;
}
