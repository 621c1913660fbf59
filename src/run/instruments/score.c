#include "src/run/instruments/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/regular_file.h"
#include "rooms/text/yaml_tree.h"
#include "src/run/instruments/drum_mesh.h"
#include "src/run/instruments/drum_tuning.h"
#include "src/base/options/option_values.h"

#define PI         3.14159265358979323846
#define SCORE_MOST (1u << 20) /* bytes */

static const struct score_drum usual_drum = {
    .radius = 0.328,
    .frequency = 110,
    .density = 0.262,
    .kettle = 0.14,
    .loss = 1,
    .high_loss = 0.002,
    /* Mylar of 0.19 mm, 3.8 GPa and 0.38 (data sheets of its maker; they have up to 4.9 GPa). */
    .stretch = 4.2e5,
};

struct stroke {
    double time, at, angle, force, contact;
};
static const struct stroke usual_stroke = {.at = 0.7, .force = 60, .contact = 0.004};

/* Read a number of an entry into `at` bytes of the result. */
struct score_key {
    const char *name;
    size_t at;
    struct yaml_limits limits;
};
#define DRUM_KEY(key, member, ...)                                                                           \
    {                                                                                                        \
        key, offsetof(struct score_drum, member),                                                            \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define STROKE_KEY(key, member, ...)                                                                         \
    {                                                                                                        \
        key, offsetof(struct stroke, member),                                                                \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static const struct score_key drum_key[] = {
    DRUM_KEY("radius_m", radius, .low = 0.05, .high = 2, .unit = "m"),
    DRUM_KEY("frequency_hz", frequency, .low = 10, .high = 2000, .unit = "Hz"),
    DRUM_KEY("tension_n_per_m", tension, .low = 1, .high = 1e6, .unit = "N/m"),
    DRUM_KEY("density_kg_per_m2", density, .low = 0.01, .high = 20, .unit = "kg/m2"),
    DRUM_KEY("kettle_m3", kettle, .low = 0, .high = 20, .unit = "m3"),
    DRUM_KEY("loss_per_s", loss, .low = 0, .high = 1000, .unit = "1/s"),
    DRUM_KEY("high_loss_m2_per_s", high_loss, .low = 0, .high = 1, .unit = "m2/s"),
    DRUM_KEY("stretch_n_per_m", stretch, .low = 0, .high = 1e9, .unit = "N/m"),
};
static const struct score_key stroke_key[] = {
    STROKE_KEY("time_s", time, .low = 0, .high = 600, .unit = "s"),
    STROKE_KEY("at", at, .low = 0, .high = 1, .unit = ""),
    STROKE_KEY("angle_degrees", angle, .low = -360, .high = 360, .unit = "degrees"),
    STROKE_KEY("force_n", force, .low = 0, .high = 1e5, .above_low = true, .unit = "N"),
    STROKE_KEY("contact_s", contact, .low = 0, .high = 1, .above_low = true, .unit = "s"),
};
#define DRUM_KEYS   (sizeof drum_key / sizeof *drum_key)
#define STROKE_KEYS (sizeof stroke_key / sizeof *stroke_key)

/* Read the numbers of `key`; the spots of `texts` further keys go to `other`. */
static int read_entry(const struct yaml_spot *entry, const struct score_key *key, size_t keys,
                      const char *const *text, size_t texts, void *base, struct yaml_spot *found,
                      struct failure *failure)
{
    const char *name[16];
    struct yaml_spot unknown;
    for (size_t n = 0; n < keys + texts; n++)
        name[n] = n < keys ? key[n].name : text[n - keys];
    TRY(yaml_find_keys(entry, name, keys + texts, found, &unknown, failure));
    if (unknown.node != NULL)
        return yaml_refuse(&unknown, failure, "is not known in a score");
    for (size_t n = 0; n < keys; n++)
        if (found[n].node != NULL)
            TRY(yaml_read_number(&found[n], &key[n].limits, (double *)(void *)((char *)base + key[n].at),
                                 failure));
    return 0;
}

/* Append a drum with the defaults. */
static int grow_drums(struct score *score, struct failure *failure)
{
    struct score_drum *grown = realloc(score->drum, (score->drums + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (score->drums + 1) * sizeof *grown, "drums");
    score->drum = grown;
    if (score->drums == SCORE_DRUMS_MOST)
        return failure_set(failure, FAILURE_INPUT, "there are more than %d drums", SCORE_DRUMS_MOST);
    grown[score->drums] = usual_drum;
    (void)snprintf(grown[score->drums].name, sizeof grown->name, "D%zu", score->drums + 1);
    score->drums++;
    return 0;
}

static int add_stroke(struct score *score, size_t drum, const struct stroke *stroke, struct failure *failure)
{
    struct drum_strike *grown = realloc(score->strike, (score->strikes + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (score->strikes + 1) * sizeof *grown, "strokes");
    score->strike = grown;
    if (score->strikes == SCORE_STRIKES_MOST)
        return failure_set(failure, FAILURE_INPUT, "there are more than %d strokes", SCORE_STRIKES_MOST);
    const double away = stroke->at * score->drum[drum].radius, angle = stroke->angle * PI / 180;
    grown[score->strikes++] = (struct drum_strike){.drum = drum,
                                                   .time = stroke->time,
                                                   .place = {away * cos(angle), away * sin(angle)},
                                                   .force = stroke->force,
                                                   .contact = stroke->contact};
    return 0;
}

static int read_drum(const struct yaml_spot *entry, struct score *score, struct failure *failure)
{
    static const char *const text[] = {"name", "position"};
    static const struct yaml_limits anywhere = {.low = -1e6, .high = 1e6, .unit = "m"};
    struct yaml_spot found[DRUM_KEYS + 2];
    TRY(yaml_expect(entry, YAML_MAP, "a drum, as in {position: [4.2, 1, 0.85]}", failure));
    TRY(grow_drums(score, failure));
    struct score_drum *const drum = &score->drum[score->drums - 1];
    TRY(read_entry(entry, drum_key, DRUM_KEYS, text, 2, drum, found, failure));
    const struct yaml_spot *const name = &found[DRUM_KEYS], *const position = &found[DRUM_KEYS + 1];
    enum { FREQUENCY = 1, TENSION = 2 };
    if (found[TENSION].node != NULL && found[FREQUENCY].node != NULL)
        return yaml_refuse(&found[TENSION], failure,
                           "is given together with frequency_hz; a drum has one of them");
    if (found[TENSION].node != NULL)
        drum->frequency = 0;
    if (position->node == NULL)
        return yaml_refuse(entry, failure,
                           "has no position, the middle of the membrane in metres: [x, y, z]");
    TRY(yaml_read_numbers(position, &anywhere, 3,
                          "the middle of the membrane in metres, as in [4.2, 1, 0.85]", drum->position,
                          failure));
    if (name->node != NULL) {
        const char *called;
        TRY(yaml_read_text(name, "a name", &called, failure));
        if (!option_name_is_valid(called))
            return yaml_refuse_value(name, "1 to 63 letters, digits, _ or -", failure);
        (void)snprintf(drum->name, sizeof drum->name, "%s", called);
    }
    return 0;
}

static int read_stroke(const struct yaml_spot *entry, struct score *score, struct failure *failure)
{
    static const char *const text[] = {"drum"};
    struct yaml_spot found[STROKE_KEYS + 1];
    struct stroke stroke = usual_stroke;
    TRY(yaml_expect(entry, YAML_MAP, "a stroke, as in {drum: low, time_s: 0}", failure));
    TRY(read_entry(entry, stroke_key, STROKE_KEYS, text, 1, &stroke, found, failure));
    if (found[STROKE_KEYS].node == NULL || found[0].node == NULL)
        return yaml_refuse(entry, failure, "says no %s", found[0].node == NULL ? "time_s" : "drum");
    const char *called;
    TRY(yaml_read_text(&found[STROKE_KEYS], "the name of a drum", &called, failure));
    for (size_t d = 0; d < score->drums; d++)
        if (strcmp(score->drum[d].name, called) == 0)
            return add_stroke(score, d, &stroke, failure);
    return yaml_refuse_value(&found[STROKE_KEYS], "the name of a drum of the score", failure);
}

static int read_list(const struct yaml_spot *list, const char *wanted, struct score *score,
                     int read(const struct yaml_spot *, struct score *, struct failure *),
                     struct failure *failure)
{
    TRY(yaml_expect(list, YAML_LIST, wanted, failure));
    for (size_t n = 0; n < yaml_spot_count(list); n++) {
        struct yaml_spot entry;
        TRY(yaml_spot_entry(list, n, &entry, failure));
        TRY(read(&entry, score, failure));
    }
    return 0;
}

int score_read(const char *path, struct score *score, struct failure *failure)
{
    static const struct yaml_form form = {
        .what = "a score",
        .begin = "a score has a list `drums` and a list `strikes`",
        .top = "this is not a score, which has a list `drums` and a list `strikes`",
        .no_alias = true,
    };
    static const char *const known[] = {"drums", "strikes"};
    struct yaml_tree *tree = NULL;
    struct yaml_spot found[2], unknown;
    char *text = NULL;
    size_t length;
    TRY(regular_file_read(path, SCORE_MOST, &text, &length, failure));
    int code = yaml_tree_read(text, length, path, &form, &tree, failure);
    free(text);
    if (code != 0)
        return code;
    const struct yaml_spot top = yaml_tree_top(tree);
    code = yaml_find_keys(&top, known, 2, found, &unknown, failure);
    if (code == 0 && unknown.node != NULL)
        code = yaml_refuse(&unknown, failure, "is not known in a score");
    for (int n = 0; code == 0 && n < 2; n++)
        if (found[n].node == NULL)
            code = failure_set(failure, FAILURE_INPUT, "%s has no list `%s`", path, known[n]);
    if (code == 0)
        code = read_list(&found[0], "a list of drums", score, read_drum, failure);
    if (code == 0)
        code = read_list(&found[1], "a list of strokes", score, read_stroke, failure);
    yaml_tree_free(tree);
    return code;
}

int score_add_drum(struct score *score, const struct option_place *place, double time,
                   struct failure *failure)
{
    struct stroke stroke = usual_stroke;
    if (place->of_model)
        return failure_set(failure, FAILURE_INPUT, "the place of a drum is x,y,z[,name] in metres, not `%s`",
                           place->name);
    TRY(grow_drums(score, failure));
    struct score_drum *const drum = &score->drum[score->drums - 1];
    memcpy(drum->position, place->position, sizeof drum->position);
    if (place->name[0] != '\0')
        memcpy(drum->name, place->name, sizeof drum->name);
    stroke.time = time;
    return add_stroke(score, score->drums - 1, &stroke, failure);
}

struct drum_site score_site(const struct score *score, size_t drum)
{
    const struct score_drum *const of = &score->drum[drum];
    struct drum_site site = {
        .name = of->name,
        .kind = {.radius = of->radius,
                 .tension = of->tension,
                 .density = of->density,
                 .loss = of->loss,
                 .high_loss = of->high_loss,
                 .stretch = of->stretch},
        .depth = of->kettle > 0 ? drum_kettle_depth(of->radius, of->kettle) : 0,
    };
    memcpy(site.centre, of->position, sizeof site.centre);
    return site;
}

static int by_time(const void *one, const void *two)
{
    const double a = ((const struct drum_strike *)one)->time, b = ((const struct drum_strike *)two)->time;
    return (a > b) - (a < b);
}

int score_tune(struct score *score, double air_density, double sound_speed, struct failure *failure)
{
    const struct drum_air air = {air_density, sound_speed};
    for (size_t d = 0; d < score->drums; d++) {
        struct score_drum *const drum = &score->drum[d];
        for (size_t other = 0; other < d; other++)
            if (strcmp(score->drum[other].name, drum->name) == 0)
                return failure_set(failure, FAILURE_INPUT,
                                   "two drums are called %s: give them different names", drum->name);
        struct membrane_kind kind = score_site(score, d).kind;
        if (drum->tension == 0)
            drum->tension = drum_tension(&kind, drum->kettle, drum->frequency, &air);
        else
            drum->frequency = drum_frequency(&kind, drum->kettle, 1, 1, &air);
    }
    if (score->strikes > 1)
        qsort(score->strike, score->strikes, sizeof *score->strike, by_time);
    return 0;
}

void score_free(struct score *score)
{
    free(score->drum);
    free(score->strike);
    *score = (struct score){0};
}
