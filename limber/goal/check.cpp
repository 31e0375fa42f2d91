#include "limber/goal/check.h"

#include <cmath>
#include <limits>
#include <utility>

#include "limber/base/number.h"

namespace limber {

void GoalCheck::finite(const Vec3& p, const char* what) {
  if (!p.allFinite())
    fail_at(what, "(" + to_text(p.x()) + ", " + to_text(p.y()) + ", " + to_text(p.z()) + ")", "finite numbers");
}

void GoalCheck::unit(Vec3& v, const char* what) {
  finite(v, what);
  const double length = v.norm();
  if (std::isfinite(length) && length > std::numeric_limits<double>::min())
    v /= length;
  else
    fail_at(what, "a vector of length " + to_text(length), "a vector that is not zero");
}

void GoalCheck::at_least_zero(double value, const char* what) {
  if (!(std::isfinite(value) && value >= 0.0)) fail_at(what, to_text(value), "a finite number, 0 or more");
}

void GoalCheck::fail(std::string found, std::string expected) {
  if (!fault_) fault_ = Diagnostic{std::string(goal_) + " goal", std::move(found), std::move(expected)};
}

void GoalCheck::fail_at(const char* what, std::string found, std::string expected) {
  if (!fault_) fault_ = Diagnostic{std::string(goal_) + " goal, " + what, std::move(found), std::move(expected)};
}

}  // namespace limber
