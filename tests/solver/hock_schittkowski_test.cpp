// The solver without a figure: the classic test functions, and problems with bounds and linear constraints
// from Hock and Schittkowski, Test Examples for Nonlinear Programming Codes (1981), by their numbers.
// Gradients are central differences of fourth order, so that only the values need to be written down; they
// are compared to six digits.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "limber/program/feasible.h"
#include "limber/program/kkt.h"
#include "limber/solver/gradient/active_set_bfgs.h"

namespace limber {
namespace hock_schittkowski_test {

using Function = std::function<double(const VecX&)>;

struct Row {
  std::vector<double> a;
  double b;
  bool equality = false;
};

struct Program {
  const char* name;
  Function f;
  std::vector<double> start, lower, upper;
  std::vector<Row> rows;
  double optimum;
};

double sq(double x) { return x * x; }
double pow4(double x) { return sq(sq(x)); }

constexpr double inf = infinity;

std::vector<Program> programs() {
  std::vector<Program> all;
  const auto rosenbrock = [](const VecX& x) { return 100.0 * sq(x[1] - sq(x[0])) + sq(1.0 - x[0]); };
  const auto wood = [](const VecX& x) {
    return 100.0 * sq(x[1] - sq(x[0])) + sq(1.0 - x[0]) + 90.0 * sq(x[3] - sq(x[2])) + sq(1.0 - x[2]) +
           10.1 * (sq(x[1] - 1.0) + sq(x[3] - 1.0)) + 19.8 * (x[1] - 1.0) * (x[3] - 1.0);
  };
  const auto beale = [](const VecX& x) {
    return sq(1.5 - x[0] * (1.0 - x[1])) + sq(2.25 - x[0] * (1.0 - sq(x[1]))) +
           sq(2.625 - x[0] * (1.0 - x[1] * x[1] * x[1]));
  };
  const auto powell = [](const VecX& x) {
    return sq(x[0] + 10.0 * x[1]) + 5.0 * sq(x[2] - x[3]) + pow4(x[1] - 2.0 * x[2]) + 10.0 * pow4(x[0] - x[3]);
  };
  all.push_back({"Rosenbrock", rosenbrock, {-1.2, 1.0}, {-inf, -inf}, {inf, inf}, {}, 0.0});
  all.push_back(
      {"PowellSingular", powell, {3.0, -1.0, 0.0, 1.0}, {-inf, -inf, -inf, -inf}, {inf, inf, inf, inf}, {}, 0.0});
  all.push_back({"Wood", wood, {-3.0, -1.0, -3.0, -1.0}, {-inf, -inf, -inf, -inf}, {inf, inf, inf, inf}, {}, 0.0});
  all.push_back({"BealeInABox", beale, {1.0, 1.0}, {0.6, 0.5}, {10.0, 100.0}, {}, 0.0});
  all.push_back({"HS1", rosenbrock, {-2.0, 1.0}, {-inf, -1.5}, {inf, inf}, {}, 0.0});
  // From the printed start (-2, 1) descent leads to the other Kuhn-Tucker point, 4.94; so this one starts on
  // the right.
  all.push_back({"HS2", rosenbrock, {2.0, 2.0}, {-inf, 1.5}, {inf, inf}, {}, 0.0504261879});
  all.push_back({"HS3",
                 [](const VecX& x) { return x[1] + 1e-5 * sq(x[1] - x[0]); },
                 {10.0, 1.0},
                 {-inf, 0.0},
                 {inf, inf},
                 {},
                 0.0});
  all.push_back({"HS4",
                 [](const VecX& x) { return (x[0] + 1.0) * (x[0] + 1.0) * (x[0] + 1.0) / 3.0 + x[1]; },
                 {1.125, 0.125},
                 {1.0, 0.0},
                 {inf, inf},
                 {},
                 8.0 / 3.0});
  all.push_back({"HS5",
                 [](const VecX& x) { return std::sin(x[0] + x[1]) + sq(x[0] - x[1]) - 1.5 * x[0] + 2.5 * x[1] + 1.0; },
                 {0.0, 0.0},
                 {-1.5, -3.0},
                 {4.0, 3.0},
                 {},
                 -0.5 * std::sqrt(3.0) - pi / 3.0});
  all.push_back({"HS21",
                 [](const VecX& x) { return 0.01 * sq(x[0]) + sq(x[1]) - 100.0; },
                 {2.0, -1.0},
                 {2.0, -50.0},
                 {50.0, 50.0},
                 {{{-10.0, 1.0}, -10.0}},
                 -99.96});
  all.push_back({"HS24",
                 [](const VecX& x) { return (sq(x[0] - 3.0) - 9.0) * x[1] * x[1] * x[1] / (27.0 * std::sqrt(3.0)); },
                 {1.0, 0.5},
                 {0.0, 0.0},
                 {inf, inf},
                 {{{-1.0 / std::sqrt(3.0), 1.0}, 0.0}, {{-1.0, -std::sqrt(3.0)}, 0.0}, {{1.0, std::sqrt(3.0)}, 6.0}},
                 -1.0});
  all.push_back({"HS28",
                 [](const VecX& x) { return sq(x[0] + x[1]) + sq(x[1] + x[2]); },
                 {-4.0, 1.0, 1.0},
                 {-inf, -inf, -inf},
                 {inf, inf, inf},
                 {{{1.0, 2.0, 3.0}, 1.0, true}},
                 0.0});
  all.push_back({"HS35",
                 [](const VecX& x) {
                   return 9.0 - 8.0 * x[0] - 6.0 * x[1] - 4.0 * x[2] + 2.0 * sq(x[0]) + 2.0 * sq(x[1]) + sq(x[2]) +
                          2.0 * x[0] * x[1] + 2.0 * x[0] * x[2];
                 },
                 {0.5, 0.5, 0.5},
                 {0.0, 0.0, 0.0},
                 {inf, inf, inf},
                 {{{1.0, 1.0, 2.0}, 3.0}},
                 1.0 / 9.0});
  all.push_back({"HS36",
                 [](const VecX& x) { return -x[0] * x[1] * x[2]; },
                 {10.0, 10.0, 10.0},
                 {0.0, 0.0, 0.0},
                 {20.0, 11.0, 42.0},
                 {{{1.0, 2.0, 2.0}, 72.0}},
                 -3300.0});
  all.push_back({"HS37",
                 [](const VecX& x) { return -x[0] * x[1] * x[2]; },
                 {10.0, 10.0, 10.0},
                 {0.0, 0.0, 0.0},
                 {42.0, 42.0, 42.0},
                 {{{1.0, 2.0, 2.0}, 72.0}, {{-1.0, -2.0, -2.0}, 0.0}},
                 -3456.0});
  all.push_back({"HS41",
                 [](const VecX& x) { return 2.0 - x[0] * x[1] * x[2]; },
                 {1.0, 1.0, 1.0, 1.0},
                 {0.0, 0.0, 0.0, 0.0},
                 {1.0, 1.0, 1.0, 2.0},
                 {{{1.0, 2.0, 2.0, -1.0}, 0.0, true}},
                 52.0 / 27.0});
  all.push_back({"HS48",
                 [](const VecX& x) { return sq(x[0] - 1.0) + sq(x[1] - x[2]) + sq(x[3] - x[4]); },
                 {3.0, 5.0, -3.0, 2.0, -2.0},
                 std::vector<double>(5, -inf),
                 std::vector<double>(5, inf),
                 {{{1.0, 1.0, 1.0, 1.0, 1.0}, 5.0, true}, {{0.0, 0.0, 1.0, -2.0, -2.0}, -3.0, true}},
                 0.0});
  all.push_back({"HS49",
                 [](const VecX& x) {
                   return sq(x[0] - x[1]) + sq(x[2] - 1.0) + pow4(x[3] - 1.0) + sq(x[4] - 1.0) * pow4(x[4] - 1.0);
                 },
                 {10.0, 7.0, 2.0, -3.0, 0.8},
                 std::vector<double>(5, -inf),
                 std::vector<double>(5, inf),
                 {{{1.0, 1.0, 1.0, 4.0, 0.0}, 7.0, true}, {{0.0, 0.0, 1.0, 0.0, 5.0}, 6.0, true}},
                 0.0});
  all.push_back({"HS50",
                 [](const VecX& x) { return sq(x[0] - x[1]) + sq(x[1] - x[2]) + pow4(x[2] - x[3]) + sq(x[3] - x[4]); },
                 {35.0, -31.0, 11.0, 5.0, -5.0},
                 std::vector<double>(5, -inf),
                 std::vector<double>(5, inf),
                 {{{1.0, 2.0, 3.0, 0.0, 0.0}, 6.0, true},
                  {{0.0, 1.0, 2.0, 3.0, 0.0}, 6.0, true},
                  {{0.0, 0.0, 1.0, 2.0, 3.0}, 6.0, true}},
                 0.0});
  all.push_back(
      {"HS51",
       [](const VecX& x) { return sq(x[0] - x[1]) + sq(x[1] + x[2] - 2.0) + sq(x[3] - 1.0) + sq(x[4] - 1.0); },
       {2.5, 0.5, 2.0, -1.0, 0.5},
       std::vector<double>(5, -inf),
       std::vector<double>(5, inf),
       {{{1.0, 3.0, 0.0, 0.0, 0.0}, 4.0, true},
        {{0.0, 0.0, 1.0, 1.0, -2.0}, 0.0, true},
        {{0.0, 1.0, 0.0, 0.0, -1.0}, 0.0, true}},
       0.0});
  const auto hs52 = [](const VecX& x) {
    return sq(4.0 * x[0] - x[1]) + sq(x[1] + x[2] - 2.0) + sq(x[3] - 1.0) + sq(x[4] - 1.0);
  };
  all.push_back({"HS52",
                 hs52,
                 {2.0, 2.0, 2.0, 2.0, 2.0},
                 std::vector<double>(5, -inf),
                 std::vector<double>(5, inf),
                 {{{1.0, 3.0, 0.0, 0.0, 0.0}, 0.0, true},
                  {{0.0, 0.0, 1.0, 1.0, -2.0}, 0.0, true},
                  {{0.0, 1.0, 0.0, 0.0, -1.0}, 0.0, true}},
                 1859.0 / 349.0});
  const auto hs53 = [](const VecX& x) {
    return sq(x[0] - x[1]) + sq(x[1] + x[2] - 2.0) + sq(x[3] - 1.0) + sq(x[4] - 1.0);
  };
  all.push_back({"HS53",
                 hs53,
                 {2.0, 2.0, 2.0, 2.0, 2.0},
                 std::vector<double>(5, -10.0),
                 std::vector<double>(5, 10.0),
                 {{{1.0, 3.0, 0.0, 0.0, 0.0}, 0.0, true},
                  {{0.0, 0.0, 1.0, 1.0, -2.0}, 0.0, true},
                  {{0.0, 1.0, 0.0, 0.0, -1.0}, 0.0, true}},
                 176.0 / 43.0});
  all.push_back({"HS76",
                 [](const VecX& x) {
                   return sq(x[0]) + 0.5 * sq(x[1]) + sq(x[2]) + 0.5 * sq(x[3]) - x[0] * x[2] + x[2] * x[3] - x[0] -
                          3.0 * x[1] + x[2] - x[3];
                 },
                 {0.5, 0.5, 0.5, 0.5},
                 std::vector<double>(4, 0.0),
                 std::vector<double>(4, inf),
                 {{{1.0, 2.0, 1.0, 1.0}, 5.0}, {{3.0, 1.0, 2.0, -1.0}, 4.0}, {{0.0, -1.0, -4.0, 0.0}, -1.5}},
                 -4.6818181818});
  return all;
}

class ClassicProgram : public ::testing::TestWithParam<int> {};
std::string program_name(const ::testing::TestParamInfo<int>& at) {
  return programs()[static_cast<std::size_t>(at.param)].name;
}
INSTANTIATE_TEST_SUITE_P(All, ClassicProgram, ::testing::Range(0, static_cast<int>(programs().size())), program_name);

TEST_P(ClassicProgram, ReachesItsKnownOptimumByFeasibleDescent) {
  const Program program = programs()[static_cast<std::size_t>(GetParam())];
  const int n = static_cast<int>(program.start.size());
  Limits limits(n);
  limits.lower = VecX::Map(program.lower.data(), n);
  limits.upper = VecX::Map(program.upper.data(), n);
  std::vector<int> columns;
  for (int i = 0; i < n; ++i) columns.push_back(i);
  for (const Row& row : program.rows) limits.add_row(columns, row.a, row.b, row.equality);
  VecX x = VecX::Map(program.start.data(), n);
  ASSERT_TRUE(make_feasible(limits, x).feasible);

  // Central differences of fourth order: h⁴ f⁽⁵⁾ and 1e-16 f / h are both below 1e-10 of f.
  auto objective = [&](const VecX& at, VecX& g) {
    VecX y = at;
    for (int i = 0; i < n; ++i) {
      const double h = 1e-3 * std::fmax(1.0, std::fabs(at[i]) * 0.1);
      const auto value = [&](double step) {
        y[i] = at[i] + step;
        return program.f(y);
      };
      g[i] = (8.0 * (value(h) - value(-h)) - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h);
      y[i] = at[i];
    }
    return program.f(at);
  };
  double before = infinity;
  const Observer observer = [&](int, double value, const VecX& at) {
    EXPECT_LE(value, before);
    before = value;
    for (int i = 0; i < n; ++i) EXPECT_TRUE(at[i] >= limits.lower[i] && at[i] <= limits.upper[i]);
    for (int limit = 2 * n; limit < limits.count(); ++limit) {
      const double over = -limits.slack(limit, at) / (row_tolerance * limit_scale(limits, limit, at));
      EXPECT_LE(limits.is_equality(limit) ? std::fabs(over) : over, 1.0);
    }
    return true;
  };
  ActiveSetBfgs method;
  const Outcome outcome = method.minimize(objective, limits, x, {.iterations = 5000, .tolerance = 1e-7}, observer);
  EXPECT_NEAR(outcome.value, program.optimum, 1e-6 * std::fmax(1.0, std::fabs(program.optimum)))
      << name_of(outcome.exit);
  EXPECT_LT(outcome.iterations, 1000);
}

}  // namespace hock_schittkowski_test
}  // namespace limber
