#include "src/present/report/report_model.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "src/base/json_entries.h"
#include "src/present/compare/run_compare_json.h"
#include "src/base/words/words.h"

/* A member, checked against its type, that is written by functions of its own. */
#define OWN(name, type, member, own)                                                                         \
    {                                                                                                        \
        "", JSON_OWN, JSON_NULL, JSON_AT(struct TYPE, member, type), NULL, &own, name                        \
    }
/* Several members, written by functions of the whole struct. */
#define WHOLE(own)                                                                                           \
    {                                                                                                        \
        "", JSON_OWN, JSON_NULL, 0, NULL, &own, NULL                                                         \
    }

double report_rounded(double value, int decimals)
{
    const double scale = pow(10, decimals);
    return isfinite(value) ? round(value * scale) / scale : NAN;
}

double report_figure_rounded(enum figure figure, double value)
{
    return report_rounded(value, figure_kind[figure].decimals + 2);
}

bool report_alike_numbers(double a, double b)
{
    return a == b || (!isfinite(a) && !isfinite(b));
}

bool report_alike_texts(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

int report_no_memory(struct failure *failure)
{
    return failure_memory(failure, 0, "the data of a report");
}

const char *report_verdict_word(enum report_verdict verdict)
{
    static const char *const word[] = {T_LATER("poor"), T_LATER("fair"), T_LATER("unsure"), T_LATER("good"),
                                       T_LATER("note")};
    return word[verdict];
}

/* ---- members of their own kinds; they are never read ---- */

static bool put_word(cJSON *object, const char *name, const char *word)
{
    return (word != NULL ? cJSON_AddStringToObject(object, name, word)
                         : cJSON_AddNullToObject(object, name)) != NULL;
}

/* A borrowed text. */
static bool write_word(const void *member, cJSON *object, const void *name)
{
    return put_word(object, name, *(const char *const *)member);
}

static bool write_word_if(const void *member, cJSON *object, const void *name)
{
    const char *word = *(const char *const *)member;
    return word == NULL || put_word(object, name, word);
}

static const struct json_own word_json = {.write = write_word}, word_json_if = {.write = write_word_if};
#define WORD(name, member)    OWN(name, const char *, member, word_json)
#define WORD_IF(name, member) OWN(name, const char *, member, word_json_if)

static bool write_bytes(const void *member, cJSON *object, const void *name)
{
    const struct report_bytes *bytes = member;
    char *text = bytes->data != NULL ? base64_text(bytes->data, bytes->size) : NULL;
    const bool there = bytes->data == NULL || (text != NULL && put_word(object, name, text));
    free(text);
    return there;
}

static void free_bytes(void *member)
{
    free(((struct report_bytes *)member)->data);
}

static const struct json_own bytes_json = {.write = write_bytes, .free = free_bytes};
#define BYTES(name, member) OWN(name, struct report_bytes, member, bytes_json)

/* ---- responses ---- */

#define TYPE report_stretches
TABLE(report_stretches, NUMBER("t0_s", from), NUMBER("dt_s", step), BYTES("low", low), BYTES("high", high));
#undef TYPE

/* "t30" */
static bool write_fit_figure(const void *member, cJSON *object, const void *with)
{
    char word[16];
    (void)with;
    snprintf(word, sizeof word, "%s", figure_kind[*(const enum figure *)member].word);
    for (char *at = word; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
    return put_word(object, "figure", word);
}

static const struct json_own fit_figure_json = {.write = write_fit_figure};

#define TYPE report_fit
TABLE(report_fit, OWN("", enum figure, figure, fit_figure_json), NUMBER("from_s", from), NUMBER("to_s", to),
      NUMBER("slope_db_per_s", slope), NUMBER("intercept_db", intercept));
#undef TYPE

#define TYPE report_decay
TABLE(report_decay, NUMBERS("t_s", time), NUMBERS("level_db", level), LIST("fits", fits, report_fit));
#undef TYPE

#define TYPE report_spectrum
TABLE(report_spectrum, NUMBERS("f_hz", frequency), NUMBERS("level_db", level));
#undef TYPE

static bool write_response_record(const void *member, cJSON *object, const void *with)
{
    const struct report_response *response = member;
    (void)with;
    return json_write(&record_response_table, response->record, object) &&
           figure_values_json.write(&response->made, object, "") &&
           (!response->figures_from_file || cJSON_AddTrueToObject(object, "figures_from_file") != NULL);
}

static void clear_response_record(void *member)
{
    struct report_response *response = member;
    response->record = NULL;
    response->figures_from_file = false;
    figure_values_clear(&response->made);
}

static void free_response_record(void *member)
{
    figure_values_free(&((struct report_response *)member)->made);
}

static const struct json_own response_record_json = {write_response_record, NULL, clear_response_record,
                                                     free_response_record};

#define TYPE report_response
TABLE(report_response, WHOLE(response_record_json), NUMBER_IF("t0_s", from), NUMBER_IF("dt_s", step),
      BYTES("envelope", envelope), OBJECT_IF("waveform", waveform, report_stretches),
      OBJECT_IF("whole", whole, report_stretches), LIST_IF("decay", decays, report_decay),
      OBJECT_IF("spectrum", spectrum, report_spectrum), TEXT_IF("why_no_curves", why_no_curves));
#undef TYPE

/* ---- the room ---- */

#define TYPE report_surface
TABLE(report_surface, POINT("color", colour), TEXT("name", name), WORD_IF("library_name", library_name),
      NUMBER("first_triangle", first_triangle), NUMBER("triangles", triangles));
#undef TYPE

#define TYPE report_mesh
TABLE(report_mesh, BYTES("positions", positions), BYTES("indices", indices),
      LIST("materials", surfaces, report_surface));
#undef TYPE

#define TYPE report_blocks
TABLE(report_blocks, POINT("origin_m", origin), NUMBER("edge_m", edge), BYTES("runs", lines));
#undef TYPE

static bool write_kind(const void *member, cJSON *object, const void *name)
{
    return put_word(object, name, *(const bool *)member ? "source" : "receiver");
}

static const struct json_own kind_json = {.write = write_kind};

#define TYPE report_point
OWN_TABLE(report_point, OWN("kind", bool, is_source, kind_json), WORD("name", name),
          POINT("position_m", position));
#undef TYPE

/* ---- derived from a run ---- */

#define TYPE report_share
TABLE(report_share, WORD("material", material), NUMBER("area_m2", area), NUMBER("share", share));
#undef TYPE

#define TYPE report_account
TABLE(report_account, WORD("source", source), NUMBER("stored", stored), NUMBER("rest", rest),
      BOOL("complete", complete), LIST("surfaces", surfaces, report_share));
#undef TYPE

static bool write_finding(const void *member, cJSON *object, const void *with)
{
    const struct report_finding *finding = member;
    (void)with;
    return put_word(object, "key", finding->key) &&
           put_word(object, "verdict", report_verdict_word(finding->verdict)) &&
           put_word(object, "plain", finding->plain) && put_word(object, "sentence", finding->sentence) &&
           (finding->advice[0] == '\0' || put_word(object, "advice", finding->advice));
}

static const struct json_own finding_json = {.write = write_finding};

#define TYPE report_input
TABLE(report_input, WORD("material", material), NUMBERS_IF("bar", bar), NUMBERS_IF("share", share),
      NUMBERS_IF("part", part));
#undef TYPE

#define TYPE report_finding
TABLE(report_finding, WHOLE(finding_json));
#undef TYPE

static bool write_aim(const void *member, cJSON *object, const void *with)
{
    const struct report_aim *aim = member;
    (void)with;
    return put_word(object, "figure", figure_kind[aim->target->figure].name) &&
           put_word(object, "use", aim->target->use) && put_word(object, "words", aim->target->words) &&
           put_word(object, "title", aim->target->title) && put_word(object, "link", aim->target->link) &&
           put_word(object, "word", figure_kind[aim->found].word) &&
           put_word(object, "octaves", aim->octaves) && put_word(object, "count", aim->count) &&
           put_word(object, "marks", aim->marks) && put_word(object, "verdict", aim->verdict) &&
           put_word(object, "why", aim->why[0] != '\0' ? aim->why : NULL) &&
           (!aim->unsure || cJSON_AddTrueToObject(object, "unsure") != NULL);
}

static const struct json_own aim_json = {.write = write_aim};

#define TYPE report_aim
TABLE(report_aim, WHOLE(aim_json), NUMBER("low", low), NUMBER("high", high), NUMBER("value", value),
      NUMBER_IF("error", error));
#undef TYPE

#define TYPE report_octave_times
TABLE(report_octave_times, NUMBERS("octaves_hz", octaves), BOOL("missing", missing), TEXTS("from", from),
      NUMBERS("time_s", time), NUMBERS_IF("time_s_error", error), TEXTS_IF("marks", marks),
      NUMBER_IF("next_octave_hz", next_octave), NUMBER_IF("next_fmax_hz", next_fmax),
      NUMBER_IF("next_seconds", next_seconds), NUMBER_IF("next_bytes", next_bytes), TEXT_IF("next", next));
#undef TYPE

#define TYPE report_tolerance
TABLE(report_tolerance, NUMBERS("low_s", low), NUMBERS("high_s", high), TEXTS("verdicts", verdict),
      WORD("title", title), WORD("link", link));
#undef TYPE

/* ---- maps and sounds ---- */

static bool write_map_figure(const void *member, cJSON *object, const void *with)
{
    const struct figure_kind *kind = &figure_kind[*(const enum figure *)member];
    (void)with;
    return put_word(object, "figure", kind->name) && put_word(object, "word", kind->word) &&
           put_word(object, "unit", kind->unit) &&
           cJSON_AddNumberToObject(object, "jnd", kind->jnd) != NULL &&
           cJSON_AddBoolToObject(object, "relative", kind->relative) != NULL;
}

static bool write_figure_word(const void *member, cJSON *object, const void *name)
{
    return put_word(object, name, figure_kind[*(const enum figure *)member].word);
}

static const struct json_own map_figure_json = {.write = write_map_figure},
                             figure_word_json = {.write = write_figure_word};

#define TYPE report_map
TABLE(report_map, WORD("grid", grid), WORD("source", source), OWN("", enum figure, figure, map_figure_json),
      NUMBER("octave_hz", octave), WORD_IF("from", from), NUMBER("spacing_m", spacing),
      NUMBER("height_m", height), POINTS("points", points), NUMBERS("values", values),
      NUMBER_IF("marked_points", marked));
#undef TYPE

#define TYPE report_map_left_out
TABLE(report_map_left_out, WORD("grid", grid), WORD("source", source),
      OWN("word", enum figure, figure, figure_word_json), NUMBER("octave_hz", octave), NUMBER("known", known),
      NUMBER("places", places));
#undef TYPE

#define TYPE report_sound_entry
TABLE(report_sound_entry, TEXT("label", label), NUMBER("run", run), TEXT("source", source),
      TEXT("receiver", receiver), WORD("kind", kind), NUMBER("seconds", seconds), TEXT("audio_id", audio_id));
#undef TYPE

#define TYPE report_audio
TABLE(report_audio, TEXT_IF("dry", dry), WORD_IF("codec", codec), NUMBER_IF("left_out", left_out),
      NUMBER_IF("band_hz", band), TEXT_IF("why", why));
#undef TYPE

/* ---- variants ---- */

static bool write_cell(const void *member, cJSON *object, const void *with)
{
    const struct report_aim *aim = ((const struct report_cell *)member)->aim;
    (void)with;
    return aim == NULL || json_write(&report_aim_table, aim, object);
}

void report_seats_free(struct report_seats *seats)
{
    free(seats->position);
    free(seats->value);
    free(seats->error);
    *seats = (struct report_seats){0};
}

static void free_cell(void *member)
{
    report_seats_free(&((struct report_cell *)member)->seats);
}

static const struct json_own cell_json = {.write = write_cell, .free = free_cell};

#define TYPE report_cell
TABLE(report_cell, WHOLE(cell_json), NUMBER_IF("met", met), NUMBER_IF("not_met", not_met),
      NUMBER_IF("unsure", unsure), NUMBER_IF("places", places), NUMBER_IF("worst", worst));
#undef TYPE

#define TYPE report_change
TABLE(report_change, TEXT_IF("surface", surface), NUMBER_IF("area_m2", area), TEXT("words", words));
#undef TYPE

#define TYPE report_variant
TABLE(report_variant, WORD("name", name), LIST("cells", cells, report_cell), NUMBER("met", met),
      NUMBER("not_met", not_met), NUMBER("unsure", unsure), TEXTS_IF("lost", lost),
      TEXTS_IF("cautions", cautions), LIST("changes", changes, report_change));
#undef TYPE

#define TYPE report_decision
TABLE(report_decision, TEXT("answer", answer), LIST("variants", variants, report_variant));
#undef TYPE

/* ---- a run ---- */

static bool write_model(const void *member, cJSON *object, const void *name)
{
    const struct run_model *model = *(const struct run_model *const *)member;
    cJSON *run = cJSON_AddObjectToObject(object, name);
    return run != NULL && json_write(&run_model_table, model, run);
}

static void clear_model(void *member)
{
    *(const struct run_model **)member = NULL;
}

static const struct json_own model_json = {.write = write_model, .clear = clear_model};

/* Append a struct to `list`, or null for NULL. */
static bool append_struct(cJSON *list, const struct json_table *table, const void *object)
{
    cJSON *item = object != NULL ? cJSON_CreateObject() : cJSON_CreateNull();
    if (item == NULL || !cJSON_AddItemToArray(list, item)) {
        cJSON_Delete(item);
        return false;
    }
    return object == NULL || json_write(table, object, item);
}

/* Null for a source without an account. */
static bool write_accounts(const void *member, cJSON *object, const void *with)
{
    const struct report_run *run = member;
    cJSON *accounts = cJSON_AddArrayToObject(object, "energy");
    (void)with;
    for (size_t s = 0; s < run->energy.count; s++) {
        const struct report_account *account = &run->energy.item[s];
        if (!append_struct(accounts, &report_account_table, account->source != NULL ? account : NULL))
            return false;
    }
    return accounts != NULL;
}

static void free_accounts(void *member)
{
    struct report_run *run = member;
    for (size_t s = 0; s < run->energy.count; s++)
        json_free_members(&report_account_table, &run->energy.item[s]);
    free(run->energy.item);
}

static const struct json_own accounts_json = {.write = write_accounts, .free = free_accounts};

#define TYPE report_run
TABLE(report_run, WHOLE(accounts_json), WORD("name", name),
      OWN("run", const struct run_model *, model, model_json), OBJECT("mesh", mesh, report_mesh),
      TEXT_IF("mesh_why", mesh_why), OBJECT("blocks", blocks, report_blocks),
      TEXT_IF("blocks_why", blocks_why), LIST("points", points, report_point),
      LIST("responses", responses, report_response), LIST("inputs", inputs, report_input),
      LIST("findings", findings, report_finding),
      JSON_FIELD_OWN(struct TYPE, mean_error, figure_values_json, "_mean_error"),
      OBJECT("octave_times", octave_times, report_octave_times), WORD_IF("use", use),
      LIST("targets", targets, report_aim), TEXT("targets_why", targets_why), TEXT_IF("use_why", use_why),
      OBJECT_IF("tolerance", tolerance, report_tolerance), LIST("maps", maps, report_map),
      LIST("maps_left_out", maps_left_out, report_map_left_out), LIST("sounds", sounds, report_sound_entry));
#undef TYPE

void *report_list_add(const struct json_table *table, void *list)
{
    struct json_list *grown = list;
    const bool full = (grown->count & (grown->count - 1)) == 0; /* as large as a power of two */
    if (grown->item == NULL || full) {
        void *item = realloc(grown->item, (2 * grown->count + 1) * table->size);
        if (item == NULL)
            return NULL;
        grown->item = item;
    }
    void *added = (char *)grown->item + grown->count++ * table->size;
    json_clear(table, added);
    return added;
}

static void add_points(struct report_run *run, size_t *used, const struct record_point *point, size_t count,
                       bool is_source)
{
    for (size_t i = 0; i < count; i++) {
        struct report_point *to = &run->points.item[(*used)++];
        to->is_source = is_source;
        to->name = point[i].name;
        memcpy(to->position, point[i].position, sizeof to->position);
    }
}

bool report_run_make(struct report_run *run, const struct run_model *model, const char *name)
{
    const struct record_points *points = &model->points;
    size_t used = 0;
    json_clear(&report_run_table, run);
    run->model = model;
    run->name = name;
    if (!JSON_LIST_MAKE(&report_point_table, &run->points, points->sources.count + points->receivers.count) ||
        !JSON_LIST_MAKE(&report_response_table, &run->responses, model->responses.count) ||
        !JSON_LIST_MAKE(&report_account_table, &run->energy, 0) ||
        !JSON_LIST_MAKE(&report_input_table, &run->inputs, 0) ||
        !JSON_LIST_MAKE(&report_finding_table, &run->findings, 0) ||
        !JSON_LIST_MAKE(&report_aim_table, &run->targets, 0) ||
        !JSON_LIST_MAKE(&report_map_table, &run->maps, 0) ||
        !JSON_LIST_MAKE(&report_map_left_out_table, &run->maps_left_out, 0) ||
        !JSON_LIST_MAKE(&report_sound_entry_table, &run->sounds, 0))
        return false;
    add_points(run, &used, points->sources.item, points->sources.count, true);
    add_points(run, &used, points->receivers.item, points->receivers.count, false);
    for (size_t i = 0; i < model->responses.count; i++)
        run->responses.item[i].record = &model->responses.item[i];
    return true;
}

void report_run_free(struct report_run *run)
{
    mesh_free(&run->shape);
    json_free_members(&report_run_table, run);
}

bool report_reason_set(char **to, const struct run_folder *folder, const char *sentence)
{
    cJSON *words = cJSON_CreateString(sentence);
    run_folder_strip_of(folder, words);
    const bool there = words != NULL && json_text_set(to, words->valuestring);
    cJSON_Delete(words);
    return there;
}

bool report_name_set(char **to, const char *name)
{
    cJSON *object = cJSON_CreateObject(), *words = cJSON_AddStringToObject(object, "name", name);
    run_folder_strip(words);
    const bool there = words != NULL && json_text_set(to, words->valuestring);
    cJSON_Delete(object);
    return there;
}

bool report_bytes_set(struct report_bytes *bytes, const void *data, size_t size)
{
    bytes->data = malloc(size + 1);
    if (bytes->data == NULL)
        return false;
    memcpy(bytes->data, data, size);
    bytes->size = size;
    return true;
}

const struct json_numbers *report_response_octaves(const struct report_response *response, enum figure figure)
{
    const struct json_numbers *recorded = &response->record->figures.octave[figure];
    return recorded->value != NULL ? recorded : &response->made.octave[figure];
}

/* ---- all ---- */

void report_free(struct report *report)
{
    for (size_t r = 0; r < report->given; r++)
        report_run_free(&report->run[r]);
    for (size_t r = 1; report->comparison != NULL && r < report->given; r++)
        run_comparison_free(&report->comparison[r - 1]);
    free(report->run);
    free(report->title);
    free(report->comparison);
    if (report->decision != NULL)
        json_free_members(&report_decision_table, report->decision);
    free(report->decision);
    if (report->audio != NULL)
        json_free_members(&report_audio_table, report->audio);
    free(report->audio);
    *report = (struct report){0};
}

cJSON *report_json(const struct report *report)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", 1);
    bool whole = report->title == NULL || put_word(root, "title", report->title);
    cJSON *runs = cJSON_AddArrayToObject(root, "runs");
    for (size_t r = 0; whole && r < report->runs; r++)
        whole = append_struct(runs, &report_run_table, &report->run[r]);
    cJSON *differences = report->comparison != NULL ? run_comparison_json(report->comparison) : NULL;
    if (report->comparison != NULL && !cJSON_AddItemToObject(root, "differences", differences)) {
        cJSON_Delete(differences);
        whole = false;
    }
    if (whole && report->decision != NULL) {
        cJSON *decision = cJSON_AddObjectToObject(root, "decision");
        whole = decision != NULL && json_write(&report_decision_table, report->decision, decision);
    }
    if (whole && report->audio != NULL) {
        cJSON *audio = cJSON_AddObjectToObject(root, "audio");
        whole = audio != NULL && json_write(&report_audio_table, report->audio, audio);
    }
    if (whole)
        return root;
    cJSON_Delete(root);
    return NULL;
}
