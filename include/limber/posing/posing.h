// Posing by pulling: parts of a figure are grabbed, moved, turned and released, and the rest of the body follows.
//
// With θ₀ the pose at the grab, the answer to the goals of all grips is
//
//   θ* = argmin  Σ ‖errors of the grips‖² + y² E(θ, θ₀)    where pins and locks hold, within limits, in balance
//
// E is the effort of the change (limber/posing/effort.h): stiff joints and heavy parts move little. y is so small that
// goals within reach are met to a fraction of a millimetre.
//
// The answer depends on the goals and on θ₀ alone, not on the way or the speed of the pointer: every frame begins again
// at θ₀ and moves the goals from where the parts were then, straight to where they are asked, in a few strides. So the
// solver follows one branch of solutions, goals that are near each other have answers that are near each other, and
// going out and back returns.
//
// Where the answer jumps nevertheless, because the branch ends (a fold), the pose that is shown follows over some
// frames; at rest it is the answer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/problem/problem.h"
#include "limber/solver/options.h"
#include "limber/solver/report.h"

namespace limber {

// What moves for a grip.                                                                                   W93 6.2
enum class GripChain {
  body,  // everything; pins and balance hold
  limb,  // the joints from the part up to where its limb branches off
  part,  // the joint of the part alone
};

enum class GripId : int {};

// A place that stays where it is in the pose.
struct PinnedPlace {
  std::string place;   // a site, segment or joint
  bool turns = false;  // otherwise it keeps its orientation too
  // Whether the heel of a flat foot may rise where the pull needs it: the toes stay, the foot turns about them.
  bool lifts = false;
};

struct GrabOptions {
  GripChain chain = GripChain::body;
  bool moves = true;   // whether the grip asks for a position
  bool turns = false;  // whether it asks for an orientation
  // Whether its goals are lines of sight: it comes to the line, and tends to stay at its distance along it.  W93
  // Fig. 6.3
  bool by_sight = false;
  // The joint where the chain begins, in place of that of a limb or a part; ignored for the whole body.
  std::string from = {};
};

// A grip as its goals are stated: of a part, by a point or a frame of it, or of a parameter.
struct Grip {
  GripId id = {};
  Handle handle;  // none of a parameter
  GrabOptions options = {};
  Vec3 p = Vec3::Zero();       // goal of the point
  Vec3 v = Vec3::UnitZ();      // direction of the line of sight through p
  Mat3 R = Mat3::Identity();   // goal of the orientation
  Vec3 p_grab = Vec3::Zero();  // at the grab
  Mat3 R_grab = Mat3::Identity();
  int parameter = -1;  // of the figure; -1: of a part
  double value = 0.0;  // goal of the parameter
  double value_grab = 0.0;
};

// States what else holds, in a problem that is stated anew at each grab: constraints, rigidities. What must hold
// exactly weighs as much as a pin.
using Statement = std::function<Expected<void>(Problem& problem, std::span<const Grip> grips)>;

struct PosingOptions {
  std::vector<PinnedPlace> pins = {};
  std::vector<std::string> locks = {};  // parameters that do not move, in any chain
  std::vector<std::string> feet = {};   // that carry the figure (problem/balance.h); none: no balance
  double balance_margin = 0.02;         // metres
  std::optional<Clearance> clearance = {};
  Statement constraints = {};
  // By parameter, 0 or more; empty: 0. The effort of moving it alone is greater by this factor plus 1.
  VecX stiffness = {};
  Method method = Method::automatic;
  // Whether the rest of the body follows as people's do, as far as that was learned from recorded motion: for figures
  // whose parts are known (limber/posing/proposal.h). Otherwise it changes as little as it can.
  bool natural = true;
  // Whether the eyes (the place "eyes") follow the hand or arm that is pulled, as far as the neck goes easily.
  bool looks = false;
  bool eases = true;  // whether jumps of the answer are shown over several frames
};

struct GripReport {
  GripId id = {};
  Vec3 at = Vec3::Zero();    // where the grabbed point is in the answer
  Vec3 goal = Vec3::Zero();  // where it is asked
  double metres = 0.0;       // error of the position or of a length, 0 if it asks for none
  double radians = 0.0;      // error of the orientation or of an angle
  bool met = false;
  std::span<const HoldingLimit> held_back_by = {};  // valid until the next frame
};

struct PosingReport {
  bool settled = true;  // what is shown is the answer: nothing moves until a goal does
  bool met = true;      // of the grips, pins, balance and clearance
  std::vector<GripReport> grips = {};
  const Report* solve = nullptr;  // of the answer; null while nothing is grabbed or nothing has moved
  int iterations = 0;             // of this frame
};

// A foot that would have to stand elsewhere.
struct Step {
  std::string foot = {};   // the pinned place
  Vec3 by = Vec3::Zero();  // along the ground
  double metres = 0.0;     // by which the grips would still miss their goals, at most
};

class Posing {
 public:
  // Rejected: a name that is not known, a pose of another size, or what a Problem rejects.
  static Expected<Posing> make(const Figure& figure, const Pose& pose, PosingOptions options = {});
  ~Posing();
  Posing(Posing&&) noexcept;
  Posing& operator=(Posing&&) noexcept;

  // Takes hold of a part where it is shown; its goal is there until it is moved. All grips then begin again at the pose
  // that is shown.
  Expected<GripId> grab(const Expected<Handle>& handle, GrabOptions options = {});
  // Takes hold of a parameter, to set it. The others move only as far as pins, balance and the rest need it; where that
  // does not help, the parameter stays short of its value.                                               W93 6.3
  Expected<GripId> grab_parameter(int parameter);
  // New goals; nothing is solved until frame(). No effect on a grip that was released.
  void move(GripId grip, const Vec3& p_world);
  // The line of sight through p along the unit vector v; p is where it should be if that costs nothing.
  void sight(GripId grip, const Vec3& p_world, const Vec3& v_world);
  void turn(GripId grip, const Mat3& R_world);
  void set(GripId grip, double value);
  // Another goal for a constraint of PosingOptions::constraints, by its number in the problem that is stated. Rejected
  // as by Problem::set_goal().
  Expected<void> set_goal(ConstraintId constraint, const Goal& goal);
  // The next frame solves even if no goal has moved: for what is stated and not met at first.
  void ask();
  // Changes nothing that is shown. Pins of the part hold where it is now.
  void release(GripId grip);

  // Solves for the current goals. Allocates nothing once grabs are done.
  const PosingReport& frame();
  // After a frame in which a grip missed its goal: a step of one of the feet that brings it at least half of the way
  // nearer. Nothing where there is none. It takes as long as some frames, and allocates.
  std::optional<Step> suggest_step() const;

  const Figure& figure() const;
  // What is shown, and what it tends to.
  const Pose& pose() const;
  const Pose& answer() const;
  std::span<const Grip> grips() const;

 private:
  class Impl;
  explicit Posing(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Where the chain of a segment begins: the joint that moves it, or the one where its limb branches off.
int chain_start(const Figure& figure, int segment, GripChain chain);

}  // namespace limber
