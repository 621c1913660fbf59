#include "geometry/base/vector.h"
#include "src/setup/radiation/sofa_pattern.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/regular_file.h"
#include "src/base/caged_sofa.h"

#define PI 3.14159265358979323846

#define CONVENTIONS "FreeFieldDirectivityTF"
#define VALUES_MOST 2e8  /* of a table */
#define POINTS      4000 /* on the sphere, each assigned to the nearest direction */
#define SILENT      1e-3 /* of the axis, over the root of the mean square of all directions */

/* ---- tables of the file -------------------------------------------------------------------------------- */

/* A table of numbers; `size` of its dimensions, 1 beyond them. */
struct table {
    double *value; /* owned */
    size_t size[3], count;
};

struct reading {
    const char *path; /* for sentences */
    hid_t file;
};

static int refuse_file(const struct reading *reading, const char *what, struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT, "%s: %s", reading->path, what);
}

static int read_table(const struct reading *reading, const char *name, struct table *out,
                      struct failure *failure)
{
    hsize_t size[8] = {0};
    *out = (struct table){.size = {1, 1, 1}, .count = 1};
    if (H5Lexists(reading->file, name, H5P_DEFAULT) <= 0)
        return failure_set(failure, FAILURE_INPUT, "%s: has no table %s, which " CONVENTIONS " asks for",
                           reading->path, name);
    const hid_t set = H5Dopen2(reading->file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
    const int dimensions = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    int code = 0;
    if (dimensions < 1 || dimensions > 8 || H5Sget_simple_extent_dims(space, size, NULL) < 0)
        code = failure_set(failure, FAILURE_INPUT, "%s: the table %s cannot be read", reading->path, name);
    for (int d = 0; code == 0 && d < dimensions; d++) {
        if (d < 3)
            out->size[d] = (size_t)size[d];
        out->count = (double)out->count * (double)size[d] <= VALUES_MOST ? out->count * (size_t)size[d] : 0;
    }
    if (code == 0 && out->count == 0)
        code = failure_set(failure, FAILURE_INPUT, "%s: the table %s is empty, or has more than %g numbers",
                           reading->path, name, VALUES_MOST);
    if (code == 0 && (out->value = malloc(out->count * sizeof *out->value)) == NULL)
        code = failure_memory(failure, out->count * sizeof *out->value, reading->path);
    if (code == 0 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out->value) < 0)
        code = failure_set(failure, FAILURE_INPUT, "%s: the table %s cannot be read", reading->path, name);
    for (size_t n = 0; code == 0 && n < out->count; n++)
        if (!isfinite(out->value[n]))
            code = failure_set(failure, FAILURE_INPUT, "%s: a number of the table %s is not finite",
                               reading->path, name);
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0)
        H5Dclose(set);
    return code;
}

/* An attribute of the file, or of a table of it, as text; empty if absent. */
static void read_text(const struct reading *reading, const char *table, const char *name, char text[64])
{
    text[0] = '\0';
    if (strcmp(table, ".") != 0 && H5Lexists(reading->file, table, H5P_DEFAULT) <= 0)
        return;
    if (H5Aexists_by_name(reading->file, table, name, H5P_DEFAULT) <= 0)
        return;
    const hid_t attribute = H5Aopen_by_name(reading->file, table, name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute),
                space = attribute < 0 ? -1 : H5Aget_space(attribute);
    /* One text, for which there is room. */
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && space >= 0 &&
        H5Sget_simple_extent_npoints(space) == 1) {
        char *variable = NULL, fixed[4096] = "";
        if (H5Tis_variable_str(type) > 0) {
            if (H5Aread(attribute, type, &variable) >= 0 && variable != NULL)
                (void)snprintf(text, 64, "%s", variable);
        } else if (H5Tget_size(type) < sizeof fixed && H5Aread(attribute, type, fixed) >= 0) {
            (void)snprintf(text, 64, "%.63s", fixed);
        }
        if (variable != NULL)
            H5free_memory(variable);
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
}

/* Row `at` of a table of places, as a unit vector. False where it has no length. */
static bool direction_of(const struct table *table, size_t at, bool spherical, double out[3])
{
    const size_t apart = table->count / (table->size[0] * 3); /* measurements; the first is taken */
    const double a = table->value[(3 * at) * apart], b = table->value[(3 * at + 1) * apart],
                 c = table->value[(3 * at + 2) * apart];
    if (spherical) {
        const double azimuth = a * PI / 180.0, elevation = b * PI / 180.0;
        out[0] = cos(elevation) * cos(azimuth);
        out[1] = cos(elevation) * sin(azimuth);
        out[2] = sin(elevation);
        return true;
    }
    const double length = sqrt(a * a + b * b + c * c);
    out[0] = a / length;
    out[1] = b / length;
    out[2] = c / length;
    return length > 0.0 && isfinite(length);
}

/* The direction of a table that may be missing. */
static int read_direction(const struct reading *reading, const char *name, double out[3],
                          struct failure *failure)
{
    struct table table = {0};
    char type[64];
    if (H5Lexists(reading->file, name, H5P_DEFAULT) <= 0)
        return 0;
    int code = read_table(reading, name, &table, failure);
    read_text(reading, name, "Type", type);
    if (code == 0 && (table.count % 3 != 0 || table.size[1] != 3 ||
                      !direction_of(&table, 0, strcmp(type, "spherical") == 0, out)))
        code = failure_set(failure, FAILURE_INPUT, "%s: %s is not a direction", reading->path, name);
    free(table.value);
    return code;
}

/* ---- the sphere ---------------------------------------------------------------------------------------- */

/* Directions in the source's own axes. FAILURE_INPUT where view and up are the same line. */
static int turn_to_source(const struct reading *reading, size_t count, double (*direction)[3],
                          struct failure *failure)
{
    double front[3] = {1.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, left[3];
    TRY(read_direction(reading, "SourceView", front, failure));
    TRY(read_direction(reading, "SourceUp", up, failure));
    for (int k = 0; k < 3; k++)
        left[k] = up[(k + 1) % 3] * front[(k + 2) % 3] - up[(k + 2) % 3] * front[(k + 1) % 3];
    const double length = sqrt(vector_dot(left, left));
    if (!(length > 1e-3))
        return refuse_file(reading, "its source looks straight up or down its own height", failure);
    for (int k = 0; k < 3; k++)
        left[k] /= length;
    for (int k = 0; k < 3; k++)
        up[k] = front[(k + 1) % 3] * left[(k + 2) % 3] - front[(k + 2) % 3] * left[(k + 1) % 3];
    for (size_t n = 0; n < count; n++) {
        const double own[3] = {vector_dot(direction[n], front), vector_dot(direction[n], left),
                               vector_dot(direction[n], up)};
        memcpy(direction[n], own, sizeof own);
    }
    return 0;
}

/* The part of the sphere that is nearest to each direction, and the one nearest to the axis. */
static int share_sphere(const struct reading *reading, size_t count, const double (*direction)[3],
                        double *weight, size_t *axis, struct failure *failure)
{
    double widest = 1.0;
    for (int p = 0; p <= POINTS; p++) { /* at last the axis */
        const double z = p < POINTS ? 1.0 - 2.0 * (p + 0.5) / POINTS : 0.0, r = sqrt(1.0 - z * z),
                     angle = p < POINTS ? 2.399963229728653 * p : 0.0;
        const double point[3] = {r * cos(angle), r * sin(angle), z};
        size_t nearest = 0;
        double most = -2.0;
        for (size_t n = 0; n < count; n++) {
            const double c = vector_dot(direction[n], point);
            nearest = c > most ? n : nearest;
            most = fmax(c, most);
        }
        widest = fmin(widest, most);
        if (p < POINTS)
            weight[nearest] += 4.0 * PI / POINTS;
        else
            *axis = nearest;
    }
    if (!(widest >= cos(SOFA_PATTERN_HOLE * PI / 180.0)))
        return failure_set(
            failure, FAILURE_INPUT,
            "%s: has no data within %.0f degrees of a direction; at most %g degrees are allowed",
            reading->path, acos(widest) * 180.0 / PI, SOFA_PATTERN_HOLE);
    return 0;
}

/* ---- from tables to a pattern -------------------------------------------------------------------------- */

struct tables {
    struct table real, imaginary, place, line;
};

static int check_sizes(const struct reading *reading, const struct tables *tables, struct failure *failure)
{
    const struct table *real = &tables->real, *place = &tables->place;
    const size_t directions = real->size[1], lines = real->size[2];
    if (real->size[0] != 1)
        return failure_set(failure, FAILURE_INPUT, "%s: holds %zu measurements; a source has one",
                           reading->path, real->size[0]);
    if (real->count != directions * lines || tables->imaginary.count != real->count)
        return refuse_file(
            reading, "Data.Real and Data.Imag do not have one number for each receiver and line", failure);
    if (directions < SOFA_PATTERN_DIRECTIONS_LEAST || directions > SOFA_PATTERN_DIRECTIONS_MOST)
        return failure_set(failure, FAILURE_INPUT, "%s: has %zu directions; from %d to %d are taken",
                           reading->path, directions, SOFA_PATTERN_DIRECTIONS_LEAST,
                           SOFA_PATTERN_DIRECTIONS_MOST);
    if (place->size[0] != directions || place->size[1] != 3 || place->count % (3 * directions) != 0)
        return refuse_file(reading, "ReceiverPosition does not have one place for each receiver", failure);
    if (tables->line.count != lines || lines > SOFA_PATTERN_LINES_MOST)
        return refuse_file(reading, "N does not have one frequency for each line", failure);
    for (size_t l = 0; l < lines; l++)
        if (tables->line.value[l] < 0.0 || (l > 0 && !(tables->line.value[l] > tables->line.value[l - 1])))
            return refuse_file(reading, "its frequencies do not rise from 0", failure);
    if (lines == 1 && tables->line.value[0] == 0.0)
        return refuse_file(reading, "its only frequency is 0", failure);
    return 0;
}

static int fit_lines(const struct reading *reading, const struct tables *tables, const double (*direction)[3],
                     const double *weight, size_t axis, struct pattern *out, struct failure *failure)
{
    const size_t directions = tables->real.size[1], lines = tables->real.size[2],
                 skipped = tables->line.value[0] == 0.0;
    double complex *value = malloc(directions * sizeof *value);
    if (value == NULL)
        return failure_memory(failure, directions * sizeof *value, reading->path);
    int code = pattern_allocate(lines - skipped, out, failure);
    for (size_t l = lines; code == 0 && l-- > skipped;) {
        double square = 0.0;
        for (size_t n = 0; n < directions; n++) {
            value[n] = tables->real.value[n * lines + l] + I * tables->imaginary.value[n * lines + l];
            square += creal(value[n] * conj(value[n])) / (double)directions;
        }
        if (!(cabs(value[axis]) > SILENT * sqrt(square))) {
            code = failure_set(failure, FAILURE_INPUT, "%s: is silent on its axis at %g Hz", reading->path,
                               tables->line.value[l]);
            break;
        }
        out->frequency[l - skipped] = tables->line.value[l];
        if (!pattern_fit(directions, direction, weight, value, axis, out->harmonic[l - skipped]))
            out->carried = tables->line.value[l];
    }
    free(value);
    return code;
}

static int fit_pattern(const struct reading *reading, const struct tables *tables, struct pattern *out,
                       struct failure *failure)
{
    const size_t directions = tables->real.size[1];
    char type[64];
    double(*direction)[3] = malloc(directions * sizeof *direction),
    *weight = calloc(directions, sizeof *weight);
    size_t axis = 0;
    int code = direction == NULL || weight == NULL
                   ? failure_memory(failure, directions * sizeof *direction, reading->path)
                   : 0;
    read_text(reading, "ReceiverPosition", "Type", type);
    for (size_t n = 0; code == 0 && n < directions; n++)
        if (!direction_of(&tables->place, n, strcmp(type, "spherical") == 0, direction[n]))
            code = failure_set(failure, FAILURE_INPUT, "%s: receiver %zu is inside the source", reading->path,
                               n + 1);
    if (code == 0)
        code = turn_to_source(reading, directions, direction, failure);
    if (code == 0)
        code = share_sphere(reading, directions, (const double(*)[3])direction, weight, &axis, failure);
    if (code == 0)
        code = fit_lines(reading, tables, (const double(*)[3])direction, weight, axis, out, failure);
    free(direction);
    free(weight);
    return code;
}

static int read_file(const struct reading *reading, struct pattern *out, struct failure *failure)
{
    struct tables tables = {0};
    char conventions[64];
    read_text(reading, ".", "SOFAConventions", conventions);
    if (strcmp(conventions, CONVENTIONS) != 0)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: its conventions are %s; the directivity of a source has " CONVENTIONS,
                           reading->path, conventions[0] != '\0' ? conventions : "none of SOFA");
    int code = read_table(reading, "Data.Real", &tables.real, failure);
    if (code == 0)
        code = read_table(reading, "Data.Imag", &tables.imaginary, failure);
    if (code == 0)
        code = read_table(reading, "ReceiverPosition", &tables.place, failure);
    if (code == 0)
        code = read_table(reading, "N", &tables.line, failure);
    if (code == 0)
        code = check_sizes(reading, &tables, failure);
    if (code == 0)
        code = fit_pattern(reading, &tables, out, failure);
    free(tables.real.value);
    free(tables.imaginary.value);
    free(tables.place.value);
    free(tables.line.value);
    return code;
}

/* ---- in a process of its own: files come from anywhere ------------------------------------------------- */

/* The child's answer: this, then frequencies and harmonics or, unless `status` is 0, a failure. */
struct answer {
    int64_t status;
    uint64_t lines;
    double carried;
};

/* Open the file in memory: opening it by name needs system calls that the cage forbids. */
static int open_image(const struct caged_sofa_file *loading, struct reading *reading, void **image,
                      struct failure *failure)
{
    size_t got = 0;
    *image = malloc((size_t)loading->bytes + 1);
    if (*image == NULL)
        return failure_memory(failure, loading->bytes, loading->path);
    TRY(regular_file_fill(CONFINED_DESCRIPTOR, loading->path, *image, (size_t)loading->bytes, &got, failure));
    if (got == 0)
        return refuse_file(reading, "is empty", failure);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 || H5Pset_fapl_core(access, 1 << 20, false) < 0 ||
        H5Pset_file_image(access, *image, got) < 0)
        return failure_memory(failure, loading->bytes, loading->path);
    reading->file = H5Fopen("/image", H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return reading->file < 0 ? refuse_file(reading, "is not a SOFA file, which is in HDF5", failure) : 0;
}

static int load_pattern(const struct caged_sofa_file *loading, struct pattern *out, struct failure *failure)
{
    struct reading reading = {.path = loading->path, .file = -1};
    void *image = NULL;
    int code = open_image(loading, &reading, &image, failure);
    if (code == 0)
        code = read_file(&reading, out, failure);
    if (reading.file >= 0)
        H5Fclose(reading.file);
    free(image);
    return code;
}

static void send_pattern(void *context, int to)
{
    struct pattern pattern = {0};
    struct failure failure = {0};
    struct answer begin = {.status = load_pattern(context, &pattern, &failure)};
    begin.lines = pattern.lines;
    begin.carried = pattern.carried;
    if (confined_write(to, &begin, sizeof begin) != 0)
        return;
    if (begin.status != 0)
        (void)confined_write(to, &failure, sizeof failure);
    else if (confined_write(to, pattern.frequency, pattern.lines * sizeof *pattern.frequency) == 0)
        (void)confined_write(to, pattern.harmonic, pattern.lines * sizeof *pattern.harmonic);
    pattern_free(&pattern);
}

/* An attacker may control the child, so any answer but a valid pattern is refused. */
static int take_answer(const char *path, const struct confined_answer *answer, struct pattern *out,
                       struct failure *failure)
{
    struct answer begin;
    struct pattern made = {0};
    if (answer->size < sizeof begin)
        return caged_sofa_derailed(path, failure);
    memcpy(&begin, answer->bytes, sizeof begin);
    if (begin.status != 0)
        return caged_sofa_failed(path, begin.status, sizeof begin, answer, failure);
    if (begin.lines < 1 || begin.lines > SOFA_PATTERN_LINES_MOST)
        return caged_sofa_derailed(path, failure);
    TRY(pattern_allocate(begin.lines, &made, failure));
    const size_t lines = begin.lines * sizeof *made.frequency, rest = begin.lines * sizeof *made.harmonic;
    bool sound = answer->size == sizeof begin + lines + rest;
    if (sound) {
        memcpy(made.frequency, answer->bytes + sizeof begin, lines);
        memcpy(made.harmonic, answer->bytes + sizeof begin + lines, rest);
    }
    for (size_t l = 0; sound && l < begin.lines; l++) {
        sound = made.frequency[l] > (l > 0 ? made.frequency[l - 1] : 0.0) && isfinite(made.frequency[l]);
        for (int i = 0; i < HARMONICS; i++)
            sound = sound && cabs(made.harmonic[l][i]) < 1e6;
    }
    if (!sound) {
        pattern_free(&made);
        return caged_sofa_derailed(path, failure);
    }
    made.carried = begin.carried;
    *out = made;
    return 0;
}

int sofa_pattern_read(const char *path, struct pattern *out, struct failure *failure)
{
    static const struct caged_sofa cage = {"a source", "HDF5", 5e8, UINT64_C(1) << 26};
    struct confined_answer answer = {0};
    int code = caged_sofa_run(&cage, path, send_pattern, &answer, failure);
    if (code == 0)
        code = take_answer(path, &answer, out, failure);
    confined_answer_free(&answer);
    return code;
}
