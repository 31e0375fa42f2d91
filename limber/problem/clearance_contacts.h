// The contacts of one clearance (problem/problem.h): the pairs that are too near, and their multipliers.
//
// As squares the constraint is r_p = max(0, e_p), e_p = margin - gap_p: a pair that is far enough has no row. As a hard
// constraint each pair keeps a multiplier λ_p >= 0, and the rows are √ω max(0, e_p + λ_p / ω): at their minimum,
// ω e_p + λ_p is the force of the obstacle, and λ_p follows it until e_p is 0 (Hestenes 1969, Powell 1969, for
// inequalities Rockafellar 1973). So the answer touches the obstacle instead of sinking into it, without weights of
// 1e9.
#pragma once

#include <vector>

#include "limber/problem/posed_linkage.h"
#include "limber/problem/problem.h"

namespace limber {

// A pair that is too near, or pushed apart.
struct ClearanceContact {
  int pair = 0;       // 2 (capsule · obstacles + obstacle), or 1 more at its other end; then pairs of capsules
  double gap = 0.0;   // in metres; negative where they overlap
  double over = 0.0;  // margin - gap and the multiplier's part: above 0
  Vec3 normal = Vec3::UnitY();  // from the obstacle or the other capsule to the capsule
  double slope = 1.0;           // ∂gap/∂at = slope · normal
  int link = -1, other_link = -1;
  Vec3 at = Vec3::Zero(), other_at = Vec3::Zero();  // on the cores, in the world
};

// The contacts of a clearance in a pose. No query asks for memory.
class ClearanceContacts {
 public:
  // The clearance must outlive this. Pairs of which neither moves are found by find_touches() alone: no variable can
  // part them, but they are reported.
  ClearanceContacts(const Clearance& clearance, PosedLinkage& links);

  // The most contacts that are listed at once: the deepest.
  int max_count() const { return max_count_; }
  int pair_count() const { return static_cast<int>(shifts_.size()); }

  // Forgets all multipliers, and takes the obstacles where they are now.
  void start();
  // Lists the pairs that are nearer than the margin plus `extra`, or pushed, for frames that are placed.
  void find(const LinkageState& state, double extra);
  const std::vector<ClearanceContact>& list() const { return list_; }
  // What is to be reported, moving or not; list() and shortfall() stay as they are. Obstacles that are nearer than the
  // margin plus `reach`; of the pairs of capsules only those that find() would list, or that are nearer than the
  // margin.
  const std::vector<ClearanceContact>& find_touches(const LinkageState& state, double extra, double reach);
  // The largest margin - gap, at least 0.
  double shortfall() const { return shortfall_; }

  // λ / ω by pair, in metres.
  const VecX& shifts() const { return shifts_; }
  void set_shifts(const Eigen::Ref<const VecX>& shifts);
  // The multipliers take the forces of the contacts found; gives the largest change, in metres. Then ω grows by a
  // factor.
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
  void take(ClearanceContact contact, double extra);
  void find_obstacles(Which which, double extra);
  void find_pairs(Which which, double extra);

  const Clearance& clearance_;
  std::vector<Core> cores_;
  std::vector<BoundingBox> around_;  // by obstacle
  VecX shifts_;
  double max_shift_ = 0.0;
  double shortfall_ = 0.0;
  int max_count_ = 0;
  std::vector<ClearanceContact> list_;
  std::vector<ClearanceContact> touches_;
};

}  // namespace limber
