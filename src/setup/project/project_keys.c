#include "src/setup/project/project_keys.h"

#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/options/option_values.h"

int project_refuse_key(const struct yaml_spot *spot, const char *const *known, struct failure *failure)
{
    char list[1400] = "";
    size_t count = 0;
    for (; known[count] != NULL; count++)
        text_append(list, sizeof list, "%s%s", count > 0 ? ", " : "", known[count]);
    const char *nearest = options_nearest(spot->key, known, count);
    /* A missing unit is more frequent than a wrong letter. */
    const size_t length = strlen(spot->key);
    for (size_t k = 0; k < count; k++)
        if (strncmp(known[k], spot->key, length) == 0 && known[k][length] == '_')
            nearest = known[k];
    if (nearest != NULL)
        return yaml_refuse(spot, failure, "is not a key of a project; did you mean %s?", nearest);
    return yaml_refuse(spot, failure, "is not a key of a project; the keys here are %s", list);
}

int project_find_keys(const struct yaml_spot *spot, const char *const *known, struct yaml_spot *found,
                      struct failure *failure)
{
    struct yaml_spot unknown, entry;
    size_t count = 0;
    while (known[count] != NULL)
        count++;
    int code = yaml_find_keys(spot, known, count, found, &unknown, failure);
    for (size_t i = 0; unknown.node != NULL && i < yaml_spot_count(spot); i++) {
        bool is_known = false;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        for (size_t k = 0; k < count; k++)
            is_known |= strcmp(entry.key, known[k]) == 0;
        if (!is_known)
            ALSO(code, failure, project_refuse_key(&entry, known, &next));
    }
    return code;
}

int project_expect(const struct yaml_spot *spot, enum yaml_kind kind, size_t most, const char *wanted,
                   struct failure *failure)
{
    TRY(yaml_expect(spot, kind, wanted, failure));
    if (yaml_spot_count(spot) > most)
        return yaml_refuse(spot, failure, "has %zu entries; the limit is %zu", yaml_spot_count(spot), most);
    return kind == YAML_MAP ? yaml_refuse_twice(spot, failure) : 0;
}

int project_read_word(const struct yaml_spot *spot, const char *const *words, int *out,
                      struct failure *failure)
{
    const char *text = yaml_spot_text(spot);
    char list[300] = "";
    size_t count = 0;
    for (; words[count] != NULL; count++) {
        if (strcmp(words[count], text) == 0) {
            *out = (int)count;
            return 0;
        }
        text_append(list, sizeof list, "%s%s", count == 0 ? "one of " : ", ", words[count]);
    }
    const char *nearest = options_nearest(text, words, count);
    if (nearest != NULL)
        text_append(list, sizeof list, " (did you mean %s?)", nearest);
    return yaml_refuse_value(spot, list, failure);
}

struct yaml_limits project_limits_of(const struct option_spec *spec)
{
    return (struct yaml_limits){.low = spec->low,
                                .high = spec->high,
                                .above_low = spec->above_low,
                                .whole = spec->kind == OPTION_COUNT,
                                .unit = option_unit_of(spec)};
}
