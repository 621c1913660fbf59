#include "src/run/run_identity.h"

#include <inttypes.h>
#include <string.h>
#include <stdio.h>

#include "geometry/base/byte_hash.h"
#include "src/base/json_memory.h"
#include "src/run/instruments/play.h"
#include "src/run/setup_record.h"
#include "src/base/table/json_values.h"

/* Remove the parts of run.json's head that change no result, or follow from the rest. */
static void remove_neutral(cJSON *object)
{
    static const char *const neutral[] = {
        "command",           "arguments",    "layout",         "backend",     "backend_asked",
        "backend_because",   "device",       "fmax_automatic", "warnings",    "seconds_voxelise",
        "bytes_box",         "bytes_blocks", "bytes_walls",    "bytes_ideal", "bytes_peak",
        "bytes_seed_blocks", "bytes_device", "bytes_rank_0",   "bytes_rank",  "larger_space",
        "quality",           "expected"};
    static const char *const of_files[] = {"project", "room", "materials_file"};
    static const char *const of_materials[] = {"origin", "library_name", "guessed"};
    cJSON *material;
    for (size_t n = 0; n < sizeof neutral / sizeof *neutral; n++)
        cJSON_DeleteItemFromObjectCaseSensitive(object, neutral[n]);
    cJSON_ArrayForEach(material, cJSON_GetObjectItemCaseSensitive(object, "materials"))
    {
        for (size_t n = 0; n < sizeof of_materials / sizeof *of_materials; n++)
            cJSON_DeleteItemFromObjectCaseSensitive(material, of_materials[n]);
    }
    for (size_t n = 0; n < sizeof of_files / sizeof *of_files; n++)
        cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, of_files[n]),
                                                "file");
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, "project"), "text");
}

static void add_hash(cJSON *object, const char *name, uint64_t hash)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%016" PRIx64, hash);
    JSON_PUT(object, {name, OF_TEXT(text)});
}

/* Directions, heads and looks. */
static int add_listening(cJSON *object, const struct listening_request *asked, struct failure *failure)
{
    JSON_PUT(object, {"ambisonics", OF_TRUTH(asked->ambisonics)},
             {"look", OF_TEXTS(asked->look.count, asked->look.text)});
    if (asked->head == NULL)
        return 0;
    uint64_t hash;
    TRY(hash_file(asked->head, &hash, failure));
    cJSON *head = json_object_in(object, "head");
    add_hash(head, "hash", hash);
    JSON_PUT(head, {"yaw_deg", OF_NUMBER(asked->yaw)}, {"pitch_deg", OF_NUMBER(asked->pitch)},
             {"roll_deg", OF_NUMBER(asked->roll)});
    return 0;
}

static void add_texts(cJSON *object, const char *name, const struct option_texts *texts)
{
    cJSON *array = texts->count > 0 ? json_list_in(object, name) : NULL;
    for (size_t n = 0; n < texts->count; n++)
        json_append(array, cJSON_CreateString(texts->text[n]));
}

/* Directivities of the request; the hashes of their files are with the sources (setup_record.h). */
static void add_radiation(cJSON *object, const struct radiation_request *asked)
{
    add_texts(object, "directivity", &asked->directivity);
    add_texts(object, "aim", &asked->aim);
    add_texts(object, "together", &asked->together);
}

/* Requested values come before derived ones, so that a difference is named by its cause. */
static void add_in_order(cJSON *object, cJSON *head)
{
    static const char *const first[] = {"version",   "project", "room",      "materials_file",
                                        "fmax_hz",   "scheme",  "precision", "walls",
                                        "spacing_m", "open",    "seal_m",    "temperature_c"};
    for (size_t n = 0; n < sizeof first / sizeof *first; n++) {
        cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(head, first[n]);
        if (item != NULL)
            JSON_PUT(object, {first[n], item});
    }
}

static void add_rest(cJSON *object, cJSON *head)
{
    while (head != NULL && head->child != NULL) {
        cJSON *item = cJSON_DetachItemViaPointer(head, head->child);
        char name[80];
        (void)snprintf(name, sizeof name, "%s", item->string);
        JSON_PUT(object, {name, item});
    }
}

int run_identity(const struct simulation *simulation, cJSON **out, struct failure *failure)
{
    static const char *const rays_word[] = {"auto", "on", "off"};
    const struct room_setup *setup = &simulation->setup;
    cJSON *object = *out = cJSON_CreateObject(), *head = cJSON_CreateObject();
    record_plan(head, setup, &simulation->estimate, &simulation->run.needs);
    remove_neutral(head);
    add_in_order(object, head);
    JSON_PUT(object, {"duration_s", OF_NUMBER(setup->request.plan.duration)},
             {"repeat_shifted", OF_TRUTH(setup->request.plan.repeat_shifted)},
             {"rays", OF_TEXT(rays_word[setup->request.plan.rays])},
             {"ray_noise_percent", OF_NUMBER(setup->request.plan.ray_noise)},
             {"maps", OF_TEXT(setup->request.points.maps == OPTION_MAPS_ALL ? "all" : "main")});
    if (setup->request.plan.bands == BANDS_THIRD)
        JSON_PUT(object, {"bands", OF_TEXT("third")});
    if (setup->request.plan.repeat_shifted)
        add_hash(object, "shifted_grid_hash", room_grid_hash(&simulation->shifted_grid));
    int code = add_listening(object, &setup->request.listening, failure);
    add_radiation(object, &setup->request.radiation);
    if (simulation->play != NULL)
        play_record(object, simulation->play);
    add_rest(object, head);
    JSON_PUT(object, {"first_duration_s", OF_NUMBER(simulation->run.needs.first_duration)});
    cJSON_Delete(head);
    TRY(code);
    return object == NULL || json_memory_ran_out() ? failure_memory(failure, 10000, "what a run depends on")
                                                   : 0;
}
