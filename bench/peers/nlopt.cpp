// NLopt: L-BFGS and SLSQP, both under box limits, on our objective and gradient.
#include <nlopt.h>

#include <memory>

#include "bench/peers/program.h"

namespace limber::peers {

namespace {

// A start is abandoned when the relative decrease of f is less than this: it is near a local minimum above 0.
constexpr double min_gain = 1e-4;
// Pairs that L-BFGS stores. By default it stores as many as fit into ten megabytes, which it allocates at every start.
constexpr unsigned max_pairs = 20;

class Nlopt {
 public:
  Nlopt(nlopt_algorithm algorithm, const Problem& problem, const Criteria& criteria)
      : program_(problem, criteria), optimizer_(nlopt_create(algorithm, static_cast<unsigned>(program_.variables()))) {
    nlopt_set_min_objective(optimizer_.get(), &Nlopt::objective, this);
    nlopt_set_lower_bounds(optimizer_.get(), program_.limits().lower.data());
    nlopt_set_upper_bounds(optimizer_.get(), program_.limits().upper.data());
    nlopt_set_ftol_rel(optimizer_.get(), min_gain);
    nlopt_set_vector_storage(optimizer_.get(), max_pairs);
  }

  void solve(Pose& pose, Clock::time_point deadline) {
    program_.begin(pose, deadline);
    while (program_.next_start(phi_)) {
      double value = 0.0;
      nlopt_optimize(optimizer_.get(), phi_.data(),
                     &value);  // the exit does not matter: the program has seen every point
    }
    program_.finish(pose);
  }

 private:
  static double objective(unsigned n, const double* x, double* gradient, void* data) {
    Nlopt& self = *static_cast<Nlopt*>(data);
    self.at_ = Eigen::Map<const VecX>(x, n);
    const double f = self.program_.value(self.at_, self.gradient_);
    if (gradient) Eigen::Map<VecX>(gradient, n) = self.gradient_;
    if (self.program_.is_over()) nlopt_force_stop(self.optimizer_.get());
    return f;
  }

  struct Destroy {
    void operator()(nlopt_opt optimizer) const { nlopt_destroy(optimizer); }
  };

  Program program_;
  std::unique_ptr<nlopt_opt_s, Destroy> optimizer_;
  VecX phi_, at_, gradient_;
};

ComparedSolver solver(std::string name, nlopt_algorithm algorithm) {
  return {std::move(name), [algorithm](const Problem& problem, const Criteria& criteria) -> Expected<PoseSolver> {
            return [nlopt = std::make_shared<Nlopt>(algorithm, problem, criteria)](Pose& pose,
                                                                                   Clock::time_point deadline) {
              nlopt->solve(pose, deadline);
              return true;
            };
          }};
}

}  // namespace

std::vector<ComparedSolver> nlopt_solvers() {
  return {solver("NLopt L-BFGS", NLOPT_LD_LBFGS), solver("NLopt SLSQP", NLOPT_LD_SLSQP)};
}

}  // namespace limber::peers
