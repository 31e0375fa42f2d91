// The contacts of one clearance (problem/problem.h): the pairs inside the margin, and their multipliers.
//
// A weighted clearance has the residuals r_p = max(0, e_p), e_p = margin - gap_p; a pair outside the margin has no row.
// For a hard clearance, each pair has a multiplier λ_p >= 0 and the row √ω max(0, e_p + λ_p / ω) with the penalty ω. At
// the minimum, ω e_p + λ_p is the contact force; λ_p is set to it, round by round, until e_p is 0 (Hestenes 1969,
// Powell 1969, for inequalities Rockafellar 1973). So the figure touches the obstacle without overlap, and without huge
// penalties.
#pragma once

#include <vector>

#include "limber/problem/posed_linkage.h"
#include "limber/problem/problem.h"

namespace limber {

// A pair that is inside the margin, or held apart by its multiplier.
struct ClearanceContact {
  int pair = 0;       // 2 (capsule · obstacles + obstacle), plus 1 for the capsule's other end; then pairs of capsules
  double gap = 0.0;   // in metres; negative where they overlap
  double over = 0.0;  // margin - gap + λ / ω, above 0
  Vec3 normal = Vec3::UnitY();  // from the obstacle or the other capsule to the capsule
  double slope = 1.0;           // ∂gap/∂at = slope · normal
  int link = -1, other_link = -1;
  Vec3 at = Vec3::Zero(), other_at = Vec3::Zero();  // on the cores, in the world
};

// The contacts of a clearance in a pose. Queries do not allocate.
class ClearanceContacts {
 public:
  // The clearance must outlive this. Pairs in which neither part moves are found only by find_touches(): no variable
  // can separate them, but they are reported.
  ClearanceContacts(const Clearance& clearance, PosedLinkage& links);

  // Max number of contacts in the list; if there are more, the deepest are kept.
  int max_count() const { return max_count_; }
  int pair_count() const { return static_cast<int>(shifts_.size()); }

  // Resets all multipliers to 0, and reads the obstacles' positions.
  void start();
  // Lists the pairs nearer than the margin plus `extra`, and those with a multiplier above 0.
  void find(const LinkageState& state, double extra);
  const std::vector<ClearanceContact>& list() const { return list_; }
  // The contacts to report, whether or not they move; does not change list() and shortfall(). These are obstacles
  // nearer than the margin plus `reach`, and pairs of capsules that find() would list or that are inside the margin.
  const std::vector<ClearanceContact>& find_touches(const LinkageState& state, double extra, double reach);
  // The max of margin - gap, at least 0.
  double shortfall() const { return shortfall_; }

  // λ / ω by pair, in metres.
  const VecX& shifts() const { return shifts_; }
  void set_shifts(const Eigen::Ref<const VecX>& shifts);
  // Updates the multipliers to the contact forces, and returns the max change, in metres. Then ω grows by a factor.
  double follow(double factor);

  const Clearance& clearance() const { return clearance_; }

 private:
  struct Core {
    int link = -1;
    Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // in the link
    double radius = 0.0;
    LineSegment at;  // in the world
    Vec3 centre = Vec3::Zero();
    double reach = 0.0;  // bounding radius of the capsule around its centre
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
