// The BVH writer: converts joints to channels (bvh.h, joint_rotation.h).
#include <algorithm>
#include <array>

#include "limber/base/index.h"
#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/bvh/bvh.h"
#include "limber/format/bvh/bvh_guess.h"
#include "limber/format/bvh/bvh_text.h"
#include "limber/format/content/joint_rotation.h"
#include "limber/format/text/text.h"
#include "limber/format/text/unit.h"

namespace limber {

using namespace motion_file;

namespace {

constexpr std::array<const char*, 3> position_names = {"Xposition", "Yposition", "Zposition"};
constexpr std::array<const char*, 3> rotation_names = {"Xrotation", "Yrotation", "Zrotation"};
constexpr EulerOrder zxy = {2, 0, 1};
constexpr std::size_t max_indents = 100;  // a chain of ten thousand joints would be mostly blanks
// Places no farther apart than this, relative to the figure's length, are one.
constexpr double coincident = 1e-6;
constexpr int computed = -1;  // marks a channel that is not a freedom of the figure

struct Node {
  std::string name;
  std::vector<AxisChannel> shifts = {}, turns = {};
  Vec3 offset = Vec3::Zero();   // OFFSET, metres
  Vec3 base = Vec3::Zero();     // position channels = base + shift
  Vec3 angles = Vec3::Zero();   // of the last frame, if computed
  std::vector<Vec3> tips = {};  // End Sites, metres
  bool computed_turns = false;
  bool computed_shifts = false;
  bool is_tip = false;   // a rigid joint at the end of a chain, written as End Site of its parent
  bool is_bare = false;  // holds nothing and is not written: a root, or a tip where a sibling begins

  Vec3 has_position() const {
    Vec3 mask = Vec3::Zero();
    for (const AxisChannel& shift : shifts) mask[shift.axis] = 1.0;
    return mask;
  }
};

class BvhWriter {
 public:
  BvhWriter(const Content& content, const WriteOptions& options)
      : figure_(*content.figure),
        from_bvh_(content.format == "bvh"),
        unit_(options.metres_per_unit.value_or(from_bvh_ ? content.space.metres_per_unit : 0.01)) {
    FileSpace space;
    space.up = options.up.value_or(from_bvh_ ? content.space.up : Up::y);
    joints_ = file_joints(figure_, space.R_inside_file());
  }

  Expected<Written> write(const Clip* clip) {
    VecX q;
    figure_.angles(figure_.rest().theta, q);
    make_nodes(q);
    make_tips();
    if (clip != nullptr && clip->frames() > 0) figure_.angles(clip->poses.col(0), q);
    place(q);
    note_unwritten(figure_, {.bare_roots = from_bvh_}, out_.notes);
    write_text(clip, q);
    if (clear_misread_offsets()) {
      text().clear();
      write_text(clip, q);
    }
    return std::move(out_);
  }

 private:
  bool is_root(std::size_t s) const { return figure_.segments()[s].parent == no_parent; }
  bool is_written(std::size_t s) const { return !nodes_[s].is_tip && !nodes_[s].is_bare; }

  // Next to siblings elsewhere a tip stays a joint: few programs accept an End Site there.
  bool is_tip(int s) const { return !from_bvh_ && marks_tip(figure_, s) && is_only_child(figure_, s); }

  // Next to siblings, and where one of them begins, as at the end of an Acclaim bone, a tip says nothing new.
  bool repeats_sibling(int s) const {
    if (from_bvh_ || !marks_tip(figure_, s) || is_only_child(figure_, s)) return false;
    const double tolerance = coincident * figure_.length();
    const FileJoint& tip = joints_[at_index(s)];
    const auto is_elsewhere = [&](const Site& site) {
      return site.segment == s && tip.in_file(site.frame.p).norm() > tolerance;
    };
    if (std::ranges::any_of(figure_.sites(), is_elsewhere)) return false;
    for (int other = 0; other < static_cast<int>(joints_.size()); ++other)
      if (other != s && figure_.segments()[at_index(other)].parent == figure_.segments()[at_index(s)].parent &&
          (joints_[at_index(other)].offset - tip.offset).norm() <= tolerance && !marks_tip(figure_, other))
        return true;
    return false;
  }

  void make_nodes(const VecX& rest) {
    UniqueNames unique;
    std::vector<std::string> renamed, translating;
    for (std::size_t s = 0; s < joints_.size(); ++s) {
      const int index = static_cast<int>(s);
      const std::string& name = figure_.joints()[s].name;
      Node node;
      node.name = unique_name(unique, fit(name), "joint");
      if (node.name != name) renamed.push_back(name);
      if (motion_file::shifts(figure_, index)) {
        if (!is_root(s)) translating.push_back(name);
        const auto direct = shifts_along_axes(figure_, index, joints_[s].K);
        node.computed_shifts = !direct;
        node.shifts =
            direct.value_or(std::vector<AxisChannel>{{0, 1.0, computed}, {1, 1.0, computed}, {2, 1.0, computed}});
      }
      node.is_tip = is_tip(index);
      node.is_bare = !from_bvh_ && (is_bare_root(figure_, index) || repeats_sibling(index));
      const auto direct_turns = turns_about_axes(figure_, index, joints_[s].K);
      node.computed_turns =
          !node.is_tip &&
          (!direct_turns || !(from_bvh_ ? direct_turns->size() + node.shifts.size() <= std::size_t{max_joint_channels}
                                        : !direct_turns->empty() && all_different(*direct_turns)));
      if (!node.computed_turns && direct_turns) node.turns = *direct_turns;
      if (node.computed_turns)
        for (const int axis : zxy) node.turns.push_back({axis, 1.0, computed});
      // The OFFSET, also as the rest value if the positions replace it.
      const Vec3 has = node.has_position();
      const Vec3 rest_shift = has.cwiseProduct(joints_[s].K * joint_motion(figure_, index, rest).p);
      node.offset = joints_[s].offset;
      if (has.cwiseProduct(node.offset) == Vec3::Zero() && rest_shift != Vec3::Zero()) {
        node.offset += rest_shift;
        inner_replaced_ = inner_replaced_ || !is_root(s);
      }
      nodes_.push_back(std::move(node));
    }
    if (!renamed.empty())
      add_note(out_.notes, "names changed to be unique, on one line and not too long: " + some_of(renamed));
    if (!translating.empty() && !from_bvh_)
      out_.notes.push_back(
          {"translating joints have position channels, which not every program reads: " + some_of(translating)});
  }

  static bool all_different(const std::vector<AxisChannel>& turns) {
    std::array<int, 3> times = {};
    for (const AxisChannel& turn : turns) ++times[turn.axis];
    return std::ranges::max(times) <= 1;
  }

  static std::string fit(std::string_view name) {
    std::string out(name);
    std::ranges::replace(out, '{', '(');
    return name_on_one_line(out);
  }

  void make_tips() {
    const double tolerance = 1e-12 * figure_.length();
    std::size_t nameless = 0, tips = 0;
    std::vector<std::vector<Vec3>> centres(nodes_.size());
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      centres[s].push_back(Vec3::Zero());
      if (!is_root(s)) centres[figure_.segments()[s].parent].push_back(joints_[s].offset);
    }
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      if (!nodes_[s].is_tip) continue;
      nodes_[s - 1].tips.push_back(joints_[s].offset);
      ++tips;
    }
    for (const Site& site : figure_.sites()) {
      const auto s = static_cast<std::size_t>(site.segment);
      const Vec3 tip = joints_[s].in_file(site.frame.p);
      const auto is_at = [&](const Vec3& p) { return (p - tip).norm() <= tolerance; };
      const bool is_joint_site =
          is_at(Vec3::Zero()) && (site.name == figure_.joints()[s].name || site.name == figure_.segments()[s].name);
      if (is_joint_site) continue;
      if (nodes_[s].is_tip) {
        // Its sites move to its parent.
        if (!is_at(Vec3::Zero())) nodes_[s - 1].tips.push_back(joints_[s].offset + tip);
        ++nameless;
        continue;
      }
      if (site.name != figure_.joints()[s].name + "_End") ++nameless;
      if (!from_bvh_ && (std::ranges::any_of(centres[s], is_at) || std::ranges::any_of(nodes_[s].tips, is_at)))
        continue;
      nodes_[s].tips.push_back(tip);
    }
    if (nameless > 0)
      add_note(out_.notes, "the names of " + counted(nameless, "site", "sites") +
                               " are not written: only joints have names; tips become End Sites");
    if (tips > 0)
      add_note(out_.notes, counted(tips, "rigid tip is written as an End Site", "rigid tips are written as End Sites") +
                               ", which has no name");
    if (from_bvh_) return;
    for (std::size_t s = 0; s < nodes_.size(); ++s)
      if (!nodes_[s].is_tip && figure_.segments()[s].subtree_end == static_cast<int>(s) + 1 && nodes_[s].tips.empty())
        nodes_[s].tips.push_back(Vec3::Zero());
  }

  // --- OFFSET and position channels, such that the reader's rule interprets them correctly ----------

  // The position channels of a joint as written.
  Vec3 position(std::size_t s, const Frame& M, const VecX& q) const {
    const Node& node = nodes_[s];
    Vec3 p = Vec3::Zero();
    const Vec3 shift = node.computed_shifts ? Vec3(joints_[s].K * M.p) : Vec3::Zero();
    for (const AxisChannel& channel : node.shifts) {
      const int a = channel.axis;
      const double metres = node.base[a] + (channel.freedom == computed ? shift[a] : channel.sign * q[channel.freedom]);
      p[a] = channel.freedom != computed && node.base[a] == 0.0 ? written_length(metres, unit_)
                                                                : tidy(metres / unit_, 0.0);
    }
    return p;
  }
  Vec3 position(std::size_t s, const VecX& q) const {
    return position(s, joint_motion(figure_, static_cast<int>(s), q), q);
  }

  Vec3 written_offset(const Vec3& offset) const {
    return {written_length(offset.x(), unit_), written_length(offset.y(), unit_), written_length(offset.z(), unit_)};
  }
  Vec3 channel_offset(const Node& node) const { return written_offset(node.offset).cwiseProduct(node.has_position()); }

  void set_base(std::size_t s, bool replaced) {
    Node& node = nodes_[s];
    node.base = replaced ? joints_[s].offset : Vec3(joints_[s].offset - node.offset);
    node.base = node.base.cwiseProduct(node.has_position());
  }

  BvhInnerRule set_inner(bool replaced, const VecX& q) {
    BvhInnerRule rule;
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      if (is_root(s) || nodes_[s].shifts.empty()) continue;
      set_base(s, replaced);
      rule.add(channel_offset(nodes_[s]), position(s, q));
    }
    return rule;
  }

  // With the displacement d from the OFFSET o, the position can be written as d or as o + d. The rule misreads d if |d|
  // > |d - o|, and o + d if |d| >= |d + o|, summed over the joints; since |d - o| + |d + o| >= 2 |d|, never both.
  void place(const VecX& frame_0) {
    if (set_inner(inner_replaced_, frame_0).replaced() != inner_replaced_) set_inner(!inner_replaced_, frame_0);
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      if (!is_root(s) || nodes_[s].shifts.empty()) continue;
      if (from_bvh_)
        set_base(s, is_replaced(s));
      else
        clear_offset(s);
    }
  }

  bool is_replaced(std::size_t root) const { return nodes_[root].offset != joints_[root].offset; }

  // OFFSET 0 has only one interpretation.
  void clear_offset(std::size_t root) {
    Node& node = nodes_[root];
    node.offset = node.offset.cwiseProduct(Vec3::Ones() - node.has_position());
    set_base(root, true);
  }

  // Whether a root's OFFSET would be read in the other way, with either axis up. Clears those.
  bool clear_misread_offsets() {
    if (std::ranges::none_of(nodes_, [&](const Node& node) {
          return is_root(static_cast<std::size_t>(&node - nodes_.data())) && channel_offset(node) != Vec3::Zero();
        }))
      return false;
    TextReader in(text(), "");
    Expected<BvhText> file = read_bvh_text(text(), in);
    if (!file) return false;
    const BvhInnerRule inner = choose_inner_offsets(*file);
    bool cleared = false;
    for (std::size_t s = 0, n = 0; s < nodes_.size(); ++s) {
      if (!is_written(s)) continue;
      const std::size_t in_file = n++;
      if (!is_root(s) || channel_offset(nodes_[s]) == Vec3::Zero()) continue;
      const bool replaced = is_replaced(s);
      for (const Up up : {Up::y, Up::z}) {
        choose_root_offset(*file, in_file, inner, up);
        if (file->nodes[in_file].replaced == replaced) continue;
        clear_offset(s);
        cleared = true;
        break;
      }
    }
    return cleared;
  }

  // --- The text ----------------------------------------------------------------------------------

  std::string& text() { return out_.bytes; }

  void write_text(const Clip* clip, VecX& q) {
    for (Node& node : nodes_) node.angles.setZero();
    hierarchy();
    motion(clip, q);
  }

  void line(std::size_t depth, std::string_view content) {
    text().append(std::min(depth, max_indents), '\t');
    text() += content;
    text() += '\n';
  }

  void offset_line(std::size_t depth, const Vec3& metres) {
    std::string numbers = "OFFSET ";
    append_vector(numbers, written_offset(metres));
    line(depth, numbers);
  }

  void hierarchy() {
    line(0, "HIERARCHY");
    std::vector<int> open;  // ends of the enclosing subtrees
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      close(open, static_cast<int>(s));
      const Node& node = nodes_[s];
      if (!is_written(s)) continue;
      line(open.size(), (open.empty() ? "ROOT " : "JOINT ") + node.name);
      line(open.size(), "{");
      open.push_back(figure_.segments()[s].subtree_end);
      offset_line(open.size(), node.offset);
      std::string channels = "CHANNELS " + std::to_string(node.shifts.size() + node.turns.size());
      for (const AxisChannel& shift : node.shifts) channels += std::string(" ") + position_names[shift.axis];
      for (const AxisChannel& turn : node.turns) channels += std::string(" ") + rotation_names[turn.axis];
      line(open.size(), channels);
      for (const Vec3& tip : node.tips) {
        line(open.size(), "End Site");
        line(open.size(), "{");
        offset_line(open.size() + 1, tip);
        line(open.size(), "}");
      }
    }
    close(open, static_cast<int>(nodes_.size()));
  }

  void close(std::vector<int>& open, int s) {
    while (!open.empty() && open.back() <= s) {
      open.pop_back();
      line(open.size(), "}");
    }
  }

  void motion(const Clip* clip, VecX& q) {
    const int frames = clip == nullptr ? 1 : clip->frames();
    line(0, "MOTION");
    line(0, "Frames: " + std::to_string(frames));
    line(0, "Frame Time: " + to_text(clip == nullptr ? Clip{}.frame_time : clip->frame_time));
    for (int frame = 0; frame < frames; ++frame) {
      if (clip != nullptr) figure_.angles(clip->poses.col(frame), q);
      const std::size_t begin = text().size();
      for (std::size_t s = 0; s < nodes_.size(); ++s)
        if (!nodes_[s].is_bare) row(s, q);
      if (text().size() > begin) text().pop_back();
      text() += '\n';
    }
  }

  void row(std::size_t s, const VecX& q) {
    Node& node = nodes_[s];
    Frame M;
    if (node.computed_shifts || node.computed_turns) M = joint_motion(figure_, static_cast<int>(s), q);
    const Vec3 p = position(s, M, q);
    for (const AxisChannel& shift : node.shifts) value(p[shift.axis]);
    if (node.computed_turns) {
      const Mat3& K = joints_[s].K;
      node.angles = euler_angles(K * M.R * K.transpose(), zxy, node.angles);
      for (int k = 0; k < 3; ++k) value(rounded_degrees(node.angles[k]));
    } else {
      for (const AxisChannel& turn : node.turns) value(written_degrees(turn.sign * q[turn.freedom]));
    }
  }

  void value(double number) {
    append_number(text(), number);
    text() += ' ';
  }

  const Figure& figure_;
  bool from_bvh_;
  double unit_;  // metres
  std::vector<FileJoint> joints_;
  std::vector<Node> nodes_;      // one per segment
  bool inner_replaced_ = false;  // the positions of inner joints replace their OFFSETs
  Written out_;
};

}  // namespace

Expected<Written> write_bvh(const Content& content, const Clip* clip, const WriteOptions& options) {
  if (Expected<void> fine = check_writable(content, clip, options); !fine) return std::unexpected(fine.error());
  return BvhWriter(content, options).write(clip);
}

}  // namespace limber
