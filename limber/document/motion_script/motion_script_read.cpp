#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/base/number.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/document/motion_script/motion_script_text.h"

namespace limber {

namespace {

using Check = Expected<void>;

constexpr int max_passes = 10'000;
constexpr std::size_t max_blocks = 4096;
// Beyond this, in seconds, neighbouring frames round to the same time.
constexpr double max_time = 1e9;
// Seconds between two times of the timing.
constexpr double min_timing_step = 1e-6;

class ScriptReader {
 public:
  ScriptReader(std::string_view text, const std::string& file_name) : text_(text, file_name) {
    script_.file_name = file_name;
  }

  Expected<MotionScript> read() {
    while (text_.next_line()) {
      if (Check line = read_line(); !line) return std::unexpected(line.error());
      if (Check end = text_.end_of_line(); !end) return std::unexpected(end.error());
      if (Check bounds = keep_bounds(); !bounds) return std::unexpected(bounds.error());
    }
    if (block_ != no_block) return text_.reject_word("\"end\" of the block that \"repeat\" began");
    return std::move(script_);
  }

 private:
  struct Statement {
    const char* word;
    Check (ScriptReader::*read)();
  };

  static std::unexpected<Diagnostic> pass_on(const auto& rejected) { return std::unexpected(rejected.error()); }
  int passes() const { return block_ == no_block ? 1 : script_.blocks[static_cast<std::size_t>(block_)].passes; }

  Check read_line() {
    static constexpr Statement statements[] = {
        {"rate", &ScriptReader::read_rate},     {"length", &ScriptReader::read_length},
        {"event", &ScriptReader::read_event},   {"stiff", &ScriptReader::read_stiff},
        {"key", &ScriptReader::read_key},       {"timing", &ScriptReader::read_timing},
        {"repeat", &ScriptReader::read_repeat}, {"end", &ScriptReader::read_end}};
    static constexpr const char* times[] = {"from", "until", "at", "throughout"};
    const Word word = text_.peek();
    begin_ = word;
    for (const Statement& statement : statements)
      if (text_.take(statement.word)) {
        in_key_ = word.is("key");
        return (this->*statement.read)();
      }
    for (const char* time : times)
      if (word.is(time)) {
        in_key_ = false;
        return read_demand();
      }
    // Names of parameters contain a point; keywords do not.
    const bool is_value = text_.is_quoted() || word.text.find('.') != std::string_view::npos || is_travel(word);
    if (is_value && in_key_) return read_values();
    if (is_value) return text_.reject_word("a \"key\" above, to which it belongs");
    std::vector<std::string> known(std::begin(times), std::end(times));
    for (const Statement& statement : statements) known.emplace_back(statement.word);
    return text_.reject_word("a statement", known);
  }

  static bool is_travel(const Word& word) { return word.is("travel") || word.is("heading"); }

  Check read_rate() {
    const Word at = text_.peek();
    const Expected<double> rate = text_.number("the frames a second");
    if (!rate) return pass_on(rate);
    if (!(*rate >= min_script_rate && *rate <= max_script_rate))
      return text_.reject(at, "a rate of " + to_text(*rate),
                          to_text(min_script_rate) + " to " + to_text(max_script_rate) + " frames a second");
    if (std::exchange(has_rate_, true)) return text_.reject(begin_, "a second \"rate\"", "one");
    script_.rate = *rate;
    return {};
  }

  Check read_length() {
    const Word at = text_.peek();
    const Expected<double> length = text_.time("the length");
    if (!length) return pass_on(length);
    if (!(*length >= 0.0 && *length <= max_time))
      return text_.reject(at, "a length of " + to_text(*length) + " s", "0 or more, at most " + to_text(max_time));
    if (script_.length) return text_.reject(begin_, "a second \"length\"", "one");
    script_.length = *length;
    script_.place_of_length = text_.place(at.offset);
    return {};
  }

  Check read_event() {
    const Expected<ScriptName> name = text_.name("the name of the event");
    if (!name) return pass_on(name);
    const Expected<double> time = text_.time("the event");
    if (!time) return pass_on(time);
    return text_.add_event(*name, *time);
  }

  Check read_stiff() {
    const Expected<ScriptName> name = text_.name("the name of a parameter, \"travel\" or \"heading\"");
    if (!name) return pass_on(name);
    const Word at = text_.peek();
    const Expected<double> stiffness = text_.number("how stiff");
    if (!stiffness) return pass_on(stiffness);
    if (!(*stiffness > 0.0)) return text_.reject(at, "a stiffness of " + to_text(*stiffness), "a number above 0");
    if (block_ != no_block)
      return text_.reject(begin_, "\"stiff\" within a block", "it outside: it holds all the time");
    script_.stiffnesses.push_back({*name, *stiffness});
    ++values_;
    return {};
  }

  // TIME shows TIME, …
  Check read_timing() {
    if (block_ != no_block)
      return text_.reject(begin_, "\"timing\" within a block", "it outside: it holds all the time");
    if (!script_.timing.empty()) return text_.reject(begin_, "a second \"timing\"", "one");
    do {
      const Word at = text_.peek();
      const Expected<double> time = text_.time("the timing");
      if (!time) return pass_on(time);
      if (Check shows = text_.expect("shows", " and a time of the keys"); !shows) return shows;
      const Word shown = text_.peek();
      const Expected<double> key_time = text_.time("what it shows");
      if (!key_time) return pass_on(key_time);
      if (Check fits = check_timing(at, *time, shown, *key_time); !fits) return fits;
      script_.timing.push_back({*time, *key_time});
    } while (!text_.at_end_of_line());
    if (script_.timing.size() < 2) return text_.reject_word("a second time of the timing");
    return {};
  }

  Check check_timing(const Word& at, double time, const Word& shown, double key_time) {
    for (const auto& [word, value] : {std::pair(at, time), {shown, key_time}})
      if (std::fabs(value) > max_time)
        return text_.reject(word, "a time of " + to_text(value) + " s", "at most " + to_text(max_time));
    if (script_.timing.empty()) return {};
    const TimingKnot& before = script_.timing.back();
    if (!(time - before.time >= min_timing_step))
      return text_.reject(at, to_text(time) + " s after " + to_text(before.time) + " s", "a later time");
    if (key_time < before.shape_time)
      return text_.reject(shown, to_text(key_time) + " s after " + to_text(before.shape_time) + " s",
                          "the same time of the keys or a later one: motion does not run backwards");
    ++values_;
    return {};
  }

  // --- Keys ----------------------------------------------------------------------------------------

  Check read_key() {
    ScriptKey key;
    key.place = text_.place(begin_.offset);
    key.block = block_;
    const Word at = text_.peek();
    const Expected<double> time = text_.time("the key");
    if (!time) return pass_on(time);
    if (std::fabs(*time) > max_time)
      return text_.reject(at, "a key at " + to_text(*time) + " s", "at most " + to_text(max_time));
    key.time = *time;
    bool has_path = false;
    std::vector<Word> of_curve;
    while (true) {
      const Word word = text_.peek();
      const Expected<bool> bend = read_bend(key, of_curve);
      if (!bend) return pass_on(bend);
      if (*bend) continue;
      if (const std::optional<KeyPath> path = take_path()) {
        if (std::exchange(has_path, true))
          return text_.reject(word, "a second way to go on", "one of step, linear, spline, slerp and curve");
        key.path = *path;
      } else if (text_.take("pose")) {
        key.whole_pose = true;
      } else if (text_.take("ease")) {
        const Expected<Ease> ease = read_script_ease(text_);
        if (!ease) return pass_on(ease);
        key.ease = *ease;
      } else {
        break;
      }
    }
    if (!of_curve.empty() && key.path != KeyPath::curve)
      return text_.reject(of_curve.front(), in_quotes(of_curve.front().text) + " of a key without \"curve\"",
                          "\"curve\" before it, or neither");
    script_.keys.push_back(std::move(key));
    values_ += static_cast<std::size_t>(passes());
    return read_values();
  }

  // tension NUMBER, continuity NUMBER, bias NUMBER, evenly; whether one of them was there.
  Expected<bool> read_bend(ScriptKey& key, std::vector<Word>& words) {
    const std::pair<const char*, double*> bends[] = {
        {"tension", &key.bend.tension}, {"continuity", &key.bend.continuity}, {"bias", &key.bend.bias}};
    const Word word = text_.peek();
    const auto is_second = [&] {
      return std::ranges::any_of(words, [&](const Word& other) { return word.is(other.text); });
    };
    for (const auto& [name, value] : bends)
      if (text_.take(name)) {
        if (is_second()) return text_.reject(word, "a second " + in_quotes(word.text), "one");
        words.push_back(word);
        const Word at = text_.peek();
        const Expected<double> number = text_.number(name);
        if (!number) return pass_on(number);
        if (!(*number >= -1.0 && *number <= 1.0))
          return text_.reject(at, std::string(name) + " " + to_text(*number), "a number from -1 to 1");
        *value = *number;
        return true;
      }
    if (!text_.take("evenly")) return false;
    if (is_second()) return text_.reject(word, "a second " + in_quotes(word.text), "one");
    words.push_back(word);
    return key.evenly = true;
  }

  std::optional<KeyPath> take_path() {
    if (text_.take("step")) return KeyPath::step;
    if (text_.take("linear")) return KeyPath::linear;
    if (text_.take("spline")) return KeyPath::spline;
    if (text_.take("slerp")) return KeyPath::slerp;
    if (text_.take("curve")) return KeyPath::curve;
    return std::nullopt;
  }

  // NAME NUMBER, travel (x, y, z), heading NUMBER; as many as there are on the line.
  Check read_values() {
    ScriptKey& key = script_.keys.back();
    while (!text_.at_end_of_line()) {
      const Word word = text_.peek();
      if (text_.take("travel")) {
        const Expected<Vec3> travel = text_.vector("how far");
        if (!travel) return pass_on(travel);
        if (key.travel) return text_.reject(word, "a second \"travel\" at one key", "one");
        key.travel = *travel;
      } else if (text_.take("heading")) {
        const Expected<double> heading = text_.number("the heading");
        if (!heading) return pass_on(heading);
        if (key.heading) return text_.reject(word, "a second \"heading\" at one key", "one");
        key.heading = *heading;
      } else {
        if (!text_.is_quoted() && word.text.find('.') == std::string_view::npos)
          return text_.reject_word("a parameter, such as right_elbow.flexion, or how to go on from the key",
                                   {"travel", "heading", "step", "linear", "spline", "slerp", "curve", "tension",
                                    "continuity", "bias", "evenly", "ease", "pose"});
        const Expected<ScriptName> name = text_.name("the name of a parameter");
        if (!name) return pass_on(name);
        if (text_.peek().text == "(" && name->text.ends_with(".travel")) {
          const Expected<Vec3> travel = text_.vector("how far");
          if (!travel) return pass_on(travel);
          key.travels.emplace_back(*name, *travel);
          values_ += static_cast<std::size_t>(passes());
          continue;
        }
        const Expected<double> value = text_.number("the parameter");
        if (!value) return pass_on(value);
        key.values.push_back({*name, *value});
      }
      values_ += static_cast<std::size_t>(passes());
    }
    return {};
  }

  // --- Demands and blocks ----------------------------------------------------------------------------

  Check read_demand() {
    Expected<ScriptDemand> demand = read_script_demand(text_);
    if (!demand) return pass_on(demand);
    for (const double time : {demand->span.begin(), demand->span.end()})
      if (std::isfinite(time) && std::fabs(time) > max_time)
        return text_.reject(begin_, "a time of " + to_text(time) + " s", "at most " + to_text(max_time));
    demand->block = block_;
    count(*demand);
    for (const ScriptDemand& other : demand->others) count(other);
    script_.demands.push_back(std::move(*demand));
    return {};
  }

  void count(const ScriptDemand& demand) {
    demands_ += static_cast<std::size_t>(passes());
    if (const ScriptPath* path = std::get_if<ScriptPath>(&demand.goal))
      values_ += (path->points.size() + path->progress.size()) * static_cast<std::size_t>(passes());
  }

  Check read_repeat() {
    if (block_ != no_block)
      return text_.reject(begin_, "a block within a block", "\"end\" first: blocks stand one after the other");
    if (script_.blocks.size() >= max_blocks)
      return text_.reject(begin_, "one more block", "at most " + std::to_string(max_blocks));
    ScriptBlock block;
    block.place = text_.place(begin_.offset);
    const Expected<int> passes = text_.count("how often", 1, max_passes);
    if (!passes) return pass_on(passes);
    block.passes = *passes;
    if (Check every = text_.expect("every", ""); !every) return every;
    const Word at = text_.peek();
    const Expected<double> every = text_.time("the time from one pass to the next");
    if (!every) return pass_on(every);
    if (!(*every >= 0.0 && *every <= max_time))
      return text_.reject(at, to_text(*every) + " s from one pass to the next",
                          "0 or more, at most " + to_text(max_time));
    block.every = *every;
    if (text_.take("shift")) {
      const Expected<Vec3> shift = text_.vector("the shift");
      if (!shift) return pass_on(shift);
      block.shift = *shift;
    }
    block.mirrored = text_.take("mirrored");
    if (!text_.at_end_of_line()) return text_.reject_word("\"shift\" (x, y, z), \"mirrored\" or the end of the line");
    script_.blocks.push_back(block);
    block_ = static_cast<int>(script_.blocks.size()) - 1;
    return {};
  }

  Check read_end() {
    if (block_ == no_block) return text_.reject(begin_, "\"end\"", "a \"repeat\" above, which it ends");
    block_ = no_block;
    return {};
  }

  Check keep_bounds() {
    if (demands_ > max_script_demands)
      return text_.reject(begin_, std::to_string(demands_) + " demands, with repetitions",
                          "at most " + std::to_string(max_script_demands));
    if (values_ > max_script_values)
      return text_.reject(begin_, std::to_string(values_) + " values at keys and points of ways, with repetitions",
                          "at most " + std::to_string(max_script_values));
    return {};
  }

  ScriptText text_;
  MotionScript script_;
  Word begin_ = {};  // of the statement
  int block_ = no_block;
  bool in_key_ = false;
  bool has_rate_ = false;
  std::size_t demands_ = 0, values_ = 0;
};

}  // namespace

double MotionScript::duration() const {
  if (length) return *length;
  double last = 0.0;
  const auto reach = [&](double time, int block) {
    if (!std::isfinite(time)) return;
    if (block != no_block) {
      const ScriptBlock& repeated = blocks[static_cast<std::size_t>(block)];
      time += (repeated.passes - 1) * repeated.every;
    }
    last = std::max(last, time);
  };
  if (!timing.empty()) last = std::max(last, timing.back().time);
  for (const ScriptKey& key : keys)
    if (timing.empty()) reach(key.time, key.block);
  for (const ScriptDemand& demand : demands) {
    reach(demand.span.from, demand.block);
    reach(demand.span.to, demand.block);
  }
  return last;
}

Expected<MotionScript> read_motion_script(std::string_view bytes, const std::string& file_name) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  return ScriptReader(*text, file_name).read();
}

}  // namespace limber
