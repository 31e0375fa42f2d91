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

// The segment on the other side, per segment; its own where it is in no pair.
Expected<std::vector<int>> mirrored_segments(const Figure::Data& data) {
  std::vector<int> partner(data.segments.size());
  for (std::size_t s = 0; s < partner.size(); ++s) partner[s] = static_cast<int>(s);
  for (const MirrorPair& pair : data.description.mirror_pairs) {
    const std::string where = "mirror pair '" + pair.left + "', '" + pair.right + "'";
    const auto left = data.segment_by_name.find(pair.left), right = data.segment_by_name.find(pair.right);
    if (left == data.segment_by_name.end() || right == data.segment_by_name.end())
      return reject(where, "an unknown segment", "the names of two segments");
    if (partner[left->second] != left->second || partner[right->second] != right->second)
      return reject(where, "a segment that is in another pair", "each segment in one pair");
    partner[left->second] = right->second;
    partner[right->second] = left->second;
  }
  return partner;
}

// The degree of freedom on the other side, and s with q' = s q.
struct FreedomImage {
  int freedom = 0;
  double sign = 0.0;
};

Expected<std::vector<FreedomImage>> mirrored_freedoms(const Figure::Data& data, const std::vector<int>& partner,
                                                      const Vec3& normal) {
  const std::vector<Vec3> axes = world_axes_at_zero(data);
  std::vector<FreedomImage> images(data.freedoms.size());
  for (std::size_t s = 0; s < data.segments.size(); ++s) {
    const Joint& joint = data.joints[s];
    const Joint& other = data.joints[partner[s]];
    if (joint.freedom_end - joint.freedom_begin != other.freedom_end - other.freedom_begin)
      return reject("mirror pair of joints '" + joint.name + "', '" + other.name + "'",
                    "different numbers of degrees of freedom", "as many on both sides");
    for (int k = 0; k < joint.freedom_end - joint.freedom_begin; ++k) {
      const int i = joint.freedom_begin + k, image = other.freedom_begin + k;
      const Vec3 reflected = axes[i] - 2.0 * normal.dot(axes[i]) * normal;
      const double cosine = axes[image].dot(reflected);
      if (std::fabs(cosine) < min_cosine || data.freedoms[i].motion != data.freedoms[image].motion)
        return reject("mirror images '" + data.freedoms[i].name + "', '" + data.freedoms[image].name + "'",
                      "axes that are not each other's reflection", "freedoms in the same order about mirrored axes");
      const double along = cosine > 0.0 ? 1.0 : -1.0;
      images[i] = {image, data.freedoms[i].motion == Motion::rotate ? -along : along};
    }
  }
  return images;
}

// The parameter on the other side: that of the freedom, or the one at the same place of the mirrored group.
Expected<int> mirrored_parameter(const Figure::Data& data, int index, int image_freedom) {
  const Parameter& parameter = data.parameters[index];
  const int image = data.terms[data.freedoms[image_freedom].term_begin].parameter;
  if (parameter.group == no_group) return image;
  const std::vector<int>& mine = data.groups[parameter.group].parameters;
  const int group = data.parameters[image].group;
  const auto place = std::find(mine.begin(), mine.end(), index) - mine.begin();
  if (group == no_group || data.groups[group].parameters.size() != mine.size())
    return reject("parameter '" + parameter.name + "'", "a group without a mirrored group",
                  "the same groups on both sides");
  return data.groups[group].parameters[static_cast<std::size_t>(place)];
}

// Whether what the parameter drives is the mirror image of what `image` drives at `sign` times its value.
bool mirrors(const Figure::Data& data, const std::vector<FreedomImage>& images, int index, int image, double sign) {
  const Parameter& parameter = data.parameters[index];
  for (const int i : parameter.drives)
    for (int t = data.freedoms[i].term_begin; t < data.freedoms[i].term_end; ++t) {
      if (data.terms[t].parameter != index) continue;
      bool reproduced = false;
      const Freedom& other = data.freedoms[images[i].freedom];
      for (int u = other.term_begin; u < other.term_end; ++u)
        if (data.terms[u].parameter == image)
          reproduced = reproduces(data.terms[t].curve, data.terms[u].curve, sign, images[i].sign, parameter.range);
      if (!reproduced) return false;
    }
  return true;
}

}  // namespace

Expected<std::vector<MirrorImage>> mirror_images(const Figure::Data& data) {
  const FigureDescription& in = data.description;
  std::vector<MirrorImage> images;
  if (in.mirror_pairs.empty()) return images;
  const double normal_length = in.mirror_normal.norm();
  if (!std::isfinite(normal_length) || normal_length <= std::numeric_limits<double>::min())
    return reject("mirror normal", "a vector without direction", "a finite vector that is not zero");
  const Expected<std::vector<int>> partner = mirrored_segments(data);
  if (!partner) return std::unexpected(partner.error());
  const Expected<std::vector<FreedomImage>> freedoms =
      mirrored_freedoms(data, *partner, in.mirror_normal / normal_length);
  if (!freedoms) return std::unexpected(freedoms.error());

  for (const Parameter& parameter : data.parameters) {
    const int index = static_cast<int>(images.size());
    const Expected<int> image = mirrored_parameter(data, index, (*freedoms)[parameter.drives.front()].freedom);
    if (!image) return std::unexpected(image.error());
    if (mirrors(data, *freedoms, index, *image, 1.0))
      images.push_back({*image, 1.0});
    else if (mirrors(data, *freedoms, index, *image, -1.0))
      images.push_back({*image, -1.0});
    else
      return reject("parameter '" + parameter.name + "'",
                    "curves that '" + data.parameters[*image].name + "' does not mirror", "mirrored curves");
  }
  return images;
}

}  // namespace limber
