// Bad data comes back as a Diagnostic: where it stands, what was found, what was expected.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace limber {

struct Diagnostic {
  std::string where;     // "joint 'right_elbow', freedom 'flex'"; for files "scene.json:12:8: /constraints/0/goal"
  std::string found;     // "lower limit 2 above upper limit 1"
  std::string expected;  // "lower <= upper"

  // One line for people: "where: found …; expected …".
  std::string text() const {
    std::string line = where.empty() ? "" : where + ": ";
    line += "found " + found;
    if (!expected.empty()) line += "; expected " + expected;
    return line;
  }
};

template <class T>
using Expected = std::expected<T, Diagnostic>;

inline std::unexpected<Diagnostic> refuse(std::string where, std::string found, std::string expected) {
  return std::unexpected(Diagnostic{std::move(where), std::move(found), std::move(expected)});
}

}  // namespace limber
