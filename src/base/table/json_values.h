/** Values of any kind as members of a JSON object, in one list and in its order:
 *
 *     JSON_PUT(object, {"name", OF_TEXT(surface->name)}, {"area_m2", OF_NUMBER(surface->area)},
 *              {"position_m", OF_POINT(surface->centre)});
 *
 * A number that is not finite and a text or an item that is NULL are null. Structs that are read again too
 * have tables of their own (json_table.h). Memory: json_memory.h.
 */
#ifndef SRC_JSON_VALUES_H
#define SRC_JSON_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

struct json_value {
    const char *name;
    cJSON *item; /* the object's, once it is put */
};

void json_put(cJSON *object, size_t count, const struct json_value value[]);
#define JSON_PUT(object, ...)                                                                                \
    json_put(object, sizeof((const struct json_value[]){__VA_ARGS__}) / sizeof(struct json_value),           \
             (const struct json_value[]){__VA_ARGS__})

cJSON *json_of_number(double value);
cJSON *json_of_text(const char *text);
cJSON *json_of_points(size_t count, const double (*point)[3]);
cJSON *json_of_texts(size_t count, const char *const text[]);
#define OF_NUMBER(value)        json_of_number((double)(value))
#define OF_TEXT(text)           json_of_text(text)
#define OF_TRUTH(value)         cJSON_CreateBool(value)
#define OF_POINT(point)         cJSON_CreateDoubleArray(point, 3)
#define OF_POINTS(count, point) json_of_points(count, (const double(*)[3])(point))
#define OF_TEXTS(count, text)   json_of_texts((size_t)(count), (const char *const *)(text))

/** A new list, or object, as the member of that name; an item, or a new object, at the end of a list. */
cJSON *json_list_in(cJSON *object, const char *name);
cJSON *json_object_in(cJSON *object, const char *name);
void json_append(cJSON *list, cJSON *item);
cJSON *json_append_object(cJSON *list);

#endif
