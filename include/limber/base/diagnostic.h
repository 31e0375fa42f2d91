// Invalid input is reported as a Diagnostic: where, what was found, what was expected.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace limber {

struct Diagnostic {
  std::string where;     // "joint 'right_elbow', freedom 'flex'"; for files "scene.json:12:8: /constraints/0/goal"
  std::string found;     // "lower limit 2 above upper limit 1"
  std::string expected;  // "lower <= upper"
  int line = 0;          // in a text file, from 1; 0 if unknown
  int column = 0;        // in characters, from 1

  // One line for the user: "where: found …; expected …".
  std::string text() const {
    std::string sentence = where.empty() ? "" : where + ": ";
    sentence += "found " + found;
    if (!expected.empty()) sentence += "; expected " + expected;
    return sentence;
  }
};

template <class T>
using Expected = std::expected<T, Diagnostic>;

inline std::unexpected<Diagnostic> reject(std::string where, std::string found, std::string expected) {
  return std::unexpected(Diagnostic{std::move(where), std::move(found), std::move(expected)});
}

// A position in a text.
struct Place {
  int line = 1;
  int column = 1;  // in characters
};

}  // namespace limber
