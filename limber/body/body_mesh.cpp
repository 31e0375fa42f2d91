#include "limber/body/body_mesh.h"

#include <algorithm>

#include "limber/base/index.h"
#include "limber/body/body.h"
#include "limber/body/hull_mesh.h"
#include "limber/kinematics/forward.h"

namespace limber::body {

namespace {

constexpr double eye_bulge = 0.35;  // height of an eye above the skin, relative to its radius
constexpr int coarse_factor = 2;    // eyes and nose: coarser by this factor
constexpr int head_factor = 2;      // head: finer by this factor, because its outline is noticed

// The frame of the directions: its x axis is the mirror normal, so that left and right get the same points.
Mat3 mirror_frame(const Figure& figure) {
  const Vec3 x = figure.description().mirror_normal.normalized();
  return rotation_from_xy(x, std::fabs(x.y()) <= std::fabs(x.z()) ? Vec3::UnitY() : Vec3::UnitZ());
}

// A flattened ball on the surface of the head.
Ellipsoid eyeball(const Eye& eye) {
  const Mat3 out = eye.outward * eye.outward.transpose();
  return {eye.at, eye.radius * (Mat3::Identity() - (1.0 - eye_bulge) * out), eye.segment};
}

bool equal(const Ellipsoid& a, const Ellipsoid& b) {
  return a.segment == b.segment && a.centre == b.centre && a.axes == b.axes;
}

// Whether all ellipsoids of the piece belong to the chest.
bool lies_in(const std::vector<Ellipsoid>& piece, const std::vector<Ellipsoid>& chest) {
  return std::all_of(piece.begin(), piece.end(), [&](const Ellipsoid& e) {
    return std::any_of(chest.begin(), chest.end(), [&](const Ellipsoid& c) { return equal(e, c); });
  });
}

class MeshBuilder {
 public:
  MeshBuilder(const Figure& figure, int detail)
      : state_(forward(figure, figure.rest())),
        body_(make_body(figure, state_)),
        grid_(mirror_frame(figure)),
        usual_(directions(detail)),
        fine_(directions(detail * head_factor)),
        coarse_(directions(detail / coarse_factor)),
        octahedron_(Directions::octahedral(min_detail, grid_)) {}

  BodyMesh build() {
    for (const Solid& solid : body_.solids) {
      if (!solid.chest.empty()) add(solid.chest, usual_, Material::skin);
      for (std::size_t k = 0; k < solid.pieces.size(); ++k)
        if (!lies_in(solid.pieces[k], solid.chest)) add(solid.pieces[k], directions(solid, k), Material::skin);
    }
    for (const Eye& eye : body_.eyes) add({eyeball(eye)}, coarse_, Material::eye);
    return std::move(mesh_);
  }

 private:
  Directions directions(int detail) const { return Directions::octahedral(detail, grid_).parted(grid_.col(0)); }

  const Directions& directions(const Solid& solid, std::size_t piece) const {
    if (solid.marker) return octahedron_;
    if (solid.head) return piece == 0 ? fine_ : coarse_;
    return usual_;
  }

  void add(const std::vector<Ellipsoid>& piece, const Directions& directions, Material material) {
    const HullMesh hull = hull_mesh(piece, directions);
    if (!(hull.volume() > 0.0)) return;
    const int first = static_cast<int>(mesh_.segment.size());
    for (std::size_t v = 0; v < hull.ellipsoid.size(); ++v) {
      const int s = piece[at_index(hull.ellipsoid[v])].segment;
      const Frame X_segment_world = state_.segments[at_index(s)].inverse();
      mesh_.segment.push_back(s);
      mesh_.position.push_back((X_segment_world * hull.position[v]).cast<float>());
      mesh_.normal.push_back(Vec3(X_segment_world.R * hull.normal[v]).cast<float>());
    }
    for (const std::array<int, 3>& t : hull.triangles) {
      for (const int v : t) mesh_.triangle.push_back(first + v);
      mesh_.part.push_back(part(first + t[0], first + t[1], first + t[2]));
      mesh_.material.push_back(static_cast<int>(material));
    }
  }

  // The segment of at least two corners; else of the first.
  int part(int a, int b, int c) const {
    const int s = mesh_.segment[at_index(b)];
    return s == mesh_.segment[at_index(c)] ? s : mesh_.segment[at_index(a)];
  }

  const Kinematics state_;
  const Body body_;
  const Mat3 grid_;
  const Directions usual_, fine_, coarse_, octahedron_;
  BodyMesh mesh_;
};

// The meshes of the parts, one after the other.
BodyMesh mesh_of_parts(const Figure& figure, int detail) {
  BodyMesh whole;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  const auto append_numbers = [](std::vector<int>& to, const std::vector<int>& from, int begin) {
    for (const int number : from) to.push_back(begin + number);
  };
  for (const FigurePart& part : figure.parts()) {
    const BodyMesh own = body_mesh(part.figure, detail);
    append_numbers(whole.triangle, own.triangle, static_cast<int>(whole.position.size()));
    append_numbers(whole.segment, own.segment, part.segment_begin);
    append_numbers(whole.part, own.part, part.segment_begin);
    append(whole.position, own.position);
    append(whole.normal, own.normal);
    append(whole.material, own.material);
  }
  return whole;
}

// Copies the triangles of some segments, with their vertices.
class MeshCopy {
 public:
  explicit MeshCopy(const BodyMesh& from) : from_(from), number_(from.segment.size(), -1) {}

  void add(int triangle) {
    const std::size_t t = at_index(triangle);
    for (std::size_t k = 3 * t; k < 3 * t + 3; ++k) out_.triangle.push_back(vertex(from_.triangle[k]));
    out_.part.push_back(from_.part[t]);
    out_.material.push_back(from_.material[t]);
  }
  BodyMesh take() { return std::move(out_); }

 private:
  int vertex(int v) {
    int& number = number_[at_index(v)];
    if (number < 0) {
      number = static_cast<int>(out_.segment.size());
      out_.segment.push_back(from_.segment[at_index(v)]);
      out_.position.push_back(from_.position[at_index(v)]);
      out_.normal.push_back(from_.normal[at_index(v)]);
    }
    return number;
  }

  const BodyMesh& from_;
  std::vector<int> number_;  // by vertex: its new one, or -1
  BodyMesh out_;
};

void add_object(const SegmentObject& object, int segment, BodyMesh& mesh) {
  for (const std::array<int, 3>& corners : object.triangles) {
    Vec3 x[3];
    for (std::size_t k = 0; k < 3; ++k) x[k] = object.vertices[at_index(corners[k])];
    const Vec3 across = (x[1] - x[0]).cross(x[2] - x[0]);
    if (!(across.norm() > 0.0)) continue;
    for (const Vec3& p : x) {
      mesh.triangle.push_back(static_cast<int>(mesh.segment.size()));
      mesh.segment.push_back(segment);
      mesh.position.push_back(p.cast<float>());
      mesh.normal.push_back(Vec3(across.normalized()).cast<float>());
    }
    mesh.part.push_back(segment);
    mesh.material.push_back(static_cast<int>(Material::skin));
  }
}

}  // namespace

BodyMesh with_objects(const BodyMesh& mesh, const Figure& figure, const std::vector<SegmentObject>& objects) {
  std::vector<char> has_object(figure.segments().size(), 0);
  for (const SegmentObject& object : objects)
    if (const Expected<int> s = figure.find_segment(object.segment)) has_object[at_index(*s)] = 1;
  MeshCopy kept(mesh);
  for (int t = 0; t < mesh.triangle_count(); ++t)
    if (!has_object[at_index(mesh.part[at_index(t)])]) kept.add(t);
  BodyMesh out = kept.take();
  for (const SegmentObject& object : objects)
    if (const Expected<int> s = figure.find_segment(object.segment)) add_object(object, *s, out);
  return out;
}

BodyMesh body_mesh(const Figure& figure, int detail) {
  if (!figure.parts().empty()) return mesh_of_parts(figure, detail);
  return MeshBuilder(figure, std::clamp(detail, min_detail, max_detail)).build();
}

}  // namespace limber::body
