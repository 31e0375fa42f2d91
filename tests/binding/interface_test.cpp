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

int posing_of(int figure, const std::string& constraints) {
  const std::string json = R"({"limber": "scene 1", "figure": {"human": {}}, "constraints": [)" + constraints + "]}";
  return limber_posing_new(figure, json.data(), size_of_text(json));
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
  const int posing = posing_of(figure, held_feet);
  ASSERT_GT(posing, 0) << interface_text();
  ASSERT_EQ(limber_posing_grab(posing, hand, 0, 0, 0, -1, 1.0, 1e-3, theta.data()), 1) << interface_text();
  for (int k = 1; k <= 20; ++k) {
    ASSERT_EQ(limber_posing_drag(posing, 0, hung.x() - 0.02 * k, hung.y() + 0.03 * k, hung.z() + 0.01 * k), 1);
    limber_posing_solve(posing, theta.data(), 30, 0, 1, 0);
    EXPECT_LT((origin(foot) - stood).norm(), 1e-6);
  }
  EXPECT_LT((origin(hand) - (hung + limber::Vec3(-0.4, 0.6, 0.2))).norm(), 1.1e-3);
  EXPECT_EQ(limber_posing_report(posing), 1);
  EXPECT_NE(interface_text().find("\"drag\": true"), std::string::npos) << interface_text();
  EXPECT_EQ(limber_posing_let_go(posing), 1);
  EXPECT_EQ(limber_posing_drag(posing, 0, 0, 0, 0), 0);
  limber_drop(posing);
}

TEST_F(Interface, TwoHandsAreDraggedInOneSolve) {
  const int right = segment_of(human, "right_hand"), left = segment_of(human, "left_hand");
  const limber::Vec3 up(0.0, 0.4, 0.2), right_goal = origin(right) + up, left_goal = origin(left) + up;
  const int posing = posing_of(figure, held_feet);
  EXPECT_EQ(limber_posing_grab_more(posing, left, 0, 0, 0, -1, 1.0, theta.data()), 0) << "before the first";
  ASSERT_EQ(limber_posing_grab(posing, right, 0, 0, 0, -1, 1.0, 1e-4, theta.data()), 1) << interface_text();
  ASSERT_EQ(limber_posing_grab_more(posing, left, 0, 0, 0, -1, 1.0, theta.data()), 2) << interface_text();
  EXPECT_EQ(limber_posing_grab_more(posing, 9'999, 0, 0, 0, -1, 1.0, theta.data()), 0);
  ASSERT_EQ(limber_posing_drag(posing, 0, right_goal.x(), right_goal.y(), right_goal.z()), 1);
  ASSERT_EQ(limber_posing_drag(posing, 1, left_goal.x(), left_goal.y(), left_goal.z()), 1);
  EXPECT_EQ(limber_posing_drag(posing, 2, 0, 0, 0), 0);
  limber_posing_solve(posing, theta.data(), 200, 0, 0, 0);
  EXPECT_LT((origin(right) - right_goal).norm(), 2e-3);
  EXPECT_LT((origin(left) - left_goal).norm(), 2e-3);
  limber_posing_report(posing);
  const std::string report = interface_text();
  const std::size_t first = report.find("\"drag\": true");
  ASSERT_NE(first, std::string::npos) << report;
  EXPECT_NE(report.find("\"drag\": true", first + 1), std::string::npos) << report;
  EXPECT_EQ(limber_posing_let_go(posing), 1);
  EXPECT_EQ(limber_posing_drag(posing, 0, 0, 0, 0), 0);
  limber_drop(posing);
}

// Dragged, and solved as a constraint: each from the same pose, with an elbow that is as others or stiff.
TEST_F(Interface, AStiffElbowTurnsLess) {
  const int hand = segment_of(human, "right_hand");
  const auto elbow = static_cast<std::size_t>(human.find_parameter("right_elbow.flexion").value());
  theta[elbow] = 1.0;
  const Numbers bent = theta;
  const limber::Vec3 goal = origin(hand) + limber::Vec3(-0.1, 0.25, 0.1);
  const auto scene = [&](int stiffness, const std::string& constraints) {
    const std::string json = R"({"limber": "scene 1", "figure": {"human": {}}, "stiffness": {"right_elbow.flexion": )" +
                             std::to_string(stiffness) + R"(, "left_elbow.flexion": 1}, "constraints": [)" +
                             constraints + "]}";
    return limber_posing_new(figure, json.data(), size_of_text(json));
  };
  const auto dragged = [&](int stiffness) {
    theta = bent;
    const int posing = scene(stiffness, held_feet);
    limber_posing_grab(posing, hand, 0, 0, 0, -1, 1.0, 3e-4, theta.data());
    limber_posing_drag(posing, 0, goal.x(), goal.y(), goal.z());
    limber_posing_solve(posing, theta.data(), 300, 0, 0, 0);
    limber_drop(posing);
    EXPECT_LT((origin(hand) - goal).norm(), 5e-3) << stiffness;
    return std::abs(theta[elbow] - 1.0);
  };
  const auto solved = [&](int stiffness) {
    theta = bent;
    const int posing =
        scene(stiffness, std::string(held_feet) + R"(, {"handle": {"point": "right_hand"}, "goal": {"position": [)" +
                             limber::to_text(goal.x()) + "," + limber::to_text(goal.y()) + "," +
                             limber::to_text(goal.z()) + "]}}");
    EXPECT_GT(posing, 0) << interface_text();
    limber_posing_solve(posing, theta.data(), 300, 0, 0, 0);
    EXPECT_EQ(limber_posing_met(posing), 1) << stiffness;
    limber_drop(posing);
    return std::abs(theta[elbow] - 1.0);
  };
  EXPECT_LT(dragged(20), 0.5 * dragged(0));
  EXPECT_LT(solved(20), 0.5 * solved(0));
}

TEST_F(Interface, WhatIsOutOfReachNamesALimit) {
  const int posing = posing_of(figure, held_feet);
  const int hand = segment_of(human, "right_hand");
  limber_posing_grab(posing, hand, 0, 0, 0, limber_figure_chain(figure, hand, 1), 1.0, 0.0, theta.data());
  limber_posing_drag(posing, 0, -3.0, 3.0, 0.0);
  limber_posing_solve(posing, theta.data(), 200, 0, 0, 0);
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
  const int posing = posing_of(figure, held_feet);
  limber_posing_grab(posing, pelvis, 0, 0, 0, -1, 1.0, 0.0, crouched.data());
  limber_posing_drag(posing, 0, hip.x(), hip.y() - 0.3, hip.z());
  limber_posing_solve(posing, crouched.data(), 300, 0, 0, 0);
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
  const int posing = posing_of(figure, held_feet);
  const std::string goal = R"({"points": ["right_palm", "head"], "rows": 1, "weight": "must", "name": "high"})";
  const int constraint = limber_posing_add_goal(posing, 7, goal.data(), size_of_text(goal));
  ASSERT_GT(constraint, 0) << interface_text();
  host_calls = 0;
  limber_posing_solve(posing, theta.data(), 1000, -1, 0, 0);
  EXPECT_GT(host_calls, 1);
  EXPECT_EQ(limber_posing_met(posing), 1);
  limber_posing_report(posing);
  EXPECT_NE(interface_text().find("high"), std::string::npos);
  ASSERT_EQ(limber_posing_jacobian(posing, theta.data()), 1);
  EXPECT_NE(interface_text().find("\"condition\""), std::string::npos);
  // Once it is removed, nothing asks for it.
  EXPECT_EQ(limber_posing_remove(posing, constraint - 1), 1);
  EXPECT_EQ(limber_posing_remove(posing, constraint - 1), 0);
  host_calls = 0;
  limber_posing_solve(posing, theta.data(), 100, -1, 0, 0);
  EXPECT_EQ(host_calls, 0);
  for (const std::string bad : {R"({"points": [], "rows": 1})", R"({"points": ["nose"], "rows": 1})",
                                R"({"points": ["head"], "rows": 10})", R"({"points": ["head"]})"})
    EXPECT_EQ(limber_posing_add_goal(posing, 7, bad.data(), size_of_text(bad)), 0) << bad;
  limber_drop(posing);
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
    EXPECT_EQ(limber_posing_report(wrong), 0);
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
