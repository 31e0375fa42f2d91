#include "limber/roles/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace limber {

namespace {

struct Word {
  Role role;
  std::string_view spellings;  // separated by blanks, without sides, digits and separators
};
// "shoulder" is a clavicle in most programs and a shoulder in others, "leg" a shank or a whole leg: they are left out.
constexpr std::array words = {
    Word{Role::pelvis, "hips pelvis"},
    Word{Role::spine, "spine waist abdomen chest upperchest torso thorax lowerback upperback"},
    Word{Role::neck, "neck lowerneck upperneck"},
    Word{Role::head, "head"},
    Word{Role::clavicle, "clavicle collar collarbone"},
    Word{Role::shoulder, "upperarm uparm humerus shldr"},
    Word{Role::elbow, "forearm lowerarm loarm lowarm radius elbow"},
    Word{Role::wrist, "hand wrist"},
    Word{Role::hip, "upleg upperleg thigh femur"},
    Word{Role::knee, "lowerleg loleg lowleg shin calf tibia knee"},
    Word{Role::ankle, "foot ankle"},
    Word{Role::ball, "toe toes toebase ball"},
};
constexpr std::string_view control_words[] = {"ik", "pole", "target", "control", "ctrl"};

bool is_one_of(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t blank = std::min(list.find(' '), list.size());
    if (list.substr(0, blank) == word) return true;
    list.remove_prefix(std::min(blank + 1, list.size()));
  }
  return false;
}

std::optional<Role> role_of(std::string_view word) {
  for (const Word& one : words)
    if (is_one_of(one.spellings, word)) return one.role;
  return std::nullopt;
}

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// "rightUpperArm_2" → right upper arm.
std::vector<std::string> split(std::string_view name) {
  std::vector<std::string> parts;
  bool begins = true;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const char c = name[k];
    if (!is_letter(c)) {
      begins = true;
      continue;
    }
    const bool after_lower = k > 0 && is_letter(name[k - 1]) && !is_upper(name[k - 1]);
    const bool before_lower = k > 0 && k + 1 < name.size() && is_letter(name[k + 1]) && !is_upper(name[k + 1]);
    if (begins || (is_upper(c) && (after_lower || before_lower))) parts.emplace_back();
    begins = false;
    parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return parts;
}

}  // namespace

NameHint name_hint(std::string_view name) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  NameHint hint;
  std::string rest;
  for (const std::string& part : split(name)) {
    const bool is_left = part == "left" || part == "l", is_right = part == "right" || part == "r";
    if (is_left || is_right)
      hint.side = is_left ? Side::left : Side::right;
    else
      rest += part;
    hint.is_control = hint.is_control || std::ranges::find(control_words, part) != std::end(control_words);
  }
  if (hint.is_control) return hint;
  hint.role = role_of(rest);
  for (const auto& [prefix, side] : {std::pair{std::string_view("left"), Side::left},
                                     {"right", Side::right},
                                     {"l", Side::left},
                                     {"r", Side::right}}) {
    if (hint.role || hint.side != Side::middle || !rest.starts_with(prefix)) continue;
    hint.role = role_of(rest.substr(prefix.size()));
    if (hint.role) hint.side = side;
  }
  return hint;
}

}  // namespace limber
