#include "app/cli/file_kind.h"

#include "app/cli/file.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/format/file.h"
#include "limber/format/text/json.h"

namespace limber::cli {

namespace {

// Documents in JSON by the first word of their tag, "limber": "prior 1".
struct JsonRow {
  std::string_view word;
  KnownKind kind;
  const char* what;
  const char* taken_by;
};
constexpr JsonRow json_kinds[] = {
    {"scene", KnownKind::scene, "a scene", "limber solve, draw, info, check, convert and animate read it"},
    {"figure", KnownKind::content, "a figure", "limber info, check, draw and convert read it"},
    {"prior", KnownKind::side_file, "a pose prior", "--prior of limber solve and track reads it"},
    {"markers", KnownKind::side_file, "the attachment of markers", "--markers of limber track reads it"},
    {"strength", KnownKind::side_file, "a table of strengths", "--strength of limber assess reads it"},
};

std::optional<KnownFile> known_json(std::string_view text) {
  if (text.find("\"limber\"") == std::string_view::npos) return std::nullopt;
  JsonDocument document(text, "");
  const JsonValue root = document.root();
  if (!root.is(JsonKind::object) || !root["limber"].is(JsonKind::text)) return std::nullopt;
  const std::string tag(root["limber"].text());
  for (const JsonRow& row : json_kinds)
    if (tag.substr(0, tag.find(' ')) == row.word) return KnownFile{row.kind, row.what, row.taken_by};
  return std::nullopt;
}

}  // namespace

std::optional<KnownFile> known_file(std::string_view text, const std::string& path) {
  if (std::optional<KnownFile> json = known_json(text)) return json;
  if (read_motion_script(text, path))
    return KnownFile{KnownKind::motion_script, "a motion script", "limber animate SCENE SCRIPT reads it"};
  const std::optional<FileKind> kind = kind_of(path, text);
  if (!kind || *kind == FileKind::limber) return std::nullopt;
  const FileFormat& format = format_of(*kind);
  return KnownFile{KnownKind::content, "a file in the format " + std::string(format.name),
                   format.holds == FileHolds::markers
                       ? "limber info, check, draw and convert read it, limber track follows its markers"
                       : "limber info, check, draw and convert read it"};
}

Diagnostic misplaced(const KnownFile& file, const std::string& path, const std::string& expected) {
  return {shown(path), file.what, expected + ". " + file.taken_by};
}

}  // namespace limber::cli
