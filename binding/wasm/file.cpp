#include <map>

#include "binding/wasm/exchange.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

namespace {

std::map<std::string, std::string, std::less<>>& given() {
  static std::map<std::string, std::string, std::less<>> files;
  return files;
}

std::vector<WrittenFile>& written() {
  static std::vector<WrittenFile> files;
  return files;
}

const WrittenFile* written_at(int index) {
  if (index >= 0 && index < size_of(written())) return &written()[static_cast<std::size_t>(index)];
  rejected({"written file " + std::to_string(index), std::to_string(written().size()) + " files", "one of these"});
  return nullptr;
}

Expected<std::string> load(const std::string& name) {
  if (const std::string* bytes = given_file(name)) return *bytes;
  return reject(name, "no such file", "one that is opened together with the file that names it");
}

// The file that a motion has its skeleton from; none for other files.
std::optional<std::string> skeleton_given(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [file, bytes] : given()) names.push_back(file);
  return skeleton_of(name, names);
}

Expected<Content> read(const std::string& name) {
  const std::string* bytes = given_file(name);
  if (!bytes) return reject(name, "no such file", "one that was given");
  if (!needs_skeleton(name)) return read_content(*bytes, name, {}, load);
  const std::optional<std::string> skeleton = skeleton_given(name);
  if (!skeleton) return reject(name, "a motion without its skeleton", "its ASF file, opened together with it");
  const Expected<Content> figure = read_content(*given_file(*skeleton), *skeleton, {}, load);
  if (!figure) return std::unexpected(figure.error());
  return read_content(*bytes, name, {}, load, &*figure);
}

// The same motion for a figure whose parameters go by the same names: one that only got sites, or a free root.
Clip carried_clip(const Figure& from, const Clip& clip, const Figure& to) {
  Clip carried{.name = clip.name, .frame_time = clip.frame_time};
  carried.poses.resize(size_of(to.parameters()), clip.frames());
  for (int k = 0; k < clip.frames(); ++k) carried.poses.col(k) = carried_over(from, clip.pose(k), to).theta;
  return carried;
}

void describe_content(const std::string& name, const Content& content) {
  JsonWriter out;
  out.begin_object().member("format", content.format).member("unit", unit_name(content.space.metres_per_unit));
  out.member("figure", content.figure.has_value()).member("markers", content.markers.has_value());
  out.member("skin", content.asset != nullptr);
  if (const std::optional<std::string> skeleton = skeleton_given(name)) out.member("skeleton", *skeleton);
  out.key("clips").begin_array();
  for (const Clip& clip : content.clips)
    out.begin_object(JsonWriter::Layout::row)
        .member("name", clip.name)
        .key("frames")
        .integer(clip.frames())
        .member("frame_time", clip.frame_time)
        .end();
  out.end().key("notes").begin_array();
  for (const Note& note : content.notes) out.value(note.text);
  out.end().end();
  set_text(out.take());
}

}  // namespace

const std::string* given_file(std::string_view name) {
  const auto found = given().find(name);
  return found == given().end() ? nullptr : &found->second;
}

FigureLoader figure_loader() {
  return [](const std::string& name) -> Expected<Figure> {
    const Expected<Content> content = read(name);
    if (!content) return std::unexpected(content.error());
    if (!content->figure) return reject(name, "markers without a figure", "a file with a figure");
    return made_ready(*content->figure);
  };
}

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

void limber_file_give(const char* name, int name_size, const char* bytes, int size) {
  given().insert_or_assign(std::string(text_at(name, name_size)), std::string(text_at(bytes, size)));
}

void limber_files_forget() { given().clear(); }

int limber_content_read(const char* name, int size) {
  const std::string file(text_at(name, size));
  Expected<Content> content = read(file);
  if (!content) return rejected(content.error());
  describe_content(file, *content);
  return keep(std::make_unique<Content>(std::move(*content)));
}

int limber_content_figure(int number) {
  const Content* content = find<Content>(number);
  if (!content) return 0;
  if (!content->figure) return rejected({"file", "markers without a figure", "a file with a figure"});
  Expected<Figure> ready = made_ready(*content->figure);
  return ready ? keep(std::move(*ready)) : rejected(ready.error());
}

int limber_content_clip(int number, int index) {
  const Content* content = find<Content>(number);
  if (!content) return 0;
  if (index < 0 || index >= size_of(content->clips) || !content->figure)
    return rejected(
        {"clip " + std::to_string(index), std::to_string(content->clips.size()) + " clips", "one of these"});
  const Expected<Figure> ready = made_ready(*content->figure);
  if (!ready) return rejected(ready.error());
  Clip carried = carried_clip(*content->figure, content->clips[static_cast<std::size_t>(index)], *ready);
  return keep(std::make_unique<wasm::Motion>(*ready, std::move(carried)));
}

int limber_content_write(int number, int figure_number, int clip_number, const char* name, int size) {
  const Figure* figure = figure_at(figure_number);
  const wasm::Motion* motion = find<wasm::Motion>(clip_number);
  if (!figure || !motion) return 0;
  Content content;
  Clip clip = motion->clip;
  if (number > 0) {
    const Content* from = find<Content>(number);
    if (!from) return 0;
    if (!from->figure) return rejected({"file", "markers without a figure", "a file with a figure"});
    content = *from;
    clip = carried_clip(motion->figure, clip, *content.figure);
  } else {
    content.figure = *figure;
  }
  if (clip.name.empty()) clip.name = "limber";
  Expected<WrittenFiles> files = write_content(content, {clip}, std::string(text_at(name, size)));
  if (!files) return rejected(files.error());
  written() = std::move(files->files);
  JsonWriter out;
  out.begin_array();
  for (const Note& note : files->notes) out.value(note.text);
  out.end();
  set_text(out.take());
  return size_of(written());
}

int limber_written_name(int index) {
  const WrittenFile* file = written_at(index);
  return file ? set_text(file->name) : 0;
}

int limber_written_bytes(int index) {
  const WrittenFile* file = written_at(index);
  return file ? set_text(file->bytes) : 0;
}
