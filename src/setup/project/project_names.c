/* Checks names of the library in a project with other mistakes. If its model can be read, they are
 * checked with the model. */
#include <string.h>

#include "rooms/materials/surfaces.h"
#include "src/setup/project/project_readers.h"

/* The value of a key of a mapping; `node` is NULL for a missing key. */
static struct yaml_spot value_of(const struct yaml_spot *map, const char *key)
{
    struct yaml_spot entry = {0};
    for (size_t i = 0; map->node != NULL && yaml_spot_kind(map) == YAML_MAP && i < yaml_spot_count(map); i++)
        if (yaml_spot_entry(map, i, &entry, NULL) == 0 && strcmp(entry.key, key) == 0)
            return entry;
    return (struct yaml_spot){0};
}

/* The library's name for a surface of `materials`; false without one. */
static bool find_name(const struct yaml_spot *surface, struct yaml_spot *at, char name[ABSORPTION_NAME_MAX])
{
    double uncertainty;
    *at = yaml_spot_kind(surface) == YAML_SCALAR ? *surface : value_of(surface, "library");
    const char *text = at->node != NULL ? yaml_spot_text(at) : "";
    return !absorption_is_number(text) && absorption_read_name(text, name, &uncertainty);
}

static int refuse_names(const struct material_library *library, const struct yaml_spot *materials,
                        struct failure *failure)
{
    const struct surface_table none = {0};
    int code = 0;
    for (size_t i = 0;
         materials->node != NULL && yaml_spot_kind(materials) == YAML_MAP && i < yaml_spot_count(materials);
         i++) {
        struct yaml_spot surface, at;
        char name[ABSORPTION_NAME_MAX];
        struct failure why;
        if (yaml_spot_entry(materials, i, &surface, NULL) != 0 || !find_name(&surface, &at, name) ||
            material_library_find(library, name) != NULL)
            continue;
        (void)surface_refuse_material(&none, library, name, &why);
        ALSO(code, failure, yaml_refuse(&at, &next, "is %.100s: %s", name, why.sentence));
    }
    return code;
}

int project_refuse_materials(const struct yaml_tree *tree, struct failure *failure)
{
    const struct yaml_spot top = yaml_tree_top(tree), variants = value_of(&top, "variants");
    struct yaml_spot materials = value_of(&top, "materials"), variant;
    struct material_library library = {0};
    if (value_of(&top, "materials_file").node != NULL)
        return 0;
    TRY(material_library_load(&library, failure));
    int code = 0;
    ALSO(code, failure, refuse_names(&library, &materials, &next));
    for (size_t v = 0;
         variants.node != NULL && yaml_spot_kind(&variants) == YAML_MAP && v < yaml_spot_count(&variants);
         v++)
        if (yaml_spot_entry(&variants, v, &variant, NULL) == 0) {
            materials = value_of(&variant, "materials");
            ALSO(code, failure, refuse_names(&library, &materials, &next));
        }
    material_library_free(&library);
    return code;
}
