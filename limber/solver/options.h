// What a caller can say about a solve.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "limber/figure/figure.h"

namespace limber {

// How a problem is solved; doc/method has a page on each.
enum class Method {
  automatic,            // picks by the problem; the report says what
  levenberg_marquardt,  // the default: Gauss-Newton under all limits
  active_set_bfgs,      // ZB94
};

inline constexpr std::pair<Method, std::string_view> method_names[] = {
    {Method::automatic, "automatic"},
    {Method::levenberg_marquardt, "levenberg-marquardt"},
    {Method::active_set_bfgs, "active-set-bfgs"},
};

constexpr std::string_view name_of(Method method) {
  for (const auto& [one, name] : method_names)
    if (one == method) return name;
  return "?";
}

// The method of that name; nothing for a name that none has.
constexpr std::optional<Method> method_of(std::string_view name) {
  for (const auto& [one, its] : method_names)
    if (its == name) return one;
  return std::nullopt;
}

struct Progress {
  int iteration = 0;
  double objective = 0.0;  // G
  const Pose& pose;        // within all limits
};

struct Options {
  Method method = Method::automatic;
  // Most iterations; the pose at the last one is as good as any before it.
  int iterations = 1000;
  // A solve has converged when its Kuhn-Tucker residual is below this. The residual has no unit: lengths are measured
  // in lengths of the figure, weights by their sum, angles in radians.
  double tolerance = 1e-8;
  // A constraint counts as met when what is left is at most this.
  double met_metres = 1e-3;
  double met_degrees = 0.1;
  // Where a solve ends with a constraint unmet, it is tried again so often, from a pose near by and then from poses all
  // over the limits, and the best answer is kept. The same problem gives the same tries.
  int restarts = 4;
  // Called after every iteration; false cancels the solve.
  std::function<bool(const Progress&)> observer = {};
};

}  // namespace limber
