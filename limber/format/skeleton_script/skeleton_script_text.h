// The parsed skeleton script: the listed joints and their definitions. Values are as in the file, in degrees and the
// file's unit of length, each with its place in the text.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/figure/description.h"
#include "limber/format/content/content.h"

namespace limber {

inline constexpr int none = -1;  // no parent, no letter

// hinge or slide.
struct SkeletonFreedom {
  Motion motion = Motion::rotate;
  Vec3 axis = Vec3::UnitX();
  int letter = -1;                             // 0, 1, 2 if the axis was written as x, y, z
  double lower = -infinity, upper = infinity;  // as written: degrees, or lengths
};

struct SkeletonTip {
  std::string name = {};
  std::size_t offset = 0;
  Frame frame = {};  // lengths as written
};

struct SkeletonJoint {
  std::size_t offset = 0;  // in the text
  std::string object = {};
  Frame frame = {};  // offset and orientation
  std::optional<SkeletonFreedom> motion = {};
  std::vector<double> rest = {};  // as written
  std::size_t rest_offset = 0;
  double mass = 0.0;
  Vec3 mass_centre = Vec3::Zero();
  std::string mirror = {};
  std::size_t mirror_offset = 0;
  std::vector<SkeletonTip> tips = {};
};

struct SkeletonListed {
  std::string name;
  std::size_t offset = 0;
  int parent = -1;
};

struct SkeletonText {
  std::string name = {};
  std::vector<SkeletonListed> listed = {};                     // a parent before its children
  std::map<std::string, int, std::less<>> index_by_name = {};  // into `listed`
  std::map<std::string, SkeletonJoint, std::less<>> definitions = {};
  std::vector<Note> notes = {};
};

Expected<SkeletonText> read_skeleton_text(std::string_view text, const std::string& file_name);

}  // namespace limber
