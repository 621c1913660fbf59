#include "src/base/table/json_values.h"

#include <math.h>

void json_put(cJSON *object, size_t count, const struct json_value value[])
{
    for (size_t i = 0; i < count; i++) {
        cJSON *const item = value[i].item != NULL ? value[i].item : cJSON_CreateNull();
        if (!cJSON_AddItemToObject(object, value[i].name, item))
            cJSON_Delete(item);
    }
}

cJSON *json_of_number(double value)
{
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

cJSON *json_of_text(const char *text)
{
    return text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull();
}

cJSON *json_of_points(size_t count, const double (*point)[3])
{
    cJSON *const list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        json_append(list, OF_POINT(point[i]));
    return list;
}

cJSON *json_of_texts(size_t count, const char *const text[])
{
    cJSON *const list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        json_append(list, json_of_text(text[i]));
    return list;
}

cJSON *json_list_in(cJSON *object, const char *name)
{
    return cJSON_AddArrayToObject(object, name);
}

cJSON *json_object_in(cJSON *object, const char *name)
{
    return cJSON_AddObjectToObject(object, name);
}

void json_append(cJSON *list, cJSON *item)
{
    if (!cJSON_AddItemToArray(list, item))
        cJSON_Delete(item);
}

cJSON *json_append_object(cJSON *list)
{
    cJSON *const object = cJSON_CreateObject();
    json_append(list, object);
    return object;
}
