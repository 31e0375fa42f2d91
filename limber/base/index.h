// An int as an index into a standard container.
#pragma once

#include <cstddef>

namespace limber {

constexpr std::size_t at_index(int k) { return static_cast<std::size_t>(k); }

}  // namespace limber
