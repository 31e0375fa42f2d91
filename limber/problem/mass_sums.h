// The centre of mass of a figure or of one of several, and how it moves, from the masses that the links carry.
//
// Links are numbered so that the descendants of a link follow it. So the mass m and the moment Σ m x of everything that
// a link moves are differences of prefix sums: with c = Σ m x / M, for a degree of freedom with axis z through p
//
//   ∂c/∂q = z × (Σ m x - m p) / M   where it turns,   z m / M   where it slides
//
// in O(1) per degree of freedom.
#pragma once

#include <vector>

#include "limber/kinematics/linkage.h"

namespace limber {

class MassSums {
 public:
  // Of the segments of an element that is a centre of mass. Those that no link moves become bases of the linkage.
  MassSums(const Figure& figure, const Element& of, Linkage& linkage);

  bool is_of(const Element& element) const { return begin_ == element.segment && end_ == element.segment_end; }
  // Takes the pose.
  void update(const LinkageState& state) {
    moment_before_[0] = Packed{};
    for (std::size_t k = 0; k < loads_.size(); ++k)
      moment_before_[k + 1] =
          moment_before_[k] + loads_[k].mass * state.frame(loads_[k].link).point(loads_[k].centre.data());
  }

  // In the pose of the last update().
  Packed centre() const { return (1.0 / mass_) * moment_before_.back(); }
  // ∂c/∂q of a link with the frame X.
  Packed column(const Link& at, int link, const PackedFrame& X) const {
    const auto from = static_cast<std::size_t>(first_load_[static_cast<std::size_t>(link)]);
    const auto to = static_cast<std::size_t>(first_load_[static_cast<std::size_t>(at.subtree_end)]);
    const double mass = mass_before_[to] - mass_before_[from], part = 1.0 / mass_;
    return at.turns ? cross(X.z, part * (moment_before_[to] - moment_before_[from]) - (part * mass) * X.p)
                    : (part * mass) * X.z;
  }
  // Applies the force c to the centre of mass: each link gets its share by mass.
  void pull(const Packed& c, LinkageState& state) const;

 private:
  struct Load {
    int link;
    double mass;
    Vec3 centre;  // in the link
  };
  int begin_ = 0, end_ = 0;            // the segments, as in the element
  double mass_ = 0.0;                  // M
  std::vector<Load> loads_;            // by link
  std::vector<int> first_load_;        // by link, and one more
  std::vector<double> mass_before_;    // by load, and one more: the sum of all masses before it
  std::vector<Packed> moment_before_;  // likewise of their moments, in the pose
};

}  // namespace limber
