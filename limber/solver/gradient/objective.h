// What the gradient methods minimise and how they end. They know no figure.
#pragma once

#include <functional>

#include "limber/base/vector.h"
#include "limber/solver/exit.h"

namespace limber {

// A reference to a callable double(const VecX& x, VecX& gradient); costs no allocation and owns nothing.
class Objective {
 public:
  template <class F>
  Objective(F& function)  // NOLINT: implicit on purpose
      : self_(&function), call_([](void* self, const VecX& x, VecX& gradient) -> double {
          return (*static_cast<F*>(self))(x, gradient);
        }) {}

  double operator()(const VecX& x, VecX& gradient) const { return call_(self_, x, gradient); }

 private:
  void* self_;
  double (*call_)(void*, const VecX&, VecX&);
};

// Called after each iteration with its number, the objective and the point; false stops the solve.
using Observer = std::function<bool(int iteration, double objective, const VecX& x)>;

struct GradientOptions {
  int iterations = 1000;
  double tolerance = 1e-8;    // on the largest entry of the projected gradient and of a wrong-signed multiplier
  double longest_step = 1.0;  // no variable changes by more than this in one iteration
};

struct Outcome {
  Exit exit = Exit::converged;
  int iterations = 0;
  int evaluations = 0;
  double value = 0.0;
};

}  // namespace limber
