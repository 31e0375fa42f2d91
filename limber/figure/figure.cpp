#include "limber/figure/figure.h"

#include <algorithm>
#include <cassert>

#include "limber/base/number.h"
#include "limber/base/spelling.h"
#include "limber/figure/data.h"

namespace limber {

namespace {

using Names = Figure::Data::Names;

std::string hint(std::string_view name, std::initializer_list<const Names*> tables, const char* what) {
  std::vector<std::string> known;
  for (const Names* table : tables)
    for (const auto& [candidate, index] : *table) known.emplace_back(candidate);
  // Of several figures, a name without that of its figure is mostly meant for one of them.
  std::vector<std::string> within;
  for (const std::string& candidate : known)
    if (candidate.size() > name.size() && candidate.ends_with(name) &&
        candidate[candidate.size() - name.size() - 1] == '.')
      within.push_back(candidate);
  return with_nearest(what, name, within.empty() ? known : within);
}

Expected<int> find(const Names& table, std::string_view name, const std::string& figure, const char* what) {
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  return reject("figure '" + figure + "'", "the name '" + std::string(name) + "'", hint(name, {&table}, what));
}

}  // namespace

const std::string& Figure::name() const { return data_->description.name; }
const std::vector<Segment>& Figure::segments() const { return data_->segments; }
const std::vector<Joint>& Figure::joints() const { return data_->joints; }
const std::vector<Freedom>& Figure::freedoms() const { return data_->freedoms; }
const std::vector<Term>& Figure::terms() const { return data_->terms; }
const std::vector<Parameter>& Figure::parameters() const { return data_->parameters; }
const std::vector<LimitRow>& Figure::limit_rows() const { return data_->limit_rows; }
const std::vector<Site>& Figure::sites() const { return data_->sites; }
const std::vector<Group>& Figure::groups() const { return data_->groups; }
const std::vector<MirrorImage>& Figure::mirror() const { return data_->mirror; }
const FigureDescription& Figure::description() const { return data_->description; }
const std::vector<FigurePart>& Figure::parts() const { return data_->parts; }
double Figure::mass() const { return data_->mass; }
double Figure::length() const { return data_->length; }

Expected<int> Figure::find_segment(std::string_view name) const {
  return find(data_->segment_by_name, name, this->name(), "a segment");
}

Expected<int> Figure::find_parameter(std::string_view name) const {
  const Expected<int> found = find(data_->parameter_by_name, name, this->name(), "a parameter");
  if (found) return found;
  // A parameter may go by the name of its joint if the joint has only one freedom.
  const auto joint = data_->joint_by_name.find(name);
  if (joint != data_->joint_by_name.end()) {
    const Joint& j = joints()[joint->second];
    if (j.freedom_end - j.freedom_begin == 1) {
      const auto alone = data_->parameter_by_name.find(freedoms()[j.freedom_begin].name);
      if (alone != data_->parameter_by_name.end()) return alone->second;
    }
  }
  return found;
}

Expected<int> Figure::find_joint(std::string_view name) const {
  if (const auto joint = data_->joint_by_name.find(name); joint != data_->joint_by_name.end()) return joint->second;
  if (const auto segment = data_->segment_by_name.find(name); segment != data_->segment_by_name.end())
    return segment->second;
  if (const auto group = data_->group_by_name.find(name); group != data_->group_by_name.end()) {
    int nearest = static_cast<int>(segments().size());
    for (const int parameter : groups()[group->second].parameters)
      for (const int freedom : parameters()[parameter].drives) nearest = std::min(nearest, freedoms()[freedom].joint);
    return nearest;
  }
  if (const auto site = data_->site_by_name.find(name); site != data_->site_by_name.end())
    return sites()[site->second].segment;
  return reject(
      "figure '" + this->name() + "'", "the name '" + std::string(name) + "'",
      hint(name, {&data_->joint_by_name, &data_->segment_by_name, &data_->group_by_name}, "a joint, segment or group"));
}

Expected<Site> Figure::find_place(std::string_view name) const {
  if (const auto site = data_->site_by_name.find(name); site != data_->site_by_name.end()) return sites()[site->second];
  if (const auto segment = data_->segment_by_name.find(name); segment != data_->segment_by_name.end())
    return Site{std::string(name), segment->second, Frame{}};
  if (const auto joint = data_->joint_by_name.find(name); joint != data_->joint_by_name.end())
    return Site{std::string(name), joint->second, joints()[joint->second].in_child};
  return reject(
      "figure '" + this->name() + "'", "the name '" + std::string(name) + "'",
      hint(name, {&data_->site_by_name, &data_->segment_by_name, &data_->joint_by_name}, "a site, segment or joint"));
}

Expected<Handle> Figure::frame(std::string_view place) const {
  const Expected<Site> site = find_place(place);
  if (!site) return std::unexpected(site.error());
  Handle handle;
  handle.name = site->name;
  handle.shape = Shape::frame;
  handle.plus[0] = {Element::Kind::point, site->segment, site->frame.p};
  handle.plus[1] = {Element::Kind::direction, site->segment, site->frame.R.col(0)};
  handle.plus[2] = {Element::Kind::direction, site->segment, site->frame.R.col(1)};
  return handle;
}

Expected<Handle> Figure::point(std::string_view place) const {
  const Expected<Handle> whole = frame(place);
  return whole ? part(*whole, Shape::point) : whole;
}

Expected<Handle> Figure::ray(std::string_view place) const {
  const Expected<Handle> whole = frame(place);
  return whole ? part(*whole, Shape::ray) : whole;
}

Expected<Handle> Figure::direction(std::string_view place, const Vec3& local) const {
  const Expected<Site> site = find_place(place);
  if (!site) return std::unexpected(site.error());
  const double length = local.norm();
  if (!(length > 0.0) || !std::isfinite(length))
    return reject("direction at '" + site->name + "'", "a vector of length " + to_text(length),
                  "a finite vector that is not zero");
  Handle handle;
  handle.name = site->name;
  handle.shape = Shape::direction;
  handle.plus[0] = {Element::Kind::direction, site->segment, site->frame.R * local / length};
  return handle;
}

Expected<Handle> Figure::mass_centre() const {
  if (mass() <= 0.0) return reject("figure '" + name() + "'", "no mass", "segments with a mass");
  Handle handle;
  handle.name = "centre of mass";
  handle.plus[0].kind = Element::Kind::mass_centre;
  return handle;
}

std::pair<int, int> mass_range(const Figure& figure, const Element& element) {
  if (element.segment_end > 0) return {element.segment, element.segment_end};
  return {0, static_cast<int>(figure.segments().size())};
}

Expected<Handle> Figure::mass_centre_of(std::string_view name) const {
  std::vector<std::string> known;
  for (const FigurePart& part : parts()) {
    known.push_back(part.name);
    if (part.name != name) continue;
    Expected<Handle> handle = part.figure.mass_centre();
    if (!handle) return handle;
    handle->name = part.name + " centre of mass";
    handle->plus[0].segment = part.segment_begin;
    handle->plus[0].segment_end = part.segment_end;
    return handle;
  }
  return reject("figure '" + this->name() + "'", "the name '" + std::string(name) + "'",
                with_nearest("one of several figures", name, known));
}

Pose Figure::rest() const {
  Pose pose{VecX(parameters().size())};
  for (std::size_t j = 0; j < parameters().size(); ++j)
    pose.theta[static_cast<Eigen::Index>(j)] = parameters()[j].range.rest;
  return pose;
}

Pose Figure::mirrored(const Pose& pose) const {
  assert(!mirror().empty());
  Pose image{VecX(pose.theta.size())};
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
    image.theta[mirror()[static_cast<std::size_t>(j)].parameter] =
        mirror()[static_cast<std::size_t>(j)].sign * pose.theta[j];
  return image;
}

Expected<double> Figure::value(const Pose& pose, std::string_view parameter) const {
  const Expected<int> j = find_parameter(parameter);
  if (!j) return std::unexpected(j.error());
  return pose.theta[*j];
}

Expected<void> Figure::set(Pose& pose, std::string_view parameter, double value) const {
  const Expected<int> j = find_parameter(parameter);
  if (!j) return std::unexpected(j.error());
  if (!std::isfinite(value))
    return reject("parameter '" + std::string(parameter) + "'", to_text(value), "a finite number");
  pose.theta[*j] = value;
  return {};
}

}  // namespace limber
