#include "limber/posing/common_body.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace limber {

namespace {

constexpr int max_bones = 256, max_turns = 3, max_name = 64;

}  // namespace

std::size_t handle_part(std::string_view name) {
  const auto found = std::ranges::find(handle_parts, name, &HandlePart::name);
  assert(found != handle_parts.end());
  return static_cast<std::size_t>(found - handle_parts.begin());
}

int CommonBody::find(std::string_view bone) const {
  const auto found = std::ranges::find(bones, bone, &CommonBone::name);
  return found == bones.end() ? -1 : static_cast<int>(found - bones.begin());
}

Expected<CommonBody> CommonBody::read(ByteReader& bytes) {
  CommonBody body;
  const int count = bytes.integer();
  if (count < 1 || count > max_bones)
    return reject("common body", std::to_string(count) + " bones", "1 to " + std::to_string(max_bones));
  for (int k = 0; k < count && !bytes.failed(); ++k) {
    CommonBone bone;
    const int length = bytes.integer();
    if (length < 1 || length > max_name) return reject("common body", "a bone without a name", "a name");
    bone.name = std::string(bytes.take(static_cast<std::size_t>(length)));
    bone.parent = bytes.integer();
    bone.group = bytes.integer();
    const int turns = bytes.integer();
    if (bone.parent < -1 || bone.parent >= k || (bone.parent == -1) != (k == 0) || bone.group < -1 ||
        bone.group >= length_groups || turns < 0 || turns > max_turns)
      return reject("common body, bone '" + bone.name + "'", "a parent, group or number of turns out of range",
                    "a parent before it, a group, at most three turns");
    for (int t = 0; t < turns; ++t) {
      const int axis = bytes.integer();
      if (axis < 0 || axis > 2)
        return reject("common body, bone '" + bone.name + "'", "axis " + std::to_string(axis), "0, 1 or 2");
      bone.turns.push_back(axis);
      body.columns.push_back(bone.name + ".r" + "xyz"[axis]);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) bone.C(i, j) = bytes.real();
    for (int i = 0; i < 3; ++i) bone.b[i] = bytes.real();
    body.bones.push_back(std::move(bone));
  }
  if (bytes.failed()) return reject("common body", "the end of the file", "all bones");
  return body;
}

void CommonBody::forward(const VecX& angles, const Frame& root, const std::array<double, length_groups>& s,
                         State& state) const {
  state.R.resize(bones.size());
  state.p.resize(bones.size());
  state.end.resize(bones.size());
  state.R[0] = root.R;
  state.p[0] = state.end[0] = root.p;
  Eigen::Index next = 0;
  for (std::size_t k = 1; k < bones.size(); ++k) {
    const CommonBone& bone = bones[k];
    const auto parent = static_cast<std::size_t>(bone.parent);
    Mat3 M = Mat3::Identity();
    for (const int axis : bone.turns) M = rotation(Vec3::Unit(axis), angles[next++]) * M;
    state.R[k] = state.R[parent] * bone.C * M * bone.C.transpose();
    state.p[k] = state.end[parent];
    state.end[k] = state.p[k] + s[static_cast<std::size_t>(std::max(bone.group, 0))] * (state.R[k] * bone.b);
  }
}

}  // namespace limber
