// One thread pool for the whole process, sized by RANKWISE_THREADS or by the CPUs we may run on.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif
#include <unistd.h>

namespace rankwise {

// How many threads to use: RANKWISE_THREADS if it is a positive number, else the affinity mask.
// Read at every call, so that a change of the environment takes effect at once; and only with the
// GIL held, because no thread may read the environment while Python changes it.
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
    // The process's pool. After a fork the child makes its own: threads do not survive a fork, and
    // a lock may have been held by one. Hence no lock here either. A pool is never destroyed:
    // workers may outlive static destructors.
    static ThreadPool& shared() {
        static constinit std::atomic<ThreadPool*> current{nullptr};
        const pid_t process = getpid();
        ThreadPool* pool = current.load();
        while (pool == nullptr || pool->process_ != process) {
            ThreadPool* fresh = new ThreadPool(process);
            if (current.compare_exchange_strong(pool, fresh)) return *fresh;
            delete fresh;  // another thread was faster; ours has no workers yet
        }
        return *pool;
    }

    // Runs task(), which must not throw, on up to `threads` threads, this one among them, and
    // waits for all of them. When the pool is busy, with another caller's job or with the one that
    // calls this, this thread does the work alone.
    void run(std::size_t threads, const std::function<void()>& task) {
        if (threads <= 1 || busy_.exchange(true)) {
            task();
            return;
        }
        grow(threads - 1);
        {
            std::lock_guard lock(mutex_);
            task_ = &task;
            wanted_ = threads - 1;
            ++generation_;
        }
        wake_.notify_all();
        task();
        {
            std::unique_lock lock(mutex_);
            wanted_ = 0;  // workers that have not begun need not begin
            done_.wait(lock, [this] { return active_ == 0; });
        }
        busy_ = false;
    }

private:
    explicit ThreadPool(pid_t process) : process_(process) {}

    // Up to `count` workers; fewer where the system gives no more.
    void grow(std::size_t count) {
        try {
            for (; workers_ < count; ++workers_) std::thread([this] { work(); }).detach();
        } catch (const std::system_error&) {
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

    const pid_t process_;
    std::atomic<bool> busy_{false};
    std::size_t workers_ = 0;  // belongs to whoever made the pool busy
    std::mutex mutex_;         // for what follows
    std::condition_variable wake_, done_;
    const std::function<void()>* task_ = nullptr;
    std::size_t wanted_ = 0, active_ = 0, generation_ = 0;
};

}  // namespace rankwise
