// Whether a pull fits a figure.
#pragma once

#include <optional>
#include <string>

#include "limber/base/diagnostic.h"
#include "limber/problem/problem.h"

namespace limber {

// The error, if any: a pull has one finite number per parameter of the figure, and no negative stiffness.
std::optional<Diagnostic> wrong_with(const PosePull& pull, const Figure& figure, const std::string& where);

}  // namespace limber
