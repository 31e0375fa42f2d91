#include "limber/format/text/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "limber/base/number.h"

namespace limber {

namespace {

constexpr std::size_t max_quote = 60;

bool is_end_of_line(char c) { return c == '\n' || c == '\r'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_space(char c) { return is_blank(c) || is_end_of_line(c); }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

Place place_in(std::string_view text, std::size_t offset) {
  Place place;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    const bool crlf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (is_end_of_line(text[i]) && !crlf) {
      ++place.line;
      place.column = 1;
    } else if (!continues_character(text[i])) {
      ++place.column;
    }
  }
  return place;
}

Expected<std::string_view> plain_text(std::string_view bytes, const std::string& file_name) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    return reject(file_name, "text in UTF-16 or UTF-32", "UTF-8 or ASCII");
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  if (const std::size_t zero = bytes.find('\0'); zero != std::string_view::npos)
    return reject(file_name, "a byte of value 0 at byte " + std::to_string(zero + 1), "text in UTF-8 or ASCII");
  return bytes;
}

std::string on_one_line(std::string_view text) {
  std::string out;
  std::size_t i = 0;
  for (; i < text.size() && (i < max_quote || continues_character(text[i])); ++i)
    out += static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7F ? '?' : text[i];
  return i < text.size() ? out + "…" : out;
}

std::string in_quotes(std::string_view text) { return "\"" + on_one_line(text) + "\""; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

Word TextReader::word_from(std::size_t begin) {
  std::size_t end = begin;
  const auto is_bracket = [&](char c) { return brackets.find(c) != std::string_view::npos; };
  if (end < text_.size() && is_bracket(text_[end]))
    ++end;
  else
    while (end < text_.size() && !is_space(text_[end]) && !is_bracket(text_[end])) ++end;
  at_ = end;
  return {text_.substr(begin, end - begin), begin};
}

Word TextReader::next() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return word_from(at_);
}

Word TextReader::peek() {
  const std::size_t start = at_;
  const Word word = next();
  at_ = start;
  return word;
}

Word TextReader::next_on_line() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  if (at_ < text_.size() && is_end_of_line(text_[at_])) return {{}, at_};
  return word_from(at_);
}

Word TextReader::rest_of_line() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_end_of_line(text_[at_])) ++at_;
  std::size_t end = at_;
  while (end > begin && is_blank(text_[end - 1])) --end;
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
  return {text_.substr(begin, end - begin), begin};
}

bool TextReader::at_end() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return at_ == text_.size();
}

std::optional<double> TextReader::number(const Word& word) {
  const std::optional<double> value = to_number(word.text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

Expected<double> TextReader::number(const char* what) {
  const Word word = next();
  if (const std::optional<double> value = number(word)) return *value;
  return reject(word, described(word), std::string("a finite number for ") + what);
}

Expected<double> TextReader::number_on_line(const char* what) {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  const auto after = static_cast<std::size_t>(end - text_.data());
  if (error == std::errc() && (after == text_.size() || is_space(text_[after])) && std::isfinite(value)) {
    at_ = after;
    return value;
  }
  const Word word = next_on_line();
  if (const std::optional<double> signed_value = number(word)) return *signed_value;
  return reject(word, word.empty() && at_ < text_.size() ? "the end of the line" : described(word),
                std::string("a finite number for ") + what);
}

Expected<long> TextReader::integer(const char* what, long min, long max) {
  const Word word = next();
  std::string_view digits = word.text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (!word.empty() && error == std::errc() && end == digits.data() + digits.size() && value >= min && value <= max)
    return value;
  return reject(word, described(word),
                "a whole number from " + std::to_string(min) + " to " + std::to_string(max) + " for " + what);
}

std::unexpected<Diagnostic> TextReader::reject(const Word& at, std::string found, std::string expected,
                                               std::string_view field) const {
  return reject(at.offset, std::move(found), std::move(expected), field);
}

std::unexpected<Diagnostic> TextReader::reject(std::size_t offset, std::string found, std::string expected,
                                               std::string_view field) const {
  const Place position = place(offset);
  std::string where = file_name_ + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
  if (!field.empty()) where += ": " + std::string(field);
  return std::unexpected(
      Diagnostic{std::move(where), std::move(found), std::move(expected), position.line, position.column});
}

std::string TextReader::described(const Word& word) const {
  if (!word.empty()) return in_quotes(word.text);
  return word.offset >= text_.size() ? "the end of the file" : "the end of the line";
}

}  // namespace limber
