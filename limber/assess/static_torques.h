// The torques that hold a figure still under gravity, and their derivatives.
//
// The equilibrium of assess/strength.h, with mass M_i and moment S_i = Σ m x of all that a degree of freedom i moves,
// summed from the leaves to the root. With the reactions F_f at x_f of the feet below it,
//
//   w_i = g M_i - Σ F_f    T_i = g S_i - Σ F_f x_f    r_i = T_i - w_i p_i
//   h_i = y · (z_i × r_i) where it turns,   w_i y · z_i where it slides
//
// for the axis z_i through p_i and y upwards. A turn l before i on the way from the root carries z_i, p_i and all that
// i moves; one after it moves what l moves; so
//
//   ∂S_i/∂q_l = z_l × (S - M p_l),  S and M of the smaller of the two subtrees
//   ∂z_i/∂q_l = z_l × z_i,  ∂p_i/∂q_l = z_l × (p_i - p_l)   for l before i
//
// and, with W = g M and λ, a, b, c, d of assess/strength.h, the derivatives of the reactions follow from those of c
// (all masses) and of a and b (places on the feet), by the product rule. O(1) per pair of degrees of freedom.
//
// Where the feet touch the ground is found in one pose, by touch(): torques of other poses are those with the same
// places on the ground, so that they are smooth functions of the pose.
#pragma once

#include <string>
#include <vector>

#include "limber/assess/strength.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"
#include "limber/kinematics/ground.h"

namespace limber {

class StaticTorques {
 public:
  // Rejects what static_load() rejects. The figure must outlive this.
  static Expected<StaticTorques> make(const Figure& figure, const StaticLoadOptions& options);

  // Finds which feet stand on the ground, and with which places.
  void touch(const Kinematics& state);
  // Takes the pose. Asks for no memory, nor do the functions below.
  void update(const Kinematics& state);
  // The derivatives of the reactions too, for derivative().
  void update_derivatives();

  double mass() const { return mass_; }  // of all masses and loads
  const Vec3& centre() const { return centre_; }
  double gravity(int i) const;            // Q_i
  double holding(int i) const;            // h_i
  double derivative(int i, int l) const;  // ∂h_i/∂q_l
  // Of the feet on the ground.
  std::vector<Reaction> reactions() const;
  // Distance of the point below the centre from the convex hull of the places, 0 inside.
  double outside() const;

 private:
  struct Place : FootPlace {
    bool touches = false;
    Vec3 at = Vec3::Zero();  // in the world
  };
  struct Foot {
    std::string name;
    int segment = 0;
    std::vector<Place> places = {};
    bool stands = false;
    int touching = 0;  // places
    // Horizontal vectors have y = 0.
    Vec3 centre = Vec3::Zero();
    Vec3 at = Vec3::Zero();                // x
    double force = 0.0;                    // F
    Vec3 moment = Vec3::Zero();            // F x
    std::vector<Vec3> centre_slopes = {};  // ∂centre/∂q_l
    std::vector<double> force_slopes = {};
    std::vector<Vec3> moment_slopes = {};
  };
  struct Sum {
    double mass;
    Vec3 moment;
  };

  StaticTorques(const Figure& figure, double gravity);
  const Sum& below(int i) const;
  Vec3 moved(int l, const Sum& sum) const;  // ∂(Σ m x)/∂q_l of masses that l moves
  bool is_on_way(int l, int i) const;       // l = i, or l is before it on the way from the root
  bool carries(int i, const Foot& foot) const;
  void share_weight();
  void differentiate_sharing(int l);
  Vec3 centre_slope(const Foot& foot, int l) const;

  const Figure* figure_;
  double g_;
  double mass_ = 0.0;
  Vec3 centre_ = Vec3::Zero();
  std::vector<double> masses_;  // by segment, with its loads
  std::vector<Vec3> locals_;    // likewise, the centre in the segment
  std::vector<Foot> feet_;      // all of them
  std::vector<Sum> below_;      // by segment: of it and all below it
  const Kinematics* state_ = nullptr;
};

}  // namespace limber
