// Contacts of a motion with what it keeps clear of, as rows of the program of all frames (program.h). Private to
// motion/timed/.
//
// At a station, which is a frame k or a place s of the way to the next one, the figure has the parameters
// θ = (1 - s) θ_k + s θ_{k+1}. A contact there is a pair nearer than its margin and a little more, with the violation
//
//   v = (margin + safety - gap) / ℓ <= 0,   ∂v/∂φ_k = (1 - s) J,   ∂v/∂φ_{k+1} = s J
//
// and a multiplier λ >= 0. Stations between frames are added where a sweep (sweep.h) finds too little room: a problem
// with infinitely many constraints, solved by exchange (Hettich and Kortanek 1993).
//
// Passages. From inside an obstacle, the nearest way out leads some frames to one side and some to the other. So a
// solve begins with passages: while something is in the way of a capsule, it must stay on one side of a plane that
// touches the obstacle. The contacts themselves then let it come nearer.
#pragma once

#include <vector>

#include "limber/problem/clearance_contacts.h"
#include "limber/problem/drives.h"
#include "limber/problem/posed_linkage.h"
#include "limber/problem/problem.h"

namespace limber {

// Capsules stay where normal · x >= offset, instead of clear of an obstacle, from one time to another, in frames.
struct Passage {
  int clearance = 0, obstacle = 0;
  std::vector<int> capsules = {};
  double from = 0.0, to = 0.0;
  Vec3 normal = Vec3::UnitY();
  double offset = 0.0;
};

struct MotionContact {
  int station = 0;
  int id = 0;
  double violation = 0.0;
  double multiplier = 0.0;
  bool has_row = false;     // in the second derivative
  bool is_entered = false;  // only for a step that would run into it
};

// The contacts of all stations, by station, with J.
struct MotionContactList {
  std::vector<MotionContact> contacts;
  std::vector<double> rows;

  void clear() {
    contacts.clear();
    rows.clear();
  }
  Eigen::Map<const VecX> row(std::size_t contact, int n) const {
    return {rows.data() + contact * static_cast<std::size_t>(n), n};
  }
};

class MotionContacts {
 public:
  struct Station {
    int frame = 0;
    double after = 0.0;
    std::vector<std::pair<int, double>> multipliers = {};  // by contact, if not 0
  };

  // The clearances are valid, and their capsules are in the chains of the problem. Clearances must outlive this.
  MotionContacts(const Problem& problem, const std::vector<Clearance>& clearances);

  // Stations at all frames, and no others; without multipliers and passages.
  void start(int frames);
  // A station between two frames; one nearby moves there instead. False if there is one already.
  bool add(int frame, double after);
  void set_passages(std::vector<Passage> passages) { passages_ = std::move(passages); }
  const std::vector<Station>& stations() const { return stations_; }
  void forget_multipliers();
  void set_multiplier(int station, int id, double value);

  // Appends the contacts of a station, for the parameters there.
  void find(int station, const VecX& theta, MotionContactList& out);
  // In lengths of the figure: contacts aim at so much more than the margin.
  static constexpr double safety = 5e-5;

 private:
  struct Body {
    int link = -1;
    Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // in the link
    double radius = 0.0;
  };
  const Passage* passage_of(const Station& station, int clearance, int obstacle, int capsule) const;
  void find_passages(int station, const VecX& theta, MotionContactList& out);
  void add_row(const ClearanceContact& contact, const VecX& theta, MotionContactList& out);
  void push(int station, int id, double gap, double margin, MotionContactList& out) const;

  const std::vector<Clearance>& clearances_;
  Problem problem_;
  Variables variables_;
  PosedLinkage links_;
  std::vector<Drive> drives_;
  std::vector<ClearanceContacts> contacts_;  // by clearance
  std::vector<std::vector<Body>> bodies_;    // by clearance and capsule
  std::vector<int> first_id_;                // by clearance, of contacts
  std::vector<Station> stations_;            // by time
  std::vector<Passage> passages_;
  VecX q_;
};

}  // namespace limber
