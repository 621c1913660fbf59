#include "kernels/machine/cgroup_limits.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 4096
#define LINE_BYTES 16384

/* A controller of this process: the mounted folder, and the folder of the process below it. */
struct group {
    bool unified;          /* version 2 */
    char top[PATH_BYTES];  /* the mount */
    char path[PATH_BYTES]; /* of the group, within the mount, "" or "/a/b" */
};

/* ---- files ---- */

static FILE *open_file(const char *root, const char *path)
{
    char full[PATH_BYTES];
    const int length = snprintf(full, sizeof full, "%s%s", root, path);
    return length > 0 && (size_t)length < sizeof full ? fopen(full, "r") : NULL;
}

static FILE *open_in(const struct group *group, const char *name)
{
    char full[2 * PATH_BYTES];
    const int length = snprintf(full, sizeof full, "%s%s/%s", group->top, group->path, name);
    return length > 0 && (size_t)length < sizeof full ? fopen(full, "r") : NULL;
}

/* The number in the first line of a file; UINT64_MAX if there is none ("max", or no such file). */
static uint64_t read_number(const struct group *group, const char *name)
{
    uint64_t number = UINT64_MAX;
    FILE *file = open_in(group, name);
    if (file == NULL)
        return UINT64_MAX;
    if (fscanf(file, "%" SCNu64, &number) != 1)
        number = UINT64_MAX;
    (void)fclose(file);
    return number;
}

/* The number after `key` in a file of such lines; 0 if there is none. */
static uint64_t read_entry(const struct group *group, const char *name, const char *key)
{
    uint64_t number = 0;
    char line[256], word[128];
    FILE *file = open_in(group, name);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        uint64_t value;
        if (sscanf(line, "%127s %" SCNu64, word, &value) == 2 && strcmp(word, key) == 0)
            number = value;
    }
    if (file != NULL)
        (void)fclose(file);
    return number;
}

/* True if `word` is in a list with commas. */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL && *at != '\0';) {
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
        at = strchr(at, ',');
        at += at != NULL;
    }
    return false;
}

/* ---- finding the group ---- */

/* Lines of /proc/self/cgroup: number:controllers:path. Version 2 has 0 and no controllers. */
static bool find_path(const char *root, const char *controller, bool unified, char path[PATH_BYTES])
{
    bool found = false;
    char line[LINE_BYTES];
    FILE *file = open_file(root, "/proc/self/cgroup");
    while (!found && file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *list = strchr(line, ':'), *at = list != NULL ? strchr(list + 1, ':') : NULL;
        line[strcspn(line, "\n")] = '\0';
        if (at == NULL)
            continue;
        *at++ = '\0';
        found =
            (unified ? strcmp(line, "0:") == 0 : has_word(list + 1, controller)) && strlen(at) < PATH_BYTES;
        if (found)
            strcpy(path, at);
    }
    if (file != NULL)
        (void)fclose(file);
    return found;
}

/* In mountinfo a space is \040 and so on (proc(5)). */
static void unescape_text(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; ++to) {
        unsigned code;
        if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
            *to = (char)code;
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* A line: id parent device root point options [fields..] - type source options. `*top` is the mount point,
 * and `from` the mounted part of the hierarchy. */
static bool is_mount(char *line, const char *controller, bool unified, char **from, char **top)
{
    char *save = NULL, *rest = strstr(line, " - ");
    if (rest == NULL)
        return false;
    *rest = '\0';
    rest += 3;
    rest[strcspn(rest, "\n")] = '\0';
    char *field = strtok_r(line, " ", &save);
    for (int f = 0; f < 3 && field != NULL; f++)
        field = strtok_r(NULL, " ", &save);
    *from = field;
    *top = strtok_r(NULL, " ", &save);
    if (*from == NULL || *top == NULL)
        return false;
    const char *type = strtok_r(rest, " ", &save);
    (void)strtok_r(NULL, " ", &save);
    const char *options = strtok_r(NULL, " ", &save);
    if (type == NULL || strcmp(type, unified ? "cgroup2" : "cgroup") != 0 ||
        !(unified || has_word(options, controller)))
        return false;
    unescape_text(*from);
    unescape_text(*top);
    return true;
}

/* `path` below the mounted part `from` of the hierarchy; "" if it is elsewhere, since then only the mounted
 * part is visible. */
static const char *strip_root(const char *path, const char *from)
{
    const size_t length = strcmp(from, "/") == 0 ? 0 : strlen(from);
    const bool within = strncmp(path, from, length) == 0 && (path[length] == '/' || path[length] == '\0');
    return within && strstr(path, "/..") == NULL && strcmp(path + length, "/") != 0 ? path + length : "";
}

static bool find_group(const char *root, const char *controller, bool unified, struct group *out)
{
    bool found = false;
    char line[LINE_BYTES], path[PATH_BYTES], *from, *top;
    if (!find_path(root, controller, unified, path))
        return false;
    FILE *file = open_file(root, "/proc/self/mountinfo");
    while (!found && file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (!is_mount(line, controller, unified, &from, &top))
            continue;
        const int length = snprintf(out->top, sizeof out->top, "%s%s", root, top);
        found = length > 0 && (size_t)length < sizeof out->top;
        strcpy(out->path, strip_root(path, from));
        out->unified = unified;
    }
    if (file != NULL)
        (void)fclose(file);
    return found;
}

/* The group above; false at the top. */
static bool go_up(struct group *group)
{
    char *last = strrchr(group->path, '/');
    if (last != NULL)
        *last = '\0';
    return last != NULL;
}

/* ---- limits ---- */

static uint64_t get_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t memory_left(const struct group *group)
{
    const uint64_t limit =
        group->unified ? get_least(read_number(group, "memory.max"), read_number(group, "memory.high"))
                       : read_number(group, "memory.limit_in_bytes");
    const uint64_t used = read_number(group, group->unified ? "memory.current" : "memory.usage_in_bytes");
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t files =
        read_entry(group, "memory.stat", group->unified ? "inactive_file" : "total_inactive_file");
    const uint64_t held = used - get_least(files, used);
    return limit > held ? limit - held : 0;
}

/* A quota of a period of processor time, in microseconds both. */
static int count_processors(const struct group *group)
{
    double quota = 0, period = 100000;
    FILE *file = open_in(group, group->unified ? "cpu.max" : "cpu.cfs_quota_us");
    if (file == NULL)
        return INT_MAX;
    const int read = fscanf(file, "%lf %lf", &quota, &period); /* "max": none */
    (void)fclose(file);
    if (!group->unified)
        period = (double)read_number(group, "cpu.cfs_period_us");
    if (read < 1 || !(quota > 0) || !(period > 0) || quota / period >= INT_MAX - 1)
        return INT_MAX;
    const int whole = (int)(quota / period);
    return whole < 1 ? 1 : whole < quota / period ? whole + 1 : whole;
}

uint64_t cgroup_memory_left(const char *root)
{
    uint64_t left = UINT64_MAX;
    struct group group;
    for (int unified = 0; unified < 2; unified++) {
        bool more = find_group(root, "memory", unified == 1, &group);
        for (; more; more = go_up(&group))
            left = get_least(left, memory_left(&group));
    }
    return left;
}

int cgroup_processors(const char *root)
{
    int count = INT_MAX;
    struct group group;
    for (int unified = 0; unified < 2; unified++) {
        bool more = find_group(root, "cpu", unified == 1, &group);
        for (; more; more = go_up(&group)) {
            const int here = count_processors(&group);
            count = here < count ? here : count;
        }
    }
    return count;
}
