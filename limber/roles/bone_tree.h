// A figure at rest as points: where its joints are, what hangs from them, how far it reaches. Private to roles/.
#pragma once

#include <optional>
#include <vector>

#include "limber/kinematics/forward.h"

namespace limber {

struct BoneTree {
  explicit BoneTree(const Figure& figure);

  int parent(int s) const { return figure.segments()[static_cast<std::size_t>(s)].parent; }
  int end(int s) const { return figure.segments()[static_cast<std::size_t>(s)].subtree_end; }
  bool is_below(int s, int top) const { return s >= top && s < end(top); }
  // The first segment that carries both.
  int carrier(int a, int b) const;
  // World axis of the joint, if it turns about exactly one.
  std::optional<Vec3> hinge(int s) const;
  bool is_leaf(int s) const { return end(s) == s + 1; }
  // A leaf of no extent: a place, and maybe a joint.
  bool is_bare(int s) const { return is_leaf(s) && !(extent[static_cast<std::size_t>(s)] > 0.0); }

  const Figure& figure;
  Kinematics rest;
  std::vector<Vec3> p;     // centre of the joint
  std::vector<int> turns;  // rotational DOF
  std::vector<std::vector<int>> children;
  std::vector<Vec3> tip;       // farthest site on the segment itself
  std::vector<double> extent;  // its distance from the joint
  std::vector<double> reach;   // the longest way from the joint to an end below
  std::vector<int> next;       // the child on that way; -1: the segment's own tip
  double size = 0.0;           // of all of it
};

// The way from a segment to the end that is farthest along its bones: joints that turn, and the end if nothing turns
// there.
struct LimbChain {
  std::vector<int> joints;
  std::vector<Vec3> at;
  bool has_end = false;
  Vec3 end = Vec3::Zero();

  std::size_t count() const { return joints.size(); }
  double length() const;
  // The point at this share of its length, after `from`.
  Vec3 point(double share, const Vec3& from) const;
  Vec3 last() const { return has_end ? end : at.back(); }
};
LimbChain chain_from(const BoneTree& tree, int segment);

}  // namespace limber
