// Starting points of a solve: the given pose, moved within the limits; and for restarts the figure's usual pose, the
// start with its root moved to the goals, points near the best one, and points spread over the limits
// (solver/restart.h).
#pragma once

#include <optional>

#include "limber/base/diagnostic.h"
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
  // work.phi ← restart number 1, 2, …
  void next(Workspace& work, int number, Order order, const VecX& best);

 private:
  bool aligned(const Workspace& work, VecX& phi);

  const Problem& problem_;
  Limits limits_;                    // on all parameters of the figure
  const PosePull* usual_ = nullptr;  // the soft pull towards a pose
  Restart restart_;
  RootAlignment alignment_;
  VecX given_, theta_;
};

}  // namespace limber
