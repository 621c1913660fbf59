/* `transept binaural` and `simulate --head`: what is written, and what is refused. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "tests/support/hdf5_read.h"
#include "tests/support/sounds.h"

#define KEMAR "/usr/share/libmysofa/default.sofa" /* of Debian's libmysofa1 */

TestSuite(command_binaural, .init = enter_folder, .fini = leave_folder);

static bool no_head(void)
{
    if (access(KEMAR, R_OK) == 0)
        return false;
    (void)fprintf(stderr, "SKIPPED: %s is missing\n", KEMAR);
    return true;
}

/* A pulse from the left. */
static void write_pulse(const char *path, int channels, int rate)
{
    float sample[4 * 4000] = {0};
    sample[channels * 2000] = sample[channels * 2000 + (channels > 1)] = 1.0F;
    write_sound(path, sample, 4000, channels, rate);
}

static double energy(const struct wav_sound *sound, size_t ear)
{
    double sum = 0.0;
    for (size_t n = 0; n < sound->frames; n++)
        sum += pow((double)sound->sample[2 * n + ear], 2.0);
    return sum;
}

Test(command_binaural, a_file_of_any_rate_is_heard_by_two_ears)
{
    const int rates[] = {48000, 44100};
    if (no_head())
        return;
    for (int r = 0; r < 2; r++) {
        write_pulse("left.wav", 4, rates[r]);
        expect_status(RUN("binaural", "left.wav", "--head", KEMAR, "-o", "ears.wav", "--json", "--force"), 0);
        cJSON *record = read_json("out");
        cr_assert(number(record, "rate_hz") == rates[r] && number(record, "head_directions") == 710);
        struct wav_sound ears = read_sound("ears.wav");
        cr_assert(ears.channels == 2 && ears.rate == rates[r] && ears.frames == 4000);
        cr_assert(energy(&ears, 0) > 4.0 * energy(&ears, 1));
    }
    expect_status(RUN("binaural", "left.wav", "--head", KEMAR, "--yaw", "180", "-o", "back.wav"), 0);
    struct wav_sound ears = read_sound("back.wav");
    cr_assert(energy(&ears, 1) > 4.0 * energy(&ears, 0));
}

/* The measured head with its ears otherwise: `label` what ReceiverPosition says of y at the first, 0: as it
 * is; `swap` exchanges the responses of the two; `same` gives both ears the sum, the second at 0.9 of it. */
static void write_ears_of(const char *path, double label, bool swap, bool same)
{
    char command[300];
    snprintf(command, sizeof command, "cp %s %s && chmod u+w %s", KEMAR, path, path);
    cr_assert(system(command) == 0); // NOLINT
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hsize_t size[3];
    double *place = hdf5_read(file, "ReceiverPosition", H5T_NATIVE_DOUBLE, sizeof *place, 3, size);
    double *sample = hdf5_read(file, "Data.IR", H5T_NATIVE_DOUBLE, sizeof *sample, 3, size);
    const size_t count = size[2];
    if (label != 0.0) {
        place[1] = label;
        place[4] = -label;
    }
    for (size_t n = 0; n < size[0] * count; n++) {
        double *first = sample + n / count * 2 * count + n % count, *second = first + count;
        const double a = *first, b = *second;
        *first = same ? a + b : swap ? b : a;
        *second = same ? 0.9 * (a + b) : swap ? a : b;
    }
    const hid_t places = H5Dopen2(file, "ReceiverPosition", H5P_DEFAULT),
                samples = H5Dopen2(file, "Data.IR", H5P_DEFAULT);
    cr_assert(H5Dwrite(places, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, place) >= 0);
    cr_assert(H5Dwrite(samples, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, sample) >= 0);
    H5Dclose(places);
    H5Dclose(samples);
    H5Fclose(file);
    free(place);
    free(sample);
}

/* Sound from the left is louder in the left ear; where the responses do not say which that is, the label
 * does. */
Test(command_binaural, the_responses_of_a_head_say_which_ear_is_left_and_a_label_against_them_is_warned_of)
{
    static const struct {
        double label;
        bool swap, same, warned;
        double least, most; /* left over right, energy */
    } row[] = {
        {0.0, false, false, false, 4.0, 1e3},    {-0.09, false, false, true, 4.0, 1e3},
        {0.0, true, false, true, 4.0, 1e3},      {-0.09, true, false, false, 4.0, 1e3},
        {1e-9, true, false, false, 4.0, 1e3},    {0.0, false, true, false, 1.15, 1.35},
        {-0.09, false, true, false, 0.74, 0.87},
    };
    if (no_head())
        return;
    write_pulse("left.wav", 4, 48000);
    write_cube();
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        write_ears_of("head.sofa", row[i].label, row[i].swap, row[i].same);
        expect_status(RUN("binaural", "left.wav", "--head", "head.sofa", "-o", "ears.wav", "--force"), 0);
        if (row[i].warned)
            expect_words("err", "ReceiverPosition");
        else
            expect_no_words("err", "ReceiverPosition");
        struct wav_sound ears = read_sound("ears.wav");
        const double ratio = energy(&ears, 0) / energy(&ears, 1);
        cr_assert(ratio > row[i].least && ratio < row[i].most, "row %zu: %g", i, ratio);
    }
    write_ears_of("head.sofa", -0.09, false, false);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "--head", "head.sofa", "-o", "run"), 0);
    expect_words("run/run.json", "ReceiverPosition");
}

/* Header of a WAV of four channels of floats, extensible, called B-format. */
static void write_b_format(const char *path, const float *sample, uint32_t frames)
{
    struct __attribute__((packed)) {
        char riff[4];
        uint32_t size;
        char wave[8];
        uint32_t format;
        uint16_t tag, channels;
        uint32_t rate, bytes;
        uint16_t align, bits, more, valid;
        uint32_t mask;
        unsigned char kind[16];
        char data[4];
        uint32_t length;
    } header = {"RIFF",     60 + 16 * frames,
                "WAVEfmt ", 40,
                0xFFFE,     4,
                48000,      48000 * 16,
                16,         32,
                22,         32,
                0,          {3, 0, 0, 0, 0x21, 7, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0},
                "data",     16 * frames};
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(&header, sizeof header, 1, file) == 1 &&
              fwrite(sample, 16, frames, file) == frames);
    fclose(file);
}

Test(command_binaural, fuma_is_converted_where_its_header_says_so_and_warned_of_where_its_energies_do)
{
    static float frame[4 * 4000];
    if (no_head())
        return;
    write_pulse("left.wav", 4, 48000);
    expect_status(RUN("binaural", "left.wav", "--head", KEMAR, "-o", "ambix.wav"), 0);
    expect_no_words("err", "FuMa");
    frame[4 * 2000] = (float)sqrt(0.5); /* from the left: W, Y */
    frame[4 * 2000 + 2] = 1.0F;
    write_sound("plain.wav", frame, 4000, 4, 48000);
    expect_status(RUN("binaural", "plain.wav", "--head", KEMAR, "-o", "plain_ears.wav"), 0);
    expect_words("err", "2 times the energy of W");
    write_b_format("fuma.wav", frame, 4000);
    expect_status(RUN("binaural", "fuma.wav", "--head", KEMAR, "-o", "fuma_ears.wav"), 0);
    expect_words("err", "was converted to AmbiX");
    struct wav_sound one = read_sound("ambix.wav"), other = read_sound("fuma_ears.wav");
    for (size_t n = 0; n < 2 * one.frames; n++)
        cr_assert(test_near((double)one.sample[n], (double)other.sample[n], 1e-6));
    frame[4 * 2000] = 1.0F;
    write_b_format("ambix_marked.wav", frame, 4000);
    REFUSED("calls it ambisonic B-format", "binaural", "ambix_marked.wav", "--head", KEMAR, "-o",
            "other.wav");
}

Test(command_binaural, invalid_calls_are_refused_and_write_nothing)
{
    write_pulse("left.wav", 4, 48000);
    write_pulse("mono.wav", 1, 48000);
    write_text("head.sofa", "no head");
    REFUSED("--head", "binaural", "left.wav", "-o", "ears.wav");
    REFUSED("-o", "binaural", "left.wav", "--head", "head.sofa");
    REFUSED("1 channel; a first-order AmbiX file has four", "binaural", "mono.wav", "--head", "head.sofa",
            "-o", "ears.wav");
    REFUSED("head.sofa: it is not a SOFA file", "binaural", "left.wav", "--head", "head.sofa", "-o",
            "ears.wav");
    REFUSED("missing.sofa could not be opened: No such file", "binaural", "left.wav", "--head",
            "missing.sofa", "-o", "ears.wav");
    REFUSED("--yaw", "binaural", "left.wav", "--head", "head.sofa", "--yaw", "400", "-o", "ears.wav");
    REFUSED("mono.wav exists", "binaural", "left.wav", "--head", "head.sofa", "-o", "mono.wav");
    REFUSED("-o ./left.wav is the file that is read", "binaural", "left.wav", "--head", "head.sofa", "-o",
            "./left.wav", "--force");
    REFUSED("-o head.sofa is the file that is read", "binaural", "left.wav", "--head", "head.sofa", "-o",
            "head.sofa", "--force");
    cr_assert(exists("ears.wav") == false);
}

/* A head file that is cut off anywhere is refused, not believed. */
Test(command_binaural, a_head_that_is_cut_off_is_refused)
{
    if (no_head())
        return;
    write_pulse("left.wav", 4, 48000);
    char *whole = malloc(2000000);
    FILE *file = fopen(KEMAR, "rb");
    const size_t length = fread(whole, 1, 2000000, file);
    fclose(file);
    for (size_t cut = 0; cut < length; cut += 150000) {
        file = fopen("head.sofa", "wb");
        fwrite(whole, 1, cut, file);
        fclose(file);
        REFUSED("head.sofa", "binaural", "left.wav", "--head", "head.sofa", "-o", "ears.wav");
    }
    free(whole);
}

Test(command_binaural, simulate_writes_what_binaural_makes_of_its_ambisonic_file)
{
    if (no_head())
        return;
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "--head", KEMAR, "--pitch", "20", "-o", "run"), 0);
    cJSON *record = read_json("run/run.json");
    const cJSON *entry = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 0);
    cr_assert(eq(str, (char *)text_of(entry, "file_binaural"), (char *)"ir_S1_R1_binaural.wav"));
    cr_assert(number(cJSON_GetObjectItem(record, "head"), "pitch_deg") == 20.0);
    expect_status(
        RUN("binaural", "run/ir_S1_R1_ambix.wav", "--head", KEMAR, "--pitch", "20", "-o", "ears.wav"), 0);
    struct wav_sound written = read_sound("run/ir_S1_R1_binaural.wav"), made = read_sound("ears.wav");
    cr_assert(written.frames == made.frames && written.channels == 2 &&
              memcmp(written.sample, made.sample, 2 * made.frames * sizeof *made.sample) == 0);
    write_text("head.sofa", "no head");
    REFUSED("not a SOFA file", "simulate", CUBE, CUBE_PLACES, "--head", "head.sofa", "-o", "other");
    cr_assert(exists("other") == false);
    REFUSED("a yaw of 30 degrees turns a head, and there is none: give --head FILE.sofa", "simulate", CUBE,
            CUBE_PLACES, "--yaw", "30", "-o", "other");
}
