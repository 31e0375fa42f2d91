// Parts of a body, recognised by shape: against answers by hand, and the same for every name, order, place and scale.
#include "limber/roles/roles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/kinematics/forward.h"
#include "tests/format/sample.h"
#include "tests/roles/answers.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber {
namespace roles_test {

using roles_answers::Answer;
using roles_answers::Found;

Figure read_data(const std::string& name) {
  const std::string path = source_dir() + "/data/" + name;
  return *testing::good(read_content(read_sample(path), path, {}, {}, nullptr)).figure;
}

struct Score {
  int right = 0, wrong = 0, unsure = 0;
};

// Of one figure; what is wrong although it is certain fails.
Score score_of(const std::string& file, const Answer& answer, const RoleOptions& options) {
  Score score;
  const Figure figure = read_data(file);
  const Roles roles = roles_of(figure, options);
  EXPECT_EQ(name_of(roles.plan), answer.plan) << file;
  const std::map<std::string, Found> found = roles_answers::found(figure, roles);
  std::set<std::string> parts;
  for (const auto& [part, bones] : answer.bones) parts.insert(part);
  for (const auto& [part, one] : found) parts.insert(part);
  for (const std::string& part : parts) {
    const auto bones = answer.bones.find(part);
    const auto one = found.find(part);
    const bool is_right = bones != answer.bones.end() && one != found.end() &&
                          std::ranges::find(bones->second, one->second.bone) != bones->second.end();
    const double confidence = one == found.end() ? 0.0 : one->second.confidence;
    ++(is_right ? score.right : score.wrong);
    score.unsure += confidence < sure_confidence;
    if (!is_right) {
      EXPECT_LT(confidence, sure_confidence) << file << ": " << part << " is " << one->second.bone;
      std::cout << file << ": " << part << ": found " << (one == found.end() ? "none" : one->second.bone) << " ("
                << confidence << ")\n";
    }
  }
  return score;
}

class EveryFigure : public ::testing::TestWithParam<bool> {};

TEST_P(EveryFigure, HasTheRolesThatWereToldByHand) {
  Score all;
  for (const Answer& answer : roles_answers::read())
    for (const std::string& file : answer.files) {
      const Score score = score_of(file, answer, {.names = GetParam()});
      std::cout << file << ": " << score.right << " right, " << score.wrong << " wrong, " << score.unsure
                << " unsure\n";
      all.right += score.right;
      all.wrong += score.wrong;
      all.unsure += score.unsure;
    }
  std::cout << all.right << " right, " << all.wrong << " wrong, " << all.unsure << " unsure\n";
  EXPECT_GT(all.right, 500);
  EXPECT_GE(all.right, 0.95 * (all.right + all.wrong));
}

INSTANTIATE_TEST_SUITE_P(Names, EveryFigure, ::testing::Bool(),
                         [](const auto& names) { return std::string(names.param ? "Known" : "Unknown"); });

// --- What must not matter.

struct Changed {
  FigureDescription figure;
  std::map<std::string, std::string> name_before;  // of segments
};

template <class T>
void shuffle(std::vector<T>& list, Random& random) {
  for (std::size_t k = list.size(); k > 1; --k)
    std::swap(list[k - 1], list[static_cast<std::size_t>(random.integer(0, static_cast<int>(k) - 1))]);
}

void rename(Changed& changed) {
  FigureDescription& d = changed.figure;
  std::map<std::string, std::string> joints;
  int count = 0;
  const auto fresh = [&] { return "x" + std::to_string(++count * 7919 % 10007); };
  std::map<std::string, std::string> segments{{"", ""}};
  for (SegmentDescription& segment : d.segments) {
    const std::string name = fresh();
    segments[segment.name] = name;
    changed.name_before[name] = segment.name;
    segment.name = name;
  }
  for (JointDescription& joint : d.joints) {
    joint.name = joints[joint.name] = fresh();
    joint.parent = segments.at(joint.parent);
    joint.child = segments.at(joint.child);
  }
  for (SiteDescription& site : d.sites) {
    site.name = fresh();
    site.segment = segments.at(site.segment);
  }
}

void scale(FigureDescription& d, double factor) {
  for (JointDescription& joint : d.joints) {
    joint.in_parent.p *= factor;
    joint.in_child.p *= factor;
    for (FreedomDescription& freedom : joint.freedoms)
      if (freedom.motion == Motion::translate)
        for (double* value : {&freedom.range.lower, &freedom.range.upper, &freedom.range.rest}) *value *= factor;
  }
  for (SiteDescription& site : d.sites) site.frame.p *= factor;
  for (SegmentDescription& segment : d.segments) segment.mass_centre *= factor;
}

// Every segment gets other axes, every joint that turns freely turns about others.
void change_axes(FigureDescription& d, Random& random) {
  std::map<std::string, Mat3> turned;
  for (SegmentDescription& segment : d.segments) {
    const Mat3 Q = turned[segment.name] = random.rotation();
    segment.mass_centre = Q.transpose() * segment.mass_centre;
    const Mat3 inertia = Q.transpose() * segment.inertia * Q;
    segment.inertia = 0.5 * (inertia + inertia.transpose());
  }
  for (JointDescription& joint : d.joints) {
    if (!joint.parent.empty())
      joint.in_parent = Frame{turned[joint.parent].transpose(), Vec3::Zero()} * joint.in_parent;
    joint.in_child = Frame{turned[joint.child].transpose(), Vec3::Zero()} * joint.in_child;
    const bool is_free = std::ranges::all_of(joint.freedoms, [](const FreedomDescription& one) {
      return one.range.lower == -infinity && one.range.upper == infinity && one.range.rest == 0.0;
    });
    const auto turns = std::ranges::count(joint.freedoms, Motion::rotate, &FreedomDescription::motion);
    if (!is_free || turns < 3) continue;
    const Mat3 Q = random.rotation();
    for (FreedomDescription& freedom : joint.freedoms) freedom.axis = Q * freedom.axis;
  }
  for (SiteDescription& site : d.sites) site.frame = Frame{turned[site.segment].transpose(), Vec3::Zero()} * site.frame;
}

// The whole figure about the vertical.
void turn(FigureDescription& d, double angle) {
  const Frame about{rotation(Vec3::UnitY(), angle), Vec3::Zero()};
  std::set<std::string> carried;
  for (JointDescription& joint : d.joints) {
    carried.insert(joint.child);
    if (joint.parent.empty()) joint.in_parent = about * joint.in_parent;
  }
  std::vector<std::string> loose;
  for (const SegmentDescription& segment : d.segments)
    if (!carried.contains(segment.name)) loose.push_back(segment.name);
  for (const std::string& segment : loose) d.joints.push_back({"turned " + segment, "", segment, about});
}

// Leaves that turn, near joints within the body. (At an end they might as well be a hand, a foot or a head.)
void add_helpers(Changed& changed, const Figure& figure, Random& random) {
  const double offset = 0.03 * figure.length();
  std::set<std::string> inner;
  for (std::size_t s = 1; s < figure.segments().size(); ++s)
    if (const int parent = figure.segments()[s].parent;
        parent != no_parent && figure.segments()[s].subtree_end > static_cast<int>(s) + 1)
      inner.insert(figure.segments()[static_cast<std::size_t>(parent)].name);
  const std::vector<SegmentDescription> segments = changed.figure.segments;
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (!inner.contains(segments[k].name) || !random.chance(0.3)) continue;
    const std::string name = "helper " + std::to_string(k);
    changed.figure.segments.push_back({name});
    changed.figure.joints.push_back({name,
                                     segments[k].name,
                                     name,
                                     at(offset * random.direction()),
                                     {},
                                     {{"x", Motion::rotate, Vec3::UnitX()},
                                      {"y", Motion::rotate, Vec3::UnitY()},
                                      {"z", Motion::rotate, Vec3::UnitZ()}}});
  }
}

// Without some segments and what is below them.
void drop(FigureDescription& d, std::set<std::string> dropped) {
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const JointDescription& joint : d.joints)
      if (dropped.contains(joint.parent) && dropped.insert(joint.child).second) is_new = true;
  }
  std::erase_if(d.segments, [&](const auto& one) { return dropped.contains(one.name); });
  std::erase_if(d.joints, [&](const auto& one) { return dropped.contains(one.child); });
  std::erase_if(d.sites, [&](const auto& one) { return dropped.contains(one.segment); });
}

// Parts by name: the segment before the change where each begins, the first of those in one place. Sides only where the
// shape tells them.
std::set<std::string> parts_of(const Figure& before, const Figure& figure, const Roles& roles,
                               const std::map<std::string, std::string>& name_before, bool with_sides) {
  const Kinematics rest = forward(before, before.rest());
  const auto centre = [&](std::size_t s) { return Vec3(rest.segments[s] * before.joints()[s].in_child.p); };
  std::set<std::string> parts;
  for (const RolePart& part : roles.parts) {
    const std::string& segment = figure.segments()[static_cast<std::size_t>(part.first)].name;
    const auto old = name_before.find(segment);
    std::string first = old == name_before.end() ? segment : old->second;
    if (const Expected<int> s = before.find_segment(first))
      for (std::size_t k = 0; k < before.segments().size(); ++k)
        if ((centre(k) - centre(static_cast<std::size_t>(*s))).norm() < 1e-9 * before.length()) {
          first = before.segments()[k].name;
          break;
        }
    const std::string name = with_sides ? name_of(part) : std::string(name_of(part.role)) + std::to_string(part.order);
    parts.insert(name + " = " + first);
  }
  return parts;
}

bool is_digit_of(Role role) { return role >= Role::thumb && role <= Role::little; }

std::vector<std::string> persons() {
  std::vector<std::string> files;
  for (const Answer& answer : roles_answers::read())
    if (answer.plan != "unknown") files.push_back(answer.files.front());
  return files;
}

class EveryBody : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_same(const Changed& changed, const std::string& what, bool without_digits = false) {
    const Figure other = testing::built(changed.figure);
    Roles before = roles_of(figure_, {.names = false}),
          after = roles_of(other, {.names = !changed.name_before.empty()});
    if (without_digits)
      for (Roles* roles : {&before, &after})
        std::erase_if(roles->parts,
                      [](const RolePart& part) { return is_digit_of(part.role) || part.role == Role::ball; });
    const bool with_sides = before.side_confidence >= sure_confidence && after.side_confidence >= sure_confidence;
    EXPECT_EQ(before.plan, after.plan) << what;
    EXPECT_EQ(parts_of(figure_, figure_, before, {}, with_sides),
              parts_of(figure_, other, after, changed.name_before, with_sides))
        << GetParam() << ": " << what;
  }

  Changed unchanged() const { return {figure_.description(), {}}; }

  const Figure figure_ = GetParam() == "human" ? human() : read_data(GetParam());
  Random random_{17};
};

TEST_P(EveryBody, KeepsItsRolesUnderOtherNames) {
  Changed changed = unchanged();
  if (!changed.figure.groups.empty() || !changed.figure.limits.empty()) return;
  rename(changed);
  expect_same(changed, "renamed");
}

TEST_P(EveryBody, KeepsItsRolesInAnotherOrder) {
  for (int k = 0; k < law::law_count(3); ++k) {
    Changed changed = unchanged();
    changed.figure.prior = {};
    shuffle(changed.figure.segments, random_);
    shuffle(changed.figure.joints, random_);
    expect_same(changed, "shuffled");
  }
}

TEST_P(EveryBody, KeepsItsRolesTurnedScaledAndWithOtherAxes) {
  for (const double factor : {0.01, 0.3, 100.0}) {
    Changed changed = unchanged();
    changed.figure.mirror_pairs.clear();
    change_axes(changed.figure, random_);
    turn(changed.figure, random_.between(-pi, pi));
    scale(changed.figure, factor);
    expect_same(changed, "turned, and times " + std::to_string(factor));
  }
}

TEST_P(EveryBody, KeepsItsRolesWithHelpers) {
  for (int k = 0; k < law::law_count(5); ++k) {
    Changed changed = unchanged();
    changed.figure.mirror_pairs.clear();
    add_helpers(changed, figure_, random_);
    expect_same(changed, "with helpers");
  }
}

TEST_P(EveryBody, KeepsItsRolesWithoutFingersOrToes) {
  const Roles roles = roles_of(figure_, {.names = false});
  for (const bool fingers : {true, false}) {
    std::set<std::string> tops;
    const auto name = [&](int s) { return figure_.segments()[static_cast<std::size_t>(s)].name; };
    for (const RolePart& part : roles.parts) {
      if (fingers ? is_digit_of(part.role) : part.role == Role::ball) tops.insert(name(part.first));
      if (!roles.find(fingers ? Role::middle : Role::ball, part.side) ||
          part.role != (fingers ? Role::wrist : Role::ankle))
        continue;
      for (std::size_t s = 0; s < figure_.segments().size(); ++s)
        if (figure_.segments()[s].parent == part.segment) tops.insert(figure_.segments()[s].name);
    }
    if (tops.empty()) continue;
    Changed changed = unchanged();
    changed.figure.mirror_pairs.clear();
    drop(changed.figure, tops);
    expect_same(changed, fingers ? "without fingers" : "without toes", true);
  }
}

INSTANTIATE_TEST_SUITE_P(Data, EveryBody, ::testing::ValuesIn(persons()), [](const auto& one) {
  std::string name = one.param;
  std::ranges::replace_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace roles_test
}  // namespace limber
