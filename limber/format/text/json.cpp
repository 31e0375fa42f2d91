#include "limber/format/text/json.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace limber {

namespace {

// Offsets have 32 bits.
constexpr std::size_t max_text = 1u << 30;

bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_structure(char c) { return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':' || c == '"'; }

// The offset after the string that begins at `i`.
std::size_t skip_string(std::string_view text, std::size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\') ++i;
  return std::min(i + 1, text.size());
}

// The offset after the number or word that begins at `i`.
std::size_t skip_word(std::string_view text, std::size_t i) {
  while (i < text.size() && !is_json_space(text[i]) && !is_structure(text[i])) ++i;
  return i;
}

}  // namespace

// Fills the nodes created by the scan, in the same order. The function names are those of nlohmann/json's SAX
// interface.
struct JsonEvents {
  JsonDocument& document;
  std::size_t next = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {};  // object or array, its last child so far
  JsonDocument::Span last_key = {};
  std::size_t error_position = 0;
  std::string error_text = {};

  JsonDocument::Node* add(JsonKind kind) {
    if (next >= document.nodes_.size()) return nullptr;
    const auto index = static_cast<std::uint32_t>(next++);
    JsonDocument::Node& node = document.nodes_[index];
    node.kind = kind;
    node.key = last_key;
    last_key = {};
    if (!open.empty()) {
      auto& [parent, last] = open.back();
      node.parent = parent;
      if (last == JsonDocument::none)
        document.nodes_[parent].children.first = index;
      else
        document.nodes_[last].next = index;
      ++document.nodes_[parent].children.size;
      last = index;
    }
    return &node;
  }
  JsonDocument::Span store(const std::string& text) {
    const JsonDocument::Span span{static_cast<std::uint32_t>(document.strings_.size()),
                                  static_cast<std::uint32_t>(text.size())};
    document.strings_ += text;
    return span;
  }
  bool start(JsonKind kind) {
    JsonDocument::Node* node = add(kind);
    if (!node) return false;
    node->children = {};
    open.emplace_back(static_cast<std::uint32_t>(next - 1), JsonDocument::none);
    return true;
  }
  bool end() {
    open.pop_back();
    return true;
  }
  // `rounded` is used if from_chars reports underflow.
  bool add_number(double rounded) {
    JsonDocument::Node* node = add(JsonKind::number);
    if (!node) return false;
    const char* first = document.text_.data() + node->offset;
    const auto [end, error] = std::from_chars(first, document.text_.data() + document.text_.size(), node->number);
    if (error != std::errc()) node->number = rounded;
    return true;
  }

  bool null() { return add(JsonKind::null) != nullptr; }
  bool boolean(bool value) {
    JsonDocument::Node* node = add(JsonKind::boolean);
    if (node) node->boolean = value;
    return node != nullptr;
  }
  bool number_integer(std::int64_t value) { return add_number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return add_number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return add_number(value); }
  bool string(std::string& value) {
    JsonDocument::Node* node = add(JsonKind::text);
    if (node) node->text = store(value);
    return node != nullptr;
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return start(JsonKind::object); }
  bool key(std::string& value) {
    last_key = store(value);
    return true;
  }
  bool end_object() { return end(); }
  bool start_array(std::size_t) { return start(JsonKind::array); }
  bool end_array() { return end(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& exception) {
    error_position = position;
    error_text = exception.what();
    return false;
  }
};

JsonDocument::JsonDocument(std::string_view text, std::string file_name)
    : text_(text), file_name_(std::move(file_name)) {
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  const bool read = scan() && parse() && reject_duplicate_keys();
  if (!read) nodes_.assign(1, Node{});
}

// Creates one node per value, with its offset. Invalid JSON is detected later by parse().
bool JsonDocument::scan() {
  if (text_.size() > max_text) {
    fail(0, "", std::to_string(text_.size()) + " bytes", "at most " + std::to_string(max_text));
    return false;
  }
  std::string open;  // open brackets
  bool key_follows = false;
  std::uint32_t key_offset = 0;
  for (std::size_t i = 0; i < text_.size();) {
    const char c = text_[i];
    const auto offset = static_cast<std::uint32_t>(i);
    if (c == '"' && key_follows) {
      key_offset = offset;
      key_follows = false;
      i = skip_string(text_, i);
      continue;
    }
    if (c == '{' || c == '[' || c == '"' || (!is_json_space(c) && !is_structure(c))) {
      nodes_.push_back({});
      nodes_.back().offset = offset;
      nodes_.back().key_offset = key_offset;
    }
    if (c == '{' || c == '[') {
      open += c;
      if (open.size() > max_levels) {
        fail(offset, "", std::to_string(open.size()) + " nested arrays and objects",
             "at most " + std::to_string(max_levels));
        return false;
      }
    }
    if ((c == '}' || c == ']') && !open.empty()) open.pop_back();
    key_follows = c == '{' || (c == ',' && open.ends_with('{')) || (is_json_space(c) && key_follows);
    i = c == '"' ? skip_string(text_, i) : is_json_space(c) || is_structure(c) ? i + 1 : skip_word(text_, i);
  }
  return true;
}

bool JsonDocument::parse() {
  JsonEvents events{*this};
  if (nlohmann::json::sax_parse(text_.begin(), text_.end(), &events)) return true;
  // "[json.exception.…] parse error at line 1, column 2: syntax error while parsing value - FOUND; expected
  // EXPECTED"
  std::string_view message = events.error_text;
  const std::size_t offset = std::min(events.error_position > 0 ? events.error_position - 1 : 0, text_.size());
  std::string_view expected = "valid JSON";
  if (const std::size_t at = message.find("; expected "); at != std::string_view::npos) {
    expected = message.substr(at + std::string_view("; expected ").size());
    message = message.substr(0, at);
  }
  if (const std::size_t at = message.find("; last read"); at != std::string_view::npos) message = message.substr(0, at);
  for (const std::string_view before : {"] ", ": ", " - "})
    if (const std::size_t at = message.find(before); at != std::string_view::npos)
      message.remove_prefix(at + before.size());
  // The whole word at the parser's error.
  std::size_t begin = offset;
  while (begin > 0 && !is_json_space(text_[begin - 1]) && !is_structure(text_[begin - 1])) --begin;
  const std::string_view word = text_.substr(begin, skip_word(text_, begin) - begin);
  const bool at_end_of_text = text_.find_first_not_of(" \t\r\n", offset) == std::string_view::npos && word.empty();
  const std::string found = at_end_of_text ? "the end of the text"
                            : word.empty() ? in_quotes(text_.substr(offset, 1))
                                           : in_quotes(word);
  fail(word.empty() ? offset : begin, "", found + " (" + on_one_line(message) + ")", std::string(expected));
  return false;
}

bool JsonDocument::reject_duplicate_keys() {
  std::vector<std::uint32_t> members;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].kind != JsonKind::object) continue;
    members.clear();
    for (std::uint32_t m = nodes_[n].children.first; m != none; m = nodes_[m].next) members.push_back(m);
    const auto key_of = [&](std::uint32_t m) { return at(nodes_[m].key); };
    // Equal keys in the order of the text, so that the error is at the second.
    std::ranges::sort(members, {}, [&](std::uint32_t m) { return std::pair(key_of(m), m); });
    const auto duplicate = std::ranges::adjacent_find(members, {}, key_of);
    if (duplicate == members.end()) continue;
    const std::uint32_t second = *std::next(duplicate);
    fail(nodes_[second].key_offset, pointer(second), "the key " + in_quotes(key_of(second)) + " twice",
         "each key once");
    return false;
  }
  return true;
}

std::string JsonDocument::pointer(std::uint32_t node) const {
  std::vector<std::string> steps;
  for (std::uint32_t n = node; nodes_[n].parent != none; n = nodes_[n].parent) {
    const Node& parent = nodes_[nodes_[n].parent];
    if (parent.kind == JsonKind::array) {
      std::size_t index = 0;
      for (std::uint32_t m = parent.children.first; m != n; m = nodes_[m].next) ++index;
      steps.push_back(std::to_string(index));
      continue;
    }
    std::string step;
    for (const char c : on_one_line(at(nodes_[n].key))) step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    steps.push_back(step);
  }
  std::string text = steps.empty() ? "/" : "";
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) text += "/" + *step;
  return text;
}

void JsonDocument::fail(std::size_t offset, std::string field, std::string found, std::string expected) {
  if (error_) return;
  const Place place = place_in(text_, offset);
  std::string where = file_name_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  if (!field.empty()) where += ": " + field;
  error_ = Diagnostic{std::move(where), std::move(found), std::move(expected), place.line, place.column};
}

}  // namespace limber
