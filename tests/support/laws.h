// Length of the law tests: full by default, shorter with LIMBER_LAWS=quick in the environment, as in ./test under the
// sanitizers, longer with LIMBER_LAWS=long.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace limber::law {

inline std::string_view length_of_laws() {
  const char* laws = std::getenv("LIMBER_LAWS");
  return laws != nullptr ? laws : "";
}

inline bool are_quick() { return length_of_laws() == "quick"; }

// A resolution, a stride or a number of cases, by the length of the laws.
template <class T>
T whole_or_quick(T whole, T quick) {
  return are_quick() ? quick : whole;
}

// `count`; a twentieth of it for quick laws, ten times as many for long ones.
inline int law_count(int count) {
  if (are_quick()) return std::max(1, count / 20);
  return length_of_laws() == "long" ? 10 * count : count;
}

}  // namespace limber::law
