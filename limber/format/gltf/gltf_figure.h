// Writing a figure without a glTF document of its own: nodes, a body of sticks, clips as animations.
// Private to the writer of glTF.
#pragma once

#include "limber/format/gltf/gltf.h"

namespace limber {

// theta: the pose in which it is written.
Expected<Written> write_gltf_figure(const Figure& figure, const std::vector<Clip>& clips, GltfForm form,
                                    const VecX& theta);

}  // namespace limber
