#include "limber/problem/pins.h"

#include <algorithm>

#include "limber/problem/assembly.h"

namespace limber {

namespace {

// Axes of a frame are unit vectors and at right angles, but for this.
constexpr double rounding = 1e-12;

bool is_frame(const Vec3& x, const Vec3& y) {
  return std::fabs(x.dot(y)) <= rounding && std::fabs(x.squaredNorm() - 1.0) <= rounding &&
         std::fabs(y.squaredNorm() - 1.0) <= rounding;
}

}  // namespace

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

void Assembly::make_pin_tables() {
  bool is_box_of_pins = !freedoms_.empty() && limits_.rows.empty() && level_ends_.size() == 2 &&
                        level_ends_.front() == 0 && unpinned_.empty() && !pins_.empty();
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts() && (constraint.soft || constraint.pull || constraint.clearance)) is_box_of_pins = false;
  for (const Pin& pin : pins_)
    if (pin.is_difference || pin.plus.link < 0 || pin.plus.kind == Element::Kind::mass_centre) is_box_of_pins = false;
  if (!is_box_of_pins) return;

  auto tables = std::make_unique<PinTables<double>>();
  PinTables<double>& out = *tables;
  out.bases = static_cast<int>(linkage_.bases().size());
  out.links = linkage_.links();
  std::vector<int> variable_of_freedom(problem_.figure().freedoms().size(), -1);
  for (std::size_t i = 0; i < freedoms_.size(); ++i) variable_of_freedom[freedoms_[i]] = static_cast<int>(i);
  const auto variable_of = [&](int link) { return variable_of_freedom[out.links[link].freedom]; };
  out.variables.resize(static_cast<std::size_t>(variables()));
  for (int k = 0; k < static_cast<int>(out.links.size()); ++k)
    if (const int i = variable_of(k); i >= 0) out.variables[i] = {k, scales_[i], limits_.lower[i], limits_.upper[i]};
  for (std::size_t p = 0; p < pins_.size(); ++p) {
    const AttachedElement& attached = pins_[p].plus;
    TaskOf<double> task;
    task.link = attached.link;
    task.kind = attached.kind == Element::Kind::point ? TaskKind::point : TaskKind::direction;
    std::copy(attached.local.begin(), attached.local.end(), task.local);
    out.first_pin.push_back(static_cast<int>(p));
    if (task.kind == TaskKind::direction && p + 1 < pins_.size() && pins_[p + 1].constraint == pins_[p].constraint &&
        pins_[p + 1].plus.link == attached.link && is_frame(attached.local, pins_[p + 1].plus.local)) {
      ++p;
      task.kind = TaskKind::turn;
      std::copy(pins_[p].plus.local.begin(), pins_[p].plus.local.end(), task.local + 3);
    }
    task.path_begin = static_cast<int>(out.path.size());
    for (int k = attached.link; k >= 0; k = out.links[k].parent)
      if (const int i = variable_of(k); i >= 0) out.path.push_back(i);
    task.path_end = static_cast<int>(out.path.size());
    std::reverse(out.path.begin() + task.path_begin, out.path.end());
    out.tasks.push_back(task);
  }
  for (const TaskOf<double>& a : out.tasks)
    for (const TaskOf<double>& b : out.tasks) {
      int common = 0;
      const int most = std::min(a.path_end - a.path_begin, b.path_end - b.path_begin);
      while (common < most && out.path[a.path_begin + common] == out.path[b.path_begin + common]) ++common;
      out.common.push_back(common);
    }
  if (out.plan().rows() <= variables()) pin_tables_ = std::move(tables);
}

const PinTables<double>* Assembly::pins() {
  if (!pin_tables_) return nullptr;
  for (std::size_t a = 0; a < pin_tables_->tasks.size(); ++a) {
    const int p = pin_tables_->first_pin[a];
    TaskOf<double>& task = pin_tables_->tasks[a];
    task.scale = pins_[p].row_scale;
    if (task.kind != TaskKind::turn) continue;
    if (pins_[p].row_scale != pins_[p + 1].row_scale) return nullptr;
    if (!is_frame(unpacked(pins_[p].target), unpacked(pins_[p + 1].target))) return nullptr;
  }
  return pin_tables_.get();
}

void Assembly::pin_values(PackedFrame* bases, double* q, Packed* targets) const {
  std::copy(state_.bases.begin(), state_.bases.end(), bases);
  for (std::size_t k = 0; k < pin_tables_->links.size(); ++k) q[k] = q_[pin_tables_->links[k].freedom];
  for (std::size_t a = 0; a < pin_tables_->tasks.size(); ++a) {
    const int p = pin_tables_->first_pin[a];
    targets[2 * a] = pins_[p].target;
    targets[2 * a + 1] = pin_tables_->tasks[a].kind == TaskKind::turn ? pins_[p + 1].target : Packed{};
  }
}

bool Assembly::targets_of(std::span<const Goal> goals, Packed* targets) const {
  std::size_t a = 0;
  for (std::size_t k = 0; k < pins_.size(); ++a) {
    const std::size_t c = pins_[k].constraint;
    const Goal& goal = goals[c];
    const Alternative& now = problem_.constraints()[c].alternatives.front();
    if (goal.index() != now.goal.index() || holds(goal)) return false;
    const int element = pins_[k].element;
    const bool is_turn = pin_tables_->tasks[a].kind == TaskKind::turn;
    targets[2 * a + 1] = Packed{};
    for (int e = 0; e < (is_turn ? 2 : 1); ++e, ++k) {
      const Placed placed = placed_element(goal, now.handle.shape, element + e);
      if (placed.scale != pins_[k].scale) return false;
      targets[2 * a + e] = packed(placed.target);
    }
    if (is_turn && !is_frame(unpacked(targets[2 * a]), unpacked(targets[2 * a + 1]))) return false;
  }
  return true;
}

}  // namespace limber
