// glTF animations: the value of a channel at any time, and the frames of a clip.         glTF 2.0, appendix C
//
// With the keys t_k <= t < t_k+1, the values v, the length d = t_k+1 - t_k and u = (t - t_k) / d:
//
//   STEP         v_k
//   LINEAR       (1 - u) v_k + u v_k+1; rotations along the shorter arc at constant speed
//   CUBICSPLINE  (2u³ - 3u² + 1) v_k + d (u³ - 2u² + u) b_k + (3u² - 2u³) v_k+1 + d (u³ - u²) a_k+1
//                with the tangents a before and b after a key; rotations are then normalized
#include <algorithm>
#include <set>

#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

using Vec4 = Eigen::Vector4d;

constexpr double default_rate = 30.0;  // frames per second, if the keys are not on a uniform grid
constexpr double min_rate = 24.0;      // a coarser grid is subdivided
constexpr double max_rate = 1000.0;
constexpr int max_divisions = 4;  // of the smallest gap between keys, to find the common grid of gaps such as 2 and 3
// Max distance of a key from the grid, relative to a step, in addition to the rounding of its time to 24 bits.
constexpr double grid_tolerance = 1e-4;
constexpr double float_rounding = 0x1p-23;
// Shorter interpolated quaternions have no direction.
constexpr double min_sum = 1e-9;

Vec4 row(const GltfAccessor& values, std::size_t k) {
  Vec4 v = Vec4::Zero();
  for (int c = 0; c < values.width; ++c) v[c] = values.at(k, c);
  return v;
}

// The number of keys at or before t.
std::size_t keys_until(const GltfAccessor& times, double t) {
  std::size_t low = 0, high = times.rows;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (times.at(middle, 0) <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool on_grid(const std::vector<double>& times, double step) {
  return std::ranges::all_of(times, [&](double t) {
    return std::fabs(t - std::round(t / step) * step) <= grid_tolerance * step + float_rounding * t;
  });
}

// The step of the uniform grid from 0 that contains all times, which are in increasing order.
std::optional<double> uniform_step(const std::vector<double>& times) {
  double gap = times.back(), before = 0.0;
  for (const double t : times) {
    if ((t - before) * max_rate >= 1.0) gap = std::fmin(gap, t - before);  // smaller gaps are rounding
    before = t;
  }
  for (int parts = 1; parts <= max_divisions; ++parts) {
    const double steps = std::round(times.back() / gap * parts);
    const double step = times.back() / steps;
    if (!(step * max_rate >= 1.0)) return std::nullopt;
    const double whole_rate_step = 1.0 / std::round(1.0 / step);  // 1/24 rather than 0.0416666
    if (std::isfinite(whole_rate_step) && on_grid(times, whole_rate_step)) return whole_rate_step;
    if (on_grid(times, step)) return step;
  }
  return std::nullopt;
}

// The last frame is at or after the last key.
double frames_of(const GltfAnimation& animation, double frame_time) {
  return std::fmax(0.0, std::ceil(animation.duration / frame_time - grid_tolerance)) + 1.0;
}

// The animation with that index; null for no_clip.
Expected<const GltfAnimation*> find_animation(const Content& content, int clip, double t) {
  if (!content.asset || !content.figure || !fits(*content.asset, *content.figure))
    return reject("content", "no glTF document with its figure", "the result of read_gltf");
  const std::vector<GltfAnimation>& animations = content.asset->animations;
  if (clip == no_clip) return nullptr;
  if (clip < 0 || clip >= static_cast<int>(animations.size()))
    return reject("clip", "number " + std::to_string(clip),
                  "one of " + std::to_string(animations.size()) + " animations");
  if (!std::isfinite(t)) return reject("time", to_text(t), "a finite number of seconds");
  return &animations[static_cast<std::size_t>(clip)];
}

}  // namespace

Vec4 value_at(const GltfAsset& asset, const GltfChannel& channel, double t) {
  const GltfAccessor& times = asset.accessors[static_cast<std::size_t>(channel.times)];
  const GltfAccessor& values = asset.accessors[static_cast<std::size_t>(channel.values)];
  const bool turns = channel.path == GltfPath::rotation;
  const bool cubic = channel.interpolation == GltfInterpolation::cubic_spline;
  const auto key = [&](std::size_t k) -> Vec4 {
    const Vec4 v = row(values, cubic ? 3 * k + 1 : k);
    return turns ? v.normalized() : v;
  };
  const std::size_t next = keys_until(times, t);
  if (next == 0) return key(0);
  const std::size_t k = next - 1;
  if (next == times.rows || channel.interpolation == GltfInterpolation::step) return key(k);
  const double d = times.at(next, 0) - times.at(k, 0);
  const double u = (t - times.at(k, 0)) / d;
  if (cubic) {
    const Vec4 v = row(values, 3 * k + 1), b = row(values, 3 * k + 2);
    const Vec4 a = row(values, 3 * next), w = row(values, 3 * next + 1);
    const double uu = u * u, uuu = uu * u;
    Vec4 x = (2.0 * uuu - 3.0 * uu + 1.0) * v + d * (uuu - 2.0 * uu + u) * b + (3.0 * uu - 2.0 * uuu) * w +
             d * (uuu - uu) * a;
    if (!turns) return x;
    const double length = x.norm();
    return length > min_sum ? Vec4(x / length) : key(k);
  }
  const Vec4 v = key(k), w = key(next);
  if (!turns) return (1.0 - u) * v + u * w;
  return Eigen::Quaterniond(v).slerp(u, Eigen::Quaterniond(w)).normalized().coeffs();
}

std::vector<Mat3> scales_above(const GltfAsset& asset, const GltfAnimation& animation, double t,
                               const std::vector<Mat3>& R) {
  std::vector<Mat3> K, E(asset.nodes.size(), Mat3::Identity());
  for (const GltfNode& node : asset.nodes) K.push_back(node.K);
  for (const GltfChannel& channel : animation.channels)
    if (channel.path == GltfPath::scale)
      K[static_cast<std::size_t>(channel.node)] = value_at(asset, channel, t).head<3>().asDiagonal();
  for (const int node : asset.order) {
    const auto n = static_cast<std::size_t>(node);
    const int parent = asset.nodes[n].parent;
    const auto p = static_cast<std::size_t>(parent);
    E[n] = parent == no_node ? asset.nodes[n].E_parent : Mat3(R[p].transpose() * E[p] * R[p] * K[p]);
  }
  return E;
}

namespace {

// The translations that follow from scales which the animation changes.
void add_scaled_offsets(const GltfAsset& asset, const GltfAnimation& animation, double t, VecX& theta) {
  std::vector<Mat3> R;
  std::vector<Vec3> offset;
  for (const GltfNode& node : asset.nodes) {
    R.push_back(node.R);
    offset.push_back(node.t);
  }
  for (const GltfChannel& channel : animation.channels) {
    const auto n = static_cast<std::size_t>(channel.node);
    const Vec4 value = value_at(asset, channel, t);
    if (channel.path == GltfPath::translation) offset[n] = value.head<3>();
    if (channel.path == GltfPath::rotation) R[n] = Eigen::Quaterniond(value).toRotationMatrix();
  }
  const std::vector<Mat3> E = scales_above(asset, animation, t, R);
  for (const int node : asset.order) {
    const GltfNode& at = asset.nodes[static_cast<std::size_t>(node)];
    const auto n = static_cast<std::size_t>(node);
    if (at.below_scale && at.slides) theta.segment<3>(at.parameter) = E[n] * offset[n] - at.E_parent * at.t;
  }
}

}  // namespace

void pose_at(const GltfAsset& asset, const GltfAnimation& animation, double t, VecX& theta) {
  const VecX before = theta;
  theta.setZero();
  for (const GltfChannel& channel : animation.channels) {
    const GltfNode& node = asset.nodes[static_cast<std::size_t>(channel.node)];
    if (channel.path == GltfPath::translation && node.slides) {
      theta.segment<3>(node.parameter) = node.E_parent * (value_at(asset, channel, t).head<3>() - node.t);
    } else if (channel.path == GltfPath::rotation && node.turns) {
      const int first = node.parameter + (node.slides ? 3 : 0);
      const Mat3 R = Eigen::Quaterniond(value_at(asset, channel, t)).toRotationMatrix();
      theta.segment<3>(first) = euler_angles(node.R.transpose() * R, euler_xyz, before.segment<3>(first));
    }
  }
  if (animation.scales) add_scaled_offsets(asset, animation, t, theta);
}

double own_frame_time(const GltfAsset& asset, const GltfAnimation& animation, std::size_t& remaining_looks,
                      std::vector<Note>& notes) {
  std::set<int> accessors;
  std::vector<double> times;
  for (const GltfChannel& channel : animation.channels) {
    if ((channel.path == GltfPath::scale && !animation.scales) || !accessors.insert(channel.times).second) continue;
    const GltfAccessor& keys = asset.accessors[static_cast<std::size_t>(channel.times)];
    if (keys.rows > remaining_looks) {
      notes.push_back({"animation '" + on_one_line(animation.name) + "' is sampled " + to_text(default_rate) +
                       " times per second: too many animations share the same keys"});
      return 1.0 / default_rate;
    }
    remaining_looks -= keys.rows;
    for (std::size_t k = 0; k < keys.rows; ++k) times.push_back(keys.at(k, 0));
  }
  std::ranges::sort(times);
  if (times.empty() || times.back() <= 0.0) return 1.0 / default_rate;
  if (const std::optional<double> step = uniform_step(times))
    return *step / std::fmax(1.0, std::ceil(*step * min_rate - grid_tolerance));
  notes.push_back({"the keys of animation '" + on_one_line(animation.name) +
                   "' are not on a uniform grid: it is sampled " + to_text(default_rate) + " times per second"});
  return 1.0 / default_rate;
}

Expected<Clip> sampled(const GltfAsset& asset, const GltfAnimation& animation, int parameters, double frame_time,
                       std::size_t& remaining_bytes) {
  const double frames = frames_of(animation, frame_time);
  const double bytes = frames * std::fmax(1.0, parameters) * sizeof(double);
  if (!(bytes <= static_cast<double>(remaining_bytes)))
    return reject("animation '" + on_one_line(animation.name) + "'",
                  to_text(animation.duration) + " s, that is " + to_text(frames) + " frames",
                  "less motion for a file of this size, or fewer frames per second");
  remaining_bytes -= static_cast<std::size_t>(bytes);
  Clip clip{animation.name, frame_time, MatX(parameters, static_cast<Eigen::Index>(frames))};
  VecX theta = VecX::Zero(parameters);
  for (int k = 0; k < clip.frames(); ++k) {
    pose_at(asset, animation, k * frame_time, theta);
    clip.poses.col(k) = theta;
  }
  if (!clip.poses.allFinite())
    return reject("animation '" + on_one_line(animation.name) + "'", "a motion that overflows",
                  "translations and moderate scales");
  return clip;
}

bool is_sampled_from(const Clip& clip, const GltfAsset& asset, const GltfAnimation& animation) {
  if (clip.frames() != frames_of(animation, clip.frame_time)) return false;
  VecX theta = VecX::Zero(clip.poses.rows());
  for (int k = 0; k < clip.frames(); ++k) {
    pose_at(asset, animation, k * clip.frame_time, theta);
    if (clip.poses.col(k) != theta) return false;
  }
  return true;
}

bool fits(const GltfAsset& asset, const Figure& figure) {
  if (asset.order.size() != figure.segments().size() || !figure.groups().empty()) return false;
  int parameters = 0;
  for (std::size_t s = 0; s < asset.order.size(); ++s) {
    const GltfNode& node = asset.nodes[static_cast<std::size_t>(asset.order[s])];
    const Joint& joint = figure.joints()[s];
    const int freedoms = (node.slides ? 3 : 0) + (node.turns ? 3 : 0);
    if (figure.segments()[s].name != node.name || joint.freedom_end - joint.freedom_begin != freedoms) return false;
    if (freedoms > 0 && joint.freedom_begin != node.parameter) return false;
    parameters += freedoms;
  }
  return parameters == static_cast<int>(figure.parameters().size());
}

Expected<Pose> pose_at(const Content& content, int clip, double t) {
  const Expected<const GltfAnimation*> animation = find_animation(content, clip, t);
  if (!animation) return std::unexpected(animation.error());
  Pose pose{VecX::Zero(static_cast<Eigen::Index>(content.figure->parameters().size()))};
  if (*animation) pose_at(*content.asset, **animation, t, pose.theta);
  return pose;
}

Expected<std::vector<Vec3>> node_positions(const Content& content, int clip, double t) {
  const Expected<const GltfAnimation*> animation = find_animation(content, clip, t);
  if (!animation) return std::unexpected(animation.error());
  const GltfAsset& asset = *content.asset;
  struct Matrix {
    Mat3 L;
    Vec3 p;
  };
  std::vector<Matrix> local(asset.nodes.size()), world(asset.nodes.size());
  std::vector<Mat3> R(asset.nodes.size()), K(asset.nodes.size());
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    R[n] = asset.nodes[n].R;
    K[n] = asset.nodes[n].K;
    local[n].p = asset.nodes[n].t;
  }
  if (*animation)
    for (const GltfChannel& channel : (*animation)->channels) {
      const auto n = static_cast<std::size_t>(channel.node);
      const Vec4 value = value_at(asset, channel, t);
      if (channel.path == GltfPath::translation) local[n].p = value.head<3>();
      if (channel.path == GltfPath::rotation) R[n] = Eigen::Quaterniond(value).toRotationMatrix();
      if (channel.path == GltfPath::scale) K[n] = value.head<3>().asDiagonal();
    }
  std::vector<Vec3> positions;
  for (const int node : asset.order) {
    const auto n = static_cast<std::size_t>(node);
    local[n].L = R[n] * K[n];
    world[n] = local[n];
    if (const int parent = asset.nodes[n].parent; parent != no_node) {
      const Matrix& parent_world = world[static_cast<std::size_t>(parent)];
      world[n] = {parent_world.L * local[n].L, parent_world.L * local[n].p + parent_world.p};
    }
    positions.push_back(content.space.inside(world[n].p));
  }
  return positions;
}

}  // namespace limber
