// Checks of the text of a picture.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace limber::testing {

// The first XML error, or empty. Supports elements, attributes in double quotes and entities,
// which is all that the picture uses.
inline std::string xml_fault(const std::string& xml) {
  std::vector<std::string> open;
  std::set<std::string> ids;
  bool root_seen = false;
  for (std::size_t i = 0; i < xml.size();) {
    if (xml[i] == '&') {
      const std::size_t end = xml.find(';', i);
      if (end == std::string::npos ||
          !std::set<std::string>{"&amp", "&lt", "&gt", "&quot"}.contains(xml.substr(i, end - i)))
        return "bare &";
      i = end + 1;
      continue;
    }
    if (xml[i] != '<') {
      if (static_cast<unsigned char>(xml[i]) < 0x20 && xml[i] != '\n') return "control character";
      if (open.empty() && xml[i] != '\n') return "text outside the root";
      ++i;
      continue;
    }
    const std::size_t end = xml.find('>', i);
    if (end == std::string::npos) return "unclosed tag";
    std::string tag = xml.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.find('<') != std::string::npos) return "'<' within <" + tag;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closing " + tag;
      open.pop_back();
      continue;
    }
    const bool empty = tag.ends_with('/');
    if (empty) tag.pop_back();
    std::size_t k = 0;
    while (k < tag.size() && std::isalpha(static_cast<unsigned char>(tag[k]))) ++k;
    const std::string name = tag.substr(0, k);
    if (name.empty()) return "tag without a name";
    std::set<std::string> attributes;
    while (true) {
      while (k < tag.size() && tag[k] == ' ') ++k;
      if (k == tag.size()) break;
      const std::size_t equals = tag.find("=\"", k);
      if (equals == std::string::npos) return "attribute in <" + tag;
      const std::string key = tag.substr(k, equals - k);
      const std::size_t quote = tag.find('"', equals + 2);
      if (key.find(' ') != std::string::npos || quote == std::string::npos) return "attribute in <" + tag;
      if (!attributes.insert(key).second) return "attribute " + key + " twice";
      if (key == "id" && !ids.insert(tag.substr(equals + 2, quote - equals - 2)).second) return "id twice";
      k = quote + 1;
      if (k < tag.size() && tag[k] != ' ') return "no space after " + key;
    }
    if (open.empty() && root_seen) return "two roots";
    root_seen = true;
    if (!empty) open.push_back(name);
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

inline int occurrences(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + 1)) ++n;
  return n;
}

// Attribute values that are not valid numbers, or empty.
inline std::string number_fault(const std::string& svg) {
  std::string lower;
  for (const char c : svg) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* bad : {"\"nan", " nan", "\"-nan", "\"inf", " inf", "-inf", ">nan<", ">-nan<", ">inf<"})
    if (occurrences(lower, bad) > 0) return bad;
  return "";
}

}  // namespace limber::testing
