// Left and right in names.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace limber {

// The name with "left" and "right" exchanged wherever they are words of it: "left_heel", "LeftFoot", "hip LEFT", but
// not "bright" or "leftover".
inline std::string other_side(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> sides[] = {
      {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}};
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_letter = [&](char c) { return is_small(c) || (c >= 'A' && c <= 'Z'); };
  std::string image;
  for (std::size_t i = 0; i < name.size();) {
    const std::string_view rest = name.substr(i);
    std::string_view from, to;
    for (const auto& [left, right] : sides) {
      if (rest.starts_with(left)) std::tie(from, to) = std::pair(left, right);
      if (rest.starts_with(right)) std::tie(from, to) = std::pair(right, left);
    }
    const bool begins = i == 0 || !is_letter(name[i - 1]) || (is_small(name[i - 1]) && !is_small(rest[0]));
    const bool ends = rest.size() == from.size() || !is_small(rest[from.size()]);
    if (from.empty() || !begins || !ends) {
      image += name[i++];
      continue;
    }
    image += to;
    i += from.size();
  }
  return image;
}

}  // namespace limber
