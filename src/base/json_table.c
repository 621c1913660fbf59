#include "src/base/json_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_memory.h"

static void *member_of(const struct json_field *field, void *object)
{
    return (char *)object + field->at;
}

static const void *member_in(const struct json_field *field, const void *object)
{
    return (const char *)object + field->at;
}

/* ---- lists: numbers, texts, points and structs are kept alike, a count and where they are ---- */

static bool is_list(const struct json_field *field)
{
    return field->kind == JSON_NUMBERS || field->kind == JSON_TEXTS || field->kind == JSON_POINTS ||
           field->kind == JSON_LIST;
}

/* Bytes of one of them. */
static size_t size_in_list(const struct json_field *field)
{
    return field->kind == JSON_NUMBERS  ? sizeof(double)
           : field->kind == JSON_TEXTS  ? sizeof(char *)
           : field->kind == JSON_POINTS ? 3 * sizeof(double)
                                        : field->table->size;
}

static void *entry_of(const struct json_field *field, const void *member, size_t i)
{
    return (char *)((const struct json_list *)member)->item + i * size_in_list(field);
}

/* ---- absent, and freed ---- */

/* Set the members whose absent value is not zero. */
static void set_absent(const struct json_table *table, void *object)
{
    for (size_t f = 0; f < table->count; f++) {
        const struct json_field *field = &table->field[f];
        double *number = member_of(field, object);
        if (field->kind == JSON_NUMBER)
            *number = NAN;
        else if (field->kind == JSON_POINT)
            number[0] = number[1] = number[2] = NAN;
        else if (field->kind == JSON_PART)
            set_absent(field->table, number);
        else if (field->kind == JSON_OWN && field->own->clear != NULL)
            field->own->clear(number);
    }
}

void json_clear(const struct json_table *table, void *object)
{
    memset(object, 0, table->size);
    set_absent(table, object);
}

static void free_members(const struct json_table *table, void *object);

static void free_member(const struct json_field *field, void *member)
{
    if (field->kind == JSON_TEXT) {
        free(*(char **)member);
    } else if (is_list(field)) {
        struct json_list *list = member;
        for (size_t i = 0; i < list->count; i++)
            if (field->kind == JSON_TEXTS)
                free(*(char **)entry_of(field, list, i));
            else if (field->kind == JSON_LIST)
                free_members(field->table, entry_of(field, list, i));
        free(list->item);
    } else if (field->kind == JSON_PART) {
        free_members(field->table, member);
    } else if (field->kind == JSON_OBJECT) {
        void *object = *(void **)member;
        if (object != NULL)
            free_members(field->table, object);
        free(object);
    } else if (field->kind == JSON_OWN && field->own->free != NULL) {
        field->own->free(member);
    }
}

static void free_members(const struct json_table *table, void *object)
{
    for (size_t f = 0; f < table->count; f++)
        free_member(&table->field[f], member_of(&table->field[f], object));
}

void json_free_members(const struct json_table *table, void *object)
{
    free_members(table, object);
    json_clear(table, object);
}

/* ---- written ---- */

static cJSON *text_item(const char *text)
{
    return text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull();
}

static cJSON *object_item(const struct json_table *table, const void *object)
{
    cJSON *item = cJSON_CreateObject();
    if (item != NULL && json_write(table, object, item))
        return item;
    cJSON_Delete(item);
    return NULL;
}

static cJSON *list_item(const struct json_field *field, const void *member)
{
    const size_t count = ((const struct json_list *)member)->count;
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array != NULL && i < count; i++) {
        const void *at = entry_of(field, member, i);
        cJSON *item = field->kind == JSON_TEXTS    ? text_item(*(char *const *)at)
                      : field->kind == JSON_POINTS ? cJSON_CreateDoubleArray(at, 3)
                      : field->kind == JSON_LIST   ? object_item(field->table, at)
                                                   : cJSON_CreateNumber(*(const double *)at); /* NaN: null */
        if (item == NULL || !cJSON_AddItemToArray(array, item)) {
            cJSON_Delete(item);
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

static bool is_absent(const struct json_field *field, const void *member)
{
    if (field->kind == JSON_NUMBER || field->kind == JSON_POINT)
        return isnan(*(const double *)member);
    if (field->kind == JSON_TEXT || field->kind == JSON_OBJECT)
        return *(void *const *)member == NULL;
    if (field->kind == JSON_PART)
        return is_absent(field->table->field, member_in(field->table->field, member));
    return is_list(field) && ((const struct json_list *)member)->item == NULL;
}

cJSON *json_item(const struct json_field *field, const void *member)
{
    switch (field->kind) {
    case JSON_BOOL:
        return cJSON_CreateBool(*(const bool *)member);
    case JSON_NUMBER:
        return cJSON_CreateNumber(*(const double *)member);
    case JSON_TEXT:
        return text_item(*(char *const *)member);
    case JSON_POINT:
        return cJSON_CreateDoubleArray(member, 3);
    case JSON_PART:
        return object_item(field->table, member);
    case JSON_OBJECT:
        return object_item(field->table, *(void *const *)member);
    default:
        return list_item(field, member);
    }
}

bool json_write(const struct json_table *table, const void *object, cJSON *to)
{
    bool whole = true;
    for (size_t f = 0; f < table->count && whole; f++) {
        const struct json_field *field = &table->field[f];
        const void *member = member_in(field, object);
        const bool absent = is_absent(field, member);
        if (absent && field->absent == JSON_LEFT_OUT)
            continue;
        if (field->kind == JSON_PART) {
            whole = json_write(field->table, member, to);
        } else if (field->kind == JSON_OWN) {
            whole = field->own->write == NULL || field->own->write(member, to, field->with);
        } else {
            cJSON *item = absent ? cJSON_CreateNull() : json_item(field, member);
            whole = item != NULL && cJSON_AddItemToObject(to, field->name, item);
            if (!whole)
                cJSON_Delete(item);
        }
    }
    return whole;
}

/* ---- read ---- */

double json_number_read(const cJSON *item)
{
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : NAN;
}

/* Three numbers, or NaN. */
static void read_point(const cJSON *item, double out[3])
{
    for (int d = 0; d < 3; d++)
        out[d] = json_number_read(cJSON_IsArray(item) ? cJSON_GetArrayItem(item, d) : NULL);
    if (isnan(out[0] + out[1] + out[2]))
        out[0] = out[1] = out[2] = NAN;
}

static bool read_members(const struct json_table *table, const cJSON *from, void *object);

static bool read_list(const struct json_field *field, const cJSON *item, void *member)
{
    struct json_list *out = member;
    const cJSON *entry;
    if (!cJSON_IsArray(item))
        return true;
    out->item = json_memory_take(((size_t)cJSON_GetArraySize(item) + 1) * size_in_list(field));
    if (out->item == NULL)
        return false;
    cJSON_ArrayForEach(entry, item)
    {
        void *at = entry_of(field, out, out->count++);
        bool whole = true;
        if (field->kind == JSON_NUMBERS) {
            *(double *)at = json_number_read(entry);
        } else if (field->kind == JSON_POINTS) {
            read_point(entry, at);
        } else if (field->kind == JSON_TEXTS) {
            whole = json_text_set(at, cJSON_GetStringValue(entry));
        } else {
            set_absent(field->table, at);
            whole = read_members(field->table, entry, at);
        }
        if (!whole)
            return false;
    }
    return true;
}

bool json_numbers_read(const cJSON *item, struct json_numbers *out)
{
    static const struct json_field numbers = {.kind = JSON_NUMBERS};
    return read_list(&numbers, item, out);
}

static bool read_object(const struct json_table *table, const cJSON *item, void **out)
{
    if (!cJSON_IsObject(item))
        return true;
    *out = json_make(table);
    return *out != NULL && read_members(table, item, *out);
}

static bool read_member(const struct json_field *field, const cJSON *item, void *member)
{
    switch (field->kind) {
    case JSON_BOOL:
        *(bool *)member = cJSON_IsTrue(item);
        return true;
    case JSON_NUMBER:
        *(double *)member = json_number_read(item);
        return true;
    case JSON_TEXT:
        return json_text_set(member, cJSON_GetStringValue(item));
    case JSON_POINT:
        read_point(item, member);
        return true;
    case JSON_OBJECT:
        return read_object(field->table, item, member);
    default:
        return read_list(field, item, member);
    }
}

static bool read_members(const struct json_table *table, const cJSON *from, void *object)
{
    for (size_t f = 0; f < table->count; f++) {
        const struct json_field *field = &table->field[f];
        void *member = member_of(field, object);
        bool whole;
        if (field->kind == JSON_PART)
            whole = read_members(field->table, from, member);
        else if (field->kind == JSON_OWN)
            whole = field->own->read == NULL || field->own->read(member, from, field->with);
        else
            whole = read_member(field, cJSON_GetObjectItemCaseSensitive(from, field->name), member);
        if (!whole)
            return false;
    }
    return true;
}

bool json_read(const struct json_table *table, const cJSON *from, void *object)
{
    json_clear(table, object);
    return read_members(table, from, object);
}

/* ---- made ---- */

void *json_items_make(const struct json_table *table, size_t number)
{
    char *item = json_memory_take((number + 1) * table->size);
    for (size_t i = 0; item != NULL && i < number; i++)
        set_absent(table, item + i * table->size);
    return item;
}

void *json_make(const struct json_table *table)
{
    void *object = json_memory_take(table->size);
    if (object != NULL)
        json_clear(table, object);
    return object;
}

bool json_text_set(char **to, const char *text)
{
    *to = text != NULL ? json_memory_take(strlen(text) + 1) : NULL;
    if (*to != NULL)
        strcpy(*to, text);
    return text == NULL || *to != NULL;
}

static void *copy_of(const void *from, size_t count, size_t size)
{
    void *copy = json_memory_take((count + 1) * size);
    if (copy != NULL && count > 0)
        memcpy(copy, from, count * size);
    return copy;
}

bool json_numbers_set(struct json_numbers *to, const double *value, size_t count)
{
    double *copy = copy_of(value, count, sizeof *value);
    free(to->value);
    *to = (struct json_numbers){.value = copy, .count = copy != NULL ? count : 0};
    return copy != NULL;
}

bool json_points_set(struct json_points *to, const double (*point)[3], size_t count)
{
    to->point = copy_of(point, count, sizeof *point);
    to->count = to->point != NULL ? count : 0;
    return to->point != NULL;
}

bool json_texts_set(struct json_texts *to, const char *const *text, size_t count)
{
    to->text = json_memory_take((count + 1) * sizeof *to->text);
    if (to->text == NULL)
        return false;
    for (; to->count < count; to->count++)
        if (!json_text_set(&to->text[to->count], text[to->count]))
            return false;
    return true;
}

double json_number_of(const struct json_numbers *numbers, size_t i)
{
    return numbers->value != NULL && i < numbers->count ? numbers->value[i] : NAN;
}

const char *json_text_of(const struct json_texts *texts, size_t i)
{
    return texts->text != NULL && i < texts->count ? texts->text[i] : NULL;
}
