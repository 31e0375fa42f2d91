// The support polygon of a figure whose foot is being lifted.
//
// A foot that is pulled still carries weight while it is at its height on the ground; at the height `lift` it carries
// none. Between, the places where it touches count as moved towards the middle of the other feet in proportion, so that
// the weight goes over to them smoothly.
#pragma once

#include <string>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/problem/problem.h"

namespace limber {

class Support {
 public:
  // `pulled` are those of the feet that a grip moves.
  static Expected<Support> make(const Figure& figure, const Pose& pose, const std::vector<std::string>& feet,
                                double margin);

  bool empty() const { return feet_.empty(); }
  // The grip that moves a foot; its displacement is set for every solve.
  void pull(std::size_t foot) { feet_[foot].is_pulled = true; }
  bool is_pulled() const;
  int segment(std::size_t foot) const { return feet_[foot].segment; }
  std::size_t count() const { return feet_.size(); }
  void move(std::size_t foot, const Vec3& by) { feet_[foot].moved = by; }
  const Vec3& moved(std::size_t foot) const { return feet_[foot].moved; }
  // 0 on the ground, 1 where it carries nothing any more.
  double lifted(std::size_t foot) const { return lifted(feet_[foot]); }

  // Whether some foot still carries the figure.
  bool stands() const;
  // The space for the centre of mass.
  InsidePolyhedron polygon() const;
  const Handle& centre() const { return centre_; }

 private:
  struct Foot {
    int segment = 0;
    std::vector<Vec3> contacts = {};
    bool is_pulled = false;
    Vec3 moved = Vec3::Zero();
  };
  double lifted(const Foot& foot) const;

  std::vector<Foot> feet_;
  Handle centre_;
  double margin_ = 0.0, half_width_ = 0.0, lift_ = 0.0;
};

}  // namespace limber
