#include "limber/format/gltf/gltf_tracks.h"

#include <algorithm>
#include <bit>

#include "limber/format/gltf/gltf_bytes.h"

namespace limber {

namespace {

constexpr int float_component = 5126, short_component = 5123;

bool stays_at(const Floats& track, const Floats& base) {
  for (std::size_t i = 0; i < track.size(); ++i)
    if (track[i] != base[i % base.size()]) return false;
  return true;
}

}  // namespace

Eigen::Vector4d quaternion(const Mat3& R) { return Eigen::Quaterniond(R).normalized().coeffs(); }

void append(Floats& to, const Vec3& v) {
  for (const double x : v) to.push_back(static_cast<float>(x));
}

void GltfData::begin_view() {
  pad_to_four(bytes_);
  begin_ = bytes_.size();
}

void GltfData::end_view(int target) { views_.push_back({begin_, bytes_.size() - begin_, target}); }

int GltfData::describe(int component, const char* type, std::size_t rows) {
  accessors_.push_back({first_view_ + static_cast<int>(views_.size()), bytes_.size() - begin_, component, rows, type});
  return first_accessor_ + static_cast<int>(accessors_.size()) - 1;
}

int GltfData::add(const Floats& values, const char* type, std::size_t width, bool with_bounds) {
  const int accessor = describe(float_component, type, values.size() / width);
  for (const float x : values) append_little_endian(bytes_, std::bit_cast<std::uint32_t>(x));
  for (std::size_t c = 0; c < width && with_bounds; ++c) {
    float min = values[c], max = values[c];
    for (std::size_t i = c; i < values.size(); i += width) {
      min = std::min(min, values[i]);
      max = std::max(max, values[i]);
    }
    accessors_.back().min.push_back(static_cast<double>(min));
    accessors_.back().max.push_back(static_cast<double>(max));
  }
  return accessor;
}

int GltfData::add(const std::vector<std::uint16_t>& values, const char* type, std::size_t width) {
  const int accessor = describe(short_component, type, values.size() / width);
  for (const std::uint16_t x : values) append_little_endian(bytes_, x, 2);
  return accessor;
}

Tracks add_tracks(GltfData& data, const Clip& clip, const std::vector<Mover>& movers, const Places& places,
                  bool at_least_one) {
  std::vector<Floats> turns(movers.size()), shifts(movers.size());
  std::vector<Eigen::Vector4d> before;
  for (const Mover& mover : movers) before.push_back(quaternion(mover.base.R));
  Floats times;
  std::vector<Frame> X(movers.size());
  for (int k = 0; k < clip.frames(); ++k) {
    times.push_back(static_cast<float>(k * clip.frame_time));
    places(k, X);
    for (std::size_t m = 0; m < movers.size(); ++m) {
      Eigen::Vector4d q = quaternion(X[m].R);
      if (q.dot(before[m]) < 0.0) q = -q;
      before[m] = q;
      for (const double x : q) turns[m].push_back(static_cast<float>(x));
      append(shifts[m], X[m].p);
    }
  }
  data.begin_view();
  Tracks tracks{data.add(times, "SCALAR", 1, true)};
  for (std::size_t m = 0; m < movers.size(); ++m) {
    const Mover& mover = movers[m];
    if (!stays_at(turns[m], floats(quaternion(mover.base.R))))
      tracks.tracks.push_back({mover.node, true, data.add(turns[m], "VEC4", 4)});
    if (!stays_at(shifts[m], floats(mover.base.p)))
      tracks.tracks.push_back({mover.node, false, data.add(shifts[m], "VEC3", 3)});
  }
  if (tracks.tracks.empty() && at_least_one)
    tracks.tracks.push_back({movers[0].node, true, data.add(turns[0], "VEC4", 4)});
  data.end_view();
  return tracks;
}

}  // namespace limber
