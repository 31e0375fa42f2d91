// The contacts of a clearance constraint (problem/clearance.h): the pairs that are too near, and their multipliers.
//
// As squares the constraint is r_p = max(0, e_p), e_p = margin - gap_p: a pair that is far enough has no row. As a hard
// constraint each pair keeps a multiplier λ_p >= 0, and the rows are √ω max(0, e_p + λ_p / ω): at their minimum,
// ω e_p + λ_p is the force of the obstacle, and λ_p follows it until e_p is 0 (Hestenes 1969, Powell 1969, for
// inequalities Rockafellar 1973). So the answer touches the obstacle instead of sinking into it, without weights of
// 1e9.
#pragma once

#include <vector>

#include "limber/kinematics/linkage.h"
#include "limber/problem/clearance.h"

namespace limber {

// Two that are too near, or pushed apart.
struct ClearanceContact {
  int pair = 0;       // 2 (capsule · obstacles + obstacle), or 1 more at its other end; then pairs of capsules
  double gap = 0.0;   // in metres; negative where they overlap
  double over = 0.0;  // what is asked for less the gap, and the multiplier's part: above 0
  Vec3 normal = Vec3::UnitY();  // from the other to the capsule
  double slope = 1.0;           // ∂gap/∂at = slope · normal
  int link = -1, other_link = -1;
  Vec3 at = Vec3::Zero(), other_at = Vec3::Zero();  // on the cores, in the world
};

// The contacts of a clearance in a pose. No query asks for memory.
class ClearanceContacts {
 public:
  // The clearance must outlive this. Two of which neither moves are looked at by find_touches() alone: nothing can be
  // done about them, but they are told.
  ClearanceContacts(const Clearance& clearance, Linkage& linkage);

  // So many contacts at most are listed at once: the deepest.
  int most() const { return max_; }
  int pair_count() const { return static_cast<int>(shifts_.size()); }

  // Forgets all multipliers, and takes the obstacles where they are now.
  void start();
  // Lists what is nearer than the margin and `more`, or pushed, for frames that are placed.
  void find(const LinkageState& state, double more);
  const std::vector<ClearanceContact>& list() const { return list_; }
  // What is to be told of, moving or not; list() and shortfall() stay as they are. Obstacles that are nearer than the
  // margin and `reach`; of the pairs of capsules no more than those that find() would list, or that are nearer than the
  // margin.
  const std::vector<ClearanceContact>& find_touches(const LinkageState& state, double more, double reach);
  // The largest margin - gap, at least 0.
  double shortfall() const { return shortfall_; }

  // λ / ω by pair, in metres.
  const VecX& shifts() const { return shifts_; }
  void set_shifts(const Eigen::Ref<const VecX>& shifts);
  // The multipliers follow what was found; gives the largest change, in metres. Then ω grows by a factor.
  double follow(double factor);

  const Clearance& clearance() const { return clearance_; }

 private:
  struct Core {
    int link = -1;
    Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // in the link
    double radius = 0.0;
    LineSegment at;  // in the world
    Vec3 centre = Vec3::Zero();
    double reach = 0.0;  // of the capsule from its centre
  };
  bool is_near(const Core& core, const BoundingBox& box, double within) const;
  enum class Which { moving, still };
  void place(const LinkageState& state);
  void take(ClearanceContact contact, double more);
  void find_obstacles(Which which, double more);
  void find_pairs(Which which, double more);

  const Clearance& clearance_;
  std::vector<Core> cores_;
  std::vector<BoundingBox> around_;  // by obstacle
  VecX shifts_;
  double max_shift_ = 0.0;
  double shortfall_ = 0.0;
  int max_ = 0;
  std::vector<ClearanceContact> list_;
  std::vector<ClearanceContact> touches_;
};

}  // namespace limber
