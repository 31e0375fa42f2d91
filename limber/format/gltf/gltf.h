// glTF 2.0: text (.gltf) and binary (.glb), and of VRM 1.0 the map of bones.                  doc/formats.md
//
// Reading. Every node of the default scene becomes a segment with a joint and a site of the node's name, made unique.
// With R0, t0 the node's own rotation and translation and E its parent's scale (gltf_asset.h), the joint is
//
//   X_parent_node = (R0, E t0) · T(tx, ty, tz along the parent's axes) · Rx(rx) Ry(ry) Rz(rz)
//
// so that all parameters are 0 as the file stands. Joints of skins, bones of a humanoid map and nodes that an animation
// turns or shifts have rx, ry, rz; tx, ty, tz have those that an animation shifts and the roots of the skeleton. Below
// another joint tx, ty, tz have a rigidity of 1: an animation may stretch a bone, a solve does not. The other nodes are
// rigid. A file without any of these has rx, ry, rz at all nodes.
//
// The whole document stays in Content::asset, so that meshes, materials and what else Limber does not know come back
// when the content is written again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

// .gltf, .glb and .vrm are told apart by their bytes. Content::clips holds all animations, in the file's order: frames
// from time 0, at the rate that the options ask for; else on the even grid on which all keys of the animation lie, each
// step divided so that there are at least 24 a second; else at 30 a second.
Expected<Content> read_gltf(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {},
                            const FileLoader& load = {});

// The pose of animation `clip` at time t, in seconds, as the keys of the file say it and not from the frames. Before
// the first key and after the last the motion stands still. With no_clip, the pose in which the file stands.
inline constexpr int no_clip = -1;
Expected<Pose> pose_at(const Content& content, int clip, double t);

// Where the nodes are by the file's own matrices, all scales included: in metres, one a segment of the figure. The
// figure, being rigid, is as far from it as the scales above a joint are from uniform and constant.
Expected<std::vector<Vec3>> node_positions(const Content& content, int clip, double t);

// The bones of a VRM 1.0 humanoid: ("rightHand", the name of its segment).
std::vector<std::pair<std::string, std::string>> vrm_bones(const GltfAsset& asset);

enum class GltfForm { text, binary };  // .gltf with the data inside in base64, or GLB

// With an asset, the document that was read comes back with what is new: the nodes of the joints that `pose` moves, and
// as its animations the clips, of which those that equal the animation of their name stay as they were. A clip looks
// the same whatever the pose: what the pose moves and the clip does not is held where it was while the clip plays.
// Where nothing is new the very same bytes come back.
//
// Without one, a new document: a node a segment, as the pose or else the rest pose has it, a node below it for every
// site that is not its origin, a stick a bone as the body, and the clips as animations.
Expected<Written> write_gltf(const Content& content, const std::vector<Clip>& clips, GltfForm form,
                             const WriteOptions& options = {}, const Pose* pose = nullptr);

}  // namespace limber
