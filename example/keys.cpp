// Three key poses, a spline through them, eased in and out, sampled at 30 frames per second.
//
//   example_keys [PAGE.svg]      compares it, dashed, with linear interpolation at constant speed
#include <limber/limber.h>

#include <cstdio>
#include <fstream>
#include <iostream>

namespace {

// The figure with bent hips and raised arms, in degrees, at a position along z, in metres.
limber::Pose lunge(const limber::Figure& figure, double hip_deg, double arm_deg, double along) {
  limber::Pose pose = figure.rest();
  const auto set = [&](const char* name, double value) {
    if (const auto done = figure.set(pose, name, value); !done) std::cerr << done.error().text() << "\n";
  };
  set("left_hip.flexion", limber::radians(hip_deg));
  set("left_knee.flexion", limber::radians(hip_deg));
  set("right_elbow.flexion", limber::radians(arm_deg));
  set("root.z", along);
  return pose;
}

}  // namespace

int main(int count, char** words) {
  const limber::Figure figure = limber::human();
  const limber::Ease ease = {.in = 0.3, .out = 0.3};
  std::vector<limber::Key> keys = {{0.0, lunge(figure, 0.0, 10.0, 0.0), ease},
                                   {0.8, lunge(figure, 60.0, 90.0, 0.3), ease},
                                   {2.0, lunge(figure, 20.0, 20.0, 0.5)}};
  const auto sequence = limber::Sequence::make(figure, keys);
  if (!sequence) {
    std::cerr << sequence.error().text() << "\n";
    return 1;
  }
  const limber::Sampler sampler(*sequence);
  limber::Pose pose = figure.rest();
  for (const double time : {0.0, 0.2, 0.4, 0.6, 0.8, 1.4, 2.0}) {
    sampler.at(time, pose);
    std::printf("%.1f s: hip %6.2f degrees, elbow %6.2f degrees, root %.3f m\n", time,
                limber::degrees(*figure.value(pose, "left_hip.flexion")),
                limber::degrees(*figure.value(pose, "right_elbow.flexion")), *figure.value(pose, "root.z"));
  }
  const auto clip = limber::sampled(*sequence, 1.0 / 30.0);
  std::printf("%d frames\n", clip ? clip->frames() : 0);

  for (limber::Key& key : keys) {
    key.ease = {};
    key.style.interpolation = limber::Interpolation::linear;
  }
  const auto straight = limber::sampled(*limber::Sequence::make(figure, keys), 1.0 / 30.0);
  if (count > 1 && clip && straight) {
    const auto page = limber::draw_strip(figure, clip->poses, clip->frame_time,
                                         {.count = 6,
                                          .ghosts = 1,
                                          .places = {"right_palm", "left_knee", "head"},
                                          .compare = &straight->poses,
                                          .compare_frame_time = straight->frame_time,
                                          .compare_name = "linear",
                                          .title = "Three keys, splines, eased"});
    std::ofstream(words[1]) << page.value_or("");
  }

  // Half speed, and undone.
  const auto edit = limber::stretch(*sequence, limber::all_keys(*sequence), 2.0, 0.0);
  if (!edit) return 1;
  const auto slow = limber::apply(*sequence, *edit);
  const auto undone = limber::apply(*slow, limber::inverse(*edit));
  std::printf("stretched to %.1f s, undone: %s\n", slow->duration(), same(*undone, *sequence) ? "the same" : "another");
  return 0;
}
