// A figure as a skeleton script.
//
// The script's frame S of a segment is the segment's own, moved to its joint centre: with C = in_child = (R_c, p_c), S
// = X_world_segment · T(p_c). With A = in_parent, and every freedom D(u) rotated into the segment's axes, R_c D(u) R_cᵀ
// = D(R_c u):
//
//   S = S_parent · T(A.p - p_c of the parent) · (A.R R_cᵀ) · D(R_c u_1) · D(R_c u_2) · …
//
// so the first joint of the chain has offset and orientation, and each joint has one DOF with axis R_c u.
#include <algorithm>
#include <utility>
#include <vector>

#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/skeleton_script/skeleton_script.h"
#include "limber/format/skeleton_script/skeleton_script_text.h"
#include "limber/format/text/text.h"
#include "limber/format/text/unit.h"

namespace limber {

namespace {

// Unit vectors that differ by less are equal.
constexpr double direction_tolerance = 1e-12;
// Deeper groups are not indented further.
constexpr std::size_t max_indents = 20;

struct ScriptJoint {
  std::string name = {};
  int segment = none;  // if it is the last of its chain
  int parent = none;
  Vec3 offset = Vec3::Zero();
  Mat3 R = Mat3::Identity();
  int freedom = none;
  Vec3 axis = Vec3::UnitX();
  std::vector<int> children = {};
  int mirror = none;                  // the joint that it mirrors
  std::vector<int> root_shifts = {};  // the freedoms of the root's translation, if any
};

class ScriptWriter {
 public:
  ScriptWriter(const Content& content, const WriteOptions& options)
      : content_(content), figure_(*content.figure), unit_(options.metres_per_unit.value_or(1.0)) {
    FileSpace space;
    space.up = options.up.value_or(Up::y);
    R_file_inside_ = space.R_inside_file().transpose();
    rest_.resize(static_cast<Eigen::Index>(figure_.freedoms().size()));
    figure_.angles(figure_.rest().theta, rest_);
    if (space.up != Up::y || unit_ != 1.0)
      note("a skeleton script is in metres, Y up: readers of this one need its unit and up axis");
  }

  Written write() {
    for (const Segment& segment : figure_.segments()) segment_names_.push_back(unique(segment.name));
    add_joints();
    add_mirrors();
    add_tips_and_objects();
    const std::string title = renamed(figure_.name().empty() ? "skeleton" : figure_.name());
    note_losses();
    written_.bytes = "define skeleton " + quoted(title) + "\n";
    write_tree();
    written_.bytes += "end skeleton\n";
    for (const ScriptJoint& joint : joints_) write_definition(joint);
    return std::move(written_);
  }

 private:
  void note(std::string text) { written_.notes.push_back({std::move(text)}); }

  // --- Names -------------------------------------------------------------------------------------

  static std::string clean(std::string_view name) {
    std::string out(name);
    for (char& c : out) {
      if (c == '"') c = '\'';
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return out;
  }
  static std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

  std::string unique(std::string_view name) {
    std::string out = unique_(clean(name), "unnamed");
    changed_name_ = changed_name_ || out != name;
    return out;
  }
  std::string renamed(std::string_view name) {
    std::string out = clean(name);
    changed_name_ = changed_name_ || out != name;
    return out;
  }

  // --- Joints ------------------------------------------------------------------------------------

  // In the figure's order, which is depth first.
  void add_joints() {
    const std::vector<Segment>& segments = figure_.segments();
    const auto roots = std::ranges::count(segments, no_parent, &Segment::parent);
    int world = none;
    if (roots > 1) {
      world = add({.name = unique_("world", "world")});
      note("a script has one root: a rigid joint was added above the figure's " + std::to_string(roots));
    }
    last_of_.assign(segments.size(), none);
    first_of_.assign(segments.size(), none);
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const Joint& joint = figure_.joints()[s];
      ScriptJoint next;
      next.parent = segments[s].parent == no_parent ? world : last_of_[segments[s].parent];
      next.offset = joint.in_parent.p;
      next.R = joint.in_parent.R * joint.in_child.R.transpose();
      if (segments[s].parent == no_parent) {
        next.offset = R_file_inside_ * next.offset;
        next.R = R_file_inside_ * next.R;
      } else {
        next.offset -= figure_.joints()[segments[s].parent].in_child.p;
      }
      int freedom = joint.freedom_begin;
      if (next.parent == none && translates_freely(joint)) {
        next.root_shifts = {freedom, freedom + 1, freedom + 2};
        freedom += 3;
      } else if (segments[s].parent == no_parent) {
        fixed_root_ = true;
      }
      first_of_[s] = static_cast<int>(joints_.size());
      for (; freedom < joint.freedom_end; ++freedom) {
        next.freedom = freedom;
        next.axis = joint.in_child.R * figure_.freedoms()[freedom].axis;
        if (freedom + 1 == joint.freedom_end) break;
        next.name = unique_(clean(joint.name + " " + short_name(freedom)), "unnamed");
        const int parent = add(std::move(next));
        next = {.parent = parent};
      }
      next.name = segment_names_[s];
      next.segment = static_cast<int>(s);
      last_of_[s] = add(std::move(next));
    }
  }

  int add(ScriptJoint joint) {
    const auto index = static_cast<int>(joints_.size());
    if (joint.parent != none) joints_[joint.parent].children.push_back(index);
    joints_.push_back(std::move(joint));
    return index;
  }

  // Whether the first freedoms are the implicit translation of a script's root.
  bool translates_freely(const Joint& joint) const {
    if (joint.freedom_end - joint.freedom_begin < 3) return false;
    for (int k = 0; k < 3; ++k) {
      const Freedom& freedom = figure_.freedoms()[joint.freedom_begin + k];
      const Vec3 u = R_file_inside_ * joint.in_parent.R * freedom.axis;
      if (freedom.motion != Motion::translate || freedom.lower != -infinity || freedom.upper != infinity ||
          (u - Vec3::Unit(k)).norm() > direction_tolerance)
        return false;
    }
    return true;
  }

  std::string short_name(int freedom) const {
    const Freedom& f = figure_.freedoms()[freedom];
    return f.name.substr(figure_.joints()[f.joint].name.size() + 1);
  }

  void add_mirrors() {
    const FigureDescription& description = figure_.description();
    if (description.mirror_pairs.empty()) return;
    if (description.mirror_normal.cross(Vec3::UnitX()).norm() >
        direction_tolerance * description.mirror_normal.norm()) {
      note("mirror pairs are not written: a script mirrors across the plane x = 0 only");
      return;
    }
    for (const MirrorPair& pair : description.mirror_pairs) {
      const Expected<int> left = figure_.find_segment(pair.left), right = figure_.find_segment(pair.right);
      if (!left || !right) continue;
      // Both chains have the same number of joints, as checked by the figure.
      const int count = last_of_[*right] - first_of_[*right];
      for (int k = 0; k <= count && first_of_[*left] + k <= last_of_[*left]; ++k)
        joints_[first_of_[*right] + k].mirror = first_of_[*left] + k;
    }
  }

  void add_tips_and_objects() {
    tips_.resize(segment_names_.size());
    objects_.resize(segment_names_.size());
    for (const Site& site : figure_.sites()) {
      const int s = site.segment;
      const bool implied = site.name == segment_names_[s] && site.frame.R == Mat3::Identity() &&
                           site.frame.p == figure_.joints()[s].in_child.p;
      if (!implied) tips_[s].push_back({unique(site.name), site.frame});
    }
    for (const SegmentDescription& segment : figure_.description().segments)
      if (const Expected<int> s = figure_.find_segment(segment.name)) objects_[*s] = renamed(segment.object);
  }

  // --- Losses ------------------------------------------------------------------------------------

  void note_losses() {
    if (fixed_root_)
      note("a script's root can always move: the figure gains the unlimited degrees of freedom tx, ty and tz");
    if (changed_name_) note("names were changed: in a script they are unique, without quotes and control characters");
    const std::vector<Joint>& joints = figure_.joints();
    if (std::ranges::any_of(
            joints, [&](const Joint& joint) { return joint.name != figure_.segments()[&joint - joints.data()].name; }))
      note("names of joints are not written: a script's joint has the name of its segment");
    if (std::ranges::any_of(joints, [](const Joint& joint) { return joint.in_child.p != Vec3::Zero(); }))
      note("a script's frames are at the joints: the origins of other segments were moved there");
    if (!figure_.groups().empty())
      note("groups of parameters are not written, their degrees of freedom become independent: " +
           std::to_string(figure_.groups().size()));
    if (!figure_.limit_rows().empty())
      note("limits over several parameters are not written: " + std::to_string(figure_.limit_rows().size()));
    if (std::ranges::any_of(figure_.parameters(), [](const Parameter& parameter) {
          return parameter.range.rigidity != 0.0 || parameter.range.stiffness != 1.0;
        }))
      note("rigidity and stiffness are not written");
    if (std::ranges::any_of(figure_.description().segments,
                            [](const SegmentDescription& segment) { return segment.inertia != Mat3::Zero(); }))
      note("inertia tensors are not written");
    if (!content_.clips.empty()) note("motions are not written: " + std::to_string(content_.clips.size()));
    if (content_.markers) note("markers are not written");
    if (content_.asset) note("meshes are not written");
  }

  // --- Text --------------------------------------------------------------------------------------

  void write_tree() {
    // Pending: joints, and the ends of groups.
    struct Item {
      int joint;
      bool begins_group, ends_group;
    };
    std::vector<Item> stack = {{0, false, false}};
    std::size_t level = 1;
    while (!stack.empty()) {
      const Item item = stack.back();
      stack.pop_back();
      if (item.ends_group) {
        --level;
        line(level, "end group");
        continue;
      }
      const ScriptJoint& joint = joints_[item.joint];
      if (item.begins_group) {
        line(level, "group " + quoted(joint.name));
        ++level;
        stack.push_back({none, false, true});
      }
      line(level, "joint " + quoted(joint.name));
      const bool branches = joint.children.size() > 1;
      for (auto child = joint.children.rbegin(); child != joint.children.rend(); ++child)
        stack.push_back({*child, branches, false});
    }
  }

  void line(std::size_t level, const std::string& text) {
    written_.bytes += std::string(2 * std::min(level, max_indents), ' ') + text + "\n";
  }

  static std::string text_of(double value) { return to_text(value + 0.0); }  // no "-0"
  std::string length(double metres) const {
    return text_of(written_as(metres, metres / unit_, [this](double y) { return unit_ * y; }));
  }
  std::string lengths(const Vec3& v) const { return length(v.x()) + " " + length(v.y()) + " " + length(v.z()); }
  static std::string turns(const Mat3& R) {
    const Vec3 zyx = euler_angles(R, {2, 1, 0});
    return text_of(degrees(zyx[2])) + " " + text_of(degrees(zyx[1])) + " " + text_of(degrees(zyx[0]));
  }
  std::string value(double q, Motion motion) const {
    return motion == Motion::translate ? length(q) : text_of(written_degrees(q));
  }
  static std::string axis(const Vec3& u) {
    for (int k = 0; k < 3; ++k)
      if (u == Vec3::Unit(k)) return std::string(1, "xyz"[k]);
    return text_of(u.x()) + " " + text_of(u.y()) + " " + text_of(u.z());
  }

  void write_definition(const ScriptJoint& joint) {
    written_.bytes += "\ndefine joint " + quoted(joint.name) + "\n";
    if (joint.segment != none && !objects_[joint.segment].empty()) line(1, "object " + quoted(objects_[joint.segment]));
    if (joint.offset != Vec3::Zero()) line(1, "offset " + lengths(joint.offset));
    if (joint.R != Mat3::Identity()) line(1, "orientation " + turns(joint.R));
    if (joint.freedom != none) write_motion(joint);
    write_rest(joint);
    if (joint.segment != none) write_segment(joint.segment);
    if (joint.mirror != none) line(1, "mirror " + quoted(joints_[joint.mirror].name));
    written_.bytes += "end joint\n";
  }

  void write_motion(const ScriptJoint& joint) {
    const Freedom& freedom = figure_.freedoms()[joint.freedom];
    std::string text = (freedom.motion == Motion::rotate ? "hinge " : "slide ") + axis(joint.axis);
    if (freedom.lower != -infinity || freedom.upper != infinity) {
      text += " " + (freedom.lower == -infinity ? "none" : value(freedom.lower, freedom.motion));
      text += " " + (freedom.upper == infinity ? "none" : value(freedom.upper, freedom.motion));
    }
    line(1, text);
  }

  // Omitted if it is the default: 0, or the limit nearest to 0. The root's translation comes first.
  void write_rest(const ScriptJoint& joint) {
    std::vector<int> freedoms = joint.root_shifts;
    if (joint.freedom != none) freedoms.push_back(joint.freedom);
    bool is_default = true;
    std::string text = joint.parent == none && joint.root_shifts.empty() ? " 0 0 0" : "";
    for (const int i : freedoms) {
      const Freedom& freedom = figure_.freedoms()[i];
      is_default = is_default && rest_[i] == std::clamp(0.0, freedom.lower, freedom.upper);
      text += " " + value(rest_[i], freedom.motion);
    }
    if (!is_default) line(1, "rest" + text);
  }

  void write_segment(int s) {
    const Segment& segment = figure_.segments()[s];
    const Vec3& p_c = figure_.joints()[s].in_child.p;
    if (const Vec3 centre = segment.mass_centre - p_c; centre != Vec3::Zero() && segment.mass > 0.0)
      line(1, "mass " + text_of(segment.mass) + " " + lengths(centre));
    else if (segment.mass > 0.0)
      line(1, "mass " + text_of(segment.mass));
    for (const auto& [name, frame] : tips_[s]) {
      const std::string R = frame.R == Mat3::Identity() ? "" : " " + turns(frame.R);
      line(1, "tip " + lengths(frame.p - p_c) + R + " " + quoted(name));
    }
  }

  Written written_;
  const Content& content_;
  const Figure& figure_;
  double unit_;  // metres
  Mat3 R_file_inside_;
  VecX rest_;  // q
  UniqueNames unique_;
  std::vector<std::string> segment_names_;
  std::vector<ScriptJoint> joints_;
  // By segment:
  std::vector<int> first_of_, last_of_;  // of its chain
  std::vector<std::vector<std::pair<std::string, Frame>>> tips_;
  std::vector<std::string> objects_;
  bool changed_name_ = false, fixed_root_ = false;
};

}  // namespace

Expected<Written> write_skeleton_script(const Content& content, const WriteOptions& options) {
  if (!content.figure) return reject("skeleton script", "no figure", "a figure to write");
  return ScriptWriter(content, options).write();
}

}  // namespace limber
