#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/base/number.h"
#include "limber/format/text/json.h"

namespace limber {

void JsonWriter::before_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += ',';
  if (level.layout == Layout::block) {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  } else if (!level.empty) {
    text_ += ' ';
  }
  level.empty = false;
}

JsonWriter& JsonWriter::begin(char opening, Layout layout) {
  before_item();
  text_ += opening;
  const bool in_row = !levels_.empty() && levels_.back().layout == Layout::row;
  levels_.push_back({opening == '{' ? '}' : ']', in_row ? Layout::row : layout});
  return *this;
}

JsonWriter& JsonWriter::end() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::block && !level.empty) {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  }
  text_ += level.closing;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view key) {
  value(key);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(double value) {
  before_item();
  text_ += std::isfinite(value) ? to_text(value) : "null";
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  before_item();
  text_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::value(bool value) {
  before_item();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_item();
  text_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return *this;
}

JsonWriter& JsonWriter::value(const Vec3& v) {
  begin_array(Layout::row);
  for (const double x : v) value(x);
  return end();
}

JsonWriter& JsonWriter::direction(const Vec3& v) {
  for (int k = 0; k < 3; ++k)
    for (const double sign : {1.0, -1.0})
      if (v == sign * Vec3::Unit(k)) return value(std::string(sign < 0.0 ? "-" : "") + "xyz"[k]);
  return value(v);
}

std::string JsonWriter::take() {
  text_ += '\n';
  return std::move(text_);
}

}  // namespace limber
