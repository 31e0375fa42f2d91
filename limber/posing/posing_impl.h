// What a Posing is made of. posing.cpp takes grips and reports, posing_problem.cpp states what is asked as a problem,
// posing_solve.cpp finds the answer and shows it.
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/posing/hang.h"
#include "limber/posing/held_goals.h"
#include "limber/posing/posing.h"
#include "limber/posing/proposal.h"
#include "limber/posing/support.h"
#include "limber/solver/solve.h"

namespace limber {

// Of the figure where it is grabbed.
struct GripPlace {
  Vec3 p;
  Mat3 R;
};
GripPlace grip_place_of(const Figure& figure, const Kinematics& state, const Handle& handle);

inline bool is_of_part(const Grip& grip) { return grip.parameter < 0; }

// What was accepted once is accepted with other values.
inline void expect([[maybe_unused]] const Expected<void>& done) { assert(done); }

class Posing::Impl {
 public:
  Impl(const Figure& figure, Pose pose, PosingOptions options);

  Expected<void> begin();
  Expected<GripId> grab(const Expected<Handle>& handle, GrabOptions options);
  Expected<GripId> grab_parameter(int parameter);
  Expected<void> set_goal(ConstraintId constraint, const Goal& goal);
  void release(GripId id);
  const PosingReport& frame();
  std::optional<Step> suggest_step() const;

  Grip* find(GripId id) {
    const auto at = std::ranges::find(grips_, id, &Grip::id);
    return at == grips_.end() ? nullptr : &*at;
  }

  Figure figure_;
  PosingOptions options_;
  std::vector<Grip> grips_;
  Pose shown_, answer_;
  bool is_asked_ = false;  // to solve for what is stated, since the last grab or release

 private:
  // A grip in the problem.
  struct Asked {
    Vec3 missing = Vec3::Zero();  // from the point to its goal when the pull began: it was out of reach then
    std::optional<ConstraintId> position, sight, orientation, value;
    double value_weight = 1.0;           // relative to that of a value that can be reached
    std::vector<std::size_t> feet = {};  // of the support, that it moves
    std::optional<ConstraintId> level;   // of the foot that it holds
    // That which gives way where it is out of reach.
    std::optional<ConstraintId> yielding() const { return value ? value : sight ? sight : position; }
  };

  // posing.cpp
  void place(const Pose& pose);
  Expected<GripId> keep(Grip grip);
  void write_report();
  void write_grip_report(std::size_t grip);
  void find_holding_limits(std::size_t grip);

  // posing_problem.cpp
  void begin_grips();
  Expected<void> add_stated(Problem& problem);
  Expected<void> make_firm(Problem& problem, const Expected<ConstraintId>& added);
  Expected<void> add_pins(Problem& problem);
  Expected<void> add_pin(Problem& problem, const PinnedPlace& pin);
  Expected<void> add_lifting_pin(Problem& problem, const PinnedPlace& pin, const Handle& frame, int toes);
  Expected<void> add_balance();
  Expected<void> add_grip(std::size_t grip);
  Expected<void> add_preference(std::size_t stated);
  Expected<void> add_look();
  std::vector<bool> following(std::span<const HangingBone> hanging) const;
  Expected<void> add_proposal(std::span<const HangingBone> hanging);
  Expected<void> make_eased();
  void hold_firmly();
  int toes_of(int segment) const;
  bool is_whole() const;
  bool moves_part(int segment) const;
  bool holds_part(const Grip& grip, int segment) const;
  bool holds_arm(const Grip& grip) const;
  bool lifts(const Grip& grip, int foot) const;
  std::vector<int> limb_of(int segment) const;
  std::vector<bool> idle_parameters(std::size_t stated) const;
  double preference() const;

  // posing_step.cpp
  std::optional<double> missed_after(const std::string& foot, const Vec3& by) const;

  // posing_solve.cpp
  int strides() const;
  void state_goals(double share);
  void state_grip(std::size_t grip, double share);
  void state_look(const Vec3& p);
  Vec3 along_sight(std::size_t grip, const Vec3& way) const;
  bool follow_feet();
  bool note_goals();
  bool holds_as_set();
  void propose();
  void bend_straight(Pose& pose) const;
  void solve();
  void set_out();
  void stride();
  void finish();
  bool is_far() const;
  void run(int iterations);
  bool weigh_values();
  double max_force() const;
  void show();

  Kinematics state_, at_grab_;
  VecX q_;
  Pose start_;          // θ₀
  VecX before_answer_;  // of the last frame
  VecX before_round_;
  VecX target_;  // of the effort: θ₀ with the parameters that are set
  std::vector<Asked> asked_;
  std::vector<Grip> before_;  // as stated in the last frame
  std::vector<Grip> from_;    // where the strides to the goals begin
  bool only_parameters_ = false;
  bool goes_round_ = false;             // obstacles: every frame goes on where the last one ended
  std::optional<ConstraintId> moving_;  // a stated constraint whose goal changes: it gives way as a grip does
  double moving_weight_ = 1.0;          // if its goal cannot be held
  Support support_;
  std::vector<bool> is_variable_;   // by parameter
  std::vector<ConstraintId> firm_;  // what holds
  HeldGoals held_;                  // of these and of the grips those that can be shifted
  HangingLimbs limbs_;
  std::optional<Proposer> proposer_;
  bool proposes_ = false;           // for the present grips
  std::vector<AskedPoint> points_;  // what the proposal is for: grips, then pins
  std::optional<Problem> problem_, eased_;
  std::optional<Solver> solver_, easing_;
  std::optional<ConstraintId> effort_, balance_, towards_;
  std::optional<ConstraintId> look_;  // of the eyes, at a grip
  std::size_t looked_at_ = 0;
  Vec3 eyes_ = Vec3::Zero();  // at the grab
  const Report* solved_ = nullptr;
  double goal_way_ = 0.0, goal_turn_ = 0.0;  // of this frame
  int iterations_ = 0;
  int next_id_ = 0;
  std::vector<std::vector<HoldingLimit>> holding_;  // by grip
  std::vector<std::string> limit_names_;            // lower and upper limits of the parameters
  MatX J_;                                          // of a grip
  VecX row_, slope_;                                // of its error, by freedom and by parameter
  PosingReport report_;
};

}  // namespace limber
