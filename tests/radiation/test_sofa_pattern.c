/* Measured sources, from SOFA files that are written here. */
#define _XOPEN_SOURCE 700
#include <hdf5.h>

#include "src/setup/radiation/sofa_pattern.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

#define PI 3.14159265358979323846

TestSuite(sofa_pattern, .init = enter_folder, .fini = leave_folder);

enum { RINGS = 11, AROUND = 24, DIRECTIONS_ALL = RINGS * AROUND, LINES = 4 };

static const double line[LINES] = {0.0, 200.0, 400.0, 800.0};

/* What is written, and what of it is wrong. */
struct file {
    const char *conventions;
    double complex harmonic[HARMONICS]; /* in the source's axes */
    double view[3], up[3];              /* of the source, in the file's axes */
    double sharp;  /* from the third line on a pattern of high order is added, so large */
    size_t lowest; /* rings that are left out from below */
    bool silent, broken;
};

static void put_table(hid_t file, const char *name, int dimensions, const hsize_t *size, const double *value)
{
    const hid_t space = H5Screate_simple(dimensions, size, NULL),
                set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

static void put_text(hid_t file, const char *table, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    const hid_t attribute =
        H5Acreate_by_name(file, table, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(attribute >= 0 && H5Awrite(attribute, type, text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void write_sofa(const char *path, const struct file *of)
{
    const hsize_t directions = DIRECTIONS_ALL - of->lowest * AROUND;
    const hsize_t responses[3] = {1, directions, LINES}, places[3] = {directions, 3, 1}, lines[1] = {LINES},
                  one[2] = {1, 3};
    double place[DIRECTIONS_ALL * 3], real[DIRECTIONS_ALL * LINES], imaginary[DIRECTIONS_ALL * LINES],
        left[3];
    for (int k = 0; k < 3; k++)
        left[k] = of->up[(k + 1) % 3] * of->view[(k + 2) % 3] - of->up[(k + 2) % 3] * of->view[(k + 1) % 3];
    for (size_t n = 0; n < directions; n++) {
        const double elevation = 75.0 - 15.0 * (double)(n / AROUND),
                     azimuth = 360.0 * (double)(n % AROUND) / AROUND;
        const double there[3] = {cos(elevation * PI / 180) * cos(azimuth * PI / 180),
                                 cos(elevation * PI / 180) * sin(azimuth * PI / 180),
                                 sin(elevation * PI / 180)};
        double own[3] = {0.0};
        for (int k = 0; k < 3; k++) {
            own[0] += there[k] * of->view[k];
            own[1] += there[k] * left[k];
            own[2] += there[k] * of->up[k];
        }
        place[3 * n] = azimuth;
        place[3 * n + 1] = elevation;
        place[3 * n + 2] = 1.5;
        for (size_t l = 0; l < LINES; l++) {
            /* A delay and a gain of the measurement, which say nothing of its direction. */
            const double complex common = (2.0 + (double)l) * cexp(-I * 0.03 * line[l]);
            double complex value = of->silent ? 1.0 - own[0] : pattern_value(of->harmonic, own);
            if (l >= 2)
                value += of->sharp * (16.0 * pow(own[0], 5) - 20.0 * pow(own[0], 3) + 5.0 * own[0] - 1.0);
            value *= common;
            real[n * LINES + l] = of->broken && n == 3 ? NAN : creal(value);
            imaginary[n * LINES + l] = cimag(value);
        }
    }
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(file >= 0);
    put_text(file, ".", "SOFAConventions", of->conventions);
    put_table(file, "Data.Real", 3, responses, real);
    put_table(file, "Data.Imag", 3, responses, imaginary);
    put_table(file, "N", 1, lines, line);
    put_table(file, "ReceiverPosition", 3, places, place);
    put_text(file, "ReceiverPosition", "Type", "spherical");
    put_table(file, "SourceView", 2, one, of->view);
    put_text(file, "SourceView", "Type", "cartesian");
    put_table(file, "SourceUp", 2, one, of->up);
    H5Fclose(file);
}

static struct file third(void)
{
    struct file of = {.conventions = "FreeFieldDirectivityTF", .view = {0, 1, 0}, .up = {0, 0, 1}};
    for (int i = 0; i < HARMONICS; i++)
        of.harmonic[i] = (1.0 + 0.3 * sin(3.0 * i) + I * 0.3 * cos(5.0 * i)) / (1 + 2 * harmonic_order(i));
    return of;
}

Test(sofa_pattern, a_source_of_order_3_is_read_whatever_its_axis_delay_and_gain)
{
    const struct file of = third();
    static const double front[3] = {1, 0, 0};
    struct pattern pattern = {0};
    write_sofa("source.sofa", &of);
    MUST(sofa_pattern_read("source.sofa", &pattern, &failure));
    cr_assert(pattern.lines == LINES - 1 && pattern.frequency[0] == line[1] && isinf(pattern.carried));
    for (size_t l = 0; l < pattern.lines; l++)
        for (int i = 0; i < HARMONICS; i++)
            cr_assert(cabs(pattern.harmonic[l][i] - of.harmonic[i] / pattern_value(of.harmonic, front)) <
                          1e-6,
                      "line %zu, harmonic %d", l, i);
    pattern_free(&pattern);
}

Test(sofa_pattern, where_order_3_does_not_carry_a_measured_source_is_said)
{
    struct file of = third();
    struct pattern pattern = {0};
    of.sharp = 0.3;
    write_sofa("sharp.sofa", &of);
    MUST(sofa_pattern_read("sharp.sofa", &pattern, &failure));
    cr_assert(pattern.carried == line[2], "%g Hz", pattern.carried);
    pattern_free(&pattern);
}

Test(sofa_pattern, files_that_are_no_measured_source_are_refused_in_a_sentence)
{
    struct pattern pattern = {0};
    const struct file of = third();
    struct file wrong[] = {of, of, of, of};
    static const char *const words[] = {"SimpleFreeFieldHRIR", "not finite", "no data within",
                                        "silent on its axis"};
    wrong[0].conventions = "SimpleFreeFieldHRIR";
    wrong[1].broken = true;
    wrong[2].lowest = 6;
    wrong[3].silent = true;
    write_text("text.sofa", "no HDF5\n");
    MUST_FAIL(sofa_pattern_read("missing.sofa", &pattern, &failure), FAILURE_INPUT, "missing.sofa");
    MUST_FAIL(sofa_pattern_read("text.sofa", &pattern, &failure), FAILURE_INPUT, "not a SOFA file");
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        write_sofa("wrong.sofa", &wrong[n]);
        MUST_FAIL(sofa_pattern_read("wrong.sofa", &pattern, &failure), FAILURE_INPUT, words[n]);
    }
    cr_assert(pattern.lines == 0 && pattern.frequency == NULL);
}

/* Each as long as what the text of one is read into. */
Test(sofa_pattern, an_attribute_of_many_texts_is_taken_for_none)
{
    enum { TEXTS = 15, LENGTH = 4000 };
    static const char text[TEXTS][LENGTH] = {"FreeFieldDirectivityTF"};
    const hsize_t size[1] = {TEXTS};
    const struct file of = third();
    struct pattern pattern = {0};
    write_sofa("many.sofa", &of);
    const hid_t file = H5Fopen("many.sofa", H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1),
                space = H5Screate_simple(1, size, NULL);
    H5Tset_size(type, LENGTH);
    cr_assert(H5Adelete(file, "SOFAConventions") >= 0);
    const hid_t attribute = H5Acreate2(file, "SOFAConventions", type, space, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert(attribute >= 0 && H5Awrite(attribute, type, text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    MUST_FAIL(sofa_pattern_read("many.sofa", &pattern, &failure), FAILURE_INPUT, "none of SOFA");
}

Test(sofa_pattern, every_truncated_file_is_a_sentence)
{
    const struct file of = third();
    static char bytes[200000];
    write_sofa("whole.sofa", &of);
    FILE *from = fopen("whole.sofa", "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    for (size_t kept = 0; kept < size; kept += size / 12 + 1) {
        struct pattern pattern = {0};
        FILE *to = fopen("cut.sofa", "wb");
        cr_assert(fwrite(bytes, 1, kept, to) == kept);
        fclose(to);
        cr_assert(eq(int, sofa_pattern_read("cut.sofa", &pattern, &failure), FAILURE_INPUT), "%zu bytes",
                  kept);
    }
}

/* Killed after a checkpoint. */
static void kill_once(const char *const *command)
{
    const pid_t child = start(NULL, command);
    const struct timespec pause = {.tv_nsec = 2000000};
    int status = 0;
    while (!exists("run/checkpoint.1")) {
        cr_assert(waitpid(child, &status, WNOHANG) == 0, "it came to its end before a checkpoint");
        nanosleep(&pause, NULL);
    }
    cr_assert(eq(int, kill(child, SIGKILL), 0));
    cr_assert(eq(int, (int)waitpid(child, &status, 0), (int)child));
}

Test(sofa_pattern, a_run_with_two_files_goes_on_and_with_another_file_is_refused)
{
    const char *const command[] = {TEST_PROGRAM,
                                   "simulate",
                                   "cube.obj",
                                   "--fmax",
                                   "300",
                                   "--duration",
                                   "4",
                                   "--absorption",
                                   "0.2",
                                   "--threads",
                                   "1",
                                   "--source",
                                   "1,1,1,A",
                                   "--source",
                                   "2,1.5,1.2,B",
                                   "--receiver",
                                   "2,2,2",
                                   "-o",
                                   "run",
                                   "--checkpoint",
                                   "0.05s",
                                   "--directivity",
                                   "A=one.sofa",
                                   "--directivity",
                                   "B=other.sofa",
                                   NULL};
    const char *const resume[] = {TEST_PROGRAM, "simulate", "--resume", "run", NULL};
    struct file of = third();
    write_box("cube.obj", 3, 3, 3, true);
    write_sofa("one.sofa", &of);
    of.harmonic[2] += 0.1;
    write_sofa("other.sofa", &of);
    kill_once(command);
    cr_assert(eq(int, rename("other.sofa", "kept.sofa"), 0)); /* written again it would have another date */
    of.harmonic[2] += 0.1;
    write_sofa("other.sofa", &of);
    expect_status(run(NULL, resume), 2);
    expect_words("err", "directivity.hash was fnv1a64:");
    cr_assert(eq(int, rename("kept.sofa", "other.sofa"), 0));
    expect_status(run(NULL, resume), 0);
    expect_words("err", "resumes at step");
    cJSON *record = read_json("run/run.json");
    const cJSON *sources = cJSON_GetObjectItemCaseSensitive(record, "sources");
    const char *hash[2];
    for (int s = 0; s < 2; s++)
        hash[s] =
            text_of(cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(sources, s), "directivity"), "hash");
    cr_assert(strncmp(hash[0], "fnv1a64:", 8) == 0 && strcmp(hash[0], hash[1]) != 0);
}
