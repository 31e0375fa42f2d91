#include "limber/figure/join.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "limber/base/number.h"
#include "limber/figure/data.h"

namespace limber {

namespace {

// As in a figure: written with six digits it passes.
constexpr double place_tolerance = 1e-5;

// Puts the roots of a description at a frame. The root without a joint, which is fixed in the world, gets a rigid one
// if the frame is another than the world's or `each_root` needs a joint.
void place_roots(FigureDescription& description, const Figure& figure, const Frame& X_world_figure, bool each_root) {
  const bool moves = X_world_figure.R != Mat3::Identity() || X_world_figure.p != Vec3::Zero();
  for (JointDescription& joint : description.joints)
    if (joint.parent.empty() && moves) joint.in_parent = X_world_figure * joint.in_parent;
  if (!moves && !each_root) return;
  // If there is such a root, it is the first segment.
  const std::string& first = figure.segments().front().name;
  const auto carries_first = [&](const JointDescription& joint) { return joint.child == first; };
  if (std::ranges::any_of(description.joints, carries_first)) return;
  JointDescription rigid{.name = first, .parent = "", .child = first, .in_parent = X_world_figure};
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(description.joints, [&](const auto& joint) { return joint.name == name; }) ||
           std::ranges::any_of(description.groups, [&](const auto& group) { return group.name == name; });
  };
  while (is_taken(rigid.name)) rigid.name += "_";
  description.joints.insert(description.joints.begin(), std::move(rigid));
}

// Appends the description of a part, with its name before all names of its own.
void append(const FigurePart& part, FigureDescription& to) {
  FigureDescription from = part.figure.description();
  place_roots(from, part.figure, part.X_world_figure, true);
  const auto named = [&](const std::string& name) { return part.name + "." + name; };
  for (SegmentDescription& segment : from.segments) {
    segment.name = named(segment.name);
    to.segments.push_back(std::move(segment));
  }
  for (JointDescription& joint : from.joints) {
    joint.name = named(joint.name);
    joint.child = named(joint.child);
    if (!joint.parent.empty()) joint.parent = named(joint.parent);
    to.joints.push_back(std::move(joint));
  }
  for (SiteDescription& site : from.sites) to.sites.push_back({named(site.name), named(site.segment), site.frame});
  for (GroupDescription& group : from.groups) {
    group.name = named(group.name);
    for (GroupDriver& driver : group.drivers) driver.joint = named(driver.joint);
    to.groups.push_back(std::move(group));
  }
  for (LimitDescription& limit : from.limits) {
    limit.name = named(limit.name);
    for (LimitTerm& term : limit.terms) term.parameter = named(term.parameter);
    to.limits.push_back(std::move(limit));
  }
}

Expected<void> check_parts(const std::vector<FigurePart>& parts) {
  if (parts.empty()) return reject("figures", "none", "at least one");
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::string where = "figure '" + parts[k].name + "'";
    if (parts[k].name.empty()) return reject("figures", "an empty name", "a name");
    if (parts[k].name.find('.') != std::string::npos)
      return reject(where, "a dot in the name", "none: it stands between the figure's name and that of its part");
    for (std::size_t other = 0; other < k; ++other)
      if (parts[other].name == parts[k].name) return reject(where, "the name twice", "unique names");
    const Frame& place = parts[k].X_world_figure;
    if (!place.finite()) return reject(where, "a place that is not finite", "finite numbers");
    if (const double defect = rotation_defect(place.R); defect > place_tolerance)
      return reject(where, "a matrix that deviates from a rotation by " + to_text(defect), "a rotation");
  }
  return {};
}

// Each part in its own plane of symmetry; one without stays as it is.
std::vector<MirrorImage> mirror_of(const std::vector<FigurePart>& parts) {
  if (std::ranges::all_of(parts, [](const FigurePart& part) { return part.figure.mirror().empty(); })) return {};
  std::vector<MirrorImage> images;
  for (const FigurePart& part : parts)
    for (int j = part.parameter_begin; j < part.parameter_end; ++j) {
      const std::vector<MirrorImage>& own = part.figure.mirror();
      MirrorImage image = own.empty() ? MirrorImage{j - part.parameter_begin, 1.0}
                                      : own[static_cast<std::size_t>(j - part.parameter_begin)];
      image.parameter += part.parameter_begin;
      images.push_back(image);
    }
  return images;
}

}  // namespace

Expected<Figure> join_figures(const std::vector<FigurePart>& parts, const std::string& name) {
  if (const Expected<void> fine = check_parts(parts); !fine) return std::unexpected(fine.error());
  FigureDescription description;
  description.name = name;
  for (const FigurePart& part : parts) append(part, description);
  Expected<std::shared_ptr<Figure::Data>> data = build_data(std::move(description));
  if (!data) return std::unexpected(data.error());
  int segments = 0, freedoms = 0, parameters = 0;
  for (const FigurePart& part : parts) {
    FigurePart own = part;
    own.segment_begin = segments;
    own.freedom_begin = freedoms;
    own.parameter_begin = parameters;
    own.segment_end = segments += static_cast<int>(part.figure.segments().size());
    own.freedom_end = freedoms += static_cast<int>(part.figure.freedoms().size());
    own.parameter_end = parameters += static_cast<int>(part.figure.parameters().size());
    (*data)->parts.push_back(std::move(own));
  }
  (*data)->mirror = mirror_of((*data)->parts);
  Figure figure;
  figure.data_ = std::move(*data);
  return figure;
}

const FigurePart* find_part(const Figure& figure, std::string_view name) {
  const auto found = std::ranges::find(figure.parts(), name, &FigurePart::name);
  return found == figure.parts().end() ? nullptr : &*found;
}

const FigurePart* part_of_segment(const Figure& figure, int segment) {
  for (const FigurePart& part : figure.parts())
    if (segment >= part.segment_begin && segment < part.segment_end) return &part;
  return nullptr;
}

Pose joined_pose(const Figure& figure, const std::vector<Pose>& poses) {
  assert(poses.size() == figure.parts().size());
  Pose whole = figure.rest();
  for (std::size_t k = 0; k < poses.size(); ++k)
    whole.theta.segment(figure.parts()[k].parameter_begin, poses[k].theta.size()) = poses[k].theta;
  return whole;
}

Pose pose_of(const FigurePart& part, const Pose& pose) {
  return {pose.theta.segment(part.parameter_begin, part.parameter_end - part.parameter_begin)};
}

std::optional<Vec3> shared_mirror_normal(const Figure& figure) {
  if (figure.mirror().empty()) return std::nullopt;
  if (figure.parts().empty()) return figure.description().mirror_normal.normalized();
  std::optional<Vec3> shared;
  for (const FigurePart& part : figure.parts()) {
    if (part.figure.mirror().empty()) continue;
    const std::optional<Vec3> own = shared_mirror_normal(part.figure);
    if (!own) return std::nullopt;
    const Vec3 n = part.X_world_figure.R * *own;
    if (!shared) shared = n;
    const bool is_parallel = n.cross(*shared).norm() <= place_tolerance;
    if (!is_parallel || std::fabs(n.dot(part.X_world_figure.p)) > place_tolerance * part.figure.length())
      return std::nullopt;
  }
  return shared;
}

Expected<Figure> placed_at(const Figure& figure, const Frame& X_world_figure) {
  FigureDescription description = figure.description();
  place_roots(description, figure, X_world_figure, false);
  description.mirror_normal = X_world_figure.R * description.mirror_normal;
  return build_figure(std::move(description));
}

}  // namespace limber
