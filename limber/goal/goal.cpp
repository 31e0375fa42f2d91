#include "limber/goal/goal.h"

#include <type_traits>

#include "limber/base/number.h"

namespace limber {

const char* name_of(const Goal& goal) {
  return std::visit([](const auto& g) { return std::decay_t<decltype(g)>::name; }, goal);
}

std::optional<Shape> shape_of(const Goal& goal) {
  return std::visit(
      [](const auto& g) -> std::optional<Shape> {
        if constexpr (std::is_base_of_v<Coincide, std::decay_t<decltype(g)>>)
          return std::nullopt;
        else
          return g.shape;
      },
      goal);
}

namespace {

using Check = Expected<void>;

// The weights of a placement add up to 1 to this much.
constexpr double weight_sum_tolerance = 1e-9;
// Two axes are at right angles to this much; written with a few digits they pass.
constexpr double right_angle_tolerance = 1e-4;

class Checker {
 public:
  explicit Checker(const char* goal) : where_(std::string(goal) + " goal") {}

  Check operator()(Position& g) const { return finite(g.p, "point"); }
  Check operator()(Direction& g) const { return both(unit(g.v, "direction"), at_least_zero(g.c, "c")); }
  Check operator()(Orientation& g) const {
    if (Check fine = both(unit(g.x, "x direction"), unit(g.y, "y direction")); !fine) return fine;
    if (Check fine = both(at_least_zero(g.c_x, "c_x"), at_least_zero(g.c_y, "c_y")); !fine) return fine;
    if (std::fabs(g.x.dot(g.y)) > right_angle_tolerance)
      return reject(where_, "directions at " + to_text(degrees(std::acos(g.x.dot(g.y))), 3) + " degrees",
                    "directions at right angles");
    const Mat3 R = rotation_from_xy(g.x, g.y);
    g.x = R.col(0);
    g.y = R.col(1);
    return {};
  }
  Check operator()(Placement& g) const {
    if (Check fine = both(finite(g.p, "point"), (*this)(g.orientation)); !fine) return fine;
    if (Check fine = both(at_least_zero(g.w_p, "w_p"), at_least_zero(g.w_o, "w_o")); !fine) return fine;
    if (std::fabs(g.w_p + g.w_o - 1.0) > weight_sum_tolerance)
      return reject(where_, "w_p + w_o = " + to_text(g.w_p + g.w_o), "w_p + w_o = 1");
    return {};
  }
  Check operator()(AimAt& g) const { return both(finite(g.p, "point"), at_least_zero(g.c, "c")); }
  Check operator()(Line& g) const { return both(finite(g.p, "point"), unit(g.v, "direction")); }
  Check operator()(Plane& g) const { return both(finite(g.p, "point"), unit(g.v, "normal")); }
  Check operator()(HalfSpace& g) const { return both(finite(g.p, "point"), unit(g.v, "normal")); }
  Check operator()(InsidePolyhedron& g) const { return faces(g.faces); }
  Check operator()(OutsidePolyhedron& g) const { return faces(g.faces); }
  Check operator()(InsideCapsule& g) const { return capsule(g.capsule); }
  Check operator()(OutsideCapsule& g) const { return capsule(g.capsule); }
  Check operator()(Coincide& g) const { return at_least_zero(g.c, "c"); }
  Check operator()(Hold& g) const { return at_least_zero(g.c, "c"); }
  Check operator()(CustomGoal& g) const {
    if (!g.residual || !g.error_function) return reject(where_, "a missing function", "residual and distance");
    if (g.row_count < 1) return reject(where_, std::to_string(g.row_count) + " rows", "at least one");
    return {};
  }

 private:
  static Check both(Check a, Check b) { return a ? b : a; }

  Check finite(const Vec3& p, const char* what) const {
    if (p.allFinite()) return {};
    return reject(where_ + ", " + what, "(" + to_text(p.x()) + ", " + to_text(p.y()) + ", " + to_text(p.z()) + ")",
                  "finite numbers");
  }
  Check unit(Vec3& v, const char* what) const {
    if (Check fine = finite(v, what); !fine) return fine;
    const double length = v.norm();
    if (!std::isfinite(length) || length <= std::numeric_limits<double>::min())
      return reject(where_ + ", " + what, "a vector of length " + to_text(length), "a vector that is not zero");
    v /= length;
    return {};
  }
  Check at_least_zero(double value, const char* what) const {
    if (std::isfinite(value) && value >= 0.0) return {};
    return reject(where_ + ", " + what, to_text(value), "a finite number, 0 or more");
  }
  Check faces(std::vector<Face>& list) const {
    if (list.empty()) return reject(where_, "no face", "at least one");
    for (Face& face : list)
      if (Check fine = both(finite(face.p, "face point"), unit(face.v, "face normal")); !fine) return fine;
    return {};
  }
  Check capsule(const Capsule& c) const {
    return both(both(finite(c.a, "end a"), finite(c.b, "end b")), at_least_zero(c.radius, "radius"));
  }

  std::string where_;
};

}  // namespace

Expected<Goal> checked(Goal goal) {
  const Check fine = std::visit(Checker(name_of(goal)), goal);
  if (!fine) return std::unexpected(fine.error());
  return goal;
}

}  // namespace limber
