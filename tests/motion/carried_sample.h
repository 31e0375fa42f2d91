// Recorded motions and figures by file name, with the places of a body under their common names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/contacts.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber::carried_sample {

struct RecordedMotion {
  Figure figure;
  Clip clip;
};

inline Content content_of(const std::string& name, const Content* skeleton = nullptr) {
  return testing::good(
      read_content(read_sample(source_dir() + "/data/" + name), name, ReadOptions{}, FileLoader{}, skeleton));
}

inline RecordedMotion carried(const std::string& motion, const std::string& skeleton = {}) {
  std::optional<Content> bones;
  if (!skeleton.empty()) bones = content_of(skeleton);
  const Content content = content_of(motion, bones ? &*bones : nullptr);
  return {testing::good(with_common_names(bones ? *bones->figure : *content.figure)), content.clips.at(0)};
}

inline RecordedMotion carried_walk() { return carried("acclaim/02_01.amc", "acclaim/02.asf"); }

// Every k-th frame.
inline Clip thinned(const Clip& clip, int every) {
  Clip out{clip.name, every * clip.frame_time, MatX(clip.poses.rows(), (clip.frames() - 1) / every + 1)};
  for (int k = 0; k < out.frames(); ++k) out.poses.col(k) = clip.poses.col(k * every);
  return out;
}

// With limits widened to the motion: recordings exceed those of their skeletons.
inline Figure widened(const Figure& figure, const Clip& clip) {
  FigureDescription description = figure.description();
  for (JointDescription& joint : description.joints)
    for (FreedomDescription& freedom : joint.freedoms)
      if (const Expected<int> j = figure.find_parameter(joint.name + "." + freedom.name)) {
        freedom.range.lower = std::fmin(freedom.range.lower, clip.poses.row(*j).minCoeff());
        freedom.range.upper = std::fmax(freedom.range.upper, clip.poses.row(*j).maxCoeff());
      }
  return testing::built(description);
}

// The position of a place in every frame.
inline std::vector<Vec3> path_of(const Figure& figure, const Clip& clip, const std::string& place) {
  const Handle handle = testing::good(figure.point(place));
  std::vector<Vec3> path;
  for (int k = 0; k < clip.frames(); ++k) {
    Vec3 x[max_elements];
    evaluate(figure, forward(figure, clip.pose(k)), handle, x);
    path.push_back(x[0]);
  }
  return path;
}

// The maximum distance of a place from its contact position, over all contacts and all their frames, in metres.
inline double max_error(const Figure& figure, const Clip& clip, const std::vector<Contact>& contacts) {
  double largest = 0.0;
  for (const Contact& contact : contacts) {
    const std::vector<Vec3> path = path_of(figure, clip, contact.place);
    for (int k = contact.first; k <= contact.last; ++k)
      largest = std::fmax(largest, (path.at(static_cast<std::size_t>(k)) - contact.at).norm());
  }
  return largest;
}

// The maximum violation of limits, boxes and rows.
inline double worst_limit(const Figure& figure, const Clip& clip) {
  double worst = 0.0;
  for (int k = 0; k < clip.frames(); ++k) {
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      const double theta = clip.poses(static_cast<Eigen::Index>(j), k);
      worst = std::fmax(worst, std::fmax(range.lower - theta, theta - range.upper));
    }
    for (const LimitRow& row : figure.limit_rows()) {
      double violation = -row.bound;
      for (std::size_t t = 0; t < row.parameters.size(); ++t)
        violation += row.coefficients[t] * clip.poses(row.parameters[t], k);
      worst = std::fmax(worst, row.relation == Relation::equal ? std::fabs(violation) : violation);
    }
  }
  return worst;
}

}  // namespace limber::carried_sample
