/** transept export: SOFA files against the checklist of AES69 and the run's own files, read by HDF5,
 * libmysofa and netCDF; responses of receiver grids as HDF5, bit for bit. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <mysofa.h>

#include "tests/support/hdf5_read.h"
#include "tests/support/outcome.h"
#include "tests/support/fault_run.h"
#include "tests/support/sounds.h"

#define PI    3.14159265358979323846
#define HALL  "hall.obj", "--fmax", "200", "--quality", "draft", "--absorption", "0.3", "--duration", "0.1"
#define TWO   "--source", "2,2,2,left", "--source", "6,5,3,right"
#define THREE "--receiver", "5,4,1.5,near", "--receiver", "6.5,2,1.2,far_away", "--receiver", "2,5.5,1,side"

TestSuite(export, .init = enter_folder, .fini = leave_folder);

/* A run of a hall, and its files of both conventions. */
static void simulate_with(const char *more)
{
    write_box("hall.obj", 8, 7, 6, true);
    expect_status(RUN("simulate", HALL, TWO, THREE, more, "--quiet", "--force", "-o", "run"), 0);
}

static void simulate(void)
{
    simulate_with("--quiet");
}

static void export_both(void)
{
    expect_status(RUN("export", "run", "-o", "one.sofa", "--force"), 0);
    expect_status(
        RUN("export", "run/run.json", "-o", "all.sofa", "--convention", "SingleRoomMIMOSRIR", "--force"), 0);
}

static void simulate_grid(const char *more)
{
    write_box("hall.obj", 8, 7, 6, true);
    expect_status(RUN("simulate", HALL, TWO, "--receiver-grid", "floor=1,1,0;7,1,0;7,6,0;1,6,0",
                      "--grid-spacing", "2", more, "--quiet", "-o", "run"),
                  0);
}

/* ---- the checklist ---- */

/* What SingleRoomSRIR_1.1.csv and SingleRoomMIMOSRIR_1.0.csv of sofaconventions.org mark as mandatory, with |
 * between several. A value: the attribute is this, or one of these; NULL: any text. */
struct asked_text {
    const char *at, *name, *value;
};
static const struct asked_text asked_of_both[] = {
    {"/", "Conventions", "SOFA"},
    {"/", "Version", "2.1"},
    {"/", "RoomType", "shoebox|dae"},
    {"/",
     "Title|DateCreated|DateModified|APIName|APIVersion|AuthorContact|Organization|License|DatabaseName|"
     "RoomGeometry|ReceiverDescription|EmitterDescription",
     NULL},
    {"ListenerPosition|ListenerView|SourcePosition|SourceView|EmitterPosition", "Type",
     "cartesian|spherical"},
    {"ListenerPosition|ListenerView|SourcePosition|SourceView|EmitterPosition", "Units", "metre"},
    {"RoomTemperature", "Units", "kelvin"},
    {"RoomVolume", "Units", "cubic metre"},
    {"Data.SamplingRate", "Units", "hertz"},
};
static const struct asked_text asked_of_single[] = {{"/", "SOFAConventions", "SingleRoomSRIR"},
                                                    {"/", "SOFAConventionsVersion", "1.1"},
                                                    {"/", "DataType", "FIR"}};
static const struct asked_text asked_of_mimo[] = {{"/", "SOFAConventions", "SingleRoomMIMOSRIR"},
                                                  {"/", "SOFAConventionsVersion", "1.0"},
                                                  {"/", "DataType", "FIR-E"}};

/* Which dimensions a variable may have. */
struct asked_variable {
    const char *name, *single, *mimo;
};
static const struct asked_variable asked_variables[] = {{"ListenerPosition", "MC", "MC"},
                                                        {"ListenerView", "IC|MC", "IC|MC"},
                                                        {"ListenerUp", "IC|MC", "IC|MC"},
                                                        {"SourcePosition", "MC", "MC"},
                                                        {"SourceView", "IC|MC", "IC|MC"},
                                                        {"SourceUp", "IC|MC", "IC|MC"},
                                                        {"ReceiverPosition", "IC|RC|RCI|RCM", "ICI|RCI|RCM"},
                                                        {"EmitterPosition", "ECI|ECM", "ICI|ECI|ECM"},
                                                        {"RoomTemperature", "I|M", "I|M"},
                                                        {"RoomVolume", "I|M", "I|MI"},
                                                        {"Data.SamplingRate", "I|M", "I|M"},
                                                        {"Data.Delay", "IR|MR", "IRI|MRI|MRE"},
                                                        {"Data.IR", "MRN", "MRNE"}};

/* Is `text` one of several? */
static bool is_one_of(const char *text, const char *several)
{
    const size_t length = strlen(text);
    for (const char *at = several; at != NULL; at = strchr(at, '|') != NULL ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    return false;
}

static void read_attribute(hid_t file, const char *at, const char *name, char text[8000])
{
    const hid_t attribute = H5Aopen_by_name(file, at, name, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(attribute >= 0, "%s has no %s", at, name);
    const hid_t type = H5Aget_type(attribute);
    memset(text, 0, 8000);
    cr_assert(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) < 8000);
    /* libmysofa knows no other: bytes of ASCII up to an end. */
    cr_assert(H5Tget_strpad(type) == H5T_STR_NULLTERM && H5Tget_cset(type) == H5T_CSET_ASCII, "%s", name);
    cr_assert(H5Aread(attribute, type, text) >= 0);
}

static void expect_texts(hid_t file, const struct asked_text *asked, size_t count)
{
    for (size_t a = 0; a < count; a++) {
        char at[200], name[200], text[8000], *more_at, *more_names;
        strcpy(at, asked[a].at);
        for (char *o = strtok_r(at, "|", &more_at); o != NULL; o = strtok_r(NULL, "|", &more_at)) {
            strcpy(name, asked[a].name);
            for (char *n = strtok_r(name, "|", &more_names); n != NULL;
                 n = strtok_r(NULL, "|", &more_names)) {
                read_attribute(file, o, n, text);
                cr_assert(text[0] != '\0', "%s is empty", n);
                if (asked[a].value != NULL)
                    cr_assert(is_one_of(text, asked[a].value), "%s of %s is %s", n, o, text);
            }
        }
    }
}

/* The letters of a variable's dimensions, by the scales that are attached to it. */
static void read_dimensions(hid_t file, const char *name, char letters[8])
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    cr_assert(set >= 0, "%s is missing", name);
    const hid_t attribute = H5Aopen(set, "DIMENSION_LIST", H5P_DEFAULT), type = H5Aget_type(attribute);
    hvl_t list[8];
    const hid_t space = H5Aget_space(attribute);
    const int rank = (int)H5Sget_simple_extent_npoints(space);
    cr_assert(rank > 0 && rank < 8 && H5Aread(attribute, type, list) >= 0);
    memset(letters, 0, 8);
    for (int d = 0; d < rank; d++) {
        char scale[80] = "", words[80] = "";
        const hid_t object = H5Rdereference2(set, H5P_DEFAULT, H5R_OBJECT, list[d].p);
        cr_assert(list[d].len == 1 && H5Iget_name(object, scale, sizeof scale) == 2);
        letters[d] = scale[1];
        /* "This is a netCDF dimension but not a netCDF variable.%10d", its size as it is */
        hsize_t size, extent[8];
        const hid_t its = H5Dget_space(object), mine = H5Dget_space(set);
        H5Sget_simple_extent_dims(its, &size, NULL);
        H5Sget_simple_extent_dims(mine, extent, NULL);
        cr_assert(size == extent[d], "%s along %c", name, letters[d]);
        const hid_t named = H5Aopen(object, "NAME", H5P_DEFAULT), as = H5Aget_type(named);
        cr_assert(H5Tget_size(as) < sizeof words && H5Aread(named, as, words) >= 0);
        cr_assert(strtoull(strchr(words, '.') + 1, NULL, 10) == size, "%s", words);
    }
}

static void expect_variables(hid_t file, bool single)
{
    for (size_t v = 0; v < sizeof asked_variables / sizeof *asked_variables; v++) {
        const struct asked_variable *asked = &asked_variables[v];
        char letters[8];
        read_dimensions(file, asked->name, letters);
        cr_assert(is_one_of(letters, single ? asked->single : asked->mimo), "%s has %s", asked->name,
                  letters);
        const hid_t set = H5Dopen2(file, asked->name, H5P_DEFAULT), type = H5Dget_type(set),
                    how = H5Dget_create_plist(set);
        cr_assert(H5Tequal(type, H5T_IEEE_F64LE) > 0, "%s is not double", asked->name);
        cr_assert(H5Pget_layout(how) == H5D_CHUNKED && H5Pget_nfilters(how) == 2, "%s", asked->name);
    }
}

#define EXPECT_TEXTS(file, asked) expect_texts(file, asked, sizeof(asked) / sizeof *(asked))

static void expect_checklist(const char *path, bool single, bool ambisonic)
{
    const hid_t file = hdf5_open(path);
    EXPECT_TEXTS(file, asked_of_both);
    if (single)
        EXPECT_TEXTS(file, asked_of_single);
    else
        EXPECT_TEXTS(file, asked_of_mimo);
    const struct asked_text receivers[] = {
        {"ReceiverPosition", "Type", ambisonic ? "spherical harmonics" : "cartesian|spherical"},
        {"ReceiverPosition", "Units", ambisonic ? "degree, degree, metre" : "metre"}};
    EXPECT_TEXTS(file, receivers);
    expect_variables(file, single);
}

Test(export, a_sofa_file_has_all_that_the_checklist_of_its_convention_asks_for)
{
    for (int ambisonic = 0; ambisonic < 2; ambisonic++) {
        simulate_with(ambisonic ? "--ambisonics" : "--quiet");
        export_both();
        expect_checklist("one.sofa", true, ambisonic);
        expect_checklist("all.sofa", false, ambisonic);
    }
}

/* ---- what is in it ---- */

static double *read_reals(hid_t file, const char *name, int rank, hsize_t *size)
{
    return test_keep(hdf5_read(file, name, H5T_NATIVE_DOUBLE, sizeof(double), rank, size));
}

static const cJSON *named(const cJSON *list, const char *name)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) if (strcmp(text_of(entry, "name"), name) == 0) return entry;
    cr_assert(false, "%s", name);
    return NULL;
}

static void expect_place(const double *position, const cJSON *point)
{
    for (int d = 0; d < 3; d++)
        cr_assert(position[d] ==
                  cJSON_GetArrayItem(cJSON_GetObjectItem(point, "position_m"), d)->valuedouble);
}

Test(export, a_measurement_of_SingleRoomSRIR_is_a_response_with_its_places)
{
    simulate();
    expect_status(RUN("export", "run", "-o", "one.sofa"), 0);
    cJSON *record = read_json("run/run.json");
    const cJSON *responses = cJSON_GetObjectItem(record, "responses");
    const hid_t file = hdf5_open("one.sofa");
    hsize_t size[3], places[2], rates;
    double *samples = read_reals(file, "Data.IR", 3, size),
           *rate = read_reals(file, "Data.SamplingRate", 1, &rates);
    double *listener = read_reals(file, "ListenerPosition", 2, places),
           *source = read_reals(file, "SourcePosition", 2, places);
    cr_assert(size[0] == 6 && size[1] == 1 && rate[0] == 48000);
    for (int m = 0; m < 6; m++) {
        const cJSON *response = cJSON_GetArrayItem(responses, m);
        char path[100];
        size_t count;
        int own_rate;
        snprintf(path, sizeof path, "run/%s", text_of(response, "file"));
        float *sound = read_mono(path, &count, &own_rate);
        cr_assert(le(sz, count, size[2]));
        for (size_t i = 0; i < size[2]; i++)
            cr_assert(samples[(size_t)m * size[2] + i] == (i < count ? (double)sound[i] : 0.0));
        expect_place(listener + 3 * m,
                     named(cJSON_GetObjectItem(record, "receivers"), text_of(response, "receiver")));
        expect_place(source + 3 * m,
                     named(cJSON_GetObjectItem(record, "sources"), text_of(response, "source")));
    }
}

/* Names, a letter at a time, zeros behind. */
static void expect_name(const char *letters, size_t most, const char *name)
{
    cr_assert(strncmp(letters, name, most) == 0 && strlen(name) <= most, "%.*s", (int)most, letters);
}

Test(export, SingleRoomMIMOSRIR_has_every_source_as_an_emitter_and_every_receiver_as_a_measurement)
{
    simulate();
    export_both();
    const char *const source[] = {"left", "right"}, *const receiver[] = {"near", "far_away", "side"};
    const hid_t file = hdf5_open("all.sofa");
    hsize_t size[4], places[3], names[3];
    double *samples = read_reals(file, "Data.IR", 4, size),
           *emitter = read_reals(file, "EmitterPosition", 3, places);
    char *heard = test_keep(hdf5_read(file, "ReceiverDescriptions", H5T_C_S1, 1, 3, names));
    cr_assert(names[0] == 3 && names[1] == 8);
    for (size_t m = 0; m < 3; m++)
        expect_name(heard + 8 * m, 8, receiver[m]);
    cr_assert(size[0] == 3 && size[1] == 1 && size[3] == 2);
    cr_assert(emitter[0] == 2 && emitter[5] == 3);
    for (size_t m = 0; m < 3; m++)
        for (size_t e = 0; e < 2; e++) {
            char path[100];
            size_t count;
            int rate;
            snprintf(path, sizeof path, "run/ir_%s_%s.wav", source[e], receiver[m]);
            float *sound = read_mono(path, &count, &rate);
            for (size_t i = 0; i < size[2]; i++)
                cr_assert(samples[(m * size[2] + i) * 2 + e] == (i < count ? (double)sound[i] : 0.0));
        }
}

/* Where the direct sound comes from: the vector of W Y, W Z, W X over the time before any reflection, in the
 * frame of the listener, whose front is `view` (horizontal), as a direction in the room. */
static void direct_direction(const double *sample, size_t n, size_t stride, size_t until,
                             const double view[3], double out[3])
{
    double y = 0, z = 0, x = 0;
    for (size_t i = 0; i < until; i++) {
        const double w = sample[i * stride];
        y += w * sample[(n + i) * stride];
        z += w * sample[(2 * n + i) * stride];
        x += w * sample[(3 * n + i) * stride];
    }
    const double length = sqrt(x * x + y * y + z * z);
    out[0] = (x * view[0] - y * view[1]) / length;
    out[1] = (x * view[1] + y * view[0]) / length;
    out[2] = z / length;
}

/* Orthonormal harmonics of a wave from one direction: the sum of the squares of order 1 is 3 times that of
 * order 0. */
static double orders_ratio(const double *sample, size_t n, size_t stride, size_t until)
{
    double pressure = 0, gradient = 0;
    for (size_t i = 0; i < until; i++) {
        pressure += sample[i * stride] * sample[i * stride];
        for (size_t c = 1; c < 4; c++)
            gradient += sample[(c * n + i) * stride] * sample[(c * n + i) * stride];
    }
    return gradient / pressure;
}

/* A hall so wide that the direct sound is over when the first reflection comes. */
Test(export, ambisonic_receivers_point_to_the_source_in_the_frame_of_their_listener)
{
    write_box("hall.obj", 40, 40, 40, true);
    expect_status(RUN("simulate", "hall.obj", "--fmax", "90", "--quality", "draft", "--absorption", "0.3",
                      "--duration", "0.12", "--source", "20,20,20,left", "--source", "26,26,23,right",
                      "--receiver", "24,18,17,near", "--ambisonics", "--quiet", "-o", "run"),
                  0);
    export_both();
    static const double source[2][3] = {{20, 20, 20}, {26, 26, 23}}, at[3] = {24, 18, 17};
    const hid_t one = hdf5_open("one.sofa"), all = hdf5_open("all.sofa");
    hsize_t size[4], views[2];
    double *single = read_reals(one, "Data.IR", 3, size), *view = read_reals(one, "ListenerView", 2, views);
    double *mimo = read_reals(all, "Data.IR", 4, size), *same = read_reals(all, "ListenerView", 2, views);
    cr_assert(size[0] == 1 && size[1] == 4 && size[3] == 2);
    const size_t n = size[2], until = (size_t)(0.06 * 48000);
    cr_assert(same[0] == 1 && same[1] == 0);
    for (size_t e = 0; e < 2; e++) {
        double seen[2][3], distance = 0;
        direct_direction(single + e * 4 * n, n, 1, until, view + 3 * e, seen[0]);
        direct_direction(mimo + e, n, 2, until, same, seen[1]);
        for (int d = 0; d < 3; d++)
            distance += (source[e][d] - at[d]) * (source[e][d] - at[d]);
        for (int d = 0; d < 3; d++)
            for (int c = 0; c < 2; c++)
                cr_assert(test_near(seen[c][d], (source[e][d] - at[d]) / sqrt(distance), 0.03),
                          "source %zu, axis %d: %g", e, d, seen[c][d]);
        const double ratio = orders_ratio(single + e * 4 * n, n, 1, until);
        cr_assert(test_near(ratio, 3.0, 0.5), "%g", ratio);
        /* And W is the pressure. */
        char path[60];
        size_t count;
        int rate;
        snprintf(path, sizeof path, "run/ir_%s_near.wav", e == 0 ? "left" : "right");
        float *sound = read_mono(path, &count, &rate);
        for (size_t i = 0; i < count; i++)
            cr_assert(test_near(single[e * 4 * n + i] * sqrt(4 * PI), sound[i], 1e-12));
    }
}

Test(export, a_source_that_points_has_its_axis_as_its_view_and_says_how_it_radiates)
{
    write_box("hall.obj", 8, 7, 6, true);
    expect_status(RUN("simulate", HALL, TWO, THREE, "--directivity", "right=voice", "--aim", "right=90",
                      "--quiet", "-o", "run"),
                  0);
    export_both();
    const hid_t one = hdf5_open("one.sofa"), all = hdf5_open("all.sofa");
    hsize_t size[3];
    char text[8000];
    double *view = read_reals(one, "SourceView", 2, size);
    cr_assert(size[0] == 6 && view[0] == 1 && view[1] == 0);
    cr_assert(test_near(view[9], 0, 1e-9) && test_near(view[10], 1, 1e-9) && test_near(view[11], 0, 1e-9));
    read_attribute(one, "/", "SourceDescription", text);
    cr_assert(strstr(text, "right radiates as voice") != NULL, "%s", text);
    double *emitters = read_reals(all, "EmitterView", 3, size);
    cr_assert(size[0] == 2 && emitters[0] == 1 && test_near(emitters[4], 1, 1e-9));
    read_attribute(all, "EmitterView", "Units", text);
    cr_assert(eq(str, text, "metre"));
}

/* ---- other readers ---- */

/* A text of 40 names of a hundred letters, which libmysofa would not read whole. */
Test(export, libmysofa_reads_the_same_responses_also_of_a_room_of_many_surfaces)
{
    FILE *file = fopen("hall.obj", "w");
    cr_assert(file != NULL);
    static const double corner[8][3] = {{0, 0, 0}, {8, 0, 0}, {8, 7, 0}, {0, 7, 0},
                                        {0, 0, 6}, {8, 0, 6}, {8, 7, 6}, {0, 7, 6}};
    for (int c = 0; c < 8; c++)
        fprintf(file, "v %g %g %g\n", corner[c][0], corner[c][1], corner[c][2]);
    for (int m = 0; m < 80; m++) /* floors on one another: only their names count */
        fprintf(file, "v 0 0 %g\nv 0.5 0 %g\nv 0.5 0.5 %g\nusemtl m%03d_%0100d\nf %d %d %d\n", 1 + 0.05 * m,
                1 + 0.05 * m, 1 + 0.05 * m, m, m, 9 + 3 * m, 10 + 3 * m, 11 + 3 * m);
    fprintf(file, "usemtl W\xc3\xa4nde\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    fclose(file);
    expect_status(RUN("simulate", HALL, TWO, THREE, "--quiet", "-o", "run"), 0);
    expect_status(RUN("export", "run", "-o", "one.sofa"), 0);
    int error = 0;
    struct MYSOFA_HRTF *sofa = test_keep(mysofa_load("one.sofa", &error));
    cr_assert(sofa->M == 6 && sofa->R == 1 && sofa->E == 1 && sofa->C == 3);
    cr_assert(eq(sz, (size_t)sofa->DataIR.elements, 6 * (size_t)sofa->N));
    size_t count;
    int rate;
    float *sound = read_mono("run/ir_left_near.wav", &count, &rate);
    for (size_t i = 0; i < count; i++)
        cr_assert(sofa->DataIR.values[i] == sound[i]);
    cr_assert(sofa->DataSamplingRate.values[0] == 48000 && sofa->ListenerPosition.values[0] == 5);
    expect_checklist("one.sofa", true, false);
}

/* Runs a program of others that may not be there; says so where it is not. */
static bool other_reads(const char *program, const char *command)
{
    char probe[200];
    snprintf(probe, sizeof probe, "%s > probe 2>&1", program);
    if (system(probe) != 0) {
        (void)fprintf(stderr, "SKIPPED: %s is not installed\n", program);
        return false;
    }
    cr_assert(system(command) == 0, "%s", command);
    return true;
}

Test(export, netcdf_h5dump_and_h5py_open_both_conventions)
{
    simulate();
    export_both();
    if (other_reads("ncdump -h one.sofa", "ncdump -h one.sofa > one && ncdump -h all.sofa > all")) {
        expect_words("one", "double Data.IR(M, R, N) ;", ":SOFAConventions = \"SingleRoomSRIR\" ;");
        expect_words("all", "double Data.IR(M, R, N, E) ;", "char ReceiverDescriptions(M, S, I) ;");
    }
    (void)other_reads("h5dump -H one.sofa", "h5dump -d /Data.IR all.sofa > all");
    (void)other_reads(
        "/usr/bin/python3 -c 'import h5py'",
        "/usr/bin/python3 -c \"import h5py; f = h5py.File('one.sofa'); assert f['Data.IR'].shape[0] == 6; "
        "assert f['Data.IR'].dims[2][0].shape == (f['Data.IR'].shape[2],)\"");
}

/* ---- the room beside it ---- */

Test(export, the_geometry_that_a_sofa_file_and_json_name_is_the_room)
{
    simulate();
    expect_status(RUN("export", "run", "-o", "one.sofa", "--json"), 0);
    cJSON *said = read_json("out");
    cr_assert(number(said, "measurements") == 6 && number(said, "receivers") == 1 &&
              number(said, "emitters") == 1);
    cr_assert(eq(str, (char *)text_of(said, "convention"), "SingleRoomSRIR"));
    cr_assert(eq(str, (char *)text_of(said, "geometry"), "one.dae"));
    const hid_t file = hdf5_open("one.sofa");
    char text[8000];
    read_attribute(file, "/", "RoomGeometry", text);
    cr_assert(eq(str, text, "one.dae"));
    const struct aiScene *scene = aiImportFile("one.dae", 0);
    cr_assert(scene != NULL, "%s", aiGetErrorString());
    double area = 0, low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiVector3D *a = &mesh->mVertices[mesh->mFaces[f].mIndices[0]],
                                    *b = &mesh->mVertices[mesh->mFaces[f].mIndices[1]],
                                    *c = &mesh->mVertices[mesh->mFaces[f].mIndices[2]];
            const double u[3] = {b->x - a->x, b->y - a->y, b->z - a->z},
                         v[3] = {c->x - a->x, c->y - a->y, c->z - a->z},
                         n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                 u[0] * v[1] - u[1] * v[0]};
            area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            const double at[3] = {a->x, a->y, a->z};
            for (int d = 0; d < 3; d++) {
                low[d] = fmin(low[d], at[d]);
                high[d] = fmax(high[d], at[d]);
            }
        }
    }
    cr_assert(test_near(area, 2 * (8 * 7 + 8 * 6 + 7 * 6), 1e-3), "%g", area);
    for (int d = 0; d < 3; d++)
        cr_assert(test_near(low[d], 0, 1e-5) && test_near(high[d], (double[]){8, 7, 6}[d], 1e-5), "%d", d);
    aiReleaseImport(scene);
}

Test(export, without_the_mesh_of_the_run_the_room_is_reverberant)
{
    simulate();
    cr_assert(remove("run/room.glb") == 0);
    expect_status(RUN("export", "run", "-o", "one.sofa"), 0);
    expect_words("err", "room.glb");
    cr_assert(not(exists("one.dae")));
    const hid_t file = hdf5_open("one.sofa");
    char text[8000];
    read_attribute(file, "/", "RoomType", text);
    cr_assert(eq(str, text, "reverberant"));
    read_attribute(file, "/", "RoomDescription", text);
}

/* ---- receiver grids ---- */

Test(export, responses_of_a_grid_are_those_of_its_wav_file_bit_for_bit)
{
    simulate_grid("--repeat-shifted");
    expect_status(RUN("export", "run", "-o", "grid.h5"), 0);
    cJSON *record = read_json("run/run.json");
    const cJSON *grid = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "grids"), 0),
                *positions = cJSON_GetObjectItem(grid, "positions_m");
    const hid_t file = hdf5_open("grid.h5");
    hsize_t size[2], places[2];
    double *place = read_reals(file, "grids/floor/positions", 2, places);
    cr_assert(places[0] == (hsize_t)cJSON_GetArraySize(positions) && places[1] == 3);
    for (int p = 0; p < (int)places[0]; p++)
        for (int d = 0; d < 3; d++)
            cr_assert(place[3 * p + d] ==
                      cJSON_GetArrayItem(cJSON_GetArrayItem(positions, p), d)->valuedouble);
    static const char *const one[][2] = {
        {"grids/floor/responses/left", "run/ir_left_floor.wav"},
        {"grids/floor/responses/right", "run/ir_right_floor.wav"},
        {"grids/floor/responses_shifted/left", "run/shifted_ir_left_floor.wav"}};
    for (size_t i = 0; i < 3; i++) {
        double rate;
        struct wav_sound sound = read_sound(one[i][1]);
        float *sample = test_keep(hdf5_read(file, one[i][0], H5T_NATIVE_FLOAT, sizeof(float), 2, size));
        cr_assert(size[0] == places[0] && size[1] == sound.frames && size[0] == (hsize_t)sound.channels);
        for (size_t p = 0; p < size[0]; p++)
            for (size_t n = 0; n < size[1]; n++)
                cr_assert(memcmp(&sample[p * size[1] + n], &sound.sample[n * size[0] + p], sizeof(float)) ==
                          0);
        hdf5_attribute(file, one[i][0], "rate_hz", H5T_NATIVE_DOUBLE, 1, &rate);
        cr_assert(rate == sound.rate && rate < 48000);
        hdf5_expect_text(file, one[i][0], "units", "1/m");
    }
    hdf5_expect_text(file, "grids/floor/positions", "units", "m");
    double fmax, source[3];
    hdf5_attribute(file, "/", "fmax_hz", H5T_NATIVE_DOUBLE, 1, &fmax);
    hdf5_attribute(file, "grids/floor/responses/right", "source_position_m", H5T_NATIVE_DOUBLE, 3, source);
    cr_assert(fmax == 200 && source[0] == 6 && source[1] == 5 && source[2] == 3);
    (void)other_reads("h5dump -H grid.h5", "h5dump -d /grids/floor/positions grid.h5 > all");
    (void)other_reads("/usr/bin/python3 -c 'import h5py'",
                      "/usr/bin/python3 -c \"import h5py; f = h5py.File('grid.h5'); "
                      "assert f['grids/floor/responses/left'].attrs['rate_hz'] < 48000\"");
}

Test(export, the_same_grid_twice_gives_the_same_file)
{
    simulate_grid("--quiet");
    for (int i = 0; i < 2; i++) {
        setenv("MALLOC_PERTURB_", i == 0 ? "85" : "170", 1);
        expect_status(RUN("export", "run", "-o", i == 0 ? "one.h5" : "two.hdf5"), 0);
        nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 50000000}, NULL);
    }
    unsetenv("MALLOC_PERTURB_");
    cr_assert(same_file("one.h5", "two.hdf5"));
}

/* run.json of the run, changed. */
static void write_record(const cJSON *record)
{
    write_text("run/run.json", test_keep(cJSON_Print(record)));
}

Test(export, a_file_of_grids_says_above_which_frequency_rays_are)
{
    simulate_grid("--quiet");
    cJSON *const record = read_json("run/run.json");
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(record, "rays"), "crossover_hz", 167);
    write_record(record);
    expect_status(RUN("export", "run", "-o", "grid.h5"), 0);
    double crossover;
    hdf5_attribute(hdf5_open("grid.h5"), "/", "crossover_hz", H5T_NATIVE_DOUBLE, 1, &crossover);
    cr_assert(crossover == 167);
}

/* ---- what is refused, and failures ---- */

Test(export, what_cannot_be_exported_is_refused_in_a_sentence)
{
    simulate();
    REFUSED("export needs -o FILE", "export", "run");
    REFUSED(".sofa", "export", "run", "-o", "one.wav");
    REFUSED("run has no receiver grid", "export", "run", "-o", "one.h5");
    REFUSED("--convention is for SOFA files", "export", "run", "-o", "one.h5", "--convention",
            "SingleRoomSRIR");
    REFUSED("nowhere", "export", "nowhere", "-o", "one.sofa");
    write_text("one.sofa", "mine");
    REFUSED("one.sofa exists", "export", "run", "-o", "one.sofa");
    write_text("two.dae", "mine");
    REFUSED("two.dae exists", "export", "run", "-o", "two.sofa");
    cr_assert(not(exists("two.sofa")));
    expect_status(RUN("export", "run", "-o", "two.sofa", "--force"), 0);
    cr_assert(remove("run/ir_right_side.wav") == 0);
    REFUSED("ir_right_side.wav", "export", "run", "-o", "three.sofa");
    cr_assert(eq(sz, count_entries(".", "three"), 0));
}

Test(export, a_response_that_a_convention_needs_is_named_where_it_or_its_file_is_missing)
{
    simulate();
    cJSON *record = read_json("run/run.json"), *responses = cJSON_GetObjectItem(record, "responses");
    cJSON_DeleteItemFromObject(cJSON_GetArrayItem(responses, 1), "file");
    write_record(record);
    REFUSED("names no file of the response from left to far_away", "export", "run", "-o", "none.sofa");
    cr_assert(eq(sz, count_entries(".", "none"), 0));
    cJSON_DeleteItemFromArray(responses, 1);
    write_record(record);
    REFUSED("no response from left to far_away", "export", "run", "-o", "all.sofa", "--convention",
            "SingleRoomMIMOSRIR");
    expect_status(RUN("export", "run", "-o", "all.sofa"), 0);
}

Test(export, a_full_disk_leaves_nothing_and_what_was_there)
{
    simulate();
    write_text("one.sofa", "mine");
    file_limit = 20000;
    expect_status(RUN("export", "run", "-o", "one.sofa", "--force"), 5);
    file_limit = RLIM_INFINITY;
    expect_words("err", "one.sofa");
    char *text = read_text("one.sofa");
    cr_assert(eq(str, text, "mine"));
    cr_assert(eq(sz, count_entries(".", "one"), 1));
}

Test(export, no_geometry_is_left_where_its_file_cannot_be_put_in_place)
{
    const char *const command[] = {TEST_PROGRAM, "export", "run", "-o", "one.sofa", NULL};
    if (!fault_possible())
        return;
    simulate();
    expect_status(fault_trace((const char *const[]){"-e", "inject=rename:error=EIO:when=2", NULL}, command),
                  5);
    expect_words("err", "one.sofa");
    cr_assert(eq(sz, count_entries(".", "one"), 0));
}

Test(export, a_run_of_maps_alone_is_no_sofa_file_and_needs_a_name_for_each_grid)
{
    simulate_grid("--quiet");
    REFUSED(".h5", "export", "run", "-o", "one.sofa");
    cJSON *record = read_json("run/run.json"), *grids = cJSON_GetObjectItem(record, "grids");
    cJSON_AddItemToArray(grids, cJSON_Duplicate(cJSON_GetArrayItem(grids, 0), true));
    static const char *const name[] = {"floor", "a/b", ".", ""};
    for (size_t n = 0; n < sizeof name / sizeof *name; n++) {
        cJSON_ReplaceItemInObject(cJSON_GetArrayItem(grids, 1), "name", cJSON_CreateString(name[n]));
        write_record(record);
        REFUSED(n == 0 ? "two receiver grids" : "is not a name", "export", "run", "-o", "two.h5");
        cr_assert(not(exists("two.h5")));
    }
}
