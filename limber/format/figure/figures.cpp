// Several figures as one JSON value.
#include <utility>

#include "limber/figure/join.h"
#include "limber/format/figure/figure_json.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// The figure hung from the place that "root" names.
void hang(const JsonValue& root, SourcedPart& part, Figure& figure) {
  if (!root) return;
  part.root = root.text();
  if (root.document().error()) return;
  Expected<Figure> hung = hung_from(figure, part.root);
  if (!hung) return root.fail(hung.error().found, hung.error().expected);
  figure = std::move(*hung);
  if (std::holds_alternative<InlineFigure>(part.source)) part.root.clear();
}

bool has_known_keys(const JsonValue& value, bool with_poses) {
  return with_poses ? value.object({"figure", "root", "pose", "p", "matrix", "quaternion", "turns"})
                    : value.object({"figure", "root", "p", "matrix", "quaternion", "turns"});
}

}  // namespace

SourcedFigure read_figures_value(const JsonValue& value, const FigureLoader& load, bool with_poses,
                                 std::vector<Figure>* unhung) {
  FigureDescription nothing;
  nothing.segments = {{"nothing"}};
  const Figure placeholder = *build_figure(std::move(nothing));
  JoinedFigures source;
  std::vector<FigurePart> parts;
  if (!value.object()) return {placeholder, source};
  if (value.size() == 0 || value.size() > max_joined_figures)
    value.fail(std::to_string(value.size()) + " figures", "1 to " + std::to_string(max_joined_figures));
  for (const JsonValue member : value) {
    if (value.document().error()) break;
    if (!has_known_keys(member, with_poses)) break;
    if (member["figure"]["figures"]) {
      member["figure"].fail_at_key("several figures within one of several", "one figure");
      break;
    }
    if (member.key().size() > JsonDocument::max_text_size) {
      member.fail_at_key("a name of " + std::to_string(member.key().size()) + " bytes", "a shorter name");
      break;
    }
    SourcedPart part{std::string(member.key()), InlineFigure{}};
    SourcedFigure own = read_figure_value(member["figure"], load);
    part.source = std::move(own.source);
    part.X_world_figure = read_frame(member);
    if (unhung) unhung->push_back(own.figure);
    hang(member["root"], part, own.figure);
    parts.push_back({.name = part.name, .figure = std::move(own.figure), .X_world_figure = part.X_world_figure});
    source.parts.push_back(std::move(part));
  }
  if (value.document().error()) return {placeholder, source};
  Expected<Figure> joined = join_figures(parts);
  if (joined) return {std::move(*joined), std::move(source)};
  value.fail(joined.error());
  return {placeholder, source};
}

void write_figures_value(JsonWriter& out, const Figure& figure, const JoinedFigures& source,
                         const std::function<void(const FigurePart&)>& more) {
  out.begin_object();
  for (const SourcedPart& part : source.parts) {
    const FigurePart* own = find_part(figure, part.name);
    if (!own) continue;
    out.key(part.name).begin_object().key("figure");
    write_figure_value(out, own->figure, part.source);
    if (!part.root.empty()) out.member("root", part.root);
    write_frame_members(out, part.X_world_figure);
    if (more) more(*own);
    out.end();
  }
  out.end();
}

}  // namespace limber
