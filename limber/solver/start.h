// Where a solve starts: the given pose, moved within the limits; and other starts where a method is stuck: the usual
// pose of the figure, the start with its root moved to the goals, points near the best one and points all over the
// limits (solver/restart.h).
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
    bool moved = false;  // theta was outside, by more than rounding
    std::optional<Diagnostic> contradiction = {};
  };
  // Moves theta to the nearest pose within the limits, from which the other starts are made.
  Projected project(VecX& theta);

  // The pose that the figure usually has, its root where the goals are. False where no soft constraint pulls to one.
  bool usual(const Workspace& work, VecX& phi);

  // The order of the starts after the first one.
  enum class Order {
    near_first,    // near the best point, then anywhere: worth a careful run each
    spread_first,  // evenly over the limits, where there are few variables: for runs that cost little
  };
  // work.phi ← start number 1, 2, …
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
