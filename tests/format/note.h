// Whether a note contains a text.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "limber/format/content/content.h"

namespace limber {

inline bool has_note(const std::vector<Note>& notes, std::string_view words) {
  return std::ranges::any_of(notes, [&](const Note& note) { return note.text.find(words) != std::string::npos; });
}
inline bool has_note(const Content& content, std::string_view words) { return has_note(content.notes, words); }

}  // namespace limber
