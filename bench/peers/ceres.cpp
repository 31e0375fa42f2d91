// Ceres: Levenberg-Marquardt under box limits, on our residuals and Jacobian.
#include <ceres/ceres.h>
#include <glog/logging.h>

#include <memory>

#include "bench/peers/program.h"

namespace limber::peers {

namespace {

// A start is abandoned when the relative decrease of the cost is less than this.
constexpr double min_gain = 1e-2;

class Cost : public ceres::CostFunction {
 public:
  explicit Cost(Program& program) : program_(program) {
    set_num_residuals(program.residuals());
    mutable_parameter_block_sizes()->push_back(program.variables());
  }

  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    phi_ = Eigen::Map<const VecX>(parameters[0], program_.variables());
    program_.residual(phi_, r_);
    Eigen::Map<VecX>(residuals, r_.size()) = r_;
    if (!jacobians || !jacobians[0]) return true;
    program_.jacobian(phi_, J_);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<RowMajor>(jacobians[0], J_.rows(), J_.cols()) = J_;
    return true;
  }

 private:
  Program& program_;
  mutable VecX phi_, r_;
  mutable MatX J_;
};

class StopWhenOver : public ceres::IterationCallback {
 public:
  explicit StopWhenOver(const Program& program) : program_(program) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary&) override {
    return program_.is_over() ? ceres::SOLVER_TERMINATE_SUCCESSFULLY : ceres::SOLVER_CONTINUE;
  }

 private:
  const Program& program_;
};

class Ceres {
 public:
  Ceres(const Problem& problem, const Criteria& criteria)
      : program_(problem, criteria), stop_(program_), phi_(VecX::Zero(program_.variables())) {
    ceres_.AddResidualBlock(new Cost(program_), nullptr, phi_.data());  // it owns the cost function
    for (int i = 0; i < program_.variables(); ++i) {
      const double lower = program_.limits().lower[i], upper = program_.limits().upper[i];
      if (std::isfinite(lower)) ceres_.SetParameterLowerBound(phi_.data(), i, lower);
      if (std::isfinite(upper)) ceres_.SetParameterUpperBound(phi_.data(), i, upper);
    }
    options_.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
    options_.max_num_iterations = 1'000'000;
    options_.function_tolerance = min_gain;
    options_.gradient_tolerance = 1e-14;  // of a cost that is met at about 1e-10
    options_.parameter_tolerance = 1e-10;
    options_.initial_trust_region_radius = 30.0;
    options_.use_nonmonotonic_steps = true;
    options_.jacobi_scaling = false;  // our variables are already scaled like angles
    options_.num_threads = 1;
    options_.logging_type = ceres::SILENT;
    options_.callbacks.push_back(&stop_);
  }

  void solve(Pose& pose, Clock::time_point deadline) {
    program_.begin(pose, deadline);
    while (program_.next_start(start_)) {
      phi_ = start_;  // in place: Ceres keeps its address
      ceres::Solver::Summary summary;
      ceres::Solve(options_, &ceres_, &summary);
    }
    program_.finish(pose);
  }

 private:
  Program program_;
  StopWhenOver stop_;
  VecX phi_, start_;
  ceres::Problem ceres_;
  ceres::Solver::Options options_;
};

}  // namespace

std::vector<ComparedSolver> ceres_solvers() {
  FLAGS_minloglevel = google::GLOG_FATAL;  // a failed line search does not concern the user
  return {{"Ceres", [](const Problem& problem, const Criteria& criteria) -> Expected<PoseSolver> {
             return [ceres = std::make_shared<Ceres>(problem, criteria)](Pose& pose, Clock::time_point deadline) {
               ceres->solve(pose, deadline);
               return true;
             };
           }}};
}

}  // namespace limber::peers
