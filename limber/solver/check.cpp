#include "limber/solver/check.h"

#include "limber/base/number.h"
#include "limber/solver/methods.h"

namespace limber {

std::optional<Diagnostic> rejection(const Problem& problem, const Assembly& assembly, const Pose& pose,
                                    const Options& options) {
  if (!problem.rejections().empty()) return problem.rejections().front();
  if (std::optional<Diagnostic> unsupported = rejection(problem, assembly, options.method)) return unsupported;
  const auto& parameters = problem.figure().parameters();
  if (pose.theta.size() != static_cast<Eigen::Index>(parameters.size()))
    return Diagnostic{"pose", std::to_string(pose.theta.size()) + " values",
                      std::to_string(parameters.size()) + ", one per parameter of the figure"};
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
    if (!std::isfinite(pose.theta[j]))
      return Diagnostic{"pose, parameter '" + parameters[static_cast<std::size_t>(j)].name + "'",
                        to_text(pose.theta[j]), "a finite number"};
  if (!(options.tolerance > 0.0))
    return Diagnostic{"options, tolerance", to_text(options.tolerance), "a number above 0"};
  if (options.iterations < 0) return Diagnostic{"options, iterations", std::to_string(options.iterations), "0 or more"};
  if (!(options.met_metres >= 0.0)) return Diagnostic{"options, met_metres", to_text(options.met_metres), "0 or more"};
  if (!(options.met_degrees >= 0.0))
    return Diagnostic{"options, met_degrees", to_text(options.met_degrees), "0 or more"};
  if (options.restarts && *options.restarts < 0)
    return Diagnostic{"options, restarts", std::to_string(*options.restarts), "0 or more"};
  return std::nullopt;
}

}  // namespace limber
