// Random problems that are nothing but pins, with the tables that the kernels take.
#pragma once

#include <memory>
#include <vector>

#include "limber/lanes/memory.h"
#include "limber/problem/assembly.h"
#include "limber/problem/pins.h"
#include "tests/law/random_figure.h"
#include "tests/law/random_problem.h"
#include "tests/support/figures.h"

namespace limber::testing {

struct PinSample {
  Figure figure;
  std::unique_ptr<Problem> problem;
  std::unique_ptr<Assembly> assembly;
  Pose start;
  VecX phi;
  PinTables<double> tables;
  std::vector<PackedFrame> bases;
  std::vector<double> q;
  std::vector<Packed> targets;

  const double* base_numbers() const { return bases.front().x.v; }
  const double* target_numbers() const { return targets.front().v; }
};

// The tables of the problem in the pose; empty where it is more than pins.
inline std::optional<PinSample> pinned(const Figure& figure, std::unique_ptr<Problem> problem, Pose start) {
  PinSample made{figure, std::move(problem), nullptr, std::move(start), {}, {}, {}, {}, {}};
  made.assembly = std::make_unique<Assembly>(*made.problem);
  made.assembly->start(made.start.theta, made.phi);
  const PinTables<double>* tables = made.assembly->pins();
  if (!tables) return std::nullopt;
  made.tables = *tables;
  made.bases.resize(static_cast<std::size_t>(tables->bases));
  made.q.resize(tables->links.size());
  made.targets.resize(2 * tables->tasks.size());
  made.assembly->pin_values(made.bases.data(), made.q.data(), made.targets.data());
  return made;
}

// One goal on a random site: as it is in the pose `reach`, and a chance of an other value.
inline void add_pin(Random& random, const Figure& figure, const Pose& reach, Problem& problem) {
  const Site& site =
      figure.sites()[static_cast<std::size_t>(random.integer(0, static_cast<int>(figure.sites().size()) - 1))];
  const Frame X = forward(figure, reach).segments[static_cast<std::size_t>(site.segment)] * site.frame;
  const bool off = random.chance(0.3);
  const Vec3 p = off ? Vec3(X.p + figure.length() * random_vector(random)) : X.p;
  const Mat3 R = off ? random.rotation() : X.R;
  // A degree counts as much as a hundredth of the figure, about.
  const double c = figure.length() * random.between(0.2, 2.0);
  const ConstraintOptions how{.weight = random.between(0.2, 5.0)};
  switch (random.integer(0, 3)) {
    case 0:
      good(problem.add(figure.point(site.name), Position{p}, how));
      break;
    case 1:
      good(problem.add(figure.direction(site.name), Direction{R.col(0), c}, how));
      break;
    case 2:
      good(problem.add(figure.frame(site.name), Orientation{R.col(0), R.col(1), c, c}, how));
      break;
    default:
      good(problem.add(figure.frame(site.name), Placement{p, {R.col(0), R.col(1), c, c}, 0.4, 0.6}, how));
  }
}

// One to four goals on a branching figure with slides, fixed joints and freedoms that do not vary; `coupled` by joint
// groups and by limits on several parameters, or in a box.
inline PinSample random_pins(Random& random, bool coupled = false) {
  for (;;) {
    const Figure figure =
        built(law::random_figure(random, {.freedoms = random.integer(3, 30), .groups = coupled, .rows = coupled}));
    auto problem = std::make_unique<Problem>(figure);
    const Pose reach = law::random_pose(random, figure);
    const int goals = random.integer(1, 4);
    for (int k = 0; k < goals; ++k) add_pin(random, figure, reach, *problem);
    if (auto made = pinned(figure, std::move(problem), law::random_pose(random, figure));
        made && made->tables.coupling.has_value() == coupled)
      return std::move(*made);
  }
}

}  // namespace limber::testing
