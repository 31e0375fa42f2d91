#include "limber/problem/pin_tables.h"

#include <algorithm>
#include <cmath>

#include "limber/problem/pins.h"

namespace limber {

// Tolerance for axes of a frame to be orthogonal unit vectors.
static constexpr double rounding = 1e-12;

bool is_frame(const Vec3& x, const Vec3& y) {
  return std::fabs(x.dot(y)) <= rounding && std::fabs(x.squaredNorm() - 1.0) <= rounding &&
         std::fabs(y.squaredNorm() - 1.0) <= rounding;
}

template <class To, class From>
PinTables<To> converted(const PinTables<From>& from) {
  PinTables<To> to;
  to.bases = from.bases;
  const auto number = [](From value) { return static_cast<To>(value); };
  for (const LinkOf<From>& link : from.links) {
    LinkOf<To> out{link.parent, link.freedom, link.subtree_end, link.turns, link.is_shifted, link.is_spun, link.tilt};
    for (int axis = 0; axis < 3; ++axis) out.shift[axis] = number(link.shift[axis]);
    out.cos_tilt = number(link.cos_tilt);
    out.sin_tilt = number(link.sin_tilt);
    out.cos_spin = number(link.cos_spin);
    out.sin_spin = number(link.sin_spin);
    out.offset = number(link.offset);
    out.cos_offset = number(link.cos_offset);
    out.sin_offset = number(link.sin_offset);
    to.links.push_back(out);
  }
  for (const VariableOf<From>& variable : from.variables)
    to.variables.push_back({variable.link, number(variable.scale), number(variable.lower), number(variable.upper)});
  for (const TaskOf<From>& task : from.tasks) {
    TaskOf<To> out{task.kind, task.link, task.path_begin, task.path_end};
    for (int k = 0; k < 6; ++k) out.local[k] = number(task.local[k]);
    out.scale = number(task.scale);
    to.tasks.push_back(out);
  }
  to.first_pin = from.first_pin;
  to.path = from.path;
  to.common = from.common;
  return to;
}

template PinTables<float> converted(const PinTables<double>&);
template PinTables<double> converted(const PinTables<double>&);

std::unique_ptr<PinTables<double>> pin_tables(const Figure& figure, const Variables& variables, const Linkage& linkage,
                                              const std::vector<Pin>& pins) {
  auto tables = std::make_unique<PinTables<double>>();
  PinTables<double>& out = *tables;
  out.bases = static_cast<int>(linkage.bases().size());
  out.links = linkage.links();
  std::vector<int> variable_of_freedom(figure.freedoms().size(), -1);
  for (int i = 0; i < variables.count(); ++i)
    variable_of_freedom[variables.freedoms()[static_cast<std::size_t>(i)]] = i;
  const auto variable_of = [&](int link) { return variable_of_freedom[out.links[link].freedom]; };
  out.variables.resize(static_cast<std::size_t>(variables.count()));
  for (int k = 0; k < static_cast<int>(out.links.size()); ++k)
    if (const int i = variable_of(k); i >= 0)
      out.variables[i] = {k, variables.scale(i), variables.limits().lower[i], variables.limits().upper[i]};
  for (std::size_t p = 0; p < pins.size(); ++p) {
    const AttachedElement& attached = pins[p].plus;
    TaskOf<double> task;
    task.link = attached.link;
    task.kind = attached.kind == Element::Kind::point ? TaskKind::point : TaskKind::direction;
    std::copy(attached.local.begin(), attached.local.end(), task.local);
    out.first_pin.push_back(static_cast<int>(p));
    if (task.kind == TaskKind::direction && p + 1 < pins.size() && pins[p + 1].constraint == pins[p].constraint &&
        pins[p + 1].plus.link == attached.link && is_frame(attached.local, pins[p + 1].plus.local)) {
      ++p;
      task.kind = TaskKind::turn;
      std::copy(pins[p].plus.local.begin(), pins[p].plus.local.end(), task.local + 3);
    }
    task.path_begin = static_cast<int>(out.path.size());
    for (int k = attached.link; k >= 0; k = out.links[k].parent)
      if (const int i = variable_of(k); i >= 0) out.path.push_back(i);
    task.path_end = static_cast<int>(out.path.size());
    std::reverse(out.path.begin() + task.path_begin, out.path.end());
    out.tasks.push_back(task);
  }
  // The number of variables that the paths of two tasks share, from the root on.
  for (const TaskOf<double>& a : out.tasks)
    for (const TaskOf<double>& b : out.tasks) {
      int common = 0;
      const int shorter = std::min(a.path_end - a.path_begin, b.path_end - b.path_begin);
      while (common < shorter && out.path[a.path_begin + common] == out.path[b.path_begin + common]) ++common;
      out.common.push_back(common);
    }
  if (out.plan().rows() > variables.count()) return nullptr;
  return tables;
}

}  // namespace limber
