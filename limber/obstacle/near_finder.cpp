#include "limber/obstacle/near_finder.h"

#include <utility>

#include "limber/base/index.h"
#include "limber/obstacle/line_segment.h"

namespace limber {

namespace {

// Whether the contents of two boxes cannot be nearer than `within`.
bool clear_of(const BoundingBox& first, const BoundingBox& second, double within) {
  const double square = first.square_from(second);
  return square > 0.0 && (within <= 0.0 || square >= within * within);
}

LineSegment core_of(const Capsule& capsule) { return {capsule.a, capsule.b}; }

}  // namespace

Obstacles::Obstacles(std::vector<Obstacle> list) : list_(std::move(list)) {
  for (const Obstacle& obstacle : list_) bounds_.push_back(bounds_of(obstacle));
}

void Obstacles::move(int k, const Frame& X_world_shape) {
  list_[at_index(k)].X_world_shape = X_world_shape;
  bounds_[at_index(k)] = bounds_of(list_[at_index(k)]);
}

NearFinder::NearFinder(std::vector<SegmentCapsule> capsules, std::vector<CapsulePair> pairs)
    : capsules_(std::move(capsules)), pairs_(std::move(pairs)) {
  for (const SegmentCapsule& capsule : capsules_) world_.push_back(capsule.capsule);
  bounds_.resize(capsules_.size());
}

void NearFinder::place(const Kinematics& state) {
  for (std::size_t k = 0; k < capsules_.size(); ++k) {
    const Frame& X_world_segment = state.segments[at_index(capsules_[k].segment)];
    Capsule& capsule = world_[k];
    capsule.a = X_world_segment * capsules_[k].capsule.a;
    capsule.b = X_world_segment * capsules_[k].capsule.b;
    const Vec3 radius = Vec3::Constant(capsule.radius);
    bounds_[k] = {capsule.a.cwiseMin(capsule.b) - radius, capsule.a.cwiseMax(capsule.b) + radius};
  }
}

void NearFinder::find(const Obstacles& obstacles, double within, std::vector<NearPair>& out) const {
  out.clear();
  for (std::size_t k = 0; k < world_.size(); ++k)
    for (std::size_t o = 0; o < obstacles.list().size(); ++o) {
      if (clear_of(bounds_[k], obstacles.bounds()[o], within)) continue;
      const Gap gap = limber::gap(core_of(world_[k]), obstacles.list()[o]);
      const double clearance = gap.distance - world_[k].radius;
      if (!(clearance < within)) continue;
      out.push_back({.capsule = static_cast<int>(k),
                     .obstacle = static_cast<int>(o),
                     .clearance = clearance,
                     .t = gap.t,
                     .slope = gap.slope,
                     .normal = gap.normal,
                     .on_core = gap.on_line,
                     .on_other = gap.on_shape});
    }
  for (const CapsulePair& pair : pairs_) {
    if (clear_of(bounds_[at_index(pair.first)], bounds_[at_index(pair.second)], within - pair.slack)) continue;
    examine(pair.first, world_[at_index(pair.second)], pair.second, pair.slack, within, out);
  }
}

void NearFinder::find(const NearFinder& other, double within, std::vector<NearPair>& out) const {
  out.clear();
  for (std::size_t k = 0; k < world_.size(); ++k)
    for (std::size_t j = 0; j < other.world_.size(); ++j)
      if (!clear_of(bounds_[k], other.bounds_[j], within))
        examine(static_cast<int>(k), other.world_[j], static_cast<int>(j), 0.0, within, out);
}

void NearFinder::examine(int first_index, const Capsule& second, int second_index, double slack, double within,
                         std::vector<NearPair>& out) const {
  const Capsule& first = world_[at_index(first_index)];
  const LineSegmentGap gap = limber::gap(core_of(first), core_of(second));
  const double clearance = gap.distance - first.radius - second.radius + slack;
  if (!(clearance < within)) return;
  out.push_back({.capsule = first_index,
                 .other = second_index,
                 .clearance = clearance,
                 .t = gap.t,
                 .s = gap.s,
                 .normal = gap.normal,
                 .on_core = gap.on_first,
                 .on_other = gap.on_second});
}

}  // namespace limber
