// Paths that one file gives of another. They stay in the folder of the file that names them, or below it.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace limber {

// What is expected instead; nothing if the path is a relative one without "..".
inline std::optional<std::string_view> wrong_with_path(std::string_view path) {
  constexpr std::string_view separators = "/\\";
  if (path.empty()) return "the name of a file";
  if (path.contains('\0')) return "a name without a zero byte";
  const std::size_t colon = path.find(':');
  if (colon != std::string_view::npos && path.find_first_of(separators) > colon) return "a file next to the document";
  if (separators.contains(path.front())) return "a path relative to the document";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find_first_of(separators, begin), path.size());
    if (path.substr(begin, end - begin) == "..")
      return "a path without \"..\": a file in the folder of the document or below";
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace limber
