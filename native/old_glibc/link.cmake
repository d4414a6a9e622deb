# link_for_old_glibc(TARGET): the C++ library is linked in, and what is taken from glibc is asked for
# by versions that old ones have. A linker notes the version of the library it finds, the newest; so
# it finds empty libraries of our own first, which offer the first version alone. At run time the
# system's are loaded, and each keeps its old versions for good.
function(link_for_old_glibc target)
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    message(FATAL_ERROR "The versions of glibc are known for x86_64, not ${CMAKE_SYSTEM_PROCESSOR}.")
  endif()
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  add_empty_library(old_threads libpthread .so.0 ${here}/threads.cpp)
  add_empty_library(old_mathematics libm .so.6 ${here}/mathematics.cpp)
  target_sources(${target} PRIVATE ${here}/newer.cpp)
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH TRUE)
  target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--no-as-needed
                                        -Wl,--version-script=${here}/module.map)
  target_link_libraries(${target} PRIVATE old_threads old_mathematics)
endfunction()

function(add_empty_library name base suffix source)
  add_library(${name} SHARED ${source})
  set_target_properties(${name} PROPERTIES PREFIX "" OUTPUT_NAME ${base} SUFFIX ${suffix})
  target_compile_options(${name} PRIVATE -fno-builtin)
  target_link_options(${name} PRIVATE
                      -nostdlib -Wl,--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/first.map)
endfunction()
