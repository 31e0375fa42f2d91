#include "limber/format/text/xml.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace limber {

namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_xml_space(char c) { return blanks.find(c) != std::string_view::npos; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool begins_name(char c) { return is_letter(c) || c == '_' || c == ':' || !is_ascii(c); }
bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string in_brackets(std::string_view name) { return "<" + on_one_line(name) + ">"; }

// The encoding of the declaration <?xml … encoding="…"?>, in lower case; empty if there is none.
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

void append_utf8(std::string& text, std::uint32_t code) {
  constexpr std::uint32_t first[] = {0x00, 0xC0, 0xE0, 0xF0};  // by number of continuation bytes
  const int continuation_bytes = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  text += static_cast<char>(first[continuation_bytes] | code >> 6 * continuation_bytes);
  for (int k = continuation_bytes - 1; k >= 0; --k) text += static_cast<char>(0x80 | (code >> 6 * k & 0x3F));
}

std::string utf8_of_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

// Characters that XML allows in numeric references.
bool is_xml_character(std::uint32_t code) {
  return code == 0x9 || code == 0xA || code == 0xD || (code >= 0x20 && code <= 0xD7FF) ||
         (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

// The character of the reference "&name;". No others can be declared, because document types are rejected.
std::optional<std::uint32_t> referred(std::string_view name) {
  constexpr std::pair<std::string_view, char> known[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known_name, character] : known)
    if (name == known_name) return character;
  if (!name.starts_with('#')) return std::nullopt;
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && is_xml_character(code) ? std::optional(code) : std::nullopt;
}

constexpr std::string_view a_tag = "a tag: <name attribute=\"value\">";
constexpr std::string_view attributes_apart = "attributes as name=\"value\", separated by blanks";

}  // namespace

// --- Elements ------------------------------------------------------------------------------------

XmlElement::Iterator& XmlElement::Iterator::operator++() {
  at_ = document_->nodes_[at_].next;
  return *this;
}

bool XmlElement::exists() const { return at_ != XmlDocument::none; }

std::string_view XmlElement::name() const {
  return exists() ? document_->in_text(document_->nodes_[at_].name) : std::string_view();
}

std::string_view XmlElement::text() const {
  return exists() ? document_->in_strings(document_->nodes_[at_].text) : std::string_view();
}

std::size_t XmlElement::attributes() const {
  if (!exists()) return 0;
  const XmlDocument::Node& node = document_->nodes_[at_];
  return node.attribute_end - node.attribute_begin;
}

XmlElement::Attribute XmlElement::attribute(std::size_t index) const {
  const auto& [name, value] = document_->attributes_[document_->nodes_[at_].attribute_begin + index];
  return {document_->in_text(name), document_->in_strings(value)};
}

std::optional<std::string_view> XmlElement::attribute(std::string_view name) const {
  for (std::size_t k = 0; k < attributes(); ++k)
    if (const Attribute candidate = attribute(k); candidate.name == name) return candidate.value;
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
  const XmlDocument::Node& node = document_->nodes_[at_];
  for (std::uint32_t k = node.attribute_begin; k < node.attribute_end; ++k)
    if (const XmlDocument::Span name = document_->attributes_[k].name; document_->in_text(name) == attribute)
      return name.begin;
  return node.offset;
}

std::unexpected<Diagnostic> XmlElement::reject(std::string found, std::string expected) const {
  return document_->reject(offset(), tag(), std::move(found), std::move(expected));
}

std::unexpected<Diagnostic> XmlElement::reject_attribute(std::string_view attribute, std::string found,
                                                         std::string expected) const {
  return document_->reject(offset_of(attribute), "attribute " + in_quotes(attribute) + " of " + tag(), std::move(found),
                           std::move(expected));
}

std::string XmlElement::tag() const { return in_brackets(name()); }

// --- Reading -------------------------------------------------------------------------------------

// Fills a document. Every step starts at at_ and advances it past what it has read; it returns false on an error, which
// is stored in the document.
class XmlReader {
 public:
  explicit XmlReader(XmlDocument& document) : to_(document), text_(document.text_) {}

  bool read() {
    while (at_ < text_.size())
      if (!(current() == '<' ? markup() : characters())) return false;
    if (!open_.empty())
      return fail(at_, "the end of the file inside " + in_brackets(name_of_open()) + " of " + line_of_open(),
                  in_brackets("/" + std::string(name_of_open())));
    return !to_.nodes_.empty() || fail(0, "no element", "XML");
  }

 private:
  using Span = XmlDocument::Span;
  using Node = XmlDocument::Node;

  // An element without its closing tag so far.
  struct Open {
    std::uint32_t node = 0;
    std::uint32_t last_child = XmlDocument::none;  // so far
    std::string text = {};                         // so far
  };

  // The context of characters, which determines their decoding.
  enum class Within { text, value, cdata };

  static std::uint32_t narrow(std::size_t size) { return static_cast<std::uint32_t>(size); }
  static Span span(std::size_t begin, std::size_t end) { return {narrow(begin), narrow(end - begin)}; }
  bool fail(std::size_t offset, std::string found, std::string_view expected) {
    return to_.fail(offset, std::move(found), std::string(expected));
  }
  std::string_view name_of_open() const { return to_.in_text(to_.nodes_[open_.back().node].name); }
  std::string line_of_open() const {
    return "line " + std::to_string(to_.place(to_.nodes_[open_.back().node].offset).line);
  }

  // Text up to the next tag.
  bool characters() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find('<', at_), text_.size());
    const std::size_t stray = text_.find_first_not_of(blanks, begin);
    if (stray >= at_) return true;
    if (!open_.empty()) return decode(begin, at_, Within::text, open_.back().text);
    return fail(stray, in_quotes(trimmed(text_.substr(stray, std::min(at_ - stray, std::size_t(100))))),
                to_.nodes_.empty() ? "XML, which starts with \"<\"" : "no text after the outermost element");
  }

  bool markup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return skip("<!--", "-->");
    if (rest.starts_with("<![CDATA[")) return cdata();
    if (rest.starts_with("<?")) {
      if (rest.size() > 2 && begins_name(rest[2])) return skip("<?", "?>");
      return fail(at_, in_quotes(rest_of_line()), "a processing instruction: <?name … ?>");
    }
    if (rest.starts_with("<!"))
      return fail(at_, in_quotes(rest.substr(0, rest.find_first_of(" \t\r\n>["))) + ", a document type",
                  "a file without a document type: document types and entities are rejected");
    return rest.starts_with("</") ? closing_tag() : opening_tag();
  }

  bool skip(std::string_view from, std::string_view to) {
    const std::size_t end = text_.find(to, at_ + from.size());
    if (end == std::string_view::npos)
      return fail(at_, in_quotes(from) + " without an end", in_quotes(to) + " after it");
    at_ = end + to.size();
    return true;
  }

  bool cdata() {
    constexpr std::string_view from = "<![CDATA[", to = "]]>";
    const std::size_t begin = at_;
    if (open_.empty()) return fail(begin, std::string(from), "an element around it");
    return skip(from, to) && decode(begin + from.size(), at_ - to.size(), Within::cdata, open_.back().text);
  }

  // Appends the decoded text. Any line end becomes one character: LF in text; in values a blank, as do tabs.
  //                                                                                          XML 1.0, 2.11 and 3.3.3
  bool decode(std::size_t begin, std::size_t end, Within within, std::string& out) {
    for (std::size_t at = begin; at < end; ++at) {
      const char c = text_[at];
      if (c == '\r' && text_.substr(at, end - at).starts_with("\r\n")) continue;
      if (c == '&' && within != Within::cdata) {
        const std::size_t size = reference(at, end, out);
        if (size == 0) return false;
        at += size - 1;
      } else if (is_xml_space(c) && within == Within::value) {
        out += ' ';
      } else {
        out += c == '\r' ? '\n' : c;
      }
    }
    return true;
  }

  // Appends the character of "&…;" and returns the length of the reference; 0 if it is not a predefined one.
  std::size_t reference(std::size_t begin, std::size_t end, std::string& out) {
    constexpr std::size_t max_length = 12;
    const std::string_view ahead = text_.substr(begin + 1, std::min(end - begin - 1, max_length));
    const std::size_t size = ahead.find(';');
    const bool ends = size != std::string_view::npos;
    if (const auto code = ends ? referred(ahead.substr(0, size)) : std::nullopt) {
      append_utf8(out, *code);
      return size + 2;
    }
    fail(begin, in_quotes(text_.substr(begin, ends ? size + 2 : 1)),
         "&amp; or another predefined reference: entities are rejected");
    return 0;
  }

  // <name attribute="value" …> or <name …/>.
  bool opening_tag() {
    Node node;
    node.offset = narrow(at_++);
    node.name = name();
    if (node.name.size == 0) return fail_in_tag(node.name, a_tag);
    if (open_.empty() && !to_.nodes_.empty())
      return fail(node.offset, "a second outermost element " + in_brackets(to_.in_text(node.name)),
                  "one outermost element");
    if (!attributes(node)) return false;
    const bool is_whole = take('/');
    if (!take('>')) return fail_in_tag(node.name, a_tag);
    if (!is_whole && open_.size() == XmlDocument::max_levels)
      return fail(node.offset, "elements nested deeper than " + std::to_string(XmlDocument::max_levels),
                  "a flatter tree");
    const std::uint32_t index = append(node);
    if (!is_whole) open_.push_back({.node = index});
    return true;
  }

  // Appends to the children of the open element.
  std::uint32_t append(Node& node) {
    const std::uint32_t index = narrow(to_.nodes_.size());
    if (!open_.empty()) {
      Open& enclosing = open_.back();
      node.parent = enclosing.node;
      const bool is_first = enclosing.last_child == XmlDocument::none;
      (is_first ? to_.nodes_[enclosing.node].first_child : to_.nodes_[enclosing.last_child].next) = index;
      enclosing.last_child = index;
    }
    to_.nodes_.push_back(node);
    return index;
  }

  bool closing_tag() {
    const std::size_t begin = at_;
    at_ += 2;
    const Span closed = name();
    if (closed.size > 0) skip_blanks();
    if (closed.size == 0 || !take('>')) return fail_in_tag(closed, "a closing tag: </name>");
    if (open_.empty() || name_of_open() != to_.in_text(closed))
      return fail(begin, in_brackets("/" + std::string(to_.in_text(closed))),
                  open_.empty() ? "no closing tag: nothing is open"
                                : in_brackets("/" + std::string(name_of_open())) + ", which closes " + line_of_open());
    const std::string_view text = trimmed(open_.back().text);
    to_.nodes_[open_.back().node].text = span(to_.strings_.size(), to_.strings_.size() + text.size());
    to_.strings_ += text;
    open_.pop_back();
    return true;
  }

  bool attributes(Node& node) {
    node.attribute_begin = narrow(to_.attributes_.size());
    for (bool separated = skip_blanks(); begins_name(current()); separated = skip_blanks()) {
      if (!separated) return fail_in_tag(node.name, attributes_apart);
      const Span attribute = name();
      skip_blanks();
      const bool assigned = take('=');
      if (assigned) skip_blanks();
      if (!assigned || (current() != '"' && current() != '\'')) return fail_in_tag(node.name, attributes_apart);
      const std::size_t value = to_.strings_.size();
      if (!quoted()) return false;
      to_.attributes_.push_back({attribute, span(value, to_.strings_.size())});
    }
    node.attribute_end = narrow(to_.attributes_.size());
    return check_unique(node);
  }

  // Appends a value to the strings.
  bool quoted() {
    const std::size_t begin = at_, end = text_.find(text_[begin], begin + 1);
    if (end == std::string_view::npos) return fail(begin, "a quote without an end", "attributes as name=\"value\"");
    at_ = end + 1;
    return decode(begin + 1, end, Within::value, to_.strings_);
  }

  bool check_unique(const Node& node) {
    const std::size_t count = node.attribute_end - node.attribute_begin;
    if (count < 2) return true;
    std::vector<std::string_view> names;
    names.reserve(count);
    for (std::uint32_t k = node.attribute_begin; k < node.attribute_end; ++k)
      names.push_back(to_.in_text(to_.attributes_[k].name));
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return true;
    return fail(node.offset, "attribute " + in_quotes(*twice) + " twice in " + in_brackets(to_.in_text(node.name)),
                "each attribute once");
  }

  // The next character; 0 at the end.
  char current() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // Empty if there is none.
  Span name() {
    const std::size_t begin = at_;
    if (begins_name(current()))
      while (continues_name(current())) ++at_;
    return span(begin, at_);
  }

  bool skip_blanks() {
    const std::size_t begin = at_;
    while (is_xml_space(current())) ++at_;
    return at_ > begin;
  }

  bool take(char c) {
    if (current() != c) return false;
    ++at_;
    return true;
  }

  std::string_view rest_of_line() const { return text_.substr(at_, text_.find_first_of("\r\n", at_) - at_); }

  bool fail_in_tag(Span tag, std::string_view expected) {
    if (at_ == text_.size()) return fail(at_, "the end of the file inside a tag", "\">\"");
    if (current() == '<') return fail(at_, "\"<\" inside " + in_brackets(to_.in_text(tag)), "\">\" first");
    return fail(at_, in_quotes(rest_of_line()), expected);
  }

  XmlDocument& to_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
};

// --- The document --------------------------------------------------------------------------------

XmlDocument::XmlDocument(std::string_view bytes, std::string file_name) : file_name_(std::move(file_name)) {
  if (decode(bytes) && XmlReader(*this).read()) return;
  nodes_.clear();
  attributes_.clear();
}

std::unexpected<Diagnostic> XmlDocument::reject(std::size_t offset, std::string_view field, std::string found,
                                                std::string expected) const {
  return TextReader(text_, file_name_).reject(offset, std::move(found), std::move(expected), field);
}

bool XmlDocument::fail(std::size_t offset, std::string found, std::string expected) {
  error_ = reject(offset, {}, std::move(found), std::move(expected)).error();
  return false;
}

bool XmlDocument::decode(std::string_view bytes) {
  const Expected<std::string_view> plain = plain_text(bytes, file_name_);
  if (!plain) {
    error_ = plain.error();
    return false;
  }
  text_ = *plain;
  if (text_.size() >= none) return fail(0, "a file of 4 GiB or more", "a smaller file");
  if (std::ranges::all_of(text_, is_ascii)) return true;
  const std::string encoding = declared_encoding(text_);
  if (encoding.empty() || encoding == "utf-8" || encoding == "utf8") return true;
  if (encoding != "iso-8859-1" && encoding != "latin1")
    return fail(0, "text in the encoding " + in_quotes(encoding), "UTF-8: convert the file");
  recoded_ = utf8_of_latin1(text_);
  text_ = recoded_;
  if (text_.size() >= none) return fail(0, "a file of 4 GiB or more", "a smaller file");
  return true;
}

}  // namespace limber
