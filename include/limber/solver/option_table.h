// The table of options: scenes, the command line and JavaScript read and write Options by it.
//
// A row has the key of the option in a scene (with hyphens, the name of its flag), its range and the methods that use
// it. An option that the chosen method does not use is rejected by solve(), unless it has its default value.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "limber/solver/options.h"

namespace limber {

enum class OptionKind {
  flag,
  whole,  // number without a fraction
  number,
  name,       // one of `names`
  parameters  // a number by parameter of the figure
};

struct OptionRow {
  std::string_view key;
  OptionKind kind;
  std::string_view help;
  // The value as it is written in a scene: 0 or 1 for a flag, the place in `names`; of `parameters` there is none.
  double (*get)(const Options&) = nullptr;
  void (*set)(Options&, double) = nullptr;
  double lower = 0.0, upper = infinity;
  bool above_lower = false;   // the lower end itself is excluded
  bool unlimited = false;     // infinity is permitted, and is written as "unlimited"
  bool may_be_unset = false;  // NaN: the library chooses
  std::span<const std::string_view> names = {};
  std::span<const Method> methods = {};  // that use it; empty: all
  bool lists_methods() const { return !methods.empty(); }
};

// All options but the method and the observer.
std::span<const OptionRow> option_table();
const OptionRow* option_of(std::string_view key);  // null where there is none

// How a scene writes that nothing limits a number.
inline constexpr std::string_view unlimited_word = "unlimited";

bool is_used(const OptionRow& row, Method method);
bool is_default(const OptionRow& row, const Options& options);
// Whether a number may be given: in the range, whole where it must be.
bool is_in_range(const OptionRow& row, double value);
// "a number above 0", "one of runge-kutta, euler".
std::string expected_of(const OptionRow& row);
// "jacobian-transpose and lagrange-multipliers".
std::string methods_of(const OptionRow& row);

}  // namespace limber
