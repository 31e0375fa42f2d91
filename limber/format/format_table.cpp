#include "limber/format/format_table.h"

#include <algorithm>
#include <array>

#include "limber/format/acclaim/acclaim.h"
#include "limber/format/bvh/bvh.h"
#include "limber/format/c3d/c3d.h"
#include "limber/format/figure/figure_file.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/polygon/polygon.h"
#include "limber/format/skeleton_script/skeleton_script.h"
#include "limber/format/text/path.h"
#include "limber/format/text/text.h"
#include "limber/format/trc/trc.h"
#include "limber/format/urdf/urdf.h"

namespace limber {

namespace {

// --- Reading -------------------------------------------------------------------------------------

// A format that needs nothing but its bytes.
template <auto reader>
Expected<Content> read_alone(const FileToRead& file) {
  return reader(file.bytes, file.name, file.options);
}

Expected<Content> read_limber(const FileToRead& file) {
  Expected<SourcedFigure> read = read_figure(file.bytes, file.name);
  if (!read) return std::unexpected(read.error());
  Content content;
  content.format = "limber";
  content.figure = std::move(read->figure);
  return content;
}

Expected<Content> read_gltf_text(const FileToRead& file) {
  return read_gltf(file.bytes, file.name, file.options, file.load);
}

// Of all objects of a figure. Any number of joints may name the same file.
constexpr std::size_t max_triangles = 50'000;

// With the polygon files that its joints name. One that cannot be read is noted: the joint is drawn without it.
Expected<Content> read_script_with_objects(const FileToRead& file) {
  Expected<Content> content = read_skeleton_script(file.bytes, file.name, file.options);
  if (!content || !file.load) return content;
  std::size_t triangles = 0;
  for (const SegmentDescription& segment : content->figure->description().segments) {
    if (segment.object.empty()) continue;
    Expected<SegmentObject> object = [&]() -> Expected<SegmentObject> {
      if (const std::optional<std::string_view> expected = wrong_with_path(segment.object))
        return reject("", "the path " + in_quotes(segment.object), std::string(*expected));
      if (triangles > max_triangles)
        return reject("", "more triangles", "at most " + std::to_string(max_triangles) + " in all objects");
      const Expected<std::string> bytes = file.load(segment.object);
      if (!bytes) return std::unexpected(bytes.error());
      Expected<SegmentObject> polygons = read_polygons(*bytes, segment.object, content->space.metres_per_unit);
      if (polygons && (triangles += polygons->triangles.size()) > max_triangles)
        return reject("", std::to_string(polygons->triangles.size()) + " triangles",
                      "at most " + std::to_string(max_triangles) + " in all objects");
      return polygons;
    }();
    if (!object) {
      content->notes.push_back(
          {"the object of joint " + in_quotes(segment.name) + " is not shown: " + object.error().text()});
      continue;
    }
    object->segment = segment.name;
    content->objects.push_back(std::move(*object));
  }
  return content;
}

// GLB, or the JSON of a glTF under another name, in whatever encoding.
bool may_be_gltf(std::string_view bytes) {
  if (bytes.starts_with("glTF")) return true;
  constexpr std::string_view before = {" \t\r\n\0\xEF\xBB\xBF\xFE\xFF", 10};
  const std::size_t start = bytes.find_first_not_of(before);
  return start != std::string_view::npos && bytes[start] == '{';
}

Expected<Content> read_glb(const FileToRead& file) {
  if (!may_be_gltf(file.bytes))
    return reject(
        file.name,
        file.bytes.empty() ? "an empty file" : "\"" + on_one_line(std::string(file.bytes.substr(0, 4))) + "\"",
        "glTF, the first four bytes of every GLB file");
  return read_gltf_text(file);
}

Expected<Content> read_acclaim_motion(const FileToRead& file) {
  if (!file.skeleton || !file.skeleton->figure)
    return reject(file.name, "a motion without its skeleton", "the ASF file that belongs to it");
  Expected<ReadMotion> motion = read_amc(file.bytes, file.name, *file.skeleton);
  if (!motion) return std::unexpected(motion.error());
  Content content = *file.skeleton;
  content.clips = {std::move(motion->clip)};
  content.notes.insert(content.notes.end(), motion->notes.begin(), motion->notes.end());
  return content;
}

// --- Writing -------------------------------------------------------------------------------------

Expected<void> take(Expected<Written> written, const std::string& name, WrittenFiles& out) {
  if (!written) return std::unexpected(written.error());
  out.files.push_back({name, std::move(written->bytes)});
  for (Note& note : written->notes)
    if (std::ranges::find(out.notes, note.text, &Note::text) == out.notes.end()) out.notes.push_back(std::move(note));
  return {};
}

// A format for a figure without its motion.
template <auto writer>
Expected<void> write_figure_alone(const FileToWrite& file, WrittenFiles& out) {
  return take(writer(file.content, file.options), file.name, out);
}

Expected<void> write_limber(const FileToWrite& file, WrittenFiles& out) {
  out.files.push_back({file.name, write_figure(*file.content.figure)});
  if (file.options.metres_per_unit || file.options.up)
    out.notes.push_back({"the requested unit and upward axis: a figure of Limber is in metres with Y up"});
  return {};
}

Expected<void> write_bvh_file(const FileToWrite& file, WrittenFiles& out) {
  return take(write_bvh(file.content, file.first_clip(), file.options), file.name, out);
}

template <GltfForm form>
Expected<void> write_gltf_file(const FileToWrite& file, WrittenFiles& out) {
  const Expected<void> done = take(write_gltf(file.content, file.clips, form, file.options), file.name, out);
  if (done && lower_case(file.name).ends_with(".vrm") && !file.content.asset)
    out.notes.push_back({"the VRM extension: a plain GLB is written, with the names that the figure has"});
  return done;
}

// The skeleton is written beside the motion.
Expected<void> write_acclaim_motion(const FileToWrite& file, WrittenFiles& out) {
  const Clip* clip = file.first_clip();
  if (!clip) return reject(file.name, "no motion to write", "a file with one, or .asf for the skeleton alone");
  const std::string asf = file.name.substr(0, file.name.rfind('.')) + ".asf";
  if (const Expected<void> done = take(write_asf(file.content, file.options), asf, out); !done) return done;
  return take(write_amc(file.content, *clip, file.options), file.name, out);
}

// --- The table -----------------------------------------------------------------------------------

constexpr FormatRow row(FileFormat format, bool (*recognises)(const FirstBytes&),
                        Expected<Content> (*read)(const FileToRead&),
                        Expected<void> (*write)(const FileToWrite&, WrittenFiles&) = nullptr) {
  format.writes = write != nullptr;
  return {format, recognises, read, write};
}

// Formats with a certain beginning stand before those with a certain word somewhere.
constexpr std::array table = {
    row(
        {.kind = FileKind::limber,
         .key = "figure",
         .name = "Limber figure",
         .extensions = ".json",  //
         .has_limits = true,
         .preference = 10},
        [](const FirstBytes& file) { return file.begins("{") && file.has("\"limber\""); },  //
        read_limber, write_limber),
    row(
        {.kind = FileKind::bvh,
         .key = "bvh",
         .name = "BVH",
         .extensions = ".bvh",  //
         .motions = FileMotions::one,
         .preference = 8},
        [](const FirstBytes& file) { return file.begins("hierarchy"); },  //
        read_alone<read_bvh>, write_bvh_file),
    row(
        {.kind = FileKind::urdf,
         .key = "urdf",
         .name = "URDF",
         .extensions = ".urdf",  //
         .has_limits = true,
         .preference = 3},
        [](const FirstBytes& file) { return file.begins("<") && !file.has("<opensimdocument"); },  //
        read_alone<read_urdf>),
    row(
        {.kind = FileKind::gltf,
         .key = "gltf",
         .name = "glTF",
         .extensions = ".gltf",  //
         .motions = FileMotions::all,
         .refers = true,
         .preference = 6},
        [](const FirstBytes& file) { return file.begins("{"); },  //
        read_gltf_text, write_gltf_file<GltfForm::text>),
    row(
        {.kind = FileKind::glb,
         .key = "glb",
         .name = "GLB",
         .extensions = ".glb .vrm",  //
         .motions = FileMotions::all,
         .refers = true,
         .preference = 7},
        [](const FirstBytes& file) { return file.bytes().starts_with("glTF"); },  //
        read_glb, write_gltf_file<GltfForm::binary>),
    row(
        {.kind = FileKind::trc,
         .key = "trc",
         .name = "TRC markers",
         .extensions = ".trc",  //
         .holds = FileHolds::markers,
         .preference = 2},
        [](const FirstBytes& file) { return file.begins("pathfiletype"); },  //
        read_alone<read_trc>),
    row(
        {.kind = FileKind::c3d,
         .key = "c3d",
         .name = "C3D markers",
         .extensions = ".c3d",  //
         .holds = FileHolds::markers,
         .preference = 1},
        [](const FirstBytes& file) {
          return file.bytes().size() > 1 && file.bytes()[1] == 0x50 && file.bytes()[0] >= 0 && file.bytes()[0] < 0x20;
        },
        read_alone<read_c3d>),
    row(
        {.kind = FileKind::asf,
         .key = "asf",
         .name = "Acclaim skeleton",
         .extensions = ".asf",  //
         .has_limits = true,
         .preference = 5},
        [](const FirstBytes& file) { return file.has(":bonedata") || file.has(":units") || file.has(":hierarchy"); },
        read_alone<read_asf>, write_figure_alone<write_asf>),
    row(
        {.kind = FileKind::amc,
         .key = "amc",
         .name = "Acclaim motion",
         .extensions = ".amc",  //
         .holds = FileHolds::motion,
         .motions = FileMotions::one,
         .needs = FileKind::asf,
         .preference = 9},
        [](const FirstBytes& file) {
          return file.has(":fully-specified") || file.has(":degrees") || file.has(":radians");
        },
        read_acclaim_motion, write_acclaim_motion),
    row(
        {.kind = FileKind::skeleton_script,
         .key = "scr",
         .name = "skeleton script",
         .extensions = ".scr",  //
         .has_limits = true,
         .refers = true,
         .preference = 4},
        [](const FirstBytes& file) { return file.has("define skeleton") || file.has("define joint"); },
        read_script_with_objects, write_figure_alone<write_skeleton_script>),
};

constexpr bool is_in_order() {
  if (table.size() != static_cast<std::size_t>(FileKind::skeleton_script) + 1) return false;  // the last kind
  for (std::size_t k = 0; k < table.size(); ++k)
    if (table[k].format.kind != static_cast<FileKind>(k)) return false;
  return true;
}
static_assert(is_in_order(), "format_of() takes the row at the place of its kind");

// How far into a file its kind is looked for.
constexpr std::size_t first_bytes = 4096;

}  // namespace

FirstBytes::FirstBytes(std::string_view bytes) : bytes_(bytes.substr(0, first_bytes)) {
  const Expected<std::string_view> text = plain_text(bytes_, "");
  if (!text) return;
  lower_ = lower_case(*text);
  start_ = std::min(lower_.find_first_not_of(" \t\r\n"), lower_.size());
}

std::span<const FormatRow> format_table() { return table; }

}  // namespace limber
