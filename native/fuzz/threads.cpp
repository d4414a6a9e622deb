// The thread pool under load: callers at once, jobs within jobs, exceptions, forks. Build it with
// ThreadSanitizer, which cannot follow a fork, and without; it ends with 1 if a result is wrong.
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "threads/chunks.hpp"

using rankwise::parallel_chunks;

namespace {

// 0 + 1 + ... + (count - 1), by one slot per number.
bool sums_up(std::size_t threads, std::size_t count) {
    std::vector<std::size_t> slots(count);
    parallel_chunks(threads, count, 3, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) slots[i] = i;
    });
    return std::accumulate(slots.begin(), slots.end(), std::size_t{0}) * 2 == count * (count - 1);
}

bool sums_up_within() {
    std::vector<char> fine(40);
    parallel_chunks(4, fine.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) fine[i] = sums_up(4, 100);
    });
    return std::accumulate(fine.begin(), fine.end(), 0) == 40;
}

bool throws() {
    try {
        parallel_chunks(4, 1000, 1, [](std::size_t begin, std::size_t end) {
            if (begin <= 700 && 700 < end) throw std::runtime_error("700");
        });
    } catch (const std::runtime_error& error) {
        return error.what() == std::string("700");
    }
    return false;
}

// A child of a process that may be in the midst of a job.
bool works_after_fork() {
    const pid_t child = fork();
    if (child == 0) _exit(sums_up(3, 1000) && throws() ? 0 : 1);
    int status = 1;
    return waitpid(child, &status, 0) == child && status == 0;
}

bool everything(int rounds) {
    for (int round = 0; round < rounds; ++round) {
        for (const std::size_t threads : {1, 2, 3, 8}) {
            if (!sums_up(threads, 1000)) return false;
        }
        if (!sums_up_within() || !throws()) return false;
    }
    return true;
}

}  // namespace

int main() {
    std::vector<char> results(6);
    std::vector<std::thread> callers;
    callers.reserve(results.size());
    for (char& result : results) callers.emplace_back([&result] { result = everything(50); });
    for (std::thread& caller : callers) caller.join();
    bool fine = std::accumulate(results.begin(), results.end(), 0) == 6;
#ifndef __SANITIZE_THREAD__
    std::thread busy([] { everything(3000); });
    for (int k = 0; k < 500; ++k) fine = works_after_fork() && fine;
    busy.join();
#endif
    std::puts(fine ? "the thread pool: no finding" : "the thread pool: wrong result");
    return fine ? 0 : 1;
}
