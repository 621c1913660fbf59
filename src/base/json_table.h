/** Structs as JSON, by tables: an entry for each member has its name in the file, its kind and its offset.
 * The same table writes and reads, so both have the same members, and a misspelt member does not compile.
 *
 * In a struct that a table describes NaN is an absent number, and NULL an absent text, list or object.
 * Zeroed memory is not such a struct, since numbers must be NaN: begin with json_clear(). Strings and arrays
 * are owned by the struct and freed by json_free_members().
 */
#ifndef SRC_JSON_TABLE_H
#define SRC_JSON_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"

enum json_kind {
    JSON_BOOL,    /* bool; absent or null reads as false */
    JSON_NUMBER,  /* double; NaN: absent */
    JSON_TEXT,    /* char *, owned; NULL: absent */
    JSON_NUMBERS, /* struct json_numbers */
    JSON_TEXTS,   /* struct json_texts */
    JSON_POINT,   /* double[3]; the first NaN: absent */
    JSON_POINTS,  /* struct json_points */
    JSON_PART,    /* a struct in place, its members written among those of its owner */
    JSON_OBJECT,  /* pointer to a struct, owned; NULL: absent */
    JSON_LIST,    /* struct json_list of structs */
    JSON_OWN,     /* by own functions, which may take several names */
};

/** The written form of an absent member. */
enum json_absent { JSON_NULL, JSON_LEFT_OUT };

struct json_numbers {
    size_t count;
    double *value; /* NULL: absent, else also where count is 0 */
};
struct json_texts {
    size_t count;
    char **text; /* each may be NULL: null */
};
struct json_points {
    size_t count;
    double (*point)[3];
};
/** A list of structs that the member's table describes. JSON_LIST_OF(struct x) declares a typed one. */
struct json_list {
    size_t count;
    void *item;
};
#define JSON_LIST_OF(type)                                                                                   \
    struct {                                                                                                 \
        size_t count;                                                                                        \
        type *item;                                                                                          \
    }

struct json_table;

/** Functions of a JSON_OWN member. `with` is the entry's. False: memory ran out. `clear` gets zeroed
 * memory. It may be NULL if zero means absent, `free` if nothing is owned, and `read` or `write` if the
 * member is only written or only read. */
struct json_own {
    bool (*write)(const void *member, cJSON *object, const void *with);
    bool (*read)(void *member, const cJSON *object, const void *with);
    void (*clear)(void *member);
    void (*free)(void *member);
};

struct json_field {
    const char *name;
    enum json_kind kind;
    enum json_absent absent;
    size_t at;                      /* offsetof */
    const struct json_table *table; /* JSON_PART, JSON_OBJECT, JSON_LIST */
    const struct json_own *own;     /* JSON_OWN */
    const void *with;
};

struct json_table {
    size_t size; /* of the struct [bytes] */
    size_t count;
    const struct json_field *field; /* (count) in the order of the file */
};

/* Entries, checked against the type of the member:
 *     static const struct json_field point_field[] = {
 *         JSON_FIELD_TEXT("name", struct record_point, name, JSON_NULL),
 *     };
 *     static const struct json_table point_table = JSON_TABLE(struct record_point, point_field);
 */
#define JSON_AT(type, member, is)                                                                            \
    (offsetof(type, member) + 0 * sizeof(_Generic(&((type *)0)->member, is * : 1)))
#define JSON_FIELD(name, kind, absent, at, table, own, with)                                                 \
    {                                                                                                        \
        name, kind, absent, at, table, own, with                                                             \
    }
#define JSON_VALUE(name, kind, absent, type, member, is)                                                     \
    JSON_FIELD(name, kind, absent, JSON_AT(type, member, is), NULL, NULL, NULL)
#define JSON_FIELD_BOOL(name, type, member) JSON_VALUE(name, JSON_BOOL, JSON_NULL, type, member, bool)
#define JSON_FIELD_NUMBER(name, type, member, absent)                                                        \
    JSON_VALUE(name, JSON_NUMBER, absent, type, member, double)
#define JSON_FIELD_TEXT(name, type, member, absent) JSON_VALUE(name, JSON_TEXT, absent, type, member, char *)
#define JSON_FIELD_NUMBERS(name, type, member, absent)                                                       \
    JSON_VALUE(name, JSON_NUMBERS, absent, type, member, struct json_numbers)
#define JSON_FIELD_TEXTS(name, type, member, absent)                                                         \
    JSON_VALUE(name, JSON_TEXTS, absent, type, member, struct json_texts)
#define JSON_FIELD_POINT(name, type, member, absent)                                                         \
    JSON_VALUE(name, JSON_POINT, absent, type, member[0], double)
#define JSON_FIELD_POINTS(name, type, member, absent)                                                        \
    JSON_VALUE(name, JSON_POINTS, absent, type, member, struct json_points)
#define JSON_FIELD_PART(type, member, part)                                                                  \
    JSON_FIELD("", JSON_PART, JSON_NULL, offsetof(type, member), &part, NULL, NULL)
/** Members of the same struct that another table describes; _IF: left out if the first of them is absent. */
#define JSON_FIELD_ALSO(part)    JSON_FIELD("", JSON_PART, JSON_NULL, 0, &part, NULL, NULL)
#define JSON_FIELD_ALSO_IF(part) JSON_FIELD("", JSON_PART, JSON_LEFT_OUT, 0, &part, NULL, NULL)
#define JSON_FIELD_OBJECT(name, type, member, absent, part)                                                  \
    JSON_FIELD(name, JSON_OBJECT, absent, offsetof(type, member), &part, NULL, NULL)
#define JSON_FIELD_LIST(name, type, member, absent, part)                                                    \
    JSON_FIELD(name, JSON_LIST, absent, offsetof(type, member), &part, NULL, NULL)
#define JSON_FIELD_OWN(type, member, own, with)                                                              \
    JSON_FIELD("", JSON_OWN, JSON_NULL, offsetof(type, member), NULL, &own, with)
#define JSON_TABLE(type, fields)                                                                             \
    {                                                                                                        \
        sizeof(type), sizeof fields / sizeof *fields, fields                                                 \
    }

/** Make every member absent; nothing is freed. */
void json_clear(const struct json_table *table, void *object);

/** Free the owned members, and clear. */
void json_free_members(const struct json_table *table, void *object);

/** Write the members into `to`, an object of the caller's. False: memory ran out. */
bool json_write(const struct json_table *table, const void *object, cJSON *to);

/** One present member of any kind but JSON_OWN; a JSON_PART as an object. NULL without memory. */
cJSON *json_item(const struct json_field *field, const void *member);

/** Read the members from `object` after clearing them. A member that is missing, of another kind or
 * infinite is absent; unknown names are ignored. False: memory ran out; `object` may then be freed as
 * usual. */
bool json_read(const struct json_table *table, const cJSON *from, void *object);

/** The value of an item, for functions of JSON_OWN: NaN or absent if it is of another kind. */
double json_number_read(const cJSON *item);
bool json_numbers_read(const cJSON *item, struct json_numbers *out);

/** `number` cleared structs for a list, possibly none; NULL without memory. */
void *json_items_make(const struct json_table *table, size_t number);

/** Move them into a member that was declared with JSON_LIST_OF(); false without memory. */
#define JSON_LIST_MAKE(table, list, number)                                                                  \
    (((list)->item = json_items_make(table, number)) != NULL && (((list)->count = (number)), true))

/** A cleared struct for a JSON_OBJECT; NULL without memory. */
void *json_make(const struct json_table *table);

/** Copies; false without memory. `text` may be NULL, then the copy is NULL. The numbers replace those that
 * were there; the other members must be empty. */
bool json_text_set(char **to, const char *text);
bool json_numbers_set(struct json_numbers *to, const double *value, size_t count);
bool json_points_set(struct json_points *to, const double (*point)[3], size_t count);
bool json_texts_set(struct json_texts *to, const char *const *text, size_t count);

/** Number `i`; NaN beyond the end or if the list is absent. */
double json_number_of(const struct json_numbers *numbers, size_t i);

/** Text `i`; NULL beyond the end or if it is absent. */
const char *json_text_of(const struct json_texts *texts, size_t i);

#endif
