#include "limber/format/c3d/c3d.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "limber/base/number.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

using Check = Expected<void>;

constexpr std::size_t block = 512;
constexpr std::uint8_t c3d_key = 0x50;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// The max of the header's 16 bits; a longer recording has its length elsewhere.
constexpr long max_header_frame = 65535;
// 255 blocks, the max of the format, hold half as many.
constexpr std::size_t max_parameters = 50'000;
// Group names in one note.
constexpr std::size_t max_groups = 12;

enum class Processor : std::uint8_t { intel = 84, dec = 85, mips = 86 };

// Numbers at byte offsets. The caller has checked the range.
class Numbers {
 public:
  Numbers(std::string_view bytes, Processor processor) : bytes_(bytes), processor_(processor) {}

  std::uint8_t byte(std::size_t at) const { return static_cast<std::uint8_t>(bytes_[at]); }
  std::uint16_t word(std::size_t at) const {
    const unsigned first = byte(at), second = byte(at + 1);
    return static_cast<std::uint16_t>(processor_ == Processor::mips ? first << 8 | second : second << 8 | first);
  }
  std::int16_t integer(std::size_t at) const { return std::bit_cast<std::int16_t>(word(at)); }
  double real(std::size_t at) const {
    const std::uint32_t first = word(at), second = word(at + 2);
    if (processor_ == Processor::dec) return dec_real(first << 16 | second);
    return static_cast<double>(
        std::bit_cast<float>(processor_ == Processor::mips ? first << 16 | second : second << 16 | first));
  }

 private:
  // sign, 8 bits of exponent e, 23 bits of fraction f: ±(1 + f / 2^23) · 2^(e - 129). e = 0 is zero or invalid.
  static double dec_real(std::uint32_t bits) {
    const bool negative = (bits >> 31) != 0;
    const int exponent = static_cast<int>(bits >> 23 & 0xFF);
    if (exponent == 0) return negative ? nan : 0.0;
    const double size = std::ldexp(1.0 + static_cast<double>(bits & 0x7FFFFF) * 0x1p-23, exponent - 129);
    return negative ? -size : size;
  }

  std::string_view bytes_;
  Processor processor_;
};

// The location of a parameter's value.
struct C3dParameter {
  int type = 0;  // -1 characters, 1 bytes, 2 integers, 4 reals
  std::vector<std::size_t> dimensions = {};
  std::size_t count = 1;  // product of the dimensions
  std::size_t at = 0;     // of the value
};

class C3dReader {
 public:
  C3dReader(std::string_view bytes, std::string file_name, const ReadOptions& options)
      : bytes_(bytes), file_name_(std::move(file_name)), options_(options), numbers_(bytes, Processor::intel) {
    content_.format = "c3d";
  }

  Expected<Content> read() {
    if (Check done = read_header(); !done) return std::unexpected(done.error());
    if (Check done = read_parameters(); !done) return std::unexpected(done.error());
    if (Check done = read_space(); !done) return std::unexpected(done.error());
    if (Check done = read_sizes(); !done) return std::unexpected(done.error());
    read_labels();
    if (Check done = read_frames(); !done) return std::unexpected(done.error());
    note_groups();
    content_.markers = std::move(markers_);
    return std::move(content_);
  }

 private:
  void note(std::string text) { content_.notes.push_back({std::move(text)}); }

  // Bytes are counted from 0, as in hex editors.
  std::unexpected<Diagnostic> reject_at(std::size_t at, std::string found, std::string expected,
                                        const std::string& field = {}) const {
    return reject(file_name_ + ": byte " + std::to_string(at) + (field.empty() ? "" : ": " + field), std::move(found),
                  std::move(expected));
  }

  bool in_range(std::size_t at, std::size_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }

  // --- The header --------------------------------------------------------------------------------

  Check read_header() {
    if (bytes_.size() < 2 || numbers_.byte(1) != c3d_key)
      return reject_at(1, bytes_.size() < 2 ? "the end of the file" : "byte value " + std::to_string(numbers_.byte(1)),
                       "80, the second byte of a C3D file");
    if (!in_range(0, block)) return reject_at(bytes_.size(), "the end of the file", "a header of 512 bytes");
    if (numbers_.byte(0) == 0) return reject_at(0, "block 0 for the parameters", "block 2 or later");
    parameters_ = (numbers_.byte(0) - std::size_t(1)) * block;
    if (parameters_ == 0 || !in_range(parameters_, 4))
      return reject_at(0, "block " + std::to_string(numbers_.byte(0)) + " for the parameters",
                       "a block after the header, within the file's " + std::to_string(bytes_.size()) + " bytes");
    const std::uint8_t processor = numbers_.byte(parameters_ + 3);
    if (processor < 84 || processor > 86)
      return reject_at(parameters_ + 3, "machine " + std::to_string(processor), "84 (Intel), 85 (DEC) or 86 (MIPS)");
    numbers_ = Numbers(bytes_, static_cast<Processor>(processor));
    return {};
  }

  // --- Parameters --------------------------------------------------------------------------------

  // A chain of records, each with the distance to the next one after its name, always forward.
  //   group:      length of the name, -group, name, distance, …
  //   parameter:  length of the name,  group, name, distance, type, number of dimensions, dimensions, value, …
  Check read_parameters() {
    std::map<int, std::string> group_names;
    std::vector<std::pair<int, std::pair<std::string, C3dParameter>>> found;
    std::size_t at = parameters_ + 4;
    while (true) {
      if (!in_range(at, 2)) return reject_at(at, "the end of the file", "a parameter");
      // A negative length marks a locked parameter.
      const auto length =
          static_cast<std::size_t>(std::abs(static_cast<int>(std::bit_cast<std::int8_t>(numbers_.byte(at)))));
      if (length == 0) break;
      const int group = std::bit_cast<std::int8_t>(numbers_.byte(at + 1));
      const std::size_t distance_at = at + 2 + length;
      if (!in_range(at, 2 + length + 2)) return reject_at(at, "the end of the file", "the name of a parameter");
      const std::string name = upper_case(bytes_.substr(at + 2, length));
      const std::size_t distance = numbers_.word(distance_at);
      if (group < 0) {
        group_names.emplace(-group, name);
      } else {
        const Expected<C3dParameter> parameter = read_parameter(distance_at + 2, name);
        if (!parameter) return std::unexpected(parameter.error());
        found.push_back({group, {name, *parameter}});
        if (found.size() > max_parameters)
          return reject_at(at, "more than " + std::to_string(max_parameters) + " parameters", "fewer");
      }
      if (distance == 0) break;
      if (distance < 2)
        return reject_at(distance_at, "a distance of " + std::to_string(distance) + " bytes to the next parameter",
                         "a larger distance", in_quotes(name));
      at = distance_at + distance;
    }
    bool twice = false;
    for (auto& [group, entry] : found) {
      const auto name = group_names.find(group);
      const std::string full = (name == group_names.end() ? "" : name->second) + ":" + entry.first;
      if (!parameter_by_name_.emplace(full, std::move(entry.second)).second && !std::exchange(twice, true))
        note("a second parameter " + in_quotes(full) + " is not read");
    }
    for (const auto& [number, name] : group_names) groups_.insert(name);
    return {};
  }

  Expected<C3dParameter> read_parameter(std::size_t at, const std::string& name) const {
    if (!in_range(at, 2)) return reject_at(at, "the end of the file", "the type of a parameter", in_quotes(name));
    C3dParameter parameter;
    parameter.type = std::bit_cast<std::int8_t>(numbers_.byte(at));
    if (parameter.type != -1 && parameter.type != 1 && parameter.type != 2 && parameter.type != 4)
      return reject_at(at, "type " + std::to_string(parameter.type), "-1, 1, 2 or 4", in_quotes(name));
    const std::size_t dimensions = numbers_.byte(at + 1);
    if (!in_range(at + 2, dimensions))
      return reject_at(at + 1, std::to_string(dimensions) + " dimensions", "values within the file", in_quotes(name));
    for (std::size_t d = 0; d < dimensions; ++d) parameter.dimensions.push_back(numbers_.byte(at + 2 + d));
    const bool empty = std::ranges::find(parameter.dimensions, std::size_t(0)) != parameter.dimensions.end();
    for (const std::size_t dimension : parameter.dimensions) {
      parameter.count *= empty ? 0 : dimension;
      // Rejected before it can overflow.
      if (parameter.count > bytes_.size())
        return reject_at(at + 2, std::to_string(parameter.count) + " or more values", "values within the file",
                         in_quotes(name));
    }
    parameter.at = at + 2 + dimensions;
    const std::size_t size = parameter.count * static_cast<std::size_t>(std::abs(parameter.type));
    if (!in_range(parameter.at, size))
      return reject_at(parameter.at, std::to_string(size) + " bytes of values", "values within the file",
                       in_quotes(name));
    return parameter;
  }

  static std::string upper_case(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return out;
  }

  const C3dParameter* find(std::string_view name) const {
    const auto found = parameter_by_name_.find(name);
    return found == parameter_by_name_.end() ? nullptr : &found->second;
  }

  // The first value. Integers are unsigned counts: 16 bits up to 65535.
  std::optional<double> number(std::string_view name) const {
    const C3dParameter* parameter = find(name);
    if (parameter == nullptr || parameter->count == 0) return std::nullopt;
    switch (parameter->type) {
      case 1:
        return numbers_.byte(parameter->at);
      case 2:
        return numbers_.word(parameter->at);
      case 4:
        return numbers_.real(parameter->at);
      default:
        return std::nullopt;
    }
  }

  // A 32-bit count in two words, the low one first, or a float.
  std::optional<double> long_number(std::string_view name) const {
    const C3dParameter* parameter = find(name);
    if (parameter == nullptr || parameter->type != 2 || parameter->count != 2) return number(name);
    return numbers_.word(parameter->at) + 65536.0 * numbers_.word(parameter->at + 2);
  }

  // Strings of the length of the first dimension, trimmed of blanks and zeros.
  std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> all;
    const C3dParameter* parameter = find(name);
    if (parameter == nullptr || parameter->type != -1) return all;
    const std::size_t length = parameter->dimensions.empty() ? 1 : parameter->dimensions.front();
    for (std::size_t from = 0; length > 0 && from + length <= parameter->count; from += length) {
      std::string_view text = bytes_.substr(parameter->at + from, length);
      text = text.substr(0, text.find('\0'));
      const std::size_t first = text.find_first_not_of(" \t\r\n");
      all.emplace_back(first == std::string_view::npos
                           ? std::string_view()
                           : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
    }
    return all;
  }

  std::string text(std::string_view name) const {
    const std::vector<std::string> all = texts(name);
    return all.empty() ? std::string() : all.front();
  }

  // --- Units, axes and sizes ---------------------------------------------------------------------

  Check read_space() {
    FileSpace& space = content_.space;
    const std::string unit = lower_case(text("POINT:UNITS"));
    const std::optional<double> stated = unit.empty() || to_number(unit) ? std::nullopt : unit_of_name(unit);
    if (options_.metres_per_unit) {
      space.metres_per_unit = *options_.metres_per_unit;
    } else if (stated) {
      space.metres_per_unit = *stated;
    } else if (unit.empty()) {
      space.metres_per_unit = 0.001;
      space.unit_is_stated = false;
      note("no POINT:UNITS: millimetres assumed");
    } else {
      return reject_at(find("POINT:UNITS")->at, in_quotes(unit), "m, dm, cm, mm, in or ft, or a unit set by an option",
                       "POINT:UNITS");
    }

    const std::string up = lower_case(text("POINT:Y_SCREEN"));
    space.up = up == "+y" || up == "y" ? Up::y : Up::z;
    if (!options_.up && up != "+y" && up != "y" && up != "+z" && up != "z")
      note("POINT:Y_SCREEN is " + (up.empty() ? std::string("missing") : in_quotes(up)) + ": Z up assumed");
    if (options_.up) space.up = *options_.up;
    return {};
  }

  // An integer from a parameter, else from the header.
  Expected<std::size_t> count(std::string_view name, std::size_t header_at, std::size_t max) const {
    const std::optional<double> stated = number(name);
    const double value = stated ? *stated : numbers_.word(header_at);
    if (value >= 0.0 && value <= static_cast<double>(max) && value == std::floor(value))
      return static_cast<std::size_t>(value);
    return reject_at(stated ? find(name)->at : header_at, to_text(value), "a whole number up to " + std::to_string(max),
                     std::string(name));
  }

  Check read_sizes() {
    const Expected<std::size_t> points = count("POINT:USED", 2, 65535);
    if (!points) return std::unexpected(points.error());
    points_ = *points;
    if (points_ == 0) return reject_at(2, "no point", "at least one marker", "POINT:USED");
    analog_ = numbers_.word(4);
    if (const std::optional<double> used = number("ANALOG:USED"); used && *used * numbers_.word(18) != analog_)
      note("the header has " + std::to_string(analog_) + " analog samples per frame, which is used, but " +
           std::to_string(numbers_.word(18)) + " of each of " + to_text(*used) + " channels");
    if (analog_ > 0) note("analog samples are not read: " + std::to_string(analog_) + " per frame");

    const C3dParameter* scale = find("POINT:SCALE");
    const double header_scale = numbers_.real(12);
    scale_ = number("POINT:SCALE").value_or(header_scale);
    const std::size_t scale_at = scale != nullptr ? scale->at : 12;
    if (!std::isfinite(scale_) || scale_ == 0.0)
      return reject_at(scale_at, "scale " + to_text(scale_), "a finite number that is not 0", "POINT:SCALE");
    if (std::signbit(scale_) != std::signbit(header_scale))
      note("the header's scale is " + to_text(header_scale) + ", but POINT:SCALE is " + to_text(scale_) +
           ", which is used");

    markers_.rate = number("POINT:RATE").value_or(numbers_.real(20));
    if (!std::isfinite(markers_.rate) || !(markers_.rate > 0.0))
      return reject_at(find("POINT:RATE") != nullptr ? find("POINT:RATE")->at : 20, "rate " + to_text(markers_.rate),
                       "frames per second", "POINT:RATE");

    const Expected<std::size_t> start = count("POINT:DATA_START", 16, 65535);
    if (!start) return std::unexpected(start.error());
    data_ = (*start == 0 ? 0 : *start - 1) * block;
    if (data_ < block || !in_range(data_, 0))
      return reject_at(16, "block " + std::to_string(*start) + " for the frames",
                       "a block after the header, within the file's " + std::to_string(bytes_.size()) + " bytes",
                       "POINT:DATA_START");
    return read_frame_count();
  }

  Check read_frame_count() {
    double first = numbers_.word(6), last = numbers_.word(8);
    const std::optional<double> actual_first = long_number("TRIAL:ACTUAL_START_FIELD");
    const std::optional<double> actual_last = long_number("TRIAL:ACTUAL_END_FIELD");
    if (actual_first && actual_last && *actual_last >= *actual_first) {
      if (last < max_header_frame && (*actual_first != first || *actual_last != last))
        note("the header has frames " + to_text(first) + " to " + to_text(last) + ", but TRIAL has " +
             to_text(*actual_first) + " to " + to_text(*actual_last) + ", which are used");
      first = *actual_first;
      last = *actual_last;
    }
    const double frames = last - first + 1.0;
    // A recording of 65536 frames or more may have its length here only.
    const std::optional<double> long_frames = number("POINT:LONG_FRAMES");
    const double max = static_cast<double>(std::numeric_limits<int>::max());
    const double wanted = !actual_last && long_frames && last == max_header_frame ? *long_frames : frames;
    if (!(wanted >= 0.0) || !(first >= 0.0) || first > max || wanted > max || wanted != std::floor(wanted))
      return reject_at(6, "frames " + to_text(first) + " to " + to_text(last), "a first frame, then a last one");
    frames_ = static_cast<std::size_t>(wanted);
    markers_.first_frame = static_cast<int>(first);
    if (const std::optional<double> stated = number("POINT:FRAMES");
        stated && *stated != wanted && wanted < max_header_frame)
      note("POINT:FRAMES is " + to_text(*stated) + ", but frames " + to_text(first) + " to " + to_text(last) +
           " are present, which are used");

    const std::size_t frame_size = (4 * points_ + analog_) * (scale_ > 0.0 ? 2 : 4);
    if (const std::size_t held = (bytes_.size() - data_) / frame_size; frames_ > held)
      return reject_at(
          bytes_.size(),
          "the end of the file after " + std::to_string(held) + " of " + std::to_string(frames_) + " frames",
          std::to_string(frame_size) + " bytes for each");
    return {};
  }

  void read_labels() {
    std::vector<std::string> labels = texts("POINT:LABELS");
    for (int suffix = 2; labels.size() < points_; ++suffix) {
      const std::vector<std::string> next = texts("POINT:LABELS" + std::to_string(suffix));
      if (next.empty()) break;
      labels.insert(labels.end(), next.begin(), next.end());
    }
    const std::size_t label_count = labels.size();
    labels.resize(points_);
    const std::vector<std::string> prefixes = texts("SUBJECTS:LABEL_PREFIXES");
    const std::string prefix = prefixes.size() == 1 ? prefixes.front() : std::string();
    UniqueNames unique;
    bool cut = false, renamed = false;
    for (const std::string& label : labels) {
      std::string_view name = label;
      if (!prefix.empty() && name.size() > prefix.size() && name.starts_with(prefix)) {
        name.remove_prefix(prefix.size());
        cut = true;
      }
      markers_.names.push_back(unique(name, "marker"));
      renamed = renamed || markers_.names.back() != name;
    }
    if (cut) note("the prefix " + in_quotes(prefix) + " of the labels is removed");
    if (label_count < points_)
      note(std::to_string(points_) + " points, but " + std::to_string(label_count) + " labels");
    if (renamed) note("empty and duplicate labels get a number");
  }

  // --- The frames --------------------------------------------------------------------------------

  Check read_frames() {
    const bool integers = scale_ > 0.0;
    const std::size_t word = integers ? 2 : 4;
    markers_.positions =
        MatX::Constant(3 * static_cast<Eigen::Index>(points_), static_cast<Eigen::Index>(frames_), nan);
    std::size_t at = data_;
    for (std::size_t k = 0; k < frames_; ++k) {
      for (std::size_t m = 0; m < points_; ++m, at += 4 * word) {
        double value[4];
        for (std::size_t i = 0; i < 4; ++i)
          value[i] = integers ? numbers_.integer(at + i * word) : numbers_.real(at + i * word);
        Vec3 x(value[0], value[1], value[2]);
        if (integers) x *= scale_;
        if (!(value[3] >= 0.0) || !x.allFinite()) continue;
        markers_.positions.block<3, 1>(3 * static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(k)) =
            content_.space.inside(x);
      }
      at += analog_ * word;
    }
    return {};
  }

  void note_groups() {
    std::string names;
    std::size_t listed = 0;
    for (const std::string& group : groups_) {
      if (group == "POINT" || group == "TRIAL" || group == "SUBJECTS") continue;
      if (listed++ < max_groups) names += (names.empty() ? "" : ", ") + on_one_line(group);
    }
    if (listed > max_groups) names += " and " + std::to_string(listed - max_groups) + " more";
    if (listed > 0) note("ignored groups of parameters: " + names);
  }

  std::string_view bytes_;
  std::string file_name_;
  ReadOptions options_;
  Numbers numbers_;
  std::size_t parameters_ = 0, data_ = 0;                               // byte offsets
  std::map<std::string, C3dParameter, std::less<>> parameter_by_name_;  // "GROUP:NAME"
  std::set<std::string> groups_;
  std::size_t points_ = 0, analog_ = 0, frames_ = 0;
  double scale_ = 1.0;
  Content content_;
  Markers markers_;
};

}  // namespace

Expected<Content> read_c3d(std::string_view bytes, const std::string& file_name, const ReadOptions& options) {
  return C3dReader(bytes, file_name, options).read();
}

}  // namespace limber
