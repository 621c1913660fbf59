/** Looking things up in JSON that a test has read, by paths such as "runs.0.responses.2.t30_s.1". */
#ifndef TESTS_JSON_PATH_H
#define TESTS_JSON_PATH_H

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

/** The item there, or NULL. */
static inline const cJSON *record_at(const cJSON *root, const char *key)
{
    char name[128];
    while (root != NULL && *key != '\0') {
        const size_t length = strcspn(key, ".");
        if (length >= sizeof name)
            return NULL;
        memcpy(name, key, length);
        name[length] = '\0';
        if (cJSON_IsArray(root))
            root = isdigit((unsigned char)name[0]) ? cJSON_GetArrayItem(root, atoi(name)) : NULL;
        else
            root = cJSON_GetObjectItemCaseSensitive(root, name);
        key += length + (key[length] == '.');
    }
    return root;
}

/** The number there; NaN where there is none. */
static inline double record_number(const cJSON *root, const char *key)
{
    const cJSON *item = record_at(root, key);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : NAN;
}

/** The string there; NULL where there is none. */
static inline const char *record_text(const cJSON *root, const char *key)
{
    return cJSON_GetStringValue(record_at(root, key));
}

#endif
