/** film.json: a struct, its table, and how it is filled. */
#include <math.h>
#include <stdio.h>

#include "src/base/json_entries.h"
#include "src/run/film/film.h"

struct slice_record {
    char *axis;
    double position, blocks; /* [m], .. */
    struct json_numbers nodes;
    char *frames; /* a pattern; with pixels, of slices that are drawn */
    struct json_numbers pixels;
    double pixels_a_node;
    char *series; /* of slices for ParaView */
};

struct picture_record {
    double asked, time, step; /* [s], [s], .. */
    bool slices, field;
};

struct shown_record {
    char *source, *pulse, *time, *air_losses, *unit, *scale;
    double pulse_peak, full, steps_before_emission; /* [Hz], .. */
    double enlarged;                                /* displacements of membranes, so many times */
    JSON_LIST_OF(struct slice_record) slices;
    char *field_series;
    JSON_LIST_OF(struct picture_record) pictures;
};

struct film_model {
    bool partial;
    double steps, seconds;
    struct shown_record *film;
};

#define TYPE slice_record
OWN_TABLE(slice, TEXT("axis", axis), NUMBER("position_m", position), NUMBER("blocks", blocks),
          NUMBERS("nodes", nodes), TEXT_IF("frames", frames), NUMBERS_IF("pixels", pixels),
          NUMBER_IF("pixels_a_node", pixels_a_node), TEXT_IF("series", series));
#undef TYPE

#define TYPE picture_record
OWN_TABLE(picture, NUMBER("asked_s", asked), NUMBER("time_s", time), NUMBER("step", step),
          BOOL("slices", slices), BOOL("field", field));
#undef TYPE

#define TYPE shown_record
OWN_TABLE(shown, TEXT("source", source), TEXT_IF("pulse", pulse), NUMBER_IF("pulse_peak_hz", pulse_peak),
          NUMBER_IF("membranes_enlarged", enlarged), TEXT_IF("time", time), TEXT("air_losses", air_losses),
          TEXT("unit", unit), TEXT("scale", scale), NUMBER("full", full),
          NUMBER("steps_before_emission", steps_before_emission), LIST("slices", slices, slice),
          TEXT("field_series", field_series), LIST("pictures", pictures, picture));
#undef TYPE

#define TYPE film_model
OWN_TABLE(film, BOOL("partial", partial), NUMBER("steps", steps), NUMBER("seconds", seconds),
          OBJECT("film", film, shown));
#undef TYPE

/* Two numbers. */
static bool set_pair(struct json_numbers *to, const size_t pair[2])
{
    return json_numbers_set(to, (const double[]){(double)pair[0], (double)pair[1]}, 2);
}

/* "slice_z1.20" and what follows. */
static bool set_file(char **to, const struct film_slice *slice, const char *ending)
{
    char file[FILM_NAME_MAX];
    snprintf(file, sizeof file, "%s%s", slice->name, ending);
    return json_text_set(to, file);
}

static bool fill_slice(struct slice_record *record, const struct film_slice *slice, enum film_files files)
{
    const char axis[] = {"xyz"[slice->plane.axis], '\0'};
    size_t pixels[2];
    picture_size(&slice->plane, &slice->paint, pixels);
    record->position = slice->plane.position;
    record->blocks = (double)slice->plane.blocks;
    bool whole = json_text_set(&record->axis, axis) && set_pair(&record->nodes, slice->plane.size);
    if (whole && files != FILM_VTKHDF) {
        record->pixels_a_node = slice->paint.zoom;
        whole = set_file(&record->frames, slice, "_*ms.png") && set_pair(&record->pixels, pixels);
    }
    if (whole && files != FILM_PNG)
        whole = set_file(&record->series, slice, ".hdf.series");
    return whole;
}

static bool fill_shown(struct shown_record *record, const struct film *film)
{
    record->pulse_peak = film->play != NULL ? NAN : film->setup->grid.fmax / FILM_PULSE_PEAK;
    record->enlarged = film->play != NULL ? FILM_ENLARGED : NAN;
    record->full = film->own->full;
    record->steps_before_emission = (double)film->pulse.lead;
    if (!json_text_set(&record->source, film->setup->points.point[0].name) ||
        !json_text_set(&record->pulse, film->play != NULL ? NULL : "Ricker") ||
        !json_text_set(&record->time, film_in_own_time(film)) ||
        !json_text_set(&record->air_losses, film->air_losses) ||
        !json_text_set(&record->unit,
                       film->play != NULL ? "Pa" : "crest of the pulse at 1 m in free field") ||
        !json_text_set(&record->scale, film->own->scale == PAINT_LINEAR ? "linear" : "db") ||
        !json_text_set(&record->field_series, film->own->field_times > 0 ? "field.hdf.series" : NULL) ||
        !JSON_LIST_MAKE(&slice_table, &record->slices, film->slices) ||
        !JSON_LIST_MAKE(&picture_table, &record->pictures, film->taken))
        return false;
    for (size_t i = 0; i < film->taken; i++) {
        const struct film_frame *frame = &film->frame[i];
        record->pictures.item[i] = (struct picture_record){.asked = frame->asked,
                                                           .time = film_time(film, frame->step),
                                                           .step = (double)frame->step,
                                                           .slices = frame->slices,
                                                           .field = frame->field};
    }
    for (size_t s = 0; s < film->slices; s++)
        if (!fill_slice(&record->slices.item[s], &film->slice[s], (enum film_files)film->own->files))
            return false;
    return true;
}

void film_record(cJSON *object, const struct film *film, const struct source_progress *result, bool partial)
{
    struct film_model model;
    json_clear(&film_table, &model);
    model.partial = partial;
    model.steps = (double)result->steps;
    model.seconds = result->seconds;
    model.film = json_make(&shown_table);
    if (model.film != NULL && fill_shown(model.film, film))
        (void)json_write(&film_table, &model, object);
    json_free_members(&film_table, &model);
}
