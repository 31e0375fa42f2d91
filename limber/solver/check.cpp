#include "limber/solver/check.h"

#include "limber/base/number.h"
#include "limber/solver/methods.h"
#include "limber/solver/option_table.h"

namespace limber {

namespace {

std::string written(const OptionRow& row, const Options& options) {
  if (row.kind == OptionKind::parameters) return std::to_string(options.gain.size()) + " values";
  const double value = row.get(options);
  if (row.kind == OptionKind::name && is_in_range(row, value))
    return "'" + std::string(row.names[static_cast<std::size_t>(value)]) + "'";
  if (row.kind == OptionKind::flag) return value != 0.0 ? "true" : "false";
  return to_text(value);
}

}  // namespace

std::optional<Diagnostic> rejection(const Options& options, const Figure& figure) {
  const Method method = chosen_method(options);
  for (const OptionRow& row : option_table()) {
    const std::string_view key = row.key;
    if (row.kind != OptionKind::parameters && !is_in_range(row, row.get(options)))
      return Diagnostic{"options, " + std::string(key), written(row, options), expected_of(row)};
    if (!is_default(row, options) && !is_used(row, method))
      return Diagnostic{"options, " + std::string(key),
                        written(row, options) + " with the method " + std::string(name_of(method)),
                        "no such option: only " + methods_of(row) + " use it"};
  }
  const auto parameters = static_cast<Eigen::Index>(figure.parameters().size());
  if (options.gain.size() != 0 && options.gain.size() != parameters)
    return Diagnostic{"options, gain", std::to_string(options.gain.size()) + " values",
                      std::to_string(parameters) + ", one per parameter of the figure"};
  for (Eigen::Index j = 0; j < options.gain.size(); ++j)
    if (!(options.gain[j] >= 0.0 && std::isfinite(options.gain[j])))
      return Diagnostic{"options, gain of '" + figure.parameters()[static_cast<std::size_t>(j)].name + "'",
                        to_text(options.gain[j]), "a number, 0 or more"};
  return std::nullopt;
}

std::optional<Diagnostic> rejection(const Problem& problem, const Pose& pose, const Options& options) {
  if (!problem.rejections().empty()) return problem.rejections().front();
  if (std::optional<Diagnostic> unsupported = rejection(problem, chosen_method(options))) return unsupported;
  const auto& parameters = problem.figure().parameters();
  if (pose.theta.size() != static_cast<Eigen::Index>(parameters.size()))
    return Diagnostic{"pose", std::to_string(pose.theta.size()) + " values",
                      std::to_string(parameters.size()) + ", one per parameter of the figure"};
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
    if (!std::isfinite(pose.theta[j]))
      return Diagnostic{"pose, parameter '" + parameters[static_cast<std::size_t>(j)].name + "'",
                        to_text(pose.theta[j]), "a finite number"};
  return rejection(options, problem.figure());
}

}  // namespace limber
