// Real and synthetic BVH files.
#pragma once

#include "limber/format/bvh/bvh.h"
#include "tests/format/motion_sample.h"

namespace limber::bvh_sample {

using testing::good;

inline std::vector<std::filesystem::path> bvh_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(data_folder() / "bvh")) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

inline Content read(std::string_view text, const ReadOptions& options = {}) {
  return good(read_bvh(text, "f.bvh", options));
}
inline Content read_file(const std::filesystem::path& path, const ReadOptions& options = {}) {
  return good(read_bvh(read_sample(path), path.filename().string(), options));
}
inline const Clip* first_clip(const Content& content) {
  return content.clips.empty() ? nullptr : &content.clips.front();
}

inline std::string one_bone(const std::string& root_offset, const std::string& bone_channels, const std::string& rows) {
  return "HIERARCHY\nROOT hip\n{\nOFFSET " + root_offset +
         "\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT knee\n{\nOFFSET 0 -4 0\n"
         "CHANNELS " +
         bone_channels +
         "\nEnd Site\n{\nOFFSET 0 -5 0\n}\n}\n}\nMOTION\nFrames: " + std::to_string(std::ranges::count(rows, '\n')) +
         "\nFrame Time: 0.1\n" + rows;
}

}  // namespace limber::bvh_sample
