#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/reach/reach_map.h"

namespace limber {

namespace {

// The lower envelope of the parabolas f(q) + (p - q)² at all p, in place, with `stride`. Infinite f have none.
class Envelope {
 public:
  explicit Envelope(std::size_t n) : values_(n), roots_(n), bounds_(n + 1) {}

  void run(double* f, std::size_t n, std::size_t stride) {
    std::size_t used = 0;
    for (std::size_t q = 0; q < n; ++q) {
      values_[q] = f[q * stride];
      if (!std::isfinite(values_[q])) continue;
      while (used > 0 && crossing(roots_[used - 1], q) <= bounds_[used - 1]) --used;
      bounds_[used] = used > 0 ? crossing(roots_[used - 1], q) : -infinity;
      roots_[used++] = q;
    }
    if (used == 0) return;
    bounds_[used] = infinity;
    for (std::size_t p = 0, k = 0; p < n; ++p) {
      while (bounds_[k + 1] < static_cast<double>(p)) ++k;
      const double d = static_cast<double>(p) - static_cast<double>(roots_[k]);
      f[p * stride] = values_[roots_[k]] + d * d;
    }
  }

 private:
  // Where the parabola at q falls below the one at r < q.
  double crossing(std::size_t r, std::size_t q) const {
    const auto a = static_cast<double>(r), b = static_cast<double>(q);
    return (values_[q] + b * b - values_[r] - a * a) / (2.0 * (b - a));
  }

  std::vector<double> values_;
  std::vector<std::size_t> roots_;
  std::vector<double> bounds_;
};

// Squared distances in cells to the nearest cell that is 0.
void squared_distances(const ReachGrid& grid, std::vector<double>& field) {
  const auto nx = static_cast<std::size_t>(grid.count[0]), ny = static_cast<std::size_t>(grid.count[1]),
             nz = static_cast<std::size_t>(grid.count[2]);
  Envelope envelope(std::max({nx, ny, nz}));
  for (std::size_t row = 0; row < ny * nz; ++row) envelope.run(field.data() + row * nx, nx, 1);
  for (std::size_t z = 0; z < nz; ++z)
    for (std::size_t x = 0; x < nx; ++x) envelope.run(field.data() + z * nx * ny + x, ny, nx);
  for (std::size_t column = 0; column < nx * ny; ++column) envelope.run(field.data() + column, nz, nx * ny);
}

}  // namespace

ReachGrid grid_of(const ReachMap& map) {
  CellIndex min = {}, max = {};
  bool any = false;
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = cell.at[k] << cell.level, to = ((cell.at[k] + 1) << cell.level) - 1;
      min[k] = any ? std::min(min[k], from) : from;
      max[k] = any ? std::max(max[k], to) : to;
    }
    any = true;
  }
  ReachGrid grid;
  grid.side = map.resolution;
  for (std::size_t k = 0; k < 3; ++k) {
    grid.first[k] = any ? min[k] - 1 : map.first[k] << map.levels;
    grid.count[k] = any ? max[k] - min[k] + 3 : 1;
  }
  grid.leaf.resize(static_cast<std::size_t>(grid.count[0]) * static_cast<std::size_t>(grid.count[1]) *
                   static_cast<std::size_t>(grid.count[2]));
  for (int z = 0; z < grid.count[2]; ++z)
    for (int y = 0; y < grid.count[1]; ++y)
      for (int x = 0; x < grid.count[0]; ++x)
        grid.leaf[grid.place(x, y, z)] = map.find(0, {grid.first[0] + x, grid.first[1] + y, grid.first[2] + z});
  return grid;
}

std::vector<double> margins(const ReachMap& map, const ReachGrid& grid) {
  const auto is_reached = [&](std::size_t k) {
    return grid.leaf[k] >= 0 && map.cells[static_cast<std::size_t>(grid.leaf[k])].state == Reach::reached;
  };
  std::vector<double> to_outside(grid.size()), to_inside(grid.size());
  for (std::size_t k = 0; k < grid.size(); ++k) {
    to_outside[k] = is_reached(k) ? infinity : 0.0;
    to_inside[k] = is_reached(k) ? 0.0 : infinity;
  }
  squared_distances(grid, to_outside);
  squared_distances(grid, to_inside);
  for (std::size_t k = 0; k < grid.size(); ++k)
    to_outside[k] = grid.side * (is_reached(k) ? std::sqrt(to_outside[k]) - 0.5 : 0.5 - std::sqrt(to_inside[k]));
  return to_outside;
}

PoseMeasure from_limits(const Figure& figure, std::vector<int> parameters) {
  std::erase_if(parameters, [&](int j) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    return !std::isfinite(range.lower) || !std::isfinite(range.upper) || range.lower == range.upper;
  });
  return [figure, parameters](const Pose& pose) {
    double sum = 0.0;
    for (const int j : parameters) {
      const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
      const double offset = (pose.theta[j] - 0.5 * (range.lower + range.upper)) / (0.5 * (range.upper - range.lower));
      sum += 1.0 - offset * offset;
    }
    return parameters.empty() ? 1.0 : sum / static_cast<double>(parameters.size());
  };
}

PoseMeasure from_comfort(JointComfort comfort, std::vector<int> parameters) {
  std::erase_if(parameters, [&](int j) { return !comfort.counts(j); });
  return [comfort = std::move(comfort), parameters](const Pose& pose) {
    double sum = 0.0;
    for (const int j : parameters) {
      const double d = comfort.at(j, pose.theta[j]).value;
      sum += d * d;
    }
    return parameters.empty() ? 1.0 : 1.0 - std::sqrt(sum / static_cast<double>(parameters.size()));
  };
}

std::vector<double> measured(const ReachMap& map, const ReachGrid& grid, const PoseMeasure& measure, double otherwise) {
  std::vector<double> by_leaf(map.cells.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> values(grid.size(), otherwise);
  for (std::size_t k = 0; k < grid.size(); ++k) {
    if (grid.leaf[k] < 0) continue;
    const auto id = static_cast<std::size_t>(grid.leaf[k]);
    if (map.cells[id].state != Reach::reached) continue;
    if (std::isnan(by_leaf[id])) by_leaf[id] = measure(map.pose(map.cells[id]));
    values[k] = by_leaf[id];
  }
  return values;
}

}  // namespace limber
