#include <algorithm>
#include <array>

#include "limber/base/number.h"
#include "limber/picture/ground.h"
#include "limber/picture/sheet.h"
#include "limber/picture/skin.h"

namespace limber::picture {

namespace {

constexpr double margin = 26.0, above = 34.0, below = 42.0;  // pixels around the scene
constexpr double min_height = 170.0, max_height = 400.0, min_width = 300.0;
constexpr double max_narrow_width = 0.34;  // relative to the page: a narrower scene leaves room for plots beside it
constexpr double legend_width = 210.0, line_height = 16.0;
constexpr int ghost_corners = 20, body_corners = 30;
constexpr double outline_finest = 0.2;  // pixels
constexpr int max_points = 4000;        // of a path
constexpr double finest = 0.5;          // pixels between two of them
constexpr Colour soft = {102, 120, 138};

constexpr std::array<Colour, max_strip_places> palette = {{{0, 104, 178},
                                                           {206, 74, 16},
                                                           {0, 138, 98},
                                                           {176, 66, 140},
                                                           {214, 146, 0},
                                                           {64, 160, 214},
                                                           {122, 88, 54},
                                                           {80, 84, 92}}};

bool in_contact(const std::vector<StripContact>& contacts, const std::string& place, double time) {
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const StripContact& c) { return c.place == place && c.start <= time && time <= c.end; });
}

class StagePainter {
 public:
  StagePainter(const Sheet& sheet, const Stage& stage, const Vec2& corner, Canvas& canvas)
      : sheet_(sheet),
        stage_(stage),
        panel_{corner.x(), corner.y(), stage.width - stage.legend, stage.height},
        camera_(stage.camera),
        canvas_(canvas) {
    camera_.origin += corner;
  }

  void draw() {
    canvas_.open("g", "id=\"stage\"");
    canvas_.raw("<clipPath id=\"clip-stage\">");
    canvas_.rect(panel_, "rx=\"8\"");
    canvas_.raw("</clipPath>\n");
    canvas_.rect(panel_, "rx=\"8\" fill=\"#fdfdfe\"");
    canvas_.open("g", "clip-path=\"url(#clip-stage)\"");
    const Vec3& middle = sheet_.course.middle.front();
    draw_grid(camera_, panel_, {Vec3(middle.x(), sheet_.course.floor, middle.z()), stage_.extent}, canvas_);
    draw_bodies();
    draw_paths();
    if (sheet_.course.travels) draw_times();
    draw_scale_bar(camera_, panel_, canvas_);
    canvas_.text({panel_.x + 14.0, panel_.y + 22.0}, 12.5,
                 sheet_.course.travels ? "Seen from the side of its travel" : "Seen from the side",
                 fill({84, 98, 114}) + " font-weight=\"bold\"" + std::string(halo));
    canvas_.close("g");
    canvas_.rect(panel_, "rx=\"8\" fill=\"none\" stroke=\"#d5dbe2\"");
    draw_legend();
    canvas_.close("g");
  }

 private:
  void draw_bodies() {
    const std::size_t last = sheet_.bodies.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
      const double age = 1.0 - static_cast<double>(k) / static_cast<double>(last);
      const Colour colour = mix(skin_in_use, white, 0.35 + 0.3 * age);
      draw_silhouette(sheet_.bodies[k], camera_, ghost_corners, outline_finest,
                      "class=\"ghost\" " + fill(colour) + " opacity=\"0.6\" stroke=\"" + hex(mix(colour, shade, 0.35)) +
                          "\" stroke-width=\"1.4\" paint-order=\"stroke\"",
                      canvas_);
    }
    BodyPainter(sheet_.bodies[last], camera_,
                {.id = "skin-stage",
                 .size = sheet_.figure.length(),
                 .edge = 1.6,
                 .corners = body_corners,
                 .finest = outline_finest},
                canvas_)
        .draw(skin_in_use);
  }

  std::vector<Vec2> path(const Trace& trace) const {
    const std::size_t every = trace.at.size() / max_points + 1;
    std::vector<Vec2> points;
    for (std::size_t k = 0; k < trace.at.size(); k += every) points.push_back(camera_.project(trace.at[k]));
    return thinned(points, finest);
  }

  void draw_paths() {
    for (std::size_t p = 0; p < sheet_.before.size(); ++p)
      canvas_.polyline(path(sheet_.before[p]),
                       "class=\"before\" " + stroke(before_colour(p), 1.1) + " stroke-dasharray=\"4 3\"");
    const std::vector<Trace>& traces = sheet_.course.traces;
    for (std::size_t p = 0; p < traces.size(); ++p) {
      draw_contacts(traces[p], trace_colour(p));
      canvas_.polyline(path(traces[p]), "class=\"path\" " + stroke(trace_colour(p), 1.5));
    }
    for (std::size_t p = 0; p < traces.size(); ++p)
      for (const int frame : sheet_.frames)
        canvas_.circle(camera_.project(traces[p].at[static_cast<std::size_t>(frame)]), 2.6,
                       fill(trace_colour(p)) + " stroke=\"#ffffff\" stroke-width=\"0.8\"");
  }

  // A broad line along the path during contact.
  void draw_contacts(const Trace& trace, const Colour& colour) {
    for (const StripContact& contact : sheet_.options.contacts) {
      if (contact.place != trace.place) continue;
      Trace part{trace.place, {}, {}};
      for (std::size_t k = 0; k < trace.at.size(); ++k)
        if (const double t = sheet_.time(static_cast<int>(k)); contact.start <= t && t <= contact.end)
          part.at.push_back(trace.at[k]);
      if (part.at.empty()) continue;
      canvas_.polyline(path(part), "class=\"contact\" " + stroke(colour, 7.0) + " stroke-opacity=\"0.4\"");
    }
  }

  // The time of each body, below the ground; omitted where there is no room.
  void draw_times() {
    const double y =
        std::fmin(camera_.project(Vec3(0.0, sheet_.course.floor, 0.0)).y() + 15.0, panel_.y + panel_.height - 24.0);
    std::vector<Rect> taken;
    for (std::size_t k = sheet_.frames.size(); k-- > 0;) {
      const int frame = sheet_.frames[k];
      const std::string text = time_text(sheet_.time(frame), sheet_.spacing());
      const double x = camera_.project(sheet_.course.middle[static_cast<std::size_t>(frame)]).x();
      const double half = 0.5 * text_width(text, 9.5) + 2.0;
      const Rect box{x - half, y - 9.0, 2.0 * half, 11.0};
      if (!panel_.contains(box) ||
          std::any_of(taken.begin(), taken.end(), [&](const Rect& r) { return r.overlaps(box); }))
        continue;
      taken.push_back(box);
      canvas_.text({x, y}, 9.5, text, fill(soft) + " text-anchor=\"middle\"");
    }
  }

  // --- Legend ---

  void write(double indent, double size, const std::string& text, const std::string& style) {
    canvas_.text({left_ + indent, y_}, size, fitted(text, size, panel_.x + stage_.width - left_ - indent - 6.0), style);
    y_ += line_height;
  }

  void sample(const std::string& style) { canvas_.line({left_, y_ - 4.0}, {left_ + 22.0, y_ - 4.0}, style); }

  void draw_legend() {
    left_ = panel_.x + panel_.width + 14.0;
    y_ = panel_.y + 16.0;
    const std::vector<Trace>& traces = sheet_.course.traces;
    for (std::size_t p = 0; p < traces.size(); ++p) {
      sample(stroke(trace_colour(p), 2.4));
      write(30.0, 11.5, traces[p].place, fill(ink));
      if (has_contact(traces[p].place)) write_slide(p);
    }
    if (!traces.empty()) y_ += 6.0;
    if (!sheet_.before.empty()) {
      sample(stroke(before_colour(0), 1.3) + " stroke-dasharray=\"4 3\"");
      write(30.0, 10.5, sheet_.options.compare_name.empty() ? "before" : sheet_.options.compare_name, fill(soft));
    }
    if (!sheet_.options.contacts.empty()) {
      sample(stroke(soft, 7.0) + " stroke-opacity=\"0.4\"");
      write(30.0, 10.5, "in contact", fill(soft));
    }
    if (!traces.empty()) {
      canvas_.circle({left_ + 11.0, y_ - 4.0}, 2.6, fill(soft));
      write(30.0, 10.5, "at the frames above", fill(soft));
    }
    write(0.0, 10.5, "in full colour: " + time_text(sheet_.time(sheet_.frames.back()), sheet_.spacing()), fill(soft));
    if (sheet_.course.travels) write(0.0, 10.5, "travel: " + travel_text(), fill(soft));
  }

  std::string travel_text() const {
    const Unit unit = unit_for(sheet_.course.travel);
    return to_text(sheet_.course.travel / unit.metres, unit.metres < 1.0 ? 0 : 2) + " " + unit.name;
  }

  bool has_contact(const std::string& place) const {
    return std::any_of(sheet_.options.contacts.begin(), sheet_.options.contacts.end(),
                       [&](const StripContact& c) { return c.place == place; });
  }

  void write_slide(std::size_t p) {
    const auto text = [&](const Trace& trace, double frame_time) {
      return length_text(slide(trace, frame_time, sheet_.options.contacts), 0);
    };
    write(30.0, 10.0, "slides " + text(sheet_.course.traces[p], sheet_.frame_time), fill(soft));
    if (!sheet_.before.empty())
      write(30.0, 10.0, "dashed: " + text(sheet_.before[p], sheet_.before_frame_time), fill(before_colour(p)));
  }

  const Sheet& sheet_;
  const Stage& stage_;
  Rect panel_;
  Camera camera_;
  Canvas& canvas_;
  double left_ = 0.0, y_ = 0.0;
};

double legend_height(const Sheet& sheet) {
  double lines = 3.0 + (sheet.before.empty() ? 0.0 : 1.0) + (sheet.options.contacts.empty() ? 0.0 : 1.0);
  for (const Trace& trace : sheet.course.traces)
    lines += std::any_of(sheet.options.contacts.begin(), sheet.options.contacts.end(),
                         [&](const StripContact& c) { return c.place == trace.place; })
                 ? (sheet.before.empty() ? 2.0 : 3.0)
                 : 1.0;
  return 20.0 + lines * line_height;
}

}  // namespace

Colour trace_colour(std::size_t place) { return palette[place % palette.size()]; }
Colour before_colour(std::size_t place) { return mix(trace_colour(place), {150, 156, 164}, 0.6); }

double slide(const Trace& trace, double frame_time, const std::vector<StripContact>& contacts) {
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < trace.at.size(); ++k) {
    const double t = static_cast<double>(k) * frame_time;
    if (!in_contact(contacts, trace.place, t) || !in_contact(contacts, trace.place, t + frame_time)) continue;
    const Vec3 d = trace.at[k + 1] - trace.at[k];
    sum += std::hypot(d.x(), d.z());
  }
  return sum;
}

Stage plan_stage(const Sheet& sheet, double width) {
  Stage stage;
  stage.width = width;
  stage.legend = legend_width;
  std::vector<Ellipsoid> scene;
  for (const Body& body : sheet.bodies) add_shifted(body, Vec3::Zero(), scene);
  for (const std::vector<Trace>* list : {&sheet.course.traces, &sheet.before})
    for (const Trace& trace : *list)
      for (const Vec3& x : trace.at) scene.push_back(Ellipsoid::ball(x, 0.0));
  const Vec3& start = sheet.course.middle.front();
  scene.push_back(Ellipsoid::ball({start.x(), sheet.course.floor, start.z()}, 0.0));
  stage.camera = Camera::looking(sheet.course.side(), Vec3::UnitY());
  stage.camera.target = start;
  const Bounds box = bounds(stage.camera, scene);
  const Vec2 size = box.max - box.min;
  const bool known = size.allFinite() && size.x() > 0.0 && size.y() > 0.0;
  const double scene_width = known ? (max_height - above - below) * size.x() / size.y() + 2.0 * margin : min_width;
  stage.narrow = scene_width < max_narrow_width * width;
  if (stage.narrow) stage.width = std::fmax(scene_width, min_width) + stage.legend;
  const double inner_width = stage.width - stage.legend - 2.0 * margin;
  const double scene_height = known ? inner_width * size.y() / size.x() : max_height;
  stage.height = std::fmax(std::clamp(scene_height + above + below, min_height, max_height), legend_height(sheet));
  stage.extent = size.allFinite() && size.maxCoeff() > 0.0 ? size.maxCoeff() : sheet.figure.length();
  stage.camera.fit(scene, {margin, above, inner_width, stage.height - above - below});
  return stage;
}

void draw_stage(const Sheet& sheet, const Stage& stage, const Vec2& corner, Canvas& canvas) {
  StagePainter(sheet, stage, corner, canvas).draw();
}

}  // namespace limber::picture
