#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "limber/base/index.h"
#include "limber/body/block.h"
#include "limber/body/bone.h"
#include "limber/figure/join.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/body.h"
#include "limber/obstacle/line_segment.h"

namespace limber {

namespace {

// Metres of extra slack, above rounding and the solver's tolerance, for pairs as near as at rest.
constexpr double rest_slack = 1e-4;
// Proportions, as in pictures of bodies (body/body.cpp).
constexpr double trunk_flatness = 1.28;   // width to radius, radius to depth
constexpr double skull_share = 0.89;      // of a head's half-axes: part of its mass is neck
constexpr double neck_share = 0.55;       // of a head's radius, at least
constexpr int neighbourhood = 4;          // discs above and below that share their mass
constexpr double max_trunk_radius = 0.2;  // relative to the figure's length
// Relative to a disc's depth: minimum distance between consecutive capsules of a trunk.
constexpr double disc_spacing = 0.75;

// Relative to the radius: a site nearer to the bone only marks a joint; one farther away sticks out.
constexpr double skin_share = 0.3, knob_share = 1.5;
constexpr int halvings = 50;  // to find a radius, to the last digits
// Relative to the sum of two radii: maximum clearance, and maximum bone length between, of pairs that belong together.
constexpr int max_block_capsules = 16;
constexpr double near_share = 0.5, joined_share = 3.0;

class CapsuleMaker {
 public:
  explicit CapsuleMaker(const Figure& figure)
      : figure_(figure), rest_(forward(figure, figure.rest())), bones_(measure_bones(figure)) {}

  std::vector<SegmentCapsule> result() {
    for (int s = 0; s < static_cast<int>(bones_.list.size()); ++s) {
      const Bone& b = bone(s);
      if (b.kind == BoneKind::limb) add_limb(s);
      if (b.kind == BoneKind::hub) add_hub(s);
      if (b.kind == BoneKind::head) add_head(s);
      if (b.kind == BoneKind::disc && !follows_disc(s)) add_trunk(s);
    }
    std::ranges::stable_sort(out_, {}, &SegmentCapsule::segment);
    return std::move(out_);
  }

 private:
  const Bone& bone(int s) const { return bones_.list[at_index(s)]; }
  const Segment& segment(int s) const { return figure_.segments()[at_index(s)]; }

  void add(int s, const Vec3& a, const Vec3& b, double radius) {
    if (a.allFinite() && b.allFinite() && std::isfinite(radius) && radius > 0.0) out_.push_back({s, {a, b, radius}});
  }

  // The radius of a capsule of the segment's mass with a core, or a total length, of the given length.
  double radius_of(int s, double length, bool is_total) const {
    if (!(segment(s).mass > 0.0)) return bone(s).radius;
    const double volume = segment(s).mass / bones_.density;
    double low = 0.0, high = is_total ? 0.5 * length : std::cbrt(0.75 * volume / pi);
    for (int k = 0; k < halvings; ++k) {
      const double r = 0.5 * (low + high), core = is_total ? length - 2.0 * r : length;
      (pi * r * r * core + 4.0 / 3.0 * pi * r * r * r < volume ? low : high) = r;
    }
    return low;
  }

  // The centre of a ball of radius r that touches x from `inside`: along each axis of the segment separately, so that a
  // heel touches both the ground and the wall behind it.
  static Vec3 pulled_in(const Vec3& x, const Vec3& inside, double r) {
    return x + (inside - x).cwiseMax(-r).cwiseMin(r);
  }

  // A free end lies on the skin, a joint inside the limb.
  void add_limb(int s) {
    const Bone& b = bone(s);
    const bool free_end = b.ends.empty();
    const Vec3 end = free_end ? b.tip : b.ends.front().p;
    double radius = std::fmax(radius_of(s, b.length, free_end), free_end ? 0.0 : neck_share * head_on(s));
    if (!(segment(s).mass > 0.0) && free_end) radius = std::fmin(radius, last_radius_of(segment(s).parent));
    for (const Site& site : figure_.sites()) {
      const double depth = Capsule{b.start, end, 0.0}.away(site.frame.p).norm();
      if (site.segment == s && site.frame.p != end && depth > skin_share * radius) radius = std::fmin(radius, depth);
    }
    add(s, b.start, free_end ? pulled_in(end, b.start, radius) : end, radius);
    if (!free_end) add_knobs(s, out_.empty() ? Capsule{} : out_.back().capsule);
  }

  // Sites that stick out of a limb, such as a heel.
  void add_knobs(int s, const Capsule& limb) {
    for (const Site& site : figure_.sites())
      if (site.segment == s && limb.away(site.frame.p).norm() > knob_share * limb.radius)
        add(s, limb.a, pulled_in(site.frame.p, limb.a, limb.radius), limb.radius);
  }

  // The radius of the head on a limb, or 0.
  double head_on(int s) const {
    int c = bone(s).ends.front().child;
    while (bone(c).kind == BoneKind::nothing && c + 1 < segment(c).subtree_end) ++c;
    return bone(c).kind == BoneKind::head ? bone(c).radius : 0.0;
  }

  double last_radius_of(int s) const {
    const auto same = std::ranges::find(out_, s, &SegmentCapsule::segment);
    return same == out_.end() ? infinity : same->capsule.radius;
  }

  // One capsule to each end, except for ends inside another capsule.
  void add_hub(int s) {
    const Bone& b = bone(s);
    const double radius = radius_of(s, b.length, false);
    std::vector<BoneEnd> ends = b.ends;
    std::ranges::stable_sort(ends, std::greater{}, [&](const BoneEnd& end) { return (end.p - b.start).norm(); });
    const std::size_t before = out_.size();
    for (const BoneEnd& end : ends) {
      const auto covers = [&](const SegmentCapsule& other) {
        return other.capsule.away(end.p).norm() < skin_share * radius;
      };
      if (std::none_of(out_.begin() + static_cast<std::ptrdiff_t>(before), out_.end(), covers))
        add(s, b.start, end.p, radius);
    }
  }

  // With the height of its top above its centre of mass, and its volume.
  void add_head(int s) {
    const Bone& b = bone(s);
    const Vec3 along = (b.tip - b.start) / b.length;
    const double volume = segment(s).mass / bones_.density, round = std::cbrt(0.75 * volume / pi);
    const double height = along.dot(b.tip - segment(s).mass_centre);
    const double half = skull_share * std::clamp(height, 0.8 * round, 1.5 * round);
    const double radius = std::fmin(half, skull_share * std::sqrt(0.75 * volume / (pi * half)));
    const Vec3 centre = segment(s).mass_centre + (1.0 / skull_share - 1.0) * half * along;
    add(s, centre - (half - radius) * along, centre + (half - radius) * along, radius);
  }

  bool follows_disc(int s) const {
    const int p = segment(s).parent;
    return p != no_parent && bone(p).kind == BoneKind::disc && bones_.next_disc(p) == s;
  }

  void add_trunk(int first) {
    std::vector<int> run;
    for (int s = first; s >= 0; s = bones_.next_disc(s)) run.push_back(s);
    Vec3 last = Vec3::Zero();
    for (std::size_t k = 0; k < run.size(); ++k) {
      const int s = run[k];
      const double radius = trunk_radius(run, k);
      const bool flat = !figure_.description().mirror_pairs.empty();
      const double depth = flat ? radius / trunk_flatness : radius, width = flat ? radius * trunk_flatness : radius;
      const Vec3 centre = rest_.segments[at_index(s)] * segment(s).mass_centre;
      if (k > 0 && k + 1 < run.size() && (centre - last).norm() < disc_spacing * depth) continue;
      last = centre;
      const Vec3 left = rest_.segments[at_index(s)].R.transpose() * figure_.description().mirror_normal.normalized();
      add(s, segment(s).mass_centre - (width - depth) * left, segment(s).mass_centre + (width - depth) * left, depth);
    }
  }

  // From the mass of the neighbourhood: a single vertebra says little about the girth around it.
  double trunk_radius(const std::vector<int>& run, std::size_t k) const {
    double mass = 0.0, height = 0.0;
    const int n = static_cast<int>(run.size()), centre = static_cast<int>(k);
    for (int j = std::max(0, centre - neighbourhood); j <= std::min(n - 1, centre + neighbourhood); ++j) {
      mass += segment(run[at_index(j)]).mass;
      height += bone(run[at_index(j)]).longest;
    }
    const double radius = std::sqrt(mass / (bones_.density * pi * height));
    return std::fmin(radius, max_trunk_radius * figure_.length());
  }

  const Figure& figure_;
  const Kinematics rest_;
  const Bones bones_;
  std::vector<SegmentCapsule> out_;
};

class PairFinder {
 public:
  PairFinder(const Figure& figure, const std::vector<SegmentCapsule>& capsules)
      : figure_(figure),
        capsules_(capsules),
        rest_(forward(figure, figure.rest())),
        has_capsule_(rest_.segments.size()) {
    for (const SegmentCapsule& capsule : capsules) has_capsule_[at_index(capsule.segment)] = 1;
  }

  std::vector<CapsulePair> result(double margin) const {
    std::vector<CapsulePair> pairs;
    for (std::size_t i = 0; i < capsules_.size(); ++i)
      for (std::size_t j = i + 1; j < capsules_.size(); ++j) {
        const SegmentCapsule &first = capsules_[i], &second = capsules_[j];
        if (first.segment == second.segment || are_neighbours(first.segment, second.segment)) continue;
        const double radii = first.capsule.radius + second.capsule.radius;
        const LineSegmentGap gap = limber::gap(core(first), core(second));
        const double clearance = gap.distance - radii;
        const double length = length_between(first.segment, gap.on_first, second.segment, gap.on_second);
        if (clearance <= near_share * radii && length <= joined_share * radii) continue;
        const double slack = clearance < margin ? margin - clearance + rest_slack : 0.0;
        pairs.push_back({static_cast<int>(i), static_cast<int>(j), slack});
      }
    return pairs;
  }

 private:
  LineSegment core(const SegmentCapsule& capsule) const {
    const Frame& X = rest_.segments[at_index(capsule.segment)];
    return {X * capsule.capsule.a, X * capsule.capsule.b};
  }
  int parent(int s) const { return figure_.segments()[at_index(s)].parent; }

  bool are_neighbours(int s, int r) const { return parent_with_capsule(s) == r || parent_with_capsule(r) == s; }
  int parent_with_capsule(int s) const {
    int p = parent(s);
    while (p != no_parent && !has_capsule_[at_index(p)]) p = parent(p);
    return p;
  }

  // The length along the bones at rest, from a point on one segment to a point on another: up from both, the later
  // segment first, as parents precede their children.
  double length_between(int s, Vec3 x, int r, Vec3 y) const {
    double length = 0.0;
    while (s != r) {
      int& later = s > r ? s : r;
      Vec3& point = s > r ? x : y;
      if (later == no_parent) break;
      const Vec3 joint = rest_.segments[at_index(later)] * figure_.joints()[at_index(later)].in_child.p;
      length += (point - joint).norm();
      point = joint;
      later = parent(later);
    }
    return length + (x - y).norm();
  }

  const Figure& figure_;
  const std::vector<SegmentCapsule>& capsules_;
  const Kinematics rest_;
  std::vector<char> has_capsule_;
};

}  // namespace

namespace {

// A block as a sheet of capsules along its longest side, side by side along the next one, each as thick as the block.
std::vector<SegmentCapsule> capsules_of_block(const Block& block) {
  Vec3 min = block.corners.front(), max = min;
  for (const Vec3& x : block.corners) {
    min = min.cwiseMin(x);
    max = max.cwiseMax(x);
  }
  const Vec3 size = max - min, middle = 0.5 * (min + max);
  std::array<int, 3> by_size = {0, 1, 2};
  std::ranges::sort(by_size, std::greater{}, [&](int k) { return size[k]; });
  const auto [longest, next, shortest] = by_size;
  const double r = 0.5 * size[shortest];
  const double along = 0.5 * size[longest] - r, across = 0.5 * size[next] - r;
  const int count = std::min(max_block_capsules, 1 + static_cast<int>(std::ceil(2.0 * across / r)));
  std::vector<SegmentCapsule> capsules;
  for (int k = 0; k < count; ++k) {
    Vec3 centre = middle;
    if (count > 1) centre[next] += across * (2.0 * k / (count - 1) - 1.0);
    capsules.push_back({0, {centre - along * Vec3::Unit(longest), centre + along * Vec3::Unit(longest), r}});
  }
  return capsules;
}

// The segments of one of several figures, or those from a segment on.
Expected<std::pair<int, int>> segments_named(const Figure& figure, std::string_view name) {
  if (const FigurePart* part = find_part(figure, name)) return std::pair(part->segment_begin, part->segment_end);
  const Expected<int> segment = figure.find_segment(name);
  if (!segment) return std::unexpected(segment.error());
  return std::pair(*segment, figure.segments()[at_index(*segment)].subtree_end);
}

// The capsules of one part, by their numbers on the part.
std::vector<SegmentCapsule> own_capsules(const FigurePart& part, const std::vector<SegmentCapsule>& capsules,
                                         std::vector<int>& numbers) {
  std::vector<SegmentCapsule> own;
  for (std::size_t k = 0; k < capsules.size(); ++k)
    if (capsules[k].segment >= part.segment_begin && capsules[k].segment < part.segment_end) {
      own.push_back({capsules[k].segment - part.segment_begin, capsules[k].capsule});
      numbers.push_back(static_cast<int>(k));
    }
  return own;
}

}  // namespace

std::vector<SegmentCapsule> capsules_of(const Figure& figure) {
  if (const std::optional<Block> block = block_of(figure)) return capsules_of_block(*block);
  if (figure.parts().empty()) return CapsuleMaker(figure).result();
  std::vector<SegmentCapsule> whole;
  for (const FigurePart& part : figure.parts())
    for (const SegmentCapsule& own : capsules_of(part.figure))
      whole.push_back({part.segment_begin + own.segment, own.capsule});
  return whole;
}

std::vector<CapsulePair> pairs_to_check(const Figure& figure, const std::vector<SegmentCapsule>& capsules,
                                        double margin) {
  if (!figure.parts().empty()) {
    std::vector<CapsulePair> whole;
    for (const FigurePart& part : figure.parts()) {
      std::vector<int> numbers;
      const std::vector<SegmentCapsule> own = own_capsules(part, capsules, numbers);
      for (const CapsulePair& pair : pairs_to_check(part.figure, own, margin))
        whole.push_back({numbers[at_index(pair.first)], numbers[at_index(pair.second)], pair.slack});
    }
    std::ranges::sort(whole, {}, [](const CapsulePair& pair) { return std::pair(pair.first, pair.second); });
    return whole;
  }
  return PairFinder(figure, capsules).result(margin);
}

Expected<std::vector<CapsulePair>> pairs_between(const Figure& figure, const std::vector<SegmentCapsule>& capsules,
                                                 std::string_view first, std::string_view second) {
  const Expected<std::pair<int, int>> a = segments_named(figure, first), b = segments_named(figure, second);
  if (!a) return std::unexpected(a.error());
  if (!b) return std::unexpected(b.error());
  const auto is_in = [](const std::pair<int, int>& range, const SegmentCapsule& capsule) {
    return capsule.segment >= range.first && capsule.segment < range.second;
  };
  if (std::max(a->first, b->first) < std::min(a->second, b->second))
    return reject("bodies", "'" + std::string(first) + "' and '" + std::string(second) + "', which share segments",
                  "two that have none in common");
  std::vector<CapsulePair> pairs;
  for (std::size_t i = 0; i < capsules.size(); ++i)
    for (std::size_t j = i + 1; j < capsules.size(); ++j)
      if ((is_in(*a, capsules[i]) && is_in(*b, capsules[j])) || (is_in(*b, capsules[i]) && is_in(*a, capsules[j])))
        pairs.push_back({static_cast<int>(i), static_cast<int>(j), 0.0});
  return pairs;
}

}  // namespace limber
