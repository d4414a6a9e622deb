// What the C++ library takes from a glibc newer than the oldest we serve, for ourselves alone.
#include <sys/random.h>

#define RANKWISE_OURS __attribute__((visibility("hidden")))

extern "C" {

// glibc 2.32: whether there is but one thread. "Perhaps not" is always true: counts of references
// are then kept by atomic instructions.
RANKWISE_OURS extern char __libc_single_threaded;
char __libc_single_threaded = 0;

// glibc 2.36: a random number from the kernel.
RANKWISE_OURS unsigned arc4random() {
    unsigned number;
    while (getrandom(&number, sizeof number, 0) != sizeof number) {
    }
    return number;
}

// glibc 2.38: numbers read as C23 has them, which knows binary ones besides ("0b1"). The C++
// library reads none. The old functions are named to the assembler: headers would lead back to
// here.
long old_strtol(const char* text, char** end, int base) __asm__("strtol");
unsigned long old_strtoul(const char* text, char** end, int base) __asm__("strtoul");
RANKWISE_OURS long __isoc23_strtol(const char* text, char** end, int base) {
    return old_strtol(text, end, base);
}
RANKWISE_OURS unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
    return old_strtoul(text, end, base);
}
}
