// The functions of libm.so.6 that got a second version with glibc 2.29. It differs from the first
// in how errors are reported; the numbers are the same.
extern "C" {
void exp() {}
void exp2() {}
void log() {}
void log2() {}
void pow() {}
}
