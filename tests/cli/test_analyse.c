/* `transept analyse`: a run's responses have the figures that the run gave them, and foreign files their own.
 */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "src/response/acoustics/speech_transmission.h"
#include "tests/support/sounds.h"

TestSuite(analyse, .init = enter_folder, .fini = leave_folder);

static const cJSON *response(const cJSON *object, int number)
{
    const cJSON *entry = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "responses"), number);
    cr_assert(entry != NULL);
    return entry;
}

static double figure(const cJSON *entry, const char *name, int octave)
{
    const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItem(entry, name), octave);
    cr_assert(item != NULL, "%s has no octave %d", name, octave);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static const char *const figures[] = {"edt_s", "t20_s", "t30_s", "c50_db", "c80_db",
                                      "d50",   "ts_s",  "g_db",  "mti"};

static void expect_same(const cJSON *a, const cJSON *b, int octaves)
{
    for (size_t f = 0; f < sizeof figures / sizeof figures[0]; f++)
        for (int o = 0; o < octaves; o++) {
            const double x = figure(a, figures[f], o), y = figure(b, figures[f], o);
            cr_expect(test_near(x, y, 1e-9 * fabs(x)) || (isnan(x) && isnan(y)), "%s %d: %g, %g", figures[f],
                      o, x, y);
        }
}

Test(analyse, a_run_and_its_files_have_the_figures_of_run_json)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--source", "0.5,0.6,0.7", "--receiver", "2,2,1.2",
                      "--receiver", "1,2.2,2.3", "--receiver", "0.7,0.8,0.9,near", "--fmax", "355",
                      "--absorption", "0.2", "-o", "run", "--backend", "cpu"),
                  0);
    expect_words("err", "receiver near is 0.346 m from source S1, nearer than the ");
    cJSON *record = read_json("run/run.json");
    cr_assert(isfinite(figure(response(record, 0), "c80_db", 1)) &&
              isfinite(figure(response(record, 1), "ts_s", 1)));
    expect_status(RUN("analyse", "run", "--json"), 0);
    cJSON *whole = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(whole, "responses")), 3));
    for (int r = 0; r < 3; r++)
        expect_same(response(record, r), response(whole, r), 3);
    expect_same(cJSON_GetObjectItem(record, "means"), cJSON_GetObjectItem(whole, "means"), 3);
    cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(response(whole, 0), "calibrated")));
    cr_expect(eq(str, (char *)text_of(response(whole, 1), "receiver"), "R2"));
    expect_status(RUN("analyse", "run/ir_S1_R2.wav", "--json"), 0);
    cJSON *one = read_json("out");
    expect_same(response(record, 1), response(one, 0), 3);
    cr_expect(eq(str, (char *)text_of(response(one, 0), "onset_from"), "run"));
    expect_status(RUN("analyse", "run"), 0);
    expect_words("out", "3 responses                 63 Hz   125 Hz   250 Hz\n");
    expect_words("err", "receiver near is 0.346 m from source S1, nearer than the ");
    expect_words("out", "\nG [dB], mean ");
}

/* Two pulses 160 ms apart: the second of half the pressure in channel 1, of all in channel 2. */
static void write_pulses(void)
{
    enum { FRAMES = 44100 };
    float *sample = calloc(2 * FRAMES, sizeof *sample);
    sample[2 * 4410] = sample[2 * 8820 + 1] = 0.1F;
    sample[2 * (4410 + 7056)] = 0.05F;
    sample[2 * (8820 + 7056) + 1] = -0.1F;
    write_sound("pulses.wav", sample, FRAMES, 2, 44100);
    free(sample);
}

Test(analyse, every_channel_of_a_foreign_file_is_a_receiver_with_its_own_onset_and_no_level)
{
    write_pulses();
    expect_status(RUN("analyse", "pulses.wav", "--json"), 0);
    cJSON *object = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "responses")), 2));
    static const double c80[] = {6.0206, 0};
    for (int r = 0; r < 2; r++) {
        const cJSON *entry = response(object, r);
        cr_expect(test_near(number(entry, "onset_s"), 0.1 * (r + 1), 1e-9));
        cr_expect(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(entry, "octaves_hz")), 8));
        for (int o = 0; o < 8; o++) {
            cr_expect(test_near(figure(entry, "c80_db", o), c80[r], 0.05), "%g", figure(entry, "c80_db", o));
            cr_expect(isnan(figure(entry, "g_db", o)));
            const cJSON *why = cJSON_GetArrayItem(cJSON_GetObjectItem(entry, "why"), o);
            cr_expect(cJSON_IsString(why) && strstr(why->valuestring, "G: the level") != NULL);
        }
        const cJSON *single = cJSON_GetObjectItem(entry, "single_numbers");
        cr_expect(test_near(number(single, "c80_db"), c80[r], 0.05));
        cr_expect(cJSON_IsNull(cJSON_GetObjectItem(single, "edt_s")) &&
                  cJSON_IsString(cJSON_GetObjectItem(single, "why")));
    }
    const cJSON *means = cJSON_GetObjectItem(object, "means");
    cr_expect(test_near(figure(means, "c80_db", 4), 3.0103, 0.05));
    cr_expect(test_near(figure(means, "c80_db_deviation", 4), 6.0206 / sqrt(2), 0.05));
    expect_status(RUN("analyse", "pulses.wav", "--channel", "2", "--calibrated", "--onset", "200ms", "--fmax",
                      "1420", "--json"),
                  0);
    object = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "responses")), 1));
    cr_expect(number(response(object, 0), "channel") == 2 && number(response(object, 0), "fmax_hz") == 1420);
    for (int o = 0; o < 5; o++) /* two of 0.1, the reference at 10 m */
        cr_expect(test_near(figure(response(object, 0), "g_db", o), 3.0103, 0.05));
    cr_expect(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(response(object, 0), "g_db")), 5));
    expect_status(RUN("analyse", "pulses.wav"), 0);
    expect_words("out", "pulses.wav, channel 2 of 2: sound at 0.2000 s, 1 s long, to 21609 Hz\n",
                 "  -  G: the level of the source is not known; --calibrated");
}

/* Cut before they are filtered, pulses have the same clarity in every band. */
Test(analyse, thirds_are_beside_the_octaves_which_stay_as_they_are)
{
    write_pulses();
    expect_status(RUN("analyse", "pulses.wav", "--json"), 0);
    cJSON *without = read_json("out");
    expect_status(RUN("analyse", "pulses.wav", "--bands", "third", "--json"), 0);
    cJSON *with = read_json("out");
    expect_same(response(with, 0), response(without, 0), 8);
    cr_expect(cJSON_GetObjectItem(response(without, 0), "thirds") == NULL);
    const cJSON *thirds = cJSON_GetObjectItem(response(with, 0), "thirds");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(thirds, "thirds_hz")), 26));
    cr_expect(figure(thirds, "nominal_hz", 0) == 50 && figure(thirds, "nominal_hz", 11) == 630);
    for (int t = 0; t < 26; t++)
        cr_expect(test_near(figure(thirds, "c80_db", t), 6.0206, 0.1), "%g Hz: %g dB",
                  figure(thirds, "nominal_hz", t), figure(thirds, "c80_db", t));
    const cJSON *means = cJSON_GetObjectItem(cJSON_GetObjectItem(with, "means"), "thirds");
    cr_expect(test_near(figure(means, "c80_db", 13), 3.0103, 0.05));
    cr_expect(test_near(number(cJSON_GetObjectItem(means, "single_numbers"), "c80_db"), 3.0103, 0.05));
    expect_status(RUN("analyse", "pulses.wav", "--bands", "third"), 0);
    expect_words("out", "thirds, means   EDT [s]  T20 [s]  T30 [s] C50 [dB] C80 [dB]      D50   Ts [s]\n",
                 "\n1250 Hz ");
    expect_status(RUN("analyse", "pulses.wav", "--bands", "fifth"), 2);
}

/* Two equal pulses have m = |cos(pi F apart)|. */
/* A decay in four channels that overloads its recorder, with an offset. */
static void write_damaged(const char *path)
{
    enum { COUNT = 24000 };
    float *sample = malloc(4 * COUNT * sizeof *sample);
    uint64_t seed = 7;
    for (int i = 0; i < 4 * COUNT; i++) {
        const double x = 3.0 * test_uniform(&seed, -1, 1) * exp(-(i / 4) / 2000.0);
        sample[i] = (float)(fmax(-0.5, fmin(0.5, x)) + 0.01);
    }
    write_sound(path, sample, COUNT, 4, 48000);
    free(sample);
}

Test(analyse, an_offset_and_an_overload_are_said_by_every_command_that_takes_a_foreign_response)
{
    write_damaged("damaged.wav");
    (void)RUN("analyse", "damaged.wav");
    expect_words("err", "a constant offset of 0.01", "overloaded");
    expect_status(RUN("auralise", "damaged.wav", "clap", "-o", "wet.wav"), 0);
    expect_words("err", "a constant offset of 0.01", "overloaded");
    if (access("/usr/share/libmysofa/default.sofa", R_OK) != 0)
        return;
    expect_status(
        RUN("binaural", "damaged.wav", "--head", "/usr/share/libmysofa/default.sofa", "-o", "ears.wav"), 0);
    expect_words("err", "a constant offset of 0.01", "overloaded");
}

Test(analyse, a_silent_channel_says_so_and_the_others_go_on)
{
    enum { COUNT = 96000 };
    float *sample = calloc(2 * COUNT, sizeof *sample);
    uint64_t seed = 7;
    for (int n = 480; n < COUNT; n++)
        sample[2 * n] = (float)(test_uniform(&seed, -1, 1) * exp(-(n - 480) / 7000.0));
    write_sound("two.wav", sample, COUNT, 2, 48000);
    free(sample);
    expect_status(RUN("analyse", "two.wav"), 0);
    expect_words("out", "two.wav, channel 2 of 2: silent");
    expect_status(RUN("analyse", "two.wav", "--json"), 0);
    cJSON *object = read_json("out");
    cr_expect(test_near(figure(response(object, 0), "t30_s", 4), 1.0, 0.1));
    cr_expect(isnan(figure(response(object, 1), "t30_s", 4)) &&
              isnan(figure(response(object, 1), "c80_db", 4)));
    const char *why =
        cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetObjectItem(response(object, 1), "why"), 4));
    cr_expect(why != NULL && strstr(why, "silent") != NULL, "%s", why);
}

Test(analyse, speech_has_its_modulation_transfer_and_sti_without_and_with_levels)
{
    write_pulses();
    const double apart = 7056.0 / 44100;
    double expected = 0, noisy = 0;
    for (int i = 0; i < SPEECH_MODULATIONS; i++) {
        const double m = fabs(cos(3.14159265358979323846 * speech_modulation[i] * apart));
        expected += speech_transfer_index(m) / SPEECH_MODULATIONS;
        /* 125 Hz: nothing masks, the threshold is 54 dB below the speech, the noise as loud as it is. */
        noisy += speech_transfer_index(m / 2) / SPEECH_MODULATIONS;
    }
    expect_status(RUN("analyse", "pulses.wav", "--channel", "2", "--fmax", "12kHz", "--json"), 0);
    cJSON *object = read_json("out");
    for (int o = 1; o <= SPEECH_OCTAVES; o++)
        cr_assert(test_near(figure(response(object, 0), "mti", o), expected, 0.003), "%d: %g for %g", o,
                  figure(response(object, 0), "mti", o), expected);
    cr_assert(test_near(number(response(object, 0), "sti"), expected, 0.003));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(object, "speech_level_db")));
    expect_status(RUN("analyse", "pulses.wav", "--channel", "2", "--fmax", "12kHz", "--json",
                      "--speech-level", "100,90,80,70,60,50,40", "--noise-level", "100,80,70,60,50,40,30"),
                  0);
    object = read_json("out");
    cr_assert(test_near(figure(response(object, 0), "mti", 1), noisy, 0.003));
    cr_assert(number(response(object, 0), "sti") < expected);
    cr_assert(test_near(figure(object, "speech_level_db", 6), 40, 0));
    cr_assert(test_near(figure(object, "noise_level_db", 0), 100, 0));
    expect_status(RUN("analyse", "pulses.wav", "--channel", "2", "--fmax", "12kHz"), 0);
    expect_words("out", "\nSTI 0.");
    expect_status(RUN("analyse", "pulses.wav", "--channel", "2", "--fmax", "1420"), 0);
    expect_words("out", "modulation transfer (not STI), without noise, masking and threshold: STI needs");
}

Test(analyse, bad_files_and_options_are_refused_by_name)
{
    write_pulses();
    write_cube();
    cr_assert(eq(int, mkdir("empty", 0777), 0));
    static const struct {
        const char *argument[4], *words;
    } rows[] = {
        {{"missing.wav"}, "missing.wav"},
        {{"cube.obj"}, "cube.obj: cannot be read as WAV"},
        {{"empty"}, "empty/run.json"},
        {{"pulses.wav", "--channel", "3"}, "pulses.wav: has 2 channels, and --channel 3"},
        {{"pulses.wav", "--channel", "0"}, "--channel 0 is neither"},
        {{"pulses.wav", "--channel", "1x"}, "--channel 1x is neither"},
        {{"pulses.wav", "--onset", "2"}, "pulses.wav: is 1 s long, but the onset is given as 2 s"},
        {{"pulses.wav", "--fmax", "22kHz"}, "represent frequencies up to 21609 Hz, not --fmax 22000"},
        {{"pulses.wav", "missing.wav"}, "missing.wav"},
        {{"pulses.wav", "--noise-level", "1,2,3,4,5,6,7"}, "give --speech-level too"},
        {{"pulses.wav", "--speech-level", "1,2,3,4,5,6"}, "is not seven numbers"},
        {{NULL}, "analyse needs at least one IR.wav|DIR"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const char *const *a = rows[r].argument;
        expect_status(RUN("analyse", a[0], a[1], a[2]), 2);
        expect_words("err", rows[r].words);
        char *out = read_text("out");
        cr_expect(eq(str, out, ""), "%s", rows[r].words);
    }
}

/* Mono of 16 bits at 48 kHz: zeros, which take no room on a disk, behind one sample. */
static void write_holes(const char *path, uint32_t bytes)
{
    const uint32_t head[11] = {0x46464952, 36 + bytes, 0x45564157,   0x20746D66, 16,   1 | 1 << 16,
                               48000,      96000,      2 | 16 << 16, 0x61746164, bytes};
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(head, sizeof head, 1, file) == 1 && fputc(100, file) == 100);
    cr_assert(eq(int, fclose(file), 0));
    cr_assert(eq(int, truncate(path, (off_t)sizeof head + bytes), 0));
}

Test(analyse, responses_that_are_too_long_are_refused_before_they_are_read)
{
    write_holes("hours.wav", 2147483000);
    write_holes("long.wav", 119 * 96000);
#if !defined(__SANITIZE_ADDRESS__) /* it takes more address space than any limit */
    space_limit = 400000000;
    setenv("OMP_NUM_THREADS", "1", 1);
#endif
    REFUSED("hours.wav: is 22370 s long: a response has at most 120 s", "analyse", "hours.wav");
#if !defined(__SANITIZE_ADDRESS__)
    expect_status(RUN("analyse", "long.wav"), 3);
    expect_words("err", "long.wav: 5712000 samples of 1 channel take 479808000 bytes, and this machine has");
#endif
}

/* Figures are those of the response at 48 kHz; rate and samples are what the file has. */
Test(analyse, points_of_a_grid_have_the_rate_and_samples_of_their_file)
{
    write_box("hall.obj", 5, 4, 3, true);
    expect_status(RUN("simulate", "hall.obj", "--fmax", "200", "--quality", "draft", "--absorption", "0.3",
                      "--duration", "0.2", "--source", "1,1,1", "--receiver-grid",
                      "floor=0.5,0.5,0;4.5,0.5,0;4.5,3.5,0;0.5,3.5,0", "--quiet", "-o", "run"),
                  0);
    struct wav_sound sound = {0};
    struct failure why = {0};
    cr_assert(wav_sound_read("run/ir_S1_floor.wav", &sound, &why) == 0);
    expect_status(RUN("analyse", "run", "--json"), 0);
    cJSON *said = read_json("out");
    const cJSON *responses = cJSON_GetObjectItem(said, "responses"), *entry;
    cr_assert(eq(int, cJSON_GetArraySize(responses), sound.channels));
    cJSON_ArrayForEach(entry, responses)
    {
        cr_assert(number(entry, "rate_hz") == sound.rate);
        cr_assert(number(entry, "samples") == (double)sound.frames);
    }
    wav_sound_free(&sound);
    expect_status(RUN("auralise", "run", "-o", "heard"), 2);
    expect_words("err", "only responses of receiver grids");
}

/* One ear hears a pulse alone, of half the amplitude of the one that both hear: 1 / sqrt(1 + 0.25). */
Test(analyse, two_channels_that_are_ears_have_their_correlation)
{
    enum { FRAMES = 48000 };
    float *sample = test_keep(calloc(2 * FRAMES, sizeof *sample));
    sample[2 * 4800] = sample[2 * 4800 + 1] = 0.5F;
    sample[2 * (4800 + 1920)] = 0.25F;
    write_sound("ears.wav", sample, FRAMES, 2, 48000);
    expect_status(RUN("analyse", "--ears", "ears.wav", "--json"), 0);
    cJSON *object = read_json("out");
    for (int r = 0; r < 2; r++)
        for (int o = 2; o < 8; o++)
            cr_expect(test_near(figure(response(object, r), "iacc_early", o), 1 / sqrt(1.25), 0.0075), "%g",
                      figure(response(object, r), "iacc_early", o));
    expect_status(RUN("analyse", "--ears", "ears.wav"), 0);
    expect_words("out", "IACC early, mean ");
    expect_status(RUN("analyse", "ears.wav", "--json"), 0);
    cr_expect(cJSON_GetObjectItem(response(read_json("out"), 0), "iacc_early") == NULL);
    REFUSED("--ears is for a file of two channels", "analyse", "--ears", "ears.wav", "--channel", "1");
}
