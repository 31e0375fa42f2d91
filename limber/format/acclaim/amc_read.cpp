// The AMC reader. All frames have their rows in the same order: the successor in the previous frame is tried first, so
// that names are looked up once. No allocation per row.
#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>

#include "limber/base/number.h"
#include "limber/format/acclaim/acclaim.h"
#include "limber/format/content/joint_rotation.h"
#include "limber/format/text/text.h"

namespace limber {

using namespace motion_file;

namespace {

using Check = Expected<void>;

constexpr double cmu_rate = 120.0;  // frames per second
constexpr int no_row = -1;

// The row of a bone: a range of Rows::parameters.
struct Row {
  std::string_view name;
  int begin = 0, end = 0;
  int follower = no_row;  // its successor in the previous frame
  long frame = -1;        // the last frame with it
};

class AmcReader {
 public:
  AmcReader(std::string_view text, const std::string& file_name, const Content& skeleton)
      : text_(text),
        in_(text, file_name),
        figure_(*skeleton.figure),
        metres_per_unit_(skeleton.space.metres_per_unit),
        parameters_(row_order(skeleton)) {
    in_.brackets = "";
    for (const Joint& joint : figure_.joints()) {
      by_name_.emplace(joint.name, static_cast<int>(rows_.size()));
      rows_.push_back({joint.name});
    }
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      Row& row = rows_[figure_.freedoms()[figure_.parameters()[parameters_[k]].drives.front()].joint];
      if (row.end == 0) row.begin = static_cast<int>(k);
      row.end = static_cast<int>(k) + 1;
    }
    moving_rows_ = static_cast<int>(std::ranges::count_if(rows_, [](const Row& row) { return row.end > row.begin; }));
  }

  Expected<ReadMotion> read() {
    if (Check done = header(); !done) return std::unexpected(done.error());
    while (!in_.at_end())
      if (Check done = line(); !done) return std::unexpected(done.error());
    if (frames_ == 0) return in_.reject(in_.offset(), "no frame", "the number of a frame");
    end_frame();
    return finished();
  }

 private:
  void note(std::string text, std::size_t offset) {
    const Place place = in_.place(offset);
    out_.notes.push_back({std::move(text), place.line, place.column});
  }

  Check header() {
    while (!in_.at_end()) {
      const Word word = in_.peek();
      if (word.text.starts_with('#')) {
        in_.skip_line();
      } else if (word.text.starts_with(':')) {
        in_.next();
        if (Check read = keyword(word); !read) return read;
      } else {
        break;
      }
    }
    if (!has_angle_unit_) note("neither :DEGREES nor :RADIANS: degrees assumed", in_.offset());
    for (const int p : parameters_) scales_.push_back(figure_.parameters()[p].translates ? metres_per_unit_ : angle_);
    return {};
  }

  Check keyword(const Word& word) {
    if (frames_ > 0) return in_.reject(word, in_.described(word), "no keyword after the first frame");
    if (word.is(":DEGREES") || word.is(":RADIANS")) {
      has_angle_unit_ = true;
      angle_ = word.is(":DEGREES") ? radians(1.0) : 1.0;
    } else if (!word.is(":FULLY-SPECIFIED")) {
      note(in_quotes(word.text) + " is ignored", word.offset);
    }
    in_.skip_line();
    return {};
  }

  // A comment, the number of a frame, or the row of a bone.
  Check line() {
    const Word word = in_.next();
    if (word.text.starts_with('#')) {
      in_.skip_line();
      return {};
    }
    if (word.text.starts_with(':')) return keyword(word);
    if (word.text.front() >= '0' && word.text.front() <= '9' && !follows(word)) {
      const std::size_t offset = in_.offset();
      const bool alone = in_.next_on_line().empty();
      in_.go_to(offset);
      if (alone) return begin_frame(word);
    }
    return row(word);
  }

  Check begin_frame(const Word& word) {
    long number = 0;
    const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), number);
    if (error != std::errc() || end != word.text.data() + word.text.size())
      return in_.reject(word, in_.described(word), "the number of a frame, or a bone");
    if (frames_ > 0) end_frame();
    const bool first = frames_ == 0;
    if (!noted_numbers_ && number != (first ? 1 : number_ + 1)) {
      std::string numbers = first ? std::string("from ") : std::to_string(number_) + ", ";
      numbers += std::to_string(number);
      note("the frames are numbered " + numbers + ": read as evenly spaced", word.offset);
      noted_numbers_ = true;
    }
    number_ = number;
    ++frames_;
    // Each frame takes the memory of a full one. A file of frame numbers alone must not exhaust the memory.
    constexpr std::size_t spare = std::size_t{1} << 20, per_byte = 1;  // numbers; a number takes at least two bytes
    const std::size_t size = values_.size() + parameters_.size();
    if (size > spare + per_byte * text_.size())
      return in_.reject(word, "frames without most of the bones", "a row for every bone with dofs");
    values_.resize(size, 0.0);
    if (!first) {
      const auto last = values_.end() - static_cast<std::ptrdiff_t>(parameters_.size());
      std::copy(last - static_cast<std::ptrdiff_t>(parameters_.size()), last, last);
    }
    return {};
  }

  // Whether this bone is the successor in the previous frame.
  bool follows(const Word& word) const {
    const int next = last_ == no_row ? no_row : rows_[last_].follower;
    return next != no_row && rows_[next].name == word.text;
  }

  Check row(const Word& word) {
    int r = no_row;
    if (follows(word)) {
      r = rows_[last_].follower;
    } else {
      const auto found = by_name_.find(word.text);
      if (found == by_name_.end()) return unknown(word);
      r = found->second;
      if (last_ != no_row) rows_[last_].follower = r;
    }
    Row& row = rows_[r];
    if (frames_ == 0) return in_.reject(word, "a bone before the first frame", "the number of a frame");
    if (row.frame == frames_)
      return in_.reject(word, "a second row of " + in_quotes(word.text), "one per frame", frame());
    row.frame = frames_;
    last_ = r;
    if (row.end > row.begin) ++seen_;
    double* const pose = values_.data() + (values_.size() - parameters_.size());
    for (int k = row.begin; k < row.end; ++k) {
      const Expected<double> value = in_.number_on_line("a dof");
      if (!value) return wrong_count(word, row, value.error());
      pose[parameters_[k]] = *value * scales_[k];
    }
    const Word extra = in_.next_on_line();
    if (extra.text.starts_with('#'))
      in_.skip_line();
    else if (!extra.empty())
      return in_.reject(extra, in_.described(extra) + " after " + std::to_string(row.end - row.begin) + " values",
                        "the end of the line: the skeleton has that many dofs", described(row));
    return {};
  }

  std::string frame() const { return "frame " + std::to_string(number_); }
  std::string described(const Row& row) const { return "bone " + in_quotes(row.name) + ", " + frame(); }

  Check wrong_count(const Word& word, const Row& row, Diagnostic error) const {
    error.where += ": " + described(row);
    error.expected = std::to_string(row.end - row.begin) + " finite numbers, one per dof of " + in_quotes(word.text);
    return std::unexpected(std::move(error));
  }

  Check unknown(const Word& word) const {
    std::string expected = "a bone of the skeleton";
    if (word.text.size() <= max_joint_name)
      if (const Expected<int> nearest = figure_.find_segment(word.text); !nearest) expected = nearest.error().expected;
    if (expected.starts_with("a segment")) expected.replace(0, std::string_view("a segment").size(), "a bone");
    return in_.reject(word, in_.described(word), expected);
  }

  void end_frame() {
    if (seen_ < moving_rows_ && !noted_missing_) {
      std::vector<std::string> names;
      for (const Row& row : rows_)
        if (row.end > row.begin && row.frame != frames_) names.emplace_back(row.name);
      if (!names.empty())
        note(frame() + " lacks " + some_of(names) +
                 ": values of the previous frame, initially 0, here and in other frames",
             in_.offset());
      noted_missing_ = !names.empty();
    }
    seen_ = 0;
  }

  Expected<ReadMotion> finished() {
    const auto rows = static_cast<Eigen::Index>(parameters_.size());
    out_.clip.name = stem_of(in_.file_name());
    out_.clip.frame_time = 1.0 / cmu_rate;
    out_.clip.poses = Eigen::Map<const MatX>(values_.data(), rows, frames_);
    if (!out_.clip.poses.allFinite())
      return reject(in_.file_name(), "positions too large in metres", "smaller numbers");
    add_note(out_.notes, "the rate is not stated: 120 frames per second assumed");
    note_limits();
    return std::move(out_);
  }

  // The number of frames that exceed a limit, and the parameter that does so most often.
  void note_limits() {
    constexpr double rounding = 1e-9;  // radians or metres
    std::vector<long> times(figure_.parameters().size(), 0);
    long frames = 0;
    for (Eigen::Index k = 0; k < out_.clip.poses.cols(); ++k) {
      bool exceeds = false;
      for (std::size_t p = 0; p < times.size(); ++p) {
        const double value = out_.clip.poses(static_cast<Eigen::Index>(p), k);
        const Range& range = figure_.parameters()[p].range;
        if (value >= range.lower - rounding && value <= range.upper + rounding) continue;
        ++times[p];
        exceeds = true;
      }
      frames += exceeds ? 1 : 0;
    }
    if (frames == 0) return;
    const auto worst = std::max_element(times.begin(), times.end());
    add_note(out_.notes, std::to_string(frames) + " of " + std::to_string(frames_) +
                             " frames exceed the limits of the skeleton, " +
                             figure_.parameters()[static_cast<std::size_t>(worst - times.begin())].name +
                             " most often (" + std::to_string(*worst) + "): kept as recorded");
  }

  std::string_view text_;
  TextReader in_;
  const Figure& figure_;
  double metres_per_unit_;
  double angle_ = radians(1.0);
  bool has_angle_unit_ = false, noted_numbers_ = false, noted_missing_ = false;
  std::vector<int> parameters_;  // by row
  std::vector<double> scales_;   // of their numbers
  std::vector<Row> rows_;        // one per joint
  std::unordered_map<std::string_view, int> by_name_;
  int last_ = no_row, seen_ = 0, moving_rows_ = 0;
  long number_ = 0, frames_ = 0;
  std::vector<double> values_;  // frame by frame
  ReadMotion out_;
};

}  // namespace

std::vector<int> row_order(const Content& skeleton) {
  const Figure& figure = *skeleton.figure;
  std::vector<std::vector<int>> of_joint(figure.joints().size());
  std::vector<bool> used(figure.parameters().size(), false);
  bool complete = skeleton.row_order.size() == used.size();
  for (const int p : skeleton.row_order) {
    complete = complete && p >= 0 && static_cast<std::size_t>(p) < used.size() && !used[p];
    if (!complete) break;
    used[p] = true;
    of_joint[figure.freedoms()[figure.parameters()[p].drives.front()].joint].push_back(p);
  }
  std::vector<int> order;
  for (std::size_t j = 0; j < of_joint.size(); ++j) {
    const Joint& joint = figure.joints()[j];
    const auto add = [&](int i, Motion motion) {
      const Freedom& freedom = figure.freedoms()[i];
      if (freedom.motion == motion) order.push_back(figure.terms()[freedom.term_begin].parameter);
    };
    if (complete) {
      order.insert(order.end(), of_joint[j].begin(), of_joint[j].end());
    } else {
      for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) add(i, Motion::translate);
      for (int i = joint.freedom_end - 1; i >= joint.freedom_begin; --i) add(i, Motion::rotate);
    }
  }
  return order;
}

Expected<ReadMotion> read_amc(std::string_view bytes, const std::string& file_name, const Content& skeleton) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  if (!skeleton.figure) return reject(file_name, "no skeleton", "the skeleton of the motion, from an ASF file");
  for (const Parameter& parameter : skeleton.figure->parameters())
    if (parameter.group != no_group)
      return reject(file_name, "a figure with groups of joints", "the skeleton of the motion, from an ASF file");
  return AmcReader(*text, file_name, skeleton).read();
}

}  // namespace limber
