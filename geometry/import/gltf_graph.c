#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/import/gltf_parts.h"

/* The forest of nodes, roots first. */
struct graph {
    struct gltf_parts *parts;
    uint32_t *parent; /* (nodes) GLTF_NONE: none */
    uint32_t *order;  /* (nodes) parents before their children */
    uint16_t *depth;  /* (nodes) */
    bool *shown;      /* (nodes) in the scene */
};

/* The list `key` must have exactly `count` numbers, each within the range of a float. */
static int check_numbers(const struct gltf_parts *parts, size_t node, const char *key, int count)
{
    int found = 0;
    const cJSON *item, *list = gltf_item(parts->nodes.item[node], key);
    if (list == NULL)
        return 0;
    if (!cJSON_IsArray(list))
        return gltf_refuse(parts, "nodes", node, "%s is not a list", key);
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) <= (double)FLT_MAX))
            return gltf_refuse(parts, "nodes", node, "%s contains a value outside the range of a float", key);
        ++found;
    }
    if (found != count)
        return gltf_refuse(parts, "nodes", node, "%s holds %d numbers, not %d", key, found, count);
    return 0;
}

static int check_node(struct graph *graph, size_t node)
{
    struct gltf_parts *parts = graph->parts;
    const cJSON *item = parts->nodes.item[node];
    uint32_t mesh;
    TRY(gltf_read_reference(parts, "nodes", node, item, "mesh", parts->meshes.count, &mesh));
    TRY(check_numbers(parts, node, "matrix", 16));
    TRY(check_numbers(parts, node, "translation", 3));
    TRY(check_numbers(parts, node, "rotation", 4));
    TRY(check_numbers(parts, node, "scale", 3));
    const cJSON *child, *children = gltf_item(item, "children");
    if (children != NULL && !cJSON_IsArray(children))
        return gltf_refuse(parts, "nodes", node, "children is not a list");
    cJSON_ArrayForEach(child, children)
    {
        double number;
        if (!gltf_is_index(child, parts->nodes.count, &number))
            return gltf_refuse(parts, "nodes", node,
                               "a child is %.17g, but the file has %zu nodes, counted from 0", number,
                               parts->nodes.count);
        const size_t at = (size_t)number;
        if (graph->parent[at] != GLTF_NONE)
            return gltf_refuse(parts, "nodes", at, "it has two parents, nodes[%u] and nodes[%zu]",
                               graph->parent[at], node);
        graph->parent[at] = (uint32_t)node;
    }
    return 0;
}

/* Every node has at most one parent here, so nodes that no root reaches form a circle. */
static int order_nodes(struct graph *graph)
{
    const struct gltf_parts *parts = graph->parts;
    size_t ordered = 0;
    for (size_t node = 0; node < parts->nodes.count; ++node)
        if (graph->parent[node] == GLTF_NONE)
            graph->order[ordered++] = (uint32_t)node;
    for (size_t next = 0; next < ordered; ++next) {
        const size_t node = graph->order[next];
        const cJSON *child, *children = gltf_item(parts->nodes.item[node], "children");
        cJSON_ArrayForEach(child, children)
        {
            const size_t at = (size_t)child->valuedouble;
            graph->depth[at] = (uint16_t)(graph->depth[node] + 1);
            if (graph->depth[at] > GLTF_NODE_DEPTH_MAX)
                return gltf_refuse(parts, "nodes", at,
                                   "nodes are nested deeper than %d: flatten the model and export it again",
                                   GLTF_NODE_DEPTH_MAX);
            graph->order[ordered++] = (uint32_t)at;
        }
    }
    if (ordered == parts->nodes.count)
        return 0;
    size_t node = 0;
    while (graph->parent[node] == GLTF_NONE || graph->depth[node] > 0)
        ++node;
    return gltf_refuse(parts, "nodes", node,
                       "it is its own ancestor, or below such a node: nodes must form a tree");
}

static int check_roots(struct graph *graph)
{
    const struct gltf_parts *parts = graph->parts;
    const cJSON *root, *roots = gltf_item(parts->scene, "nodes");
    if (roots != NULL && !cJSON_IsArray(roots))
        return failure_set(parts->failure, FAILURE_INPUT, "the scene's nodes are not a list");
    cJSON_ArrayForEach(root, roots)
    {
        double number;
        if (!gltf_is_index(root, parts->nodes.count, &number))
            return failure_set(parts->failure, FAILURE_INPUT,
                               "the scene refers to node %.17g, but the file has %zu of them, counted from 0",
                               number, parts->nodes.count);
        const size_t at = (size_t)number;
        if (graph->shown[at] || graph->parent[at] != GLTF_NONE)
            return gltf_refuse(parts, "nodes", at,
                               graph->shown[at] ? "the scene lists it twice"
                                                : "the scene lists it, but it is a child of another node");
        graph->shown[at] = true;
    }
    return 0;
}

/* Nodes of the scene that are left out or changed. */
struct oddities {
    size_t hidden, skins, morphs;
    char names[200]; /* names of the first hidden nodes, quoted */
};

static void note_oddities(const struct gltf_parts *parts, const struct oddities *odd)
{
    if (odd->hidden > 0)
        import_notes_add(parts->notes, IMPORT_HARMLESS, NULL,
                         "%zu hidden node%s left out, with all below (KHR_node_visibility)%s%s", odd->hidden,
                         odd->hidden == 1 ? "" : "s", odd->names[0] != '\0' ? ": " : "", odd->names);
    if (odd->skins > 0)
        import_notes_add(parts->notes, IMPORT_DOUBTFUL, "apply the pose and export it again",
                         "%zu part%s moved by joints (skins), which is not read: the stored form is used",
                         odd->skins, odd->skins == 1 ? " is" : "s are");
    if (odd->morphs > 0)
        import_notes_add(parts->notes, IMPORT_DOUBTFUL, "apply the shape keys and export it again",
                         "%zu part%s deformed by morph targets, which is not read: the stored form is used",
                         odd->morphs, odd->morphs == 1 ? " is" : "s are");
}

static void add_hidden(const cJSON *item, struct oddities *odd)
{
    const size_t used = strlen(odd->names);
    const cJSON *name = gltf_item(item, "name");
    if (++odd->hidden <= 3 && cJSON_IsString(name))
        (void)snprintf(odd->names + used, sizeof odd->names - used, "%s\"%.50s\"", used > 0 ? ", " : "",
                       name->valuestring);
}

/* Instances become nodes after those of the file. */
static int add_instances(struct gltf_parts *parts, size_t node, uint32_t mesh, uint64_t *times)
{
    struct gltf_instances instances;
    TRY(gltf_read_instances(parts, node, &instances));
    *times = 1;
    if (instances.count == 0)
        return 0;
    *times = instances.count;
    if (instances.count > GLTF_NODES_MAX - parts->nodes.count - parts->placed)
        return gltf_refuse(parts, "nodes", node,
                           "with its %llu instances the file has more than %u nodes: export it simpler",
                           (unsigned long long)instances.count, GLTF_NODES_MAX);
    instances.mesh = mesh;
    instances.first = parts->nodes.count + parts->placed;
    parts->placed += (size_t)instances.count;
    parts->instanced[node] = (uint32_t)parts->instances_count;
    parts->instances[parts->instances_count++] = instances;
    return 0;
}

static int count_instances(struct graph *graph)
{
    struct gltf_parts *parts = graph->parts;
    struct oddities odd = {0};
    for (size_t k = 0; k < parts->nodes.count; ++k) {
        const size_t node = graph->order[k];
        const cJSON *item = parts->nodes.item[node];
        const uint32_t parent = graph->parent[node];
        uint32_t mesh;
        if (parent != GLTF_NONE) {
            graph->shown[node] = graph->shown[parent];
            parts->hidden[node] = parts->hidden[parent];
        }
        if (graph->shown[node] && !parts->hidden[node] && gltf_is_hidden(item)) {
            add_hidden(item, &odd);
            parts->hidden[node] = true;
        }
        TRY(gltf_read_reference(parts, "nodes", node, item, "mesh", parts->meshes.count, &mesh));
        if (!graph->shown[node] || parts->hidden[node] || mesh == GLTF_NONE || parts->mesh[mesh].count == 0)
            continue;
        uint64_t times;
        TRY(add_instances(parts, node, mesh, &times));
        odd.skins += gltf_item(item, "skin") != NULL;
        odd.morphs += gltf_is_morphed(parts, item, mesh);
        TRY(gltf_add_elements(parts, times, parts->mesh[mesh].vertices, parts->mesh[mesh].triangles));
    }
    note_oddities(parts, &odd);
    return 0;
}

static size_t count_instanced(const struct gltf_parts *parts)
{
    size_t count = 0;
    for (size_t node = 0; node < parts->nodes.count; ++node)
        count += gltf_item(parts->nodes.item[node], "extensions") != NULL;
    return count;
}

int gltf_check_graph(struct gltf_parts *parts)
{
    int status = 0;
    const size_t count = parts->nodes.count + 1;
    struct graph graph = {.parts = parts,
                          .parent = malloc(count * sizeof graph.parent[0]),
                          .order = malloc(count * sizeof graph.order[0]),
                          .depth = calloc(count, sizeof graph.depth[0]),
                          .shown = calloc(count, sizeof graph.shown[0])};
    parts->hidden = calloc(count, sizeof parts->hidden[0]);
    parts->instanced = malloc(count * sizeof parts->instanced[0]);
    parts->instances = calloc(count_instanced(parts) + 1, sizeof parts->instances[0]);
    if (graph.parent == NULL || graph.order == NULL || graph.depth == NULL || graph.shown == NULL ||
        parts->hidden == NULL || parts->instanced == NULL || parts->instances == NULL) {
        status = failure_memory(parts->failure, count * 16, "the nodes of a glTF file");
        goto done;
    }
    for (size_t node = 0; node < count; ++node)
        graph.parent[node] = parts->instanced[node] = GLTF_NONE;
    for (size_t node = 0; status == 0 && node < parts->nodes.count; ++node)
        status = check_node(&graph, node);
    if (status != 0 || (status = order_nodes(&graph)) != 0 || (status = check_roots(&graph)) != 0)
        goto done;
    status = count_instances(&graph);
done:
    free(graph.parent);
    free(graph.order);
    free(graph.depth);
    free(graph.shown);
    return status;
}
