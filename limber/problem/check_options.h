// Weights and priorities that a constraint may have.
#pragma once

#include <optional>
#include <string>

#include "limber/base/diagnostic.h"
#include "limber/base/number.h"
#include "limber/problem/problem.h"

namespace limber {

// Weights count relative to each other. Beyond this range the smaller ones are lost in rounding, and sums overflow.
inline constexpr double min_weight = 1e-15, max_weight = 1e15;

inline std::optional<Diagnostic> wrong_weight(const std::string& where, double weight, bool may_be_hard) {
  const bool is_hard = weight == must;
  if (is_hard && may_be_hard) return std::nullopt;
  if (is_hard || !(weight >= 0.0))
    return Diagnostic{where + ", weight", is_hard ? "must" : to_text(weight),
                      may_be_hard ? "0 or more" : "a finite number, 0 or more"};
  if (weight == 0.0 || (weight >= min_weight && weight <= max_weight)) return std::nullopt;
  return Diagnostic{where + ", weight", to_text(weight),
                    "0, or from " + to_text(min_weight) + " to " + to_text(max_weight)};
}

inline std::optional<Diagnostic> wrong_priority(const std::string& where, int priority) {
  if (priority >= first_level && priority <= last_level) return std::nullopt;
  return Diagnostic{where + ", priority", std::to_string(priority),
                    "a level from " + std::to_string(first_level) + " to " + std::to_string(last_level)};
}

}  // namespace limber
