#include "limber/posing/model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

namespace limber {

namespace embedded {
std::string_view posing(std::string_view name);  // written by cmake/embed.cmake
}

namespace {

constexpr std::string_view magic = "limber proposal 1\n";
// Those of learn/network.py and learn/body.py.
constexpr double angle_scale = 0.5, change_scale = 0.2, turn_scale = 0.5, output_metres = 0.3, length_spread = 0.05,
                 max_length = 2.5;
constexpr double min_facing = 1e-6;
constexpr int handle_inputs = 11, change_inputs = 6, root_numbers = 6;

struct FacingPair {
  std::string_view left, right;
  double weight;
};
constexpr FacingPair facing_pairs[] = {{"left_shoulder", "right_shoulder", 4.0}, {"left_elbow", "right_elbow", 1.0},
                                       {"left_hand", "right_hand", 0.5},         {"left_knee", "right_knee", 1.0},
                                       {"left_foot", "right_foot", 1.0},         {"left_ball", "right_ball", 1.0}};
struct FacingPart {
  std::string_view name;
  double weight;
};
constexpr FacingPart facing_parts[] = {
    {"pelvis", 1.0}, {"chest", 0.7}, {"head", 0.3}, {"left_foot", 0.2}, {"right_foot", 0.2}};

// Where the given parts face, as a turn about y; 0 where they do not say.
double facing(const PartGoals& goals) {
  double c = 0.0, s = 0.0;
  for (const FacingPair& pair : facing_pairs) {
    const std::size_t l = handle_part(pair.left), r = handle_part(pair.right);
    if (!goals.has_position[l] || !goals.has_position[r]) continue;
    const Vec3 across = goals.p[l] - goals.p[r];
    c += pair.weight * across.x();
    s -= pair.weight * across.z();
  }
  for (const FacingPart& one : facing_parts) {
    const std::size_t k = handle_part(one.name);
    if (!goals.has_rotation[k]) continue;
    c += 0.5 * one.weight * (goals.R[k](0, 0) + goals.R[k](2, 2));
    s += 0.5 * one.weight * (goals.R[k](0, 2) - goals.R[k](2, 0));
  }
  return std::hypot(c, s) > min_facing ? std::atan2(s, c) : 0.0;
}

Frame body_frame(const PartGoals& goals, const CommonStart* start) {
  if (start) return {rotation(Vec3::UnitY(), turn_about_y(start->root.R)), start->root.p};
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (std::size_t k = 0; k < goals.p.size(); ++k)
    if (goals.has_position[k]) {
      sum += goals.p[k];
      ++count;
    }
  return {rotation(Vec3::UnitY(), facing(goals)), count > 0 ? Vec3(sum / count) : Vec3::Zero()};
}

// The first two columns of a rotation.
using Six = Eigen::Matrix<double, 6, 1>;
Six first_columns(const Mat3& R) {
  Six columns;
  columns << R.col(0), R.col(1);
  return columns;
}

// Floats one after the other.
class Writer {
 public:
  explicit Writer(std::span<float> to) : to_(to) {}
  void put(double value) { to_[at_++] = static_cast<float>(value); }
  template <class Numbers>
  void put_all(const Numbers& numbers, double factor = 1.0) {
    for (const double each : numbers) put(factor * each);
  }
  void skip(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) put(0.0);
  }
  std::size_t count() const { return at_; }

 private:
  std::span<float> to_;
  std::size_t at_ = 0;
};

// How far each part is asked to move and turn from the start, in the frame of the body.
void put_changes(const PartGoals& goals, const CommonStart& start, const Mat3& R_body_world, Writer& in) {
  for (std::size_t k = 0; k < goals.p.size(); ++k) {
    if (goals.has_position[k])
      in.put_all(Vec3(R_body_world * (goals.p[k] - start.p[k])), 1.0 / change_scale);
    else
      in.skip(3);
    if (goals.has_rotation[k]) {
      const Mat3 E = goals.R[k] * start.R[k].transpose();
      const Vec3 sine = 0.5 * Vec3(E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1));
      in.put_all(Vec3(R_body_world * sine), 1.0 / turn_scale);
    } else {
      in.skip(3);
    }
  }
}

VecX angles_from(ByteReader& bytes, std::size_t count) {
  VecX all(static_cast<Eigen::Index>(count));
  for (double& each : all) each = bytes.real();
  return all;
}

}  // namespace

double turn_about_y(const Mat3& R) { return std::atan2(R(0, 2) - R(2, 0), R(0, 0) + R(2, 2)); }

AskedKind kind_of(const PartGoals& goals, bool has_start) {
  if (has_start) return AskedKind::drag;
  constexpr std::string_view ends[] = {"head", "left_hand", "right_hand", "left_foot", "right_foot"};
  bool turned = true;
  for (const std::string_view end : ends) {
    if (!goals.has_position[handle_part(end)]) return AskedKind::any;
    turned = turned && goals.has_rotation[handle_part(end)];
  }
  const bool pelvis = goals.has_position[handle_part("pelvis")];
  if (turned) return pelvis ? AskedKind::turned_ends_and_pelvis : AskedKind::turned_ends;
  return pelvis ? AskedKind::ends_and_pelvis : AskedKind::ends;
}

Expected<PoseModel> PoseModel::read(std::string_view text) {
  ByteReader bytes(text);
  if (bytes.take(magic.size()) != magic) return reject("pose model", "another file", "\"limber proposal 1\"");
  PoseModel model;
  Expected<CommonBody> body = CommonBody::read(bytes);
  if (!body) return std::unexpected(body.error());
  model.body_ = std::move(*body);
  const std::size_t angles = model.body_.columns.size();
  for (const HandlePart& one : handle_parts)
    if (model.body_.find(one.bone) < 0)
      return reject("pose model", "a body without '" + std::string(one.bone) + "'", "the bones of all handles");
  model.mean_ = angles_from(bytes, angles);
  model.spread_ = angles_from(bytes, angles);
  Expected<Network> network = Network::read(bytes);
  if (!network) return std::unexpected(network.error());
  model.network_ = std::move(*network);
  const auto inputs = static_cast<int>(angles) + handle_inputs * handle_part_count + length_groups + 1 + root_numbers +
                      3 * handle_part_count + change_inputs * handle_part_count;
  const int outputs = static_cast<int>(angles) + root_numbers + 3;
  if (model.network_.inputs() != inputs || model.network_.outputs() != outputs)
    return reject(
        "pose model",
        std::to_string(model.network_.inputs()) + " inputs, " + std::to_string(model.network_.outputs()) + " outputs",
        std::to_string(inputs) + " and " + std::to_string(outputs));
  if (const int kinds = bytes.integer(); kinds != asked_kinds)
    return reject("pose model", std::to_string(kinds) + " kinds of goals", std::to_string(asked_kinds));
  const auto n = static_cast<Eigen::Index>(angles);
  for (int kind = 0; kind < asked_kinds; ++kind) {
    ProposalError error;
    error.position = bytes.real();
    error.rotation = bytes.real();
    error.A = MatX::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) error.A(i, j) = bytes.real();
    model.errors_.push_back(std::move(error));
  }
  if (!bytes.at_end()) return reject("pose model", bytes.failed() ? "the end of the file" : "more bytes", "its end");
  return model;
}

const Expected<PoseModel>& PoseModel::embedded() {
  static const Expected<PoseModel> model = read(embedded::posing("weights.bin"));
  return model;
}

PoseModel::Workspace PoseModel::workspace() const {
  Workspace work;
  work.in.resize(static_cast<std::size_t>(network_.inputs()));
  work.out.resize(static_cast<std::size_t>(network_.outputs()));
  work.network = network_.workspace();
  work.pose.angles = mean_;
  return work;
}

void PoseModel::propose(const PartGoals& goals, const Lengths& lengths, const CommonStart* start,
                        Workspace& work) const {
  const Frame X_world_body = body_frame(goals, start);
  const Frame X_body_world = X_world_body.inverse();
  Writer in(work.in);
  for (std::size_t k = 0; k < goals.p.size(); ++k) {
    in.put(goals.has_position[k] ? 1.0 : 0.0);
    in.put_all(goals.has_position[k] ? Vec3(X_body_world * goals.p[k]) : Vec3::Zero());
    in.put(goals.has_rotation[k] ? 1.0 : 0.0);
    if (goals.has_rotation[k])
      in.put_all(first_columns(X_body_world.R * goals.R[k]));
    else
      in.skip(root_numbers);
  }
  for (const double length : lengths) in.put(std::clamp(std::log(length) / length_spread, -max_length, max_length));
  in.put(start ? 1.0 : 0.0);
  const Mat3 R_start = start ? Mat3(X_body_world.R * start->root.R) : Mat3::Identity();
  if (start) {
    for (Eigen::Index k = 0; k < mean_.size(); ++k) in.put((start->angles[k] - mean_[k]) / angle_scale);
    in.put_all(first_columns(R_start));
    for (const Vec3& p : start->p) in.put_all(Vec3(X_body_world * p));
    put_changes(goals, *start, X_body_world.R, in);
  } else {
    in.skip(work.in.size() - in.count());
  }
  assert(in.count() == work.in.size());
  network_.evaluate(work.in, work.out, work.network);

  const Eigen::Index n = mean_.size();
  const auto out = [&](Eigen::Index k) { return static_cast<double>(work.out[static_cast<std::size_t>(k)]); };
  for (Eigen::Index k = 0; k < n; ++k)
    work.pose.angles[k] = (start ? start->angles[k] : mean_[k]) + spread_[k] * out(k);
  Six columns = first_columns(R_start);
  for (Eigen::Index k = 0; k < root_numbers; ++k) columns[k] += out(n + k);
  const Vec3 x = columns.head<3>(), y = columns.tail<3>();
  Vec3 p = output_metres * Vec3(out(n + root_numbers), out(n + root_numbers + 1), out(n + root_numbers + 2));
  if (start) p += X_body_world * start->p[0];
  work.pose.root = X_world_body * Frame{rotation_from_xy(x, y), p};
}

}  // namespace limber
