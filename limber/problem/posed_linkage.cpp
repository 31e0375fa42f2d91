#include "limber/problem/posed_linkage.h"

#include <algorithm>

#include "limber/problem/drives.h"

namespace limber {

PosedLinkage::PosedLinkage(const Problem& problem, const Variables& variables)
    : figure_(problem.figure()), figure_state_(problem.figure()) {
  std::vector<char> needed(figure_.segments().size(), 0);
  for (const Constraint& constraint : problem.constraints()) {
    for (const Alternative& alternative : constraint.alternatives()) mark_segments(figure_, alternative.handle, needed);
    if (constraint.clearance() && constraint.counts())
      for (const SegmentCapsule& at : constraint.clearance()->capsules) mark_segments(figure_, at.segment, needed);
  }
  std::vector<char> moves(figure_.segments().size(), 0);
  for (const int j : variables.parameters())
    for (const int i : figure_.parameters()[j].drives) moves[figure_.freedoms()[i].joint] = 1;
  for (std::size_t s = 0; s < needed.size(); ++s) {
    const int parent = figure_.segments()[s].parent;
    if (parent != no_parent && moves[parent]) moves[s] = 1;
    if (needed[s] && !moves[s]) still_.push_back(static_cast<int>(s));
  }
  linkage_ = Linkage(figure_, moves, needed);
  state_.resize(linkage_);
  gradient_q_ = VecX::Zero(static_cast<Eigen::Index>(figure_.freedoms().size()));
}

// The segment may become a new base, which needs memory.
LinkPlacement PosedLinkage::placement(int segment) {
  const LinkPlacement at = linkage_.placement(segment);
  state_.resize(linkage_);
  return at;
}

AttachedElement PosedLinkage::attached(const Element& element) {
  if (element.kind == Element::Kind::mass_centre) {
    auto known = std::ranges::find_if(masses_, [&](const MassSums& masses) { return masses.is_of(element); });
    if (known == masses_.end()) known = masses_.insert(known, MassSums(figure_, element, linkage_));
    state_.resize(linkage_);
    return {element.kind, static_cast<int>(known - masses_.begin()), Vec3::Zero()};
  }
  const LinkPlacement at = placement(element.segment);
  if (element.kind == Element::Kind::point) return {element.kind, at.link, at.in_link * element.local};
  return {element.kind, at.link, at.in_link.R * element.local};
}

void PosedLinkage::place_bases(const VecX& q) {
  forward(figure_, q, still_, figure_state_);
  limber::place_bases(linkage_, figure_state_, state_);
}

}  // namespace limber
