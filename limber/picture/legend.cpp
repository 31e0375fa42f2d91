#include "limber/picture/legend.h"

#include <algorithm>

#include "limber/base/number.h"

namespace limber::picture {

namespace {

const char* const dark = "fill=\"#26343f\"";
const char* const soft = "fill=\"#66788a\"";
constexpr double line_height = 16.0;
constexpr double bold_width = 1.1;  // relative to a regular letter
constexpr double key_height = 68.0;

std::string error_text(const GoalError& error) {
  std::string text;
  if (error.metres) text += length_text(*error.metres, 1);
  if (error.radians)
    text +=
        (text.empty() ? "" : ", ") + (std::isfinite(*error.radians) ? to_text(degrees(*error.radians), 1) : "?") + "°";
  if (error.overload) return to_text(100.0 * *error.overload, 1) + "% over";
  return text.empty() ? "" : text + " off";
}

// Lines from the top down, until the panel is full.
class Column {
 public:
  Column(const Rect& panel, Canvas& canvas) : panel_(panel), canvas_(canvas), y_(panel.y + 26.0) {}

  bool fits(int lines) const { return y_ + lines * line_height <= panel_.y + panel_.height - key_height - 4.0; }

  void write(double indent, double size, std::string_view text, std::string_view style) {
    const double x = panel_.x + 14.0 + indent;
    const bool bold = style.find("bold") != std::string_view::npos;
    canvas_.text({x, y_}, size, fitted(text, bold ? bold_width * size : size, panel_.x + panel_.width - 12.0 - x),
                 style);
    y_ += line_height;
  }

  // On the next line.
  void badge(double indent, const std::string& text, const Colour& colour, bool square) {
    draw_badge({panel_.x + 22.0 + indent, y_ - 4.0}, text, colour, square, canvas_);
  }
  // At the right end of the next line; returns its width.
  double value(std::string_view text, double size, std::string_view style) {
    canvas_.text({panel_.x + panel_.width - 14.0, y_}, size, text, std::string(style) + " text-anchor=\"end\"");
    return text_width(text, size) + 6.0;
  }
  void space(double height) { y_ += height; }

 private:
  Rect panel_;
  Canvas& canvas_;
  double y_;
};

void write_held_back(const ConstraintReport& report, const std::vector<LimitMark>& limits, Column& column,
                     const Rect& panel) {
  std::size_t shown = 0;
  for (const HoldingLimit& holding : report.held_back_by) {
    const auto found =
        std::find_if(limits.begin(), limits.end(), [&](const LimitMark& limit) { return limit.name == holding.name; });
    if (shown == limits_shown || found == limits.end() || !column.fits(3)) break;
    ++shown;
    column.space(2.0);
    column.badge(24.0, std::to_string(found - limits.begin() + 1), colour_of(State::far), true);
    const std::string share = std::isfinite(holding.share) ? to_text(100.0 * holding.share, 0) + " %" : "?";
    const double taken = column.value(share, 10.5, dark);
    column.write(43.0, 10.5, fitted(holding.name, 10.5, panel.width - 71.0 - taken), dark);
  }
  if (shown < report.held_back_by.size())
    column.write(43.0, 10.5, "and " + std::to_string(report.held_back_by.size() - shown) + " more limits", soft);
}

void write_constraint(const Constraint& constraint, int index, const Report& report, double size,
                      const std::vector<LimitMark>& limits, Column& column, const Rect& panel) {
  const auto found = std::find_if(report.constraints.begin(), report.constraints.end(),
                                  [&](const ConstraintReport& r) { return r.id == constraint.id; });
  const ConstraintReport* reported = found == report.constraints.end() ? nullptr : &*found;
  const State state = constraint.counts() ? state_of(reported, size) : State::off;
  column.badge(0.0, letter(index), colour_of(state), false);
  column.write(24.0, 12.5, constraint.name, std::string(dark) + " font-weight=\"bold\"");
  std::string text = reported && reported->soft && constraint.counts() ? "soft"
                     : state == State::met                             ? "met"
                     : state == State::off ? (constraint.counts() ? "not in the report" : "off")
                     : reported->error.metres || reported->error.radians ? error_text(reported->error)
                                                                         : "not met";
  if (constraint.weight == must) text += ", hard";
  column.write(24.0, 11.5, text, "fill=\"" + hex(mix(colour_of(state), {0, 0, 0}, 0.12)) + "\"");
  if (reported && state != State::met && state != State::off) write_held_back(*reported, limits, column, panel);
  column.space(7.0);
}

// The meaning of the joint colours, at the bottom of the panel.
void draw_key(const Rect& panel, bool limits, Canvas& canvas) {
  double y = panel.y + panel.height - key_height + 20.0;
  const double x = panel.x + 22.0;
  canvas.line({panel.x + 14.0, y - 16.0}, {panel.x + panel.width - 14.0, y - 16.0}, "stroke=\"#d5dbe2\"");
  const auto row = [&](const char* style, double radius, const char* text) {
    canvas.circle({x, y - 3.5}, radius, style);
    canvas.text({x + 16.0, y}, 11.0, fitted(text, 11.0, panel.width - 52.0), soft);
    y += line_height;
  };
  row("fill=\"#184a87\"", 3.0, "movable joint");
  row("fill=\"#26343f\" fill-opacity=\"0.28\"", 2.4, "fixed joint");
  if (limits) row("fill=\"#cd2d32\"", 4.0, "joint whose limit blocks a goal");
}

}  // namespace

void draw_legend(const Problem& problem, const Report& report, const std::vector<LimitMark>& limits, const Rect& panel,
                 Canvas& canvas) {
  canvas.open("g", "id=\"legend\"");
  canvas.rect(panel, "rx=\"8\" fill=\"#f8fafb\" stroke=\"#d5dbe2\"");
  Column column(panel, canvas);
  const std::vector<ConstraintReport>& all = report.constraints;
  const auto is_goal = [](const ConstraintReport& c) { return c.counted && !c.soft; };
  const auto counted = std::count_if(all.begin(), all.end(), is_goal);
  const auto met =
      std::count_if(all.begin(), all.end(), [&](const ConstraintReport& c) { return is_goal(c) && c.met; });
  column.write(0.0, 13.5, std::to_string(met) + " of " + std::to_string(counted) + " goals met",
               std::string(dark) + " font-weight=\"bold\"");
  column.write(0.0, 11.5,
               (report.iterations == 0 && report.exit == Exit::iteration_limit
                    ? std::string("not solved")
                    : std::string(name_of(report.exit)) + ", " + std::to_string(report.iterations) + " steps") +
                   ", " + std::to_string(report.variables) + " DOF",
               soft);
  if (report.rejection) column.write(0.0, 11.5, report.rejection->text(), "fill=\"#cd2d32\"");
  column.space(10.0);
  const int total = static_cast<int>(problem.constraints().size());
  for (int k = 0; k < total; ++k) {
    if (!column.fits(k + 1 < total ? 4 : 3)) {
      column.write(24.0, 11.5, "and " + std::to_string(total - k) + " more", soft);
      break;
    }
    write_constraint(problem.constraints()[static_cast<std::size_t>(k)], k, report, problem.figure().length(), limits,
                     column, panel);
  }
  draw_key(panel, !limits.empty(), canvas);
  canvas.close("g");
}

}  // namespace limber::picture
