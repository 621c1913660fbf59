#include "src/cli/project_write.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "rooms/materials/material_words.h"
#include "rooms/text/yaml_write.h"
#include "src/base/table/number_text.h"
#include "src/base/table/json_values.h"

/* ---- the room ---- */

static void write_measures(FILE *stream, const struct room_shape *shape, const double *measure)
{
    fputs("# Measures that differ from the defaults go here; the defaults, in metres and degrees:\n", stream);
    for (size_t p = 0; p < shape->parameter_count; p++) {
        const struct room_parameter *parameter = &shape->parameter[p];
        fputs("#  ", stream);
        for (const char *c = parameter->name; *c != '\0'; c++)
            fputc(*c == '-' ? '_' : *c, stream);
        if (parameter->words != NULL)
            fprintf(stream, ": %s", parameter->words[(int)measure[p]]);
        else
            fprintf(stream, ": %.9g", measure[p]);
        fprintf(stream, "  # %s\n", parameter->description);
    }
}

static void write_room(FILE *stream, const struct project_draft *draft)
{
    const struct room_setup *setup = draft->setup;
    const struct room_request *request = &setup->request;
    const struct mesh_import_facts *facts = &setup->model.facts;
    if (draft->room == NULL) {
        const struct project *project = request->model.project;
        fprintf(stream, "room:\n  shape: %s  # %.4g x %.4g x %.4g m\n", project->shape->name, facts->size[0],
                facts->size[1], facts->size[2]);
        write_measures(stream, project->shape, project->measure);
    } else {
        fputs("room: ", stream);
        yaml_put_text(stream, draft->room);
        fprintf(stream,
                "  # %s, %.4g x %.4g x %.4g m\nunits: %s  # of the mesh; everything here is in metres\n",
                facts->format, facts->size[0], facts->size[1], facts->size[2],
                project_option("units")->words[room_unit(facts)]);
        fprintf(stream, "up: %c  # the axis of the mesh that points up; positions here have z up\n",
                facts->up == UP_Y ? 'y' : 'z');
    }
    if (request->grid.seal > 0)
        fprintf(stream, "seal_m: %.9g  # cracks up to this width are closed\n", request->grid.seal);
    if (request->grid.open)
        fputs(
            "open: true  # a layer behind the open faces of the bounding box absorbs the sound that leaves\n",
            stream);
}

/* ---- surfaces ---- */

/* Other materials that the name may mean, where its words do not tell. */
static void write_others(FILE *stream, const struct material_library *library, const char *name,
                         const struct material *guess)
{
    enum { NEAR = 3 };
    const struct material *near[NEAR], *meant;
    if (material_library_find(library, name) != NULL ||
        (material_words_read(library, name, &meant) && meant != NULL))
        return;
    const size_t count = material_suggest(library, name, near, NEAR);
    size_t told = 0;
    for (size_t n = 0; n < count; n++)
        if (near[n] != guess)
            fprintf(stream, "%s%s", told++ == 0 ? "    # or: " : ", ", near[n]->name);
    if (told > 0)
        fputc('\n', stream);
}

static void write_material(FILE *stream, const struct room_setup *setup, size_t m, double total)
{
    enum { HZ_125 = 1, HZ_500 = 3, HZ_2000 = 5 };
    const struct material *guess = material_guess(&setup->model.library, setup->model.mesh.material[m]);
    fputs("  ", stream);
    yaml_put_text(stream, setup->model.mesh.material[m]);
    const double share = total > 0 ? 100 * setup->model.area[m] / total : 0;
    fprintf(stream, ":  # %.4g m2, %.*f %% of all\n", setup->model.area[m], share < 10, share);
    if (guess != NULL) {
        double absorption[MATERIAL_OCTAVES];
        material_absorption(guess, NAN, absorption);
        fputs("    library: ", stream);
        yaml_put_text(stream, guess->name);
        fprintf(stream, "  # absorbs %.3g, %.3g, %.3g at 125, 500, 2000 Hz%s\n", absorption[HZ_125],
                absorption[HZ_500], absorption[HZ_2000], guess->pair != NULL ? "; see `audience` below" : "");
    } else {
        fprintf(stream, "    absorption: %g  # no material is known by this name\n",
                PROJECT_NEUTRAL_ABSORPTION);
    }
    fputs("    guessed: true\n", stream);
    if (guess != NULL && material_is_curtain(guess))
        fputs("    # transmits nothing; for a sheet, which does: flow_resistance: 400, mass: 0.3  # Pa s/m, "
              "kg/m2\n",
              stream);
    write_others(stream, &setup->model.library, setup->model.mesh.material[m], guess);
}

/* True if an earlier name differs in its case only, and so means the same surface. */
static bool is_named_before(const struct mesh *mesh, size_t m)
{
    for (size_t other = 0; other < m; other++)
        if (strcasecmp(mesh->material[other], mesh->material[m]) == 0)
            return true;
    return false;
}

static bool has_seats(const struct room_setup *setup)
{
    bool seats = false;
    for (size_t m = 0; m < setup->model.mesh.material_count; m++) {
        const struct material *guess = material_guess(&setup->model.library, setup->model.mesh.material[m]);
        seats |= guess != NULL && guess->pair != NULL;
    }
    return seats;
}

static void write_materials(FILE *stream, const struct room_setup *setup)
{
    double total = 0;
    for (size_t m = 0; m < setup->model.mesh.material_count; m++)
        total += setup->model.area[m];
    fputs("\n# What the surfaces are made of, by their names in the model. Each takes one of\n"
          "#   library: NAME              `transept materials` lists the names\n"
          "#   absorption: 0.05           0 to 1 at all frequencies: 0.03 bare stone, 0.08 plaster, 0.25 "
          "full pews\n"
          "#   octaves: [8 numbers]       at 63, 125, 250, 500, 1000, 2000, 4000, 8000 Hz\n"
          "#   build: [LAYERS]            from the room on: [mineral wool 50 mm 8 kPa s/m2, air 200 mm]\n"
          "# Behind a name or a number, +- 0.05 says how well it is known: nine of ten are within it.\n"
          "# Check every guess, correct what is wrong, and remove `guessed`: every run warns of it until "
          "then.\n"
          "materials:\n",
          stream);
    for (size_t m = 0; m < setup->model.mesh.material_count; m++)
        if (!is_named_before(&setup->model.mesh, m))
            write_material(stream, setup, m, total);
    fprintf(stream, "%saudience: 0  # occupied share of seats and pews, 0 to 1\n",
            has_seats(setup) ? "\n" : "\n# ");
}

/* ---- positions ---- */

static void write_points(FILE *stream, const struct room_setup *setup, enum seed_kind kind)
{
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        const struct room_point *point = &setup->points.point[i];
        char place[ROOM_PLACE_MAX];
        if (point->kind != kind)
            continue;
        if (point->of_model) {
            fputs("- ", stream);
            yaml_put_text(stream, point->name);
            fprintf(stream, "  # of the model, at %s\n", room_place(point->position, place));
            continue;
        }
        /* To the millimetre, as in room_place(). */
        fprintf(stream, "- name: %s\n  position: [%.10g, %.10g, %.10g]\n", point->name,
                round(point->position[0] * 1000) / 1000 + 0.0, round(point->position[1] * 1000) / 1000 + 0.0,
                round(point->position[2] * 1000) / 1000 + 0.0);
    }
}

/* Append a name that no receiver of the model has. */
static bool is_free(const struct room_setup *setup, const char *name)
{
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++)
        if (setup->points.point[i].kind == SEED_RECEIVER && strcmp(setup->points.point[i].name, name) == 0)
            return false;
    return true;
}

/* A map of the audience; a comment if nobody can sit anywhere. */
static void write_audience(FILE *stream, const struct project_draft *draft)
{
    const struct room_setup *setup = draft->setup;
    const char *const name = is_free(setup, "audience") ? "audience" : "audience_map";
    char words[AUDIENCE_WORDS_MAX];
    if (draft->audience.count > 0)
        fprintf(stream,
                "\n# Where people sit, a map of every figure at ear height: %s.\n"
                "# Elsewhere: give a `material` or a `polygon_m`.\n"
                "receiver_grids:\n- name: %s\n",
                audience_floor_words(&draft->audience.floor, &setup->model.mesh, words), name);
    else
        fprintf(stream,
                "\n# A map of every figure at ear height: name a floor, since none was found.\n"
                "# receiver_grids:\n# - name: %s\n#   material: FLOOR\n",
                name);
}

/* ---- cost of a run ---- */

static void write_times(FILE *stream, const struct project_draft *draft)
{
    enum { DAY = 86400 };
    char hertz[32], time[32];
    fputs("# On the machine that wrote this a source takes about", stream);
    for (size_t e = 0, printed = 0; e < OCTAVE_EDGES; e++) {
        const double edge = octave_edge[e];
        const struct room_needs needs = estimate_needs(draft->setup, draft->estimate, edge);
        const double sources = draft->setup->points.sources > 0 ? (double)draft->setup->points.sources : 1;
        if (e > 0 && (!estimate_fits(draft->estimate, &needs, ESTIMATE_PREDICTED_SHARE) ||
                      !(needs.seconds / sources < DAY)))
            break;
        fprintf(stream, "%s %s to %s Hz", printed++ == 0 ? "" : ",",
                format_seconds(needs.seconds / sources, time), format_hertz(edge, hertz));
    }
    fputs(".\n", stream);
}

void project_write(FILE *stream, const struct project_draft *draft)
{
    const struct room_setup *setup = draft->setup;
    char hertz[32];
    fputs("# A project of transept: `transept simulate` with this file runs it, `transept plan` says what "
          "that takes,\n"
          "# `transept check` whether the room is fit. Options on the command line override this file, "
          "and\n# paths are taken from its folder.\n\n",
          stream);
    write_room(stream, draft);
    write_materials(stream, setup);
    fputs("\nair:\n  temperature_c: 20\n  humidity_percent: 50\n"
          "\n# In metres, x, y, z with z up. Names go into the names of the results, "
          "ir_<source>_<receiver>.wav.\n"
          "sources:\n",
          stream);
    write_points(stream, setup, SEED_SOURCE);
    fputs("receivers:\n", stream);
    write_points(stream, setup, SEED_RECEIVER);
    write_audience(stream, draft);
    fputs("\n# The highest frequency: twice as high takes some sixteen times as long.\n", stream);
    write_times(stream, draft);
    fprintf(stream,
            "fmax_hz: %s\n"
            "scheme: %s  # of the grid: isotropic, or standard of 7 points\n"
            "quality: %s  # grid points per wavelength: draft, standard, fine\n"
            "duration_s: auto  # until every octave has 45 dB of decay\n",
            format_hertz(draft->fmax, hertz), scheme_words[setup->request.grid.scheme],
            quality_words[setup->request.grid.quality]);
    fputs("\noutputs:\n  folder: ", stream);
    yaml_put_text(stream, draft->folder);
    fputs("\n\n# Variants change materials, audience, air or the room, and are run by --variant NAME or "
          "--variant all.\n"
          "# variants:\n"
          "#   full:\n"
          "#     audience: 0.8\n",
          stream);
}

/* ---- as JSON ---- */

/* The origin of a guess, which shows how certain it is. */
static const char *certainty_of(const struct material_library *library, const char *name,
                                const struct material *guess)
{
    const struct material *means;
    return guess == NULL                                  ? "none"
           : material_library_find(library, name) != NULL ? "name"
           : material_words_read(library, name, &means)   ? "words"
                                                          : "near";
}

static void add_materials(cJSON *object, const struct room_setup *setup)
{
    const struct material_library *library = &setup->model.library;
    cJSON *list = json_list_in(object, "materials");
    for (size_t m = 0; m < setup->model.mesh.material_count; m++) {
        const char *name = setup->model.mesh.material[m];
        const struct material *guess = material_guess(library, name);
        double absorption[MATERIAL_OCTAVES];
        cJSON *entry = json_append_object(list);
        JSON_PUT(entry, {"name", OF_TEXT(name)}, {"area_m2", OF_NUMBER(setup->model.area[m])},
                 {"library_name", OF_TEXT(guess != NULL ? guess->name : NULL)},
                 {"certainty", OF_TEXT(certainty_of(library, name, guess))});
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            absorption[o] = PROJECT_NEUTRAL_ABSORPTION;
        if (guess != NULL)
            material_absorption(guess, NAN, absorption);
        JSON_PUT(entry, {"absorption", cJSON_CreateDoubleArray(absorption, MATERIAL_OCTAVES)});
    }
}

static void add_points(cJSON *object, const char *name, const struct room_setup *setup, enum seed_kind kind)
{
    cJSON *list = json_list_in(object, name);
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        const struct room_point *point = &setup->points.point[i];
        if (point->kind != kind)
            continue;
        JSON_PUT(json_append_object(list), {"name", OF_TEXT(point->name)},
                 {"position_m", OF_POINT(point->position)}, {"of_model", OF_TRUTH(point->of_model)});
    }
}

cJSON *project_draft_json(const struct project_draft *draft, const char *path)
{
    const struct room_setup *setup = draft->setup;
    const struct mesh_import_facts *facts = &setup->model.facts;
    cJSON *object = cJSON_CreateObject(), *octaves = cJSON_CreateArray();
    JSON_PUT(object, {"file", OF_TEXT(path)}, {"format", OF_TEXT(facts->format)},
             {"size_m", OF_POINT(facts->size)}, {"metres_per_unit", OF_NUMBER(facts->metres_per_unit)},
             {"up", OF_TEXT(facts->up == UP_Y ? "y" : "z")}, {"fmax_hz", OF_NUMBER(draft->fmax)},
             {"seconds_predicted", OF_NUMBER(estimate_needs(setup, draft->estimate, draft->fmax).seconds)},
             {"map_points_most", OF_NUMBER(setup->points.floor_points)}, {"results", OF_TEXT(draft->folder)});
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        json_append(octaves, cJSON_CreateNumber(material_octave[o]));
    JSON_PUT(object, {"nominal_hz", octaves});
    add_materials(object, setup);
    add_points(object, "sources", setup, SEED_SOURCE);
    add_points(object, "receivers", setup, SEED_RECEIVER);
    return object;
}
