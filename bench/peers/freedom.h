// Degrees of freedom for libraries without joint groups.
#pragma once

#include "limber/figure/figure.h"

namespace limber::peers {

// The parameter of a degree of freedom; an error if a joint group drives it.
inline Expected<int> own_parameter(const Figure& figure, int freedom) {
  const Freedom& of = figure.freedoms()[freedom];
  const bool alone = of.term_end == of.term_begin + 1;
  const Term* const term = alone ? &figure.terms()[of.term_begin] : nullptr;
  if (term && term->curve.is_linear() && term->curve.slope() == 1.0) return term->parameter;
  return reject("freedom " + of.name, "one that a group drives", "one that is its own parameter");
}

}  // namespace limber::peers
