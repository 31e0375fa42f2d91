// Any file: recognised by its name or its first bytes, and read and written by the right format.
//
// The library opens no file. A caller passes the bytes, and a FileLoader for the files that a file refers to.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/format/content/content.h"

namespace limber {

enum class FileKind { limber, bvh, urdf, gltf, glb, trc, c3d, asf, amc, skeleton_script };

// What a file is about; a figure may come with motions.
enum class FileHolds { figure, motion, markers };
// How many motions there is room for in a file.
enum class FileMotions { none, one, all };

struct FileFormat {
  FileKind kind = FileKind::limber;
  std::string_view key = {};         // "bvh": a short name that stays
  std::string_view name = {};        // "BVH", for people
  std::string_view extensions = {};  // ".bvh"; several are separated by blanks
  bool writes = false;
  bool has_limits = false;  // whether a file can state the limits of a joint
  FileHolds holds = FileHolds::figure;
  FileMotions motions = FileMotions::none;
  std::optional<FileKind> needs = {};  // the skeleton that a motion does not contain
  bool refers = false;                 // a file may refer to others: buffers, images
  int preference = 0;                  // of several files opened together, the one with the highest is the main one
};
// One per format, in the order of FileKind.
std::vector<FileFormat> file_formats();
const FileFormat& format_of(FileKind kind);

// By the extension of the name; else, as for standard input, by the first bytes.
std::optional<FileKind> kind_of(std::string_view file_name, std::string_view bytes);
// By the extension alone.
std::optional<FileKind> kind_of_name(std::string_view file_name);

// Whether the name is that of a motion whose skeleton is a file of its own.
bool needs_skeleton(std::string_view file_name);
// Which of these files is the skeleton of a motion that needs one: the one of its name, or of its name up to an
// underscore or hyphen (02_01.amc has 02.asf), or the only one.
std::optional<std::string> skeleton_of(std::string_view motion, std::span<const std::string> files);

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
// written. What could not be read again is rejected.
Expected<WrittenFiles> write_content(const Content& content, const std::vector<Clip>& clips,
                                     const std::string& file_name, const WriteOptions& options = {});

// A figure of free points, one per marker that is visible in that frame, and the pose that puts them there.
struct MarkerFigure {
  Figure figure;
  Pose pose;
};
Expected<MarkerFigure> marker_figure(const Markers& markers, int frame);

}  // namespace limber
