// Bodies on pins and sliders with markers on them, posed by Simbody's Assembler. Simbody's headers do not compile as
// C++20, so simbody_tree.cpp is C++17, and this header is all that the two sides share.
#pragma once

#include <Eigen/Core>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace limber::peers {

struct TreeFrame {
  Eigen::Matrix3d R;
  Eigen::Vector3d p;
};

// A pin turns about the z axis of its frame, a slider moves along its x axis.
enum class Mobility { weld, pin, slider };

struct TreeBody {
  int parent;  // body; -1 for the ground
  Mobility mobility;
  TreeFrame in_parent;
  TreeFrame in_child;
  bool moves;  // else its coordinate stays as it is
  double lower;
  double upper;
};

struct TreeMarker {
  int body;
  Eigen::Vector3d local;
};

class SimbodyTree {
 public:
  // A parent comes before its children.
  SimbodyTree(const std::vector<TreeBody>& bodies, const std::vector<TreeMarker>& markers);
  ~SimbodyTree();

  // The positions of the markers. q has one number per body; that of a weld is ignored.
  std::vector<Eigen::Vector3d> places(const Eigen::VectorXd& q);

  // Goals for new searches, and their tolerance and deadline.
  void aim(const std::vector<Eigen::Vector3d>& goals, double metres, std::chrono::steady_clock::time_point deadline);
  // Searches from q.
  void assemble(const Eigen::VectorXd& q);
  bool met() const;
  // The best that was found since aim().
  void best(Eigen::VectorXd& q) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace limber::peers
