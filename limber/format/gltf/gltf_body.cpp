#include "limber/format/gltf/gltf_body.h"

#include <algorithm>

namespace limber {

namespace {

// Max half width of a stick relative to its length; its bounds relative to the figure's length; and its position along
// the stick.
constexpr double half_width = 0.06;
constexpr double min_width = 0.003, max_width = 0.03;
constexpr double widest_at = 0.15;
// Shorter bones, relative to the figure, are not shown.
constexpr double min_bone = 1e-4;
// Half the size of the marker for a figure without bones, relative to its length.
constexpr double marker_size = 0.05;

void add_triangle(StickBody& body, int segment, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a).normalized();
  for (const Vec3& corner : {a, b, c}) {
    body.positions.push_back(corner);
    body.normals.push_back(normal);
    body.segments.push_back(segment);
  }
}

void add_stick(StickBody& body, int segment, const Vec3& from, const Vec3& to, double width, double along) {
  const Vec3 d = (to - from).normalized();
  Eigen::Index smallest = 0;
  d.cwiseAbs().minCoeff(&smallest);
  const Vec3 u = d.cross(Vec3(Vec3::Unit(smallest))).normalized();
  const Vec3 v = d.cross(u);
  const Vec3 middle = from + along * (to - from);
  const Vec3 ring[] = {middle + width * u, middle + width * v, middle - width * u, middle - width * v};
  for (int k = 0; k < 4; ++k) {
    add_triangle(body, segment, ring[k], ring[(k + 1) % 4], to);
    add_triangle(body, segment, ring[(k + 1) % 4], ring[k], from);
  }
}

}  // namespace

StickBody stick_body(const Figure& figure, const std::vector<Frame>& X_world_segment, int begin, int end) {
  StickBody body;
  const std::vector<Segment>& segments = figure.segments();
  const double length = figure.length();
  const auto origin = [&](int s) -> const Vec3& { return X_world_segment[static_cast<std::size_t>(s)].p; };
  const auto connect = [&](int s, const Vec3& to) {
    const double bone = (to - origin(s)).norm();
    if (bone > min_bone * length)
      add_stick(body, s, origin(s), to, std::clamp(half_width * bone, min_width * length, max_width * length),
                widest_at);
  };
  for (int s = begin; s < end; ++s)
    if (const int parent = segments[static_cast<std::size_t>(s)].parent; parent != no_parent)
      connect(parent, origin(s));
  for (const Site& site : figure.sites()) {
    const int s = site.segment;
    if (s >= begin && s < end && segments[static_cast<std::size_t>(s)].subtree_end == s + 1)
      connect(s, X_world_segment[static_cast<std::size_t>(s)] * site.frame.p);
  }
  if (body.positions.empty()) {
    const Vec3 up = marker_size * length * Vec3::UnitY();
    add_stick(body, begin, origin(begin) - up, origin(begin) + up, marker_size * length, 0.5);
  }
  return body;
}

StickBody with_objects(const StickBody& body, const Figure& figure, const std::vector<Frame>& X_world_segment,
                       int begin, int end, const std::vector<SegmentObject>& objects) {
  std::vector<bool> has_object(figure.segments().size(), false);
  StickBody out;
  for (const SegmentObject& object : objects) {
    const Expected<int> s = figure.find_segment(object.segment);
    if (!s || *s < begin || *s >= end) continue;
    has_object[static_cast<std::size_t>(*s)] = true;
    const Frame& X = X_world_segment[static_cast<std::size_t>(*s)];
    const auto at = [&](int v) { return Vec3(X * object.vertices[static_cast<std::size_t>(v)]); };
    for (const auto& [a, b, c] : object.triangles)
      if ((at(b) - at(a)).cross(at(c) - at(a)).norm() > 0.0) add_triangle(out, *s, at(a), at(b), at(c));
  }
  for (std::size_t v = 0; v < body.positions.size(); ++v) {
    if (has_object[static_cast<std::size_t>(body.segments[v])]) continue;
    out.positions.push_back(body.positions[v]);
    out.normals.push_back(body.normals[v]);
    out.segments.push_back(body.segments[v]);
  }
  return out.positions.empty() ? body : out;
}

}  // namespace limber
