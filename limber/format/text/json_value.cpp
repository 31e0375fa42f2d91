// Reading values: a mismatch is recorded with its place.
#include <algorithm>
#include <cmath>

#include "limber/base/number.h"
#include "limber/format/text/json.h"

namespace limber {

namespace {

std::string listed(std::span<const std::string_view> keys) {
  std::string text;
  std::size_t k = 0;
  for (const std::string_view key : keys) {
    if (k > 0) text += k + 1 == keys.size() ? " or " : ", ";
    text += '"' + std::string(key) + '"';
    ++k;
  }
  return text;
}

}  // namespace

JsonValue::Iterator& JsonValue::Iterator::operator++() {
  at_ = document_->nodes_[at_].next;
  return *this;
}

bool JsonValue::exists() const { return at_ != JsonDocument::none; }
JsonKind JsonValue::kind() const { return exists() ? document_->nodes_[at_].kind : JsonKind::null; }
std::string_view JsonValue::key() const { return exists() ? document_->at(document_->nodes_[at_].key) : missing_; }
std::size_t JsonValue::size() const {
  return is(JsonKind::array) || is(JsonKind::object) ? document_->nodes_[at_].children.size : 0;
}
JsonValue::Iterator JsonValue::begin() const {
  return {document_, size() > 0 ? document_->nodes_[at_].children.first : JsonDocument::none};
}
JsonValue::Iterator JsonValue::end() const { return {document_, JsonDocument::none}; }

JsonValue JsonValue::operator[](std::string_view key) const {
  if (is(JsonKind::object))
    for (const JsonValue member : *this)
      if (member.key() == key) return member;
  return {document_, JsonDocument::none, exists() ? at_ : object_, key};
}

std::string JsonValue::described() const {
  switch (kind()) {
    case JsonKind::null:
      return exists() ? "null" : "no \"" + std::string(missing_) + "\"";
    case JsonKind::boolean:
      return document_->nodes_[at_].boolean ? "true" : "false";
    case JsonKind::number:
      return "the number " + to_text(document_->nodes_[at_].number);
    case JsonKind::text:
      return "the text " + in_quotes(document_->at(document_->nodes_[at_].text));
    case JsonKind::array:
      return size() == 0 ? "an empty array" : "an array of " + std::to_string(size());
    case JsonKind::object:
      return "an object";
  }
  return "?";
}

Place JsonValue::place() const {
  return place_in(document_->text_, document_->nodes_[exists() ? at_ : object_].offset);
}

void JsonValue::fail(std::string found, std::string expected) const {
  const std::uint32_t node = exists() ? at_ : object_;
  if (!document_->error_)  // a place has linear cost
    document_->fail(document_->nodes_[node].offset, document_->pointer(node), std::move(found), std::move(expected));
}

void JsonValue::fail_at_key(std::string found, std::string expected) const {
  if (!document_->error_)
    document_->fail(document_->nodes_[at_].key_offset, document_->pointer(at_), std::move(found), std::move(expected));
}

void JsonValue::fail(const Diagnostic& inside) const {
  if (document_->error_) return;
  fail(inside.found, inside.expected);
  if (!inside.where.empty()) document_->error_->where += ": " + inside.where;
}

bool JsonValue::object() const {
  if (is(JsonKind::object)) return true;
  fail(described(), "an object");
  return false;
}

bool JsonValue::object(std::span<const std::string_view> keys) const {
  if (!is(JsonKind::object)) {
    fail(described(), "an object with " + listed(keys));
    return false;
  }
  for (const JsonValue member : *this) {
    if (std::ranges::find(keys, member.key()) != keys.end()) continue;
    member.fail_at_key("the key " + in_quotes(member.key()), keys.size() == 0 ? "no key" : listed(keys));
    return false;
  }
  return true;
}

bool JsonValue::array() const {
  if (is(JsonKind::array)) return true;
  fail(described(), "an array");
  return false;
}

bool JsonValue::array(std::size_t size, const char* expected) const {
  if (is(JsonKind::array) && this->size() == size) return true;
  fail(described(), expected);
  return false;
}

JsonValue JsonValue::sole(std::span<const std::string_view> keys) const {
  if (object(keys) && size() == 1) return *begin();
  fail(size() == 0 ? "an object without a key" : std::to_string(size()) + " keys", "one of " + listed(keys));
  return {document_, JsonDocument::none, exists() ? at_ : object_};
}

double JsonValue::number() const {
  if (is(JsonKind::number)) return document_->nodes_[at_].number;
  fail(described(), "a number");
  return 0.0;
}

int JsonValue::integer(int min, int max) const {
  if (is(JsonKind::number)) {
    const double value = document_->nodes_[at_].number;
    if (value >= min && value <= max && value == std::floor(value)) return static_cast<int>(value);
  }
  fail(described(), "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
  return min;
}

bool JsonValue::boolean() const {
  if (is(JsonKind::boolean)) return document_->nodes_[at_].boolean;
  fail(described(), "true or false");
  return false;
}

std::string_view JsonValue::long_text() const {
  if (is(JsonKind::text)) return document_->at(document_->nodes_[at_].text);
  fail(described(), "a string");
  return {};
}

std::string JsonValue::text() const {
  const std::string_view text = long_text();
  if (text.size() <= JsonDocument::max_text_size) return std::string(text);
  fail("a text of " + std::to_string(text.size()) + " bytes", "at most " + std::to_string(JsonDocument::max_text_size));
  return {};
}

Vec3 JsonValue::vector() const {
  Vec3 v = Vec3::Zero();
  if (!array(3, "three numbers: [x, y, z]")) return v;
  int k = 0;
  for (const JsonValue element : *this) v[k++] = element.number();
  return v;
}

Vec3 JsonValue::direction() const {
  if (is(JsonKind::text)) {
    std::string_view name = document_->at(document_->nodes_[at_].text);
    const double sign = name.starts_with('-') ? -1.0 : 1.0;
    if (sign < 0.0) name.remove_prefix(1);
    for (int k = 0; k < 3; ++k) {
      Vec3 axis = Vec3::Zero();
      axis[k] = sign;
      if (name == std::string_view("xyz").substr(static_cast<std::size_t>(k), 1)) return axis;
    }
  }
  if (!is(JsonKind::array) || size() != 3) {
    fail(described(), "three numbers, or one of \"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\"");
    return Vec3::UnitX();
  }
  const Vec3 v = vector();
  const double length = v.norm();
  if (std::isfinite(length) && length > std::numeric_limits<double>::min()) return v;
  fail("a vector of length " + to_text(length), "a direction: a finite vector that is not zero");
  return Vec3::UnitX();
}

}  // namespace limber
