// Any file: told by its name or its first bytes, read and written by the right format.
//
// The library opens no file. A caller gives the bytes, and a FileLoader for the files that a file refers to.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/format/content/content.h"

namespace limber {

enum class FileKind { limber, bvh, asf, amc, skeleton_script, urdf, gltf, glb, trc, c3d };

struct FileFormat {
  FileKind kind;
  std::string_view name;        // "BVH"
  std::string_view extensions;  // ".bvh", several parted by blanks
  bool writes;
  bool has_limits;  // whether a file can say what a joint may do
};
std::span<const FileFormat> file_formats();
const FileFormat& format_of(FileKind kind);

// By the extension of the name; else, as for standard input, by the first bytes.
std::optional<FileKind> kind_of(std::string_view file_name, std::string_view bytes);
// By the extension alone.
std::optional<FileKind> kind_of_name(std::string_view file_name);

// An AMC file has no skeleton: `skeleton` is the content of its ASF file.
Expected<Content> read_content(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {},
                               const FileLoader& load = {}, const Content* skeleton = nullptr);

struct WrittenFile {
  std::string name;
  std::string bytes;
};
struct WrittenFiles {
  std::vector<WrittenFile> files = {};
  std::vector<Note> notes = {};
};
// `clips` in place of the content's own. A file with room for one motion takes the first. Beside an AMC file its ASF is
// written.
Expected<WrittenFiles> write_content(const Content& content, const std::vector<Clip>& clips,
                                     const std::string& file_name, const WriteOptions& options = {});

// A figure of free points, one a marker that is seen in that frame, and the pose in which they stand there.
struct MarkerFigure {
  Figure figure;
  Pose pose;
};
Expected<MarkerFigure> marker_figure(const Markers& markers, int frame);

}  // namespace limber
