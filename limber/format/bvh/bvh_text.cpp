// The grammar of BVH.
#include "limber/format/bvh/bvh_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "limber/format/content/joint_rotation.h"

namespace limber {

using namespace motion_file;

namespace {

using Check = Expected<void>;

constexpr std::array<std::string_view, 6> channel_names = {"Xposition", "Yposition", "Zposition",
                                                           "Xrotation", "Yrotation", "Zrotation"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_end_of_line(char c) { return c == '\n' || c == '\r'; }

class BvhTextReader {
 public:
  BvhTextReader(std::string_view text, TextReader& in) : text_(text), in_(in) {}

  Expected<BvhText> read() {
    if (Check done = hierarchy(); !done) return std::unexpected(done.error());
    if (has_motion_)
      if (Check done = motion(); !done) return std::unexpected(done.error());
    return std::move(out_);
  }

 private:
  void note(std::string text, std::size_t offset) {
    const Place place = in_.place(offset);
    out_.notes.push_back({std::move(text), place.line, place.column});
  }

  Check hierarchy() {
    if (const Word word = in_.next(); !word.is("HIERARCHY"))
      return in_.reject(word, in_.described(word), "HIERARCHY, the first word of a BVH file");
    std::vector<int> open;
    for (;;) {
      const Word word = in_.next();
      if (open.empty()) {
        if (word.is("MOTION") && !out_.nodes.empty()) {
          has_motion_ = true;
          return {};
        }
        if (word.empty() && !out_.nodes.empty()) {
          note("no MOTION: the file has a figure without frames", word.offset);
          return {};
        }
        if (!word.is("ROOT"))
          return in_.reject(word, in_.described(word),
                            out_.nodes.empty() ? "ROOT" : "ROOT, MOTION or the end of the file");
        if (Check begun = begin_joint(word, open); !begun) return begun;
      } else if (word.is("}")) {
        if (Check ended = end_joint(out_.nodes[open.back()], word); !ended) return ended;
        open.pop_back();
      } else if (Check read = member(word, open); !read) {
        return read;
      }
    }
  }

  Check member(const Word& word, std::vector<int>& open) {
    BvhNode& node = out_.nodes[open.back()];
    if (word.is("JOINT")) return begin_joint(word, open);
    if (word.is("End")) return end_site(word, open.back());
    if (word.is("OFFSET")) {
      if (node.has_offset) return in_.reject(word, "a second OFFSET", "one per joint", quoted(node));
      node.has_offset = true;
      return offset(node.offset);
    }
    if (word.is("CHANNELS")) {
      if (node.has_channels) return in_.reject(word, "a second CHANNELS", "one per joint", quoted(node));
      return channels(node);
    }
    if (channel_of(word) && node.has_channels)
      return in_.reject(word, in_.described(word) + " after the " + std::to_string(node.channels.size()) + " channels",
                        "the number of channels given in CHANNELS", quoted(node));
    return in_.reject(word, in_.described(word), "OFFSET, CHANNELS, JOINT, End Site or }", quoted(node));
  }

  static std::string quoted(const BvhNode& node) { return "joint " + in_quotes(node.name); }

  // The rest of the line up to a `{`, trimmed. Stops at the `{`: a file may be one line.
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
    if (name.text.size() <= max_joint_name) return {};
    return in_.reject(name, "a name of " + std::to_string(name.text.size()) + " bytes",
                      "at most " + std::to_string(max_joint_name));
  }

  Check begin_joint(const Word& keyword, std::vector<int>& open) {
    if (out_.nodes.size() == max_joints)
      return in_.reject(keyword, "more than " + std::to_string(max_joints) + " joints", "fewer");
    Word name = name_on_line();
    if (name.empty() && !in_.peek().is("{")) {
      in_.go_to(in_.peek().offset);
      name = name_on_line();
    }
    if (Check fine = check_length(name); !fine) return fine;
    if (const Word brace = in_.next(); !brace.is("{"))
      return in_.reject(brace, in_.described(brace), "{ after the name of the joint", "joint " + in_quotes(name.text));
    BvhNode node;
    node.name = name_on_one_line(name.text);
    node.at = name.offset;
    node.parent = open.empty() ? BvhNode::no_parent : open.back();
    open.push_back(static_cast<int>(out_.nodes.size()));
    out_.nodes.push_back(std::move(node));
    return {};
  }

  Check end_joint(const BvhNode& node, const Word& brace) {
    if (!node.has_offset) return in_.reject(brace, "no OFFSET", "an OFFSET in every joint", quoted(node));
    if (!node.has_channels && !noted_no_channels_) {
      note("joint " + in_quotes(node.name) + " has no CHANNELS: read as rigid, like other such joints", node.at);
      noted_no_channels_ = true;
    }
    return {};
  }

  Check end_site(const Word& keyword, int node) {
    if (const Word site = in_.next(); !site.is("Site"))
      return in_.reject(site, in_.described(site), "Site after End", quoted(out_.nodes[node]));
    if (out_.tips.size() == max_joints)
      return in_.reject(keyword, "more than " + std::to_string(max_joints) + " End Sites", "fewer");
    BvhTip tip;
    tip.node = node;
    const Word name = name_on_line();
    if (Check fine = check_length(name); !fine) return fine;
    tip.name = name_on_one_line(name.text);
    const std::string field = "End Site of " + quoted(out_.nodes[node]);
    if (const Word brace = in_.next(); !brace.is("{"))
      return in_.reject(brace, in_.described(brace), "{ after End Site", field);
    for (bool has_offset = false;;) {
      const Word word = in_.next();
      if (word.is("}")) break;
      if (!word.is("OFFSET") || has_offset)
        return in_.reject(word, in_.described(word), has_offset ? "}" : "OFFSET or }", field);
      has_offset = true;
      if (Check read = offset(tip.offset); !read) return read;
    }
    out_.tips.push_back(std::move(tip));
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

  Check channels(BvhNode& node) {
    node.has_channels = true;
    const Expected<long> count = in_.integer("the number of CHANNELS", 0, max_joint_channels);
    if (!count) return std::unexpected(count.error());
    for (long k = 0; k < *count; ++k) {
      const Word word = in_.next();
      const std::optional<int> channel = channel_of(word);
      if (!channel)
        return in_.reject(word, in_.described(word),
                          "channel " + std::to_string(k + 1) + " of " + std::to_string(*count) +
                              ": Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation",
                          quoted(node));
      if (*channel < BvhNode::positions && std::ranges::find(node.channels, *channel) != node.channels.end())
        return in_.reject(word, "a second " + std::string(word.text), "each position once", quoted(node));
      node.channels.push_back(*channel);
    }
    return {};
  }

  // "Frames:", "Frame Time:", also with blanks around the colon or without it.
  Check keyword(std::initializer_list<std::string_view> pieces, const char* what) {
    for (const std::string_view piece : pieces) {
      const Word word = in_.next();
      if (!equal_ignoring_case(word.text.substr(0, piece.size()), piece))
        return in_.reject(word, in_.described(word), what);
      in_.go_to(word.offset + piece.size());
    }
    if (const Word colon = in_.peek(); colon.text.starts_with(':')) in_.go_to(colon.offset + 1);
    return {};
  }

  Check motion() {
    if (Check read = keyword({"Frames"}, "Frames:"); !read) return read;
    constexpr long max_frames = 1'000'000'000;
    const std::size_t count_at = in_.peek().offset;
    const Expected<long> declared = in_.integer("Frames", 0, max_frames);
    if (!declared) return std::unexpected(declared.error());
    if (*declared == 0 && in_.at_end()) return {};
    if (Check read = keyword({"Frame", "Time"}, "Frame Time:"); !read) return read;
    const Word time = in_.peek();
    const Expected<double> frame_time = in_.number("Frame Time");
    if (!frame_time) return std::unexpected(frame_time.error());
    if (!(*frame_time > 0.0)) return in_.reject(time, in_.described(time), "seconds above 0", "Frame Time");
    out_.frame_time = *frame_time;
    return rows(*declared, count_at);
  }

  // Maps the order of numbers in the file to rows of the matrix.
  std::vector<int> row_of_channel() {
    std::vector<int> rows;
    for (BvhNode& node : out_.nodes) {
      node.first_row = static_cast<int>(rows.size());
      const std::vector<int> order = node.freedoms();
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
      if (declared > 0) note(std::to_string(declared) + " frames ignored: no joint has channels", count_at);
      return {};
    }
    // A number takes at least two bytes, with its blank. A larger declared count fails at the end of the file.
    const std::size_t max_rows = (in_.remaining() + 1) / (2 * channels) + 1;
    const auto frames = std::min(static_cast<std::size_t>(declared), max_rows);
    out_.values.resize(static_cast<Eigen::Index>(channels), static_cast<Eigen::Index>(frames));

    constexpr std::size_t none = std::string_view::npos;
    const auto expected_frames = static_cast<std::size_t>(declared);
    std::size_t at = in_.offset(), line = at, on_line = 0, in_row = 0, frame = 0;
    std::size_t irregular_line = none, irregular_count = 0, joined_at = none, excess_at = none;
    for (;;) {
      while (at < text_.size() && is_blank(text_[at])) ++at;
      if (at == text_.size()) break;
      if (is_end_of_line(text_[at])) {
        if (on_line != 0 && on_line != channels && irregular_line == none) {
          irregular_line = line;
          irregular_count = on_line;
        }
        on_line = 0;
        ++at;
        continue;
      }
      if (frame == expected_frames) {
        excess_at = at;
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
        return in_.reject(at, in_.described(in_.next()),
                          "a finite number for value " + std::to_string(in_row + 1) + " of " +
                              std::to_string(channels) + " of frame " + std::to_string(frame + 1));
      }
      if (joined && joined_at == none) joined_at = after;
      out_.values(row[in_row], static_cast<Eigen::Index>(frame)) = value;
      if (on_line++ == 0) line = at;
      if (++in_row == channels) {
        in_row = 0;
        ++frame;
      }
      at = after;
    }
    if (irregular_line != none && (frame < expected_frames || excess_at != none))
      return in_.reject(irregular_line, std::to_string(irregular_count) + " numbers in a line",
                        std::to_string(channels) + ", one per channel");
    if (frame < expected_frames) {
      const std::string remainder = in_row > 0 ? std::to_string(in_row) + " of the " + std::to_string(channels) +
                                                     " values of frame " + std::to_string(frame + 1)
                                               : std::to_string(frame) + (frame == 1 ? " frame" : " frames");
      return in_.reject(at, "the end of the file after " + remainder,
                        std::to_string(declared) + ", as given in Frames");
    }
    if (irregular_line != none)
      note("the rows are not one per line: read as a stream of " + std::to_string(channels) + " numbers per frame",
           irregular_line);
    if (joined_at != none) note("numbers without a blank between them: read as two numbers", joined_at);
    if (excess_at != none)
      note("data after the " + std::to_string(declared) + " frames given in Frames is ignored", excess_at);
    return {};
  }

  std::string_view text_;
  TextReader& in_;
  BvhText out_;
  bool has_motion_ = false, noted_no_channels_ = false;
};

}  // namespace

Vec3 BvhNode::has_position() const {
  Vec3 mask = Vec3::Zero();
  for (const int channel : channels)
    if (channel < positions) mask[channel] = 1.0;
  return mask;
}

std::vector<int> BvhNode::freedoms() const {
  std::vector<int> order = channels;
  std::ranges::stable_partition(order, [](int channel) { return channel < positions; });
  return order;
}

Vec3 BvhText::position(const BvhNode& node, std::size_t frame) const {
  Vec3 p = Vec3::Zero();
  const std::vector<int> order = node.freedoms();
  for (std::size_t k = 0; k < order.size() && order[k] < BvhNode::positions; ++k)
    p[order[k]] = values(node.first_row + static_cast<int>(k), static_cast<Eigen::Index>(frame));
  return p;
}

Expected<BvhText> read_bvh_text(std::string_view text, TextReader& in) { return BvhTextReader(text, in).read(); }

}  // namespace limber
