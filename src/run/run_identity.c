#include "src/run/run_identity.h"

#include <inttypes.h>
#include <string.h>
#include <stdio.h>

#include "src/base/byte_hash.h"
#include "src/base/json_memory.h"
#include "src/run/setup_record.h"

/* Of run.json's head, what changes no result; and what follows from the rest. */
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
    cJSON_AddStringToObject(object, name, text);
}

/* What is listened to, and from where. */
static int add_listening(cJSON *object, const struct listening_request *asked, struct failure *failure)
{
    cJSON_AddBoolToObject(object, "ambisonics", asked->ambisonics);
    cJSON *look = cJSON_AddArrayToObject(object, "look");
    for (size_t n = 0; n < asked->look.count; n++)
        cJSON_AddItemToArray(look, cJSON_CreateString(asked->look.text[n]));
    if (asked->head == NULL)
        return 0;
    uint64_t hash;
    TRY(hash_file(asked->head, &hash, failure));
    cJSON *head = cJSON_AddObjectToObject(object, "head");
    add_hash(head, "hash", hash);
    cJSON_AddNumberToObject(head, "yaw_deg", asked->yaw);
    cJSON_AddNumberToObject(head, "pitch_deg", asked->pitch);
    cJSON_AddNumberToObject(head, "roll_deg", asked->roll);
    return 0;
}

static void add_texts(cJSON *object, const char *name, const struct option_texts *texts)
{
    cJSON *array = texts->count > 0 ? cJSON_AddArrayToObject(object, name) : NULL;
    for (size_t n = 0; n < texts->count; n++)
        cJSON_AddItemToArray(array, cJSON_CreateString(texts->text[n]));
}

/* How sources radiate, as asked for; the hashes of files are with the sources (setup_record.h). */
static void add_radiation(cJSON *object, const struct radiation_request *asked)
{
    add_texts(object, "directivity", &asked->directivity);
    add_texts(object, "aim", &asked->aim);
    add_texts(object, "together", &asked->together);
}

/* What was asked for comes before what follows from it, so that a difference is named by its cause. */
static void add_in_order(cJSON *object, cJSON *head)
{
    static const char *const first[] = {"version",   "project", "room",      "materials_file",
                                        "fmax_hz",   "scheme",  "precision", "walls",
                                        "spacing_m", "open",    "seal_m",    "temperature_c"};
    for (size_t n = 0; n < sizeof first / sizeof *first; n++) {
        cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(head, first[n]);
        if (item != NULL)
            cJSON_AddItemToObject(object, first[n], item);
    }
}

static void add_rest(cJSON *object, cJSON *head)
{
    while (head != NULL && head->child != NULL) {
        cJSON *item = cJSON_DetachItemViaPointer(head, head->child);
        char name[80];
        (void)snprintf(name, sizeof name, "%s", item->string);
        cJSON_AddItemToObject(object, name, item);
    }
}

int run_identity(const struct simulation *simulation, cJSON **out, struct failure *failure)
{
    const struct room_setup *setup = &simulation->setup;
    cJSON *object = *out = cJSON_CreateObject(), *head = cJSON_CreateObject();
    record_plan(head, setup, &simulation->estimate, &simulation->run.needs);
    remove_neutral(head);
    add_in_order(object, head);
    cJSON_AddNumberToObject(object, "duration_s", setup->request.plan.duration);
    cJSON_AddBoolToObject(object, "repeat_shifted", setup->request.plan.repeat_shifted);
    cJSON_AddStringToObject(object, "maps", setup->request.points.maps == OPTION_MAPS_ALL ? "all" : "main");
    if (setup->request.plan.repeat_shifted)
        add_hash(object, "shifted_grid_hash", room_grid_hash(&simulation->shifted_grid));
    int code = add_listening(object, &setup->request.listening, failure);
    add_radiation(object, &setup->request.radiation);
    add_rest(object, head);
    cJSON_AddNumberToObject(object, "first_duration_s", simulation->run.needs.duration);
    cJSON_Delete(head);
    TRY(code);
    return object == NULL || json_memory_ran_out() ? failure_memory(failure, 10000, "what a run depends on")
                                                   : 0;
}
