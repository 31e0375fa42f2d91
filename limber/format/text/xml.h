// XML as Limber's readers see it: a tree of elements that know their place in the text.
//
// Reading. The text is gone through once, from tag to tag. What no file of ours needs and an attacker likes is
// rejected: document types, with them entities, and deep nesting. Beyond that it is XML 1.0 with its line ends and
// references, read as kindly as usual: "--" may stand in a comment, "<" in a value, and of characters above ASCII any
// in a name. Text that is nothing but blanks between two tags is layout and left out.
//
// Elements lie in one array in the order of the text, so nothing recurses. A node has 40 bytes and its tag four
// characters at least; while an array grows, the old one and the new one of twice its size are there together. So
// memory is at most 3 · 40 / 4 = 30 times the text, which is reached by nothing but "<a/><a/><a/>…", and a few kB for
// the elements that are open.
//
// Names are as in the file, with their prefix ("drake:acceleration"); case matters, as XML has it.
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

// One element of a document, or the lack of one: what child() gives where there is none. The document must outlive it,
// and stay where it is.
class XmlElement {
 public:
  // Over the elements inside an element.
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
  std::string_view text() const;  // all of it that stands directly inside, without blanks at either end
  std::optional<std::string_view> attribute(std::string_view name) const;
  std::size_t attributes() const;
  Attribute attribute(std::size_t index) const;

  Iterator begin() const;
  Iterator end() const;
  XmlElement child(std::string_view name) const;  // the first of that name
  XmlElement parent() const;

  std::size_t offset() const;                               // of its tag, in the text
  std::size_t offset_of(std::string_view attribute) const;  // of the attribute's name; of the tag where there is none

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
  // What is deeper than this is rejected.
  static constexpr int max_levels = 256;

  // The bytes must outlive the document.
  XmlDocument(std::string_view bytes, std::string file_name);
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  // The outermost element; none where the text is not XML: then there is an error.
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
  bool fail(std::size_t offset, std::string found, std::string expected);  // gives false
  std::string_view in_text(Span span) const { return text_.substr(span.begin, span.size); }
  std::string_view in_strings(Span span) const { return std::string_view(strings_).substr(span.begin, span.size); }

  std::string_view text_;
  std::string recoded_;  // the text where the file was not in UTF-8
  std::string file_name_;
  std::vector<Node> nodes_;
  std::vector<NameAndValue> attributes_;
  std::string strings_;  // values and texts, decoded
  std::optional<Diagnostic> error_;
};

}  // namespace limber
