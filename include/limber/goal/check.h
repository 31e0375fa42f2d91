// Validation of a goal's numbers: each goal states its requirements in check(); the first fault is reported.
#pragma once

#include <optional>
#include <string>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"

namespace limber {

class GoalCheck {
 public:
  // `goal` is its name, for the message.
  explicit GoalCheck(const char* goal) : goal_(goal) {}

  void finite(const Vec3& p, const char* what);
  void unit(Vec3& v, const char* what);  // rejects zero; normalizes v
  void at_least_zero(double value, const char* what);
  void fail(std::string found, std::string expected);

  const std::optional<Diagnostic>& fault() const { return fault_; }

 private:
  // `what` is a part of the goal.
  void fail_at(const char* what, std::string found, std::string expected);

  const char* goal_;
  std::optional<Diagnostic> fault_;
};

}  // namespace limber
