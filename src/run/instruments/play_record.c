/** play.json: a struct, its table, and how it is filled. */
#include <math.h>
#include <stdio.h>

#include "src/base/json_entries.h"
#include "src/run/instruments/drum_mesh.h"
#include "src/run/instruments/play.h"
#include "src/setup/room_engine.h"

struct drum_record {
    char *name;
    struct json_numbers position, asked; /* [m] */
    double radius, density, tension, frequency, kettle, loss, high_loss, stretch;
    double rise, nodes, pitch, above, below, spare;
};

struct stroke_record {
    char *drum;
    double time, force, contact;
    struct json_numbers place;
};

struct sound_record {
    char *receiver, *file, *ambix, *binaural, *ears;
    double peak, level, azimuth;
};

struct played_record {
    char *unit, *air_losses;
    double duration, steps, seconds, work, left;
    JSON_LIST_OF(struct drum_record) drums;
    JSON_LIST_OF(struct stroke_record) strikes;
    JSON_LIST_OF(struct sound_record) sounds;
};

struct play_model {
    struct played_record *play;
};

#define TYPE drum_record
OWN_TABLE(drum, TEXT("name", name), NUMBERS("position_m", position), NUMBERS("position_asked_m", asked),
          NUMBER("radius_m", radius), NUMBER("density_kg_per_m2", density),
          NUMBER("tension_n_per_m", tension), NUMBER("frequency_hz", frequency), NUMBER("kettle_m3", kettle),
          NUMBER("loss_per_s", loss), NUMBER("high_loss_m2_per_s", high_loss),
          NUMBER("stretch_n_per_m", stretch), NUMBER("tension_rise_n_per_m", rise), NUMBER("nodes", nodes),
          NUMBER("pitch_m", pitch), NUMBER("nodes_of_air_above", above), NUMBER("nodes_of_air_below", below),
          NUMBER("stability_spare", spare));
#undef TYPE

#define TYPE stroke_record
OWN_TABLE(stroke, TEXT("drum", drum), NUMBER("time_s", time), NUMBERS("place_m", place),
          NUMBER("force_n", force), NUMBER("contact_s", contact));
#undef TYPE

#define TYPE sound_record
OWN_TABLE(sound, TEXT("receiver", receiver), TEXT("file", file), TEXT_IF("file_ambix", ambix),
          TEXT_IF("file_binaural", binaural), TEXT_IF("file_ears", ears), NUMBER("peak_pa", peak),
          NUMBER("level_db_re_20_upa", level), NUMBER_IF("look_azimuth_deg", azimuth));
#undef TYPE

#define TYPE played_record
OWN_TABLE(played, TEXT("unit", unit), TEXT("air_losses", air_losses), NUMBER("duration_s", duration),
          NUMBER("steps", steps), NUMBER("seconds", seconds), NUMBER("work_j", work),
          NUMBER("energy_left_j", left), LIST("drums", drums, drum), LIST("strikes", strikes, stroke),
          LIST("sounds", sounds, sound));
#undef TYPE

#define TYPE play_model
OWN_TABLE(play, OBJECT("play", play, played));
#undef TYPE

static bool fill_drum(struct drum_record *record, const struct play *play, size_t d)
{
    const struct score_drum *const drum = &play->score.drum[d];
    const struct drum_facts facts = drums_facts(play->drums, d);
    record->radius = drum->radius;
    record->density = drum->density;
    record->tension = drum->tension;
    record->frequency = drum->frequency;
    record->kettle = drum->kettle;
    record->loss = drum->loss;
    record->high_loss = drum->high_loss;
    record->stretch = drum->stretch;
    record->rise = facts.rise;
    record->nodes = (double)facts.nodes;
    record->pitch = facts.pitch;
    record->above = (double)facts.above;
    record->below = (double)facts.below;
    record->spare = facts.spare;
    return json_text_set(&record->name, drum->name) &&
           json_numbers_set(&record->position, play->site[d].centre, 3) &&
           json_numbers_set(&record->asked, drum->position, 3);
}

static bool set_file(char **file, const char *name, const char *kind)
{
    char text[OPTION_NAME_MAX + 24];
    (void)snprintf(text, sizeof text, PLAY_SOUND_NAME, name, kind);
    return json_text_set(file, text);
}

static bool fill_sound(struct sound_record *record, const struct play *play, const struct play_sound *sound)
{
    record->peak = sound->peak;
    record->level = sound->level;
    record->azimuth = play->directional ? sound->azimuth : NAN;
    return json_text_set(&record->receiver, sound->name) && set_file(&record->file, sound->name, "") &&
           (!play->directional || set_file(&record->ambix, sound->name, "_ambix")) &&
           (!play->at_ears || set_file(&record->binaural, sound->name, "_binaural")) &&
           (sound->head == NULL || set_file(&record->ears, sound->head, "_binaural"));
}

static bool fill_played(struct played_record *record, const struct play *play)
{
    const struct score *const score = &play->score;
    record->duration = play->duration;
    record->steps = (double)play->progress.steps;
    record->seconds = play->progress.seconds;
    record->work = play->work;
    record->left = play->held;
    if (!json_text_set(&record->unit, "full scale is 1 Pa") ||
        !json_text_set(&record->air_losses, play->air_losses) ||
        !JSON_LIST_MAKE(&drum_table, &record->drums, score->drums) ||
        !JSON_LIST_MAKE(&stroke_table, &record->strikes, score->strikes) ||
        !JSON_LIST_MAKE(&sound_table, &record->sounds, play->sounds))
        return false;
    for (size_t d = 0; d < score->drums; d++)
        if (!fill_drum(&record->drums.item[d], play, d))
            return false;
    for (size_t n = 0; n < score->strikes; n++) {
        const struct drum_strike *const strike = &score->strike[n];
        struct stroke_record *const at = &record->strikes.item[n];
        at->time = strike->time;
        at->force = strike->force;
        at->contact = strike->contact;
        if (!json_text_set(&at->drum, score->drum[strike->drum].name) ||
            !json_numbers_set(&at->place, strike->place, 2))
            return false;
    }
    for (size_t r = 0; r < play->sounds; r++)
        if (!fill_sound(&record->sounds.item[r], play, &play->sound[r]))
            return false;
    return true;
}

void play_record(cJSON *object, const struct play *play)
{
    struct play_model model;
    json_clear(&play_table, &model);
    model.play = json_make(&played_table);
    if (model.play != NULL && fill_played(model.play, play))
        (void)json_write(&play_table, &model, object);
    json_free_members(&play_table, &model);
}
