/** The membranes of an engine: their tables on the device, and the operations on them
 * (step/gpu_membranes.cuh). */
#ifndef KERNELS_DEVICE_MEMBRANES_CUH
#define KERNELS_DEVICE_MEMBRANES_CUH

#include <memory>
#include <new>
#include <vector>

#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/device_upload.cuh"
#include "kernels/cuda/step/gpu_membranes.cuh"

/** One of them. A piece of memory of its own. */
struct device_membrane {
    gpu_membrane there = {};
    struct membrane_plan plan = {};
    char *memory = nullptr;
    uint64_t bytes = 0, steps = 0; /* steps at the start of the batch */
    std::vector<uint32_t> blows;
    std::vector<double> force;

    ~device_membrane()
    {
        (void)cudaFree(memory);
    }

    int make(const struct membrane_plan &given, const uint64_t *index, const double *weight,
             struct failure *failure)
    {
        struct membrane_tables host;
        plan = given;
        blows.resize(MEMBRANE_BLOWS + plan.mallets);
        force.resize((size_t)MEMBRANE_BATCH * plan.mallets);
        TRY(membrane_tables_make(&plan, &host, failure));
        const int code = upload(host, index, weight, failure);
        membrane_tables_free(&host);
        return code;
    }

    int upload(const struct membrane_tables &host, const uint64_t *index, const double *weight,
               struct failure *failure)
    {
        const uint64_t nodes = plan.nodes, ports = plan.ports;
        struct membrane_tables &m = there.tables;
        device_arrays arrays;
        m = host;
        arrays.add(&m.near, host.near, nodes);
        arrays.add(&m.diagonal, host.diagonal, nodes);
        arrays.add(&m.joint[0], host.joint[0], nodes);
        arrays.add(&m.joint[1], host.joint[1], nodes);
        arrays.add(&m.first, host.first, ports + 1);
        arrays.add(&m.use, host.use, host.uses);
        arrays.add(&m.use_weight, host.use_weight, host.uses);
        arrays.add(&m.mallet, host.mallet, plan.mallets);
        arrays.add(&m.figure, nullptr, MEMBRANE_FIGURES);
        arrays.add(&m.before, nullptr, ports);
        arrays.add(&m.w, nullptr, 3 * nodes);
        arrays.add(&m.slot, nullptr, 1);
        arrays.add(&m.pressure, nullptr, ports);
        arrays.add(&m.at, nullptr, nodes);
        arrays.add(&m.blows, nullptr, blows.size());
        arrays.add(&m.force, nullptr, force.size());
        arrays.add(&there.index, index, ports);
        arrays.add(&there.weight, weight, ports);
        arrays.add(&there.push, nullptr, ports);
        TRY(arrays.make("membranes", &memory, &bytes, failure));
        return 0;
    }

    /* To the device, or with `back` from it: figures, u before, w, w-. */
    int move(double *state, bool back, cudaStream_t stream, struct failure *failure)
    {
        const struct membrane_tables &m = there.tables;
        uint32_t slot = 0;
        DEVICE_TRY(cudaMemcpyAsync(back ? &slot : m.slot, back ? m.slot : &slot, sizeof slot,
                                   cudaMemcpyDefault, stream),
                   "membranes", failure);
        DEVICE_TRY(cudaStreamSynchronize(stream), "membranes", failure);
        const struct {
            double *device;
            uint64_t count;
        } part[] = {{m.figure, MEMBRANE_FIGURES},
                    {m.before, m.ports},
                    {m.w + (uint64_t)(slot % 3) * m.nodes, m.nodes},
                    {m.w + (uint64_t)((slot + 1) % 3) * m.nodes, m.nodes}};
        if (!back)
            steps = state[MEMBRANE_STEPS] >= 0 ? (uint64_t)state[MEMBRANE_STEPS] : 0;
        for (const auto &one : part) {
            DEVICE_TRY(cudaMemcpyAsync(back ? state : one.device, back ? one.device : state,
                                       one.count * sizeof(double), cudaMemcpyDefault, stream),
                       "membranes", failure);
            state += one.count;
        }
        DEVICE_TRY(cudaStreamSynchronize(stream), "membranes", failure);
        return 0;
    }

    /* The forces of a batch, before its steps. */
    int strike(uint64_t batch, cudaStream_t stream, struct failure *failure)
    {
        const uint32_t found =
            plan.strike(plan.context, steps, batch, blows.data() + MEMBRANE_BLOWS, force.data());
        blows[0] = found;
        blows[1] = (uint32_t)batch;
        blows[2] = 0;
        steps += batch;
        DEVICE_TRY(cudaMemcpyAsync(there.tables.blows, blows.data(),
                                   (MEMBRANE_BLOWS + found) * sizeof(uint32_t), cudaMemcpyHostToDevice,
                                   stream),
                   "blows", failure);
        if (found > 0)
            DEVICE_TRY(cudaMemcpyAsync(there.tables.force, force.data(), found * batch * sizeof(double),
                                       cudaMemcpyHostToDevice, stream),
                       "blows", failure);
        return 0;
    }
};

/** All of them, and the table that kernels read. */
struct device_membranes {
    std::vector<std::unique_ptr<device_membrane>> one;
    gpu_membrane *table = nullptr;

    ~device_membranes()
    {
        (void)cudaFree(table);
    }
    uint32_t count() const
    {
        return (uint32_t)one.size();
    }
    uint64_t bytes() const
    {
        uint64_t sum = count() * sizeof *table;
        for (const auto &each : one)
            sum += each->bytes;
        return sum;
    }

    int add(const struct membrane_plan &plan, const uint64_t *index, const double *weight,
            struct failure *failure)
    {
        std::unique_ptr<device_membrane> made(new (std::nothrow) device_membrane);
        if (made == nullptr)
            return failure_memory(failure, sizeof *made, "membranes");
        TRY(made->make(plan, index, weight, failure));
        gpu_membrane *grown = nullptr;
        std::vector<gpu_membrane> all;
        for (const auto &each : one)
            all.push_back(each->there);
        all.push_back(made->there);
        DEVICE_TRY(cudaMalloc(&grown, all.size() * sizeof *grown), "membranes", failure);
        (void)cudaFree(table);
        table = grown;
        one.push_back(std::move(made));
        DEVICE_TRY(cudaMemcpy(table, all.data(), all.size() * sizeof *table, cudaMemcpyHostToDevice),
                   "membranes", failure);
        return 0;
    }
};

#endif
