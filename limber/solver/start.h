// Where a solve starts: the given pose, moved within the limits; and other starts where a method is stuck: the usual
// pose of the figure, the start with its root moved to the goals, points near the best one and points all over the
// limits (solver/restart.h).
//
// A figure with many goals is seldom stuck as a whole. Of the best point, limbs that meet their goals are kept: the
// variables of such a try are those that move an unmet constraint and no met one. In turns with that, all that moves an
// unmet constraint starts anew, and then everything that has to do with it; a free root is then moved to where the
// goals are.
#pragma once

#include <optional>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/problem/figure_limits.h"
#include "limber/solver/align.h"
#include "limber/solver/restart.h"
#include "limber/solver/workspace.h"

namespace limber {

class Starts {
 public:
  explicit Starts(const Problem& problem);

  void reserve(const Workspace& work);

  struct Projected {
    bool moved = false;  // theta violated limits, by more than rounding
    std::optional<Diagnostic> contradiction = {};
  };
  // Moves theta to the nearest pose within the limits; the other starts are computed from it.
  Projected project(VecX& theta);

  // The figure's usual pose, with the root aligned to the goals. False if no soft constraint pulls to a pose.
  bool usual(const Workspace& work, VecX& phi);

  // The order of the restarts.
  enum class Order {
    near_first,    // near the best point, then spread over the limits: for expensive runs
    spread_first,  // spread over the limits, if there are few variables: for cheap runs
  };
  // work.phi ← start number 1, 2, …; `met` tells which constraints the best point meets.
  void next(Workspace& work, int number, Order order, const VecX& best, const std::vector<char>& met);

 private:
  bool aligned(const Workspace& work, VecX& phi);
  static bool rows_hold(const Limits& limits, const VecX& phi);
  void move_root_to_goals(const Workspace& work, VecX& phi);
  enum class Extent { limbs, chains, everything };
  bool choose(Extent extent, const std::vector<char>& met);
  void add_coupled();

  const Problem& problem_;
  FigureLimits limits_;              // on all parameters of the figure
  const PosePull* usual_ = nullptr;  // the soft pull towards a pose
  Restart restart_;
  RootAlignment alignment_;
  bool moves_root_ = false;  // to where the goals are: it is free, and no limit couples it to others
  VecX given_, theta_;
  VecX candidate_, aligned_;              // the best of several points
  std::vector<std::vector<char>> moves_;  // by constraint: whether a variable moves it; empty where that is unknown
  std::vector<char> chosen_;              // variables
};

}  // namespace limber
