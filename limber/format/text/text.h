// Text files as words with places. CR, LF and CRLF end a line; a byte-order mark is skipped; numbers are read by
// from_chars and must be finite. No recursion; allocation only for messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"

namespace limber {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Place place_in(std::string_view text, std::size_t offset);

// The text without its byte-order mark; rejects UTF-16, UTF-32 and zero bytes.
Expected<std::string_view> plain_text(std::string_view bytes, const std::string& file_name);

// Untrusted text for a message: on one line, truncated; and the same in quotes.
std::string on_one_line(std::string_view text);
std::string in_quotes(std::string_view text);

bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string lower_case(std::string_view text);  // A to Z only

// A piece of the text: a word, or a line.
struct Word {
  std::string_view text = {};
  std::size_t offset = 0;  // in the whole text

  bool empty() const { return text.empty(); }
  bool is(std::string_view keyword) const { return equal_ignoring_case(text, keyword); }
};

class TextReader {
 public:
  // `text` is the result of plain_text; it must outlive the reader.
  TextReader(std::string_view text, std::string file_name) : text_(text), file_name_(std::move(file_name)) {}

  // The next word, on any line; empty at the end of the text. Words end at blanks; the characters in `brackets` are
  // separate words.
  Word next();
  Word peek();
  // The next word on the current line, else empty.
  Word next_on_line();
  // The rest of the current line, trimmed; advances to the next line.
  Word rest_of_line();
  void skip_line() { rest_of_line(); }
  bool at_end();
  std::size_t offset() const { return at_; }
  void go_to(std::size_t offset) { at_ = offset; }
  std::size_t remaining() const { return text_.size() - at_; }

  // The word as a finite number, or nothing.
  static std::optional<double> number(const Word& word);
  // The next word as a finite number, or an error that names `what`.
  Expected<double> number(const char* what);
  // The same on the current line. Fast, for rows of numbers.
  Expected<double> number_on_line(const char* what);
  Expected<long> integer(const char* what, long min, long max);

  // "file:line:column: field".
  std::unexpected<Diagnostic> reject(const Word& at, std::string found, std::string expected,
                                     std::string_view field = {}) const;
  std::unexpected<Diagnostic> reject(std::size_t offset, std::string found, std::string expected,
                                     std::string_view field = {}) const;
  // A description for a message: the word in quotes, or "the end of the file".
  std::string described(const Word& word) const;
  Place place(std::size_t offset) const { return place_in(text_, offset); }
  Place place(const Word& word) const { return place_in(text_, word.offset); }
  const std::string& file_name() const { return file_name_; }

  std::string_view brackets = "{}";

 private:
  Word word_from(std::size_t begin);

  std::string_view text_;
  std::string file_name_;
  std::size_t at_ = 0;
};

}  // namespace limber
