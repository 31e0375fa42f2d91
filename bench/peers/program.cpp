#include "bench/peers/program.h"

namespace limber::peers {

Program::Program(const Problem& problem, const Criteria& criteria)
    : problem_(problem), criteria_(criteria), assembly_(problem), starts_(assembly_.limits()) {}

void Program::begin(const Pose& pose, Clock::time_point deadline) {
  deadline_ = deadline;
  assembly_.start(pose.theta, best_);
  best_value_ = infinity;
  met_ = false;
  starts_.begin();
}

bool Program::next_start(VecX& phi) {
  if (is_over()) return false;
  phi = best_;
  starts_.next(phi);
  return true;
}

double Program::value(const VecX& phi, VecX& gradient) {
  gradient.resize(variables());
  const double f = assembly_(phi, gradient);
  note(phi, f);
  return f;
}

void Program::residual(const VecX& phi, VecX& r) {
  assembly_.residual(phi, r);
  note(phi, r.squaredNorm());
}

void Program::note(const VecX& phi, double value) {
  if (met_ || !(value < best_value_)) return;
  best_ = phi;
  best_value_ = value;
  // If all goals are met, f is at most this; above it the goals need not be checked.
  const double largest = criteria_.metres * criteria_.metres + criteria_.radians * criteria_.radians;
  const double length = problem_.figure().length();
  if (value > largest / (length * length)) return;
  met_ = true;
  for (std::size_t c = 0; c < problem_.constraints().size(); ++c) {
    const GoalError error = assembly_.error_of(c);
    met_ = met_ && error.metres.value_or(0.0) <= criteria_.metres && error.radians.value_or(0.0) <= criteria_.radians;
  }
}

}  // namespace limber::peers
