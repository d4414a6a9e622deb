// One thread pool for the whole process, sized by RANKWISE_THREADS or by the CPUs we may run on.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif
#include <unistd.h>

namespace rankwise {

// How many threads to use: RANKWISE_THREADS if it is a positive number, else the affinity mask.
// Read at every call, so that a change of the environment takes effect at once.
inline std::size_t thread_count() {
    if (const char* wanted = std::getenv("RANKWISE_THREADS")) {
        char* end = nullptr;
        const long number = std::strtol(wanted, &end, 10);
        if (end != wanted && *end == '\0' && number > 0) {
            return static_cast<std::size_t>(std::min(number, 1024L));
        }
    }
#ifdef __linux__
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
        return static_cast<std::size_t>(std::max(1, CPU_COUNT(&mask)));
    }
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

// Workers that sleep until there is a job. One job at a time; the caller works too.
class ThreadPool {
public:
    // The process's pool. After a fork the child gets a fresh one: threads do not survive a fork.
    static ThreadPool& shared() {
        static std::mutex mutex;
        static ThreadPool* pool = nullptr;
        static pid_t owner = 0;
        std::lock_guard lock(mutex);
        if (pool == nullptr || owner != getpid()) {
            pool = new ThreadPool;  // never destroyed: workers may outlive static destructors
            owner = getpid();
        }
        return *pool;
    }

    // Runs task() on up to `threads` threads, this one among them, and waits for all of them.
    // When another caller holds the pool, this thread does the work alone.
    void run(std::size_t threads, const std::function<void()>& task) {
        std::unique_lock job(job_mutex_, std::try_to_lock);
        if (!job.owns_lock() || threads <= 1) {
            task();
            return;
        }
        grow(threads - 1);
        {
            std::lock_guard lock(mutex_);
            task_ = &task;
            wanted_ = threads - 1;
            active_ = 0;
            ++generation_;
        }
        wake_.notify_all();
        task();
        std::unique_lock lock(mutex_);
        wanted_ = 0;  // workers that have not begun need not begin
        done_.wait(lock, [this] { return active_ == 0; });
        task_ = nullptr;
    }

private:
    void grow(std::size_t count) {
        while (workers_.size() < count) {
            workers_.emplace_back([this] { work(); });
            workers_.back().detach();
        }
    }

    void work() {
        std::size_t seen = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return generation_ != seen && wanted_ > 0; });
            seen = generation_;
            --wanted_;
            ++active_;
            const std::function<void()>* task = task_;
            lock.unlock();
            (*task)();
            lock.lock();
            if (--active_ == 0) done_.notify_all();
        }
    }

    std::mutex job_mutex_, mutex_;
    std::condition_variable wake_, done_;
    std::vector<std::thread> workers_;
    const std::function<void()>* task_ = nullptr;
    std::size_t wanted_ = 0, active_ = 0, generation_ = 0;
};

// Calls body(begin, end) over chunks of [0, count) on the shared pool. Chunks are taken in order
// but may finish in any; a body writes only to its own range, so results do not depend on threads.
// The first exception is rethrown here after all threads have stopped.
template <class Body>
void parallel_chunks(std::size_t count, std::size_t smallest, const Body& body) {
    const std::size_t threads = std::min(thread_count(), count / std::max<std::size_t>(smallest, 1));
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
