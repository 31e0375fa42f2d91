// The ASF reader: the file is read into bones as they stand there, then the skeleton is built (acclaim.h).
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "limber/base/euler.h"
#include "limber/base/number.h"
#include "limber/format/acclaim.h"
#include "limber/format/joint_rotation.h"
#include "limber/format/text.h"

namespace limber {

using namespace motion_file;

namespace {

using Check = Expected<void>;

constexpr std::array<std::string_view, 7> dof_names = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
constexpr int first_turn = 3, length_dof = 6;  // of dof_names
constexpr int root = 0;                        // the first bone
constexpr int no_bone = -1;

struct FileLimits {
  double lower = -infinity, upper = infinity;
  std::size_t at = 0;
};

struct Bone {
  std::string name = {};
  std::size_t at = 0;  // its name in the text
  std::optional<Vec3> direction = {};
  std::optional<double> length = {};
  Vec3 axis = Vec3::Zero();  // angles about x, y, z as in the file
  EulerOrder axis_order = {2, 1, 0};
  std::vector<int> dofs = {};
  std::vector<FileLimits> limits = {};
  bool has_limits = false;
  double mass = 0.0, mass_centre = 0.0;
  int parent = no_bone;
  std::vector<int> children = {};
};

class AsfReader {
 public:
  AsfReader(std::string_view text, const std::string& file_name, const ReadOptions& options)
      : in_(text, file_name), options_(options) {
    in_.brackets = "()";
    bones_.emplace_back().name = "root";
  }

  Expected<Content> read() {
    if (Check done = sections(); !done) return std::unexpected(done.error());
    if (Check done = tree(); !done) return std::unexpected(done.error());
    choose_unit();
    return built();
  }

 private:
  // --- The text ----------------------------------------------------------------------------------

  void note(std::string text, std::size_t offset) {
    const Place place = in_.place(offset);
    out_.notes.push_back({std::move(text), place.line, place.column});
  }
  // For things that may come once a bone: only the first is noted.
  void note_first(bool& noted, std::string text, std::size_t offset) {
    if (!noted) note(std::move(text), offset);
    noted = true;
  }

  // The next word that is not in a comment.
  Word next() {
    for (;;) {
      const Word word = in_.next();
      if (!word.text.starts_with('#')) return word;
      in_.go_to(word.offset);
      in_.skip_line();
    }
  }
  Word peek() {
    const Word word = next();
    in_.go_to(word.offset);
    return word;
  }
  Word next_on_line() {
    const Word word = in_.next_on_line();
    if (!word.text.starts_with('#')) return word;
    in_.go_to(word.offset);
    return {{}, word.offset};
  }
  Expected<double> number(const char* what) {
    peek();
    return in_.number(what);
  }
  Expected<Vec3> vector(const char* what) {
    Vec3 v = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Expected<double> value = number(what);
      if (!value) return std::unexpected(value.error());
      v[k] = *value;
    }
    return v;
  }
  // Up to the next line that begins with a colon.
  void skip_section() {
    in_.skip_line();
    while (!in_.at_end() && !in_.peek().text.starts_with(':')) in_.skip_line();
  }

  Check sections() {
    bool any = false;
    for (;;) {
      const Word word = next();
      if (word.empty()) break;
      if (!word.text.starts_with(':'))
        return in_.refuse(
            word, in_.described(word),
            any ? "a section such as :bonedata" : "a section such as :version at the start of an ASF file");
      any = true;
      if (Check read = section(word); !read) return read;
    }
    if (!has_root_) return in_.refuse(in_.offset(), "no :root", "one");
    return {};
  }

  Check section(const Word& word) {
    if (word.is(":version") || word.is(":documentation")) {
      skip_section();
      return {};
    }
    if (word.is(":name")) {
      name_ = on_one_line(in_.rest_of_line().text);
      return {};
    }
    if (word.is(":units")) return units();
    if (word.is(":root")) return root_section(word);
    if (word.is(":bonedata")) return bone_data();
    if (word.is(":hierarchy")) return hierarchy(word);
    note("section " + in_quotes(word.text) + " was left out", word.offset);
    skip_section();
    return {};
  }

  bool at_section() { return peek().text.starts_with(':') || peek().empty(); }

  Check units() {
    while (!at_section()) {
      const Word key = next();
      if (key.is("angle")) {
        const Word unit = next();
        if (!unit.is("deg") && !unit.is("rad") && !unit.is("degrees") && !unit.is("radians"))
          return in_.refuse(unit, in_.described(unit), "deg or rad", ":units angle");
        in_degrees_ = unit.is("deg") || unit.is("degrees");
      } else if (key.is("length") || key.is("mass")) {
        const Word word = peek();
        const Expected<double> value = number(key.is("length") ? "the unit of length" : "the unit of mass");
        if (!value) return std::unexpected(value.error());
        if (!(*value > 0.0)) return in_.refuse(word, in_.described(word), "a number above 0", ":units");
        if (key.is("length"))
          length_unit_ = *value;
        else
          mass_unit_ = *value;
      } else {
        note(in_quotes(key.text) + " in :units was left out", key.offset);
        in_.skip_line();
      }
    }
    return {};
  }

  Expected<EulerOrder> axis_order() {
    const Word word = next();
    // XYZ: x first, so that it stands last in the product.
    EulerOrder order = {};
    std::array<int, 3> times = {};
    bool fine = word.text.size() == 3;
    for (std::size_t k = 0; fine && k < 3; ++k) {
      const std::size_t axis = std::string_view("xyz").find(lower_case(word.text)[k]);
      fine = axis != std::string_view::npos && ++times[axis] == 1;
      order[2 - k] = static_cast<int>(axis);
    }
    if (!fine) return in_.refuse(word, in_.described(word), "an order of axes such as XYZ", "axis");
    return order;
  }

  Check root_section(const Word& keyword) {
    if (has_root_) return in_.refuse(keyword, "a second :root", "one");
    has_root_ = true;
    Bone& bone = bones_[root];
    bone.at = keyword.offset;
    while (!at_section()) {
      const Word key = next();
      if (key.is("order")) {
        if (Check read = dofs(bone, "order"); !read) return read;
      } else if (key.is("axis")) {
        const Expected<EulerOrder> order = axis_order();
        if (!order) return std::unexpected(order.error());
        bone.axis_order = *order;
      } else if (key.is("position") || key.is("orientation")) {
        const Expected<Vec3> v =
            vector(key.is("position") ? "the position of the root" : "the orientation of the root");
        if (!v) return std::unexpected(v.error());
        (key.is("position") ? position_ : bone.axis) = *v;
        if (*v != Vec3::Zero())
          note(key.is("position") ? "the root has a position: added to its TX TY TZ"
                                  : "the root has an orientation: applied after its rotations",
               key.offset);
      } else {
        note(in_quotes(key.text) + " in :root was left out", key.offset);
        in_.skip_line();
      }
    }
    return {};
  }

  // The names on the rest of the line.
  Check dofs(Bone& bone, const char* field) {
    const bool is_root = &bone == &bones_[root];
    for (Word word = next_on_line(); !word.empty(); word = next_on_line()) {
      const auto found = std::ranges::find_if(dof_names, [&](std::string_view name) { return word.is(name); });
      const int dof = static_cast<int>(found - dof_names.begin());
      if (found == dof_names.end() || (is_root && dof == length_dof))
        return in_.refuse(word, in_.described(word),
                          is_root ? "TX, TY, TZ, RX, RY or RZ" : "rx, ry, rz, tx, ty, tz or l", field);
      if (std::ranges::find(bone.dofs, dof) != bone.dofs.end())
        return in_.refuse(word, "a second " + std::string(*found), "each once", field);
      bone.dofs.push_back(dof);
    }
    return {};
  }

  Check bone_data() {
    while (!at_section()) {
      const Word begin = next();
      if (!begin.is("begin")) return in_.refuse(begin, in_.described(begin), "begin of a bone", ":bonedata");
      if (bones_.size() > most_joints)
        return in_.refuse(begin, "more than " + std::to_string(most_joints) + " bones", "fewer");
      Bone bone;
      bone.at = begin.offset;
      for (;;) {
        const Word key = next();
        if (key.is("end")) break;
        if (key.empty() || key.is("begin") || key.text.starts_with(':'))
          return in_.refuse(key, in_.described(key),
                            "end of the bone that begins in line " + std::to_string(in_.place(begin).line),
                            ":bonedata");
        if (Check read = member(bone, key); !read) return read;
      }
      if (Check fine = finished(bone, begin); !fine) return fine;
      bones_.push_back(std::move(bone));
    }
    return {};
  }

  static std::string quoted(const Bone& bone) { return "bone " + in_quotes(bone.name); }

  Check member(Bone& bone, const Word& key) {
    if (key.is("name")) {
      const Word name = next();
      if (name.text.size() > longest_joint_name || name.text.starts_with(':') || name.empty())
        return in_.refuse(name, in_.described(name),
                          "a name of at most " + std::to_string(longest_joint_name) + " bytes", ":bonedata");
      bone.name = name.text;
      bone.at = name.offset;
      return {};
    }
    if (key.is("id")) {
      next_on_line();
      return {};
    }
    if (key.is("direction")) {
      const Expected<Vec3> v = vector("direction");
      if (!v) return std::unexpected(v.error());
      bone.direction = *v;
      return {};
    }
    if (key.is("axis")) {
      const Expected<Vec3> v = vector("axis");
      if (!v) return std::unexpected(v.error());
      const Expected<EulerOrder> order = axis_order();
      if (!order) return std::unexpected(order.error());
      bone.axis = *v;
      bone.axis_order = *order;
      if (*order != EulerOrder{2, 1, 0})
        note_first(noted_order_, "an axis order other than XYZ: the numbers are taken as angles about x, y and z",
                   key.offset);
      return {};
    }
    if (key.is("length") || key.is("bodymass") || key.is("cofmass") || key.is("cofm")) {
      const Word word = peek();
      const Expected<double> value = number(key.is("length") ? "length" : key.is("bodymass") ? "bodymass" : "cofmass");
      if (!value) return std::unexpected(value.error());
      if (*value < 0.0 && !key.is("cofmass") && !key.is("cofm"))
        return in_.refuse(word, in_.described(word), "a number from 0 up", std::string(key.text));
      if (key.is("length"))
        bone.length = *value;
      else
        (key.is("bodymass") ? bone.mass : bone.mass_centre) = *value;
      return {};
    }
    if (key.is("dof")) return dofs(bone, "dof");
    if (key.is("limits")) return limits(bone, key);
    note_first(noted_key_, in_quotes(key.text) + " in :bonedata was left out, also of any other bone", key.offset);
    in_.skip_line();
    return {};
  }

  Expected<double> limit() {
    Word word = next();
    if (word.text.ends_with(',')) word.text.remove_suffix(1);
    if (word.is("inf") || word.is("+inf")) return infinity;
    if (word.is("-inf")) return -infinity;
    if (const std::optional<double> value = TextReader::number(word)) return *value;
    return in_.refuse(word, in_.described(word), "a finite number, -inf or inf", "limits");
  }

  Check limits(Bone& bone, const Word& key) {
    if (bone.has_limits) return in_.refuse(key, "a second limits", "one a bone", quoted(bone));
    bone.has_limits = true;
    while (peek().is("(")) {
      FileLimits pair;
      pair.at = next().offset;
      const Expected<double> lower = limit();
      if (!lower) return std::unexpected(lower.error());
      const Expected<double> upper = limit();
      if (!upper) return std::unexpected(upper.error());
      if (const Word close = next(); !close.is(")")) return in_.refuse(close, in_.described(close), ")", "limits");
      if (*lower > *upper || *lower == infinity || *upper == -infinity)
        return in_.refuse(pair.at, "limits from " + to_text(*lower) + " to " + to_text(*upper), "lower <= upper",
                          quoted(bone));
      pair.lower = *lower;
      pair.upper = *upper;
      if (bone.limits.size() == dof_names.size())
        return in_.refuse(pair.at, "more than " + std::to_string(dof_names.size()) + " limits", "one a dof",
                          quoted(bone));
      bone.limits.push_back(pair);
    }
    if (bone.limits.empty()) {
      const Word word = peek();
      return in_.refuse(word, in_.described(word), "( after limits", quoted(bone));
    }
    return {};
  }

  Check finished(const Bone& bone, const Word& begin) {
    if (bone.name.empty()) return in_.refuse(begin, "a bone without a name", "one", ":bonedata");
    if (!bone.direction) return in_.refuse(bone.at, "no direction", "one in every bone", quoted(bone));
    if (!bone.length) return in_.refuse(bone.at, "no length", "one in every bone", quoted(bone));
    if (bone.has_limits && bone.limits.size() != bone.dofs.size())
      return in_.refuse(bone.limits.front().at, std::to_string(bone.limits.size()) + " limits",
                        std::to_string(bone.dofs.size()) + ", one a dof", quoted(bone));
    if (bone.name == "root") return in_.refuse(bone.at, "a bone of the name root", "another name", ":bonedata");
    if (!index_.emplace(bone.name, static_cast<int>(bones_.size())).second)
      return in_.refuse(bone.at, "a second bone " + in_quotes(bone.name), "unique names", ":bonedata");
    constexpr double unit_tolerance = 1e-3;
    if (std::fabs(bone.direction->norm() - 1.0) > unit_tolerance && *bone.length != 0.0)
      note_first(noted_direction_,
                 "the direction of " + quoted(bone) + " is " + to_text(bone.direction->norm(), 3) +
                     " long, not 1: the bone is that much longer than its length",
                 bone.at);
    return {};
  }

  // The lines are looked at when all bones are known.
  Check hierarchy(const Word& keyword) {
    if (hierarchy_) return in_.refuse(keyword, "a second :hierarchy", "one");
    hierarchy_ = in_.offset();
    if (const Word begin = next(); !begin.is("begin"))
      return in_.refuse(begin, in_.described(begin), "begin", ":hierarchy");
    for (;;) {
      const Word parent = next();
      if (parent.is("end")) return {};
      if (parent.empty() || parent.text.starts_with(':'))
        return in_.refuse(parent, in_.described(parent), "a bone and its children, or end", ":hierarchy");
      in_.skip_line();
    }
  }

  // --- The tree ----------------------------------------------------------------------------------

  Expected<int> bone_of(const Word& word) const {
    if (word.text == "root") return root;
    if (const auto found = index_.find(word.text); found != index_.end()) return found->second;
    return in_.refuse(word, in_.described(word), "root or a bone of :bonedata", ":hierarchy");
  }

  Check attach(const Word& word, int parent) {
    const Expected<int> child = bone_of(word);
    if (!child) return std::unexpected(child.error());
    if (*child == root) return in_.refuse(word, "root as a child", "it as a parent only", ":hierarchy");
    Bone& bone = bones_[*child];
    if (bone.parent != no_bone)
      return in_.refuse(word, "a second parent of " + quoted(bone) + ", after " + in_quotes(bones_[bone.parent].name),
                        "one", ":hierarchy");
    bone.parent = parent;
    bones_[parent].children.push_back(*child);
    return {};
  }

  Check tree() {
    if (hierarchy_) {
      in_.go_to(*hierarchy_);
      next();
      for (Word line = next(); !line.is("end"); line = next()) {
        const Expected<int> parent = bone_of(line);
        if (!parent) return std::unexpected(parent.error());
        for (Word child = next_on_line(); !child.empty(); child = next_on_line())
          if (Check attached = attach(child, *parent); !attached) return attached;
      }
    }
    std::vector<int> stack = {root};
    while (!stack.empty()) {
      const int b = stack.back();
      stack.pop_back();
      order_.push_back(b);
      stack.insert(stack.end(), bones_[b].children.rbegin(), bones_[b].children.rend());
    }
    if (order_.size() == bones_.size()) return {};
    std::vector<bool> reached(bones_.size(), false);
    for (const int b : order_) reached[b] = true;
    const Bone& lost = bones_[std::ranges::find(reached, false) - reached.begin()];
    return in_.refuse(lost.at,
                      quoted(lost) + (lost.parent == no_bone ? " without a parent in :hierarchy"
                                                             : " in a branch of :hierarchy that is not below root"),
                      "every bone in a tree below root");
  }

  // --- The figure --------------------------------------------------------------------------------

  void choose_unit() {
    constexpr double inch = 0.0254;
    if (!length_unit_ && !options_.metres_per_unit) {
      out_.space.unit_is_stated = false;
      add_note(out_.notes, "no length in :units: the unit is taken as an inch; this can be given");
    }
    out_.space.metres_per_unit = options_.metres_per_unit.value_or(inch / length_unit_.value_or(1.0));
    out_.space.up = options_.up.value_or(Up::y);
  }

  double angle(double value) const { return in_degrees_ ? radians(value) : value; }

  Mat3 axis_of(const Bone& bone) const {
    Vec3 angles;
    for (int k = 0; k < 3; ++k) angles[k] = angle(bone.axis[bone.axis_order[k]]);
    return bone.axis == Vec3::Zero() ? Mat3::Identity() : euler_rotation(bone.axis_order, angles);
  }

  Vec3 tip_of(int b) const {
    if (b == root) return Vec3::Zero();
    return *bones_[b].direction * *bones_[b].length * out_.space.metres_per_unit;
  }

  // Shifts first, in their order; then turns, the last first; then the length.
  static std::vector<int> freedoms_of(const Bone& bone) {
    std::vector<int> order;
    for (const int dof : bone.dofs)
      if (dof < first_turn) order.push_back(dof);
    for (auto dof = bone.dofs.rbegin(); dof != bone.dofs.rend(); ++dof)
      if (*dof >= first_turn && *dof != length_dof) order.push_back(*dof);
    if (std::ranges::find(bone.dofs, length_dof) != bone.dofs.end()) order.push_back(length_dof);
    return order;
  }

  JointDescription joint_of(int b, const Mat3& C) const {
    const Bone& bone = bones_[b];
    JointDescription joint;
    joint.name = joint.child = bone.name;
    joint.in_parent.R = C;
    if (b == root) {
      const Mat3 F = out_.space.R_inside_file();
      joint.in_parent = {F * C, out_.space.inside(position_)};
    } else {
      joint.parent = bones_[bone.parent].name;
      joint.in_parent.p = tip_of(bone.parent);
      joint.in_child.R = C;
    }
    for (const int dof : freedoms_of(bone)) {
      FreedomDescription freedom;
      freedom.name = dof_names[dof];
      freedom.axis = dof == length_dof ? Vec3(C.transpose() * *bone.direction) : Vec3::Unit(dof % 3);
      if (dof < first_turn && b == root) freedom.axis = C.transpose() * freedom.axis;
      const bool turns = dof >= first_turn && dof != length_dof;
      if (!turns) freedom.motion = Motion::translate;
      if (bone.has_limits) {
        const auto k = static_cast<std::size_t>(std::ranges::find(bone.dofs, dof) - bone.dofs.begin());
        const auto inside = [&](double value) { return turns ? angle(value) : value * out_.space.metres_per_unit; };
        freedom.range.lower = inside(bone.limits[k].lower);
        freedom.range.upper = inside(bone.limits[k].upper);
        freedom.range.rest = std::clamp(0.0, freedom.range.lower, freedom.range.upper);
      }
      joint.freedoms.push_back(std::move(freedom));
    }
    return joint;
  }

  Expected<Content> built() {
    FigureDescription description;
    description.name = name_.empty() ? stem_of(in_.file_name()) : name_;
    UniqueNames unique;
    std::vector<std::string> tips;
    for (const int b : order_) unique(bones_[b].name, "");
    for (const int b : order_) {
      const Bone& bone = bones_[b];
      if (std::ranges::find(bone.dofs, length_dof) != bone.dofs.end() && *bone.direction == Vec3::Zero())
        return in_.refuse(bone.at, "a dof l of a bone without direction", "a direction", quoted(bone));
      description.joints.push_back(joint_of(b, axis_of(bone)));
      SegmentDescription segment{bone.name};
      segment.mass = bone.mass / mass_unit_;
      if (b != root) segment.mass_centre = bone.mass_centre * out_.space.metres_per_unit * *bone.direction;
      description.segments.push_back(std::move(segment));
      description.sites.push_back({bone.name, bone.name});
      if (b != root) description.sites.push_back({unique(bone.name + "_tip", ""), bone.name, at(tip_of(b))});
    }
    Expected<Figure> figure = build_figure(std::move(description));
    if (!figure) {
      figure.error().where = in_.file_name() + ": " + figure.error().where;
      return std::unexpected(figure.error());
    }
    // The parameters are in the order of the bones, and within one as freedoms_of says.
    int first = 0;
    for (const int b : order_) {
      const std::vector<int> order = freedoms_of(bones_[b]);
      for (const int dof : bones_[b].dofs)
        out_.row_order.push_back(first + static_cast<int>(std::ranges::find(order, dof) - order.begin()));
      first += static_cast<int>(order.size());
    }
    out_.format = "asf";
    out_.figure = std::move(*figure);
    return std::move(out_);
  }

  TextReader in_;
  const ReadOptions& options_;
  Content out_;
  std::string name_;
  bool in_degrees_ = true;
  std::optional<double> length_unit_;
  double mass_unit_ = 1.0;
  bool has_root_ = false;
  Vec3 position_ = Vec3::Zero();
  std::vector<Bone> bones_;  // the root first
  std::map<std::string, int, std::less<>> index_;
  std::optional<std::size_t> hierarchy_;  // where it begins
  std::vector<int> order_;                // bones, depth first
  bool noted_order_ = false, noted_key_ = false, noted_direction_ = false;
};

}  // namespace

Expected<Content> read_asf(std::string_view bytes, const std::string& file_name, const ReadOptions& options) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  return AsfReader(*text, file_name, options).read();
}

}  // namespace limber
