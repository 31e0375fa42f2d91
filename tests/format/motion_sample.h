// Shared by the tests of motion files.
#pragma once

#include <filesystem>

#include "limber/format/content/content.h"
#include "tests/format/note.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"
#include "tests/support/places.h"
#include "tests/support/tree.h"

namespace limber {

inline std::filesystem::path data_folder() { return std::filesystem::path(source_dir()) / "data"; }

// Of many frames or prefixes, one in so many: all of them, but for the sanitized run.
inline int stride(int quick) { return law::whole_or_quick(1, quick); }

inline Clip random_clip(const Figure& figure, std::uint64_t seed, int frames) {
  Random random(seed);
  Clip clip;
  clip.name = "random";
  clip.poses.resize(static_cast<Eigen::Index>(figure.parameters().size()), frames);
  for (int k = 0; k < frames; ++k) clip.poses.col(k) = testing::random_pose(figure, random, 3.0).theta;
  return clip;
}

}  // namespace limber
