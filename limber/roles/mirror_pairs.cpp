// Left and right of a whole figure. The tree is walked from the root: a segment in the middle pairs its children, a
// pair of segments those of one with those of the other. Children are partners if one's joint is at the mirror image of
// the other's and moves in as many ways; the nearest first.
#include <algorithm>
#include <cmath>

#include "limber/roles/bone_tree.h"
#include "limber/roles/roles.h"

namespace limber {

namespace {

// Relative to the figure's size: farther apart than the first, they are no images; nearer to the plane than the second,
// a segment is its own.
constexpr double max_apart = 0.12, on_plane = 0.005;

class MirrorWalk {
 public:
  MirrorWalk(const BoneTree& tree, const Vec3& normal, const Vec3& middle)
      : tree_(tree), normal_(normal), middle_(middle) {}

  std::vector<MirrorPair> pairs() {
    for (std::size_t s = 0; s < tree_.p.size(); ++s)
      if (tree_.parent(static_cast<int>(s)) == no_parent) walk(static_cast<int>(s), static_cast<int>(s));
    return std::move(pairs_);
  }

 private:
  double side(int s) const { return normal_.dot(tree_.p[static_cast<std::size_t>(s)] - middle_); }

  double apart(int a, int b) const {
    const Vec3& p = tree_.p[static_cast<std::size_t>(a)];
    double sum = (p - 2.0 * side(a) * normal_ - tree_.p[static_cast<std::size_t>(b)]).norm();
    // Joints in one place differ in what they carry.
    sum += 0.5 * std::fabs(tree_.reach[static_cast<std::size_t>(a)] - tree_.reach[static_cast<std::size_t>(b)]);
    return sum;
  }

  bool are_alike(int a, int b) const {
    const auto freedoms = [&](int s) {
      const Joint& joint = tree_.figure.joints()[static_cast<std::size_t>(s)];
      return joint.freedom_end - joint.freedom_begin;
    };
    return freedoms(a) == freedoms(b) && tree_.is_leaf(a) == tree_.is_leaf(b);
  }

  // Of two segments that are each other's image, or of one that is its own.
  void walk(int s, int t) {
    struct Match {
      int a, b;
      double apart;
    };
    std::vector<Match> matches;
    for (const int a : tree_.children[static_cast<std::size_t>(s)])
      for (const int b : tree_.children[static_cast<std::size_t>(t)]) {
        if (s == t && (a >= b || std::fabs(side(a)) < on_plane * tree_.size) && !(a < b && carries_limb(a, b)))
          continue;
        if (!are_alike(a, b)) continue;
        if (const double d = apart(a, b); d <= max_apart * tree_.size) matches.push_back({a, b, d});
      }
    std::ranges::stable_sort(matches, {}, &Match::apart);
    std::vector<int> taken;
    const auto is_free = [&](int one) { return std::ranges::find(taken, one) == taken.end(); };
    for (const Match& match : matches) {
      if (!is_free(match.a) || !is_free(match.b)) continue;
      taken.push_back(match.a);
      taken.push_back(match.b);
      const bool a_is_left = far_side(match.a) > far_side(match.b);
      const auto name = [&](int one) { return tree_.figure.segments()[static_cast<std::size_t>(one)].name; };
      pairs_.push_back(a_is_left ? MirrorPair{name(match.a), name(match.b)} : MirrorPair{name(match.b), name(match.a)});
      walk(match.a, match.b);
    }
    if (s != t) return;
    for (const int child : tree_.children[static_cast<std::size_t>(s)])
      if (is_free(child)) walk(child, child);
  }

  // The mean side of a subtree: joints in the middle may begin limbs.
  double far_side(int s) const {
    double sum = 0.0;
    for (int k = s; k < tree_.end(s); ++k) sum += side(k);
    return sum / (tree_.end(s) - s);
  }
  bool carries_limb(int a, int b) const {
    const double least = on_plane * tree_.size;
    return far_side(a) * far_side(b) < 0.0 && std::fabs(far_side(a)) > least && std::fabs(far_side(b)) > least;
  }

  const BoneTree& tree_;
  const Vec3 normal_, middle_;
  std::vector<MirrorPair> pairs_;
};

}  // namespace

Figure with_mirror_pairs(const Figure& figure) { return with_mirror_pairs(figure, roles_of(figure)); }

Figure with_mirror_pairs(const Figure& figure, const Roles& roles) {
  if (!figure.mirror().empty() || roles.plan == BodyPlan::unknown) return figure;
  const BoneTree tree(figure);
  Vec3 middle = Vec3::Zero();
  int count = 0;
  for (const Role role : {Role::hip, Role::shoulder}) {
    const RolePart *left = roles.find(role, Side::left), *right = roles.find(role, Side::right);
    if (!left || !right || count > 0) continue;
    middle += 0.5 * (tree.p[static_cast<std::size_t>(left->first)] + tree.p[static_cast<std::size_t>(right->first)]);
    ++count;
  }
  FigureDescription description = figure.description();
  description.mirror_pairs = MirrorWalk(tree, roles.left, middle).pairs();
  if (description.mirror_pairs.empty()) return figure;
  description.mirror_normal = roles.left;
  const Expected<Figure> mirrored = build_figure(std::move(description));
  return mirrored ? *mirrored : figure;
}

}  // namespace limber
