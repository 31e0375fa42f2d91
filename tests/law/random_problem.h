// Random problems as plain data, so that a law can move, scale, mirror, rename, shuffle or shrink one and
// build it again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/problem/problem.h"
#include "limber/solver/options.h"
#include "tests/law/random_clearance.h"
#include "tests/law/random_figure.h"
#include "tests/support/laws.h"

namespace limber::law {

struct HandleSpec {
  enum class Kind { point, direction, ray, frame, mass_centre };
  Kind kind = Kind::point;
  std::string place = {};
  Vec3 local = Vec3::UnitX();  // of a direction
  std::string less = {};       // place that is subtracted; empty: none
};

// The custom goal of the laws: a point on a shell, r = (‖x - p‖² - radius²) / radius.
struct Shell {
  Vec3 p;
  double radius;
};

struct AlternativeSpec {
  HandleSpec handle;
  Goal goal;  // ignored where there is a shell
  std::optional<Shell> shell = {};
};

struct ConstraintSpec {
  std::vector<AlternativeSpec> alternatives;
  double weight = 1.0;
  std::string from = {};
  int priority = first_level;
};

struct Case {
  std::uint64_t seed = 0;
  FigureDescription figure;
  std::vector<ConstraintSpec> constraints;
  std::map<std::string, double> start;  // by the name of the parameter
  std::optional<ClearanceSpec> clearance = {};
};

struct Built {
  Figure figure;
  Problem problem;
  Pose start;
};

struct CaseKind {
  int freedoms_min = 1, freedoms_max = 12;
  int constraints_max = 6;
  bool limited = true, groups = true, rows = true;
  bool start_within_limits = false;
  Clear clear = Clear::of_nothing;
  bool levels = false;   // hard constraints and priorities
  double decades = 3.0;  // bones from 10^-decades to 10^decades metres
};

Case random_case(std::uint64_t seed, const CaseKind& kind);

// Every method has its share of the random problems, with and without other starts.
Options options_of(const Case& made);

Expected<Handle> make_handle(const Figure& figure, const HandleSpec& spec);
Goal make_goal(const AlternativeSpec& spec);
Goal shell_goal(const Shell& shell);
// One random goal of the kind `which` (0 to goal_kinds - 1) for some handle of the figure; sampled from the
// pose `reach`, or displaced from it by `off` lengths of the figure.
inline constexpr int goal_kinds = 17;
AlternativeSpec random_goal(Random& random, const Figure& figure, const Pose& reach, int which, double off);
void add_to(Problem& problem, const ConstraintSpec& spec);

Expected<Figure> try_build(const Case& from);
// The case must be valid.
Built build(const Case& from);
void set_start(Case& to, const Figure& figure, const Pose& pose);

// A law says nothing where it holds, else what is wrong.
using Law = std::function<std::string(const Case&)>;

// Runs a law over `count` random problems (a tenth with LIMBER_LAWS=quick); reports the first that breaks it,
// made small.
void check_law(const char* name, int count, const CaseKind& kind, const Law& law);
// The case with as few constraints, limits and segments as still break the law.
Case shrunk(Case broken, const Law& law);
std::string text_of(const Case& from);

}  // namespace limber::law
