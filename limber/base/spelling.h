// Suggestions for a misspelt name: the known names with the smallest edit distance.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber {

// Levenshtein distance.
inline int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// "a site, such as 'head', 'hand', 'heel'".
inline std::string with_nearest(const std::string& what, std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t max_shown = 3, max_length = 200;  // longer text is not a name, and slow to compare
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& candidate : known)
    if (std::max(name.size(), candidate.size()) <= max_length)
      near.emplace_back(edit_distance(name, candidate), candidate);
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());  // a joint, its segment and its site share a name
  std::string text = what;
  for (std::size_t k = 0; k < std::min(max_shown, near.size()); ++k)
    text += (k == 0 ? ", such as '" : "', '") + near[k].second;
  return near.empty() ? text : text + "'";
}

}  // namespace limber
