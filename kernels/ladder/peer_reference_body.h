/* The schemes as written on paper, one node and one offset at a time, for one `real` and its `fused`. */
static void NAME(const struct peer_room *room, const void *u_, void *u_old_, uint64_t first, uint64_t last)
{
    const real *const u = u_;
    real *const u_old = u_old_;
    for (uint64_t id = first; id < last; ++id)
        for (unsigned at = 0; at < BLOCK_NODES; ++at) {
            const uint64_t index = id * BLOCK_NODES + at;
            block_id b;
            unsigned slot;
            if (!peer_grid_node(room, id, at, &b, &slot))
                continue;
            real sum = 0;
            for (int o = 0; o < room->offsets; ++o) {
                block_id to = b;
                unsigned to_slot = slot;
                const int weight = peer_follow(room, o, &to, &to_slot);
                if (weight != 0)
                    sum = fused((real)weight, u[peer_index(room, to, to_slot)] - u[index], sum);
            }
            const real v = fused((real)peer_gain(room, b, slot), sum, u[index] - u_old[index]);
            u_old[index] = u[index] + v;
        }
}
