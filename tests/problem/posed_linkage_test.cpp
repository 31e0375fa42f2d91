// Elements on links, and the centre of mass from mass sums, against plain kinematics and differences.
#include "limber/problem/posed_linkage.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"
#include "limber/problem/attached_handles.h"
#include "limber/problem/drives.h"
#include "tests/law/random_figure.h"
#include "tests/support/figures.h"

namespace limber {
namespace posed_linkage_test {

using testing::built;
using testing::good;

// A point, a direction, the centre of mass, and a problem that needs them.
struct PosedSample {
  Figure figure;
  Problem problem;
  Pose pose;
  VecX q;

  static PosedSample random(Random& random) {
    const Figure figure = built(law::random_figure(random, {.freedoms = 12, .groups = false, .rows = false}));
    PosedSample made{figure, Problem(figure), law::random_pose(random, figure), {}};
    const std::string name = figure.segments().back().name;
    good(made.problem.add(figure.point(name), Hold{}));
    good(made.problem.add(figure.direction(name), Hold{}));
    good(made.problem.add(figure.mass_centre(), Hold{}));
    for (const Parameter& parameter : figure.parameters())
      if (random.chance(0.2)) (void)made.problem.set_rigidity(parameter.name, 1.0);
    figure.angles(made.pose.theta, made.q);
    return made;
  }
};

TEST(PosedLinkage, PutsElementsWhereTheFigureHasThem) {
  Random random(71);
  for (int trial = 0; trial < 20; ++trial) {
    const PosedSample sample = PosedSample::random(random);
    const Variables variables(sample.problem);
    PosedLinkage links(sample.problem, variables);
    AttachedHandles handles(sample.problem, links);
    links.place_bases(sample.q);
    links.place(sample.q);
    const Kinematics state = forward(sample.figure, sample.pose);
    for (std::size_t c = 0; c < sample.problem.constraints().size(); ++c) {
      Vec3 x[max_elements];
      evaluate(sample.figure, state, sample.problem.constraints()[c].alternatives()[0].handle, x);
      EXPECT_LE((handles.value(c, 0, links).x[0] - x[0]).norm(), 1e-12 * (1.0 + sample.figure.length())) << c;
    }
    handles.hold(links);
    for (std::size_t c = 0; c < sample.problem.constraints().size(); ++c)
      EXPECT_EQ(handles.value(c, 0, links).x[0], Vec3::Zero()) << "held here";
  }
}

// The columns, the backward pass and differences agree, for a point, a direction and the centre of mass.
TEST(PosedLinkage, HasTheDerivativesOfItsElements) {
  Random random(72);
  for (int trial = 0; trial < 20; ++trial) {
    const PosedSample sample = PosedSample::random(random);
    const Variables variables(sample.problem);
    PosedLinkage links(sample.problem, variables);
    AttachedHandles handles(sample.problem, links);
    links.place_bases(sample.q);
    const std::vector<char> all(sample.figure.segments().size(), 1);
    for (std::size_t c = 0; c < sample.problem.constraints().size(); ++c) {
      const AttachedElement& element = handles.of(c, 0).plus[0];
      links.place(sample.q);
      Packed x, moved;
      links.evaluate(element, x);
      const Vec3 force = testing::random_vector(random, 1.0);
      links.clear_forces();
      links.pull(element, x, packed(force));
      const VecX gradient = links.collect();
      for (const Drive& drive : drives_of(sample.figure, variables, links.linkage(), all)) {
        const int freedom = links.linkage().links()[drive.link].freedom;
        links.place(sample.q);
        links.column(element, x, drive.link, moved);
        EXPECT_NEAR(unpacked(moved).dot(force), gradient[freedom], 1e-11 * (1.0 + sample.figure.length()));
        constexpr double step = 1e-6;
        VecX q = sample.q;
        Packed ahead, behind;
        q[freedom] += step;
        links.place(q);
        links.evaluate(element, ahead);
        q[freedom] -= 2.0 * step;
        links.place(q);
        links.evaluate(element, behind);
        EXPECT_LE((unpacked(ahead - behind) / (2.0 * step) - unpacked(moved)).norm(),
                  1e-8 * (1.0 + sample.figure.length()));
      }
    }
  }
}

}  // namespace posed_linkage_test
}  // namespace limber
