// Running a law over random problems, and making a problem that breaks it small.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "tests/law/random_problem.h"

namespace limber::law {

namespace {

// Whether the case can still be built and its constraints are accepted.
bool valid(const Case& candidate) {
  const Expected<Figure> figure = try_build(candidate);
  if (!figure || candidate.constraints.empty()) return false;
  for (const auto& [name, value] : candidate.start)
    if (!figure->find_parameter(name)) return false;
  Problem problem(*figure);
  for (const ConstraintSpec& spec : candidate.constraints) add_to(problem, spec);
  return problem.rejections().empty();
}

// Without the segment, its joint and its sites. What still names them makes the case invalid, and it is then
// kept.
Case without_segment(Case from, std::size_t segment) {
  const std::string name = from.figure.segments[segment].name;
  std::erase_if(from.figure.segments, [&](const SegmentDescription& s) { return s.name == name; });
  for (const JointDescription& joint : from.figure.joints)
    if (joint.child == name)
      for (const FreedomDescription& freedom : joint.freedoms) from.start.erase(joint.name + "." + freedom.name);
  std::erase_if(from.figure.joints, [&](const JointDescription& j) { return j.child == name; });
  std::erase_if(from.figure.sites, [&](const SiteDescription& s) { return s.segment == name; });
  return from;
}

}  // namespace

Case shrunk(Case broken, const Law& law) {
  const auto keep_if_broken = [&](Case candidate) {
    if (!valid(candidate) || law(candidate).empty()) return false;
    broken = std::move(candidate);
    return true;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t k = broken.constraints.size(); k-- > 0;) {
      Case candidate = broken;
      candidate.constraints.erase(candidate.constraints.begin() + static_cast<std::ptrdiff_t>(k));
      smaller |= keep_if_broken(std::move(candidate));
    }
    for (std::size_t k = broken.clearance ? broken.clearance->obstacles.size() : 0; k-- > 0;) {
      Case candidate = broken;
      candidate.clearance->obstacles.erase(candidate.clearance->obstacles.begin() + static_cast<std::ptrdiff_t>(k));
      smaller |= keep_if_broken(std::move(candidate));
    }
    for (std::size_t k = broken.figure.limits.size(); k-- > 0;) {
      Case candidate = broken;
      candidate.figure.limits.erase(candidate.figure.limits.begin() + static_cast<std::ptrdiff_t>(k));
      smaller |= keep_if_broken(std::move(candidate));
    }
    for (std::size_t k = broken.figure.segments.size(); k-- > 1;) smaller |= keep_if_broken(without_segment(broken, k));
    for (std::size_t j = broken.figure.joints.size(); j-- > 0;)
      for (std::size_t i = broken.figure.joints[j].freedoms.size(); i-- > 0;) {
        Case candidate = broken;
        auto& freedoms = candidate.figure.joints[j].freedoms;
        candidate.start.erase(candidate.figure.joints[j].name + "." + freedoms[i].name);
        freedoms.erase(freedoms.begin() + static_cast<std::ptrdiff_t>(i));
        smaller |= keep_if_broken(std::move(candidate));
      }
  }
  return broken;
}

std::string text_of(const Case& from) {
  std::string text = "seed " + std::to_string(from.seed) + ": " + std::to_string(from.start.size()) + " parameters, " +
                     std::to_string(from.figure.groups.size()) + " groups, " +
                     std::to_string(from.figure.limits.size()) + " rows\n";
  for (const auto& [name, value] : from.start) text += "  " + name + " = " + to_text(value) + "\n";
  for (const LimitDescription& row : from.figure.limits) {
    text += "  " + row.name + ":";
    for (const LimitTerm& term : row.terms) text += " " + to_text(term.coefficient) + " " + term.parameter;
    text += (row.relation == Relation::equal ? " = " : " <= ") + to_text(row.bound) + "\n";
  }
  for (const ConstraintSpec& spec : from.constraints) {
    text += "  weight " + to_text(spec.weight) + (spec.from.empty() ? "" : " from " + spec.from) +
            (spec.priority == first_level ? "" : " priority " + std::to_string(spec.priority)) + ":";
    for (const AlternativeSpec& alternative : spec.alternatives)
      text += " [" + alternative.handle.place +
              (alternative.handle.less.empty() ? "" : " - " + alternative.handle.less) + " " +
              name_of(make_goal(alternative)) + "]";
    text += "\n";
  }
  if (from.clearance) text += text_of(*from.clearance);
  return text;
}

void check_law(const char* name, int count, const CaseKind& kind, const Law& law) {
  // Any fixed numbers will do; two laws need not see the same problems.
  std::uint64_t seed = 14695981039346656037ULL;
  for (const char* c = name; *c != '\0'; ++c)
    seed = (seed ^ static_cast<unsigned char>(*c)) * 1099511628211ULL;  // FNV-1a
  const int cases = law_count(count);
  for (int k = 0; k < cases; ++k) {
    const Case made = random_case(seed + static_cast<std::uint64_t>(k), kind);
    const std::string wrong = law(made);
    if (wrong.empty()) continue;
    const Case small = shrunk(made, law);
    ADD_FAILURE() << "seed " << made.seed << ", problem " << k << " of " << cases << " breaks the law: " << wrong
                  << "\nmade small: " << law(small) << "\n"
                  << text_of(small);
    return;
  }
}

}  // namespace limber::law
