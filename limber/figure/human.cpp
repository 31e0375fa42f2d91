// The human figure with 17 vertebrae and two shoulder complexes.                                   ZB94 section 12
//
// Spine: each vertebra's share of the total bend is its published range divided by the sum of ranges, so the three
// parameters are the total bends.
//
// Shoulder: let C be the rotation of the clavicle and G that of the upper arm relative to it; the arm rotates by C G.
// In pure abduction the axes agree, and the two angles add up to the parameter. In pure elevation e we want
//
//   C(e) G(e) = R_x(-e),   so   G(e) = C(e)ᵀ R_x(-e) = R_x(-θ) R_z(φ) R_y(-τ)     (left side)
//
// and the curves θ, φ, τ interpolate these angles at knots ten degrees apart. If both parameters are nonzero their
// contributions are added.
#include "limber/figure/human.h"

#include <cassert>
#include <utility>

#include "limber/figure/human_tables.h"
#include "limber/figure/prior.h"
#include "limber/figure/usual.h"

namespace limber {

namespace {

using namespace human_tables;

const Sample& sample_of(Sex sex) { return sex == Sex::male ? male_sample : female_sample; }

// ------------------------------------------------------------------------------------------------------- the spine

// A bend of the whole spine: freedom, total range, and the range of a vertebra.
struct Bend {
  const char* name;
  Bounds total;
  double Vertebra::* range_deg;
};
constexpr std::array<Bend, 3> bends = {{{"forward", range::spine_forward, &Vertebra::flexion_and_extension_deg},
                                        {"lateral", range::spine_lateral, &Vertebra::lateral_deg},
                                        {"axial", range::spine_axial, &Vertebra::axial_deg}}};

double weight(const Bend& bend, const Vertebra& vertebra) {
  double sum = 0.0;
  for (const Vertebra& each : vertebrae) sum += each.*bend.range_deg;
  return vertebra.*bend.range_deg / sum;
}

// Only the combined range of flexion and extension is published per vertebra; it is split in the ratio of the whole
// spine.
Bounds forward_bounds(const Vertebra& vertebra) {
  const Bounds total = range::spine_forward;
  const double share = vertebra.flexion_and_extension_deg / (total.upper_deg - total.lower_deg);
  return {total.lower_deg * share, total.upper_deg * share};
}

std::string add_vertebrae(Assembly& body) {
  const auto points = spine_points(body.sample());
  const auto slices = trunk_slices(body.sample());
  std::string below = "waist";
  for (std::size_t v = 0; v < vertebra_count; ++v) {
    const Vertebra& vertebra = vertebrae[v];
    body.segment(vertebra.name, below, vertebra.name, points[v],
                 trunk_freedoms(forward_bounds(vertebra), {-vertebra.lateral_deg, vertebra.lateral_deg},
                                {-vertebra.axial_deg, vertebra.axial_deg}),
                 slices[v]);
    below = vertebra.name;
  }
  body.site("sternum", below, Vec3(0.0, length::sternum, length::sternum_ahead), Vec3::UnitZ(), Vec3::UnitY());
  return below;
}

GroupDescription spine_group() {
  GroupDescription group;
  group.name = "spine";
  for (const Bend& bend : bends) group.parameters.push_back({bend.name, to_range(bend.total)});
  for (const Vertebra& vertebra : vertebrae)
    for (const Bend& bend : bends)
      group.drivers.push_back({vertebra.name, bend.name, {{bend.name, Curve::linear(weight(bend, vertebra))}}});
  return group;
}

// Independent vertebrae keep their own ranges; their sum keeps the range of the spine.
void limit_whole_spine(FigureDescription& description) {
  for (const Bend& bend : bends) {
    LimitDescription upper, lower;
    upper.name = std::string("spine ") + bend.name + " upper limit";
    lower.name = std::string("spine ") + bend.name + " lower limit";
    upper.bound = radians(bend.total.upper_deg);
    lower.bound = -radians(bend.total.lower_deg);
    for (const Vertebra& vertebra : vertebrae) {
      const std::string parameter = std::string(vertebra.name) + "." + bend.name;
      upper.terms.push_back({parameter, 1.0});
      lower.terms.push_back({parameter, -1.0});
    }
    description.limits.push_back(std::move(upper));
    description.limits.push_back(std::move(lower));
  }
}

// ------------------------------------------------------------------------------------------------- the shoulder

// Elevation of the clavicle as the arm is raised, forward or sideways: none in the setting phase, then its share.
Curve clavicle_elevation() {
  constexpr double share = scapula_share * clavicle_of_scapula;
  const auto knot = [](double raised_deg) {
    return Curve::Knot{radians(raised_deg), share * radians(std::fmax(0.0, raised_deg - setting_phase_deg))};
  };
  return Curve::smooth({knot(0.0), knot(setting_phase_deg), knot(90.0), knot(180.0)});
}

// The clavicle protracts as the arm reaches forward, and retracts as it is drawn back.   chosen, no source
Curve clavicle_protraction() {
  return Curve::smooth({{radians(-60.0), radians(-10.0)},
                        {0.0, 0.0},
                        {radians(60.0), radians(10.0)},
                        {radians(90.0), radians(12.0)},
                        {radians(180.0), 0.0}});
}

// θ, φ, τ of the file comment; the same on both sides, because the axes are mirrored.
Vec3 glenohumeral_angles(double elevation) {
  const Mat3 C = rotation(Vec3::UnitZ(), clavicle_elevation()(elevation).value) *
                 rotation(-Vec3::UnitY(), clavicle_protraction()(elevation).value);
  const Mat3 G = C.transpose() * rotation(-Vec3::UnitX(), elevation);
  return {std::atan2(-G(2, 1), G(1, 1)), std::asin(-G(0, 1)), -std::atan2(G(0, 2), G(0, 0))};
}

// Interpolates f at knots ten degrees apart.
template <class Function>
Curve sampled(int first_deg, int last_deg, const Function& f) {
  constexpr int step_deg = 10;
  std::vector<Curve::Knot> knots;
  for (int deg = first_deg; deg <= last_deg; deg += step_deg) knots.push_back({radians(deg), f(radians(deg))});
  return Curve::smooth(std::move(knots));
}

// Knots cover the parameters' ranges; elevation stays below 180 degrees, where its angle would wrap around.
Curve for_elevation(int which) {
  return sampled(-60, 170, [&](double elevation) { return glenohumeral_angles(elevation)[which]; });
}
Curve for_abduction(const Curve& clavicle) {
  return sampled(-50, 190, [&](double abduction) { return abduction - clavicle(abduction).value; });
}

GroupDescription shoulder_group(const std::string& p) {
  const Curve clavicle = clavicle_elevation();
  GroupDescription group;
  group.name = p + "shoulder";
  group.parameters = {{"elevation", to_range(range::shoulder_elevation)},
                      {"abduction", to_range(range::shoulder_abduction)},
                      {"twist", to_range(range::shoulder_twist)}};
  const std::string sternoclavicular = p + "sternoclavicular", glenohumeral = p + "glenohumeral";
  group.drivers = {
      {sternoclavicular, "elevation", {{"elevation", clavicle}, {"abduction", clavicle}}},
      {sternoclavicular, "protraction", {{"elevation", clavicle_protraction()}}},
      {glenohumeral, "elevation", {{"elevation", for_elevation(0)}}},
      {glenohumeral, "abduction", {{"elevation", for_elevation(1)}, {"abduction", for_abduction(clavicle)}}},
      {glenohumeral, "twist", {{"elevation", for_elevation(2)}, {"twist", Curve::linear(1.0)}}}};
  return group;
}

// The range of a driven freedom: the image of the parameters' ranges under the group.
void range_from_group(const GroupDescription& group, const std::string& joint, FreedomDescription& freedom) {
  freedom.range = {.lower = 0.0, .upper = 0.0};
  for (const GroupDriver& driver : group.drivers) {
    if (driver.joint != joint || driver.freedom != freedom.name) continue;
    for (const GroupTerm& term : driver.terms)
      for (const GroupParameter& parameter : group.parameters)
        if (parameter.name == term.parameter) {
          const auto [lower, upper] = term.curve.range(parameter.range.lower, parameter.range.upper);
          freedom.range.lower += lower;
          freedom.range.upper += upper;
        }
  }
}

void add_arm(Assembly& body, const Side& side, const std::string& trunk) {
  const std::string p = side.prefix;
  GroupDescription group = shoulder_group(p);
  std::vector<FreedomDescription> clavicle = {{"elevation", Motion::rotate, side.out * Vec3::UnitZ()},
                                              {"protraction", Motion::rotate, -side.out * Vec3::UnitY()}};
  std::vector<FreedomDescription> arm = shoulder_freedoms(side);
  for (FreedomDescription& freedom : clavicle) range_from_group(group, p + "sternoclavicular", freedom);
  for (FreedomDescription& freedom : arm) range_from_group(group, p + "glenohumeral", freedom);
  body.segment(p + "sternoclavicular", trunk, p + "clavicle", clavicle_start(side), std::move(clavicle),
               clavicle_mass(body.sample(), side));
  body.segment(p + "glenohumeral", p + "clavicle", p + "upper_arm", shoulder_centre(side), std::move(arm),
               upper_arm_mass(body.sample(), side));
  body.forearm(side, p + "clavicle");
  body.description.groups.push_back(std::move(group));
  for (const ShoulderRow& row : shoulder_rows) {
    LimitDescription limit;
    limit.name = p + "shoulder " + row.name;
    limit.bound = radians(row.bound_deg);
    for (const auto& [parameter, coefficient] :
         {std::pair{"elevation", row.elevation}, {"abduction", row.abduction}, {"twist", row.twist}})
      if (coefficient != 0.0) limit.terms.push_back({p + "shoulder." + parameter, coefficient});
    body.description.limits.push_back(std::move(limit));
  }
}

}  // namespace

Expected<FigureDescription> human_description(const HumanOptions& options) {
  const Sample& sample = sample_of(options.sex);
  const Expected<Size> size = checked_size(sample, options.stature, options.mass);
  if (!size) return std::unexpected(size.error());
  Assembly body("human", sample, *size);
  body.pelvis(options.root);
  const std::string top = add_vertebrae(body);
  if (options.spine == Spine::grouped)
    body.description.groups.push_back(spine_group());
  else
    limit_whole_spine(body.description);
  body.head(top);
  for (const Side& side : sides) add_arm(body, side, top);
  for (const Side& side : sides) body.leg(side);
  body.pair_sides();
  return std::move(body.description);
}

Expected<Figure> human(const HumanOptions& options) {
  Expected<FigureDescription> description = human_description(options);
  if (!description) return std::unexpected(description.error());
  const Expected<Figure> figure = build_figure(std::move(*description));
  return figure ? with_prior(*figure, usual_human()) : figure;
}

Figure human() {
  Expected<Figure> figure = human(HumanOptions{});
  assert(figure);
  return std::move(*figure);
}

}  // namespace limber
