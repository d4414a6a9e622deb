// Work over a range, in chunks that threads take one after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "threads/pool.hpp"

namespace rankwise {

// Calls body(begin, end) over chunks of [0, count) on up to `most` threads of the shared pool.
// Chunks are taken in order but may finish in any; a body writes only to its own range, so results
// do not depend on threads. The first exception is rethrown here after all threads have stopped.
template <class Body>
void parallel_chunks(std::size_t most, std::size_t count, std::size_t smallest, const Body& body) {
    const std::size_t threads = std::min(most, count / smallest);
    if (threads <= 1) {
        if (count > 0) body(std::size_t{0}, count);
        return;
    }
    const std::size_t chunk = std::max(smallest, count / (threads * 8) + 1);
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    ThreadPool::shared().run(threads, [&] {
        try {
            for (;;) {
                const std::size_t begin = next.fetch_add(chunk);
                if (begin >= count) return;
                body(begin, std::min(count, begin + chunk));
            }
        } catch (...) {
            next = count;
            std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    });
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rankwise
