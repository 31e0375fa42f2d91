#include "limber/solver/option_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "limber/base/number.h"

namespace limber {

namespace {

constexpr int max_iterations = 1'000'000'000;
constexpr int max_restarts = 1'000'000;

constexpr std::string_view secondary_names[] = {"none", "joint-range", "comfort", "manipulability"};
constexpr std::string_view integration_names[] = {"runge-kutta", "euler"};

constexpr Method printed[] = {Method::projected_conjugate_gradient, Method::projected_steepest_descent,
                              Method::jacobian_transpose, Method::cyclic_coordinate_descent,
                              Method::lagrange_multipliers};
constexpr Method with_null_space[] = {Method::pseudoinverse, Method::damped_least_squares};
constexpr Method in_time[] = {Method::jacobian_transpose, Method::lagrange_multipliers};
constexpr Method truncated[] = {Method::lagrange_multipliers, Method::pseudoinverse};
constexpr Method with_feedback[] = {Method::lagrange_multipliers};

// One member of Options as a number.
template <auto member>
double get_member(const Options& options) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(options.*member)>, std::optional<int>>)
    return options.*member ? *(options.*member) : std::numeric_limits<double>::quiet_NaN();
  else
    return static_cast<double>(options.*member);
}
template <auto member>
void set_member(Options& options, double value) {
  using Member = std::remove_reference_t<decltype(options.*member)>;
  if constexpr (std::is_enum_v<Member>)
    options.*member = static_cast<Member>(static_cast<int>(value));
  else if constexpr (std::is_same_v<Member, bool>)
    options.*member = value != 0.0;
  else if constexpr (std::is_same_v<Member, std::optional<int>>)
    options.*member = std::isnan(value) ? std::nullopt : std::optional(static_cast<int>(value));
  else
    options.*member = static_cast<Member>(value);
}

template <auto member>
constexpr OptionRow option_row(std::string_view key, OptionKind kind, std::string_view help) {
  OptionRow out{key, kind, help};
  out.get = get_member<member>;
  out.set = set_member<member>;
  return out;
}

constexpr OptionRow with_max(OptionRow row, double upper) {
  row.upper = upper;
  return row;
}
constexpr OptionRow above_lower(OptionRow row) {
  row.above_lower = true;
  return row;
}
constexpr OptionRow or_unset(OptionRow row) {
  row.may_be_unset = true;
  return row;
}
constexpr OptionRow or_unlimited(OptionRow row) {
  row.unlimited = true;
  return row;
}
constexpr OptionRow one_of(OptionRow row, std::span<const std::string_view> names) {
  row.names = names;
  row.upper = static_cast<double>(names.size() - 1);
  return row;
}
constexpr OptionRow used_by(OptionRow row, std::span<const Method> methods) {
  row.methods = methods;
  return row;
}

// In millimetres; the inverse is the number whose thousandth is the same double, where a shorter one is not.
double get_met_mm(const Options& options) {
  const double mm = 1000.0 * options.met_metres;
  const double rounded = std::round(mm * 1e6) / 1e6;
  return rounded / 1000.0 == options.met_metres ? rounded : mm;
}
void set_met_mm(Options& options, double mm) { options.met_metres = mm / 1000.0; }

constexpr OptionRow met_mm() {
  OptionRow out{"met_mm", OptionKind::number, "A constraint is met within this many millimetres"};
  out.get = get_met_mm;
  out.set = set_met_mm;
  return out;
}

constexpr OptionKind whole = OptionKind::whole, decimal = OptionKind::number, flag = OptionKind::flag,
                     word = OptionKind::name;

constexpr OptionRow option_rows[] = {
    or_unset(with_max(
        option_row<&Options::restarts>("restarts", whole, "Max restarts from other poses while a constraint is unmet"),
        max_restarts)),
    with_max(option_row<&Options::iterations>("iterations", whole, "Max iterations over all restarts"), max_iterations),
    above_lower(
        option_row<&Options::tolerance>("tolerance", decimal, "Kuhn-Tucker residual at which a solve has converged")),
    met_mm(),
    option_row<&Options::met_degrees>("met_degrees", decimal, "And within this many degrees"),
    option_row<&Options::until_met>("until_met", flag, "Stop as soon as every constraint is met"),
    or_unlimited(above_lower(option_row<&Options::longest_step>(
        "longest_step", decimal, "Max change of a parameter per iteration, in radians or lengths of the figure"))),
    used_by(option_row<&Options::as_printed>("as_printed", flag, "The paper's own choices where ours differ"), printed),
    used_by(
        one_of(option_row<&Options::secondary>("secondary", word, "What to do with the freedom that the goals leave"),
               secondary_names),
        with_null_space),
    used_by(one_of(option_row<&Options::integration>("integration", word, "How a step follows the pull"),
                   integration_names),
            in_time),
    used_by(option_row<&Options::step>("step", decimal,
                                       "Step of the integration, the first one where it adapts; 0: automatic"),
            in_time),
    used_by(option_row<&Options::feedback>("feedback", decimal, "How fast hard constraints return where they are off"),
            with_feedback),
    used_by(
        above_lower(with_max(option_row<&Options::truncation>(
                                 "truncation", decimal, "Singular values below this part of the largest are left out"),
                             1.0)),
        truncated),
    used_by(OptionRow{"gain", OptionKind::parameters, "Gains of parameters, 0 or more: one of 0 does not move"},
            in_time),
};

}  // namespace

std::span<const OptionRow> option_table() { return option_rows; }

const OptionRow* option_of(std::string_view key) {
  const auto* const at = std::ranges::find(option_rows, key, &OptionRow::key);
  return at == std::end(option_rows) ? nullptr : at;
}

bool is_used(const OptionRow& row, Method method) {
  return row.methods.empty() || std::ranges::find(row.methods, method) != row.methods.end();
}

bool is_default(const OptionRow& row, const Options& options) {
  static const Options plain;
  if (row.kind == OptionKind::parameters) return options.gain.size() == 0;
  const double value = row.get(options);
  return row.may_be_unset ? std::isnan(value) : value == row.get(plain);
}

bool is_in_range(const OptionRow& row, double value) {
  if ((row.unlimited && value == infinity) || (row.may_be_unset && std::isnan(value))) return true;
  if (!std::isfinite(value) || (row.kind == OptionKind::whole && value != std::floor(value))) return false;
  return value <= row.upper && (row.above_lower ? value > row.lower : value >= row.lower);
}

std::string expected_of(const OptionRow& row) {
  std::string text;
  switch (row.kind) {
    case OptionKind::flag:
      return "true or false";
    case OptionKind::name:
      for (const std::string_view name : row.names) text += (text.empty() ? "one of " : ", ") + std::string(name);
      return text;
    case OptionKind::parameters:
      return "numbers by parameter, 0 or more";
    case OptionKind::whole:
    case OptionKind::number:
      break;
  }
  text = row.kind == OptionKind::whole ? "a whole number" : "a number";
  if (row.upper < infinity && row.above_lower)
    text += " above " + to_text(row.lower) + ", at most " + to_text(row.upper);
  else if (row.upper < infinity)
    text += " from " + to_text(row.lower) + " to " + to_text(row.upper);
  else
    text += row.above_lower ? " above " + to_text(row.lower) : ", " + to_text(row.lower) + " or more";
  return row.unlimited ? text + ", or " + std::string(unlimited_word) : text;
}

std::string methods_of(const OptionRow& row) {
  std::string text;
  for (std::size_t k = 0; k < row.methods.size(); ++k)
    text += (k == 0 ? "" : k + 1 < row.methods.size() ? ", " : " and ") + std::string(name_of(row.methods[k]));
  return text;
}

}  // namespace limber
