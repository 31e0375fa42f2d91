#include "limber/figure/mirror.h"

#include <algorithm>

namespace limber {

namespace {

// Axes count as mirror images up to about 25 degrees: measured figures are not exactly symmetric, and a wrong pairing
// is 90 degrees away.
constexpr double min_cosine = 0.9;
// Max difference of the curves of paired groups, radians.
constexpr double curve_tolerance = 1e-9;

std::vector<Vec3> world_axes_at_zero(const Figure::Data& data) {
  std::vector<Mat3> R_world(data.segments.size());
  std::vector<Vec3> axes(data.freedoms.size());
  for (std::size_t s = 0; s < data.segments.size(); ++s) {
    const Joint& joint = data.joints[s];
    Mat3 R = joint.in_parent.R;
    if (const int parent = data.segments[s].parent; parent != no_parent) R = R_world[parent] * R;
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) axes[i] = R * data.freedoms[i].axis;
    R_world[s] = R * joint.in_child_inverse.R;
  }
  return axes;
}

// Whether image(sign θ) = sign_q curve(θ) over the parameter's range.
bool reproduces(const Curve& curve, const Curve& image, double sign, double sign_q, const Range& range) {
  const double lower = std::fmax(range.lower, -pi), upper = std::fmin(range.upper, pi);
  constexpr int samples = 16;
  for (int k = 0; k <= samples; ++k) {
    const double theta = lower + (upper - lower) * k / samples;
    if (std::fabs(image(sign * theta).value - sign_q * curve(theta).value) > curve_tolerance) return false;
  }
  return true;
}

}  // namespace

Expected<std::vector<MirrorImage>> mirror_images(const Figure::Data& data) {
  const FigureDescription& in = data.description;
  if (in.mirror_pairs.empty()) return std::vector<MirrorImage>{};
  const double normal_length = in.mirror_normal.norm();
  if (!std::isfinite(normal_length) || normal_length <= std::numeric_limits<double>::min())
    return reject("mirror normal", "a vector without direction", "a finite vector that is not zero");
  const Vec3 normal = in.mirror_normal / normal_length;

  std::vector<int> partner(data.segments.size());
  for (std::size_t s = 0; s < partner.size(); ++s) partner[s] = static_cast<int>(s);
  for (const MirrorPair& pair : in.mirror_pairs) {
    const std::string where = "mirror pair '" + pair.left + "', '" + pair.right + "'";
    const auto left = data.segment_by_name.find(pair.left), right = data.segment_by_name.find(pair.right);
    if (left == data.segment_by_name.end() || right == data.segment_by_name.end())
      return reject(where, "an unknown segment", "the names of two segments");
    if (partner[left->second] != left->second || partner[right->second] != right->second)
      return reject(where, "a segment that is in another pair", "each segment in one pair");
    partner[left->second] = right->second;
    partner[right->second] = left->second;
  }

  const std::vector<Vec3> axes = world_axes_at_zero(data);
  std::vector<int> image_of(data.freedoms.size());
  std::vector<double> sign_of(data.freedoms.size());
  for (std::size_t s = 0; s < data.segments.size(); ++s) {
    const Joint& joint = data.joints[s];
    const Joint& other = data.joints[partner[s]];
    if (joint.freedom_end - joint.freedom_begin != other.freedom_end - other.freedom_begin)
      return reject("mirror pair of joints '" + joint.name + "', '" + other.name + "'", "different numbers of freedoms",
                    "the same freedoms on both sides");
    for (int k = 0; k < joint.freedom_end - joint.freedom_begin; ++k) {
      const int i = joint.freedom_begin + k, image = other.freedom_begin + k;
      const Vec3 reflected = axes[i] - 2.0 * normal.dot(axes[i]) * normal;
      const double cosine = axes[image].dot(reflected);
      if (std::fabs(cosine) < min_cosine || data.freedoms[i].motion != data.freedoms[image].motion)
        return reject("mirror images '" + data.freedoms[i].name + "', '" + data.freedoms[image].name + "'",
                      "axes that are not each other's reflection", "freedoms in the same order about mirrored axes");
      const double along = cosine > 0.0 ? 1.0 : -1.0;
      image_of[i] = image;
      sign_of[i] = data.freedoms[i].motion == Motion::rotate ? -along : along;
    }
  }

  std::vector<MirrorImage> images;
  for (const Parameter& parameter : data.parameters) {
    const int index = static_cast<int>(images.size());
    const int image_freedom = image_of[parameter.drives.front()];
    int image = data.terms[data.freedoms[image_freedom].term_begin].parameter;
    if (parameter.group != no_group) {
      const std::vector<int>& mine = data.groups[parameter.group].parameters;
      const int group = data.parameters[image].group;
      const auto place = std::find(mine.begin(), mine.end(), index) - mine.begin();
      if (group == no_group || data.groups[group].parameters.size() != mine.size())
        return reject("parameter '" + parameter.name + "'", "a group without a mirrored group",
                      "the same groups on both sides");
      image = data.groups[group].parameters[static_cast<std::size_t>(place)];
    }
    double sign = 0.0;
    for (const double candidate : {1.0, -1.0}) {
      bool fits = sign == 0.0;
      for (const int i : parameter.drives)
        for (int t = data.freedoms[i].term_begin; t < data.freedoms[i].term_end; ++t)
          if (data.terms[t].parameter == index) {
            bool reproduced = false;
            const Freedom& other = data.freedoms[image_of[i]];
            for (int u = other.term_begin; u < other.term_end; ++u)
              if (data.terms[u].parameter == image)
                reproduced =
                    reproduces(data.terms[t].curve, data.terms[u].curve, candidate, sign_of[i], parameter.range);
            fits = fits && reproduced;
          }
      if (fits) sign = candidate;
    }
    if (sign == 0.0)
      return reject("parameter '" + parameter.name + "'",
                    "curves that '" + data.parameters[image].name + "' does not mirror", "mirrored curves");
    images.push_back({image, sign});
  }
  return images;
}

}  // namespace limber
