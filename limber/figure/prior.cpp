#include "limber/figure/prior.h"

#include <Eigen/Cholesky>
#include <set>

#include "limber/base/number.h"
#include "limber/figure/data.h"

namespace limber {

namespace {

// Tolerance of the symmetry and the unit diagonal of a correlation.
constexpr double symmetry_tolerance = 1e-9;

Expected<void> check_correlation(const MatX& correlation, Eigen::Index terms) {
  const char* where = "prior, correlation";
  if (correlation.rows() != terms || correlation.cols() != terms)
    return reject(where, std::to_string(correlation.rows()) + " x " + std::to_string(correlation.cols()) + " numbers",
                  std::to_string(terms) + " x " + std::to_string(terms) + ", one row per term");
  if (!correlation.allFinite()) return reject(where, "a number that is not finite", "finite numbers");
  if ((correlation - correlation.transpose()).cwiseAbs().maxCoeff() > symmetry_tolerance ||
      (correlation.diagonal().array() - 1.0).abs().maxCoeff() > symmetry_tolerance)
    return reject(where, "a matrix that is not symmetric with a unit diagonal", "a correlation matrix");
  if (Eigen::LLT<MatX>(correlation).info() != Eigen::Success)
    return reject(where, "a matrix that is not positive definite", "a positive definite matrix");
  return {};
}

}  // namespace

Expected<void> check_prior(const Figure::Data& data) {
  const PriorDescription& prior = data.description.prior;
  std::set<std::string_view> seen;
  for (const PriorTerm& term : prior.terms) {
    const std::string where = "prior, parameter '" + term.parameter + "'";
    if (!data.parameter_by_name.contains(term.parameter))
      return reject(where, "an unknown parameter", "a parameter of the figure");
    if (!seen.insert(term.parameter).second) return reject(where, "the parameter twice", "each parameter once");
    if (data.parameters[data.parameter_by_name.find(term.parameter)->second].translates != term.translates)
      return reject(where, term.translates ? "metres" : "an angle", term.translates ? "an angle" : "metres");
    if (!std::isfinite(term.mean)) return reject(where + ", mean", to_text(term.mean), "a finite number");
    if (!(term.spread > 0.0) || !std::isfinite(term.spread))
      return reject(where + ", spread", to_text(term.spread), "a finite number above 0");
  }
  if (prior.correlation.size() > 0)
    if (Expected<void> fine = check_correlation(prior.correlation, static_cast<Eigen::Index>(prior.terms.size()));
        !fine)
      return fine;
  if (prior.up_segment.empty()) return {};
  if (!data.segment_by_name.contains(prior.up_segment))
    return reject("prior, up", "'" + prior.up_segment + "'", "the name of a segment");
  if (!prior.up.allFinite() || !(prior.up.norm() > std::numeric_limits<double>::min()))
    return reject("prior, up", "a vector without direction", "a finite vector that is not zero");
  if (!(prior.up_spread > 0.0) || !std::isfinite(prior.up_spread))
    return reject("prior, up, spread", to_text(prior.up_spread), "a finite number above 0");
  return {};
}

Expected<Figure> with_prior(const Figure& figure, const PriorDescription& prior) {
  std::vector<int> kept;
  for (std::size_t k = 0; k < prior.terms.size(); ++k)
    if (figure.find_parameter(prior.terms[k].parameter)) kept.push_back(static_cast<int>(k));
  if (kept.empty() && !prior.terms.empty())
    return reject("prior of figure '" + figure.name() + "'",
                  "none of the figure's parameters, but '" + prior.terms.front().parameter + "' and others",
                  "a prior learned on a figure with the same joints");
  PriorDescription fitted = prior;
  fitted.terms.clear();
  for (const int k : kept) fitted.terms.push_back(prior.terms[static_cast<std::size_t>(k)]);
  if (prior.correlation.size() > 0) fitted.correlation = prior.correlation(kept, kept);
  if (!figure.find_segment(prior.up_segment)) fitted.up_segment.clear();
  FigureDescription description = figure.description();
  description.prior = std::move(fitted);
  return build_figure(std::move(description));
}

}  // namespace limber
