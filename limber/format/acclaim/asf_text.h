// The parsed ASF file: units and a tree of bones, not yet converted (acclaim.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/format/content/content.h"
#include "limber/format/text/text.h"

namespace limber {

struct AsfLimits {
  double lower = -infinity, upper = infinity;
  std::size_t at = 0;
};

struct AsfBone {
  static constexpr std::array<std::string_view, 7> dof_names = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
  static constexpr int first_turn = 3, length_dof = 6;  // of dof_names
  static constexpr int no_bone = -1;

  std::string name = {};
  std::size_t at = 0;  // offset of its name in the text
  std::optional<Vec3> direction = {};
  std::optional<double> length = {};
  Vec3 axis = Vec3::Zero();  // angles about x, y, z as in the file
  EulerOrder axis_order = {2, 1, 0};
  std::vector<int> dofs = {};
  std::vector<AsfLimits> limits = {};
  bool has_limits = false;
  double mass = 0.0, mass_centre = 0.0;
  int parent = no_bone;
  std::vector<int> children = {};

  std::string quoted() const { return "bone " + in_quotes(name); }
};

struct AsfText {
  static constexpr int root = 0;  // the first bone

  std::string name;
  bool in_degrees = true;
  std::optional<double> length_unit;
  double mass_unit = 1.0;
  Vec3 position = Vec3::Zero();  // of the root
  std::vector<AsfBone> bones;
  std::vector<int> order;  // bones, depth first
  std::vector<Note> notes;
};

Expected<AsfText> read_asf_text(TextReader& in);

}  // namespace limber
