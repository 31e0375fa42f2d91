// XML for Limber's readers: a tree of elements with their place in the text.
//
// Reading takes one pass. Features that no supported file needs and attackers exploit are rejected: document types, and
// with them entities, and deep nesting. The rest is XML 1.0 with its line ends and references, read leniently: "--" is
// allowed in comments, "<" in values, and any non-ASCII character in names. Blank text between tags is ignored.
//
// Elements are in one array in the order of the text, without recursion. A node has 40 bytes and its tag at least four
// characters; a growing array exists twice, at the old and the double size. So memory is at most 3 · 40 / 4 = 30 times
// the text (for "<a/><a/><a/>…"), and a few kB for open elements.
//
// Names include their prefix ("drake:acceleration") and are case-sensitive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/format/text/text.h"

namespace limber {

class XmlDocument;

// One element of a document, or a missing one: the result of child() if there is none. The document must outlive it and
// must not move.
class XmlElement {
 public:
  // Over the child elements.
  class Iterator {
   public:
    Iterator(const XmlDocument* document, std::uint32_t at) : document_(document), at_(at) {}
    XmlElement operator*() const { return {document_, at_}; }
    Iterator& operator++();
    bool operator==(const Iterator&) const = default;

   private:
    const XmlDocument* document_;
    std::uint32_t at_;
  };

  struct Attribute {
    std::string_view name, value;
  };

  bool exists() const;
  explicit operator bool() const { return exists(); }
  std::string_view name() const;
  std::string_view text() const;  // directly inside, trimmed
  std::optional<std::string_view> attribute(std::string_view name) const;
  std::size_t attributes() const;
  Attribute attribute(std::size_t index) const;

  Iterator begin() const;
  Iterator end() const;
  XmlElement child(std::string_view name) const;  // the first with that name
  XmlElement parent() const;

  std::size_t offset() const;                               // of its tag, in the text
  std::size_t offset_of(std::string_view attribute) const;  // of the attribute's name, else of the tag

  // "file:line:column: field", where field is <name>, or attribute "x" of <name>.
  std::unexpected<Diagnostic> reject(std::string found, std::string expected) const;
  std::unexpected<Diagnostic> reject_attribute(std::string_view attribute, std::string found,
                                               std::string expected) const;
  std::string tag() const;  // "<name>", for a message

 private:
  friend class XmlDocument;
  XmlElement(const XmlDocument* document, std::uint32_t at) : document_(document), at_(at) {}

  const XmlDocument* document_;
  std::uint32_t at_;
};

class XmlDocument {
 public:
  // Deeper nesting is rejected.
  static constexpr int max_levels = 256;

  // The bytes must outlive the document.
  XmlDocument(std::string_view bytes, std::string file_name);
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  // The outermost element; missing if the text is not XML, and then there is an error.
  XmlElement root() const { return {this, nodes_.empty() ? none : 0}; }
  const std::optional<Diagnostic>& error() const { return error_; }
  // All elements, in the order of the text.
  std::size_t size() const { return nodes_.size(); }
  XmlElement element(std::size_t index) const { return {this, static_cast<std::uint32_t>(index)}; }

  Place place(std::size_t offset) const { return place_in(text_, offset); }
  std::unexpected<Diagnostic> reject(std::size_t offset, std::string_view field, std::string found,
                                     std::string expected) const;

 private:
  friend class XmlElement;
  friend class XmlElement::Iterator;
  friend class XmlReader;

  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  struct Span {
    std::uint32_t begin = 0, size = 0;
  };
  struct Node {
    std::uint32_t offset = 0;  // of the tag in the text
    std::uint32_t parent = none, first_child = none, next = none;
    std::uint32_t attribute_begin = 0, attribute_end = 0;
    Span name;  // in the text
    Span text;  // in strings_
  };
  struct NameAndValue {
    Span name;   // in the text
    Span value;  // in strings_
  };

  bool decode(std::string_view bytes);
  bool fail(std::size_t offset, std::string found, std::string expected);  // returns false
  std::string_view in_text(Span span) const { return text_.substr(span.begin, span.size); }
  std::string_view in_strings(Span span) const { return std::string_view(strings_).substr(span.begin, span.size); }

  std::string_view text_;
  std::string recoded_;  // the text if the file was not UTF-8
  std::string file_name_;
  std::vector<Node> nodes_;
  std::vector<NameAndValue> attributes_;
  std::string strings_;  // values and texts, decoded
  std::optional<Diagnostic> error_;
};

}  // namespace limber
