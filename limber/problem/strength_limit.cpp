// Adds a strength limit to a problem, checked.
#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/assess/static_torques.h"
#include "limber/assess/strengths.h"
#include "limber/base/number.h"
#include "limber/problem/check_options.h"
#include "limber/problem/problem.h"

namespace limber {

namespace {

bool has_strength(const Figure& figure, const StrengthLimit& limit) {
  const Strengths strengths(figure, limit.table, limit.strength);
  return std::ranges::any_of(muscle_freedoms(figure),
                             [&](int i) { return strengths.row(i, true) >= 0 || strengths.row(i, false) >= 0; });
}

Expected<void> check(const Figure& figure, const StrengthLimit& limit) {
  if (!(limit.share > 0.0) || !std::isfinite(limit.share))
    return reject("share", to_text(limit.share), "a number above 0");
  if (!(limit.carried.gravity >= 0.0) || !std::isfinite(limit.carried.gravity))
    return reject("gravity", to_text(limit.carried.gravity), "0 or more");
  for (const Load& load : limit.carried.loads)
    if (load.handle.plus[0].segment < 0 || load.handle.plus[0].segment >= static_cast<int>(figure.segments().size()))
      return reject("load at '" + load.handle.name + "'", "a handle of another figure",
                    "one that this problem's figure made");
  if (const Expected<StaticTorques> torques = StaticTorques::make(figure, limit.carried); !torques)
    return std::unexpected(torques.error());
  if (const Expected<void> valid = check_strength(limit.table, limit.strength); !valid) return valid;
  if (!has_strength(figure, limit))
    return reject("strength", "a table without a row for a joint of '" + figure.name() + "'",
                  "at least one, such as " + figure.freedoms()[0].name);
  return {};
}

}  // namespace

Expected<ConstraintId> Problem::add_strength(StrengthLimit limit, ConstraintOptions options) {
  Constraint constraint;
  constraint.name = options.name.empty() ? "strength" : options.name;
  const std::string where = "constraint '" + constraint.name + "'";
  if (const Expected<void> good = check(figure_, limit); !good)
    return rejected({where + ", " + good.error().where, good.error().found, good.error().expected});
  if (std::optional<Diagnostic> wrong = wrong_weight(where, options.weight, true)) return rejected(*std::move(wrong));
  if (!options.from.empty() || options.weighting.size() > 0)
    return rejected({where, "a chain or a weighting", "neither: it counts for all joints"});
  if (std::optional<Diagnostic> wrong = wrong_priority(where, options.priority)) return rejected(*std::move(wrong));
  if (!std::isfinite(options.weight) && (options.soft || options.priority != first_level))
    return rejected({where + ", weight", "must", "a finite weight: it is soft, or has a priority"});
  constraint.weight = options.weight;
  constraint.priority = options.priority;
  constraint.soft = options.soft;
  constraint.what = std::move(limit);
  return admit(std::move(constraint));
}

}  // namespace limber
