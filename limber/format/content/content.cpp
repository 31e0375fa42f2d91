#include "limber/format/content/content.h"

#include <algorithm>
#include <array>

#include "limber/base/number.h"

namespace limber {

namespace {

struct NamedUnit {
  std::string_view name;
  double metres;
};
constexpr std::array named_units = {
    NamedUnit{"m", 1.0},     NamedUnit{"dm", 0.1},    NamedUnit{"cm", 0.01},           NamedUnit{"mm", 0.001},
    NamedUnit{"in", 0.0254}, NamedUnit{"ft", 0.3048}, NamedUnit{"cmu", 0.0254 / 0.45},  // CMU motion library
};

}  // namespace

Mat3 FileSpace::R_inside_file() const {
  Mat3 R = Mat3::Identity();
  if (up == Up::z) R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return R;
}

std::string unit_name(double metres_per_unit) {
  for (const NamedUnit& unit : named_units)
    if (unit.metres == metres_per_unit) return std::string(unit.name);
  return to_text(metres_per_unit) + " m";
}

std::optional<double> unit_of_name(std::string_view name) {
  for (const NamedUnit& unit : named_units)
    if (unit.name == name) return unit.metres;
  const std::optional<double> metres = to_number(name);
  return metres && std::isfinite(*metres) && *metres > 0.0 ? metres : std::nullopt;
}

std::string UniqueNames::operator()(std::string_view name, std::string_view unnamed) {
  const std::string base(name.empty() ? unnamed : name);
  std::string unique = base;
  // Starts from the count of copies so far, so that n copies cost n tries.
  if (int& copies = copies_[base]; ++copies > 1) {
    do unique = base + "_" + std::to_string(copies++);
    while (copies_.contains(unique));
    --copies;
    copies_[unique] = 1;
  }
  return unique;
}

}  // namespace limber
