// The function that a gradient method minimises; it does not depend on a figure.
#pragma once

#include <type_traits>

#include "limber/base/vector.h"

namespace limber {

// A reference to a callable double(const VecX& x, VecX& gradient); costs no allocation and owns nothing.
class Objective {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_const_t<F>, Objective>)
  Objective(F& function)  // NOLINT: implicit on purpose
      : self_(&function), call_([](void* self, const VecX& x, VecX& gradient) -> double {
          return (*static_cast<F*>(self))(x, gradient);
        }) {}

  double operator()(const VecX& x, VecX& gradient) const { return call_(self_, x, gradient); }

 private:
  void* self_;
  double (*call_)(void*, const VecX&, VecX&);
};

}  // namespace limber
