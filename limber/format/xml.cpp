#include "limber/format/xml.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <pugixml.hpp>

namespace limber {

namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
// Names end here. What else a name may hold, pugixml knows.
bool ends_name(char c) { return is_blank(c) || c == '>' || c == '/' || c == '=' || c == '<' || c == '"' || c == '\''; }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view name_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && !ends_name(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::string in_brackets(std::string_view name) { return "<" + on_one_line(name) + ">"; }

// What the declaration <?xml … encoding="…"?> says, in small letters; empty where there is none.
std::string declared_encoding(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return {};
  const std::string_view declaration = bytes.substr(0, bytes.find("?>"));
  std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  at = declaration.find_first_of("\"'", at);
  if (at == std::string_view::npos) return {};
  const std::size_t end = declaration.find(declaration[at], at + 1);
  return end == std::string_view::npos ? std::string() : lower_case(declaration.substr(at + 1, end - at - 1));
}

std::string utf8_of_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0 | code >> 6);
      text += static_cast<char>(0x80 | (code & 0x3F));
    }
  }
  return text;
}

// The characters that XML allows a number to name.
bool is_xml_character(unsigned long code) {
  return code == 0x9 || code == 0xA || code == 0xD || (code >= 0x20 && code <= 0xD7FF) ||
         (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

bool is_known_reference(std::string_view name) {
  if (name == "lt" || name == "gt" || name == "amp" || name == "quot" || name == "apos") return true;
  if (!name.starts_with('#')) return false;
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  unsigned long code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  return error == std::errc() && end == digits.data() + digits.size() && is_xml_character(code);
}

std::string expectation(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_start_element:
    case pugi::status_unrecognized_tag:
      return "a tag: <name attribute=\"value\">";
    case pugi::status_bad_attribute:
      return "attributes as name=\"value\", with blanks between them";
    case pugi::status_bad_end_element:
    case pugi::status_end_element_mismatch:
      return "a closing tag: </name>";
    case pugi::status_bad_comment:
      return "a comment that ends: <!-- … -->";
    case pugi::status_bad_cdata:
      return "<![CDATA[ … ]]>";
    case pugi::status_bad_pi:
      return "a processing instruction that ends: <? … ?>";
    default:
      return "well-formed XML";
  }
}

}  // namespace

// --- Elements ------------------------------------------------------------------------------------

XmlElement::Iterator& XmlElement::Iterator::operator++() {
  at_ = document_->nodes_[at_].next;
  return *this;
}

bool XmlElement::exists() const { return at_ != XmlDocument::none; }

std::string_view XmlElement::name() const {
  return exists() ? document_->at(document_->nodes_[at_].name) : std::string_view();
}

std::string_view XmlElement::text() const {
  return exists() ? document_->at(document_->nodes_[at_].text) : std::string_view();
}

std::size_t XmlElement::attributes() const {
  if (!exists()) return 0;
  const XmlDocument::Node& node = document_->nodes_[at_];
  return node.attribute_end - node.attribute_begin;
}

XmlElement::Attribute XmlElement::attribute(std::size_t index) const {
  const auto& [name, value] = document_->attributes_[document_->nodes_[at_].attribute_begin + index];
  return {document_->at(name), document_->at(value)};
}

std::optional<std::string_view> XmlElement::attribute(std::string_view name) const {
  for (std::size_t k = 0; k < attributes(); ++k)
    if (const Attribute one = attribute(k); one.name == name) return one.value;
  return std::nullopt;
}

XmlElement::Iterator XmlElement::begin() const {
  return {document_, exists() ? document_->nodes_[at_].first_child : XmlDocument::none};
}

XmlElement::Iterator XmlElement::end() const { return {document_, XmlDocument::none}; }

XmlElement XmlElement::child(std::string_view name) const {
  for (const XmlElement element : *this)
    if (element.name() == name) return element;
  return {document_, XmlDocument::none};
}

XmlElement XmlElement::parent() const {
  return {document_, exists() ? document_->nodes_[at_].parent : XmlDocument::none};
}

std::size_t XmlElement::offset() const { return exists() ? document_->nodes_[at_].offset : 0; }

std::size_t XmlElement::offset_of(std::string_view attribute) const {
  if (!exists()) return 0;
  const std::string_view text = document_->text_;
  std::size_t at = offset() + 1 + name().size();
  for (std::size_t k = 0; k < attributes(); ++k) {
    while (at < text.size() && is_blank(text[at])) ++at;
    const std::string_view name = name_at(text, at);
    if (name == attribute) return at;
    const std::size_t quote = text.find_first_of("\"'", at + name.size());
    if (quote == std::string_view::npos) break;
    at = text.find(text[quote], quote + 1);
    if (at == std::string_view::npos) break;
    ++at;
  }
  return offset();
}

std::unexpected<Diagnostic> XmlElement::refuse(std::string found, std::string expected) const {
  return document_->refuse(offset(), tag(), std::move(found), std::move(expected));
}

std::unexpected<Diagnostic> XmlElement::refuse_attribute(std::string_view attribute, std::string found,
                                                         std::string expected) const {
  return document_->refuse(offset_of(attribute), "attribute " + in_quotes(attribute) + " of " + tag(), std::move(found),
                           std::move(expected));
}

std::string XmlElement::tag() const { return in_brackets(name()); }

// --- The document --------------------------------------------------------------------------------

XmlDocument::XmlDocument(std::string_view bytes, std::string file_name) : file_name_(std::move(file_name)) {
  if (!decode(bytes) || !scan() || !parse()) {
    nodes_.clear();
    attributes_.clear();
  }
}

std::unexpected<Diagnostic> XmlDocument::refuse(std::size_t offset, std::string_view field, std::string found,
                                                std::string expected) const {
  return TextReader(text_, file_name_).refuse(offset, std::move(found), std::move(expected), field);
}

bool XmlDocument::fail(std::size_t offset, std::string found, std::string expected) {
  error_ = refuse(offset, {}, std::move(found), std::move(expected)).error();
  return false;
}

bool XmlDocument::decode(std::string_view bytes) {
  const Expected<std::string_view> plain = plain_text(bytes, file_name_);
  if (!plain) {
    error_ = plain.error();
    return false;
  }
  text_ = *plain;
  if (text_.size() >= none) return fail(0, "a file of 4 GiB or more", "a smaller one");
  if (std::ranges::all_of(text_, is_ascii)) return true;
  const std::string encoding = declared_encoding(text_);
  if (encoding.empty() || encoding == "utf-8" || encoding == "utf8") return true;
  if (encoding != "iso-8859-1" && encoding != "latin1")
    return fail(0, "text in the encoding " + in_quotes(encoding), "UTF-8: save the file in it");
  recoded_ = utf8_of_latin1(text_);
  text_ = recoded_;
  if (text_.size() >= none) return fail(0, "a file of 4 GiB or more", "a smaller one");
  return true;
}

// Tags must match, within the depth that we allow; there is one outermost element, and no text beside it.
bool XmlDocument::scan() {
  std::vector<Span> open;  // the names of the elements around, in the text
  bool had_root = false;
  std::size_t at = 0;
  while (at < text_.size()) {
    const std::size_t tag = std::min(text_.find('<', at), text_.size());
    if (open.empty()) {
      const std::size_t stray = text_.find_first_not_of(blanks, at);
      if (stray < tag)
        return fail(stray, in_quotes(trimmed(text_.substr(stray, std::min(tag - stray, std::size_t(100))))),
                    had_root ? "nothing after the outermost element" : "XML, which begins with \"<\"");
    } else if (!scan_references(at, tag)) {
      return false;
    }
    if (tag == text_.size()) break;

    const std::string_view rest = text_.substr(tag);
    // What is not ended, pugixml finds.
    const auto after = [&](std::string_view end, std::size_t from) {
      const std::size_t found = text_.find(end, tag + from);
      return found == std::string_view::npos ? text_.size() : found + end.size();
    };
    if (rest.starts_with("<!--")) {
      at = after("-->", 4);
    } else if (rest.starts_with("<![CDATA[")) {
      if (open.empty()) return fail(tag, "<![CDATA[", "an element around it");
      at = after("]]>", 9);
    } else if (rest.starts_with("<?")) {
      at = after("?>", 2);
    } else if (rest.starts_with("<!")) {
      return fail(tag, in_quotes(rest.substr(0, rest.find_first_of(" \t\r\n>["))) + ", a document type",
                  "a file without one: document types and entities are refused");
    } else {
      at = scan_tag(tag, open, had_root);
      if (error_) return false;
    }
  }
  if (!open.empty())
    return fail(text_.size(),
                "the end of the file inside " + in_brackets(at_text(open.back())) + " of line " +
                    std::to_string(place(open.back().begin).line),
                "</" + on_one_line(at_text(open.back())) + ">");
  if (!had_root) return fail(0, "no element", "XML");
  return true;
}

// From the "<" of a tag to behind its ">".
std::size_t XmlDocument::scan_tag(std::size_t begin, std::vector<Span>& open, bool& had_root) {
  const bool closing = text_.substr(begin).starts_with("</");
  const std::string_view name = name_at(text_, begin + (closing ? 2 : 1));
  std::size_t end = begin + 1;
  while (end < text_.size() && text_[end] != '>') {
    if (text_[end] == '"' || text_[end] == '\'') {
      const std::size_t quote = text_.find(text_[end], end + 1);
      if (quote == std::string_view::npos) {
        fail(end, "a quote that does not end", "attributes as name=\"value\"");
        return end;
      }
      if (!scan_references(end, quote)) return end;
      end = quote;
    } else if (text_[end] == '<') {
      fail(end, "\"<\" inside " + in_brackets(name), "\">\" first");
      return end;
    }
    ++end;
  }
  if (end == text_.size()) {
    fail(end, "the end of the file inside a tag", "\">\"");
    return end;
  }
  if (closing) {
    if (open.empty() || at_text(open.back()) != name)
      fail(begin, "</" + on_one_line(name) + ">",
           open.empty() ? "no closing tag: nothing is open"
                        : "</" + on_one_line(at_text(open.back())) + ">, which closes line " +
                              std::to_string(place(open.back().begin).line));
    else
      open.pop_back();
  } else {
    if (open.empty() && had_root)
      fail(begin, "a second outermost element " + in_brackets(name), "one element around all others");
    had_root = true;
    ++elements_;
    if (text_[end - 1] != '/')
      open.push_back({static_cast<std::uint32_t>(name.data() - text_.data()), static_cast<std::uint32_t>(name.size())});
    if (open.size() > most_levels)
      fail(begin, "elements nested deeper than " + std::to_string(most_levels), "a flatter tree");
  }
  return end + 1;
}

// "&name;" must be one of XML's own: there is no document type that could declare others.
bool XmlDocument::scan_references(std::size_t begin, std::size_t end) {
  constexpr std::size_t longest = 12;
  const std::string_view here = text_.substr(0, end);
  for (std::size_t at = here.find('&', begin); at < end; at = here.find('&', at + 1)) {
    const std::string_view ahead = here.substr(at + 1, longest);
    const std::size_t size = ahead.find(';');
    if (size == std::string_view::npos || !is_known_reference(ahead.substr(0, size)))
      return fail(at, in_quotes(text_.substr(at, size == std::string_view::npos ? 1 : size + 2)),
                  "&amp; or another of XML's own references: entities are refused");
  }
  return true;
}

// From pugixml's nodes, which are chained, to ours, which lie in a row.
struct XmlFiller {
  XmlDocument& to;

  XmlDocument::Span keep(std::string_view text) {
    const XmlDocument::Span span = {static_cast<std::uint32_t>(to.strings_.size()),
                                    static_cast<std::uint32_t>(text.size())};
    to.strings_ += text;
    return span;
  }

  bool attributes(const pugi::xml_node& from, XmlDocument::Node& node) {
    node.attribute_begin = static_cast<std::uint32_t>(to.attributes_.size());
    for (const pugi::xml_attribute& attribute : from.attributes()) {
      const XmlDocument::Span name = keep(attribute.name());
      const XmlDocument::Span value = keep(attribute.value());
      to.attributes_.push_back({name, value});
    }
    node.attribute_end = static_cast<std::uint32_t>(to.attributes_.size());
    if (node.attribute_end - node.attribute_begin < 2) return true;
    std::vector<std::string_view> names;
    for (std::uint32_t k = node.attribute_begin; k < node.attribute_end; ++k)
      names.push_back(to.at(to.attributes_[k].name));
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return true;
    return to.fail(node.offset, "attribute " + in_quotes(*twice) + " twice in " + in_brackets(from.name()),
                   "each attribute once");
  }

  std::string text(const pugi::xml_node& from) {
    std::string all;
    for (const pugi::xml_node& node : from.children())
      if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) all += node.value();
    return all;
  }

  bool fill(const pugi::xml_document& document) {
    to.nodes_.reserve(to.elements_);
    // Depth first: down, else on, else up and on. `last` is the last child so far of each element around.
    std::vector<std::uint32_t> around, last;
    pugi::xml_node from = document.document_element();
    while (from) {
      const auto index = static_cast<std::uint32_t>(to.nodes_.size());
      XmlDocument::Node node;
      node.offset = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(from.offset_debug() - 1, 0));
      node.name = keep(from.name());
      node.text = keep(trimmed(text(from)));
      if (!attributes(from, node)) return false;
      if (!around.empty()) {
        node.parent = around.back();
        (last.back() == XmlDocument::none ? to.nodes_[node.parent].first_child : to.nodes_[last.back()].next) = index;
        last.back() = index;
      }
      to.nodes_.push_back(node);

      pugi::xml_node next = element_from(from.first_child());
      if (next) {
        around.push_back(index);
        last.push_back(XmlDocument::none);
      }
      while (!next && !around.empty()) {
        next = element_from(from.next_sibling());
        if (next) break;
        from = from.parent();
        around.pop_back();
        last.pop_back();
      }
      from = next;
    }
    return true;
  }

  static pugi::xml_node element_from(pugi::xml_node node) {
    while (node && node.type() != pugi::node_element) node = node.next_sibling();
    return node;
  }
};

bool XmlDocument::parse() {
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) return fail(0, "more than the memory holds", "a smaller file");
  if (!result) {
    const std::size_t offset =
        std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text_.size());
    return fail(offset, offset == text_.size() ? "the end of the file" : in_quotes(text_.substr(offset, 20)),
                expectation(result.status));
  }
  return XmlFiller{*this}.fill(document);
}

}  // namespace limber
