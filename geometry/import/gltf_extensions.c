/* Extensions of a glTF file: each is read here, does not change the room's shape, or is reported. */
#include <stdlib.h>
#include <string.h>

#include "geometry/import/gltf_parts.h"

enum meaning {
    HARMLESS, /* appearance, light, sound, behaviour, or a second form of the same data */
    READ,     /* read here, or checked where it is used */
    PACKED,   /* packs positions and indices: harmless if the file has them unpacked, too, which is checked */
};

/* A star matches any ending. */
static const struct {
    const char *name;
    enum meaning meaning;
} extensions[] = {
    {"EXT_mesh_gpu_instancing", READ},
    {"KHR_node_visibility", READ},
    {"KHR_mesh_quantization", READ}, /* positions must be floats: check_used() of gltf_check.c */
    {"KHR_draco_mesh_compression", PACKED},
    {"EXT_meshopt_compression", PACKED},
    {"KHR_meshopt_compression", PACKED},
    {"KHR_materials_*", HARMLESS},
    {"EXT_materials_*", HARMLESS},
    {"ADOBE_materials_*", HARMLESS},
    {"NV_materials_*", HARMLESS},
    {"KHR_texture_*", HARMLESS},
    {"EXT_texture_*", HARMLESS},
    {"MSFT_texture_*", HARMLESS},
    {"MSFT_packing_*", HARMLESS},
    {"KHR_techniques_webgl", HARMLESS},
    {"KHR_lights_*", HARMLESS},
    {"EXT_lights_*", HARMLESS},
    {"KHR_audio*", HARMLESS},
    {"MSFT_audio_*", HARMLESS},
    {"KHR_animation_pointer", HARMLESS},
    {"KHR_interactivity", HARMLESS},
    {"KHR_node_selectability", HARMLESS},
    {"KHR_node_hoverability", HARMLESS},
    {"KHR_physics_*", HARMLESS},
    {"KHR_implicit_shapes", HARMLESS},
    {"KHR_xmp*", HARMLESS},
    {"MSFT_lod", HARMLESS}, /* the node itself is the finest level */
    {"EXT_mesh_features", HARMLESS},
    {"EXT_instance_features", HARMLESS},
    {"EXT_structural_metadata", HARMLESS},
    {"EXT_mesh_manifold", HARMLESS},
    {"FB_*", HARMLESS},
    {"CESIUM_primitive_outline", HARMLESS},
    {"CESIUM_RTC", HARMLESS}, /* place of the whole model on the globe */
    {"GODOT_single_root", HARMLESS},
    {"OMI_*", HARMLESS},
    {"VRM*", HARMLESS},
};
enum { KNOWN = sizeof extensions / sizeof extensions[0] };

static size_t find_extension(const char *name)
{
    size_t e = 0;
    for (; e < KNOWN; ++e) {
        const char *known = extensions[e].name;
        const size_t length = strcspn(known, "*");
        if (strncmp(name, known, length) == 0 && (known[length] == '*' || name[length] == '\0'))
            break;
    }
    return e;
}

static int check_names(const struct gltf_parts *parts, const char *key, const cJSON **list)
{
    const cJSON *extension;
    *list = gltf_item(parts->root, key);
    cJSON_ArrayForEach(extension, *list) if (!cJSON_IsString(extension)) return failure_set(
        parts->failure, FAILURE_INPUT, "%s contains something other than a name", key);
    return 0;
}

int gltf_check_extensions(const struct gltf_parts *parts)
{
    const cJSON *extension, *required, *used;
    TRY(check_names(parts, "extensionsRequired", &required));
    TRY(check_names(parts, "extensionsUsed", &used));
    cJSON_ArrayForEach(extension, required)
    {
        const size_t e = find_extension(extension->valuestring);
        if (e < KNOWN && extensions[e].meaning != PACKED)
            continue;
        return failure_set(parts->failure, FAILURE_INPUT,
                           "it requires the extension %.60s, which is not read: export it without "
                           "compression, quantization and "
                           "the like",
                           extension->valuestring);
    }
    cJSON_ArrayForEach(extension, used) if (find_extension(extension->valuestring) == KNOWN) import_notes_add(
        parts->notes, IMPORT_DOUBTFUL, "export it without, if it changes the room's shape",
        "the extension %.60s is unknown: what it adds or changes is left out", extension->valuestring);
    return 0;
}

static const cJSON *extension_of(const cJSON *object, const char *name)
{
    return gltf_item(gltf_item(object, "extensions"), name);
}

const char *gltf_packed_by(const cJSON *object)
{
    for (size_t e = 0; e < KNOWN; ++e)
        if (extensions[e].meaning == PACKED && extension_of(object, extensions[e].name) != NULL)
            return extensions[e].name;
    return NULL;
}

bool gltf_is_hidden(const cJSON *node)
{
    return cJSON_IsFalse(gltf_item(extension_of(node, "KHR_node_visibility"), "visible"));
}

/* ---- instances ---- */

/* Find the values of `key`, of `components` numbers each. */
static int read_values(struct gltf_parts *parts, size_t node, const cJSON *attributes, const char *key,
                       unsigned components, struct gltf_instances *instances, struct gltf_values *values)
{
    uint32_t a;
    TRY(gltf_read_reference(parts, "nodes", node, attributes, key, parts->accessors.count, &a));
    if (a == GLTF_NONE)
        return 0;
    const struct gltf_accessor *accessor = &parts->accessor[a];
    /* Only rotations may be whole numbers, which mean -1 to 1. */
    const bool is_rotation = components == 4;
    const unsigned bytes = gltf_component_bytes(accessor->component);
    if (accessor->sparse || accessor->view == GLTF_NONE)
        return gltf_refuse(
            parts, "accessors", a,
            "it is %s of the instances of nodes[%zu] and sparse or without bufferView, which is not "
            "read: export it without",
            key, node);
    if (accessor->components != components ||
        !(accessor->component == GLTF_FLOAT ||
          (is_rotation && (accessor->component == GLTF_BYTE || accessor->component == GLTF_SHORT))))
        return gltf_refuse(parts, "accessors", a, "%s of the instances of nodes[%zu] must be VEC%u of floats",
                           key, node, components);
    if (instances->count != 0 && instances->count != accessor->count)
        return gltf_refuse(
            parts, "nodes", node,
            "its instances have %llu values in one attribute and %llu in %s: they must be as many",
            (unsigned long long)instances->count, (unsigned long long)accessor->count, key);
    const struct gltf_view *view = &parts->view[accessor->view];
    if (parts->no_data[view->buffer] != NULL)
        return gltf_refuse(parts, "accessors", a,
                           "its data are compressed by %s, which is not read: export it "
                           "without",
                           parts->no_data[view->buffer]);
    parts->needed[view->buffer] = true;
    instances->count = accessor->count;
    *values = (struct gltf_values){.components = components,
                                   .component = accessor->component,
                                   .bytes = bytes,
                                   .buffer = view->buffer,
                                   .offset = view->offset + accessor->offset,
                                   .stride = view->stride == 0 ? (uint64_t)components * bytes : view->stride};
    return 0;
}

int gltf_read_instances(struct gltf_parts *parts, size_t node, struct gltf_instances *out)
{
    const cJSON *attributes =
        gltf_item(extension_of(parts->nodes.item[node], "EXT_mesh_gpu_instancing"), "attributes");
    struct gltf_instances instances = {.node = node};
    TRY(read_values(parts, node, attributes, "TRANSLATION", 3, &instances, &instances.value[0]));
    TRY(read_values(parts, node, attributes, "ROTATION", 4, &instances, &instances.value[1]));
    TRY(read_values(parts, node, attributes, "SCALE", 3, &instances, &instances.value[2]));
    *out = instances;
    return 0;
}

/* ---- morph targets and variants ---- */

static bool has_weights(const cJSON *list)
{
    const cJSON *weight;
    cJSON_ArrayForEach(weight, list) if (cJSON_IsNumber(weight) && weight->valuedouble != 0) return true;
    return false;
}

/* Weights of a node replace those of its mesh. */
bool gltf_is_morphed(const struct gltf_parts *parts, const cJSON *node, uint32_t mesh)
{
    const cJSON *primitive, *own = gltf_item(node, "weights"), *of_mesh = parts->meshes.item[mesh];
    if (!has_weights(own != NULL ? own : gltf_item(of_mesh, "weights")))
        return false;
    cJSON_ArrayForEach(primitive, gltf_item(of_mesh, "primitives")) if (gltf_item(primitive, "targets") !=
                                                                        NULL) return true;
    return false;
}

void gltf_note_variants(const struct gltf_parts *parts)
{
    const cJSON *variants = gltf_item(extension_of(parts->root, "KHR_materials_variants"), "variants");
    if (variants == NULL || variants->child == NULL)
        return;
    const cJSON *first = gltf_item(variants->child, "name");
    import_notes_add(
        parts->notes, IMPORT_HARMLESS, NULL,
        "its materials have %d variants (KHR_materials_variants; the first is called \"%.60s\"): the "
        "material that each surface has without a variant is taken",
        cJSON_GetArraySize(variants), cJSON_IsString(first) ? first->valuestring : "");
}
