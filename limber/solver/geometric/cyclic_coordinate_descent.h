// Cyclic coordinate descent: one joint at a time, from the leaves to the root, each to its best value.
// W93 4.2, 5.4
//
//   E = Σ w ‖x - d‖²  over all targets: points x at d, and directions x along d      (4.13), (5.8)
//
// A rotation by φ about the axis u through j maps x' = x - j (x' = x for a direction) to R_u(φ) x'. With d' = d - j for
// a point and d' = d for a direction, E decreases by twice the increase of
//
//   g(φ) = k1 (1 - cos φ) + k2 cos φ + k3 sin φ                                       (4.19)
//   k1 = Σ w (d'·u)(x'·u)    k2 = Σ w d'·x'    k3 = u · Σ w x' × d'                   (4.20) to (4.22)
//
// summed over the targets below the joint; g is max at φ = atan2(k3, k2 - k1). For a translation along u, the best step
// is λ = Σ w (d - x)·u / Σ w over the points                                          (4.24)
//
// Joints are visited from the leaves inward, so no rotation moves an axis that is still to be visited. One forward pass
// per sweep gives all axes, and a joint costs O(targets below it), which are moved in place.
//
// With the weights of the objective, E never increases, at any joint; the limits hold exactly at every joint. An
// iteration is one sweep over all joints. Iterations do not allocate.
#pragma once

#include <optional>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/problem.h"
#include "limber/program/method.h"

namespace limber {

struct CyclicCoordinateDescentOptions {
  enum class Weights {
    objective,  // those of the constraints and goals: E is G, and never increases
    distance,   // [WC91]: 1 for a direction, (k / ℓ²)(1 + ρ) for a point, times the constraint's own; G may increase
  };
  Weights weights = Weights::objective;
  double k = 1.0;
};

// The first feature of the problem that the method does not support, if any: `must`, alternatives, goals that do not
// place a point or a direction, the centre of mass, differences of handles, a variable that drives several freedoms or
// one by a curve, a limit row that contains a variable.
std::optional<Diagnostic> rejection(const Problem& problem);

class CyclicCoordinateDescent {
 public:
  // The problem must outlive this. Goals' values and weights are read from it at each minimize(); after a change of
  // problem.structure() a new one is needed.
  explicit CyclicCoordinateDescent(const Problem& problem);

  int structure() const { return structure_; }
  // Whether rejection() is empty.
  bool accepts() const;

  // Minimises from theta, the values of all parameters, which is the best pose seen on return. Variables outside their
  // limits are first moved within; what hold() holds is taken from there. The values that the observer and the outcome
  // give are f = G / (ℓ² Σ w), and tolerance and longest step are for the variables φ, all as problem/assembly.h has
  // them. Exit::rejected where rejection() is not empty, or a number of the options is not valid.
  Outcome minimize(VecX& theta, const MethodOptions& options, const CyclicCoordinateDescentOptions& own = {},
                   const Observer& observer = {});

 private:
  struct Target {
    int constraint = 0;
    int element = 0;  // of the handle
    Element at;
    double weight = 0.0;  // in G
    double share = 0.0;   // of it in what the joints minimise
    Vec3 d = Vec3::Zero();
    Vec3 x = Vec3::Zero();

    bool is_point() const { return at.kind == Element::Kind::point; }
  };
  struct Variable {
    int parameter = 0;
    int freedom = 0;
    double slope = 1.0;  // q = slope θ
    double unit = 1.0;   // ℓ for a slide, 1 for a turn
    double give = 1.0;   // w_i = (1 - ρ) / max(1, α), the printed stiffness factor, from 0 to 1
    int begin = 0;       // targets below it
    int end = 0;
  };
  // The change of one freedom, the decrease of E, and the slope dE/dq before.
  struct Move {
    double by = 0.0;
    double decrease = 0.0;
    double slope = 0.0;
  };

  void take_goals(const CyclicCoordinateDescentOptions& own);
  void aim(Target& target, const Alternative& alternative, double weight) const;
  double place(const VecX& theta);
  double share_of(const Target& target, const Vec3& from, const CyclicCoordinateDescentOptions& own) const;
  Move turn(const Variable& variable, double lower, double upper, const CyclicCoordinateDescentOptions& own) const;
  Move slide(const Variable& variable, double lower, double upper, const CyclicCoordinateDescentOptions& own) const;
  Move best_move(const Variable& variable, const VecX& theta, double longest,
                 const CyclicCoordinateDescentOptions& own) const;
  void carry(const Variable& variable, double by);
  double sweep(VecX& theta, double longest, const CyclicCoordinateDescentOptions& own);
  double projected_gradient(const VecX& theta) const;
  double projected(const Variable& variable, const VecX& theta, double slope) const;

  const Problem& problem_;
  int structure_;
  bool fits_ = true;                 // the figure's part of rejection() is empty
  std::vector<Target> targets_;      // by segment
  std::vector<Variable> variables_;  // by freedom, the last one first
  std::vector<int> segments_;        // with targets, and all their parents
  double scale_ = 1.0;               // ℓ² Σ w
  Kinematics state_;
  VecX q_, theta_, best_;
};

}  // namespace limber
