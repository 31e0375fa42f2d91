// How often this program has asked for memory. Every way of asking is seen: operator new, std::vector and
// Eigen all end in malloc, which is counted itself (by interposition, or by the sanitizer's own hook where
// one is built in).
#pragma once

namespace limber::law {

// Allocations of this thread since the program started.
long allocations();

}  // namespace limber::law
