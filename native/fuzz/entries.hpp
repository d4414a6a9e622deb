// What a fuzz target drives: the kernels under entries of rankwise._core, without Python.
#pragma once

#include <span>

#include "fuzz/arguments.hpp"

namespace rankwise::fuzz {

// One check and the entries, with spaces between their names, whose kernels it calls as the
// bindings do.
struct Check {
    const char* entries;
    void (*run)(Arguments&);
};

// Every target defines this; main.cpp does the rest.
std::span<const Check> checks();

}  // namespace rankwise::fuzz
