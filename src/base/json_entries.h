/** Short forms of the entries of json_table.h, for files that hold tables and little else. TYPE is the tag of
 * the struct that a table describes: define it before the table and undefine it behind. Absent
 * members of entries that end in _IF are left out of the file; other absent members are null.
 *
 *     #define TYPE record_point
 *     TABLE(record_point, TEXT("name", name), POINT("position_m", position));
 *     #undef TYPE
 */
#ifndef SRC_JSON_ENTRIES_H
#define SRC_JSON_ENTRIES_H

#include "src/base/json_table.h"

#define BOOL(name, member)         JSON_FIELD_BOOL(name, struct TYPE, member)
#define NUMBER(name, member)       JSON_FIELD_NUMBER(name, struct TYPE, member, JSON_NULL)
#define NUMBER_IF(name, member)    JSON_FIELD_NUMBER(name, struct TYPE, member, JSON_LEFT_OUT)
#define TEXT(name, member)         JSON_FIELD_TEXT(name, struct TYPE, member, JSON_NULL)
#define TEXT_IF(name, member)      JSON_FIELD_TEXT(name, struct TYPE, member, JSON_LEFT_OUT)
#define NUMBERS(name, member)      JSON_FIELD_NUMBERS(name, struct TYPE, member, JSON_NULL)
#define NUMBERS_IF(name, member)   JSON_FIELD_NUMBERS(name, struct TYPE, member, JSON_LEFT_OUT)
#define TEXTS(name, member)        JSON_FIELD_TEXTS(name, struct TYPE, member, JSON_NULL)
#define TEXTS_IF(name, member)     JSON_FIELD_TEXTS(name, struct TYPE, member, JSON_LEFT_OUT)
#define POINT(name, member)        JSON_FIELD_POINT(name, struct TYPE, member, JSON_NULL)
#define POINT_IF(name, member)     JSON_FIELD_POINT(name, struct TYPE, member, JSON_LEFT_OUT)
#define POINTS(name, member)       JSON_FIELD_POINTS(name, struct TYPE, member, JSON_NULL)
#define POINTS_IF(name, member)    JSON_FIELD_POINTS(name, struct TYPE, member, JSON_LEFT_OUT)
#define PART(member, part)         JSON_FIELD_PART(struct TYPE, member, part##_table)
#define OBJECT(name, member, part) JSON_FIELD_OBJECT(name, struct TYPE, member, JSON_NULL, part##_table)
#define OBJECT_IF(name, member, part)                                                                        \
    JSON_FIELD_OBJECT(name, struct TYPE, member, JSON_LEFT_OUT, part##_table)
#define LIST(name, member, part)    JSON_FIELD_LIST(name, struct TYPE, member, JSON_NULL, part##_table)
#define LIST_IF(name, member, part) JSON_FIELD_LIST(name, struct TYPE, member, JSON_LEFT_OUT, part##_table)

/** name_table, for other files too or for this one alone. */
#define TABLE(name, ...)                                                                                     \
    static const struct json_field name##_field[] = {__VA_ARGS__};                                           \
    const struct json_table name##_table = JSON_TABLE(struct TYPE, name##_field)
#define OWN_TABLE(name, ...)                                                                                 \
    static const struct json_field name##_field[] = {__VA_ARGS__};                                           \
    static const struct json_table name##_table = JSON_TABLE(struct TYPE, name##_field)

#endif
