// Published body measurements, and the parts that both built-in bodies share. Private to figure/.
//
// Lengths are fractions of stature, masses fractions of body mass, angles degrees; "chosen" marks a number without a
// source. Sources, by the short names used beside the numbers:
//
//   D&C    Drillis and Contini 1966, Body segment parameters, as reprinted in Winter, Biomechanics and motor control
//   dL     de Leva 1996, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, table 4
//   W&P    White and Panjabi 1990, Clinical biomechanics of the spine, representative ranges of motion
//   P91/92 Panjabi et al. 1991 and 1992, Thoracic / Human lumbar vertebrae: quantitative three-dimensional anatomy
//   B&A    Boone and Azen 1979, Normal range of motion of joints in male subjects, adults of 20 to 54 years
//   AAOS   American Academy of Orthopaedic Surgeons 1965, Joint motion
//   D90    Delp et al. 1990, An interactive graphics-based model of the lower extremity
//   H05    Holzbaur, Murray and Delp 2005, A model of the upper extremity
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "limber/figure/human.h"

namespace limber::human_tables {

// Heights above the sole and lengths in the standing body.
namespace length {
inline constexpr double ankle = 0.039;      // D&C
inline constexpr double knee = 0.285;       // D&C
inline constexpr double hip = 0.530;        // D&C
inline constexpr double shoulder = 0.818;   // D&C
inline constexpr double eyes = 0.936;       // D&C
inline constexpr double upper_arm = 0.186;  // D&C
inline constexpr double forearm = 0.146;    // D&C
inline constexpr double hand = 0.108;       // D&C
inline constexpr double foot = 0.152;       // D&C

inline constexpr double hip_aside = 0.0464;             // D90: hip centre 83.5 mm from the midline, of 1.80 m
inline constexpr double clavicle_start_aside = 0.015;   // H05: sternoclavicular joint, 25.5 mm, of 1.70 m
inline constexpr double shoulder_aside = 0.100;         // H05: centre of the humeral head, 170 mm
inline constexpr double clavicle_start_above = 0.0082;  // H05: over the humeral head, 14 mm
inline constexpr double clavicle_start_ahead = 0.0141;  // H05: in front of the humeral head, 24 mm

inline constexpr double sacrum_above_hip = 0.066;    // chosen: the upper end of the sacrum, 115 mm
inline constexpr double sacrum_behind_hip = 0.0145;  // chosen: 25 mm, a pelvis tilted by 12 degrees
inline constexpr double skull_base = 0.912;          // chosen: height of the joint between atlas and skull
inline constexpr double skull_base_ahead = 0.0;      // chosen: over the hips
inline constexpr double eyes_ahead = 0.050;          // chosen: 87 mm in front of the skull's joint
inline constexpr double sternum = 0.770;             // chosen: height of its middle
inline constexpr double sternum_ahead = 0.050;       // chosen
inline constexpr double palm_along_hand = 0.3;       // chosen: of the hand's length, wrist to middle of the palm
inline constexpr double palm_thickness = 0.008;      // chosen: from the hand's axis to the skin
inline constexpr double heel_behind_ankle = 0.038;   // chosen: a quarter of the foot's length
inline constexpr double ball_along_foot = 0.73;      // chosen: of the foot's length, heel to ball
inline constexpr double toe_joint_height = 0.012;    // chosen
}  // namespace length

// The sample of one sex.                                                                                 all dL
struct Sample {
  double stature;                                                                                     // metres
  double mass;                                                                                        // kg
  double vertex_to_cervicale, cervicale_to_xiphion, omphalion_to_hip;                                 // metres
  double head, upper_trunk, middle_trunk, lower_trunk, upper_arm, forearm, hand, thigh, shank, foot;  // of the mass
  // Mass centres, as a fraction of the segment's length from its first named end.
  double head_centre;                                                                // vertex to cervicale
  double lower_trunk_centre;                                                         // omphalion to mid-hip
  double upper_arm_centre, forearm_centre, hand_centre, thigh_centre, shank_centre;  // from the proximal joint
  double foot_centre;                                                                // heel to toe
};
inline constexpr Sample male_sample = {.stature = 1.741,
                                       .mass = 73.0,
                                       .vertex_to_cervicale = 0.2429,
                                       .cervicale_to_xiphion = 0.2421,
                                       .omphalion_to_hip = 0.1457,
                                       .head = 0.0694,
                                       .upper_trunk = 0.1596,
                                       .middle_trunk = 0.1633,
                                       .lower_trunk = 0.1117,
                                       .upper_arm = 0.0271,
                                       .forearm = 0.0162,
                                       .hand = 0.0061,
                                       .thigh = 0.1416,
                                       .shank = 0.0433,
                                       .foot = 0.0137,
                                       .head_centre = 0.5002,
                                       .lower_trunk_centre = 0.6115,
                                       .upper_arm_centre = 0.5772,
                                       .forearm_centre = 0.4574,
                                       .hand_centre = 0.3624,
                                       .thigh_centre = 0.4095,
                                       .shank_centre = 0.4395,
                                       .foot_centre = 0.4415};
inline constexpr Sample female_sample = {.stature = 1.735,
                                         .mass = 61.9,
                                         .vertex_to_cervicale = 0.2437,
                                         .cervicale_to_xiphion = 0.2280,
                                         .omphalion_to_hip = 0.1815,
                                         .head = 0.0668,
                                         .upper_trunk = 0.1545,
                                         .middle_trunk = 0.1465,
                                         .lower_trunk = 0.1247,
                                         .upper_arm = 0.0255,
                                         .forearm = 0.0138,
                                         .hand = 0.0056,
                                         .thigh = 0.1478,
                                         .shank = 0.0481,
                                         .foot = 0.0129,
                                         .head_centre = 0.4841,
                                         .lower_trunk_centre = 0.4920,
                                         .upper_arm_centre = 0.5754,
                                         .forearm_centre = 0.4559,
                                         .hand_centre = 0.3427,
                                         .thigh_centre = 0.3612,
                                         .shank_centre = 0.4352,
                                         .foot_centre = 0.4014};

inline constexpr double clavicle_of_upper_trunk = 0.125;  // chosen: the mass that moves with one clavicle

// The joint below a vertebra has its name: "L5" connects the sacrum to the fifth lumbar vertebra, "T12"
// the first lumbar to the twelfth thoracic, "T1" the second thoracic to the first.                 ZB94 section 12
struct Vertebra {
  const char* name;
  double body_mm;   // posterior height of the body                                     P91 T1 to T12, P92 L
  double disc_mm;   // below it; chosen: thoracic 4.5 to 7.2, the span of Kunkel et al. 2011, lumbar 10
  double lean_deg;  // forward, going up; chosen: kyphosis T1 to T12 43, lordosis L1 to sacrum about 57
  double flexion_and_extension_deg, lateral_deg, axial_deg;  // W&P: combined; to one side; to one side
};
inline constexpr int vertebra_count = 17;
inline constexpr std::array<Vertebra, vertebra_count> vertebrae = {{
    {"L5", 22.9, 10.0, 24.0, 17.0, 3.0, 1.0},
    {"L4", 24.1, 10.0, 10.0, 16.0, 6.0, 2.0},
    {"L3", 23.8, 10.0, -4.0, 15.0, 8.0, 2.0},
    {"L2", 24.3, 10.0, -12.0, 14.0, 6.0, 2.0},
    {"L1", 23.8, 10.0, -17.0, 12.0, 6.0, 2.0},
    {"T12", 22.7, 7.2, -19.0, 12.0, 8.0, 2.0},
    {"T11", 21.3, 7.0, -18.0, 12.0, 9.0, 2.0},
    {"T10", 20.2, 6.7, -15.0, 9.0, 7.0, 2.0},
    {"T9", 19.3, 6.5, -11.0, 6.0, 6.0, 4.0},
    {"T8", 18.7, 6.2, -7.0, 6.0, 6.0, 6.0},
    {"T7", 18.2, 6.0, -2.0, 6.0, 6.0, 7.0},
    {"T6", 17.4, 5.7, 3.0, 5.0, 6.0, 7.0},
    {"T5", 16.2, 5.5, 8.0, 4.0, 6.0, 8.0},
    {"T4", 16.2, 5.2, 12.0, 4.0, 6.0, 8.0},
    {"T3", 15.7, 5.0, 16.0, 4.0, 5.0, 8.0},
    {"T2", 15.6, 4.7, 20.0, 4.0, 6.0, 8.0},
    {"T1", 14.1, 4.5, 24.0, 4.0, 5.0, 9.0},
}};

// Ranges in degrees; + names the positive direction.
struct Bounds {
  double lower_deg, upper_deg;
};
namespace range {
// The whole thoracic and lumbar spine, AAOS: flexion 80, extension 25, lateral 35, rotation 45. Vertebral ranges add up
// to more: single joints do not reach their limits together.
inline constexpr Bounds spine_forward = {-25.0, 80.0};
inline constexpr Bounds spine_lateral = {-35.0, 35.0};  // + to the left
inline constexpr Bounds spine_axial = {-45.0, 45.0};    // + to the left
// Neck: W&P summed from C2-C3 to C7-T1, flexion and extension taken as equal. Head: skull to C2.
inline constexpr Bounds neck_flexion = {-45.5, 45.5};  // + forward
inline constexpr Bounds neck_lateral = {-51.0, 51.0};  // + to the left
inline constexpr Bounds neck_axial = {-32.0, 32.0};    // + to the left
inline constexpr Bounds head_nod = {-22.5, 22.5};      // + forward
inline constexpr Bounds head_turn = {-45.0, 45.0};     // + to the left

inline constexpr Bounds shoulder_elevation = {-57.3, 165.0};  // B&A extension, flexion; + forward and up
inline constexpr Bounds shoulder_abduction = {-45.0, 182.7};  // chosen; B&A abduction; + outward and up
inline constexpr Bounds shoulder_twist = {-99.6, 67.1};       // B&A lateral, medial rotation; + inward
inline constexpr Bounds clavicle_shrug = {-5.0, 45.0};        // chosen; + up
inline constexpr Bounds elbow_flexion = {-0.3, 140.5};        // B&A
inline constexpr Bounds wrist_pronation = {-81.1, 75.0};      // B&A supination, pronation
inline constexpr Bounds wrist_flexion = {-74.0, 74.8};        // B&A extension, flexion; + toward the palm
inline constexpr Bounds wrist_deviation = {-35.3, 21.1};      // B&A ulnar, radial; + toward the thumb
inline constexpr Bounds hip_flexion = {-12.1, 121.3};         // B&A; + thigh forward
inline constexpr Bounds hip_abduction = {-25.6, 40.5};        // B&A; + outward
inline constexpr Bounds hip_rotation = {-44.2, 44.4};         // B&A outward, inward; + inward
inline constexpr Bounds knee_flexion = {-1.1, 141.2};         // B&A; + heel backward
inline constexpr Bounds ankle_flexion = {-54.3, 12.2};        // B&A plantar, dorsal; + toes up
inline constexpr Bounds ankle_inversion = {-19.2, 36.2};      // B&A eversion, inversion; + sole inward
inline constexpr Bounds toes_flexion = {-70.0, 45.0};         // AAOS, first metatarsophalangeal joint; + down
}  // namespace range

// The scapulohumeral rhythm (Inman, Saunders and Abbott 1944): during the first 30 degrees of raising the arm the
// scapula sets; then it contributes one degree in three.
inline constexpr double setting_phase_deg = 30.0;
inline constexpr double scapula_share = 1.0 / 3.0;
// Chosen: the sternoclavicular joint's part of the scapula's share. The rest is motion at the acromion, where this
// figure has no joint; the glenohumeral joint takes it over.
inline constexpr double clavicle_of_scapula = 0.6;

// Linear limits of the shoulder, in addition to its box limits: e elevation + a abduction + t twist <= bound (degrees).
// The slopes are chosen; each comment gives the intent.
struct ShoulderRow {
  const char* name;
  double elevation, abduction, twist, bound_deg;
};
inline constexpr std::array<ShoulderRow, 6> shoulder_rows = {{
    {"overhead", 1.0, 1.0, 0.0, 190.0},               // combined forward and sideways elevation stops above the head
    {"behind", -2.2, 1.0, 0.0, 183.0},                // the farther back the arm, the less it rises sideways
    {"across", -0.35, -1.0, 0.0, 10.0},               // the trunk stops a hanging arm; it crosses only when forward
    {"raised inward", 0.3, 0.0, 1.0, 67.1 + 27.0},    // forward beyond 90 degrees the twist narrows inward …
    {"raised outward", 0.6, 0.0, -1.0, 99.6 + 54.0},  // … and outward
    {"aside inward", 0.0, 0.75, 1.0, 67.1 + 67.5},    // sideways beyond 90 degrees the arm must turn outward
}};

// ---------------------------------------------------------------------------------------------------------------
// Parts.

struct Side {
  const char* prefix;
  double out;  // +1 left, -1 right: the sign of its x
};
inline constexpr std::array<Side, 2> sides = {{{"left_", 1.0}, {"right_", -1.0}}};

FreedomDescription turn(const char* name, const Vec3& axis, Bounds bounds);
Range to_range(Bounds bounds);

// Rejects a stature or mass outside the human range; 0 stands for the sample's mean.
struct Size {
  double stature, mass;
};
Expected<Size> checked_size(const Sample& sample, double stature, double mass);

// Positions in the standing body, as fractions of stature: the joint below each vertebra, then the neck's.
std::array<Vec3, vertebra_count + 1> spine_points(const Sample& sample);

// The share of body mass that moves with each vertebra, and its centre, as fractions.
struct Slice {
  double share = 0.0;
  Vec3 centre = Vec3::Zero();
};
std::array<Slice, vertebra_count> trunk_slices(const Sample& sample);

// Builds a description. All positions are in the standing body, as fractions of stature, so that no part depends on its
// parent's origin.
class Assembly {
 public:
  Assembly(std::string name, const Sample& sample, Size size);

  void segment(const std::string& joint, const std::string& parent, const std::string& child, const Vec3& origin,
               std::vector<FreedomDescription> freedoms, Slice mass = {});
  void site(const std::string& name, const std::string& segment, const Vec3& point, const Vec3& x, const Vec3& y);

  void pelvis(Root root);                                              // and the waist
  void leg(const Side& side);                                          // on the pelvis
  void head(const std::string& parent);                                // neck and head on the topmost trunk segment
  void forearm(const Side& side, const std::string& shoulder_parent);  // from the elbow down, and the arm's sites
  void pair_sides();                                                   // every "left_" segment with its "right_" one

  const Sample& sample() const { return sample_; }
  FigureDescription description;

 private:
  const Sample& sample_;
  Size size_;
  std::map<std::string, Vec3> origins_;  // of the segments, as fractions of stature
};

// Joint centres and masses of the arm.
Vec3 shoulder_centre(const Side& side);
Vec3 clavicle_start(const Side& side);
Slice upper_arm_mass(const Sample& sample, const Side& side);
Slice clavicle_mass(const Sample& sample, const Side& side);
// elevation, abduction, twist in this order: the sequence is singular at 90 degrees of abduction (arm straight out to
// the side), far from hanging or reaching forward.
std::vector<FreedomDescription> shoulder_freedoms(const Side& side);
// forward, lateral, axial.
std::vector<FreedomDescription> trunk_freedoms(Bounds forward, Bounds lateral, Bounds axial);

}  // namespace limber::human_tables
