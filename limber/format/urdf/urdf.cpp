#include "limber/format/urdf/urdf.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/text/xml.h"
#include "limber/format/urdf/urdf_joint.h"
#include "limber/format/urdf/urdf_values.h"

namespace limber {

namespace {

using Check = Expected<void>;

constexpr int none = -1;
// An axis written with five digits counts as a unit vector; a larger error is noted.
constexpr double unit_tolerance = 1e-4;

struct NamedKind {
  std::string_view name;
  UrdfKind kind;
};
constexpr NamedKind kinds[] = {{"revolute", UrdfKind::revolute},   {"continuous", UrdfKind::continuous},
                               {"prismatic", UrdfKind::prismatic}, {"fixed", UrdfKind::fixed},
                               {"floating", UrdfKind::floating},   {"planar", UrdfKind::planar}};

using Names = std::map<std::string, int, std::less<>>;

class UrdfReader {
 public:
  UrdfReader(const XmlDocument& document, std::string file_name, const ReadOptions& options)
      : document_(document),
        robot_(document.root()),
        file_name_(std::move(file_name)),
        values_(document, options.metres_per_unit.value_or(1.0)) {
    content_.format = "urdf";
    content_.space.up = options.up.value_or(Up::z);
    content_.space.metres_per_unit = values_.unit();
  }

  Expected<Content> read() {
    if (Check done = reject_other_formats(); !done) return std::unexpected(done.error());
    if (Check done = read_links(); !done) return std::unexpected(done.error());
    if (Check done = read_joints(); !done) return std::unexpected(done.error());
    if (Check done = find_root(); !done) return std::unexpected(done.error());
    if (Check done = read_mimics(); !done) return std::unexpected(done.error());
    return build();
  }

 private:
  Check reject_other_formats() {
    if (robot_.name() != "robot") return robot_.reject("the outermost element " + robot_.tag(), "<robot>, as in URDF");
    for (std::size_t k = 0; k < document_.size(); ++k) {
      const XmlElement element = document_.element(k);
      if (element.name().starts_with("xacro:"))
        return element.reject("xacro", "URDF: expand the file with the program xacro first");
      for (std::size_t a = 0; a < element.attributes(); ++a)
        if (const auto [name, value] = element.attribute(a); value.find("${") != std::string_view::npos)
          return element.reject_attribute(name, in_quotes(value) + ", which is xacro",
                                          "URDF: expand the file with the program xacro first");
    }
    return {};
  }

  // --- Links -------------------------------------------------------------------------------------

  Check read_links() {
    values_.expect_attributes(robot_, {"name", "version"});
    figure_.name = std::string(robot_.attribute("name").value_or(""));
    if (figure_.name.empty()) figure_.name = "robot";
    for (const XmlElement element : robot_) {
      if (element.name() == "joint") continue;
      if (element.name() != "link") {
        values_.ignore(element);
        continue;
      }
      if (links_.size() >= max_joints)
        return element.reject("more than " + std::to_string(max_joints) + " links", "fewer");
      const Expected<std::string> own = values_.name(element);
      if (!own) return std::unexpected(own.error());
      if (!link_by_name_.emplace(*own, static_cast<int>(links_.size())).second)
        return element.reject_attribute("name", "a second link " + in_quotes(*own), "unique names");
      links_.push_back(element);
      figure_.segments.push_back({*own});
      if (Check read = read_link(element, figure_.segments.back()); !read) return read;
      figure_.sites.push_back({*own, *own});
    }
    if (links_.empty()) return robot_.reject("no <link>", "at least one");
    return {};
  }

  Check read_link(const XmlElement& link, SegmentDescription& segment) {
    values_.expect_attributes(link, {"name"});
    for (const XmlElement element : link) {
      if (element.name() == "inertial" || element.name() == "visual") continue;
      values_.ignore(element);
    }
    for (const XmlElement visual : link) {
      if (visual.name() != "visual") continue;
      values_.ignore(visual, "only the file name of a link's first mesh is kept of <visual>");
      if (const XmlElement mesh = visual.child("geometry").child("mesh"); mesh && segment.object.empty())
        segment.object = std::string(mesh.attribute("filename").value_or(""));
    }
    const XmlElement inertial = values_.sole(link, "inertial");
    if (!inertial) return {};
    for (const XmlElement element : inertial)
      if (const std::string_view n = element.name(); n != "origin" && n != "mass" && n != "inertia")
        values_.ignore(element);
    const Expected<Frame> centre = values_.origin(inertial);
    if (!centre) return std::unexpected(centre.error());
    segment.mass_centre = centre->p;
    if (Check read = read_inertia(inertial, centre->R, segment); !read) return read;
    const XmlElement mass = values_.sole(inertial, "mass");
    if (!mass) {
      values_.ignore(inertial, "<inertial> without <mass>: the link has mass 0");
      return {};
    }
    values_.expect_attributes(mass, {"value"});
    if (Check read = values_.number(mass, "value", segment.mass); !read) return read;
    if (segment.mass < 0.0) return mass.reject_attribute("value", "mass " + to_text(segment.mass), "0 or more");
    return {};
  }

  // In the axes of the inertial's origin.
  Check read_inertia(const XmlElement& inertial, const Mat3& R, SegmentDescription& segment) {
    const XmlElement element = values_.sole(inertial, "inertia");
    if (!element) return {};
    values_.expect_attributes(element, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
    Mat3 tensor = Mat3::Zero();
    for (int row = 0; row < 3; ++row)
      for (int column = row; column < 3; ++column) {
        const char name[] = {'i', "xyz"[row], "xyz"[column]};
        if (Check read = values_.number(element, std::string_view(name, 3), tensor(row, column)); !read) return read;
        tensor(column, row) = tensor(row, column);
      }
    const Mat3 rotated = values_.unit() * values_.unit() * (R * tensor * R.transpose());
    segment.inertia = 0.5 * (rotated + rotated.transpose());
    return {};
  }

  // --- Joints ------------------------------------------------------------------------------------

  Check read_joints() {
    parent_joint_.assign(links_.size(), none);
    for (const XmlElement element : robot_)
      if (element.name() == "joint")
        if (Check read = read_joint(element); !read) return read;
    return {};
  }

  Check read_joint(const XmlElement& element) {
    // Each has its own child, so there are no more joints than links.
    UrdfJoint joint{element};
    values_.expect_attributes(element, {"name", "type"});
    const Expected<std::string> own = values_.name(element);
    if (!own) return std::unexpected(own.error());
    const auto index = static_cast<int>(joints_.size());
    if (!joint_by_name_.emplace(*own, index).second)
      return element.reject_attribute("name", "a second joint " + in_quotes(*own), "unique names");
    joint.description.name = *own;
    const Expected<std::string> type = values_.name(element, "type");
    if (!type) return std::unexpected(type.error());
    const auto* kind =
        std::ranges::find_if(kinds, [&](const NamedKind& k) { return equal_ignoring_case(k.name, *type); });
    if (kind == std::end(kinds))
      return element.reject_attribute("type", in_quotes(*type),
                                      "revolute, continuous, prismatic, fixed, floating or planar");
    joint.kind = kind->kind;

    const Expected<int> parent = link(element, "parent"), child = link(element, "child");
    if (!parent) return std::unexpected(parent.error());
    if (!child) return std::unexpected(child.error());
    joint.parent = *parent;
    joint.child = *child;
    const std::string& child_name = figure_.segments[*child].name;
    if (*parent == *child)
      return element.reject("a joint that connects link " + in_quotes(child_name) + " to itself", "two links");
    if (const int first = parent_joint_[*child]; first != none)
      return element.child("child").reject_attribute("link",
                                                     "a second parent of link " + in_quotes(child_name) +
                                                         ", after joint " + in_quotes(joints_[first].description.name),
                                                     "one parent per link");
    parent_joint_[*child] = index;
    joint.description.parent = figure_.segments[*parent].name;
    joint.description.child = child_name;

    const Expected<Frame> in_parent = values_.origin(element);
    if (!in_parent) return std::unexpected(in_parent.error());
    joint.description.in_parent = *in_parent;
    if (Check read = read_freedoms(joint); !read) return read;
    for (const XmlElement other : element)
      if (const std::string_view n = other.name();
          n != "origin" && n != "parent" && n != "child" && n != "axis" && n != "limit" && n != "mimic")
        values_.ignore(other);
    joints_.push_back(std::move(joint));
    return {};
  }

  Expected<int> link(const XmlElement& joint, std::string_view side) {
    const XmlElement element = joint.child(side);
    if (!element) return joint.reject("no <" + std::string(side) + ">", "<parent link=\"…\"/> and <child link=\"…\"/>");
    for (const XmlElement other : joint)
      if (other.name() == side && other.offset() != element.offset())
        return other.reject("a second " + other.tag() + " in one joint", "one");
    values_.expect_attributes(element, {"link"});
    const Expected<std::string> own = values_.name(element, "link");
    if (!own) return std::unexpected(own.error());
    const auto found = link_by_name_.find(*own);
    if (found == link_by_name_.end()) return element.reject_attribute("link", in_quotes(*own), "the name of a link");
    return found->second;
  }

  Check read_freedoms(UrdfJoint& joint) {
    Vec3 axis = Vec3::UnitX();
    if (const XmlElement element = values_.sole(joint.element, "axis")) {
      values_.expect_attributes(element, {"xyz"});
      if (Check read = values_.numbers(element, "xyz", axis); !read) return read;
      const bool used = joint.kind != UrdfKind::fixed && joint.kind != UrdfKind::floating;
      if (const double length = axis.norm(); used) {
        if (!std::isfinite(length) || length <= std::numeric_limits<double>::min())
          return element.reject_attribute("xyz", "an axis of length " + to_text(length), "a direction");
        if (std::fabs(length - 1.0) > unit_tolerance) values_.ignore(element, "<axis>: normalized");
        axis /= length;
      }
    }
    const auto turn = [](const char* name, const Vec3& u) { return FreedomDescription{name, Motion::rotate, u}; };
    const auto shift = [](const char* name, const Vec3& u) { return FreedomDescription{name, Motion::translate, u}; };
    std::vector<FreedomDescription>& freedoms = joint.description.freedoms;
    switch (joint.kind) {
      case UrdfKind::revolute:
      case UrdfKind::continuous:
        freedoms = {turn("angle", axis)};
        break;
      case UrdfKind::prismatic:
        freedoms = {shift("slide", axis)};
        break;
      case UrdfKind::fixed:
        break;
      case UrdfKind::floating:
        freedoms = {shift("tx", Vec3::UnitX()), shift("ty", Vec3::UnitY()), shift("tz", Vec3::UnitZ()),
                    turn("rx", Vec3::UnitX()),  turn("ry", Vec3::UnitY()),  turn("rz", Vec3::UnitZ())};
        break;
      case UrdfKind::planar: {
        // Orthogonal to the normal n: u near the coordinate axis after n's largest, then n × u. For n = z these are x
        // and y.
        Eigen::Index largest = 0;
        axis.cwiseAbs().maxCoeff(&largest);
        const Mat3 R = rotation_from_xy(axis, Vec3::Unit((largest + 1) % 3));
        freedoms = {shift("tx", R.col(1)), shift("ty", R.col(2)), turn("rz", axis)};
        break;
      }
    }
    return read_limit(joint);
  }

  Check read_limit(UrdfJoint& joint) {
    const XmlElement limit = values_.sole(joint.element, "limit");
    const bool limited = joint.kind == UrdfKind::revolute || joint.kind == UrdfKind::prismatic;
    if (!limit) {
      if (limited)
        values_.ignore(joint.element,
                       "a revolute or prismatic joint without <limit>, which URDF requires, is unlimited");
      return {};
    }
    values_.expect_attributes(limit, {"lower", "upper", "effort", "velocity"});
    if (limit.attribute("effort") || limit.attribute("velocity"))
      values_.ignore(limit, "effort and velocity of <limit> are not read");
    const bool bounds = limit.attribute("lower") || limit.attribute("upper");
    if (!limited) {
      if (bounds)
        values_.ignore(limit,
                       "lower and upper of <limit> are not read for a joint that is continuous, fixed, "
                       "floating or planar");
      return {};
    }
    // Missing attributes are 0.
    double lower = 0.0, upper = 0.0;
    if (!bounds) values_.ignore(limit, "a <limit> without lower and upper fixes its joint at 0, as in URDF");
    if (Check read = values_.number(limit, "lower", lower); !read) return read;
    if (Check read = values_.number(limit, "upper", upper); !read) return read;
    if (lower > upper)
      return limit.reject("lower limit " + to_text(lower) + " above upper limit " + to_text(upper), "lower <= upper");
    const double scale = joint.slides() ? values_.unit() : 1.0;
    joint.range().lower = scale * lower;
    joint.range().upper = scale * upper;
    joint.range().rest = std::clamp(0.0, scale * lower, scale * upper);
    return {};
  }

  // --- The tree ----------------------------------------------------------------------------------

  Check find_root() {
    for (std::size_t k = 0; k < links_.size(); ++k) {
      if (parent_joint_[k] != none) continue;
      if (root_ != none)
        return links_[k].reject("two links without a parent, " + in_quotes(figure_.segments[root_].name) + " and " +
                                    in_quotes(figure_.segments[k].name),
                                "one root, and a joint for every other link");
      root_ = static_cast<int>(k);
    }
    // Follows each link up to the root, or to a link that is known to be connected to it.
    std::vector<bool> connected(links_.size(), false);
    if (root_ != none) connected[root_] = true;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      std::vector<int> path;
      for (int at = static_cast<int>(k); !connected[at]; at = joints_[parent_joint_[at]].parent) {
        if (path.size() > links_.size())
          return joints_[parent_joint_[at]].element.reject("joints that form a cycle", "a tree with a root");
        path.push_back(at);
      }
      for (const int link : path) connected[link] = true;
    }
    return {};
  }

  // --- Mimicry -----------------------------------------------------------------------------------

  Check read_mimics() {
    for (UrdfJoint& joint : joints_) {
      const XmlElement element = values_.sole(joint.element, "mimic");
      if (!element) continue;
      values_.expect_attributes(element, {"joint", "multiplier", "offset"});
      const Expected<std::string> other_name = values_.name(element, "joint");
      if (!other_name) return std::unexpected(other_name.error());
      const auto found = joint_by_name_.find(*other_name);
      if (found == joint_by_name_.end())
        return element.reject_attribute("joint", in_quotes(*other_name), "the name of a joint");
      UrdfMimic mimic{element, found->second};
      if (Check read = values_.number(element, "multiplier", mimic.multiplier); !read) return read;
      if (Check read = values_.number(element, "offset", mimic.offset); !read) return read;
      UrdfJoint& other = joints_[found->second];
      if (&other == &joint) return element.reject_attribute("joint", "a joint that mimics itself", "another joint");
      if (!joint.has_one_freedom() || !other.has_one_freedom())
        return element.reject("joint " + in_quotes(joint.description.name) + " that mimics " + in_quotes(*other_name),
                              "two joints that are revolute, continuous or prismatic");
      // In metres if the joint slides.
      mimic.offset *= joint.slides() ? values_.unit() : 1.0;
      mimic.multiplier *= (joint.slides() ? values_.unit() : 1.0) / (other.slides() ? values_.unit() : 1.0);
      joint.mimic = mimic;
    }
    return settle_mimics(joints_, values_);
  }

  // --- The figure --------------------------------------------------------------------------------

  Expected<Content> build() {
    UniqueNames names;
    for (const UrdfJoint& joint : joints_) names(joint.description.name, "joint");
    JointDescription world;
    world.name = names("world", "world");
    world.child = figure_.segments[root_].name;
    world.in_parent.R = content_.space.R_inside_file();
    figure_.joints.push_back(std::move(world));
    for (const UrdfJoint& joint : joints_) {
      if (const std::optional<UrdfMimic>& mimic = joint.mimic) {
        LimitDescription row{
            "mimic " + joint.description.name, {{joint.parameter(), 1.0}}, Relation::equal, mimic->offset};
        if (mimic->multiplier != 0.0) row.terms.push_back({joints_[mimic->other].parameter(), -mimic->multiplier});
        figure_.limits.push_back(std::move(row));
      }
      figure_.joints.push_back(joint.description);
    }
    content_.notes = values_.notes();
    Expected<Figure> figure = build_figure(std::move(figure_));
    if (!figure) {
      Diagnostic error = figure.error();
      error.where = file_name_ + ": " + error.where;
      return std::unexpected(std::move(error));
    }
    content_.figure = std::move(*figure);
    return std::move(content_);
  }

  const XmlDocument& document_;
  XmlElement robot_;
  std::string file_name_;
  UrdfValues values_;
  Content content_;
  FigureDescription figure_;
  std::vector<XmlElement> links_;  // link k becomes segment k
  std::vector<UrdfJoint> joints_;
  std::vector<int> parent_joint_;  // by link
  Names link_by_name_, joint_by_name_;
  int root_ = none;
};

}  // namespace

Expected<Content> read_urdf(std::string_view bytes, const std::string& file_name, const ReadOptions& options) {
  const XmlDocument document(bytes, file_name);
  if (document.error()) return std::unexpected(*document.error());
  return UrdfReader(document, file_name, options).read();
}

}  // namespace limber
