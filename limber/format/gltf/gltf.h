// glTF 2.0: text (.gltf) and binary (.glb), and the humanoid bone map of VRM 1.0.             doc/formats.md
//
// Reading. Every node of the default scene becomes a segment with a joint and a site of the node's name, made unique.
// With R0, t0 the node's rotation and translation and E its parent's scale (gltf_asset.h), the joint is
//
//   X_parent_node = (R0, E t0) · T(tx, ty, tz along the parent's axes) · Rx(rx) Ry(ry) Rz(rz)
//
// so that all parameters are 0 in the pose of the file. Joints of skins, bones of a humanoid map and animated nodes
// have rx, ry, rz; nodes that an animation translates and the roots of the skeleton have tx, ty, tz. Below another
// joint tx, ty, tz have rigidity 1: an animation may stretch a bone, a solve does not. Other nodes are rigid. In a file
// without any of these, all nodes have rx, ry, rz.
//
// The whole document is kept in Content::asset, so that meshes, materials and everything unknown to Limber are written
// back.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

// .gltf, .glb and .vrm are distinguished by their bytes. Content::clips has all animations in the file's order, sampled
// from time 0: at the rate of the options; else on the uniform grid of the animation's keys, subdivided to at least 24
// frames per second; else at 30 frames per second.
Expected<Content> read_gltf(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {},
                            const FileLoader& load = {});

// The pose of animation `clip` at time t in seconds, interpolated from the keys of the file, not from the frames.
// Constant before the first key and after the last. With no_clip, the pose of the file.
inline constexpr int no_clip = -1;
Expected<Pose> pose_at(const Content& content, int clip, double t);

// Node positions from the file's own matrices, with all scales: in metres, one per segment. The rigid figure differs
// from them as far as the scales above a joint are not uniform and constant.
Expected<std::vector<Vec3>> node_positions(const Content& content, int clip, double t);

// The bones of a VRM 1.0 humanoid: ("rightHand", the name of its segment).
std::vector<std::pair<std::string, std::string>> vrm_bones(const GltfAsset& asset);

enum class GltfForm { text, binary };  // .gltf with embedded base64 data, or GLB

// With an asset, the original document is written with the changes only: the nodes of joints that `pose` moves, and the
// clips as its animations; clips equal to the animation of their name are unchanged. The pose does not affect a clip:
// nodes moved by the pose but not by the clip get keys that hold them in place. Without changes the output is
// byte-identical.
//
// Without an asset, a new document: one node per segment in the given pose, or at rest; a child node for every site
// that is not the origin; one stick per bone as the body; and the clips as animations.
Expected<Written> write_gltf(const Content& content, const std::vector<Clip>& clips, GltfForm form,
                             const WriteOptions& options = {}, const Pose* pose = nullptr);

}  // namespace limber
