/* The command that lets a room be heard: levels, bands, names, and what it refuses. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/listen/heard_response.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

#define RATE 48000
#define LSB  (1.0 / 8388608.0) /* of 24 bits */
#define PI   3.14159265358979323846

TestSuite(auralise, .init = enter_folder, .fini = leave_folder);

/* ---- sounds ---- */

/* A response of one sample: `value` after `delay`. */
static void write_single(const char *path, size_t delay, double value)
{
    float *sample = test_keep(calloc(delay + 1, sizeof *sample));
    sample[delay] = (float)value;
    write_sound(path, sample, delay + 1, 1, RATE);
}

static float *write_noise(const char *path, size_t frames, int channels, int rate, double peak)
{
    float *sample = test_keep(malloc(frames * (size_t)channels * sizeof *sample));
    uint64_t seed = 7;
    for (size_t n = 0; n < frames * (size_t)channels; n++)
        sample[n] = (float)test_uniform(&seed, -peak, peak);
    write_sound(path, sample, frames, channels, rate);
    return sample;
}

/* Frequency in Hz. */
static void write_tone(const char *path, size_t frames, int rate, double amplitude, double frequency)
{
    float *sample = test_keep(malloc(frames * sizeof *sample));
    for (size_t n = 0; n < frames; n++)
        sample[n] = (float)(amplitude * sin(2 * PI * frequency * (double)n / rate));
    write_sound(path, sample, frames, 1, rate);
}

/* What `auralise` makes of dry.wav through a response, at true level. */
static struct wav_sound wet_through(const char *response)
{
    expect_status(RUN("auralise", response, "dry.wav", "-o", "wet.wav", "--level", "true", "--force"), 0);
    return read_sound("wet.wav");
}

static double energy_of(const char *path)
{
    struct wav_sound sound = read_sound(path);
    double sum = 0;
    for (size_t n = 0; n < sound.frames * (size_t)sound.channels; n++)
        sum += (double)sound.sample[n] * sound.sample[n];
    return sum;
}

/* A folder as a run leaves it: `files` responses at `distance`, up to `fmax`. */
static void write_run(const char *path, double fmax, double distance, size_t files)
{
    char name[96];
    cr_assert(mkdir(path, 0777) == 0);
    snprintf(name, sizeof name, "%s/run.json", path);
    FILE *record = fopen(name, "w");
    fprintf(record, "{\"format\": 1, \"fmax_hz\": %g, \"sound_speed_m_s\": 343.2, \"responses\": [", fmax);
    for (size_t f = 0; f < files; f++) {
        const double r = distance * (double)(f + 1);
        fprintf(record,
                "%s{\"file\": \"ir_S1_R%zu.wav\", \"source\": \"S1\", \"receiver\": \"R%zu\", "
                "\"distance_m\": %g, \"direct_path_clear\": true, \"onset_s\": %.9g}",
                f > 0 ? ", " : "", f + 1, f + 1, r, r / 343.2);
        struct wav_sound response = {0};
        MUST(heard_response_low_passed(r, 343.2, fmax, &response, &failure));
        test_keep(response.sample);
        snprintf(name, sizeof name, "%s/ir_S1_R%zu.wav", path, f + 1);
        write_sound(name, response.sample, response.frames, 1, RATE);
    }
    fprintf(record, "]}\n");
    fclose(record);
}

static const cJSON *file_entry(const cJSON *record, const char *name)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "files"))
    {
        if (strcmp(text_of(entry, "file"), name) == 0)
            return entry;
    }
    cr_assert(false, "listen.json has no %s", name);
    return NULL;
}

/* ---- level ---- */

/* Calibration: |X| = 1/r, and the dry sound is what is heard at 1 m. */
Test(auralise, at_true_level_a_sound_is_the_dry_one_over_r_and_later_to_half_a_step_of_24_bits)
{
    enum { COUNT = 5000 };
    static const struct {
        size_t delay;
        double value;
    } far[] = {{0, 1.0}, {1399, 0.1}};
    float *dry = write_noise("dry.wav", COUNT, 1, RATE, 0.5);
    for (int i = 0; i < 2; i++) {
        const size_t delay = far[i].delay;
        write_single("room.wav", delay, far[i].value);
        struct wav_sound wet = wet_through("room.wav");
        cr_assert(wet.frames == COUNT + delay && wet.channels == 1 && wet.rate == RATE);
        for (size_t n = 0; n < wet.frames; n++) {
            const double wanted = n < delay ? 0.0 : far[i].value * dry[n - delay];
            cr_assert(test_at_most(fabs((double)wet.sample[n] - wanted), 0.501 * LSB + 1e-9));
        }
    }
    expect_words("out", "0 dB is the dry sound at 1 m");
}

Test(auralise, what_would_clip_at_true_level_is_lowered_and_the_words_say_by_how_much)
{
    (void)write_noise("dry.wav", 30000, 1, RATE, 0.5);
    write_single("near.wav", 0, 4.0);
    expect_status(RUN("auralise", "near.wav", "dry.wav", "-o", "wet.wav", "--level", "true"), 0);
    expect_words("out", "level-true less ");
    cJSON *record = read_json("wet.json");
    const double gain = number(record, "gain_db"),
                 peak = number(file_entry(record, "wet.wav"), "true_peak_dbfs");
    cr_assert(test_at_most(gain, -7.0) && test_at_least(gain, -12.0), "%g dB", gain);
    cr_assert(test_near(peak, -1.0, 0.001), "%g dBFS", peak);
}

Test(auralise, one_gain_for_all_keeps_their_difference_and_brings_the_highest_peak_to_1_dB_below_full_scale)
{
    (void)write_noise("dry.wav", 24000, 1, RATE, 0.3);
    write_single("a.wav", 0, 0.4);
    write_single("b.wav", 10, 0.1);
    expect_status(RUN("auralise", "a.wav", "b.wav", "--dry", "dry.wav", "-o", "all"), 0);
    const double difference = 10 * log10(energy_of("all/listen_a.wav") / energy_of("all/listen_b.wav"));
    cr_assert(test_near(difference, 20 * log10(4.0), 0.001), "%g dB", difference);
    cJSON *record = read_json("all/listen.json");
    const cJSON *a = file_entry(record, "listen_a.wav"), *b = file_entry(record, "listen_b.wav");
    cr_assert(test_near(number(a, "true_peak_dbfs"), -1.0, 0.001));
    cr_assert(number(a, "gain_db") == number(record, "gain_db") &&
              number(b, "gain_db") == number(a, "gain_db"));
    cr_assert(test_near(number(a, "loudness_lufs") - number(b, "loudness_lufs"), 20 * log10(4.0), 0.02));
    /* The dry sound at 1 m would be 8 dB above: it alone is lowered. */
    cr_assert(test_near(number(file_entry(record, "listen_dry.wav"), "true_peak_dbfs"), -1.0, 0.001));
    expect_words("out", "gain 8.0 dB lower");
}

/* ITU-R BS.1770: a tone of 997 Hz at full scale in one of two channels has -3.01 LUFS. In both, as a mono
 * file is heard, 0. */
Test(auralise, loudness_is_that_of_the_standard)
{
    write_tone("dry.wav", 3 * RATE, RATE, 0.1, 997.0);
    write_single("one.wav", 0, 1.0);
    (void)wet_through("one.wav");
    cJSON *record = read_json("wet.json");
    const double loudness = number(file_entry(record, "wet.wav"), "loudness_lufs");
    cr_assert(test_near(loudness, -20.0, 0.05), "%g LUFS", loudness);
}

/* ---- channels and rates ---- */

Test(auralise, the_wet_sound_has_the_channels_of_its_response)
{
    enum { COUNT = 3000, CHANNELS = 4 };
    float *dry = write_noise("dry.wav", COUNT, 1, RATE, 0.2), response[3 * CHANNELS] = {0};
    for (size_t c = 0; c < CHANNELS; c++)
        response[(c % 3) * CHANNELS + c] = 0.1f * (float)(c + 1);
    write_sound("four.wav", response, 3, CHANNELS, RATE);
    struct wav_sound wet = wet_through("four.wav");
    cr_assert(wet.channels == CHANNELS && wet.frames == COUNT + 2);
    for (size_t n = 0; n < COUNT; n++)
        for (size_t c = 0; c < CHANNELS; c++)
            cr_assert(test_at_most(
                fabs((double)wet.sample[(n + c % 3) * CHANNELS + c] - 0.1f * (float)(c + 1) * dry[n]),
                0.501 * LSB + 1e-9));
    /* Of more than two channels the first counts, as it would alone. */
    for (size_t c = 0; c < CHANNELS; c++)
        response[c] = c == 0 ? 1.0f : 0.5f;
    (void)write_noise("long.wav", RATE, 1, RATE, 0.2);
    write_sound("four.wav", response, 1, CHANNELS, RATE);
    write_single("one.wav", 0, 1.0);
    expect_status(RUN("auralise", "four.wav", "one.wav", "--dry", "long.wav", "-o", "both"), 0);
    cJSON *record = read_json("both/listen.json");
    cr_assert(test_near(number(file_entry(record, "listen_four.wav"), "loudness_lufs"),
                        number(file_entry(record, "listen_one.wav"), "loudness_lufs"), 1e-6));
}

Test(auralise, one_channel_of_a_response_is_heard_alone_and_a_click_is_the_response)
{
    float *noise = write_noise("two.wav", 4800, 2, RATE, 0.5);
    expect_status(RUN("auralise", "two.wav@2", "--dry", "click", "-o", "wet.wav", "--level", "true"), 0);
    struct wav_sound sound = read_sound("wet.wav");
    cr_assert(sound.channels == 1 && sound.frames == 4800);
    for (size_t n = 0; n < sound.frames; n++)
        cr_assert(test_near(sound.sample[n], 0.5 * noise[2 * n + 1], LSB), "sample %zu", n);
    expect_status(RUN("auralise", "two.wav@3", "--dry", "click", "-o", "other.wav"), 2);
    expect_words("err", "has 2 channels, and 3 was asked for");
    expect_status(RUN("auralise", "two.wav@1", "--dry", "click", "-o", "two.wav", "--force"), 2);
    expect_words("err", "two.wav would be replaced by what is made from it");
}

Test(auralise, a_dry_sound_of_several_channels_is_played_as_their_mean)
{
    enum { COUNT = 3000 };
    float *dry = write_noise("dry.wav", COUNT, 2, RATE, 0.5);
    write_single("one.wav", 0, 1.0);
    struct wav_sound wet = wet_through("one.wav");
    cr_assert(wet.channels == 1 && wet.frames == COUNT);
    for (size_t n = 0; n < COUNT; n++)
        cr_assert(test_at_most(fabs(wet.sample[n] - 0.5 * ((double)dry[2 * n] + dry[2 * n + 1])), 0.7 * LSB));
    expect_words("err", "its 2 channels are played as their mean");
}

/* A tone of 1 kHz keeps its pitch and level, and starts when it did. */
static void expect_tone(const char *response, double amplitude, double phase)
{
    struct wav_sound wet = wet_through(response);
    double worst = 0;
    cr_assert(test_near((double)wet.frames, 24000, 300), "%zu frames", wet.frames);
    for (size_t n = 4000; n < 23500; n++) {
        const double wanted = amplitude * sin(2 * PI * 1000.0 * (double)n / RATE + phase);
        worst = fmax(worst, fabs(wet.sample[n] - wanted));
    }
    cr_assert(test_at_most(worst, 1e-4 * amplitude), "off by %g", worst);
}

Test(auralise, dry_sounds_and_responses_of_other_rates_keep_pitch_time_and_level)
{
    static const int rates[] = {8000, 44100, 96000, RATE};
    write_single("one.wav", 0, 1.0);
    for (size_t i = 0; i < 4; i++) {
        write_tone("dry.wav", (size_t)rates[i] / 2, rates[i], 0.5, 1000.0);
        expect_tone("one.wav", 0.5, 0.0);
    }
    /* A response at 96 kHz: |X| = 0.5 is two samples of 0.25. */
    float response[400] = {0};
    response[200] = response[201] = 0.25f;
    write_sound("fine.wav", response, 400, 1, 96000);
    expect_tone("fine.wav", 0.25 * cos(PI * 1000.0 / 96000), -2 * PI * 1000.0 * 200.5 / 96000);
}

/* ---- runs ---- */

/* In free field a room adds nothing: what is heard is the dry sound in the open, sample by sample. */
Test(auralise, the_low_passed_dry_sound_is_what_a_run_without_walls_would_give)
{
    (void)write_noise("dry.wav", 20000, 1, RATE, 0.3);
    write_run("run", 355, 5.0, 2);
    expect_status(RUN("auralise", "run", "--dry", "dry.wav"), 0);
    struct wav_sound wet = read_sound("run/listen_S1_R1.wav"),
                     open = read_sound("run/listen_dry_lowpassed.wav");
    cr_assert(wet.frames == open.frames);
    for (size_t n = 0; n < wet.frames; n++)
        cr_assert(wet.sample[n] == open.sample[n]);
    cr_assert(exists("run/ir_S1_R1.wav") && exists("run/run.json") && exists("run/listen_S1_R2.wav"));
    cJSON *record = read_json("run/listen.json");
    cr_assert(number(file_entry(record, "listen_S1_R2.wav"), "fmax_hz") == 355);
    cr_assert(number(file_entry(record, "listen_dry.wav"), "distance_m") == 5);
    cr_assert(eq(str, (char *)text_of(file_entry(record, "listen_S1_R2.wav"), "receiver"), "R2"));
    cr_assert(count_entries("run", "transept") == 0);
}

Test(auralise, variants_share_one_gain_and_are_in_one_folder_under_their_names)
{
    cr_assert(mkdir("project", 0777) == 0);
    write_run("project/bare", 355, 5.0, 1);
    write_run("project/carpet", 177, 5.0, 1);
    expect_status(RUN("auralise", "project", "-o", "heard"), 0);
    cr_assert(exists("heard/listen_bare_S1_R1.wav") && exists("heard/listen_carpet_S1_R1.wav"));
    cr_assert(exists("heard/listen_dry_lowpassed_355hz.wav") &&
              exists("heard/listen_dry_lowpassed_177hz.wav"));
    cJSON *record = read_json("heard/listen.json");
    cr_assert(number(file_entry(record, "listen_bare_S1_R1.wav"), "gain_db") ==
              number(file_entry(record, "listen_carpet_S1_R1.wav"), "gain_db"));
    expect_status(RUN("auralise", "project/bare", "project/carpet", "-o", "both"), 0);
    expect_status(system("cmp -s heard/listen_carpet_S1_R1.wav both/listen_carpet_S1_R1.wav"), 0);
}

Test(auralise, nothing_is_replaced_without_force_and_nothing_but_its_own_with_it)
{
    write_run("run", 355, 5.0, 1);
    expect_status(RUN("auralise", "run"), 0);
    expect_status(RUN("auralise", "run", "organ"), 2);
    expect_words("err", "listen_S1_R1.wav exists");
    cr_assert(mkdir("organ", 0777) == 0); /* a word is the sound, whatever else is called so */
    write_text("run/listen_old.wav", "stale");
    write_text("run/notes.txt", "mine");
    expect_status(RUN("auralise", "run", "organ", "--force"), 0);
    cr_assert(exists("run/listen_old.wav") == false && exists("run/notes.txt") &&
              exists("run/ir_S1_R1.wav") && exists("run/run.json"));
    expect_status(RUN("auralise", "run", "-o", "other"), 0);
    expect_status(RUN("auralise", "run", "-o", "other"), 2);
    expect_words("err", "other exists");
}

Test(auralise, a_dry_sound_in_the_runs_folder_survives_whatever_it_is_called)
{
    write_run("run", 355, 5.0, 1);
    (void)write_noise("run/listen_voice.wav", 2000, 1, RATE, 0.3);
    expect_status(system("cp run/listen_voice.wav voice.wav"), 0);
    expect_status(RUN("auralise", "run", "--dry", "run/listen_voice.wav"), 0);
    expect_status(system("cmp -s run/listen_voice.wav voice.wav"), 0);
    expect_status(RUN("auralise", "run", "--dry", "run/listen_voice.wav", "--force"), 2);
    expect_words("err", "run/listen_voice.wav would be replaced by what is made from it");
    expect_status(RUN("auralise", "run", "--dry", "run/listen_dry.wav", "--force"), 2);
    expect_words("err", "would be replaced");
    expect_status(system("cmp -s run/listen_voice.wav voice.wav"), 0);
    expect_status(RUN("auralise", "run", "--dry", "voice.wav", "--force"), 0);
    cr_assert(exists("run/listen_S1_R1.wav") && exists("run/listen_voice.wav") == false);
}

Test(auralise, a_sound_is_never_written_over_itself)
{
    write_single("room.wav", 10, 1);
    (void)write_noise("dry.wav", 2000, 1, RATE, 0.3);
    expect_status(system("cp dry.wav kept.wav; ln -s dry.wav link.wav; ln dry.wav wet_dry.wav"), 0);
    expect_status(RUN("auralise", "room.wav", "dry.wav", "-o", "dry.wav", "--force"), 2);
    expect_words("err", "dry.wav would be replaced by what is made from it");
    expect_status(RUN("auralise", "room.wav", "dry.wav", "-o", "link.wav", "--force"), 2);
    expect_status(RUN("auralise", "room.wav", "dry.wav", "-o", "./room.wav", "--force"), 2);
    expect_words("err", "room.wav would be replaced");
    expect_status(RUN("auralise", "room.wav", "dry.wav", "-o", "wet.wav", "--force"), 2);
    cr_assert(exists("wet.wav") == false);
    expect_status(system("cmp -s dry.wav kept.wav"), 0);
}

Test(auralise, a_response_that_is_cut_off_is_reported)
{
    enum { COUNT = RATE / 2 };
    static float response[COUNT];
    for (int cut = 0; cut < 2; cut++) {
        uint64_t seed = 3;
        for (size_t n = 0; n < COUNT; n++)
            response[n] =
                (float)(test_uniform(&seed, -1, 1) * pow(10, (cut ? -1.5 : -3.0) * (double)n / COUNT));
        write_sound("room.wav", response, COUNT, 1, RATE);
        expect_status(RUN("auralise", "room.wav", "clap", "-o", "wet.wav", "--force"), 0);
        char *words = read_text("out");
        cr_assert(eq(int, strstr(words, "has decayed by only 27 dB when it ends") != NULL, cut), "%s", words);
    }
}

/* Noise that falls by 40 dB in .8 s, as a response of a run and as a file alone. */
Test(auralise, a_response_of_a_run_goes_on_after_its_end_and_listen_json_says_from_when)
{
    enum { COUNT = RATE * 4 / 5 };
    static float response[COUNT];
    uint64_t seed = 3;
    for (size_t n = 0; n < COUNT; n++)
        response[n] = (float)(test_uniform(&seed, -1, 1) * pow(10, -2.0 * (double)n / COUNT));
    write_run("run", 1420, 1, 2);
    write_sound("run/ir_S1_R1.wav", response, COUNT, 1, RATE);
    write_sound("alone.wav", response, COUNT, 1, RATE);
    expect_status(RUN("auralise", "run", "--dry", "click"), 0);
    expect_words("out", "the earliest after 0.70 s");
    cJSON *record = read_json("run/listen.json");
    const cJSON *longer = file_entry(record, "listen_S1_R1.wav");
    cr_assert(test_near(number(longer, "tail_from_s"), 0.7, 1e-9));
    cr_assert(test_near(number(longer, "seconds"), 1.8, 0.1)); /* 90 dB */
    cr_assert(
        not(cJSON_IsNumber(cJSON_GetObjectItem(file_entry(record, "listen_S1_R2.wav"), "tail_from_s"))));
    expect_status(RUN("auralise", "alone.wav", "click", "-o", "wet.wav"), 0);
    cr_assert(test_near((double)read_sound("wet.wav").frames / RATE, 0.8, 0.001));
}

/* ---- dry sounds that the program makes ---- */

/* The mean of 20 frequencies of the octave around `centre`. */
static double octave_power(const struct wav_sound *sound, double centre)
{
    double sum = 0;
    for (int i = 0; i < 20; i++)
        sum +=
            pow(cabs(spectrum_at(sound->sample, sound->frames, centre * exp2((i - 9.5) / 20.0), RATE)), 2) /
            20;
    return sum;
}

/* A clap is loudest about 1.1 kHz and over within 30 ms; the chord holds the five notes. */
Test(auralise, clap_and_organ_are_the_same_every_time_and_have_what_they_are_named_after)
{
    write_single("one.wav", 0, 1.0);
    for (int again = 0; again < 2; again++) {
        char *folder_of[] = {"first", "second"};
        cr_assert(mkdir(folder_of[again], 0777) == 0);
        char path[2][64];
        snprintf(path[0], sizeof path[0], "%s/clap.wav", folder_of[again]);
        snprintf(path[1], sizeof path[1], "%s/organ.wav", folder_of[again]);
        expect_status(RUN("auralise", "one.wav", "clap", "-o", path[0], "--level", "true"), 0);
        expect_status(RUN("auralise", "one.wav", "organ", "-o", path[1], "--level", "true"), 0);
    }
    expect_status(system("cmp -s first/clap.wav second/clap.wav && cmp -s first/organ.wav second/organ.wav"),
                  0);
    struct wav_sound clap = read_sound("first/clap.wav"), organ = read_sound("first/organ.wav");
    double all = 0, late = 0;
    for (size_t n = 0; n < clap.frames; n++) {
        const double square = (double)clap.sample[n] * clap.sample[n];
        all += square;
        late += n > RATE * 3 / 100 ? square : 0.0;
    }
    cr_assert(test_above(all, 0) && test_at_most(late, 1e-5 * all));
    const double middle = octave_power(&clap, 1100);
    cr_assert(test_above(middle, 4 * octave_power(&clap, 140)) &&
              test_above(middle, 4 * octave_power(&clap, 8800)));
    cr_assert(test_above(octave_power(&clap, 140), 1e-4 * middle)); /* and something everywhere */
    cr_assert(organ.frames == 4 * RATE);
    static const double note[] = {73.42, 146.83, 220.0, 293.66, 369.99},
                        between[] = {90.0, 128.0, 180.0, 260.0};
    double weakest = INFINITY, strongest = 0;
    float *held = organ.sample + RATE / 2; /* 2 s, under a window of Hann */
    for (size_t n = 0; n < 2 * RATE; n++)
        held[n] *= (float)(0.5 - 0.5 * cos(PI * (double)n / RATE));
    for (size_t i = 0; i < 5; i++)
        weakest = fmin(weakest, cabs(spectrum_at(held, 2 * RATE, note[i], RATE)));
    for (size_t i = 0; i < 4; i++)
        strongest = fmax(strongest, cabs(spectrum_at(held, 2 * RATE, between[i], RATE)));
    cr_assert(test_above(weakest, 30 * strongest), "%g and %g", weakest, strongest);
}

/* ---- what is refused ---- */

static void expect_refusal(int status, const char *words)
{
    expect_status(status, 2);
    expect_words("err", words);
    const bool written = exists("no") || exists("no.wav") || exists("no.json");
    cr_assert(written == false, "something was written");
}

Test(auralise, bad_sounds_are_refused_by_name_and_nothing_is_written)
{
    write_single("one.wav", 0, 1.0);
    float sample[2000] = {0};
    write_sound("silent.wav", sample, 1000, 1, RATE);
    expect_refusal(RUN("auralise", "one.wav", "silent.wav", "-o", "no"), "silent.wav: is silent");
    expect_refusal(RUN("auralise", "silent.wav", "clap", "-o", "no"), "silent.wav: is silent");
    for (size_t n = 0; n < 1000; n++)
        sample[2 * n] = -(sample[2 * n + 1] = (float)((double)n / 1000));
    write_sound("opposite.wav", sample, 1000, 2, RATE);
    expect_refusal(RUN("auralise", "one.wav", "opposite.wav", "-o", "no"), "channels cancel each other");
    sample[500] = NAN;
    write_sound("nan.wav", sample, 2000, 1, RATE);
    expect_refusal(RUN("auralise", "one.wav", "nan.wav", "-o", "no"), "nan.wav: sample 500 of channel 1");
    expect_refusal(RUN("auralise", "nan.wav", "clap", "-o", "no"), "nan.wav");
    sample[500] = INFINITY;
    write_sound("infinite.wav", sample, 2000, 1, RATE);
    expect_refusal(RUN("auralise", "one.wav", "infinite.wav", "-o", "no.wav"), "sample 500 of channel 1");
    sample[500] = 1e30f;
    write_sound("huge.wav", sample, 2000, 1, 44100);
    expect_refusal(RUN("auralise", "one.wav", "huge.wav", "-o", "no.wav"), "1e+30");
    sample[500] = 0;
    write_sound("slow.wav", sample, 100, 1, 1);
    expect_refusal(RUN("auralise", "one.wav", "slow.wav", "-o", "no"), "has 1 samples a second");
    expect_refusal(RUN("auralise", "slow.wav", "clap", "-o", "no"), "has 1 samples a second");
    write_sound("wide.wav", sample, 100, 20, RATE);
    expect_refusal(RUN("auralise", "wide.wav", "clap", "-o", "no"), "has 20 channels");
    write_text("text.wav", "no sound at all");
    expect_refusal(RUN("auralise", "one.wav", "text.wav", "-o", "no"), "text.wav: cannot be read as WAV");
    expect_refusal(RUN("auralise", "one.wav", "missing.wav", "-o", "no"),
                   "missing.wav could not be opened: No such file");
    expect_refusal(RUN("auralise", "missing.wav", "clap", "-o", "no"), "missing.wav");
    expect_refusal(RUN("auralise", "one.wav", "--dry", "", "-o", "no"), "'' could not be opened");
}

Test(auralise, command_lines_that_cannot_be_meant_are_refused)
{
    write_single("one.wav", 0, 1.0);
    write_run("run", 355, 5.0, 2);
    cr_assert(mkdir("empty", 0777) == 0);
    expect_refusal(RUN("auralise"), "needs at least one IR.wav|DIR");
    expect_refusal(RUN("auralise", "organ"), "organ is a dry sound");
    expect_refusal(RUN("auralise", "one.wav"), "give -o DIR or -o WET.wav");
    expect_refusal(RUN("auralise", "one.wav", "organ"), "give -o DIR or -o WET.wav");
    expect_refusal(RUN("auralise", "one.wav", "--dry", "clap", "--dry=organ", "-o", "no"),
                   "there are two dry sounds, clap and organ");
    expect_refusal(RUN("auralise", "empty", "-o", "no"), "empty: holds no run.json");
    expect_refusal(RUN("auralise", "run", "-o", "no.wav"), "there are 2 responses");
    expect_refusal(RUN("auralise", "run/ir_S1_R1.wav", "run/ir_S1_R2.wav", "-o", "no"),
                   "name the dry sound with --dry");
    expect_refusal(RUN("auralise", "run", "--fmax", "500", "-o", "no"), "500 Hz does not go with");
    expect_refusal(RUN("auralise", "run", "--level", "loud", "-o", "no"), "normalised, true");
    cr_assert(count_entries("run", "listen") == 0);
}

/* ---- several sources at once ---- */

/* A run of sources A, B, .., each at receiver P or at P and Q as `last` says: noise that falls, of different
 * lengths and levels. */
static void write_group(const char *path, const char *last)
{
    char name[96], *record = test_keep(calloc(1, 4000));
    uint64_t seed = 11;
    cr_assert(mkdir(path, 0777) == 0);
    strcpy(record, "{\"format\": 1, \"fmax_hz\": 1420, \"sound_speed_m_s\": 343.2, \"responses\": [");
    for (size_t r = 0; r < 2 * strlen(last); r++) {
        const int source = 'A' + (int)(r / 2), receiver = 'P' + (int)(r % 2);
        const size_t frames = 9000 + 700 * r;
        if (receiver > last[r / 2])
            continue;
        float *sample = test_keep(malloc(frames * sizeof *sample));
        for (size_t n = 0; n < frames; n++)
            sample[n] = (float)(test_uniform(&seed, -0.1, 0.1) * (double)(r + 1) * exp(-(double)n / 900));
        snprintf(name, sizeof name, "%s/ir_%c_%c.wav", path, source, receiver);
        write_sound(name, sample, frames, 1, RATE);
        sprintf(record + strlen(record),
                "%s{\"file\": \"ir_%c_%c.wav\", \"source\": \"%c\", \"receiver\": \"%c\", "
                "\"distance_m\": %zu, \"direct_path_clear\": true, \"onset_s\": 0}",
                r > 0 ? ", " : "", source, receiver, source, receiver, 3 + r);
    }
    strcat(record, "]}");
    snprintf(name, sizeof name, "%s/run.json", path);
    write_text(name, record);
}

/* A sample before its gain; 0 beyond the end. */
static double sample_before_gain(const struct wav_sound *sound, double gain, size_t n)
{
    return n < sound->frames ? (double)sound->sample[n] / gain : 0.0;
}

static double gain_of(const char *record)
{
    return pow(10.0, number(read_json(record), "gain_db") / 20.0);
}

Test(auralise, sources_at_once_are_the_sum_of_each_alone)
{
    write_group("run", "QQQ");
    (void)write_noise("a.wav", 7000, 1, RATE, 0.2);
    (void)write_noise("c.wav", 40000, 2, 44100, 0.1);
    expect_status(RUN("auralise", "run", "--dry", "A=a.wav", "-o", "a"), 0);
    expect_status(RUN("auralise", "run", "--dry", "C=c.wav", "-o", "c"), 0);
    cr_assert(exists("a/listen_A_Q.wav") && exists("a/listen_B_Q.wav") == false);
    expect_status(RUN("auralise", "run", "--dry", "C=c.wav", "--dry", "A=a.wav", "-o", "both"), 0);
    expect_words("out", "C plays c.wav");
    const cJSON *entry = file_entry(read_json("both/listen.json"), "listen_Q.wav");
    cr_assert(eq(str, (char *)text_of(entry, "source"), "C + A"));
    cr_assert(eq(str, (char *)record_text(entry, "mixed.1.response"), "run/ir_A_Q.wav"));
    cr_assert(eq(dbl, number(entry, "distance_m"), 4.0));
    const double ga = gain_of("a/listen.json"), gc = gain_of("c/listen.json"),
                 gain = gain_of("both/listen.json");
    for (char at = 'P'; at <= 'Q'; at++) {
        char name[3][32];
        snprintf(name[0], sizeof name[0], "a/listen_A_%c.wav", at);
        snprintf(name[1], sizeof name[1], "c/listen_C_%c.wav", at);
        snprintf(name[2], sizeof name[2], "both/listen_%c.wav", at);
        struct wav_sound a = read_sound(name[0]), c = read_sound(name[1]), both = read_sound(name[2]);
        cr_assert(both.frames == (a.frames > c.frames ? a.frames : c.frames));
        for (size_t n = 0; n < both.frames; n++) {
            const double sum = gain * (sample_before_gain(&a, ga, n) + sample_before_gain(&c, gc, n));
            cr_assert(test_near((double)both.sample[n], sum, 0.51 * LSB * (1.0 + gain / ga + gain / gc)),
                      "%s, sample %zu: %g, and it should be %g", name[2], n, (double)both.sample[n], sum);
        }
    }
}

Test(auralise, sounds_that_are_not_of_the_sources_of_a_run_are_refused)
{
    write_group("run", "QP");
    write_group("full", "QQ");
    write_single("one.wav", 0, 1.0);
#define AT_ONCE(words, ...) expect_refusal(RUN("auralise", __VA_ARGS__, "-o", "no"), words)
    AT_ONCE("source A has two dry sounds, clap and organ", "full", "--dry", "A=clap", "--dry", "A=organ");
    AT_ONCE("no response of a source called flute", "full", "--dry", "A=clap", "--dry", "flute=organ");
    AT_ONCE("no response of a source called flute", "full", "--dry", "flute=organ");
    AT_ONCE("two dry sounds, clap and A=organ: several need a source each", "full", "--dry", "clap", "--dry",
            "A=organ");
    AT_ONCE("two dry sounds, A=organ and clap: several need a source each", "full", "--dry", "A=organ",
            "--dry", "clap");
    AT_ONCE("no response of B at Q, so that it cannot be heard with A", "run", "--dry", "A=clap", "--dry",
            "B=organ");
    AT_ONCE("finds no source in it", "one.wav", "--dry", "A=clap");
    AT_ONCE("source A has a dry sound without a name", "full", "--dry", "A=");
    AT_ONCE("a walk plays one dry sound", "full", "--walk", "1,1,1", "--dry", "A=clap", "--dry", "B=organ");
    AT_ONCE("but a walk plays one sound", "full", "--walk", "1,1,1", "--dry", "A=clap");
    expect_status(rename("one.wav", "A=b.wav"), 0);
    expect_status(RUN("auralise", "full", "--dry", "./A=b.wav", "-o", "yes"), 0);
    cr_assert(exists("yes/listen_B_Q.wav"));
}

Test(auralise, a_broken_run_json_is_refused_and_names_no_file_outside)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{", "is not JSON"},
        {"[1]", "is not of a run"},
        {"{\"fmax_hz\": \"much\"}", "is not of a run"},
        {"{\"fmax_hz\": 1e9}", "is not of a run"},
        {"{\"fmax_hz\": 355}", "was written by another version of transept"},
        {"{\"format\": 0, \"fmax_hz\": 355}", "was written by another version of transept"},
        {"{\"format\": 1, \"fmax_hz\": 355}", "names no response"},
        {"{\"format\": 1, \"fmax_hz\": 355, \"responses\": 3}", "names no response"},
        {"{\"format\": 1, \"fmax_hz\": 355, \"responses\": [3]}", "a response without a file"},
        {"{\"format\": 1, \"fmax_hz\": 355, \"responses\": [{\"file\": \"../one.wav\"}]}",
         "not a file beside it"},
        {"{\"format\": 1, \"fmax_hz\": 355, \"responses\": [{\"file\": \"gone.wav\"}]}", "gone.wav"},
    };
    write_single("one.wav", 0, 1.0);
    cr_assert(mkdir("run", 0777) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text("run/run.json", cases[i].text);
        expect_refusal(RUN("auralise", "run", "-o", "no"), cases[i].words);
    }
}

/* A limit on file size stands for a full disk. */
Test(auralise, a_full_disk_is_status_5_and_leaves_nothing)
{
    write_run("run", 355, 5.0, 1);
    file_limit = 100000;
    expect_status(RUN("auralise", "run", "organ", "-o", "no"), 5);
    file_limit = RLIM_INFINITY;
    cr_assert(exists("no") == false);
}

/* Until the program minds Ctrl-C, which a busy machine may take long to come to; 10 s at most. */
static void wait_for_handler(pid_t child)
{
    char path[40], line[200];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    for (int tried = 0; tried < 1000 && (caught >> (SIGINT - 1) & 1) == 0; tried++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        FILE *status = fopen(path, "r");
        while (status != NULL && fgets(line, sizeof line, status) != NULL)
            if (sscanf(line, "SigCgt: %llx", &caught) == 1)
                break;
        if (status != NULL)
            fclose(status);
    }
}

Test(auralise, an_interrupt_is_status_130_and_leaves_nothing)
{
    write_run("run", 355, 5.0, 3);
    (void)write_noise("dry.wav", 60 * RATE, 1, 44100, 0.1);
    for (int i = 0; i < 2; i++) {
        const pid_t child =
            start(NULL, (const char *const[]){TEST_PROGRAM, "auralise", "run", "dry.wav", "-o", "no", NULL});
        wait_for_handler(child);
        nanosleep(&(struct timespec){.tv_nsec = i == 0 ? 50000000 : 900000000}, NULL);
        kill(child, SIGINT);
        expect_status(finish(child), 130);
        cr_assert(exists("no") == false);
    }
}
