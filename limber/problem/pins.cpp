#include "limber/problem/pins.h"

#include <algorithm>
#include <cmath>

namespace limber {

bool Pins::are_rows_of(const Constraint& constraint) {
  return constraint.alternatives().size() == 1 && constraint.weighting_root.size() == 0 &&
         places(constraint.alternatives().front().goal);
}

Pins::Pins(const Problem& problem, const RowLayout& rows, const AttachedHandles& handles, const Variables& variables,
           const PosedLinkage& links)
    : problem_(problem) {
  const Figure& figure = problem.figure();
  for (const std::size_t c : rows.order()) {
    const Constraint& constraint = problem.constraints()[c];
    if (!are_rows_of(constraint)) continue;
    const Handle& handle = constraint.alternatives().front().handle;
    const AttachedHandle& attached = handles.of(c, 0);
    std::vector<char> marked(figure.segments().size(), 0);
    mark_segments(figure, handle, marked);
    blocks_.push_back({pins_.size(), static_cast<std::size_t>(handle.count()),
                       drives_of(figure, variables, links.linkage(), marked)});
    for (int k = 0; k < handle.count(); ++k) {
      Pin pin{c, rows.of(c).begin + 3 * k, k, attached.plus[k], attached.minus[k]};
      pin.is_difference = k < handle.minus_count;
      pins_.push_back(pin);
    }
  }
  std::size_t max_drives = 0;
  for (const Block& block : blocks_) max_drives = std::max(max_drives, block.drives.size());
  columns_.resize(max_drives);
  bends_.resize(max_drives);
  moving_.reserve(max_drives);
  if (are_all(rows, variables)) tables_ = pin_tables(figure, variables, links.linkage(), pins_);
}

// Whether there are only pins on links, of one level and without soft constraints.
bool Pins::are_all(const RowLayout& rows, const Variables& variables) const {
  if (pins_.empty() || variables.count() == 0 || !rows.has_one_level()) return false;
  return std::ranges::none_of(rows.order(),
                              [&](std::size_t c) {
                                const Constraint& constraint = problem_.constraints()[c];
                                return constraint.soft || !are_rows_of(constraint);
                              }) &&
         std::ranges::none_of(pins_, [](const Pin& pin) {
           return pin.is_difference || pin.plus.link < 0 || pin.plus.kind == Element::Kind::mass_centre;
         });
}

void Pins::start(const RowLayout& rows, const AttachedHandles& handles) {
  for (Pin& pin : pins_) {
    const Alternative& alternative = problem_.constraints()[pin.constraint].alternatives().front();
    const Placed placed = placed_element(alternative.goal, alternative.handle.shape, pin.element);
    pin.scale = placed.scale;
    pin.target = packed(placed.target + handles.of(pin.constraint, 0).held[pin.element]);
  }
  weigh(rows);
}

void Pins::weigh(const RowLayout& rows) {
  for (Pin& pin : pins_) {
    pin.row_scale = rows.row_scale(pin.constraint) * pin.scale;
    pin.square_scale = problem_.constraints()[pin.constraint].must_hold()
                           ? 0.0
                           : rows.square_scale(pin.constraint) * pin.scale * pin.scale;
  }
}

void Pins::add_value(PosedLinkage& links, double& value) const {
  for (const Pin& pin : pins_) {
    if (!(pin.square_scale > 0.0)) continue;
    Packed plus, minus = {};
    links.evaluate(pin.plus, plus);
    Packed off = plus - pin.target;
    if (pin.is_difference) {
      links.evaluate(pin.minus, minus);
      off -= minus;
    }
    const Packed c = (2.0 * pin.square_scale) * off;
    links.pull(pin.plus, plus, c);
    if (pin.is_difference) links.pull(pin.minus, minus, -c);
    value += pin.square_scale * dot(off, off);
  }
}

void Pins::residual(const PosedLinkage& links, VecX& r) const {
  for (const Pin& pin : pins_) {
    Packed off, minus;
    links.evaluate(pin.plus, off);
    off -= pin.target;
    if (pin.is_difference) {
      links.evaluate(pin.minus, minus);
      off -= minus;
    }
    for (int axis = 0; axis < 3; ++axis) r[pin.row + axis] = pin.row_scale * off[axis];
  }
}

void Pins::jacobian(const Variables& variables, const PosedLinkage& links, const VecX& theta, MatX& J) const {
  const bool is_plain = !variables.freedoms().empty();  // then θ is q, and the slope is 1
  for (const Block& block : blocks_)
    for (std::size_t k = block.first; k < block.first + block.count; ++k) {
      const Pin& pin = pins_[k];
      Packed plus, minus = {}, moved, other;
      links.evaluate(pin.plus, plus);
      if (pin.is_difference) links.evaluate(pin.minus, minus);
      for (const Drive& drive : block.drives) {
        links.column(pin.plus, plus, drive.link, moved);
        if (pin.is_difference) {
          links.column(pin.minus, minus, drive.link, other);
          moved -= other;
        }
        const double slope = is_plain ? 1.0 : drive_slope(problem_.figure(), variables, drive, theta);
        const double factor = pin.row_scale * variables.scale(drive.variable) * slope;
        double* rows = &J(pin.row, drive.variable);
        for (int axis = 0; axis < 3; ++axis) rows[axis] += factor * moved[axis];
      }
    }
}

void Pins::add_curvature(const Variables& variables, const PosedLinkage& links, const VecX& theta, const VecX& weights,
                         MatX& H) {
  const bool is_plain = !variables.freedoms().empty();
  const auto add = [&](const Block& block, const AttachedElement& element, const Packed& w) {
    if (element.kind == Element::Kind::mass_centre || element.link < 0) return;
    Packed x;
    links.evaluate(element, x);
    moving_.clear();
    for (std::size_t k = 0; k < block.drives.size(); ++k) {
      const Drive& drive = block.drives[k];
      if (!links.moves(drive.link, element)) continue;
      moving_.push_back(static_cast<int>(k));
      const double slope = is_plain ? 1.0 : drive_slope(problem_.figure(), variables, drive, theta);
      const double factor = variables.scale(drive.variable) * slope;
      Packed column;
      links.column(element, x, drive.link, column);
      columns_[k] = factor * column;
      bends_[k] =
          links.linkage().links()[drive.link].turns ? factor * cross(w, links.state().frames[drive.link].z) : Packed{};
    }
    for (std::size_t a = 0; a < moving_.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        const Drive &one = block.drives[moving_[a]], &other = block.drives[moving_[b]];
        const bool ordered = one.link <= other.link;
        const double entry = dot(bends_[moving_[ordered ? a : b]], columns_[moving_[ordered ? b : a]]);
        H(one.variable, other.variable) += entry;
        if (a != b) H(other.variable, one.variable) += entry;
      }
  };
  for (const Block& block : blocks_)
    for (std::size_t k = block.first; k < block.first + block.count; ++k) {
      const Pin& pin = pins_[k];
      const Packed w = pin.row_scale * Packed{weights[pin.row], weights[pin.row + 1], weights[pin.row + 2]};
      add(block, pin.plus, w);
      if (pin.is_difference) add(block, pin.minus, -w);
    }
}

const PinTables<double>* Pins::tables(const VecX& theta, const Limits& limits) {
  if (!tables_) return nullptr;
  if (tables_->coupling) tables_->coupling->start(theta, limits);
  for (std::size_t a = 0; a < tables_->tasks.size(); ++a) {
    const int p = tables_->first_pin[a];
    TaskOf<double>& task = tables_->tasks[a];
    task.scale = pins_[p].row_scale;
    if (task.kind != TaskKind::turn) continue;
    if (pins_[p].row_scale != pins_[p + 1].row_scale) return nullptr;
    if (!is_frame(unpacked(pins_[p].target), unpacked(pins_[p + 1].target))) return nullptr;
  }
  return tables_.get();
}

void Pins::targets(Packed* targets) const {
  for (std::size_t a = 0; a < tables_->tasks.size(); ++a) {
    const int p = tables_->first_pin[a];
    targets[2 * a] = pins_[p].target;
    targets[2 * a + 1] = tables_->tasks[a].kind == TaskKind::turn ? pins_[p + 1].target : Packed{};
  }
}

bool Pins::targets_of(std::span<const Goal> goals, Packed* targets) const {
  std::size_t a = 0;
  for (std::size_t k = 0; k < pins_.size(); ++a) {
    const std::size_t c = pins_[k].constraint;
    const Goal& goal = goals[c];
    const Alternative& now = problem_.constraints()[c].alternatives().front();
    if (goal.index() != now.goal.index() || holds(goal)) return false;
    const int element = pins_[k].element;
    const bool is_turn = tables_->tasks[a].kind == TaskKind::turn;
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
