#include "limber/format/file.h"

#include <algorithm>
#include <array>

#include "limber/format/acclaim/acclaim.h"
#include "limber/format/bvh/bvh.h"
#include "limber/format/c3d/c3d.h"
#include "limber/format/figure/figure_file.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/skeleton_script/skeleton_script.h"
#include "limber/format/text/text.h"
#include "limber/format/trc/trc.h"
#include "limber/format/urdf/urdf.h"

namespace limber {

namespace {

// In the order of FileKind.
constexpr std::array formats = {
    FileFormat{FileKind::limber, "Limber figure", ".json", true, true},
    FileFormat{FileKind::bvh, "BVH", ".bvh", true, false},
    FileFormat{FileKind::asf, "Acclaim skeleton", ".asf", true, true},
    FileFormat{FileKind::amc, "Acclaim motion", ".amc", true, true},
    FileFormat{FileKind::skeleton_script, "skeleton script", ".scr", true, true},
    FileFormat{FileKind::urdf, "URDF", ".urdf", false, true},
    FileFormat{FileKind::gltf, "glTF", ".gltf", true, false},
    FileFormat{FileKind::glb, "GLB", ".glb .vrm", true, false},
    FileFormat{FileKind::trc, "TRC markers", ".trc", false, false},
    FileFormat{FileKind::c3d, "C3D markers", ".c3d", false, false},
};

// How far into a file its kind is looked for.
constexpr std::size_t first_bytes = 4096;

bool has_extension(const FileFormat& format, std::string_view extension) {
  std::string_view all = format.extensions;
  while (!all.empty()) {
    const std::size_t blank = std::min(all.find(' '), all.size());
    if (equal_ignoring_case(all.substr(0, blank), extension)) return true;
    all.remove_prefix(std::min(blank + 1, all.size()));
  }
  return false;
}

std::optional<FileKind> kind_of_bytes(std::string_view bytes) {
  if (bytes.starts_with("glTF")) return FileKind::glb;
  if (bytes.size() > 1 && static_cast<unsigned char>(bytes[1]) == 0x50 && static_cast<unsigned char>(bytes[0]) < 0x20)
    return FileKind::c3d;
  const Expected<std::string_view> text = plain_text(bytes.substr(0, first_bytes), "");
  if (!text) return std::nullopt;
  const std::string lower = lower_case(*text);
  const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  const std::size_t start = std::min(lower.find_first_not_of(" \t\r\n"), lower.size());
  const std::string_view begin = std::string_view(lower).substr(start);
  if (begin.starts_with("hierarchy")) return FileKind::bvh;
  if (begin.starts_with("<")) return FileKind::urdf;
  if (begin.starts_with("pathfiletype")) return FileKind::trc;
  if (begin.starts_with("{")) return has("\"limber\"") ? FileKind::limber : FileKind::gltf;
  if (has(":bonedata") || has(":units") || has(":hierarchy")) return FileKind::asf;
  if (has(":fully-specified") || has(":degrees") || has(":radians")) return FileKind::amc;
  if (has("define skeleton") || has("define joint")) return FileKind::skeleton_script;
  return std::nullopt;
}

// GLB, or the JSON of a glTF under another name, in whatever encoding.
bool may_be_gltf(std::string_view bytes) {
  if (bytes.starts_with("glTF")) return true;
  constexpr std::string_view before = {" \t\r\n\0\xEF\xBB\xBF\xFE\xFF", 10};
  const std::size_t start = bytes.find_first_not_of(before);
  return start != std::string_view::npos && bytes[start] == '{';
}

std::string known_extensions(bool for_writing) {
  std::string list;
  for (const FileFormat& format : formats)
    if (format.writes || !for_writing) list += (list.empty() ? "" : " ") + std::string(format.extensions);
  return list;
}

Expected<Content> read_figure_content(std::string_view bytes, const std::string& file_name) {
  Expected<SourcedFigure> read = read_figure(bytes, file_name);
  if (!read) return std::unexpected(read.error());
  Content content;
  content.format = "limber";
  content.figure = std::move(read->figure);
  return content;
}

std::string with_extension(const std::string& file_name, std::string_view extension) {
  const std::size_t dot = file_name.rfind('.'), slash = file_name.rfind('/');
  const bool has_dot = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return (has_dot ? file_name.substr(0, dot) : file_name) + std::string(extension);
}

}  // namespace

std::span<const FileFormat> file_formats() { return formats; }

const FileFormat& format_of(FileKind kind) { return formats[static_cast<std::size_t>(kind)]; }

std::optional<FileKind> kind_of_name(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  for (const FileFormat& format : formats)
    if (has_extension(format, file_name.substr(dot))) return format.kind;
  return std::nullopt;
}

std::optional<FileKind> kind_of(std::string_view file_name, std::string_view bytes) {
  const std::optional<FileKind> kind = kind_of_name(file_name);
  return kind ? kind : kind_of_bytes(bytes);
}

Expected<Content> read_content(std::string_view bytes, const std::string& file_name, const ReadOptions& options,
                               const FileLoader& load, const Content* skeleton) {
  const std::optional<FileKind> kind = kind_of(file_name, bytes);
  if (!kind) return reject(file_name, "a file of a kind that is not known", "one of " + known_extensions(false));
  switch (*kind) {
    case FileKind::limber:
      return read_figure_content(bytes, file_name);
    case FileKind::bvh:
      return read_bvh(bytes, file_name, options);
    case FileKind::asf:
      return read_asf(bytes, file_name, options);
    case FileKind::amc: {
      if (!skeleton || !skeleton->figure)
        return reject(file_name, "a motion without its skeleton", "the ASF file that belongs to it");
      Expected<ReadMotion> motion = read_amc(bytes, file_name, *skeleton);
      if (!motion) return std::unexpected(motion.error());
      Content content = *skeleton;
      content.clips = {std::move(motion->clip)};
      content.notes.insert(content.notes.end(), motion->notes.begin(), motion->notes.end());
      return content;
    }
    case FileKind::skeleton_script:
      return read_skeleton_script(bytes, file_name, options);
    case FileKind::urdf:
      return read_urdf(bytes, file_name, options);
    case FileKind::glb:
      if (!may_be_gltf(bytes))
        return reject(file_name,
                      bytes.empty() ? "an empty file" : "\"" + on_one_line(std::string(bytes.substr(0, 4))) + "\"",
                      "glTF, the first four bytes of every GLB file");
      [[fallthrough]];
    case FileKind::gltf:
      return read_gltf(bytes, file_name, options, load);
    case FileKind::trc:
      return read_trc(bytes, file_name, options);
    case FileKind::c3d:
      return read_c3d(bytes, file_name, options);
  }
  return reject(file_name, "a file of a kind that is not known", "one of " + known_extensions(false));
}

Expected<WrittenFiles> write_content(const Content& content, const std::vector<Clip>& clips,
                                     const std::string& file_name, const WriteOptions& options) {
  const std::optional<FileKind> kind = kind_of_name(file_name);
  if (!kind || !format_of(*kind).writes)
    return reject(file_name,
                  kind ? std::string(format_of(*kind).name) + ", which is only read" : "a name without a known ending",
                  "one of " + known_extensions(true));
  if (!content.figure) return reject(file_name, "markers, which are no figure", "a file with a figure");

  WrittenFiles out;
  const auto take = [&](Expected<Written> written, const std::string& name) -> Expected<void> {
    if (!written) return std::unexpected(written.error());
    out.files.push_back({name, std::move(written->bytes)});
    for (Note& note : written->notes)
      if (std::ranges::find(out.notes, note.text, &Note::text) == out.notes.end()) out.notes.push_back(std::move(note));
    return {};
  };
  const auto say_motion_is_lost = [&] {
    if (!clips.empty()) out.notes.push_back({"the motion: a " + std::string(format_of(*kind).name) + " holds none"});
  };
  const Clip* first = clips.empty() ? nullptr : &clips.front();
  Expected<void> done;
  switch (*kind) {
    case FileKind::limber:
      out.files.push_back({file_name, write_figure(*content.figure)});
      say_motion_is_lost();
      if (options.metres_per_unit || options.up)
        out.notes.push_back({"the unit and the upward axis asked for: a figure of Limber is in metres with Y up"});
      break;
    case FileKind::bvh:
      done = take(write_bvh(content, first, options), file_name);
      break;
    case FileKind::asf:
      done = take(write_asf(content, options), file_name);
      if (first)
        out.notes.push_back({"the motion: it goes into an .amc file; write that, and this file is written beside it"});
      break;
    case FileKind::amc: {
      if (!first) return reject(file_name, "no motion to write", "a file with one, or .asf for the skeleton alone");
      done = take(write_asf(content, options), with_extension(file_name, ".asf"));
      if (done) done = take(write_amc(content, *first, options), file_name);
      break;
    }
    case FileKind::skeleton_script:
      done = take(write_skeleton_script(content, options), file_name);
      say_motion_is_lost();
      break;
    case FileKind::gltf:
    case FileKind::glb:
      done = take(write_gltf(content, clips, *kind == FileKind::glb ? GltfForm::binary : GltfForm::text, options),
                  file_name);
      if (done && equal_ignoring_case(file_name.substr(file_name.rfind('.')), ".vrm") && !content.asset)
        out.notes.push_back({"the VRM extension: a plain GLB is written, with the names that the figure has"});
      break;
    case FileKind::urdf:
    case FileKind::trc:
    case FileKind::c3d:
      break;
  }
  if (!done) return std::unexpected(done.error());
  if ((*kind == FileKind::bvh || *kind == FileKind::amc) && clips.size() > 1)
    out.notes.push_back({std::to_string(clips.size() - 1) + " more motions: this format holds one"});
  return out;
}

Expected<MarkerFigure> marker_figure(const Markers& markers, int frame) {
  FigureDescription description;
  description.name = "markers";
  std::vector<Vec3> positions;
  UniqueNames unique;
  for (std::size_t m = 0; m < markers.names.size(); ++m) {
    if (!markers.seen(frame, static_cast<int>(m))) continue;
    const std::string name = unique(markers.names[m], "marker");
    description.segments.push_back({name});
    description.joints.push_back({name,
                                  "",
                                  name,
                                  {},
                                  {},
                                  {{"tx", Motion::translate, Vec3::UnitX()},
                                   {"ty", Motion::translate, Vec3::UnitY()},
                                   {"tz", Motion::translate, Vec3::UnitZ()}}});
    description.sites.push_back({name, name});
    positions.push_back(markers.position(frame, static_cast<int>(m)));
  }
  Expected<Figure> figure = build_figure(std::move(description));
  if (!figure) return std::unexpected(figure.error());
  Pose pose = figure->rest();
  for (std::size_t m = 0; m < positions.size(); ++m)
    pose.theta.segment<3>(static_cast<Eigen::Index>(3 * m)) = positions[m];
  return MarkerFigure{std::move(*figure), std::move(pose)};
}

}  // namespace limber
