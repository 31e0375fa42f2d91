#include "limber/problem/pin_tables.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "limber/problem/pins.h"

namespace limber {

// Tolerance for axes of a frame to be orthogonal unit vectors.
static constexpr double rounding = 1e-12;
// With more rows than variables, normal equations over the variables are smaller. The fast loop has none, but is
// several times as fast: it takes up to so many rows per variable, if there are few.
static constexpr int max_rows_per_variable = 3, few_rows = 64;

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

void PinCoupling::start(const VecX& theta, const Limits& limits) {
  for (Turn& turn : turns) {
    turn.constant = 0.0;
    for (int t = turn.fixed_begin; t < turn.fixed_end; ++t)
      turn.constant += (*fixed[t].curve)(theta[fixed[t].parameter]).value;
  }
  for (std::size_t k = 0; k < row.size(); ++k) bound[k] = limits.rows[row[k]].bound;
}

double PinCoupling::farthest(int link, const VariableOf<double>* variables) const {
  for (const Turn& turn : turns) {
    if (turn.link != link) continue;
    double sum = std::fabs(turn.constant);
    for (int t = turn.term_begin; t < turn.term_end; ++t) {
      const Term& term = terms[t];
      const VariableOf<double>& variable = variables[term.variable];
      if (!term.curve->is_linear()) return infinity;
      const double lower = (*term.curve)(term.scale * variable.lower).value;
      const double upper = (*term.curve)(term.scale * variable.upper).value;
      sum += std::fmax(std::fabs(lower), std::fabs(upper));
    }
    return std::isfinite(sum) ? sum : infinity;
  }
  return 0.0;
}

void PinCoupling::angles(const void* coupling, const double* x, double* q, double* slopes) {
  const PinCoupling& own = *static_cast<const PinCoupling*>(coupling);
  for (const Turn& turn : own.turns) {
    double sum = turn.constant;
    for (int t = turn.term_begin; t < turn.term_end; ++t) {
      const Term& term = own.terms[t];
      const Curve::Sample sample = (*term.curve)(term.scale * x[term.variable]);
      sum += sample.value;
      slopes[t] = term.scale * sample.slope;
    }
    q[turn.link] = sum;
  }
}

template <class T>
PinPlan<T> PinTables<T>::plan() const {
  PinPlan<T> plan{static_cast<int>(links.size()),
                  bases,
                  static_cast<int>(variables.size()),
                  static_cast<int>(tasks.size()),
                  static_cast<int>(path.size()),
                  links.data(),
                  variables.data(),
                  tasks.data(),
                  path.data(),
                  common.data()};
  if constexpr (std::is_same_v<T, double>) {
    if (!coupling) return plan;
    plan.angles = &PinCoupling::angles;
    plan.coupling = &*coupling;
    plan.slopes = static_cast<int>(coupling->terms.size());
    plan.drive = coupling->drives.data();
    plan.drive_begin = coupling->drive_begin.data();
    plan.limits = {static_cast<int>(coupling->row.size()),
                   static_cast<int>(coupling->leading.size()),
                   coupling->leading.data(),
                   coupling->normal.data(),
                   coupling->bound.data(),
                   coupling->is_equality.data()};
  }
  return plan;
}

template struct PinTables<double>;
template struct PinTables<float>;

namespace {

// Which variables drive a link, through which terms of the figure.
struct LinkDrive {
  int variable;
  int term;
};

std::vector<std::vector<LinkDrive>> drives_by_link(const Figure& figure, const Variables& variables,
                                                   const std::vector<Link>& links) {
  std::vector<int> variable_of(figure.parameters().size(), -1);
  for (int i = 0; i < variables.count(); ++i) variable_of[variables.parameter(i)] = i;
  std::vector<std::vector<LinkDrive>> drives(links.size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Freedom& freedom = figure.freedoms()[links[k].freedom];
    for (int t = freedom.term_begin; t < freedom.term_end; ++t)
      if (const int i = variable_of[figure.terms()[t].parameter]; i >= 0) drives[k].push_back({i, t});
  }
  return drives;
}

// The variables that lead the paths, and the limits that count: those that a task depends on, if only through others.
void take_rows(const Figure& figure, const Variables& variables, std::vector<char> counts, PinCoupling& out) {
  const Limits& limits = variables.limits();
  std::vector<char> leads(counts.size(), 0), taken(limits.rows.size(), 0);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t k = 0; k < limits.rows.size(); ++k) {
      const Limits::Row& row = limits.rows[k];
      const auto begin = limits.column.begin() + row.begin, end = limits.column.begin() + row.end;
      if (taken[k] || std::none_of(begin, end, [&](int i) { return counts[i]; })) continue;
      taken[k] = 1;
      changes = true;
      std::for_each(begin, end, [&](int i) { counts[i] = leads[i] = 1; });
    }
  }
  for (int i = 0; i < variables.count(); ++i)
    if (leads[i] || (counts[i] && figure.parameters()[variables.parameter(i)].group != no_group))
      out.leading.push_back(i);
  for (std::size_t k = 0; k < limits.rows.size(); ++k) {
    if (!taken[k]) continue;
    const Limits::Row& row = limits.rows[k];
    out.row.push_back(static_cast<int>(k));
    out.bound.push_back(row.bound);
    out.is_equality.push_back(row.equality);
    const std::size_t first = out.normal.size();
    out.normal.resize(first + out.leading.size());
    for (int c = row.begin; c < row.end; ++c) {
      const auto at = std::lower_bound(out.leading.begin(), out.leading.end(), limits.column[c]);
      out.normal[first + static_cast<std::size_t>(at - out.leading.begin())] += limits.coefficient[c];
    }
  }
}

void take_turns(const Figure& figure, const Variables& variables, const std::vector<Link>& links,
                const std::vector<std::vector<LinkDrive>>& drives, PinCoupling& out) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (drives[k].empty()) continue;
    const Freedom& freedom = figure.freedoms()[links[k].freedom];
    PinCoupling::Turn turn{static_cast<int>(k), static_cast<int>(out.terms.size()), 0,
                           static_cast<int>(out.fixed.size()), 0};
    for (const LinkDrive& drive : drives[k])
      out.terms.push_back({drive.variable, variables.scale(drive.variable), &figure.terms()[drive.term].curve});
    for (int t = freedom.term_begin; t < freedom.term_end; ++t)
      if (std::ranges::none_of(drives[k], [&](const LinkDrive& drive) { return drive.term == t; }))
        out.fixed.push_back({figure.terms()[t].parameter, &figure.terms()[t].curve});
    turn.term_end = static_cast<int>(out.terms.size());
    turn.fixed_end = static_cast<int>(out.fixed.size());
    out.turns.push_back(turn);
  }
}

// The drives of every path element: of the links of its task that the variable drives.
void take_drives(const PinTables<double>& tables, PinCoupling& out) {
  for (const TaskOf<double>& task : tables.tasks)
    for (int at = task.path_begin; at < task.path_end; ++at) {
      out.drive_begin.push_back(static_cast<int>(out.drives.size()));
      for (int k = task.link; k >= 0; k = tables.links[k].parent)
        for (const PinCoupling::Turn& turn : out.turns)
          for (int t = turn.term_begin; turn.link == k && t < turn.term_end; ++t)
            if (out.terms[t].variable == tables.path[at]) out.drives.push_back({k, t});
    }
  out.drive_begin.push_back(static_cast<int>(out.drives.size()));
}

}  // namespace

std::unique_ptr<PinTables<double>> pin_tables(const Figure& figure, const Variables& variables, const Linkage& linkage,
                                              const std::vector<Pin>& pins) {
  auto tables = std::make_unique<PinTables<double>>();
  PinTables<double>& out = *tables;
  out.bases = static_cast<int>(linkage.bases().size());
  out.links = linkage.links();
  const std::vector<std::vector<LinkDrive>> drives = drives_by_link(figure, variables, out.links);
  out.variables.resize(static_cast<std::size_t>(variables.count()));
  for (int i = 0; i < variables.count(); ++i)
    out.variables[i] = {static_cast<int>(out.links.size()), variables.scale(i), variables.limits().lower[i],
                        variables.limits().upper[i]};
  for (int k = 0; k < static_cast<int>(out.links.size()); ++k)
    for (const LinkDrive& drive : drives[k]) out.variables[drive.variable].link = k;
  std::vector<char> moves_task(out.variables.size(), 0);
  for (const Pin& pin : pins)
    for (int k = pin.plus.link; k >= 0; k = out.links[k].parent)
      for (const LinkDrive& drive : drives[k]) moves_task[drive.variable] = 1;
  PinCoupling coupling;
  take_rows(figure, variables, moves_task, coupling);
  const auto leads = [&](int i) { return std::ranges::binary_search(coupling.leading, i); };
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
    out.path.insert(out.path.end(), coupling.leading.begin(), coupling.leading.end());
    const auto led = static_cast<std::ptrdiff_t>(out.path.size());
    for (int k = attached.link; k >= 0; k = out.links[k].parent)
      for (const LinkDrive& drive : drives[k])
        if (!leads(drive.variable)) out.path.push_back(drive.variable);
    task.path_end = static_cast<int>(out.path.size());
    std::reverse(out.path.begin() + led, out.path.end());
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
  if (const int rows = out.plan().rows();
      rows > variables.count() && (rows > few_rows || rows > max_rows_per_variable * variables.count()))
    return nullptr;
  if (!coupling.leading.empty()) {
    take_turns(figure, variables, out.links, drives, coupling);
    take_drives(out, coupling);
    out.coupling = std::move(coupling);
  }
  return tables;
}

}  // namespace limber
