#include "limber/format/trc/trc.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "limber/base/number.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

using Check = Expected<void>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Times are printed with few digits. A larger error, relative to the frame time, is noted.
constexpr double time_tolerance = 0.1;
// Max count of numbers missing at the ends of rows. All others take at least a byte of the file, so this bounds the
// memory of a table with short rows.
constexpr std::size_t max_missing = 1 << 22;

// Iterates over the fields of a line, separated by tabs, or by blanks if the line has no tab.
class Fields {
 public:
  explicit Fields(const Word& line, bool only_filled = false)
      : line_(line),
        tabs_(line.text.find('\t') != std::string_view::npos),
        only_filled_(only_filled),
        at_(0),
        done_(line.empty()) {}

  bool done() const { return done_; }
  std::size_t count_filled() const {
    std::size_t count = 0;
    for (Fields fields(line_); !fields.done();) count += !fields.next().empty();
    return count;
  }

  // Trimmed; empty at the end of the line.
  Word next() {
    Word field = next_of_any();
    while (only_filled_ && field.empty() && !done_) field = next_of_any();
    return field;
  }
  // The next one that is not empty.
  Word next_filled() {
    Word field = next_of_any();
    while (field.empty() && !done_) field = next_of_any();
    return field;
  }

 private:
  Word next_of_any() {
    const std::string_view text = line_.text;
    if (done_) return {{}, line_.offset + text.size()};
    std::size_t begin = at_;
    std::size_t end = std::min(text.find_first_of(tabs_ ? "\t" : " \v\f", begin), text.size());
    at_ = end + 1;
    if (!tabs_)
      while (at_ < text.size() && is_blank(text[at_])) ++at_;
    done_ = at_ > text.size() || (!tabs_ && at_ == text.size());
    while (begin < end && is_blank(text[begin])) ++begin;
    while (end > begin && is_blank(text[end - 1])) --end;
    return {text.substr(begin, end - begin), line_.offset + begin};
  }

  static bool is_blank(char c) { return c == ' ' || c == '\v' || c == '\f'; }

  Word line_;
  bool tabs_;
  bool only_filled_;
  std::size_t at_;
  bool done_;
};

struct LengthName {
  std::string_view name;
  std::string_view unit;
};
// In addition to the short names.
constexpr LengthName length_names[] = {
    {"meter", "m"},        {"meters", "m"},       {"metre", "m"},        {"metres", "m"},      {"millimeter", "mm"},
    {"millimeters", "mm"}, {"millimetre", "mm"},  {"millimetres", "mm"}, {"centimeter", "cm"}, {"centimeters", "cm"},
    {"centimetre", "cm"},  {"centimetres", "cm"}, {"decimeter", "dm"},   {"decimeters", "dm"}, {"decimetre", "dm"},
    {"decimetres", "dm"},  {"inch", "in"},        {"inches", "in"},      {"foot", "ft"},       {"feet", "ft"},
};

std::optional<double> metres_of(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const LengthName& length : length_names)
    if (length.name == lower) return unit_of_name(length.unit);
  // Numbers as units are allowed from the caller, not from the file.
  return to_number(lower) ? std::nullopt : unit_of_name(lower);
}

class TrcReader {
 public:
  TrcReader(std::string_view text, const std::string& file_name, const ReadOptions& options)
      : size_(text.size()), reader_(text, file_name), options_(options) {
    content_.format = "trc";
    content_.space.up = options.up.value_or(Up::y);
  }

  Expected<Content> read() {
    if (Check done = read_title(); !done) return std::unexpected(done.error());
    if (Check done = read_header(); !done) return std::unexpected(done.error());
    if (Check done = read_names(); !done) return std::unexpected(done.error());
    if (Check done = find_rows(); !done) return std::unexpected(done.error());
    if (Check done = read_rows(); !done) return std::unexpected(done.error());
    content_.markers = std::move(markers_);
    return std::move(content_);
  }

 private:
  void note(std::size_t offset, std::string text) {
    const Place place = reader_.place(offset);
    content_.notes.push_back({std::move(text), place.line, place.column});
  }

  // The next line that is not blank.
  Word line() {
    reader_.at_end();  // skips blanks and line ends
    return reader_.rest_of_line();
  }

  Check read_title() {
    // Some programs write blanks for tabs in this line; its words contain none before the file's name.
    reader_.brackets = "";
    if (const Word first = reader_.next(); !first.is("PathFileType"))
      return reader_.reject(first, reader_.described(first), "\"PathFileType\", the first word of a TRC file");
    reader_.next_on_line();
    if (const Word axes = reader_.next_on_line(); !axes.empty() && !axes.is("(X/Y/Z)"))
      note(axes.offset, "the order of axes " + in_quotes(axes.text) + " is unknown: read as x, y, z");
    reader_.skip_line();
    return {};
  }

  Check read_header() {
    const Word keys = line(), values = line();
    // A tab too many moves no value to another key, if there are as many values as keys.
    const bool by_count = Fields(keys).count_filled() == Fields(values).count_filled();
    Fields key_fields(keys, by_count), value_fields(values, by_count);
    Word rate{{}, values.offset}, units = rate;
    frames_ = marker_count_ = rate;
    if (const Word first = Fields(keys).next(); lower_case(keys.text).find("datarate") == std::string::npos)
      return reader_.reject(first, reader_.described(first),
                            "a line of headings: DataRate, NumMarkers, Units and so on");
    while (!key_fields.done()) {
      const Word key = key_fields.next(), value = value_fields.next();
      if (key.is("DataRate")) rate = value;
      if (key.is("Units")) units = value;
      if (key.is("NumFrames")) frames_ = value;
      if (key.is("NumMarkers")) marker_count_ = value;
    }
    if (!rate.empty()) {
      const std::optional<double> number = TextReader::number(rate);
      if (!number) return reader_.reject(rate, reader_.described(rate), "frames per second", "DataRate");
      if (*number > 0.0) markers_.rate = *number;
      rate_at_ = rate.offset;
    }
    if (markers_.rate == 0.0) note(rate.offset, "no DataRate above 0: the rate is taken from the times");
    return read_unit(units);
  }

  Check read_unit(const Word& units) {
    const std::optional<double> stated = metres_of(units.text);
    FileSpace& space = content_.space;
    if (options_.metres_per_unit) {
      space.metres_per_unit = *options_.metres_per_unit;
    } else if (stated) {
      space.metres_per_unit = *stated;
    } else if (units.empty()) {
      space.metres_per_unit = 0.001;
      space.unit_is_stated = false;
      note(units.offset, "no Units: millimetres assumed");
    } else {
      return reader_.reject(units, in_quotes(units.text), "m, dm, cm, mm, in or ft, or a unit set by an option",
                            "Units");
    }
    return {};
  }

  // "Frame#", "Time", names. A name is above the first of its three columns, or, in some files, anywhere.
  Check read_names() {
    const Word names = line();
    Fields fields(names);
    if (const Word frame = fields.next(); !lower_case(frame.text).starts_with("frame"))
      return reader_.reject(frame, reader_.described(frame), "\"Frame#\", \"Time\" and the names of the markers");
    if (const Word time = fields.next_filled(); !time.is("Time"))
      return reader_.reject(time, reader_.described(time), "\"Time\" after \"Frame#\"");
    UniqueNames unique;
    bool renamed = false;
    while (!fields.done()) {
      const Word name = fields.next();
      if (name.empty()) continue;
      markers_.names.push_back(unique(name.text, "marker"));
      if (markers_.names.back() != name.text && !std::exchange(renamed, true))
        note(name.offset, "a second marker " + in_quotes(name.text) + ": it and others are numbered");
    }
    if (markers_.names.empty()) return reader_.reject(names, "no marker", "the names of the markers after \"Time\"");
    compare_count(marker_count_, "NumMarkers", markers_.names.size(), "names");
    return {};
  }

  void compare_count(const Word& declared, const char* key, std::size_t found, const char* what) {
    const std::optional<double> number = TextReader::number(declared);
    if (number && *number == static_cast<double>(found)) return;
    note(declared.offset, std::string(key) + " is " + (declared.empty() ? "missing" : in_quotes(declared.text)) +
                              ", but there are " + std::to_string(found) + " " + what);
  }

  // After the line of the names: X1 Y1 Z1 …, then the rows.
  Check find_rows() {
    while (!reader_.at_end()) {
      const std::size_t begin = reader_.offset();
      const Word row = reader_.rest_of_line();
      const char first = row.text.front();
      if (rows_.empty() && (first == 'X' || first == 'x')) continue;
      rows_.push_back(begin);
    }
    compare_count(frames_, "NumFrames", rows_.size(), "rows");
    const std::size_t numbers = 3 * markers_.names.size();
    if (numbers > 0 && rows_.size() > (size_ + max_missing) / numbers)
      return reader_.reject(
          rows_.front(),
          std::to_string(rows_.size()) + " rows too short for " + std::to_string(markers_.names.size()) + " markers",
          "three fields per marker in each row");
    return {};
  }

  Check read_rows() {
    const auto frames = static_cast<Eigen::Index>(rows_.size());
    markers_.positions = MatX::Constant(3 * static_cast<Eigen::Index>(markers_.names.size()), frames, nan);
    for (Eigen::Index k = 0; k < frames; ++k) {
      reader_.go_to(rows_[k]);
      if (Check read = read_row(k); !read) return read;
    }
    if (excess_) note(*excess_, "values after the last marker are ignored");
    if (partial_) note(*partial_, "a marker with only one or two of its coordinates counts as not seen");
    return check_times();
  }

  // Whether empty fields of a row are tabs too many, and not markers that were not seen: the row has all its numbers,
  // but at their places some marker would get only one or two of its three.
  bool has_stray_tabs(const Word& row) const {
    const std::size_t numbers = 3 * markers_.names.size();
    if (Fields(row).count_filled() != 2 + numbers) return false;
    Fields fields(row);
    fields.next();
    if (fields.next().empty()) return true;
    for (std::size_t m = 0; m < markers_.names.size(); ++m) {
      int present = 0;
      for (int axis = 0; axis < 3; ++axis) present += !fields.next().empty();
      if (present == 1 || present == 2) return true;
    }
    return false;
  }

  Check read_row(Eigen::Index k) {
    const Word row = reader_.rest_of_line();
    const bool tabs = row.text.find('\t') != std::string_view::npos;
    Fields fields(row, has_stray_tabs(row));
    const Word frame = fields.next();
    const std::optional<double> number = TextReader::number(frame);
    if (!number || *number != std::floor(*number) || std::fabs(*number) > 1e9)
      return reader_.reject(frame, reader_.described(frame), "the number of a frame");
    const Word time = fields.next();
    const std::optional<double> seconds = TextReader::number(time);
    if (!seconds) return reader_.reject(time, reader_.described(time), "the time of the frame, a finite number");
    if (k == 0) markers_.first_frame = static_cast<int>(*number);
    if (!uneven_frame_ && *number != static_cast<double>(markers_.first_frame) + static_cast<double>(k))
      uneven_frame_ = frame.offset;
    times_.push_back(*seconds);

    for (Eigen::Index m = 0; m < markers_.positions.rows() / 3; ++m) {
      Vec3 x(nan, nan, nan);
      std::size_t offset = 0;
      int present = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const Word field = fields.next();
        if (field.empty() && !tabs)
          return reader_.reject(field, "the end of the row",
                                "three numbers for each of " + std::to_string(markers_.names.size()) + " markers");
        if (field.empty() || field.is("nan")) continue;
        const std::optional<double> value = TextReader::number(field);
        if (!value)
          return reader_.reject(field, reader_.described(field), "a finite number, nothing, or NaN",
                                "marker " + in_quotes(markers_.names[m]));
        x[axis] = *value;
        offset = field.offset;
        ++present;
      }
      if (present == 3) markers_.positions.block<3, 1>(3 * m, k) = content_.space.inside(x);
      if (present == 1 || present == 2)
        if (!partial_) partial_ = offset;
    }
    while (!fields.done())
      if (const Word field = fields.next(); !field.empty() && !excess_) excess_ = field.offset;
    return {};
  }

  // Whether the times are even at this rate, or mostly, and not at DataRate. Missing frames change the mean alone.
  bool another_rate(double rate_of_times) const {
    constexpr double even = 0.5;  // of a frame: times are printed with few digits
    std::size_t stated = 0, timed = 0;
    double max_uneven = 0.0;
    for (std::size_t k = 1; k < times_.size(); ++k) {
      const double step = times_[k] - times_[k - 1];
      stated += std::fabs(step * markers_.rate - 1.0) <= time_tolerance;
      timed += std::fabs(step * rate_of_times - 1.0) <= time_tolerance;
      max_uneven = std::fmax(max_uneven, std::fabs((times_[k] - times_[0]) * rate_of_times - static_cast<double>(k)));
    }
    const double frames_off = std::fabs((times_.back() - times_.front()) * (markers_.rate - rate_of_times));
    return frames_off > 1.0 && (max_uneven <= even || (2 * stated < times_.size() && timed >= stated));
  }

  Check check_times() {
    const std::size_t last = times_.size() - 1;
    if (times_.empty()) {
      if (markers_.rate == 0.0) return reader_.reject(size_, "neither a rate nor rows", "DataRate above 0");
      return {};
    }
    const double rate_of_times = static_cast<double>(last) / (times_[last] - times_[0]);
    const bool usable = last > 0 && rate_of_times > 0.0 && std::isfinite(rate_of_times);
    if (markers_.rate == 0.0) {
      if (!usable) return reader_.reject(rows_[0], "times without a rate", "DataRate above 0, or increasing times");
      markers_.rate = rate_of_times;
    } else if (usable && another_rate(rate_of_times)) {
      note(rate_at_, "DataRate is " + to_text(markers_.rate) + ", but the times are those of " +
                         to_text(rate_of_times, 6) + " frames per second: read with the times");
      markers_.rate = rate_of_times;
    }
    if (uneven_frame_) note(*uneven_frame_, "the frame numbers do not increase by 1: read in order");
    for (std::size_t k = 0; k <= last; ++k) {
      const double expected = times_[0] + static_cast<double>(k) / markers_.rate;
      if (std::fabs(times_[k] - expected) * markers_.rate <= time_tolerance) continue;
      note(rows_[k], "time " + to_text(times_[k]) + " where " + to_text(markers_.rate) + " frames per second give " +
                         to_text(expected) + ": read as evenly spaced");
      break;
    }
    return {};
  }

  std::size_t size_;
  TextReader reader_;
  ReadOptions options_;
  Content content_;
  Markers markers_;
  std::size_t rate_at_ = 0;        // offset of DataRate
  Word frames_, marker_count_;     // as declared in the header
  std::vector<std::size_t> rows_;  // offset of each
  std::vector<double> times_;
  std::optional<std::size_t> uneven_frame_, excess_, partial_;  // offset of the first
};

}  // namespace

Expected<Content> read_trc(std::string_view bytes, const std::string& file_name, const ReadOptions& options) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  return TrcReader(*text, file_name, options).read();
}

}  // namespace limber
