// The BVH reader. The file is read into joints and a matrix of its own numbers; then it is decided what they mean
// (bvh.h), and the figure is built.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "limber/base/number.h"
#include "limber/format/bvh.h"
#include "limber/format/joint_rotation.h"
#include "limber/format/text.h"

namespace limber {

using namespace motion_file;

namespace {

using Check = Expected<void>;

constexpr long most_channels = 9;  // of one joint
constexpr std::array<std::string_view, 6> channel_names = {"Xposition", "Yposition", "Zposition",
                                                           "Xrotation", "Yrotation", "Zrotation"};
constexpr std::array<const char*, 6> freedom_names = {"tx", "ty", "tz", "rx", "ry", "rz"};
constexpr int positions = 3;  // channels below are positions along x, y, z, the others turns about x, y, z
constexpr int no_node = -1;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_end_of_line(char c) { return c == '\n' || c == '\r'; }

struct Tip {
  int node = 0;
  std::string name = {};
  Vec3 offset = Vec3::Zero();
};

struct Node {
  std::string name;
  int parent = no_node;
  std::size_t at = 0;  // its name in the text
  Vec3 offset = Vec3::Zero();
  bool has_offset = false, has_channels = false;
  std::vector<int> channels = {};  // in the order of the file
  int first_row = 0;               // of the matrix: positions first, then turns
  bool replaced = false;           // OFFSET by the positions

  Vec3 has_position() const {
    Vec3 mask = Vec3::Zero();
    for (const int channel : channels)
      if (channel < positions) mask[channel] = 1.0;
    return mask;
  }
};

// The channels with the positions first, as the freedoms of the joint.
std::vector<int> freedoms_of(const Node& node) {
  std::vector<int> order = node.channels;
  std::ranges::stable_partition(order, [](int channel) { return channel < positions; });
  return order;
}

class BvhReader {
 public:
  BvhReader(std::string_view text, const std::string& file_name, const ReadOptions& options)
      : text_(text), in_(text, file_name), options_(options) {}

  Expected<Content> read() {
    if (Check done = hierarchy(); !done) return std::unexpected(done.error());
    if (has_motion_)
      if (Check done = motion(); !done) return std::unexpected(done.error());
    choose_reading();
    choose_space();
    return built();
  }

 private:
  // --- The text ----------------------------------------------------------------------------------

  void note(std::string text, std::size_t offset) {
    const Place place = in_.place(offset);
    out_.notes.push_back({std::move(text), place.line, place.column});
  }

  Check hierarchy() {
    if (const Word word = in_.next(); !word.is("HIERARCHY"))
      return in_.refuse(word, in_.described(word), "HIERARCHY, the first word of a BVH file");
    std::vector<int> open;
    for (;;) {
      const Word word = in_.next();
      if (open.empty()) {
        if (word.is("MOTION") && !nodes_.empty()) {
          has_motion_ = true;
          return {};
        }
        if (word.empty() && !nodes_.empty()) {
          note("no MOTION: the file holds a figure without frames", word.offset);
          return {};
        }
        if (!word.is("ROOT"))
          return in_.refuse(word, in_.described(word), nodes_.empty() ? "ROOT" : "ROOT, MOTION or the end of the file");
        if (Check begun = begin_joint(word, open); !begun) return begun;
      } else if (word.is("}")) {
        if (Check ended = end_joint(nodes_[open.back()], word); !ended) return ended;
        open.pop_back();
      } else if (Check read = member(word, open); !read) {
        return read;
      }
    }
  }

  Check member(const Word& word, std::vector<int>& open) {
    Node& node = nodes_[open.back()];
    if (word.is("JOINT")) return begin_joint(word, open);
    if (word.is("End")) return end_site(word, open.back());
    if (word.is("OFFSET")) {
      if (node.has_offset) return in_.refuse(word, "a second OFFSET", "one a joint", quoted(node));
      node.has_offset = true;
      return offset(node.offset);
    }
    if (word.is("CHANNELS")) {
      if (node.has_channels) return in_.refuse(word, "a second CHANNELS", "one a joint", quoted(node));
      return channels(node);
    }
    if (channel_of(word) && node.has_channels)
      return in_.refuse(word, in_.described(word) + " after the " + std::to_string(node.channels.size()) + " channels",
                        "as many channels as CHANNELS says", quoted(node));
    return in_.refuse(word, in_.described(word), "OFFSET, CHANNELS, JOINT, End Site or }", quoted(node));
  }

  static std::string quoted(const Node& node) { return "joint " + in_quotes(node.name); }

  // What is left of the line before a `{`, without blanks at either end. Looks no further: a file may be one line.
  Word name_on_line() {
    std::size_t begin = in_.offset();
    while (begin < text_.size() && is_blank(text_[begin])) ++begin;
    std::size_t end = begin;
    while (end < text_.size() && text_[end] != '{' && !is_end_of_line(text_[end])) ++end;
    in_.go_to(end);
    while (end > begin && is_blank(text_[end - 1])) --end;
    return {text_.substr(begin, end - begin), begin};
  }

  Check check_length(const Word& name) {
    if (name.text.size() <= longest_joint_name) return {};
    return in_.refuse(name, "a name of " + std::to_string(name.text.size()) + " bytes",
                      "at most " + std::to_string(longest_joint_name));
  }

  Check begin_joint(const Word& keyword, std::vector<int>& open) {
    if (nodes_.size() == most_joints)
      return in_.refuse(keyword, "more than " + std::to_string(most_joints) + " joints", "fewer");
    Word name = name_on_line();
    if (name.empty() && !in_.peek().is("{")) {
      in_.go_to(in_.peek().offset);
      name = name_on_line();
    }
    if (Check fine = check_length(name); !fine) return fine;
    if (const Word brace = in_.next(); !brace.is("{"))
      return in_.refuse(brace, in_.described(brace), "{ after the name of the joint", "joint " + in_quotes(name.text));
    Node node;
    node.name = name_on_one_line(name.text);
    node.at = name.offset;
    node.parent = open.empty() ? no_node : open.back();
    open.push_back(static_cast<int>(nodes_.size()));
    nodes_.push_back(std::move(node));
    return {};
  }

  Check end_joint(const Node& node, const Word& brace) {
    if (!node.has_offset) return in_.refuse(brace, "no OFFSET", "one in every joint", quoted(node));
    if (!node.has_channels && !noted_no_channels_) {
      note("joint " + in_quotes(node.name) + " has no CHANNELS: taken as rigid, like any other such joint", node.at);
      noted_no_channels_ = true;
    }
    return {};
  }

  Check end_site(const Word& keyword, int node) {
    if (const Word site = in_.next(); !site.is("Site"))
      return in_.refuse(site, in_.described(site), "Site after End", quoted(nodes_[node]));
    if (tips_.size() == most_joints)
      return in_.refuse(keyword, "more than " + std::to_string(most_joints) + " End Sites", "fewer");
    Tip tip;
    tip.node = node;
    const Word name = name_on_line();
    if (Check fine = check_length(name); !fine) return fine;
    tip.name = name_on_one_line(name.text);
    const std::string field = "End Site of " + quoted(nodes_[node]);
    if (const Word brace = in_.next(); !brace.is("{"))
      return in_.refuse(brace, in_.described(brace), "{ after End Site", field);
    for (bool has_offset = false;;) {
      const Word word = in_.next();
      if (word.is("}")) break;
      if (!word.is("OFFSET") || has_offset)
        return in_.refuse(word, in_.described(word), has_offset ? "}" : "OFFSET or }", field);
      has_offset = true;
      if (Check read = offset(tip.offset); !read) return read;
    }
    tips_.push_back(std::move(tip));
    return {};
  }

  Check offset(Vec3& out) {
    for (int k = 0; k < 3; ++k) {
      const Expected<double> value = in_.number("OFFSET");
      if (!value) return std::unexpected(value.error());
      out[k] = *value;
    }
    return {};
  }

  static std::optional<int> channel_of(const Word& word) {
    for (std::size_t c = 0; c < channel_names.size(); ++c)
      if (word.is(channel_names[c])) return static_cast<int>(c);
    return std::nullopt;
  }

  Check channels(Node& node) {
    node.has_channels = true;
    const Expected<long> count = in_.integer("the number of CHANNELS", 0, most_channels);
    if (!count) return std::unexpected(count.error());
    for (long k = 0; k < *count; ++k) {
      const Word word = in_.next();
      const std::optional<int> channel = channel_of(word);
      if (!channel)
        return in_.refuse(word, in_.described(word),
                          "channel " + std::to_string(k + 1) + " of " + std::to_string(*count) +
                              ": Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation",
                          quoted(node));
      if (*channel < positions && std::ranges::find(node.channels, *channel) != node.channels.end())
        return in_.refuse(word, "a second " + std::string(word.text), "each position once", quoted(node));
      node.channels.push_back(*channel);
    }
    return {};
  }

  // "Frames:", "Frame Time:", also with blanks around the colon, or without it.
  Check keyword(std::initializer_list<std::string_view> pieces, const char* what) {
    for (const std::string_view piece : pieces) {
      const Word word = in_.next();
      if (!equal_ignoring_case(word.text.substr(0, piece.size()), piece))
        return in_.refuse(word, in_.described(word), what);
      in_.go_to(word.offset + piece.size());
    }
    if (const Word colon = in_.peek(); colon.text.starts_with(':')) in_.go_to(colon.offset + 1);
    return {};
  }

  Check motion() {
    if (Check read = keyword({"Frames"}, "Frames:"); !read) return read;
    constexpr long most_frames = 1'000'000'000;
    const std::size_t count_at = in_.peek().offset;
    const Expected<long> declared = in_.integer("Frames", 0, most_frames);
    if (!declared) return std::unexpected(declared.error());
    if (*declared == 0 && in_.at_end()) return {};
    if (Check read = keyword({"Frame", "Time"}, "Frame Time:"); !read) return read;
    const Word time = in_.peek();
    const Expected<double> frame_time = in_.number("Frame Time");
    if (!frame_time) return std::unexpected(frame_time.error());
    if (!(*frame_time > 0.0)) return in_.refuse(time, in_.described(time), "seconds above 0", "Frame Time");
    frame_time_ = *frame_time;
    return rows(*declared, count_at);
  }

  // Numbers in the order of the file to rows of the matrix.
  std::vector<int> row_of_channel() {
    std::vector<int> rows;
    for (Node& node : nodes_) {
      node.first_row = static_cast<int>(rows.size());
      const std::vector<int> order = freedoms_of(node);
      std::vector<bool> used(order.size(), false);
      for (const int channel : node.channels) {
        std::size_t k = 0;
        while (order[k] != channel || used[k]) ++k;
        used[k] = true;
        rows.push_back(node.first_row + static_cast<int>(k));
      }
    }
    return rows;
  }

  Check rows(long declared, std::size_t count_at) {
    const std::vector<int> row = row_of_channel();
    const std::size_t channels = row.size();
    if (channels == 0) {
      if (declared > 0) note(std::to_string(declared) + " frames left out: no joint has channels", count_at);
      return {};
    }
    // A number takes two bytes at least, with its blank. What is declared beyond is missed at the end of the file.
    const std::size_t room = (in_.left() + 1) / (2 * channels) + 1;
    const auto frames = std::min(static_cast<std::size_t>(declared), room);
    values_.resize(static_cast<Eigen::Index>(channels), static_cast<Eigen::Index>(frames));

    constexpr std::size_t none = std::string_view::npos;
    const auto wanted = static_cast<std::size_t>(declared);
    std::size_t at = in_.offset(), line = at, on_line = 0, in_row = 0, frame = 0;
    std::size_t odd_line = none, odd_count = 0, glued = none, extra = none;
    for (;;) {
      while (at < text_.size() && is_blank(text_[at])) ++at;
      if (at == text_.size()) break;
      if (is_end_of_line(text_[at])) {
        if (on_line != 0 && on_line != channels && odd_line == none) {
          odd_line = line;
          odd_count = on_line;
        }
        on_line = 0;
        ++at;
        continue;
      }
      if (frame == wanted) {
        extra = at;
        break;
      }
      const std::size_t sign = text_[at] == '+' ? 1 : 0;
      double value = 0.0;
      const auto [end, error] = std::from_chars(text_.data() + at + sign, text_.data() + text_.size(), value);
      const auto after = static_cast<std::size_t>(end - text_.data());
      const char next = after < text_.size() ? text_[after] : '\n';
      const bool joined = next == '-' || next == '+';
      const bool two_signs = sign == 1 && at + 1 < text_.size() && text_[at + 1] == '-';
      if (error != std::errc() || !std::isfinite(value) || two_signs ||
          !(joined || is_blank(next) || is_end_of_line(next))) {
        in_.go_to(at);
        return in_.refuse(at, in_.described(in_.next()),
                          "a finite number for value " + std::to_string(in_row + 1) + " of " +
                              std::to_string(channels) + " of frame " + std::to_string(frame + 1));
      }
      if (joined && glued == none) glued = after;
      values_(row[in_row], static_cast<Eigen::Index>(frame)) = value;
      if (on_line++ == 0) line = at;
      if (++in_row == channels) {
        in_row = 0;
        ++frame;
      }
      at = after;
    }
    if (odd_line != none && (frame < wanted || extra != none))
      return in_.refuse(odd_line, std::to_string(odd_count) + " numbers in a line",
                        std::to_string(channels) + ", one a channel");
    if (frame < wanted) {
      const std::string missed = in_row > 0 ? std::to_string(in_row) + " of the " + std::to_string(channels) +
                                                  " values of frame " + std::to_string(frame + 1)
                                            : std::to_string(frame) + (frame == 1 ? " frame" : " frames");
      return in_.refuse(at, "the end of the file after " + missed, std::to_string(declared) + ", as Frames says");
    }
    if (odd_line != none)
      note(
          "the rows of numbers do not keep to one a line: read as a stream of " + std::to_string(channels) + " a frame",
          odd_line);
    if (glued != none) note("numbers without a blank between them: taken as two", glued);
    if (extra != none)
      note("what follows after the " + std::to_string(declared) + " frames that Frames says was left out", extra);
    return {};
  }

  // --- What it means -----------------------------------------------------------------------------

  std::size_t frames() const { return static_cast<std::size_t>(values_.cols()); }

  // The position channels of a joint in a frame; 0 for those that it has not.
  Vec3 position(const Node& node, std::size_t frame) const {
    Vec3 p = Vec3::Zero();
    const std::vector<int> order = freedoms_of(node);
    for (std::size_t k = 0; k < order.size() && order[k] < positions; ++k)
      p[order[k]] = values_(node.first_row + static_cast<int>(k), static_cast<Eigen::Index>(frame));
    return p;
  }

  void choose_reading() {
    BvhOffsetRule rule;
    std::vector<std::string> inner, roots_replaced, roots_added;
    const auto open = [](const Node& node) { return Vec3(node.offset.cwiseProduct(node.has_position())); };
    for (const Node& node : nodes_)
      if (node.parent != no_node && open(node) != Vec3::Zero()) {
        inner.push_back(node.name);
        if (frames() > 0) rule.see_inner(open(node), position(node, 0));
      }
    for (Node& node : nodes_) {
      if (open(node) == Vec3::Zero()) continue;
      const bool root = node.parent == no_node;
      if (options_.root_offset != RootOffset::automatic)
        node.replaced = options_.root_offset == RootOffset::replaced;
      else if (frames() > 0)
        node.replaced = root ? rule.root_is_replaced(open(node), position(node, 0)) : rule.inner_is_replaced();
      if (root) (node.replaced ? roots_replaced : roots_added).push_back(node.name);
    }
    if (options_.root_offset != RootOffset::automatic) return;
    const auto say = [&](const std::vector<std::string>& names, const char* what, bool replaced, const char* why) {
      if (names.empty()) return;
      add_note(out_.notes, std::string(what) + " with an OFFSET and position channels (" + some_of(names) +
                               "): the positions were " +
                               (replaced ? "read in place of the OFFSET" : "added to the OFFSET") +
                               (frames() == 0 ? ", as there are no frames" : why) + "; this can be given");
    };
    say(roots_replaced, "root", true, ", as frame 0 has the OFFSET there, or as its other joints are read");
    say(roots_added, "root", false, ", as frame 0 has something else than the OFFSET there");
    say(inner, "joints", rule.inner_is_replaced(),
        rule.inner_is_replaced() ? ", as frame 0 is nearer to the OFFSETs than to zero"
                                 : ", as frame 0 is nearer to zero than to the OFFSETs");
  }

  // Of all joints at rest, in the file's unit and axes.
  std::vector<Vec3> rest_positions() const {
    std::vector<Vec3> p(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      p[n] = nodes_[n].offset + (nodes_[n].parent == no_node ? Vec3::Zero() : p[nodes_[n].parent]);
    return p;
  }

  // Of one joint in a frame, from its root.
  Vec3 position_from_root(int n, std::size_t frame) const {
    Vec3 p = Vec3::Zero();
    for (; n != no_node; n = nodes_[n].parent) {
      const Node& node = nodes_[n];
      Mat3 R = Mat3::Identity();
      const std::vector<int> order = freedoms_of(node);
      for (std::size_t k = 0; k < order.size(); ++k)
        if (order[k] >= positions)
          R = (R * rotation(Vec3::Unit(order[k] - positions),
                            radians(values_(node.first_row + static_cast<int>(k), static_cast<Eigen::Index>(frame)))))
                  .eval();
      p = R * p;
      if (node.parent == no_node) break;
      const Vec3 fixed = node.replaced ? Vec3(Vec3::Ones() - node.has_position()) : Vec3::Ones();
      p += node.offset.cwiseProduct(fixed) + position(node, frame);
    }
    return p;
  }

  void choose_space() {
    const std::vector<Vec3> rest = rest_positions();
    choose_unit(rest);
    choose_up(rest);
  }

  void choose_unit(const std::vector<Vec3>& rest) {
    FileSpace& space = out_.space;
    if (options_.metres_per_unit) {
      space.metres_per_unit = *options_.metres_per_unit;
      return;
    }
    space.unit_is_stated = false;
    Vec3 least = Vec3::Constant(infinity), most = Vec3::Constant(-infinity);
    const auto see = [&](const Vec3& p) {
      least = least.cwiseMin(p);
      most = most.cwiseMax(p);
    };
    for (const Vec3& p : rest) see(p);
    for (const Tip& tip : tips_) see(rest[tip.node] + tip.offset);
    const double extent = (most - least).maxCoeff();
    if (!(extent > 0.0) || !std::isfinite(extent)) {
      add_note(out_.notes, "the unit is not stated, and the figure has no extent to guess it by: taken as metres");
      return;
    }
    const auto has = [&](const char* name) {
      return std::ranges::any_of(nodes_, [&](const Node& node) { return equal_ignoring_case(node.name, name); });
    };
    constexpr double cmu = 0.0254 / 0.45, least_cmu = 0.5, most_cmu = 3.0;
    std::string why;
    if (has("LHipJoint") && has("LowerBack") && extent * cmu > least_cmu && extent * cmu < most_cmu) {
      space.metres_per_unit = cmu;
      why = "as the joints have the names of the CMU motion library";
    } else {
      struct Candidate {
        double metres;
        double handicap;
      };
      constexpr double usual = 1.0, unusual = 1.5, stature = 1.7;
      constexpr std::array candidates = {Candidate{1.0, usual}, Candidate{0.01, usual}, Candidate{0.1, unusual},
                                         Candidate{0.001, unusual}, Candidate{0.0254, unusual}};
      double best = infinity;
      for (const Candidate& candidate : candidates) {
        const double off = std::fabs(std::log(extent * candidate.metres / stature)) + std::log(candidate.handicap);
        if (off >= best) continue;
        best = off;
        space.metres_per_unit = candidate.metres;
      }
      why = "nearest to the size of a person";
    }
    add_note(out_.notes, "the unit is not stated: taken as " + unit_name(space.metres_per_unit) +
                             ", so that the figure is " + to_text(extent * space.metres_per_unit, 2) + " m large, " +
                             why + "; this can be given");
  }

  void choose_up(const std::vector<Vec3>& rest) {
    if (options_.up) {
      out_.space.up = *options_.up;
      return;
    }
    const auto head = std::ranges::find_if(
        nodes_, [](const Node& node) { return lower_case(node.name).find("head") != std::string::npos; });
    if (head == nodes_.end()) return;
    const int h = static_cast<int>(head - nodes_.begin());
    int root = h;
    while (nodes_[root].parent != no_node) root = nodes_[root].parent;
    Vec3 above = rest[h] - rest[root];
    if (frames() > 0) {
      constexpr std::size_t samples = 20;
      above.setZero();
      for (std::size_t k = 0; k < std::min(samples, frames()); ++k)
        above += position_from_root(h, k * frames() / std::min(samples, frames()));
    }
    constexpr double clearly = 2.0;
    if (!(above.z() > clearly * std::fabs(above.y()))) return;
    out_.space.up = Up::z;
    add_note(out_.notes, "which axis is up is not stated: taken as z, as joint " + in_quotes(head->name) +
                             " lies along it from the root; this can be given");
  }

  // --- The figure --------------------------------------------------------------------------------

  JointDescription joint_of(const Node& node) const {
    const double scale = out_.space.metres_per_unit;
    JointDescription joint;
    joint.name = joint.child = node.name;
    if (node.parent != no_node) joint.parent = nodes_[node.parent].name;
    Vec3 offset = node.offset;
    UniqueNames names;
    for (const int channel : freedoms_of(node)) {
      FreedomDescription freedom;
      freedom.name = names(freedom_names[channel], "");
      freedom.axis = Vec3::Unit(channel % 3);
      if (channel < positions) {
        freedom.motion = Motion::translate;
        if (node.parent != no_node) freedom.range.rigidity = 1.0;
        if (node.replaced) {
          freedom.range.rest = offset[channel] * scale;
          offset[channel] = 0.0;
        }
      }
      joint.freedoms.push_back(std::move(freedom));
    }
    if (node.parent == no_node) joint.in_parent.R = out_.space.R_inside_file();
    joint.in_parent.p = joint.in_parent.R * (offset * scale);
    return joint;
  }

  Expected<Content> built() {
    FigureDescription description;
    description.name = stem_of(in_.file_name());
    UniqueNames unique;
    bool renamed = false;
    for (Node& node : nodes_) {
      std::string name = unique(node.name, "joint");
      if (name != node.name && !renamed) {
        note(node.name.empty() ? "a joint without a name: called " + in_quotes(name)
                               : "a second joint " + in_quotes(node.name) + ": called " + in_quotes(name),
             node.at);
        renamed = true;
      }
      node.name = std::move(name);
    }
    for (const Node& node : nodes_) {
      description.segments.push_back({node.name});
      description.joints.push_back(joint_of(node));
      description.sites.push_back({node.name, node.name});
    }
    for (const Tip& tip : tips_) {
      const std::string& segment = nodes_[tip.node].name;
      description.sites.push_back({unique(tip.name.empty() ? segment + "_End" : tip.name, ""), segment,
                                   at(tip.offset * out_.space.metres_per_unit)});
    }
    Expected<Figure> figure = build_figure(std::move(description));
    if (!figure) {
      figure.error().where = in_.file_name() + ": " + figure.error().where;
      return std::unexpected(figure.error());
    }
    out_.format = "bvh";
    out_.figure = std::move(*figure);
    if (frames() > 0) {
      for (const Node& node : nodes_) {
        const std::vector<int> order = freedoms_of(node);
        for (std::size_t k = 0; k < order.size(); ++k)
          values_.row(node.first_row + static_cast<int>(k)) *=
              order[k] < positions ? out_.space.metres_per_unit : radians(1.0);
      }
      if (!values_.allFinite())
        return refuse(in_.file_name(), "positions too large for a number in metres", "smaller ones");
      out_.clips.push_back({stem_of(in_.file_name()), frame_time_, std::move(values_)});
    }
    return std::move(out_);
  }

  std::string_view text_;
  TextReader in_;
  const ReadOptions& options_;
  Content out_;
  std::vector<Node> nodes_;  // in the order of the file, which is that of the figure's segments
  std::vector<Tip> tips_;
  bool has_motion_ = false, noted_no_channels_ = false;
  double frame_time_ = Clip{}.frame_time;
  MatX values_;  // as in the file; the rows in the order of the figure's parameters
};

}  // namespace

Expected<Content> read_bvh(std::string_view bytes, const std::string& file_name, const ReadOptions& options) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  return BvhReader(*text, file_name, options).read();
}

}  // namespace limber
