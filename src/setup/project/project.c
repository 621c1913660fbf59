#include "src/setup/project/project.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/regular_file.h"
#include "rooms/text/table_text.h"
#include "rooms/text/yaml_tree.h"
#include "geometry/base/byte_hash.h"
#include "src/base/options/scheme_options.h"
#include "src/setup/project/project_input.h"
#include "src/setup/project/project_readers.h"
#include "src/setup/project/project_schema.h"

/* ---- reading ---- */

/* Make the project with `variant` put over it (NULL: without one); if not `whole`, the values of the
 * variant alone. */
static int make_project(const struct yaml_tree *tree, const char *path, uint64_t hash,
                        const struct yaml_spot *variant, bool whole, struct project **out,
                        struct failure *failure)
{
    struct project *project = *out = calloc(1, sizeof *project);
    struct project_reader reader = {.tree = tree, .project = project};
    int code = 0;
    if (project == NULL || (project->file = strdup(path)) == NULL)
        code = failure_memory(failure, sizeof *project, "a project");
    else
        project->hash = hash;
    if (code == 0 && whole)
        code = project_read_base(&reader, failure);
    if (code == 0 && variant != NULL) {
        project_variant_name(variant->key, project->name);
        code = project_read_variant(&reader, variant, failure);
    }
    if (code != 0) {
        project_close(project);
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
        project_variant_name(entry.key, project->variant[project->variants]);
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
        return failure_set(failure, FAILURE_INPUT, "there is no variant %.100s: %s has no variants", wanted,
                           project->file);
    const char *nearest = options_nearest(wanted, name, project->variants);
    return failure_set(failure, FAILURE_INPUT, "%s has no variant %.100s%s%s%s it has %s", project->file,
                       wanted, nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "?" : ";", list);
}

/* Collect the mistakes of the project and all its variants. Without any, the project without a variant is
 * returned. */
static int read_base(const struct yaml_tree *tree, const char *path, uint64_t hash,
                     struct yaml_spot *variants, struct project **out, struct failure *failure)
{
    struct yaml_spot entry;
    int code = 0;
    ALSO(code, failure, make_project(tree, path, hash, NULL, true, out, &next));
    ALSO(code, failure, project_find_variants(tree, variants, &next));
    const bool readable = variants->node != NULL && yaml_spot_kind(variants) == YAML_MAP;
    for (size_t v = 0; readable && v < yaml_spot_count(variants) && v < PROJECT_VARIANTS_MAX; v++) {
        struct project *variant = NULL;
        TRY(yaml_spot_entry(variants, v, &entry, failure));
        ALSO(code, failure, make_project(tree, path, hash, &entry, false, &variant, &next));
        project_close(variant);
    }
    if (code == FAILURE_INPUT)
        ALSO(code, failure, project_refuse_materials(tree, &next));
    return code;
}

/* Every variant is read, so that a mistake is found before the first run; the requested one is kept. */
static int read_all(const struct yaml_tree *tree, const char *path, uint64_t hash, const char *wanted,
                    struct project **out, struct failure *failure)
{
    struct yaml_spot variants, entry;
    TRY(read_base(tree, path, hash, &variants, out, failure));
    TRY(keep_names(*out, &variants, failure));
    char name[OPTION_NAME_MAX];
    if (wanted != NULL && strlen(wanted) < OPTION_NAME_MAX)
        wanted = project_variant_name(wanted, name);
    bool found = wanted == NULL || strcmp(wanted, PROJECT_BASE) == 0;
    for (size_t v = 0; v < (*out)->variants; v++) {
        struct project *base = *out, *other = NULL;
        if (found || strcmp(base->variant[v], wanted) != 0)
            continue;
        TRY(yaml_spot_entry(&variants, v, &entry, failure));
        TRY(make_project(tree, path, hash, &entry, true, &other, failure));
        found = true;
        other->variants = base->variants;
        other->variant = base->variant;
        base->variant = NULL;
        *out = other;
        project_close(base);
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
    char *own = NULL;
    const char *bytes = NULL;
    size_t count = 0;
    *out = NULL;
    const bool input = project_is_input(path);
    int code = input ? project_input_read(PROJECT_BYTES_MOST, &bytes, &count, failure)
                     : regular_file_read(path, PROJECT_BYTES_MOST, &own, &count, failure);
    if (input)
        path = PROJECT_INPUT_TITLE;
    else
        bytes = own;
    if (code == 0)
        code = yaml_tree_read(bytes, count, path, &form, &tree, failure);
    if (code == 0)
        code = read_all(tree, path, hash_bytes(HASH_START, bytes, count), variant, out, failure);
    free(own);
    yaml_tree_free(tree);
    if (code != 0) {
        project_close(*out);
        *out = NULL;
    }
    return code;
}

/* ---- applying ---- */

/* Bytes of a value by its kind. */
static const size_t size_of_kind[] = {
    [OPTION_FLAG] = sizeof(bool),
    [OPTION_NUMBER] = sizeof(double),
    [OPTION_FREQUENCY] = sizeof(double),
    [OPTION_LENGTH] = sizeof(double),
    [OPTION_TIME] = sizeof(double),
    [OPTION_COUNT] = sizeof(int64_t),
    [OPTION_WORD] = sizeof(int),
    [OPTION_TEXT] = sizeof(const char *),
    [OPTION_TEXTS] = sizeof(struct option_texts),
    [OPTION_POINT] = sizeof(struct option_point),
    [OPTION_PLACES] = sizeof(struct option_places),
    [OPTION_GRIDS] = sizeof(struct option_grids),
};

/* Lists move to the new owner. */
static void move_value(const struct option_spec *spec, struct options *from, struct options *to)
{
    void *source = (char *)from + spec->at;
    memcpy((char *)to + spec->at, source, size_of_kind[spec->kind]);
    if (spec->share_at != 0)
        memcpy((char *)to + spec->share_at, (char *)from + spec->share_at, sizeof(double));
    if (spec->kind == OPTION_TEXTS || spec->kind == OPTION_PLACES || spec->kind == OPTION_GRIDS)
        memset(source, 0, size_of_kind[spec->kind]);
}

/* Options that each set the spacing for an fmax alone. */
static const char *const of_spacing[] = {"spacing", "points-per-wavelength", "quality"};
#define OF_SPACING (sizeof of_spacing / sizeof of_spacing[0])

static bool sets_spacing(const char *name)
{
    bool sets = false;
    for (size_t i = 0; i < OF_SPACING; i++)
        sets = sets || strcmp(name, of_spacing[i]) == 0;
    return sets;
}

static bool gives_spacing(const struct options *options)
{
    bool gives = false;
    for (size_t i = 0; i < OF_SPACING; i++)
        gives = gives || options_given(options, of_spacing[i]);
    return gives;
}

/* True if the command line overrides the project's value. */
static bool is_overridden(const struct options *options, const char *name)
{
    return options_given(options, name) ||
           (strcmp(name, "look") == 0 && options_given(options, "receiver")) ||
           ((strcmp(name, "directivity") == 0 || strcmp(name, "aim") == 0 || strcmp(name, "together") == 0 ||
             strcmp(name, "array") == 0) &&
            options_given(options, "source")) ||
           (sets_spacing(name) && gives_spacing(options));
}

void project_apply(struct project *project, struct options *options)
{
    bool take[OPTIONS_MAX];
    project->material.file_first = options_given(options, "materials");
    for (size_t e = 0; options_given(options, "audience") && e < project->material.count; e++)
        project->material.entry[e].audience = NAN;
    for (size_t i = 0; i < option_table_count; i++)
        take[i] = project->value.given[i] && !is_overridden(options, option_table[i].name);
    /* The spacing and height of a grid are the project's own values. */
    const bool given_grids = options_given(options, "receiver-grid");
    const bool spacing = options_given(options, "grid-spacing"),
               height = options_given(options, "grid-height");
    for (size_t i = 0; i < option_table_count; i++)
        if (take[i]) {
            move_value(&option_table[i], &project->value, options);
            options_set_given(options, &option_table[i]);
        }
    for (size_t g = 0; !given_grids && g < options->request.points.receiver_grid.count; g++) {
        struct option_grid *grid = &options->request.points.receiver_grid.grid[g];
        grid->spacing = spacing ? 0 : grid->spacing;
        grid->height = height ? 0 : grid->height;
    }
    options->subject = options->request.model.file =
        project->shape != NULL ? project->file : project->value.subject;
    options->request.model.project = project;
}
