/** transept play: what is heard, and what is refused, in which words. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/run/instruments/play.h"

#include "src/response/signal/response.h"
#include "src/response/signal/wav_file.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(play, .init = enter_folder, .fini = leave_folder);

#define PI 3.14159265358979323846
/* of 50 characters */
#define LONG_NAME  "a23456789_a23456789_a23456789_a23456789_a23456789_"
#define DRUM(text) "drums:\n- {" text "}\nstrikes:\n- {drum: D1, time_s: 0}\n"
#define HALL       "hall.obj", "--fmax", "355", "--absorption", "0.95", "--quiet"

static void write_score(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static struct wav_sound heard_of(const char *path, int channels)
{
    struct wav_sound sound = {0};
    MUST(wav_sound_read(path, &sound, &failure));
    cr_assert(sound.rate == 48000 && sound.channels == channels);
    return sound;
}

static struct wav_sound heard(const char *path)
{
    return heard_of(path, 1);
}

/* Where the spectrum from low to high has its peak [Hz]. */
static double pitch_of(const struct wav_sound *sound, double low, double high)
{
    double best = 0, at = 0;
    for (double f = low; f <= high; f += 0.5) {
        double real = 0, imaginary = 0;
        for (size_t n = 0; n < sound->frames; n += 16) {
            const double window = 1 - cos(2 * PI * (double)n / (double)sound->frames);
            real += window * (double)sound->sample[n] * cos(2 * PI * f * (double)n / 48000);
            imaginary += window * (double)sound->sample[n] * sin(2 * PI * f * (double)n / 48000);
        }
        if (hypot(real, imaginary) > best) {
            best = hypot(real, imaginary);
            at = f;
        }
    }
    return at;
}

Test(play, a_linear_drum_sounds_at_its_pitch_and_twice_as_loud_with_twice_the_force)
{
    write_box("hall.obj", 5, 4, 3, true);
#define LOW                                                                                                  \
    "drums:\n- {name: low, position: [2, 2, 1], frequency_hz: 110}\nstrikes:\n- {drum: low, time_s: 0, "
    write_score("one.yaml", LOW "force_n: 20}\n");
    write_score("two.yaml", LOW "force_n: 40}\n");
    expect_status(RUN("play", "hall.obj", "--fmax", "355", "--absorption", "0.95", "--score", "one.yaml",
                      "--linear", "--receiver", "3.2,2.3,1.6,ear", "--duration", "0.5", "-o", "one"),
                  0);
    char *words = read_text("out");
    cr_assert(strstr(words, "\n1 stroke gave ") != NULL, "%s", words);
    expect_status(RUN("play", HALL, "--score", "two.yaml", "--linear", "--receiver", "3.2,2.3,1.6,ear",
                      "--duration", "0.5", "-o", "two"),
                  0);
    struct wav_sound one = heard("one/heard_ear.wav"), two = heard("two/heard_ear.wav");
    cr_assert(one.frames == two.frames && one.frames >= 24000 && one.frames < 24020, "%zu", one.frames);
    double peak = 0;
    for (size_t n = 0; n < one.frames; n++)
        peak = fmax(peak, fabs((double)one.sample[n]));
    for (size_t n = 0; n < one.frames; n++)
        cr_assert(fabs((double)two.sample[n] - 2 * (double)one.sample[n]) < 1e-4 * peak);
    const double pitch = pitch_of(&one, 80, 140);
    cr_assert(fabs(pitch / 110 - 1) < 0.04, "%g Hz instead of 110", pitch);
    cJSON *record = read_json("one/play.json");
    const cJSON *work = record_at(record, "play.work_j"), *found = record_at(record, "play.sounds.0.peak_pa");
    cr_assert(cJSON_IsNumber(work) && work->valuedouble > 1e-3 && cJSON_IsNumber(found) &&
              test_near(found->valuedouble, peak, 1e-6 * peak));
    wav_sound_free(&one);
    wav_sound_free(&two);
}

Test(play, a_harder_stroke_raises_the_pitch)
{
    double tension[2], frequency[2];
    write_box("hall.obj", 5, 4, 3, true);
    write_score("soft.yaml", LOW "force_n: 1}\n");
    write_score("hard.yaml", LOW "force_n: 150}\n");
    for (int hard = 0; hard < 2; hard++) {
        expect_status(RUN("play", HALL, "--score", hard ? "hard.yaml" : "soft.yaml", "--receiver",
                          "3.2,2.3,1.6,ear", "--duration", "0.1", "-o", hard ? "hard" : "soft"),
                      0);
        struct wav_sound sound = heard(hard ? "hard/heard_ear.wav" : "soft/heard_ear.wav");
        frequency[hard] = pitch_of(&sound, 80, 160);
        wav_sound_free(&sound);
        cJSON *const record = read_json(hard ? "hard/play.json" : "soft/play.json");
        tension[hard] = 1 + record_at(record, "play.drums.0.tension_rise_n_per_m")->valuedouble /
                                record_at(record, "play.drums.0.tension_n_per_m")->valuedouble;
    }
    /* The frequency follows the root of the tension, here over all of the sound. */
    cr_assert(tension[0] < 1.0001 && tension[1] > 1.1, "tensions rise by %g and %g", tension[0], tension[1]);
    cr_assert(test_near(frequency[1] / frequency[0], sqrt(tension[1]), 0.04), "%g and %g Hz, tension %g",
              frequency[0], frequency[1], tension[1]);
}

/* Sum of a channel times W, over the sum of W^2. */
static double likeness(const struct wav_sound *ambix, size_t channel)
{
    double sum = 0, squares = 0;
    for (size_t n = 0; n < ambix->frames; n++) {
        const double w = (double)ambix->sample[4 * n];
        sum += w * (double)ambix->sample[4 * n + channel];
        squares += w * w;
    }
    return sum / squares;
}

/* Nothing but direct sound, which the floor reaches first after 26 ms. */
Test(play, directions_are_those_of_the_sound_and_w_is_the_sound)
{
#define LARGE                                                                                                \
    "large.obj", "--fmax", "355", "--absorption", "0.95", "--quiet", "--drum", "4,5,4.5,low", "--receiver",  \
        "7,6,5.5,ear", "--duration", "0.025", "--ambisonics"
    write_box("large.obj", 12, 10, 9, true);
    expect_status(RUN("play", LARGE, "-o", "one"), 0);
    expect_status(RUN("play", LARGE, "--look", "ear=150", "-o", "two"), 0);
    expect_status(RUN("play", LARGE, "--look", "ear=low", "-o", "three"), 0);
    struct wav_sound mono = heard("one/heard_ear.wav"), one = heard_of("one/heard_ear_ambix.wav", 4),
                     two = heard_of("two/heard_ear_ambix.wav", 4),
                     three = heard_of("three/heard_ear_ambix.wav", 4);
    double peak = 0;
    cr_assert(mono.frames == one.frames && two.frames == one.frames && three.frames == one.frames);
    for (size_t n = 0; n < mono.frames; n++) {
        peak = fmax(peak, fabs((double)mono.sample[n]));
        cr_assert(mono.sample[n] == one.sample[4 * n] && mono.sample[n] == two.sample[4 * n]);
    }
    /* The drum is straight ahead and a metre lower. */
    const double away = hypot(hypot(3, 1), 1);
    cr_assert(peak > 0 && test_near(likeness(&one, 3), hypot(3, 1) / away, 0.05) &&
                  test_near(likeness(&one, 1), 0, 0.05) && test_near(likeness(&one, 2), -1 / away, 0.05),
              "X, Y, Z are %g, %g, %g of W", likeness(&one, 3), likeness(&one, 1), likeness(&one, 2));
    const double front = atan2(-1, -3) + 2 * PI, c = cos(150 * PI / 180 - front),
                 s = sin(150 * PI / 180 - front);
    for (size_t n = 0; n < one.frames; n++) {
        const float *const a = &one.sample[4 * n], *const b = &two.sample[4 * n];
        cr_assert(test_near((double)b[3], c * (double)a[3] + s * (double)a[1], 1e-5 * peak) &&
                  test_near((double)b[1], c * (double)a[1] - s * (double)a[3], 1e-5 * peak) && a[2] == b[2]);
        cr_assert(memcmp(a, &three.sample[4 * n], 4 * sizeof *a) == 0);
    }
    cJSON *record = read_json("one/play.json");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(record, "sources")), 1));
    cr_assert(
        test_near(record_at(record, "play.sounds.0.look_azimuth_deg")->valuedouble, 180 * front / PI, 1e-6));
    wav_sound_free(&mono);
    wav_sound_free(&one);
    wav_sound_free(&two);
    wav_sound_free(&three);
}

/* From when on it is louder than a tenth of its peak, and its peak. */
static size_t onset_of(const struct wav_sound *sound, size_t channel, double *peak)
{
    const size_t channels = (size_t)sound->channels;
    size_t first = 0;
    *peak = 0;
    for (size_t n = 0; n < sound->frames; n++)
        *peak = fmax(*peak, fabs((double)sound->sample[channels * n + channel]));
    while (fabs((double)sound->sample[channels * first + channel]) < 0.1 * *peak)
        first++;
    return first;
}

/* A ball of 20 cm with the drum a metre and a half away, to its left or to its right. */
Test(play, a_dummy_head_hears_the_drum_sooner_and_louder_with_the_ear_at_its_side)
{
#define BALL                                                                                                 \
    "hall.obj", "--fmax", "1400", "--absorption", "0.95", "--quiet", "--score", "short.yaml", "--receiver",  \
        "2.2,0.8,0.9,pew", "--dummy-head", "pew=0.2", "--duration", "12ms"
    write_box("hall.obj", 2.8, 1.6, 1.7, true);
    write_score("short.yaml",
                "drums:\n- {name: low, position: [0.7, 0.8, 0.9], radius_m: 0.25, kettle_m3: 0}\n"
                "strikes:\n- {drum: low, time_s: 0, contact_s: 0.001}\n");
    expect_status(RUN("play", BALL, "--look", "pew=90", "-o", "left"), 0);
    expect_status(RUN("play", BALL, "--look", "pew=-90", "-o", "right"), 0);
    struct wav_sound both[2] = {heard_of("left/heard_pew_binaural.wav", 2),
                                heard_of("right/heard_pew_binaural.wav", 2)};
    for (size_t side = 0; side < 2; side++) {
        double near, far;
        const size_t first = onset_of(&both[side], side, &near), second = onset_of(&both[side], !side, &far);
        /* Round a ball, from the front of one ear to the other, sound takes a (pi/2 + 1 .. pi) / c: 1.5 ms.
         */
        cr_assert(far > 0 && near > 1.3 * far, "side %zu: %g and %g Pa", side, near, far);
        cr_assert(second > first + 30 && second < first + 110, "side %zu: %zu and %zu", side, first, second);
    }
    struct wav_sound ear = heard("left/heard_pew_right.wav");
    for (size_t n = 0; n < ear.frames; n++)
        cr_assert(ear.sample[n] == both[0].sample[2 * n + 1]);
    cJSON *const record = read_json("left/play.json");
    cr_assert(
        eq(str, record_at(record, "play.sounds.1.file_ears")->valuestring, (char *)"heard_pew_binaural.wav"));
    cr_assert(cJSON_GetObjectItem(record_at(record, "play.sounds.0"), "file_ears") == NULL);
    wav_sound_free(&ear);
    wav_sound_free(&both[0]);
    wav_sound_free(&both[1]);
}

/* Both schemes have the same points a wavelength, and differ by their dispersion. */
Test(play, both_schemes_are_heard_alike)
{
    write_box("hall.obj", 5, 4, 3, true);
    write_score("slow.yaml", DRUM("position: [2, 2, 1]"));
    struct wav_sound sound[2];
    static const char *const scheme[] = {"isotropic", "standard"};
    double difference = 0, all = 0;
    for (size_t s = 0; s < 2; s++) {
        expect_status(RUN("play", HALL, "--score", "slow.yaml", "--scheme", scheme[s], "--receiver",
                          "3.2,2.3,1.6,ear", "--duration", "20ms", "-o", scheme[s]),
                      0);
        sound[s] = heard(s == 0 ? "isotropic/heard_ear.wav" : "standard/heard_ear.wav");
        cJSON *const record = read_json(s == 0 ? "isotropic/play.json" : "standard/play.json");
        cr_assert(test_near(record_at(record, "points_per_wavelength")->valuedouble, 10.5, 1e-9));
        cr_assert(eq(str, record_at(record, "scheme")->valuestring, (char *)scheme[s]));
    }
    for (size_t n = 0; n < 720; n++) {
        difference += pow((double)sound[0].sample[n] - (double)sound[1].sample[n], 2);
        all += pow((double)sound[1].sample[n], 2);
    }
    cr_assert(all > 0 && difference < 0.0025 * all, "they differ by %g", sqrt(difference / all));
    wav_sound_free(&sound[0]);
    wav_sound_free(&sound[1]);
}

Test(play, a_time_step_that_leaves_the_air_at_a_membrane_no_mass_to_spare_is_refused)
{
    write_box("hall.obj", 5, 4, 3, true);
    write_score("one.yaml", DRUM("position: [2, 2, 1]"));
    expect_status(RUN("play", HALL, "--score", "one.yaml", "--courant", "89%", "-o", "none"), 2);
    expect_words("err", "can be joined to it stably; take a finer grid, a shorter time step or more mass");
}

Test(play, sound_keeps_its_amplitude_and_its_start)
{
    enum { COUNT = 20000 };
    static double signal[COUNT];
    const double rate = 13613.7;
    float *out;
    size_t frames;
    for (size_t n = 0; n < COUNT; n++)
        signal[n] = 2 * sin(2 * PI * 100 * (double)n / rate);
    MUST(response_of_sound(signal, COUNT, rate, 710, &out, &frames, &failure));
    cr_assert(frames == (size_t)((COUNT - 1) * 48000 / rate) + 1);
    for (size_t n = 12000; n < 48000; n++)
        cr_assert(test_near((double)out[n], 2 * sin(2 * PI * 100 * (double)n / 48000), 5e-3), "%zu: %g", n,
                  (double)out[n]);
    free(out);
}

Test(play, air_outside_the_range_of_the_standard_is_told_once_where_it_loses_sound)
{
    write_box("hall.obj", 5, 4, 3, true);
    for (int off = 0; off < 2; off++) {
        expect_status(RUN("play", HALL, "--drum", "2,2,1", "--receiver", "3.2,2.3,1.6", "--duration", "0.01",
                          "--humidity", "1", "--air", off ? "off" : "fast", "-o", off ? "off" : "on"),
                      0);
        cr_assert(eq(sz, count_in("err", "ISO 9613-1 goes from 0.05 to 5 % of vapour"), 1 - (size_t)off));
    }
}

Test(play, a_kettle_that_would_be_moved_into_the_floor_is_moved_up)
{
    write_box("hall.obj", 6, 6, 6, true);
    expect_status(RUN("play", "hall.obj", "--absorption", "0.1", "--drum", "2,2,0.64", "--receiver",
                      "4,3,1.5", "--fmax", "177", "--duration", "20ms", "-o", "heard"),
                  0);
    cJSON *const record = read_json("heard/play.json");
    cr_assert(record_at(record, "play.drums.0.position_m.2")->valuedouble > 0.64);
}

Test(play, what_cannot_be_played_is_refused_in_one_sentence_and_writes_nothing)
{
    static const struct {
        const char *score, *words;
    } bad[] = {
        {DRUM("position: [2, 2, 0.2]"), "the drum D1 does not fit into the model"},
        {DRUM("position: [2, 2, 1]}\n- {position: [2.3, 2, 1]"), "overlap: their"},
        {DRUM("position: [0.2, 2, 1]"), "from 0 to 5 m along x: it would go from -0.128 to 0.528 m"},
        {DRUM("position: [2, 3.8, 1]"), "from 0 to 4 m along y: it would go from 3.472 to 4.128 m"},
        {"drums:\n- {name: " LONG_NAME "a, position: [2, 2, 1]}\n- {name: " LONG_NAME
         "b, position: [2.3, 2, 1]}\nstrikes:\n- {drum: " LONG_NAME "a, time_s: 0}\n",
         "overlap: their"},
        {"drums:\n- {position: [2, 2, 1]}\nstrikes:\n- {drum: D2, time_s: 0}\n",
         "is D2; expected the name of a drum of the score"},
        {DRUM("position: [2, 2, 1], radius_m: 9"), "radius_m is 9"},
        {DRUM("position: [2, 2, 1], colour: 9"), "colour is not known in a score"},
        {DRUM("position: [2, 2, 1], frequency_hz: 100, tension_n_per_m: 3000"), "a drum has one of them"},
        {"drums:\n- {position: [2, 2, 1]}\nstrikes:\n- {drum: D1, time_s: 0, at: 1}\n",
         "the membrane ends at 0.328 m"},
        {DRUM("position: [2, 2, 1], density_kg_per_m2: 0.01, tension_n_per_m: 30"),
         "is too light for a grid"},
        {DRUM("position: [2, 2, 1], tension_n_per_m: 90000"),
         "take a finer grid, a shorter time step or less tension"},
        {DRUM("position: [2, 2, 2.9]"), "the air above drum \"D1\" at (2, 2, 3.064) m is outside the room"},
    };
    write_box("hall.obj", 5, 4, 3, true);
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        write_score("bad.yaml", bad[n].score);
        expect_status(RUN("play", HALL, "--score", "bad.yaml", "--receiver", "3.2,2.3,1.6", "-o", "none"), 2);
        char *err = read_text("err");
        cr_assert(strstr(err, bad[n].words) != NULL, "%s: no \"%s\" in %s", bad[n].score, bad[n].words, err);
        cr_assert(access("none", F_OK) != 0);
    }
    expect_status(RUN("play", HALL, "--drum", "2,2,1", "--drum", "4,2,1", "--receiver", "3.2,2.3,1.6",
                      "--duration", "1", "-o", "none"),
                  2);
    char *err = read_text("err");
    cr_assert(strstr(err, "stroke 2, on D2, begins at 1 s, but the sound ends at 1 s") != NULL, "%s", err);
    expect_status(RUN("play", HALL, "--drum", "2,2,1", "--spacing", "-1", "-o", "none"), 2);
    expect_status(RUN("play", HALL, "-o", "none"), 2);
    expect_status(RUN("play", HALL, "--drum", "2,2,1", "--receiver", "3.2,2.3,1.6,ear", "--ambisonics",
                      "--look", "ear=D1 1 below", "-o", "none"),
                  2);
    expect_words("err", "D1 1 below is neither a source (D1) nor an azimuth");
    expect_status(RUN("play", HALL, "--drum", "2,2,1"), 2);
}
