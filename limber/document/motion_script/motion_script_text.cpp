#include "limber/document/motion_script/motion_script_text.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "limber/base/number.h"
#include "limber/base/spelling.h"

namespace limber {

namespace {

constexpr std::size_t max_events = 65536;

bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_single(char c) { return c == '(' || c == ')' || c == ','; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_event(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The number at the beginning of the text and its length; nothing where there is none. It may have a sign.
struct Numeral {
  double value = 0.0;
  std::size_t size = 0;
};
std::optional<Numeral> numeral(std::string_view text) {
  const std::size_t sign = text.starts_with('+') ? 1 : 0;
  std::size_t first = text.starts_with('-') ? 1 : sign;
  if (first < text.size() && text[first] == '.') ++first;
  if (first >= text.size() || !is_digit(text[first])) return std::nullopt;  // no "inf" and no "nan"
  Numeral read;
  const auto [end, error] = std::from_chars(text.data() + sign, text.data() + text.size(), read.value);
  if (error != std::errc() || !std::isfinite(read.value)) return std::nullopt;
  read.size = static_cast<std::size_t>(end - text.data());
  return read;
}

}  // namespace

Place ScriptText::place(std::size_t offset) {
  if (offset < placed_) {
    placed_ = 0;
    place_ = {};
  }
  // From the last one on, so that a long script is scanned once.
  const Place further = place_in(text_.substr(placed_), offset - placed_);
  place_ = {place_.line + further.line - 1, further.line == 1 ? place_.column + further.column - 1 : further.column};
  placed_ = offset;
  return place_;
}

void ScriptText::skip_blanks() {
  while (at_ < text_.size() && is_gap(text_[at_])) ++at_;
  if (at_ < text_.size() && text_[at_] == '#')
    while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
}

// To the next word of the statement, or to its end.
void ScriptText::skip() {
  while (true) {
    skip_blanks();
    if (at_ >= text_.size()) return;
    if (text_[at_] == ',' && !after_comma_)
      after_comma_ = true;
    else if (!is_line_end(text_[at_]) || !after_comma_)
      return;
    ++at_;
  }
}

bool ScriptText::next_line() {
  after_comma_ = false;
  while (true) {
    skip_blanks();
    if (at_ >= text_.size()) return false;
    if (!is_line_end(text_[at_])) return true;
    ++at_;
  }
}

bool ScriptText::at_end_of_line() { return peek().empty(); }

Word ScriptText::word_here() const {
  if (at_ >= text_.size() || is_line_end(text_[at_])) return {{}, at_};
  std::size_t end = at_ + 1;
  if (text_[at_] == '"') {
    while (end < text_.size() && text_[end] != '"' && !is_line_end(text_[end])) ++end;
    if (end < text_.size() && text_[end] == '"') ++end;
  } else if (!is_single(text_[at_])) {
    const auto ends = [](char c) { return is_gap(c) || is_line_end(c) || is_single(c) || c == '#' || c == '"'; };
    while (end < text_.size() && !ends(text_[end])) ++end;
  }
  return {text_.substr(at_, end - at_), at_};
}

Word ScriptText::peek() {
  skip();
  return word_here();
}

bool ScriptText::is_quoted() { return peek().text.starts_with('"'); }

bool ScriptText::take(std::string_view keyword) {
  const Word word = peek();
  if (!word.is(keyword)) return false;
  at_ += word.text.size();
  after_comma_ = false;
  return true;
}

std::unexpected<Diagnostic> ScriptText::reject_word(const std::string& expected,
                                                    const std::vector<std::string>& known) {
  const Word word = peek();
  return reader_.reject(word, reader_.described(word),
                        known.empty() || word.empty() ? expected : with_nearest(expected, word.text, known));
}

Expected<void> ScriptText::expect(std::string_view keyword, const char* what) {
  if (take(keyword)) return {};
  return reject_word("\"" + std::string(keyword) + "\"" + what);
}

Expected<void> ScriptText::end_of_line() {
  if (at_end_of_line()) return {};
  return reject_word("the end of the line");
}

Expected<ScriptName> ScriptText::name(const char* what) {
  const Word word = peek();
  if (word.empty() || is_single(word.text.front())) return reject_word(what);
  std::string_view text = word.text;
  if (text.starts_with('"')) {
    if (text.size() < 2 || !text.ends_with('"'))
      return reject(word, "a text without a closing quote on its line", "a closing quote");
    text = text.substr(1, text.size() - 2);
    if (text.empty()) return reject(word, "an empty name", what);
  }
  at_ += word.text.size();
  after_comma_ = false;
  return ScriptName{std::string(text), place(word.offset)};
}

Expected<double> ScriptText::number(const char* what) {
  const Word word = peek();
  const std::optional<Numeral> read = numeral(word.text);
  if (!read || read->size != word.text.size()) return reject_word(std::string("a finite number for ") + what);
  at_ += read->size;
  after_comma_ = false;
  return read->value;
}

Expected<int> ScriptText::count(const char* what, int min, int max) {
  const Word word = peek();
  int value = 0;
  const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
  if (word.empty() || error != std::errc() || end != word.text.data() + word.text.size() || value < min || value > max)
    return reject_word("a whole number from " + std::to_string(min) + " to " + std::to_string(max) + " for " + what);
  at_ += word.text.size();
  after_comma_ = false;
  return value;
}

Expected<Vec3> ScriptText::vector(const char* what) {
  if (!take("(")) return reject_word(std::string("(x, y, z) for ") + what);
  Vec3 v;
  for (int k = 0; k < 3; ++k) {
    const Expected<double> read = number(what);
    if (!read) return std::unexpected(read.error());
    v[k] = *read;
  }
  if (!take(")")) return reject_word(std::string("\")\" after three numbers"));
  return v;
}

Expected<Vec3> ScriptText::direction(const char* what) {
  for (const double sign : {1.0, -1.0})
    for (int k = 0; k < 3; ++k)
      if (take(std::string(sign < 0.0 ? "-" : "") + "xyz"[k])) return Vec3(sign * Vec3::Unit(k));
  const Word word = peek();
  if (word.text != "(") return reject_word(std::string("x, y, z, -x, -y, -z or a vector for ") + what);
  const Expected<Vec3> v = vector(what);
  if (!v) return v;
  const double length = v->norm();
  if (!std::isfinite(length) || length <= std::numeric_limits<double>::min())
    return reject(word, "a vector of length " + to_text(length), "a direction");
  return Vec3(*v / length);
}

Expected<double> ScriptText::factor(const char* what) {
  skip();
  const std::string_view rest = text_.substr(at_);
  if (const std::optional<Numeral> read = numeral(rest)) {
    if (read->size < rest.size() && (in_event(rest[read->size]) || rest[read->size] == '.'))
      return reject_word(std::string("a number or an event for ") + what);
    at_ += read->size;
    after_comma_ = false;
    return read->value;
  }
  std::size_t size = 0;
  while (size < rest.size() && in_event(rest[size])) ++size;
  const std::string_view name = rest.substr(0, size);
  const auto event = events_.find(name);
  if (event == events_.end()) {
    std::vector<std::string> known;
    known.reserve(events_.size());
    for (const auto& [other, time] : events_) known.push_back(other);
    const Word word{name, at_};
    if (size > 0)
      return reject(word, in_quotes(name), with_nearest(std::string("a number or an event for ") + what, name, known));
    return reject_word(std::string("a number or an event for ") + what);
  }
  at_ += size;
  after_comma_ = false;
  return event->second;
}

// The sign that comes next, or 0.
char ScriptText::operation() {
  skip();
  return at_ < text_.size() && !after_comma_ && std::string_view("+-*").contains(text_[at_]) ? text_[at_] : '\0';
}

Expected<double> ScriptText::product(const char* what) {
  Expected<double> value = factor(what);
  while (value && operation() == '*') {
    ++at_;
    const Expected<double> by = factor(what);
    if (!by) return by;
    *value *= *by;
  }
  return value;
}

Expected<double> ScriptText::time(const char* what) {
  const Word begin = peek();
  Expected<double> sum = product(what);
  while (sum) {
    const char sign = operation();
    if (sign == '\0') break;
    ++at_;
    const Expected<double> next = product(what);
    if (!next) return next;
    *sum += sign == '-' ? -*next : *next;
  }
  if (sum && !std::isfinite(*sum)) return reject(begin, "a sum that is not finite", std::string("a time for ") + what);
  return sum;
}

Expected<void> ScriptText::add_event(const ScriptName& name, double time) {
  const auto rejected = [&](std::string found, std::string expected) -> Expected<void> {
    const std::string where =
        reader_.file_name() + ":" + std::to_string(name.place.line) + ":" + std::to_string(name.place.column);
    return std::unexpected(
        Diagnostic{where, std::move(found), std::move(expected), name.place.line, name.place.column});
  };
  for (const char c : name.text)
    if (!in_event(c) || is_digit(name.text.front()))
      return rejected(in_quotes(name.text), "a name of letters, digits and _, a letter first");
  if (events_.size() >= max_events) return rejected("one more event", "at max " + std::to_string(max_events));
  if (!events_.emplace(name.text, time).second)
    return rejected("the event " + in_quotes(name.text) + " a second time", "each event once");
  return {};
}

}  // namespace limber
