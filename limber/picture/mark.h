// A constraint as something to draw: its goal in the world, its handle, and the error between the two.
#pragma once

#include <string>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/picture/camera.h"
#include "limber/problem/problem.h"
#include "limber/solver/report.h"

namespace limber::picture {

enum class State { met, near, far, off };

// Near: within a twentieth of the figure's length and ten degrees. Off: it takes no part, or the report lacks it.
State state_of(const ConstraintReport* report, double size);
Colour colour_of(State state);

struct Stroke {
  enum class Kind { plain, thin, dashed, arrow };
  Vec3 from = Vec3::Zero();
  Vec3 to = Vec3::Zero();
  Kind kind = Kind::plain;
};

struct Glyph {
  enum class Kind { target, aim, pin, link, diamond };
  Kind kind = Kind::target;
  Vec3 at = Vec3::Zero();
};

struct Mark {
  State state = State::off;
  bool faint = false;         // an alternative that is not the nearest
  int constraint = 0;         // place in the problem
  Vec3 badge = Vec3::Zero();  // where its letter belongs
  std::vector<Stroke> strokes;
  std::vector<Glyph> glyphs;
  std::vector<Vec3> handles;
  std::vector<std::vector<Vec3>> faces;        // translucent polygons
  std::vector<std::vector<Ellipsoid>> bodies;  // translucent hulls
  std::vector<Vec3> framed;                    // what the picture must hold
};

// One for every alternative of every constraint.
std::vector<Mark> make_marks(const Problem& problem, const Kinematics& state, const Report& report);

// The letter of a constraint: A, B, … Z, AA, …
std::string letter(int constraint);

}  // namespace limber::picture
