// JSON for Limber's readers and writers: values with their place in the text, and a writer that keeps a vector on one
// line.
//
// Reading takes two passes: a scan records the offset of each value and rejects deep nesting, then nlohmann/json checks
// the grammar and decodes strings. Values are in one array in the order of the text, 40 bytes each, so memory is at
// most 20 times the text. Numbers are read by from_chars, independent of the locale.
//
// Only the first error counts: a failed read records it with line, column and JSON pointer, and returns a harmless
// default. A reader reads everything and checks JsonDocument::error() at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/format/text/text.h"

namespace limber {

class JsonDocument;

enum class JsonKind : std::uint8_t { null, boolean, number, text, array, object };

// One value of a document, or a missing one: the result of operator[] for an absent key.
class JsonValue {
 public:
  // Over the elements of an array, or the members of an object.
  class Iterator {
   public:
    Iterator(JsonDocument* document, std::uint32_t at) : document_(document), at_(at) {}
    JsonValue operator*() const { return {document_, at_}; }
    Iterator& operator++();
    bool operator==(const Iterator&) const = default;

   private:
    JsonDocument* document_;
    std::uint32_t at_;
  };

  const JsonDocument& document() const { return *document_; }
  bool exists() const;
  explicit operator bool() const { return exists(); }
  JsonKind kind() const;
  bool is(JsonKind kind) const { return exists() && this->kind() == kind; }
  std::string_view key() const;  // in its object; empty elsewhere
  std::size_t size() const;      // of an array or object, else 0
  Iterator begin() const;
  Iterator end() const;
  JsonValue operator[](std::string_view key) const;

  // Expectations. A mismatch is recorded as the document's error.
  bool object(std::span<const std::string_view> keys) const;  // with these keys only
  bool object(std::initializer_list<std::string_view> keys) const { return object(std::span(keys)); }
  bool object() const;  // with any keys
  bool array() const;
  bool array(std::size_t size, const char* expected) const;
  JsonValue sole(std::span<const std::string_view> keys) const;  // an object's only member, one of these
  JsonValue sole(std::initializer_list<std::string_view> keys) const { return sole(std::span(keys)); }

  double number() const;
  double number_or(double otherwise) const { return exists() ? number() : otherwise; }
  int integer(int min, int max) const;
  bool boolean() const;
  std::string text() const;
  std::string text_or(std::string otherwise) const { return exists() ? text() : std::move(otherwise); }
  std::string_view long_text() const;  // of any length; valid as long as the document
  Vec3 vector() const;                 // [x, y, z]
  Vec3 direction() const;              // the same, or "x", "-x", "y" … for an axis; not zero

  // Records an error at this value.
  void fail(std::string found, std::string expected) const;
  void fail_at_key(std::string found, std::string expected) const;
  // Keeps found and expected, and prefixes the place with this value's.
  void fail(const Diagnostic& inside) const;
  // A description for a message: "the number 3", "an array".
  std::string described() const;
  Place place() const;  // in the text; linear cost

 private:
  friend class JsonDocument;
  JsonValue(JsonDocument* document, std::uint32_t at, std::uint32_t object = 0, std::string_view missing = {})
      : document_(document), at_(at), object_(object), missing_(missing) {}

  JsonDocument* document_;
  std::uint32_t at_;
  std::uint32_t object_;      // the object without the missing key
  std::string_view missing_;  // the missing key
};

// The document must outlive its values and must not move.
class JsonDocument {
 public:
  // Deeper nesting is rejected before parsing.
  static constexpr int max_levels = 64;
  // For names and titles: longer texts are rejected before any comparison.
  static constexpr std::size_t max_text_size = 1000;

  JsonDocument(std::string_view text, std::string file_name);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  // null if the text is not JSON; then there is an error.
  JsonValue root() { return {this, 0}; }
  const std::optional<Diagnostic>& error() const { return error_; }

 private:
  friend class JsonValue;
  friend struct JsonEvents;

  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  struct Span {
    std::uint32_t begin = 0, size = 0;
  };
  struct Children {
    std::uint32_t first = none, size = 0;
  };
  struct Node {
    std::uint32_t offset = 0;      // of the value in the text
    std::uint32_t key_offset = 0;  // of its key
    std::uint32_t parent = none;
    std::uint32_t next = none;  // sibling
    Span key;                   // in strings_
    union {
      double number = 0.0;
      bool boolean;
      Span text;  // in strings_
      Children children;
    };
    JsonKind kind = JsonKind::null;
  };

  bool scan();
  bool parse();
  bool reject_duplicate_keys();
  std::string_view at(Span span) const { return std::string_view(strings_).substr(span.begin, span.size); }
  std::string pointer(std::uint32_t node) const;  // "/constraints/0/goal"
  // `field` is a pointer, or empty.
  void fail(std::size_t offset, std::string field, std::string found, std::string expected);

  std::string_view text_;
  std::string file_name_;
  std::vector<Node> nodes_;
  std::string strings_;
  std::optional<Diagnostic> error_;
};

// Writes JSON: one member per line, except in rows.
class JsonWriter {
 public:
  enum class Layout { block, row };

  JsonWriter& begin_object(Layout layout = Layout::block) { return begin('{', layout); }
  JsonWriter& begin_array(Layout layout = Layout::block) { return begin('[', layout); }
  JsonWriter& end();  // of the innermost object or array
  JsonWriter& key(std::string_view key);
  JsonWriter& value(double value);          // a non-finite value becomes null, which all our readers reject
  JsonWriter& integer(std::int64_t value);  // in digits, never as 1e+05
  JsonWriter& value(bool value);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const Vec3& v);
  JsonWriter& direction(const Vec3& v);  // "x" for an axis, else as a vector

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  // Omitted if the value is the reader's default.
  template <class T>
  JsonWriter& member_unless(std::string_view name, const T& content, const T& default_value) {
    return content == default_value ? *this : member(name, content);
  }

  // The whole text, with a newline at the end.
  std::string take();

 private:
  struct Level {
    char closing;
    Layout layout;
    bool empty = true;
  };
  JsonWriter& begin(char opening, Layout layout);
  void before_item();

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace limber
