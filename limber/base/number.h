// Numbers to and from text, without a locale.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace limber {

// The shortest text that reads back as the same number.
inline std::string to_text(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc() ? std::string(buffer, end) : std::string("?");
}

// With a fixed number of decimals.
inline std::string to_text(double value, int digits) {
  char buffer[512];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
  return error == std::errc() ? std::string(buffer, end) : std::string("?");
}

// The whole text as one number, or nothing. A leading '+' is allowed.
inline std::optional<double> to_number(std::string_view text) {
  if (text.starts_with("+-")) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace limber
