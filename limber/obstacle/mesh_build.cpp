#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "limber/obstacle/mesh_data.h"

namespace limber {

namespace {

// Relative to the cube of the size: a closed mesh with less volume is a two-sided sheet.
constexpr double min_volume_share = 1e-12;

using Corners = std::array<int, 3>;

Expected<void> check_mesh(const std::vector<Vec3>& vertices, const std::vector<Corners>& triangles) {
  if (triangles.empty()) return reject("triangles", "none", "one or more");
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (!vertices[k].allFinite())
      return reject("vertices[" + std::to_string(k) + "]", "a number that is not finite", "three finite numbers");
  for (std::size_t k = 0; k < triangles.size(); ++k)
    for (const int corner : triangles[k])
      if (corner < 0 || static_cast<std::size_t>(corner) >= vertices.size())
        return reject("triangles[" + std::to_string(k) + "]", "vertex " + std::to_string(corner),
                      "0 to " + std::to_string(static_cast<int>(vertices.size()) - 1));
  return {};
}

// The triangles with coincident vertices merged, without degenerate ones.
std::vector<Corners> welded(const std::vector<Vec3>& vertices, const std::vector<Corners>& triangles) {
  std::vector<int> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int k) -> const Vec3& { return vertices[static_cast<std::size_t>(k)]; };
  const auto before = [&](int i, int j) {
    return std::ranges::lexicographical_compare(at(i), at(j)) || (at(i) == at(j) && i < j);
  };
  std::ranges::sort(order, before);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && at(order[k]) == at(order[k - 1]);
    first[static_cast<std::size_t>(order[k])] = same ? first[static_cast<std::size_t>(order[k - 1])] : order[k];
  }
  std::vector<Corners> out;
  for (Corners corners : triangles) {
    for (int& corner : corners) corner = first[static_cast<std::size_t>(corner)];
    const auto& [i, j, k] = corners;
    if (i != j && j != k && k != i) out.push_back(corners);
  }
  return out;
}

class MeshBuilder {
 public:
  MeshBuilder(const std::vector<Vec3>& vertices, std::vector<Corners> triangles)
      : vertices_(vertices), triangles_(std::move(triangles)) {
    find_sides();
  }

  const Vec3& at(int k) const { return vertices_[static_cast<std::size_t>(k)]; }
  const std::vector<Corners>& triangles() const { return triangles_; }

  // Each edge once in each direction.
  bool closed() const {
    return std::ranges::all_of(sides_, [&](const auto& side) {
      const auto back = sides_.find({side.first.second, side.first.first});
      return side.second.size() == 1 && back != sides_.end() && back->second.size() == 1;
    });
  }

  double volume() const {
    double six = 0.0;
    const Vec3& base = at(triangles_.front()[0]);  // nearby, to reduce cancellation
    for (const auto& [i, j, k] : triangles_) six += (at(i) - base).dot((at(j) - base).cross(at(k) - base));
    return six / 6.0;
  }

  void turn_inside_out() {
    for (Corners& corners : triangles_) std::swap(corners[1], corners[2]);
    find_sides();
  }

  std::vector<Triangle> list() const {
    std::vector<Triangle> out;
    for (const auto& [i, j, k] : triangles_) out.push_back({{at(i), at(j), at(k)}});
    return out;
  }

  std::vector<Triangle> rim() const {
    std::vector<Triangle> out;
    for (const auto& [side, owners] : sides_) {
      const auto& [from, to] = side;
      if (owners.size() == 1 && !sides_.contains({to, from})) out.push_back({{at(from), at(to), at(to)}});
    }
    return out;
  }

  std::vector<Vec3> normals() const {
    std::vector<Vec3> out;
    for (const Triangle& triangle : list()) {
      const Vec3 area = triangle.area_vector();
      out.push_back(area.norm() > 0.0 ? Vec3(area.normalized()) : Vec3(Vec3::Zero()));
    }
    return out;
  }

  // The mean of the normals of the two adjacent triangles.
  std::vector<std::array<Vec3, 3>> side_normals(const std::vector<Vec3>& normals) const {
    std::vector<std::array<Vec3, 3>> out(triangles_.size());
    for (std::size_t f = 0; f < triangles_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto back = sides_.find({triangles_[f][(k + 1) % 3], triangles_[f][k]});
        const Vec3 other = back != sides_.end() ? normals[back->second.front()] : Vec3(Vec3::Zero());
        out[f][k] = (normals[f] + other).normalized();
      }
    return out;
  }

  // The mean of the normals of all triangles around a corner, weighted by angle.
  std::vector<std::array<Vec3, 3>> corner_normals(const std::vector<Vec3>& normals) const {
    std::vector<Vec3> sum(vertices_.size(), Vec3::Zero());
    for (std::size_t f = 0; f < triangles_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = at(triangles_[f][k]);
        const Vec3 first = at(triangles_[f][(k + 1) % 3]) - p, second = at(triangles_[f][(k + 2) % 3]) - p;
        const double angle = std::atan2(first.cross(second).norm(), first.dot(second));
        sum[static_cast<std::size_t>(triangles_[f][k])] += angle * normals[f];
      }
    std::vector<std::array<Vec3, 3>> out(triangles_.size());
    for (std::size_t f = 0; f < triangles_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) out[f][k] = sum[static_cast<std::size_t>(triangles_[f][k])].normalized();
    return out;
  }

 private:
  void find_sides() {
    sides_.clear();
    for (std::size_t f = 0; f < triangles_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) sides_[{triangles_[f][k], triangles_[f][(k + 1) % 3]}].push_back(f);
  }

  const std::vector<Vec3>& vertices_;
  std::vector<Corners> triangles_;
  std::map<std::pair<int, int>, std::vector<std::size_t>> sides_;  // directed edges, with their triangles
};

}  // namespace

Expected<TriangleMesh> TriangleMesh::build(const std::vector<Vec3>& vertices, const std::vector<Corners>& triangles) {
  if (const auto valid = check_mesh(vertices, triangles); !valid) return std::unexpected(valid.error());
  std::vector<Corners> merged = welded(vertices, triangles);
  if (merged.empty()) return reject("triangles", "none with three distinct corners", "one or more");
  MeshBuilder builder(vertices, std::move(merged));
  auto data = std::make_shared<Data>();
  const double volume = builder.volume();
  if (builder.closed() && volume < 0.0) builder.turn_inside_out();
  data->tree = TriangleTree(builder.list());
  data->rim = TriangleTree(builder.rim());
  data->size = (data->tree.box().high - data->tree.box().low).sum();
  data->solid = builder.closed() && std::fabs(volume) > min_volume_share * std::pow(data->size, 3.0);
  data->normals = builder.normals();
  data->side_normals = builder.side_normals(data->normals);
  data->corner_normals = builder.corner_normals(data->normals);
  return TriangleMesh(std::move(data));
}

}  // namespace limber
