// The C interface of binding/wasm, compiled for this machine: what a page calls, with the sanitizers looking on.
#include "binding/wasm/interface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "binding/wasm/host.h"
#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/limber.h"
#include "tests/support/tree.h"

namespace interface_test {

// The goal that the host evaluates: a number of calls, and a height. r = y - height of the first point.
int host_calls = 0;
constexpr double host_height = 1.25;

using Numbers = std::vector<double>;

std::string interface_text() { return {limber_text(), static_cast<std::size_t>(limber_text_size())}; }

int size_of_text(const std::string& text) { return static_cast<int>(text.size()); }

std::string bytes_of(const std::string& path) {
  std::ifstream file(limber::source_dir() + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int read_human() {
  const std::string json = R"({"limber": "figure 1", "figure": {"human": {}}})";
  return limber_figure_read(json.data(), size_of_text(json));
}

std::string scene_with(const std::string& constraints, const std::string& more = "") {
  return R"({"limber": "scene 1", "figure": {"human": {}}, )" + more + R"("constraints": [)" + constraints + "]}";
}

int scene_of(int figure, const std::string& constraints) {
  const std::string json = scene_with(constraints);
  return limber_scene_new(figure, json.data(), size_of_text(json));
}

const std::string pinned_feet = R"({"pins": [{"place": "left_foot"}, {"place": "right_foot"}]})";

int posing_of(int figure, const std::string& how, const std::string& scene, const Numbers& theta) {
  return limber_posing_new(figure, how.data(), size_of_text(how), scene.data(), size_of_text(scene), theta.data());
}

const char* const held_feet = R"({"handle": "left_foot", "goal": {"hold": true}, "weight": "must"},
                                 {"handle": "right_foot", "goal": {"hold": true}, "weight": "must"})";

int segment_of(const limber::Figure& figure, const char* name) { return figure.find_segment(name).value(); }

class Interface : public ::testing::Test {
 protected:
  Interface() : figure(read_human()), theta(static_cast<std::size_t>(limber_figure_parameters(figure))) {
    limber_figure_rest(figure, theta.data());
  }
  ~Interface() override { limber_drop(figure); }

  Numbers place() {
    Numbers frames(static_cast<std::size_t>(12 * limber_figure_segments(figure)));
    limber_figure_place(figure, theta.data(), frames.data());
    return frames;
  }
  // Axes and origin of a segment.
  Numbers place_of(int segment) {
    const Numbers frames = place();
    return {frames.begin() + 12 * segment, frames.begin() + 12 * segment + 12};
  }
  limber::Vec3 origin(int segment) {
    const Numbers frames = place();
    const auto at = static_cast<std::size_t>(12 * segment + 9);
    return {frames[at], frames[at + 1], frames[at + 2]};
  }

  const limber::Figure human = limber::human();
  int figure;
  Numbers theta;
};

TEST_F(Interface, PlacesSegmentsAsTheLibraryDoes) {
  limber::Random random(1);
  for (std::size_t j = 0; j < theta.size(); ++j) theta[j] = random.between(-0.3, 0.3);
  limber_figure_bound(figure, theta.data());
  const limber::Pose pose{Eigen::Map<const limber::VecX>(theta.data(), static_cast<Eigen::Index>(theta.size()))};
  const limber::Kinematics state = forward(human, pose);
  const Numbers frames = place();
  for (std::size_t s = 0; s < state.segments.size(); ++s) {
    for (int k = 0; k < 9; ++k) EXPECT_EQ(frames[12 * s + static_cast<std::size_t>(k)], state.segments[s].R.data()[k]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(frames[12 * s + 9 + static_cast<std::size_t>(k)], state.segments[s].p[k]);
  }
  Numbers mirrored(theta.size()), back(theta.size());
  EXPECT_EQ(limber_figure_mirror(figure, theta.data(), mirrored.data()), 1);
  EXPECT_EQ(limber_figure_mirror(figure, mirrored.data(), back.data()), 1);
  EXPECT_EQ(back, theta);
  Numbers axes(6 * human.freedoms().size()), centre(3);
  limber_figure_axes(figure, theta.data(), axes.data());
  EXPECT_NEAR(std::hypot(axes[0], axes[1], axes[2]), 1.0, 1e-12);
  limber_figure_mass_centre(figure, theta.data(), centre.data());
  EXPECT_GT(centre[1], 0.5);
}

TEST_F(Interface, AFootStaysWhileAHandIsDragged) {
  const int hand = segment_of(human, "right_hand"), foot = segment_of(human, "left_foot");
  const limber::Vec3 stood = origin(foot), hung = origin(hand);
  const int posing = posing_of(figure, pinned_feet, "", theta);
  ASSERT_GT(posing, 0) << interface_text();
  EXPECT_EQ(limber_posing_report(posing), 0) << "before the first frame";
  ASSERT_EQ(limber_posing_grab_point(posing, hand, 0, 0, 0, 1, 0, -1), 1) << interface_text();
  Numbers grip(9);
  for (int k = 1; k <= 20; ++k) {
    ASSERT_EQ(limber_posing_move(posing, 0, hung.x() - 0.02 * k, hung.y() + 0.03 * k, hung.z() + 0.01 * k), 1);
    EXPECT_EQ(limber_posing_frame(posing, theta.data(), grip.data()), 3) << k;
    EXPECT_LT((origin(foot) - stood).norm(), 1e-5);
  }
  EXPECT_LT((origin(hand) - (hung + limber::Vec3(-0.4, 0.6, 0.2))).norm(), 1e-3);
  EXPECT_EQ(grip[0], 0.0);
  EXPECT_LT(grip[7], 1e-3);
  EXPECT_EQ(limber_posing_report(posing), 1);
  EXPECT_NE(interface_text().find("\"drag\": true"), std::string::npos) << interface_text();
  Numbers answer(theta.size());
  limber_posing_answer(posing, answer.data());
  EXPECT_EQ(answer, theta);
  EXPECT_EQ(limber_posing_release(posing, 0), 1);
  EXPECT_EQ(limber_posing_grips(posing), 0);
  EXPECT_EQ(limber_posing_frame(posing, answer.data(), grip.data()), 3);
  EXPECT_EQ(answer, theta) << "a release changes nothing";
  EXPECT_EQ(limber_posing_move(posing, 0, 0, 0, 0), 0);
  EXPECT_EQ(limber_posing_release(posing, 0), 0);
  limber_drop(posing);
}

TEST_F(Interface, TwoHandsAreDraggedInOneSolve) {
  const int right = segment_of(human, "right_hand"), left = segment_of(human, "left_hand");
  const limber::Vec3 up(0.0, 0.4, 0.2), right_goal = origin(right) + up, left_goal = origin(left) + up;
  const int posing = posing_of(figure, pinned_feet, "", theta);
  ASSERT_EQ(limber_posing_grab_point(posing, right, 0, 0, 0, 1, 0, -1), 1) << interface_text();
  const std::string place = "left_hand";
  ASSERT_EQ(limber_posing_grab(posing, place.data(), size_of_text(place), 1, 0, -1), 2) << interface_text();
  ASSERT_EQ(limber_posing_grips(posing), 2);
  ASSERT_EQ(limber_posing_move(posing, 0, right_goal.x(), right_goal.y(), right_goal.z()), 1);
  ASSERT_EQ(limber_posing_move(posing, 1, left_goal.x(), left_goal.y(), left_goal.z()), 1);
  Numbers grips(18);
  EXPECT_EQ(limber_posing_frame(posing, theta.data(), grips.data()), 3);
  EXPECT_LT((origin(right) - right_goal).norm(), 1e-3);
  EXPECT_LT((origin(left) - left_goal).norm(), 1e-3);
  limber_posing_report(posing);
  const std::string report = interface_text();
  const std::size_t first = report.find("\"drag\": true");
  ASSERT_NE(first, std::string::npos) << report;
  EXPECT_NE(report.find("\"drag\": true", first + 1), std::string::npos) << report;
  limber_drop(posing);
}

TEST_F(Interface, AHandTurnsWhereItIs) {
  const int hand = segment_of(human, "right_hand");
  const limber::Vec3 hung = origin(hand);
  const int posing = posing_of(figure, pinned_feet, "", theta);
  const std::string place = "right_hand";
  ASSERT_EQ(limber_posing_grab(posing, place.data(), size_of_text(place), 3, 0, -1), 1) << interface_text();
  const Numbers frames = place_of(hand);
  const limber::Mat3 turned =
      Eigen::AngleAxisd(0.5, limber::Vec3::UnitY()).toRotationMatrix() * Eigen::Map<const limber::Mat3>(frames.data());
  ASSERT_EQ(limber_posing_turn(posing, 0, turned.data()), 1) << interface_text();
  Numbers grip(9);
  limber_posing_frame(posing, theta.data(), grip.data());
  EXPECT_LT((origin(hand) - hung).norm(), 1e-3);
  EXPECT_LT((Eigen::Map<const limber::Mat3>(place_of(hand).data()) - turned).norm(), 2e-3);
  const limber::Mat3 none = 2.0 * turned;
  EXPECT_EQ(limber_posing_turn(posing, 0, none.data()), 0);
  limber_drop(posing);
}

// The others move only as far as the pins need it; where that does not help, the parameter stays short.
TEST_F(Interface, AParameterIsSet) {
  const auto elbow = static_cast<std::size_t>(human.find_parameter("right_elbow.flexion").value());
  const auto knee = static_cast<std::size_t>(human.find_parameter("right_knee.flexion").value());
  const int foot = segment_of(human, "right_foot"), pelvis = segment_of(human, "pelvis");
  const limber::Vec3 stood = origin(foot), hip = origin(pelvis);
  const Numbers rest = theta;
  const int posing = posing_of(figure, pinned_feet, "", theta);
  ASSERT_EQ(limber_posing_grab_parameter(posing, static_cast<int>(elbow)), 1) << interface_text();
  ASSERT_EQ(limber_posing_set(posing, 0, 1.0), 1);
  Numbers grip(9), alone = rest;
  EXPECT_EQ(limber_posing_frame(posing, theta.data(), grip.data()), 3);
  alone[elbow] = 1.0;
  EXPECT_EQ(theta, alone);
  EXPECT_EQ(limber_posing_release(posing, 0), 1);
  ASSERT_EQ(limber_posing_grab_parameter(posing, static_cast<int>(knee)), 2);
  ASSERT_EQ(limber_posing_set(posing, 1, 0.8), 1);
  EXPECT_EQ(limber_posing_frame(posing, theta.data(), grip.data()), 3);
  EXPECT_NEAR(theta[knee], 0.8, 2e-3);
  EXPECT_LT((origin(foot) - stood).norm(), 1e-5);
  EXPECT_LT(origin(pelvis).y(), hip.y() - 0.05);
  EXPECT_EQ(limber_posing_set(posing, 1, std::nan("")), 0);
  EXPECT_EQ(limber_posing_grab_parameter(posing, 9'999), 0);
  limber_drop(posing);
}

// Pins of a scene that are met are pins, and follow the part that is pulled; the others of its constraints hold.
TEST_F(Interface, WhatASceneAsksHoldsWhileItsFigureIsPulled) {
  const int hand = segment_of(human, "right_hand"), left = segment_of(human, "left_foot"),
            right = segment_of(human, "right_foot");
  const std::string scene =
      scene_with(std::string(held_feet) + R"(, {"balance": ["left_foot", "right_foot"], "margin": 0.02},
        {"handle": {"point": "head_top"}, "goal": {"half_space": {"p": [0, 1.6, 0], "v": [0, -1, 0]}}, "weight": "must"},
        {"name": "off", "handle": "left_palm", "goal": {"position": [0, 0, 0]}, "enabled": false})");
  const int posing = posing_of(figure, R"({"feet": ["left_foot", "right_foot"]})", scene, theta);
  ASSERT_GT(posing, 0) << interface_text();
  const limber::Vec3 stood = origin(left), step = origin(right), hung = origin(hand);
  ASSERT_EQ(limber_posing_grab_point(posing, hand, 0, 0, 0, 1, 0, -1), 1) << interface_text();
  limber_posing_move(posing, 0, hung.x(), hung.y() + 0.2, hung.z() + 0.5);
  Numbers grips(18);
  for (int k = 0; k < 100 && (limber_posing_frame(posing, theta.data(), grips.data()) & 1) == 0; ++k) continue;
  EXPECT_LT((origin(left) - stood).norm(), 1e-4);
  EXPECT_LT((origin(right) - step).norm(), 1e-4);
  EXPECT_LT((origin(hand) - (hung + limber::Vec3(0, 0.2, 0.5))).norm(), 2e-3);
  ASSERT_EQ(limber_posing_report(posing), 1);
  const std::string report = interface_text();
  EXPECT_EQ(report.find("\"met\": false"), std::string::npos) << report;
  EXPECT_NE(report.find("\"counted\": false"), std::string::npos) << report;
  const Numbers shown = theta;
  const limber::Vec3 lifted = origin(right) + limber::Vec3(0, 0.15, 0.1);
  EXPECT_EQ(limber_posing_release(posing, 0), 1);
  ASSERT_EQ(limber_posing_grab_point(posing, right, 0, 0, 0, 1, 0, -1), 2);
  limber_posing_frame(posing, theta.data(), grips.data());
  EXPECT_EQ(theta, shown);
  limber_posing_move(posing, 1, lifted.x(), lifted.y(), lifted.z());
  for (int k = 0; k < 100 && (limber_posing_frame(posing, theta.data(), grips.data()) & 1) == 0; ++k) continue;
  EXPECT_LT((origin(right) - lifted).norm(), 2e-3);
  EXPECT_LT((origin(left) - stood).norm(), 1e-4);
  limber_drop(posing);
}

// Dragged, and solved as a constraint: each from the same pose, with an elbow that is as others or stiff.
TEST_F(Interface, AStiffElbowTurnsLess) {
  const int hand = segment_of(human, "right_hand");
  const auto elbow = static_cast<std::size_t>(human.find_parameter("right_elbow.flexion").value());
  theta[elbow] = 1.0;
  const Numbers bent = theta;
  const limber::Vec3 goal = origin(hand) + limber::Vec3(-0.1, 0.25, 0.1);
  const auto dragged = [&](int stiffness) {
    theta = bent;
    const std::string json = scene_with(held_feet, R"("stiffness": {"right_elbow.flexion": )" +
                                                       std::to_string(stiffness) + R"(, "left_elbow.flexion": 1}, )");
    const int posing = posing_of(figure, "{}", json, theta);
    limber_posing_grab_point(posing, hand, 0, 0, 0, 1, 0, -1);
    limber_posing_move(posing, 0, goal.x(), goal.y(), goal.z());
    Numbers grip(9);
    limber_posing_frame(posing, theta.data(), grip.data());
    limber_drop(posing);
    EXPECT_LT((origin(hand) - goal).norm(), 1e-3) << stiffness;
    return std::abs(theta[elbow] - 1.0);
  };
  const auto solved = [&](int stiffness) {
    theta = bent;
    const std::string json = scene_with(
        std::string(held_feet) + R"(, {"handle": {"point": "right_hand"}, "goal": {"position": [)" +
            limber::to_text(goal.x()) + "," + limber::to_text(goal.y()) + "," + limber::to_text(goal.z()) + "]}}",
        R"("stiffness": {"right_elbow.flexion": )" + std::to_string(stiffness) + R"(, "left_elbow.flexion": 1}, )");
    const int scene = limber_scene_new(figure, json.data(), size_of_text(json));
    EXPECT_GT(scene, 0) << interface_text();
    limber_scene_solve(scene, theta.data(), 300, 0, 0, 0);
    EXPECT_EQ(limber_scene_met(scene), 1) << stiffness;
    limber_drop(scene);
    return std::abs(theta[elbow] - 1.0);
  };
  EXPECT_LT(dragged(20), 0.5 * dragged(0));
  EXPECT_LT(solved(20), 0.5 * solved(0));
}

TEST_F(Interface, WhatIsOutOfReachNamesALimit) {
  const int posing = posing_of(figure, pinned_feet, "", theta);
  limber_posing_grab_point(posing, segment_of(human, "right_hand"), 0, 0, 0, 1, 1, -1);
  limber_posing_move(posing, 0, -3.0, 3.0, 0.0);
  Numbers grip(9);
  EXPECT_EQ(limber_posing_frame(posing, theta.data(), grip.data()) & 2, 0);
  EXPECT_GT(grip[7], 1.0);
  limber_posing_report(posing);
  EXPECT_NE(interface_text().find("limit"), std::string::npos) << interface_text();
  limber_drop(posing);
}

TEST_F(Interface, ChainsOfWelman) {
  const int hand = segment_of(human, "right_hand"), forearm = segment_of(human, "right_forearm");
  EXPECT_EQ(limber_figure_chain(figure, forearm, 0), forearm);
  const int begin = limber_figure_chain(figure, hand, 1);
  const int upper = segment_of(human, "right_upper_arm");
  EXPECT_LE(begin, upper);
  EXPECT_GT(begin, segment_of(human, "pelvis"));
}

TEST_F(Interface, KeysComeBackBitForBitAndFeetHoldBetweenThem) {
  const std::size_t n = theta.size();
  Numbers crouched = theta;
  const int foot = segment_of(human, "left_foot"), pelvis = segment_of(human, "pelvis");
  const limber::Vec3 stood = origin(foot), hip = origin(pelvis);
  const int posing = posing_of(figure, pinned_feet, "", theta);
  limber_posing_grab_point(posing, pelvis, 0, 0, 0, 1, 0, -1);
  limber_posing_move(posing, 0, hip.x(), hip.y() - 0.3, hip.z());
  Numbers grip(9);
  limber_posing_frame(posing, crouched.data(), grip.data());
  limber_drop(posing);

  Numbers styles = {0.0, 0, 0, 2, 0, 0, 0, 0, 1.0, 0.2, 0.2, 1, 1, 0.1, 0, 0}, poses = theta;
  poses.insert(poses.end(), crouched.begin(), crouched.end());
  const int keys = limber_sequence_new(figure, 2, styles.data(), poses.data());
  ASSERT_GT(keys, 0) << interface_text();
  Numbers styles_again(16), poses_again(2 * n);
  limber_sequence_read(keys, styles_again.data(), poses_again.data());
  EXPECT_EQ(styles_again, styles);
  EXPECT_EQ(poses_again, poses);

  const int clip = limber_sequence_sample(keys, 1.0 / 30.0);
  ASSERT_GT(clip, 0);
  const std::string scene =
      R"({"limber": "scene 1", "figure": {"human": {}}, "constraints": [)" + std::string(held_feet) + "]}";
  const std::string how = R"({"spans": [{}, {"from": -1, "to": 2}], "kept": [0, 30], "iterations": 30})";
  const int held = limber_clip_keep(clip, scene.data(), size_of_text(scene), how.data(), size_of_text(how));
  ASSERT_GT(held, 0) << interface_text();
  const int frames = limber_clip_frames(held);
  EXPECT_EQ(frames, 31);
  for (int k = 0; k < frames; ++k) {
    const double* pose = limber_clip_poses(held) + static_cast<std::ptrdiff_t>(n) * k;
    theta.assign(pose, pose + n);
    EXPECT_LT((origin(foot) - stood).norm(), 1e-4) << "frame " << k;
  }
  for (const int object : {keys, clip, held}) limber_drop(object);
}

TEST_F(Interface, AsksTheHostForItsGoals) {
  const int scene = scene_of(figure, held_feet);
  const std::string goal = R"({"points": ["right_palm", "head"], "rows": 1, "weight": "must", "name": "high"})";
  const int constraint = limber_scene_add_goal(scene, 7, goal.data(), size_of_text(goal));
  ASSERT_GT(constraint, 0) << interface_text();
  host_calls = 0;
  limber_scene_solve(scene, theta.data(), 1000, -1, 0, 0);
  EXPECT_GT(host_calls, 1);
  EXPECT_EQ(limber_scene_met(scene), 1);
  limber_scene_report(scene);
  EXPECT_NE(interface_text().find("high"), std::string::npos);
  ASSERT_EQ(limber_scene_jacobian(scene, theta.data()), 1);
  EXPECT_NE(interface_text().find("\"condition\""), std::string::npos);
  // Once it is removed, nothing asks for it.
  EXPECT_EQ(limber_scene_remove(scene, constraint - 1), 1);
  EXPECT_EQ(limber_scene_remove(scene, constraint - 1), 0);
  host_calls = 0;
  limber_scene_solve(scene, theta.data(), 100, -1, 0, 0);
  EXPECT_EQ(host_calls, 0);
  for (const std::string bad : {R"({"points": [], "rows": 1})", R"({"points": ["nose"], "rows": 1})",
                                R"({"points": ["head"], "rows": 10})", R"({"points": ["head"]})"})
    EXPECT_EQ(limber_scene_add_goal(scene, 7, bad.data(), size_of_text(bad)), 0) << bad;
  limber_drop(scene);
}

TEST_F(Interface, ReadsAndWritesFiles) {
  const std::string name = "walk.bvh", bytes = bytes_of("data/bvh/cmu_02_01.bvh");
  limber_file_give(name.data(), size_of_text(name), bytes.data(), size_of_text(bytes));
  const int content = limber_content_read(name.data(), size_of_text(name));
  ASSERT_GT(content, 0) << interface_text();
  const int walker = limber_content_figure(content), clip = limber_content_clip(content, 0);
  ASSERT_GT(walker, 0);
  ASSERT_GT(clip, 0);
  for (const std::string target : {"a.bvh", "a.glb", "a.amc"}) {
    const int files = limber_content_write(content, walker, clip, target.data(), size_of_text(target));
    ASSERT_GT(files, 0) << interface_text();
    EXPECT_EQ(limber_written_bytes(0), 1);
    EXPECT_GT(limber_text_size(), 1000) << target;
  }
  const std::string bad = "bad.bvh", broken = "HIERARCHY\nROOT hips\n{\n  OFFSET 0 zero 0\n}\n";
  limber_file_give(bad.data(), size_of_text(bad), broken.data(), size_of_text(broken));
  EXPECT_EQ(limber_content_read(bad.data(), size_of_text(bad)), 0);
  EXPECT_NE(interface_text().find("\"line\": 4"), std::string::npos) << interface_text();
  for (const int object : {content, walker, clip}) limber_drop(object);
  limber_files_forget();
}

// A caller may pass wrong numbers: it gets an error, and nothing else happens.
TEST_F(Interface, WrongNumbersAreRejected) {
  const int before = limber_objects();
  Numbers room(10'000);
  for (const int wrong : {-1, 0, 9'999, figure}) {
    EXPECT_EQ(limber_scene_report(wrong), 0);
    EXPECT_EQ(limber_posing_report(wrong), 0);
    EXPECT_EQ(limber_posing_step(wrong), 0);
    EXPECT_EQ(limber_posing_frame(wrong, room.data(), room.data()), 0);
    EXPECT_EQ(limber_sequence_keys(wrong), 0);
    EXPECT_EQ(limber_clip_frames(wrong), 0);
    EXPECT_EQ(limber_clip_clean(wrong), 0);
    EXPECT_EQ(limber_content_figure(wrong), 0);
    EXPECT_EQ(limber_sequence_mirror(wrong, 0, 1), 0);
  }
  EXPECT_EQ(limber_figure_describe(9'999), 0);
  EXPECT_NE(interface_text().find("expected"), std::string::npos);
  EXPECT_EQ(limber_figure_body(figure, -5), 1);
  EXPECT_EQ(limber_written_name(7), 0);
  EXPECT_EQ(limber_written_bytes(-1), 0);
  EXPECT_EQ(limber_clip_new(figure, 0, 0.1, room.data()), 0);
  EXPECT_EQ(limber_objects(), before);
}

}  // namespace interface_test

void limber_host_goal(int goal, int points, const double* x, int rows, double* r, double* J) {
  EXPECT_EQ(goal, 7);
  EXPECT_EQ(points, 2);
  EXPECT_EQ(rows, 1);
  EXPECT_EQ(J[5], 0.0);
  ++interface_test::host_calls;
  r[0] = x[1] - interface_test::host_height;
  J[1] = 1.0;
}
