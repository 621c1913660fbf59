#include "blocks/sheets/sheet_links.h"

#include <math.h>
#include <stdlib.h>

#include "blocks/block_grid.h"

static int by_place(const void *one, const void *two)
{
    const struct sheet_link *a = one, *b = two;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    return (int)a->axis - (int)b->axis;
}

static bool is_open(const struct block_grid *grid, block_id b, unsigned slot, unsigned axis)
{
    return (grid->tile[grid->block[b].tile][slot] >> (2 * axis + 1) & 1) != 0;
}

static bool find_link(const struct block_grid *grid, const struct sheet_cut *cut, struct sheet_link *out)
{
    const uint64_t index = block_grid_index(grid, cut->node);
    if (index == UINT64_MAX ||
        !is_open(grid, (block_id)(index / BLOCK_NODES), (unsigned)(index % BLOCK_NODES), cut->axis))
        return false;
    *out = (struct sheet_link){
        .block = (uint32_t)(index / BLOCK_NODES),
        .slot = (uint16_t)(index % BLOCK_NODES),
        .material = cut->material,
        .layers = (float)cut->layers,
        .axis = cut->axis,
        .sheets = cut->sheets,
    };
    return true;
}

/* True if a wall leaves less than half of the link's face, so that the link itself lies in the wall. */
static bool in_wall(const struct block_grid *grid, const struct sheet_link *link)
{
    const struct block *block = &grid->block[link->block];
    return grid->has_records &&
           (grid->marks[block->tile].cut[link->slot >> 6] >> (link->slot & 63) & 1) != 0 &&
           2 * grid->cut[block_cut_record(grid, link->block, link->slot)].open[2 * link->axis + 1] <
               CUT_WHOLE;
}

int block_grid_hang(struct block_grid *grid, const struct sheet_cuts *cuts, sheet_share *share,
                    const void *of, struct failure *failure)
{
    const size_t most = cuts->count + cuts->edge_count;
    uint64_t count = 0, all;
    if (most == 0)
        return 0;
    struct sheet_link *sheet = calloc(most, sizeof *sheet);
    if (sheet == NULL)
        return failure_memory(failure, most * sizeof *sheet, "the links that sheets cut");
    for (size_t n = 0; n < cuts->count; n++)
        count += find_link(grid, &cuts->cut[n], &sheet[count]);
    qsort(sheet, count, sizeof *sheet, by_place);
    all = count;
    for (size_t n = 0; n < cuts->edge_count; n++)
        if (find_link(grid, &cuts->edge[n], &sheet[all]) && in_wall(grid, &sheet[all]) &&
            bsearch(&sheet[all], sheet, count, sizeof *sheet, by_place) == NULL)
            all++;
    qsort(sheet + count, all - count, sizeof *sheet, by_place);
    for (uint64_t n = count; n < all; n++) /* a link in a corner may be cut beside it twice */
        if (count == 0 || by_place(&sheet[count - 1], &sheet[n]) != 0)
            sheet[count++] = sheet[n];
    qsort(sheet, count, sizeof *sheet, by_place);
    for (uint64_t n = 0; n < count; n++) {
        const double part = share(of, sheet[n].material, (double)sheet[n].layers);
        sheet[n].share = (uint8_t)floor(CUT_WHOLE * fmin(fmax(part, 0), 1));
    }
    free(grid->sheet);
    grid->sheet = sheet;
    grid->sheets = count;
    return 0;
}

const struct sheet_link *sheet_link_at(const struct block_grid *grid, const int64_t node[3],
                                       enum direction direction)
{
    const unsigned axis = (unsigned)direction / 2;
    int64_t low[3] = {node[0], node[1], node[2]};
    if (grid->sheets == 0)
        return NULL;
    low[axis] -= direction % 2 == 0;
    const uint64_t index = block_grid_index(grid, low);
    if (index == UINT64_MAX)
        return NULL;
    const struct sheet_link wanted = {.block = (uint32_t)(index / BLOCK_NODES),
                                      .slot = (uint16_t)(index % BLOCK_NODES),
                                      .axis = (uint8_t)axis};
    return bsearch(&wanted, grid->sheet, grid->sheets, sizeof wanted, by_place);
}

uint8_t sheet_links_past(const struct block_grid *grid, const int64_t node[3])
{
    uint8_t links = block_grid_links(grid, node);
    for (unsigned d = 0; grid->sheets > 0 && d < 6; d++)
        if (sheet_link_at(grid, node, (enum direction)d) != NULL)
            links &= (uint8_t) ~(1u << d);
    return links;
}

static int check_law(const struct sheet_law *law, uint32_t material, struct failure *failure)
{
    if (!(law->resistance >= 0 && law->mass >= 0 && law->pores_resistance >= 0 && law->pores_mass >= 0) ||
        !isfinite(law->resistance) || !isfinite(law->mass) || !isfinite(law->pores_resistance))
        return failure_set(failure, FAILURE_INPUT,
                           "the sheet of material %u has resistances of %g and %g and masses of %g and %g: "
                           "they must be finite and not negative",
                           material, law->resistance, law->pores_resistance, law->mass, law->pores_mass);
    return 0;
}

int block_grid_give_laws(struct block_grid *grid, const struct sheet_law *law, uint32_t laws,
                         struct failure *failure)
{
    for (uint32_t m = 0; m < laws; m++)
        TRY(check_law(&law[m], m, failure));
    struct sheet_law *copy = malloc((laws + 1) * sizeof *copy);
    if (copy == NULL)
        return failure_memory(failure, laws * sizeof *copy, "the laws of sheets");
    for (uint32_t m = 0; m < laws; m++)
        copy[m] = law[m];
    free(grid->law);
    grid->law = copy;
    grid->laws = laws;
    return 0;
}

double sheet_links_area(const struct block_grid *grid, uint16_t material)
{
    double area = 0;
    for (uint64_t n = 0; n < grid->sheets; n++)
        if (grid->sheet[n].material == material)
            area += (double)grid->sheet[n].sheets * sheet_link_area(&grid->sheet[n]);
    return area;
}

double sheet_links_faced(const struct block_grid *grid, uint16_t material)
{
    double area = 0;
    for (uint64_t n = 0; n < grid->sheets; n++)
        if (grid->sheet[n].material == material)
            area += 2 * sheet_link_area(&grid->sheet[n]);
    return area;
}
