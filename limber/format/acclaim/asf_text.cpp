// The grammar of ASF.
#include "limber/format/acclaim/asf_text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "limber/base/number.h"
#include "limber/format/content/joint_rotation.h"

namespace limber {

using namespace motion_file;

namespace {

using Check = Expected<void>;

class AsfTextReader {
 public:
  explicit AsfTextReader(TextReader& in) : in_(in) {
    in_.brackets = "()";
    out_.bones.emplace_back().name = "root";
  }

  Expected<AsfText> read() {
    if (Check done = sections(); !done) return std::unexpected(done.error());
    if (Check done = tree(); !done) return std::unexpected(done.error());
    return std::move(out_);
  }

 private:
  static constexpr int root = AsfText::root;

  void note(std::string text, std::size_t offset) {
    const Place place = in_.place(offset);
    out_.notes.push_back({std::move(text), place.line, place.column});
  }
  // For findings that may occur once per bone: only the first is noted.
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
  // Skips to the next line that begins with a colon.
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
        return in_.reject(
            word, in_.described(word),
            any ? "a section such as :bonedata" : "a section such as :version at the start of an ASF file");
      any = true;
      if (Check read = section(word); !read) return read;
    }
    if (!has_root_) return in_.reject(in_.offset(), "no :root", "one :root section");
    return {};
  }

  Check section(const Word& word) {
    if (word.is(":version") || word.is(":documentation")) {
      skip_section();
      return {};
    }
    if (word.is(":name")) {
      out_.name = on_one_line(in_.rest_of_line().text);
      return {};
    }
    if (word.is(":units")) return units();
    if (word.is(":root")) return root_section(word);
    if (word.is(":bonedata")) return bone_data();
    if (word.is(":hierarchy")) return hierarchy(word);
    note("section " + in_quotes(word.text) + " is ignored", word.offset);
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
          return in_.reject(unit, in_.described(unit), "deg or rad", ":units angle");
        out_.in_degrees = unit.is("deg") || unit.is("degrees");
      } else if (key.is("length") || key.is("mass")) {
        const Word word = peek();
        const Expected<double> value = number(key.is("length") ? "the unit of length" : "the unit of mass");
        if (!value) return std::unexpected(value.error());
        if (!(*value > 0.0)) return in_.reject(word, in_.described(word), "a number above 0", ":units");
        if (key.is("length"))
          out_.length_unit = *value;
        else
          out_.mass_unit = *value;
      } else {
        note(in_quotes(key.text) + " in :units is ignored", key.offset);
        in_.skip_line();
      }
    }
    return {};
  }

  Expected<EulerOrder> axis_order() {
    const Word word = next();
    // XYZ: x is applied first, so it is last in the product.
    EulerOrder order = {};
    std::array<int, 3> times = {};
    bool fine = word.text.size() == 3;
    for (std::size_t k = 0; fine && k < 3; ++k) {
      const std::size_t axis = std::string_view("xyz").find(lower_case(word.text)[k]);
      fine = axis != std::string_view::npos && ++times[axis] == 1;
      order[2 - k] = static_cast<int>(axis);
    }
    if (!fine) return in_.reject(word, in_.described(word), "an order of axes such as XYZ", "axis");
    return order;
  }

  Check root_section(const Word& keyword) {
    if (has_root_) return in_.reject(keyword, "a second :root", "one :root section");
    has_root_ = true;
    AsfBone& bone = out_.bones[root];
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
        (key.is("position") ? out_.position : bone.axis) = *v;
        if (*v != Vec3::Zero())
          note(key.is("position") ? "the root has a position: added to its TX TY TZ"
                                  : "the root has an orientation: applied after its rotations",
               key.offset);
      } else {
        note(in_quotes(key.text) + " in :root is ignored", key.offset);
        in_.skip_line();
      }
    }
    return {};
  }

  // The names on the rest of the line.
  Check dofs(AsfBone& bone, const char* field) {
    const bool is_root = &bone == &out_.bones[root];
    for (Word word = next_on_line(); !word.empty(); word = next_on_line()) {
      const auto found = std::ranges::find_if(AsfBone::dof_names, [&](std::string_view name) { return word.is(name); });
      const int dof = static_cast<int>(found - AsfBone::dof_names.begin());
      if (found == AsfBone::dof_names.end() || (is_root && dof == AsfBone::length_dof))
        return in_.reject(word, in_.described(word),
                          is_root ? "TX, TY, TZ, RX, RY or RZ" : "rx, ry, rz, tx, ty, tz or l", field);
      if (std::ranges::find(bone.dofs, dof) != bone.dofs.end())
        return in_.reject(word, "a second " + std::string(*found), "each once", field);
      bone.dofs.push_back(dof);
    }
    return {};
  }

  Check bone_data() {
    while (!at_section()) {
      const Word begin = next();
      if (!begin.is("begin")) return in_.reject(begin, in_.described(begin), "begin of a bone", ":bonedata");
      if (out_.bones.size() > max_joints)
        return in_.reject(begin, "more than " + std::to_string(max_joints) + " bones", "fewer");
      AsfBone bone;
      bone.at = begin.offset;
      for (;;) {
        const Word key = next();
        if (key.is("end")) break;
        if (key.empty() || key.is("begin") || key.text.starts_with(':'))
          return in_.reject(key, in_.described(key),
                            "end of the bone that starts in line " + std::to_string(in_.place(begin).line),
                            ":bonedata");
        if (Check read = member(bone, key); !read) return read;
      }
      if (Check fine = finished(bone, begin); !fine) return fine;
      out_.bones.push_back(std::move(bone));
    }
    return {};
  }

  Check member(AsfBone& bone, const Word& key) {
    if (key.is("name")) {
      const Word name = next();
      if (name.text.size() > max_joint_name || name.text.starts_with(':') || name.empty())
        return in_.reject(name, in_.described(name), "a name of at most " + std::to_string(max_joint_name) + " bytes",
                          ":bonedata");
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
        note_first(noted_order_, "an axis order other than XYZ: the numbers are read as angles about x, y and z",
                   key.offset);
      return {};
    }
    if (key.is("length") || key.is("bodymass") || key.is("cofmass") || key.is("cofm")) {
      const Word word = peek();
      const Expected<double> value = number(key.is("length") ? "length" : key.is("bodymass") ? "bodymass" : "cofmass");
      if (!value) return std::unexpected(value.error());
      if (*value < 0.0 && !key.is("cofmass") && !key.is("cofm"))
        return in_.reject(word, in_.described(word), "a non-negative number", std::string(key.text));
      if (key.is("length"))
        bone.length = *value;
      else
        (key.is("bodymass") ? bone.mass : bone.mass_centre) = *value;
      return {};
    }
    if (key.is("dof")) return dofs(bone, "dof");
    if (key.is("limits")) return limits(bone, key);
    note_first(noted_key_, in_quotes(key.text) + " in :bonedata is ignored, here and in other bones", key.offset);
    in_.skip_line();
    return {};
  }

  Expected<double> limit() {
    Word word = next();
    if (word.text.ends_with(',')) word.text.remove_suffix(1);
    if (word.is("inf") || word.is("+inf")) return infinity;
    if (word.is("-inf")) return -infinity;
    if (const std::optional<double> value = TextReader::number(word)) return *value;
    return in_.reject(word, in_.described(word), "a finite number, -inf or inf", "limits");
  }

  Check limits(AsfBone& bone, const Word& key) {
    if (bone.has_limits) return in_.reject(key, "a second limits", "one per bone", bone.quoted());
    bone.has_limits = true;
    while (peek().is("(")) {
      AsfLimits pair;
      pair.at = next().offset;
      const Expected<double> lower = limit();
      if (!lower) return std::unexpected(lower.error());
      const Expected<double> upper = limit();
      if (!upper) return std::unexpected(upper.error());
      if (const Word close = next(); !close.is(")")) return in_.reject(close, in_.described(close), ")", "limits");
      if (*lower > *upper || *lower == infinity || *upper == -infinity)
        return in_.reject(pair.at, "limits from " + to_text(*lower) + " to " + to_text(*upper), "lower <= upper",
                          bone.quoted());
      pair.lower = *lower;
      pair.upper = *upper;
      if (bone.limits.size() == AsfBone::dof_names.size())
        return in_.reject(pair.at, "more than " + std::to_string(AsfBone::dof_names.size()) + " limits", "one per dof",
                          bone.quoted());
      bone.limits.push_back(pair);
    }
    if (bone.limits.empty()) {
      const Word word = peek();
      return in_.reject(word, in_.described(word), "( after limits", bone.quoted());
    }
    return {};
  }

  Check finished(const AsfBone& bone, const Word& begin) {
    if (bone.name.empty()) return in_.reject(begin, "a bone without a name", "a name", ":bonedata");
    if (!bone.direction) return in_.reject(bone.at, "no direction", "a direction in every bone", bone.quoted());
    if (!bone.length) return in_.reject(bone.at, "no length", "a length in every bone", bone.quoted());
    if (bone.has_limits && bone.limits.size() != bone.dofs.size())
      return in_.reject(bone.limits.front().at, std::to_string(bone.limits.size()) + " limits",
                        std::to_string(bone.dofs.size()) + ", one per dof", bone.quoted());
    if (bone.name == "root") return in_.reject(bone.at, "a bone named root", "another name", ":bonedata");
    if (!index_.emplace(bone.name, static_cast<int>(out_.bones.size())).second)
      return in_.reject(bone.at, "a second bone " + in_quotes(bone.name), "unique names", ":bonedata");
    constexpr double unit_tolerance = 1e-3;
    if (std::fabs(bone.direction->norm() - 1.0) > unit_tolerance && *bone.length != 0.0)
      note_first(noted_direction_,
                 "the direction of " + bone.quoted() + " is " + to_text(bone.direction->norm(), 3) +
                     " long, not 1: the bone's length is scaled by it",
                 bone.at);
    return {};
  }

  // The lines are parsed later, when all bones are known.
  Check hierarchy(const Word& keyword) {
    if (hierarchy_) return in_.reject(keyword, "a second :hierarchy", "one :hierarchy section");
    hierarchy_ = in_.offset();
    if (const Word begin = next(); !begin.is("begin"))
      return in_.reject(begin, in_.described(begin), "begin", ":hierarchy");
    for (;;) {
      const Word parent = next();
      if (parent.is("end")) return {};
      if (parent.empty() || parent.text.starts_with(':'))
        return in_.reject(parent, in_.described(parent), "a bone and its children, or end", ":hierarchy");
      in_.skip_line();
    }
  }

  // --- The tree ----------------------------------------------------------------------------------

  Expected<int> bone_of(const Word& word) const {
    if (word.is("root")) return root;
    if (const auto found = index_.find(word.text); found != index_.end()) return found->second;
    return in_.reject(word, in_.described(word), "root or a bone of :bonedata", ":hierarchy");
  }

  Check attach(const Word& word, int parent) {
    const Expected<int> child = bone_of(word);
    if (!child) return std::unexpected(child.error());
    if (*child == root) return in_.reject(word, "root as a child", "root only as a parent", ":hierarchy");
    AsfBone& bone = out_.bones[*child];
    if (bone.parent != AsfBone::no_bone)
      return in_.reject(word,
                        "a second parent of " + bone.quoted() + ", after " + in_quotes(out_.bones[bone.parent].name),
                        "one", ":hierarchy");
    bone.parent = parent;
    out_.bones[parent].children.push_back(*child);
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
      out_.order.push_back(b);
      stack.insert(stack.end(), out_.bones[b].children.rbegin(), out_.bones[b].children.rend());
    }
    if (out_.order.size() == out_.bones.size()) return {};
    std::vector<bool> reached(out_.bones.size(), false);
    for (const int b : out_.order) reached[b] = true;
    const AsfBone& lost = out_.bones[std::ranges::find(reached, false) - reached.begin()];
    return in_.reject(
        lost.at,
        lost.quoted() + (lost.parent == AsfBone::no_bone ? " without a parent in :hierarchy"
                                                         : " in a branch of :hierarchy that is not below root"),
        "every bone in a tree below root");
  }

  TextReader& in_;
  AsfText out_;
  bool has_root_ = false;
  std::map<std::string, int, std::less<>> index_;
  std::optional<std::size_t> hierarchy_;  // offset of its start
  bool noted_order_ = false, noted_key_ = false, noted_direction_ = false;
};

}  // namespace

Expected<AsfText> read_asf_text(TextReader& in) { return AsfTextReader(in).read(); }

}  // namespace limber
