#include "src/project/project.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/regular_file.h"
#include "rooms/text/table_text.h"
#include "rooms/text/yaml_tree.h"
#include "src/base/byte_hash.h"
#include "src/project/project_schema.h"

#define KIBIBYTES_MAX 1024

/* ---- reading ---- */

static int start(const char *path, uint64_t hash, struct project **out, struct failure *failure)
{
    struct project *project = *out = calloc(1, sizeof *project);
    if (project == NULL || (project->file = strdup(path)) == NULL)
        return failure_memory(failure, sizeof *project, "a project");
    project->hash = hash;
    return 0;
}

/* The project with `variant` put over it, or as it stands where that is NULL; or, not `whole`, what the
 * variant says alone. */
static int make(const struct yaml_tree *tree, const char *path, uint64_t hash,
                const struct yaml_spot *variant, bool whole, struct project **out, struct failure *failure)
{
    int code = start(path, hash, out, failure);
    struct project_reader reader = {.tree = tree, .project = *out};
    if (code == 0 && whole)
        code = project_read_base(&reader, failure);
    if (code == 0 && variant != NULL) {
        (void)snprintf((*out)->name, sizeof(*out)->name, "%s", variant->key);
        code = project_read_variant(&reader, variant, failure);
    }
    if (code != 0) {
        project_close(*out);
        *out = NULL;
    }
    return code;
}

static int keep_names(struct project *project, const struct yaml_spot *variants, struct failure *failure)
{
    const size_t count = variants->node != NULL ? yaml_spot_count(variants) : 0;
    project->variant = calloc(count + 1, sizeof *project->variant);
    if (project->variant == NULL)
        return failure_memory(failure, count * sizeof *project->variant, "a project");
    for (; project->variants < count; project->variants++) {
        struct yaml_spot entry;
        TRY(yaml_spot_entry(variants, project->variants, &entry, failure));
        (void)snprintf(project->variant[project->variants], OPTION_NAME_MAX, "%s", entry.key);
    }
    return 0;
}

static int refuse_variant(const struct project *project, const char *wanted, struct failure *failure)
{
    const char *name[PROJECT_VARIANTS_MAX];
    char list[800] = "";
    for (size_t v = 0; v < project->variants; v++) {
        name[v] = project->variant[v];
        text_append(list, sizeof list, "%s%s", v > 0 ? ", " : "", name[v]);
    }
    if (project->variants == 0)
        return failure_set(failure, FAILURE_INPUT, "--variant %.100s: %s has no variants", wanted,
                           project->file);
    const char *nearest = options_nearest(wanted, name, project->variants);
    return failure_set(
        failure, FAILURE_INPUT, "--variant %.100s: %s has no variant of that name%s%s; it has %s", wanted,
        project->file, nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "", list);
}

/* Every variant is read, so that a mistake in one is not found after the others have run; the wanted one
 * stays. */
static int read_all(const struct yaml_tree *tree, const char *path, uint64_t hash, const char *wanted,
                    struct project **out, struct failure *failure)
{
    struct yaml_spot variants, entry;
    TRY(project_find_variants(tree, &variants, failure));
    TRY(make(tree, path, hash, NULL, true, out, failure));
    TRY(keep_names(*out, &variants, failure));
    bool found = wanted == NULL || strcmp(wanted, PROJECT_BASE) == 0;
    for (size_t v = 0; v < (*out)->variants; v++) {
        struct project *other = NULL;
        TRY(yaml_spot_entry(&variants, v, &entry, failure));
        const bool is_wanted = wanted != NULL && strcmp(entry.key, wanted) == 0;
        TRY(make(tree, path, hash, &entry, is_wanted, &other, failure));
        if (is_wanted) {
            struct project *base = *out;
            found = true;
            other->variants = base->variants;
            other->variant = base->variant;
            base->variant = NULL;
            *out = other;
            other = base;
        }
        project_close(other);
    }
    return found ? 0 : refuse_variant(*out, wanted, failure);
}

int project_open(const char *path, const char *variant, struct project **out, struct failure *failure)
{
    static const struct yaml_form form = {
        .what = "a project",
        .begin = "a project begins with its room, as in `room: church.obj`",
        .top = "a project is made of keys and values, as in `room: church.obj`",
    };
    struct yaml_tree *tree = NULL;
    char *bytes = NULL;
    size_t count = 0;
    *out = NULL;
    int code = regular_file_read(path, KIBIBYTES_MAX << 10, &bytes, &count, failure);
    if (code == 0)
        code = yaml_tree_read(bytes, count, path, &form, &tree, failure);
    if (code == 0)
        code = read_all(tree, path, hash_bytes(HASH_START, bytes, count), variant, out, failure);
    free(bytes);
    yaml_tree_free(tree);
    if (code != 0) {
        project_close(*out);
        *out = NULL;
    }
    return code;
}

/* ---- applying ---- */

static int copy_list(const void *from, size_t count, size_t size, void **to, struct failure *failure)
{
    *to = malloc((count + 1) * size);
    if (*to == NULL)
        return failure_memory(failure, count * size, "the lists of a project");
    if (count > 0)
        memcpy(*to, from, count * size);
    return 0;
}

static int copy_texts(const struct option_texts *from, struct option_texts *to, struct failure *failure)
{
    void *text;
    TRY(copy_list(from->text, from->count, sizeof *from->text, &text, failure));
    *to = (struct option_texts){.count = from->count, .text = text};
    return 0;
}

static int copy_places(const struct option_places *from, struct option_places *to, struct failure *failure)
{
    void *place;
    TRY(copy_list(from->place, from->count, sizeof *from->place, &place, failure));
    *to = (struct option_places){from->count, place};
    return 0;
}

static int copy_grids(const struct option_grids *from, struct option_grids *to, struct failure *failure)
{
    void *grid;
    TRY(copy_list(from->grid, from->count, sizeof *from->grid, &grid, failure));
    *to = (struct option_grids){.grid = grid};
    for (; to->count < from->count; to->count++) {
        void *corner;
        TRY(copy_list(from->grid[to->count].corner, from->grid[to->count].corners, sizeof *from->grid->corner,
                      &corner, failure));
        to->grid[to->count].corner = corner;
    }
    return 0;
}

static int copy_value(const struct option_spec *spec, const struct options *from, struct options *to,
                      struct failure *failure)
{
    const void *source = (const char *)from + spec->at;
    void *target = (char *)to + spec->at;
    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)target = *(const bool *)source;
        break;
    case OPTION_COUNT:
        *(int64_t *)target = *(const int64_t *)source;
        break;
    case OPTION_WORD:
        *(int *)target = *(const int *)source;
        break;
    case OPTION_TEXT:
        *(const char **)target = *(const char *const *)source;
        break;
    case OPTION_POINT:
        *(struct option_point *)target = *(const struct option_point *)source;
        break;
    case OPTION_TEXTS:
        return copy_texts(source, target, failure);
    case OPTION_PLACES:
        return copy_places(source, target, failure);
    case OPTION_GRIDS:
        return copy_grids(source, target, failure);
    default:
        *(double *)target = *(const double *)source;
        break;
    }
    return 0;
}

/* Does the command line rule the project's value out? */
static bool is_overridden(const struct options *options, const char *name)
{
    return options_given(options, name) ||
           (strcmp(name, "look") == 0 && options_given(options, "receiver")) ||
           (strcmp(name, "points-per-wavelength") == 0 && options_given(options, "spacing")) ||
           (strcmp(name, "spacing") == 0 && options_given(options, "points-per-wavelength"));
}

int project_apply(struct project *project, struct options *options, struct failure *failure)
{
    const struct options *value = &project->value;
    bool take[OPTIONS_MAX] = {false};
    project->material.file_first = options_given(options, "materials");
    for (size_t e = 0; options_given(options, "audience") && e < project->material.count; e++)
        project->material.entry[e].audience = NAN;
    for (size_t i = 0; i < option_table_count; i++)
        take[i] = value->given[i] && !is_overridden(options, option_table[i].name);
    for (size_t i = 0; i < option_table_count; i++) {
        if (!take[i])
            continue;
        TRY(copy_value(&option_table[i], value, options, failure));
        options->given[i] = true;
    }
    options->subject = project->shape != NULL ? project->file : value->subject;
    options->project = project;
    return 0;
}

int project_take(struct options *options, struct project **out, struct failure *failure)
{
    *out = NULL;
    if (options->subject == NULL || !project_is_file(options->subject)) {
        if (options->variant != NULL)
            return failure_set(failure, FAILURE_INPUT,
                               "--variant %.100s is for a project (.yaml), and %s is not one",
                               options->variant, options->subject != NULL ? options->subject : "the room");
        return 0;
    }
    if (options->variant != NULL && strcmp(options->variant, PROJECT_ALL) == 0)
        return failure_set(failure, FAILURE_INPUT, "--variant all is for simulate: name one of the variants");
    TRY(project_open(options->subject, options->variant, out, failure));
    return project_apply(*out, options, failure);
}
