#include "limber/problem/assembly.h"

#include <algorithm>
#include <cassert>

#include "limber/problem/pins.h"

namespace limber {

namespace {

// Marks the segments that an element hangs on. The centre of mass hangs on all.
void mark(const Figure& figure, const Element& element, std::vector<char>& needed) {
  if (element.kind == Element::Kind::mass_centre)
    std::fill(needed.begin(), needed.end(), 1);
  else
    for (int s = element.segment; s != no_parent; s = figure.segments()[s].parent) needed[s] = 1;
}

}  // namespace

Assembly::Assembly(const Problem& problem)
    : problem_(problem), structure_(problem.structure()), figure_state_(problem.figure()) {
  const Figure& figure = problem.figure();
  for (const int j : problem.variables()) {
    const Parameter& parameter = figure.parameters()[j];
    const double scale = (1.0 - problem.rigidities()[j]) * (parameter.translates ? figure.length() : 1.0);
    if (!(scale > 0.0) || parameter.range.lower == parameter.range.upper) continue;
    parameters_.push_back(j);
    scales_.push_back(scale);
  }

  std::vector<char> needed(figure.segments().size(), 0);
  int max_rows = 0;
  for (const Constraint& constraint : problem.constraints()) {
    int rows = 0;
    for (const Alternative& alternative : constraint.alternatives) {
      const Handle& handle = alternative.handle;
      for (int k = 0; k < handle.count(); ++k) {
        mark(figure, handle.plus[k], needed);
        if (k < handle.minus_count) mark(figure, handle.minus[k], needed);
      }
      rows = std::max(rows, row_count(alternative.goal, handle.shape));
    }
    if (constraint.clearance && constraint.counts())
      for (const SegmentCapsule& at : constraint.clearance->capsules)
        mark(figure, {Element::Kind::point, at.segment, Vec3::Zero()}, needed);
    if (constraint.pull) rows = static_cast<int>(constraint.pull->root.rows());
    max_rows = std::max(max_rows, rows);
  }
  std::vector<char> moves(figure.segments().size(), 0);
  for (const int j : parameters_)
    for (const int i : figure.parameters()[j].drives) moves[figure.freedoms()[i].joint] = 1;
  for (std::size_t s = 0; s < needed.size(); ++s) {
    const int parent = figure.segments()[s].parent;
    if (parent != no_parent && moves[parent]) moves[s] = 1;
    if (needed[s] && !moves[s]) still_.push_back(static_cast<int>(s));
  }

  linkage_ = Linkage(figure, moves, needed);
  attach_handles();
  attach_contacts();
  state_.resize(linkage_);

  limits_ = Limits(variables());
  range_lower_.resize(variables());
  range_upper_.resize(variables());
  std::vector<int> variable_of(figure.parameters().size(), -1);
  for (int i = 0; i < variables(); ++i) {
    const Range& range = figure.parameters()[parameters_[i]].range;
    range_lower_[i] = range.lower;
    range_upper_[i] = range.upper;
    limits_.lower[i] = range.lower / scales_[i];
    limits_.upper[i] = range.upper / scales_[i];
    variable_of[parameters_[i]] = i;
    if (figure.parameters()[parameters_[i]].group == no_group)
      freedoms_.push_back(figure.parameters()[parameters_[i]].drives.front());
  }
  if (static_cast<int>(freedoms_.size()) < variables()) freedoms_.clear();
  for (std::size_t k = 0; k < figure.limit_rows().size(); ++k) {
    const LimitRow& row = figure.limit_rows()[k];
    std::vector<int> columns;
    std::vector<double> coefficients;
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      const int i = variable_of[row.parameters[t]];
      if (i < 0 || row.coefficients[t] == 0.0) continue;
      columns.push_back(i);
      coefficients.push_back(row.coefficients[t] * scales_[i]);
    }
    if (columns.empty()) continue;
    limits_.add_row(columns, coefficients, 0.0, row.relation == Relation::equal);
    limit_rows_.push_back(static_cast<int>(k));
  }

  placed_.resize(variables());
  theta_ = figure.rest().theta;
  q_.resize(static_cast<Eigen::Index>(figure.freedoms().size()));
  gradient_q_ = VecX::Zero(q_.size());
  gradient_theta_.resize(theta_.size());
  r_.resize(max_rows);
  off_.resize(theta_.size());
  J_.resize(max_rows * 3 * max_elements);
  make_blocks();
  make_pin_tables();
}

Assembly::~Assembly() = default;

// Where every element of every handle hangs, and which link carries how much of the mass.
void Assembly::attach_handles() {
  bool has_mass_centre = false;
  for (const Constraint& constraint : problem_.constraints()) {
    std::vector<AttachedHandle>& attached_handles = handles_.emplace_back();
    bool is_pinned = constraint.alternatives.size() == 1 && constraint.weighting_root.size() == 0;
    for (const Alternative& alternative : constraint.alternatives) {
      const Handle& handle = alternative.handle;
      AttachedHandle& out = attached_handles.emplace_back();
      for (int k = 0; k < handle.count(); ++k) {
        out.plus[k] = attached(handle.plus[k]);
        if (k < handle.minus_count) out.minus[k] = attached(handle.minus[k]);
        out.held[k].setZero();
        has_mass_centre = has_mass_centre || handle.plus[k].kind == Element::Kind::mass_centre ||
                          (k < handle.minus_count && handle.minus[k].kind == Element::Kind::mass_centre);
      }
      is_pinned = is_pinned && places(alternative.goal);
      holds_ = holds_ || std::holds_alternative<Hold>(alternative.goal);
    }
    pinned_.push_back(is_pinned && !constraint.alternatives.empty());
  }
  if (!has_mass_centre) return;
  const Figure& figure = problem_.figure();
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    const Segment& segment = figure.segments()[s];
    if (!(segment.mass > 0.0)) continue;
    const LinkPlacement at = linkage_.placement(static_cast<int>(s));
    const Vec3 moment = segment.mass * (at.in_link * segment.mass_centre);
    const auto load = std::find_if(loads_.begin(), loads_.end(), [&](const Load& l) { return l.link == at.link; });
    if (load == loads_.end()) {
      loads_.push_back({at.link, segment.mass, moment});
    } else {
      load->mass += segment.mass;
      load->centre += moment;
    }
  }
  for (Load& load : loads_) load.centre /= load.mass;
  std::sort(loads_.begin(), loads_.end(), [](const Load& a, const Load& b) { return a.link < b.link; });
  for (int link = 0; link <= static_cast<int>(linkage_.links().size()); ++link)
    first_load_.push_back(static_cast<int>(
        std::count_if(loads_.begin(), loads_.end(), [&](const Load& load) { return load.link < link; })));
  mass_before_.assign(loads_.size() + 1, 0.0);
  for (std::size_t k = 0; k < loads_.size(); ++k) mass_before_[k + 1] = mass_before_[k] + loads_[k].mass;
  moment_before_.resize(loads_.size() + 1);
}

Assembly::AttachedElement Assembly::attached(const Element& element) {
  if (element.kind == Element::Kind::mass_centre) return {element.kind, -1, Vec3::Zero()};
  const LinkPlacement at = linkage_.placement(element.segment);
  if (element.kind == Element::Kind::point) return {element.kind, at.link, at.in_link * element.local};
  return {element.kind, at.link, at.in_link.R * element.local};
}

// The rows by level, and for each constraint the freedoms that move its handles.
void Assembly::make_blocks() {
  const Figure& figure = problem_.figure();
  std::vector<int> link_of(figure.freedoms().size(), -1);
  for (std::size_t k = 0; k < linkage_.links().size(); ++k)
    link_of[static_cast<std::size_t>(linkage_.links()[k].freedom)] = static_cast<int>(k);
  std::vector<int> levels = {must_level, first_level};
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts()) levels.push_back(constraint.level());
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  int row = 0;
  for (const int level : levels) {
    for (std::size_t c = 0; c < problem_.constraints().size(); ++c) {
      const Constraint& constraint = problem_.constraints()[c];
      if (!constraint.counts() || constraint.level() != level) continue;
      Block block{c, row, 0, pinned_[c] != 0, {}, {}};
      if (constraint.pull) {
        for (int i = 0; i < variables(); ++i)
          if (constraint.pull->stiffness[parameters_[i]] > 0.0) block.pulled.push_back(i);
        block.rows = static_cast<int>(block.pulled.size());
        if (constraint.pull->root.size() > 0) {
          block.pulled.clear();
          block.rows = static_cast<int>(constraint.pull->root.rows());
        }
        row += block.rows;
        blocks_.push_back(std::move(block));
        continue;
      }
      std::vector<char> moving(figure.segments().size(), 0);
      if (constraint.clearance) {
        std::fill(moving.begin(), moving.end(), 1);
        block.contacts = contacts_index(c);
        block.rows = contacts_[static_cast<std::size_t>(block.contacts)].most();
      }
      for (const Alternative& alternative : constraint.alternatives) {
        const Handle& handle = alternative.handle;
        block.rows = std::max(block.rows, row_count(alternative.goal, handle.shape));
        for (int k = 0; k < handle.count(); ++k) {
          mark(figure, handle.plus[k], moving);
          if (k < handle.minus_count) mark(figure, handle.minus[k], moving);
        }
      }
      for (int i = 0; i < variables(); ++i)
        for (const int freedom : figure.parameters()[parameters_[i]].drives) {
          if (!moving[figure.freedoms()[freedom].joint]) continue;
          for (int t = figure.freedoms()[freedom].term_begin; t < figure.freedoms()[freedom].term_end; ++t)
            if (figure.terms()[t].parameter == parameters_[i] && link_of[freedom] >= 0)
              block.drives.push_back({i, link_of[freedom], t});
        }
      if (block.is_pinned)
        for (int k = 0; 3 * k < block.rows; ++k) {
          const AttachedHandle& attached = handles_[c].front();
          Pin pin{c, row + 3 * k, k, attached.plus[k], attached.minus[k]};
          pin.is_difference = k < constraint.alternatives.front().handle.minus_count;
          pins_.push_back(pin);
        }
      else if (!constraint.clearance)
        unpinned_.push_back(c);
      row += block.rows;
      blocks_.push_back(std::move(block));
    }
    level_ends_.push_back(row);
  }
}

void Assembly::start(const VecX& theta, VecX& phi) {
  const Figure& figure = problem_.figure();
  theta_ = theta;
  variables_of(theta, phi);

  // The bound of a row less what the other parameters take of it.
  for (std::size_t k = 0; k < limit_rows_.size(); ++k) {
    const LimitRow& row = figure.limit_rows()[limit_rows_[k]];
    double bound = row.bound, square = 0.0;
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      const auto at = std::lower_bound(parameters_.begin(), parameters_.end(), row.parameters[t]);
      if (at != parameters_.end() && *at == row.parameters[t]) {
        const double a = row.coefficients[t] * scales_[static_cast<std::size_t>(at - parameters_.begin())];
        square += a * a;
      } else {
        bound -= row.coefficients[t] * theta[row.parameters[t]];
      }
    }
    limits_.rows[k].bound = bound / std::sqrt(square);
  }

  double weights = 0.0;
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts() && !constraint.must_hold() && !constraint.clearance) weights += constraint.weight;
  scale_ = weights > 0.0 ? weights * figure.length() * figure.length() : 1.0;

  forget_contacts();

  figure.angles(theta_, q_);
  forward(figure, q_, still_, figure_state_);
  place_bases(linkage_, figure_state_, state_);
  is_placed_ = false;
  if (holds_) {
    forward(linkage_, q_, state_);
    add_up_loads();
  }
  for (std::size_t c = 0; c < (holds_ ? handles_.size() : 0); ++c)
    for (std::size_t a = 0; a < handles_[c].size(); ++a) {
      AttachedHandle& handle = handles_[c][a];
      const Alternative& alternative = problem_.constraints()[c].alternatives[a];
      if (!std::holds_alternative<Hold>(alternative.goal)) continue;
      for (Vec3& held : handle.held) held.setZero();
      handle_value(c, a);
      for (int k = 0; k < alternative.handle.count(); ++k) handle.held[k] = x_[k];
    }
  read_goals();
}

// The targets of the pins. Goals that place are read here, and nowhere else.
void Assembly::read_goals() {
  for (std::size_t k = 0; k < pins_.size();) {
    const std::size_t c = pins_[k].constraint;
    const Alternative& alternative = problem_.constraints()[c].alternatives.front();
    for (int e = 0; e < alternative.handle.count(); ++e, ++k) {
      const Placed placed = placed_element(alternative.goal, alternative.handle.shape, e);
      pins_[k].scale = placed.scale;
      pins_[k].target = packed(placed.target + handles_[c].front().held[e]);
    }
  }
  weigh_pins();
}

void Assembly::weigh_pins() {
  for (Pin& pin : pins_) {
    const Constraint& constraint = problem_.constraints()[pin.constraint];
    pin.row_scale = row_scale(constraint) * pin.scale;
    pin.square_scale = constraint.must_hold() ? 0.0 : weight_of(constraint) / scale_ * pin.scale * pin.scale;
  }
}

void Assembly::set_soft_scale(double part) {
  soft_scale_ = part;
  weigh_pins();
}

void Assembly::variables_of(const VecX& theta, VecX& phi) const {
  phi.resize(variables());
  for (int i = 0; i < variables(); ++i)
    phi[i] = std::clamp(theta[parameters_[i]] / scales_[i], limits_.lower[i], limits_.upper[i]);
}

void Assembly::theta_of(const VecX& phi, VecX& theta) const {
  for (int i = 0; i < variables(); ++i) {
    // Exactly the limit where φ is at its own, whatever the scaling rounds to.
    const double lower = range_lower_[i], upper = range_upper_[i];
    double value = scales_[i] * phi[i];
    value = phi[i] <= limits_.lower[i] ? lower : value;
    value = phi[i] >= limits_.upper[i] ? upper : value;
    theta[parameters_[i]] = std::min(std::max(value, lower), upper);
  }
}

}  // namespace limber
