// From a description to a Figure. All validation happens here; the code behind it trusts the figure.
#include <algorithm>
#include <cassert>
#include <iterator>

#include "limber/base/number.h"
#include "limber/figure/data.h"
#include "limber/figure/mirror.h"
#include "limber/figure/prior.h"

namespace limber {

namespace {

using Names = Figure::Data::Names;
using Check = Expected<void>;

// A rotation written with six digits passes, a scaled or sheared matrix does not.
constexpr double rotation_tolerance = 1e-5;
// A group may drive a freedom past its limit by rounding, relative to the limit.
constexpr double image_tolerance = 1e-12;

// The table refers to `name`, which must not move.
Check add_name(Names& table, const std::string& where, const std::string& name, std::size_t index) {
  if (name.empty()) return reject(where, "an empty name", "a name");
  if (!table.emplace(name, static_cast<int>(index)).second)
    return reject(where, "the name '" + name + "' twice", "unique names");
  return {};
}

// The frame with its rotation orthonormalized, or a rejection.
Expected<Frame> checked(const Frame& frame, const std::string& where) {
  if (!frame.finite()) return reject(where, "a frame that is not finite", "finite numbers");
  if (const double defect = rotation_defect(frame.R); defect > rotation_tolerance)
    return reject(where, "a matrix that deviates from a rotation by " + to_text(defect), "a rotation");
  if (frame.R == Mat3::Identity()) return frame;
  return Frame{Eigen::Quaterniond(frame.R).normalized().toRotationMatrix(), frame.p};
}

Check check_range(const Range& range, const std::string& where) {
  if (std::isnan(range.lower) || std::isnan(range.upper) || range.lower == infinity || range.upper == -infinity)
    return reject(where, "limits " + to_text(range.lower) + " to " + to_text(range.upper), "numbers");
  if (range.lower > range.upper)
    return reject(where, "lower limit " + to_text(range.lower) + " above upper limit " + to_text(range.upper),
                  "lower <= upper");
  if (!std::isfinite(range.rest) || range.rest < range.lower || range.rest > range.upper)
    return reject(where, "rest value " + to_text(range.rest),
                  "a finite number within " + to_text(range.lower) + " to " + to_text(range.upper));
  if (!(range.rigidity >= 0.0 && range.rigidity <= 1.0))
    return reject(where, "rigidity " + to_text(range.rigidity), "a number from 0 to 1");
  if (!(range.stiffness > 0.0) || !std::isfinite(range.stiffness))
    return reject(where, "stiffness " + to_text(range.stiffness), "a finite number above 0");
  return {};
}

class Builder {
 public:
  explicit Builder(Figure::Data& data) : data_(data), in_(data.description) {}

  Check build() {
    if (Check done = segments_and_joints(); !done) return done;
    if (Check done = freedoms(); !done) return done;
    if (Check done = parameters(); !done) return done;
    if (Check done = sites(); !done) return done;
    return limit_rows();
  }

 private:
  Check segments_and_joints() {
    if (in_.segments.empty()) return reject(whole(), "no segment", "at least one");
    Names segment_index, joint_names;
    for (std::size_t s = 0; s < in_.segments.size(); ++s) {
      const SegmentDescription& segment = in_.segments[s];
      const std::string where = "segment '" + segment.name + "'";
      if (Check named = add_name(segment_index, where, segment.name, s); !named) return named;
      if (!(segment.mass >= 0.0) || !std::isfinite(segment.mass))
        return reject(where, "mass " + to_text(segment.mass), "a finite number, 0 or more");
      if (!segment.mass_centre.allFinite()) return reject(where, "a mass centre that is not finite", "finite numbers");
      if (!segment.inertia.allFinite() || segment.inertia != segment.inertia.transpose())
        return reject(where, "an inertia that is not finite or not symmetric", "a symmetric matrix");
    }
    constexpr int none = -1;
    std::vector<int> joint_of(in_.segments.size(), none), parent_of(in_.segments.size(), no_parent);
    std::vector<std::vector<int>> children(in_.segments.size());
    std::vector<int> roots;
    for (std::size_t j = 0; j < in_.joints.size(); ++j) {
      const JointDescription& joint = in_.joints[j];
      const std::string where = "joint '" + joint.name + "'";
      if (Check named = add_name(joint_names, where, joint.name, j); !named) return named;
      const auto child = segment_index.find(joint.child);
      if (child == segment_index.end()) return reject(where, "child '" + joint.child + "'", "the name of a segment");
      if (joint_of[child->second] != none)
        return reject(where,
                      "a second joint that carries segment '" + joint.child + "', after joint '" +
                          in_.joints[joint_of[child->second]].name + "'",
                      "one joint per segment");
      joint_of[child->second] = static_cast<int>(j);
      if (joint.parent.empty()) {
        roots.push_back(child->second);
        continue;
      }
      const auto parent = segment_index.find(joint.parent);
      if (parent == segment_index.end())
        return reject(where, "parent '" + joint.parent + "'", "the name of a segment, or nothing for the world");
      parent_of[child->second] = parent->second;
      children[parent->second].push_back(child->second);
    }
    int jointless = none;
    for (std::size_t s = 0; s < joint_of.size(); ++s) {
      if (joint_of[s] != none) continue;
      if (jointless != none)
        return reject(
            whole(),
            "two segments without a joint, '" + in_.segments[jointless].name + "' and '" + in_.segments[s].name + "'",
            "a joint for every segment but one root");
      jointless = static_cast<int>(s);
    }
    if (jointless != none) roots.insert(roots.begin(), jointless);

    // Depth first, without recursion: `order` has the old indices in the new order.
    std::vector<int> order, stack(roots.rbegin(), roots.rend()), new_index(in_.segments.size(), none);
    while (!stack.empty()) {
      const int s = stack.back();
      stack.pop_back();
      new_index[s] = static_cast<int>(order.size());
      order.push_back(s);
      stack.insert(stack.end(), children[s].rbegin(), children[s].rend());
    }
    for (std::size_t s = 0; s < new_index.size(); ++s)
      if (new_index[s] == none)
        return reject("segment '" + in_.segments[s].name + "'", "joints that form a cycle", "a tree with a root");

    data_.segments.reserve(order.size());
    data_.joints.reserve(order.size());
    joint_description_.reserve(order.size());
    for (const int s : order) {
      const SegmentDescription& segment = in_.segments[s];
      const int index = new_index[s];
      const int parent = parent_of[s] == no_parent ? no_parent : new_index[parent_of[s]];
      data_.segments.push_back({segment.name, parent, index + 1, segment.mass, segment.mass_centre});
      data_.segment_by_name[segment.name] = index;
      data_.mass += segment.mass;
      Joint joint;
      joint.name = segment.name;  // of a root without a joint
      if (joint_of[s] != none) {
        const JointDescription& from = in_.joints[joint_of[s]];
        joint.name = from.name;
        const Expected<Frame> in_parent = checked(from.in_parent, "joint '" + from.name + "', frame in the parent");
        if (!in_parent) return std::unexpected(in_parent.error());
        const Expected<Frame> in_child = checked(from.in_child, "joint '" + from.name + "', frame in the child");
        if (!in_child) return std::unexpected(in_child.error());
        joint.in_parent = *in_parent;
        joint.in_child = *in_child;
        joint.in_child_inverse = in_child->inverse();
        joint.turns_in_parent = joint.in_parent.R != Mat3::Identity();
        joint.turns_in_child = joint.in_child.R != Mat3::Identity();
        data_.joint_by_name[from.name] = index;
      }
      data_.joints.push_back(std::move(joint));
      joint_description_.push_back(joint_of[s]);
    }
    for (int s = static_cast<int>(data_.segments.size()) - 1; s >= 0; --s)
      if (const int parent = data_.segments[s].parent; parent != no_parent)
        data_.segments[parent].subtree_end =
            std::max(data_.segments[parent].subtree_end, data_.segments[s].subtree_end);
    return {};
  }

  Check freedoms() {
    std::size_t count = 0;
    for (const JointDescription& joint : in_.joints) count += joint.freedoms.size();
    data_.freedoms.reserve(count);
    for (std::size_t j = 0; j < data_.joints.size(); ++j) {
      data_.joints[j].freedom_begin = static_cast<int>(data_.freedoms.size());
      if (joint_description_[j] >= 0) {
        const JointDescription& joint = in_.joints[joint_description_[j]];
        for (const FreedomDescription& from : joint.freedoms) {
          const std::string where = "joint '" + joint.name + "', freedom '" + from.name + "'";
          if (from.name.empty()) return reject(where, "an empty name", "a name");
          const double length = from.axis.norm();
          if (!std::isfinite(length) || length <= std::numeric_limits<double>::min())
            return reject(where, "an axis of length " + to_text(length), "a finite axis that is not zero");
          if (Check fine = check_range(from.range, where); !fine) return fine;
          Freedom freedom;
          freedom.name = joint.name + "." + from.name;
          freedom.joint = static_cast<int>(j);
          freedom.motion = from.motion;
          freedom.axis = from.axis / length;
          freedom.lower = from.range.lower;
          freedom.upper = from.range.upper;
          data_.freedoms.push_back(std::move(freedom));
          if (Check named =
                  add_name(data_.freedom_by_name, where, data_.freedoms.back().name, data_.freedoms.size() - 1);
              !named)
            return named;
        }
      }
      data_.joints[j].freedom_end = static_cast<int>(data_.freedoms.size());
    }
    return {};
  }

  // Parameters of ungrouped freedoms and of groups, in the order of the freedoms, so that neighbouring parameters move
  // neighbouring joints.
  Check parameters() {
    constexpr int none = -1;
    std::vector<int> group_of(data_.freedoms.size(), none), driver_of(data_.freedoms.size(), none);
    for (std::size_t g = 0; g < in_.groups.size(); ++g) {
      const GroupDescription& group = in_.groups[g];
      const std::string where = "group '" + group.name + "'";
      if (Check named = add_name(data_.group_by_name, where, group.name, g); !named) return named;
      if (data_.joint_by_name.contains(group.name)) return reject(where, "the name of a joint", "a name of its own");
      if (group.drivers.empty()) return reject(where, "no driven freedom", "at least one");
      for (std::size_t d = 0; d < group.drivers.size(); ++d) {
        const std::string freedom = group.drivers[d].joint + "." + group.drivers[d].freedom;
        const auto found = data_.freedom_by_name.find(freedom);
        if (found == data_.freedom_by_name.end())
          return reject(where, "a driver of '" + freedom + "'", "a freedom of the figure");
        if (group_of[found->second] != none)
          return reject(
              where,
              "a second driver of '" + freedom + "', after group '" + in_.groups[group_of[found->second]].name + "'",
              "one driver per freedom");
        group_of[found->second] = static_cast<int>(g);
        driver_of[found->second] = static_cast<int>(d);
      }
      data_.groups.push_back({group.name, {}});
    }
    reserve_parameters(std::ranges::count(group_of, none));
    for (std::size_t i = 0; i < data_.freedoms.size(); ++i) {
      data_.freedoms[i].term_begin = static_cast<int>(data_.terms.size());
      if (group_of[i] == none) {
        // With a dot in a name, a group's parameter and a joint's freedom can have the same name.
        if (const std::string& name = data_.freedoms[i].name; data_.parameter_by_name.contains(name))
          return reject("joint '" + data_.joints[data_.freedoms[i].joint].name + "'", "the name '" + name + "' twice",
                        "unique names");
        add_parameter(data_.freedoms[i].name, range_of(i), no_group);
        // The parameter takes over the freedom's map node; large figures have many.
        auto entry = data_.freedom_by_name.extract(data_.freedoms[i].name);
        entry.mapped() = static_cast<int>(data_.parameters.size()) - 1;
        data_.parameter_by_name.insert(std::move(entry));
        data_.terms.push_back({static_cast<int>(data_.parameters.size()) - 1, Curve::linear(1.0)});
      } else {
        const int g = group_of[i];
        if (data_.groups[g].parameters.empty())
          if (Check added = group_parameters(g); !added) return added;
        if (Check added = drive(i, in_.groups[g], in_.groups[g].drivers[driver_of[i]], data_.groups[g]); !added)
          return added;
      }
      data_.freedoms[i].term_end = static_cast<int>(data_.terms.size());
      for (int t = data_.freedoms[i].term_begin; t < data_.freedoms[i].term_end; ++t) {
        Parameter& parameter = data_.parameters[data_.terms[t].parameter];
        if (parameter.drives.empty() || parameter.drives.back() != static_cast<int>(i))
          parameter.drives.push_back(static_cast<int>(i));
        // In metres only if all driven freedoms translate.
        const bool shifts = data_.freedoms[i].motion == Motion::translate;
        parameter.translates = shifts && (parameter.drives.size() == 1 || parameter.translates);
      }
    }
    for (const Parameter& parameter : data_.parameters)
      if (parameter.drives.empty())
        return reject("parameter '" + parameter.name + "'", "no driven freedom", "at least one");
    data_.freedom_by_name.clear();
    return {};
  }

  void reserve_parameters(std::ptrdiff_t ungrouped) {
    std::size_t parameters = static_cast<std::size_t>(ungrouped), terms = parameters;
    for (const GroupDescription& group : in_.groups) {
      parameters += group.parameters.size();
      for (const GroupDriver& driver : group.drivers) terms += driver.terms.size();
    }
    data_.parameters.reserve(parameters);
    data_.terms.reserve(terms);
  }

  const Range& range_of(std::size_t freedom) const {
    const int j = data_.freedoms[freedom].joint;
    const std::size_t k = freedom - static_cast<std::size_t>(data_.joints[j].freedom_begin);
    return in_.joints[joint_description_[j]].freedoms[k].range;
  }

  void add_parameter(const std::string& name, const Range& range, int group) {
    Parameter parameter;
    parameter.name = name;
    parameter.lower_name = name + " lower limit";
    parameter.upper_name = name + " upper limit";
    parameter.range = range;
    parameter.group = group;
    data_.parameters.push_back(std::move(parameter));
  }

  Check group_parameters(int g) {
    const GroupDescription& group = in_.groups[g];
    for (const GroupParameter& from : group.parameters) {
      const std::string where = "group '" + group.name + "', parameter '" + from.name + "'";
      const std::string name = group.name + "." + from.name;
      if (from.name.empty() || data_.parameter_by_name.contains(name))
        return reject(where, "the name '" + from.name + "'", "a unique name");
      if (Check fine = check_range(from.range, where); !fine) return fine;
      data_.groups[g].parameters.push_back(static_cast<int>(data_.parameters.size()));
      add_parameter(name, from.range, g);
      data_.parameter_by_name[data_.parameters.back().name] = static_cast<int>(data_.parameters.size()) - 1;
    }
    if (group.parameters.empty()) return reject("group '" + group.name + "'", "no parameter", "at least one");
    return {};
  }

  Check drive(std::size_t freedom_index, const GroupDescription& group, const GroupDriver& driver, const Group& built) {
    const Freedom& freedom = data_.freedoms[freedom_index];
    const std::string where = "group '" + group.name + "', driver of '" + freedom.name + "'";
    double lowest = 0.0, highest = 0.0;
    if (driver.terms.empty()) return reject(where, "no term", "at least one");
    for (const GroupTerm& term : driver.terms) {
      std::size_t p = 0;
      while (p < group.parameters.size() && group.parameters[p].name != term.parameter) ++p;
      if (p == group.parameters.size())
        return reject(where, "parameter '" + term.parameter + "'", "a parameter of the group");
      for (const GroupTerm* earlier = driver.terms.data(); earlier != &term; ++earlier)
        if (earlier->parameter == term.parameter)
          return reject(where, "parameter '" + term.parameter + "' twice", "each parameter once");
      const auto& knots = term.curve.knots();
      bool valid = std::isfinite(term.curve.slope()) && knots.size() != 1;
      for (std::size_t k = 0; k < knots.size(); ++k)
        valid = valid && std::isfinite(knots[k].theta) && std::isfinite(knots[k].value) &&
                (k == 0 || knots[k - 1].theta < knots[k].theta);
      // Nearly coincident knots can have an infinite slope.
      for (std::size_t k = 0; k < knots.size(); ++k) valid = valid && std::isfinite(term.curve(knots[k].theta).slope);
      if (!valid) return reject(where, "a curve with bad knots", "at least two finite knots with increasing parameter");
      const auto [lower, upper] = term.curve.range(group.parameters[p].range.lower, group.parameters[p].range.upper);
      lowest += lower;
      highest += upper;
      data_.terms.push_back({built.parameters[p], term.curve});
    }
    if (lowest < freedom.lower - image_tolerance * std::fmax(1.0, std::fabs(freedom.lower)) ||
        highest > freedom.upper + image_tolerance * std::fmax(1.0, std::fabs(freedom.upper)))
      return reject(where, "values from " + to_text(lowest) + " to " + to_text(highest),
                    "values within the freedom's limits " + to_text(freedom.lower) + " to " + to_text(freedom.upper));
    return {};
  }

  Check sites() {
    data_.sites.reserve(in_.sites.size());
    for (const SiteDescription& from : in_.sites) {
      const std::string where = "site '" + from.name + "'";
      if (Check named = add_name(data_.site_by_name, where, from.name, data_.sites.size()); !named) return named;
      const auto segment = data_.segment_by_name.find(from.segment);
      if (segment == data_.segment_by_name.end())
        return reject(where, "segment '" + from.segment + "'", "the name of a segment");
      const Expected<Frame> frame = checked(from.frame, where);
      if (!frame) return std::unexpected(frame.error());
      data_.sites.push_back({from.name, segment->second, *frame});
    }
    return {};
  }

  Check limit_rows() {
    Names names;
    data_.limit_rows.reserve(in_.limits.size());
    for (const LimitDescription& from : in_.limits) {
      const std::string where = "limit '" + from.name + "'";
      if (Check named = add_name(names, where, from.name, names.size()); !named) return named;
      LimitRow row;
      row.name = from.name;
      row.relation = from.relation;
      row.bound = from.bound;
      if (!std::isfinite(from.bound)) return reject(where, "bound " + to_text(from.bound), "a finite number");
      for (const LimitTerm& term : from.terms) {
        const auto parameter = data_.parameter_by_name.find(term.parameter);
        if (parameter == data_.parameter_by_name.end())
          return reject(where, "parameter '" + term.parameter + "'", "the name of a parameter");
        if (!std::isfinite(term.coefficient))
          return reject(where, "coefficient " + to_text(term.coefficient), "a finite number");
        if (std::find(row.parameters.begin(), row.parameters.end(), parameter->second) != row.parameters.end())
          return reject(where, "parameter '" + term.parameter + "' twice", "each parameter once");
        row.parameters.push_back(parameter->second);
        row.coefficients.push_back(term.coefficient);
      }
      if (std::none_of(row.coefficients.begin(), row.coefficients.end(), [](double c) { return c != 0.0; }))
        return reject(where, "only zero coefficients", "at least one nonzero coefficient");
      data_.limit_rows.push_back(std::move(row));
    }
    return {};
  }

  std::string whole() const { return "figure '" + in_.name + "'"; }

  Figure::Data& data_;
  const FigureDescription& in_;
  std::vector<int> joint_description_;  // by segment; -1 for a root without a joint
};

// The longest sum of bone lengths from a root to a joint or site. Without bones: the farthest mass centre or the
// longest translation, so that the length scales with the figure.
double max_path_length(const Figure::Data& data) {
  std::vector<double> path_length(data.segments.size(), 0.0);
  double longest = 0.0;
  for (std::size_t s = 0; s < data.segments.size(); ++s) {
    const Joint& joint = data.joints[s];
    if (data.segments[s].parent != no_parent)
      path_length[s] = path_length[data.segments[s].parent] + joint.in_parent.p.norm() + joint.in_child.p.norm();
    longest = std::fmax(longest, path_length[s]);
  }
  for (const Site& site : data.sites) longest = std::fmax(longest, path_length[site.segment] + site.frame.p.norm());
  if (longest > 0.0) return longest;
  for (const Segment& segment : data.segments) longest = std::fmax(longest, segment.mass_centre.norm());
  for (const Freedom& freedom : data.freedoms)
    if (freedom.motion == Motion::translate)
      for (const double end : {freedom.lower, freedom.upper})
        if (std::isfinite(end)) longest = std::fmax(longest, std::fabs(end));
  return longest > 0.0 ? longest : 1.0;
}

// Releases the excess capacity of vectors that the figure keeps. (Without exceptions, shrink_to_fit of libstdc++ does
// nothing.)
template <class T>
void trim(std::vector<T>& list) {
  if (list.size() == list.capacity()) return;
  std::vector<T> exact;
  exact.reserve(list.size());
  std::ranges::move(list, std::back_inserter(exact));
  list = std::move(exact);
}

void trim(FigureDescription& description) {
  for (JointDescription& joint : description.joints) trim(joint.freedoms);
  trim(description.segments);
  trim(description.joints);
  trim(description.sites);
  trim(description.limits);
}

}  // namespace

Expected<std::shared_ptr<Figure::Data>> build_data(FigureDescription description) {
  trim(description);
  auto data = std::make_shared<Figure::Data>();
  data->description = std::move(description);
  if (const Check done = Builder(*data).build(); !done) return std::unexpected(done.error());
  data->length = max_path_length(*data);
  if (!std::isfinite(data->length) || !std::isfinite(data->mass))
    return reject("figure '" + data->description.name + "'", "lengths or masses whose sum is not finite",
                  "smaller numbers");
  Expected<std::vector<MirrorImage>> mirror = mirror_images(*data);
  if (!mirror) return std::unexpected(mirror.error());
  data->mirror = std::move(*mirror);
  if (const Check fine = check_prior(*data); !fine) return std::unexpected(fine.error());
  return data;
}

Expected<Figure> build_figure(FigureDescription description) {
  Expected<std::shared_ptr<Figure::Data>> data = build_data(std::move(description));
  if (!data) return std::unexpected(data.error());
  Figure figure;
  figure.data_ = std::move(*data);
  return figure;
}

}  // namespace limber
