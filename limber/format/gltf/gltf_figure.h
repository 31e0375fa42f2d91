// Writing a figure without an existing glTF document: nodes, a stick body, clips as animations. Private to the glTF
// writer.
#pragma once

#include "limber/format/gltf/gltf.h"

namespace limber {

// theta: the pose of the nodes. Segments with an object are shown by it, all others by sticks.
Expected<Written> write_gltf_figure(const Figure& figure, const std::vector<Clip>& clips, GltfForm form,
                                    const VecX& theta, const std::vector<SegmentObject>& objects);

}  // namespace limber
