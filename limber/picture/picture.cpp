#include "limber/picture/picture.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "limber/base/index.h"
#include "limber/base/number.h"
#include "limber/body/block.h"
#include "limber/body/body.h"
#include "limber/kinematics/forward.h"
#include "limber/picture/camera.h"
#include "limber/picture/canvas.h"
#include "limber/picture/course.h"
#include "limber/picture/ground.h"
#include "limber/picture/legend.h"
#include "limber/picture/mark.h"
#include "limber/picture/view.h"

namespace limber {

namespace {

using namespace picture;

constexpr int min_width = 480, min_height = 360;
constexpr double panel_gap = 10.0, title_height = 46.0, margin = 30.0;
constexpr double perspective_width = 0.56, min_top = 0.26, max_top = 0.44;  // relative to the area of the views
constexpr double camera_distance = 3.6;                                     // relative to the scene's extent
constexpr double azimuth = radians(34.0), elevation = radians(14.0);        // front-left, slightly from above

constexpr double heat_scale_width = 200.0;  // pixels, without its name

constexpr double max_askew = radians(35.0);  // between the figure's front and an axis, for a view to be called front

// The joints that a parameter moves, ascending.
std::set<int> joints_of(const Figure& figure, int parameter) {
  std::set<int> joints;
  for (const int freedom : figure.parameters()[at_index(parameter)].drives)
    joints.insert(figure.freedoms()[at_index(freedom)].joint);
  return joints;
}

std::set<int> joints_of(const Figure& figure, const HoldingLimit& limit) {
  if (limit.parameter >= 0 && limit.parameter < static_cast<int>(figure.parameters().size()))
    return joints_of(figure, limit.parameter);
  std::set<int> joints;
  for (const LimitRow& row : figure.limit_rows())
    if (row.name == limit.name)
      for (const int parameter : row.parameters) joints.merge(joints_of(figure, parameter));
  return joints;
}

void add_joints(const Problem& problem, const Kinematics& state, const Report& report, Scene& scene) {
  const Figure& figure = problem.figure();
  std::set<int> in_use, binding;
  for (const int parameter : problem.variables()) in_use.merge(joints_of(figure, parameter));
  const auto centre = [&](int s) {
    return Vec3(state.segments[at_index(s)] * figure.joints()[at_index(s)].in_child.p);
  };
  for (const ConstraintReport& constraint : report.constraints)
    for (std::size_t k = 0; k < constraint.held_back_by.size(); ++k) {
      const HoldingLimit& limit = constraint.held_back_by[k];
      if (k >= limits_shown) {
        binding.merge(joints_of(figure, limit));
        continue;
      }
      if (std::any_of(scene.limits.begin(), scene.limits.end(),
                      [&](const LimitMark& known) { return known.name == limit.name; }))
        continue;
      LimitMark mark{std::string(limit.name), {}};
      for (const int s : joints_of(figure, limit)) {
        binding.insert(s);
        mark.at.push_back(centre(s));
      }
      scene.limits.push_back(std::move(mark));
    }
  scene.segment_in_use.assign(figure.segments().size(), false);
  for (int s = 0; s < static_cast<int>(figure.segments().size()); ++s) {
    const Joint& joint = figure.joints()[at_index(s)];
    scene.segment_in_use[at_index(s)] = in_use.contains(s);
    if (joint.freedom_begin < joint.freedom_end && centre(s).allFinite())
      scene.joints.push_back({centre(s), in_use.contains(s), binding.contains(s)});
  }
}

void frame_scene(const Problem& problem, Scene& scene) {
  Vec3 min = Vec3::Constant(infinity), max = Vec3::Constant(-infinity);
  double lowest = infinity;
  const auto include = [&](const Ellipsoid& e) {
    if (!e.finite()) return;
    scene.framed.push_back(e);
    const Vec3 half = e.axes.rowwise().norm();
    min = min.cwiseMin(e.centre - half);
    max = max.cwiseMax(e.centre + half);
  };
  for (const body::Solid& solid : scene.body.solids)
    for (const auto& piece : solid.pieces)
      for (const Ellipsoid& e : piece) include(e);
  for (const ObjectFace& face : scene.faces)
    for (const Vec3& x : face.corners) include(Ellipsoid::ball(x, 0.0));
  lowest = min.y();
  for (const Mark& mark : scene.marks)
    for (const Vec3& x : mark.framed) include(Ellipsoid::ball(x, 0.0));
  scene.size = problem.figure().length();
  if (scene.framed.empty()) return;
  scene.extent = std::fmax((max - min).maxCoeff(), 0.1 * scene.size);
  scene.middle = 0.5 * (min + max);
  scene.floor = ground_height(lowest, scene.extent);
  scene.framed.push_back(Ellipsoid::ball({scene.middle.x(), scene.floor, scene.middle.z()}, 0.0));
}

// The polygons of objects, in place of the flesh of their segments.
void add_objects(const Figure& figure, const Kinematics& state, const std::vector<SegmentObject>& objects,
                 Scene& scene) {
  std::set<int> shown;
  for (const SegmentObject& object : objects) {
    const Expected<int> s = figure.find_segment(object.segment);
    if (!s) continue;
    shown.insert(*s);
    const Frame& X = state.segments[at_index(*s)];
    const auto at = [&](int v) { return Vec3(X * object.vertices[at_index(v)]); };
    for (const auto& [a, b, c] : object.triangles) scene.faces.push_back({{at(a), at(b), at(c)}, *s});
  }
  const auto is_shown = [&](int s) { return shown.contains(s); };
  std::erase_if(scene.body.solids, [&](const body::Solid& solid) {
    return !solid.segments.empty() && std::all_of(solid.segments.begin(), solid.segments.end(), is_shown);
  });
}

Scene make_scene(const Problem& problem, const Pose& pose, const Report& report,
                 const std::vector<SegmentObject>& objects) {
  const Figure& figure = problem.figure();
  const Kinematics state = forward(figure, pose);
  Scene scene;
  scene.body = body::make_body(figure, state);
  add_objects(figure, state, objects, scene);
  add_objects(figure, state, block_objects(figure), scene);
  scene.marks = make_marks(problem, state, report);
  for (const Constraint& constraint : problem.constraints()) scene.constraint_names.push_back(constraint.name);
  add_joints(problem, state, report, scene);
  frame_scene(problem, scene);
  return scene;
}

// The colour scale, with its right end at x.
void draw_heat_scale(double x, const std::string& name, Canvas& canvas) {
  constexpr double width = heat_scale_width - 80.0, height = 9.0, top = 20.0, letters = 10.5;
  const std::string ink_style = "fill=\"#54626f\"";
  const double start = x - width - 44.0;
  canvas.raw("<linearGradient id=\"heat\">");
  for (const double heat : {0.0, 0.5, 1.0})
    canvas.raw("<stop offset=\"" + to_text(heat) + "\" stop-color=\"" + hex(heat_colour(heat)) + "\"/>");
  canvas.raw("</linearGradient>\n");
  canvas.rect({start, top, width, height}, "fill=\"url(#heat)\"");
  canvas.rect({start + width + 6.0, top, 14.0, height}, fill(heat_colour(2.0)));
  canvas.text({start, top + height + 11.0}, 9.0, "0", ink_style);
  canvas.text({start + width, top + height + 11.0}, 9.0, "1", ink_style + " text-anchor=\"end\"");
  canvas.text({start + width + 6.0, top + height + 11.0}, 9.0, "more", ink_style);
  canvas.text({start - 8.0, top + height}, letters, name, ink_style + " text-anchor=\"end\"");
}

// The height that the view from above needs at the scale of the front and the side.
double top_height(const Scene& scene, double left, double right, double half, double whole) {
  const auto size = [&](const Vec3& back, const Vec3& up) {
    const Bounds box = bounds(Camera::looking(back, up), scene.framed);
    return scene.framed.empty() ? Vec2(1.0, 1.0) : Vec2((box.max - box.min).cwiseMax(1e-3 * scene.size));
  };
  const Vec2 front = size(Vec3::UnitZ(), Vec3::UnitY()), top = size(Vec3::UnitY(), -Vec3::UnitZ());
  const double width = std::fmin(right, left) - 2.0 * margin, height = half - 2.0 * margin;
  const double scale = std::fmin(std::fmin(width / front.x(), width / top.y()), height / front.y());
  return std::clamp(scale * top.y() + 2.0 * margin, min_top * whole, max_top * whole);
}

// The title of a horizontal view: the side of the figure that faces the viewer, or the axis.
std::string view_title(const Vec3& from, const char* axis, const Vec3& left) {
  const Vec3 across(left.x(), 0.0, left.z());
  // A figure that lies on its side, or is askew to the axes, is seen from neither front nor side.
  if (!left.allFinite() || !(across.norm() > std::cos(max_askew) * left.norm())) return axis;
  const Vec3 side = across.normalized(), forward = side.cross(Vec3::UnitY());
  const double min_cosine = std::cos(max_askew);
  if (forward.dot(from) > min_cosine) return "Front";
  if (-forward.dot(from) > min_cosine) return "Back";
  if (side.dot(from) > min_cosine) return "Side, from the left";
  if (-side.dot(from) > min_cosine) return "Side, from the right";
  return axis;
}

std::vector<View> make_views(const Scene& scene, const Rect& area, const Vec3& towards_left, bool names) {
  const double left = perspective_width * (area.width - panel_gap), right = area.width - panel_gap - left;
  const double half = 0.5 * (area.height - panel_gap);
  const double tall = area.height - panel_gap - top_height(scene, left, right, half, area.height);
  const double x = area.x + left + panel_gap;
  std::vector<View> views = {{"perspective",
                              "Perspective",
                              Camera::looking({std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                                               std::cos(azimuth) * std::cos(elevation)},
                                              Vec3::UnitY()),
                              {area.x, area.y, left, tall},
                              names},
                             {"front",
                              view_title(Vec3::UnitZ(), "From +Z", towards_left),
                              Camera::looking(Vec3::UnitZ(), Vec3::UnitY()),
                              {x, area.y, right, half},
                              false},
                             {"top",
                              "Top",
                              Camera::looking(Vec3::UnitY(), -Vec3::UnitZ()),
                              {area.x, area.y + tall + panel_gap, left, area.height - tall - panel_gap},
                              false},
                             {"side",
                              view_title(-Vec3::UnitX(), "From -X", towards_left),
                              Camera::looking(-Vec3::UnitX(), Vec3::UnitY()),
                              {x, area.y + half + panel_gap, right, half},
                              false}};
  double scale = infinity;
  for (View& view : views) {
    view.camera.target = scene.middle;
    if (view.id == "perspective") view.camera.distance = camera_distance * scene.extent;
    view.camera.fit(scene.framed, view.panel.shrunk(margin));
    if (view.id != "perspective") scale = std::fmin(scale, view.camera.scale);
  }
  for (View& view : views)
    if (view.id != "perspective") view.camera.fit(scene.framed, view.panel.shrunk(margin), scale);
  return views;
}

}  // namespace

std::string draw_svg(const Problem& problem, const Pose& pose, const Report& report, const PictureOptions& options) {
  const Figure& figure = problem.figure();
  assert(pose.theta.size() == static_cast<Eigen::Index>(figure.parameters().size()));
  const double width = std::max(options.width, min_width), height = std::max(options.height, min_height);
  const bool legend = options.legend && !problem.constraints().empty();
  const double legend_width = legend ? std::clamp(0.25 * width, 150.0, 340.0) : 0.0;
  const Rect area{panel_gap, title_height, width - 2.0 * panel_gap - (legend ? legend_width + panel_gap : 0.0),
                  height - title_height - panel_gap};
  Scene scene = make_scene(problem, pose, report, options.objects);
  assert(options.heat.empty() || options.heat.size() == figure.segments().size());
  scene.heat = options.heat;
  const Vec3 left = options.left.isZero() ? left_of(figure, forward(figure, pose)) : options.left;

  Canvas canvas;
  const double scale_width = scene.heat.empty() ? 0.0 : heat_scale_width + text_width(options.heat_name, 10.5);
  const std::string title = options.title.empty() ? figure.name() : options.title;
  canvas.open_page(width, height, title);
  canvas.text({panel_gap + 4.0, 30.0}, 19.0, fitted(title, 19.0, width - 2.0 * panel_gap - 8.0 - scale_width),
              "fill=\"#26343f\" font-weight=\"bold\"");
  if (!scene.heat.empty()) draw_heat_scale(width - panel_gap, options.heat_name, canvas);
  for (const View& view : make_views(scene, area, left, options.names)) draw_view(scene, view, canvas);
  if (legend)
    draw_legend(problem, report, scene.limits, {area.x + area.width + panel_gap, area.y, legend_width, area.height},
                canvas);
  canvas.close("svg");
  return canvas.take();
}

}  // namespace limber
