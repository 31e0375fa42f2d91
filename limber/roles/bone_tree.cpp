#include "limber/roles/bone_tree.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// A site nearer to its joint than this, relative to the figure's size, is at the joint.
constexpr double same_place = 1e-4;
// Helpers are this much shorter than what they help, relative to the figure's size.
constexpr double helper_share = 0.1;

}  // namespace

BoneTree::BoneTree(const Figure& of) : figure(of), rest(forward(of, of.rest())) {
  const std::size_t n = figure.segments().size();
  p.resize(n);
  turns.assign(n, 0);
  children.resize(n);
  extent.assign(n, 0.0);
  reach.assign(n, 0.0);
  next.assign(n, -1);
  Eigen::AlignedBox3d box;
  for (std::size_t s = 0; s < n; ++s) {
    const Joint& joint = figure.joints()[s];
    p[s] = rest.segments[s] * joint.in_child.p;
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i)
      turns[s] += figure.freedoms()[static_cast<std::size_t>(i)].motion == Motion::rotate;
    if (const int up = figure.segments()[s].parent; up != no_parent)
      children[static_cast<std::size_t>(up)].push_back(static_cast<int>(s));
    box.extend(p[s]);
  }
  for (const Site& site : figure.sites())
    box.extend(rest.segments[static_cast<std::size_t>(site.segment)] * site.frame.p);
  size = n > 0 ? box.diagonal().norm() : 0.0;
  tip = p;
  for (const Site& site : figure.sites()) {
    const auto s = static_cast<std::size_t>(site.segment);
    const Vec3 at = rest.segments[s] * site.frame.p;
    const double d = (at - p[s]).norm();
    if (d <= same_place * size || d <= extent[s]) continue;
    extent[s] = d;
    tip[s] = at;
  }
  for (std::size_t s = n; s-- > 0;) {
    reach[s] = extent[s];
    // A bare leaf beside others is rather a helper or a socket than the way on.
    const bool has_more = std::ranges::any_of(children[s], [&](int child) { return !is_bare(child); });
    double farthest = reach[s];
    for (const int child : children[s]) {
      const double way = (p[static_cast<std::size_t>(child)] - p[s]).norm() + reach[static_cast<std::size_t>(child)];
      const double counted = has_more && is_bare(child) ? way - helper_share * size : way;
      reach[s] = std::fmax(reach[s], way);
      if (next[s] >= 0 ? counted <= farthest : counted < farthest) continue;
      farthest = counted;
      next[s] = child;
    }
  }
}

int BoneTree::carrier(int a, int b) const {
  while (a != no_parent && !is_below(b, a)) a = parent(a);
  return a;
}

std::optional<Vec3> BoneTree::hinge(int s) const {
  if (turns[static_cast<std::size_t>(s)] != 1) return std::nullopt;
  const Joint& joint = figure.joints()[static_cast<std::size_t>(s)];
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i)
    if (figure.freedoms()[static_cast<std::size_t>(i)].motion == Motion::rotate)
      return rest.axes[static_cast<std::size_t>(i)];
  return std::nullopt;
}

double LimbChain::length() const {
  double sum = 0.0;
  for (std::size_t k = 1; k < at.size(); ++k) sum += (at[k] - at[k - 1]).norm();
  return has_end ? sum + (end - at.back()).norm() : sum;
}

Vec3 LimbChain::point(double share, const Vec3& from) const {
  std::vector<Vec3> way{from};
  way.insert(way.end(), at.begin(), at.end());
  if (has_end) way.push_back(end);
  double total = 0.0;
  for (std::size_t k = 1; k < way.size(); ++k) total += (way[k] - way[k - 1]).norm();
  double left = share * total;
  for (std::size_t k = 1; k < way.size(); ++k) {
    const double step = (way[k] - way[k - 1]).norm();
    if (left <= step && step > 0.0) return way[k - 1] + (left / step) * (way[k] - way[k - 1]);
    left -= step;
  }
  return way.back();
}

LimbChain chain_from(const BoneTree& tree, int segment) {
  LimbChain chain;
  int last = segment;
  for (int s = segment; s >= 0; s = tree.next[static_cast<std::size_t>(s)]) {
    last = s;
    const auto at = static_cast<std::size_t>(s);
    if (tree.turns[at] == 0 && !(s == segment)) continue;
    chain.joints.push_back(s);
    chain.at.push_back(tree.p[at]);
  }
  const auto at = static_cast<std::size_t>(last);
  if (tree.extent[at] > 0.0 || chain.joints.back() != last) {
    chain.has_end = true;
    chain.end = tree.extent[at] > 0.0 ? tree.tip[at] : tree.p[at];
  }
  return chain;
}

}  // namespace limber
