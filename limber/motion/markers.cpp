#include "limber/motion/markers.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// Segments count as equally good if their spreads differ by less than this, relative to the best spread and to the
// figure's length.
constexpr double spread_tolerance = 0.1;
constexpr double spread_tolerance_of_length = 1e-6;
constexpr double rate_tolerance = 1e-6;

// A frame on the segment, by name. A site may have the name of another segment, so names are tried in turn.
std::optional<Handle> place_on(const Figure& figure, int segment) {
  std::vector<std::string> names = {figure.segments()[segment].name, figure.joints()[segment].name};
  for (const Site& site : figure.sites())
    if (site.segment == segment) names.push_back(site.name);
  for (const std::string& name : names)
    if (const Expected<Handle> handle = figure.frame(name); handle && handle->plus[0].segment == segment)
      return *handle;
  return std::nullopt;
}

Frame X_segment_place(const Handle& place) {
  return {rotation_from_xy(place.plus[1].local, place.plus[2].local), place.plus[0].local};
}

// Distance to the bones of a segment: from its origin to the joints and sites on it.
double distance_to_bone(const Figure& figure, int segment, const Vec3& y) {
  double distance = y.norm();
  const auto bone_to = [&](const Vec3& end) {
    const double square = end.squaredNorm();
    if (square > 0.0) distance = std::min(distance, (y - std::clamp(y.dot(end) / square, 0.0, 1.0) * end).norm());
  };
  for (int c = segment + 1; c < figure.segments()[segment].subtree_end; ++c)
    if (figure.segments()[c].parent == segment) bone_to(figure.joints()[c].in_parent.p);
  for (const Site& site : figure.sites())
    if (site.segment == segment) bone_to(site.frame.p);
  return distance;
}

// Sums over y_k.
struct Sums {
  Vec3 y = Vec3::Zero();
  double square = 0.0;
  int count = 0;

  Vec3 mean() const { return y / count; }
  double spread() const { return std::sqrt(std::max(0.0, square / count - mean().squaredNorm())); }
};

struct Estimate {
  MarkerSet set;
  double cost = 0.0;  // mean square distance of the markers from their bones, plus spread
};

Estimate estimate(const Figure& figure, const Clip& clip, const Markers& markers, int start) {
  const std::size_t segments = figure.segments().size(), count = markers.names.size();
  std::vector<Sums> sums(segments * count);
  Kinematics state(figure);
  VecX q;
  for (int k = 0; k < clip.frames() && start + k < markers.frames(); ++k) {
    figure.angles(clip.poses.col(k), q);
    forward(figure, q, state);
    for (std::size_t m = 0; m < count; ++m) {
      if (!markers.seen(start + k, static_cast<int>(m))) continue;
      const Vec3 x = markers.position(start + k, static_cast<int>(m));
      for (std::size_t s = 0; s < segments; ++s) {
        const Vec3 y = state.segments[s].R.transpose() * (x - state.segments[s].p);
        Sums& sum = sums[m * segments + s];
        sum.y += y;
        sum.square += y.squaredNorm();
        ++sum.count;
      }
    }
  }
  std::vector<std::optional<Handle>> places;
  for (std::size_t s = 0; s < segments; ++s) places.push_back(place_on(figure, static_cast<int>(s)));
  Estimate result;
  for (std::size_t m = 0; m < count; ++m) {
    const Sums* const marker = &sums[m * segments];
    if (marker->count == 0) continue;
    double min_spread = infinity;
    for (std::size_t s = 0; s < segments; ++s)
      if (places[s]) min_spread = std::min(min_spread, marker[s].spread());
    const double max_spread = (1.0 + spread_tolerance) * min_spread + spread_tolerance_of_length * figure.length();
    double nearest = infinity;
    std::size_t best = segments;
    for (std::size_t s = 0; s < segments; ++s) {
      if (!places[s] || marker[s].spread() > max_spread) continue;
      const double distance = distance_to_bone(figure, static_cast<int>(s), marker[s].mean());
      if (distance >= nearest) continue;
      nearest = distance;
      best = s;
    }
    if (best == segments) continue;
    result.set.markers.push_back({.marker = markers.names[m],
                                  .place = places[best]->name,
                                  .at = X_segment_place(*places[best]).inverse() * marker[best].mean(),
                                  .spread = marker[best].spread()});
    result.cost += nearest * nearest + marker[best].spread() * marker[best].spread();
  }
  if (!result.set.markers.empty()) result.cost /= static_cast<double>(result.set.markers.size());
  return result;
}

}  // namespace

std::optional<int> Markers::find(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

Markers turned(Markers markers, double angle) {
  if (angle == 0.0) return markers;
  const Mat3 R = rotation(Vec3::UnitY(), angle);
  for (Eigen::Index m = 0; m + 3 <= markers.positions.rows(); m += 3)
    markers.positions.middleRows(m, 3) = (R * markers.positions.middleRows(m, 3)).eval();
  return markers;
}

Expected<Handle> marker_point(const Figure& figure, const Attachment& attachment) {
  const Expected<Handle> place = figure.frame(attachment.place);
  if (!place) return place;
  if (!attachment.at.allFinite())
    return reject("marker '" + attachment.marker + "'", "an offset that is not finite", "three numbers in metres");
  Handle point = *part(*place, Shape::point);
  point.plus[0].local = X_segment_place(*place) * attachment.at;
  return point;
}

Expected<MarkerSet> attach(const Figure& figure, const Clip& clip, const Markers& markers,
                           const AttachOptions& options) {
  if (options.start < 0 || options.start >= markers.frames())
    return reject("markers", "start at frame " + std::to_string(options.start),
                  markers.frames() > 0 ? "0 to " + std::to_string(markers.frames() - 1) : "markers with frames");
  if (clip.frames() == 0) return reject("motion", "no frames", "at least one");
  if (static_cast<double>(figure.segments().size()) * static_cast<double>(markers.names.size()) > max_values)
    return reject("markers", std::to_string(markers.names.size()) + " markers", "fewer for so many segments");
  if (options.turn && !std::isfinite(*options.turn)) return reject("turn", to_text(*options.turn), "a finite angle");
  Clip motion = clip;
  if (clip.frames() > 1 && markers.rate > 0.0 && std::fabs(markers.rate * clip.frame_time - 1.0) > rate_tolerance) {
    Expected<Clip> sampled = resampled(figure, clip, 1.0 / markers.rate);
    if (!sampled) return std::unexpected(sampled.error());
    motion = std::move(*sampled);
  }
  std::vector<double> turns = {0.0, pi / 2, pi, -pi / 2};
  if (options.turn) turns = {*options.turn};
  std::optional<Estimate> best;
  for (const double turn : turns) {
    Estimate candidate = estimate(figure, motion, turned(markers, turn), options.start);
    candidate.set.turn = turn;
    if (!best || candidate.cost < best->cost) best = std::move(candidate);
  }
  if (best->set.markers.empty()) return reject("markers", "none seen during the motion", "at least one");
  return std::move(best->set);
}

}  // namespace limber
