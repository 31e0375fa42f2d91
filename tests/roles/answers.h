// The answers by hand of data/roles/answers.txt.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "limber/roles/roles.h"
#include "tests/support/tree.h"

namespace limber::roles_answers {

struct Answer {
  std::string plan;
  std::vector<std::string> files;
  std::map<std::string, std::vector<std::string>> bones;  // by part, such as "left_knee": all that are right
};

inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

// With the name of a side in place of %; of "a/b" the first is the left one.
inline std::vector<std::string> of_side(const std::string& bones, const std::string& side, bool is_left) {
  std::vector<std::string> names;
  for (const std::string& alternative : split(bones, '|')) {
    const std::vector<std::string> both = split(alternative, '/');
    std::string name = both.size() == 2 ? both[is_left ? 0 : 1] : alternative;
    if (const std::size_t at = name.find('%'); at != std::string::npos) name.replace(at, 1, side);
    names.push_back(name);
  }
  return names;
}

inline std::vector<Answer> read() {
  std::vector<Answer> answers;
  std::string left, right;
  std::ifstream stream(source_dir() + "/data/roles/answers.txt");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word, rest;
    if (!(words >> word) || word.starts_with("#")) continue;
    if (word == "figure") {
      answers.emplace_back();
      left = right = "";
      words >> answers.back().plan;
      while (words >> rest) answers.back().files.push_back(rest);
    } else if (word == "sides") {
      words >> left >> right;
    } else {
      words >> rest;
      const bool is_central =
          word == "pelvis" || word == "waist" || word == "chest" || word == "neck" || word == "head";
      if (is_central) {
        answers.back().bones[word] = split(rest, '|');
        continue;
      }
      answers.back().bones["left_" + word] = of_side(rest, left, true);
      answers.back().bones["right_" + word] = of_side(rest, right, false);
    }
  }
  return answers;
}

// What was found, in the words of the answers: the bone where each part begins, and how certain it is.
struct Found {
  std::string bone;
  double confidence = 0.0;
};
inline std::map<std::string, Found> found(const Figure& figure, const Roles& roles) {
  std::map<std::string, Found> list;
  const auto put = [&](const std::string& name, const RolePart* part) {
    if (!part) return;
    const double side = part->side == Side::middle ? 1.0 : roles.side_confidence;
    list[name] = {figure.segments()[static_cast<std::size_t>(part->first)].name, side * part->confidence};
  };
  put("waist", roles.find(Role::spine));
  put("chest", roles.find(Role::spine, Side::middle, -1));
  for (const RolePart& part : roles.parts)
    if (part.order == 0 && part.role != Role::spine) put(name_of(part), &part);
  return list;
}

}  // namespace limber::roles_answers
