// The links that a problem needs, in a pose: where points, directions and the centre of mass are, how they move with
// each link, and the backward pass that gives ∂f/∂q.
//
// Segments that no variable moves are bases, such as the trunk if only an arm moves: they are placed once per solve
// (W93 5.3.4). A forward and a backward pass cost O(n + m) for n links and m elements.
#pragma once

#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/kinematics/linkage.h"
#include "limber/problem/mass_sums.h"
#include "limber/problem/variables.h"

namespace limber {

// An element of a handle, fixed to a link.
struct AttachedElement {
  Element::Kind kind = Element::Kind::point;
  int link = -1;  // of a centre of mass: which of them
  Vec3 local = Vec3::Zero();
};

class PosedLinkage {
 public:
  // Creates the links that the handles and clearances of the problem need. The problem must outlive this.
  PosedLinkage(const Problem& problem, const Variables& variables);

  const Linkage& linkage() const { return linkage_; }
  const LinkageState& state() const { return state_; }
  LinkPlacement placement(int segment);
  AttachedElement attached(const Element& element);

  // Places the bases, from all joint angles of the figure.
  void place_bases(const VecX& q);
  // Places the links, on the bases as placed last.
  void place(const VecX& q) {
    forward(linkage_, q, state_);
    for (MassSums& masses : masses_) masses.update(state_);
  }

  // The position, or direction, of an element.
  void evaluate(const AttachedElement& attached, Packed& x) const {
    switch (attached.kind) {
      case Element::Kind::point:
        x = state_.frame(attached.link).point(attached.local.data());
        return;
      case Element::Kind::direction:
        x = state_.frame(attached.link).direction(attached.local.data());
        return;
      case Element::Kind::mass_centre:
        break;
    }
    x = masses_[static_cast<std::size_t>(attached.link)].centre();
  }

  // ∂x/∂q of an element at x, for the degree of freedom of a link.
  void column(const AttachedElement& attached, const Packed& x, int link, Packed& column) const {
    const Link& at = linkage_.links()[link];
    const PackedFrame& X = state_.frames[link];
    column = Packed{};
    if (attached.kind == Element::Kind::mass_centre) {
      column = masses_[static_cast<std::size_t>(attached.link)].column(at, link, X);
      return;
    }
    if (attached.link < link || attached.link >= at.subtree_end) return;
    if (attached.kind == Element::Kind::direction) {
      if (at.turns) column = cross(X.z, x);
    } else if (at.turns) {
      column = cross(X.z, x - X.p);
    } else {
      column = X.z;
    }
  }

  // Whether an element, not the centre of mass, is on the link or beyond.
  bool moves(int link, const AttachedElement& attached) const {
    return attached.link >= link && attached.link < linkage_.links()[link].subtree_end;
  }

  // The backward pass: forget all forces; pull elements by ∂f/∂x; then ∂f/∂q.
  void clear_forces() { limber::clear_forces(state_); }
  void pull(const AttachedElement& attached, const Packed& x, const Packed& c) {
    if (attached.kind == Element::Kind::point) return pull_point(attached.link, x, c, state_);
    if (attached.kind == Element::Kind::direction) return pull_direction(attached.link, x, c, state_);
    masses_[static_cast<std::size_t>(attached.link)].pull(c, state_);
  }
  const VecX& collect() {
    limber::collect(linkage_, state_, gradient_q_);
    return gradient_q_;
  }

 private:
  const Figure& figure_;
  std::vector<int> still_;  // needed segments that no variable moves, with all their parents
  Linkage linkage_;
  LinkageState state_;
  Kinematics figure_state_;       // of the still segments
  std::vector<MassSums> masses_;  // of the handles that are a centre of mass
  VecX gradient_q_;
};

}  // namespace limber
