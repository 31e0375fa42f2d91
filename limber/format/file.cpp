#include "limber/format/file.h"

#include <algorithm>

#include "limber/format/format_table.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

bool has_extension(const FileFormat& format, std::string_view extension) {
  std::string_view all = format.extensions;
  while (!all.empty()) {
    const std::size_t blank = std::min(all.find(' '), all.size());
    if (equal_ignoring_case(all.substr(0, blank), extension)) return true;
    all.remove_prefix(std::min(blank + 1, all.size()));
  }
  return false;
}

const FormatRow& row_of(FileKind kind) { return format_table()[static_cast<std::size_t>(kind)]; }

std::string known_extensions(bool for_writing) {
  std::string list;
  for (const FormatRow& row : format_table())
    if (row.format.writes || !for_writing) list += (list.empty() ? "" : " ") + std::string(row.format.extensions);
  return list;
}

// What a file of this format has no room for.
void note_lost_motions(const FileFormat& format, std::size_t clips, std::vector<Note>& notes) {
  if (format.motions == FileMotions::one && clips > 1)
    notes.push_back({std::to_string(clips - 1) + " more motions: this format holds one"});
  if (format.motions != FileMotions::none || clips == 0) return;
  for (const FormatRow& row : format_table())
    if (row.format.needs == format.kind) {
      notes.push_back({"the motion: it goes into an " + std::string(row.format.extensions) +
                       " file; write that, and this file is written beside it"});
      return;
    }
  notes.push_back({"the motion: a " + std::string(format.name) + " holds none"});
}

// What was written can be read. A format may have less precision or room than a content needs: a number of 1e300 is
// infinite in glTF.
Expected<void> check_readable(const std::vector<WrittenFile>& files) {
  const FileLoader beside = [&](const std::string& name) -> Expected<std::string> {
    for (const WrittenFile& file : files)
      if (file.name.ends_with(name)) return file.bytes;
    return reject(name, "no such file", "one that was written");
  };
  std::optional<Content> skeleton;
  for (const WrittenFile& file : files) {
    Expected<Content> content = read_content(file.bytes, file.name, {}, beside, skeleton ? &*skeleton : nullptr);
    if (!content)
      return reject(file.name, "what could not be read again (" + content.error().text() + ")",
                    "a figure and motions for which the format has room");
    skeleton = std::move(*content);
  }
  return {};
}

}  // namespace

std::vector<FileFormat> file_formats() {
  std::vector<FileFormat> formats;
  for (const FormatRow& row : format_table()) formats.push_back(row.format);
  return formats;
}

const FileFormat& format_of(FileKind kind) { return row_of(kind).format; }

std::optional<FileKind> kind_of_name(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  for (const FormatRow& row : format_table())
    if (has_extension(row.format, file_name.substr(dot))) return row.format.kind;
  return std::nullopt;
}

std::optional<FileKind> kind_of(std::string_view file_name, std::string_view bytes) {
  if (const std::optional<FileKind> kind = kind_of_name(file_name)) return kind;
  const FirstBytes first(bytes);
  for (const FormatRow& row : format_table())
    if (row.recognises(first)) return row.format.kind;
  return std::nullopt;
}

bool needs_skeleton(std::string_view file_name) {
  const std::optional<FileKind> kind = kind_of_name(file_name);
  return kind && format_of(*kind).needs;
}

std::optional<std::string> skeleton_of(std::string_view motion, std::span<const std::string> files) {
  if (!needs_skeleton(motion)) return std::nullopt;
  std::vector<std::string_view> skeletons;
  for (const std::string& file : files)
    if (kind_of_name(file) == format_of(*kind_of_name(motion)).needs) skeletons.push_back(file);
  const auto stem_of = [](std::string_view file) { return file.substr(0, file.rfind('.')); };
  for (std::string_view stem = stem_of(motion);;) {
    const auto found = std::ranges::find(skeletons, stem, stem_of);
    if (found != skeletons.end()) return std::string(*found);
    const std::size_t cut = stem.find_last_of("_-");
    if (cut == std::string_view::npos || cut == 0) break;
    stem = stem.substr(0, cut);
  }
  if (skeletons.size() != 1) return std::nullopt;
  return std::string(skeletons.front());
}

Expected<Content> read_content(std::string_view bytes, const std::string& file_name, const ReadOptions& options,
                               const FileLoader& load, const Content* skeleton) {
  const std::optional<FileKind> kind = kind_of(file_name, bytes);
  if (!kind) return reject(file_name, "a file of an unknown kind", "one of " + known_extensions(false));
  return row_of(*kind).read({bytes, file_name, options, load, skeleton});
}

Expected<WrittenFiles> write_content(const Content& content, const std::vector<Clip>& clips,
                                     const std::string& file_name, const WriteOptions& options) {
  const std::optional<FileKind> kind = kind_of_name(file_name);
  if (!kind || !format_of(*kind).writes)
    return reject(file_name,
                  kind ? std::string(format_of(*kind).name) + ", which is only read" : "a name without a known ending",
                  "one of " + known_extensions(true));
  if (!content.figure) return reject(file_name, "markers without a figure", "a file with a figure");
  WrittenFiles out;
  if (const Expected<void> done = row_of(*kind).write({content, clips, file_name, options}, out); !done)
    return std::unexpected(done.error());
  if (const Expected<void> done = check_readable(out.files); !done) return std::unexpected(done.error());
  note_lost_motions(format_of(*kind), clips.size(), out.notes);
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
