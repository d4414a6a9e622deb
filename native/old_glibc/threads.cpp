// What the C++ library calls for threads, by the names that every glibc has in libpthread.so.0.
// Since 2.34 these functions live in libc.so.6 too, under a newer version, which a linker would
// take.
extern "C" {
void __pthread_key_create() {}
void pthread_create() {}
void pthread_detach() {}
void pthread_getspecific() {}
void pthread_join() {}
void pthread_key_create() {}
void pthread_key_delete() {}
void pthread_once() {}
void pthread_setspecific() {}
}
