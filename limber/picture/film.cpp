#include <algorithm>
#include <cassert>

#include "limber/picture/course.h"
#include "limber/picture/ground.h"
#include "limber/picture/skin.h"
#include "limber/picture/strip.h"

namespace limber {

namespace {

using namespace picture;

constexpr int min_width = 320, min_height = 240, max_size = 8000;
constexpr double side_margin = 30.0, top_margin = 48.0;
constexpr double azimuth = radians(30.0), elevation = radians(12.0);
constexpr double camera_distance = 3.6;  // relative to the extent
constexpr int film_corners = 32, shadow_corners = 16;
constexpr double finest = 0.1, shadow_finest = 0.4;  // pixels

int even_within(int pixels, int min) { return std::clamp(pixels, min, max_size) / 2 * 2; }

}  // namespace

Expected<FilmView> film_view(const Figure& figure, const MatX& poses, const FilmOptions& options) {
  const Expected<Course> course = make_course(figure, poses, 1.0, {});  // times are not shown
  if (!course) return std::unexpected(course.error());
  FilmView view;
  view.title = options.title.empty() ? figure.name() : options.title;
  view.width = even_within(options.width, min_width);
  view.height = even_within(options.height, min_height);
  std::vector<Ellipsoid> scene;
  for (const Body& body : course->bodies) add_shifted(body, Vec3::Zero(), scene);
  std::erase_if(scene, [](const Ellipsoid& e) { return !e.finite(); });
  Vec3 min = Vec3::Constant(infinity), max = Vec3::Constant(-infinity);
  for (const Ellipsoid& e : scene) {
    const Vec3 half = e.axes.rowwise().norm();
    min = min.cwiseMin(e.centre - half);
    max = max.cwiseMax(e.centre + half);
  }
  if (scene.empty()) min = max = Vec3::Zero();
  const Vec3 middle = 0.5 * (min + max);
  view.extent = std::fmax((max - min).maxCoeff(), 0.1 * figure.length());
  view.ground = {middle.x(), course->floor, middle.z()};
  scene.push_back(Ellipsoid::ball(view.ground, 0.0));
  Camera camera = Camera::looking(course->aslant(azimuth, elevation), Vec3::UnitY());
  camera.target = middle;
  camera.distance = camera_distance * view.extent;
  camera.fit(scene, {side_margin, top_margin, view.width - 2.0 * side_margin, view.height - top_margin - side_margin});
  view.camera = std::make_shared<const Camera>(camera);
  return view;
}

std::string draw_frame_svg(const Figure& figure, const Pose& pose, const FilmView& view, const std::string& label) {
  assert(pose.theta.size() == static_cast<Eigen::Index>(figure.parameters().size()));
  const Body body = body::make_body(figure, forward(figure, pose));
  Canvas canvas;
  canvas.open_page(view.width, view.height, view.title);
  canvas.rect({0.0, 0.0, view.width, view.height}, "fill=\"url(#sky)\"");
  draw_floor(*view.camera, {view.ground, view.extent}, canvas);
  draw_shadow(*view.camera, body, view.ground.y(), canvas, shadow_corners, shadow_finest);
  BodyPainter(body, *view.camera, {.id = "skin", .size = figure.length(), .corners = film_corners, .finest = finest},
              canvas)
      .draw(skin_in_use);
  const double label_width = text_width(label, 15.0) + 20.0;
  canvas.text({16.0, 28.0}, 16.0, fitted(view.title, 17.5, view.width - 32.0 - label_width),
              fill(ink) + " font-weight=\"bold\"" + std::string(halo));
  canvas.text({view.width - 16.0, 28.0}, 15.0, label, "fill=\"#66788a\" text-anchor=\"end\"" + std::string(halo));
  canvas.close("svg");
  return canvas.take();
}

}  // namespace limber
