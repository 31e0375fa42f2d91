#include "limber/document/scene/scene_obstacle.h"

#include <algorithm>
#include <iterator>

#include "limber/figure/join.h"
#include "limber/obstacle/body.h"

namespace limber {

namespace {

using Layout = JsonWriter::Layout;

// As many as a person can place; every point and triangle costs time at each step of a solve.
constexpr std::size_t max_points = 20000;
constexpr std::size_t max_body_pairs = 64;

bool is_counted(const JsonValue& list, const char* of_what) {
  if (!list.array()) return false;
  if (list.size() <= max_points) return true;
  list.fail(std::to_string(list.size()) + " " + of_what, "at most " + std::to_string(max_points));
  return false;
}

std::vector<Vec3> read_points(const JsonValue& list) {
  std::vector<Vec3> points;
  if (!is_counted(list, "points")) return points;
  for (const JsonValue point : list) points.push_back(point.vector());
  return points;
}

SceneMesh read_mesh(const JsonValue& value) {
  SceneMesh mesh;
  if (!value.object({"vertices", "triangles"})) return mesh;
  mesh.vertices = read_points(value["vertices"]);
  if (!is_counted(value["triangles"], "triangles") || mesh.vertices.empty()) return mesh;
  const int last = static_cast<int>(mesh.vertices.size()) - 1;
  for (const JsonValue triangle : value["triangles"]) {
    if (!triangle.array(3, "three vertices")) return mesh;
    std::array<int, 3> corners{};
    int k = 0;
    for (const JsonValue corner : triangle) corners[static_cast<std::size_t>(k++)] = corner.integer(0, last);
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

double read_length(const JsonValue& value) {
  const double length = value.number();
  if (!(length >= 0.0)) value.fail(value.described(), "metres, 0 or more");
  return length;
}

Capsule read_capsule(const JsonValue& value) {
  return {value["a"].vector(), value["b"].vector(), read_length(value["radius"])};
}

struct ShapeMaker {
  Expected<ObstacleShape> operator()(const SceneFloor&) const { return HalfSpaceShape{}; }
  Expected<ObstacleShape> operator()(const SceneBall& ball) const { return BallShape{ball.radius}; }
  Expected<ObstacleShape> operator()(const Capsule& capsule) const { return capsule; }
  Expected<ObstacleShape> operator()(const SceneBlock& block) const { return BoxShape{0.5 * block.size}; }
  Expected<ObstacleShape> operator()(const SceneHull& hull) const {
    Expected<Polyhedron> made = Polyhedron::build(hull.points);
    if (!made) return std::unexpected(made.error());
    return *std::move(made);
  }
  Expected<ObstacleShape> operator()(const SceneMesh& mesh) const {
    Expected<TriangleMesh> made = TriangleMesh::build(mesh.vertices, mesh.triangles);
    if (!made) return std::unexpected(made.error());
    return *std::move(made);
  }
  Expected<ObstacleShape> operator()(const SceneBody&) const {
    return reject("obstacle", "a figure", "a single shape");
  }
};

Expected<std::vector<Obstacle>> obstacles_of_body(const SceneObstacle& obstacle, const SceneBody& body) {
  if (!body.figure) return reject("obstacle '" + obstacle.name + "'", "no figure", "one");
  const Figure& figure = body.figure->figure;
  Pose pose = figure.rest();
  for (const auto& [parameter, value] : body.pose)
    if (const Expected<int> j = figure.find_parameter(parameter)) pose.theta[*j] = value;
  return body_obstacles(obstacle.name, figure, pose, obstacle.frame);
}

struct ShapeWriter {
  JsonWriter& out;

  void points(const std::vector<Vec3>& list) const {
    out.begin_array(Layout::row);
    for (const Vec3& point : list) out.value(point);
    out.end();
  }
  void operator()(const SceneFloor&) const { out.member("floor", true); }
  void operator()(const SceneBall& ball) const { out.member("ball", ball.radius); }
  void operator()(const SceneBlock& block) const { out.member("box", block.size); }
  void operator()(const Capsule& c) const {
    out.key("capsule").begin_object(Layout::row).member("a", c.a).member("b", c.b).member("radius", c.radius).end();
  }
  void operator()(const SceneHull& hull) const {
    out.key("hull");
    points(hull.points);
  }
  void operator()(const SceneMesh& mesh) const {
    out.key("mesh").begin_object().key("vertices");
    points(mesh.vertices);
    out.key("triangles").begin_array(Layout::row);
    for (const std::array<int, 3>& triangle : mesh.triangles) {
      out.begin_array();
      for (const int corner : triangle) out.integer(corner);
      out.end();
    }
    out.end().end();
  }
  void operator()(const SceneBody& body) const {
    if (!body.figure) return;
    const Figure& figure = body.figure->figure;
    out.key("figure");
    write_figure_value(out, figure, body.figure->source);
    if (body.pose.empty()) return;
    out.key("pose").begin_object();
    for (const auto& [parameter, value] : body.pose)
      if (const Expected<int> j = figure.find_parameter(parameter))
        out.member(parameter, written(value, unit_of(figure, figure.parameters()[static_cast<std::size_t>(*j)])));
    out.end();
  }
};

// The scene's own, and those of the figures that have none there.
std::vector<SegmentCapsule> capsules_for(const Figure& figure, const SceneClearance& clearance) {
  if (clearance.capsules.empty()) return capsules_of(figure);
  std::vector<SegmentCapsule> capsules = clearance.capsules;
  const auto has_own = [&](const FigurePart& part) {
    return std::ranges::any_of(clearance.capsules, [&](const SegmentCapsule& capsule) {
      return part_of_segment(figure, capsule.segment) == &part;
    });
  };
  for (const FigurePart& part : figure.parts())
    if (!has_own(part))
      for (const SegmentCapsule& own : capsules_of(part.figure))
        capsules.push_back({part.segment_begin + own.segment, own.capsule});
  return capsules;
}

bool takes_lines(const SceneObstacle& obstacle) {
  return std::holds_alternative<SceneMesh>(obstacle.shape) || std::holds_alternative<SceneBody>(obstacle.shape);
}

}  // namespace

Expected<std::vector<Obstacle>> obstacles_of(const SceneObstacle& obstacle) {
  if (const SceneBody* body = std::get_if<SceneBody>(&obstacle.shape)) return obstacles_of_body(obstacle, *body);
  Expected<ObstacleShape> shape = std::visit(ShapeMaker{}, obstacle.shape);
  if (!shape) return std::unexpected(shape.error());
  Expected<Obstacle> built = build_obstacle(obstacle.name, *std::move(shape), obstacle.frame);
  if (!built) return std::unexpected(built.error());
  return std::vector<Obstacle>{*std::move(built)};
}

Expected<Clearance> clearance_of(const Scene& scene, const SceneClearance& clearance) {
  Clearance made;
  made.margin = clearance.margin;
  made.capsules = capsules_for(scene.figure, clearance);
  for (const SceneObstacle& obstacle : scene.obstacles) {
    if (clearance.of && std::find(clearance.of->begin(), clearance.of->end(), obstacle.name) == clearance.of->end())
      continue;
    Expected<std::vector<Obstacle>> built = obstacles_of(obstacle);
    if (!built) return std::unexpected(built.error());
    std::move(built->begin(), built->end(), std::back_inserter(made.obstacles));
  }
  if (clearance.self) made.pairs = pairs_to_check(scene.figure, made.capsules, clearance.margin);
  for (const auto& [first, second] : clearance.between) {
    const Expected<std::vector<CapsulePair>> pairs = pairs_between(scene.figure, made.capsules, first, second);
    if (!pairs) return std::unexpected(pairs.error());
    made.pairs.insert(made.pairs.end(), pairs->begin(), pairs->end());
  }
  // Of a pair that is there twice, the one with slack for soft bodies counts.
  const auto number = [](const CapsulePair& pair) { return std::pair(pair.first, pair.second); };
  std::ranges::stable_sort(made.pairs, {}, number);
  const auto repeated = std::ranges::unique(made.pairs, {}, number);
  made.pairs.erase(repeated.begin(), repeated.end());
  return made;
}

SceneObstacle read_scene_obstacle(const JsonValue& value, const FigureLoader& load) {
  SceneObstacle obstacle;
  if (!value.object({"name", "floor", "ball", "capsule", "box", "hull", "mesh", "figure", "pose", "p", "matrix",
                     "quaternion", "turns"}))
    return obstacle;
  obstacle.name = value["name"].text();
  obstacle.frame = read_frame(value);
  int shapes = 0;
  for (const char* key : {"floor", "ball", "capsule", "box", "hull", "mesh", "figure"})
    shapes += value[key].exists() ? 1 : 0;
  if (shapes != 1) {
    value.fail(std::to_string(shapes) + " shapes",
               "one of \"floor\", \"ball\", \"capsule\", \"box\", \"hull\", \"mesh\", \"figure\"");
    return obstacle;
  }
  if (value["pose"] && !value["figure"]) value["pose"].fail_at_key("\"pose\" without \"figure\"", "both, or neither");
  if (const JsonValue floor = value["floor"]; floor && !floor.boolean()) floor.fail(floor.described(), "true");
  if (const JsonValue ball = value["ball"]) obstacle.shape = SceneBall{read_length(ball)};
  if (const JsonValue capsule = value["capsule"]; capsule && capsule.object({"a", "b", "radius"}))
    obstacle.shape = read_capsule(capsule);
  if (const JsonValue box = value["box"]) obstacle.shape = SceneBlock{box.vector()};
  if (const JsonValue hull = value["hull"]) obstacle.shape = SceneHull{read_points(hull)};
  if (const JsonValue mesh = value["mesh"]) obstacle.shape = read_mesh(mesh);
  if (const JsonValue figure = value["figure"])
    obstacle.shape = SceneBody{std::make_shared<const SourcedFigure>(read_figure_value(figure, load))};
  if (value.document().error()) return obstacle;
  if (const Expected<std::vector<Obstacle>> built = obstacles_of(obstacle); !built) value.fail(built.error());
  return obstacle;
}

void write_scene_obstacle(JsonWriter& out, const SceneObstacle& obstacle) {
  out.begin_object(takes_lines(obstacle) ? Layout::block : Layout::row);
  out.member("name", obstacle.name);
  std::visit(ShapeWriter{out}, obstacle.shape);
  write_frame_members(out, obstacle.frame);
  out.end();
}

SceneClearance read_scene_clearance(const JsonValue& value, const Scene& scene) {
  SceneClearance clearance;
  if (value.is(JsonKind::boolean)) {
    if (!value.boolean()) value.fail(value.described(), "true, or an object");
    return clearance;
  }
  if (!value.object({"of", "self", "between", "margin", "capsules"})) return clearance;
  if (value["self"]) clearance.self = value["self"].boolean();
  if (const JsonValue margin = value["margin"]) clearance.margin = read_length(margin);
  if (const JsonValue of = value["of"]; of && of.array()) {
    clearance.of.emplace();
    for (const JsonValue name : of) {
      clearance.of->push_back(name.text());
      const auto is_named = [&](const SceneObstacle& obstacle) { return obstacle.name == clearance.of->back(); };
      if (!value.document().error() && std::none_of(scene.obstacles.begin(), scene.obstacles.end(), is_named))
        name.fail(name.described(), "the name of one of the scene's obstacles");
    }
  }
  if (const JsonValue between = value["between"]; between && between.array()) {
    if (between.size() > max_body_pairs)
      between.fail(std::to_string(between.size()) + " pairs", "at most " + std::to_string(max_body_pairs));
    for (const JsonValue pair : between) {
      if (!pair.array(2, "two figures or segments")) return clearance;
      clearance.between.emplace_back((*pair.begin()).text(), (*++pair.begin()).text());
      if (value.document().error()) return clearance;
      const auto& [first, second] = clearance.between.back();
      if (const auto pairs = pairs_between(scene.figure, {}, first, second); !pairs)
        pair.fail(pairs.error().found, pairs.error().expected);
    }
  }
  if (const JsonValue capsules = value["capsules"]; capsules && is_counted(capsules, "capsules"))
    for (const JsonValue capsule : capsules) {
      if (!capsule.object({"segment", "a", "b", "radius"})) return clearance;
      const Expected<int> segment = scene.figure.find_segment(capsule["segment"].text());
      if (!segment) capsule["segment"].fail(segment.error().found, segment.error().expected);
      clearance.capsules.push_back({segment.value_or(0), read_capsule(capsule)});
    }
  return clearance;
}

void write_scene_clearance(JsonWriter& out, const SceneClearance& clearance, const Figure& figure) {
  out.key("keep_clear").begin_object(clearance.capsules.empty() ? Layout::row : Layout::block);
  if (clearance.of) {
    out.key("of").begin_array(Layout::row);
    for (const std::string& name : *clearance.of) out.value(name);
    out.end();
  }
  out.member_unless("self", clearance.self, false);
  if (!clearance.between.empty()) {
    out.key("between").begin_array(Layout::row);
    for (const auto& [first, second] : clearance.between) out.begin_array(Layout::row).value(first).value(second).end();
    out.end();
  }
  out.member_unless("margin", clearance.margin, 0.0);
  if (!clearance.capsules.empty()) {
    out.key("capsules").begin_array();
    for (const auto& [segment, capsule] : clearance.capsules)
      out.begin_object(Layout::row)
          .member("segment", figure.segments()[static_cast<std::size_t>(segment)].name)
          .member("a", capsule.a)
          .member("b", capsule.b)
          .member("radius", capsule.radius)
          .end();
    out.end();
  }
  out.end();
}

}  // namespace limber
